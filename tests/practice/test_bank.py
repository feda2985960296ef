"""The bank: for every kind and every published model that it can be asked of, the tree's answer is the one worked by hand."""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings

import symparams
from symparams.expressions.nodes import Expression
from symparams.expressions.parsing import parse
from symparams.expressions.symbols import BY_NAME, letter
from symparams.models.calculation import own_context
from symparams.models.model import Model
from symparams.practice import bank
from symparams.practice.asking import LENGTHS, ask
from symparams.practice.kind import QuestionTemplate, kinds, mistakes
from symparams.practice.question import Question
from tests.strategies import models
from tests.sweeps import FEW

BY_HAND = tomllib.loads((Path(__file__).parent / "answers.toml").read_text(encoding="utf-8"))
COMPUTED = [kind for kind in kinds().values() if not kind.is_choice]
CHOICES = [kind for kind in kinds().values() if kind.is_choice]
# Chapters whose questions give every number that their answers need.
WHOLE = [
    kind
    for kind in COMPUTED
    if kind.chapter in ("embeddings", "attention", "gqa", "feed-forward", "norms", "roofline", "serving", "scaling", "parallel")
]
OF_BOARDS = ("roofline", "serving", "scaling", "parallel")
ONE_BYTE = ("roofline.batch-int8",)  # a weight
FORMULA = re.compile(r"\$([^$]+)\$")


def by_hand(kind: QuestionTemplate) -> Expression:
    """The answer that was worked by hand."""
    return parse(BY_HAND[kind.name]["answer"], letter, is_evaluated=True)


def asked(kind: QuestionTemplate, names: frozenset[str]) -> list[Question]:
    """The questions of a kind on those of these models that it can be asked of."""
    questions = (_asked(kind.name, name) for name in sorted(names))
    return [question for question in questions if question is not None]


@cache
def _asked(kind: str, name: str) -> Question | None:
    return ask(kinds()[kind], model(name))


@cache
def model(name: str) -> Model:
    return symparams.load(name)


def few(kind: QuestionTemplate) -> frozenset[str]:
    """The model of the answer worked by hand, and some that differ in their traits."""
    return (FEW & set(symparams.published_models())) | {BY_HAND[kind.name]["model"]}


def slots(text: str) -> list[str]:
    """The names that a text has places for."""
    return sorted({name for _, name, _, _ in string.Formatter().parse(text) if name is not None})


def check(question: Question) -> None:
    """The answer of the tree is the one worked by hand, as a number and as a formula, and steps of the sheet lead to it."""
    case, worked = (question.kind.name, question.model.name), by_hand(question.kind)
    assert question.worth(worked) == question.value, case
    if question.form.name == "symbolic":
        assert question.multiplied_out(worked) == question.polynomial, case
    for name, meaning in BY_HAND[question.kind.name].get("means", {}).items():
        assert question.worth(parse(meaning, letter, is_evaluated=True)) == question.given[name], case
    if question.kind.step or any(isinstance(read, str) or "bytes" not in read for read in question.kind.reads.values()):
        assert question.steps or question.value == 0, case


def test_the_answer_of_the_tree_is_the_one_worked_by_hand() -> None:
    for kind in COMPUTED:
        for question in asked(kind, few(kind)):
            check(question)
        assert BY_HAND[kind.name]["model"] in [question.model.name for question in asked(kind, few(kind))], kind.name


@pytest.mark.sweep
def test_so_it_is_of_every_published_model() -> None:
    published, nothing = frozenset(symparams.published_models()), 0
    for kind in COMPUTED:
        questions = asked(kind, published)
        for question in questions:
            check(question)
        assert len(questions) >= BY_HAND[kind.name].get("models", 1), kind.name
        nothing += all(question.value == 0 for question in questions)
    assert nothing <= len(COMPUTED) / 15, "kinds whose answer is always nothing"


@pytest.mark.sweep
def test_no_question_asks_of_what_cannot_be() -> None:
    """No sequence is longer than its model takes, and the boards that a question names hold the weights and the caches."""
    for kind in COMPUTED:
        for question in asked(kind, frozenset(symparams.published_models())):
            case, given = (kind.name, question.model.name), question.given
            longest, lengths = own_context(question.model), [given[name] for name in LENGTHS if name in given]
            assert longest is None or max(lengths, default=0) <= longest, case
            if kind.chapter not in OF_BOARDS or not kind.is_of_a_model:
                continue
            assert longest is not None or not {"s", "t"} & given.keys(), case
            if question.board and kind.chapter != "scaling":
                cards = given.get("n", question.value if kind.unit == "cards" else 1)
                weights = question.model.count() * (1 if kind.name in ONE_BYTE else 2)
                caches = given.get("M", 0) * given.get("t", 0) * (given.get("b", 1) if kind.unit != "requests" else 1)
                assert weights + caches < given["mem"] * cards, case


def test_whatever_is_picked_of_what_is_given_the_answer_is_right() -> None:
    for kind in (kind for kind in WHOLE if kind.given):
        for question in asked(kind, few(kind)):
            for pick in range(max(map(len, kind.given.values()))):
                again = ask(kind, question.model, pick=pick)
                assert again is not None
                assert again.worth(by_hand(kind)) == again.value, (kind.name, question.model.name, pick)


def test_the_worked_number_is_what_the_program_gives() -> None:
    for kind in COMPUTED:
        worked = BY_HAND[kind.name]
        [question] = asked(kind, frozenset({worked["model"]}))
        assert question.value is not None
        if all(question.values.get(letter(name)) == value for name, value in worked["given"].items()):
            assert float(question.value) == pytest.approx(worked["value"], rel=1e-12), kind.name


def test_a_question_that_reads_the_same_for_every_model_is_asked_once() -> None:
    targets = bank.models(["gpt2", "gemma-2b", "llama-3-8b"])
    names = [question.kind.name for question in bank.of_each(bank.chosen(), targets, every=True)]
    assert names.count("heads.why-tie") == 1
    assert names.count("embeddings.token") == 3


def test_both_languages_ask_the_same() -> None:
    for kind in kinds().values():
        texts = [kind.texts, kind.note, kind.topic, *([kind.right, *kind.others, *kind.reasons] if kind.is_choice else [])]
        assert kind.topic, kind.name
        for text in (text for text in texts if text):
            assert slots(text["en"]) == slots(text["zh"]), kind.name
            assert set(FORMULA.findall(text["en"])) == set(FORMULA.findall(text["zh"])), kind.name


def test_a_question_gives_every_number_that_its_answer_needs_and_names_letters_of_its_own() -> None:
    for kind in WHOLE:
        told, named = {letter(name) for name in slots(kind.texts["en"])}, set(FORMULA.findall(kind.texts["en"]))
        for question in asked(kind, few(kind)):
            if question.value != 0 and kind.forms[-1].name != "symbolic":
                assert set(by_hand(kind).dimensions) <= told, (kind.name, question.model.name)
            if kind.forms[0].name == "symbolic":
                others = {dimension.name for dimension in question.letters if dimension.name not in BY_NAME}
                assert others <= named, (kind.name, question.model.name)


def test_the_letters_do_not_betray_the_answer() -> None:
    question = ask(kinds()["attention.qkv"], symparams.load("gpt2"))
    assert question is not None
    assert {each.name for each in question.shown.dimensions} == {"h"}
    assert [each.name for each in question.letters] == ["h", "n_heads", "d_head"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_right_answer_is_not_the_longest_in_more_than_half_of_the_choices(language: str) -> None:
    longest = [max(len(other[language]) for other in kind.others) < len(kind.right[language]) for kind in CHOICES]
    assert sum(longest) <= len(longest) / 2


def test_what_is_said_of_a_mistake_is_a_sentence_in_both_languages() -> None:
    for name, mistake in mistakes().items():
        english, chinese = mistake["en"], mistake["zh"]
        assert (english[-1], chinese[-1]) == (".", "。"), name
        assert not re.search(r"[\u4e00-\u9fff][,;:?()]|[,;:?()][\u4e00-\u9fff]", FORMULA.sub("x", chinese)), name
        for formula in FORMULA.findall(english + chinese):
            parse(formula, letter, is_evaluated=True)


def test_each_wrong_choice_has_a_sentence_on_what_is_wrong_with_it() -> None:
    for kind in CHOICES:
        assert len(kind.reasons) == len(kind.others), kind.name
        for reason in kind.reasons:
            assert (reason["en"][-1], reason["zh"][-1]) == (".", "。"), kind.name


def test_texts_hold_signs_only_in_formulas() -> None:
    """Of the signs of formulas a text has × alone: 768 × 768. Others are not in the fonts of a language."""
    for kind in kinds().values():
        for text in [kind.texts, *kind.others, *kind.reasons, *([kind.right] if kind.is_choice else [])]:
            assert_plain(text, kind.name)
    for name, mistake in mistakes().items():
        assert_plain(mistake, name)


def assert_plain(text: Mapping[str, str], case: str) -> None:
    assert FORMULA.sub("", text["en"]).replace("×", "").isascii(), case
    assert not re.search("[·²√ᵀ≠−]", FORMULA.sub("", text["zh"])), case


def test_relations_of_a_kind_let_a_formula_be_read_as_people_write_it() -> None:
    """Gemma-2B has h = 8 · 256 = n_heads · d_head, though nothing in its family says that it must."""
    question = ask(kinds()["gqa.attention"], symparams.load("gemma-2b", n_kv_heads=2))
    assert question is not None
    assert question.model.relations == {}
    for formula in ("2*h**2 + 2*h*n_kv_heads*d_head", "2*h*n_heads*d_head + 2*h*n_kv_heads*d_head"):
        assert question.multiplied_out(parse(formula, letter)) == question.polynomial


@given(model=models())
@settings(max_examples=20, deadline=None)
def test_of_any_family_and_any_sizes_the_answer_is_right(model: Model) -> None:
    for kind in WHOLE:
        question = ask(kind, model)
        if question is not None:
            assert question.worth(by_hand(kind)) == question.value, kind.name
