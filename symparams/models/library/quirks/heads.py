"""Heads: their size where h / n_heads leaves a remainder, and how many share a key and a value."""

from __future__ import annotations

from symparams.expressions.symbols import d_head, h, n_heads
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings


def rounded(settings: Settings, library: Library) -> int | None:
    """The library takes any n_heads, and rounds h / n_heads down to the size of a head where no key gives it."""
    given = library.keys[d_head].read(settings)
    width, heads = library.size(settings, h), library.size(settings, n_heads)
    if given is not None or not width or not heads or width % heads == 0:
        return given
    return width // heads or None


def one_or_all(settings: Settings, library: Library) -> int | None:
    """One switch, multi_query, says whether all queries share one head of key and value, or have one each."""
    return 1 if settings.flag("multi_query", default=True) else library.size(settings, n_heads)


def falcon(settings: Settings, library: Library) -> int | None:
    """Falcon's new architecture has any number of heads of key and value; in the old one a switch decides."""
    if settings.flag("new_decoder_architecture"):
        return settings.size("num_kv_heads") or library.size(settings, n_heads)
    return one_or_all(settings, library)
