"""Areas: parts of a whole one upon another, their names within them, and where the strong one is half."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import log2

from matplotlib.axes import Axes

from symparams.drawings.marks import Face, Tint
from symparams.plots.figures.canvas import WIDTH, Canvas
from symparams.plots.pictures import SHARE, Areas, Axis, Curve

HEIGHT, LEFT, RIGHT, LEAST = 112.0, 22.0, 46.0, 0.062


def draw(canvas: Canvas) -> None:
    """Draw the areas of a plot."""
    picture = canvas.plot.picture
    assert isinstance(picture, Areas)
    xs = [float(x) for x, _ in picture.curves[0].points]
    below, bands = [0.0] * len(xs), []
    for curve in picture.curves:
        above = [low + float(part) for low, (_, part) in zip(below, curve.points, strict=True)]
        bands.append((curve, below, above))
        below = above
    thin = [curve for curve, low, high in bands if max(b - a for a, b in zip(low, high, strict=True)) < LEAST]
    parts = [canvas.lettering.math(curve.name) for curve in thin]
    joint = str(canvas.lettering.words.catalogue.entry("signs.list"))
    pattern = str(canvas.lettering.words.catalogue.entry("plots.too_thin"))
    foot = [canvas.lettering.math(value) for value in canvas.plot.foot] + (
        [pattern.format(parts=joint.join(parts))] if thin else []
    )
    axes = canvas.axes(HEIGHT, LEFT, RIGHT, foot)
    canvas.scale(axes, picture.x, "x", int(xs[0]), int(xs[-1]))
    canvas.scale(axes, Axis(picture.x.name, SHARE, is_log=False), "y", 0, 1, ticks=[Fraction(i, 4) for i in range(5)])
    for curve, low, high in bands:
        colours = canvas.palette.blocks[curve.tint or Tint.PLAIN]
        fill = canvas.colour("pairs") if curve.strong else colours.fill
        area = axes.fill_between(xs, low, high, facecolor=fill, edgecolor=colours.line, linewidth=0.5, zorder=2)
        area.set_hatch("////" if curve.strong else None)
        area.set_gid(f"series {canvas.lettering.math(curve.name)}")
        if curve not in thin:
            _name(canvas, axes, curve, xs, low, high, picture.half[0] if picture.half is not None and curve.strong else None)
    if picture.half is not None:
        at, words = picture.half
        mark = canvas.colour("models", 2)
        axes.plot([at, at, xs[-1]], [0, 0.5, 0.5], color=mark, linewidth=1, zorder=4)
        axes.plot(
            [at],
            [0.5],
            "o",
            markersize=4,
            markerfacecolor=canvas.palette.paper,
            markeredgecolor=mark,
            markeredgewidth=1,
            zorder=5,
        )
        lines = canvas.wrapped(canvas.lettering.math(words), RIGHT - 4)
        canvas.note(axes, "\n".join(lines), (1, 0.5), (3, 0), color=mark)
    percent = str(canvas.lettering.words.catalogue.head["percent"])
    for curve, low, high in bands:
        if curve.strong:
            part, middle = high[-1] - low[-1], (high[-1] + low[-1]) / 2
            middle = middle if picture.half is None or abs(middle - 0.5) > 0.15 else 0.72
            canvas.note(axes, percent.format(number=f"{part * 100:.1f}"), (1, middle), (3, 0))


def _name(
    canvas: Canvas,
    axes: Axes,
    curve: Curve,
    xs: Sequence[float],
    low: Sequence[float],
    high: Sequence[float],
    after: int | None,
) -> None:
    """Write the name of an area where it is thickest, within its ends and, where a mark crosses it, beneath the mark."""
    name, size = canvas.lettering.math(curve.name), canvas.size(Face.NOTE)
    is_log = axes.get_xscale() == "log"
    places = [log2(x / xs[0]) / log2(xs[-1] / xs[0]) if is_log else (x - xs[0]) / (xs[-1] - xs[0]) for x in xs]
    half = canvas.width(name, size) / (WIDTH - LEFT - RIGHT) / 2 + 0.02
    least = half if after is None else max(half, places[xs.index(float(after))] + half)
    inside = [i for i, place in enumerate(places) if least <= place <= 1 - half] or [len(xs) // 2]
    best = max(inside, key=lambda i: min(high[j] - low[j] for j in _around(places, places[i], half)))
    y = (high[best] + low[best]) / 2 if after is None else 0.25
    axes.text(xs[best], y, name, ha="center", va="center", fontsize=size, color=canvas.palette.ink, zorder=6)


def _around(places: Sequence[float], place: float, half: float) -> list[int]:
    """The points that a name stands over."""
    return [j for j, other in enumerate(places) if abs(other - place) <= half]
