"""Every LaTeX sheet compiles without an error, a line too wide or a missing letter, and ends well on its last page.

Documents of one preamble are bound into one, which TeX reads once; each complaint names the sheet that TeX was reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from symparams import Architecture, Dimension, derive, draw, linear, load, render
from symparams.expressions.symbols import h
from symparams.formats.latex.writer import code
from symparams.models.load import read
from symparams.sheets.catalogue import catalogue
from symparams.sheets.outline import outline

from .conftest import EVERY_FAMILY, FEW, IN_CHINESE, LANGUAGES, MOST_OF, MOST_PAGES, Compile, complaints, fragments, sheets
from .test_names import BERT, CONTROLS, FOREIGN, MARKS

PREAMBLE = r"\usepackage{amsmath,array,booktabs}\allowdisplaybreaks"
LEAST_HIGH = 765 / 4  # points: a quarter of a page


def bind(language: str) -> dict[str, list[str]]:
    """Return the bodies of all sheets by their preamble, each on pages of its own; TeX prints where each of them ends."""
    bound: dict[str, list[str]] = {}
    targets = dict.fromkeys((*EVERY_FAMILY, *MOST_PAGES)) if language == "en" else IN_CHINESE
    for name, document in sheets("latex", language, targets, FEW if language == "en" else IN_CHINESE):
        preamble, _, body = document.partition("\\begin{document}\n")
        body = body.removesuffix("\\end{document}\n")
        end = rf"\par\typeout{{LAST {name} = \the\value{{page}} \the\pagetotal}}"
        begin = rf"\typeout{{FRAGMENT {name}}}\setcounter{{page}}{{1}}"
        bound.setdefault(preamble, []).append(rf"{begin}{{{body}{end}}}\clearpage")
    return bound


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sheet_compiles_and_ends_well(language: str, compile_document: Compile) -> None:
    """No last page is three quarters empty; a brief is one page; well-known sheets have at most the stated number of pages."""
    ends: dict[str, tuple[int, float]] = {}
    for preamble, bodies in bind(language).items():
        code, log = compile_document(language, "\n".join([preamble, r"\begin{document}", *bodies, r"\end{document}"]))
        assert (list(complaints(log)), code) == ([], 0), log[-1_000:]
        told = re.findall(r"^LAST (.+?) = (\d+) ([\d.]+)pt$", log, re.MULTILINE)
        assert len(told) == len(bodies)
        ends |= {name: (int(page), float(high)) for name, page, high in told}
    most = MOST_OF | {name: 1 for name in ends if name.endswith(" brief") and name not in MOST_OF}
    assert {name: end for name, end in ends.items() if end[0] > most.get(name, 20)} == {}
    # Two columns are balanced, and TeX has put them away before it could tell how long they are.
    assert {name: end for name, end in ends.items() if name.endswith("whole") and end[0] > 1 and end[1] < LEAST_HIGH} == {}


def named(language: str, columns: int) -> Iterator[tuple[str, str]]:
    """Yield sheets and outlines of odd names, and letters of every script."""
    sheet = {"format": "latex", "language": language, "columns": columns, "standalone": False}
    for number, name in enumerate((CONTROLS, MARKS, FOREIGN, "[3cm]", "-- ?` ``x''")):
        yield f"name {number}", render(derive(load({**BERT, "_name_or_path": name})), brief=True, **sheet)
        shown = outline(read({**BERT, "_name_or_path": name}), language)
        yield f"outline of name {number}", render(shown, "latex", columns=columns, standalone=False)
    letters = [Dimension(name) for name in ("秩", "ранг", "größe", "rang_é", "秩_低")]
    family = Architecture("own", **{f"部分{i}": linear(h, letter) for i, letter in enumerate(letters)})
    yield "letters of every script", render(derive(load(family)), **sheet)


@pytest.mark.parametrize(("language", "columns"), [("en", 1), ("en", 2), ("zh", 2)])
def test_a_paper_can_input_a_fragment(language: str, columns: int, compile_document: Compile, tmp_path: Path) -> None:
    head = catalogue(language).head
    options = [option for option in head["latex.two_columns"] if columns == 2 or option != "twocolumn"]
    paper = [rf"\documentclass[{','.join(options)}]{{{head['latex.class']}}}", PREAMBLE, r"\begin{document}"]
    parts = [
        *(("FRAGMENT", *part) for part in fragments("latex", language, columns, FEW if language == "en" else IN_CHINESE)),
        *(("NAMED", *part) for part in named(language, columns)),  # which may be wide
    ]
    for number, (kind, name, fragment) in enumerate(parts):
        (tmp_path / f"{number}.tex").write_text(fragment, encoding="utf-8")
        paper += [rf"\typeout{{{kind} \detokenize{{{name}}}}}", rf"\input{{{number}.tex}}", r"\clearpage"]
    code, log = compile_document(language, "\n".join([*paper, r"\end{document}"]))
    sized, _, wide = log.partition("NAMED ")
    refused = [complaint for complaint in complaints(wide, "a name") if "Overfull" not in complaint]
    assert ([*complaints(sized), *refused], code) == ([], 0)


def test_a_complaint_is_blamed_on_its_fragment():
    for log, blamed in [
    (r"Overfull \hbox (2.5pt too wide)", ["the document: Overfull \\hbox (2.5pt too wide)"]),
    ("FRAGMENT bloom\n! Missing $ inserted.", ["bloom: ! Missing $ inserted."]),
    ("Missing character: There is no 词 in font lmr10!", ["the document: Missing character: There is no 词 in font lmr10!"]),
    (r"Underfull \hbox (badness 10000)", []),
]:  # fmt: skip
        assert list(complaints(log)) == blamed


def test_the_name_of_a_tensor_breaks_after_its_dots_and_that_of_a_file_does_not():
    assert code("model.safetensors") == r"\texttt{model.safetensors}"
    assert code("h.0.attn.bias") == r"\texttt{h.\allowbreak{}0.\allowbreak{}attn.\allowbreak{}bias}"


def test_labels_of_one_name_are_numbered_from_two():
    """The parts of a table of several pages; a paper refers to them."""
    labels = re.findall(r"\\label\{eq:(.*?)\}", render(outline(load("t5-small")), "latex", label="eq"))
    assert [label for label in labels if label.startswith("tree")][:2] == ["tree", "tree-2"]


def test_an_engine_without_chinese_characters_says_so_in_one_line(compile_document: Compile) -> None:
    for written in (draw("gpt2", "tikz", language="zh"), render("gpt2", "latex", language="zh")):
        code, log = compile_document("en", written)
        assert code == 1
        assert next(complaints(log)) == "the document: ! 本文含中文，请用 xelatex 编译."
        assert "not found" not in log
