"""Bars on a terminal: a line for each component, as long as its share."""

from __future__ import annotations

from fractions import Fraction

from symparams.drawings.bars import BarWording
from symparams.drawings.bars.portions import portions
from symparams.drawings.context import DrawingContext
from symparams.expressions.printing.metric import columns
from symparams.expressions.written import half_up
from symparams.formats.text.writer import pad
from symparams.sheets.catalogue import spaced
from symparams.sheets.values import share

EIGHTHS = " ▏▎▍▌▋▊▉█"
GAP, SHORTEST, LONGEST = 2, 8, 60


def bars(context: DrawingContext, width: int = 80, *, with_title: bool = True) -> str:
    """Return a bar for each component of a model, with its count and its share; the bars add up to the whole."""
    words, parts = BarWording(context), portions(context.model)
    names = [words.name(portion) for portion in parts]
    counts = [context.number(portion.count) for portion in parts]
    shares = [share(portion.part, words.percent, 2) for portion in parts]
    taken = sum(max(map(columns, column)) for column in (names, counts, shares)) + 3 * GAP
    room = max(SHORTEST, min(LONGEST, width - taken))
    rows = [
        (" " * GAP).join(
            [
                pad(name, max(map(columns, names))),
                pad(block(portion.part, room), room),
                pad(count, max(map(columns, counts)), "r"),
                pad(part, max(map(columns, shares)), "r"),
            ]
        )
        for portion, name, count, part in zip(parts, names, counts, shares, strict=True)
    ]
    total = spaced(context.number(context.model.count()), str(context.words.entry("drawing.parameters")).strip())
    title = [f"{context.called}  {total}", ""] if with_title else []
    return "\n".join([*title, *rows]) + "\n"


def block(part: Fraction, room: int) -> str:
    """A bar of so many eighths of a column as a share has of the room, at least one."""
    eighths = max(1, half_up(part * room * 8, 0))
    whole, rest = divmod(eighths, 8)
    return EIGHTHS[-1] * whole + EIGHTHS[rest].strip()
