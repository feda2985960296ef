"""Numerals: numbers in words, in digits: seven billion, half a million, 七百万, 六点七亿, 一亿二, 三亿半, 百分之三十."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
SMALL = {word: i for i, word in enumerate((ONES + "eighteen nineteen").split())}
SMALL |= {word: 20 + 10 * i for i, word in enumerate(TENS.split())}
LARGE = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
NAMES, SCALES = "|".join(sorted(SMALL, key=len, reverse=True)), "|".join(("hundred", "half", *LARGE))
ENGLISH = re.compile(
    rf"\b(?:an?\s+(?:{SCALES})|{NAMES}|half)(?:[\s-]+(?:(?:and|point|an?)\s+)*(?:{NAMES}|{SCALES}))*\b", re.IGNORECASE
)

DIGITS = {sign: i for i, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
UNITS = {"兆": 10**12, "亿": 10**8, "億": 10**8, "万": 10**4, "萬": 10**4, "千": 1000, "百": 100, "十": 10}
MEGA = 10**6  # what 兆 means besides 10¹²
PERCENT_OF = "百分之"
ONES_AND_UNITS = "".join((*DIGITS, *UNITS))
CHINESE = re.compile(rf"(?:{PERCENT_OF})?(?:[{ONES_AND_UNITS}0-9.点點半]|个半)+")
PLAIN = re.compile(rf"[0-9.]+[{''.join(UNITS).replace('兆', '')}]*")  # 8505万, which an amount is as it stands
TWO_MEANINGS, BYTES = "兆", re.compile("兆(?:字节|B)")


def in_digits(text: str, *, is_mega: bool = False) -> str:
    """A text with its numbers in words written as digits; 兆 is 10⁶ where ``is_mega``, and otherwise 10¹²."""
    if text.isascii():
        return ENGLISH.sub(_rewritten(_english), text)
    units = {**UNITS, TWO_MEANINGS: MEGA if is_mega else UNITS[TWO_MEANINGS]}
    return CHINESE.sub(_rewritten(lambda run: _chinese(run, units)), BYTES.sub("MB", text))


def has_two_meanings(text: str) -> bool:
    """True if a number in a text is 10¹² to some and 10⁶ to others."""
    return TWO_MEANINGS in BYTES.sub("", text)


def _rewritten(value: Callable[[str], Fraction | None]) -> Callable[[re.Match[str]], str]:
    def rewrite(match: re.Match[str]) -> str:
        run = match[0].removeprefix(PERCENT_OF)
        number = None if PLAIN.fullmatch(run) and run == match[0] else value(run)
        if number is None:
            return match[0]
        sign = "%" if run != match[0] else ""
        return _written(number) + sign

    return rewrite


def _written(number: Fraction) -> str:
    """A number in digits; all those of numerals have an end."""
    places = 0
    while (number * 10**places).denominator > 1:
        places += 1
    digits = str(int(number * 10**places)).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}" if places else digits


def _english(run: str) -> Fraction:
    total, group, decimals, is_half_of = Fraction(0), Fraction(0), 0, False
    for word in re.split(r"[\s-]+", run.lower()):
        if word == "point":
            decimals = 1
        elif word == "half":
            group, is_half_of = group + Fraction(1, 2), True
        elif word in ("a", "an"):
            group = group or Fraction(0 if is_half_of else 1)
        elif word == "hundred":
            group = (group or Fraction(1)) * 100
        elif word in LARGE:
            total, group, decimals, is_half_of = total + (group or Fraction(1)) * LARGE[word], Fraction(0), 0, False
        elif decimals and word in SMALL:
            group, decimals = group + Fraction(SMALL[word], 10**decimals), decimals + 1
        elif word in SMALL:
            group += SMALL[word]
    return total + group


def _chinese(run: str, units: dict[str, int]) -> Fraction | None:
    """The number that a run of signs is; None where it is none."""
    unit = max((sign for sign in run if sign in units), key=units.__getitem__, default="")
    if not unit:
        return _plain(run)
    before, _, after = run.rpartition(unit)
    times = _chinese(before, units) if before else Fraction(1) if units[unit] == units["十"] else None
    if times is None:
        return None
    scale, rest = units[unit], after.lstrip("零〇")
    if rest == "半":
        return times * scale + Fraction(scale, 2)
    is_short = len(rest) == 1 and rest == after and rest in DIGITS and scale > units["十"]  # 一亿二 is 一亿二千万
    more = Fraction(DIGITS[rest] * scale, 10) if is_short else _chinese(rest, units) if rest else Fraction(0)
    return None if more is None else times * scale + more


def _plain(run: str) -> Fraction | None:
    """Digits one after another, with a point or a half."""
    if run in ("半", "一半"):
        return Fraction(1, 2)
    whole, half = run.removesuffix("个半"), run.endswith("个半")
    digits = "".join(str(DIGITS.get(sign, sign)) for sign in whole).replace("点", ".").replace("點", ".")
    if not re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", digits, re.ASCII):
        return None
    return Fraction(digits) + Fraction(half, 2)
