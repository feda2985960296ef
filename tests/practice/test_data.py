"""What programs read of questions: the quiz takes each answer as it stands there, and no wrong one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from symparams.formats.json.data import Data
from symparams.formats.json.questions import question as data_of
from symparams.practice.asking import ask, forms
from symparams.practice.bank import models
from symparams.practice.kind import NUMBER, SYMBOLIC, QuestionTemplate, kinds
from symparams.practice.marking import Outcome, mark, symbols
from symparams.practice.question import Question
from symparams.practice.replies import read
from symparams.sheets.practice.booklet import booklet

COMPUTED = [kind for kind in kinds().values() if not kind.is_choice]
FEW = 3  # models of each kind


def asked(kind: QuestionTemplate) -> Iterator[Question]:
    found = (question for model in models() if (question := ask(kind, model)) is not None)
    for question, _ in zip(found, range(FEW), strict=False):
        yield from (replace(question, form=form) for form in forms(question))


@pytest.mark.parametrize("kind", COMPUTED, ids=lambda kind: kind.name)
def test_the_quiz_takes_each_answer_as_it_stands_in_json_and_no_wrong_one(kind: QuestionTemplate) -> None:
    for question in asked(kind):
        data = data_of(Data(booklet([question])), question)
        worth = mark(question, read(data["answer"], symbols(question, {}), kind.unit))
        assert worth.outcome is Outcome.RIGHT, data["answer"]
        for wrong in data["wrong"]:
            assert mark(question, read(wrong["answer"], symbols(question, {}), kind.unit)).outcome is not Outcome.RIGHT, wrong


@pytest.mark.parametrize("kind", COMPUTED, ids=lambda kind: kind.name)
def test_a_value_is_exact_and_a_formula_has_none(kind: QuestionTemplate) -> None:
    for question in asked(kind):
        data = data_of(Data(booklet([question])), question)
        if question.form.name == SYMBOLIC:
            assert data["value"] is None
        else:
            assert str(data["value"]) == str(question.value)
        if question.form.name == NUMBER and not kind.unit and isinstance(data["value"], int):
            assert data["answer"] == str(data["value"])
