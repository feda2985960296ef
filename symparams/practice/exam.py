"""Exams: so many questions for a class, chosen by a seed, with their points.

Three in ten are warm-up questions, five standard and two hard; the chapters are as even as can be, no step is asked twice, at
most two ask for a reason and one has the answer 0. A variant has the same kinds of other models, its options moved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, islice
from types import MappingProxyType

from symparams.errors import OptionError
from symparams.models.model import Model
from symparams.practice.bank import chosen, models
from symparams.practice.candidates import MOST_TRIED, Candidate, Candidates, ExamDraft, asked
from symparams.practice.chance import ordered
from symparams.practice.choices import AnswerOption, choices
from symparams.practice.kind import HARD, STANDARD, WARM_UP, QuestionTemplate
from symparams.practice.parts import ModelIdentity
from symparams.practice.question import Question

POINTS: Mapping[str, int] = MappingProxyType({WARM_UP: 2, STANDARD: 4, HARD: 6})
IN_TEN: Mapping[str, int] = MappingProxyType({WARM_UP: 3, STANDARD: 5, HARD: 2})
MOST_REASONS, MOST_QUESTIONS = 2, 60
SHARED = Fraction(1, 5)  # of the answers, those that two variants may have in common
VARIANTS = "ABCDEF"


@dataclass(frozen=True)
class Exam:
    """An exam: its questions in their order, what they were chosen by, and whether computed ones have options too."""

    questions: tuple[Question, ...]
    seed: str
    variant: str
    has_choices: bool = False

    @property
    def points(self) -> int:
        """The points of all questions together."""
        return sum(POINTS[question.kind.level] for question in self.questions)

    def choices(self, question: Question) -> tuple[AnswerOption, ...]:
        """The options of a question, none where it has none."""
        return choices(question, self.seed, self.variant) if self.has_choices or question.kind.is_choice else ()


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
    """The questions of variant A: level by level, from the chapters that have fewest so far, and no two of one step."""
    paper, candidates = ExamDraft(), Candidates(of)
    for level, wanted in reversed(_levels(number).items()):
        left = ordered((kind for kind in known if kind.level == level), seed, key=lambda kind: kind.name)
        for _ in range(wanted):
            chapters = Counter(candidate.question.kind.chapter for candidate in paper.candidates)
            kinds = sorted(left, key=lambda kind: chapters[kind.chapter])
            alike = [list(group) for _, group in groupby(kinds, key=lambda kind: chapters[kind.chapter])]
            # With few models, variants may share more answers: better than no exam.
            tries = ((group, most) for most in (number * SHARED, number) for group in alike)
            fit = next((candidate for group, most in tries if (candidate := _fitting(group, candidates, paper, most))), None)
            if fit is None:
                break
            paper = paper.with_another(fit)
            left.remove(fit.question.kind)
    return sorted(paper.candidates, key=lambda candidate: list(known).index(candidate.question.kind))


def _levels(number: int) -> dict[str, int]:
    numbers = {level: number * share // 10 for level, share in IN_TEN.items()}
    return numbers | {STANDARD: number - numbers[WARM_UP] - numbers[HARD]}


def _fitting(
    kinds: Iterable[QuestionTemplate], candidates: Candidates, paper: ExamDraft, most_shared: Fraction | int
) -> Candidate | None:
    """A question of these kinds that goes with those chosen before; None where none does.

    First one whose answer is another in each variant, of a model that was not asked about; of those that all variants share
    at most so many.
    """
    before = [candidate.question for candidate in paper.candidates]
    told = Counter(question.model.name for question in before if question.kind.is_of_a_model)
    steps, has_reasons = {question.kind.step for question in before} - {""}, sum(each.kind.is_choice for each in before)
    fresh = [kind for kind in kinds if kind.step not in steps and not (kind.is_choice and has_reasons >= MOST_REASONS)]
    shared = sum(not candidates.varies(candidate) for candidate in paper.candidates)
    for varies in (True, False) if shared < most_shared else (True,):
        for most in (0, 1, MOST_QUESTIONS):
            fitting = (
                candidate
                for kind in fresh
                for candidate in candidates.of(kind)
                if (told[candidate.question.model.name] <= most or not kind.is_of_a_model)
                and candidates.varies(candidate) == varies
                and paper.takes(candidate)
            )
            if found := next(fitting, None):
                return found
    return None


def _of_others(variants: Sequence[Sequence[Candidate]], known: Iterable[Model], name: str) -> list[Candidate]:
    """The same kinds, each in the same form of another model with another answer; OptionError where there is none.

    Where all answers were given, they are given again but for numbers.
    """
    paper = ExamDraft()
    for before in zip(*variants, strict=True):
        first, told = before[0].question, {candidate.question.model.name for candidate in before}
        answers = {candidate.answer for candidate in before}
        new_first = (model for is_told in (False, True) for model in known if (model.name in told) == is_told)
        others = (candidate for model in new_first for candidate in asked(first.kind.name, ModelIdentity(model)))
        alike = [other for other in islice(others, MOST_TRIED) if other.question.form == first.form and paper.takes(other)]
        may_repeat = first.kind.is_choice or not isinstance(first.value, int) or not first.value
        fitting = next((other for other in alike if other.answer not in answers), None)
        fitting = fitting or next((other for other in alike if may_repeat), None)
        if fitting is None:
            raise OptionError(f"{first.kind.name} has no model left for variant {name}: choose another --seed.")
        paper = paper.with_another(fitting)
    return list(paper.candidates)
