"""Every Typst sheet compiles without a warning, and no line of it is wider than its page; a fragment stands in any paper."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import product
from multiprocessing import get_context
from typing import Any, TypeVar

import pytest
import typst
from pypdf import PdfReader

from symparams import derive, load, published_models, render, solve
from symparams.derivations import views
from symparams.expressions.nodes import Expression, Labelled, Minimum, Number, Power, Product, Quotient, Size
from symparams.expressions.notation import NOTATIONS
from symparams.expressions.printing.nodes import Remark, Scaled, Strong
from symparams.expressions.printing.typst import TypstMetric, TypstPrinter, escape, letter_of
from symparams.expressions.symbols import L, h, n_heads
from symparams.formats.rendering import preamble
from symparams.formats.typst.compiler import chosen_font
from symparams.sheets.catalogue import catalogue
from symparams.sheets.solution import solution
from tests.sweeps import FEW
from tests.test_sheets import documents

from .conftest import ATTENTIONS, FEW_TARGETS, LANGUAGES, TARGETS, derivation, variants
from .test_metric import LETTERS, atoms, formulas
from .test_metric import TARGETS as MEASURED

COLUMNS = (1, 2)
T = TypeVar("T")
# What TeX calls overfull is told here: a display or a table that is wider than its column, and in which fragment.
STRICT = """
#let told(it) = place(layout(size => {
  let wide = measure(it).width - size.width
  if wide > 0.1pt [#metadata((complaint: repr(it.func()) + " too wide by " + repr(wide))) <told>]
}))
#let strict(it) = { told(it); it }
#show math.equation.where(block: true): strict
#show table: strict
"""


@cache
def fonts() -> typst.Fonts:
    return typst.Fonts()


def compiler(source: str, language: str) -> typst.Compiler:
    """The compiler of a source, with the font that the language has on this machine."""
    chosen = chosen_font(catalogue(language).head["typst.fonts"], {font.family for font in fonts().fonts()})
    return typst.Compiler(source.encode(), font_paths=fonts(), sys_inputs=chosen)


def pdf(source: str, language: str) -> tuple[bytes, list[str]]:
    """The PDF of a source, and what the compiler warns of; it raises what it refuses, a character without a glyph too."""
    made, warnings = compiler(source, language).compile_with_warnings(format="pdf", pdf_standards=["a-2b"], timestamp=0)
    assert isinstance(made, bytes)
    return made, [warning.message for warning in warnings]


def told(source: str, language: str) -> list[dict[str, Any]]:
    """What a source tells, in order: which fragment begins, what is too wide in it, where it ends."""
    found: list[dict[str, Any]] = json.loads(compiler(source, language).query("<told>", field="value"))
    return found


def too_wide(found: Iterable[dict[str, Any]]) -> list[str]:
    """What is too wide, each with the name of its fragment."""
    complained, fragment = [], "the document"
    for each in found:
        fragment = each.get("fragment", fragment)
        complained += [f"{fragment}: {each['complaint']}"] if "complaint" in each else []
    return complained


def begins(name: str) -> str:
    """What tells in a source that a fragment begins, and takes no room."""
    return f'#place[#metadata((fragment: "{name}")) <told>]\n'


def complaints(source: str, language: str) -> list[str]:
    """What the compiler warns of, and what is too wide."""
    return [*pdf(source, language)[1], *too_wide(told(STRICT + source, language))]


@pytest.mark.parametrize(("formula", "printed"), [
    (3 * (h * h + h), "3 times (h times h + h)"),
    (Size(Product((Number(12), L, Power(h, 2)))), "12 L h^2"),
    (Size(Product((n_heads, h))), 'n_"heads" thin h'),
    (Size(Product((Number(1024), h))), '"1,024"h'),  # a space would be seen
    (Power(h, 12), "h^12"),
    (Quotient(h, n_heads), r'h \/ n_"heads"'),
    (Strong(Number(109_482_240)), 'bold("109,482,240")'),
    (Labelled(h * h, "query, key"), 'underbrace(h times h, "query, key")'),
    (Labelled(h, '"\\'), r'underbrace(h, "\"\\")'),
    (Minimum((h, L)), "min(h, L)"),
    (Scaled(Number(109).value, 0, " million"), '"109 million"'),
    (Remark(h, "tied"), 'h "(tied)"'),
])  # fmt: skip
def test_a_formula_as_typst_reads_it(formula: Expression, printed: str) -> None:
    assert TypstPrinter(NOTATIONS["hidden"])(formula) == printed


@pytest.mark.parametrize(("latex", "printed"), [
    ("h", "h"),
    (r"d_{\text{ff,dec}}", 'd_"ff,dec"'),
    (r"\text{max}_{\text{pos}}", '"max"_"pos"'),
    (r"\mathrm{hidden\_size}", '"hidden_size"'),
    (r"\alpha_{2}", 'alpha_"2"'),
    (r"\epsilon", "epsilon.alt"),
    (r"\varphi", "phi"),
    (r"\input{/etc/passwd}", '"its name"'),  # no letter that is known here
    (r"\read", '"its name"'),
])  # fmt: skip
def test_a_letter_said_in_latex(latex: str, printed: str) -> None:
    assert letter_of(latex, "its name") == printed


@pytest.mark.parametrize(("text", "escaped"), [
    ("feed-forward, v1.5", "feed-forward, v1.5"),
    ("the token's, the layers' x", "the token's, the layers' x"),
    ("'a' \"b\"", r"\'a' \"b\""),
    ("a -- b - c", r"a \-\- b \- c"),
    ("#x $y$ *z* _u_ `v` <w> @k [l] ~ \\", r"\#x \$y\$ \*z\* \_u\_ \`v\` \<w\> \@k \[l\] \~ \\"),
    ("// no comment, nor /* this */ https://a.b", r"\/\/ no comment, nor \/\* this \*\/ https:\/\/a.b"),
    ("1. no list", r"1\. no list"),
    ("= no heading", r"\= no heading"),
    ("and so on...", r"and so on\.\.\."),
])  # fmt: skip
def test_text_is_escaped(text: str, escaped: str) -> None:
    assert escape(text) == escaped
    assert complaints(escaped, "en") == []


def test_a_width_is_that_of_the_compilers_box() -> None:
    widths = {TypstPrinter(LETTERS)(atom): TypstMetric(LETTERS)(atom) for atom in atoms()}
    for target, view in product(MEASURED, ("module", "kind")):
        for content, words in formulas(target, view):
            names = (words.label, words.named)
            widths[TypstPrinter(LETTERS, *names)(content)] = TypstMetric(LETTERS, *names)(content)
    page = '#set page(width: auto)\n#set text(size: 10pt)\n#show math.equation: set text(font: "New Computer Modern Math")\n'
    boxes = "".join(f"#context [#metadata(measure($ {source} $).width / 10pt) <width>]\n" for source in widths)
    strict = "#set math.lr(size: 1em)\n"
    found = json.loads(typst.Compiler((page + strict + boxes).encode()).query("<width>", field="value"))
    assert len(found) > 400
    differ = {source: (width, box) for (source, width), box in zip(widths.items(), found, strict=True)}
    # A line of a page has 1 % to spare, and a letter by itself is rounded by the font.
    assert {source: pair for source, pair in differ.items() if not 0.99 * pair[1] - 0.02 <= pair[0] <= 1.18 * pair[1]} == {}


def test_what_is_too_wide_is_told_with_its_fragment() -> None:
    wide = "#set page(width: 100pt, margin: 20pt)\n" + begins("bloom") + "$ x times x times x times x times x $\n"
    [said] = complaints(wide, "en")
    assert said.startswith("bloom: equation too wide by ")


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("target", sorted(FEW))
def test_a_sheet_compiles_by_itself(target: str, language: str, columns: int, fonts_of: None) -> None:
    assert complaints(render(derivation(target), "typst", language=language, columns=columns), language) == []


def sheets(language: str, columns: int, way: str, targets: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Targets' sheets as whole documents: as a person would have them, with numbered equations, as a brief."""
    page: dict[str, Any] = {"language": language, "columns": columns, "brief": way == "brief"}
    for target in targets:
        yield target, render(derivation(target), "typst", label="eq:a" if way == "labelled" else "", **page)


ENDS = "#place(context [#metadata((page: here().page(), high: here().position().y / 1pt)) <told>])"


def bound(named: Iterable[tuple[str, str]], _language: str = "") -> str:
    """Whole documents as one, each on pages of its own: they have one head. Where each ends is told."""
    heads, bodies = set(), []
    for number, (name, document) in enumerate(named):
        head, _, body = document.partition("\n\n")
        heads.add(re.sub(r"^#set document.*\n", "", head))
        body = re.sub("eq:a", f"eq:a{number}", body)  # a document has a label once
        bodies.append(f"{begins(name)}{body}{ENDS}")
    (head,) = heads
    return "\n".join([STRICT, head, "", "\n#pagebreak()\n".join(bodies)])


LEAST_HIGH = 51 + 5 * 13.0  # points: below the margin five lines
MOST_PAGES = {"llama-3-8b": 2, "gpt2": 2, "bloom-1b4-zh": 2, "deepseek-v3": 4, "mixtral-8x7b": 3, "t5-small": 3}
LONGER_BRIEFS = {"qwen2-vl-7b", "qwen2.5-vl-7b"}  # an image's letters beside a text's: two pages, in LaTeX too


def check(found: list[dict[str, Any]], columns: int, way: str) -> None:
    """Nothing is too wide; no last page holds a line or two; a brief is a page; those known best have as many as stated."""
    assert too_wide(found) == []
    names = [each["fragment"] for each in found if "fragment" in each]
    ends = [(each["page"], each["high"]) for each in found if "page" in each]
    before = [0, *(page for page, _ in ends)]
    last = {name: (page - first, high) for name, first, (page, high) in zip(names, before, ends, strict=False)}
    most = dict.fromkeys(set(names) - LONGER_BRIEFS, 1) if way == "brief" else MOST_PAGES if way == "whole" else {}
    assert {name: end for name, end in last.items() if columns == 1 and end[0] > 1 and end[1] < LEAST_HIGH} == {}
    assert {name: last[name] for name, pages in most.items() if name in last and last[name][0] > pages} == {}


MOST_AT_ONCE = 60  # documents; the compiler keeps all that it has set


def apart(function: Callable[..., T], *arguments: object) -> T:
    """What a function returns in a process of its own, with which the memory of the compiler ends."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


def told_of_all(named: Iterable[tuple[str, str]], bind: Callable[..., str], *how: object) -> list[list[dict[str, Any]]]:
    """What documents tell that are bound together, so many at once."""
    found = list(named)
    parts = [found[i : i + MOST_AT_ONCE] for i in range(0, len(found), MOST_AT_ONCE)]
    return [apart(told, bind(part, *how), how[0]) for part in parts]


WAYS = [(1, "whole"), (2, "whole"), (1, "labelled"), (2, "labelled"), (1, "brief")]


@pytest.mark.parametrize(("columns", "way"), WAYS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_few_sheets_compile_and_end_well(language: str, columns: int, way: str, fonts_of: None) -> None:
    source = bound(sheets(language, columns, way, sorted(FEW)))
    assert pdf(source, language)[1] == []
    check(told(source, language), columns, way)


@pytest.mark.sweep
@pytest.mark.parametrize(("columns", "way"), [way for way in WAYS if way[1] != "labelled"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sheet_compiles_and_ends_well(language: str, columns: int, way: str, fonts_of: None) -> None:
    for found in told_of_all(sheets(language, columns, way, TARGETS), bound, language):
        check(found, columns, way)


@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pdf_of_every_published_model_holds_its_count(language: str, fonts_of: None) -> None:
    """And no character lacks a glyph."""
    names = published_models()
    for some in (names[i : i + MOST_AT_ONCE] for i in range(0, len(names), MOST_AT_ONCE)):
        made, warnings = apart(pdf, bound(sheets(language, 1, "brief", some)), language)
        text = re.sub(r"\s", "", "".join(page.extract_text() for page in PdfReader(io.BytesIO(made)).pages))
        assert warnings == []
        assert [name for name in some if f"{load(name).count():,}" not in text] == []


def fragments(language: str, columns: int) -> Iterator[tuple[str, str]]:
    """Every target; then a few in every view, notation and choice of features."""
    sheet: dict[str, Any] = {"format": "typst", "language": language, "columns": columns, "standalone": False}
    for target in TARGETS:
        yield target, render(derivation(target), **sheet)
    for target, attention, view, notation in product(FEW_TARGETS, ATTENTIONS, views.names(), NOTATIONS):
        name = f"{target} {attention} {view} {notation}"
        yield name, render(derivation(target, attention, view), notation=notation, **sheet)
    for target in FEW_TARGETS:
        for model in variants(target):
            yield f"{target} with {' '.join(sorted(model.present)) or 'nothing'}", render(derive(model), **sheet)


def paper(found: Iterable[tuple[str, str]], language: str, columns: int) -> str:
    """A paper with columns as narrow as those of a LaTeX article, and fragments."""
    size = catalogue(language).head["latex.small"]
    width = 345 if columns == 1 else 200
    page = f'#set page(width: {width + 40}pt, margin: 20pt)\n#set text(size: {size}pt, font: "New Computer Modern")\n'
    bodies = [begins(name) + fragment for name, fragment in found]
    return STRICT + page + preamble(language, "typst") + "#pagebreak()\n".join(bodies)


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_paper_can_include_a_fragment(language: str, columns: int, fonts_of: None) -> None:
    sheet: dict[str, Any] = {"format": "typst", "language": language, "columns": columns, "standalone": False}
    few = product(sorted(FEW), ATTENTIONS)
    found = [(target, render(derivation(target, attention), **sheet)) for target, attention in few]
    assert complaints(paper(found, language, columns), language) == []


@pytest.mark.sweep
@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_paper_can_include_any_fragment(language: str, columns: int, fonts_of: None) -> None:
    found = told_of_all(fragments(language, columns), paper, language, columns)
    assert [said for part in found for said in too_wide(part)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_document_compiles(language: str, fonts_of: None) -> None:
    found = documents(language) | {"solution": solution(solve("gpt2", "1.5B"), language)}
    for name, document in found.items():
        for columns in COLUMNS if name != "memory" else (1,):  # its seven columns need a page
            assert complaints(render(document, "typst", columns=columns), language) == [], name


def test_a_paper_refers_to_its_equations_and_tables() -> None:
    """Each has a label under the prefix, which ``@`` finds; the title is as deep as it is told to be."""
    fragment = render(derive(load("bloom")), "typst", standalone=False, label="eq:bloom", heading_level=3)
    source = f"{fragment}\nBy @eq:bloom:attention and @eq:bloom:total, see @eq:bloom:dimensions.\n"
    assert "\n=== How many parameters does BLOOM have?\n" in fragment
    assert "\n==== Dimensions\n" in fragment
    assert complaints(source, "en") == []


def test_a_part_alone_has_nothing_around_it() -> None:
    assert render(derive(load("bloom")), "typst", only="closed-form", standalone=False).endswith(
        "$ N = 12 L h^2 + 13 L h + V h + 4 h $\n])\n]\n"
    )
