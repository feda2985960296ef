"""LFM2: the size of the feed-forward network, which layers have experts, and the keys of its first files."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from symparams.errors import ConfigError
from symparams.expressions.symbols import L, L_dense, d_ff
from symparams.models.library.quirks.layer_kinds import FULL, LISTED
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings

ATTENDING, CONVOLUTION = "full_attn_idxs", "conv"
ADJUSTS, FACTOR, MULTIPLE = "block_auto_adjust_ff_dim", "block_ffn_dim_multiplier", "block_multiple_of"
USUAL_MULTIPLE = 256
TIES = "tie_embedding"
OLD: Mapping[str, str] = MappingProxyType({"block_ff_dim": "intermediate_size", TIES: "tie_word_embeddings"})


def form(settings: Settings, library: Library) -> Mapping[str, Any]:
    """The keys of the first files, which list the indices of layers that attend, are read before those of the library."""
    values = _renamed(settings, OLD)
    attending = settings.listed(ATTENDING)
    if attending is None or settings.listed(LISTED) is not None:
        return values
    words = [FULL if layer in attending else CONVOLUTION for layer in range(library.need(settings, L))]
    return {key: value for key, value in values.items() if key != ATTENDING} | {LISTED: words}


def tied(settings: Settings, library: Library) -> Mapping[str, Any]:
    """Of those keys the mixture reads the one that ties the embedding."""
    return _renamed(settings, {TIES: OLD[TIES]})


def _renamed(settings: Settings, old_names: Mapping[str, str]) -> Mapping[str, Any]:
    renamed = {new: settings.values[old] for old, new in old_names.items() if old in settings.values}
    return {key: value for key, value in settings.values.items() if key not in old_names} | renamed


def check_listed(settings: Settings, library: Library) -> None:
    """The mixture has no other way to say which layers attend than a word for each."""
    if settings.listed(LISTED) is None:
        raise ConfigError(f"The config has no value for {LISTED}: give a list of {FULL} and {CONVOLUTION}, one for each layer.")


def given_size(settings: Settings, library: Library) -> int:
    """The mixture takes intermediate_size as it is."""
    return library.need(settings, d_ff)


def dense_layers(settings: Settings, library: Library) -> int:
    """The first num_dense_layers layers have no experts; it may be more than there are layers."""
    return min(library.need(settings, L_dense), library.need(settings, L))


def which_have_no_experts(settings: Settings, library: Library) -> range:
    """The layers without experts are the first."""
    return range(dense_layers(settings, library))


def feed_forward_size(settings: Settings, library: Library) -> int:
    """The size is two thirds of intermediate_size, times a factor, rounded up to a multiple, unless a switch is off."""
    given = library.need(settings, d_ff)
    if not settings.flag(ADJUSTS, default=True):
        return given
    factor = settings.number(FACTOR, 1)
    multiple = settings.need(MULTIPLE, default=USUAL_MULTIPLE)
    narrow = 2 * given // 3 if factor == 1 else int(factor * (2 * given // 3))  # the library multiplies by a float, too
    size = -(-narrow // multiple) * multiple
    if size < 1:
        raise ConfigError(f"intermediate_size = {given} in the config with {FACTOR} = {factor} leaves no feed-forward network.")
    return size
