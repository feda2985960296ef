"""Lines: curves with their names at their ends, levels across them, rings where a fact is."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from matplotlib.axes import Axes

from symparams.drawings.marks import Face
from symparams.plots.figures.canvas import TICK, Canvas
from symparams.plots.pictures import Level, Lines

HEIGHT, LEFT, APART, MOVED, LEAST_RIGHT, MOST_RIGHT = 120.0, 22.0, 8.4, 2.0, 30.0, 90.0
DASHES: Sequence[Any] = ("-", (0, (5, 1.2)), "-", (0, (1.4, 1)))
OTHERS: Sequence[Any] = ((0, (3, 1, 1, 1)), (0, (2, 1)), (0, (6, 1, 1, 1, 1, 1)), (0, (4, 2)))


def draw(canvas: Canvas) -> None:
    """Draw the lines of a plot."""
    picture = canvas.plot.picture
    assert isinstance(picture, Lines)
    names = [canvas.lettering.math(curve.name) for curve in picture.curves]
    size = canvas.size(Face.NOTE)
    right = min(MOST_RIGHT, max(LEAST_RIGHT, *(canvas.width(name, size) + 8 for name in names)))
    foot = [
        ("○ " if picture.rings and not i else "") + canvas.lettering.math(value) for i, value in enumerate(canvas.plot.foot)
    ]
    values = [y for curve in picture.curves for _, y in curve.points] + [level.value for level in picture.levels]
    places = [x for curve in picture.curves for x, _ in curve.points]
    low, high = Fraction(min(values)), Fraction(max(values))
    low, high = (low * 3 / 4, high * 5 / 4) if picture.y.is_log and low > 0 else (Fraction(0), high * 11 / 10)
    y = picture.y if low > 0 or not picture.y.is_log else type(picture.y)(picture.y.name, picture.y.unit, is_log=False)
    left = max(LEFT, canvas.left_of(y, low, high, HEIGHT))
    axes = canvas.axes(HEIGHT, left, right, foot)
    canvas.scale(axes, picture.x, "x", min(places), max(places))
    canvas.scale(axes, y, "y", low, high)
    for level in picture.levels:
        axes.axhline(float(level.value), color=canvas.palette.soft, linewidth=0.7, dashes=(3, 2.2), zorder=1.5)
        _name_level(canvas, axes, picture, level)
    for i, (curve, name) in enumerate(zip(picture.curves, names, strict=True)):
        style = DASHES[i] if i < len(DASHES) else OTHERS[i % len(OTHERS)]
        [line] = axes.plot(
            [float(x) for x, _ in curve.points],
            [float(amount) for _, amount in curve.points],
            color=canvas.colour("models", i),
            linestyle=style,
            linewidth=1.25,
            zorder=3,
            clip_on=False,
        )
        line.set_gid(f"series {name}")
    for i, x, amount in picture.rings:
        look = {"markerfacecolor": canvas.palette.paper, "markeredgecolor": canvas.colour("models", i), "markeredgewidth": 1.0}
        [ring] = axes.plot([x], [float(amount)], "o", markersize=3.6, zorder=4, **look)
        ring.set_gid(f"mark {names[i]} {x}")
    _label(canvas, axes, picture, names)


def _name_level(canvas: Canvas, axes: Axes, picture: Lines, level: Level) -> None:
    """Write what a level is above it or below it, at the left or at the right, where no line comes near."""
    name = canvas.lettering.math(level.name)
    scale, wide = 72.0 / canvas.figure.dpi, canvas.width(name, TICK)
    own = axes.transData.transform((1.0, float(level.value)))[1] * scale
    left, right = axes.bbox.x0 * scale, axes.bbox.x1 * scale

    def room(x: float, y: float) -> float:
        """How near a line comes to the middle of a name there."""
        nearest = 99.0
        for curve in picture.curves:
            for (x0, y0), (x1, y1) in pairwise(curve.points):
                (a, b), (c, d) = (axes.transData.transform((float(u), float(v))) * scale for u, v in ((x0, y0), (x1, y1)))
                if c > x and a < x + wide:
                    ends = [b + (d - b) * min(max((at - a) / (c - a), 0), 1) for at in (x, x + wide)]
                    nearest = min(nearest, 0.0 if min(ends) < y < max(ends) else min(abs(end - y) for end in ends))
        return nearest

    tries = [(x, own + up) for x in (left + 2.5, right - wide - 2.5) for up in (4.6, -4.6)]
    x, y = max(tries, key=lambda place: min(room(*place), 6.0))
    canvas.note(axes, name, (0, 0), (x - left, y - axes.bbox.y0 * scale))


def _label(canvas: Canvas, axes: Axes, picture: Lines, names: Sequence[str]) -> None:
    """Write each name at the end of its line, pushed apart where two would meet, or above an end that comes early."""
    size = canvas.size(Face.NOTE)
    last = float(max(x for curve in picture.curves for x, _ in curve.points))
    bottom, height = axes.bbox.y0, axes.bbox.height
    scale = 72.0 / canvas.figure.dpi
    ends = []
    for i, curve in enumerate(picture.curves):
        x, amount = curve.points[-1]
        place = (axes.transData.transform((float(x), float(amount)))[1] - bottom) * scale
        if x < last:
            colour = canvas.colour("models", i)
            canvas.note(axes, names[i], (x, float(amount)), (0, 6), xycoords="data", ha="center", fontsize=size, color=colour)
        else:
            ends.append((place, i))
    ends.sort()
    places = [place for place, _ in ends]
    for _ in range(40):
        for j in range(len(places) - 1):
            if (lack := APART - (places[j + 1] - places[j])) > 0:
                places[j] -= lack / 2
                places[j + 1] += lack / 2
    for place, (true, i) in zip(places, ends, strict=True):
        leader = {"arrowstyle": "-", "linewidth": 0.4, "color": canvas.palette.soft, "shrinkA": 0, "shrinkB": 1}
        axes.annotate(
            names[i],
            (last, float(picture.curves[i].points[-1][1])),
            xytext=(1 + 3 / (axes.bbox.width * scale), place / (height * scale)),
            textcoords="axes fraction",
            va="center",
            fontsize=size,
            color=canvas.colour("models", i),
            arrowprops=leader if abs(place - true) > MOVED else None,
        )
