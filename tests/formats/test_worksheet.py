"""Worksheets as pages: a rule for each answer, nothing too wide, nothing that tells an answer."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable
from itertools import product

import pytest
from pypdf import PdfReader

from symparams import architectures, load, published_models, render, typeset
from symparams.architectures import architecture
from symparams.errors import OptionError
from symparams.practice.key import NONE, ONLY
from symparams.practice.worksheet import LEVELS, worksheet
from symparams.sheets.worksheet.filled import answers
from tests.sweeps import FEW

from .conftest import LANGUAGES, Formula
from .test_latex import Compile, compile_document, complaints  # noqa: F401 - a fixture
from .test_markdown import formulas
from .test_typst import STRICT, pdf, told, too_wide

MODELS = sorted(FEW & set(published_models()))
FIRST = sorted({next(iter(architecture(name).models)) for name in architectures() if architecture(name).models} - set(MODELS))
EVERY = [*MODELS, *(pytest.param(name, marks=pytest.mark.sweep) for name in FIRST)]
TELLING = re.compile(r"\d{1,3}(?:,\d{3})+")
NUMBERS = {  # of a rule that has its own at its beginning, and of those on a line at its end
    "latex": (r"\\blank\[(\w+)\]", r"\\beside(?:\[\w+\])?\{([\w, ]+)\}"),
    "typst": (r'#blank\([\d.]+em, "(\w+)"\)', r'#beside\("([\w, ]+)"\)'),
}
of_every_model = pytest.mark.parametrize("model", EVERY)
of_every_language = pytest.mark.parametrize("language", LANGUAGES)
of_every_level = pytest.mark.parametrize("level", LEVELS)


def sheet(model: str, form: str, level: str, language: str = "en", key: str = "end") -> str:
    return render(worksheet(model, level=level, key=key, seed=4), form, language=language)


def numbers_asked(model: str, level: str, language: str) -> set[str]:
    """The numbers of six digits or more that the key has in its boxes, and that are no dimensions."""
    key = render(worksheet(model, level=level, key=ONLY, seed=4), language=language, width=10_000)
    boxed = {number for box in re.findall(r"\[[^\[\]]*\]", key) for number in TELLING.findall(box)}
    known = {f"{value:,}" for value in load(model).values.values()}
    return {number for number in boxed - known if len(number) > 6}


@of_every_level
@of_every_language
@of_every_model
@pytest.mark.tex
def test_a_worksheet_compiles_and_nothing_is_too_wide(
    model: str,
    language: str,
    level: str,
    compile_document: Compile,  # noqa: F811
) -> None:
    code, log = compile_document(language, sheet(model, "latex", level, language))
    assert (code, list(complaints(log))) == (0, [])


@of_every_level
@of_every_language
@of_every_model
def test_typst_sets_a_worksheet_and_nothing_is_too_wide(model: str, language: str, level: str, fonts_of: None) -> None:
    source = sheet(model, "typst", level, language)
    assert pdf(source, language)[1] == []
    assert too_wide(told(STRICT + source, language)) == []


@of_every_level
@of_every_model
@pytest.mark.parametrize("language", ["en"])
def test_no_page_tells_an_answer(model: str, language: str, level: str, fonts_of: None) -> None:
    [made] = typeset(worksheet(model, level=level, key=NONE, seed=4), language=language)
    said = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(made)).pages)
    assert numbers_asked(model, level, language)
    assert not numbers_asked(model, level, language) & set(TELLING.findall(said))


@of_every_level
@of_every_model
@pytest.mark.parametrize("form", ["latex", "typst"])
def test_there_are_as_many_rules_as_answers(form: str, model: str, level: str) -> None:
    asked = worksheet(model, level=level, key=NONE, seed=4)
    inline, margin = NUMBERS[form]
    written = render(asked, form)
    found = re.findall(inline, written) + [each for line in re.findall(margin, written) for each in line.split(", ")]
    assert sorted(each for each in found if not each.startswith("0")) == sorted(
        each for each in answers(asked) if not each.startswith("0")
    )  # those of the frame, which is the last to be filled in, have no number in TeX


@pytest.mark.parametrize(("flavor", "model"), list(product(["pandoc", "github"], MODELS)))
def test_katex_and_mathjax_read_every_formula(
    flavor: str, model: str, check_math: Callable[[Iterable[Formula]], list[list[object]]]
) -> None:
    for level in LEVELS:
        found = formulas(render(worksheet(model, level=level), "markdown", flavor=flavor), flavor)
        assert len(found) > 20
        assert check_math(found) == []


def test_a_rule_says_nothing_of_its_answer() -> None:
    """Four lengths in all formulas and sentences of a sheet, none below 25 mm; a column of a table has one."""
    written = sheet("gpt2", "latex", "easy", key=NONE)
    before, *tables = re.split(r"\\begin\{tabular\}", written)
    without = [before, *(each.partition(r"\end{tabular}")[2] for each in tables)]
    lengths = {float(each) for each in re.findall(r"\\blank\{([\d.]+)em\}", "".join(without))}
    assert len(lengths) <= 4
    assert min(lengths) * 10.95 / 72.27 * 25.4 >= 24.9
    columns = [set(re.findall(r"\\blank\{([\d.]+)em\}", table.partition(r"\end{tabular}")[0])) for table in tables]
    assert [len(each) for each in columns if each] == [1, 1, 1]


def test_the_blanks_of_a_row_and_of_the_frame_are_numbered_at_the_margin() -> None:
    """Not on the rule, where a learner writes; every row of a table to write in has room for a hand."""
    for form in ("latex", "typst"):
        for language in LANGUAGES:
            written = sheet("bert-base-uncased", form, "standard", language, NONE)
            rows = [line for line in written.splitlines() if re.search(r"\\writingroom|#writing-room", line)]
            assert len(rows) > 10
            assert not [line for line in rows if re.search(r'\\blank\[|#blank\([\d.]+em, "\w', line)]
    assert r"\beside[4mm]{0a}" in sheet("bert-base-uncased", "latex", "standard", "en", NONE)


def test_the_key_has_a_page_of_its_own_and_its_answers_in_boxes() -> None:
    written = sheet("gpt2", "latex", "easy")
    before, after = written.split(r"\clearpage")
    assert r"\blank{" in before
    assert r"\blank{" not in after
    assert r"\answer{" not in before.partition(r"\begin{document}")[2]
    assert re.search(r"\\answer\{[\d{},\\mathbf]+\} \\tag\*\{\\beside\{\d+a\}\}", after)


def test_the_usual_mistakes_stand_below_the_key() -> None:
    said = render(worksheet("gpt2", level="standard"))
    assert "4 Attention.\nThe biases are missing. The output projection is missing." in said.partition("The usual mistakes")[2]


def test_a_worksheet_is_no_data() -> None:
    with pytest.raises(OptionError, match="A worksheet is to be written on"):
        render(worksheet("gpt2"), "json")
