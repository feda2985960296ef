"""Exams and booklets: what a seed chooses, what a paper shows, and that no paper gives its key away."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symparams.errors import OptionError
from symparams.formats.rendering import render
from symparams.practice.candidates import Candidate
from symparams.practice.exam import POINTS, SHARED, VARIANTS, Exam, exam, variants
from symparams.practice.kind import HARD, NUMBER, STANDARD, WARM_UP
from symparams.practice.question import Question
from symparams.sheets.practice.booklet import booklet
from symparams.sheets.practice.exam import exam as on_paper

LONG = re.compile(r"[0-9][0-9,]{5,}[0-9]")
EXAMS = VARIANTS[:2]


def numbers(text: str) -> set[int]:
    """The numbers of six digits or more in a text."""
    return {number for digits in LONG.findall(text) if (number := int(digits.replace(",", ""))) >= 100_000}


def is_another(one: Question, other: Question) -> bool:
    """Whether a question of a variant has another number than that of the variant before."""
    return one.form == other.form and (one.form.name != NUMBER or not one.value or one.value != other.value)


@pytest.mark.parametrize("number", [6, pytest.param(20, marks=pytest.mark.sweep)])
def test_the_variants_of_an_exam_ask_the_same_otherwise_and_give_nothing_away(number: int) -> None:
    papers = list(variants(number, "1", EXAMS[-1]))
    assert [paper.variant for paper in papers] == list(EXAMS)
    for before, other in combinations(papers, 2):
        assert [question.kind for question in before.questions] == [question.kind for question in other.questions]
        assert all(is_another(*pair) for pair in zip(before.questions, other.questions, strict=True))
    for paper, language in zip(papers, ("en", "zh"), strict=True):
        check_paper(paper, language)


def test_the_measure_of_an_exam() -> None:
    """Three questions to warm up, five standard and two hard, from chapters as even as can be, no two of one step."""
    composed = exam(10, "0")
    levels = Counter(question.kind.level for question in composed.questions)
    assert levels == {WARM_UP: 3, STANDARD: 5, HARD: 2}
    assert composed.points == 3 * 2 + 5 * 4 + 2 * 6 == sum(POINTS[question.kind.level] for question in composed.questions)
    assert sum(question.kind.is_choice for question in composed.questions) <= 2
    assert sum(question.value == 0 for question in composed.questions) <= 1
    steps = [question.kind.step for question in composed.questions if question.kind.step]
    assert len(steps) == len(set(steps))
    chapters = Counter(question.kind.chapter for question in composed.questions)
    assert max(chapters.values()) - min(chapters.values()) <= 2


def test_an_exam_asks_of_all_chapters_and_its_variants_share_few_answers() -> None:
    first, other = variants(18, "7", "B")
    chapters = Counter(question.kind.chapter for question in first.questions)
    assert len(chapters) >= 16
    assert {"roofline", "serving", "scaling", "parallel"} <= chapters.keys()
    models = Counter(question.model.name for question in first.questions if question.kind.is_of_a_model)
    assert max(models.values()) <= 2
    assert shared(first, other) <= 4


def shared(first: Exam, other: Exam) -> int:
    """How many answers two variants share."""
    both = zip(first.questions, other.questions, strict=True)
    return sum(Candidate(one).answer == Candidate(two).answer for one, two in both)


@pytest.mark.sweep
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(min_value=0).map(str))
@pytest.mark.parametrize("number", [7, 18])
def test_every_seed_has_three_variants_that_share_few_answers(number: int, seed: str) -> None:
    for first, other in combinations(variants(number, seed, "C"), 2):
        assert shared(first, other) <= number * SHARED
        assert all(is_another(*pair) for pair in zip(first.questions, other.questions, strict=True))


def check_paper(composed: Exam, language: str) -> None:
    """No long number of a key stands in the text of another question, unless it is a dimension or told by its own, too."""
    dimensions = {value for question in composed.questions for value in question.model.values.values()}
    sides = [
        [numbers(render(booklet([question], language, key), "text", width=200)) for key in ("none", "only")]
        for question in composed.questions
    ]
    for (text, _), (own, key) in permutations(sides, 2):
        assert not text & key - dimensions - own, composed.variant


def test_one_seed_is_one_exam_and_another_another() -> None:
    [first, again, other] = [render(on_paper(exam(3, seed)), "text") for seed in ("7", "7", "8")]
    assert first == again != other
    with pytest.raises(OptionError, match="from 1 to 60 questions"):
        exam(0)


def test_the_seed_stands_on_the_key_alone_and_every_question_has_options_where_they_are_asked_for() -> None:
    composed = exam(3, "271828")
    paper, key = (render(on_paper(composed, "en", which), "text") for which in ("none", "only"))
    assert "271828" not in paper
    assert "seed 271828" in key
    assert "(c)" in render(on_paper(replace(composed, has_choices=True), "en", "none"), "text")


def test_what_cannot_be_asked_is_one_line(mistake) -> None:  # type: ignore[no-untyped-def]
    for line, said in (
        ("questions --exam 0", "write one from 1 to 60"),
        ("questions gpt2 --chapter embeddings --exam 60", "The bank has 4 questions that go together here, not 60"),
        ("questions --exam many", "--exam 'many' is not a number of questions: write one from 1 to"),
        ("questions gpt2 --cheat-sheet", "--cheat-sheet prints formulas and asks nothing"),
        ("questions --variant B", "--variant is for an exam"),
        ("questions mamba-130m --chapter gqa", "no such question of mamba-130m"),
        ("questions --chapter algebra", "Unknown chapter 'algebra'"),
    ):
        assert said in mistake(line), line
