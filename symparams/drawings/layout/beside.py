"""Beside the spine: a panel for each block of the layers with what is inside it, and the wedge that leads to it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.drawings.context import DrawingContext
from symparams.drawings.layout.pen import TINTS, Pen
from symparams.drawings.marks import Rectangle, Tint, Wedge
from symparams.drawings.outline.columns import DrawingColumn, stacks
from symparams.drawings.outline.parts import Block, blocks
from symparams.drawings.panels import panel, wish
from symparams.drawings.theme import theme

PANELS_APART = 9.0  # panels above one another
SLIM = 108.0  # beside layers whose branches stand side by side


@dataclass(frozen=True)
class Shelf:
    """The place for panels: from x on, so wide, from the height of the layers' foot, at most from ``lowest``."""

    x: float
    width: float
    foot: float
    lowest: float


def inner(column: DrawingColumn) -> list[Block]:
    """The blocks of a column's layers, each once, from below."""
    by_component: dict[Component, Block] = {}
    for stack in stacks(column):
        for block in blocks(stack.parts):
            if block.component.role is not Role.NORM:
                by_component.setdefault(_nameless(block.component), block)
    return list(by_component.values())


def _nameless(component: Component) -> Component:
    """A component without the names of its parts: two that differ in these alone have one panel."""
    body = tuple((str(i) if name else "", _nameless(part)) for i, (name, part) in enumerate(component.body))
    return replace(component, name="", body=body)


def wanted(column: DrawingColumn, context: DrawingContext) -> float:
    """Return the width that the panels of a column ask for; 0 if it has none."""
    wishes = [wish(block.component, _path(block), context) for block in inner(column)]
    widest = max(wishes, default=0.0)
    return min(widest, SLIM * context.widening) if column.forks else widest


def _path(block: Block) -> str:
    """The path of a block; of branches, that of the layer in which they stand."""
    return block.path.rpartition(".")[0] if block.component.role is Role.PARALLEL else block.path


def put_panels(pen: Pen, column: DrawingColumn, shelf: Shelf, top: float) -> float:
    """The panels from below, moved down where they are taller than the spine, which ends at ``top``: how high they reach."""
    panels = [(block, panel(block.component, _path(block), pen.context, shelf.width)) for block in inner(column)]
    shown = [(block, group) for block, group in panels if group is not None]
    height = sum(group.height for _, group in shown) + PANELS_APART * (len(shown) - 1)
    y = min(shelf.lowest, max(shelf.foot, top + height)) if shown else top
    for block, group in shown:
        y -= group.height
        pen.marks += group.moved(shelf.x, y).marks
        _wedge(pen, block, Rectangle(shelf.x, y, group.width, group.height), is_level=column.forks or column.alternates)
        y -= PANELS_APART
    return y + PANELS_APART if shown else top


def _wedge(pen: Pen, block: Block, place: Rectangle, *, is_level: bool) -> None:
    """From a block to its panel; from one of two branches level to the edge of the layer, upon none of its lines."""
    box = pen.places[block.path]
    tint = TINTS.get(block.component.role, Tint.FEED_FORWARD)
    around = [outer.right for path, outer in pen.places.items() if block.path.startswith(f"{path}.")]
    edge = max(around, default=box.right) if is_level else box.right
    round_by, panel_by = theme().corners["box"], theme().corners["panel"]
    top, foot = box.y + round_by, box.bottom - round_by  # no corner of it shows beside a round one
    corners = [(box.right, foot), (edge, foot), (place.x, place.bottom - panel_by), (place.x, place.y + panel_by), (edge, top)]
    pen.marks.append(Wedge((*dict.fromkeys([*corners, (box.right, top)]),), tint))


def layers_foot(pen: Pen, column: DrawingColumn) -> float:
    """The lower edge of the first stack."""
    return max((pen.places[stack.path].bottom for stack in stacks(column)), default=0.0)
