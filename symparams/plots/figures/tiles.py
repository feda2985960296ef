"""Tiles: parameters as areas, each with its name, its count and its share; names that have no room stand below."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from symparams.drawings.marks import Face
from symparams.plots.figures.canvas import GAP, Canvas
from symparams.plots.lettering import EDGE, TICK, WIDTH
from symparams.plots.pictures import Tiles
from symparams.plots.tiling import WIDE, Area, Letters, Place, Tiling, Writing


def draw(canvas: Canvas) -> None:
    """Draw the tiles of a plot."""
    picture = canvas.plot.picture
    assert isinstance(picture, Tiles)
    letters = Letters(
        canvas.lettering.math,
        lambda text, bold=False: canvas.width(text, TICK, bold=bold),
        lambda text, room: canvas.wrapped(text, room, whole=True),
    )
    tiling = Tiling(canvas.lettering, letters, picture)
    heads = ((tiling.total, 9.0, Face.TOTAL), (tiling.active, 18.5, Face.NOTE))
    canvas.beside_title = max(canvas.width(text, canvas.size(face)) for text, _, face in heads if text) + 2 * GAP
    foot = [*map(canvas.lettering.math, canvas.plot.foot), *([tiling.foot] if tiling.foot else [])]
    axes = canvas.axes(tiling.height, EDGE, EDGE, foot, below=EDGE + 1)
    axes.set_xlim(0, WIDE)
    axes.set_ylim(0, tiling.height)
    axes.axis("off")
    for area in tiling.areas:
        _paint(canvas, axes, area)
    for writing in tiling.writings:
        _write(canvas, axes, writing)
    high = canvas.figure.get_size_inches()[1] * 72
    for text, below, face in heads if canvas.with_title else ():
        if text:
            canvas.text(text, 1 - EDGE / WIDTH, 1 - below / high, face, ha="right")


def _paint(canvas: Canvas, axes: Axes, area: Area) -> None:
    """An area, over it its pieces."""
    colours = canvas.palette.blocks[area.tint] if area.tint else None
    edge = colours.line if colours else canvas.palette.ink
    fill = "none" if colours is None else colours.line if area.strong else colours.fill

    def paint(at: Place, fill: str, line: float) -> Rectangle:
        box = Rectangle((at.x, at.y), at.width, at.height, facecolor=fill, edgecolor=edge, clip_on=False)
        box.set(linewidth=line, zorder=3 if colours else 5)
        axes.add_patch(box)
        return box

    whole = paint(area.place, fill, 0.6)
    if area.tile is not None:
        whole.set_gid(f"{'series' if area.is_true else 'mark'} {canvas.lettering.text(area.tile.name)} {area.tile.count}")
    for number in area.used:
        paint(area.piece(number), edge, 0.3)
    first, last = area.piece(0), area.piece(area.columns * area.rows - 1)
    lines = {"color": edge, "linewidth": 0.3, "zorder": 3}
    for column in range(1, area.columns):
        axes.plot([first.x + column * first.width] * 2, [first.y, last.y + last.height], **lines)
    for row in range(1, area.rows):
        axes.plot([first.x, last.x + last.width], [first.y + row * first.height] * 2, **lines)


def _write(canvas: Canvas, axes: Axes, writing: Writing) -> None:
    card = {"zorder": 9, "bbox": canvas.card()} if writing.on_card else {"zorder": 8}
    axes.text(
        writing.x,
        writing.y,
        "\n".join(writing.lines),
        ha="left" if writing.starts else "center",
        va="top" if writing.on_card and writing.starts else "center",
        fontsize=TICK,
        fontweight="bold" if writing.bold else "normal",
        color=canvas.palette.soft if writing.soft else canvas.palette.ink,
        **card,
    )
