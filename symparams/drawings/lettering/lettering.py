"""Lettering: a name, a formula and a count as the lines of a box, broken where they are too wide for it.

The order in which it is tried: the name above "formula = count", or for a norm all on one line; a break before "="; the formula
in two lines or three, before + or else after ×, in the smallest letters rather than at a · or inside parentheses; the count
alone. A count below its formula is always said to be equal: "=" ends the line before where it has no room in its own. A name
breaks at a space, once; what is still too wide is set smaller, and in the end cut off: the whole stands in the box's title. A
dimension that is written as a config's key, num_experts_per_tok, may end a line after any of its words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from symparams.drawings.lettering.faces import LEAST, PITCHES, SIZES, TextMeasure, base_line
from symparams.drawings.lettering.formulas import broken
from symparams.drawings.lettering.phrases import Wording, in_lines
from symparams.drawings.marks import Face, Mark, Slot, Text, TextLine, TextPiece, texts
from symparams.expressions.nodes import Expression
from symparams.records import frozen

AIR, PILL_AIR = 2.2, 1.2  # above the first line and below the last, in a box and in a pill
SLACK = 3.0  # of a box's width that its text leaves free
MOST_LINES = 3  # of one formula
MORE, ROUGHLY, EQUAL = "…", "≈", "="


@frozen
class Lettered:
    """Lines around the middle of a box, from its upper edge (0, 0) on, and the height that they take with air around."""

    lines: tuple[Text, ...]
    height: float

    def at(self, x: float, y: float) -> tuple[Text, ...]:
        """The lines in a box whose upper edge has its middle here."""
        return tuple(replace(line, x=line.x + x, y=line.y + y) for line in self.lines)

    def above(self, other: Lettered) -> Lettered:
        """The same with other lines below its own."""
        return Lettered((*self.lines, *other.at(0.0, self.height - AIR)), self.height + other.height - AIR)


def label(
    name: str,
    formula: Expression | None,
    count: str,
    width: float,
    measure: TextMeasure,
    *,
    in_one_line: bool = False,
    short: str = "",
    most: int = MOST_LINES,
) -> Lettered:
    """The lines of a box of this width: its name, then "formula = count", or what there is of them.

    ``count`` is a number as it is printed, or words such as "tied: 0" where there is no formula; "" where there is none.
    ``short`` is the number as people say it, "≈ 11.3 B", for a box that does not hold all of its digits: no number is cut off.
    ``most`` is in how many lines a formula may stand before the count does alone. Text keeps the spaces at its ends.
    """
    room = width - SLACK
    counted = _counted(formula, count, short, room, measure)
    whole = (TextPiece(name, Face.NAME), *_equated(formula, counted, "  "))
    if in_one_line and measure(whole) <= room:
        return stacked([whole])
    named, numbers = in_lines(name, Face.NAME, room, measure), _numbers(formula, counted, short, room, measure, most)
    fitted = [_fitted(line, room, measure) for line in numbers]
    told = [(line, size) for line, size in fitted if [piece.value for piece in line] != [MORE]]  # no room for a formula
    return stacked([*(_fitted(line, room, measure) for line in named), *told])


def words(text: Wording, face: Face, width: float, measure: TextMeasure, *, most: int = 2, air: float = PILL_AIR) -> Lettered:
    """Words, and formulas among them, in at most so many lines, as they stand in a pill or on a strip."""
    room = width - SLACK
    return stacked([_fitted(line, room, measure) for line in in_lines(text, face, room, measure, most)], air)


def stacked(lines: list[tuple[TextLine, float]] | list[TextLine], air: float = AIR) -> Lettered:
    """Lines below one another, each in its middle; a line may come with a scale."""
    texts, y = [], air
    for line in lines:
        pieces, scale = line if isinstance(line[0], tuple) else (line, 1.0)
        face = max((piece.face for piece in pieces), key=lambda face: (PITCHES[face], face is Face.COUNT))
        texts.append(Text(0.0, y + base_line(face), pieces, scale=scale))
        y += PITCHES[face]
    return Lettered(tuple(texts), y + air)


def _counted(formula: Expression | None, count: str, short: str, room: float, measure: TextMeasure) -> str:
    """The count with the sign before it, "= 1,536", or without it, or as people say it: the first of these that fits."""
    if not count:
        return ""
    counts = [f"{EQUAL} " + count, count] if formula is not None and not count.startswith(ROUGHLY) else [count]
    least = LEAST / SIZES[Face.COUNT]
    fitting = [text for text in counts if measure((TextPiece(text, Face.COUNT),)) * least <= room]
    return next(iter(fitting), short or counts[-1])


def _equated(formula: Expression | None, count: str, before: str = "") -> TextLine:
    """The pieces of "formula = count", or of one of them alone, with what stands before them."""
    space = (TextPiece(before, Face.COUNT),) if before and (formula is not None or count) else ()
    if formula is None:
        return (*space, TextPiece(count, Face.COUNT)) if count else ()
    return (*space, TextPiece(formula, Face.FORMULA), *((TextPiece(" " + count, Face.COUNT),) if count else ()))


def _numbers(
    formula: Expression | None, count: str, short: str, room: float, measure: TextMeasure, most: int
) -> list[TextLine]:
    """The lines of a formula and its count."""
    whole = _equated(formula, count)
    if not whole or measure(whole) <= room:
        return [whole] if whole else []
    if formula is None:
        return in_lines(count, Face.COUNT, room, measure)
    smallest = room * SIZES[Face.FORMULA] / LEAST
    lines = broken(formula, room, most, measure, smallest=smallest)
    if lines is None:
        return [(TextPiece(count.removeprefix(f"{EQUAL} "), Face.COUNT) if count else TextPiece(formula, Face.FORMULA),)]
    if not count:
        return lines
    last = (*lines[-1], TextPiece(" " + count, Face.COUNT))
    if len(lines) > 1 and measure(last) <= room:
        return [*lines[:-1], last]
    if count.startswith((EQUAL, ROUGHLY)):
        return [*lines, (TextPiece(count, Face.COUNT),)]
    equal = (*lines[-1], TextPiece(f" {EQUAL}", Face.COUNT))
    if measure(equal) <= smallest:
        return [*lines[:-1], equal, (TextPiece(count, Face.COUNT),)]
    return [*lines, (TextPiece(short or count, Face.COUNT),)]


def _fitted(line: TextLine, room: float, measure: TextMeasure) -> tuple[TextLine, float]:
    """A line and its scale; what is too wide at the smallest is cut off."""
    width = measure(line)
    if width <= room:
        return line, 1.0
    least = LEAST / min(SIZES[piece.face] for piece in line)
    if width * least <= room:
        return line, room / width
    return _cut(line, lambda pieces: measure(pieces) * least <= room), least


def _cut(line: TextLine, fits: Callable[[TextLine], bool]) -> TextLine:
    """The beginning of a line that fits, and "…"; a formula is there whole or not at all."""
    *before, last = line
    letters = "" if isinstance(last.value, Expression) else last.value
    for end in range(len(letters), -1, -1):
        cut = (*before, TextPiece(letters[:end].rstrip() + MORE, last.face))
        if fits(cut):
            return cut
    return _cut(tuple(before), fits) if before else cut


def cut(marks: Iterable[Mark]) -> int:
    """The number of lines that have no room, and end in "…"."""
    return sum(str(line.pieces[-1].value).endswith(MORE) for mark in marks for line in texts(mark) if line.pieces)


def rounded(marks: Iterable[Mark]) -> int:
    """The number of counts that have no room for all of their digits: "≈ 2.82 B"."""
    pieces = (piece.value for mark in marks for line in texts(mark) for piece in line.pieces)
    return sum(isinstance(value, Slot) and value.is_count and value.before.startswith(ROUGHLY) for value in pieces)
