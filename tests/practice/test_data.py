"""What programs read of questions: the quiz takes each answer as it stands there, and no wrong one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from symparams.formats.json.data import Data
from symparams.formats.json.questions import question as data_of
from symparams.practice.asking import forms
from symparams.practice.bank import models, of_each
from symparams.practice.kind import NUMBER, SYMBOLIC, QuestionTemplate, kinds
from symparams.practice.marking import Mark, Outcome, mark, symbols
from symparams.practice.question import Question
from symparams.practice.replies import read
from symparams.sheets.practice.booklet import booklet

COMPUTED = [kind for kind in kinds().values() if not kind.is_choice]


def marked(question: Question, typed: str) -> Mark:
    return mark(question, read(typed, symbols(question, {}), question.kind.unit))


@pytest.mark.parametrize("kinds", [COMPUTED[::4], pytest.param(COMPUTED, marks=pytest.mark.sweep)], ids=["few", "all"])
def test_the_quiz_takes_each_answer_as_it_stands_in_json_and_names_each_mistake(kinds: list[QuestionTemplate]) -> None:
    for plain in of_each(kinds, models()):
        for form in forms(plain):
            question = replace(plain, form=form)
            data = data_of(Data(booklet([question])), question)
            case = (plain.kind.name, plain.model.name, form.name)
            assert marked(question, data["answer"]).outcome is Outcome.RIGHT, case
            assert all(marked(question, wrong["answer"]).outcome is not Outcome.RIGHT for wrong in data["wrong"]), case
            for mistake in question.mistakes:
                found = marked(question, f"({Fraction(mistake.value)})")
                assert (found.outcome, set(mistake.names) <= set(found.mistakes)) == (Outcome.WRONG, True), case
            # A value is exact, and a formula has none.
            assert data["value"] is None if form.name == SYMBOLIC else str(data["value"]) == str(question.value), case
            if form.name == NUMBER and not plain.kind.unit and isinstance(data["value"], int):
                assert data["answer"] == str(data["value"]), case
