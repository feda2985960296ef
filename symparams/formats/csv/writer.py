"""CSV: flash cards as a table, for Anki and for other programs, and the numbers of a plot."""

from __future__ import annotations

from typing import Any

from symparams.formats.format import Format


def write(answer: Any, language: str = "") -> str:
    """The table of a deck, which is in its ``language``, or of a plot; cards need ``symparams[practice]``."""
    table: str = answer.table()
    return table


FORMAT = Format("csv", answer=write)
