"""Bars of several models under one another, to one scale, or each as long as the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from symparams.drawings.bars import BarWording, heading, segments
from symparams.drawings.bars.portions import ORDER, Portion, by_tint, portions, purpose
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import PICTURE_EDGE, PICTURE_WIDTH, SWATCH
from symparams.drawings.marks import Anchor, Drawing, Face, Mark, Rectangle, Segment, Stroke, Text, TextPiece, Wire
from symparams.expressions.printing.nodes import Scaled
from symparams.records import frozen

END = 228.0  # of the axis
NAME, BAR, MODEL = 12.0, 16.0, 32.0  # of a model: the base line of its name, where its bar begins and how tall it is, in all
SEGMENTS_APART, SHARES_APART, TICK, NUMBER = 0.6, 3.6, 3.0, 10.0
LEGEND, BETWEEN, CLOSEST, LETTERS = 15.0, 9.0, 4.0, 2.5
SMALL, NEAR = 4.8, 1.6  # a colour beside a bar, and from there to its share
SEEN = Fraction(2, 100)  # a share that is told
MOST_STEPS, ROUND = 4, (1, 2, 5)  # of an axis


@frozen
class ModelBar:
    """A model of a comparison with its portions, those of one purpose together."""

    wording: BarWording
    parts: tuple[Portion, ...]

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.wording.context.called

    @property
    def count(self) -> int:
        """Its parameters."""
        return self.wording.context.model.count()


def bars(contexts: Sequence[DrawingContext], *, relative: bool = False) -> Drawing:
    """The bars of models, the shares in them or beside them, an axis, and what each colour is for.

    ``relative`` makes each as long as the others. MissingDimensionError for a model without values.
    """
    models = [ModelBar(BarWording(context, by_colour=True), tuple(by_tint(portions(context.model)))) for context in contexts]
    most, context = max(model.count for model in models), contexts[0]
    scale = ticks(most)
    marks: list[Mark] = []
    for i, model in enumerate(models):
        marks += _bar(model, MODEL * i, (END - PICTURE_EDGE) * (1.0 if relative else model.count / scale[-1]))
    foot = MODEL * len(models) + 6
    if not relative:
        marks += _axis(context, scale, foot)
    legend = _legend(models, foot + (TICK + NUMBER + LEGEND - 4 if not relative else 4))
    height = max(mark.place.bottom for mark in legend if isinstance(mark, Segment)) + PICTURE_EDGE
    names = str(context.words.entry("signs.list")).join(model.name for model in models)
    title = context.sentence("bars.relative" if relative else "bars.to_scale", models=names)
    told = [
        context.sentence("bars.model", model=model.name, total=model.count, parts=model.wording.all_of(model.parts))
        for model in models
    ]
    description = str(context.words.head["joint"]).join(told)
    name = "-".join([*(model.name for model in models), "bars"])
    marks += legend
    return Drawing(name, title, description, context.language, PICTURE_WIDTH, height, tuple(marks), context.letters)


def _bar(model: ModelBar, top: float, length: float) -> list[Mark]:
    """A model: its name, its count at the right, its bar, and the shares in it or beside it."""
    wording = model.wording
    place = Rectangle(PICTURE_EDGE, top + BAR, length, BAR)
    drawn = segments(wording, model.parts, place, SEGMENTS_APART)
    told = [part for part in model.parts if part.part >= SEEN]
    counted = (TextPiece(wording.context.number(model.count), Face.TOTAL),)
    texts = heading(wording.context, Face.STRIP, counted, top + NAME)
    has_all = sum(bool(segment.lines) for segment in drawn) >= len(told)
    beside = [] if has_all else _beside(wording, told, place)
    if not beside:
        return [*texts, *drawn]
    bare = [Segment(segment.place, segment.tint, (), segment.title) for segment in drawn]
    return [*texts, *bare, *beside]


def _beside(wording: BarWording, told: Sequence[Portion], place: Rectangle) -> list[Mark]:
    """The shares to the right of a bar, each behind its colour, with its name if there is room; none if there is no room."""
    y = place.y + BAR / 2 + 2.4
    for lines in ([f"{wording.name(part)} {wording.share(part)}" for part in told], [wording.share(part) for part in told]):
        x, marks = place.right + SHARES_APART, list[Mark]()
        for part, line in zip(told, lines, strict=True):
            text = (TextPiece(line, Face.NOTE),)
            marks += [Segment(Rectangle(x, y - SMALL, SMALL, SMALL), part.tint), Text(x + SMALL + NEAR, y, text, Anchor.START)]
            x += SMALL + NEAR + wording.context.measure(text) + SHARES_APART
        if x - SHARES_APART <= PICTURE_WIDTH - PICTURE_EDGE:
            return marks
    return []


def _axis(context: DrawingContext, scale: Sequence[int], y: float) -> list[Mark]:
    """From 0 to a round number, with a number at each step."""
    marks: list[Mark] = [Wire(((PICTURE_EDGE, y), (END, y)), Stroke.AXIS, arrow=False)]
    for number in scale:
        x = PICTURE_EDGE + (END - PICTURE_EDGE) * number / scale[-1]
        text = short(number, context.words.short_rounding)
        anchor = Anchor.MIDDLE if number else Anchor.START
        marks.append(Wire(((x, y), (x, y + TICK)), Stroke.AXIS, arrow=False))
        marks.append(Text(x, y + NUMBER, (TextPiece(text, Face.NOTE),), anchor))
    return marks


def ticks(most: int) -> list[int]:
    """The places of an axis that reaches this far: 0, then two to four steps of 1, 2 or 5 times a power of ten."""
    steps = (digit * 10**power for power in range(len(str(most)) + 1) for digit in ROUND)
    step = next(step for step in steps if step * MOST_STEPS >= most)
    return [step * i for i in range(-(-most // step) + 1)]


def short(value: int, words: Sequence[Mapping[str, Any]]) -> Scaled:
    """A round number with the language's letter for its power of ten, and no zeros that say nothing: 200 M, 1.5 B."""
    word: Mapping[str, Any] = next((entry for entry in words if value >= 10 ** entry["power"]), {"power": 0, "word": ""})
    exact = Fraction(value, 10 ** word["power"])
    decimals = next(places for places in range(word["power"] + 1) if (exact * 10**places).denominator == 1)
    return Scaled(exact, decimals, word["word"])


def _legend(models: Sequence[ModelBar], y: float) -> list[Mark]:
    """Draw the legend of the colours, in as many lines as it takes."""
    context, parts = models[0].wording.context, [part for model in models for part in model.parts]
    together = [(tint, [part for part in parts if part.tint is tint]) for tint in ORDER]
    names = {
        tint: (TextPiece(context.words.entry(f"drawing.bars.{purpose(same)}"), Face.NOTE),) for tint, same in together if same
    }
    widths = {tint: SWATCH + LETTERS + context.measure(name) for tint, name in names.items()}
    free = PICTURE_WIDTH - 2 * PICTURE_EDGE - sum(widths.values())
    between = min(BETWEEN, max(CLOSEST, free / max(len(names) - 1, 1)))
    marks: list[Mark] = []
    x = PICTURE_EDGE
    for tint, name in names.items():
        if x + widths[tint] > PICTURE_WIDTH - PICTURE_EDGE + 0.01:
            x, y = PICTURE_EDGE, y + NUMBER + 1
        marks += [Segment(Rectangle(x, y - 6, SWATCH, SWATCH), tint), Text(x + SWATCH + LETTERS, y, name, Anchor.START)]
        x += widths[tint] + between
    return marks
