"""Marking: what a reply is worth, and what of it is said: how far off it is, or by which usual mistake it is reached.

A formula is right where it is the answer's polynomial under the model's relations, in whatever form; a number where it is the
answer, or rounds to it and to no usual mistake; an estimate within its tolerance. What no mistake explains is told by the
step of the tree by which it differs, or by a percentage; beyond that nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from fractions import Fraction

from symparams.derivations.derivation import derive
from symparams.errors import NotAnExpressionError
from symparams.expressions.amounts import BYTES as SIZES
from symparams.expressions.factoring import factored
from symparams.expressions.nodes import Ceiling, Dimension, Expression, Floor
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.written import replaced
from symparams.practice.conditions import COUNT, parsed
from symparams.practice.equality import are_equal, multiplied_out
from symparams.practice.kind import ESTIMATE, SYMBOLIC
from symparams.practice.question import ANSWER, Mistake, Question
from symparams.practice.replies import BYTES, NAMES, PERCENT, Reply, UnreadableError
from symparams.records import frozen

ENOUGH_DIGITS = 3  # of a rounded answer, where the exact number was asked
FEW_DIGITS = 2  # of an estimate
LEAST_ROUNDED = 1_000  # a whole number that people round
MOST_TERMS = 2  # of what a formula is off by, where no step of the tree says it


class Outcome(StrEnum):
    """The outcome of a reply; only a wrong one costs a try."""

    RIGHT = "right"
    WRONG = "wrong"
    NUMBER = "number"  # the right number, where a formula was asked
    FORMULA = "formula"  # the right formula, where a number was asked
    HERE = "here"  # a formula that comes to the right number at these sizes alone
    FRACTION = "fraction"  # the right share, where it was asked in per cent
    COARSE = "coarse"  # a number that rounds to the answer, and says too little
    NEAR = "near"  # an estimate in so few digits that it may be the answer
    BINARY = "binary"  # KB where KiB is right
    UP = "up"  # a fraction of what is counted in whole ones, to be rounded up
    DOWN = "down"


@frozen
class Mark:
    """The worth of a reply.

    ``off`` is how far it is from the answer, as a part of that where it is not 0; ``mistakes`` are the names of the usual ones
    that lead to it.
    ``difference`` is what it has too much, or too little. ``digits`` are those to which it is right; ``counted`` are the
    bytes that it says, and ``binary`` is the unit in which it would be right.
    """

    outcome: Outcome
    off: Fraction = Fraction(0)
    mistakes: tuple[str, ...] = ()
    difference: Expression | None = None
    digits: int = 0
    counted: Fraction = Fraction(0)
    binary: str = ""


def symbols(question: Question, letters: Mapping[Dimension, str]) -> Mapping[str, Dimension]:
    """The letters that an answer to a question may use: as a notation writes them, and by their names."""
    known = [dimension for dimension in question.values if dimension != COUNT or not question.has_count]
    known += [COUNT] if question.has_count and question.may_say_count else []
    bare = {dimension.name.replace("_", ""): dimension for dimension in known}  # dff for d_ff
    others = {name: dimension for dimension in known for name in NAMES.get(dimension.name, ())}
    return (
        others
        | bare
        | {dimension.name: dimension for dimension in known}
        | {letters.get(dimension, dimension.name): dimension for dimension in known}
    )


def mark(question: Question, reply: Reply) -> Mark:
    """Return the mark of a reply; UnreadableError if it divides by zero."""
    if reply.written is not None and reply.written.dimensions:
        return _formula(question, reply.written)
    first = _of_number(question, reply)
    if reply.other is None or first.outcome in (Outcome.RIGHT, Outcome.NUMBER):
        return first
    other = _of_number(question, reply.other)
    if other.outcome not in (Outcome.RIGHT, Outcome.NUMBER):
        return first if reply.binary else min(first, other, key=lambda mark: abs(mark.off))
    return Mark(Outcome.BINARY, counted=reply.value, binary=reply.binary) if reply.binary else other


def _of_number(question: Question, reply: Reply) -> Mark:
    value, last = number_of(question, reply)
    if question.form.name == SYMBOLIC:
        is_mistake = not reply.last and any(mistake.value == value for mistake in question.mistakes)
        is_right = value == question.value or (_rounds_to(value, last, question.value) and not is_mistake)
        return Mark(Outcome.NUMBER) if is_right else _miss(question, value, last)
    return _number(question, value, last, is_in_full=not reply.last)


def _formula(question: Question, written: Expression) -> Mark:
    try:
        value = Fraction(question.worth(written))
    except ZeroDivisionError:
        raise UnreadableError("zero") from None
    is_equal = are_equal(question, written, question.written)
    if question.kind.unit == PERCENT and 100 * value == question.value:
        return Mark(Outcome.FRACTION)
    if question.form.name != SYMBOLIC:
        return Mark(Outcome.FORMULA) if is_equal or value == question.value else _miss(question, value, Fraction(0), written)
    if is_equal:
        return Mark(Outcome.RIGHT)
    return Mark(Outcome.HERE) if value == question.value else _miss(question, value, Fraction(0), written)


def number_of(question: Question, reply: Reply) -> tuple[Fraction, Fraction]:
    """Return the number of a reply in the question's unit, and what its last digit counts; zeros at its end may be rounded."""
    try:
        value = reply.value if reply.written is None else Fraction(question.worth(reply.written))
    except ZeroDivisionError:
        raise UnreadableError("zero") from None
    is_whole = value.denominator == 1 and reply.last <= 1 and _answer(question).denominator == 1
    last = Fraction(_zeros(value)) if is_whole else max(reply.last, Fraction(_zeros(value)))
    unit = question.kind.unit
    if reply.unit == BYTES:
        return value / SIZES[unit], last / SIZES[unit]
    return (value / 100, last / 100) if reply.unit == PERCENT and unit != PERCENT else (value, last)


def _number(question: Question, value: Fraction, last: Fraction, *, is_in_full: bool) -> Mark:
    answer = _answer(question)
    off = (value - answer) / answer if answer else Fraction(0)
    if value == answer:
        return Mark(Outcome.RIGHT)
    if is_in_full and any(mistake.value == value for mistake in question.mistakes):
        return _miss(question, value, last)
    if question.kind.unit == PERCENT and abs(100 * value - answer) <= (question.form.tolerance or 0) * abs(answer):
        return Mark(Outcome.FRACTION)
    if question.form.name == ESTIMATE and question.form.tolerance is not None:
        is_right = abs(value - answer) <= question.form.tolerance * abs(answer)
        is_right = is_right or (_rounds_to(value, last, answer) and _digits(value, last) >= FEW_DIGITS)
        return Mark(Outcome.RIGHT, off) if is_right else _miss_or_near(question, value, last)
    if (rounding := _unrounded(question, value, last)) is not None:
        return Mark(rounding)
    if not _rounds_to(value, last, answer):
        return _miss_or_near(question, value, last)
    rivals, digits = _rivals(question, value, last), _digits(value, last)
    if digits >= ENOUGH_DIGITS and not rivals:
        return Mark(Outcome.RIGHT, off, digits=digits)
    return Mark(Outcome.COARSE, mistakes=tuple(name for mistake in rivals for name in mistake.names), digits=digits)


def _miss_or_near(question: Question, value: Fraction, last: Fraction) -> Mark:
    """A reply that misses; one of two digits, the last off by one, is too coarse to be called wrong: 14 GB for 13.48."""
    is_near = abs(value - _answer(question)) <= last and _digits(value, last) == FEW_DIGITS
    return Mark(Outcome.NEAR) if is_near and not _rivals(question, value, last) else _miss(question, value, last)


def _digits(value: Fraction, last: Fraction) -> int:
    """The digits of a number whose last one counts so much; 0 where all are written."""
    return len(str(abs(int(value / last)))) if last else 0


def _unrounded(question: Question, value: Fraction, last: Fraction) -> Outcome | None:
    """Return how a reply is to be rounded that is what the answer rounds; None for any other."""
    written = question.written
    if value.denominator == 1 or not isinstance(written, (Ceiling, Floor)) or not question.is_known(written.inner):
        return None
    is_inner = 2 * abs(Fraction(question.worth(written.inner)) - value) <= last
    return (Outcome.UP if isinstance(written, Ceiling) else Outcome.DOWN) if is_inner else None


def _miss(question: Question, value: Fraction, last: Fraction, written: Expression | None = None) -> Mark:
    """A wrong reply: its usual mistakes, or else the step by which it differs, or else how far off it is."""
    answer = _answer(question)
    off = (value - answer) / answer if answer else value
    if names := tuple(_mistakes(question, value, last, written)):
        return Mark(Outcome.WRONG, off, names)
    return Mark(Outcome.WRONG, off, difference=_step_between(question, value, written))


def _mistakes(question: Question, value: Fraction, last: Fraction, written: Expression | None) -> Iterator[str]:
    """The usual mistakes that lead to a reply: to its formula, to its number, or to what it rounds or estimates."""
    exact = [mistake for mistake in question.mistakes if mistake.value == value]
    if exact and written is not None:
        plain = [name for name in exact[0].names if _is_reached(question, written, name)]
        yield from plain or exact[0].names
        return
    mistakes = exact or _rivals(question, value, last)
    if not mistakes and question.form.name == ESTIMATE:
        room = question.form.tolerance or Fraction(0)
        near = [mistake for mistake in question.mistakes if abs(value - mistake.value) <= room * abs(Fraction(mistake.value))]
        mistakes = sorted(near, key=lambda mistake: abs(value - mistake.value))[:2]
    yield from (name for mistake in mistakes for name in mistake.names)


def _is_reached(question: Question, written: Expression, mistake: str) -> bool:
    """True if a formula is that of a usual mistake, and not only one that comes to the same number."""
    formulas = [parsed(text) for name, text in question.kind.wrong if name == mistake]
    return any(are_equal(question, written, replaced(formula, {ANSWER: question.written})) for formula in formulas)


def _rivals(question: Question, value: Fraction, last: Fraction) -> list[Mistake]:
    """The usual mistakes that a rounded number may be as well."""
    return [mistake for mistake in question.mistakes if _rounds_to(value, last, mistake.value)]


def _rounds_to(value: Fraction, last: Fraction, exact: int | Fraction | None) -> bool:
    return exact is not None and last > 0 and 2 * abs(exact - value) <= last


def _step_between(question: Question, value: Fraction, written: Expression | None) -> Expression | None:
    """The step of the tree that a reply has too much, or too little; None where there is none, or it is the answer itself."""
    if question.kind.unit:
        return None
    between = _between(question, written)
    answer = question.shown
    closed_forms = {}
    for step in derive(question.model).walk():
        by_form = between is not None and step.polynomial.terms and step.polynomial in (between, -between)
        by_value = written is None and step.value is not None and step.value == abs(value - _answer(question)) > 0
        if (by_form or by_value) and not are_equal(question, step.closed, answer):
            closed_forms[step.polynomial] = step.closed
    if len(closed_forms) == 1:
        return next(iter(closed_forms.values()))
    return _few_terms(question, between) if between is not None else None


def _few_terms(question: Question, between: Polynomial) -> Expression | None:
    """What a formula has too much, or too little, in a few terms of one sign: 3h; None for more, or where it is the answer."""
    coefficients = between.terms.values()
    size = between if min(coefficients, default=0) > 0 else -between
    is_of_one_sign = bool(coefficients) and all(coefficient > 0 for coefficient in size.terms.values())
    if not is_of_one_sign or len(size.terms) > MOST_TERMS or any(Fraction(each).denominator > 1 for each in coefficients):
        return None
    return None if size.terms.keys() == question.polynomial.terms.keys() else factored(size)


def _between(question: Question, written: Expression | None) -> Polynomial | None:
    if written is None:
        return None
    try:
        return multiplied_out(question, written) - multiplied_out(question, question.written)
    except NotAnExpressionError:  # it divides by a sum
        return None


def _answer(question: Question) -> Fraction:
    assert question.value is not None
    return Fraction(question.value)


def _zeros(value: Fraction) -> int:
    """Return the unit of the last non-zero digit of an integer: 1,770,000 may be rounded to 10,000."""
    if value.denominator > 1 or abs(value) < LEAST_ROUNDED:
        return 0
    digits = str(abs(value.numerator))
    zeros = len(digits) - len(digits.rstrip("0"))
    return 10**zeros if zeros else 0
