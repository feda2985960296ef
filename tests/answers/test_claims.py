"""Claims: numbers as people write them, read exactly, and which counts each can mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparams.answers.claims import Met, read_claim

M, B = 10**6, 10**9


@pytest.mark.parametrize(
    ("written", "value", "last"),
    [
        (108_891_648, 108_891_648, 1),
        ("108891648", 108_891_648, 1),
        ("108,891,648", 108_891_648, 1),
        ("108 891 648", 108_891_648, 1),
        ("1.08891648e8", 108_891_648, 1),
        ("110M", 110 * M, M),
        ("110 M", 110 * M, M),
        ("110m parameters", 110 * M, M),
        ("0.1B", 100 * M, 100 * M),
        ("1e8", 100 * M, 100 * M),
        ("1.1e8", 110 * M, 10 * M),
        ("1.24e+08", 124 * M, M),
        ("124 million", 124 * M, M),
        ("1.5 billion", 1_500 * M, 100 * M),
        ("1.50B", 1_500 * M, 10 * M),
        ("1.1亿", 110 * M, 10 * M),
        ("1.1 億參數", 110 * M, 10 * M),
        ("１．１亿", 110 * M, 10 * M),
        ("12万", 120_000, 10_000),
        ("3.5万亿", 3_500 * B, 100 * B),
    ],
)
def test_a_number_as_people_write_it(written, value, last):
    [reading] = read_claim(written).readings
    assert (reading.value, reading.last) == (value, last)


@pytest.mark.parametrize(
    "written",
    ["", "many", "-5", "0", 0, "1.5", "1.0000000001B", "7 B B", "B", "1,08", "8x7B", "1e9999", True, None, 3.5],
)
def test_what_is_no_claim(written):
    assert read_claim(written) is None


@given(st.integers(1, 10**15))
def test_no_float_comes_near(count):
    written, grouped, in_thousands = (read_claim(text).plainest.value for text in (str(count), f"{count:,}", f"{count}e3"))
    assert written == grouped == in_thousands // 1_000 == count


@pytest.mark.parametrize(
    ("written", "count", "met"),
    [
        ("124M", 124_439_808, Met.ROUNDED),
        ("1.5B", 1_557_611_200, Met.TRUNCATED),
        ("2.7B", 2_779_683_840, Met.TRUNCATED),
        ("110M", 109_482_240, Met.ROUNDED),  # to a multiple of ten million
        ("70B", 68_976_648_192, Met.ROUNDED),
        ("1e8", 124_439_808, Met.ROUNDED),
        ("100M", 124_439_808, None),  # three digits are written
        ("1.10B", 1_149_000_000, None),
        ("123M", 123_900_000, None),  # nobody cuts off after three digits
        ("124439807", 124_439_808, None),
        ("124439808", 124_439_808, Met.EXACT),
    ],
)
def test_a_count_that_is_plainly_meant(written, count, met):
    assert read_claim(written).plainest.plainly_met_by(count) is met
