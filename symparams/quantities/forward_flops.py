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
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import b, n_frames, n_global, n_image_patches, s, s_src, t
from symparams.expressions.written import substitute
from symparams.quantities import state_space_flops
from symparams.quantities.attention_flops import Attention
from symparams.quantities.conventions_of_flops import LATENT, MASKED, by_layers
from symparams.quantities.matrix_flops import UNUSED, by_parameters, product, products
from symparams.quantities.quantity import FLOPS, OF_ONE_TOKEN, Quantity, Term
from symparams.quantities.setting import Setting
from symparams.quantities.streams import Place, Streams


def terms(tree: Component, setting: Setting) -> Sequence[Term]:
    """Return the FLOPs of each part in a forward pass of b sequences of s new tokens each."""
    streams = Streams(tree, setting)
    if streams.has_cache and not streams.decodes:
        raise OptionError(f"{streams.setting.model} reads its whole input at once and has no cache: leave out t.")
    return list(_of(streams.root, streams))


def _of(place: Place, streams: Streams) -> Iterator[Term]:
    if streams.is_idle(place):
        return
    terms = _products(place, streams)
    if place.component.unread:
        terms = (_unread(term, place, streams.setting) for term in terms)
    yield from terms


def _products(place: Place, streams: Streams) -> Iterator[Term]:
    part = place.component
    if part.attending:
        yield from Attention(place, streams).terms()
        return
    if part.state_space:
        yield from state_space_flops.terms(place, streams)
        return
    if part.role is Role.MIXER:
        raise OptionError(f"{place.path} mixes tokens but does not say how: {state_space_flops.MIXERS}.")
    if part.role is Role.MATRIX:
        yield from products(place, (streams.seen(place),) if part.is_once else (b, streams.seen(place)))
    for inner in streams.parts(place):
        yield from _of(inner, streams)
    for other in part.multiplies:
        rows = (b, b) if other.each_pair else (b, streams.seen(place))
        term = product(place, other.name, rows, other.sides, place.passes)
        yield replace(term, gradients=1) if other.is_fixed else term


def _unread(term: Term, place: Place, setting: Setting) -> Term:
    """A term of what nothing reads, or of a stack whose last layers, so many as a config says, nothing reads."""
    if place.component.unread is True:
        return replace(term, kind=UNUSED, gradients=0)
    number, layers = setting.choices.get(str(place.component.unread)), place.component.times
    if not isinstance(number, int) or not number or not isinstance(layers, Dimension):
        return term
    return replace(term, unread=substitute(term.times, {layers: number}))


QUANTITY = Quantity(
    "forward_flops",
    FLOPS,
    terms=terms,
    inputs=(b, s, t, s_src, n_image_patches, n_frames, n_global),
    choices=("causal", "logits", "latent_attention"),
    rules_of_thumb=by_parameters(1),
    alternatives=(*by_layers(1), *MASKED, *LATENT),
    usual=OF_ONE_TOKEN,
    consequences=("each_cached_token", "attention_outgrows"),
    reads_flow=True,
)
