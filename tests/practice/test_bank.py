"""The bank: for every kind and every published model that it can be asked of, the tree's answer is the one worked by hand."""

from __future__ import annotations

import re
import string
import tomllib
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings

import symparams
from symparams.expressions.parsing import parse
from symparams.expressions.symbols import BY_NAME, letter
from symparams.models.model import Model
from symparams.practice.asking import ask, can_be_asked
from symparams.practice.kind import ESTIMATE, QuestionTemplate, kinds, mistakes
from symparams.practice.question import Question
from tests.strategies import models
from tests.sweeps import FEW

BY_HAND = tomllib.loads((Path(__file__).parent / "answers.toml").read_text(encoding="utf-8"))
COMPUTED = [kind for kind in kinds().values() if not kind.is_choice]
SYMBOLIC = [kind for kind in COMPUTED if kind.forms[0].name == "symbolic"]
CHOICES = [kind for kind in kinds().values() if kind.is_choice]
# Chapters whose questions give every number that their answers need.
WHOLE = [kind for kind in COMPUTED if kind.chapter in ("embeddings", "attention", "gqa", "feed-forward", "norms")]
FORMULA = re.compile(r"\$([^$]+)\$")
ALL = "all"
ON_MODELS = pytest.mark.parametrize("of", ["few", pytest.param(ALL, marks=pytest.mark.sweep)])


@cache
def published(of: str) -> tuple[Model, ...]:
    """The published models: all, or a few and those of the answers worked by hand."""
    few = FEW | {worked["model"] for worked in BY_HAND.values()}
    return tuple(symparams.load(name) for name in symparams.published_models() if of == ALL or name in few)


@cache
def _asked(name: str, of: str) -> tuple[Question, ...]:
    found = (ask(kinds()[name], model) for model in published(of))
    return tuple(question for question in found if question is not None)


def asked(kind: QuestionTemplate, of: str) -> tuple[Question, ...]:
    """The questions of a kind on published models."""
    return _asked(kind.name, of)


def slots(text: str) -> list[str]:
    """The names that a text has places for."""
    return sorted({name for _, name, _, _ in string.Formatter().parse(text) if name is not None})


@ON_MODELS
@pytest.mark.parametrize("kind", COMPUTED, ids=lambda kind: kind.name)
def test_the_answer_of_the_tree_is_the_one_worked_by_hand(kind: QuestionTemplate, of: str) -> None:
    by_hand = parse(BY_HAND[kind.name]["answer"], letter, is_evaluated=True)
    models = []
    for question in asked(kind, of):
        assert question.worth(by_hand) == question.value, question.model.name
        models.append(question.model.name)
    assert BY_HAND[kind.name]["model"] in models
    assert of != ALL or len(models) >= BY_HAND[kind.name].get("models", 1)


@ON_MODELS
@pytest.mark.parametrize("kind", [kind for kind in WHOLE if kind.given], ids=lambda kind: kind.name)
def test_whatever_is_picked_of_what_is_given_the_answer_is_right(kind: QuestionTemplate, of: str) -> None:
    by_hand = parse(BY_HAND[kind.name]["answer"], letter, is_evaluated=True)
    for pick in range(max(map(len, kind.given.values()))):
        questions = [ask(kind, each.model, pick=pick) for each in asked(kind, of)[:10]]
        assert all(each is not None and each.worth(by_hand) == each.value for each in questions)


@ON_MODELS
@pytest.mark.parametrize("kind", SYMBOLIC, ids=lambda kind: kind.name)
def test_a_formula_worked_by_hand_is_right_as_a_formula(kind: QuestionTemplate, of: str) -> None:
    by_hand = parse(BY_HAND[kind.name]["answer"], letter, is_evaluated=True)
    for question in asked(kind, of):
        if question.form.name == "symbolic":
            assert question.multiplied_out(by_hand) == question.polynomial, question.model.name


@ON_MODELS
@pytest.mark.parametrize("kind", COMPUTED, ids=lambda kind: kind.name)
def test_an_answer_has_steps_of_the_sheet_behind_it(kind: QuestionTemplate, of: str) -> None:
    for question in asked(kind, of):
        assert question.steps or question.value == 0, question.model.name


@pytest.mark.parametrize("kind", COMPUTED, ids=lambda kind: kind.name)
def test_the_worked_number_is_what_the_program_gives(kind: QuestionTemplate) -> None:
    worked = BY_HAND[kind.name]
    question = ask(kind, symparams.load(worked["model"]))
    assert question is not None
    assert question.value is not None
    if all(question.values.get(letter(name)) == value for name, value in worked["given"].items()):
        assert float(question.value) == pytest.approx(worked["value"], rel=1e-12)


@ON_MODELS
@pytest.mark.parametrize("kind", COMPUTED, ids=lambda kind: kind.name)
def test_no_usual_mistake_is_right_or_lies_within_an_estimate(kind: QuestionTemplate, of: str) -> None:
    for question in asked(kind, of):
        assert question.mistakes, f"{question.model.name}: nothing can be wrong"
        for mistake in question.mistakes:
            assert mistake.value != question.value
            if question.form.name == ESTIMATE:
                room = (question.form.tolerance or 0) * abs(Fraction(question.value or 0))
                assert abs(mistake.value - (question.value or 0)) > room
        assert can_be_asked(question, question.form)


def test_every_mistake_has_its_sentence() -> None:
    told = {name for kind in COMPUTED for name, _ in kind.wrong}
    assert told <= mistakes().keys()


@pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.name)
def test_both_languages_ask_the_same(kind: QuestionTemplate) -> None:
    texts = [kind.texts, *([kind.right, *kind.others] if kind.is_choice else [])]
    for text in texts:
        assert slots(text["en"]) == slots(text["zh"])
        assert set(FORMULA.findall(text["en"])) == set(FORMULA.findall(text["zh"]))


@ON_MODELS
@pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.name)
def test_a_question_names_its_model_and_nothing_it_does_not_define(kind: QuestionTemplate, of: str) -> None:
    for question in asked(kind, of):
        for text in kind.texts.values():
            assert all(name == "model" or letter(name) in question.values for name in slots(text))


@ON_MODELS
@pytest.mark.parametrize("kind", WHOLE, ids=lambda kind: kind.name)
def test_a_question_gives_every_number_that_its_answer_needs(kind: QuestionTemplate, of: str) -> None:
    told = {letter(name) for name in slots(kind.texts["en"])}
    by_hand = parse(BY_HAND[kind.name]["answer"], letter, is_evaluated=True)
    for question in asked(kind, of):
        if question.value != 0 and kind.forms[-1].name != "symbolic":
            assert set(by_hand.dimensions) <= told, question.model.name


@ON_MODELS
@pytest.mark.parametrize("kind", COMPUTED, ids=lambda kind: kind.name)
def test_the_letters_of_a_question_are_those_of_its_answer_and_mistakes(kind: QuestionTemplate, of: str) -> None:
    for question in asked(kind, of):
        assert {each for each in question.shown.dimensions if each in question.values} <= set(question.letters)
        assert all(each in question.values for each in question.letters)


@ON_MODELS
@pytest.mark.parametrize("kind", [kind for kind in WHOLE if kind in SYMBOLIC], ids=lambda kind: kind.name)
def test_a_letter_that_is_not_the_field_s_is_named_in_the_question(kind: QuestionTemplate, of: str) -> None:
    named = set(FORMULA.findall(kind.texts["en"]))
    for question in asked(kind, of):
        assert {each.name for each in question.letters if each.name not in BY_NAME} <= named


def test_the_letters_do_not_betray_the_answer() -> None:
    question = ask(kinds()["attention.qkv"], symparams.load("gpt2"))
    assert question is not None
    assert {each.name for each in question.shown.dimensions} == {"h"}
    assert [each.name for each in question.letters] == ["h", "n_heads", "d_head"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_right_answer_is_not_the_longest_in_more_than_half_of_the_choices(language: str) -> None:
    longest = [max(len(other[language]) for other in kind.others) < len(kind.right[language]) for kind in CHOICES]
    assert sum(longest) <= len(longest) / 2


@pytest.mark.sweep
def test_an_answer_is_nothing_at_all_in_one_kind_of_fifteen_at_most() -> None:
    nothing = [kind for kind in COMPUTED if all(question.value == 0 for question in asked(kind, ALL))]
    assert len(nothing) <= len(COMPUTED) / 15


@pytest.mark.parametrize("name", mistakes())
def test_what_is_said_of_a_mistake_is_a_sentence_in_both_languages(name: str) -> None:
    english, chinese = mistakes()[name]["en"], mistakes()[name]["zh"]
    assert english.endswith(".")
    assert chinese.endswith("。")
    assert not re.search(r"[\u4e00-\u9fff][,;:?()]|[,;:?()][\u4e00-\u9fff]", FORMULA.sub("x", chinese))
    for text in (english, chinese):
        for formula in FORMULA.findall(text):
            parse(formula, letter, is_evaluated=True)


@pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.name)
def test_texts_hold_signs_only_in_formulas(kind: QuestionTemplate) -> None:
    """Of the signs of formulas a text has × alone: 768 × 768. Others are not in the fonts of a language."""
    told = [mistakes()[name] for name, _ in kind.wrong]
    for text in [kind.texts, *told, *kind.others, *([kind.right] if kind.is_choice else [])]:
        assert FORMULA.sub("", text["en"]).replace("×", "").isascii()
        assert not re.search("[·²√ᵀ≠−]", FORMULA.sub("", text["zh"]))


def test_relations_of_a_kind_let_a_formula_be_read_as_people_write_it() -> None:
    """Gemma-2B has h = 8 · 256 = n_heads · d_head, though nothing in its family says that it must."""
    question = ask(kinds()["gqa.attention"], symparams.load("gemma-2b", n_kv_heads=2))
    assert question is not None
    assert question.model.relations == {}
    for formula in ("2*h**2 + 2*h*n_kv_heads*d_head", "2*h*n_heads*d_head + 2*h*n_kv_heads*d_head"):
        assert question.multiplied_out(parse(formula, letter)) == question.polynomial


@given(model=models())
@settings(max_examples=40, deadline=None)
def test_of_any_family_and_any_sizes_the_answer_is_right_and_no_mistake_is(model: Model) -> None:
    for kind in WHOLE:
        question = ask(kind, model)
        if question is None:
            continue
        by_hand = parse(BY_HAND[kind.name]["answer"], letter, is_evaluated=True)
        assert question.worth(by_hand) == question.value, kind.name
        values = [mistake.value for mistake in question.mistakes]
        assert question.value not in values
        assert len(set(values)) == len(values)
