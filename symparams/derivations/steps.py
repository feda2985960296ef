"""Steps: one line of reasoning each, with its formula, its numbers, its closed form and its value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, Union

from symparams.components.kinds import Kind, PartRole
from symparams.expressions import closed_form
from symparams.expressions.closed_form import Relations
from symparams.expressions.factoring import factored
from symparams.expressions.nodes import (
    Dimension,
    Equality,
    Expression,
    Named,
    Negative,
    Number,
    Product,
    Quotient,
    Size,
    factors_of,
    unmarked,
)
from symparams.expressions.polynomial import Monomial, Polynomial
from symparams.expressions.written import ZERO, Values, exact, number, substitute, total
from symparams.models.blocks import MOST_EXPANDED, with_inner_size
from symparams.models.values import to_integer
from symparams.records import frozen

if TYPE_CHECKING:
    import sympy

    from symparams.quantities.quantity import Term


class StepKind(StrEnum):
    """The kind of a step."""

    STEP = "step"  # a formula of its own
    ABSENT = "absent"  # a part that counts 0
    TIED = "tied"  # a part that is another's
    BLOCK = "block"  # the sum of a block
    STACK = "stack"  # copies of a block
    GROUP = "group"  # a heading without a sum
    TOTAL = "total"

    @property
    def closes(self) -> bool:
        """True if it closes a block of steps with their sum."""
        return self in (StepKind.BLOCK, StepKind.STACK, StepKind.TOTAL)


class Subject(Protocol):
    """The subject of a step: it has values for dimensions, and relations between them."""

    @property
    def values(self) -> Values:
        """The values of the dimensions that have any."""

    @property
    def relations(self) -> Relations:
        """The relations that a closed form may use."""


class StepName(str):
    """The name of a step: a key of the catalogues, or a pattern of theirs over other names, "within:feed_forward/up"."""

    key: str
    of: tuple[StepName, ...]
    symbol: str = ""  # the letter of what it counts, where that is not the whole sheet's

    def __new__(cls, key: str, of: tuple[StepName, ...] = ()) -> StepName:
        """The name by itself, or the pattern ``key`` over others."""
        name = super().__new__(cls, f"{key}:{'/'.join(of)}" if of else key)
        name.key, name.of = key, of
        return name


def named(key: str, *of: StepName | str) -> StepName:
    """The name that a pattern makes of others: named("within", "feed_forward", "up")."""
    return StepName(key, tuple(name if isinstance(name, StepName) else StepName(name) for name in of))


@frozen
class Note:
    """A sentence of the catalogues: the first of ``keys`` that they hold, with what stands for its placeholders.

    Several notes for one placeholder are a list within the sentence. One that ``is_said_once`` stands on a sheet at the
    first of the steps that have it.
    """

    keys: tuple[str, ...]
    terms: Mapping[str, Union[Expression, StepName, str, tuple[Note, ...]]] = field(default_factory=dict)
    is_said_once: bool = field(default=False, repr=False)


@frozen
class Step:
    """One line of reasoning: about what, where, its name, and the formula as written.

    ``steps`` are worked out before it, on lines of their own; ``parts`` are named within its formula. What follows from
    the formula is worked out when it is asked for: with numbers, multiplied out, and its value. ``form`` is the closed form
    where that is not simply multiplied out. ``layer`` is what one copy is called where a stack is not a block of the tree,
    ``role`` what the part is that it tells of, where more hangs on that. ``paths`` are its parts where it is about several.
    """

    subject: Subject
    path: str
    name: StepName
    written: Expression
    kind: StepKind = StepKind.STEP
    notes: tuple[Note, ...] = ()
    steps: tuple[Step, ...] = ()
    parts: tuple[Step, ...] = ()
    form: Expression | None = None
    layer: str = ""
    role: PartRole | None = None
    paths: tuple[str, ...] = field(default=(), repr=False)

    def __repr__(self) -> str:
        return f"Step({str(self.name)!r}, {self.shown})"

    @property
    def shown(self) -> str:
        """The closed form, and its value where it has one: h*V = 38,597,376."""
        if self.value is None:
            return repr(self.closed)
        return f"{self.closed!r} = {self.value:,}" if isinstance(self.value, int) else f"{self.closed!r} = {self.value}"

    @property
    def _known(self) -> list[Dimension]:
        return [dimension for dimension in self.written.dimensions if dimension in self.subject.values]

    @cached_property
    def substituted(self) -> Expression | None:
        """The formula with numbers as far as there are values; None where there are none."""
        return substitute(self.written, self.subject.values) if self._known else None

    @cached_property
    def polynomial(self) -> Polynomial:
        """The closed form under the subject's relations."""
        return closed_form.multiply_out(self.written, self.subject.relations)

    @cached_property
    def value(self) -> int | Fraction | None:
        """The exact number; None where a dimension of the formula has no value.

        It is a Fraction only of numbers of half a byte; DimensionError for any other fraction.
        """
        values = self.subject.values
        if len(self._known) < len(self.written.dimensions):
            return None
        has_halves = any(isinstance(values[dimension], Fraction) for dimension in self._known)
        return exact(self.written, values) if has_halves else to_integer(self.written, values)

    @property
    def count(self) -> int | None:
        """The value of what is counted one by one, as parameters are: an integer."""
        assert not isinstance(self.value, Fraction), f"{self.name} = {self.value} counts nothing"
        return self.value

    @cached_property
    def closed(self) -> Expression:
        """The closed form as people write it: multiplied out; of a long formula with common factors drawn out."""
        if self.form is not None:
            return self.form
        if len(self.polynomial.terms) > MOST_EXPANDED and self.parts:
            return factored(self.polynomial)
        return closed_form.closed_form(self.written, self.subject.relations)

    @cached_property
    def used(self) -> tuple[Equality, ...]:
        """The relations without which the formula would not come to its closed form: d_ff = 4·h, n_heads·d_head = h."""
        relations = self.subject.relations
        if self.form is not None and closed_form.multiply_out(self.form, {}) == closed_form.multiply_out(self.written, {}):
            return ()
        return tuple(
            _as_equality(dimension, relations[dimension])
            for dimension in written_out(self.written)
            if dimension in relations
            and closed_form.multiply_out(self.written, {d: v for d, v in relations.items() if d != dimension})
            != self.polynomial
        )

    @cached_property
    def closed_form(self) -> sympy.Expr:
        """The closed form as a sympy expression."""
        return closed_form.as_sympy(self.polynomial)

    @property
    def by_parts(self) -> Expression | None:
        """The values of several parts as a sum: 12,589,056 + 4,196,352."""
        values = [part.value for part in self.parts]
        if len(values) < 2 or any(value is None for value in values):
            return None
        return total([number(value) for value in values if value is not None])

    @cached_property
    def quantity(self) -> Named:
        """This step's result, to be referred to by name in a later one."""
        return Named(self.name, self.written)

    def walk(self) -> Iterator[Step]:
        """Every step that leads to this one, in reading order, and then itself."""
        for step in (*self.steps, *self.parts):
            yield from step.walk()
        yield self


def written_out(expression: Expression) -> tuple[Dimension, ...]:
    """The dimensions that stand in a formula itself, not in what it calls by a name."""
    dimensions: dict[Dimension, None] = {}
    waiting = [expression]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Dimension):
            dimensions[part] = None
        elif not isinstance(part, Named):
            waiting += reversed(part.operands)
    return tuple(dimensions)


def _as_equality(dimension: Dimension, value: Expression) -> Equality:
    """A relation as it is used: one by a fraction as a product, n_heads·d_head = h."""
    if isinstance(value, Quotient):
        return Equality(Size(Product((value.denominator, dimension))), value.numerator)
    return Equality(dimension, Size(value))


def step(
    subject: Subject,
    path: str,
    name: StepName | str,
    written: Expression,
    *,
    kind: StepKind = StepKind.STEP,
    notes: Sequence[Note] = (),
    steps: Sequence[Step] = (),
    parts: Sequence[Step] = (),
    form: Expression | None = None,
    paths: Sequence[str] = (),
) -> Step:
    """A step about a subject; its name by itself or as a pattern over others."""
    called = name if isinstance(name, StepName) else StepName(name)
    return Step(subject, path, called, written, kind, tuple(notes), tuple(steps), tuple(parts), form, paths=tuple(paths))


def absent(subject: Subject, path: str, name: StepName | str, kind: Kind) -> Step:
    """A layer with nothing to train: 0, and the reason."""
    return step(subject, path, name, Number(0), kind=StepKind.ABSENT, notes=[Note((f"absent.{kind}",))])


def summed(
    subject: Subject,
    path: str,
    name: StepName | str,
    steps: Sequence[Step],
    kind: StepKind,
    addends: Sequence[Step],
    notes: Sequence[Note] = (),
) -> Step:
    """The step that adds up results by name, those of the steps that lead to it or of some within them."""
    written = total([addend.quantity for addend in addends if addend.written != ZERO])
    return step(subject, path, name, written, kind=kind, steps=steps, notes=notes)


def in_inner_size(whole: Step) -> Step:
    """A step whose closed form keeps a mixer's inner size: 3·L·h·d_inner."""
    relations = whole.subject.relations
    kept = with_inner_size(relations)
    if len(kept) == len(relations):
        return whole
    return replace(whole, form=closed_form.as_written(closed_form.multiply_out(whole.written, kept)))


Letters = dict[Expression, Expression]  # the letters of one formula, and those of another that stand in their places


def renamed(first: Polynomial, other: Polynomial) -> tuple[Expression, Expression] | None:
    """The letter of one form and that of another in its place, if the forms are else the same: d_ff and d_expert."""
    letters, others = _letters(first), _letters(other)
    if len(letters - others) != 1 or len(others - letters) != 1:
        return None
    [old], [new] = letters - others, others - letters
    return (old, new) if _put(first, {old: new}) == _put(other, {}) else None


def renaming(first: Step, other: Step) -> Letters | None:
    """The letters that make one step the other, where they are written alike down to their parts; {} for the same ones."""
    letters: Letters = {}
    if not _meet(first.written, other.written, letters) or len(set(letters.values())) < len(letters):
        return None
    changed = {old: new for old, new in letters.items() if old != new}
    return changed if _put(first.polynomial, changed) == _put(other.polynomial, {}) else None


def _meet(first: Expression, other: Expression, letters: Letters) -> bool:
    """True if two formulas are of one structure; what stands where is kept in ``letters``."""
    if isinstance(first, Dimension) and isinstance(other, Dimension):
        return letters.setdefault(first, other) == other
    if type(first) is not type(other) or len(first.operands) != len(other.operands):
        return False
    if not first.operands:
        return first == other
    return all(_meet(operand, two, letters) for operand, two in zip(first.operands, other.operands, strict=True))


def _put(polynomial: Polynomial, letters: Letters) -> dict[frozenset[tuple[Expression, int]], object]:
    """The terms with other letters in their places."""
    return {_with(monomial, letters): number for monomial, number in polynomial.terms.items()}


def _with(monomial: Monomial, letters: Letters) -> frozenset[tuple[Expression, int]]:
    return frozenset((letters.get(letter, letter), power) for letter, power in monomial)


def _letters(polynomial: Polynomial) -> set[Expression]:
    return {letter for monomial in polynomial.terms for letter, _ in monomial}


def multiple_of_count(written: Expression) -> tuple[int, Named] | None:
    """Return the factor and N of a multiple of the number of parameters, 2 × N; None for anything else."""
    match factors_of(unmarked(written)):
        case (Number() as factor, Named(label="") as count):
            return factor.value, count
    return None


def multiple_of_counts(terms: Sequence[Term], less: Sequence[Term] = ()) -> Expression | None:
    """Return the sum of terms, without those that are ``less``, as a multiple of N, 16·N; None unless each is one."""
    multiples = [multiple_of_count(term.every) for term in (*terms, *less)]
    if not multiples or None in multiples:
        return None
    factors, counts = zip(*filter(None, multiples), strict=True)
    factor = sum(factors[: len(terms)]) - sum(factors[len(terms) :])
    multiple = Size(Product((Number(abs(factor)), counts[0])))
    return Negative(multiple) if factor < 0 else multiple


def short(long: Step) -> Step:
    """A step whose closed form has its common factors drawn out: b·t·(r_kv + d_rope)·e; a multiple of N stays one."""
    if (multiple := multiple_of_count(long.written)) is not None:
        return replace(long, form=Size(Product((Number(multiple[0]), multiple[1]))))
    return replace(long, form=factored(long.polynomial)) if len(long.polynomial.terms) > 1 else long
