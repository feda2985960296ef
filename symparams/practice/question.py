"""Questions: a kind asked of a model in one form, with its answer, the usual mistakes, and the steps behind it.

The answer comes from the tree: it is what the part that the record names counts there, or a formula of its record over such
parts. A usual mistake is a formula too, so that each model has wrong answers of its own; one that comes to the answer is no
mistake of this model, and two that come to one number are told together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from fractions import Fraction
from functools import cached_property

from symparams.derivations.steps import Step
from symparams.errors import NotAnExpressionError
from symparams.expressions.closed_form import Relations, closed_form, multiply_out
from symparams.expressions.factoring import factored
from symparams.expressions.nodes import Dimension, Expression, Named, Negative, Number, Product, Sum, factors_of
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.symbols import by_reading, e, letter
from symparams.expressions.written import exact, replaced
from symparams.models.model import Model
from symparams.practice import conditions
from symparams.practice.conditions import COUNT, parsed
from symparams.practice.kind import AnswerForm, QuestionTemplate
from symparams.practice.measures import inputs
from symparams.practice.parts import TOTAL, part
from symparams.practice.readings import Read, read, step_read, steps_read
from symparams.records import frozen

ANSWER = Dimension("answer")
LEAST_LONG = 10_000  # of a number that nobody reads at sight


@frozen
class Mistake:
    """A usual wrong answer: the names of what leads to it, the formula, and what that comes to."""

    names: tuple[str, ...]
    written: Expression
    value: int | Fraction


@frozen
class Question:
    """A kind asked of a model, with what is given besides, of a ``board`` too, in one of its forms.

    ``written`` is the answer as people write it, in letters, in N and in the names of the record, which ``meanings`` spells
    out; of a *why* there is none, nor a value.
    """

    kind: QuestionTemplate
    model: Model
    form: AnswerForm
    given: Mapping[str, int]
    board: str = field(default="", kw_only=True)

    @cached_property
    def meanings(self) -> Mapping[Dimension, Expression]:
        """The formulas that N and the names of the record stand for."""
        count = part(self.model, TOTAL) if self.has_count else None
        return {**({} if count is None else {COUNT: count}), **self._readings}

    @cached_property
    def _readings(self) -> Mapping[Dimension, Expression]:
        """The formulas that the names of the record stand for."""
        meanings = {letter(name): read(self.model, wanted) for name, wanted in self.kind.reads.items()}
        return {name: meaning for name, meaning in meanings.items() if meaning is not None}

    @property
    def has_count(self) -> bool:
        """True if N stands for the whole count: no letter of the model is called N."""
        return all(dimension != COUNT for dimension in self.model.dimensions)

    @cached_property
    def written(self) -> Expression:
        """The answer in symbols: the closed form of the part that is asked, or the record's own formula."""
        if self.kind.among:
            return Number(max(option for option in self.kind.among if option <= self.worth(parsed(self.kind.answer))))
        if self.kind.answer:
            return parsed(self.kind.answer)
        counted = part(self.model, self.kind.step)
        if counted is None:
            raise LookupError(f"{self.model.name} has no {self.kind.step}")
        return closed_form(counted, self.relations)

    @cached_property
    def relations(self) -> Relations:
        """The relations under which an answer is read: the model's, and those of the kind."""
        return {**self.model.relations, **conditions.relations(self.model, self.kind.under)}

    @cached_property
    def letters(self) -> tuple[Dimension, ...]:
        """The letters in which an answer is written: those of the answer and, so that they betray nothing, of the mistakes."""
        spoken = {*self.shown.dimensions, *(dimension for mistake in self.mistakes for dimension in mistake.written.dimensions)}
        known = [dimension for dimension in spoken if dimension in self.values and (dimension != COUNT or self.may_say_count)]
        return tuple(sorted(known, key=by_reading))

    @property
    def may_say_count(self) -> bool:
        """True if N may stand in an answer: the record's own formula has it, and says more than N."""
        return not self.has_count or (self.written != COUNT and COUNT in self.written.dimensions)

    @cached_property
    def shown(self) -> Expression:
        """The answer as it is told: in the model's letters and N; where it divides by a sum, by the results of its steps."""
        return _positive_first(self._shown)

    @cached_property
    def _shown(self) -> Expression:
        own = self._readings
        if not own.keys() & set(self.written.dimensions):
            return self.written
        if self.board:  # its letters stand below, and nobody divides each term by them
            return self._tidied(replaced(self.written, {**own, **self._results}))
        try:
            forms = [factored(multiply_out(replaced(self.written, self.meanings), self.relations))]
            if isinstance(self.written, Dimension) and isinstance(self.known.get(e), int):
                forms.append(own[self.written])  # so many layers, (L_dense + L_moe)·…, multiplied out are longer
            if COUNT in self.written.dimensions:
                known = {name: factored(multiply_out(meaning, self.relations)) for name, meaning in own.items()}
                with_count = replaced(self.written, known)
                forms = [with_count, factored(multiply_out(with_count, self.relations)), *forms]
            if not all(map(self._is_taught, forms)):  # 2·N / 1024³ rather than N / 536,870,912
                known = {name: factored(multiply_out(meaning, self.relations)) for name, meaning in own.items()}
                forms.append(replaced(self.written, known))
            return min(forms, key=lambda form: (not self._is_taught(form), len(str(form))))
        except NotAnExpressionError:  # it divides by a sum, which is never multiplied out
            return self._tidied(replaced(self.written, {**own, **self._results}))

    def _is_taught(self, form: Expression) -> bool:
        """True if a form has no long number that the record has not."""
        return all(number < LEAST_LONG or number in set(_numbers(self.written)) for number in _numbers(form))

    @cached_property
    def values(self) -> Mapping[Dimension, int]:
        """The model's values, the whole count, and what the question gives."""
        count = {COUNT: self.model.count()} if self.has_count and not self.model.unbound else {}
        return {**self.known, **self.model.values, **count, **{letter(name): value for name, value in self.given.items()}}

    @cached_property
    def known(self) -> Mapping[Dimension, int]:
        """The values of the quantities that are read, beyond the model's sizes: its window, the bytes of a number."""
        of_quantities = (
            reading for reading in self.kind.reads.values() if isinstance(reading, Mapping) and "quantity" in reading
        )
        return {name: value for wanted in of_quantities for name, value in inputs(self.model, wanted).items()}

    @cached_property
    def constants(self) -> Mapping[Dimension, Expression]:
        """The bytes of a number, which a formula may say as a letter or as a number."""
        return {e: Number(self.known[e])} if e in self.known and e not in self.model.values else {}

    @cached_property
    def value(self) -> int | Fraction | None:
        """The exact value of the answer; None for a sentence."""
        return None if self.kind.is_choice else self.worth(self.written)

    @cached_property
    def polynomial(self) -> Polynomial:
        """The answer multiplied out under the model's relations: what a formula is compared with."""
        return self.multiplied_out(self.written)

    @cached_property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The usual wrong answers that are wrong here, those of one value together."""
        by_value: dict[int | Fraction, Mistake] = {}
        for name, formula in self.kind.wrong:
            written = replaced(replaced(parsed(formula), {ANSWER: self.written}), self._own)
            value = self.worth(written) if self.is_known(written) else self.value
            if value is not None and value != self.value:
                before = by_value.get(value, Mistake((), written, value))
                by_value[value] = replace(before, names=tuple(dict.fromkeys((*before.names, name))))
        return tuple(by_value.values())

    @cached_property
    def _own(self) -> Mapping[Dimension, Expression]:
        """The meanings of the record's own names, simplified; N keeps its name."""
        return {name: self._tidied(meaning) for name, meaning in self._readings.items()}

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the model's sheet behind the answer: of the part that is asked, or of those that the record reads."""
        if self.kind.step:
            return self._steps({"": self.kind.step})
        if self.value == 0 and isinstance(self.written, Number):  # nothing of the sheet leads to it
            return ()
        steps = self._steps(self._reads_of_answer)
        return steps or self._steps({"": TOTAL} if COUNT in self._answer_letters and self.has_count else self.kind.reads)

    def _steps(self, wanted: Mapping[str, Read]) -> tuple[Step, ...]:
        ranked = ((name, reading, self._rank(name)) for name, reading in wanted.items())
        return tuple(step for name, reading, rank in ranked for step in steps_read(self, self.model, name, reading, rank))

    @cached_property
    def by_steps(self) -> Expression:
        """The answer with the results of its steps by their names: 100·N_attn / (N_attn + N_FFN)."""
        results = self._results
        return replaced(self.written, {**self._readings, **results}) if results else self.shown

    @cached_property
    def _results(self) -> Mapping[Dimension, Expression]:
        """The results of the steps that the answer reads, by the record's names for them."""
        steps = {
            letter(name): step_read(self, self.model, name, reading, self._rank(name))
            for name, reading in self.kind.reads.items()
        }
        return {
            name: Named("", step.written) if step.name == TOTAL else step.quantity
            for name, step in steps.items()
            if step is not None and name in self.written.dimensions
        }

    @cached_property
    def _answer_letters(self) -> frozenset[Dimension]:
        """The letters of the record's own formula."""
        return frozenset(parsed(self.kind.answer).dimensions) if self.kind.answer else frozenset()

    @cached_property
    def _reads_of_answer(self) -> Mapping[str, Read]:
        """What the record reads for its own formula."""
        return {name: wanted for name, wanted in self.kind.reads.items() if letter(name) in self._answer_letters}

    def _rank(self, name: str) -> int:
        """Return the index of a step among those of its name; 0 for the part as the model has it."""
        reads = self._reads_of_answer
        if name not in reads or not _is_changed(reads[name]):
            return 0
        steps = {label: step_read(self, self.model, label, wanted) for label, wanted in reads.items()}
        called = {label: step.name for label, step in steps.items() if step is not None}
        same = [
            label for label in sorted(called, key=lambda other: _is_changed(reads[other])) if called[label] == called.get(name)
        ]
        whole = int(called.get(name) == TOTAL and COUNT in self._answer_letters)
        return whole + same.index(name) if name in same else 0

    def _tidied(self, written: Expression) -> Expression:
        """A formula that divides by a sum, as people write it: each sum in it multiplied out, but for parts by their names."""
        if isinstance(written, Named):
            return written
        if isinstance(written, Sum) and not any(isinstance(operand, Named) for operand in written.operands):
            try:
                return closed_form(written, self.relations)
            except NotAnExpressionError:
                pass
        operands = [self._tidied(operand) for operand in written.operands]
        if isinstance(written, Product):
            return Product(tuple(factor for operand in operands for factor in factors_of(operand)))
        return written.of(*operands) if operands else written

    def is_known(self, written: Expression) -> bool:
        """True if all letters of a formula have values, so that somebody can make this mistake."""
        return all(dimension in self.values for dimension in replaced(written, self.meanings).dimensions)

    def worth(self, written: Expression) -> int | Fraction:
        """Return the exact value of a formula."""
        worth = exact(replaced(written, self.meanings), self.values)
        return worth.numerator if worth.denominator == 1 else worth

    def size_of(self, text: str) -> int | Fraction | None:
        """The value of a formula of the record; None if one of its letters has no value."""
        written = parsed(text)
        return self.worth(written) if self.is_known(written) else None

    def size(self, dimension: Dimension) -> int:
        """Return the value of a letter: the whole count for N."""
        return int(self.worth(COUNT)) if dimension == COUNT and self.has_count else self.values[dimension]

    def multiplied_out(self, written: Expression) -> Polynomial:
        """A formula multiplied out under the model's relations."""
        return multiply_out(replaced(replaced(written, self.meanings), self.constants), self.relations)


def _positive_first(written: Expression) -> Expression:
    """A formula whose sums begin with what is added, V2 − V, where they would begin with what is taken away, −V + V2."""
    if isinstance(written, Sum) and isinstance(written.terms[0], Negative):
        return Sum(tuple(sorted(written.terms, key=lambda term: isinstance(term, Negative))))
    operands = [_positive_first(operand) for operand in written.operands] if not isinstance(written, Named) else []
    return written.of(*operands) if operands else written


def _is_changed(wanted: Read) -> bool:
    return not isinstance(wanted, str) and "set" in wanted


def _numbers(written: Expression) -> Iterator[int]:
    """The numbers of a formula."""
    if isinstance(written, Number):
        yield abs(written.value)
    for operand in written.operands:
        yield from _numbers(operand)
