"""What a learner is told: in which letters to answer, what they are, and the steps behind an answer."""

from __future__ import annotations

import re

import pytest

import symparams
from symparams.cards.collected import notes_of
from symparams.cli.quiz import talk
from symparams.cli.quiz.speech import Speech
from symparams.cli.quiz.voice import Voice
from symparams.formats.rendering import render
from symparams.practice.asking import ask
from symparams.practice.bank import chosen, models, of_each
from symparams.practice.kind import kinds
from symparams.practice.marking import Outcome, mark, symbols
from symparams.practice.question import Question
from symparams.practice.replies import read
from symparams.sheets.catalogue import catalogue
from symparams.sheets.practice.booklet import booklet
from symparams.sheets.practice.questions import how, is_in_names_alone


def question(kind: str, model: str) -> Question:
    found = ask(kinds()[kind], symparams.load(model))
    assert found is not None
    return found


def test_a_question_says_in_which_form_to_answer_and_the_sizes_that_it_does_not_tell():
    for kind, model, sentences in (
        ("attention.layer", "gpt2", ["practice.formula", "practice.sizes"]),  # h = 768, n_heads = 12
        ("feed-forward.gated", "llama-3-8b", ["practice.formula"]),
        ("embeddings.token-share", "gpt2", ["practice.estimate_of_share"]),  # of what its tolerance is
    ):
        assert [sentence.key for sentence in how(question(kind, model), "en")] == sentences, kind


def test_a_hint_tells_the_idea_then_the_formula_and_no_number_of_the_answer():
    voice = Voice(Speech(is_plain=True), "en")
    for kind, model, told in (
        ("memory.gib", "gpt2", ["A GiB has 7 % more bytes", "In letters: 2·N / 1,024³."]),
        ("embeddings.token", "gpt2", ["One row of length h", "In letters: V·h."]),
        ("flops.scores", "gpt2", ["Two products", "It is made of scores, weighted sum of values."]),  # a formula is asked
        ("embeddings.rotary", "llama-7b", ["Which matrices"]),
    ):
        asked = question(kind, model)
        voice.about(asked.model)
        hints = [voice.text(hint) for hint in talk.hints(asked, "en")]
        assert [hint.partition(": ")[2][: len(words)] for hint, words in zip(hints, told, strict=True)] == told, kind
    assert repr(question("cache.batch", "llama-3-8b").shown) == "(2*b*t*L*n_kv_heads*d_head*e)/1024**3", "and no 536,870,912"


def test_an_answer_of_nothing_says_why():
    zeros = [asked for asked in of_each(chosen(), models()) if asked.value == 0]
    assert len(zeros) == 5
    assert all(asked.kind.note for asked in zeros)


def test_the_steps_behind_an_answer():
    [step] = question("stacks.cross", "transformer-base").steps
    assert step.name == "cross_attention", "and not of another part of as many parameters"
    for kind, model in (("published.double", "gpt2"), ("feed-forward.flan", "flan-t5-small")):
        names = [step.name for step in question(kind, model).steps]
        assert len(set(names)) == len(names), "a part in other sizes has a name of its own"
    [step] = question("mla.attention", "deepseek-v3").steps
    assert is_in_names_alone(step), "and is worked out"
    assert question("attention.scores", "gpt2").steps == (), "a zero has no steps of something else"
    assert repr(question("embeddings.vocabulary", "llama-3-8b").shown) == "2*h*(V2 - V)", "what is added comes first"


def test_a_share_may_be_a_fraction_a_letter_without_its_line_and_a_number_with_the_word_that_it_counts():
    for kind, model, typed, outcome in (
        ("embeddings.token-share", "gpt2", "0.3102", Outcome.FRACTION),
        ("embeddings.token-share", "gpt2", "31%", Outcome.RIGHT),
        ("feed-forward.gated", "llama-3-8b", "3hdff", Outcome.RIGHT),
        ("memory.cards", "deepseek-v3", "9 cards", Outcome.RIGHT),
        ("memory.cards", "deepseek-v3", "9张", Outcome.RIGHT),
    ):
        asked = question(kind, model)
        assert mark(asked, read(typed, symbols(asked, {}), asked.kind.unit)).outcome is outcome, typed


ENGLISH_UNIT = re.compile(r"[0-9]\s*(?:B(?![-/])|bytes|tokens|requests|heads|days)\b")


@pytest.mark.parametrize("chapter", ["memory", "cache"])
def test_what_an_answer_counts_is_said_in_the_language_of_its_key(chapter):
    questions = list(of_each(chosen(chapter), models()))
    assert not ENGLISH_UNIT.search(render(booklet(questions, "zh", "only"), "text", width=200))
    asked = [note for note in notes_of([], "zh", chapter, with_questions=True) if not note.kind.startswith("fact.")]
    assert not any(ENGLISH_UNIT.search(field) for note in asked for field in note.contents)


def test_an_answer_has_its_unit_in_words():
    for kind, model, english, chinese in (
        ("cache.token", "gpt2", "36,864 bytes", "36,864 字节"),
        ("cache.latent-as-gqa", "deepseek-v3", "2.25 heads", "2.25 个头"),
        ("cache.equals-weights", "gpt2", "≈ 6,751.3 tokens", "≈ 6,751.3 个词元"),
    ):
        for language, words in (("en", english), ("zh", chinese)):
            assert words in render(booklet([question(kind, model)], language, "only"), "text", width=200)


def test_every_unit_of_the_bank_has_a_word_in_each_language():
    units = {kind.unit for kind in kinds().values()} - {"", "%"}
    for language in ("en", "zh"):
        words = catalogue(language).entries
        assert {f"practice.units.{unit}" for unit in units} == {key for key in words if key.startswith("practice.units.")}


def test_the_title_says_what_the_booklet_asks():
    for chapters, english, chinese in (
        (["attention"], "Questions: how many parameters?", "练习题：参数量"),
        (["cache"], "Questions: how much memory?", "练习题：显存"),
        (["gqa", "flops"], "Questions: how many parameters, how many FLOPs?", "练习题：参数量、计算量"),
    ):
        questions = [asked for chapter in chapters for asked in of_each(chosen(chapter), models())]
        for language, title in (("en", english), ("zh", chinese)):
            assert render(booklet(questions, language, "none"), "markdown").startswith(f"# {title}"), (chapters, language)
