"""A drawing as PDF and PNG, which Typst sets: a page of its size, its words as text, each letter in a font that is meant."""

from __future__ import annotations

import io
import re
import struct
from pathlib import Path

import pytest
from pypdf import PageObject, PdfReader

from symparams import derive, draw
from symparams.drawings.architecture import architecture
from symparams.errors import OutputError
from symparams.formats.typesetting import typeset, typeset_drawing
from symparams.formats.typst.compiler import chosen_font, machine_fonts
from symparams.sheets.catalogue import catalogue


def page_of(content: bytes) -> PageObject:
    return PdfReader(io.BytesIO(content)).pages[0]


def fonts_of(page: PageObject) -> set[str]:
    """The names of the fonts of a page, as one word each: NotoSansCJKsc-Bold."""
    found = (font.get_object()["/BaseFont"] for font in page["/Resources"]["/Font"].get_object().values())
    return {str(name).partition("+")[2] for name in found}


@pytest.fixture
def chinese() -> str:
    """The font that a Chinese sheet has on this machine."""
    try:
        return chosen_font(catalogue("zh").head["typst.fonts"], {font.family for font in machine_fonts().fonts()})["font"]
    except OutputError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("target", ["gpt2", "t5-base"])
def test_a_pdf_is_a_page_of_the_drawing_s_size_with_its_words(target, cli, tmp_path):
    assert cli(["draw", target, "-o", str(tmp_path / "x.pdf")]) == (0, "", "")
    reader = PdfReader(tmp_path / "x.pdf")
    [page] = reader.pages
    drawing = architecture(target)
    assert [float(page.mediabox.width), float(page.mediabox.height)] == pytest.approx([drawing.width, drawing.height], abs=0.01)
    words = re.sub(r"\s", "", page.extract_text())
    for said in ("Masked self-attention", "Decoder layer", drawing.title.split()[1]):
        assert said.replace(" ", "") in words
    assert reader.metadata is not None
    assert reader.metadata.title == drawing.title


def test_the_same_drawing_is_the_same_bytes():
    assert typeset_drawing("bert", "pdf") == typeset_drawing("bert", "pdf")


def test_a_png_has_two_dots_for_each_of_a_screen_s(cli, tmp_path):
    file = tmp_path / "x.png"
    assert cli(["draw", "gpt2", "--theme", "dark", "--no-background", "-o", str(file)]).code == 0
    width, height = struct.unpack(">II", file.read_bytes()[16:24])
    drawing = architecture("gpt2")
    assert (width, height) == pytest.approx((drawing.width * 192 / 72, drawing.height * 192 / 72), abs=1)


def test_bars_are_a_page_too(cli, tmp_path):
    assert cli(["draw", "gpt2", "--bars", "-o", str(tmp_path / "x.pdf")]).code == 0
    assert "45.54%" in page_of((tmp_path / "x.pdf").read_bytes()).extract_text()


@pytest.mark.parametrize("target", ["llama-3-8b", "deepseek-v3"])
def test_chinese_characters_are_those_of_a_chinese_font(target, chinese):
    [content] = typeset_drawing(target, "pdf", language="zh")
    drawn = page_of(content)
    wide = {name for name in fonts_of(drawn) if not re.match("Liberation|Helvetica|Arial|STIX|Times|NewCM|LM", name)}
    known = ("PingFang", "MicrosoftYaHei", "NotoSansCJKsc", chinese.replace(" ", "")[:9])
    assert wide
    assert all(name.startswith(known) for name in wide), wide
    assert "注意力" in drawn.extract_text()


def test_so_are_those_of_a_figure_on_a_sheet(chinese):
    [content] = typeset(derive("llama-3-8b"), "pdf", language="zh", with_figure=True)
    names = fonts_of(page_of(content))
    meant = ("NewCM", "DejaVuSansMono", chinese.replace(" ", "").replace("CJKSC", "CJKsc"))
    assert all(name.startswith(meant) for name in names), names


def test_typst_is_a_document_or_a_part_of_one():
    whole, part = draw("gpt2", "typst"), draw("gpt2", "typst", standalone=False)
    assert whole.startswith('#set document(title: "gpt2: 124,439,808 parameters")\n#set page(width: ')
    assert part.startswith("box(width: ")
    assert part.isascii()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("draw gpt2 --pdf --fragment", "--pdf cannot use --fragment, which is for --tikz: leave out --fragment"),
        ("draw gpt2 --png -o x.pdf", "--png contradicts 'x.pdf', which asks for pdf: change one of the two."),
        (
            "draw gpt2 --no-background -o x.png",
            "Without its background (--no-background) a drawing has the colours of one theme",
        ),
        ("draw gpt2 -o x.jpg", "No format ends in '.jpg', as 'x.jpg' does: end in .pdf, .png, .txt, .typ, .svg, .tikz, .tex, "),
    ],
)
def test_what_no_page_has(mistake, line, said):
    assert said in mistake(line)


def test_a_letter_that_no_font_has_is_a_line(tmp_path, mistake):
    folder = tmp_path / "\N{UGARITIC LETTER ALPA}"
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]}', encoding="utf-8")
    assert "No font of this machine has" in mistake(["draw", str(folder), "-o", str(Path(tmp_path) / "x.pdf")])
