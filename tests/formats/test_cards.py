"""Every formula on every flash card is read by KaTeX and MathJax, and stands whole between its marks."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable

import pytest

from symparams import load
from symparams.cards.collected import notes_of
from symparams.cards.notes import AnkiNote
from symparams.errors import SymparamsError

from .conftest import LANGUAGES, TARGETS, Formula
from .test_names import FOREIGN, MARKS, PLACES, called

FORMULA = re.compile(r"\\\((.+?)\\\)")


def formulas(notes: Iterable[AnkiNote]) -> list[Formula]:
    """The formulas of notes as a browser hands them to MathJax."""
    fields = (text for note in notes for name, text in note.fields.items() if name != "Id")
    return [(html.unescape(found), False) for text in fields for found in FORMULA.findall(text)]


@pytest.mark.parametrize("target", TARGETS)
def test_katex_and_mathjax_read_every_formula(
    target: str, check_math: Callable[[Iterable[Formula]], list[list[object]]]
) -> None:
    for language in LANGUAGES:
        notes = notes_of([load(target)], language)
        found = formulas(notes)
        assert len(found) > 10
        assert check_math(found) == []
        assert not any(re.search(r"[\\^]|_\{", FORMULA.sub("", text)) for note in notes for text in note.contents)


@pytest.mark.parametrize("place", [place for place in PLACES if place != "latex"])
@pytest.mark.parametrize("name", [MARKS, FOREIGN, r"{{c1::h}}::[sound:a.mp3]\(x\)]]>", "<script>alert(1)</script>"])
def test_mathjax_takes_every_name_as_words(
    place: str, name: str, check_math: Callable[[Iterable[Formula]], list[list[object]]]
) -> None:
    try:
        model = called(place, name)
    except SymparamsError:
        return
    notes = notes_of([model])
    assert [refusal for refusal in check_math(formulas(notes)) if refusal[2] == "MathJax"] == []
    for note in notes:
        for text in note.contents:
            assert not re.search(r"<(?!/?(p|ul|li|div|details|summary)>)", text)
            assert re.findall(r"\{\{(.{1,4})", text) == [f"c{i}::" for i in (1, 2, 3) if f"{{{{c{i}::" in text]
            assert text.count("}}") == text.count("{{")
            assert "[sound" not in text
