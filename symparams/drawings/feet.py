"""Feet: what stands below the layers: tables on a row, sums into which they come, what goes into each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from symparams.components.kinds import Role
from symparams.drawings.marks import Anchor, Face, Piece, Rectangle, Text, Tint
from symparams.drawings.names import called
from symparams.drawings.parts import Block, Fork, Part, Pill, blocks
from symparams.drawings.pen import RADIUS, Cursor, Pen, Way
from symparams.drawings.spine import BETWEEN, RISE, run
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import V, V_dec, max_pos, max_source, max_target, n_types

INPUT = 7.5  # the arrow from an input to its box
WORD = 8.5  # from there to the word's base line
# What a table of so many rows is read by.
INPUTS: dict[Dimension, str] = {
    V: "tokens", V_dec: "tokens", max_pos: "positions", max_source: "positions", max_target: "positions", n_types: "segments"
}  # fmt: skip


@dataclass(frozen=True)
class Joint:
    """Where something comes to the stream from the side: added, or in one sequence with it."""

    sides: tuple[tuple[Part, ...], ...]
    is_sequence: bool


@dataclass(frozen=True)
class Foot:
    """A chain that begins with what reads the model's input, and what is done to it: parts and joints in order."""

    chain: tuple[Part | Joint, ...]

    @property
    def first(self) -> Block | None:
        """The box on the lowest row."""
        return self.chain[0] if self.chain and isinstance(self.chain[0], Block) else None


def foot_of(parts: Sequence[Part]) -> Foot:
    """The chain of a column: of what is added, or stands in one sequence, the first is the stream."""
    chain: list[Part | Joint] = []
    for part in parts:
        chain += _flattened(part) if isinstance(part, Fork) else [part]
    return Foot(tuple(chain))


def _flattened(fork: Fork) -> list[Part | Joint]:
    """A fork as its main branch and a joint: the patches of an image are the stream, tokens by themselves stand beside."""
    main = next((branch for branch in fork.branches if not fork.is_sequence or not _is_token(branch)), fork.branches[0])
    sides = tuple(branch for branch in fork.branches if branch is not main)
    inner = [each for part in main for each in (_flattened(part) if isinstance(part, Fork) else [part])]
    return [*inner, Joint(sides, fork.is_sequence)] if sides else inner


def _is_token(branch: tuple[Part, ...]) -> bool:
    return len(branch) == 1 and isinstance(branch[0], Block) and branch[0].component.role is Role.TABLE


def put_feet(pen: Pen, parts: Sequence[Part], way: Way, room: tuple[float, float]) -> Cursor:
    """The lowest row with what goes in, and the stream up to the layers; ``room`` is where boxes may stand beside."""
    below = replace(way, tint=Tint.EMBEDDING)
    foot = foot_of(parts)
    if foot.first is None:
        return run(pen, [part for part in foot.chain if not isinstance(part, Joint)], below, Cursor((), 0.0))
    beside = _beside(foot)
    boxes = _row(pen, foot.first, beside, below, room)
    for each, place in boxes:
        source(pen, each, place)
    first = boxes[0][1]
    at = Cursor(((way.x, first.y),), first.y)
    places = dict(zip([each.path for each in beside], [place for _, place in boxes[1:]], strict=True))
    for part in foot.chain[1:]:
        at = _join(pen, part, places, below, room, at) if isinstance(part, Joint) else run(pen, (part,), below, at)
    return at


def _beside(foot: Foot) -> list[Block]:
    """The boxes that stand on the lowest row beside the first: those of the first joint, and of others while there is room."""
    found: list[Block] = []
    for joint in (part for part in foot.chain if isinstance(part, Joint)):
        boxes = [side[0] for side in joint.sides if isinstance(side[0], Block)]
        if found and len(found) + len(boxes) > 2:
            break
        found += boxes
    return found


def _row(pen: Pen, first: Block, beside: Sequence[Block], way: Way, room: tuple[float, float]) -> list[tuple[Block, Rectangle]]:
    """The boxes of the lowest row, of one height."""
    widths = [way.width]
    xs = [way.x - way.width / 2]
    if beside:
        each = (room[1] - room[0] - BETWEEN * (len(beside) - 1)) / len(beside)
        widths += [each] * len(beside)
        xs += [room[0] + i * (each + BETWEEN) for i in range(len(beside))]
    parts = [first, *beside]
    lettered = [
        pen.work.lettered(part.path, part.component, width, called(pen.work, part.component, part.path))
        for part, width in zip(parts, widths, strict=True)
    ]
    tall = max(each.height for each in lettered)
    found = []
    for part, x, width, lines in zip(parts, xs, widths, lettered, strict=True):
        place = Rectangle(x, -tall, width, tall)
        pen.box(part, place, lines, Tint.EMBEDDING, called(pen.work, part.component, part.path))
        found.append((part, place))
    return found


def source(pen: Pen, part: Block, place: Rectangle) -> None:
    """What goes into a box from outside of the model: an arrow, and the word where it is known."""
    word = input_of(part)
    if not word:
        return
    pen.wire(((place.middle, place.bottom + INPUT), (place.middle, place.bottom)))
    said = pen.work.words.entry(f"drawing.inputs.{word}")
    pen.text(Text(place.middle, place.bottom + INPUT + WORD - 1, (Piece(said, Face.NOTE),), Anchor.MIDDLE))


def input_of(part: Block) -> str:
    """What a box reads from outside: what it says, or what a table of so many rows is read by; "" where nothing says it."""
    if part.component.reads:
        return part.component.reads.replace(" ", "_")
    rows = part.component.tensors[0].shape[:1] if part.component.role is Role.TABLE and part.component.tensors else ()
    return next((INPUTS[row] for row in rows if isinstance(row, Dimension) and row in INPUTS), "")


def _join(pen: Pen, joint: Joint, places: dict[str, Rectangle], way: Way, room: tuple[float, float], at: Cursor) -> Cursor:
    """A ⊕, or the pill of one sequence, into which come the boxes of the lowest row, a computed pill, or a row of its own."""
    pill = next((side[0] for side in joint.sides if isinstance(side[0], Pill)), None)
    if pill is not None:
        return run(pen, (pill,), way, at)
    middle = at.y - RISE - RADIUS
    for side in joint.sides:
        place = places[next(blocks(side)).path]
        pen.wire(((place.middle, place.y), (place.middle, middle), (way.x + RADIUS, middle)))
    pen.wire((*at.trail, (way.x, middle + RADIUS)))
    pen.sum(way.x, middle)
    return Cursor(((way.x, middle - RADIUS),), middle - RADIUS)
