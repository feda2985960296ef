"""Amounts as people write them, read exactly: 1,234, 7e9, 6.7 × 10⁹, 1.1亿, 85 million, 12GiB, 80 GB, 24G, 140 TFLOPs.

Digits, the word behind them and its scale are read here alone. Each reader names the words that it takes: those of COUNTS for
parameters, of BYTES for memory. A word of two meanings stands in two tables: KB is 10³ bytes in BYTES, 2¹⁰ in BINARY_BYTES.
"""

from __future__ import annotations

import operator
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType

from symparams.errors import ExpressionError, quoted
from symparams.expressions.extent import MOST_DIGITS
from symparams.records import frozen

Words = Mapping[str, int]
PREFIXES = ("K", "M", "G", "T", "P", "E", "Z", "Y")


def _prefixed(names: Iterable[str], base: int) -> dict[str, int]:
    return {f"{prefix}{name}": base ** (i + 1) for name in names for i, prefix in enumerate(PREFIXES)}


SCALES: Words = MappingProxyType({
    "": 1, "k": 10**3, "M": 10**6, "B": 10**9, "T": 10**12, "mn": 10**6, "bn": 10**9, "tn": 10**12, "G": 10**9,
    "thousand": 10**3, "million": 10**6, "millions": 10**6, "billion": 10**9, "billions": 10**9, "trillion": 10**12,
    "trillions": 10**12, "千": 10**3, "万": 10**4, "萬": 10**4, "百万": 10**6, "百萬": 10**6, "千万": 10**7, "千萬": 10**7,
    "亿": 10**8, "億": 10**8, "十亿": 10**9, "十億": 10**9, "百亿": 10**10, "百億": 10**10, "千亿": 10**11, "千億": 10**11,
    "万亿": 10**12, "萬億": 10**12,
})  # fmt: skip
PARAMETERS = ("", "parameters", " parameters", "params", " params", "参数", "个参数", " 个参数", "參數", "個參數", " 參數")
COUNTS: Words = MappingProxyType({f"{word}{name}".strip(): scale for word, scale in SCALES.items() for name in PARAMETERS})
BYTE_NAMES, FLOP_NAMES, MAC_NAMES = ("B", "byte", "bytes", "字节"), ("FLOP", "FLOPs", "次浮点运算"), ("MAC", "MACs")
BYTES: Words = MappingProxyType(_prefixed(BYTE_NAMES, 1000) | _prefixed(["iB"], 1024) | dict.fromkeys(BYTE_NAMES, 1))
BINARY_BYTES: Words = MappingProxyType(_prefixed(BYTE_NAMES, 1024))
CAPACITY: Words = MappingProxyType({**BYTES, **_prefixed([""], 1000), **_prefixed(["i"], 1024)})  # of a card: 24G, 32Ki
FLOPS: Words = MappingProxyType(_prefixed(FLOP_NAMES, 1000) | dict.fromkeys(FLOP_NAMES, 1))
MACS: Words = MappingProxyType({name: 2 * scale for name, scale in {**_prefixed(MAC_NAMES, 1000), "MAC": 1, "MACs": 1}.items()})


PARTS: Mapping[str, Fraction] = MappingProxyType(
    {sign: Fraction(*map(int, unicodedata.normalize("NFKC", sign).split("⁄"))) for sign in "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞↉"}
)
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
POWERS = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
PART = f"[{''.join(PARTS)}]"


def _number(marks: str, power: str) -> str:
    """Return the pattern of a number whose thousands these marks may set apart; ``power`` is that of a power of ten."""
    whole = rf"(?P<whole>[0-9]{{1,3}}(?:[{marks}][0-9]{{3}})+(?![0-9])|[0-9]+)"
    return rf"(?:{whole}(?:\.(?P<decimals>[0-9]+)|\s?(?P<part>{PART}))?(?:{power})?|(?P<only>{PART}))"


IN_A_FORMULA = _number(",", r"[eE]\+?(?P<power>-?[0-9]{1,2})(?!\w)")
BY_ITSELF = _number(",_' ", r"(?:[eE]\+?|\s*[x×·*]\s*10\^)(?P<power>-?[0-9]{1,3})")
AMOUNT = re.compile(rf"{BY_ITSELF}\s*(?P<word>[^\s\d].*)?", re.DOTALL)
INTEGER = r"([0-9]+(?:_[0-9]+)*)(?:(?:\.([0-9]+))?[eE]\+?([0-9]+)(?!\w))?"
SUFFIXES: Mapping[str, int] = MappingProxyType({"k": 1, "m": 2, "b": 3, "g": 3, "t": 4})  # powers of 1000, or of 1024


@frozen
class Amount:
    """A number as it is written: its exact value, what its last digit counts, the zeros at its end, its word and scale."""

    value: Fraction
    last: Fraction = Fraction(1)
    zeros: int = 0
    word: str = ""
    scale: int = 1

    def scaled(self, word: str, scale: int) -> Amount:
        """Return the amount in the unit of its word, which counts so much."""
        return replace(self, value=self.value * scale, last=self.last * scale, word=word, scale=scale)


def plain(text: str) -> str:
    """Return a text in ordinary signs: １．１ is 1.1 and 10⁹ is 10^9; ½ stays one sign, so that 2½ is never 21/2."""
    pieces = re.split(f"({PART})", POWERS.sub(lambda power: f"^{power[0].translate(SUPERSCRIPTS)}", text))
    return "".join(piece if piece in PARTS else unicodedata.normalize("NFKC", piece) for piece in pieces)


def split(text: str) -> Amount | None:
    """Return the number at the beginning of a text, with all that follows as its word; None where none begins it."""
    match = AMOUNT.fullmatch(plain(text).strip())
    value = exactly(match) if match is not None else None
    if match is None or value is None:
        return None
    whole, decimals, part = match["whole"] or "", match["decimals"] or "", match["part"] or match["only"]
    tens = Fraction(10) ** int(match["power"] or 0)
    last = tens / (PARTS[part].denominator if part else 10 ** len(decimals))
    zeros = 0 if decimals or part else len(whole) - len(whole.rstrip("0"))
    return Amount(value, last, zeros, (match["word"] or "").strip())


def exactly(match: re.Match[str]) -> Fraction | None:
    """Return the number that a pattern of this module has matched; None for one of too many digits."""
    digits, decimals, power = re.sub("[^0-9]", "", match["whole"] or "0"), match["decimals"] or "", int(match["power"] or 0)
    if len(digits) + max(len(decimals), power) > MOST_DIGITS + 1 or power < -MOST_DIGITS:
        return None
    part = match["part"] or match["only"]
    number = Fraction(int(digits + decimals), 10 ** len(decimals)) + (PARTS[part] if part else 0)
    return number * Fraction(10) ** power


def read(amount: object, words: Words) -> Amount | None:
    """Return the amount that a text or a number is, in one of these words, whatever its case; None for anything else.

    All digits of an integer and of an integral float are taken for written: 7e9 is 7,000,000,000.
    """
    if isinstance(amount, str):
        written = split(amount)
        word = spelled(written.word, words) if written else None
        return written.scaled(word, words[word]) if written and word is not None else None
    value = _of_number(amount)
    return Amount(value) if value is not None and "" in words else None


def spelled(word: str, words: Words) -> str | None:
    """Return a word as these spell it: gb is GB; None for one that is not among them."""
    return {name.casefold(): name for name in words}.get(word.casefold())


def _of_number(number: object) -> Fraction | None:
    if isinstance(number, bool):
        return None
    if isinstance(number, float):  # as Python writes it: 7e+22 is 7·10²², and its binary neighbour is nobody's wish
        written = split(float.__repr__(number))
        return written.value if written else None
    try:
        return Fraction(operator.index(number))  # type: ignore[arg-type]
    except TypeError:
        return None


def integer(text: str) -> int:
    """Return the integer that a text is in a formula or as a size: 1_536, 300e9, 1.5e12; ExpressionError for what is none."""
    match = re.fullmatch(INTEGER, text)
    whole, decimals, exponent = match.groups(default="") if match else (text, "", "")
    digits, zeros = whole.replace("_", "") + decimals, exponent.lstrip("0")
    power = int(zeros[: len(str(MOST_DIGITS)) + 1] or 0)  # of an endless exponent no more than is needed to refuse it
    length = len(digits) - len(decimals) + power
    if max(len(digits), length) > MOST_DIGITS:
        how_many = f"{max(len(digits), length):,}" if power <= MOST_DIGITS else "too many"
        raise ExpressionError(f"The number {quoted(text, 20)} has {how_many} digits: write at most {MOST_DIGITS}.")
    if len(decimals.rstrip("0")) > power:
        raise ExpressionError(f"The number {quoted(text, 20)} is not an integer: write 1536, 1.5e3 or 300e9.")
    return int((digits + "0" * power)[:length])


def is_suffix(text: str) -> bool:
    """True if a word after a number has two meanings in a formula: k, M, B, G, T."""
    return text.lower() in SUFFIXES


def without_suffix(number: str, suffix: str) -> str:
    """Return what to write in place of a number with a suffix, in either of its meanings."""
    power = SUFFIXES[suffix.lower()]
    binary = "1024" if power == 1 else f"1024**{power}"
    return f"{quoted(suffix)} may mean {1000**power:,} or {1024**power:,}; write {number}e{3 * power} or {number}*{binary}"
