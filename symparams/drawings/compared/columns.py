"""Columns of a comparison: each model by itself, its spine around x = 0, in numbers in place of letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from symparams.answers.aligned_components import called_in_all
from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.components.walks import is_within
from symparams.drawings.context import DrawingContext
from symparams.drawings.layout.forks import dotted
from symparams.drawings.layout.pen import Pen
from symparams.drawings.layout.placing import GUTTER, PAD, SUM_APART, Plan, place, plan
from symparams.drawings.layout.strips import layer_name
from symparams.drawings.lettering.lettering import AIR, Lettered
from symparams.drawings.marks import Box, Frame, Mark, Tint, Wire, texts
from symparams.drawings.outline.columns import DrawingColumn, Outline, stacks
from symparams.drawings.outline.parts import AlternatingLayers, Block, LayerStack
from symparams.drawings.panels.facts import named_on_spine
from symparams.drawings.ways import Span, Way
from symparams.expressions.nodes import Dimension, Expression, Number, Size
from symparams.expressions.notation import Letter, Letters
from symparams.expressions.written import ONE, substitute
from symparams.records import frozen

TIED_APART = 6.0  # a dashed line from the frame
EMPTY: Mapping[str, Any] = MappingProxyType({})
SUBLAYERS = (Tint.ATTENTION, Tint.FEED_FORWARD)  # of which one kind may stand for another


@frozen
class NumberedContext(DrawingContext):
    """A context whose formulas hold the model's numbers, since the letters are those of every model; a norm keeps its own.

    The ``shared`` letters are those of all models.
    """

    shared: Mapping[Dimension, Letter] = field(default_factory=Letters)

    @cached_property
    def letters(self) -> Mapping[Dimension, Letter]:
        """The printed letters of the dimensions of all models."""
        return self.shared

    def formula(self, path: str, component: Component) -> Expression | None:
        """The formula of a box in numbers; None for one that is its count."""
        formula = super().formula(path, component)
        if formula is None or component.role is Role.NORM:
            return formula
        numbered = substitute(_loose(formula), self.model.values)
        return None if isinstance(numbered, Number) else numbered


def _loose(formula: Expression) -> Expression:
    """A formula whose products are not written tight, so that numbers in them stand apart: 3 × 768 × 3,072."""
    if isinstance(formula, Size):
        return _loose(formula.inner)
    return formula.of(*map(_loose, formula.operands)) if formula.operands else formula


@frozen
class PartKind:
    """The kind of a block, by which it stands for one of another model: its name in all models, its place in its layer."""

    name: str
    key: tuple[object, ...]
    tint: Tint

    def likeness(self, other: PartKind) -> int:
        """How much two blocks stand for one another: 3 in the same place, 2 by name, 1 as sublayers of one purpose, or 0."""
        if self.name == other.name:
            return 3 if self.key == other.key else 2
        return int(self.tint is other.tint and self.tint in SUBLAYERS)


@dataclass
class ToldPen(Pen):
    """The pen of a model in whose boxes is told how it differs: what, by their paths, and how tall they are at least."""

    told: Mapping[str, Lettered] = field(default_factory=dict)
    least: Mapping[str, float] = field(default_factory=dict)

    def letter(self, part: Block, width: float) -> Lettered:
        """The lines of a box, and below them how it differs."""
        return self._with(part.path, super().letter(part, width))

    def strip(self, stack: LayerStack | AlternatingLayers, width: float) -> tuple[Lettered, str]:
        """The lines of a strip, and below them how its layers differ."""
        lettered, title = super().strip(stack, width)
        return self._with(stack.path, lettered), title

    def _with(self, path: str, own: Lettered) -> Lettered:
        if told := self.told.get(path):
            own = Lettered((*own.lines, *told.at(0.0, own.height - AIR)), own.height + told.height)
        height = max(own.height, self.least.get(path, 0.0))
        return Lettered(own.at(0.0, (height - own.height) / 2), height)


class ModelColumn:
    """A model as it was drawn: its marks, and what stands at each path.

    ``side`` is that of its residual wires and of what is tied: -1 left, 1 right; what comes in beside stands at the other. One
    that ``is_whole`` has several columns, or layers that take turns, and is as wide as these.
    """

    def __init__(self, context: NumberedContext, drawn: Outline, side: int, width: float, *, is_whole: bool = False) -> None:
        self.context, self.drawn, self.side, self.is_whole = context, drawn, side, is_whole
        self.width = width * context.widening
        self.draw()

    def draw(self, told: Mapping[str, Lettered] = EMPTY, least: Mapping[str, float] = EMPTY, lowest: float = 0.0) -> None:
        """Draw it with what is told in its boxes, these at least so tall, its layers at least from so high on."""
        pen = ToldPen(self.context, has_panels=False, told=told, least=least, lowest=lowest)
        planned = plan(pen, self.drawn) if self.is_whole else self._plan()
        place(pen, self.drawn, planned)
        self.left, self.right, self.lowest = planned.left, planned.right, pen.lowest
        self.marks: list[Mark] = dotted(pen.marks)
        self.parts: Mapping[str, Component] = pen.drawn

    def _plan(self) -> Plan:
        """The only column around x = 0."""
        side, width = self.side, self.width
        outer, inner = side * (width / 2 + GUTTER), -side * (width / 2 + PAD)
        left, right = min(outer, inner), max(outer, inner)
        aside = Span(SUM_APART, right - SUM_APART) if side < 0 else Span(left, -SUM_APART - left)
        lane = outer + side * TIED_APART
        way = Way(0.0, room=Span.around(0.0, width), left=left, right=right, side=side, aside=aside, is_narrow=True)
        return Plan((way,), lane, left, right, 0.0)

    @property
    def name(self) -> str:
        """What the model is called."""
        return self.context.called

    @cached_property
    def stacks(self) -> Mapping[str, LayerStack]:
        """The stacks of layers by their paths, from below."""
        return {stack.path: stack for column in self.drawn.columns for stack in stacks(column)}

    def layers(self, path: str) -> int:
        """The number of layers of the stack in which a part stands, or which it is; 1 outside of all."""
        stack = self.stacks.get(self.stack_of(path))
        return 1 if stack is None else self.context.value(stack.component.times) or 1

    def stack_of(self, path: str) -> str:
        """The path of the stack in which a part stands, or which it is; "" outside of all."""
        return next((stack for stack in self.stacks if is_within(path, stack)), "")

    def is_repeated(self, path: str) -> bool:
        """True if a part stands in a stack of layers, whose number of copies is written."""
        stack = self.stacks.get(self.stack_of(path))
        return stack is not None and stack.component.times != ONE

    def component(self, path: str) -> Component:
        """The part at a path: a block, or a stack of layers."""
        return self.stacks[path].component if path in self.stacks else self.parts[path]

    def called(self, path: str) -> str:
        """What a block is called in its drawing, or a layer of a stack."""
        if path in self.stacks:
            return layer_name(self.context, self.stacks[path])
        return named_on_spine(self.context, self.parts[path], path)

    def count(self, path: str) -> int:
        """The parameters of a block, of one layer where it stands in a stack; those of a whole stack."""
        one = self.context.step(path, self.component(path)).count
        assert one is not None, "a model of a comparison has values"
        return one * (self.layers(path) if path in self.stacks else 1)

    @cached_property
    def kinds(self) -> Mapping[str, PartKind]:
        """The kind of each block by its path."""
        tints = {mark.part: mark.tint for mark in self.marks if isinstance(mark, Box)}
        return {path: self._kind(path, tints[path]) for path in self.parts if path in tints}

    def _kind(self, path: str, tint: Tint) -> PartKind:
        leaf = next((leaf for leaf in self.context.model.leaves if is_within(leaf.path, path)), None)
        if leaf is None:
            return PartKind(path, (path,), tint)
        key = leaf.key[:2] if leaf.sublayer else leaf.key
        return PartKind(called_in_all(leaf.part), key, tint)

    @cached_property
    def reach(self) -> tuple[float, float]:
        """How far the marks reach to the left and to the right."""
        ends = [end for mark in self.marks for end in self._ends(mark)]
        return min(ends), max(ends)

    def _ends(self, mark: Mark) -> Sequence[float]:
        if isinstance(mark, Wire):
            return [x for x, _ in mark.points]
        if isinstance(mark, (Box, Frame)):
            return [mark.place.x, mark.place.right]
        ends: list[float] = []
        for text in texts(mark):
            width = self.context.measure(text.pieces) * text.scale
            ends += [text.start(width), text.start(width) + width]
        return ends


def shape(drawn: Outline) -> tuple[bool, ...]:
    """The columns of a model, of each whether its layers take turns: models of one shape can stand side by side."""
    return tuple(column.alternates for column in drawn.columns)


def has_one_way(drawn: Outline) -> bool:
    """True if data takes one way through a model: no second column beside it, and no layers that take turns."""
    column: DrawingColumn = drawn.columns[0]
    return len(drawn.columns) == 1 and not (drawn.owners or drawn.heads or column.alternates or column.scores)
