"""Bars: the shares of a model as one bar with a table, or those of several models to one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symparams.drawings.bars.portions import Portion, portions
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import PICTURE_EDGE, PICTURE_WIDTH, SWATCH
from symparams.drawings.lettering.faces import LEAST as LEAST_LETTERS
from symparams.drawings.lettering.faces import PITCHES, SIZES
from symparams.drawings.lettering.formulas import broken
from symparams.drawings.lettering.lettering import words
from symparams.drawings.marks import Anchor, Drawing, Face, Mark, Rectangle, Segment, Text, TextLine, TextPiece
from symparams.records import frozen
from symparams.sheets.values import percent, share

LEFT, LONG = 2.4, 235.2  # of the bar: where it begins, how long it is
TALL, SEGMENTS_APART = 20.0, 0.8
LEAST_SEGMENT = 0.3  # a part that would be less wide is in the table alone
NAMED, SHARED, NUMBERED, SLACK = 90.0, 26.0, 12.0, 3.0  # how wide what holds its name, its share, a bare number is
TITLE, FIRST, ROW = 10.0, 53.0, 11.2  # base lines: of the title, of the table's first row, from one row to the next
MOST_FORMULA_LINES = 6  # lines of a formula below its name
NAMES, COUNTS, COLUMNS_APART = 13.0, 205.5, 5.0  # of the table: where its columns begin or end, how far they are apart


@frozen
class BarWording:
    """The words for portions in the language of a drawing."""

    context: DrawingContext
    by_colour: bool = False

    def name(self, portion: Portion) -> str:
        """A component, with a capital letter; several of one colour by what that is for."""
        of_a_colour = self.context.words.entries.get(f"drawing.bars.{portion.name}") if self.by_colour else None
        return self.context.name(portion.name) if of_a_colour is None else str(of_a_colour)

    def share(self, portion: Portion, decimals: int = 1) -> str:
        """A part of the whole as it stands in a bar: 16.7%."""
        return share(portion.part, self.percent, decimals)

    def count(self, portion: Portion, *, is_equal: bool) -> TextLine:
        """A count, behind its formula where there is one."""
        return (TextPiece(f"{'= ' if is_equal else ''}{self.context.number(portion.count)}", Face.COUNT),)

    @property
    def percent(self) -> str:
        """The language's pattern."""
        return str(self.context.words.head["percent"])

    def aloud(self, portion: Portion) -> str:
        """All that is told of a portion."""
        part = percent(portion.part, self.percent)
        return self.context.sentence("bars.portion", name=self.name(portion), count=portion.count, share=part)

    def all_of(self, parts: Sequence[Portion]) -> str:
        """The portions of a model in a sentence."""
        return str(self.context.words.entry("signs.list")).join(map(self.aloud, parts))


def bar(context: DrawingContext, *, with_title: bool = True) -> Drawing:
    """Return a bar of a model's shares, and under it each component with its closed form, its count and its share."""
    wording, parts, model = BarWording(context), portions(context.model), context.model
    top = 0.0 if with_title else TITLE
    counted = (
        TextPiece(context.number(model.count()), Face.TOTAL),
        TextPiece(context.words.entry("drawing.parameters"), Face.TOTAL),
    )
    marks: list[Mark] = heading(context, Face.TITLE, counted, TITLE) if with_title else []
    marks += segments(wording, parts, Rectangle(LEFT, 2 * TITLE - top, LONG, TALL), SEGMENTS_APART)
    rows, bottom = _table(wording, parts, FIRST - top)
    marks += rows
    title = context.sentence("bars.title", model=context.called, total=model.count())
    told = context.sentence("bars.model", model=context.called, total=model.count(), parts=wording.all_of(parts))
    height = bottom + TITLE / 2
    return Drawing(
        f"{context.called}-bars", title, told, context.language, PICTURE_WIDTH, height, tuple(marks), context.letters
    )


def heading(context: DrawingContext, face: Face, counted: TextLine, y: float) -> list[Mark]:
    """Return a model's name, smaller or cut off if it is too long, and its count at the right."""
    room = PICTURE_WIDTH - 2 * PICTURE_EDGE - context.measure(counted) - COLUMNS_APART
    [name] = words(context.called, face, room + SLACK, context.measure, most=1).lines
    return [replace(name, x=PICTURE_EDGE, y=y, anchor=Anchor.START), Text(PICTURE_WIDTH - PICTURE_EDGE, y, counted, Anchor.END)]


def segments(wording: BarWording, parts: Sequence[Portion], place: Rectangle, gap: float) -> list[Segment]:
    """The parts of a bar side by side in a place, each as long as its share; one too small to be seen is left out."""
    shown = [portion for portion in parts if float(portion.part) * place.width >= LEAST_SEGMENT]
    room, x, marks = place.width - gap * (len(shown) - 1), place.x, []
    for portion in shown:
        width = float(portion.part) * room
        at = Rectangle(x, place.y, width, place.height)
        marks.append(Segment(at, portion.tint, _inside(wording, portion, at), wording.aloud(portion)))
        x += width + gap
    return marks


def _inside(wording: BarWording, portion: Portion, place: Rectangle) -> tuple[Text, ...]:
    """Return the label of a part of a bar: name and share, the share, or its number, as far as there is room."""
    shared = wording.share(portion)
    number = "".join(character for character in shared if character.isdecimal() or character in ".,<")
    named = (TextPiece(f"{wording.name(portion)}  {shared}", Face.NAME),)
    tries = [(NAMED, named), (SHARED, (TextPiece(shared, Face.COUNT),)), (NUMBERED, (TextPiece(number, Face.COUNT),))]
    for least, pieces in tries:
        if place.width >= least and wording.context.measure(pieces) <= place.width - (SLACK if least > NUMBERED else 0):
            return (Text(place.middle, place.y + place.height / 2 + 2.4, pieces),)
    return ()


def _table(wording: BarWording, parts: Sequence[Portion], y: float) -> tuple[list[Mark], float]:
    """The rows of the table from a base line on, and the last base line: formulas beside all names, or below all of them."""
    measure = wording.context.measure
    column = COUNTS - COLUMNS_APART - max(measure(wording.count(portion, is_equal=True)) for portion in parts)
    scales = [(column - NAMES - measure(_name(wording, part)) - SLACK) / measure(_formula(part)) for part in parts]
    is_beside = all(scale * SIZES[Face.FORMULA] >= LEAST_LETTERS for scale in scales)
    marks: list[Mark] = []
    for i, (portion, scale) in enumerate(zip(parts, scales, strict=True)):
        y += ROW if i else 0.0
        marks += _row(wording, portion, y, is_equal=is_beside)
        if is_beside:
            marks.append(Text(column, y, _formula(portion), Anchor.END, min(1.0, scale)))
            continue
        for line in broken(portion.formula, PICTURE_WIDTH - PICTURE_EDGE - NAMES, MOST_FORMULA_LINES, measure) or [
            _formula(portion)
        ]:
            y += PITCHES[Face.FORMULA]
            marks.append(Text(NAMES, y, line, Anchor.START, min(1.0, (PICTURE_WIDTH - PICTURE_EDGE - NAMES) / measure(line))))
    return marks, y


def _row(wording: BarWording, portion: Portion, y: float, *, is_equal: bool) -> list[Mark]:
    """A row of the table but for its formula."""
    shared = (TextPiece(percent(portion.part, wording.percent), Face.COUNT),)
    return [
        Segment(Rectangle(PICTURE_EDGE, y - 6, SWATCH, SWATCH), portion.tint),
        Text(NAMES, y, _name(wording, portion), Anchor.START),
        Text(COUNTS, y, wording.count(portion, is_equal=is_equal), Anchor.END),
        Text(PICTURE_WIDTH - PICTURE_EDGE, y, shared, Anchor.END),
    ]


def _name(wording: BarWording, portion: Portion) -> TextLine:
    return (TextPiece(wording.name(portion), Face.NAME),)


def _formula(portion: Portion) -> TextLine:
    return (TextPiece(portion.formula, Face.FORMULA),)
