"""DeBERTa, the first version: settings of several words, and distances as long as the longest sequence."""

from __future__ import annotations

from symparams.errors import ConfigError, quoted
from symparams.expressions.symbols import h, max_pos
from symparams.models.library.quirks.deberta_v2 import listed
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings


def distances(settings: Settings, library: Library) -> int | None:
    """The relative distances on either side are the longest distance, or the longest sequence."""
    longest = settings.need("max_relative_positions", default=-1, least=-1)
    return longest if longest > 0 else library.size(settings, max_pos)


def content_to_position(settings: Settings, library: Library) -> bool:
    """Content attends to positions where positions are relative and the word c2p is there."""
    return _attends(settings, "c2p")


def position_to_content(settings: Settings, library: Library) -> bool:
    """Positions attend to content where positions are relative and the word p2c is there."""
    return _attends(settings, "p2c")


def check(settings: Settings, library: Library) -> None:
    """The library cannot run a pooler of another width than the layers; no tree here mixes the scores of heads."""
    if "pooler_hidden_size" in settings.values and settings.size("pooler_hidden_size") != library.size(settings, h):
        width = quoted(settings.values["pooler_hidden_size"], 30)
        raise ConfigError(f"pooler_hidden_size = {width} in the config: only hidden_size is supported.")
    if settings.flag("talking_head"):
        raise ConfigError("talking_head = true in the config: heads whose scores are mixed are not supported.")


def _attends(settings: Settings, kind: str) -> bool:
    return settings.flag("relative_attention") and kind in listed(settings, "pos_att_type")
