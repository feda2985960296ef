"""Every formula of every Markdown sheet is read as a formula by KaTeX, MathJax and pandoc, and nothing else is."""

from __future__ import annotations

import html
import json
import re
import subprocess
from collections.abc import Callable

import pytest

from .conftest import FLAVORS, TARGETS, markdown_sheets

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

Formula = tuple[str, bool]


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


def test_katex_and_mathjax_read_every_formula(check_math: list[str]) -> None:
    where = {
        formula: f"{name} {flavor}"
        for flavor in FLAVORS
        for name, sheet in markdown_sheets(flavor).items()
        for formula in formulas(sheet, flavor)
    }
    asked = json.dumps([{"tex": tex, "display": display} for tex, display in where])
    answer = subprocess.run(check_math, input=asked, stdout=subprocess.PIPE, text=True, timeout=300, check=True).stdout
    assert len(where) > 1_000
    assert [(where[tex, display], *refusal) for tex, display, *refusal in json.loads(answer)] == []


@pytest.mark.parametrize("flavor", FLAVORS)
@pytest.mark.parametrize("target", TARGETS)
def test_pandoc_reads_the_same_formulas_and_every_cell(target: str, flavor: str, tool: Callable[[str], str]) -> None:
    sheets = "\n".join(sheet for name, sheet in markdown_sheets(flavor).items() if name.startswith(f"{target} "))
    command = [tool("pandoc"), *READERS[flavor], "--to=html", "--wrap=none", "--fail-if-warnings"]
    page = subprocess.run(command, input=sheets, stdout=subprocess.PIPE, text=True, timeout=120, check=True).stdout
    assert [html.unescape("".join(found)).strip() for found in IN_HTML[flavor].findall(page)] == [
        tex for tex, _ in formulas(sheets, flavor)
    ]
    rows = re.findall(r"^\| .*", sheets, re.MULTILINE)
    assert page.count("<tr") == len(rows)
    assert len(re.findall("<t[dh][ >]", page)) == sum(row.count("|") - 1 for row in rows)


@pytest.mark.parametrize("flavor", FLAVORS)
def test_outside_the_formulas_there_is_no_tex(flavor: str) -> None:
    for name, sheet in markdown_sheets(flavor).items():
        assert re.findall(r"(?<!\\)\$|\\[a-zA-Z]+", prose(sheet, flavor)) == [], name


@pytest.mark.parametrize("flavor", FLAVORS)
def test_a_formula_in_a_sentence_stands_apart_from_its_words(flavor: str) -> None:
    for name, sheet in markdown_sheets(flavor).items():
        assert re.findall(r"[^\s(，。；：、（]⟦formula⟧|⟦formula⟧[^\s.,;:)，。；：、（）]", prose(sheet, flavor)) == [], name
