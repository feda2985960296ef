"""Booklets and exams as pages: nothing too wide, no question torn from its lines, no answer told."""

from __future__ import annotations

import io
import re
from functools import lru_cache

import pytest
from pypdf import PdfReader

from symparams import render, typeset
from symparams.practice.bank import chosen, models, of_each
from symparams.practice.exam import POINTS, Exam, exam
from symparams.practice.key import KEYS
from symparams.sheets.document import Document
from symparams.sheets.practice.booklet import booklet
from symparams.sheets.practice.exam import exam as on_paper

from .conftest import LANGUAGES
from .test_latex import Compile, compile_document, complaints  # noqa: F401 - a fixture
from .test_typst import STRICT, pdf, told, too_wide

LONG = re.compile(r"[0-9][0-9,]{5,}[0-9]")
TARGET = "llama-3-8b"
of_every_language = pytest.mark.parametrize("language", LANGUAGES)


@lru_cache(maxsize=4)
def composed(seed: str = "7") -> Exam:
    return exam(20, seed)


def asked(language: str, key: str = "end", *, has_choices: bool = False) -> Document:
    return booklet(list(of_each(chosen(), models([TARGET]))), language, key, has_choices=has_choices)


def papers(language: str) -> list[Document]:
    return [asked(language), asked(language, has_choices=True), on_paper(composed(), language)]


@pytest.mark.tex
@of_every_language
@pytest.mark.parametrize("at", range(3))
def test_tex_sets_them_and_nothing_is_too_wide(at: int, language: str, compile_document: Compile) -> None:  # noqa: F811
    code, log = compile_document(language, render(papers(language)[at], "latex"))
    assert (code, list(complaints(log))) == (0, [])


@of_every_language
@pytest.mark.parametrize("at", range(3))
def test_typst_sets_them_and_nothing_is_too_wide(at: int, language: str, fonts_of: None) -> None:
    source = render(papers(language)[at], "typst")
    assert pdf(source, language)[1] == []
    assert too_wide(told(STRICT + source, language)) == []


def pages(document: Document, language: str) -> list[str]:
    [made] = typeset(document, language=language)
    return [page.extract_text() for page in PdfReader(io.BytesIO(made)).pages]


def numbers(text: str) -> set[int]:
    return {int(digits.replace(",", "")) for digits in LONG.findall(text)}


@of_every_language
def test_no_page_of_an_exam_tells_a_long_number_of_its_key(language: str, fonts_of: None) -> None:
    dimensions = {value for question in composed().questions for value in question.model.values.values()}
    paper, key = (" ".join(pages(on_paper(composed(), language, key), language)) for key in ("none", "only"))
    assert len(numbers(key)) > 20
    assert not numbers(paper) & numbers(key) - dimensions


@of_every_language
def test_the_options_of_a_question_stand_on_its_page(language: str, fonts_of: None) -> None:
    for page in pages(asked(language, "none", has_choices=True), language):
        letters = re.findall(r"^\s*[(（]([a-d])[)）]", page, re.MULTILINE)
        assert letters
        starts = [i for i, letter in enumerate(letters) if letter == "a"]
        assert starts[0] == 0
        for first, after in zip(starts, [*starts[1:], len(letters)], strict=True):
            assert letters[first:after] == list("abcd")[: after - first]
            assert after - first >= 3


def test_the_points_of_the_questions_are_those_of_the_head() -> None:
    paper = render(on_paper(composed(), key="none"))
    points = [int(each) for each in re.findall(r"^\d+\. \((\d) points\)", paper, re.MULTILINE)]
    assert points == [POINTS[question.kind.level] for question in composed().questions]
    assert f"20 questions, {sum(points)} points." in paper.replace("\n", " ")


def test_bytes_are_grouped_as_other_numbers_are() -> None:
    assert "248,879,616 bytes" in render(booklet(list(of_each(chosen("memory"), models(["gpt2"]))), key="only"))


@pytest.mark.parametrize("key", KEYS)
def test_the_key_is_where_it_is_asked_for(key: str) -> None:
    written = render(on_paper(composed(), key=key), "latex")
    assert (r"\rule{\linewidth}" in written, "Half of the points" in written) == (key != "only", key != "none")
