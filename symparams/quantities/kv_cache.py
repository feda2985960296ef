"""The KV cache: the keys and values that attention keeps of each token, and the state of what keeps no tokens, in bytes.

2·b·t·n_kv_heads·d_head numbers a layer, for b sequences of t tokens (Shazeer, 2019, arXiv:1911.02150), of e bytes each. Latent
attention keeps r_kv + d_rope numbers of a token in place of its keys and values (arXiv:2405.04434), a state space a state of
d_inner × (d_conv + d_state) whatever t (arXiv:2312.00752).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from symparams.components.kinds import Role
from symparams.components.latent_attention import LATENT_ATTENTION
from symparams.components.relative_attention import RELATIVE_ATTENTION
from symparams.components.state_space import DUAL_STATE_SPACE
from symparams.components.tree import Component
from symparams.errors import OptionError
from symparams.expressions.extent import size
from symparams.expressions.marks import Minimum
from symparams.expressions.nodes import Expression, Negative, Number, Product, Sum
from symparams.expressions.symbols import L_window, b, d_state, e, s_src, t
from symparams.expressions.written import ONE, times, total
from symparams.quantities.cost import BYTES, Alternative, Cost
from symparams.quantities.setting import Setting
from symparams.quantities.term import Term

LIBRARY, PAPER, CACHED, EXPANDED = "library", "paper", "cached", "expanded"
WINDOWS = {LIBRARY: "cache.window_library", PAPER: "cache.window_paper"}
ENCODERS = frozenset({"clip", "clip_text_model"})  # their text sees only what came before, and is read once
KEEPS_ALL = frozenset({"gpt_neo"})  # the library keeps what a window of its layers no longer sees


@dataclass(frozen=True)
class Kept:
    """What one part keeps in each of its copies."""

    path: str
    name: str
    written: Expression
    copies: Expression
    note: str
    about: Mapping[str, Expression]
    window: Expression | None = None


def terms(tree: Component, setting: Setting) -> Sequence[Term]:
    """What each layer keeps; OptionError for a model that does not decode."""
    found = [] if setting.family in ENCODERS else list(_kept(tree, setting))
    if not any(each.name != "source_keys_values" for each in found):
        raise OptionError(f"{setting.model} has no KV cache: it reads its whole input at once and decodes nothing.")
    return [term for alike in _together(found) for term in _windowed(alike, setting)]


def alternatives(tree: Component, setting: Setting) -> Iterator[Alternative]:
    """The window as papers count it, W tokens; latent attention expanded; a key and a value for each head of the query."""
    if setting.window == LIBRARY:
        yield Alternative("convention.window_of_papers", terms(tree, replace(setting, window=PAPER)))
    if setting.latent == CACHED:
        yield Alternative("convention.latent_expanded", terms(tree, replace(setting, latent=EXPANDED)))
    yield Alternative("convention.ungrouped", terms(_ungrouped(tree), setting))


def _ungrouped(part: Component) -> Component:
    """The tree with as many heads of key and value as there are of the query."""
    attending = part.attending
    whole = replace(attending, kv_heads=attending.heads) if attending and part.kind != LATENT_ATTENTION else attending
    return replace(part, attending=whole, body=tuple((name, _ungrouped(child)) for name, child in part.body))


def _kept(tree: Component, setting: Setting) -> Iterator[Kept]:
    for path, part, copies in copied(tree):
        if part.role is Role.MIXER:
            yield from _states(path, part, copies)
        elif part.attending is None or part.kind == RELATIVE_ATTENTION:
            continue
        elif part.kind == LATENT_ATTENTION and setting.latent == CACHED:
            width = part.child("key_value_down").tensors[0].shape[1]
            yield Kept(path, "latents", Product((b, t, width, e)), copies, "cache.latents", {"width": width})
        elif part.kind == LATENT_ATTENTION:
            width = Sum((_keys(part), part.child("output").tensors[0].shape[0]))
            yield Kept(path, "keys_values", Product((b, t, width, e)), copies, "cache.expanded", {})
        elif part.reads == "encoder":
            yield Kept(path, "source_keys_values", _keys_values(part, s_src), copies, "cache.source", {})
        elif part.attending.causal:
            window = None if setting.family in KEEPS_ALL else part.attending.window
            heads = part.attending.kv_heads.number
            note = "cache.grouped" if heads != part.attending.heads.number else "cache.whole"
            about = {"n_kv_heads": heads, "n_heads": part.attending.heads.number, "d_head": part.attending.kv_heads.width}
            about |= {"b": b, "t": t, "e": e}
            yield Kept(path, "keys_values", _keys_values(part, t), copies, note, about, window)


def _keys(part: Component) -> Expression:
    assert part.attending is not None
    heads = part.attending.kv_heads
    return size(heads.number * heads.width)


def _keys_values(part: Component, tokens: Expression) -> Expression:
    return Product((Number(2), b, tokens, _keys(part), e))


def _states(path: str, part: Component, copies: Expression) -> Iterator[Kept]:
    """The last inputs of the convolution, and the state of the recurrence; neither grows with t."""
    channels, _, length = part.child("convolution").tensors[0].shape
    inner = part.child("output_projection").tensors[0].shape[0]
    state = d_state if part.kind == DUAL_STATE_SPACE else part.child("transition").tensors[0].shape[1]
    inputs = Product((b, channels, length, e))
    yield Kept(path, "convolution_inputs", inputs, copies, "cache.convolution", {"length": length, "channels": channels})
    yield Kept(path, "states", Product((b, inner, state, e)), copies, "cache.states", {"inner": inner, "state": state})


def _together(found: Sequence[Kept]) -> Iterator[tuple[Kept, bool]]:
    """What is kept alike in stacks side by side, as those of dense layers and of layers with experts, as one."""
    alike: dict[tuple[str, Expression, str], list[Kept]] = {}
    for each in found:
        alike.setdefault((each.name, each.written, _around(each.path)), []).append(each)
    for (_, _, around), kept in alike.items():
        if len(kept) == 1:
            yield kept[0], False
        else:
            yield replace(kept[0], path=around, copies=total([each.copies for each in kept])), True


def _around(path: str) -> str:
    """Where the stack of a part stands: "decoder", of "decoder.dense_layers.attention"."""
    return path.rpartition(".")[0].rpartition(".")[0]


def _windowed(found: tuple[Kept, bool], setting: Setting) -> Iterator[Term]:
    """The layers with a window, which keep no more than it, and those without."""
    kept, is_of_several = found
    term = Term(kept.path, kept.name, kept.written, kept.copies, note=kept.note, about=kept.about)
    term = replace(term, layer="layer") if is_of_several else term
    windowed = setting.windowed_layers
    if kept.window is None or windowed == 0:
        yield term
        return
    longest = kept.window if setting.window == PAPER else Sum((kept.window, Negative(ONE)))
    assert isinstance(kept.written, Product)
    factors = tuple(Minimum((t, longest)) if factor == t else factor for factor in kept.written.factors)
    name, about = "window_keys_values", {**kept.about, "window": kept.window, "kept": longest}
    sliding = replace(term, name=name, written=Product(factors), note=WINDOWS[setting.window], about=about)
    if windowed is None:
        yield sliding
        return
    yield replace(sliding, times=L_window, layer="window_layer")
    yield replace(term, times=Sum((kept.copies, Negative(L_window))), layer="full_layer")


def copied(component: Component, path: str = "", copies: Expression = ONE) -> Iterator[tuple[str, Component, Expression]]:
    """Every component with its path and how many copies the model has of it."""
    every = times(copies, component.times)
    yield path, component, every
    for name, child in component.children:
        yield from copied(child, f"{path}.{name}" if path else name, every)


COST = Cost(
    "kv_cache",
    BYTES,
    terms,
    letters=(b, t, s_src, e),
    choices=("dtype", "window", "latent"),
    alternatives=alternatives,
)
