"""Exams: so many questions for a class, chosen by a seed, with their points.

Three in ten are warm-up questions, five standard and two hard; the chapters are as even as can be, no step is asked twice, at
most two ask for a reason and one has the answer 0. A variant has the same kinds of other models, its options moved.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from types import MappingProxyType

from symparams.errors import OptionError
from symparams.expressions.symbols import letter
from symparams.models.model import Model
from symparams.practice.asking import ask, forms
from symparams.practice.bank import chosen, models
from symparams.practice.chance import ordered
from symparams.practice.choices import Choice, choices
from symparams.practice.conditions import COUNT
from symparams.practice.kind import CHOICE, HARD, NUMBER, STANDARD, SYMBOLIC, WARM_UP, Kind
from symparams.practice.question import Question

POINTS: Mapping[str, int] = MappingProxyType({WARM_UP: 2, STANDARD: 4, HARD: 6})
IN_TEN: Mapping[str, int] = MappingProxyType({WARM_UP: 3, STANDARD: 5, HARD: 2})
MOST_REASONS, MOST_ZEROS, MOST_QUESTIONS = 2, 1, 60
MOST_TRIED = 48  # questions of a kind, of one model and another
LEAST = 100_000  # a number of six digits gives an answer away
LONG = re.compile(r"[0-9][0-9,]{5,}[0-9]")
VARIANTS = "ABCDEF"


@dataclass(frozen=True)
class Exam:
    """An exam: its questions in their order, and what they were chosen by."""

    questions: tuple[Question, ...]
    seed: str
    variant: str

    @property
    def points(self) -> int:
        """What all questions give together."""
        return sum(POINTS[question.kind.level] for question in self.questions)

    def choices(self, question: Question) -> tuple[Choice, ...]:
        """The options of a question that asks for a reason."""
        return choices(question, self.seed, self.variant) if question.kind.is_choice else ()


def exam(number: int, seed: str = "0", variant: str = "A", targets: Sequence[str] = (), of_chapter: str = "") -> Exam:
    """An exam of so many questions; OptionError where the bank has not so many that go together."""
    if not 1 <= number <= MOST_QUESTIONS:
        raise OptionError(f"An exam has from 1 to {MOST_QUESTIONS} questions, not {number:,}.")
    first = _first(number, seed, chosen(of_chapter), models(targets, seed))
    if len(first) < number:
        raise OptionError(
            f"The bank has {len(first)} questions that go together here, not {number}: ask for fewer with --exam."
        )
    variants = [first]
    for each in VARIANTS[1 : VARIANTS.index(variant) + 1]:
        variants.append(_of_others(variants, models(targets, seed, each), each))
    return Exam(tuple(variants[-1]), seed, variant)


def _first(number: int, seed: str, known: Sequence[Kind], asked: Sequence[Model]) -> list[Question]:
    """The questions of variant A: level by level, from the chapter that has fewest so far, and no two of one step.

    Those go first that can be asked with other numbers in all variants.
    """
    found = Told()
    for level, wanted in _levels(number).items():
        left = ordered((kind for kind in known if kind.level == level), seed, key=lambda kind: kind.name)
        for _ in range(wanted):
            chapters = Counter(question.kind.chapter for question in found.questions)
            kinds = sorted(left, key=lambda kind: chapters[kind.chapter])
            fitting = (_fitting(kind, asked, found, variants) for variants in (len(VARIANTS), 1) for kind in kinds)
            question = next((each for each in fitting if each is not None), None)
            if question is None:
                break
            found = found.with_another(question)
            left.remove(question.kind)
    return sorted(found.questions, key=lambda question: list(known).index(question.kind))


def _levels(number: int) -> dict[str, int]:
    found = {level: number * share // 10 for level, share in IN_TEN.items()}
    return found | {STANDARD: number - found[WARM_UP] - found[HARD]}


def _fitting(kind: Kind, asked: Sequence[Model], others: Told, variants: int) -> Question | None:
    """The question of a kind that goes with those chosen before and has so many variants; None where none does."""
    kinds = [question.kind for question in others.questions]
    if kind.step and any(kind.step == other.step for other in kinds):
        return None
    if kind.is_choice and sum(other.is_choice for other in kinds) >= MOST_REASONS:
        return None
    candidates = list(islice(_candidates(kind, asked), MOST_TRIED))
    varied = {(each.form, each.value if each.form.name == NUMBER else each.model.name) for each in candidates}
    times = Counter(form for form, _ in varied)
    return next((each for each in candidates if (kind.is_choice or times[each.form] >= variants) and others.takes(each)), None)


def _of_others(variants: Sequence[Sequence[Question]], asked: Sequence[Model], name: str) -> list[Question]:
    """The same kinds, each in the same form of another model with another number; OptionError where there is none."""
    found = Told()
    for question, *before in zip(*variants, strict=True):
        others = [each for each in _candidates(question.kind, asked) if each.form == question.form]
        if question.form.name == NUMBER and question.value:
            numbers = {question.value, *(each.value for each in before)}
            others = [each for each in others if each.value not in numbers]
        models_before = {question.model.name, *(each.model.name for each in before)}
        others.sort(key=lambda each: each.model.name in models_before)
        fitting = next((each for each in others if found.takes(each)), None)
        if fitting is None:
            raise OptionError(f"{question.kind.name} has no model left for variant {name}: choose another --seed.")
        found = found.with_another(fitting)
    return list(found.questions)


def _candidates(kind: Kind, asked: Sequence[Model]) -> Iterator[Question]:
    """A kind asked of each model in turn, in its usual form and then in the others."""
    for model in asked:
        question = ask(kind, model)
        if question is not None:
            yield question
            yield from (replace(question, form=form) for form in forms(question) if form != question.form)


@dataclass(frozen=True)
class Told:
    """Questions of one paper, and the long numbers that they tell: in their own words, in the key, as dimensions of models."""

    questions: tuple[Question, ...] = ()
    said: frozenset[int] = frozenset()
    keyed: frozenset[int] = frozenset()
    dimensions: frozenset[int] = frozenset()

    def with_another(self, question: Question) -> Told:
        """With one more question."""
        said, keyed = self.said.union(_said(question)), self.keyed.union(_keyed(question))
        return Told((*self.questions, question), said, keyed, self.dimensions.union(question.model.values.values()))

    def takes(self, question: Question) -> bool:
        """Whether a question goes with these: no number gives an answer away, and not too many answers are 0."""
        zeros = sum(each.value == 0 for each in (*self.questions, question))
        return zeros <= MOST_ZEROS and not self.with_another(question).given_away

    @property
    def given_away(self) -> frozenset[int]:
        """The long numbers that questions say and their key has too, and that are no dimension of a model."""
        return self.said & self.keyed - self.dimensions


def _said(question: Question) -> Iterator[int]:
    """The long numbers of a question's own words."""
    for text in question.kind.texts.values():
        yield from (int(digits.replace(",", "")) for digits in LONG.findall(text))
        names = {name for _, name, _, _ in string.Formatter().parse(text.replace("$", " ")) if name not in (None, "model")}
        yield from (value for value in (question.size(letter(str(name))) for name in names) if value >= LEAST)
    if question.form.name not in (SYMBOLIC, CHOICE) and COUNT in question.shown.dimensions:
        yield question.size(COUNT)


def _keyed(question: Question) -> Iterator[int]:
    """The long numbers of its key."""
    values: list[int | Fraction | None] = [question.value, *(mistake.value for mistake in question.mistakes)]
    values += [] if question.kind.is_choice else [question.size(each) for each in question.shown.dimensions]
    values += [step.value for steps in question.steps for step in steps.walk()]
    yield from (abs(int(value)) for value in values if value is not None and abs(int(value)) >= LEAST)
