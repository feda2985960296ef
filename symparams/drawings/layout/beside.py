"""Beside the spine: a panel for each block of the layers with what is inside it, and the wedge that leads to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product

from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.drawings.badges import BADGE, badge, badges
from symparams.drawings.canvas import TINTS
from symparams.drawings.context import DrawingContext
from symparams.drawings.layout.pen import Layout, Pen
from symparams.drawings.lettering.lettering import cut, rounded
from symparams.drawings.marks import Box, Frame, Group, Rectangle, Tint, Wedge
from symparams.drawings.outline.columns import DrawingColumn, stacks
from symparams.drawings.outline.parts import AlternatingLayers, Block, blocks, nameless
from symparams.drawings.panels import panel, wish
from symparams.drawings.theme import theme
from symparams.records import frozen

PANELS_APART = 9.0  # panels above one another
PANEL_BADGE = 2.0  # the number of a panel from its edge
SLIM = 108.0  # beside layers whose branches stand side by side
# Panels with an expert opened: so high, or so much of the layers and what is above them.
HIGH, MOST_OF_SPINE = {Layout.TALL: 450.0, Layout.WIDE: 320.0}, {Layout.TALL: 1.4, Layout.WIDE: 1.0}
# Of a wide drawing: how wide the panels of a side may be; what a point of width costs in points of height, and a panel that
# stands on the other side than its block; more panels than can be tried stand each on the side of its block.
ACROSS = (131.0, 150.0, 170.0, 190.0)
OF_WIDTH, DISPLACED, MOST_TRIED, CUT = 0.35, 40.0, 10, 1000.0
MOST_ABOVE = 2  # panels above one another, where layers that take turns have a left and a right side


@frozen
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
                    by_component.setdefault(nameless(block.component), block)
    return list(by_component.values())


def at_sides(drawn: Sequence[DrawingColumn], context: DrawingContext) -> tuple[dict[str, float], dict[str, float]]:
    """The panels at the left and at the right of several columns of a wide drawing, by the paths of their blocks: the width
    that each asks for. The blocks of the last column stand at the right, and at the left those that only the others have.
    """
    *others, last = drawn
    asked = wishes(context, *(last, *others))
    right = {block.path for block in inner(last)}
    return (
        {path: width for path, width in asked.items() if path not in right},
        {path: width for path, width in asked.items() if path in right},
    )


@frozen
class Sides:
    """The panels at both sides of the only column of a wide drawing: those at the left, and how wide each side is."""

    left: frozenset[str]  # by the paths of their blocks
    before: float
    after: float


def balanced(pen: Pen, column: DrawingColumn, x: float, height: float) -> Sides:
    """The sides and widths of panels with which a drawing is low and not too wide; the column stands around x, so high.

    A block left or right of the middle has its panel there, of those in the middle attention at the left and all else at the
    right: another side costs a little.
    """
    widths = [width * pen.context.widening for width in ACROSS]
    found = [(block, [panel(block.component, _path(block), pen.context, width) for width in widths]) for block in inner(column)]
    tried = [(block, [_height(group) for group in groups]) for block, groups in found if all(groups)]
    at_left = [_is_left(pen.places[block.path], x, block) for block, _ in tried]
    ways = product((False, True), repeat=len(tried)) if len(tried) <= MOST_TRIED else [tuple(at_left)]

    def side(number: int, way: tuple[bool, ...], *, is_left: bool) -> tuple[float, float]:
        """The height and the width of the panels at a side."""
        high = [heights[number] for (_, heights), here in zip(tried, way, strict=True) if here is is_left]
        return sum(high) + PANELS_APART * (len(high) - 1), widths[number] if high else 0.0

    def cost(left: tuple[float, float], right: tuple[float, float], way: tuple[bool, ...]) -> float:
        displaced = sum(here is not there for here, there in zip(way, at_left, strict=True))
        return max(height, left[0], right[0]) + OF_WIDTH * (left[1] + right[1]) + DISPLACED * displaced

    best = min(
        (
            (cost(left, right, way), left[1], right[1], way)
            for way in ways
            for left in {side(number, way, is_left=True) for number in range(len(widths))}
            for right in {side(number, way, is_left=False) for number in range(len(widths))}
        ),
        default=(0.0, 0.0, 0.0, ()),
    )
    return Sides(frozenset(block.path for (block, _), here in zip(tried, best[3], strict=True) if here), best[1], best[2])


def _height(group: Group | None) -> float:
    """The height of a panel; one in which words are cut, or a count is rounded, costs as much as no other."""
    assert group is not None
    return group.height + CUT * (bool(rounded(group.marks)) + bool(cut(group.marks)))


def _is_left(place: Rectangle, x: float, block: Block) -> bool:
    if abs(place.middle - x) < 1:
        return TINTS.get(block.component.role) is Tint.ATTENTION
    return place.middle < x


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


def put_panels(pen: Pen, shelves: Sequence[Shelf], top: float, *, is_level: bool) -> tuple[float, dict[str, Frame]]:
    """The panels from below, moved down where they are taller than the spine, which ends at ``top``: how high they reach, and
    the frame of that of each block, by its path.
    """
    highest, frames = top, dict[str, Frame]()
    for shelf in shelves:
        shown, height = _shown(pen, shelf, is_open=not pen.is_on_sheet)
        if height > max(HIGH[pen.layout], MOST_OF_SPINE[pen.layout] * (shelf.foot - top)):
            shown, height = _shown(pen, shelf, is_open=False)
        y = min(shelf.lowest, max(shelf.foot, top + height)) if shown else top
        for block, group in shown:
            y -= group.height
            marks = group.moved(shelf.x, y).marks
            pen.marks += marks
            frames[block.path] = next(mark for mark in marks if isinstance(mark, Frame))  # which lies under all else
            _wedge(pen, block, frames[block.path].place, shelf.side, is_level=is_level)
            y -= PANELS_APART
        highest = min(highest, y + PANELS_APART if shown else top)
    return highest, frames


def put_badges(pen: Pen, columns: Sequence[DrawingColumn], panels: Mapping[str, Frame]) -> None:
    """A number at each panel and at the blocks whose inside it is: those that are alike have one panel, and one wedge."""
    every = [block for column in columns for stack in stacks(column) for block in blocks(stack.parts)]
    first = {nameless(block.component): block.path for block in inner(*columns[::-1])}
    from_below = sorted(panels, key=lambda path: (round(-pen.places[path].bottom), pen.places[path].x))
    numbers = {path: number for number, path in enumerate(from_below, 1)}
    of_blocks = {block.path: numbers.get(first.get(nameless(block.component), ""), 0) for block in every}
    on_spine = [box for box in pen.marks if isinstance(box, Box) and pen.places.get(box.part) == box.place]
    boxes = {box: of_blocks[box.part] for box in on_spine if of_blocks.get(box.part)}
    pen.marks += badges(pen.marks, boxes, pen.context.measure)
    for path, strip in panels.items():
        place = strip.place
        widest = max((pen.context.measure(line.pieces) * line.scale for line in strip.lines), default=0.0)
        has_room = widest / 2 + BADGE + PANEL_BADGE < place.width / 2
        middle = place.y + strip.strip / 2 if has_room else place.y - BADGE / 4
        pen.marks.append(badge(numbers[path], place.x + PANEL_BADGE, middle - BADGE / 2))


def _is_blocked(pen: Pen, path: str, side: int) -> bool:
    """True if another block, or another stack, stands between a block and the panels at a side."""
    own = [path, *(outer for outer in pen.places if path.startswith(f"{outer}."))]
    within = min(own[1:], key=lambda outer: pen.places[outer].width, default=path)
    return any(
        other.y < here.bottom and here.y < other.bottom and side * (other.middle - here.middle) > here.width / 2
        for here, others in ((pen.places[path], pen.drawn), (pen.places[within], pen.places.keys() - pen.drawn.keys()))
        for other in (pen.places[name] for name in others if name not in own)
    )


def _shown(pen: Pen, shelf: Shelf, *, is_open: bool) -> tuple[list[tuple[Block, Group]], float]:
    """The panels of a shelf, those of mixtures with one expert opened or without, and the height that all of them take."""
    from_below = sorted(shelf.blocks, key=lambda block: -pen.where(block.path).bottom)
    panels = ((block, panel(block.component, _path(block), pen.context, shelf.width, is_open=is_open)) for block in from_below)
    shown = [(block, group) for block, group in panels if group is not None]
    return shown, sum(group.height for _, group in shown) + PANELS_APART * (len(shown) - 1)


def _wedge(pen: Pen, block: Block, place: Rectangle, side: int, *, is_level: bool) -> None:
    """From a block to its panel; from one of two branches level to the edge of the layer, upon none of its lines.

    There is none past another block: in a wide drawing a number says what is whose inside.
    """
    box, is_wide = pen.places[block.path], pen.layout is Layout.WIDE
    if is_wide and _is_blocked(pen, block.path, side):
        return
    tint = TINTS.get(block.component.role, Tint.FEED_FORWARD)
    around = [outer for path, outer in pen.places.items() if block.path.startswith(f"{path}.")]
    start, end = (box.right, place.x) if side > 0 else (box.x, place.right)
    crossed = sorted((outer.right if side > 0 else outer.x for outer in around), key=lambda x: side * x)
    edge = start if not is_level or len(crossed) < (2 if is_wide else 1) else crossed[0 if is_wide else -1]
    round_by, panel_by = theme().corners["box"], theme().corners["panel"]
    top, foot = box.y + round_by, box.bottom - round_by  # no corner of it shows beside a round one
    corners = [(start, foot), (edge, foot), (end, place.bottom - panel_by), (end, place.y + panel_by), (edge, top)]
    pen.marks.append(Wedge((*dict.fromkeys([*corners, (start, top)]),), tint))


def layers_foot(pen: Pen, column: DrawingColumn) -> float:
    """The lower edge of the first stack."""
    return max((pen.places[stack.path].bottom for stack in stacks(column)), default=0.0)
