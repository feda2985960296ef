r"""TikZ of a drawing: what stands in the file, and that TeX sets it, by itself, in one and two columns and on a slide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from symparams import compare, derive, draw
from symparams.drawings.architecture import architecture
from symparams.drawings.marks import Box, Cells, Drawing, Face, Mark, Operation, Rectangle, Stroke, Text, TextPiece, Tint, Wire
from symparams.expressions.nodes import Dimension, Number, Product, Size
from symparams.expressions.notation import NOTATIONS
from symparams.expressions.printing.latex import reached
from symparams.expressions.symbols import L, d_ff, h, n_kv_heads
from symparams.formats import find
from symparams.formats.format import Look
from symparams.formats.tikz.lines import TikzLines
from symparams.sheets.catalogue import catalogue

from .conftest import Compile, complaints
from .test_svg import GPT2, HOSTILE, read, said

DRAWN = ("gpt2", "deepseek-v3", "t5-small", "whisper-tiny", "vit-base-patch16-224", "mamba-130m")
SHOWN = ({}, {"detail": "blocks", "labels": "formula"}, {"bars": True}, {"theme": "dark", "numbers": "short"})


def tikz(drawing: Drawing, look: Look = Look()) -> str:  # noqa: B008 - a frozen record
    write = find("tikz").draw
    assert write is not None
    return write(drawing, look)


def lines(*marks: Mark, **drawing: object) -> list[str]:
    """The lines that draw these marks."""
    picture = Drawing("mine", "mine", "", "en", 240, 100, marks, NOTATIONS["hidden"])
    found = tikz(replace(picture, **drawing)).splitlines()
    return found[next(i for i, line in enumerate(found) if "idle/.style" in line) + 1 : found.index(r"\end{tikzpicture}%")]


def set_as(*pieces: TextPiece, **drawing: object) -> str:
    """What TeX is given for a line of text."""
    [line] = lines(Text(10, 20, pieces), **drawing)
    return line.removeprefix(r"\node[line] at (10,20) {").removesuffix("};")


def test_text_is_set_by_tex_and_chinese_where_the_language_has_its_fonts():
    for piece, tex in [
        (TextPiece("Output", Face.NAME), r"{\drawnname Output}"),
        (TextPiece(" = 1,536", Face.COUNT), r"\ = 1,536"),
        (TextPiece("12 × 3 ≈ 36", Face.COUNT), r"12 $\times$ 3 $\approx$ 36"),
        (TextPiece(h * d_ff, Face.FORMULA), r"$h \times d_{\mathsf{ff}}$"),
        (TextPiece(Size(Product((Number(2), L, h, n_kv_heads))), Face.FORMULA), r"$2Lh\,n_{\mathsf{kv\ heads}}$"),
        (TextPiece(Number(12) * Number(7_087_872), Face.COUNT), r"12 $\times$ 7,087,872"),
        (TextPiece(Dimension("lambda") ** 2, Face.FORMULA), r"$\lambda^{2}$"),
        (TextPiece("a_b & 100% #1 ~ ^ \\input{x} {", Face.PILL),
         r"a\_b \& 100\% \#1 \textasciitilde{} \textasciicircum{} \textbackslash{}input\{x\} \{"),
        (TextPiece("模型 \u202e", Face.PILL), "U+6A21 U+578B U+FFFD"),
    ]:  # fmt: skip
        assert set_as(piece) == tex
    assert set_as(TextPiece("模型", Face.PILL), language="zh") == "模型"


def test_a_part_is_a_node_with_its_name_and_what_is_said_of_it() -> None:
    box = Box(Rectangle(24, 100, 96, 21), Tint.ATTENTION, (), "layers.attention", "attention: 4h² = 16")
    size = "minimum width=96pt, minimum height=21pt"
    assert lines(box, replace(box, title="", part="layers.attention")) == [
        rf"\node[attention box, {size}] (layers-attention) at (72,110.5) {{}}; % attention: 4h² = 16".replace("²", "U+00B2"),
        rf"\node[attention box, {size}] (layers-attention-2) at (72,110.5) {{}};",
    ]


def test_wires_operations_and_cells() -> None:
    assert lines(
        Wire(((10, 90), (30, 90), (30, 20)), Stroke.TIED, dot=True),
        Wire(((0, 9), (9, 9), (9, 5)), arrow=False),
        Operation(5, 5, "×"),
        Cells(0, 0, 1.5, 0.5, 2, 3, frozenset({2})),
    ) == [
        r"\fill[wire] (10,90) circle[radius=1.1pt];",
        r"\draw[tied, tip] (10,90) -- (30,90) -- (30,20);",
        r"\draw[flow] (0,9) -- (9,9) -- (9,5);",
        r"\node[operation, times sign] at (5,5) {};",
        r"\fill[idle] (0,0) rectangle +(1.5,1.5) (2,0) rectangle +(1.5,1.5);",
        r"\fill[active] (0,2) rectangle +(1.5,1.5);",
    ]


def test_a_document_is_whole_and_a_fragment_says_what_it_needs_and_no_parameter_stands_in_either():
    whole, fragment = tikz(GPT2), tikz(GPT2, Look(standalone=False))
    assert r"\documentclass{article}" in whole
    assert "documentclass" not in fragment
    assert r"% Needs \usepackage{tikz} and \usetikzlibrary{arrows.meta}." in fragment
    assert r"\usepackage[fontset=fandol]{ctex}" in tikz(replace(GPT2, language="zh"))
    assert "and ctex with xelatex" in tikz(replace(GPT2, language="zh"), Look(standalone=False))
    # In the body of a frame of a slide no parameter, a #, may stand.
    assert "#" not in tikz(replace(GPT2, title="x"))
    engine, first = catalogue("zh").head["latex.engines"], catalogue("zh").head["latex.first"]
    assert "\n".join([f"% {engine}", *first, "\\documentclass"]) in draw("gpt2", "tikz", language="zh")
    assert "XeTeX" not in draw("gpt2", "tikz") + draw("gpt2", "tikz", language="zh", standalone=False)


def test_both_formats_tell_the_same_numbers() -> None:
    def numbers(text: str) -> list[str]:
        return re.findall(r"\d+(?:,\d{3})+", text)

    for model in DRAWN:
        of_svg = [number for text in said(read(draw(model))) for number in numbers(text)]
        nodes = [line for line in draw(model, "tikz").splitlines() if line.startswith(r"\node[line")]
        assert [number for line in nodes for number in numbers(line.partition(" {")[2])] == of_svg, model
        assert of_svg


def hostile() -> Drawing:
    box = Box(Rectangle(0, 0, 600, 9), Tint.HEAD, (Text(300, 5, (TextPiece(HOSTILE, Face.NAME),)),), HOSTILE, HOSTILE)
    return replace(GPT2, name=HOSTILE, title=HOSTILE, description=HOSTILE + "\n^^M\\evil", marks=(box,), width=600)


def pictures(language: str) -> Iterator[str]:
    """Yield fragments: drawings whole, in blocks, as bars, in another theme, side by side; one with hostile names."""
    for target, shown in [*product(DRAWN[:2], SHOWN), *product(DRAWN[2:], SHOWN[:1])]:
        yield draw(target, "tikz", language=language, standalone=False, **shown)
    yield draw(compare("gpt2", "llama-3-8b"), "tikz", language=language, standalone=False, side_by_side=True)
    yield tikz(replace(hostile(), language=language), Look(standalone=False))


PAGES = {
    "one column": (r"\documentclass{article}", "\\noindent\n%s\n\\clearpage\n"),
    "two columns": (r"\documentclass[twocolumn]{article}", "\\begin{figure}%s\\end{figure}\\clearpage\n"),
    "a slide": (r"\documentclass{beamer}", "\\begin{frame}\\centering\n%s\n\\end{frame}\n"),
}


@pytest.mark.parametrize(("page", "language"), [*product(PAGES, ["en"]), ("two columns", "zh")])
def test_it_compiles_on_each_page(page: str, language: str, compile_document: Compile) -> None:
    start, frame = PAGES[page]
    preamble = "\n".join(catalogue(language).head["latex.fonts"] + catalogue(language).head["latex.preamble"])
    body = "".join(f"\\typeout{{FRAGMENT {i}}}\n" + frame % picture for i, picture in enumerate(pictures(language)))
    needs = r"\usepackage{tikz}\usetikzlibrary{arrows.meta}"
    source = "\n".join([start, preamble, needs, r"\begin{document}", body, r"\end{document}"])
    code, log = compile_document(language, source)
    assert (code, list(complaints(log))) == (0, [])


def test_a_document_is_as_large_as_its_picture(compile_document: Compile) -> None:
    for language, source in [
        ("en", draw("gpt2", "tikz")),
        ("zh", draw("t5-small", "tikz", language="zh")),
        ("en", tikz(hostile())),
    ]:
        code, log = compile_document(language, source)
        assert (code, list(complaints(log))) == (0, [])
        assert "(1 page" in log.replace("\n", "")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_in_tex_no_text_leaves_its_box(language: str, compile_document: Compile) -> None:
    boxes, source = [], []
    long_names = () if language == "zh" else ("gpt_neox", "clip", "gemma2", "deberta-v3-base")
    for model, notation in [*product(DRAWN, ["hidden"]), *product(long_names, ["hf"])]:
        drawing = architecture(derive(model), language, notation=notation)
        lettered = TikzLines(drawing)
        for mark in drawing.marks:
            for text in getattr(mark, "lines", ()):
                boxes.append((model, mark.place.width / text.scale, text))
                source.append(reached("".join(map(lettered.piece, text.pieces)), catalogue(language).head))
    frame = tikz(replace(GPT2, marks=(), language=language)).split(r"\end{tikzpicture}")
    measured = "".join(f"\\setbox0=\\hbox{{{line}}}\\typeout{{WIDTH \\the\\wd0}}\n" for line in source)
    text = r"\font\nullfont=cmr10 \sffamily\fontsize{7}{8.4}\selectfont "
    code, log = compile_document(
        language, f"{frame[0]}\\pgfinterruptpicture {text}\n{measured}\\endpgfinterruptpicture\\end{{tikzpicture}}{frame[1]}"
    )
    widths = [float(width) for width in re.findall(r"^WIDTH ([\d.]+)pt", log, re.MULTILINE)]
    assert (code, len(widths)) == (0, len(boxes))
    assert [(*box, width) for box, width in zip(boxes, widths, strict=True) if width > box[1] - 1] == []
