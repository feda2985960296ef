"""Exams and booklets: what a seed chooses, what a paper shows, and that no paper gives its key away."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from symparams.errors import OptionError
from symparams.formats.rendering import render
from symparams.practice.exam import POINTS, VARIANTS, exam
from symparams.practice.kind import HARD, NUMBER, STANDARD, WARM_UP
from symparams.sheets.practice.exam import exam as on_paper

NUMBERS = 20
LONG = re.compile(r"[0-9][0-9,]{5,}[0-9]")
SEEDS = [str(seed) for seed in range(3)]


def numbers(text: str) -> set[int]:
    """The numbers of six digits or more in a text."""
    return {number for digits in LONG.findall(text) if (number := int(digits.replace(",", ""))) >= 100_000}


@pytest.mark.parametrize("seed", SEEDS)
def test_twenty_questions_are_six_to_warm_up_ten_standard_and_four_hard(seed: str) -> None:
    composed = exam(NUMBERS, seed)
    levels = Counter(question.kind.level for question in composed.questions)
    assert levels == {WARM_UP: 6, STANDARD: 10, HARD: 4}
    assert composed.points == 6 * 2 + 10 * 4 + 4 * 6 == sum(POINTS[question.kind.level] for question in composed.questions)
    assert sum(question.kind.is_choice for question in composed.questions) <= 2
    assert sum(question.value == 0 for question in composed.questions) <= 1
    steps = [question.kind.step for question in composed.questions if question.kind.step]
    assert len(steps) == len(set(steps))
    chapters = Counter(question.kind.chapter for question in composed.questions)
    assert max(chapters.values()) - min(chapters.values()) <= 2


@pytest.mark.parametrize("variant", VARIANTS[:3])
@pytest.mark.parametrize("seed", SEEDS)
def test_no_long_number_of_the_key_stands_in_the_exam_unless_it_is_a_dimension(seed: str, variant: str) -> None:
    composed = exam(NUMBERS, seed, variant)
    dimensions = {value for question in composed.questions for value in question.model.values.values()}
    for language in ("en", "zh"):
        paper = render(on_paper(composed, language, "none"), "text", width=200)
        key = render(on_paper(composed, language, "only"), "text", width=200)
        assert not (numbers(paper) & numbers(key)) - dimensions


def test_one_seed_is_one_exam_and_another_another() -> None:
    [first, again, other] = [render(on_paper(exam(NUMBERS, seed)), "latex") for seed in ("7", "7", "8")]
    assert first == again != other


@pytest.mark.parametrize("seed", SEEDS[:3])
def test_variants_have_the_same_kinds_and_share_no_number(seed: str) -> None:
    first, second = exam(NUMBERS, seed), exam(NUMBERS, seed, "B")
    assert [each.kind for each in first.questions] == [each.kind for each in second.questions]
    for one, other in zip(first.questions, second.questions, strict=True):
        assert one.form == other.form
        assert one.form.name != NUMBER or not one.value or one.value != other.value


def test_what_cannot_be_composed_is_one_line() -> None:
    with pytest.raises(OptionError, match="from 1 to 60 questions"):
        exam(0)
    with pytest.raises(OptionError, match="that go together here, not 60"):
        exam(60, targets=["gpt2"])


def test_the_command_prints_what_programs_read(cli) -> None:  # type: ignore[no-untyped-def]
    data = json.loads(cli("questions gpt2 --chapter attention --json").out)["questions"]
    assert {"kind", "chapter", "level", "target", "question", "answer", "value", "steps", "wrong"} <= data[0].keys()
    assert {each["target"] for each in data} == {"gpt2"}
    for each in data:
        assert all(wrong.keys() >= {"answer", "value", "mistake"} for wrong in each["wrong"])
        if each["form"] == "number":
            assert each["answer"] == str(each["value"])
            assert each["value"] not in [wrong["value"] for wrong in each["wrong"]]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("questions --exam many", "--exam 'many' is no number of questions: write --exam 20."),
        ("questions --variant B", "--variant is for an exam"),
        ("questions mamba-130m --chapter gqa", "no such question of mamba-130m"),
        ("questions --chapter algebra", "Unknown chapter 'algebra'"),
    ],
)
def test_what_cannot_be_asked_is_one_line(line, said, mistake) -> None:  # type: ignore[no-untyped-def]
    assert said in mistake(line)


def test_a_family_without_values_is_asked_nothing_that_needs_them(cli) -> None:  # type: ignore[no-untyped-def]
    for family in ("jamba", "mixtral", "bert"):
        assert cli(f"questions {family} --chapter memory").code in (0, 2)
