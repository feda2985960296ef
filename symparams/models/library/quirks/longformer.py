"""Longformer: one window for all layers, or a list of windows."""

from __future__ import annotations

from typing import Any

from symparams.errors import ConfigError, quoted
from symparams.expressions.symbols import L
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings

KEY, USUAL = "attention_window", 512


def window(settings: Settings, library: Library) -> int | None:
    """The window of all layers; None where they have several."""
    windows = _windows(settings)
    return windows[0] if len(set(windows)) == 1 else None


def check(settings: Settings, library: Library) -> None:
    """The library builds even windows alone, half before a token and half behind, and one for each layer."""
    windows, layers = _windows(settings), library.size(settings, L)
    if isinstance(settings.values.get(KEY), list) and len(windows) != layers:
        entries = f"{len(windows):,} {'entry' if len(windows) == 1 else 'entries'}"
        raise ConfigError(f"{KEY} in the config has {entries}, and num_hidden_layers = {layers}: give one for each layer.")
    for each in windows:
        if not isinstance(each, int) or isinstance(each, bool) or each < 1 or each % 2:
            raise ConfigError(f"{KEY} in the config: {quoted(each, 30)} is not an even number of at least 2.")


def _windows(settings: Settings) -> list[Any]:
    value = settings.values.get(KEY, USUAL)
    return settings.listed(KEY) or [] if isinstance(value, list) else [value]
