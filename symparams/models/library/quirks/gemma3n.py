"""Gemma 3n: sizes and shares that its configs list layer by layer."""

from __future__ import annotations

from typing import Any

from symparams.errors import ConfigError, quoted
from symparams.expressions.symbols import L, d_ff, n_streams
from symparams.models.library.quirks import shared_layers
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings

SPARSITY, SCALE = "activation_sparsity_pattern", "altup_correct_scale"
SPARSE, SHARE = 10, 0.95  # of a config without a list: its first layers, and what they leave out


def formed(settings: Settings, library: Library) -> dict[str, Any]:
    """The width of the feed-forward networks may be listed, one for each layer; only one for all layers is supported."""
    values, name = dict(settings.values), library.key(d_ff)
    listed = values.get(name)
    if isinstance(listed, (list, tuple)):
        number = library.need(settings, L)
        if len(listed) != number or any(width != listed[0] for width in listed):
            raise ConfigError(
                f"{name} in the config: only the same width for each of the {number} layers is supported. "
                "Give one layer's width as a number to count a model whose layers are all like it."
            )
        values[name] = listed[0]
    return values


def check(settings: Settings, library: Library) -> None:
    """What nothing reads has no gradient: with one stream a layer's own input, without its scale the corrected stream's."""
    shared_layers.check(settings, library)
    if library.need(settings, n_streams) < 2:
        raise ConfigError(f"{library.key(n_streams)} = 1 in the config: only 2 streams and more are supported.")
    if not settings.flag(SCALE, default=True):
        raise ConfigError(f"{SCALE} = false in the config: only true is supported.")
    _shares(settings, library)


def gate_sparsity(settings: Settings, library: Library) -> bool:
    """No key says whether any layer has a sparse gate: a list says how much of it each layer leaves out."""
    return any(share > 0 for share in _shares(settings, library))


def _shares(settings: Settings, library: Library) -> list[float]:
    number, listed = library.need(settings, L), settings.listed(SPARSITY)
    if listed is None:
        return [SHARE] * min(SPARSE, number) if number > SPARSE else []
    if len(listed) != number:
        raise ConfigError(
            f"{SPARSITY} in the config has {len(listed):,} entries, and num_hidden_layers = {number}: give as many."
        )
    for share in listed:
        if not isinstance(share, (int, float)) or isinstance(share, bool) or not 0 <= share < 1:
            raise ConfigError(f"{SPARSITY} in the config: {quoted(share, 30)} is no share from 0 to 1.")
    return listed
