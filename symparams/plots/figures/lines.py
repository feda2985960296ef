"""Lines: curves with their names at their ends, levels across them, rings where a fact is."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from matplotlib.axes import Axes

from symparams.drawings.marks import Face
from symparams.plots.figures.canvas import UNIT, Canvas
from symparams.plots.lettering import APART, EDGE, TICK, apart
from symparams.plots.pictures import STROKES, Level, Lines

HEIGHT, LEFT, MOVED, LEAST_RIGHT, MOST_RIGHT = 120.0, 22.0, 2.0, 30.0, 90.0
BESIDE, LEADER = 3.0, 5.0  # between the axes and a name, and more of it for lines that lead to names pushed apart
Box = tuple[float, float, float, float]  # left, bottom, right, top, in points


def draw(canvas: Canvas) -> None:
    """Draw the lines of a plot."""
    picture = canvas.plot.picture
    assert isinstance(picture, Lines)
    names = ["\n".join(canvas.wrapped(canvas.lettering.math(curve.name), MOST_RIGHT - 8)) for curve in picture.curves]
    size = canvas.size(Face.NOTE)
    right = max(LEAST_RIGHT, *(canvas.width(name, size) + BESIDE + LEADER + EDGE for name in names))
    height = max(HEIGHT, APART * sum(map(_lines, names)))
    foot = [
        ("○ " if picture.rings and not i else "") + canvas.lettering.math(value) for i, value in enumerate(canvas.plot.foot)
    ]
    values = [y for curve in picture.curves for _, y in curve.points] + [level.value for level in picture.levels]
    places = [x for curve in picture.curves for x, _ in curve.points]
    low, high = Fraction(min(values)), Fraction(max(values))
    low, high = (low * 3 / 4, high * 5 / 4) if picture.y.is_log and low > 0 else (Fraction(0), high * 11 / 10)
    y = picture.y if low > 0 or not picture.y.is_log else type(picture.y)(picture.y.name, picture.y.unit, is_log=False)
    left = max(LEFT, canvas.left_of(y, low, high, height))
    axes = canvas.axes(height, left, right, foot)
    canvas.scale(axes, picture.x, "x", min(places), max(places))
    canvas.scale(axes, y, "y", low, high)
    for level in picture.levels:
        axes.axhline(float(level.value), color=canvas.palette.soft, linewidth=0.7, dashes=(3, 2.2), zorder=1.5)
    for i, curve in enumerate(picture.curves):
        stroke = STROKES[i]
        [line] = axes.plot(
            [float(x) for x, _ in curve.points],
            [float(amount) for _, amount in curve.points],
            color=canvas.colour("models", i),
            linestyle=(0, stroke.dash or None),
            linewidth=1.25,
            marker=stroke.sign,
            markersize=3.2,
            markerfacecolor="none",
            zorder=3,
            clip_on=False,
        )
        line.set_gid(f"series {canvas.lettering.text(curve.name)}")
    for i, x, amount in picture.rings:
        ring = canvas.ring(axes, x, float(amount), canvas.colour("models", i))
        ring.set_gid(f"mark {canvas.lettering.text(picture.curves[i].name)} {x}")
    taken = _label(canvas, axes, picture, names)
    for level in picture.levels:
        taken.append(_name_level(canvas, axes, picture, level, taken))


def _lines(name: str) -> int:
    return name.count("\n") + 1


def _name_level(canvas: Canvas, axes: Axes, picture: Lines, level: Level, taken: Sequence[Box]) -> Box:
    """Write what a level is above it or below it, where no line comes near and no other name is, the left and the right first.

    Its box is returned.
    """
    name = canvas.lettering.math(level.name)
    scale, wide = UNIT / canvas.figure.dpi, canvas.width(name, TICK)
    own = axes.transData.transform((1.0, float(level.value)))[1] * scale
    left, right = axes.bbox.x0 * scale, axes.bbox.x1 * scale

    def room(x: float, y: float) -> float:
        """How near a line comes to the middle of a name there, -1 where a name is."""
        nearest = 99.0
        if any(_meet(_box(x, y, wide), other) for other in taken):
            return -1.0
        for curve in picture.curves:
            for (x0, y0), (x1, y1) in pairwise(curve.points):
                (a, b), (c, d) = (axes.transData.transform((float(u), float(v))) * scale for u, v in ((x0, y0), (x1, y1)))
                if c > x and a < x + wide:
                    ends = [b + (d - b) * min(max((at - a) / (c - a), 0), 1) for at in (x, x + wide)]
                    nearest = min(nearest, 0.0 if min(ends) < y < max(ends) else min(abs(end - y) for end in ends))
        return nearest

    first, last = left + 2.5, right - wide - 2.5
    between = [first + i * (wide + 5) for i in range(1, max(1, int((last - first) / (wide + 5))))]
    tries = [(x, own + up) for x in (first, last, *between) for up in (4.6, -4.6)]
    x, y = max(tries, key=lambda place: min(room(*place), 6.0))
    canvas.note(axes, name, (0, 0), (x - left, y - axes.bbox.y0 * scale))
    return _box(x, y, wide)


def _box(x: float, y: float, wide: float, lines: int = 1) -> Box:
    """The box of a name by the middle of its left side."""
    half = APART * lines / 2
    return (x, y - half, x + wide, y + half)


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] - 0.5 and other[1] < one[3] - 0.5


def _label(canvas: Canvas, axes: Axes, picture: Lines, names: Sequence[str]) -> list[Box]:
    """Write each name at the end of its line, pushed apart where two would meet, or above an end that comes early.

    The boxes of names within the axes are returned.
    """
    size = canvas.size(Face.NOTE)
    last = float(max(x for curve in picture.curves for x, _ in curve.points))
    scale = UNIT / canvas.figure.dpi
    bottom, height = axes.bbox.y0, axes.bbox.height * scale
    ends, taken = [], list[Box]()
    for i, curve in enumerate(picture.curves):
        x, amount = curve.points[-1]
        at, place = axes.transData.transform((float(x), float(amount))) * scale
        if x == last:
            ends.append((place - bottom * scale, i))
            continue
        wide, lines = canvas.width(names[i], size), _lines(names[i])
        left = max(axes.bbox.x0 * scale + 2, min(at - wide / 2, axes.bbox.x1 * scale - wide))
        middle = place + 2 + APART * lines / 2
        while any(_meet(_box(left, middle, wide, lines), other) for other in taken):
            middle += APART / 2
        taken.append(_box(left, middle, wide, lines))
        there = (left - axes.bbox.x0 * scale, middle - bottom * scale)
        canvas.note(axes, names[i], (0, 0), there, fontsize=size, color=canvas.colour("models", i))
    ends.sort()
    places = apart([place for place, _ in ends], [_lines(names[i]) for _, i in ends], height)
    by = BESIDE + (LEADER if any(abs(place - true) > MOVED for place, (true, _) in zip(places, ends, strict=True)) else 0)
    for place, (true, i) in zip(places, ends, strict=True):
        leader = {
            "arrowstyle": "-",
            "linewidth": 0.4,
            "color": canvas.palette.soft,
            "shrinkA": 1,
            "shrinkB": 1,
            "relpos": (0, 0.5),
        }
        axes.annotate(
            names[i],
            (last, float(picture.curves[i].points[-1][1])),
            xytext=(1 + by / (axes.bbox.width * scale), place / height),
            textcoords="axes fraction",
            va="center",
            fontsize=size,
            color=canvas.colour("models", i),
            arrowprops=leader if abs(place - true) > MOVED else None,
        )
    return taken
