"""Claims: numbers as people write them, read exactly, and which counts each can mean."""

from __future__ import annotations

from symparams.answers.claims import Met, read_claim

K, M, B = 1024, 10**6, 10**9


def test_a_count_has_a_value_and_the_worth_of_its_last_digit():
    for written, value, last in (
        (108_891_648, 108_891_648, 1),
        ("108,891,648", 108_891_648, 1),
        ("110m parameters", 110 * M, M),
        ("0.1B", 100 * M, 100 * M),
        ("1.1e8", 110 * M, 10 * M),
        ("124 million", 124 * M, M),
        ("3.5万亿", 3_500 * B, 100 * B),
    ):
        claim = read_claim(written)
        assert [(reading.value, reading.last) for reading in claim.readings] == [(value, last)], written
        assert claim.unit == ""  # so that it may be of any quantity


def test_a_cost_has_a_unit_and_may_be_of_one_token():
    for written, values, is_of_token, quantity in (
        ("320 KB a token", [320_000, 320 * K], True, ""),
        ("320KiB/token", [320 * K], True, ""),
        ("每个词元 320 KB", [320_000, 320 * K], True, ""),
        ("327,680 bytes", [327_680], False, ""),
        ("40 GB cache", [40 * B, 40 * K**3], False, "kv_cache"),
        ("3.14e23 FLOPs", [314 * 10**21], False, ""),
        ("1.5 GMACs", [3 * B], False, ""),
    ):
        claim = read_claim(written)
        assert [reading.value for reading in claim.readings] == values, written
        assert (claim.is_of_token, claim.quantity) == (is_of_token, quantity), written


def test_what_is_no_claim():
    refused = ["", "many", "-5", "0", 0, "1.5", "1.0000000001B", "7 B B", "B", "1,08", "8x7B", "1e9999", True, None, 3.5,
               "12 apples", "bytes", "1 iB"]  # fmt: skip
    assert [written for written in refused if read_claim(written) is not None] == []


def test_a_count_that_is_plainly_meant():
    for written, count, met in (
        ("124M", 124_439_808, Met.ROUNDED),
        ("1.5B", 1_557_611_200, Met.TRUNCATED),
        ("70B", 68_976_648_192, Met.ROUNDED),
        ("1e8", 124_439_808, Met.ROUNDED),
        ("100M", 124_439_808, None),  # three digits are written
        ("1.10B", 1_149_000_000, None),
        ("123M", 123_900_000, None),  # nobody cuts off after three digits
        ("124439807", 124_439_808, None),
        ("124439808", 124_439_808, Met.EXACT),
    ):
        assert read_claim(written).plainest.plainly_met_by(count) is met, written
