"""Exams: so many questions for a class, chosen by a seed, with their points.

Three in ten are warm-up questions, five standard and two hard; the chapters are as even as can be, no step is asked twice, at
most two ask for a reason and one has the answer 0. A variant has the same kinds of other models, its options moved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from symparams.errors import OptionError
from symparams.models.model import Model
from symparams.practice.bank import chosen, models
from symparams.practice.candidates import Candidate, Candidates, Told, asked
from symparams.practice.chance import ordered
from symparams.practice.choices import Choice, choices
from symparams.practice.kind import HARD, NUMBER, STANDARD, WARM_UP, Kind
from symparams.practice.parts import Same
from symparams.practice.question import Question

POINTS: Mapping[str, int] = MappingProxyType({WARM_UP: 2, STANDARD: 4, HARD: 6})
IN_TEN: Mapping[str, int] = MappingProxyType({WARM_UP: 3, STANDARD: 5, HARD: 2})
MOST_REASONS, MOST_QUESTIONS = 2, 60
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
    return variants(number, seed, variant, targets, of_chapter)[-1]


def variants(
    number: int, seed: str = "0", last: str = "A", targets: Sequence[str] = (), of_chapter: str = ""
) -> tuple[Exam, ...]:
    """The variants of an exam from A to the last one; OptionError as for one of them."""
    first = _first(number, seed, chosen(of_chapter), models(targets, seed))
    if len(first) < number:
        raise OptionError(
            f"The bank has {len(first)} questions that go together here, not {number}: ask for fewer with --exam."
        )
    found = [first]
    for each in VARIANTS[1 : VARIANTS.index(last) + 1]:
        found.append(_of_others(found, models(targets, seed, each), each))
    return tuple(Exam(tuple(each.question for each in one), seed, name) for name, one in zip(VARIANTS, found, strict=False))


def _first(number: int, seed: str, known: Sequence[Kind], of: Sequence[Model]) -> list[Candidate]:
    """The questions of variant A: level by level, from the chapter that has fewest so far, and no two of one step.

    Those go first that can be asked with other numbers in all variants.
    """
    found, candidates = Told(), Candidates(of)
    for level, wanted in _levels(number).items():
        left = ordered((kind for kind in known if kind.level == level), seed, key=lambda kind: kind.name)
        for _ in range(wanted):
            chapters = Counter(each.question.kind.chapter for each in found.candidates)
            kinds = sorted(left, key=lambda kind: chapters[kind.chapter])
            fitting = (_fitting(kind, candidates, found, times) for times in (len(VARIANTS), 1) for kind in kinds)
            one = next((each for each in fitting if each is not None), None)
            if one is None:
                break
            found = found.with_another(one)
            left.remove(one.question.kind)
    return sorted(found.candidates, key=lambda each: list(known).index(each.question.kind))


def _levels(number: int) -> dict[str, int]:
    found = {level: number * share // 10 for level, share in IN_TEN.items()}
    return found | {STANDARD: number - found[WARM_UP] - found[HARD]}


def _fitting(kind: Kind, candidates: Candidates, others: Told, variants: int) -> Candidate | None:
    """The question of a kind that goes with those chosen before and has so many variants; None where none does."""
    kinds = [each.question.kind for each in others.candidates]
    if kind.step and any(kind.step == other.step for other in kinds):
        return None
    if kind.is_choice and sum(other.is_choice for other in kinds) >= MOST_REASONS:
        return None
    found = candidates.of(kind)
    return next((each for each in found if found.has_variants(each, variants) and others.takes(each)), None)


def _of_others(variants: Sequence[Sequence[Candidate]], known: Sequence[Model], name: str) -> list[Candidate]:
    """The same kinds, each in the same form of another model with another number; OptionError where there is none."""
    found = Told()
    for before in zip(*variants, strict=True):
        first, told = before[0].question, {each.question.model.name for each in before}
        numbers = {each.question.value for each in before} if first.form.name == NUMBER and first.value else set()
        new_first = (model for is_told in (False, True) for model in known if (model.name in told) == is_told)
        others = (each for model in new_first for each in asked(first.kind.name, Same(model)))
        alike = (each for each in others if each.question.form == first.form)
        fitting = next((each for each in alike if each.question.value not in numbers and found.takes(each)), None)
        if fitting is None:
            raise OptionError(f"{first.kind.name} has no model left for variant {name}: choose another --seed.")
        found = found.with_another(fitting)
    return list(found.candidates)
