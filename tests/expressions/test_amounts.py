"""Amounts: read exactly, alike by everyone who reads them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from symparams import explain, solve
from symparams.answers.claims import read_claim
from symparams.answers.solutions import read_total
from symparams.expressions.amounts import BINARY_BYTES, BYTES, CAPACITY, COUNTS, FLOPS, MACS, SCALES, read
from symparams.practice.replies import read as read_reply
from symparams.quantities.memory import read_room

AMOUNTS = [
    ("1234", COUNTS, 1_234),
    ("1,234,567", COUNTS, 1_234_567),
    ("1 234 567", COUNTS, 1_234_567),
    ("1'234", COUNTS, 1_234),
    ("6.7 × 10⁹", COUNTS, 6_700_000_000),
    ("6.7x10^9", COUNTS, 6_700_000_000),
    ("1.5 billion parameters", COUNTS, 1_500_000_000),
    ("１．１ 億參數", COUNTS, 110_000_000),
    ("3.5万亿", COUNTS, 3_500_000_000_000),
    ("2½", COUNTS, Fraction(5, 2)),  # in ordinary signs alone it would be 21/2
    ("½M", COUNTS, 500_000),
    ("2 ½ GB", BYTES, 2_500_000_000),
    ("12GiB", BYTES, 12 * 2**30),
    ("80 gb", BYTES, 80 * 10**9),
    ("0.5 KB", BYTES, 500),
    ("320 KB", BINARY_BYTES, 320 * 1024),
    ("24G", CAPACITY, 24 * 10**9),
    ("32Ki", CAPACITY, 32 * 1024),
    ("16字节", BYTES, 16),
    ("140 TFLOPs", FLOPS, 140 * 10**12),
    ("3 GMACs", MACS, 6 * 10**9),  # a multiplication and an addition each
    (7e9, COUNTS, 7 * 10**9),
    (7e22, COUNTS, 7 * 10**22),  # and not 69,999,999,999,999,995,805,696
    (np.int64(12), COUNTS, 12),
]


def test_an_amount_is_exact():
    for written, words, value in AMOUNTS:
        assert read(written, words).value == value, written


def test_a_chinese_word_counts_as_its_characters_multiply():
    """百亿 is 100 times 100,000,000."""
    characters = {"十": 1, "百": 2, "千": 3, "万": 4, "萬": 4, "亿": 8, "億": 8}
    words = {word: scale for word, scale in SCALES.items() if word and not word.isascii()}
    assert {word: 10 ** sum(characters[character] for character in word) for word in words} == words


def test_what_is_not_an_amount_of_parameters():
    refused = ["", "many", "-5", "1,08", "1,2345", "12,34", "1.234.567", "7 B B", "8x7B", "80GB", "21⁄2", "10²M", "1e999",
               "9" * 50, True, None, float("inf"), float("nan"), 1j, "٣"]  # fmt: skip
    assert [written for written in refused if read(written, COUNTS) is not None] == []


def test_everyone_reads_alike():
    for written, value in {"1,234": 1_234, "85M": 85_000_000, "1.1亿": 110_000_000, "7 × 10⁹": 7 * 10**9}.items():
        assert read_claim(written).plainest.value == read_total(written) == read_reply(written, {}).value == value


@given(st.integers(1, 10**12), st.sampled_from([",", "_", " ", "'"]), st.sampled_from(sorted(BYTES)))
def test_a_number_is_read_back_however_it_is_written(number, mark, word):
    grouped = f"{number:,}".replace(",", mark)
    assert read(f"{grouped} {word}", BYTES).value == number * BYTES[word]
    assert read(f"{number}e-3{word}", BYTES).value == Fraction(number, 1000) * BYTES[word]


def test_a_float_that_is_whole_is_taken():
    assert solve("llama-7b", total=7e9, for_="h").total == 7 * 10**9
    assert explain("gpt2", 124_439_808.0)[0].result == 124_439_808
    assert explain("llama-3-8b", 131072.0, quantity="kv_cache", b=1, t=1, dtype="bf16")[0].result == 131_072


@settings(max_examples=50)
@given(st.text(max_size=80))
def test_any_text_is_read_or_not(text):
    for words in (COUNTS, CAPACITY, FLOPS):
        read(text, words)
    assert read_room(f"{len(text) + 1} GB").unit_name == "GB"
