"""Every LaTeX sheet compiles without a complaint: no error, no unknown command, no line or page too wide, no missing letter."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest

from symparams import architectures, derive, render
from symparams.derivations import views
from symparams.derivations.derivation import form_of
from symparams.expressions.closed_form import FORMS
from symparams.expressions.notation import NOTATIONS
from symparams.sheets.catalogue import catalogue
from tests.test_sheets import documents

from .conftest import ATTENTIONS, FEW_TARGETS, LANGUAGES, TARGETS, derivation, variants

COLUMNS = (1, 2)
HEADS = {language: catalogue(language).head for language in LANGUAGES}
PREAMBLE = r"\usepackage{amsmath,array,booktabs}\allowdisplaybreaks"
COMPLAINT = re.compile(r"!|.*Undefined control sequence|Overfull \\[hv]box|Missing character")

Compile = Callable[[str, str], tuple[int, str]]


@pytest.fixture
def compile_document(tool: Callable[[str], str], tmp_path: Path) -> Compile:
    """``compile_document(language, source)`` gives the exit code and the log."""

    def run(language: str, source: str) -> tuple[int, str]:
        (tmp_path / "paper.tex").write_text(source, encoding="utf-8")
        command = [tool(HEADS[language]["latex.engine"]), "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
        one_line_each = os.environ | {"max_print_line": "1000"}
        done = subprocess.run(command, cwd=tmp_path, env=one_line_each, capture_output=True, timeout=600, check=False)
        return done.returncode, (tmp_path / "paper.log").read_text(encoding="utf-8", errors="replace")

    return run


def complaints(log: str, fragment: str = "the document") -> Iterator[str]:
    """What TeX complains of, each with the name of the fragment that it was reading."""
    for line in log.splitlines():
        if line.startswith("FRAGMENT "):
            fragment = line.removeprefix("FRAGMENT ")
        elif COMPLAINT.match(line):
            yield f"{fragment}: {line}"


def fragments(language: str, columns: int) -> Iterator[tuple[str, str]]:
    """Every target, fused and per head; then a few in every view, notation and choice of features."""
    sheet = {"format": "latex", "language": language, "columns": columns, "standalone": False}
    for target, attention in product(TARGETS, ATTENTIONS):
        yield f"{target} {attention}", render(derivation(target, attention), **sheet)
    for target, attention, view, notation in product(FEW_TARGETS, ATTENTIONS, views.names(), NOTATIONS):
        name = f"{target} {attention} {view} {notation}"
        yield name, render(derivation(target, attention, view), notation=notation, **sheet)
    for family in architectures():
        yield f"{family} brief", render(derivation(family), brief=True, **sheet)
        yield f"{family} labelled", render(derivation(family), label=f"eq:{family.replace('_', '-')}", heading_level=3, **sheet)
    for name, document in documents(language).items():
        yield name, render(document, "latex", columns=columns, standalone=False)
    for target in FEW_TARGETS:
        for model in variants(target):
            name = f"{target} with {' '.join(sorted(model.present)) or 'nothing'}"
            yield name, render(derive(model), **sheet)


@pytest.mark.parametrize(("log", "blamed"), [
    (r"Overfull \hbox (2.5pt too wide)", ["the document: Overfull \\hbox (2.5pt too wide)"]),
    ("FRAGMENT bloom\n! Missing $ inserted.", ["bloom: ! Missing $ inserted."]),
    ("Missing character: There is no 词 in font lmr10!", ["the document: Missing character: There is no 词 in font lmr10!"]),
    (r"Underfull \hbox (badness 10000)", []),
])  # fmt: skip
def test_a_complaint_is_blamed_on_its_fragment(log: str, blamed: list[str]) -> None:
    assert list(complaints(log)) == blamed


def sheets(language: str, columns: int, way: str) -> Iterator[tuple[str, str]]:
    """Every target's sheet as a whole document: as a person would have it, as a brief; each family's in the other form too."""
    page = {"format": "latex", "language": language, "columns": columns}
    for target in TARGETS:
        yield target, render(derivation(target), brief=way == "brief", **page)
    for family in architectures() if way == "whole" else ():
        found = derivation(family)
        other = next(form for form in FORMS if form != form_of(found.model))
        yield f"{family} {other}", render(derive(found.model, form=other), **page)


def bound(named: Iterator[tuple[str, str]]) -> str:
    """Whole documents as one, each on pages of its own: they have one preamble. What each leaves on its last page is told."""
    preambles, bodies = set(), []
    for name, document in named:
        preamble, _, body = document.partition("\\begin{document}\n")
        preambles.add(preamble)
        body = body.removesuffix("\\end{document}\n")
        told = rf"\par\typeout{{LAST \detokenize{{{name}}} \the\value{{page}} \the\pagetotal}}"
        bodies.append(rf"\typeout{{FRAGMENT \detokenize{{{name}}}}}\setcounter{{page}}{{1}}{{{body}{told}}}\clearpage")
    (preamble,) = preambles
    return "\n".join([preamble, r"\begin{document}", *bodies, r"\end{document}"])


LEAST_HIGH = 8 * 12.0  # points: eight lines
MOST_PAGES = {"llama-3-8b": 2, "gpt2": 2, "bloom-1b4-zh": 2, "deepseek-v3": 4, "mixtral-8x7b": 3, "t5-small": 3}


@pytest.mark.parametrize(("columns", "way"), [(1, "whole"), (2, "whole"), (1, "brief"), (2, "brief")])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sheet_compiles_and_ends_well(language: str, columns: int, way: str, compile_document: Compile) -> None:
    """No sheet's last page holds a line or two; those that people know best have as many pages as stated."""
    code, log = compile_document(language, bound(sheets(language, columns, way)))
    assert (list(complaints(log)), code) == ([], 0)
    ends = {
        name: (int(page), float(high)) for name, page, high in re.findall(r"^LAST (.+?) +(\d+) ([\d.]+)pt$", log, re.MULTILINE)
    }
    assert len(ends) >= len(TARGETS)
    # Two columns are balanced, and TeX has put them away before it could tell how long they are.
    assert {name: end for name, end in ends.items() if columns == 1 and end[0] > 1 and end[1] < LEAST_HIGH} == {}
    assert {name: ends[name] for name, most in MOST_PAGES.items() if ends[name][0] > (most if way == "whole" else 1)} == {}


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("target", FEW_TARGETS)
def test_a_sheet_compiles_by_itself(target: str, language: str, columns: int, compile_document: Compile) -> None:
    code, log = compile_document(language, render(derivation(target), "latex", language=language, columns=columns))
    found = list(complaints(log))
    assert (found, code) == ([], 0), "\n".join(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mixture_with_dense_layers_beside_it_is_four_pages(language: str, compile_document: Compile) -> None:
    code, log = compile_document(language, render(derivation("deepseek-v3"), "latex", language=language))
    [pages] = re.findall(r"Output written on paper.pdf \((\d+) pages?", log)
    assert (code, int(pages)) <= (0, 4)


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_paper_can_input_a_fragment(language: str, columns: int, compile_document: Compile, tmp_path: Path) -> None:
    head = HEADS[language]
    options = [option for option in head["latex.two_columns"] if columns == 2 or option != "twocolumn"]
    paper = [rf"\documentclass[{','.join(options)}]{{{head['latex.class']}}}", PREAMBLE, r"\begin{document}"]
    for number, (name, fragment) in enumerate(fragments(language, columns)):
        (tmp_path / f"{number}.tex").write_text(fragment, encoding="utf-8")
        paper += [rf"\typeout{{FRAGMENT \detokenize{{{name}}}}}", rf"\input{{{number}.tex}}", r"\clearpage"]
    code, log = compile_document(language, "\n".join([*paper, r"\end{document}"]))
    found = list(complaints(log))
    assert (found, code) == ([], 0), "\n".join(found)
