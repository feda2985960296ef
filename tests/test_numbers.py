"""Numbers as people say them: rounded first, then given their unit, on every sheet and on the page alike."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from symparams import derive, draw, load, render
from symparams.expressions.printing.text import TextPrinter
from symparams.sheets.catalogue import catalogue, languages
from symparams.sheets.values import BINARY, FINER, SIGNIFICANT, Words, rounded
from tests.pages.conftest import node

__all__ = ["node"]

# What each language says of counts, of FLOPs and of bytes, in words and in letters; bytes in powers of two.
UNITS: dict[str, tuple[Words, int]] = {
    f"{language} {key}": (words, 10)
    for language in languages()
    for key, words in {
        "rounding": catalogue(language).rounding,
        "short_rounding": catalogue(language).short_rounding,
        **{unit: catalogue(language).entry(f"units.{unit}.rounding") for unit in ("bytes", "flops")},
    }.items()
} | {"binary": (BINARY, 2)}


def test_a_number_is_rounded_before_it_has_its_unit():
    for language, value, text in (
        ("en", 999_885_952, "1.00 billion"),  # gemma-3-1b
        ("en", 999_499_999, "999 million"),
        ("en", 9_995_000, "10.0 million"),
        ("en", 9_994_999, "9.99 million"),
        ("en", 999_999, None),  # which is short enough
        ("zh", 999_885_952, "10.0 亿"),
        ("zh", 99_999_999, "1.00 亿"),
        ("zh", 99_994_999, "9999 万"),
        ("zh", 13_019, "1.30 万"),
    ):
        number = rounded(value, catalogue(language).rounding)
        assert (number and TextPrinter({}, str)(number[0])) == text


def test_sheets_drawings_and_budgets_round_alike(cli):
    model = load("gemma-3-1b")
    assert "≈ 1.00 billion" in render(derive(model))
    assert "≈ 10.0 亿" in render(derive(model), language="zh")
    assert "≈ 10.0 M" in draw(load("gpt2", V=13_019), numbers="short")
    assert "1.000 GB" in cli("derive gpt2 --quantity all --set b=1 --set s=1 --set V=539_248").out


@st.composite
def near_a_unit(draw_from: Any, digits: int = SIGNIFICANT) -> tuple[str, int | Fraction]:
    """A number of one of the units, often where the next digit or the next unit begins, sometimes with half a byte."""
    name = draw_from(st.sampled_from(sorted(UNITS)))
    words, base = UNITS[name]
    unit = base ** draw_from(st.sampled_from([word["power"] for word in words]))
    edge = Fraction(draw_from(st.sampled_from(["1", "9.995", "99.95", "999.5", "9999.5", "1023.5", "1023.95"])))
    around = int(edge * unit) + draw_from(st.integers(-3, 3)) * draw_from(st.sampled_from([1, unit // 10_000 or 1]))
    value = draw_from(st.just(around) | st.integers(unit, 2_000 * unit))
    return name, value + draw_from(st.sampled_from([0, Fraction(1, 2)]))


@given(near_a_unit(), st.sampled_from([SIGNIFICANT, FINER]))
def test_it_has_so_many_digits_of_the_nearest_number_in_the_largest_unit_that_it_reaches(number, digits):
    (name, value) = number
    words, base = UNITS[name]
    found = rounded(value, words, digits, base)
    if value < base ** words[-1]["power"]:
        assert found is None
        return
    scaled, is_exact = found
    text = TextPrinter({}, str, grouping="")(scaled).removesuffix(scaled.word)
    whole, _, decimals = text.partition(".")
    powers = [word["power"] for word in words]
    power = next(word["power"] for word in words if word["word"] == scaled.word)
    last = Fraction(base**power, 10 ** len(decimals))
    shown = Fraction(text) * base**power
    assert 2 * abs(shown - value) <= last
    assert is_exact == (shown == value)
    assert len(whole) + len(decimals) == digits or (not decimals and len(whole) > digits)
    assert whole != "0"
    assert power == powers[0] or shown < base ** powers[powers.index(power) - 1]


def test_the_page_rounds_as_sheets_do(node):
    for words, base in UNITS.values():
        values = sorted(set(_around(words, base)))
        answers = node(numbers={"values": list(map(str, values)), "words": list(words), "base": base})
        assert answers == [_text(value, words, base) for value in values]


def _around(words: Words, base: int) -> Iterator[int]:
    for word in words:
        for edge in ("1", "9.995", "99.95", "999.5", "1000", "1023.5", "9999.5"):
            middle = int(Fraction(edge) * base ** word["power"])
            yield from range(middle - 2, middle + 3)


def _text(value: int, words: Words, base: int) -> str:
    found = rounded(value, words, base=base)
    if found is None:
        return ""
    scaled, is_exact = found
    is_whole = base == 2 and scaled.value.denominator == 1
    text = f"{scaled.value.numerator:,}{scaled.word}" if is_whole else TextPrinter({}, str)(scaled)
    return f"{'=' if is_exact else '≈'} {text}"
