"""Columns: the streams of a model side by side, each with what stands below its layers, its layers, and its heads.

A part that reads another input in place of what comes before it begins a column: a decoder beside its encoder, by the target
tokens; so does a tower, which has inputs and layers of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from symparams.components.facts import Gives, Rows
from symparams.components.flow import is_layer, layers
from symparams.components.kinds import BLOCK, Role
from symparams.components.tree import Component
from symparams.components.walks import components, is_over_rows, rows_of
from symparams.drawings.outline.parts import (
    AlternatingLayers,
    Block,
    Computation,
    Fork,
    LayerStack,
    Part,
    blocks,
    has_layers,
    parts_of,
    walk,
    with_reading,
)
from symparams.records import frozen


@frozen
class OutputHead:
    """A head by its path: what it gives out of the model, and its parts."""

    path: str
    gives: Gives
    parts: tuple[Part, ...]

    @property
    def is_of_cosines(self) -> bool:
        """True if it multiplies vectors that are normed to a length of 1 first."""
        inner = (part for block in blocks(self.parts) for _, part in components(block.component))
        return any(product.normed for part in inner for product in part.multiplies)


def gives(tree: Component, part: Component) -> Gives | None:
    """Return the output of a part above the layers, by its own fact or by its sizes, the rows of a table."""
    is_head = part.gives is None and part.tokens is None and is_over_rows(part, rows_of(tree))
    return Gives.NEXT_TOKEN if is_head else part.gives


@dataclass
class DrawingColumn:
    """One stream: ``feet`` before its first layer, ``spine`` from there on, ``heads`` that read its end.

    ``shared`` is a table of another column that it reads too, that of the layers ``shared_by``; ``scores`` are chains that act
    on its attention; ``is_joined`` says that what the column before it gives comes into its sequence. ``inputs`` are what each
    layer reads besides, by the path of the part that makes it.
    """

    feet: list[Part] = field(default_factory=list)
    spine: list[Part] = field(default_factory=list)
    heads: list[OutputHead] = field(default_factory=list)
    scores: list[tuple[Part, ...]] = field(default_factory=list)
    inputs: dict[str, tuple[Part, ...]] = field(default_factory=dict)
    shared: Block | None = None
    shared_by: str = ""
    is_joined: bool = False
    is_passed_by: bool = False  # whether its heads, where it has any, read something else than what ends it
    reads: str = ""  # what goes in, where the tree says it
    gives: Gives | None = None  # what its layers give by themselves

    @property
    def is_empty(self) -> bool:
        """True if nothing stands in the column."""
        return not (self.feet or self.spine or self.shared or self.heads)

    @property
    def forks(self) -> bool:
        """True if branches of a layer stand side by side."""
        return any(isinstance(part, Fork) for part in walk(tuple(self.spine)))

    @property
    def alternates(self) -> bool:
        """True if layers that take turns stand side by side."""
        return any(isinstance(part, AlternatingLayers) for part in self.spine)

    @property
    def is_causal(self) -> bool:
        """True if a token sees only the tokens before it: no attention of the column sees both sides."""
        attending = [block.component.attending for block in blocks(tuple(self.spine)) if block.component.attending]
        return not attending or any(attention.causal for attention in attending)


@frozen
class Outline:
    """The content of a model's drawing: its columns, tables to which their parts are tied, heads that read all of them."""

    columns: tuple[DrawingColumn, ...]
    owners: tuple[Block, ...] = ()
    heads: tuple[OutputHead, ...] = ()  # what reads several columns


def outline(tree: Component, *, is_answering: bool = False) -> Outline:
    """Return the outline of a tree; ``is_answering`` says that its classifier finds the start and end of an answer."""
    tied = (tensor.tied_to for _, part in components(tree) for tensor in part.tensors)
    read = (part.reads for _, part in components(tree))
    given = {Gives.LABELS: Gives.ANSWER} if is_answering else {}
    reader = _OutlineReader(tree, frozenset(filter(None, tied)), frozenset(filter(None, read)), given)
    for name, child in tree.body:
        reader.read(name, child, name)
    return reader.outline()


class _OutlineReader:
    def __init__(self, tree: Component, tied: frozenset[str], read: frozenset[str], given: Mapping[Gives, Gives]) -> None:
        self.tree = tree
        self.tied, self.given = tied, given  # the paths to which parts of the tree are tied; what a class makes heads give
        self.read_by_others = read  # what parts of the tree say that they read, paths among it
        within = [part for _, layer in layers(tree) for _, part in components(layer) if part.is_sublayer]
        self.read_in_layers = {part.reads for part in within if part.reads}
        self.read_in_layers |= {part.attending.placed_by for part in within if part.attending and part.attending.placed_by}
        self.columns: list[DrawingColumn] = [DrawingColumn()]
        self.owners: list[Block] = []
        self.pending: list[Part] = []  # what the next column begins with
        self.loose: list[tuple[Part, ...]] = []  # what acts on the scores of a stack that is still to come

    @property
    def tables(self) -> tuple[Part, ...]:
        """The parts below the layers of all columns."""
        return tuple(part for column in self.columns for part in column.feet)

    @property
    def here(self) -> DrawingColumn:
        return self.columns[-1]

    def outline(self) -> Outline:
        columns = tuple(column for column in self.columns if not column.is_empty)
        heads = [head for column in columns for head in column.heads]
        of_all = tuple(head for head in heads if head.gives is Gives.SIMILARITIES and len(columns) > 1)
        if len(columns) == 1:
            _pool(columns[0])
        for column in columns:
            column.heads = [head for head in column.heads if head not in of_all]
        return Outline(columns, tuple(self.owners), tuple(_shared_out(head, columns) for head in of_all))

    def read(self, name: str, part: Component, path: str) -> None:
        """A part of the model, by what it is: a tower, layers, what stands before them, what stands after."""
        if not name and part.role is Role.BLOCK:
            for inner, child in part.body:
                self.read(inner, child, ".".join(filter(None, (path, inner))))
        elif path in self.read_in_layers and not has_layers(part):
            self.here.inputs[path] = parts_of(part, path) or parts_of(_alone(path, part))
        elif _is_tower(part):
            self.begin()
            self.here.is_joined = bool(part.reads) and len(self.columns) > 1
            for inner, child in part.body:
                self.read(inner, child, f"{path}.{inner}" if inner else path)
        elif has_layers(part) and part.gives is not None:
            self.columns.insert(-1, DrawingColumn(spine=[*parts_of(_alone(path, part))], reads=part.reads, gives=part.gives))
        elif has_layers(part):
            self.layers(part, path)
        elif not self.here.spine or _is_of_target(part):
            self.feet(part, path)
        else:
            self.above(part, path)

    def begin(self) -> None:
        """A new column."""
        if not self.here.is_empty:
            self.columns.append(DrawingColumn())

    def layers(self, part: Component, path: str) -> None:
        if part.reads and self.here.spine:
            first = self.here
            self.begin()
            self.here.shared = next((table for table in blocks(self.tables) if table.path == part.reads), None)
            self.here.shared_by = next(stacks(first)).path
        elif self.pending and self.here.spine:
            self.begin()
            self.here.feet, self.pending = self.pending, []
        self.here.spine += parts_of(_alone(path, part))
        own = [chain for chain in self.loose if _acts_on(chain, path)]
        self.here.scores += own
        self.loose = [chain for chain in self.loose if chain not in own]

    def feet(self, part: Component, path: str) -> None:
        """Add what stands before the layers: tables, what joins them, what is done to their sum."""
        if _is_of_target(part) and self.here.spine:
            self.begin()
        self.here.reads = part.reads or self.here.reads
        parts = parts_of(part, path) if part.role is Role.BLOCK else parts_of(_alone(path, part))
        own, others, scores = _sorted(parts)
        before = list(blocks(tuple(self.here.feet)))
        if before and own and _is_source(own[0]) and all(block.path in self.tied for block in before):
            self.owners += before
            self.here.feet = []
        self.here.feet += own
        self.loose += scores
        if others:
            self.pending += others

    def above(self, part: Component, path: str) -> None:
        """Add what stands after the layers: a norm that closes them, or a head; parts that lead nowhere are one box."""
        if self._is_passed_by(part):
            self.here.spine.append(Block(path, part))
        elif given := gives(self.tree, part):
            parts = with_reading(part.reads, parts_of(part, path)) if part.role is Role.BLOCK else parts_of(_alone(path, part))
            self.here.heads.append(OutputHead(path, self.given.get(given, given), parts))
        else:
            self.here.spine += parts_of(_alone(path, part))

    def _is_passed_by(self, part: Component) -> bool:
        """True if something else reads what stands below a part, by its path, in place of what the part gives."""
        below = self.here.spine[-1]
        if not isinstance(below, Block) or below.path not in self.read_by_others:
            return False
        return part.role is Role.BLOCK and all(inner.reads != below.path for _, inner in components(part))


def _shared_out(head: OutputHead, columns: Sequence[DrawingColumn]) -> OutputHead:
    """A head of all columns without the matrices that project what one of them gives: these end their columns."""
    kept: list[Part] = []
    for part in blocks(head.parts):
        rest = []
        for name, child in part.component.body:
            column = next((column for column in columns if child.acts_on and _holds(column, child.acts_on)), None)
            if column is None:
                rest.append((name, child))
            else:
                column.spine.append(Block(f"{part.path}.{name}", child))
        alone = [Block(f"{part.path}.{name}", child) for name, child in rest]
        kept.append(alone[0] if len(alone) == 1 else Block(part.path, replace(part.component, body=tuple(rest))))
    return replace(head, parts=tuple(kept))


def _holds(column: DrawingColumn, path: str) -> bool:
    """True if the parts of a column are those of the tower at a path."""
    return any(block.path.startswith(f"{path}.") for block in blocks((*column.feet, *column.spine)))


def _pool(column: DrawingColumn) -> None:
    """A norm above the layers that takes one token gives what is pooled, where there is no head, or leads nowhere."""
    last = column.spine[-1] if len(column.spine) > 1 else None
    if not isinstance(last, Block) or last.component.role is not Role.NORM or not last.component.reads:
        return
    if not column.heads:
        column.heads.append(OutputHead(last.path, Gives.POOLED, (column.spine.pop(),)))
    else:
        column.is_passed_by = all(next(blocks(head.parts)).component.reads for head in column.heads)


def _alone(path: str, part: Component) -> Component:
    """A part as the only one of a block, by its whole path."""
    return Component(BLOCK, body=((path, part),))


def _is_tower(part: Component) -> bool:
    """True if a block has layers and, beside them, what stands before or after these."""
    if part.role is not Role.BLOCK or is_layer(part) or not has_layers(part):
        return False
    return not all(has_layers(child) for _, child in part.children)


def _is_source(part: Part) -> bool:
    """True if a part takes in what comes into the model, not what comes before it."""
    first = next(walk((part,)), None)
    while isinstance(first, Fork):
        first = first.branches[0][0]
    return isinstance(first, Block) and first.component.role is Role.TABLE


def _sorted(parts: Sequence[Part]) -> tuple[list[Part], list[Part], list[tuple[Part, ...]]]:
    """Return the parts of this column, those of the next, and those that act on scores; computed positions belong to both."""
    own: list[Part] = []
    others: list[Part] = []
    scores: list[tuple[Part, ...]] = []
    for part in parts:
        reads = part.component.reads if isinstance(part, Block) else ""
        if isinstance(part, Block) and _is_of_target(part.component):
            others.append(part)
        elif isinstance(part, Block) and part.component.rows is Rows.DISTANCES:
            scores.append((part,))
        elif reads and scores and isinstance(last := scores[-1][-1], Block) and last.key == reads:
            scores[-1] = (*scores[-1], part)
        else:
            own.append(part)
            if others and isinstance(part, Computation):
                others.append(part)
    return (own, others, scores) if any(_is_source(source) for source in own) or not others else (others, [], scores)


def _is_of_target(part: Component) -> bool:
    """True if tables of tokens read others than those that the model reads first, as a decoder's do."""
    return bool(part.reads) and any(table.rows is Rows.TOKENS for _, table in components(part))


def _acts_on(chain: tuple[Part, ...], stack: str) -> bool:
    """True if a chain acts on the scores of a stack: on that which it says, or on every one."""
    return not isinstance(chain[0], Block) or chain[0].component.acts_on in ("", stack)


def stacks(column: DrawingColumn) -> Iterator[LayerStack]:
    """The stacks of a column, from below."""
    return (part for part in walk(tuple(column.spine)) if isinstance(part, LayerStack))
