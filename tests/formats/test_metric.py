"""A formula is set as wide as its metric says, never less than the typesetter's own box, and with an effort of its length."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
import typst

from symparams import derive_expression, render
from symparams.expressions.nodes import Dimension, Expression, Number, Power, Product, Quotient, Size
from symparams.expressions.notation import Letter, Letters
from symparams.expressions.parsing import DEEPEST_NESTING, MOST_CHARACTERS
from symparams.expressions.printing.em import EmMetric
from symparams.expressions.printing.latex import LatexPrinter
from symparams.expressions.printing.metric import ColumnMetric, Metric, columns
from symparams.expressions.printing.nodes import Strong
from symparams.expressions.printing.printer import Printer
from symparams.expressions.printing.text import TextPrinter
from symparams.expressions.printing.typst import TypstMetric, TypstPrinter
from symparams.expressions.symbols import DIMENSIONS, L, h
from symparams.sheets.document import Equation
from symparams.sheets.whole import whole
from symparams.sheets.words import DocumentWords
from tests.growth import MOST, steps

from .conftest import FEW, Compile, derivation

PREAMBLE = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{lmodern}\usepackage{amsmath}"
GREEK = [Dimension(name, rf"\{name}") for name in ("alpha", "gamma", "Delta", "Omega")]
LETTERS = Letters({letter: Letter(letter.name, letter.latex) for letter in GREEK})


@cache
def formulas() -> list[tuple[Expression, DocumentWords]]:
    """Return the formulas of the few's sheets, by module and by kind, the names on their left too."""
    documents = [whole(derivation(target, "fused", view)) for target in FEW for view in ("module", "kind")]
    return [
        (content, DocumentWords(document))
        for document in documents
        for section in document.sections
        for block in section.blocks
        if isinstance(block, Equation)
        for content in (block.left, *(link.content for link in block.chain))
        if content is not None
    ]


def atoms() -> list[Expression]:
    """Return every letter by itself and squared, side by side with another; numbers, a strong one, and a fraction."""
    squares: list[Expression] = [Size(Product((Number(12), L, Power(letter, 2)))) for letter in DIMENSIONS]
    beside: list[Expression] = [Size(Product((letter, h))) for letter in DIMENSIONS]
    numbers: list[Expression] = [Number(7), Number(1_024), Number(671_026_404_352), Strong(Number(60_506_624)), Quotient(L, h)]
    return [*DIMENSIONS, *GREEK[2:], *squares, *beside, *numbers]


def widths(printer: type[Printer], metric: type[Metric]) -> dict[str, float]:
    """Return what a metric says of each formula as it is printed."""
    measured = {printer(LETTERS)(atom): metric(LETTERS)(atom) for atom in atoms()}
    for content, words in formulas():
        names = (words.label, words.named)
        measured[printer(LETTERS, *names)(content)] = metric(LETTERS, *names)(content)
    assert len(measured) > 400
    return measured


def test_a_width_is_that_of_texs_box(compile_document: Compile) -> None:
    expected = widths(LatexPrinter, EmMetric)
    boxes = [rf"\settowidth{{\dimen0}}{{$\displaystyle {source}$}}\typeout{{WIDTH \the\dimen0}}" for source in expected]
    _, log = compile_document("en", "\n".join([PREAMBLE, r"\begin{document}", *boxes, r"\end{document}"]))
    true = [float(width) / 10 for width in re.findall(r"^WIDTH ([\d.]+)pt", log, re.MULTILINE)]
    ratios = {source: width / box for (source, width), box in zip(expected.items(), true, strict=True)}
    assert {source: ratio for source, ratio in ratios.items() if not 1.0 <= ratio <= 1.06} == {}


def test_a_width_is_that_of_typsts_box() -> None:
    expected = widths(TypstPrinter, TypstMetric)
    page = '#set page(width: auto)\n#set text(size: 10pt)\n#show math.equation: set text(font: "New Computer Modern Math")\n'
    boxes = "".join(f"#context [#metadata(measure($ {source} $).width / 10pt) <width>]\n" for source in expected)
    true = json.loads(typst.Compiler((page + "#set math.lr(size: 1em)\n" + boxes).encode()).query("<width>", field="value"))
    pairs = {source: (width, box) for (source, width), box in zip(expected.items(), true, strict=True)}
    # A line of a page has 1 % to spare, and a letter by itself is rounded by the font.
    assert {source: pair for source, pair in pairs.items() if not 0.99 * pair[1] - 0.02 <= pair[0] <= 1.18 * pair[1]} == {}


def test_in_text_a_width_is_the_number_of_columns() -> None:
    assert [text for text, width in widths(TextPrinter, ColumnMetric).items() if width != columns(text)] == []


DEPTH = DEEPEST_NESTING - 10


def nested(terms: int, depth: int) -> str:
    """A sum within so many brackets: h·(h·(… (V·L + V·L + …)))."""
    return "h*(" * depth + "+".join(["V*L"] * terms) + ")" * depth


def effort(expression: str, kind: str) -> int:
    """How many steps of Python it takes to set an expression's sheet."""
    derivation = derive_expression(expression)
    return steps(lambda: render(derivation, kind))


@pytest.fixture(autouse=True, scope="module")
def prepared() -> None:
    """What is read and compiled once is no effort of a formula."""
    for kind in ("latex", "markdown", "text"):
        render(derive_expression("h"), kind)


@pytest.mark.parametrize("kind", ["latex", "markdown", "text"])
def test_the_effort_grows_with_the_length(kind):
    """Brackets around a long sum are little effort, twice as many terms about twice the effort."""
    assert len(nested(700, DEPTH)) < MOST_CHARACTERS
    flat, deep = (effort(nested(700, depth), kind) for depth in (0, DEPTH))
    assert deep < MOST * flat
    assert flat < MOST * effort(nested(350, 0), kind)
    assert deep < MOST * effort(nested(350, DEPTH), kind)


def test_many_terms_of_a_product_are_an_effort_each():
    """Two sums of n terms have n·n when multiplied out, twice as many four times: 576 terms."""
    few, many = (f"({sums(n, 'V', 'h')})*({sums(n, 'L', 'd_ff')})" for n in (12, 24))
    for kind in ("latex", "text"):
        assert effort(many, kind) < 5 * effort(few, kind), kind


def sums(number: int, first: str, second: str) -> str:
    return "+".join(f"{first}**{i % 8 + 1}*{second}**{i // 8 + 1}" for i in range(number))
