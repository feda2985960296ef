"""Closings: what a formula comes to under each choice of the relations that change it, as data of a page.

A relation such as d_ff = 4·h holds on a page as long as no value contradicts it; of the choices only those are kept that
make another closed form.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from symparams.components.walks import Leaf, is_within
from symparams.derivations.costs import copied
from symparams.derivations.steps import Step, StepKind, short
from symparams.expressions.closed_form import Relations, as_written, multiply_out, written_term
from symparams.expressions.closed_form import place as rank
from symparams.expressions.factoring import factored
from symparams.expressions.nodes import Dimension, Expression, Product, Sum, factors_of, unmarked
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.written import Values
from symparams.models.blocks import MOST_EXPANDED, by_blocks
from symparams.pages.pool import PlaceTable
from symparams.pages.variants import variants
from symparams.sheets.steps import is_new, is_too_long

LONG, NEW, SINGLE = 1, 2, 4  # a closed form that is not shown, that says more than the written one, that takes the numbers
Place: TypeAlias = Callable[[Expression], int]
Terms: TypeAlias = Callable[[Polynomial], tuple[Any, ...]]


class Under(NamedTuple):
    """The subject of a step under some relations, without values."""

    relations: Relations
    values: Values = MappingProxyType({})


@dataclass
class Closings:
    """The closed forms of a page, under all relations that are ``known``; those that are ``fixed`` always hold."""

    known: Relations
    fixed: Iterable[Dimension]
    table: PlaceTable = field(default_factory=PlaceTable)
    entries: PlaceTable = field(default_factory=PlaceTable)
    monomials: PlaceTable = field(default_factory=PlaceTable)
    found: dict[Hashable, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.switches = {d: switch for switch, d in enumerate(self.known)}

    def place(self, key: Hashable, about: Expression, entry: Callable[[Relations], Any]) -> int:
        """The place of what ``entry`` makes of a formula under each choice of the relations that it depends on."""
        found = self.found.get(key)
        if found is None:
            free = [d for d in self._behind(about.dimensions) if d not in self.fixed]

            def at(setting: int) -> dict[Any, int]:
                off = {d for switch, d in enumerate(free) if not setting >> switch & 1}
                return {("closing",): self.entries.place(entry({d: v for d, v in self.known.items() if d not in off}))}

            [chosen] = variants(len(free), (1 << len(free)) - 1, at)
            found = self.found[key] = self.table.place((tuple(self.switches[free[i]] for i in chosen.on), chosen.of))
        return found

    def _behind(self, dimensions: Iterable[Dimension]) -> list[Dimension]:
        """The relations that a formula in these letters may use, in the order in which they are known."""
        behind, waiting = set[Dimension](), [*dimensions]
        while waiting:
            letter = waiting.pop()
            if letter in self.known and letter not in behind:
                behind.add(letter)
                waiting += self.known[letter].dimensions
        return [d for d in self.known if d in behind]

    def terms(self, polynomial: Polynomial) -> tuple[int | str, ...]:
        """A polynomial as pairs: the place of a monomial, its coefficient."""
        pairs = ((self.monomials.place(monomial), number) for monomial, number in polynomial.terms.items())
        return tuple(part for place, number in pairs for part in (place, _plain(number)))

    def order(self, place: Place) -> list[list[int]]:
        """The monomials, each with its rank among them as people write a sum."""
        ranks = {monomial: i for i, monomial in enumerate(sorted(self.monomials.entries, key=rank))}
        return [[place(written_term(1, monomial)), ranks[monomial]] for monomial in self.monomials.entries]


def _plain(number: Any) -> int | str:
    return number if isinstance(number, int) and abs(number) < 1 << 53 else str(number)


def of_step(step: Step, relations: Relations, place: Place, *, is_cost: bool = False) -> tuple[Any, ...]:
    """The closed form of a step under relations, what of it is shown, the relations that lead to it."""
    step = under(step, relations, is_cost=is_cost)
    is_single = len(step.parts) > 1 and (step.form is not None or not isinstance(step.closed, Sum))
    flags = LONG * is_too_long(step) | NEW * is_new(step) | SINGLE * is_single
    return place(step.closed), flags, *map(place, step.used)


def of_formula(formula: Expression, relations: Relations, place: Place) -> tuple[int]:
    """The closed form of a formula under relations, that of a long one with its common factors drawn out."""
    polynomial = multiply_out(formula, relations)
    return (place((factored if len(polynomial.terms) > MOST_EXPANDED else as_written)(polynomial)),)


def of_addend(
    addend: Step, relations: Relations, place: Place, terms: Terms, leaves: Sequence[Leaf], *, is_cost: bool = False
) -> tuple[int, ...]:
    """What an addend of a total is in a long one, so many copies of a layer, -1 if its terms; then its terms."""
    polynomial, form = multiply_out(addend.written, relations), None
    if is_cost and len(polynomial.terms) > 1:
        form = under(addend, relations, is_cost=True).closed
    elif not is_cost and addend.kind is StepKind.STACK:
        names = {str(inner.name): multiply_out(inner.written, relations) for inner in addend.walk()}
        form = by_blocks([leaf for leaf in leaves if is_within(leaf.path, addend.path)], relations, names=names).formula
        form = form if multiply_out(form, relations) == polynomial else factored(polynomial)
    return place(form) if form is not None else -1, *terms(polynomial)


def under(step: Step, relations: Relations, *, is_cost: bool = False) -> Step:
    """A step under relations; that of a cost has its common factors drawn out anew."""
    step = replace(step, subject=Under(relations))
    if not is_cost:
        return step
    step = replace(step, form=None)
    copies = unmarked(factors_of(step.written)[0])
    if step.kind is StepKind.STACK and isinstance(step.written, Product) and isinstance(copies, Sum):
        return replace(step, form=copied(copies, short(replace(step.steps[0], subject=Under(relations), form=None)).closed))
    return short(step)
