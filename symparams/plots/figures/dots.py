"""Dots: models by two numbers, with the line on which both are equal, and below their ratio."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from symparams.drawings.marks import Tint
from symparams.plots.figures.canvas import Canvas
from symparams.plots.lettering import TICK, WIDTH
from symparams.plots.pictures import Dots

UPPER, LOWER, BETWEEN, LEFT, RIGHT = 84.0, 74.0, 20.0, 30.0, 10.0
NAMED, BESIDE, LINE = 7, 3.6, 8.5  # models; points from a dot to its name, and between names


def draw(canvas: Canvas) -> None:
    """Draw the dots of a plot, and their ratios below."""
    picture = canvas.plot.picture
    assert isinstance(picture, Dots)
    words = canvas.lettering.words.catalogue
    foot = [canvas.lettering.math(value) for value in canvas.plot.foot]
    lower = canvas.axes(UPPER + BETWEEN + LOWER, LEFT, RIGHT, foot, keys=1)
    box = lower.get_position()
    whole = UPPER + BETWEEN + LOWER
    lower.set_position((box.x0, box.y0, box.width, box.height * LOWER / whole))
    upper = canvas.figure.add_axes(
        (box.x0, box.y0 + box.height * (LOWER + BETWEEN) / whole, box.width, box.height * UPPER / whole)
    )
    canvas.style(upper)
    xs, ys = [dot.x for dot in picture.dots], [dot.y for dot in picture.dots]
    low, high = min(*xs, *ys), max(*xs, *ys)
    ends = (low * 2 // 3, high * 3 // 2)
    canvas.scale(upper, picture.x, "x", *ends)
    upper.set_xlabel("")
    upper.set_xticklabels([])
    canvas.scale(upper, picture.y, "y", *ends)
    canvas.scale(lower, picture.x, "x", *ends)
    ratios = [dot.y / dot.x for dot in picture.dots]
    powers = [2**i for i in range(-3, 12) if min(ratios) / 1.3 <= 2**i <= max(ratios) * 1.5]
    canvas.scale(lower, picture.ratio, "y", 1, 2, ticks=powers)
    lower.set_ylim(min(*ratios, 1) / 1.3, max(*ratios, 1) * 1.5)
    upper.plot(ends, ends, color=canvas.palette.soft, linewidth=0.8, dashes=(3, 2), zorder=2)
    lower.axhline(1, color=canvas.palette.soft, linewidth=0.8, dashes=(3, 2), zorder=2)
    for dot, ratio in zip(picture.dots, ratios, strict=True):
        sign = _sign(canvas, is_mixture=dot.is_mixture)
        for axes, y in ((upper, dot.y), (lower, ratio)):
            [mark] = axes.plot([dot.x], [y], markersize=3.2 if dot.is_mixture else 2.6, zorder=3, linestyle="none", **sign)
            mark.set_gid(f"mark {dot.name}")
    _names(canvas, lower, picture, ratios)
    keys = [
        Line2D(
            [],
            [],
            linestyle="none",
            markersize=3.6,
            label=str(words.entry(f"plots.rule.{key}")),
            **_sign(canvas, is_mixture=is_mixture),
        )
        for key, is_mixture in (("dense", False), ("mixture", True))
        if any(dot.is_mixture is is_mixture for dot in picture.dots)
    ]
    canvas.legend(keys, len(keys))


def _sign(canvas: Canvas, *, is_mixture: bool) -> dict[str, Any]:
    """The sign of a model."""
    colours = canvas.palette.blocks[Tint.FEED_FORWARD]
    if is_mixture:
        return {"marker": "D", "color": colours.fill, "markeredgecolor": colours.line, "markeredgewidth": 0.6}
    return {"marker": "o", "color": canvas.palette.soft, "markeredgecolor": "none", "alpha": 0.6}


def _names(canvas: Canvas, axes: Axes, picture: Dots, ratios: Sequence[float]) -> None:
    """Name the models that are furthest from the rule, as far as their names have room."""
    (xlow, xhigh), (ylow, yhigh) = axes.get_xlim(), axes.get_ylim()
    wide, tall = WIDTH - LEFT - RIGHT, LOWER
    places = [
        (log(dot.x / xlow) / log(xhigh / xlow) * wide, log(ratio / ylow) / log(yhigh / ylow) * tall)
        for dot, ratio in zip(picture.dots, ratios, strict=True)
    ]
    taken: list[tuple[float, float, float]] = []
    for i in sorted(range(len(ratios)), key=lambda i: -abs(log(ratios[i])))[: 4 * NAMED]:
        x, y = places[i]
        name = picture.dots[i].name.replace("$", r"\$")
        width = canvas.width(name, TICK)
        start = x + BESIDE if x + BESIDE + width < wide else x - BESIDE - width
        meets_name = any(abs(y - other) < LINE and start < end + 3 and begin < start + width + 3 for begin, end, other in taken)
        others = (place for j, place in enumerate(places) if j != i)
        if meets_name or any(start - 2 < a < start + width + 2 and abs(b - y) < LINE / 2 for a, b in others):
            continue
        taken.append((start, start + width, y))
        canvas.note(axes, name, (0, 0), (start, y), color=canvas.palette.ink)
        if len(taken) == NAMED:
            return
