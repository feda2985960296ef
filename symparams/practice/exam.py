"""Exams: so many questions for a class, chosen by a seed, with their points.

Three in ten are warm-up questions, five standard and two hard; the chapters are as even as can be, no step is asked twice, at
most two ask for a reason and one has the answer 0. A variant has the same kinds of other models, its options moved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, groupby, islice
from types import MappingProxyType
from typing import Union

from symparams.errors import OptionError
from symparams.practice.bank import chosen, models
from symparams.practice.candidates import Candidate, Candidates, ExamDraft
from symparams.practice.chance import ordered
from symparams.practice.choices import AnswerOption, choices
from symparams.practice.kind import HARD, STANDARD, WARM_UP, QuestionTemplate
from symparams.practice.question import Question
from symparams.records import frozen

POINTS: Mapping[str, int] = MappingProxyType({WARM_UP: 2, STANDARD: 4, HARD: 6})
IN_TEN: Mapping[str, int] = MappingProxyType({WARM_UP: 3, STANDARD: 5, HARD: 2})
MOST_REASONS, MOST_QUESTIONS = 2, 60
SHARED = Fraction(1, 5)  # of the answers, those that two variants may have in common
VARIANTS = "ABCDEF"
MOST_FIRST = 4  # questions of a kind with which variant A may begin
Row = tuple[Union[Candidate, None], ...]  # a question of each variant, None where there is none


@frozen
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
    known = chosen(of_chapter)
    rows = sorted(_rows(number, seed, known, targets), key=lambda row: known.index(_kind(row)))
    if len(rows) < number:
        raise OptionError(f"The bank has {len(rows)} questions that go together here, not {number}: ask for fewer with --exam.")
    composed = []
    for name, paper in list(zip(VARIANTS, zip(*rows, strict=True), strict=True))[: VARIANTS.index(last) + 1]:
        if lacking := next((_kind(row).name for row, candidate in zip(rows, paper, strict=True) if candidate is None), ""):
            raise OptionError(f"{lacking} has no model left for variant {name}: name more targets.")
        composed.append(Exam(tuple(candidate.question for candidate in paper if candidate), seed, name))
    return tuple(composed)


def _rows(number: int, seed: str, known: Sequence[QuestionTemplate], targets: Sequence[str]) -> Sequence[Row]:
    """The questions of all variants: level by level, from the chapters that have fewest so far, and no two of one step.

    Variants are drawn together, so that none is left without a question of a kind that another has.
    """
    table = ExamTable([Candidates(models(targets, seed, *([name] if i else []))) for i, name in enumerate(VARIANTS)])
    # With few models, variants may share more answers, or the last of them lack a question: better than no exam.
    bounds = ((int(number * SHARED), len(VARIANTS)), *((number, filled) for filled in (3, 2, 1)))
    of_level = {level: number * share // 10 for level, share in IN_TEN.items()}
    of_level[STANDARD] = number - of_level[WARM_UP] - of_level[HARD]
    for level, wanted in reversed(of_level.items()):
        left = ordered((kind for kind in known if kind.level == level), seed, key=lambda kind: kind.name)
        for _ in range(wanted):
            chapters = Counter(_kind(row).chapter for row in table.rows)
            kinds = sorted(left, key=lambda kind: chapters[kind.chapter])
            alike = [list(group) for _, group in groupby(kinds, key=lambda kind: chapters[kind.chapter])]
            tries = (table.another(group, most, filled) for most, filled in bounds for group in alike)
            row = next(filter(None, tries), None)
            if row is None:
                break
            table = table.with_another(row)
            left.remove(_kind(row))
    return table.rows


def _kind(row: Row) -> QuestionTemplate:
    return next(candidate for candidate in row if candidate).question.kind


@frozen
class ExamTable:
    """The questions of all variants so far: a row of one kind, a paper of one variant, whose candidates are its source."""

    sources: Sequence[Candidates]
    rows: tuple[Row, ...] = ()
    papers: tuple[ExamDraft, ...] = (ExamDraft(),) * len(VARIANTS)

    def with_another(self, row: Row) -> ExamTable:
        """Return this table with one more row."""
        both = zip(self.papers, row, strict=True)
        papers = tuple(paper.with_another(candidate) if candidate else paper for paper, candidate in both)
        return replace(self, rows=(*self.rows, row), papers=papers)

    def another(self, kinds: Iterable[QuestionTemplate], most_shared: int, filled: int) -> Row | None:
        """A row of one of these kinds that goes with those before it; None where there is none.

        First one with another answer in each variant, of a model that was not asked about. Two variants share at most so many
        answers, and so many variants have a question.
        """
        before = [_kind(row) for row in self.rows]
        steps, reasons = {kind.step for kind in before} - {""}, sum(kind.is_choice for kind in before)
        fresh = [kind for kind in kinds if kind.step not in steps and not (kind.is_choice and reasons >= MOST_REASONS)]
        for varies in (True, False):
            for most in (0, 1, MOST_QUESTIONS):
                firsts = (
                    candidate
                    for kind in fresh
                    for candidate in islice(self._firsts(kind, most), MOST_FIRST)
                    if self.sources[0].varies(candidate) == varies
                )
                rows = map(self._row, firsts)
                fitting = (row for row in rows if all(self.shared[pair] < most_shared for pair in _alike(row)))
                if row := next((row for row in fitting if None not in row[:filled]), None):
                    return row
        return None

    @cached_property
    def _told(self) -> Sequence[Counter[str]]:
        """How often each variant asks about each model."""
        asked = ((candidate.question for candidate in paper.candidates) for paper in self.papers)
        return [Counter(question.model.name for question in each if question.kind.is_of_a_model) for each in asked]

    def _firsts(self, kind: QuestionTemplate, most: int) -> Iterator[Candidate]:
        """The questions of a kind that variant A may have, of models that it asks about at most so often."""
        told = self._told[0]
        for candidate in self.sources[0].of(kind):
            is_told = kind.is_of_a_model and told[candidate.question.model.name] > most
            if not is_told and self.papers[0].takes(candidate):
                yield candidate

    def _row(self, first: Candidate) -> Row:
        """A question of variant A, and for each other variant one in the same form, of another model with another answer.

        Where all answers were given, one is given again by which two variants share least; a number never is.
        """
        row: list[Candidate | None] = [first]
        question = first.question
        may_repeat = question.kind.is_choice or not isinstance(question.value, int) or not question.value
        for variant in range(1, len(VARIANTS)):
            told, best, least = self._told[variant], None, (len(self.rows) + 1, True, True)
            for other in self.sources[variant].of(question.kind):
                if other.question.form != question.form or not self.papers[variant].takes(other):
                    continue
                alike = [place for place, each in enumerate(row) if each and each.answer == other.answer]
                shared = max((self.shared[place, variant] + 1 for place in alike), default=0)
                model = other.question.model.name
                cost = (shared, any(each and each.question.model.name == model for each in row), model in told)
                if cost < least and (may_repeat or not alike):
                    best, least = other, cost
                if not any(least):
                    break
            row.append(best)
        return tuple(row)

    @cached_property
    def shared(self) -> Counter[tuple[int, int]]:
        """How many answers two variants share."""
        return Counter(pair for row in self.rows for pair in _alike(row))


def _alike(row: Row) -> Iterator[tuple[int, int]]:
    """Yield the pairs of variants that share the answer of a row."""
    for one, other in combinations(range(len(row)), 2):
        first, second = row[one], row[other]
        if first and second and first.answer == second.answer:
            yield one, other
