"""Candidates: the questions that an exam may have, each worked out once, and whether one gives away another's answer.

An exam looks at many questions before it has those that go together; what one says and what its key says do not change.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import count, islice

from symparams.expressions.symbols import letter
from symparams.models.model import Model
from symparams.practice.asking import ask, forms
from symparams.practice.conditions import COUNT
from symparams.practice.kind import BOARD, CHOICE, SYMBOLIC, AnswerForm, QuestionTemplate, kinds
from symparams.practice.parts import ModelIdentity
from symparams.practice.question import Question
from symparams.records import frozen

MOST_ZEROS = 1
ENOUGH_NUMBERS, ENOUGH_FORMULAS = 6, 2  # different answers, of variants
MOST_TRIED = 48  # questions of a kind, of one model and another
MOST_KEPT = 32_768  # kinds of models
LEAST = 100_000  # a number of six digits gives an answer away
LONG = re.compile(r"[0-9][0-9,]{5,}[0-9]")


@frozen
class Candidate:
    """A question that an exam may have, and the long numbers that it tells."""

    question: Question

    @cached_property
    def in_text(self) -> frozenset[int]:
        """The long numbers of its own words."""
        return frozenset(_in_text(self.question))

    @cached_property
    def keyed(self) -> frozenset[int]:
        """The long numbers of its key, but for those that it is worked out from, as N where its own words tell it."""
        worked_out_from = self.in_text - {self.question.value}
        return frozenset(_keyed(self.question)) - worked_out_from

    @cached_property
    def answer(self) -> object:
        """What its key says, by which another variant differs: the number, the formula, the sentence of a kind."""
        question = self.question
        if question.kind.is_choice:
            return question.kind.name
        return repr(question.shown) if question.form.name == SYMBOLIC else question.value


class KindCandidates:
    """The first candidates of one kind, each worked out when it is read."""

    def __init__(self, candidates: Iterator[Candidate]) -> None:
        self.known: list[Candidate] = []
        self.left = islice(candidates, MOST_TRIED)
        self.varied: dict[AnswerForm, bool] = {}

    def __iter__(self) -> Iterator[Candidate]:
        for at in count():
            if at == len(self.known) and not self._has_another():
                return
            yield self.known[at]

    def varies(self, form: AnswerForm) -> bool:
        """True if the kind has as many different answers in this form as variants need; two formulas are enough."""
        if form not in self.varied:
            wanted = ENOUGH_FORMULAS if form.name == SYMBOLIC else ENOUGH_NUMBERS
            answers = set[object]()
            self.varied[form] = any(
                len(answers := answers | {other.answer}) >= wanted for other in self if other.question.form == form
            )
        return self.varied[form]

    def _has_another(self) -> bool:
        candidate = next(self.left, None)
        self.known += [] if candidate is None else [candidate]
        return candidate is not None


class Candidates:
    """The candidates of each kind for some models, each worked out once."""

    def __init__(self, models: Iterable[Model]) -> None:
        self.models, self.kinds = models, dict[str, KindCandidates]()

    def of(self, kind: QuestionTemplate) -> KindCandidates:
        """Return the questions of a kind: for each model in turn, first in its usual form, then in the others."""
        if kind.name not in self.kinds:
            self.kinds[kind.name] = KindCandidates(
                candidate for model in self.models for candidate in asked(kind.name, ModelIdentity(model))
            )
        return self.kinds[kind.name]

    def varies(self, candidate: Candidate) -> bool:
        """True if the kind of a candidate has other answers in its form, so that variants need not share one."""
        question = candidate.question
        return not question.kind.is_choice and self.of(question.kind).varies(question.form)


@frozen
class ExamDraft:
    """The questions of an exam so far, with the long numbers in their texts, in their key and among their dimensions."""

    candidates: tuple[Candidate, ...] = ()
    in_text: frozenset[int] = frozenset()
    keyed: frozenset[int] = frozenset()
    dimensions: frozenset[int] = frozenset()

    def with_another(self, candidate: Candidate) -> ExamDraft:
        """Return these questions with one more."""
        dimensions = self.dimensions.union(candidate.question.model.values.values())
        return ExamDraft(
            (*self.candidates, candidate), self.in_text | candidate.in_text, self.keyed | candidate.keyed, dimensions
        )

    def takes(self, candidate: Candidate) -> bool:
        """True if a question fits these: no number gives an answer away, and not too many answers are 0."""
        if sum(other.question.value == 0 for other in (*self.candidates, candidate)) > MOST_ZEROS:
            return False
        dimensions = self.dimensions.union(candidate.question.model.values.values())
        in_text = (self.in_text | candidate.in_text) - dimensions
        return in_text.isdisjoint(self.keyed) and in_text.isdisjoint(candidate.keyed)  # its own key takes longest to work out


@lru_cache(maxsize=MOST_KEPT)
def asked(kind: str, key: ModelIdentity) -> tuple[Candidate, ...]:
    """Return the questions of a kind on a model, first in its usual form, then in the others."""
    question = ask(kinds()[kind], key.model)
    if question is None:
        return ()
    others = (replace(question, form=form) for form in forms(question) if form != question.form)
    return tuple(map(Candidate, (question, *others)))


def _in_text(question: Question) -> Iterator[int]:
    """The long numbers of a question's own words."""
    for text in question.kind.texts.values():
        yield from (int(digits.replace(",", "")) for digits in LONG.findall(text))
        names = {
            name for _, name, _, _ in string.Formatter().parse(text.replace("$", " ")) if name not in (None, "model", BOARD)
        }
        yield from (value for value in (question.size(letter(str(name))) for name in names) if value >= LEAST)
    is_in_words = question.form.name in (SYMBOLIC, CHOICE)
    if not is_in_words and COUNT in question.written.dimensions and COUNT in question.shown.dimensions:
        yield question.size(COUNT)


def _keyed(question: Question) -> Iterator[int]:
    """The long numbers of its key."""
    values: list[int | Fraction | None] = [question.value, *(mistake.value for mistake in question.mistakes)]
    values += [] if question.kind.is_choice else [question.size(dimension) for dimension in question.shown.dimensions]
    values += [step.value for steps in question.steps for step in steps.walk()]
    yield from (abs(int(value)) for value in values if value is not None and abs(int(value)) >= LEAST)
