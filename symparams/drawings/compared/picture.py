"""The picture of a comparison: the models as columns, what differs told between two of them, or within the boxes of three."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from symparams.answers.comparison import Comparison
from symparams.derivations.derivation import derive
from symparams.drawings.architecture import WIDENINGS, extent, framed, lacking, outlined
from symparams.drawings.compared.columns import ModelColumn, NumberedContext, has_one_way
from symparams.drawings.compared.comparing import Comparing, check_ways
from symparams.drawings.compared.differences import BlockDifference, signed
from symparams.drawings.compared.levels import Level, Rise, heights, levels, lowered
from symparams.drawings.distances import PICTURE_EDGE
from symparams.drawings.header import HEADER_PITCH, totals
from symparams.drawings.legend import legend
from symparams.drawings.lettering.lettering import Lettered, words
from symparams.drawings.marks import (
    Anchor,
    Box,
    Drawing,
    Emphasis,
    Face,
    Frame,
    Mark,
    Stroke,
    Text,
    TextPiece,
    Tint,
    Wire,
)
from symparams.errors import OptionError
from symparams.expressions.printing.printer import rounded_half_up
from symparams.sheets.comparison import letters_of_all
from symparams.sheets.values import percent

MOST = 3  # models side by side
SPINE, SLIM = 142.0, 118.0  # how wide a block is, of two models and of three
MIDDLE, BETWEEN = 130.0, 12.0  # between two models, in which differences are told, and between three
LINE = 6.0  # of what joins two blocks, at least, at both sides of what is told
MOST_LINES = 12
ABOVE_MODELS, ABOVE_RULE = 8.0, 5.0  # a rule above the models, the header above that
DESCENT = 4.0  # below the last line of a box, to what is told below that
SHARE = 1  # decimals of a percentage
MANY_TIMES = 10  # from which on it is said how many times as many there are


def side_by_side(
    compared: Comparison,
    language: str = "en",
    notation: str = "hidden",
    symbols: Mapping[str, str] | None = None,
    *,
    with_title: bool = True,
) -> Drawing:
    """The drawing of two or three models: spines on the same levels, what differs outlined and told, what is alike grey.

    The difference is the other model less the first. Raises OptionError for more than three, MissingDimensionError for a model
    without values, UnlikeModelsError where most blocks have no partner, or where a model has several columns.
    """
    if len(compared.models) > MOST:
        raise OptionError(
            f"At most {MOST} models stand side by side, not {len(compared.models)}: leave out one, or draw their bars."
        )
    for model in compared.models:
        model.count()
    check_ways(compared.models)
    letters = letters_of_all(compared.models, compared.dimensions, notation, symbols or {})
    contexts = [NumberedContext(derive(model), language, shared=letters) for model in compared.models]
    attempts: list[Placed] = []
    for widening in WIDENINGS:
        attempts.append(Placed(arranged([replace(context, widening=widening) for context in contexts])))
        if not any(lacking(attempts[-1].marks, contexts[0].numbers)):
            break
    placed, first = min(attempts, key=lambda attempt: lacking(attempt.marks, contexts[0].numbers)), contexts[0]
    top, bottom = extent(placed.marks)
    below = legend(first, placed.marks, placed.width, bottom, PICTURE_EDGE, [context.model for context in contexts[1:]])
    head = placed.header(top) if with_title else []
    names = [context.called for context in contexts]
    title = first.sentence("compared.titled", models=_listed(first, names))
    whole = framed([*placed.marks, *head, *below])
    return Drawing(
        "-".join([*names, "compared"]), title, description(placed.comparing), first.language, placed.width, *whole, letters
    )


def arranged(contexts: Sequence[NumberedContext]) -> Comparing:
    """Models each by itself, and the levels on which their blocks come to stand; UnlikeModelsError where too few do."""
    drawn = [outlined(context.model) for context in contexts]
    is_whole, is_pair = not all(map(has_one_way, drawn)), len(contexts) == 2
    columns = [
        ModelColumn(context, of, 1 if is_pair and i else -1, SPINE if is_pair else SLIM, is_whole=is_whole)
        for i, (context, of) in enumerate(zip(contexts, drawn, strict=True))
    ]
    comparing = Comparing(tuple(columns), tuple(levels(columns)))
    comparing.check()
    return comparing


class Placed:
    """Models and what is told of them at their places: the marks, the width of the picture, from where to where each stands."""

    def __init__(self, comparing: Comparing) -> None:
        self.comparing, self.columns = comparing, comparing.columns
        self.context = self.columns[0].context
        is_whole = self.columns[0].is_whole
        self.is_pair = len(self.columns) == 2 and not is_whole
        self.middle = MIDDLE * self.context.widening
        self.small = Face.NOTE if self.is_pair else Face.COUNT  # which is read on any colour
        told = [self._told(on_level, self.middle - 2 * LINE) for on_level in comparing.differences] if self.is_pair else []
        self.added = [{} if self.is_pair else self._added(column) for column in self.columns]
        if is_whole:
            self._redraw()
        tall = [self._tall(level) for level in comparing.levels]
        heights_told = [label.height if label else 0.0 for label in told] or [0.0] * len(tall)
        middles = heights(comparing.levels, tall, heights_told)
        self.marks: list[Mark] = []
        self.ends: list[tuple[float, float]] = []
        edge = PICTURE_EDGE
        for number, column in enumerate(self.columns):
            left, right = column.reach
            x = edge - left
            if self.is_pair and number:
                x = max(x - BETWEEN + LINE, self.ends[0][1] + self.middle - column.left)
            rise = None if is_whole else Rise(comparing.levels, number, middles, tall)
            risen = (rise.moved(mark) if rise else mark for mark in column.marks)
            self.marks += (self._shown(number, mark).moved(x, 0.0) for mark in risen)
            self.ends.append((x + column.left, x + column.right))
            edge = x + right + BETWEEN
        self.width = edge - BETWEEN + PICTURE_EDGE
        for level, label, y in zip(comparing.levels, told, middles, strict=False):
            self.marks += self._joined(level, label, y) if label else ()

    def _told(self, on_level: Sequence[BlockDifference], width: float) -> Lettered | None:
        """What is told between two models on a level; None where no block stands on it."""
        told = [difference for difference in on_level if not self.comparing.is_told_by_stack(difference)]
        differing = [difference for difference in told if difference.differs]
        if not told:
            return None
        if not differing:
            return self._lines([(self.context.sentence("compared.same"), Face.NOTE)], width)
        return self._lines([line for difference in differing for line in self._of(difference, is_named=len(told) > 1)], width)

    def _of(self, difference: BlockDifference, *, is_named: bool) -> Iterator[tuple[str, Face]]:
        """The difference, after its name where it is not the only one, and below it why."""
        told = difference.told
        yield self.context.sentence("aloud", part=difference.name, told=told) if is_named else told, Face.STRIP
        yield from self._reasons(difference)
        if difference.is_of_layers and not difference.reasons:
            column, path = difference.has
            yield self.context.sentence("compared.all_layers", layers=column.layers(path)), self.small

    def _reasons(self, difference: BlockDifference) -> list[tuple[str, Face]]:
        """Why they differ; within the boxes of two models a dashed outline says that the other has none."""
        is_outlined = difference.is_alone and len(self.columns) == 2 and not self.is_pair
        return [] if is_outlined else [(reason, self.small) for reason in difference.reasons]

    def _lines(self, told: Sequence[tuple[str, Face]], width: float) -> Lettered:
        """Lines below one another without air around them; between models, on paper, the differences in their colour."""
        lines: list[Text] = []
        height = 0.0
        for text, face in told:
            set_ = words(text, face, width, self.context.measure, most=MOST_LINES, air=0.0)
            lines += (replace(line, is_marked=self.is_pair and face is Face.STRIP) for line in set_.at(0.0, height))
            height += set_.height
        return Lettered(tuple(lines), height)

    def _added(self, column: ModelColumn) -> Mapping[str, Lettered]:
        """What is told within the boxes of one of three models: how they differ from the first's; there, what others lack."""
        added: dict[str, Lettered] = {}
        widths = {mark.part: mark.place.width for mark in column.marks if isinstance(mark, (Box, Frame))}
        for path in {*column.parts, *column.stacks} & widths.keys():
            told = [
                difference
                for difference in self.comparing.about(column, path)
                if difference.differs
                and not self.comparing.is_told_by_stack(difference)
                and (difference.is_alone or difference.first is not column)
            ]
            if column is self.columns[0]:
                lines = [line for difference in told for line in self._reasons(difference)]
            else:
                lines = [line for difference in told for line in self._of(difference, is_named=False)]
            if lines:
                added[path] = self._lines(lines, widths[path])
        return added

    def _redraw(self) -> None:
        """Models of several columns once more, what is told within their boxes, those that stand for one another as tall."""
        least: list[dict[str, float]] = [{} for _ in self.columns]
        for level in self.comparing.levels:
            tall = {
                (number, mark.part): mark.strip if isinstance(mark, Frame) else mark.place.height
                for number, row in level.rows.items()
                for mark in row.marks
                if row.stack and isinstance(mark, (Box, Frame))
            }
            told = {at: own.height for at in tall if (own := self.added[at[0]].get(at[1]))}
            for number, path in tall:
                least[number][path] = max(tall[at] + told.get(at, 0.0) for at in tall)
        for _ in range(2):  # the second time all from where the layers of the first that is told more begin
            lowest = min(column.lowest for column in self.columns)
            for column, added, tallest in zip(self.columns, self.added, least, strict=True):
                column.draw(added, tallest, lowest)
        self.added = [{} for _ in self.columns]

    def _tall(self, level: Level) -> float:
        """The height of a level: of the row that asks for most, with what is told within its boxes."""
        tall = 0.0
        for number, row in level.rows.items():
            needs = [
                (height + self.added[number][mark.part].height) / height
                for mark in row.marks
                if isinstance(mark, (Box, Frame)) and mark.part in self.added[number]
                for height in [mark.strip if isinstance(mark, Frame) else mark.place.height]
            ]
            tall = max(tall, (row.bottom - row.top) * max(needs, default=1.0))
        return tall

    def _shown(self, number: int, mark: Mark) -> Mark:
        """A block with its outline, or in grey, and with what is told within it; any other mark as it is."""
        column = self.columns[number]
        if not isinstance(mark, (Box, Frame)) or not self.comparing.about(column, mark.part):
            return mark
        emphasis = self.comparing.emphasis(column, mark.part)
        added = self.added[number].get(mark.part)
        if added is not None:
            height = mark.strip if isinstance(mark, Frame) else mark.place.height
            own = max(line.y for line in mark.lines) - min(line.y for line in mark.lines) if mark.lines else 0.0
            lines = lowered(mark.lines, -added.height / 2)
            top = mark.place.y + (height + own + 2 * DESCENT - added.height) / 2
            mark = replace(mark, lines=(*lines, *added.at(mark.place.middle, top)))
        if isinstance(mark, Frame):
            return replace(mark, emphasis=emphasis if emphasis is Emphasis.ALONE else None)
        return replace(mark, emphasis=emphasis) if emphasis else replace(mark, tint=Tint.ALIKE)

    def _joined(self, level: Level, label: Lettered, y: float) -> Iterator[Mark]:
        """What is told between two models, and the lines from there to the blocks."""
        (_, left), (right, _) = self.ends
        middle = (left + right) / 2
        yield from label.at(middle, y - label.height / 2)
        is_same = not any(line.is_marked for line in label.lines)
        half = max(self.context.measure(line.pieces) * line.scale for line in label.lines) / 2 + LINE / 2
        for number, row in level.rows.items():
            side, origin = (1, self.ends[0][0] - self.columns[0].left) if not number else (-1, right - self.columns[1].left)
            edges = [mark.place.right if side > 0 else mark.place.x for mark in row.marks if isinstance(mark, (Box, Frame))]
            start = origin + (max(edges) if side > 0 else min(edges))
            yield Wire(((start, y), (middle - side * half, y)), Stroke.SAME if is_same else Stroke.DIFFERENCE, arrow=False)

    def header(self, top: float) -> list[Mark]:
        """The name and the total of each model, the difference between two, or under the others of three, and a rule below."""
        rule = top - ABOVE_MODELS
        marks: list[Mark] = [Wire(((PICTURE_EDGE, rule), (self.width - PICTURE_EDGE, rule)), Stroke.AXIS, arrow=False)]
        told = [self._totals(number) for number in range(len(self.columns))]
        for number, (column, lines) in enumerate(zip(self.columns, told, strict=True)):
            left, right = self.ends[number]
            name = words(column.name, Face.TITLE, right - left, self.context.measure, most=3, air=0.0).lines
            empty = [Text(0, 0, ())] * (max(map(len, told)) - len(lines))
            is_last = self.is_pair and number == 1
            x = self.width - PICTURE_EDGE if is_last else left if number else PICTURE_EDGE
            marks += self._above([*name, *lines, *empty], x, Anchor.END if is_last else Anchor.START, rule - ABOVE_RULE)
        if self.is_pair:
            middle = (self.ends[0][1] + self.ends[1][0]) / 2
            marks += self._above(self._compared(1), middle, Anchor.MIDDLE, rule - ABOVE_RULE)
        return marks

    def _totals(self, number: int) -> list[Text]:
        """The total of a model, what one token uses of a mixture, and of the others of three the difference from the first."""
        left, right = self.ends[number]
        lines = [Text(0, 0, line) for line in totals(self.columns[number].context, right - left)]
        return lines if self.is_pair or not number else [*lines, *self._compared(number)]

    def _compared(self, number: int) -> list[Text]:
        """The difference of a model from the first, and how many more parameters that are."""
        first, total = (column.context.model.count() for column in (self.columns[0], self.columns[number]))
        difference = (TextPiece(signed(self.context, total - first), Face.TOTAL),)
        share = (TextPiece(share_of(self.context, first, total), Face.NOTE),)
        return [Text(0, 0, difference, is_marked=True), Text(0, 0, share)]

    def _above(self, lines: Sequence[Text], x: float, anchor: Anchor, foot: float) -> Iterator[Text]:
        """Lines above one another, the last at this height; one without words keeps its place."""
        for i, line in enumerate(reversed(lines)):
            if line.pieces:
                yield replace(line, x=x, y=foot - i * HEADER_PITCH, anchor=anchor)


def share_of(context: NumberedContext, first: int, total: int) -> str:
    """How many more parameters there are than those of the first, or fewer: "19.2% more"."""
    if total == first or not first:
        return context.sentence("compared.equal")
    if total >= MANY_TIMES * first:
        return context.sentence("compared.times", times=rounded_half_up(Fraction(total, first), SHARE))
    share = percent(Fraction(abs(total - first), first), str(context.words.head["percent"]), SHARE)
    return context.sentence("compared.more" if total > first else "compared.fewer", share=share)


def description(comparing: Comparing) -> str:
    """What is read aloud: both totals, each difference and why, from below, and what is the same."""
    first, *others = comparing.columns
    context, entry = first.context, first.context.words.entry
    sentences: list[str] = []
    for other in others:
        totals = [column.context.model.count() for column in (first, other)]
        sentences.append(
            context.sentence(
                "compared.whole",
                first=first.name,
                number=totals[0],
                other=other.name,
                of_other=totals[1],
                difference=signed(context, totals[1] - totals[0]),
                share=share_of(context, *totals),
            )
        )
        every = [difference for difference in comparing.every if difference.other is other]
        told = [difference for difference in every if difference.differs and not comparing.is_told_by_stack(difference)]
        for difference in told:
            reasons = str(entry("signs.semicolon")).join(difference.reasons)
            number = (
                context.sentence("compared.because", number=difference.told, reasons=reasons) if reasons else difference.told
            )
            sentences.append(context.sentence("compared.block", part=difference.name, told=number))
        alike = dict.fromkeys(difference.name for difference in every if not difference.differs)
        if alike:
            sentences.append(context.sentence("compared.alike", parts=str(entry("signs.list")).join(alike)))
    return str(context.words.head["joint"]).join(sentences)


def _listed(context: NumberedContext, names: Sequence[str]) -> str:
    *others, last = names
    return str(context.words.entry("signs.list")).join(others) + str(context.words.entry("signs.and")) + last
