"""Replies: what a learner types and what is read, or why it is not."""

from __future__ import annotations

import contextlib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparams.expressions.parsing import parse
from symparams.expressions.symbols import L, V, d_ff, d_head, h, letter, n_heads
from symparams.expressions.written import exact
from symparams.practice.replies import BYTES, PERCENT, UnreadableError, read, read_option

LETTERS = {each.name: each for each in (L, V, d_ff, d_head, h, n_heads)}


FORMULAS = {
    "12Lh²": "12*L*h**2",
    "3h(h+1)": "3*h*(h + 1)",
    "2 h d_ff": "2*h*d_ff",
    "n_heads*d_head": "n_heads*d_head",
    "n_headsd_head": "n_heads*d_head",
    "Lhd_ff": "L*h*d_ff",
    "3·h·(h + 1)": "3*h*(h + 1)",
    "4 × h^2 − 4h": "4*h**2 - 4*h",
    "１２Ｌｈ＾２＋３ｈ（ｈ＋１）": "12*L*h**2 + 3*h*(h + 1)",
    "h^(2)": "h**2",
    "d_{ff}h^{2}": "d_ff*h**2",
    "2.5h²": "(5/2)*h**2",
    "2½h²": "(5/2)*h**2",  # and not 21/2
    "[h + 1]h": "(h + 1)*h",
    "⌊8h/3⌋": "floor(8*h/3)",
    "h/(h+1)": "h/(h + 1)",
    "= h": "h",
    "+h": "h",
    "4h² + 4h。": "4*h**2 + 4*h",
    "$4h^2 + 4h$": "4*h**2 + 4*h",
    r"\(4h^{2}\)": "4*h**2",
    "12*768^2": "12*768**2",
}
NUMBERS = {
    "1771776": (1_771_776, 0),
    "1,771,776": (1_771_776, 0),
    "1 771 776": (1_771_776, 0),
    "1_771_776": (1_771_776, 0),
    "1,771,776 parameters": (1_771_776, 0),
    "1.77e6": (1_770_000, 10_000),
    "85M": (85_000_000, 1_000_000),
    "85 million": (85_000_000, 1_000_000),
    "6.74B": (6_740_000_000, 10_000_000),
    "1.1亿": (110_000_000, 10_000_000),
    "约 1.1亿个参数": (110_000_000, 10_000_000),
    "seven billion": (7_000_000_000, 0),
    "about one hundred and twenty-four million parameters": (124_000_000, 0),
    "half a million": (500_000, 0),
    "大约七百万": (7_000_000, 0),
    "约 70 亿": (7_000_000_000, 100_000_000),
    "六点七亿左右": (670_000_000, 0),
    "一亿二": (120_000_000, 0),
    "三亿半": (350_000_000, 0),
    "两个半": (Fraction("2.5"), Fraction("0.1")),
    "七兆": (7 * 10**12, 0),
    "8505万": (85_050_000, 10_000),
    "-12": (-12, 0),
    "870.4": (Fraction("870.4"), Fraction(1, 10)),
    "2½": (Fraction(5, 2), Fraction(1, 2)),
}
QUANTITIES = [
    ("12.55 GiB", BYTES, Fraction("12.55") * 2**30),
    ("94.8e6 B", BYTES, 94_800_000),
    ("512 KB/token", BYTES, 512_000),
    ("128 KiB per token", BYTES, 2**17),
    ("12 B", BYTES, 12),
    ("3.2×", "×", Fraction("3.2")),
    ("31.6 ％", "", Fraction("31.6")),
    ("292 GFLOPs", "FLOPs", 292 * 10**9),
    ("3.14e23 FLOPs", "FLOPs", 314 * 10**21),
    ("15.4 TFLOP", "FLOPs", 154 * 10**11),
    ("314 zflops", "FLOPs", 314 * 10**21),
    ("7.3 days", "days", Fraction(73, 10)),
    ("7.3 天", "days", Fraction(73, 10)),
    ("266 ms", "s", Fraction(266, 1000)),
    ("0.0099 秒", "ms", Fraction(99, 10)),
    ("14 卡", "cards", 14),
    ("199520 卡时", "hours", 199_520),
    ("25705 tokens", "tokens", 25_705),
    ("25705 个词元", "tokens", 25_705),
    ("9 GPUs", "", 9),
    ("9卡", "", 9),
    ("none", "", 0),
    ("零", "", 0),
    ("59 requests", "requests", 59),
    ("59个", "requests", 59),
    ("2.25 heads", "heads", Fraction(9, 4)),
    ("40 GiB", "GiB", 40 * 2**30),
    ("1.74 days", "hours", Fraction("41.76")),
    ("二十四毫秒", "ms", 24),
]
WORKED_OUT = [
    ("60/24ms", "tokens/s", 2500),
    ("59 tokens / 23.6 ms", "tokens/s", 2500),
    ("16 GB + 2 GB", BYTES, 18 * 10**9),
    ("79 GB / 3.16 TB/s", "ms", 25),
    ("2*8B*8192/512 TFLOPS", "s", Fraction("0.256")),
    ("1.5e9 * 2 bytes", BYTES, 3 * 10**9),
]
WRONG_UNITS = [
    ("24 ms", "tokens/s", "ms"),
    ("24 ms", BYTES, "ms"),
    ("12 GiB", "", "GiB"),
    ("14 GB", "cards", "GB"),
    ("3 GB * 2", "", "GB"),
    ("16 GB + 2", BYTES, "GB"),
    ("131,072 tokens", BYTES, "tokens"),
]
UNREADABLE = {
    "3h + ?": ("unknown", "?"),
    "3h + x": ("unknown", "x"),
    "hidden_size": ("unknown", "hidden_size"),
    "__import__('os')": ("unknown", "__import__"),
    "1.771.776": ("points", "1,771,776"),
    "3 4 h": ("apart", "3 4"),
    "3h = 4": ("equality", ""),
    "(3h": ("bracket", ""),
    "3h +": ("ends", ""),
    "h^h": ("exponent", "h"),
    "h^99": ("exponent", "99"),
    "V/2h": ("division", "2h"),
    "V/2(h+1)": ("division", "2"),
    "10**10**10": ("grammar", "10**10**10"),
    "9**99999": ("exponent", "99999"),
    "V/0": ("zero", ""),
    "3 ** * 4": ("exponent", "*"),
    "3 */ 4": ("grammar", "3 */ 4"),
    "h" * 400: ("long", ""),
    "1" * 50: ("long", ""),
    "  ": ("empty", ""),
}


def test_a_formula_is_read_as_people_write_it():
    for typed, meant in FORMULAS.items():
        assert read(typed, LETTERS).written == parse(meant, letter, is_evaluated=True), typed


def test_a_number_is_read_with_what_its_last_digit_counts_and_in_the_unit_that_is_asked():
    for typed, (value, last) in NUMBERS.items():
        reply = read(typed, LETTERS)
        assert (reply.written, reply.value, reply.last) == (None, value, last), typed
    for typed, unit, value in QUANTITIES:
        assert read(typed, LETTERS, unit).value == value, typed
    for typed, unit, value in WORKED_OUT:
        assert exact(read(typed, LETTERS, unit).written, {}) == value, typed
    readings = {typed: read(typed, LETTERS, BYTES) for typed in ("512 KB", "13.5B")}  # and what else they may mean
    assert [(each.other.value, each.binary) for each in readings.values() if each.other] == [
        (512 * 1024, "KiB"),
        (13_500_000_000, ""),
    ]
    assert read("七兆", LETTERS).other.value == 7 * 10**6
    assert (read("70,272 B", LETTERS, BYTES).unit, read("31.6%", LETTERS).unit) == (BYTES, PERCENT)


def test_what_cannot_be_read_says_why():
    for typed, why in UNREADABLE.items():
        with pytest.raises(UnreadableError) as error:
            read(typed, LETTERS)
        assert (error.value.reason, error.value.piece) == why, typed
    for typed, unit, word in WRONG_UNITS:
        with pytest.raises(UnreadableError) as error:
            read(typed, LETTERS, unit)
        assert (error.value.reason, error.value.piece) == ("unit", word), typed


@given(st.text(max_size=60) | st.text("0123456789hLV_^*+-/()., ²×亿万兆半七十点GBmse%", max_size=40))
def test_anything_is_read_or_refused(typed):
    for unit in ("", BYTES, PERCENT, "ms"):
        with contextlib.suppress(UnreadableError):
            read(typed, LETTERS, unit)


def test_an_option_is_a_letter():
    assert [read_option(text, 4) for text in ("a", "(b)", "C", "ｄ", "选b", "option c")] == [0, 1, 2, 3, 1, 2]
    for text in ("e", "", "ab", "4h"):
        with pytest.raises(UnreadableError, match="option"):
            read_option(text, 4)
