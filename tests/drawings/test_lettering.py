"""A name, a formula and a count in boxes that become narrower: the best of all ways to break a line, with little work."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparams import derive, load
from symparams.architectures import architecture_names
from symparams.drawings.architecture import architecture
from symparams.drawings.context import DrawingContext
from symparams.drawings.lettering.breaking import even, full
from symparams.drawings.lettering.faces import SIZES, TextMeasure
from symparams.drawings.lettering.formulas import broken
from symparams.drawings.lettering.lettering import label, words
from symparams.drawings.lettering.phrases import in_lines
from symparams.drawings.marks import Face, TextPiece
from symparams.expressions.extent import size
from symparams.expressions.notation import HF, NOTATIONS
from symparams.expressions.printing.text import TextPrinter
from symparams.expressions.symbols import V, d_ff, d_head, d_nope, d_rope, h, max_pos, n_heads, n_kv_heads, r_kv, r_q
from symparams.sheets.catalogue import languages

LETTERS = NOTATIONS["hidden"]
MEASURE = TextMeasure(LETTERS)
PRINT = TextPrinter(LETTERS)


def printed(pieces, text=PRINT):
    return "".join(piece.value if isinstance(piece.value, str) else text(piece.value) for piece in pieces)


def said(lines):
    return [printed(line.pieces) for line in lines]


def lines(name, formula, count, width, **how):
    return said(label(name, formula, count, width, MEASURE, **how).lines)


def test_a_formula_and_its_count_stand_on_one_line_where_there_is_room():
    assert lines("Up", h * d_ff + d_ff, "2,362,368", 96) == ["Up", "h × d_ff + d_ff = 2,362,368"]
    assert lines("Up", h * d_ff + d_ff, "2,362,368", 53.25) == ["Up", "h × d_ff + d_ff", "= 2,362,368"]
    assert lines("LayerNorm", size(2 * h), "1,536", 96, in_one_line=True) == ["LayerNorm  2·h = 1,536"]
    assert lines("Router", h * V, "", 96) == ["Router", "h × V"]
    assert lines("Router", None, "1,835,008", 96) == ["Router", "1,835,008"]
    # A count below its formula is always said to be equal, a number is never cut, and stands alone where a formula is too long.
    assert lines("Feed-forward", size(8 * h**2), "9,589,824", 50.5) == ["Feed-", "forward", "8·h²", "= 9,589,824"]
    assert lines("Feed-forward", size(8 * h**2), "209,740,800", 50.5) == ["Feed-", "forward", "8·h² =", "209,740,800"]
    assert lines("Feed-forward", None, "209,740,800", 50.5) == ["Feed-", "forward", "209,740,800"]
    assert lines("Experts", h * V, "11,320,164,352", 45, short="≈ 11.3 B") == ["Experts", "h × V", "≈ 11.3 B"]
    long = size(2 * h * n_heads * d_head) + size(2 * h)
    assert lines("Attention", long, "41,943,040", 53, most=1) == ["Attention", "41,943,040"]


# A formula, its width, its lines; then those of where it may be set smaller.
BROKEN = [
    (size(n_heads) * d_head * h, 50, ["n_heads ×", "d_head × h"]),
    (h * size(n_heads * d_head), 53.25, ["h ×", "n_heads·d_head"]),
    (h * size(r_kv + d_rope), 50, ["h ×", "(r_kv + d_rope)"]),
    (r_q * size(n_heads * size(d_nope + d_rope)), 57, ["r_q × n_heads·", "(d_nope + d_rope)"]),
    (3 * (h * h + h), 45, ["3 ×", "(h × h + h)"]),
    (h * h + h, 30, ["h × h", "+ h"]),
]
SMALLER = [
    # At a sum in three lines rather than at a product in two.
    (h * d_ff + size(n_heads * d_head) + d_ff, 50, ["h × d_ff", "+ n_heads·d_head", "+ d_ff"]),
    # In smaller letters rather than in the middle of a tight product, and rather than within parentheses.
    (2 * h * size(n_kv_heads * d_head), 50, ["2 × h ×", "n_kv_heads·d_head"]),
    (size(max_pos + 2) * h, 53, ["(max_pos + 2) ×", "h"]),
    # Within parentheses, where it has to be, a tight product is whole.
    (2 * (h * size(n_heads * d_head) + size(n_heads * d_head)), 60, ["2 × (h ×", "n_heads·d_head", "+ n_heads·d_head)"]),
]


def test_a_formula_breaks_after_a_cross_and_before_a_plus_and_is_set_smaller_rather_than_torn():
    for formula, width, expected in BROKEN:
        assert list(map(printed, broken(formula, width, 3, MEASURE))) == expected
    for formula, width, expected in SMALLER:
        assert list(map(printed, broken(formula, width, 3, MEASURE, smallest=width * 7.2 / 6.5))) == expected


MODEL = derive("deepseek-v3")
WRITTEN = [
    DrawingContext(MODEL).letters,
    DrawingContext(MODEL, notation="hf").letters,
    DrawingContext(MODEL, symbols={"n_heads": "num_heads", "r_kv": "latent_size"}).letters,
]
FORMULAS = (
    h * size(r_kv + d_rope),
    r_q * size(n_heads * size(d_nope + d_rope)),
    h * size(size(n_heads + 2 * size(d_nope)) * d_nope),
    2 * (h * size(n_heads * d_nope) + size(n_heads * d_nope)),
    3 * size(n_heads * h * r_q),
    size(h * h * d_nope) + size(2 * h),
)


@given(st.sampled_from(FORMULAS), st.sampled_from(WRITTEN), st.integers(12, 120))
def test_a_formula_is_whole_in_its_lines_however_narrow_they_are(formula, letters, width):
    text = TextPrinter(letters)
    cut = broken(formula, width, 3, TextMeasure(letters)) or [(TextPiece(formula, Face.FORMULA),)]
    told = "".join(printed(line, text) for line in cut)
    assert told.replace(" ", "") == text(formula).replace(" ", "")


def test_a_formula_of_fifty_terms_is_broken_without_trying_every_way():
    tried = []

    class Counting(TextMeasure):
        def __call__(self, pieces):
            tried.append(pieces)
            return super().__call__(pieces)

    found = broken(sum([h * d_ff] * 49, start=size(h)), 300, 3, Counting(LETTERS), smallest=310)
    assert max(map(MEASURE, found)) <= 300
    assert len(tried) < 50**2  # of the million ways to cut it into six lines


def test_a_name_breaks_once_and_is_then_set_smaller_and_cut():
    assert lines("Shared expert", None, "", 40) == ["Shared", "expert"]
    found = label("Disestablishmentarianism", None, "", 60, MEASURE)
    assert said(found.lines) == ["Disestablishm…"]
    assert found.lines[0].scale * 7.4 == pytest.approx(6.5)
    assert all(MEASURE(line.pieces) * line.scale <= 57 for line in found.lines)


def test_chinese_is_as_wide_as_tex_sets_it_high_and_words_of_another_language_in_brackets_are_not_divided():
    for name, width, expected in (
        ("前馈网络", 4 * 8 + 3, ["前馈网络"]),
        ("前馈网络", 4 * 8 + 2, ["前馈", "网络"]),
        ("输出层（LM head）", 60, ["输出层", "（LM head）"]),
        ("状态空间（Mamba 2）", 60, ["状态空间", "（Mamba 2）"]),
        ("滑动窗口（26 层中的 13 层）", 84, ["滑动窗口（26", "层中的 13 层）"]),
    ):
        assert lines(name, None, "", width) == expected
    for text, width, expected in (
        # In one line it ran over both ends of its pill, in letters of 7 points.
        ("对内容和相对位置的注意力，4 个头", 111, ["对内容和相对位置的注意力，", "4 个头"]),
        ("causal attention: 32 query heads share 8 key-value heads", 110.5,
         ["causal attention: 32 query", "heads share 8 key-value heads"]),
    ):  # fmt: skip
        assert said(words(text, Face.PILL, width, MEASURE).lines) == expected, "as even as they can be"


# In thousandths of the size, as Adobe published them with the typeface: nothing that the drawing itself measures with.
HELVETICA = {
    222: "ijl", 278: " !,./:;I[]ft", 333: "()-r", 500: "ckJsvxyz", 556: "0123456789abdeghnopquL?", 584: "+<=>×", 611: "FTZ",
    667: "ABEKPSVXY", 722: "CDHNRUw", 778: "GOQ", 833: "Mm", 944: "W",
}  # fmt: skip
WIDTH = {letter: width / 1000 for width, letters in HELVETICA.items() for letter in letters}


@given(st.text("".join(WIDTH), max_size=40), st.sampled_from(list(Face)))
def test_no_words_are_wider_than_they_are_measured(text, face):
    """In Helvetica, nor in DejaVu Sans, a sixth wider, which stands in for it."""
    assert MEASURE((TextPiece(text, face),)) >= 1.15 * sum(map(WIDTH.get, text)) * SIZES[face]
    if face is not Face.FORMULA:  # in which no Chinese is set
        assert MEASURE((TextPiece(text + "层", face),)) >= MEASURE((TextPiece(text, face),)) + SIZES[face]


@given(st.sampled_from(FORMULAS), st.sampled_from(WRITTEN))
def test_no_formula_is_wider_than_it_is_measured(formula, letters):
    """Its letters, signs and digits; an index is half as large at least."""
    shown = re.split(r"_([A-Za-z]+)", TextPrinter(letters)(formula))
    least = sum(WIDTH.get(sign, 0) / (1 + i % 2) for i, text in enumerate(shown) for sign in text)
    assert TextMeasure(letters)((TextPiece(formula, Face.FORMULA),)) >= least * SIZES[Face.FORMULA]


MOST_MEASURED = 9_000  # lines whose width is asked for while one drawing is made: some 4,300 for deepseek_v2
LONGEST = ("gemma3_text", "deepseek_v2")
# Long formulas of Mamba 2; eight panels, whose formulas in keys have room in the widest of four pictures; many kinds of layers.
MOST_OF = {
    **{"bamba": 11_000, "zamba": 14_000, "zamba2": 12_000, "swin": 20_000},
    **{"gemma3n_text": 18_000, "gemma4_text": 21_000, "gemma4_unified_text": 20_000},
    # Of several towers, each with panels at its side: some 0.5 s of CPU for llama4, 1 s for gemma4, of three.
    **{"gemma4": 42_000, "llama4": 11_000, "qwen3_5": 13_000, "qwen3_5_moe": 14_000, "sam": 18_500},
}


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[tuple[TextPiece, ...]]:
    """Every line whose width is asked for."""
    lines: list[tuple[TextPiece, ...]] = []
    measure = TextMeasure.__call__
    monkeypatch.setattr(TextMeasure, "__call__", lambda self, pieces: (lines.append(pieces), measure(self, pieces))[1])
    return lines


WIDTHS = st.lists(st.integers(1, 9), min_size=1, max_size=9)


@given(WIDTHS, st.integers(1, 5), st.integers(5, 40))
def test_even_lines_are_the_best_of_all_combinations(widths, number, room):
    def width(start, end):
        return float(sum(widths[start:end]))

    def widest(cuts):
        return max(width(*ends) for ends in pairwise([0, *cuts, len(widths)]))

    best = min(combinations(range(1, len(widths)), number - 1), key=widest, default=None)
    for limit in (inf, float(room)):
        fits = best is not None and widest(best) <= limit
        assert even(range(len(widths) + 1), number, width, limit) == (list(best or ()) if fits else None)


@given(WIDTHS, st.integers(5, 40))
def test_full_lines_hold_no_more(widths, room):
    cuts = full(len(widths), lambda i, j: sum(widths[i:j]), room)
    lines = [widths[start:end] for start, end in pairwise([0, *cuts, len(widths)])]
    assert all(len(line) == 1 or sum(line) <= room for line in lines)
    assert all(sum(line) + following[0] > room for line, following in pairwise(lines))


def test_the_work_grows_with_the_square_of_a_text(measured: list[tuple[TextPiece, ...]]) -> None:
    for length in (50, 200):
        measured.clear()
        in_lines("层" * length, Face.PILL, 60.0, TextMeasure(NOTATIONS[HF]), most=6)
        assert len(measured) <= length**2


SWEPT = [pytest.param(name, marks=pytest.mark.sweep) for name in architecture_names() if name not in LONGEST]


@pytest.mark.parametrize("family", [*LONGEST, *SWEPT])
def test_a_drawing_measures_few_lines(family, measured):
    model = load(family, include=list(load(family).architecture.features))
    for language in languages():
        measured.clear()
        architecture(model, language, notation=HF)
        assert len(measured) <= MOST_OF.get(family, MOST_MEASURED), language
