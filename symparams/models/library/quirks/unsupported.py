"""What the library can add to many families and no tree here has: it is refused, never ignored."""

from __future__ import annotations

from symparams.errors import ConfigError, quoted
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings


def check_cross_attention(settings: Settings, library: Library) -> None:
    """Cross-attention, which the library adds to a stack on demand, is not in the tree."""
    if settings.flag("add_cross_attention"):
        raise ConfigError("add_cross_attention = true in the config: only models without cross-attention are supported.")


def check_positions(settings: Settings, library: Library) -> None:
    """Relative positions, which older releases of the library had for BERT, add parameters that are not in the tree."""
    positions = settings.word("position_embedding_type")
    if positions not in (None, "absolute"):
        raise ConfigError(f'position_embedding_type = {quoted(positions)} in the config: only "absolute" is supported.')
