"""CSV: flash cards as a table, for Anki and for other programs."""

from __future__ import annotations

from typing import Any

from symparams.formats.format import Format


def write(deck: Any, language: str = "") -> str:
    """The deck, which is in its ``language``, as a table; OptionError without the extra ``symparams[practice]``."""
    table: str = deck.table()
    return table


FORMAT = Format("csv", answer=write)
