"""Beside the spine: a panel for each block of the layers with what is inside it, and the wedge that leads to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.drawings.canvas import TINTS
from symparams.drawings.context import DrawingContext
from symparams.drawings.group import Group
from symparams.drawings.layout.pen import Pen
from symparams.drawings.marks import Rectangle, Tint, Wedge
from symparams.drawings.outline.columns import DrawingColumn, stacks
from symparams.drawings.outline.parts import AlternatingLayers, Block, blocks
from symparams.drawings.panels import panel, wish
from symparams.drawings.theme import theme

PANELS_APART = 9.0  # panels above one another
SLIM = 108.0  # beside layers whose branches stand side by side
HIGH, MOST_OF_SPINE = 450.0, 1.4  # panels with an expert opened: so high, or so much of the layers and what is above them
MOST_ABOVE = 2  # panels above one another, where layers that take turns have a left and a right side


@dataclass(frozen=True)
class Shelf:
    """The place for the panels of blocks: from x on, so wide, from the height of the layers' foot, at most from ``lowest``.

    ``side`` is that of the layers on which it is: -1 left, 1 right.
    """

    blocks: Sequence[Block]
    x: float
    width: float
    foot: float
    lowest: float
    side: int = 1


def inner(*columns: DrawingColumn) -> list[Block]:
    """The blocks of the layers of columns, each once, from below."""
    by_component: dict[Component, Block] = {}
    for column in columns:
        for stack in stacks(column):
            for block in blocks(stack.parts):
                if block.component.role is not Role.NORM:
                    by_component.setdefault(_nameless(block.component), block)
    return list(by_component.values())


def at_sides(drawn: Sequence[DrawingColumn], context: DrawingContext) -> tuple[dict[str, float], dict[str, float]]:
    """The panels at the left and at the right of a wide drawing, by the paths of their blocks: the width that each asks for.

    Of one column attention stands at the left and all else at the right; of several the blocks of the last stand at the right,
    and at the left those that only the others have.
    """
    *others, last = drawn
    asked = wishes(context, *(last, *others))
    if others:
        right = {block.path for block in inner(last)}
    else:
        right = {block.path for block in inner(last) if TINTS.get(block.component.role) is not Tint.ATTENTION}
    return (
        {path: width for path, width in asked.items() if path not in right},
        {path: width for path, width in asked.items() if path in right},
    )


def _nameless(component: Component) -> Component:
    """A component without the names of its parts: two that differ in these alone have one panel."""
    body = tuple((str(i) if name else "", _nameless(part)) for i, (name, part) in enumerate(component.body))
    return replace(component, name="", body=body)


def wishes(context: DrawingContext, *columns: DrawingColumn) -> dict[str, float]:
    """The width that each panel of columns asks for, by the path of its block."""
    asked = ((block.path, wish(block.component, _path(block), context)) for block in inner(*columns))
    return {path: width for path, width in asked if width}


def wanted(column: DrawingColumn, widths: Iterable[float], widening: float) -> float:
    """Return the width that the panels of a column get, which ask for these; 0 if it has none."""
    widest = max(widths, default=0.0)
    return min(widest, SLIM * widening) if column.forks else widest


def on_the_left(column: DrawingColumn, shown: Collection[str]) -> frozenset[str]:
    """Of the blocks with panels those whose panels stand left of the layers: of layers that take turns, the left stacks.

    None where there are few panels, which stand above one another.
    """
    if len(shown) <= MOST_ABOVE:
        return frozenset()
    groups = [group for part in column.spine if isinstance(part, AlternatingLayers) for group in part.groups]
    left = (stack for group in groups for stack in group[: len(group) // 2])
    return frozenset(block.path for stack in left for block in blocks(stack.parts)).intersection(shown)


def _path(block: Block) -> str:
    """The path of a block; of branches, that of the layer in which they stand."""
    return block.path.rpartition(".")[0] if block.component.role is Role.PARALLEL else block.path


def put_panels(pen: Pen, shelves: Sequence[Shelf], top: float, *, is_level: bool) -> float:
    """The panels from below, moved down where they are taller than the spine, which ends at ``top``: how high they reach."""
    highest = top
    for shelf in shelves:
        shown, height = _shown(pen, shelf, is_open=True)
        if height > max(HIGH, MOST_OF_SPINE * (shelf.foot - top)):
            shown, height = _shown(pen, shelf, is_open=False)
        y = min(shelf.lowest, max(shelf.foot, top + height)) if shown else top
        for block, group in shown:
            y -= group.height
            pen.marks += group.moved(shelf.x, y).marks
            place = Rectangle(shelf.x, y, group.width, group.height)
            _wedge(pen, block, place, shelf.side, is_level=is_level)
            y -= PANELS_APART
        highest = min(highest, y + PANELS_APART if shown else top)
    return highest


def _shown(pen: Pen, shelf: Shelf, *, is_open: bool) -> tuple[list[tuple[Block, Group]], float]:
    """The panels of a shelf, those of mixtures with one expert opened or without, and the height that all of them take."""
    panels = (
        (block, panel(block.component, _path(block), pen.context, shelf.width, is_open=is_open)) for block in shelf.blocks
    )
    shown = [(block, group) for block, group in panels if group is not None]
    return shown, sum(group.height for _, group in shown) + PANELS_APART * (len(shown) - 1)


def _wedge(pen: Pen, block: Block, place: Rectangle, side: int, *, is_level: bool) -> None:
    """From a block to its panel; from one of two branches level to the edge of the layer, upon none of its lines."""
    box = pen.places[block.path]
    tint = TINTS.get(block.component.role, Tint.FEED_FORWARD)
    around = [outer for path, outer in pen.places.items() if block.path.startswith(f"{path}.")]
    start, end = (box.right, place.x) if side > 0 else (box.x, place.right)
    edges = [outer.right if side > 0 else outer.x for outer in around] if is_level else []
    edge = (max if side > 0 else min)(edges, default=start)
    round_by, panel_by = theme().corners["box"], theme().corners["panel"]
    top, foot = box.y + round_by, box.bottom - round_by  # no corner of it shows beside a round one
    corners = [(start, foot), (edge, foot), (end, place.bottom - panel_by), (end, place.y + panel_by), (edge, top)]
    pen.marks.append(Wedge((*dict.fromkeys([*corners, (start, top)]),), tint))


def layers_foot(pen: Pen, column: DrawingColumn) -> float:
    """The lower edge of the first stack."""
    return max((pen.places[stack.path].bottom for stack in stacks(column)), default=0.0)
