"""Worksheets: what is left out, what stays, what the key says, and what the seed chooses."""

from __future__ import annotations

import re

import pytest

import symparams
from symparams.architectures import published_names
from symparams.errors import SymparamsError
from symparams.formats.rendering import render
from symparams.practice.key import NONE
from symparams.practice.variation import varied
from symparams.practice.worksheet import EASY, HARD, LEVELS, worksheet
from symparams.sheets.worksheet.filled import answers, filled
from symparams.sheets.worksheet.filled import worksheet as composed

MODELS = ["gpt2", "bert-base-uncased", "llama-3-8b", "deepseek-v3", "t5-small"]
NUMBERS = re.compile(r"\d[\d,]{6,}")


def texts(model, form="text", language="en", **choices):
    return render(worksheet(model, **choices), form, language=language)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("model", MODELS)
def test_a_worksheet_filled_in_from_its_key_is_the_derivation(model, language, level):
    asked = worksheet(model, level=level, seed=5)
    whole = filled(composed(asked, language), answers(asked, language))
    for form in ("text", "latex", "markdown", "typst"):
        assert render(whole, form) == render(model, form, language=language)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("model", MODELS)
def test_no_number_of_the_key_stands_in_the_worksheet(model, level):
    asked = worksheet(model, level=level, key=NONE, seed=3)
    sheet, key = render(asked, width=10_000), render(worksheet(model, level=level, key="only", seed=3), width=10_000)
    boxed = {number for box in re.findall(r"\[[^\[\]]*\]", key) for number in NUMBERS.findall(box)}
    dimensions = {f"{value:,}" for value in symparams.load(model).values.values()}
    assert boxed - dimensions
    assert not (boxed - dimensions) & set(NUMBERS.findall(sheet))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("model", MODELS)
def test_the_seed_chooses_what_stays_printed(model, level):
    first, again, other = (texts(model, level=level, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert (first == other) == (level == HARD)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("level", [EASY, "standard"])
def test_about_a_third_stays_printed(model, level):
    from symparams.sheets.whole import whole
    from symparams.sheets.worksheet.blanks import Blanks

    shares = []
    for seed in range(8):
        asked = worksheet(model, level=level, seed=seed)
        blanks = Blanks(whole(asked.derivation), asked)
        shares.append(1 - len(set(blanks.numbers) & blanks._left_out) / len(blanks._left_out))
    assert 0.2 < sum(shares) / len(shares) < 0.45, shares


def test_a_varied_model_is_lawful_and_nobodys():
    known = {symparams.load(name).count() for name in published_names()}
    for name in published_names():
        model = symparams.load(name)
        found = varied(model, 7)
        assert found.count() not in known
        assert found.present == model.present
        assert found.relations.keys() == model.relations.keys()
        assert found.values != model.values


def test_what_is_varied_is_drawn_by_the_seed():
    assert varied(symparams.load("gpt2"), 1).values == varied(symparams.load("gpt2"), 1).values
    assert len({varied(symparams.load("gpt2"), seed).count() for seed in range(12)}) > 6


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"level": "medium"}, "Unknown level 'medium'"),
        ({"key": "behind"}, "Unknown key 'behind'"),
        ({"seed": 1.5}, "seed = '1.5' is no whole number"),
    ],
)
def test_what_there_is_not(choices, said):
    with pytest.raises(SymparamsError, match=re.escape(said)):
        worksheet("gpt2", **choices)


def test_a_family_without_sizes_has_none_to_count_with():
    with pytest.raises(SymparamsError, match="llama has no sizes to count with"):
        worksheet("llama")
    assert worksheet("llama", vary=True).derivation.total.value
