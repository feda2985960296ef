"""The pictures of plots: each text within the paper and none upon another, areas true to their shares, the same bytes twice."""

from __future__ import annotations

import csv
import re
import xml.etree.ElementTree as ET
from io import StringIO
from itertools import combinations
from shutil import which

import pytest
from matplotlib.text import Text
from matplotlib.transforms import Bbox

import symparams
from symparams.drawings.marks import Tint
from symparams.expressions.printing.latex import escape
from symparams.plots import picture, plot_of
from symparams.plots.figures.figure import figure_of, written
from symparams.plots.pictures import Tile
from symparams.plots.tiling import Place, squarified
from symparams.sheets.values import Prose
from tests.refusals import refusal

STRANGE = r"""a$b\c_d%e#f&g<h>i"j'k{}^~"""
pytestmark = pytest.mark.tex  # the letters of this machine are measured, Chinese ones too

CASES = {
    "memory": (("memory", "llama-2-7b", "llama-3-8b", "gemma-2-2b", "deepseek-v2-lite"), {"limits": ["24GB", "80GB"]}),
    "line": (("line", "llama-3-8b", "mistral-7b-v0.1", "gpt2"), {"quantity": "kv_cache", "over": "t=256..131072"}),
    "flat": (("memory", "mamba-130m"), {}),
    "one_size": (("line", "bloom-1b4-zh"), {"over": "L=10..24"}),
    "shares": (("shares", "llama-3-8b"), {}),
    "mixture": (("shares", "deepseek-v3"), {}),
    "treemap": (("treemap", "bert-base-uncased"), {}),
    "experts": (("treemap", "deepseek-v3"), {}),
    "some_experts": (("treemap", "qwen3-30b-a3b"), {}),
    "rule": (("rule",), {"families": ["bert", "gpt2", "llama", "mixtral"]}),
    "training": (("memory", "llama-3-8b"), {"quantity": "training_memory", "limits": ["80GB"]}),
    "training_wide": (("memory", "gpt2"), {"quantity": "training_memory", "over": "b=1..100000"}),
    "few_positions": (("memory", "gpt2", "gpt2-medium", "llama-3-8b"), {"limits": ["24GB", "25GB", "26GB"]}),
    "eight_alike": (("line", *[symparams.load("llama-3-8b", name=f"model-{i}") for i in range(8)]), {"quantity": "kv_cache"}),
    "names": (("memory", symparams.load("gpt2", name=STRANGE), symparams.load("gpt2", name="x" * 90)), {}),
    "title": (("treemap", symparams.load("llama-3-8b", name="一个名字很长的模型" * 5)), {}),
    "long_word": (("shares", symparams.load("llama-3-8b", name="long-" * 20)), {}),
    "many_tokens": (("line", "llama-3-8b"), {"quantity": "kv_cache", "over": "t=1..1000000000000000000"}),
    "many_layers": (("line", "llama-3-8b"), {"over": "L=1..1000000000"}),
    "two_towers": (("treemap", "clip-vit-base-patch32"), {}),
    "two_attentions": (("shares", "t5-small"), {"s_src": 128}),
    "near": (("memory", "jamba-v0.1"), {}),
    "one_dot": (("rule", symparams.load("gpt2", name="$x_1$ 模型")), {}),
}  # fmt: skip
SVG = "{http://www.w3.org/2000/svg}"
POINT = 72 / 100  # of a pixel of the figures, which have 100 in an inch


@pytest.fixture(scope="module", params=[(name, language) for name in CASES for language in ("en", "zh")], ids="-".join)
def drawn(request):
    name, language = request.param
    named, options = CASES[name]
    return figure_of(plot_of(*named, **options), language=language)


def texts(figure):
    """Each text that is seen, with its box in points."""
    renderer = figure.canvas.get_renderer()
    found = [*figure.texts]
    for axes in figure.axes:
        labels = [*axes.get_xticklabels(), *axes.get_yticklabels(), axes.xaxis.label, axes.yaxis.label]
        found += [*axes.texts, *(labels if axes.axison else [])]
    found += [text for legend in figure.legends for text in legend.get_texts()]
    return [
        (text.get_text(), Text.get_window_extent(text, renderer))
        for text in found
        if text.get_text().strip() and text.get_visible()
    ]


def test_no_text_leaves_the_paper_or_lies_upon_another(drawn):
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    FigureCanvasAgg(drawn).draw()
    wide, high = drawn.get_size_inches() * drawn.dpi
    boxes = texts(drawn)
    for text, box in boxes:
        assert min(box.x0, box.y0, wide - box.x1, high - box.y1) >= -1.5, text
    for (one, a), (other, b) in combinations(boxes, 2):
        across, down = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        assert min(across, down) * POINT < 2.2, (one, other)  # of the height of a line, above and below its letters


def test_an_svg_is_told_and_the_same_twice(drawn):
    svg = written(drawn, "svg").decode()
    root = ET.fromstring(svg)  # noqa: S314 - our own
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title").text
    assert all(fact in root.find(f"{SVG}desc").text for fact in map(drawn.lettering.text, drawn.plot.facts))
    assert "prefers-color-scheme:dark" in svg
    assert "<script" not in svg
    assert "http" not in svg.replace("http://www.w3.org", "")
    again = figure_of(drawn.plot, language=drawn.lettering.language)
    assert written(again, "svg").decode() == svg


def test_an_svg_names_the_fonts_of_readers_not_those_of_this_machine():
    svg = symparams.plot("shares", "llama-3-8b")._repr_svg_()
    lists = set(re.findall(r"font(?:-family)?: ([^;\"]*)", svg))
    assert len(lists) == 2
    assert {fonts.rpartition(", ")[2] for fonts in lists} == {"sans-serif", "serif"}


def test_no_sign_of_a_picture_lacks_in_its_fonts(drawn, caplog):
    written(drawn, "svg")
    written(figure_of(drawn.plot, language=drawn.lettering.language), "png")
    assert "does not have a glyph" not in caplog.text


def test_the_line_beneath_a_title_keeps_its_letters():
    plot = plot_of("line", "gpt2", quantity="kv_cache")
    for language in ("en", "zh"):
        svg = written(figure_of(plot, language=language), "svg").decode()
        assert "B = 1" not in svg


def test_no_card_hides_a_name_of_an_area():
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = symparams.plot("treemap", "t5-small")
    FigureCanvasAgg(figure).draw()
    texts_ = figure.axes[0].texts
    cards = [text.get_bbox_patch().get_window_extent() for text in texts_ if text.get_bbox_patch()]
    names = [text.get_window_extent() for text in texts_ if not text.get_bbox_patch()]
    crossed = [Bbox.intersection(card, name) for card in cards for name in names]
    assert len(cards) == 2
    assert all(box is None or min(box.width, box.height) * POINT < 2.2 for box in crossed)


def test_a_total_that_is_something_is_not_written_as_nothing():
    figure = symparams.plot("memory", "gpt2", quantity="training_memory", over="b=1..100000")
    assert "0" not in [text.get_text() for text in figure.axes[0].texts]


@pytest.mark.skipif(which("pdflatex") is None or which("xelatex") is None, reason="PGF is measured by TeX")
@pytest.mark.parametrize("name", [STRANGE, r"\input{/etc/passwd}", "模型一号 $x_1$"])
def test_a_name_is_no_tex_in_pgf(name):
    figure = symparams.plot("line", symparams.load("gpt2", name=name), quantity="kv_cache")
    before = [text.get_text() for text in figure.axes[0].texts]
    pgf = written(figure, "pgf").decode()
    assert escape(name).replace(r"\$", r"\textdollar{}") in pgf
    assert r"\input{/" not in pgf
    assert [text.get_text() for text in figure.axes[0].texts] == before


def rows_of(plot):
    """The CSV of a plot by its rows."""
    return list(csv.DictReader(StringIO(symparams.render(plot, "csv"))))


def marked(figure, what="series"):
    """What is marked in a figure, each with its name."""
    found = [artist for artist in figure.findobj() if str(artist.get_gid() or "").startswith(f"{what} ")]
    svg = figure._repr_svg_()
    assert len(found) == len(re.findall(f"data-{what}=", svg)) > 0
    return [(artist.get_gid().removeprefix(f"{what} "), artist) for artist in found]


@pytest.mark.parametrize("name", ["memory", "line", "flat", "few_positions"])
def test_the_points_of_a_line_are_those_of_the_csv(name):
    named, options = CASES[name]
    figure = symparams.plot(*named, **options)
    curves = {model: list(zip(line.get_xdata(), line.get_ydata(), strict=True)) for model, line in marked(figure)}
    letter, value = figure.plot.columns[1], figure.plot.columns[-1]
    for model in named[1:]:
        name_ = getattr(model, "name", model)
        assert curves[name_] == [(float(r[letter]), float(r[value])) for r in rows_of(figure.plot) if r["model"] == name_]


@pytest.mark.parametrize("name", ["shares", "mixture"])
def test_the_edges_of_areas_are_the_shares_of_the_csv(name):
    named, options = CASES[name]
    figure = symparams.plot(*named, **options)
    _, *parts, total = figure.plot.columns
    for row in rows_of(figure.plot):
        x, below = int(row["s"]), 0
        for part, (_, area) in zip(parts, marked(figure), strict=True):
            ys = [y for at, y in area.get_paths()[0].vertices if at == x]
            above = below + int(row[part])
            assert (min(ys), max(ys)) == pytest.approx((below / int(row[total]), above / int(row[total]))), (x, part)
            below = above


def test_the_bars_of_training_are_those_of_the_csv():
    named, options = CASES["training"]
    figure = symparams.plot(*named, **options)
    heights = [bar.get_height() for _, bar in marked(figure)]
    parts = figure.plot.columns[2:-1]
    assert heights == [float(row[part]) for row in rows_of(figure.plot) for part in parts]


@pytest.mark.parametrize("name", ["bert-base-uncased", "deepseek-v3", "qwen3-30b-a3b", "t5-small", "llama-3-8b"])
def test_the_tiles_of_a_treemap_are_the_parameters_of_the_csv(name):
    figure = symparams.plot("treemap", name)
    tiles = [(int(told.rpartition(" ")[2]), tile.get_width() * tile.get_height()) for told, tile in marked(figure)]
    rows, whole = [int(row["parameters"]) for row in rows_of(figure.plot)], sum(area for _, area in tiles)
    assert sum(count for count, _ in tiles) == sum(rows) == symparams.load(name).count()
    assert all(area / whole == pytest.approx(count / sum(rows), abs=1e-6) for count, area in tiles)
    if not symparams.load(name).has_experts:  # whose matrices are one area, and what is small together
        assert sorted(count for count, _ in tiles) == sorted(rows)


def test_the_dots_of_the_rule_are_those_of_the_csv():
    figure = symparams.plot("rule", families=["bert", "gpt2", "mixtral"])
    dots = [(told, int(mark.get_xdata()[0]), float(mark.get_ydata()[0])) for told, mark in marked(figure, "mark")]
    rows = rows_of(figure.plot)
    ratios, counts = dots[: len(rows)], dots[len(rows) :]
    assert counts == [(row["model"], int(row["twelve_L_h2"]), float(row["N"])) for row in rows]
    assert [ratio for *_, ratio in ratios] == pytest.approx([float(row["ratio"]) for row in rows], abs=1e-6)


def test_a_legend_tells_only_what_is_drawn():
    for names, keys in (
        (["gpt2"], ["dense"]),
        (["gpt2", "mixtral-8x7b"], ["dense", "mixture of experts, all experts counted"]),
    ):
        [legend] = symparams.plot("rule", *names).legends
        assert [text.get_text() for text in legend.get_texts()] == keys


@pytest.mark.parametrize("counts", [[1], [5, 3, 2], [100, 1, 1, 1], [7] * 9])
def test_tiles_fill_their_place_each_by_its_count(counts):
    place = Place(0, 0, 236, 122)
    tiles = [Tile(Prose(str(i)), count, Tint.PLAIN) for i, count in enumerate(counts)]
    found = list(squarified(tiles, place))
    assert [tile.count for tile, _ in found] == counts
    for tile, at in found:
        assert at.width * at.height == pytest.approx(236 * 122 * tile.count / sum(counts))
        assert min(at.x, at.y, 236 - at.x - at.width, 122 - at.y - at.height) >= -1e-9


@pytest.mark.parametrize(("kind", "begins"), [("svg", b"<svg"), ("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_files(kind, begins):
    made = plot_of("shares", "llama-3-8b")
    assert picture(made, kind).startswith(begins)
    assert picture(made, kind) == picture(made, kind)


def test_a_figure_is_matplotlibs_with_its_points():
    figure = symparams.plot(
        "line", "gpt2", quantity="kv_cache", over="t=1..1024", language="zh", theme="dark", with_title=False
    )
    assert dict(figure.points[0]) == {"model": "gpt2", "t": 1, "value": 36_864}
    assert figure.get_facecolor()[:3] == pytest.approx((0x11 / 255, 0x15 / 255, 0x1A / 255), abs=0.01)
    assert "prefers-color-scheme" not in figure._repr_svg_()


def test_without_matplotlib_the_numbers_are_still_there(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for name in [name for name in sys.modules if name.startswith("symparams.plots.figures")]:
        monkeypatch.delitem(sys.modules, name)
    assert refusal(symparams.plot, "shares", "gpt2").startswith("A plot is drawn by matplotlib, which is not installed: pip")
    assert "28,628" in symparams.render(plot_of("shares", "llama-3-8b"))
