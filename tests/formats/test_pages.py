"""PDF and PNG, which Typst sets without TeX: sheets and drawings; the same bytes each time, no glyph missing, nothing read."""

from __future__ import annotations

import io
import re
import struct
import sys

import pytest
import typst
from pypdf import PageObject, PdfReader

import symparams
from symparams import SymparamsError, derive, draw, load, typeset
from symparams.drawings.architecture import architecture
from symparams.errors import OptionError, OutputError
from symparams.formats import find
from symparams.formats.typesetting import typeset_drawing, typeset_formula
from symparams.formats.typst import compiler
from symparams.formats.typst.compiler import ROOMS, WIDER, Spot, fitting, second_column
from symparams.practice.bank import chosen, models, of_each
from symparams.practice.exam import exam
from symparams.practice.worksheet import NONE, worksheet
from symparams.sheets.catalogue import catalogue
from symparams.sheets.practice.booklet import booklet
from symparams.sheets.practice.exam import exam as on_paper

from .conftest import IN_CHINESE, derivation
from .test_worksheet import TELLING, numbers_asked

PNG = b"\x89PNG\r\n\x1a\n"
SMALL = "bloom --set L=2 --only closed-form"  # a page that is set at once
LONG = re.compile(r"[0-9][0-9,]{5,}[0-9]")


def text_of(pdf: bytes) -> str:
    """Return the text of a PDF, without the spaces that a reader of PDF guesses and the places where a name may break."""
    return re.sub(r"[\s\u200b]+", "", "".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages))


def fonts_of(pdf: bytes) -> set[str]:
    """Return the names of the fonts of the first page, as one word each: NotoSansCJKsc-Bold."""
    page: PageObject = PdfReader(io.BytesIO(pdf)).pages[0]
    fonts = (font.get_object()["/BaseFont"] for font in page["/Resources"]["/Font"].get_object().values())
    return {str(name).partition("+")[2] for name in fonts}


def test_a_page_for_each_part_and_a_formula_on_one_of_its_size():
    [pdf] = typeset(derivation("gpt2"))
    assert f"{load('gpt2').count():,}" in text_of(pdf)
    pages = typeset("bert-base-uncased", "png")
    shown = pages._repr_mimebundle_()  # of a notebook, which shows pages, not their bytes
    assert (shown["text/html"].count("<img "), shown["text/plain"].count("image/png, ")) == (len(pages), len(pages))
    assert len(pages) == len(PdfReader(io.BytesIO(typeset("bert-base-uncased")[0])).pages) > 1
    assert all(page.startswith(PNG) for page in pages)
    [pdf] = typeset_formula(load("bloom"))
    [page] = PdfReader(io.BytesIO(pdf)).pages
    assert page.mediabox.height < 30
    assert [page[:8] for page in typeset_formula(load("bloom"), "png", form="blocks")] == [PNG]


def test_a_chinese_pdf_holds_its_words(chinese_font: str) -> None:
    for target in IN_CHINESE:
        text = text_of(typeset(derivation(target), language="zh")[0])
        assert [word in text for word in ("有多少参数？", "符号说明", "总参数量")] == [True, True, True], target


def test_the_same_derivation_or_drawing_is_the_same_bytes() -> None:
    for kind in ("pdf", "png"):
        assert typeset("bloom", kind, only="closed-form") == typeset(derive(load("bloom")), kind, only="closed-form")
    metadata = PdfReader(io.BytesIO(typeset("bloom", brief=True)[0])).metadata
    assert metadata is not None
    assert set(metadata) == {"/Title", "/Creator"}  # no date
    assert typeset_drawing("bert", "pdf") == typeset_drawing("bert", "pdf")


def test_what_is_no_page_and_what_no_page_has(mistake):
    for kind in ("text", "typst"):
        with pytest.raises(OptionError, match=rf"^'{kind}' is a text, not pages: write render\(…, '{kind}'\), or typeset to"):
            typeset("bloom", kind)
    with pytest.raises(OptionError, match=r"^'pdf' is not text: write typeset\(…, 'pdf'\)\.$"):
        symparams.render("bloom", "pdf")
    for line, message in [
    ("draw gpt2 --pdf --fragment", "--pdf cannot use --fragment, which is for --tikz, --typst: leave out --fragment"),
    ("draw gpt2 --png -o x.pdf", "--png contradicts 'x.pdf', which asks for pdf: change one of the two."),
    ("draw gpt2 --no-background -o x.png",
     "A drawing without background (--no-background) needs one theme"),
    ("draw gpt2 -o x.jpg", "No format ends in '.jpg', as 'x.jpg' does: end in .pdf, .png, .txt, .typ, .svg, .tikz, .tex, "),
]:  # fmt: skip
        assert message in mistake(line)


def test_where_a_terminal_an_extra_or_a_font_is_amiss_a_line_says_so(monkeypatch, mistake, tmp_path):
    with monkeypatch.context() as on_a_terminal:
        on_a_terminal.setattr("sys.stdout.isatty", lambda: True, raising=False)
        assert mistake(f"derive {SMALL} --pdf") == "A PDF is not text for a terminal: name a file, -o sheet.pdf."
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "typst", None)
        assert mistake("derive bloom --pdf") == "PDF files need Typst: pip install 'symparams[pdf]'."
    folder = tmp_path / "\N{UGARITIC LETTER ALPA}"
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]}', encoding="utf-8")
    assert "No font of this machine has" in mistake(["draw", str(folder), "-o", str(tmp_path / "x.pdf")])
    monkeypatch.setattr(compiler, "machine_fonts", lambda: typst.Fonts(include_system_fonts=False))
    message = mistake("derive bloom --pdf --lang zh")
    assert message.startswith("No font with Chinese characters was found: install Noto Serif CJK SC or ")
    assert "HowmanyparametersdoesBLOOMhave?" in text_of(typeset("bloom")[0])  # English needs no font of the machine
    with pytest.raises(OutputError, match=r"^No font of this machine has '参': install one that has it\.$"):
        compiler.compile_pdf('#text(font: "New Computer Modern")[参数]', catalogue("en").head)


def test_a_source_reads_no_file(tmp_path, monkeypatch):
    """No sheet reads a file. If a user's name were taken for a command, there would be nothing to read."""
    for source in ['#read("/etc/passwd")', '#image("secret.png")', '#include "other.typ"']:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "secret.png").write_bytes(PNG)
        (tmp_path / "other.typ").write_text("secret")
        with pytest.raises(SymparamsError, match="file not found"):
            compiler.compile_pdf(source, catalogue("en").head)


def test_a_name_is_set_as_it_is() -> None:
    for name in ('#read("/etc/passwd")', "$x$", 'a"b`c\\', "[x](y) @z <w> // */ ~", "模型😀"):
        model = load({"model_type": "bert", "architectures": ["BertModel"], "_name_or_path": name})
        text = text_of(typeset(derive(model), brief=True)[0])
        assert re.sub(r"\s", "", name if name.isascii() else "U+6A21U+578BU+1F600").rpartition("/")[2] in text


def test_the_command_line_writes_what_the_ending_asks_for_and_numbers_several_pictures(tmp_path, cli, mistake):
    for ending, start in ((".pdf", b"%PDF-"), (".png", PNG)):
        file = tmp_path / f"sheet{ending}"
        assert cli(f"derive {SMALL} -o {file}") == (0, "", "")
        assert file.read_bytes().startswith(start)
        assert cli(f"derive {SMALL} --{ending[1:]}").out.encode("utf-8", "surrogateescape") == file.read_bytes()
    message = f"symparams: 2 pages, {tmp_path}/bert-1.png to {tmp_path}/bert-2.png.\n"
    assert cli(f"derive bert-base-uncased -o {tmp_path}/bert.png") == (0, "", message)
    assert sorted(path.name for path in tmp_path.glob("bert*")) == ["bert-1.png", "bert-2.png"]
    assert mistake("derive bert-base-uncased --png") == "The sheet has 2 pages, one PNG file each: name a file, -o sheet.png."


def test_every_command_writes_pages_and_they_take_the_options_of_their_source(cli):
    """Those of Typst: tests/cli/test_options.py has what each changes there."""
    assert find("pdf").options < find("typst").options
    for command in ("show bloom", "memory 7B", "formula bloom"):
        code, out, err = cli(f"{command} --pdf")
        assert (code, out[:5], err) == (0, "%PDF-", ""), command
    pages = [cli(f"derive bloom --pdf {option}").out for option in ("", "--no-figure", "--only shares", "--notation hf")]
    assert len(set(pages)) == len(pages)


def test_no_page_tells_an_answer() -> None:
    """A worksheet without its key holds no number of it, nor does an exam, the models' dimensions and counts that it gives
    aside."""
    [made] = typeset(worksheet("gpt2", level="standard", key=NONE, seed=4))
    text = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(made)).pages)
    answers = numbers_asked("gpt2", "standard")
    assert answers
    assert not answers & set(TELLING.findall(text))
    composed = exam(6, "7")
    given = {value for question in composed.questions for value in question.model.values.values()}
    given |= {question.model.count() for question in composed.questions}
    texts = []
    for key in ("none", "only"):
        [made] = typeset(on_paper(composed, key=key))
        text = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(made)).pages)
        texts.append({int(digits.replace(",", "")) for digits in LONG.findall(text)})
    assert len(texts[1]) > 5
    assert not texts[0] & texts[1] - given


def test_the_options_of_a_question_stand_on_its_page() -> None:
    [made] = typeset(booklet(list(of_each(chosen(), models(["gpt2"]))), key="none", has_choices=True))
    for page in PdfReader(io.BytesIO(made)).pages:
        letters = re.findall(r"^\s*[(（]([a-d])[)）]", page.extract_text(), re.MULTILINE)
        starts = [i for i, letter in enumerate(letters) if letter == "a"]
        assert starts[0] == 0
        for first, after in zip(starts, [*starts[1:], len(letters)], strict=True):
            assert letters[first:after] == list("abcd")[: after - first]
            assert after - first >= 3


def test_a_drawing_is_a_page_of_its_size_with_its_words_and_as_many_dots_as_were_asked_for(cli, tmp_path):
    for target in ("gpt2", "t5-base"):
        assert cli(["draw", target, "-o", str(tmp_path / "x.pdf")]) == (0, "", "")
        reader = PdfReader(tmp_path / "x.pdf")
        [page] = reader.pages
        drawing = architecture(target)
        size = [float(page.mediabox.width), float(page.mediabox.height)]
        assert size == pytest.approx([drawing.width, drawing.height], abs=0.01)
        text = re.sub(r"\s", "", page.extract_text())
        assert [word in text for word in ("Maskedself-attention", "Decoderlayer", drawing.title.split()[1])] == [True] * 3
        assert reader.metadata is not None
        assert reader.metadata.title == drawing.title
    assert cli(["draw", "gpt2", "--bars", "-o", str(tmp_path / "x.pdf")]).code == 0
    assert "45.54%" in text_of((tmp_path / "x.pdf").read_bytes())
    file = tmp_path / "x.png"
    drawing = architecture("gpt2")
    for scale, more in ((2, []), (1, ["--scale", "1"]), (3, ["--scale", "3"])):
        assert cli(["draw", "gpt2", "--theme", "dark", "--no-background", *more, "-o", str(file)]).code == 0
        size = struct.unpack(">II", file.read_bytes()[16:24])
        assert size == pytest.approx((drawing.width * scale * 192 / 72, drawing.height * scale * 192 / 72), abs=1)


def test_a_drawing_is_exactly_as_wide_as_asked(tmp_path, cli):
    file = tmp_path / "x.png"
    assert cli(["draw", "gpt2", "--width", "8.5cm", "--scale", "3", "-o", str(file)]).code == 0
    across, a_metre = (
        struct.unpack(">I", file.read_bytes()[at : at + 4])[0] for at in (16, file.read_bytes().index(b"pHYs") + 4)
    )
    assert across == pytest.approx(8.5 / 2.54 * 192 * 3, abs=1)
    assert across / a_metre == pytest.approx(0.085, abs=1e-4), "the width on paper, which the file says"
    for target in ("gpt2", "jamba-v0.1"):
        [content] = typeset_drawing(target, "pdf", width="85mm")
        [page] = PdfReader(io.BytesIO(content)).pages
        assert float(page.mediabox.width) == pytest.approx(85 / 25.4 * 72, abs=0.01)
    for kind, shown in (
        ("svg", 'width="8.5cm" height="'),
        ("tikz", "\\resizebox{8.5cm}{!}{%\n\\begin{tikzpicture}"),
        ("typst", "#set page(width: 8.5cm, height: "),
    ):
        assert shown in draw("gpt2", kind, width="8.5cm"), kind
    with pytest.raises(OptionError, match=r"^width = '8\.5cm' is not a number of characters"):
        draw("gpt2", "text", width="8.5cm")


def test_letters_too_small_to_read_are_told(cli):
    told = cli("draw jamba-v0.1 --width 6cm")
    assert told.err == (
        "symparams: its smallest letters are 2.3 pt on paper: try --detail blocks, --labels count or a larger --width\n"
    )
    assert cli("draw gpt2 --width 8.5cm").err == ""


def test_chinese_characters_are_those_of_a_chinese_font(chinese_font: str) -> None:
    [content] = typeset_drawing("deepseek-v3", "pdf", language="zh")
    wide = {name for name in fonts_of(content) if not re.match("Liberation|Helvetica|Arial|STIX|Times|NewCM|LM", name)}
    assert wide
    known = ("PingFang", "MicrosoftYaHei", "NotoSansCJKsc", chinese_font.replace(" ", "")[:9])
    assert all(name.startswith(known) for name in wide), wide
    assert "注意力" in text_of(content)
    [content] = typeset(derive("llama-3-8b"), "pdf", language="zh", figure=True)
    known = ("NewCM", "DejaVuSansMono", chinese_font.replace(" ", "").replace("CJKSC", "CJKsc"))
    assert all(name.startswith(known) for name in fonts_of(content)), fonts_of(content)


# Of each room, from the usual to the closest, how many pages a sheet takes; the points at which its last page ends in the usual
# room and in each wider one; and the room that is chosen.
FITTING = [
    ([1, 1, 1, 1, 1, 1], [200], ROOMS[0]),
    ([3, 3, 3, 3, 3, 3], [600], ROOMS[0]),
    ([3, 2, 2, 2, 2, 2], [200], ROOMS[1]),
    ([3, 3, 3, 2, 2, 2], [200], ROOMS[3]),
    ([3, 3, 3, 3, 3, 3], [400, 450, 520, 600], WIDER[1]),
    ([3, 3, 3, 3, 3, 3], [100, 120, 140, 160], WIDER[2]),
]


def test_a_sheet_is_set_closer_where_that_saves_a_page_and_wider_where_its_last_page_is_nearly_empty() -> None:
    for pages, lasts, chosen_room in FITTING:
        ends = dict(zip(map(str, ROOMS), [Spot(page, 51.0, lasts[0]) for page in pages], strict=True))
        ends |= dict(zip(map(str, WIDER), [Spot(pages[0], 51.0, last) for last in lasts[1:]], strict=False))
        assert fitting(lambda room, ends=ends: ends[str(room)]) == chosen_room, pages
    flops = derive("llama-3-8b", quantity="forward_flops", b=1, s=1, t=8_191)
    for sheet, language, number in (("mixtral-8x7b", "en", 2), (flops, "zh", 1)):
        assert len(PdfReader(io.BytesIO(typeset(sheet, language=language)[0])).pages) == number


def test_the_columns_of_the_last_page_are_about_equally_long() -> None:
    left, right = 51.0, 306.0
    steps = {1: Spot(1, left, 700.0), 2: Spot(2, left, 40.0), 3: Spot(2, left, 300.0), 4: Spot(2, left, 500.0)}
    ends = [(Spot(2, left, 600.0), 3), (Spot(2, left, 700.0), 3), (Spot(2, right, 200.0), 4), (Spot(3, left, 90.0), None)]
    for end, begins_second in ends:
        assert second_column(steps, end) == begins_second, end


def test_a_figure_stands_on_the_page_of_the_answer() -> None:
    for label in ("eq", ""):
        [content] = typeset("bloom", "pdf", figure=True, label=label)
        text = re.sub(r"\s", "", PdfReader(io.BytesIO(content)).pages[0].extract_text())
        assert "LMhead" in text
        assert ("ThearchitectureofBLOOM." in text) is bool(label)
    assert typeset("bloom") == [content], "which has it by itself"


def test_typst_is_a_document_or_a_part_of_one() -> None:
    document, part = draw("gpt2", "typst"), draw("gpt2", "typst", standalone=False)
    assert document.startswith('#set document(title: "gpt2: 124,439,808 parameters")\n#set page(width: ')
    assert part.startswith("box(width: ")
    assert part.isascii()
