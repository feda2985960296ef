"""The plot: what a picture of numbers says, before any format: its words, its exact points, the facts that it marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Union

from symparams.display import Displayed, Record
from symparams.drawings.marks import Tint
from symparams.models.model import Model
from symparams.records import frozen
from symparams.sheets.values import Sentence, Value

Amount = Union[int, Fraction]
Points = Sequence[tuple[int, Amount]]
TOKENS, SHARE, RATIO = "tokens", "share", "ratio"  # units beside those of quantities: counted by powers of two, parts, times


@frozen
class Axis:
    """An axis: what it shows, the unit of its numbers, whether equal ratios are equally long on it."""

    name: Value
    unit: str
    is_log: bool = True


@frozen
class Curve:
    """A line or the edge of an area: its name, its exact points, its colour if that is of a kind of part.

    One that is ``strong`` is told from another of its colour, which is deeper and hatched.
    """

    name: Value
    points: Points
    tint: Tint | None = None
    strong: bool = False


@frozen
class Stroke:
    """The look of a line beside its colour: its dashes in widths of the line, none for a solid one, and a mark at its points.

    ``mark`` is its name for pgfplots, ``sign`` for matplotlib.
    """

    dash: tuple[float, ...] = ()
    mark: str = "none"
    sign: str = "none"


# Those of the first models, each of a colour of its own, and those of the others, which have the same colours again.
STROKES: Sequence[Stroke] = (
    Stroke(),
    Stroke((5, 1.2)),
    Stroke(),
    Stroke((1.4, 1)),
    Stroke((3, 1, 1, 1), "square", "s"),
    Stroke((), "triangle", "^"),
    Stroke((6, 1, 1, 1, 1, 1), "diamond", "D"),
    Stroke((), "x", "x"),
)


@frozen
class Level:
    """A number that lies across a picture, such as the memory of a board."""

    name: Value
    value: Amount


@frozen
class Lines:
    """Curves over one letter; ``levels`` across them, ``rings`` at points that a fact is about: a curve's number, x and y."""

    kind: ClassVar = "lines"
    x: Axis
    y: Axis
    curves: Sequence[Curve]
    levels: Sequence[Level] = ()
    rings: Sequence[tuple[int, int, Amount]] = ()


@frozen
class Areas:
    """Parts of a whole over one letter, one upon another; ``half``, where the strong one is as much as all others."""

    kind: ClassVar = "areas"
    x: Axis
    curves: Sequence[Curve]
    half: tuple[int, Value] | None = None


@frozen
class Column:
    """Bars one upon another at a place: what they are in, such as activations that are kept, and how large each is."""

    place: int
    name: Value
    parts: Sequence[Amount]


@frozen
class Columns:
    """Bars over some values of a letter, with the ``names`` of their parts, from below."""

    kind: ClassVar = "columns"
    x: Axis
    y: Axis
    names: Sequence[Value]
    columns: Sequence[Column]
    levels: Sequence[Level] = ()


@frozen
class Tile:
    """An area: its name, what it counts, its colour, the areas within it, and how many copies are laid together.

    Of ``pieces`` alike a token uses ``used``.
    """

    name: Value
    count: int
    tint: Tint
    tiles: Sequence[Tile] = ()
    copies: int = 1
    pieces: int = 1
    used: int = 1


@frozen
class Tiles:
    """Parameters as areas."""

    kind: ClassVar = "tiles"
    tiles: Sequence[Tile]
    total: int
    active: int | None = None


@frozen
class Dot:
    """A model by two numbers; one of a mixture has another sign."""

    name: str
    x: int
    y: int
    is_mixture: bool = False


@frozen
class Dots:
    """Models by two numbers, and below by their ratio."""

    kind: ClassVar = "dots"
    x: Axis
    y: Axis
    ratio: Axis
    dots: Sequence[Dot]


Picture = Union[Lines, Areas, Columns, Tiles, Dots]


class Point(Record):
    """A row of a plot's numbers, by column."""

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self._columns = columns

    @property
    def columns(self) -> Mapping[str, Any]:
        """The row by column."""
        return self._columns


@frozen
class Plot(Displayed):
    """A picture of numbers with its title, the line beneath it, the facts that it marks, and what stands at its foot.

    ``rows`` are its exact numbers under ``columns``; what is rounded there stands beside the integers that it is made of.
    """

    kind: str
    title: Value
    about: Sequence[Value]
    picture: Picture
    facts: Sequence[Sentence]
    foot: Sequence[Value]
    columns: tuple[str, ...]
    rows: Sequence[tuple[str | int | Fraction, ...]]
    models: tuple[Model, ...] = ()

    def __repr__(self) -> str:
        return f"Plot({self.kind!r}, {', '.join(repr(model.name) for model in self.models)})"

    def __iter__(self) -> Iterator[Point]:
        """Yield its numbers as rows of a data frame."""
        for row in self.rows:
            yield Point(dict(zip(self.columns, row, strict=True)))

    def __len__(self) -> int:
        return len(self.rows)

    def table(self) -> str:
        """Its numbers as CSV: one header, integers without marks between thousands, a ratio with six decimals."""
        from csv import writer
        from io import StringIO

        stream = StringIO()
        rows = writer(stream, lineterminator="\n")
        rows.writerow(self.columns)
        rows.writerows([_cell(value) for value in row] for row in self.rows)
        return stream.getvalue()


def _cell(value: str | int | Fraction) -> str | int:
    """A ratio as a decimal, half a byte as it is; a text that a spreadsheet would run stays a text."""
    if isinstance(value, Fraction):
        return f"{float(value):.6f}" if value.denominator != 1 else int(value)
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@" else value
