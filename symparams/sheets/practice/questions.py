"""A question and its answer in words and formulas: what is asked, how it is to be answered, the steps, the usual mistakes."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from symparams.derivations.steps import Step
from symparams.expressions.nodes import Equality, Expression, Named, Negative, Number, Power, Product, Quotient, Sum, factors_of
from symparams.expressions.printing.nodes import Measured, Scaled
from symparams.expressions.symbols import letter
from symparams.expressions.written import exact, loose, substitute, tight
from symparams.practice.choices import AnswerOption
from symparams.practice.conditions import COUNT, parsed
from symparams.practice.kind import (
    BANDWIDTH,
    BOARD,
    ESTIMATE,
    MEMORY,
    OF_A_BOARD,
    PEAK,
    SYMBOLIC,
    Texts,
    mistakes,
    text_in,
)
from symparams.practice.parts import TOTAL
from symparams.practice.question import Mistake, Question
from symparams.practice.replies import PERCENT
from symparams.sheets.catalogue import catalogue
from symparams.sheets.document import Block, Equation, Link
from symparams.sheets.steps import equation, is_in_names_alone
from symparams.sheets.values import Listed, Phrase, Prose, Sentence, Value

PRINTED = {PEAK: "FLOPS", BANDWIDTH: "B/s", MEMORY: "B"}  # of a board: 989.5 TFLOPS, 3.35 TB/s, 80 GB
POWERS = (12, 9)  # of ten, with which a round number is told: 2 × 10¹², 989.5 × 10¹², 80 × 10⁹
DIGITS = 4  # that an answer which is not a whole number is told with


def text_of(texts: Texts, language: str, question: Question) -> Phrase:
    """A text of a record with its numbers, its model and its formulas: $…$ is one, {h} a value, {model} the name."""
    return phrase(text_in(texts, language), lambda name, _: _slot(name, question))


def phrase(text: str, slot: Callable[[str, str], Value]) -> Phrase:
    """A text of a record whose formulas stand between $ and whose slots are {name:digits}."""
    parts: list[str | Value] = []
    for i, cut in enumerate(text.split("$")):
        if i % 2:
            parts.append(_formula(cut))
            continue
        for literal, name, digits, _ in string.Formatter().parse(cut):
            parts += [literal] if literal else []
            parts += [slot(name, digits or "")] if name is not None else []
    return Phrase(tuple(parts))


def asked(question: Question, language: str, *, tells_sizes: bool = True) -> list[Value]:
    """The question, and how its answer is to be written."""
    return [text_of(question.kind.texts, language, question), *how(question, language, tells_sizes=tells_sizes)]


def how(question: Question, language: str, *, tells_sizes: bool = True) -> list[Value]:
    """Return how an answer is to be written: in which letters, with which values, within which tolerance."""
    sentences: list[Value] = []
    if question.form.name == SYMBOLIC:
        sentences.append(Sentence("practice.formula", {"letters": Listed(tuple(question.letters), "signs.list")}))
        if tells_sizes and (sizes := tuple(_untold(question, language))):
            sentences.append(Sentence("practice.sizes", {"sizes": Listed(sizes, "signs.list")}))
    elif question.form.name == ESTIMATE and question.form.tolerance is not None:
        key = "practice.estimate_of_share" if question.kind.unit == PERCENT else "practice.estimate"
        sentences.append(Sentence(key, {"tolerance": Prose(percent(question.form.tolerance))}))
    return sentences


def _untold(question: Question, language: str) -> Iterator[Expression]:
    """Return the values of the letters of an answer that the question does not give."""
    text = question.kind.texts.get(language, "")
    for dimension in question.letters:
        if f"${dimension.name}$ = " not in text and (dimension != COUNT or "{N}" not in text):
            yield Equality(dimension, Number(question.size(dimension)))


def percent(tolerance: Fraction) -> str:
    """A tolerance as it is said: 5 for five in a hundred."""
    return f"{float(tolerance * 100):g}"


def answered(question: Question, language: str) -> Iterator[Block]:
    """The equations behind an answer: the steps of the sheet, then the answer where no step has said it."""
    steps = [] if _is_given(question) else list(_all_worked_out(question))
    yield from map(equation, steps)
    last = steps[-1] if steps else None
    is_told = last is not None and last.value == question.value and len(question.steps) == 1
    if not is_told or (question.form.name == SYMBOLIC and last is not None and is_in_names_alone(last)):
        if question.kind.among:
            yield Equation(None, list(_room(question)), in_a_row=True)
        yield Equation(None, list(_chain(question, language)), in_a_row=True)


def _is_given(question: Question) -> bool:
    """True if the whole count, which the question tells, is all that the answer is worked out from."""
    return [step.name for step in question.steps] == [TOTAL] and any("{N}" in text for text in question.kind.texts.values())


def _all_worked_out(question: Question) -> Iterator[Step]:
    """The steps behind an answer, each once."""
    seen = set()
    for step in (inner for result in question.steps for inner in _worked_out_before(result)):
        if (step.name, step.polynomial) not in seen:
            seen.add((step.name, step.polynomial))
            yield step


def _worked_out_before(step: Step) -> Iterator[Step]:
    """A step, and before it those of which it is the sum where its own equation has nothing but their names."""
    if is_in_names_alone(step):
        for inner in step.steps:
            yield from _worked_out_before(inner)
    yield step


def _chain(question: Question, language: str) -> Iterator[Link]:
    """The answer by the names of its steps, simplified where it can be, in numbers, and what it comes to."""
    value, sizes = question.value, {dimension: question.size(dimension) for dimension in question.by_steps.dimensions}
    if not isinstance(question.by_steps, Number):
        yield Link(tight(question.by_steps), joins=False)
        if question.by_steps != question.shown and not isinstance(question.shown, Quotient) and not _is_a_result(question):
            yield Link(tight(question.shown), joins=False)
        numbers = _round(_worked_out(substitute(loose(question.by_steps), sizes)))
        if numbers != Number(int(value or 0)) and question.by_steps.dimensions and not _is_a_result(question):
            yield Link(numbers, joins=False)
    if value is not None:
        yield Link(told(value, unit_of(question, language)), "=" if is_exact(value) else "≈")


def _room(question: Question) -> Iterator[Link]:
    """Return the bounds below which the answer is the largest number, if there are several."""
    written = parsed(question.kind.answer)
    numbers = substitute(loose(written), {dimension: question.size(dimension) for dimension in written.dimensions})
    yield Link(tight(written), joins=False)
    yield Link(numbers, joins=False)
    yield Link(told(question.worth(written)), "≈")


def _round(numbers: Expression) -> Expression:
    """A formula with its round numbers by a power of ten: 2 × 10¹²."""
    if isinstance(numbers, Product):
        return Product(tuple(factor for operand in numbers.operands for factor in factors_of(_round(operand))))
    if not isinstance(numbers, Number):
        return numbers.of(*map(_round, numbers.operands)) if numbers.operands else numbers
    power = next((power for power in POWERS if numbers.value >= 10**power), None)
    if power is None or numbers.value % 10 ** POWERS[-1]:
        return numbers
    first, ten = told(Fraction(numbers.value, 10**power)), Power(Number(10), power)
    return ten if first == Number(1) else Product((first, ten))


def _is_a_result(question: Question) -> bool:
    """True if the answer is what the last step comes to, which has said the rest."""
    return isinstance(question.by_steps, Named) and len(question.steps) > 1 and question.steps[-1].value == question.value


def _worked_out(numbers: Expression, *, is_within: bool = False) -> Expression:
    """Numbers put in, each sum of a fraction as one number: 100 × 41,943,040 / 218,103,808."""
    if is_within and isinstance(numbers, Sum) and is_exact(value := exact(numbers, {})):
        return Number(int(value))
    if not isinstance(numbers, (Sum, Product, Quotient)):
        return numbers
    is_fraction = is_within or isinstance(numbers, Quotient)
    return numbers.of(*(_worked_out(operand, is_within=is_fraction) for operand in numbers.operands))


def unit_of(question: Question, language: str) -> str:
    """Return the unit of an answer in the words of a language: tokens, bytes; the percent sign is the same in all."""
    unit = question.kind.unit
    return unit if unit in (PERCENT, "") else str(catalogue(language).entry(f"practice.units.{unit}"))


def told(value: int | Fraction, unit: str = "") -> Expression:
    """A number with its unit, a fraction to so many digits."""
    if value < 0:
        return Negative(told(-value, unit))
    if unit == PERCENT:
        return Scaled(Fraction(value), _decimals(value), unit)
    number = Number(int(value)) if is_exact(value) else Scaled(Fraction(value), _decimals(value), "")
    return Measured(number, unit) if unit else number


def _decimals(value: int | Fraction) -> int:
    """So many digits after the point as tell a number in full, or in four digits; of a long number, one at most."""
    whole = len(str(int(value))) if int(value) else 0
    most = max(1, DIGITS - whole)
    exact_at = (number for number in range(1 + (most if whole > DIGITS else DIGITS)) if is_exact(value * 10**number))
    return next(exact_at, most)


def is_exact(value: int | Fraction) -> bool:
    """True if a number is printed with all of its digits."""
    return Fraction(value).denominator == 1


def wrong(question: Question, language: str) -> list[Value]:
    """The usual wrong answers, each with what is to be said to it."""
    return [wrong_answer(question, mistake, language) for mistake in question.mistakes]


def wrong_answer(question: Question, mistake: Mistake, language: str) -> Value:
    """A usual wrong answer with what is to be said to it: 4·h² = 2,359,296: The biases are missing."""
    terms = {"answer": _answer(question, mistake, language), "why": why(mistake.names, question, language)}
    return Sentence("practice.wrong", terms)


def _answer(question: Question, mistake: Mistake, language: str) -> Expression:
    """A wrong answer in the form that is asked: a formula with what it comes to, or the number."""
    value = told(mistake.value, unit_of(question, language))
    is_formula = question.form.name == SYMBOLIC and bool(mistake.written.dimensions)
    return Equality(tight(mistake.written), value) if is_formula else value


def why(names: Sequence[str], question: Question, language: str) -> Value:
    """Return the reply to a wrong answer: the mistake, or the mistakes, that lead to it."""
    return Listed(tuple(text_of(mistakes()[name], language, question) for name in names), "practice.or")


def note_of(question: Question, language: str) -> list[Value]:
    """Return what the record says besides the answer."""
    return [text_of(question.kind.note, language, question)] if question.kind.note else []


def reason_of(choice: AnswerOption, question: Question, language: str) -> list[Value]:
    """Return why a sentence that was chosen is wrong, as far as its record says so."""
    return [text_of(choice.why, language, question)] if choice.why else []


def refuted(choice: AnswerOption, question: Question, language: str) -> Sentence:
    """A wrong sentence by its letter, with what is wrong with it."""
    [why_not] = reason_of(choice, question, language)
    return Sentence("practice.option", {"letter": Prose(choice.letter), "answer": why_not})


def option(choice: AnswerOption, question: Question, language: str) -> Sentence:
    """An answer to choose, with its letter."""
    if choice.texts is not None:
        what: Value = text_of(choice.texts, language, question)
    else:
        what = tight(choice.written) if choice.written is not None else told(choice.value or 0, unit_of(question, language))
    return Sentence("practice.option", {"letter": Prose(choice.letter), "answer": what})


def _slot(name: str, question: Question) -> Value:
    if name in ("model", BOARD):
        return Prose(question.board if name == BOARD else question.model.name)
    value = question.size(letter(name))
    if name in OF_A_BOARD:
        scale, prefix = (10**12, "T") if value >= 10**12 else (10**9, "G")
        return told(Fraction(value, scale), f"{prefix}{PRINTED[name]}")
    return _round(Number(value))


def _formula(text: str) -> Expression:
    left, sign, right = text.partition("=")
    written = _written(left)
    return Equality(written, _written(right)) if sign else written


def _written(text: str) -> Expression:
    """A formula as it is set in a sentence: with crosses where its record has some, otherwise tight."""
    written = parsed(text.strip())
    return written if "×" in text else tight(written)
