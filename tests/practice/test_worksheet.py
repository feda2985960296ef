"""Worksheets: what is left out, what stays, what the key says, and what the seed chooses."""

from __future__ import annotations

import re

import symparams
from symparams.architectures import published_names
from symparams.formats.rendering import render
from symparams.practice.kind import HARD, LEVELS, WARM_UP
from symparams.practice.variation import varied
from symparams.practice.worksheet import NONE, worksheet
from symparams.sheets.whole import by_rule
from symparams.sheets.whole import whole as whole_sheet
from symparams.sheets.worksheet.blanks import Blanks
from symparams.sheets.worksheet.filled import answers, filled
from symparams.sheets.worksheet.filled import worksheet as composed
from tests.refusals import refusal
from tests.sweeps import FEW

NUMBERS = re.compile(r"\d[\d,]{6,}")


def texts(model, form="text", language="en", **choices):
    return render(worksheet(model, **choices), form, language=language)


# Of each model a level, a language and a format.
SHEETS = [
    ("gpt2", "warm-up", "en", "latex"),
    ("bert-base-uncased", "standard", "zh", "markdown"),
    ("deepseek-v3", "standard", "en", "typst"),
    ("t5-small", "hard", "zh", "text"),
]


def test_a_worksheet_filled_in_from_its_key_is_the_derivation():
    for model, level, language, form in SHEETS:
        asked = worksheet(model, level=level, seed=5)
        sheet = filled(composed(asked, language), answers(asked, language))
        assert render(sheet, form) == render(whole_sheet(symparams.derive(model), language, last=by_rule), form), (model, level)


def test_no_number_of_the_key_stands_in_the_worksheet():
    for model, level, _, _ in SHEETS:
        asked = worksheet(model, level=level, key=NONE, seed=3)
        sheet, key = render(asked, width=10_000), render(worksheet(model, level=level, key="only", seed=3), width=10_000)
        boxed = {number for box in re.findall(r"\[[^\[\]]*\]", key) for number in NUMBERS.findall(box)}
        dimensions = {f"{value:,}" for value in symparams.load(model).values.values()}
        assert boxed - dimensions, (model, level)
        assert not (boxed - dimensions) & set(NUMBERS.findall(sheet)), (model, level)


def test_the_seed_chooses_what_stays_printed():
    for level in LEVELS:
        first, again, other = (texts("gpt2", level=level, seed=seed) for seed in (1, 1, 2))
        assert first == again
        assert (first == other) == (level == HARD), level


def test_about_a_third_stays_printed():
    for model, level in (("gpt2", WARM_UP), ("deepseek-v3", "standard"), ("t5-small", WARM_UP)):
        shares = []
        for seed in range(4):
            asked = worksheet(model, level=level, seed=seed)
            blanks = Blanks(whole_sheet(asked.derivation), asked)
            shares.append(1 - len(set(blanks.numbers) & blanks._left_out) / len(blanks._left_out))
        assert 0.2 < sum(shares) / len(shares) < 0.45, (model, shares)


def test_a_varied_model_is_lawful_and_nobodys():
    published = {name: symparams.load(name) for name in FEW & set(published_names())}
    for name, model in published.items():
        other = varied(model, 7)
        assert other.count() not in {model.count() for model in published.values()}, name
        assert (other.present, other.relations.keys()) == (model.present, model.relations.keys()), name
        assert other.values != model.values, name


def test_what_is_varied_is_drawn_by_the_seed():
    first, again = (varied(symparams.load("gpt2"), 1) for _ in range(2))
    assert first.values == again.values
    assert len({varied(symparams.load("gpt2"), seed).count() for seed in range(12)}) > 6


def test_what_there_is_not():
    assert "Unknown level 'medium'. Known: warm-up, standard, hard." in refusal(worksheet, "gpt2", level="medium")
    assert worksheet("gpt2", level="easy") == worksheet("gpt2", level="warm-up")  # as it was called
    assert "Unknown key 'behind'" in refusal(worksheet, "gpt2", key="behind")
    assert "seed = '1.5' is not a whole number" in refusal(worksheet, "gpt2", seed=1.5)
    assert "llama has no sizes to count with" in refusal(worksheet, "llama")
    assert worksheet("llama", vary=True).derivation.total.value
