"""Measures: what a record reads of another quantity than the number of parameters, and the steps of its sheet behind it.

{ quantity = "kv_cache", dtype = "bf16", b = 1, t = 1 } is a quantity with what is given of it: a letter that has a number here
has it in every question, one that stands under ``letters`` is there and is told in the question. ``of`` is where its addends
stand, "layer" in one layer, or a path as "lm_head"; ``names`` and ``kind`` choose among them by what they are called; and
``convention`` is another way to count, by its key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from symparams.derivations.costs import place_of
from symparams.derivations.derivation import worked_out
from symparams.derivations.steps import Step, StepKind, StepName, short, step, summed
from symparams.errors import SymparamsError
from symparams.expressions.closed_form import closed_form
from symparams.expressions.nodes import Dimension, Expression, Named, Number, Power, Product
from symparams.expressions.symbols import INPUTS
from symparams.expressions.written import ONE, times, total
from symparams.models.calculation import Calculation, calculate
from symparams.models.model import Model
from symparams.quantities.quantity import Term, find
from symparams.records import frozen

SELECTS = frozenset({"quantity", "letters", "of", "names", "kind", "convention"})
LAYER = "layer"
MOST_STEPS = 6  # of a layer that are told one by one
Wanted = Mapping[str, Any]


@frozen
class MeasuredQuantity:
    """A quantity of a model as a record reads it: its calculation with the record's numbers, and which of its terms."""

    calculation: Calculation
    wanted: Wanted

    @property
    def is_whole(self) -> bool:
        """True if nothing is chosen among its terms."""
        return not self.wanted.keys() & {"of", "names", "kind", "convention"}

    @property
    def chosen(self) -> list[tuple[Term, Expression]]:
        """The terms that are read, and so many copies of each."""
        return [(term, copies) for term in self._terms() if (copies := self._copies(term)) is not None]

    @property
    def written(self) -> Expression | None:
        """The formula that is read; None if it has no terms, or terms of several layers where one layer is asked for."""
        chosen = self.chosen
        layers = {place_of(self.calculation.tree, term).path for term, _ in chosen} if self.wanted.get("of") == LAYER else set()
        if not chosen or len(layers) > 1:
            return None
        written = total([times(copies, term.written) for term, copies in chosen])
        return written if isinstance(written, Product) else closed_form(written, self.calculation.model.relations)

    def steps(self, values: Mapping[Dimension, int]) -> tuple[Step, ...]:
        """The steps of its sheet that come to what is read, with these values."""
        bound = replace(self.calculation, model=self._bound(values))
        steps = list(_of_all(bound) if self.is_whole else self._of_some(bound))
        return tuple(_counting(counted, self.calculation.quantity.letter) for counted in steps)

    def of_terms(self, names: Sequence[str] | None, values: Mapping[Dimension, int]) -> Iterator[Step]:
        """The steps of terms of these names, or of all."""
        model = self._bound(values)
        for term in self.calculation.terms:
            if names is None or str(term.name) in names:
                counted = step(model, term.path, term.name, term.every, form=term.every)
                yield _counting(counted, self.calculation.quantity.letter)

    def _bound(self, values: Mapping[Dimension, int]) -> Model:
        return replace(self.calculation.model, values={**self.calculation.model.values, **values})

    def _of_some(self, bound: Calculation) -> Iterator[Step]:
        """The steps of what is chosen, and their sum."""
        steps = [short(step(bound.model, term.path, term.name, times(copies, term.written))) for term, copies in self.chosen]
        yield from steps
        if len(steps) > 1:
            term, _ = self.chosen[0]
            name = self.wanted.get("kind", place_of(bound.tree, term).layer if self.wanted.get("of") == LAYER else "total")
            yield short(summed(bound.model, term.path, name, steps, StepKind.BLOCK, steps))

    def _terms(self) -> Iterator[Term]:
        wanted, terms = self.wanted, self.calculation.terms
        if "convention" in wanted:
            others = self.calculation.alternatives
            terms = next((tuple(convention.terms) for convention in others if convention.key == wanted["convention"]), ())
            terms = tuple(_with_numbers(term, _numbers(wanted)) for term in terms)
        for term in terms:
            if term.kind == wanted.get("kind", term.kind) and str(term.name) in wanted.get("names", (str(term.name),)):
                yield term

    def _copies(self, term: Term) -> Expression | None:
        of = self.wanted.get("of", "")
        if of != LAYER:
            return term.times if f"{term.path}.".startswith(f"{of}." if of else "") else None
        place = place_of(self.calculation.tree, term)
        return None if place.copies == ONE else place.often


def measure(model: Model, wanted: Wanted) -> MeasuredQuantity | None:
    """A quantity of a model as a record reads it; None where the model has none."""
    given = {name: value for name, value in wanted.items() if name not in SELECTS}
    try:
        calculation = calculate(model, wanted["quantity"], {**given, **dict.fromkeys(wanted.get("letters", ()), 1)})
    except SymparamsError:
        return None
    terms = tuple(_with_numbers(term, _numbers(wanted)) for term in calculation.terms)
    return MeasuredQuantity(replace(calculation, chosen_terms=terms), wanted)


def inputs(model: Model, wanted: Wanted) -> Mapping[Dimension, int]:
    """Return the values that a quantity has of a model beyond its sizes: its window, the bytes of a number."""
    measured, told = measure(model, wanted), {*_numbers(wanted), *(Dimension(name) for name in wanted.get("letters", ()))}
    if measured is None:
        return {}
    known = measured.calculation.model.values
    return {dimension: value for dimension, value in known.items() if dimension not in model.values and dimension not in told}


def _numbers(wanted: Wanted) -> Mapping[Dimension, int]:
    """The letters that have a number in every question."""
    letters = {letter.name for letter in find(wanted["quantity"]).inputs} & {letter.name for letter in INPUTS}
    return {Dimension(name): value for name, value in wanted.items() if name in letters}


def _with_numbers(term: Term, numbers: Mapping[Dimension, int]) -> Term:
    """A term with numbers for letters, which its sentence then no longer speaks of."""
    if not numbers.keys() & {*term.written.dimensions, *term.times.dimensions}:
        return term
    return replace(term, written=_put(term.written, numbers), times=_put(term.times, numbers), note="", about={})


def _put(written: Expression, numbers: Mapping[Dimension, int]) -> Expression:
    """A formula with numbers for letters; a factor of one is left out."""
    if isinstance(written, Dimension):
        return Number(numbers[written]) if written in numbers else written
    if isinstance(written, Product):
        factors = [numbered for numbered in (_put(factor, numbers) for factor in written.factors) if numbered != ONE]
        return Product(tuple(factors)) if len(factors) > 1 else factors[0] if factors else ONE
    simplified = written.of(*(_put(operand, numbers) for operand in written.operands)) if written.operands else written
    return ONE if isinstance(simplified, Power) and simplified.base == ONE else simplified


def _of_all(bound: Calculation) -> Iterator[Step]:
    """The sections of its sheet, of copies one copy before, and their sum."""
    derivation = worked_out(bound)
    for section in derivation.sections:
        if section.kind == StepKind.GROUP:
            yield from section.steps
        else:
            layer = section.steps[-1] if section.kind == StepKind.STACK else None
            if layer is not None:
                yield from layer.steps if len(layer.steps) <= MOST_STEPS else ()
                yield layer
            yield section
    if len(derivation.sections) > 1 or derivation.sections[0].kind == StepKind.GROUP:
        yield derivation.total


def _counting(subject: Step, count: str) -> Step:
    """A step whose results are called by the letter of its quantity, M or F, beside steps of other quantities."""
    inner = tuple(_counting(part, count) for part in subject.steps)
    form = None if subject.form is None else _called(subject.form, count)
    return replace(subject, name=_name(subject.name, count), written=_called(subject.written, count), steps=inner, form=form)


def _called(written: Expression, count: str) -> Expression:
    if isinstance(written, Named):
        return Named(_name(written.label, count), written.definition)
    return written.of(*(_called(operand, count) for operand in written.operands)) if written.operands else written


def _name(name: Any, count: str) -> StepName:
    called = StepName(name.key, name.of) if isinstance(name, StepName) else StepName(str(name))
    called.symbol = count
    return called
