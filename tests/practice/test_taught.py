"""What a learner is told: in which letters to answer, what they are, and the steps behind an answer."""

from __future__ import annotations

import pytest

import symparams
from symparams.practice.asking import ask
from symparams.practice.kind import kinds
from symparams.practice.marking import Outcome, mark, symbols
from symparams.practice.question import Question
from symparams.practice.replies import read
from symparams.sheets.practice.questions import how, is_in_names_alone


def question(kind: str, model: str) -> Question:
    found = ask(kinds()[kind], symparams.load(model))
    assert found is not None
    return found


def test_n_is_not_offered_where_it_is_the_answer():
    assert "N" not in [each.name for each in question("mixtures.total", "mixtral-8x7b").letters]
    assert "N" in [each.name for each in question("heads.untied", "gpt2").letters]


def test_a_formula_is_asked_with_the_sizes_that_the_question_does_not_tell():
    told = [sentence.key for sentence in how(question("attention.layer", "gpt2"), "en")]
    assert told == ["practice.formula", "practice.sizes"]  # h = 768, n_heads = 12
    assert [sentence.key for sentence in how(question("feed-forward.gated", "llama-3-8b"), "en")] == ["practice.formula"]


def test_a_share_says_of_what_its_tolerance_is():
    assert [each.key for each in how(question("embeddings.token-share", "gpt2"), "en")] == ["practice.estimate_of_share"]


def test_a_step_is_of_the_part_and_not_of_another_of_as_many_parameters():
    [step] = question("stacks.cross", "transformer-base").steps
    assert step.name == "cross_attention"


@pytest.mark.parametrize("kind", ["published.double", "mixtures.finer", "feed-forward.flan", "published.two-llamas"])
def test_a_part_in_other_sizes_has_a_name_of_its_own(kind):
    models = {"published.double": "gpt2", "mixtures.finer": "mixtral-8x7b", "feed-forward.flan": "flan-t5-small"}
    names = [step.name for step in question(kind, models.get(kind, "llama-3-8b")).steps]
    assert len(set(names)) == len(names)


def test_a_sum_of_names_alone_is_worked_out():
    [step] = question("mla.attention", "deepseek-v3").steps
    assert is_in_names_alone(step)


def test_a_zero_has_no_steps_of_something_else():
    assert question("attention.scores", "gpt2").steps == ()


def test_a_formula_begins_with_what_is_added():
    assert repr(question("embeddings.vocabulary", "llama-3-8b").shown) == "2*h*(V2 - V)"


@pytest.mark.parametrize(("typed", "outcome"), [("0.3102", Outcome.FRACTION), ("31%", Outcome.RIGHT)])
def test_a_share_written_as_a_fraction_costs_no_try(typed, outcome):
    asked = question("embeddings.token-share", "gpt2")
    found = mark(asked, read(typed, symbols(asked, {}), asked.kind.unit)).outcome
    assert found is (outcome or Outcome.WRONG)


def test_a_letter_may_be_typed_without_its_line():
    asked = question("feed-forward.gated", "llama-3-8b")
    assert mark(asked, read("3hdff", symbols(asked, {}))).outcome is Outcome.RIGHT


def test_a_number_may_have_the_word_that_was_counted():
    asked = question("memory.cards", "deepseek-v3")
    assert [mark(asked, read(text, symbols(asked, {}))).outcome for text in ("9 cards", "9张", "9")] == [Outcome.RIGHT] * 3
