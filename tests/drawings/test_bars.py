"""Bars: where the parameters of a model are, and of several models to one scale: every number a step, every length a share."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest

from symparams import compare, derive, draw, load, published_models, typeset_drawing
from symparams.drawings.bars import bar
from symparams.drawings.bars.of_models import bars, ticks
from symparams.drawings.bars.portions import portions
from symparams.drawings.context import DrawingContext
from symparams.drawings.marks import Segment, Text
from symparams.errors import SymparamsError
from symparams.expressions.nodes import Expression
from symparams.sheets.catalogue import languages
from tests.sweeps import FEW


def context(model, language="en"):
    return DrawingContext(derive(model), language)


def segments(drawing):
    return [mark for mark in drawing.marks if isinstance(mark, Segment) and mark.title]


def texts(drawing):
    return [text for mark in drawing.marks for text in ([mark] if isinstance(mark, Text) else getattr(mark, "lines", ()))]


def words(drawing):
    return ["".join(str(piece.value) for piece in text.pieces) for text in texts(drawing)]


def ends(drawing):
    """Where each bar ends, from above."""
    rows = sorted({segment.place.y for segment in segments(drawing)})
    return [max(segment.place.right for segment in segments(drawing) if segment.place.y == row) for row in rows]


def test_a_component_has_the_colour_of_what_it_is_for() -> None:
    assert [(portion.name, portion.tint.value, portion.count) for portion in portions(load("llama-3-8b"))] == [
        ("token_embedding", "embedding", 525_336_576),
        ("attention", "attention", 1_342_177_280),
        ("feed_forward", "feed_forward", 5_637_144_576),
        ("rms_norms", "norm", 266_240),
        ("lm_head", "head", 525_336_576),
    ]
    for model, tints in (
        ("bert-base-uncased", {"pooler": "head", "segment_embedding": "embedding"}),
        ("vit-base-patch16-224", {"patch_embedding": "embedding", "class_token": "embedding", "classifier": "head"}),
        ("deepseek-v3", {"all_experts": "feed_forward", "shared_experts": "feed_forward"}),
        ("t5-small", {"cross_attention": "attention", "position_bias": "embedding"}),
        ("mamba-130m", {"state_space": "attention"}),
    ):
        found = {portion.name: portion.tint.value for portion in portions(load(model))}
        assert {name: found[name] for name in tints} == tints


def test_a_bar_is_as_long_as_its_shares_and_says_what_it_has_room_for() -> None:
    drawing = bar(context("llama-3-8b"))
    shares = [portion.part for portion in portions(load("llama-3-8b"))]
    assert sum(shares) == 1
    lengths = [segment.place.width for segment in segments(drawing)]
    assert [segment.tint.value for segment in segments(drawing)] == ["embedding", "attention", "feed_forward", "head"]
    seen = [share for share in shares if share * 235 > Fraction(3, 10)]  # norms are less
    assert lengths == pytest.approx([float(share) * (235.2 - 0.8 * 3) for share in seen])
    assert ends(drawing) == pytest.approx([2.4 + 235.2], abs=0.1)
    texts = {"6.5", "16.7%", "Feed-forward network  70.2%", "266,240", "< 0.01%", "8,030,261,248 parameters"}
    assert texts <= set(words(drawing))
    drawing, without = bar(context("gpt2")), bar(context("gpt2"), with_title=False)
    assert (drawing.height - without.height, "gpt2" in words(without)) == (10, False)
    assert drawing.title == "Where the parameters of gpt2 are: 124,439,808"
    assert "Position embedding 786,432 (0.63%), Attention 28,348,416 (22.78%)" in drawing.description


def test_a_bar_says_what_its_rows_and_components_are():
    for model, has_equal, lines in (("gpt2", True, 5), ("mamba-130m", False, 4), ("t5-small", True, 6)):
        drawing = bar(context(model))
        found = [text for text in texts(drawing) if any(isinstance(piece.value, Expression) for piece in text.pieces)]
        assert (len(found), {text.anchor.value for text in found}) == (lines, {"end" if has_equal else "start"})
        counts = [portion.count for portion in portions(load(model))]
        assert {f"= {count:,}" if has_equal else f"{count:,}" for count in counts} <= set(words(drawing))
    drawing = bars([context("gpt2"), context("gpt2-xl"), context("bloom-3b")])
    assert {"Embeddings 31.6%", "Attention 22.8%", "Feed-forward 45.5%", "31.6%", "63.1%"} <= set(words(drawing))
    places = [mark.place for mark in drawing.marks if isinstance(mark, Segment) and not mark.title]
    assert len({place.y for place in places}) == 3, "two rows of shares, and the legend"
    assert all(place.right <= drawing.width for place in places)


def test_bars_of_models_that_are_changed_or_have_long_names():
    changed = load("gpt2", L=2)
    assert bar(context(changed)).title == "Where the parameters of gpt2 with L = 2 are: 53,561,088"
    assert bar(context(changed)).description.startswith("gpt2 with L = 2: 53,561,088; ")
    assert bars([context(changed), context("gpt2")]).title == "Where the parameters are, to one scale: gpt2 with L = 2, gpt2"
    assert {"gpt2 with L = 2", "gpt2"} <= set(words(bars([context(changed), context("gpt2")])))
    assert draw(changed, "text").startswith("gpt2 with L = 2  53,561,088 parameters\n")
    assert draw(changed, "tikz").startswith("% gpt2 with L = 2: 53,561,088 parameters\n")
    gpt2 = load("gpt2")
    model = replace(gpt2, origin=replace(gpt2.origin, name="a-model-whose-name-is-much-longer-than-names-are"))
    for drawing in (bar(context(model)), bars([context(model), context("gpt2")])):
        name, count = [mark for mark in drawing.marks if isinstance(mark, Text)][:2]
        assert context(model).measure(name.pieces) * name.scale + context(model).measure(count.pieces) < 236
        assert str(name.pieces[0].value).startswith("a-model-whose-name-is")


def test_bars_stand_to_one_scale_under_one_another_or_are_each_as_long() -> None:
    models = ["bert-base-uncased", "gpt2", "bloom-560m"]
    drawing = bars([context(model) for model in models])
    assert ends(drawing) == pytest.approx([2 + load(model).count() * 226 / 600_000_000 for model in models], abs=0.7)
    assert ends(bars([context("gpt2"), context("deepseek-v3")], relative=True)) == pytest.approx([228, 228], abs=1.5)
    compared = compare("gpt2", "bloom-560m")
    for drawn in (draw(compared, kind) for kind in ("svg", "tikz")):
        assert {"124,439,808", "559,214,592"} <= set(re.findall(r"[\d,]{11}", drawn))
    assert draw(compared, relative=True) != draw(compared)


def test_an_axis_ends_at_a_round_number() -> None:
    assert ticks(559_214_592) == [0, 200_000_000, 400_000_000, 600_000_000]
    assert ticks(671_026_404_352) == [0, 200 * 10**9, 400 * 10**9, 600 * 10**9, 800 * 10**9]
    assert [ticks(100), ticks(400), ticks(1)] == [[0, 50, 100], [0, 100, 200, 300, 400], [0, 1]]


def test_a_state_space_is_not_called_attention() -> None:
    both = words(bars([context("mamba-130m"), context("gpt2")], relative=True))
    assert "Attention, state space" in both
    assert "State space  70.1%" in both
    assert "Attention" not in words(bars([context("mamba-130m"), context(load("mamba-130m", L=48))]))


def spans(drawing, measure):
    """From where to where each text reaches, row by row."""
    rows: dict[float, list[tuple[float, float]]] = {}
    for mark in drawing.marks:
        if isinstance(mark, Text):
            width = measure(mark.pieces) * mark.scale
            start = {"start": mark.x, "middle": mark.x - width / 2, "end": mark.x - width}[mark.anchor.value]
            rows.setdefault(mark.y, []).append((start, start + width))
    return [sorted(row) for row in rows.values()]


@pytest.mark.parametrize("name", [*sorted(FEW & set(published_models())), "whisper-tiny", "mamba-130m", "jamba-v0.1"])
def test_a_bar_has_its_places_in_every_language(name: str) -> None:
    for language in languages():
        drawing = bar(context(name, language))
        places = [mark.place for mark in drawing.marks if isinstance(mark, Segment)]
        assert all(place.x >= 0 and place.right <= drawing.width and place.bottom <= drawing.height for place in places)
        assert all(left.place.right < right.place.x for left, right in pairwise(segments(drawing)))
        for row in spans(drawing, context(name).measure):
            assert all(left[1] <= right[0] for left, right in pairwise(row)), "columns never meet"
    assert sum(portion.count for portion in portions(load(name))) == load(name).count()


def test_on_a_terminal_a_bar_is_made_of_blocks() -> None:
    assert draw("gpt2", "text", width=60).splitlines() == [
        "gpt2  124,439,808 parameters",
        "",
        "Token embedding       █████▋              38,597,376  31.02%",
        "Position embedding    ▏                      786,432   0.63%",
        "Attention             ████▏               28,348,416  22.78%",
        "Feed-forward network  ████████▎           56,669,184  45.54%",
        "LayerNorms            ▏                       38,400   0.03%",
    ]


REFUSED = [
    (lambda: draw("bert", labels="count"), "bert without values has no counts, so labels 'count' would show nothing: give"),
    (lambda: draw("bert", bars=True), "bert is a family, so its sizes have no values"),
    (lambda: draw("gpt2", relative=True), "relative is for comparisons"),
    (lambda: draw("gpt2", "pdf"), "A PDF is not text: write typeset_drawing(…, 'pdf')."),
    (lambda: typeset_drawing("gpt2", "svg"), "'svg' is a text, not pages: write draw(…, 'svg'), or typeset to 'pdf'"),
    (lambda: typeset_drawing("gpt2", standalone=False), "A drawing on a page of its own is always standalone: leave out"),
    (lambda: draw("gpt2", labels=3), "Unknown labels '3'. Known: both, formula, count, none."),
    (lambda: draw("gpt2", detail=["parts"]), "Unknown detail '['parts']'. Did you mean 'parts'?"),
    (lambda: draw("gpt2", "html"), "'html' is not a format of a drawing: choose svg, tikz or typst."),
    (lambda: draw("gpt2", background=False), "choose light or dark"),
    (lambda: draw(compare("gpt2", "bloom-560m"), "text"), "draw only one model: choose svg, tikz or typst, or"),
    (lambda: draw(derive("gpt2", quantity="kv_cache")), "A drawing shows parameters, not kv-cache"),
]


def test_what_has_no_picture_is_refused() -> None:
    for asked, told in REFUSED:
        with pytest.raises(SymparamsError, match=re.escape(told)):
            asked()
