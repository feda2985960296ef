"""Text stays within the terminal: no line of any sheet is wider than asked, in tables and in formulas."""

from __future__ import annotations

import pytest

from symparams import derive, load, render
from symparams.answers.explanations import explain
from symparams.expressions.notation import NOTATIONS
from symparams.expressions.printing.metric import ColumnMetric, columns
from symparams.expressions.symbols import L, V, h
from symparams.formats.layout import rows
from symparams.formats.text.writer import wrap
from symparams.sheets.document import Equation, Link
from symparams.sheets.explanation import explanation
from symparams.sheets.memory import memory
from symparams.sheets.outline import outline

from .conftest import EVERY_FAMILY, LANGUAGES, SHEETS, WAYS, derivation

NARROW, WIDE = 80, 120


# Of which a call within calls, f(g(h(x))), has no place to break.
LONG_CALLS = {"gemma-4-26b-a4b-it": 90, "zamba-7b-v1": 95, "zamba2-1.2b": 95}


def too_wide(sheet: str, width: int) -> list[str]:
    return [line for line in sheet.splitlines() if columns(line) > width]


def test_no_line_is_wider_than_the_terminal() -> None:
    for (target, language), (view, attention), notation in zip(SHEETS, WAYS * 5, ("hidden", "hf") * 7, strict=False):
        derived = derivation(target, attention, view)
        for width in (NARROW, WIDE):
            sheet = render(derived, "text", language=language, notation=notation, width=width, with_memory=True)
            assert too_wide(sheet, width) == [], (target, width)
        assert too_wide(render(outline(load(target), language)), LONG_CALLS.get(target, NARROW)) == [], target


@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_of_any_family_is_wider(language: str) -> None:
    for target in EVERY_FAMILY:
        assert too_wide(render(derivation(target), language=language, with_memory=True), NARROW) == [], target
        assert too_wide(render(outline(load(target), language)), LONG_CALLS.get(target, NARROW)) == [], target


def test_no_line_of_an_answer_is_wider():
    for language in LANGUAGES:
        model = load("bert-base-uncased")
        for claim in (109_482_241, 110_000_000, 108_891_648):
            assert too_wide(render(explanation(explain(model, claim), language)), NARROW) == []
        assert too_wide(render(memory(derive(model), language=language)), NARROW) == []


def test_a_wider_terminal_has_fuller_lines() -> None:
    found = derivation("deepseek-v3")
    assert len(render(found, width=120).splitlines()) < len(render(found, width=80).splitlines())
    assert max(map(columns, render(found, width=120).splitlines())) > 100


def test_a_formula_too_wide_for_its_line_breaks_within_no_brackets_and_in_its_column():
    lines = render(derivation("bart")).split("Where the parameters are")[1].splitlines()
    norms = next(i for i, line in enumerate(lines) if line.startswith("Feed-forward"))
    assert lines[norms + 1].strip().startswith("+ ")
    # Mixtral's L·(3·E·h·d_ff + 4·h² + E·h), in the long letters of its config: each line has all of its brackets.
    sheet = render(derivation("mixtral"), notation="hf", width=60)
    formulas = [line for line in sheet.splitlines() if "hidden_size" in line and "·" in line]
    assert len(formulas) > 5
    assert [line for line in formulas if line.count("(") != line.count(")")] == []


def test_a_paragraph_is_filled():
    for paragraph, width, lines in [
        ("one two three", 8, ["one two", "three"]),
        ("one two three", 80, ["one two three"]),
        ("词表大小与层数", 8, ["词表大小", "与层数"]),
        ("词表大小，层数", 8, ["词表大小，", "层数"]),  # no line begins with a comma
        ("见“层数”一节", 8, ["见“层数”", "一节"]),  # nor with a mark that closes
        ("词表大小（万）", 10, ["词表大小", "（万）"]),  # nor ends with one that opens
    ]:
        assert wrap(paragraph, width) == lines


def test_a_column_that_would_be_empty_is_left_out() -> None:
    """Where each symbol is its key, there is none to tell."""
    assert "Config key" in render("qwen3-8b", only="dimensions")
    for kind in ("text", "latex", "markdown"):
        assert "Config key" not in render("qwen3-8b", kind, only="dimensions", notation="hf")


def test_a_chain_begins_without_the_sign_that_relates_its_links_and_fills_its_lines():
    """Without a left side, V·h = h·L = L·V: as many links to a line as fit."""
    metric = ColumnMetric(NOTATIONS["hidden"])
    chain = [Link(V * h), Link(h * L), Link(L * V)]
    for width, lines in ((21, [["", "=", "="]]), (20, [["", "="], ["="]]), (8, [[""], ["="], ["="]])):
        laid_out = rows(Equation(None, chain), metric, width)
        assert [[run.relation for run in row.runs] for row in laid_out] == lines, width
