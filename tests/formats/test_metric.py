"""The metric of TeX says how wide a formula is, before it is printed: never less than TeX's own box, and little more."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from symparams.expressions.nodes import Dimension, Expression, Number, Power, Product, Quotient, Size
from symparams.expressions.notation import Letter, Letters
from symparams.expressions.printing.em import EmMetric
from symparams.expressions.printing.latex import LatexPrinter
from symparams.expressions.printing.metric import ColumnMetric, columns
from symparams.expressions.printing.nodes import Strong
from symparams.expressions.printing.text import TextPrinter
from symparams.expressions.symbols import DIMENSIONS, L, h
from symparams.sheets.document import Equation
from symparams.sheets.whole import whole
from symparams.sheets.words import DocumentWords

from .conftest import derivation

PREAMBLE = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{lmodern}\usepackage{amsmath}"
TARGETS = ("bert-base-uncased", "bloom-1b4-zh", "llama-3-8b", "deepseek-v3", "t5-small", "whisper", "vit", "mamba")
GREEK = [Dimension(name, rf"\{name}") for name in ("alpha", "gamma", "Delta", "Omega")]
LETTERS = Letters({letter: Letter(letter.name, letter.latex) for letter in GREEK})


def formulas(target: str, view: str) -> Iterator[tuple[Expression, DocumentWords]]:
    """What stands in the equations of a sheet, the names on their left too."""
    document = whole(derivation(target, "fused", view))
    for section in document.sections:
        for block in section.blocks:
            if isinstance(block, Equation):
                for content in (block.left, *(link.content for link in block.chain)):
                    if content is not None:
                        yield content, DocumentWords(document)


def atoms() -> list[Expression]:
    """Every letter by itself and squared, side by side with another, numbers, a strong one, and fractions."""
    letters: list[Expression] = [*DIMENSIONS, *GREEK[2:]]
    squares: list[Expression] = [Size(Product((Number(12), L, Power(letter, 2)))) for letter in DIMENSIONS]
    beside: list[Expression] = [Size(Product((letter, h))) for letter in DIMENSIONS]
    numbers: list[Expression] = [Number(7), Number(1_024), Number(671_026_404_352), Strong(Number(60_506_624)), Quotient(L, h)]
    return [*letters, *squares, *beside, *numbers]


def measured(sources: list[str], folder: Path, pdflatex: str) -> list[float]:
    r"""What TeX's \settowidth says of each formula, in em."""
    lines = [rf"\settowidth{{\dimen0}}{{$\displaystyle {source}$}}\typeout{{WIDTH \the\dimen0}}" for source in sources]
    (folder / "widths.tex").write_text("\n".join([PREAMBLE, r"\begin{document}", *lines, r"\end{document}"]), encoding="utf-8")
    subprocess.run(
        [pdflatex, "-interaction=nonstopmode", "widths.tex"], cwd=folder, capture_output=True, timeout=120, check=True
    )
    log = (folder / "widths.log").read_text(encoding="utf-8", errors="replace")
    return [float(line.split()[1].removesuffix("pt")) / 10 for line in log.splitlines() if line.startswith("WIDTH ")]


def test_a_width_is_that_of_texs_box(tool: Callable[[str], str], tmp_path: Path) -> None:
    widths: dict[str, float] = {}
    for atom in atoms():
        widths[LatexPrinter(LETTERS)(atom)] = EmMetric(LETTERS)(atom)
    for target in TARGETS:
        for view in ("module", "kind"):
            for content, words in formulas(target, view):
                names = (words.label, words.named)
                widths[LatexPrinter(LETTERS, *names)(content)] = EmMetric(LETTERS, *names)(content)
    true = measured(list(widths), tmp_path, tool("pdflatex"))
    ratios = {source: width / box for (source, width), box in zip(widths.items(), true, strict=True)}
    assert len(ratios) > 400
    assert {source: ratio for source, ratio in ratios.items() if not 1.0 <= ratio <= 1.06} == {}


@pytest.mark.parametrize("target", TARGETS)
def test_in_text_a_width_is_the_number_of_columns(target: str) -> None:
    for view in ("module", "kind"):
        for content, words in formulas(target, view):
            names = (words.label, words.named)
            assert ColumnMetric(LETTERS, *names)(content) == columns(TextPrinter(LETTERS, *names)(content))
