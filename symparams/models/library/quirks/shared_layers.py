"""Gemma 3n and 4: local and global layers in turn, the last of which share the keys and values of an earlier layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symparams.errors import ConfigError, quoted
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import (
    L,
    L_global,
    L_global_shared,
    L_local,
    L_local_shared,
    d_ff,
    d_head,
    d_head_global,
    d_layer,
    n_kv_global,
    n_kv_heads,
)
from symparams.models.library.record import Library
from symparams.models.library.settings import Quirk, Settings

ALL, SECTIONS = "all", "per_layer_config"
TYPES, LOCAL, GLOBAL = "layer_types", "sliding_attention", "full_attention"
OWN = {L_local: (LOCAL, False), L_global: (GLOBAL, False), L_local_shared: (LOCAL, True), L_global_shared: (GLOBAL, True)}


def shares(settings: Settings, library: Library) -> bool:
    """No layer shares where num_kv_shared_layers is 0."""
    return any(shared for _, shared in _kinds(settings, library))


def widened(settings: Settings, library: Library) -> int | None:
    """use_double_wide_mlp makes the feed-forward network of a layer that shares keys and values twice as wide."""
    width = library.size(settings, d_ff)
    return 2 * width if width and settings.flag("use_double_wide_mlp") else width


def global_kv_heads(settings: Settings, library: Library) -> int | None:
    """Without a number of their own, global layers have as many key-value heads as local ones."""
    return library.keys[n_kv_global].read(settings) or library.size(settings, n_kv_heads)


def per_layer_inputs(settings: Settings, library: Library) -> bool:
    """A hidden_size_per_layer_input of 0 builds no inputs of a layer's own."""
    return layer_width(settings, library) is not None


def layer_width(settings: Settings, library: Library) -> int | None:
    """The same key gives the size of these inputs."""
    return settings.need(library.key(d_layer), default=library.keys[d_layer].default or 0, least=0) or None


def sees_all(settings: Settings, library: Library) -> bool:
    """Of the words of use_bidirectional_attention only "all" lets text see what comes after it; "vision" is for images."""
    return settings.word("use_bidirectional_attention") == ALL


def window(settings: Settings, library: Library) -> int:
    """The library halves the window, W // 2 + 1 to each side, where all tokens are seen."""
    width = settings.need("sliding_window", default=library.extra["window"])
    return width // 2 + 1 if sees_all(settings, library) else width


def check(settings: Settings, library: Library) -> None:
    """The library refuses layers that share keys and values which no layer of their kind before them has made."""
    shared = {kind for kind, shares in _kinds(settings, library) if shares}
    own = {kind for kind, shares in _kinds(settings, library) if not shares}
    if shared and shared | own != own:
        raise ConfigError(
            f"num_kv_shared_layers in the config leaves no layer of {' and '.join(sorted(shared - own))} to share with: "
            "give fewer."
        )


def formed(settings: Settings, library: Library) -> dict[str, Any]:
    """per_layer_config, which the library writes for the global layers, in the keys of global_head_dim and
    num_global_key_value_heads; the latter counts only where one matrix makes keys and values."""
    values = dict(settings.values)
    head, shared = library.key(d_head_global), library.key(n_kv_global)
    if SECTIONS not in values:
        if not settings.flag("attention_k_eq_v"):
            values.pop(shared, None)
        return values
    names = (library.key(d_head), library.key(n_kv_heads))
    usual, own = (library.need(settings, d_head), library.need(settings, n_kv_heads)), set()
    sections = _sections(settings)
    for i, (kind, _) in enumerate(_kinds(settings, library)):
        section = sections.get(i, Settings({}))
        other = next((name for name in section.values if name not in (*names, "sliding_window")), None)
        if other is not None:
            raise ConfigError(f"{SECTIONS} in the config: a {other} of single layers is not supported.")
        sizes = tuple(section.need(name, default=size) for name, size in zip(names, usual, strict=True))
        if kind == LOCAL and sizes != usual:
            raise ConfigError(
                f"{SECTIONS} in the config: layer {i} has a window: only layers without one may have other sizes."
            )
        own |= {sizes} if kind == GLOBAL else set()
    if len(own) > 1:
        raise ConfigError(f"{SECTIONS} in the config: layers without a window must have the same sizes.")
    del values[SECTIONS]
    return values | dict(zip((head, shared), next(iter(own), usual), strict=True))


def _sections(settings: Settings) -> dict[int, Settings]:
    """Return the configs of single layers, by their numbers."""
    sections = settings.inner(SECTIONS)
    wrong = next((name for name in sections.values if not name.isdecimal()), None)
    if wrong is not None:
        raise ConfigError(f"{SECTIONS} in the config: {quoted(wrong, 30)} is not the number of a layer.")
    return {int(name): sections.inner(name) for name in sections.values}


def _of_kind(letter: Dimension) -> Quirk:
    def layers(settings: Settings, library: Library) -> tuple[int, ...]:
        """layer_types lists the kinds of all layers, of which the last num_kv_shared_layers share keys and values."""
        return tuple(layer for layer, kind in enumerate(_kinds(settings, library)) if kind == OWN[letter])

    return layers


local, whole, local_shared, whole_shared = map(_of_kind, OWN)


def _kinds(settings: Settings, library: Library) -> Sequence[tuple[str, bool]]:
    """Return of each layer whether it is local or global, and whether it shares; ConfigError for a list that is none."""
    number = library.need(settings, L)
    sharing = settings.need("num_kv_shared_layers", default=library.extra["num_kv_shared_layers"], least=0)
    types = settings.listed(TYPES)
    step = library.extra["global_step"]
    kinds = [GLOBAL if (i + 1) % step == 0 else LOCAL for i in range(number)] if types is None else list(types)
    if len(kinds) != number:
        raise ConfigError(f"{TYPES} in the config has {len(kinds):,} entries, and num_hidden_layers = {number}: give as many.")
    for i, kind in enumerate(kinds):
        if kind not in (LOCAL, GLOBAL):
            raise ConfigError(f"{TYPES} in the config: {quoted(kind, 30)} of layer {i} is unknown: write {GLOBAL} or {LOCAL}.")
    if kinds and library.extra["ends_global"]:
        kinds[-1] = GLOBAL
    return [(kind, i >= number - sharing) for i, kind in enumerate(kinds)]
