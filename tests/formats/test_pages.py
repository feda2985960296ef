"""PDF and PNG: pages that Typst's compiler sets, without TeX; the same bytes each time, no glyph missing, nothing read."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest
import typst
from pypdf import PdfReader

import symparams
from symparams import SymparamsError, derive, load, published_models, typeset
from symparams.errors import OptionError, OutputError
from symparams.formats import find
from symparams.formats.typesetting import typeset_formula
from symparams.formats.typst import compiler
from symparams.sheets.catalogue import catalogue
from tests.sweeps import FEW

from .conftest import derivation

PNG = b"\x89PNG\r\n\x1a\n"
SMALL = "bloom --set L=2 --only closed-form"  # a page that is set at once
CHOSEN = {
    "columns": ["--columns", "2"], "label": ["--label", "eq"], "only": ["--only", "shares"], "with_title": ["--no-title"],
    "language": ["--lang", "zh"], "notation": ["--notation", "hf"], "symbols": ["--symbol", "h=d"],
    "with_figure": ["--with-figure"],
}  # fmt: skip


def text_of(pdf: bytes) -> str:
    """What a PDF says, without the spaces that a reader of PDF guesses and the places where a name may break."""
    return re.sub(r"[\s\u200b]+", "", "".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages))


@pytest.mark.parametrize("target", sorted(FEW & set(published_models())))
def test_a_pdf_holds_the_count(target: str) -> None:
    [pdf] = typeset(derivation(target))
    assert f"{load(target).count():,}" in text_of(pdf)


@pytest.mark.parametrize("target", sorted(FEW))
@pytest.mark.parametrize("language", ["zh"])
def test_a_chinese_pdf_holds_its_words(target: str, language: str, fonts_of: None) -> None:
    said = text_of(typeset(derivation(target), language=language)[0])
    assert [word in said for word in ("有多少参数？", "符号说明", "总参数量")] == [True, True, True]


def test_the_same_derivation_is_the_same_bytes() -> None:
    for kind in ("pdf", "png"):
        assert typeset("bloom", kind, only="closed-form") == typeset(derive(load("bloom")), kind, only="closed-form")
    [pdf] = typeset("bloom")
    metadata = PdfReader(io.BytesIO(pdf)).metadata
    assert metadata is not None
    assert set(metadata) == {"/Title", "/Creator"}  # no date


def test_a_picture_for_each_page() -> None:
    pages = typeset("bert-base-uncased", "png")
    assert len(pages) == len(PdfReader(io.BytesIO(typeset("bert-base-uncased")[0])).pages) > 1
    assert all(page.startswith(PNG) for page in pages)


def test_a_formula_has_a_page_of_its_own_size() -> None:
    [pdf] = typeset_formula(load("bloom"))
    [page] = PdfReader(io.BytesIO(pdf)).pages
    assert page.mediabox.height < 30
    assert [page[:8] for page in typeset_formula(load("bloom"), "png", form="blocks")] == [PNG]


@pytest.mark.parametrize("kind", ["text", "typst"])
def test_a_text_is_no_page(kind: str) -> None:
    with pytest.raises(OptionError, match=rf"^'{kind}' is a text, not pages: write render\(…, '{kind}'\), or typeset to"):
        typeset("bloom", kind)


def test_a_page_is_no_text() -> None:
    with pytest.raises(OptionError, match=r"^A PDF is no text: write typeset\(…, 'pdf'\)\.$"):
        symparams.render("bloom", "pdf")


def test_without_the_extra_a_line_names_it(monkeypatch: pytest.MonkeyPatch, mistake) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    assert mistake("derive bloom --pdf") == "A PDF is set by Typst: pip install 'symparams[pdf]' for it."


def test_without_a_chinese_font_a_line_says_so(monkeypatch: pytest.MonkeyPatch, mistake) -> None:
    monkeypatch.setattr(compiler, "machine_fonts", lambda: typst.Fonts(include_system_fonts=False))
    said = mistake("derive bloom --pdf --lang zh")
    assert said.startswith("No font with Chinese characters was found: install Noto Serif CJK SC or ")
    assert "HowmanyparametersdoesBLOOMhave?" in text_of(typeset("bloom")[0])  # English needs no font of the machine


def test_a_character_that_no_font_has_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "machine_fonts", lambda: typst.Fonts(include_system_fonts=False))
    with pytest.raises(OutputError, match=r"^No font of this machine has '参': install one that has it\.$"):
        compiler.compile_pdf('#text(font: "New Computer Modern")[参数]', catalogue("en").head)


@pytest.mark.parametrize("source", ['#read("/etc/passwd")', '#image("secret.png")', '#include "other.typ"'])
def test_a_source_reads_no_file(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """None of ours does; and if a name of somebody's were taken for a command, there would be nothing to read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.png").write_bytes(PNG)
    (tmp_path / "other.typ").write_text("secret")
    with pytest.raises(SymparamsError, match="file not found"):
        compiler.compile_pdf(source, catalogue("en").head)


@pytest.mark.parametrize("name", ['#read("/etc/passwd")', "$x$", 'a"b`c\\', "[x](y) @z <w> // */ ~", "模型😀"])
def test_a_name_is_set_as_it_is(name: str) -> None:
    model = load({"model_type": "bert", "architectures": ["BertModel"], "_name_or_path": name})
    said = text_of(typeset(derive(model))[0])
    assert re.sub(r"\s", "", name if name.isascii() else "U+6A21U+578BU+1F600").rpartition("/")[2] in said


def test_the_command_line_writes_what_the_ending_asks_for(tmp_path: Path, cli) -> None:
    for ending, start in ((".pdf", b"%PDF-"), (".png", PNG)):
        file = tmp_path / f"sheet{ending}"
        assert cli(f"derive {SMALL} -o {file}") == (0, "", "")
        assert file.read_bytes().startswith(start)
        assert cli(f"derive {SMALL} --{ending[1:]}").out.encode("utf-8", "surrogateescape") == file.read_bytes()


def test_several_pages_are_numbered_files(tmp_path: Path, cli) -> None:
    assert cli(f"derive bert-base-uncased -o {tmp_path}/sheet.png") == (
        0, "", f"symparams: 3 pages, {tmp_path}/sheet-1.png to {tmp_path}/sheet-3.png.\n"
    )  # fmt: skip
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sheet-1.png", "sheet-2.png", "sheet-3.png"]


def test_standard_output_takes_one_picture(mistake) -> None:
    assert mistake("derive bert-base-uncased --png") == "These are 3 pages, a PNG each: name a file, -o sheet.png."


def test_a_terminal_takes_none(monkeypatch: pytest.MonkeyPatch, mistake) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert mistake(f"derive {SMALL} --pdf") == "A PDF is no text for a terminal: name a file, -o sheet.pdf."


@pytest.mark.parametrize("command", ["show bloom", "memory 7B", "explain gpt2 163037184", "formula bloom"])
def test_every_command_that_prints_a_document_prints_pages(command: str, cli) -> None:
    code, out, err = cli(f"{command} --pdf")
    assert (code, out[:5], err) == (0, "%PDF-", "")


@pytest.mark.parametrize("option", sorted(find("pdf").options | {"notation", "symbols"}))
def test_an_option_changes_the_pages(option: str, cli) -> None:
    assert cli(["derive", "gpt2", "--pdf", *CHOSEN[option]]).out != cli("derive gpt2 --pdf").out
