"""A model drawn on its sheet: in TikZ where TeX sets it, as SVG elsewhere, and a line that says why where it has no place."""

from __future__ import annotations

import re
from itertools import pairwise, product

import pytest

from symparams import compare, derive, draw, load, render, worksheet
from symparams.drawings.badges import BADGE
from symparams.drawings.marks import Box, Pill, Wire
from symparams.errors import OptionError, SymparamsError
from symparams.formats.figure import drawn_on, has_place
from symparams.formats.rendering import preamble
from symparams.sheets.document import Item
from symparams.sheets.whole import whole

from .conftest import EVERY_FAMILY, derivation

LINE = 0.5  # points, of the line around a badge
NEEDED = "\\usepackage{tikz}\n\\usetikzlibrary{arrows.meta}\n"


def test_a_document_of_latex_has_what_its_picture_needs() -> None:
    sheet = render("gpt2", "latex", figure=True)
    assert sheet.index(NEEDED) < sheet.index("\\begin{document}") < sheet.index("\\begin{tikzpicture}")
    assert "tikz" not in render("gpt2", "latex")


def test_the_dimensions_stand_beside_a_picture_that_leaves_them_room():
    for target, beside in (("gpt2", ["Dimensions", "Embeddings"]), ("jamba-v0.1", [])):
        before = render(target, "latex", figure=True).partition("\\begin{tikzpicture}")[0]
        assert re.findall(r"\\section\*\{(.*?)\}", before.partition("\\begin{minipage}")[2]) == beside, target


def test_labels_give_the_figure_a_caption():
    for columns, standalone in product((1, 2), (True, False)):
        sheet = render("bert", "latex", figure=True, columns=columns, standalone=standalone, label="eq:bert")
        assert sheet.count("\\caption{The architecture of BERT.}\\label{eq:bert:figure}") == 1
        assert ("\\ref{eq:bert:figure}" in sheet) is not standalone
        # No float stands between the columns of multicol.
        assert ("\\begin{figure}" in sheet) is (not standalone or columns == 1)
    sheet = render(load("gpt2", L=3), "latex", figure=True, standalone=False, label="gpt")
    assert r"\caption{The architecture of gpt2 with ${L = 3}$.}" in sheet


def test_a_fragment_tells_its_preamble(cli):
    fragment = render("gpt2", "latex", figure=True, standalone=False, language="zh")
    assert not re.search(r"^\s*\\(usepackage|usetikzlibrary)", fragment, re.MULTILINE)
    assert preamble("zh", figure=True) == preamble("zh") + NEEDED
    assert cli("derive gpt2 --latex --preamble --figure").out == preamble("en") + NEEDED


def test_pandoc_takes_it_for_html() -> None:
    sheet = render("gpt2", "markdown", figure=True)
    [drawn] = re.findall(r"^```\{=html\}\n<figure>\n(.*?)\n</figure>\n```$", sheet, re.DOTALL | re.MULTILINE)
    assert drawn.startswith("<svg ")
    assert drawn.endswith("</svg>")
    assert "124,439,808 parameters" in drawn


def test_in_a_paper_of_typst_a_figure_floats_as_in_latex_and_no_file_is_read():
    fragment = render("gpt2", "typst", figure=True, label="eq", standalone=False)
    assert "#figure(\n  placement: auto,\n  caption: [The architecture of gpt2.],\n" in fragment
    assert "placement" not in render("gpt2", "typst", figure=True, label="eq")
    sheet = render("mixtral", "typst", figure=True, language="zh")
    assert re.findall(r"\bimage\((.{12})", sheet[sheet.index("box(width:") :]) == ['bytes("<svg ']
    assert "read(" not in sheet


def test_a_figure_shows_what_is_chosen(cli):
    plain = render("gpt2", "latex", figure=True)
    chosen = {"labels": "count", "numbers": "short", "detail": "blocks", "with_legend": False}
    sheet = render("gpt2", "latex", figure=chosen)
    drawn = draw("gpt2", "tikz", with_title=False, standalone=False, theme="light", **chosen)
    assert drawn[drawn.index("\\begin{tikzpicture}") : drawn.index("\\end{tikzpicture}")] in sheet
    line = "derive gpt2 --latex --figure"
    assert cli(f"{line} --labels count --numbers short --detail blocks --no-legend").out == sheet != plain
    assert cli(line).out == plain == render("gpt2", "latex", figure={})
    assert render("gpt2", "latex", figure=False) == render("gpt2", "latex")
    assert render("gpt2", "latex", with_figure=True) == cli("derive gpt2 --latex --with-figure").out == plain  # names of old


MISTAKES = {
    "--markdown --flavor github --figure": "draw TARGET -o model.svg, and link it, ![](model.svg).",
    "--latex --only shares --figure": "A single section has no figure: leave out --only 'shares' or --figure.",
    "--latex --brief --figure": "A brief is one page: leave out --brief or --figure.",
    "--latex --quantity kv_cache --figure":
        "A figure shows parameters: leave out --figure or --quantity 'kv_cache'.",
    "--latex --labels none": "--labels changes only the figure of a sheet: leave out --labels, or add --figure.",
    "--latex --no-legend": "--no-legend changes only the figure of a sheet: leave out --no-legend, or add --figure.",
    "--json --labels none":
        "--labels is for a figure, which --json does not have: leave out --labels, or choose one of "
        "--latex, --markdown, --pdf, --png, --typst.",
    "--no-legend":
        "--no-legend is for a figure, which --text does not have: leave out --no-legend, or choose one of "
        "--latex, --markdown, --pdf, --png, --typst.",
    "--markdown --flavor github --labels none":
        "--labels is for a figure, which --flavor github does not have: leave out "
        "--labels, or choose one of --latex, --markdown, --pdf, --png, --typst.",
    "--figure --labels x --latex": "Unknown labels 'x'. Known: both, formula, count, none.",
    "--figure --latex --preamble --labels none":
        "A preamble is the same for every figure: leave out --labels or --preamble.",
    "--latex --preamble --no-legend": "A preamble is the same for every figure: leave out --no-legend or --preamble.",
    "--figure --latex --symbolic --numbers short":
        "gpt2 without values has no counts, so numbers 'short' would show nothing: give values, or leave out numbers.",
    "--html --labels none": "The HTML page computes a model part by part: leave out --labels.",
}  # fmt: skip


def test_where_a_figure_has_no_place_a_line_says_so(mistake):
    for options, error in MISTAKES.items():
        assert error in mistake(f"derive gpt2 {options}"), options


# What Python is told: an answer, its format, what is asked for.
REFUSED = [
    ("gpt2", "latex", {"bars": True}, "A figure has no 'bars'. Known: labels, numbers, detail, layout, with_legend."),
    (compare("gpt2", "bloom-560m"), "latex", True, "figure shows one model"),
    (worksheet("gpt2"), "latex", True, "figure shows one model"),
    (derive("gpt2", quantity="all"), "latex", True, "figure shows one model"),
    *(("gpt2", "latex", given, f"figure = '{given}' is neither True nor False nor a mapping of options: ")
      for given in ("labels", "", 1, None, ["labels"])),
]  # fmt: skip


def test_python_is_told_the_same():
    for answer, form, given, error in REFUSED:
        with pytest.raises(OptionError, match=re.escape(error)):
            render(answer, form, figure=given)
    with pytest.raises(SymparamsError, match=r"has no input 'figure': .* or give it to render"):
        derive("gpt2", figure=True)


def test_a_box_has_the_number_of_the_step_that_is_about_it():
    for target, number in [
        ("gpt2", {"embeddings.token_embedding": 1, "decoder.attention": 3, "decoder.attention_norm": 5, "lm_head": 7}),
        ("deepseek-v3", {"decoder.dense_layers.attention": 2, "decoder.moe_layers.attention": 2, "lm_head": 9}),
    ]:
        document = drawn_on(whole(derive(target)), {"figure": True})
        figure, *blocks = [block for section in document.sections for block in section.blocks]
        numbers = [block.number for block in blocks if isinstance(block, Item) and block.number]
        assert numbers == list(range(1, len(numbers) + 1)), target
        boxes = {mark.part: (mark.place.x, mark.place.y) for mark in figure.drawing.marks if isinstance(mark, Box)}
        pills = [mark for mark in figure.drawing.marks if isinstance(mark, Pill)]
        badges = {(pill.lines[0].pieces[0].value, pill.place.middle, pill.place.y + pill.place.height / 2) for pill in pills}
        assert [part for part, count in number.items() if (str(count), *boxes[part]) not in badges] == [], target


@pytest.mark.parametrize(("target", "number"), [("deepseek-v3", 5), ("mixtral-8x7b", 3), ("jamba-v0.1", 4)])
def test_the_box_of_the_experts_alone_has_the_number_of_their_step(target, number):
    document = drawn_on(whole(derive(target)), {"figure": True})
    figure, *blocks = [block for section in document.sections for block in section.blocks]
    [item] = [block for block in blocks if isinstance(block, Item) and block.number == number]
    mixture, experts = [mark for mark in figure.drawing.marks if isinstance(mark, Box) and mark.part.endswith(".experts")]
    titles = [mark.title.partition(":")[0] for mark in (mixture, experts)]
    assert (item.name.key, titles) == ("all_experts", ["Mixture of experts", "Routed experts"])
    pills = [mark for mark in figure.drawing.marks if isinstance(mark, Pill)]
    [badge] = [pill.place for pill in pills if pill.lines[0].pieces[0].value == str(number) and pill.place.width == BADGE]
    assert abs(badge.middle - experts.place.x) <= BADGE


CROWDED = (
    "clip-vit-base-patch32", "bert-base-uncased", "mixtral-8x7b", "gpt-j-6b", "mbart", "deepseek-v3", "jamba-v0.1", "deit",
)  # fmt: skip


@pytest.mark.parametrize("targets", [CROWDED, pytest.param(EVERY_FAMILY, marks=pytest.mark.sweep)], ids=["few", "all"])
def test_no_badge_is_cut_at_the_edge(targets):
    for target in targets:
        document = whole(derivation(target))
        if not has_place(document, {}):
            continue
        [figure] = drawn_on(document, {"figure": True}).sections[0].blocks
        drawing, numbers = figure.drawing, [mark for mark in figure.drawing.marks if isinstance(mark, Pill)]
        cut = [
            mark.lines[0].pieces[0].value
            for mark in numbers
            if min(mark.place.x, mark.place.y, drawing.width - mark.place.right, drawing.height - mark.place.bottom) < LINE
        ]
        assert cut == [], target


@pytest.mark.parametrize("target", CROWDED)
def test_no_badge_lies_over_another_box_or_upon_a_wire(target):
    """CLIP's class token stands close below its positions; a router's weights pass its left edge."""
    [figure] = drawn_on(whole(derivation(target)), {"figure": True}).sections[0].blocks
    marks = figure.drawing.marks
    numbers = [mark for mark in marks if isinstance(mark, Pill) and mark.place.width == BADGE]
    boxes = [mark for mark in marks if isinstance(mark, Box)]
    ways = [piece for mark in marks if isinstance(mark, Wire) for piece in pairwise(mark.points)]
    assert numbers
    for number in numbers:
        place = number.place
        over = [
            box.part
            for box in boxes
            if box.place.x < place.right
            and place.x < box.place.right
            and box.place.y < place.bottom
            and place.y < box.place.bottom
        ]
        assert len(over) == 1, (number.lines[0].pieces[0].value, over)
        upon = [
            way
            for way in ways
            if min(x for x, _ in way) < place.right
            and max(x for x, _ in way) > place.x
            and min(y for _, y in way) < place.bottom
            and max(y for _, y in way) > place.y
        ]
        assert upon == [], (number.lines[0].pieces[0].value, upon)


def test_a_page_of_a_browser_hides_its_drawing_where_that_is_left_out():
    for shown, rest in ((True, ">"), (False, " hidden>")):
        assert f'<div id="picture"{rest}' in render("mamba", "html", figure=shown)
