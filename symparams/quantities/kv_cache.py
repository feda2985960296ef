"""KV cache in bytes: the keys and values of each token, or the fixed-size state of a Mamba layer.

2·b·t·n_kv_heads·d_head numbers a layer, for b sequences of t tokens (Shazeer, 2019, arXiv:1911.02150), of e bytes each. Latent
attention keeps r_kv + d_rope numbers of a token in place of its keys and values (arXiv:2405.04434). A state space keeps the
d_inner × d_conv last inputs of its convolution and a state of d_inner × d_state, whatever t (arXiv:2312.00752): the
transformers library keeps that state in fp32, in 4 bytes a number, mamba_ssm in e. A short convolution keeps its last inputs
alone, h × d_conv.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from symparams.components.facts import AttentionFacts, Heads, Projection, StateSpaceFacts
from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.errors import OptionError
from symparams.expressions.extent import size
from symparams.expressions.nodes import Expression, Minimum, Negative, Number, Product, Sum
from symparams.expressions.symbols import L_window, b, e, s, s_src, t
from symparams.expressions.written import ONE, ZERO, total
from symparams.quantities.quantity import BYTES, OF_ONE_TOKEN, Alternative, Quantity, Term
from symparams.quantities.setting import Setting
from symparams.quantities.state_space_flops import MIXERS
from symparams.quantities.streams import Place, Streams
from symparams.records import frozen

LIBRARY, PAPER, CACHED, EXPANDED = "library", "paper", "cached", "expanded"
SOURCE = "source_keys_values"
TOKENS = "tokens"  # what is kept: of each token, the state of a recurrence, the last inputs of a convolution, or both of these
RECURRENCE, CONVOLUTION, STATE, SHIFT = "recurrence", "convolution", "state", "shift"
FULL = Number(4)  # bytes of a number in fp32
STATES = {LIBRARY: "cache.states_in_full", PAPER: "cache.states"}
LACKING = {
    "writes_no_tokens": "{path} is causal, but its model does not write token by token",
    "not_causal": "{path} is not causal, so each token reads the later ones too: in a decoder, write attention(…, causal=True)",
    "mixes_nothing": "it has neither attention nor a state space",
}
WINDOWS = {
    (False, LIBRARY): "cache.window_library",
    (False, PAPER): "cache.window_paper",
    (True, LIBRARY): "cache.chunk_library",
    (True, PAPER): "cache.chunk_paper",
}  # of windows, and of chunks


@frozen
class Kept:
    """The tensors that one part caches in each of its copies."""

    path: str
    name: str
    written: Expression
    copies: Expression
    note: str
    about: Mapping[str, Expression]
    window: Expression | None = None
    windowed: Expression | None = None  # in so many of the copies; where a letter does not say it
    chunked: bool = False
    kind: str = TOKENS


def terms(tree: Component, setting: Setting) -> Sequence[Term]:
    """Return what each layer keeps; OptionError says which part keeps a model from decoding."""
    cached = list(_kept(tree, setting))
    if not any(kept.name != SOURCE for kept in cached):
        why, path = lacking(tree, setting)
        raise OptionError(f"{setting.model} has no KV cache: {LACKING[why].format(path=path)}.")
    return [term for alike in _together(cached) for term in _windowed(alike, setting)]


def _kept(tree: Component, setting: Setting) -> Iterator[Kept]:
    streams = Streams(tree, setting)
    for place in streams.places(streams.root):
        part = place.component
        if part.state_space:
            yield from _states(place, part.state_space, setting)
        elif part.role is Role.MIXER:
            raise OptionError(f"{place.path} mixes tokens but does not say what it caches: {MIXERS}.")
        elif part.attending is not None and part.attending.cached and s in place.stream.dimensions:
            yield from _attended(place, part.attending, streams)


def lacking(tree: Component, setting: Setting) -> tuple[str, str]:
    """Return why nothing is kept of the tokens read, by its key in ``LACKING``, and the path of the part that says so."""
    streams = Streams(tree, setting)
    for place in streams.places(streams.root):
        attending = place.component.attending
        if attending is not None and not place.component.reads:
            return "writes_no_tokens" if attending.causal else "not_causal", place.path
    return "mixes_nothing", ""


def _attended(place: Place, attending: AttentionFacts, streams: Streams) -> Iterator[Kept]:
    path, copies, setting = place.path, place.passes, streams.setting
    latent, heads = attending.latent, attending.heads
    kv_heads = attending.kv_heads if setting.grouped or latent else heads
    if place.component.reads:
        yield Kept(path, SOURCE, _keys_values(kv_heads, s_src), copies, "cache.source", {})
        return
    if not attending.causal:
        return
    if attending.indexer is not None:
        about = {"d_index": attending.indexer.heads.width}
        yield Kept(path, "index_keys", Product((b, t, attending.indexer.heads.width, e)), copies, "cache.index_keys", about)
    if latent is not None and setting.latent == CACHED:
        width = size(latent.rank + latent.rotary)
        yield Kept(path, "latents", Product((b, t, width, e)), copies, "cache.latents", {"width": width})
    elif latent is not None:
        width = Sum((kv_heads.inner, attending.values_width))
        yield Kept(path, "keys_values", Product((b, t, width, e)), copies, "cache.expanded", {})
    else:
        note = "cache.grouped" if kv_heads.number != heads.number else "cache.whole"
        about = {"n_kv_heads": kv_heads.number, "n_heads": heads.number, "d_head": kv_heads.width, "b": b, "t": t, "e": e}
        window = None if setting.keeps_all else attending.window
        keys_values, windowed = _keys_values(kv_heads, t), ZERO if window is None else streams.with_window(place)
        yield Kept(path, "keys_values", keys_values, copies, note, about, window, windowed, attending.chunked)


def _keys_values(heads: Heads, tokens: Expression) -> Expression:
    return Product((Number(2), b, tokens, heads.inner, e))


def _states(place: Place, facts: StateSpaceFacts, setting: Setting) -> Iterator[Kept]:
    """The last inputs of the convolution, and the state of the recurrence; neither grows with t."""
    kind = CONVOLUTION if facts.state == ZERO else RECURRENCE if facts.channels == ZERO else STATE
    convolves = any(Projection.CONVOLUTION in part.makes for _, part in place.component.children)
    if facts.channels != ZERO and not convolves:
        kind = SHIFT
        last = Product((b, facts.channels, e))
        yield Kept(place.path, "last_tokens", last, place.passes, "cache.token_shift", {"channels": facts.channels}, kind=kind)
    elif facts.channels != ZERO:
        inputs = Product((b, facts.channels, facts.kernel, e))
        about = {"length": facts.kernel, "channels": facts.channels}
        yield Kept(place.path, "convolution_inputs", inputs, place.passes, "cache.convolution", about, kind=kind)
    if facts.state == ZERO:
        return
    state = Product((b, facts.inner, facts.state, FULL if setting.state == LIBRARY and facts.in_full else e))
    about = {"inner": facts.inner, "state": facts.state}
    note = STATES[setting.state if facts.in_full else PAPER]
    yield Kept(place.path, "states", state, place.passes, note, about, kind=kind)


def _together(cached: Sequence[Kept]) -> Iterator[tuple[Kept, bool]]:
    """Yield what stacks side by side cache alike, such as those of dense and of MoE layers, as one.

    Of two parts of a layer that cache alike, each stands with its like in the other stacks.
    """
    alike: dict[tuple[str, Expression, str, int], list[Kept]] = {}
    before: Counter[tuple[str, Expression, str]] = Counter()
    for tensor in cached:
        within = tensor.name, tensor.written, tensor.path.rpartition(".")[0]
        alike.setdefault((tensor.name, tensor.written, _around(tensor.path), before[within]), []).append(tensor)
        before[within] += 1
    for (_, _, around, _), kept in alike.items():
        if len(kept) == 1:
            yield kept[0], False
        else:
            copies, windowed = total([tensor.copies for tensor in kept]), total([tensor.windowed or ZERO for tensor in kept])
            first = next((tensor for tensor in kept if tensor.window is not None), kept[0])
            yield replace(first, path=around, copies=copies, windowed=windowed), True


def _around(path: str) -> str:
    """Return the path around the stack of a part: "decoder" of "decoder.dense_layers.attention"."""
    return path.rpartition(".")[0].rpartition(".")[0]


def _windowed(together: tuple[Kept, bool], setting: Setting) -> Iterator[Term]:
    """The layers with a window, which keep no more than it, and those without."""
    kept, is_of_several = together
    term = Term(kept.path, kept.name, kept.written, kept.copies, kept.kind, note=kept.note, about=kept.about)
    term = replace(term, layer="layer") if is_of_several else term
    windowed = setting.windowed_layers
    if kept.window is None or windowed == 0:
        yield term
        return
    longest = kept.window if setting.window == PAPER else Sum((kept.window, Negative(ONE)))
    assert isinstance(kept.written, Product)
    factors = tuple(Minimum((t, longest)) if factor == t else factor for factor in kept.written.factors)
    name, about = "window_keys_values", {**kept.about, "window": kept.window, "kept": longest}
    sliding = replace(term, name=name, written=Product(factors), note=WINDOWS[kept.chunked, setting.window], about=about)
    number = L_window if windowed is not None else kept.windowed or kept.copies
    if number == kept.copies:
        yield sliding
        return
    yield replace(sliding, times=number, layer="window_layer")
    yield replace(term, times=Sum((kept.copies, Negative(number))), layer="full_layer")


QUANTITY = Quantity(
    "kv_cache",
    BYTES,
    terms=terms,
    inputs=(b, t, s_src, e),
    choices=("dtype", "window", "latent", "state"),
    alternatives=(
        Alternative("convention.window_of_papers", {"window": PAPER}),
        Alternative("convention.state_of_papers", {"state": PAPER}, lambda tree, setting: setting.dtype != "fp32"),
        Alternative("convention.latent_expanded", {"latent": EXPANDED}),
        Alternative("convention.ungrouped", {"grouped": False}),
    ),
    usual=OF_ONE_TOKEN,
    consequences=("fits_beside_weights", "cache_outgrows"),
    reads_flow=True,
)
