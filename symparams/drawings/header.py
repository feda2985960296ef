"""The header: what the model is called, how many parameters it has, how many of them one token uses."""

from __future__ import annotations

from symparams.drawings.marks import Anchor, Face, Piece, Text
from symparams.drawings.work import Work

APART = 17.0  # above the highest thing
EDGE = 2.0
LINE = 10.5


def header(work: Work, width: float, top: float) -> list[Text]:
    """The lines above a drawing: the name at the left, the numbers at the right."""
    title = Text(EDGE, top - APART, (Piece(work.model.name, Face.TITLE),), Anchor.START)
    lines = totals(work)
    placed = [Text(width - EDGE, top - APART + LINE * i, pieces, Anchor.END) for i, pieces in enumerate(lines)]
    return [title, *placed]


def totals(work: Work) -> list[tuple[Piece, ...]]:
    """The total, and what one token uses of a mixture of experts."""
    total, active = work.derivation.total, work.derivation.active
    if total.value is None:
        return []
    said = (Piece(work.number(total.value), Face.TOTAL), Piece(work.words.entry("drawing.parameters"), Face.TOTAL))
    if active is None or active.value is None:
        return [said]
    return [said, (Piece(work.sentence("for_one_token", number=active.value), Face.NOTE),)]
