"""Notations: the same closed form in the letters of a field, a paper or a config."""

from __future__ import annotations

import re

import pytest

from symparams import derive, load, render
from symparams.expressions.nodes import Size
from symparams.expressions.notation import NOTATIONS, read_letter
from symparams.expressions.printing.latex import LatexPrinter
from symparams.expressions.printing.text import TextPrinter
from symparams.expressions.symbols import L, L_dense, L_moe, V, h
from symparams.formats.rendering import render_formula
from symparams.models.stacks import in_common_letters, layers_of_both
from symparams.sheets.catalogue import catalogue
from symparams.sheets.dimensions import remainder
from tests.refusals import refusal


def test_closed_forms_in_every_notation():
    for target, notation, formula in (
        ("bloom", "gpt3", "12·n_layers·d_model² + 13·n_layers·d_model + n_vocab·d_model + 4·d_model"),
        ("gpt3", "megatron", "12·l·h² + 13·l·h + v·h + s·h + 2·h"),
        ("bert", "hf", "12·num_hidden_layers·hidden_size² + hidden_size² + 13·num_hidden_layers·hidden_size"),
        ("gpt2-xl", "hf", "12·n_layer·n_embd² + 13·n_layer·n_embd + vocab_size·n_embd + n_positions·n_embd + 2·n_embd"),
    ):
        assert render_formula(load(target), "text", notation=notation).startswith(formula), target


def test_closed_forms_in_latex():
    gpt3 = r"12n_{\text{layers}}\,d_{\text{model}}^{2} + 13n_{\text{layers}}\,d_{\text{model}}"
    gpt3 += r" + n_{\text{vocab}}\,d_{\text{model}} + 4d_{\text{model}}"
    assert render_formula(load("bloom"), "latex", notation="gpt3") == f"{gpt3}\n"


def test_a_power_of_a_sum_keeps_its_brackets_and_a_number_the_marks_of_its_thousands():
    for printer, power, number in ((TextPrinter, "(h + V)²", "1,024·h"), (LatexPrinter, r"(h + V)^{2}", "1{,}024h")):
        written = printer(NOTATIONS["hidden"])
        assert (written((h + V) ** 2), written(Size(1_024 * h))) == (power, number)


def test_symbols_of_ones_own():
    assert render_formula(load("bloom"), "text", symbols={"h": "d", "V": "d_vocab"}) == "12·L·d² + 13·L·d + d_vocab·d + 4·d\n"
    assert render_formula(load("bloom"), "text", symbols={"hidden_size": "D"}) == "12·L·D² + 13·L·D + V·D + 4·D\n"


def test_how_a_symbol_is_set():
    symbols = {"d": "d", "d_model": r"d_{\text{model}}", "width": r"\mathrm{width}", "a_b_c": r"\mathrm{a\_b\_c}"}
    assert {text: read_letter(text).latex for text in symbols} == symbols


REFUSED = [
    ({"symbols": {"h": "V"}}, "The symbol 'V' would stand for V and for h: rename one."),
    ({"symbols": {"h": "N"}}, "The symbol 'N' would stand for the number of parameters and for h: rename one."),
    ({"symbols": {"h": r"\input{x}"}},
     r"'\input{x}' is not a symbol: write a letter, a letter with an index (d_model) or a word."),
    ({"symbols": {"hh": "d"}}, "No dimension 'hh' to rename. Did you mean 'h'?"),
    ({"notation": "berd"}, "Unknown notation 'berd'. Did you mean 'bert'?"),
]  # fmt: skip


def test_letters_that_cannot_be():
    for options, message in REFUSED:
        assert refusal(render_formula, load("bloom"), "text", **options) == message


def rows_of_the_legend(sheet: str) -> list[list[str]]:
    """The cells of the table of dimensions, row by row."""
    lines = sheet.partition("\nDimensions\n")[2].splitlines()[2:]
    heading, rule, *rows = lines[: lines.index("")]
    spans = [match.span() for match in re.finditer("─+", rule)]
    return [[line[start:end].strip() for start, end in spans] for line in (heading, *rows)]


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("target", ["t5", "deepseek_v3", "clip"])
def test_the_legend_names_every_symbol(target, notation):
    """Each beside its own meaning; in the words of a config the keys are the symbols."""
    symbolic = load(target).symbolic()
    model = in_common_letters(symbolic)
    heading, *rows = rows_of_the_legend(render(derive(symbolic), notation=notation, width=400))
    of_all = [L] if remainder(model, L_moe) is not None or remainder(model, L_dense) is not None else []
    dimensions = [*of_all, *model.architecture.dimensions]
    letters = {d: (notation == "hf" and model.key(d)) or NOTATIONS[notation][d].text for d in dimensions}
    meanings = {letters[d]: catalogue("en").entries[f"dimensions.{d.name}"] for d in letters}
    if layers_of_both(model):
        meanings[letters[L]] = catalogue("en").entries["stacks.both"]
    assert heading[:2] == ["Symbol", "Meaning"]
    named = {row[0]: row[1] for row in rows}
    assert named.items() <= meanings.items()
    assert len(rows) == len(named)
    sheet = re.sub(r"\nDimensions\n(?:.*\n){3}", "\n", render(derive(symbolic), notation=notation, width=400))
    printed = set(re.findall(r"[^\W\d]\w*", sheet.translate(dict.fromkeys(map(ord, "²³")))))
    assert {letter for letter in meanings if letter in printed and len(letter) > 1} <= named.keys()
