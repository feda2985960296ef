"""KaTeX, MathJax and pandoc read every formula of a Markdown sheet as a formula, and nothing else as one."""

from __future__ import annotations

import html
import re
import subprocess
from collections.abc import Iterable
from functools import cache

import pytest

from symparams import derive, load, render
from symparams.cards.collected import notes_of
from symparams.cards.notes import AnkiNote
from symparams.errors import SymparamsError
from symparams.expressions.notation import NOTATIONS
from symparams.formats import flavors
from symparams.practice.kind import LEVELS
from symparams.practice.worksheet import worksheet

from .conftest import EVERY_FAMILY, PUBLISHED, SHEETS, WAYS, CheckMath, Formula, Tool, derivation, variants
from .test_names import FOREIGN, MARKS, PLACES, called

FLAVORS = flavors("markdown")
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


@cache
def sheets(flavor: str) -> dict[str, str]:
    """Return sheets by name: each of the few in another view, attention and notation, and one with other features."""
    page = {"format": "markdown", "flavor": flavor}
    written = {}
    for (target, language), (view, attention), notation in zip(SHEETS, WAYS * 5, [*NOTATIONS] * 5, strict=False):
        derived = derivation(target, attention, view)
        written[f"{target} {language}"] = render(derived, notation=notation, language=language, **page)
        written[f"{target} {language} brief"] = render(derivation(target), brief=True, language=language, **page)
    for model in variants("bert"):
        written[f"bert with {' '.join(sorted(model.present))}"] = render(derive(model), **page)
    return written


def formulas(sheet: str, flavor: str) -> list[Formula]:
    """Return the formulas of a sheet in order, each with whether it stands on lines of its own."""
    return [(match["display"] or match["inline"], bool(match["display"])) for match in FORMULAS[flavor].finditer(sheet)]


def prose(sheet: str, flavor: str) -> str:
    """Return a sheet with ⟦formula⟧ in place of each inline formula, and without the others."""
    return FORMULAS[flavor].sub(lambda match: "⟦formula⟧" if match["inline"] else "", sheet)


def test_headings_begin_at_the_highest_level_with_a_title_and_without_one():
    for with_title, first in ((True, ["# How many parameters does gpt2 have?", "## Dimensions"]), (False, ["# Dimensions"])):
        headings = re.findall(r"^#+ .*", render("gpt2", "markdown", with_title=with_title), re.MULTILINE)
        assert headings[: len(first)] == first


def test_a_formula_is_found():
    for sheet, flavor, found in [
    ("of length $h$ for each", "pandoc", [("h", False)]),
    ("$$\nN &= V \\times h\n$$", "pandoc", [("N &= V \\times h", True)]),
    (r"costs 3\$ and 4\$", "pandoc", []),
    ("of length $`h`$ for each", "github", [("h", False)]),
    ("```math\nN &= V\n```", "github", [("N &= V", True)]),
]:  # fmt: skip
        assert formulas(sheet, flavor) == found


@pytest.mark.parametrize("flavor", FLAVORS)
def test_outside_the_formulas_there_is_no_tex_and_a_space_or_a_mark_around_each(flavor: str) -> None:
    for name, sheet in sheets(flavor).items():
        words = prose(sheet, flavor)
        assert re.findall(r"(?<!\\)\$|\\[a-zA-Z]+", words) == [], name
        assert re.findall(r"[^\s(/*，。；：、（]⟦formula⟧|⟦formula⟧[^\s.,;:)，。；：、（）]", words) == [], name


@pytest.mark.parametrize("flavor", FLAVORS)
def test_katex_and_mathjax_read_every_formula(flavor: str, check_math: CheckMath) -> None:
    written = dict(sheets(flavor))
    if flavor == "pandoc":
        written |= {target: render(derivation(target), "markdown") for target in EVERY_FAMILY}
    for name, level in zip(PUBLISHED, LEVELS * 3, strict=False):
        written[f"{name} {level} worksheet"] = render(worksheet(name, level=level), "markdown", flavor=flavor)
    for name, sheet in written.items():
        assert len(formulas(sheet, flavor)) > 10, name
        assert check_math(formulas(sheet, flavor)) == [], name


def test_a_formula_that_is_none_is_refused(check_math: CheckMath) -> None:
    refused = check_math([(r"\frac{1}", False), (r"\nosuch h", True), ("h^2", False)])
    assert sorted((tex, reader) for tex, _, reader, _ in refused) == [
        (r"\frac{1}", "KaTeX"), (r"\frac{1}", "MathJax"), (r"\nosuch h", "KaTeX"), (r"\nosuch h", "MathJax"),
    ]  # fmt: skip


@pytest.mark.parametrize("flavor", FLAVORS)
def test_pandoc_reads_the_same_formulas_and_every_cell(flavor: str, tool: Tool) -> None:
    text = "\n".join(sheets(flavor).values())
    command = [tool("pandoc"), *READERS[flavor], "--to=html", "--wrap=none", "--fail-if-warnings"]
    page = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, timeout=120, check=True).stdout
    read = [html.unescape("".join(match)).strip() for match in IN_HTML[flavor].findall(page)]
    assert read == [tex for tex, _ in formulas(text, flavor)]
    rows = re.findall(r"^\| .*", text, re.MULTILINE)
    assert page.count("<tr") == len(rows)
    assert len(re.findall("<t[dh][ >]", page)) == sum(row.count("|") - 1 for row in rows)


ON_A_CARD = re.compile(r"\\\((.+?)\\\)")


def on_cards(notes: Iterable[AnkiNote]) -> list[Formula]:
    """Return the formulas of flash cards as a browser hands them to MathJax."""
    fields = (text for note in notes for name, text in note.fields.items() if name != "Id")
    return [(html.unescape(tex), False) for text in fields for tex in ON_A_CARD.findall(text)]


def test_katex_and_mathjax_read_every_formula_on_a_flash_card(check_math: CheckMath) -> None:
    for target, language in SHEETS:
        notes = notes_of([load(target)], language)
        assert len(on_cards(notes)) > 10, target
        assert check_math(on_cards(notes)) == [], target
        assert not any(re.search(r"[\\^]|_\{", ON_A_CARD.sub("", text)) for note in notes for text in note.contents), target


def test_mathjax_reads_every_name_on_a_card_as_words(check_math):
    for place in [place for place in PLACES if place != "latex"]:
        for name in (MARKS, FOREIGN, r"{{c1::h}}::[sound:a.mp3]\(x\)]]>", "<script>alert(1)</script>"):
            try:
                notes = notes_of([called(place, name)])
            except SymparamsError:
                continue
            assert [refusal for refusal in check_math(on_cards(notes)) if refusal[2] == "MathJax"] == [], name
            for text in (text for note in notes for text in note.contents):
                assert not re.search(r"<(?!/?(p|ul|li|div|details|summary)>)", text), name
                assert re.findall(r"\{\{(.{1,4})", text) == [f"c{i}::" for i in (1, 2, 3) if f"{{{{c{i}::" in text], name
                assert text.count("}}") == text.count("{{"), name
                assert "[sound" not in text, name
