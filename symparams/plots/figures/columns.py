"""Columns: bars one upon another over a letter, the total above each, levels across."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from symparams.drawings.marks import Face
from symparams.plots.figures.canvas import UNIT, Canvas
from symparams.plots.lettering import TICK
from symparams.plots.pictures import Columns

HEIGHT, LEFT, RIGHT, WIDE = 122.0, 24.0, 34.0, 0.82
COLUMNS_OF_KEYS, KEY, MANY = 3, 1.3, 6  # lines of a legend's line; columns whose totals are written smaller


def draw(canvas: Canvas) -> None:
    """Draw the columns of a plot."""
    picture = canvas.plot.picture
    assert isinstance(picture, Columns)
    places = list(dict.fromkeys(column.place for column in picture.columns))
    each = len(picture.columns) // len(places)
    foot = [canvas.lettering.math(value) for value in canvas.plot.foot]
    rows = -(-len(picture.names) // COLUMNS_OF_KEYS)
    highest = max(Fraction(sum(column.parts)) for column in picture.columns)
    left = max(LEFT, canvas.left_of(picture.y, 0, highest * 11 / 10, HEIGHT))
    axes = canvas.axes(HEIGHT, left, RIGHT if picture.levels else 6, foot, keys=rows * KEY)
    canvas.scale(axes, picture.y, "y", 0, highest * 11 / 10)
    colours = [canvas.colour("states", i) for i in range(len(picture.names) - 1)] + [canvas.colour("activations")]
    unit = canvas.lettering.unit(picture.y.unit, (0, highest))
    tops = []
    for i, column in enumerate(picture.columns):
        x, bottom = i // each + (i % each - (each - 1) / 2) * WIDE / each, 0.0
        for part, colour, name in zip(column.parts, colours, picture.names, strict=True):
            [bar] = axes.bar(
                [x],
                [float(part)],
                width=WIDE / each * 0.94,
                bottom=bottom,
                color=colour,
                edgecolor=canvas.palette.wire,
                linewidth=0.4,
                zorder=3,
            )
            bar.set_gid(f"series {canvas.lettering.text(name)} {column.place}")
            bottom += float(part)
        tops.append((x, bottom, canvas.lettering.rough(Fraction(sum(column.parts)) / 10 ** unit[0])))
    axes.set_xlim(-0.5, len(places) - 0.5)
    _write_totals(canvas, axes, tops, TICK - 0.6 - (each > 1 and len(places) > MANY))
    names = [canvas.lettering.number(place) for place in places]
    room = axes.bbox.width * UNIT / canvas.figure.dpi / len(places)
    step = ceil((max(canvas.width(name, TICK) for name in names) + 3) / room)
    axes.set_xticks(range(len(places))[::step], names[::step])
    axes.tick_params(axis="x", length=0)
    axes.set_xlabel(
        canvas.lettering.math(picture.x.name), fontsize=canvas.size(Face.NOTE), color=canvas.palette.soft, labelpad=1.5
    )
    for level in picture.levels:
        axes.axhline(float(level.value), color=canvas.palette.soft, linewidth=0.6, dashes=(3, 2.2), zorder=2)
        canvas.note(
            axes, canvas.lettering.math(level.name), (1, float(level.value)), (2, 0), xycoords=("axes fraction", "data")
        )
    keys = [
        Patch(facecolor=colour, edgecolor=canvas.palette.wire, linewidth=0.4, label=canvas.lettering.math(name))
        for colour, name in zip(colours, picture.names, strict=True)
    ]
    canvas.legend(keys, COLUMNS_OF_KEYS)


def _write_totals(canvas: Canvas, axes: Axes, tops: Sequence[tuple[float, float, str]], size: float) -> None:
    """Write the total above each column, those of high ones first; one that would lie upon another is left to the table."""
    scale, taken = UNIT / canvas.figure.dpi, list[tuple[float, float, float]]()
    behind = {"facecolor": canvas.palette.paper, "edgecolor": "none", "pad": 0.4, "alpha": 0.85}
    above = {"xycoords": "data", "ha": "center", "va": "baseline", "zorder": 6, "bbox": behind}
    for x, top, total in sorted(tops, key=lambda column: -column[1]):
        at, up = axes.transData.transform((x, top)) * scale
        half = canvas.width(total, size) / 2 + 0.4
        if all(abs(at - other) >= half + wide or abs(up - high) >= size for other, high, wide in taken):
            taken.append((at, up, half))
            canvas.note(axes, total, (x, top), (0, 1.5), fontsize=size, color=canvas.palette.ink, **above)
