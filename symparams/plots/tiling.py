"""Tiling: where areas of parameters lie, in any format: squarified (Bruls et al., 2000, doi:10.1007/978-3-7091-6783-0_4).

Where one area is nearly all, what one token uses of it is in strong colour, and the others stand below it once more, taller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import gcd, log, sqrt
from typing import NamedTuple

from symparams.drawings.bars.portions import NEARLY_ALL
from symparams.drawings.marks import Tint
from symparams.plots.lettering import EDGE, WIDTH, Lettering
from symparams.plots.pictures import Tile, Tiles
from symparams.records import frozen
from symparams.sheets.values import Value, percent

HEIGHT, STRIP, TALLER, LINE = 122.0, 11.0, 26.0, 7.6
WIDE = WIDTH - 2 * EDGE
BADGE, MOST_LINES = 14.0, 3  # the height of a badge with its distance from the edge; lines of a name, its count and share
GOLDEN = 0.618


class Letters(NamedTuple):
    """How a format writes a name, how wide a line is in it at the size of ticks, bold or not, and a name in lines that fit."""

    name: Callable[[Value], str]
    width: Callable[..., float]
    lines: Callable[[str, float], list[str]]


@frozen
class Place:
    """A rectangle in points from the lower left corner."""

    x: float
    y: float
    width: float
    height: float


@frozen
class Area:
    """A rectangle in a colour, the strong one for what a token uses; without a colour only an edge.

    One of ``columns`` and ``rows`` of pieces has those of ``used`` in strong colour, by their numbers from the first row on.
    A ``tile`` is told by it; where it ``is_true`` its size is its share.
    """

    place: Place
    tint: Tint | None
    strong: bool = False
    columns: int = 1
    rows: int = 1
    used: Sequence[int] = ()
    tile: Tile | None = None
    is_true: bool = True

    def piece(self, number: int) -> Place:
        """The place of one of its pieces."""
        wide, high = self.place.width / self.columns, self.place.height / self.rows
        return Place(self.place.x + number % self.columns * wide, self.place.y + number // self.columns * high, wide, high)


@frozen
class Writing:
    """Lines about a middle, or from a left side where they ``start``; ``on_card``, in bold letters and soft ones."""

    lines: Sequence[str]
    x: float
    y: float
    starts: bool = False
    on_card: bool = False
    bold: bool = False
    soft: bool = False


@dataclass
class Tiling:
    """The areas of a plot with what is written on them, and of which areas the names are told below, as too thin for them."""

    lettering: Lettering
    letters: Letters
    picture: Tiles
    areas: list[Area] = field(default_factory=list)
    writings: list[Writing] = field(default_factory=list)
    thin: list[Tile] = field(default_factory=list)
    height: float = HEIGHT

    def __post_init__(self) -> None:
        self._badges: list[tuple[Place, str]] = []
        largest = max(_leaves(self.picture.tiles), key=lambda tile: tile.count)
        if Fraction(largest.count, self.picture.total) < NEARLY_ALL:
            self._group(self.picture.tiles, Place(0, 0, WIDE, HEIGHT))
            return
        self.height = HEIGHT + STRIP + TALLER
        self._divided(largest)

    @property
    def total(self) -> str:
        """How many parameters there are."""
        return self._entry("treemap.parameters").format(count=self.lettering.number(self.picture.total))

    @property
    def active(self) -> str:
        """How many of them a token uses; nothing where it uses all."""
        active = self.picture.active
        return "" if active is None else self._entry("treemap.token").format(count=self.lettering.number(active))

    @property
    def foot(self) -> str:
        """The names of the areas that are too thin for one, those of one name together."""
        together: dict[str, int] = {}
        for tile in self.thin:
            name = self.letters.name(tile.name)
            together[name] = together.get(name, 0) + tile.count
        parts = [
            self._entry("of_part").format(part=name, count=self.lettering.number(count)) for name, count in together.items()
        ]
        joint = str(self.lettering.words.catalogue.entry("signs.list"))
        return self._entry("too_thin").format(parts=joint.join(parts)) if parts else ""

    def _entry(self, key: str) -> str:
        return str(self.lettering.words.catalogue.entry(f"plots.{key}"))

    def _share(self, count: int, places: int | None = None) -> str:
        written = self.lettering.words.catalogue.head["percent"]
        part = Fraction(count, self.picture.total)
        return percent(part, written) if places is None else percent(part, written, places)

    def _divided(self, largest: Tile) -> None:
        """The largest alone, with the others below it, as thin as they are and taller."""
        others, low = self.picture.total - largest.count, TALLER + STRIP
        thick = HEIGHT * others / self.picture.total
        self._tile(largest, Place(0, low + thick, WIDE, HEIGHT - thick))
        x = 0.0
        for tile in sorted(self._parts(largest), key=lambda tile: -tile.count):
            width = WIDE * tile.count / others
            strong = self.picture.active is not None
            self.areas.append(Area(Place(x, low, width, thick), tile.tint, strong, tile=tile))
            self._tile(tile, Place(x, 0, width, TALLER), is_true=False)
            x += width
        rest = self._entry("treemap.rest").format(part=self._share(others), count=self.lettering.number(others))
        self.writings.append(Writing([rest], 3, TALLER + STRIP / 2, starts=True, soft=True))

    def _parts(self, largest: Tile) -> Iterator[Tile]:
        """The parts besides the largest, those of a name together whatever their layers."""
        together: dict[str, Tile] = {}
        for tile in self.picture.tiles:
            for part in tile.tiles or (tile,):
                has_largest = any(leaf is largest for leaf in part.tiles)
                for one in part.tiles if has_largest else (part,):
                    if one is not largest:
                        key = self.lettering.text(one.name)
                        before = together[key].count if key in together else 0
                        together[key] = Tile(one.name, one.count + before, one.tint)
        return iter(together.values())

    def _group(self, tiles: Sequence[Tile], place: Place) -> None:
        for tile, at in squarified(sorted(tiles, key=lambda one: -one.count), place):
            if not tile.tiles:
                self._tile(tile, at)
                continue
            badge = ""
            if tile.copies > 1 and at.height > 3 * STRIP:
                copies = self.lettering.number(tile.copies)
                badge = self._entry("treemap.layers").format(name=self.letters.name(tile.name), copies=copies)
                self._badges.append((at, badge))
            self._group(tile.tiles, at)
            self.areas.append(Area(at, None))
            if badge and self.letters.width(badge, bold=True) + 8 < at.width:
                y = at.y + at.height - 2.5
                self.writings.append(Writing([badge], at.x + 2.5, y, starts=True, on_card=True, bold=True))

    def _below_badge(self, at: Place, lines: int) -> Place:
        """What of a tile a name of so many lines may take: the part beneath a badge if it would meet it."""
        for whole, text in self._badges:
            wide, bottom = self.letters.width(text, bold=True) + 8, whole.y + whole.height - BADGE
            meets = whole.x - 0.1 <= at.x < whole.x + wide and at.y + at.height > bottom > at.y
            if meets and at.y + at.height / 2 + LINE * lines / 2 > bottom:
                return Place(at.x, at.y, at.width, bottom - at.y)
        return at

    def _tile(self, tile: Tile, at: Place, *, is_true: bool = True) -> None:
        if tile.pieces > 1:
            self._pieces(tile, at)
            return
        self.areas.append(Area(at, tile.tint, tile=tile, is_true=is_true))
        inner = self._below_badge(at, MOST_LINES)
        lines = self._lines(tile, inner)
        if lines:
            self.writings.append(Writing(lines, at.x + at.width / 2, inner.y + inner.height / 2))
        else:
            self.thin.append(tile)

    def _lines(self, tile: Tile, at: Place) -> list[str]:
        """The name, in as many lines as it needs, the count and the share, as far as they have room."""
        name, part = self.letters.lines(self.letters.name(tile.name), at.width - 2), self._share(tile.count, 1)
        for chosen in ([*name, self.lettering.number(tile.count), part], [*name, part], name):
            if max(map(self.letters.width, chosen)) + 2 <= at.width and LINE * len(chosen) + 1 <= at.height:
                return chosen
        return []

    def _pieces(self, tile: Tile, at: Place) -> None:
        """A tile of equal pieces, those that a token uses in strong colour, and a card with its name."""
        square = sqrt(tile.pieces * at.width / max(at.height, 1))
        columns = min((n for n in range(1, tile.pieces + 1) if tile.pieces % n == 0), key=lambda n: abs(log(n / square)))
        rows = tile.pieces // columns
        lines = [self.letters.name(tile.name), self.lettering.number(tile.count), self._share(tile.count)]
        lines = lines if at.height > LINE * 4 else lines[:1]
        wide, high = max(self.letters.width(line, bold=True) for line in lines) + 8, LINE * (len(lines) + 0.8)
        area = Area(at, tile.tint, columns=columns, rows=rows, tile=tile)

        def is_hidden(number: int) -> bool:
            """True of a piece that the card with the name covers."""
            piece = area.piece(number)
            across = abs(piece.x + piece.width / 2 - at.x - at.width / 2) < (wide + piece.width) / 2
            return across and abs(piece.y + piece.height / 2 - at.y - at.height / 2) < (high + piece.height) / 2

        used = sorted(_scattered(tile.pieces), key=is_hidden)[: tile.used]
        self.areas.append(replace(area, used=sorted(used)))
        if wide > at.width or high > at.height:
            self.thin.append(tile)
        else:
            self.writings.append(Writing(lines, at.x + at.width / 2, at.y + at.height / 2, on_card=True))


def _leaves(tiles: Sequence[Tile]) -> Iterator[Tile]:
    for tile in tiles:
        yield from _leaves(tile.tiles) if tile.tiles else (tile,)


def _scattered(pieces: int) -> Iterator[int]:
    """Every place of so many, as if at random, always alike."""
    step = next(step for step in range(round(pieces * GOLDEN), 2 * pieces + 1) if gcd(step, pieces) == 1)
    yield from ((pieces // 9 + i * step) % pieces for i in range(pieces))


def squarified(tiles: Sequence[Tile], place: Place) -> Iterator[tuple[Tile, Place]]:
    """Yield each tile with its place: rows along the shorter side, each as long as its tiles stay near to squares."""
    rest, whole = list(tiles), sum(tile.count for tile in tiles)
    while rest:
        short = min(place.width, place.height)
        scale = place.width * place.height / whole
        row = [rest[0]]
        while len(row) < len(rest) and _worst([*row, rest[len(row)]], scale, short) <= _worst(row, scale, short):
            row.append(rest[len(row)])
        area = sum(tile.count for tile in row) * scale
        deep, along = area / short, 0.0
        for tile in row:
            long = tile.count * scale / deep
            if place.width >= place.height:
                yield tile, Place(place.x, place.y + place.height - along - long, deep, long)
            else:
                yield tile, Place(place.x + along, place.y + place.height - deep, long, deep)
            along += long
        if place.width >= place.height:
            place = Place(place.x + deep, place.y, place.width - deep, place.height)
        else:
            place = Place(place.x, place.y, place.width, place.height - deep)
        whole -= sum(tile.count for tile in row)
        rest = rest[len(row) :]


def _worst(row: Sequence[Tile], scale: float, side: float) -> float:
    """The ratio of the sides of the least square tile of a row."""
    areas = [tile.count * scale for tile in row]
    total = sum(areas)
    return max(max(side**2 * area / total**2, total**2 / (side**2 * area)) for area in areas)
