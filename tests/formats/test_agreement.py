"""The formats agree: the same integers in the same order, whatever the language, the columns, the width."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from symparams import derive, load, render
from symparams.derivations.derivation import Derivation
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.nodes import Expression, Sum
from symparams.expressions.printing import form
from symparams.formats.format import Options
from symparams.formats.sheet import Sheet
from symparams.formats.tables import Grid
from symparams.formats.text.writer import MARKUP
from symparams.sheets.document import Display, Document, Equation, Table
from symparams.sheets.whole import whole

from .conftest import SHEETS, WAYS, derivation

RAISED, SUPERSCRIPTS = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+"), str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def integers(sheet: str) -> list[str]:
    """The integers of a sheet in their order, digits grouped or not, raised or not; what only marks it up left out."""
    body = re.sub(r"^.*\\symparamslayout(?:\\else[^\n]*)?\n(?:%[^\n]*\n\\inter[^\n]*)?", "", sheet, flags=re.DOTALL)
    body = re.sub(r"\\begin\{tabular\}\{.*|(?<=\{alignat\*\})\{2\}|\\multicolumn\{\d\}|p\{[\d.]+em\}", "", body)
    body = re.sub(r"(?<=\d)(?:\{,\}|,)(?=\d{3})", "", RAISED.sub(lambda match: f"^{match[0].translate(SUPERSCRIPTS)}", body))
    return re.findall(r"\d+", body)


def large(sheet: str) -> set[str]:
    """The numbers that are more than factors and exponents."""
    return {number for number in integers(sheet) if len(number) > 2}


DISPLAYS = {
    "latex": r"\\begin\{align(?:at)?\*\}.*?\\end\{align(?:at)?\*\}|^\$\\boxed.*?\$$",
    "markdown": r"^\$\$$.*?^\$\$$",
}


def equations(sheet: str, kind: str) -> list[str]:
    """The integers of its equations alone: those of a table may stand below one another."""
    return integers("\n".join(re.findall(DISPLAYS[kind], sheet, re.MULTILINE | re.DOTALL)))


def equations_of_text(text: str, document: Document) -> list[str]:
    """The same of a text, in which nothing marks an equation: its lines are those of the document, found in their order."""
    assert document.answer is not None
    sheet = Sheet(document, MARKUP, Options())
    displays = [block for section in document.sections for block in sheet.blocks(section) if isinstance(block, Display)]
    lines = [*sheet.answer(document.answer), *(line for display in displays for line in sheet.lines(display))]
    end = 0
    for line in lines:
        end = text.index(line.right, end) + len(line.right)
    return integers("\n".join(f"{line.left} {line.right}" for line in lines))


@pytest.fixture
def unabridged(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """``unabridged(derivation, format, …)`` is a sheet with all columns of its tables and all brackets.

    Where a line is too narrow, columns go and brackets are multiplied out. Each is held to be that alone: the terms have the
    value of the product, and the sheet no number that the other lacks.
    """
    going, spread, was_cut = {name: getattr(Grid, name).func for name in ("_gone", "_last")}, form.spread, []

    def columns_gone(grid: Grid, name: str) -> list[int]:
        was_cut.extend(columns := going[name](grid))
        return columns

    def multiplied_out(term: Expression) -> tuple[Expression, ...]:
        if terms := spread(term):
            was_cut.append(term)
            assert multiply_out(Sum(terms), {}) == multiply_out(term, {})
        return terms

    def rendered(derived: Derivation, kind: str, **options: Any) -> str:
        was_cut.clear()
        with monkeypatch.context() as watched:
            for name in going:
                watched.setattr(Grid, name, property(partial(columns_gone, name=name)))
            watched.setattr(form, "spread", multiplied_out)
            sheet = render(derived, kind, **options)
        if not was_cut:
            return sheet
        whole_sheet = render(derived, kind, **options)
        assert large(sheet) <= large(whole_sheet)
        return whole_sheet

    for name in going:
        monkeypatch.setattr(Grid, name, ())
    monkeypatch.setattr(form, "spread", lambda term: ())
    monkeypatch.setattr("symparams.formats.sheet.FOR_LEARNERS", frozenset())  # which a part of a paper goes without
    return rendered


def test_every_format_has_the_same_integers(unabridged: Callable[..., str]) -> None:
    """Markdown, LaTeX in one and two columns, and text: equations in the same order, tables in any."""
    for (target, language), (view, attention) in zip(SHEETS, WAYS * 5, strict=False):
        derived = derivation(target, attention, view)
        sheets = {kind: unabridged(derived, kind, language=language) for kind in ("text", *DISPLAYS)}
        github = unabridged(derived, "markdown", language=language, flavor="github")
        narrow = unabridged(derived, "latex", language=language, columns=2, standalone=False)
        assert integers(github) == integers(sheets["markdown"]), target
        assert len({tuple(sorted(integers(sheet))) for sheet in (narrow, *sheets.values())}) == 1, target
        marked = [*((kind, sheets[kind]) for kind in DISPLAYS), ("latex", narrow)]
        ordered = {tuple(equations(sheet, kind)) for kind, sheet in marked}
        ordered.add(tuple(equations_of_text(sheets["text"], whole(derived, language))))
        assert len(ordered) == 1, target
        assert max(map(len, ordered)) > 10


def test_a_table_holds_what_it_counts_not_what_is_printed():
    for target in ["bloom-1b4-zh", "deepseek-v3"]:
        document = whole(derivation(target))
        tables = {block.key: block for section in document.sections for block in section.blocks if isinstance(block, Table)}
        assert [row[2] for row in tables["shares"].rows] == [
            *(s.step.value for s in derivation(target).shares),
            load(target).count(),
        ]
        assert tables["shares"].rows[0][1] == derivation(target).shares[0].step.closed


def test_a_document_is_the_same_for_every_format() -> None:
    document = whole(derive(load("gpt2")))
    chains = [block.chain for section in document.sections for block in section.blocks if isinstance(block, Equation)]
    assert chains[0][0].content == derive(load("gpt2")).sections[0].steps[0].written
    assert {kind: render(document, kind) for kind in ("text", "latex", "markdown", "json")} == {
        kind: render(derive(load("gpt2")), kind) for kind in ("text", "latex", "markdown", "json")
    }
