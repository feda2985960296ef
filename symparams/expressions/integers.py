"""Integers as people write them: 1_536, 300e9, 1.5e12, exactly, without a float on the way. No suffixes: k is 1000 or 1024."""

from __future__ import annotations

import re
from collections.abc import Mapping

from symparams.errors import ExpressionError, quoted
from symparams.expressions.extent import MOST_DIGITS

NUMBER = re.compile(r"([0-9]+(?:_[0-9]+)*)(?:(?:\.([0-9]+))?[eE]\+?([0-9]+)(?!\w))?")
SUFFIXES: Mapping[str, int] = {"k": 1, "m": 2, "b": 3, "g": 3, "t": 4}  # which may mean powers of 1000 or of 1024


def parse_integer(text: str) -> int:
    """An integer of a length that is worth computing with; ExpressionError for what is none, as 1.5e0 is none."""
    match = NUMBER.fullmatch(text)
    whole, decimals, exponent = match.groups(default="") if match else (text, "", "")
    digits, zeros = whole.replace("_", "") + decimals, exponent.lstrip("0")
    power = int(zeros[: len(str(MOST_DIGITS)) + 1] or 0)  # of an endless exponent no more than is needed to refuse it
    length = len(digits) - len(decimals) + power
    if max(len(digits), length) > MOST_DIGITS:
        how_many = f"{max(len(digits), length):,}" if power <= MOST_DIGITS else "too many"
        raise ExpressionError(f"The number {quoted(text, 20)} has {how_many} digits; {MOST_DIGITS} is the most that is read.")
    if len(decimals.rstrip("0")) > power:
        raise ExpressionError(f"The number {quoted(text, 20)} is no integer: write one, as 1536, 1.5e3 or 300e9.")
    return int((digits + "0" * power)[:length])


def is_suffix(text: str) -> bool:
    """Whether a word after a number is a suffix of several meanings: k, M, B, G, T."""
    return text.lower() in SUFFIXES


def without_suffix(number: str, suffix: str) -> str:
    """What to write in place of a number with a suffix, in either of its meanings."""
    power = SUFFIXES[suffix.lower()]
    binary = "1024" if power == 1 else f"1024**{power}"
    return f"{quoted(suffix)} may mean {1000**power:,} or {1024**power:,}; write {number}e{3 * power} or {number}*{binary}"
