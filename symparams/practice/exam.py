"""Exams: so many questions for a class, chosen by a seed, with their points.

Three in ten are warm-up questions, five standard and two hard; the chapters are as even as can be, no step is asked twice, at
most two ask for a reason and one has the answer 0. A variant has the same kinds of other models, its options moved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from symparams.errors import OptionError
from symparams.models.model import Model
from symparams.practice.bank import chosen, models
from symparams.practice.candidates import Candidate, Candidates, ExamDraft, asked
from symparams.practice.chance import ordered
from symparams.practice.choices import AnswerOption, choices
from symparams.practice.kind import HARD, NUMBER, STANDARD, WARM_UP, QuestionTemplate
from symparams.practice.parts import ModelIdentity
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
        """The points of all questions together."""
        return sum(POINTS[question.kind.level] for question in self.questions)

    def choices(self, question: Question) -> tuple[AnswerOption, ...]:
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
    papers = [first]
    for name in VARIANTS[1 : VARIANTS.index(last) + 1]:
        papers.append(_of_others(papers, models(targets, seed, name), name))
    return tuple(
        Exam(tuple(candidate.question for candidate in paper), seed, name)
        for name, paper in zip(VARIANTS, papers, strict=False)
    )


def _first(number: int, seed: str, known: Sequence[QuestionTemplate], of: Iterable[Model]) -> list[Candidate]:
    """The questions of variant A: level by level, from the chapter that has fewest so far, and no two of one step.

    Those go first that can be asked with other numbers in all variants.
    """
    paper, candidates = ExamDraft(), Candidates(of)
    for level, wanted in _levels(number).items():
        left = ordered((kind for kind in known if kind.level == level), seed, key=lambda kind: kind.name)
        for _ in range(wanted):
            chapters = Counter(candidate.question.kind.chapter for candidate in paper.candidates)
            kinds = sorted(left, key=lambda kind: chapters[kind.chapter])
            fitting = (_fitting(kind, candidates, paper, times) for times in (len(VARIANTS), 1) for kind in kinds)
            fit = next((candidate for candidate in fitting if candidate is not None), None)
            if fit is None:
                break
            paper = paper.with_another(fit)
            left.remove(fit.question.kind)
    return sorted(paper.candidates, key=lambda candidate: list(known).index(candidate.question.kind))


def _levels(number: int) -> dict[str, int]:
    numbers = {level: number * share // 10 for level, share in IN_TEN.items()}
    return numbers | {STANDARD: number - numbers[WARM_UP] - numbers[HARD]}


def _fitting(kind: QuestionTemplate, candidates: Candidates, others: ExamDraft, variants: int) -> Candidate | None:
    """The question of a kind that goes with those chosen before and has so many variants; None where none does."""
    kinds = [candidate.question.kind for candidate in others.candidates]
    if kind.step and any(kind.step == other.step for other in kinds):
        return None
    if kind.is_choice and sum(other.is_choice for other in kinds) >= MOST_REASONS:
        return None
    of_kind = candidates.of(kind)
    return next(
        (candidate for candidate in of_kind if of_kind.has_variants(candidate, variants) and others.takes(candidate)), None
    )


def _of_others(variants: Sequence[Sequence[Candidate]], known: Iterable[Model], name: str) -> list[Candidate]:
    """The same kinds, each in the same form of another model with another number; OptionError where there is none."""
    paper = ExamDraft()
    for before in zip(*variants, strict=True):
        first, told = before[0].question, {candidate.question.model.name for candidate in before}
        numbers = {candidate.question.value for candidate in before} if first.form.name == NUMBER and first.value else set()
        new_first = (model for is_told in (False, True) for model in known if (model.name in told) == is_told)
        others = (candidate for model in new_first for candidate in asked(first.kind.name, ModelIdentity(model)))
        alike = (candidate for candidate in others if candidate.question.form == first.form)
        fitting = next(
            (candidate for candidate in alike if candidate.question.value not in numbers and paper.takes(candidate)), None
        )
        if fitting is None:
            raise OptionError(f"{first.kind.name} has no model left for variant {name}: choose another --seed.")
        paper = paper.with_another(fitting)
    return list(paper.candidates)
