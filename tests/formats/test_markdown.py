"""Every formula of every Markdown sheet is read as a formula by KaTeX, MathJax and pandoc, and nothing else is."""

from __future__ import annotations

import html
import re
import subprocess
from collections.abc import Callable, Iterable
from itertools import product

import pytest

from .conftest import FLAVORS, TARGETS, Formula, markdown_sheets

FORMULAS = {
    "pandoc": re.compile(r"^\$\$\n(?P<display>.+?)\n\$\$$|(?<!\\)\$(?P<inline>[^$]+)\$", re.MULTILINE | re.DOTALL),
    "github": re.compile(r"^```math\n(?P<display>.+?)\n```$|\$`(?P<inline>[^`]+)`\$", re.MULTILINE | re.DOTALL),
}
# Pandoc 2 does not read $`…`$; GitHub looks for a code span between dollars, which CommonMark's own reader finds too.
READERS = {"pandoc": ["--from=markdown", "--mathml"], "github": ["--from=commonmark+pipe_tables"]}
IN_HTML = {
    "pandoc": re.compile(r'<annotation encoding="application/x-tex">(.*?)</annotation>', re.DOTALL),
    "github": re.compile(r'<pre class="math"><code>(.*?)</code>|\$<code>(.*?)</code>\$', re.DOTALL),
}


def formulas(sheet: str, flavor: str) -> list[Formula]:
    """The formulas of a sheet in their order, each with whether it stands on lines of its own."""
    return [(found["display"] or found["inline"], bool(found["display"])) for found in FORMULAS[flavor].finditer(sheet)]


def prose(sheet: str, flavor: str) -> str:
    """A sheet with ⟦formula⟧ in place of each inline formula, and without the others."""
    return FORMULAS[flavor].sub(lambda found: "⟦formula⟧" if found["inline"] else "", sheet)


@pytest.mark.parametrize(("sheet", "flavor", "found"), [
    ("of length $h$ for each", "pandoc", [("h", False)]),
    ("$$\nN &= V \\times h\n$$", "pandoc", [("N &= V \\times h", True)]),
    (r"costs 3\$ and 4\$", "pandoc", []),
    ("of length $`h`$ for each", "github", [("h", False)]),
    ("```math\nN &= V\n```", "github", [("N &= V", True)]),
])  # fmt: skip
def test_a_formula_is_found(sheet: str, flavor: str, found: list[Formula]) -> None:
    assert formulas(sheet, flavor) == found


of_every_target = pytest.mark.parametrize(
    ("target", "flavor"),  # a group stays in one process, which renders its sheets once
    [pytest.param(*each, marks=pytest.mark.xdist_group(" ".join(each))) for each in product(TARGETS, FLAVORS)],
)


@of_every_target
def test_katex_and_mathjax_read_every_formula(
    target: str, flavor: str, check_math: Callable[[Iterable[Formula]], list[list[object]]]
) -> None:
    found = [formula for sheet in markdown_sheets(target, flavor).values() for formula in formulas(sheet, flavor)]
    assert len(found) > 40
    assert check_math(found) == []


def test_a_formula_that_is_none_is_refused(check_math: Callable[[Iterable[Formula]], list[list[object]]]) -> None:
    refused = check_math([(r"\frac{1}", False), (r"\nosuch h", True), ("h^2", False)])
    assert sorted((tex, reader) for tex, _, reader, _ in refused) == [
        (r"\frac{1}", "KaTeX"), (r"\frac{1}", "MathJax"), (r"\nosuch h", "KaTeX"), (r"\nosuch h", "MathJax"),
    ]  # fmt: skip


@of_every_target
def test_pandoc_reads_the_same_formulas_and_every_cell(target: str, flavor: str, tool: Callable[[str], str]) -> None:
    sheets = "\n".join(markdown_sheets(target, flavor).values())
    command = [tool("pandoc"), *READERS[flavor], "--to=html", "--wrap=none", "--fail-if-warnings"]
    page = subprocess.run(command, input=sheets, stdout=subprocess.PIPE, text=True, timeout=120, check=True).stdout
    assert [html.unescape("".join(found)).strip() for found in IN_HTML[flavor].findall(page)] == [
        tex for tex, _ in formulas(sheets, flavor)
    ]
    rows = re.findall(r"^\| .*", sheets, re.MULTILINE)
    assert page.count("<tr") == len(rows)
    assert len(re.findall("<t[dh][ >]", page)) == sum(row.count("|") - 1 for row in rows)


@of_every_target
def test_outside_the_formulas_there_is_no_tex(target: str, flavor: str) -> None:
    for name, sheet in markdown_sheets(target, flavor).items():
        assert re.findall(r"(?<!\\)\$|\\[a-zA-Z]+", prose(sheet, flavor)) == [], name


@of_every_target
def test_a_formula_in_a_sentence_stands_apart_from_its_words(target: str, flavor: str) -> None:
    for name, sheet in markdown_sheets(target, flavor).items():
        assert re.findall(r"[^\s(，。；：、（]⟦formula⟧|⟦formula⟧[^\s.,;:)，。；：、（）]", prose(sheet, flavor)) == [], name
