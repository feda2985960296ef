"""Tiles: parameters as areas, squarified (Bruls et al., 2000, doi:10.1007/978-3-7091-6783-0_4); small ones are named below.

Where one area is nearly all, what one token uses of it is in strong colour, and the others stand below it once more, taller.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, log, sqrt
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from symparams.drawings.marks import Face, Tint
from symparams.plots.figures.canvas import EDGE, GAP, TICK, WIDTH, Canvas
from symparams.plots.pictures import Tile, Tiles
from symparams.sheets.values import percent

HEIGHT, STRIP, TALLER, LINE = 122.0, 11.0, 26.0, 7.6
BADGE, MOST_LINES = 14.0, 3  # the height of a badge with its distance from the edge; lines of a name, its count and share
GOLDEN = 0.618
NEARLY_ALL = Fraction(9, 10)  # of the model, of an area that leaves no room to the others


@dataclass(frozen=True)
class Place:
    """A rectangle in points from the lower left corner."""

    x: float
    y: float
    width: float
    height: float


def draw(canvas: Canvas) -> None:
    """Draw the tiles of a plot."""
    picture = canvas.plot.picture
    assert isinstance(picture, Tiles)
    largest = max(_leaves(picture.tiles), key=lambda tile: tile.count)
    is_all = Fraction(largest.count, picture.total) >= NEARLY_ALL
    tall = HEIGHT + (STRIP + TALLER if is_all else 0)
    thin: list[Tile] = []
    probe = _Painter(canvas, None, picture, thin)
    probe.paint(largest, is_all=is_all)
    words = canvas.lettering.words.catalogue
    foot = [canvas.lettering.math(value) for value in canvas.plot.foot]
    if thin:
        pattern, of = str(words.entry("plots.too_thin")), str(words.entry("plots.of_part"))
        together: dict[str, int] = {}
        for tile in thin:
            name = canvas.lettering.math(tile.name)
            together[name] = together.get(name, 0) + tile.count
        parts = [of.format(part=name, count=canvas.lettering.number(count)) for name, count in together.items()]
        foot.append(pattern.format(parts=str(words.entry("signs.list")).join(parts)))
    total = str(words.entry("plots.treemap.parameters")).format(count=canvas.lettering.number(picture.total))
    used = "" if picture.active is None else str(words.entry("plots.treemap.token"))
    used = used.format(count=canvas.lettering.number(picture.active or 0))
    beside = (canvas.width(total, canvas.size(Face.TOTAL)), canvas.width(used, canvas.size(Face.NOTE)) if used else 0.0)
    canvas.beside_title = max(beside) + 2 * GAP
    axes = canvas.axes(tall, EDGE, EDGE, foot, below=EDGE + 1)
    axes.set_xlim(0, WIDTH - 2 * EDGE)
    axes.set_ylim(0, tall)
    axes.axis("off")
    _Painter(canvas, axes, picture, []).paint(largest, is_all=is_all)
    high = canvas.figure.get_size_inches()[1] * 72
    if canvas.with_title:
        canvas.text(total, 1 - EDGE / WIDTH, 1 - 9.0 / high, Face.TOTAL, ha="right")
        if used:
            canvas.text(used, 1 - EDGE / WIDTH, 1 - 18.5 / high, Face.NOTE, ha="right")


def _leaves(tiles: Sequence[Tile]) -> Iterator[Tile]:
    for tile in tiles:
        yield from _leaves(tile.tiles) if tile.tiles else (tile,)


class _Painter:
    """Paints tiles into axes, or only notes which are too thin for a name where there are none."""

    def __init__(self, canvas: Canvas, axes: Axes | None, picture: Tiles, thin: list[Tile]) -> None:
        self.canvas, self.axes, self.picture, self.thin = canvas, axes, picture, thin
        self.badges: list[tuple[Place, str]] = []

    def paint(self, largest: Tile, *, is_all: bool) -> None:
        """Paint all, or the largest alone with the others below it."""
        wide = WIDTH - 2 * EDGE
        if not is_all:
            self._group(self.picture.tiles, Place(0, 0, wide, HEIGHT))
            return
        others = self.picture.total - largest.count
        low = TALLER + STRIP
        slice_ = HEIGHT * others / self.picture.total
        self._pieces(largest, Place(0, low + slice_, wide, HEIGHT - slice_))
        rest = sorted((tile for tile in self._parts(largest)), key=lambda tile: -tile.count)
        x = 0.0
        for tile in rest:
            width = wide * tile.count / others
            self._box(Place(x, low, width, slice_), tile.tint, strong=True)
            self._tile(tile, Place(x, 0, width, TALLER), strong=True)
            x += width
        part = percent(Fraction(others, self.picture.total), self.canvas.lettering.words.catalogue.head["percent"])
        words = str(self.canvas.lettering.words.catalogue.entry("plots.treemap.rest"))
        self._write(
            words.format(part=part, count=self.canvas.lettering.number(others)), 3, TALLER + STRIP / 2, soft=True, ha="left"
        )

    def _parts(self, largest: Tile) -> Iterator[Tile]:
        """The parts besides the largest, those of a name together whatever their layers."""
        together: dict[object, Tile] = {}
        for tile in self.picture.tiles:
            for part in tile.tiles or (tile,):
                inner = [leaf for leaf in part.tiles if leaf is not largest] if largest in part.tiles else [part]
                for one in inner:
                    key = self.canvas.lettering.text(one.name)
                    known = together.get(key)
                    together[key] = Tile(one.name, one.count + (known.count if known else 0), one.tint)
        return iter(together.values())

    def _group(self, tiles: Sequence[Tile], place: Place) -> None:
        for tile, at in squarified(sorted(tiles, key=lambda one: -one.count), place):
            if not tile.tiles:
                self._tile(tile, at)
                continue
            has_badge = tile.copies > 1 and at.height > 3 * STRIP
            if has_badge:
                self.badges.append((at, self._badge_of(tile)))
            self._group(tile.tiles, at)
            self._box(at, None)
            if has_badge:
                self._badge(tile, at)

    def _badge_of(self, tile: Tile) -> str:
        name = self.canvas.lettering.math(tile.name)
        pattern = str(self.canvas.lettering.words.catalogue.entry("plots.treemap.layers"))
        return pattern.format(name=name, copies=self.canvas.lettering.number(tile.copies))

    def _below_badge(self, at: Place, lines: int) -> Place:
        """What of a tile a name of so many lines may take: the part beneath a badge if it would meet it."""
        for whole, text in self.badges:
            wide, bottom = self.canvas.width(text, TICK, bold=True) + 8, whole.y + whole.height - BADGE
            meets = whole.x - 0.1 <= at.x < whole.x + wide and at.y + at.height > bottom > at.y
            if meets and at.y + at.height / 2 + LINE * lines / 2 > bottom:
                return Place(at.x, at.y, at.width, bottom - at.y)
        return at

    def _badge(self, tile: Tile, at: Place) -> None:
        text = self._badge_of(tile)
        if self.axes is not None and self.canvas.width(text, TICK, bold=True) + 8 < at.width:
            self._card(text, at.x + 2.5, at.y + at.height - 2.5, ha="left", va="top", fontweight="bold")

    def _tile(self, tile: Tile, at: Place, *, strong: bool = False) -> None:
        if tile.pieces > 1 and not strong:
            self._pieces(tile, at)
            return
        self._box(at, tile.tint, gid=tile)
        inner = self._below_badge(at, MOST_LINES)
        lines = self._lines(tile, inner)
        if not lines:
            self.thin.append(tile)
        for i, line in enumerate(lines):
            y = inner.y + inner.height / 2 + LINE * ((len(lines) - 1) / 2 - i)
            self._write(line, at.x + at.width / 2, y, size=TICK)

    def _lines(self, tile: Tile, at: Place) -> list[str]:
        """The name, in as many lines as it needs, the count and the share, as far as they have room."""
        words = self.canvas.lettering
        part = percent(Fraction(tile.count, self.picture.total), words.words.catalogue.head["percent"], 1)
        name = self.canvas.wrapped(words.math(tile.name), at.width - 2, whole=True)
        for chosen in ([*name, words.number(tile.count), part], [*name, part], name):
            if max(self.canvas.width(line, TICK) for line in chosen) + 2 <= at.width and LINE * len(chosen) + 1 <= at.height:
                return chosen
        return []

    def _pieces(self, tile: Tile, at: Place) -> None:
        """A tile of equal pieces, those that a token uses in strong colour, and a card with its name."""
        square = sqrt(tile.pieces * at.width / max(at.height, 1))
        columns = min((n for n in range(1, tile.pieces + 1) if tile.pieces % n == 0), key=lambda n: abs(log(n / square)))
        rows = tile.pieces // columns
        used = {place for place, _ in zip(_scattered(tile.pieces), range(tile.used), strict=False)}
        for i in range(tile.pieces):
            cell = Place(
                at.x + at.width * (i % columns) / columns,
                at.y + at.height * (i // columns) / rows,
                at.width / columns,
                at.height / rows,
            )
            self._box(cell, tile.tint, strong=i in used, thin=True)
        words = self.canvas.lettering
        part = percent(Fraction(tile.count, self.picture.total), words.words.catalogue.head["percent"])
        lines = [words.math(tile.name), words.number(tile.count), part]
        lines = lines if at.height > LINE * 4 else lines[:1]
        if max(self.canvas.width(line, TICK, bold=True) for line in lines) + 8 > at.width or at.height < LINE * 1.8:
            self.thin.append(tile)
            return
        if self.axes is not None:
            self._card("\n".join(lines), at.x + at.width / 2, at.y + at.height / 2, ha="center", va="center")

    def _box(self, at: Place, tint: Tint | None, *, strong: bool = False, thin: bool = False, gid: Tile | None = None) -> None:
        if self.axes is None:
            return
        colours = self.canvas.palette.blocks[tint] if tint else None
        fill = "none" if colours is None else colours.line if strong else colours.fill
        edge = colours.line if colours else self.canvas.palette.ink
        box = Rectangle((at.x, at.y), at.width, at.height, facecolor=fill, edgecolor=edge, clip_on=False)
        box.set(linewidth=0.3 if thin else 0.6, zorder=3 if tint else 5)
        if gid is not None:
            box.set_gid(f"series {self.canvas.lettering.text(gid.name)} {gid.count}")
        self.axes.add_patch(box)

    def _card(self, text: str, x: float, y: float, **more: Any) -> None:
        if self.axes is not None:
            look = {"fontsize": TICK, "color": self.canvas.palette.ink, "zorder": 9, "bbox": self.canvas.card()}
            self.axes.text(x, y, text, **look, **more)

    def _write(self, text: str, x: float, y: float, *, soft: bool = False, ha: str = "center", size: float = TICK) -> None:
        if self.axes is not None:
            colour = self.canvas.palette.soft if soft else self.canvas.palette.ink
            self.axes.text(x, y, text, ha=ha, va="center", fontsize=size, color=colour, zorder=8)


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
