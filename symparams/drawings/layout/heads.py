"""Heads: what reads the end of the layers and gives something out of the model, with the word for it.

One stands on the spine; several share the width, three to a row, above one wire that feeds them all. What is tied stands on
the side of the residual wires, where dashed lines run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from symparams.components.facts import Gives
from symparams.components.kinds import Role
from symparams.drawings.distances import BESIDE_WIRE
from symparams.drawings.layout.pen import Pen
from symparams.drawings.layout.spine import run
from symparams.drawings.lettering.faces import PITCHES
from symparams.drawings.marks import Face, Point, Tint
from symparams.drawings.outline.columns import DrawingColumn
from symparams.drawings.outline.ends import reads_below_layers
from symparams.drawings.outline.parts import AlternatingLayers, Block, LayerStack, Part, blocks
from symparams.drawings.ways import Way
from symparams.records import frozen

OUTPUT_RISE = 8.0  # the arrow to an output
LEAD = 1.0  # above a word and below it
OUTPUT_WORD = 2.5  # from there to the word
BUS = 5.0  # from what feeds several heads to the wire that parts
HEADS_APART = 6.0  # heads side by side
ROWS_APART = 5.0  # rows of heads above one another
MOST_IN_A_ROW = 3  # in a row
SOFTMAX, PROBABILITIES = "softmax", "probabilities"
HIDDEN = "hidden_states"


@frozen
class Head:
    """A head by what it gives, as the catalogue knows it: its parts, and the heads that read that."""

    key: str
    parts: tuple[Part, ...] = ()
    above: tuple[Head, ...] = ()

    @property
    def width(self) -> int:
        """The number of columns that the head takes."""
        return max(1, sum(head.width for head in self.above))

    @property
    def gives(self) -> str:
        """The output of the head: probabilities if it ends in a softmax."""
        last = self.parts[-1] if self.parts else None
        return PROBABILITIES if isinstance(last, Block) and last.component.activation == SOFTMAX else self.key

    @property
    def is_tied(self) -> bool:
        """True if a matrix of the head is another part's."""
        return any(tensor.tied_to for block in blocks(self.parts) for tensor in block.component.tensors)


def heads_of(column: DrawingColumn) -> list[Head]:
    """The heads, each with those that read it; the one whose matrix is another's first; a pooler beside the hidden states.

    Without any there go out hidden states, where the end of the column is a layer or a norm; else nobody says what.
    """
    declared, last = column.heads, column.spine[-1] if column.spine else None
    paths = [head.path for head in declared]
    readers = {path: [head for head in declared if _reads(head.parts) == path] for path in paths}
    heads = [
        Head(
            Gives.MASKED_TOKEN.value if head.gives is Gives.NEXT_TOKEN and not column.is_causal else head.gives.value,
            head.parts,
            tuple(Head(other.gives.value, _plain(other.parts)) for other in readers[head.path]),
        )
        for head in declared
        if _reads(head.parts) not in paths
    ]
    if [head.key for head in heads] == [Gives.POOLED.value] and not heads[0].above:
        heads.append(Head(HIDDEN))
    is_hidden = isinstance(last, (LayerStack, AlternatingLayers)) or (
        isinstance(last, Block) and last.component.role is Role.NORM
    )
    end = column.gives.value if column.gives else HIDDEN if is_hidden else ""
    return sorted(heads, key=lambda head: not head.is_tied) or [Head(end)]


def is_wide(heads: Sequence[Head]) -> bool:
    """True if heads stand side by side, and so above all else."""
    return len(heads) > 1 and [head.key for head in heads[1:]] != [HIDDEN]


def put_heads(pen: Pen, heads: Sequence[Head], way: Way, span: tuple[float, float], ceiling: float = 0.0) -> float:
    """The heads above a column, side by side within this span: how high they reach; no word stands below ``ceiling``.

    One that reads a box below the layers has a wire of its own from there, between the column and the panels.
    """
    left, right = span
    way = replace(way, tint=Tint.HEAD)
    if len(heads) == 1:
        return _put(pen, heads[0], way)
    if not is_wide(heads):
        return _with_hidden(pen, heads[0], way, ceiling)
    risers = {head: trail for head in heads if (trail := _from_below(pen, head, way, way.y - BUS / 2))}
    others = [head for head in heads if head not in risers]
    first = MOST_IN_A_ROW - len(risers)
    rows = _rows([*others[:first], *risers, *others[first:]])
    for row in rows:
        is_last = row is rows[-1]
        taken = 0.0 if is_last else -way.side * 2 * HEADS_APART  # by the wire to the next row, on the side of the panels
        ends = (left, right - taken) if taken >= 0 else (left - taken, right)
        top = _fork(pen, row[:: -way.side], way, *ends, risers)
        if not is_last:
            bus, riser = way.y - BUS, right - HEADS_APART if way.side < 0 else left + HEADS_APART
            pen.wire((way.x, bus), (riser, bus), (riser, top - ROWS_APART), arrow=False)
            way = way.of(riser, way.width).at(top - ROWS_APART)
    return top


def _with_hidden(pen: Pen, head: Head, way: Way, ceiling: float) -> float:
    """A head on the spine, and the hidden states, which go out too: up beside it, between the layers and their panels."""
    bus, x = way.y - BUS, way.right + BESIDE_WIRE
    pen.wire(*way.wire, (way.x, bus), arrow=False)
    top = _put(pen, head, way.at(bus))
    highest = min(bus, ceiling, top + OUTPUT_RISE + OUTPUT_WORD + PITCHES[Face.NOTE] + LEAD)
    return min(top, out(pen, HIDDEN, way.of(x, way.width).through((way.x, bus), (x, bus), y=highest)))


def _rows(heads: Sequence[Head]) -> list[list[Head]]:
    rows: list[list[Head]] = [[]]
    for head in heads:
        if rows[-1] and sum(placed.width for placed in rows[-1]) + head.width > MOST_IN_A_ROW:
            rows.append([])
        rows[-1].append(head)
    return rows


def _fork(
    pen: Pen,
    heads: Sequence[Head],
    way: Way,
    left: float,
    right: float,
    risers: Mapping[Head, tuple[Point, ...]] = MappingProxyType({}),
) -> float:
    """Heads side by side, each with its share of the width, in its middle, or above the stream where that is within it.

    ``risers`` are the wires of those that read something else than the stream.
    """
    bus, x = way.y - BUS, way.x
    pen.wire(*way.wire, (x, bus), arrow=False)
    number = sum(head.width for head in heads)
    column = (right - left - HEADS_APART * (number - 1)) / number
    tops, edge = [], left
    for head in heads:
        width = column * head.width + HEADS_APART * (head.width - 1)
        box, middle = min(width, way.width), edge + width / 2
        own = way.of(x if abs(x - middle) <= (width - box) / 2 else middle, box)
        trail = risers.get(head, ((x, bus),))
        tops.append(_put(pen, head, own.through(*trail, (own.x, trail[-1][1]), y=bus), edge, edge + width))
        edge += width + HEADS_APART
    return min(tops)


def _from_below(pen: Pen, head: Head, way: Way, top: float) -> tuple[Point, ...]:
    """The wire from the box below the layers that a head reads, up beside these; nothing where it reads what stands above."""
    first = head.parts[0] if head.parts else None
    if not isinstance(first, Block) or not reads_below_layers(pen.context.model.tree, first.path, first.component.reads):
        return ()
    place = pen.places.get(first.component.reads)
    if place is None or not way.left <= place.x <= place.right <= way.right:
        return ()
    x, middle = way.right + BESIDE_WIRE, place.level
    return (place.right, middle), (x, middle), (x, top)


def _put(pen: Pen, head: Head, way: Way, left: float = 0.0, right: float = 0.0) -> float:
    way = run(pen, head.parts, way)
    if not head.above:
        return out(pen, head.gives, way)
    if len(head.above) == 1:
        return _put(pen, head.above[0], way, left, right)
    return _fork(pen, head.above, way, left or way.x - way.width / 2, right or way.x + way.width / 2)


def out(pen: Pen, key: str, way: Way) -> float:
    """An arrow out of the model, and the word for what goes out."""
    top = way.y - OUTPUT_RISE
    pen.wire(*way.wire, (way.x, top))
    if not key:
        return top
    return pen.word(pen.context.sentence(f"outputs.{key}"), way.x, top - OUTPUT_WORD + LEAD, way.width)


def _reads(parts: tuple[Part, ...]) -> str:
    first = parts[0] if parts else None
    return first.component.reads if isinstance(first, Block) else ""


def _plain(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Parts without the word for what the first reads: it stands below them, or is not there."""
    first, *rest = parts
    return plain(first), *rest


def plain(part: Part) -> Part:
    """A part without the word for what it reads."""
    return replace(part, component=replace(part.component, reads="")) if isinstance(part, Block) else part
