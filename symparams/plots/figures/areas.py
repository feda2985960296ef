"""Areas: parts of a whole one upon another, their names within them, and where the strong one is half."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import log2

from symparams.drawings.marks import Face, Tint
from symparams.plots.figures.canvas import Canvas
from symparams.plots.lettering import WIDTH
from symparams.plots.pictures import SHARE, Areas, Axis, Curve

HEIGHT, LEFT, RIGHT, LEAST, LETTERS = 112.0, 22.0, 46.0, 0.062, 0.72  # the height of letters, of their size


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
    after = picture.half[0] if picture.half is not None else None
    named = {
        i: place
        for i, (curve, low, high) in enumerate(bands)
        if (place := _place(canvas, picture, curve, xs, low, high, after if curve.strong else None)) is not None
    }
    thin = [curve for i, (curve, _, _) in enumerate(bands) if i not in named]
    parts = [canvas.lettering.math(curve.name) for curve in thin]
    joint = str(canvas.lettering.words.catalogue.entry("signs.list"))
    pattern = str(canvas.lettering.words.catalogue.entry("plots.too_thin"))
    foot = [canvas.lettering.math(value) for value in canvas.plot.foot] + (
        [pattern.format(parts=joint.join(parts))] if thin else []
    )
    axes = canvas.axes(HEIGHT, LEFT, RIGHT, foot)
    canvas.scale(axes, picture.x, "x", int(xs[0]), int(xs[-1]))
    canvas.scale(axes, Axis(picture.x.name, SHARE, is_log=False), "y", 0, 1, ticks=[Fraction(i, 4) for i in range(5)])
    for i, (curve, low, high) in enumerate(bands):
        colours = canvas.palette.blocks[curve.tint or Tint.PLAIN]
        fill = canvas.colour("pairs") if curve.strong else colours.fill
        area = axes.fill_between(xs, low, high, facecolor=fill, edgecolor=colours.line, linewidth=0.5, zorder=2)
        area.set_hatch("////" if curve.strong else None)
        area.set_gid(f"series {canvas.lettering.text(curve.name)}")
        if i in named:
            name, size = canvas.lettering.math(curve.name), canvas.size(Face.NOTE)
            axes.text(*named[i], name, ha="center", va="center", fontsize=size, color=canvas.palette.ink, zorder=6)
    if picture.half is not None:
        at, words = picture.half
        mark = canvas.colour("models", 2)
        axes.plot([at, at, xs[-1]], [0, 0.5, 0.5], color=mark, linewidth=1, zorder=4)
        canvas.ring(axes, at, 0.5, mark)
        lines = canvas.wrapped(canvas.lettering.math(words), RIGHT - 4)
        canvas.note(axes, "\n".join(lines), (1, 0.5), (3, 0), color=mark)
    percent = str(canvas.lettering.words.catalogue.head["percent"])
    for curve, low, high in bands:
        if curve.strong and high[-1] - low[-1] >= LEAST:
            part, middle = high[-1] - low[-1], (high[-1] + low[-1]) / 2
            middle = middle if picture.half is None or abs(middle - 0.5) > 0.15 else 0.72
            canvas.note(axes, percent.format(number=f"{part * 100:.1f}"), (1, middle), (3, 0))


def _place(
    canvas: Canvas,
    picture: Areas,
    curve: Curve,
    xs: Sequence[float],
    low: Sequence[float],
    high: Sequence[float],
    after: int | None,
) -> tuple[float, float] | None:
    """Where the name of an area has most room between its edges, after a mark that crosses it; None where it has too little."""
    width, size = canvas.width(canvas.lettering.math(curve.name), canvas.size(Face.NOTE)), canvas.size(Face.NOTE)
    places = [log2(x / xs[0]) / log2(xs[-1] / xs[0]) if picture.x.is_log else (x - xs[0]) / (xs[-1] - xs[0]) for x in xs]
    half = width / (WIDTH - LEFT - RIGHT) / 2 + 0.02
    least = half if after is None else max(half, places[xs.index(float(after))] + half)
    found = None
    for i in [i for i, place in enumerate(places) if least <= place <= 1 - half]:
        around = [j for j, place in enumerate(places) if abs(place - places[i]) <= half]
        top, bottom = min(high[j] for j in around), max(low[j] for j in around)
        if after is not None:  # beneath the line of the half
            top = min(top, 0.5)
        if found is None or top - bottom > found[0]:
            found = (top - bottom, xs[i], (top + bottom) / 2)
    return None if found is None or found[0] * HEIGHT < LETTERS * size else found[1:]
