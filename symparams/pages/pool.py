"""The pool of a page: every formula, name and step of all the sheets that it can show, each written once.

An entry is a list that begins with what it is and goes on with the places of its operands: ["+", 3, 7]. A sheet of other
features has most of its formulas in common with this one, and refers to them by place.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from symparams.expressions.nodes import (
    Ceiling,
    Dimension,
    Equality,
    Expression,
    Floor,
    Labelled,
    Minimum,
    Named,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Size,
    Sum,
)

MARKS: Mapping[type[Expression], str] = {
    Sum: "+", Product: "*", Quotient: "/", Negative: "-", Floor: "floor", Ceiling: "ceil", Minimum: "min", Size: "size",
    Equality: "=",
}  # fmt: skip


@dataclass
class PlaceTable:
    """Entries by place, each once."""

    entries: list[Any] = field(default_factory=list)
    places: dict[Any, int] = field(default_factory=dict)

    def place(self, entry: Hashable) -> int:
        """Return the place of an entry; a new one is added."""
        place = self.places.get(entry)
        if place is None:
            place = self.places[entry] = len(self.entries)
            self.entries.append(entry)
        return place


class Formulas:
    """The formulas of a page. What is called by a name is called so in one sheet: ``named`` says how, as a place of names."""

    def __init__(self, table: PlaceTable, named: Callable[[Named], int], label: Callable[[str], int]) -> None:
        self.table, self.named, self.label = table, named, label
        self.known: dict[Expression, int] = {}

    def place(self, expression: Expression) -> int:
        """The place of a formula."""
        place = self.known.get(expression)
        if place is None:
            place = self.known[expression] = self.table.place(self._entry(expression))
        return place

    def _entry(self, expression: Expression) -> tuple[Any, ...]:
        match expression:
            case Number(value):
                return ("#", str(value))  # a browser's own numbers end at 2**53
            case Dimension(name):
                return ("d", name)
            case Power(base, exponent):
                return ("^", self.place(base), exponent)
            case Labelled(inner, label):
                return ("_", self.label(label), self.place(inner))
            case Named(_, definition):
                return ("N", self.named(expression), self.place(definition))
        return (MARKS[type(expression)], *map(self.place, expression.operands))


@dataclass
class Pool:
    """All that the sheets of a page are made of; ``known`` are the formulas of sheets with the same names for their results."""

    formulas: PlaceTable = field(default_factory=PlaceTable)
    names: PlaceTable = field(default_factory=PlaceTable)
    steps: PlaceTable = field(default_factory=PlaceTable)
    blocks: PlaceTable = field(default_factory=PlaceTable)
    parts: PlaceTable = field(default_factory=PlaceTable)
    sentences: PlaceTable = field(default_factory=PlaceTable)
    known: dict[Hashable, Formulas] = field(default_factory=dict)
