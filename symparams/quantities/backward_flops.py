"""Backward FLOPs: each product of matrices has two gradients, of its matrix and of its input, so twice the forward pass.

What reads data that are not learned has no gradient of its input: the convolution over pixels or sound, and XLNet's
positions (Kaplan et al., 2020, arXiv:2001.08361, section 2.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from symparams.components.tree import Component
from symparams.expressions.nodes import Expression, Number, Product
from symparams.expressions.symbols import D, L_vision, b, n_image_patches, s, s_src, t
from symparams.expressions.written import substitute
from symparams.quantities import conventions_of_flops, forward_flops
from symparams.quantities.cost import FLOPS, Cost
from symparams.quantities.in_tokens import in_tokens
from symparams.quantities.matrix_flops import UNUSED
from symparams.quantities.setting import Setting
from symparams.quantities.streams import IMAGES
from symparams.quantities.term import Term

TOWER = f"{IMAGES}.encoder"
READING_DATA = ("patch_embedding", "first_convolution", "position")


def terms(tree: Component, setting: Setting) -> Sequence[Term]:
    """What each part contributes to the backward pass of b sequences, or of D tokens in sequences of s."""
    found = [term for term in read(tree, setting) if gradients(term)]
    return in_tokens([replace(term, written=_times(gradients(term), term.written)) for term in found], setting)


def read(tree: Component, setting: Setting) -> Iterator[Term]:
    """The terms of the forward pass, apart those of layers of an image encoder that are run and that nothing reads."""
    unread = setting.choices.get("unread_image_layers")
    for term in forward_flops.terms(tree, setting):
        if isinstance(unread, int) and unread and term.path.startswith(TOWER) and term.kind != UNUSED:
            in_vain = substitute(term.times, {L_vision: unread})
            yield replace(term, times=term.times - in_vain)
            yield replace(term, times=in_vain, kind=UNUSED)
        else:
            yield term


def _times(number: int, written: Expression) -> Expression:
    return written if number == 1 else Product((Number(number), written))


def gradients(term: Term) -> int:
    """How many gradients a product has: of both factors, of the matrix alone, or none where nothing reads it."""
    if term.kind == UNUSED:
        return 0
    return 1 if term.name in READING_DATA else 2


LETTERS = (b, s, t, s_src, n_image_patches, D)
COST = Cost(
    "backward_flops",
    FLOPS,
    terms,
    letters=LETTERS,
    choices=("causal", "logits"),
    alternatives=conventions_of_flops.of_backward,
)
