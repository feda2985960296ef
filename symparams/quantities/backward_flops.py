"""Backward FLOPs: each product of matrices has two gradients, of its matrix and of its input, so twice the forward pass.

What reads data that are not learned has no gradient of its input: the convolution over pixels or sound, and XLNet's
positions (Kaplan et al., 2020, arXiv:2001.08361, section 2.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from symparams.components.tree import Component
from symparams.expressions.nodes import Number, Product
from symparams.expressions.symbols import D, b, n_frames, n_global, n_image_patches, s, s_src, t
from symparams.quantities import forward_flops
from symparams.quantities.conventions_of_flops import MASKED, by_layers
from symparams.quantities.in_tokens import in_tokens
from symparams.quantities.matrix_flops import UNUSED, by_parameters
from symparams.quantities.quantity import FLOPS, OF_ONE_TOKEN, Quantity, Term
from symparams.quantities.setting import Setting

TOLD = {2: "flops.backward", 1: "flops.backward_of_data"}  # the sentences, by the number of gradients
FORWARD_ONLY = "forward_only"  # what tells copies that nothing reads from the others


def terms(tree: Component, setting: Setting) -> Sequence[Term]:
    """Return the FLOPs of each part in the backward pass of b sequences, or of D tokens in sequences of s."""
    forward = [term for term in read(tree, setting) if term.gradients]
    return in_tokens([_gradients(term) for term in forward], setting)


def read(tree: Component, setting: Setting) -> Iterator[Term]:
    """The terms of the forward pass, apart those of other gradients, as of layers that are run and that nothing reads."""
    whole = forward_flops.terms(tree, setting)
    for forward in (part for term in whole for part in term.backward or (term,)):
        term = replace(forward, note="", about={})  # its sentence tells of one pass alone
        if term.unread is None:
            yield term
        else:
            yield replace(term, times=term.times - term.unread)
            yield replace(term, times=term.unread, kind=UNUSED, gradients=0, apart=FORWARD_ONLY)


def _gradients(term: Term) -> Term:
    written = term.written if term.gradients == 1 else Product((Number(term.gradients), term.written))
    return replace(term, written=written, note=TOLD[term.gradients])


LETTERS = (b, s, t, s_src, n_image_patches, n_frames, n_global, D)
QUANTITY = Quantity(
    "backward_flops",
    FLOPS,
    terms=terms,
    inputs=LETTERS,
    choices=("causal", "logits"),
    rules_of_thumb=by_parameters(2),
    alternatives=(*by_layers(2), *MASKED),
    usual=OF_ONE_TOKEN,
    reads_flow=True,
)
