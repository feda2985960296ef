"""Every LaTeX sheet compiles without an error, a line too wide or a missing letter, and ends well on its last page.

Documents of one preamble are bound into one, which TeX reads once; each complaint names the sheet that TeX was reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from symparams import Architecture, Dimension, derive, draw, linear, load, render
from symparams.derivations import views
from symparams.expressions.closed_form import FORMS
from symparams.expressions.notation import NOTATIONS
from symparams.expressions.symbols import h
from symparams.models.load import read
from symparams.practice.bank import chosen, models, of_each
from symparams.practice.exam import exam
from symparams.practice.kind import LEVELS
from symparams.practice.worksheet import worksheet
from symparams.sheets.catalogue import catalogue
from symparams.sheets.outline import outline
from symparams.sheets.practice.booklet import booklet
from symparams.sheets.practice.exam import exam as on_paper
from tests.test_sheets import documents

from .conftest import EVERY_FAMILY, FEW, IN_CHINESE, LANGUAGES, PUBLISHED, WAYS, Compile, complaints, derivation, variants
from .test_names import BERT, CONTROLS, FOREIGN, MARKS

PREAMBLE = r"\usepackage{amsmath,array,booktabs}\allowdisplaybreaks"
MOST_PAGES = {"llama-3-8b": 2, "gpt2": 2, "bloom-1b4-zh": 2, "deepseek-v3": 3, "mixtral-8x7b": 3, "t5-small": 3}
MOST_OF_FLOPS = {"deepseek-v3 forward-flops": 2}
LEAST_HIGH = 8 * 12.0  # points: eight lines


def sheets(language: str) -> Iterator[tuple[str, str]]:
    """Yield documents by name: in English of every family, in Chinese of three."""
    page = {"format": "latex", "language": language}
    is_english = language == "en"
    few = FEW if is_english else IN_CHINESE
    for target in dict.fromkeys((*EVERY_FAMILY, *MOST_PAGES) if is_english else few):
        yield f"{target} whole", render(derivation(target), **page)
        yield f"{target} brief", render(derivation(target), brief=True, **page)
    for target in few:
        derived = derivation(target)
        other = next(form for form in FORMS if form != derived.calculation.usual_form)
        yield f"{target} {other}", render(derive(derived.model, form=other), **page)
        yield f"{target} in two columns", render(derived, columns=2, **page)
    yield "deepseek-v3 forward-flops", render(derive(load("deepseek-v3"), quantity="forward-flops", b=1, s=4_096), **page)
    yield "figure", render("gpt2", with_figure=True, label="eq:gpt", **page)
    for model, level in [*zip(PUBLISHED, LEVELS * 2, strict=False)][: None if is_english else 3]:
        yield f"{model} {level} worksheet", render(worksheet(model, level=level, key="end", seed=4), **page)
    questions = list(of_each(chosen(), models(["llama-3-8b"])))
    for has_choices in (False, True):
        yield f"booklet {has_choices}", render(booklet(questions, language, has_choices=has_choices), "latex")
    yield "exam", render(on_paper(exam(20, "7"), language), "latex")


def bind(language: str) -> dict[str, list[str]]:
    """Return the bodies of all sheets by their preamble, each on pages of its own; TeX prints where each of them ends."""
    bound: dict[str, list[str]] = {}
    for name, document in sheets(language):
        preamble, _, body = document.partition("\\begin{document}\n")
        body = body.removesuffix("\\end{document}\n")
        end = rf"\par\typeout{{LAST {name} = \the\value{{page}} \the\pagetotal}}"
        begin = rf"\typeout{{FRAGMENT {name}}}\setcounter{{page}}{{1}}"
        bound.setdefault(preamble, []).append(rf"{begin}{{{body}{end}}}\clearpage")
    return bound


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sheet_compiles_and_ends_well(language: str, compile_document: Compile) -> None:
    """No last page holds a line or two; a brief is one page; well-known sheets have at most the stated number of pages."""
    ends: dict[str, tuple[int, float]] = {}
    for preamble, bodies in bind(language).items():
        code, log = compile_document(language, "\n".join([preamble, r"\begin{document}", *bodies, r"\end{document}"]))
        assert (list(complaints(log)), code) == ([], 0), log[-1_000:]
        told = re.findall(r"^LAST (.+?) = (\d+) ([\d.]+)pt$", log, re.MULTILINE)
        assert len(told) == len(bodies)
        ends |= {name: (int(page), float(high)) for name, page, high in told}
    most = {f"{target} whole": pages for target, pages in MOST_PAGES.items()}
    most |= MOST_OF_FLOPS | {name: 1 for name in ends if name.endswith(" brief")}
    assert {name: end for name, end in ends.items() if end[0] > most.get(name, 20)} == {}
    # Two columns are balanced, and TeX has put them away before it could tell how long they are.
    assert {name: end for name, end in ends.items() if name.endswith("whole") and end[0] > 1 and end[1] < LEAST_HIGH} == {}


def fragments(language: str, columns: int) -> Iterator[tuple[str, str]]:
    """Yield parts of a paper: models in each view and notation, with other features, labelled; other documents; names."""
    sheet = {"format": "latex", "language": language, "columns": columns, "standalone": False}
    few = FEW if language == "en" else IN_CHINESE
    for target, (view, attention), notation in zip(few, WAYS * 4, [*NOTATIONS] * 5, strict=False):
        yield f"{target} labelled", render(derivation(target), label="eq:a-b", heading_level=3, brief=True, **sheet)
        yield f"{target} {view} {notation}", render(derivation(target, attention, view), notation=notation, **sheet)
    for view, notation in product(views.names(), NOTATIONS):
        yield f"bert {view} {notation}", render(derivation("bert-base-uncased", "per-head", view), notation=notation, **sheet)
    for model in variants("bert-base-uncased"):
        yield f"bert with {' '.join(sorted(model.present)) or 'nothing'}", render(derive(model), **sheet)
    for name, document in documents(language).items():
        yield name, render(document, "latex", columns=columns, standalone=False)
    for number, name in enumerate((CONTROLS, MARKS, FOREIGN, "[3cm]", "-- ?` ``x''")):
        yield f"name {number}", render(derive(load({**BERT, "_name_or_path": name})), brief=True, **sheet)
        named = outline(read({**BERT, "_name_or_path": name}), language)
        yield f"outline of name {number}", render(named, "latex", columns=columns, standalone=False)
    letters = [Dimension(name) for name in ("秩", "ранг", "größe", "rang_é", "秩_低")]
    family = Architecture("own", **{f"部分{i}": linear(h, letter) for i, letter in enumerate(letters)})
    yield "letters of every script", render(derive(load(family)), **sheet)


@pytest.mark.parametrize(("language", "columns"), [("en", 1), ("en", 2), ("zh", 2)])
def test_a_paper_can_input_a_fragment(language: str, columns: int, compile_document: Compile, tmp_path: Path) -> None:
    head = catalogue(language).head
    options = [option for option in head["latex.two_columns"] if columns == 2 or option != "twocolumn"]
    paper = [rf"\documentclass[{','.join(options)}]{{{head['latex.class']}}}", PREAMBLE, r"\begin{document}"]
    for number, (name, fragment) in enumerate(fragments(language, columns)):
        (tmp_path / f"{number}.tex").write_text(fragment.replace("eq:a-b", f"eq:{number}"), encoding="utf-8")
        may_be_wide = name.startswith(("name", "outline of", "letters"))
        kind = "NAMED" if may_be_wide else "FRAGMENT"
        paper += [rf"\typeout{{{kind} \detokenize{{{name}}}}}", rf"\input{{{number}.tex}}", r"\clearpage"]
    code, log = compile_document(language, "\n".join([*paper, r"\end{document}"]))
    sized, _, named = log.partition("NAMED ")
    refused = [complaint for complaint in complaints(named, "a name") if "Overfull" not in complaint]
    assert ([*complaints(sized), *refused], code) == ([], 0)


def test_a_complaint_is_blamed_on_its_fragment():
    for log, blamed in [
    (r"Overfull \hbox (2.5pt too wide)", ["the document: Overfull \\hbox (2.5pt too wide)"]),
    ("FRAGMENT bloom\n! Missing $ inserted.", ["bloom: ! Missing $ inserted."]),
    ("Missing character: There is no 词 in font lmr10!", ["the document: Missing character: There is no 词 in font lmr10!"]),
    (r"Underfull \hbox (badness 10000)", []),
]:  # fmt: skip
        assert list(complaints(log)) == blamed


def test_an_engine_without_chinese_characters_says_so_in_one_line(compile_document: Compile) -> None:
    for written in (draw("gpt2", "tikz", language="zh"), render("gpt2", "latex", language="zh")):
        code, log = compile_document("en", written)
        assert code == 1
        assert next(complaints(log)) == "the document: ! 本文含中文，请用 xelatex 编译."
        assert "not found" not in log
