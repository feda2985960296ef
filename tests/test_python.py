"""From Python: a name is taken for its model wherever one is due, and a mistake is told in Python's words."""

from __future__ import annotations

import inspect
import pickle

import pytest

from symparams import SymparamsError, derive, derive_expression, explain, load, render
from symparams.errors import MissingDimensionError

GPT2 = load("gpt2")


def test_a_name_is_taken_for_the_model():
    sheet = render(derive(GPT2))
    assert render(GPT2) == render(GPT2, "text") == render("gpt2") == render(derive("gpt2"), "text") == sheet
    assert explain("gpt2", 163_037_184) == explain(GPT2, 163_037_184)


def test_text_is_the_format_of_a_sheet_by_default():
    assert inspect.signature(render).parameters["format"].default == "text"


MISTAKES = {
    "bert has no value for V (used in embeddings.token_embedding), h ": lambda: load("bert").count(),
    "expression has no value for foo (used in the formula): give foo=….": derive_expression("12*foo").subject.count,
    "Unknown architecture or model 'bret'. Did you mean 'bert'": lambda: derive("bret"),
    "Unknown architecture or model 'blom'. Did you mean 'bloom'?": lambda: render("blom"),
    "'7', of type int, names no model: give a model or a name, as in 'gpt2'.": lambda: render(7),
    "'None', of type NoneType, names no model: ": lambda: derive(None),
    "Unknown format 'docx'. Known: json, latex, markdown, pdf, png, text, typst.": lambda: render(GPT2, "docx"),
    "Unknown language 'fr'. Known: en, zh.": lambda: render(GPT2, language="fr"),
    "Unknown view 'x': choose one of module, kind, weights.": lambda: derive(GPT2, view="x"),
    "A page has 1 or 2 columns, not '3'.": lambda: render(GPT2, columns=3),
    "GPT-2 has no dimension 'd_modl'.": lambda: load("gpt2", d_modl=3),
    "The feature 'tying' is both included and excluded": lambda: load("gpt2", include=["tying"], exclude=["tying"]),
}


@pytest.mark.parametrize("said", MISTAKES)
def test_a_mistake_is_told_in_the_words_of_python(said):
    with pytest.raises(SymparamsError) as error:
        MISTAKES[said]()
    assert str(error.value).startswith(said)
    assert "--" not in str(error.value)
    assert "\n" not in str(error.value)


def test_what_is_missing_is_asked_for_in_the_words_of_who_asked(mistake):
    with pytest.raises(MissingDimensionError, match=r": give V=…, L=…, or name a published model\.$"):
        load("bloom", h=8).count()
    assert mistake("count bloom --set h=8").endswith(": give --set V=… --set L=…, or name a published model.")


def test_what_is_missing_outlives_a_process():
    with pytest.raises(MissingDimensionError) as error:
        load("bloom", V=8, h=8).count()
    again = pickle.loads(pickle.dumps(error.value))  # noqa: S301 - our own
    assert (str(again), again.names) == (str(error.value), ("L",)) == (str(error.value), error.value.names)
