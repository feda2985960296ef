"""Every Typst sheet compiles without a warning, and no line of it is wider than its page; a fragment stands in any paper."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest
import typst

from symparams import derive, load, render
from symparams.derivations import views
from symparams.expressions.marks import Labelled, Minimum, Size
from symparams.expressions.nodes import Expression, Number, Power, Product, Quotient
from symparams.expressions.notation import NOTATIONS
from symparams.expressions.printing.nodes import Remark, Scaled, Strong
from symparams.expressions.printing.typst import TypstMetric, TypstPrinter, escape, letter_of
from symparams.expressions.symbols import L, h, n_heads
from symparams.formats.rendering import preamble
from symparams.formats.typst.compiler import chosen_font
from symparams.sheets.catalogue import catalogue
from tests.test_sheets import documents

from .conftest import ATTENTIONS, FEW_TARGETS, LANGUAGES, TARGETS, derivation, variants
from .test_metric import LETTERS, atoms, formulas
from .test_metric import TARGETS as MEASURED

COLUMNS = (1, 2)
# What TeX calls overfull is an error here: a display or a table that is wider than its column.
STRICT = """
#let check(it) = layout(size => { if measure(it).width > size.width + 0.1pt { panic("too wide: " + repr(it.func())) } })
#let strict(it) = { check(it); it }
#show math.equation.where(block: true): strict
#show table: strict
"""


@cache
def fonts() -> typst.Fonts:
    return typst.Fonts()


def compiled(source: str, language: str) -> list[str]:
    """What the compiler warns of; it raises what it refuses."""
    chosen = chosen_font(catalogue(language).head["typst.fonts"], {font.family for font in fonts().fonts()})
    _, warnings = typst.Compiler(font_paths=fonts(), sys_inputs=chosen).compile_with_warnings(
        source.encode(), format="pdf", pdf_standards=["a-2b"], timestamp=0
    )
    return [warning.message for warning in warnings]


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
    assert compiled(escaped, "en") == []


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


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("target", TARGETS)
def test_a_sheet_compiles_by_itself(target: str, language: str, columns: int, fonts_of: None) -> None:
    for brief, label in product((False, True), ("", "eq:a")):
        sheet = render(derivation(target), "typst", language=language, columns=columns, brief=brief, label=label)
        assert compiled(STRICT + sheet, language) == []


def fragments(target: str, **sheet: Any) -> Iterator[str]:
    """A target's fragments in every view, notation and choice of features."""
    for attention, view, notation in product(ATTENTIONS, views.names(), NOTATIONS):
        yield render(derivation(target, attention, view), notation=notation, **sheet)
    for model in variants(target):
        yield render(derive(model), **sheet)


def paper(found: Iterable[str], language: str, columns: int) -> str:
    """A paper with columns as narrow as those of a LaTeX article, and fragments."""
    size = catalogue(language).head["latex.small"]
    width = 345 if columns == 1 else 200
    page = f'#set page(width: {width + 40}pt, margin: 20pt)\n#set text(size: {size}pt, font: "New Computer Modern")\n'
    return STRICT + page + preamble(language, "typst") + "#pagebreak()\n".join(found)


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("target", TARGETS)
def test_a_paper_can_include_a_fragment(target: str, language: str, columns: int, fonts_of: None) -> None:
    sheet = {"format": "typst", "language": language, "columns": columns, "standalone": False}
    found = [render(derivation(target, attention), **sheet) for attention in ATTENTIONS]
    assert compiled(paper(found, language, columns), language) == []


@pytest.mark.sweep
@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("target", FEW_TARGETS)
def test_a_paper_can_include_a_fragment_of_any_kind(target: str, language: str, columns: int, fonts_of: None) -> None:
    found = fragments(target, format="typst", language=language, columns=columns, standalone=False)
    assert compiled(paper(found, language, columns), language) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_document_compiles(language: str, fonts_of: None) -> None:
    for name, document in documents(language).items():
        for columns in COLUMNS if name != "memory" else (1,):  # its seven columns need a page
            assert compiled(STRICT + render(document, "typst", columns=columns), language) == []


def test_a_paper_refers_to_its_equations_and_tables() -> None:
    """Each has a label under the prefix, which ``@`` finds; the title is as deep as it is told to be."""
    fragment = render(derive(load("bloom")), "typst", standalone=False, label="eq:bloom", heading_level=3)
    source = f"{fragment}\nBy @eq:bloom:attention and @eq:bloom:total, see @eq:bloom:dimensions.\n"
    assert "\n=== How many parameters does BLOOM have?\n" in fragment
    assert "\n==== Dimensions\n" in fragment
    assert compiled(source, "en") == []


def test_a_part_alone_has_nothing_around_it() -> None:
    assert render(derive(load("bloom")), "typst", only="closed-form", standalone=False).endswith(
        "$ N = 12 L h^2 + 13 L h + V h + 4 h $\n])\n]\n"
    )
