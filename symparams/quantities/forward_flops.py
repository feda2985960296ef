"""Forward FLOPs: 2·m·k·n for each product of an m × k and a k × n matrix, and nothing else.

Norms, softmax, activations, look-ups, rotary positions, ALiBi and biases count 0. Two kinds of terms are kept apart:
matrices times tokens, and attention, where tokens meet (Hoffmann et al., 2022, arXiv:2203.15556, appendix F).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.errors import OptionError
from symparams.expressions.symbols import V, b, h, max_source, n_image_patches, s, s_src, t
from symparams.quantities import state_space_flops
from symparams.quantities.attention_flops import Attention
from symparams.quantities.cost import FLOPS, Alternative, Cost
from symparams.quantities.matrix_flops import TWO, UNUSED, product, products
from symparams.quantities.setting import Setting
from symparams.quantities.streams import POOLING, PROJECTOR, Place, Streams
from symparams.quantities.term import Term

UNTIED_OUTPUT = "plain_mlm_head"


def terms(tree: Component, setting: Setting) -> Sequence[Term]:
    """What each part contributes to a forward pass of b sequences of s new tokens each."""
    streams = Streams(tree, setting)
    _refuse(streams)
    return [_marked(term, streams) for term in _of(Place("", tree), streams)]


def _refuse(streams: Streams) -> None:
    if "answer_head" in streams.parts:
        raise OptionError("FLOPs are not derived for XLNet's answers: so many products as there are beams, which no size says.")
    if streams.has_cache and not streams.decodes:
        raise OptionError(f"{streams.setting.model} reads its whole input at once and has no cache: leave out t.")


def _marked(term: Term, streams: Streams) -> Term:
    """A projector reads the patches, and not what is pooled of them: that is multiplied in vain."""
    is_vain = PROJECTOR in streams.parts and term.path.startswith(POOLING)
    return replace(term, kind=UNUSED) if is_vain else term


def _of(place: Place, streams: Streams) -> Iterator[Term]:
    if streams.is_idle(place.path):
        return
    if place.component.attending:
        yield from Attention(place, streams).terms()
    elif state_space_flops.is_state_space(place.component):
        yield from state_space_flops.terms(place, streams)
    elif place.component.body:
        for part in place.parts():
            yield from _of(part, streams)
        if place.path == UNTIED_OUTPUT:  # which multiplies by the table of tokens, whatever the config says of tying
            yield product(place, "output", (b, s), (h, V), place.passes)
    elif place.component.role is Role.MATRIX:
        yield from _of_matrix(place, streams)


def _of_matrix(place: Place, streams: Streams) -> Iterator[Term]:
    if place.name == "first_convolution":  # of two frames each, of which the second convolution makes one token
        [weight, *_] = place.component.tensors
        yield product(place, place.name, (b, TWO * max_source), weight.shape, place.passes)
        return
    yield from products(place, (b, streams.seen(place)))
    if place.name == "shared_space":  # every text meets every image
        yield product(place, "similarity", (b, b), place.component.tensors[0].shape[-1:], place.passes)


def conventions(tree: Component, setting: Setting) -> Sequence[Alternative]:
    """Other ways to count the same, each with its source."""
    from symparams.quantities.conventions_of_flops import of_forward  # which counts by these terms

    return of_forward(tree, setting)


COST = Cost(
    "forward_flops",
    FLOPS,
    terms,
    letters=(b, s, t, s_src, n_image_patches),
    choices=("causal", "logits"),
    alternatives=conventions,
)
