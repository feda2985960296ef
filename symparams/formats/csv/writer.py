"""CSV: flash cards as a table, for Anki and for other programs, and the numbers of a plot."""

from __future__ import annotations

from symparams.formats.format import Format

FORMAT = Format("csv", answer=lambda answer, language="": answer.table())  # of a deck, which is in its language, or of a plot
