"""What a reader must never see in a drawing: a text wider than its box, two boxes over another, a wire through either."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import NamedTuple

from symparams.drawings.badges import BADGE
from symparams.drawings.lettering.faces import SIZES, TextMeasure
from symparams.drawings.marks import Anchor, Box, Cells, Frame, Mark, Operation, Pill, Stroke, Text, Wire

EPSILON = 0.01
CAP, DEPTH = 0.72, 0.22  # of a text's size, above and below its base line
AIR = 0.6  # between a text and the edge of its box
CARD = 2.0
KINK = 4.0  # two turns of a wire that are closer
EDGE = 1.5  # between a wire and an edge beside it


class Area(NamedTuple):
    """What a mark covers."""

    left: float
    top: float
    right: float
    bottom: float
    what: str

    def overlaps(self, other: Area, air: float = -EPSILON) -> bool:
        return (
            self.left < other.right + air
            and other.left < self.right + air
            and self.top < other.bottom + air
            and other.top < self.bottom + air
        )

    def holds(self, other: Area, air: float = 0.0) -> bool:
        return (
            self.left + air <= other.left + EPSILON
            and other.right <= self.right - air + EPSILON
            and self.top + air <= other.top + EPSILON
            and other.bottom <= self.bottom - air + EPSILON
        )


def area(mark: Mark) -> Area | None:
    """The place of a box, with its cards; None of what has none."""
    match mark:
        case Box(place=place, part=part, cards=cards):
            more = CARD * (cards - 1)
            return Area(place.x, place.y - more, place.right + more, place.bottom, part)
        case Pill(place=place) | Frame(place=place):
            return Area(place.x, place.y, place.right, place.bottom, words(mark.lines))
        case Operation(x=x, y=y, sign=sign):
            return Area(x - 4, y - 4, x + 4, y + 4, sign)
        case Cells(x=x, y=y, size=size, gap=gap, in_a_row=in_a_row, number=number):
            rows = -(-number // in_a_row)
            return Area(x, y, x + min(number, in_a_row) * (size + gap) - gap, y + rows * (size + gap) - gap, "cells")
    return None


def text_area(text: Text, measure: TextMeasure) -> Area:
    """What a line of text covers, at its widest."""
    width = measure(text.pieces) * text.scale
    size = max(SIZES[piece.face] for piece in text.pieces) * text.scale
    left = {Anchor.START: text.x, Anchor.MIDDLE: text.x - width / 2, Anchor.END: text.x - width}[text.anchor]
    return Area(left, text.y - CAP * size, left + width, text.y + DEPTH * size, words((text,)))


def words(lines: tuple[Text, ...]) -> str:
    return " / ".join("".join(str(piece.value) for piece in line.pieces) for line in lines)


def faults(marks: tuple[Mark, ...], measure: TextMeasure, page: Area) -> Iterator[str]:
    """Each thing that is wrong with a drawing, in words."""
    badges = [area(mark) for mark in marks if isinstance(mark, Pill) and mark.place.width == mark.place.height == BADGE]
    solid = [found for mark in marks if isinstance(mark, (Box, Pill, Operation)) and (found := area(mark)) not in badges]
    for one, other in combinations(solid, 2):
        if one.overlaps(other):
            yield f"{one.what} over {other.what}"
    texts = [*_texts(marks, measure)]
    for one, other in combinations([text for text, _ in texts], 2):
        if one.overlaps(other):
            yield f"text {one.what!r} over {other.what!r}"
    for text, _ in texts:  # a badge stands upon the corner of a box, and upon no word
        yield from (f"badge {each.what} over {text.what!r}" for each in badges if each.overlaps(text) and not each.holds(text))
    for text, box in texts:
        if box is not None and not box.holds(text, AIR):
            yield f"text {text.what!r} out of {box.what}: {text[:4]} in {box[:4]}"
        if box is None:
            yield from (f"text {text.what!r} over {each.what}" for each in solid if text.overlaps(each))
        if not page.holds(text):
            yield f"text {text.what!r} beside the page"
    cells = [found for mark in marks if isinstance(mark, Cells) and (found := area(mark))]
    for grid in cells:
        if not any(each.holds(grid, AIR) for each in solid):
            yield "cells out of their box"
        yield from (f"text {text.what!r} over cells" for text, _ in texts if text.overlaps(grid))
    yield from (f"{each.what} beside the page" for each in solid if not page.holds(each))
    yield from _wires(marks, solid, [text for text, _ in texts])
    yield from _along(marks)


def _texts(marks: tuple[Mark, ...], measure: TextMeasure) -> Iterator[tuple[Area, Area | None]]:
    """Every text, with the box in which it stands."""
    for mark in marks:
        if isinstance(mark, Text):
            held = [box for box in marks if isinstance(box, (Box, Pill)) and area(box).holds(text_area(mark, measure))]
            yield text_area(mark, measure), area(held[0]) if held else None
        elif isinstance(mark, Frame):
            place = mark.place
            strip = Area(place.x, place.y, place.right, place.y + (mark.strip or place.height), mark.part)
            yield from ((text_area(line, measure), strip) for line in mark.lines)
        elif isinstance(mark, (Box, Pill)):
            place = mark.place
            front = Area(place.x, place.y, place.right, place.bottom, area(mark).what)
            yield from ((text_area(line, measure), front) for line in mark.lines)


def _wires(marks: tuple[Mark, ...], solid: list[Area], texts: list[Area]) -> Iterator[str]:
    for wire in (mark for mark in marks if isinstance(mark, Wire) and mark.stroke is not Stroke.AXIS):
        for (x, y), (to_x, to_y) in pairwise(wire.points):
            way = Area(min(x, to_x), min(y, to_y), max(x, to_x), max(y, to_y), f"{x:.1f},{y:.1f}-{to_x:.1f},{to_y:.1f}")
            if x != to_x and y != to_y:
                yield f"slanting wire {way.what}"
            is_between = (x, y) != wire.points[0] and (to_x, to_y) != wire.points[-1]
            if is_between and abs(to_x - x) + abs(to_y - y) < KINK:
                yield f"kink in a wire {way.what}"
            yield from (f"wire {way.what} through {each.what}" for each in solid if way.overlaps(each))
            yield from (f"wire {way.what} through text {each.what!r}" for each in texts if way.overlaps(each))


def _along(marks: tuple[Mark, ...]) -> Iterator[str]:
    """Wires that run upon the edge of a frame, where they cannot be told from it; that edge itself is none."""
    frames = [mark.place for mark in marks if isinstance(mark, Frame)]
    for wire in (mark for mark in marks if isinstance(mark, Wire) and mark.stroke is not Stroke.AXIS):
        for (x, y), (to_x, to_y) in pairwise(wire.points):
            for place in frames:
                beside = [place.x, place.right] if x == to_x else [place.y, place.bottom]
                ends = (y, to_y, place.y, place.bottom) if x == to_x else (x, to_x, place.x, place.right)
                shared = min(max(ends[:2]), ends[3]) - max(min(ends[:2]), ends[2])
                if shared > EDGE and min(abs((x if x == to_x else y) - edge) for edge in beside) < EDGE:
                    yield f"wire {x:.1f},{y:.1f}-{to_x:.1f},{to_y:.1f} upon the edge of a frame"
