"""Units behind numbers, also within sums and quotients: 60/24 ms, 16 GB + 2 GB, 79 GB / 3.35 TB/s.

Bytes and seconds are letters while a formula is read, so that what it comes to shows in which unit that is; all other words
are counts of something.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from symparams.expressions import amounts
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.written import exact

# What people write behind a number, by the unit of a record.
WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "tokens": ("token", "个词元", "词元"),
        "tokens/s": ("tok/s", "token/s", "tokens per second", "tokens a second", "个词元/秒", "词元/秒"),
        "requests": ("request", "个请求", "请求", "个"),
        "heads": ("head", "个头", "头", "个"),
        "cards": ("card", "张卡", "张", "卡", "GPU", "GPUs"),
        "sequences": ("sequence", "条序列", "条"),
        "microbatches": ("microbatch", "个微批", "个"),
        "bits": ("bit", "位", "比特"),
        "FLOPs/B": ("FLOPs a byte", "FLOPs/byte", "FLOP/B", "FLOPs/字节"),
    }
)
# Seconds of a word; a card hour is an hour of one card.
TIMES: Mapping[str, Fraction] = MappingProxyType(
    dict.fromkeys(("s", "sec", "second", "seconds", "秒"), Fraction(1))
    | dict.fromkeys(("ms", "millisecond", "milliseconds", "毫秒"), Fraction(1, 1000))
    | dict.fromkeys(("us", "μs", "微秒"), Fraction(1, 10**6))
    | dict.fromkeys(("min", "minute", "minutes", "分钟"), Fraction(60))
    | dict.fromkeys(("hours", "hour", "h", "小时", "GPU-hours", "card hours", "卡时"), Fraction(3600))
    | dict.fromkeys(("days", "day", "d", "天", "日"), Fraction(86_400))
)
BYTE, SECOND = Dimension("a_byte"), Dimension("a_second")
LETTERS: Mapping[str, Dimension] = MappingProxyType({each.name: each for each in (BYTE, SECOND)})
RATE = r"(?P<rate>\s*/\s*(?:s|sec|second|秒)(?![\w]))?"
MEASURED = re.compile(rf"(?:{amounts.IN_A_FORMULA})(?:[ ]?(?P<word>[^\W\d_]+){RATE})?")
MOST = 3  # a power of a unit


def is_unit(word: str) -> bool:
    """True if a word is a unit of anything."""
    known = {*TIMES, *WORDS, *(each for words in WORDS.values() for each in words)}
    return word in known or any(amounts.spelled(word, table) for table in (amounts.BYTES, amounts.FLOPS))


def power(asked: str) -> tuple[int, int]:
    """The powers of bytes and of seconds in the unit that is asked."""
    if asked in amounts.BYTES and asked:
        return 1, 0
    return {"tokens/s": (0, -1), "FLOPs/B": (-1, 0)}.get(asked, (0, int(asked in TIMES)))


def in_letters(text: str) -> str | None:
    """A formula of numbers in which each unit is a letter behind its number; None where it has no unit, or other words."""
    if not any(match["word"] for match in MEASURED.finditer(text)):
        return None
    plain = MEASURED.sub(_measured, text)
    return None if re.search(r"[^\W\d_]", re.sub("|".join((*LETTERS, "floor", "ceil")), "", plain)) else plain


def _measured(match: re.Match[str]) -> str:
    value, word = amounts.exactly(match), match["word"] or ""
    if value is None:
        return match[0]
    number = str(value.numerator) + (f"/{value.denominator}" if value.denominator > 1 else "")
    if not word:
        return f"({number})"
    rate = f"/{SECOND.name}" if match["rate"] else ""
    if word in TIMES:
        return f"({number}*{TIMES[word].numerator}/{TIMES[word].denominator}*{SECOND.name}{rate})"
    if word != "B" and (name := amounts.spelled(word, amounts.BYTES)):
        return f"({number}*{amounts.BYTES[name]}*{BYTE.name}{rate})"
    for table in (amounts.COUNTS, amounts.FLOPS, amounts.CAPACITY):
        if name := amounts.spelled(word, table):
            return f"({number}*{table[name]}{rate})"
    return f"({number}{rate})" if is_unit(word) else match[0]


def worth(written: Expression) -> tuple[Fraction, tuple[int, int] | None]:
    """What a formula in these letters comes to, in bytes and seconds, and the power of each; None for a sum of different ones.

    ZeroDivisionError where it divides by zero.
    """
    value = Fraction(exact(written, {BYTE: 1, SECOND: 1}))
    powers = []
    for sizes in ({BYTE: 2, SECOND: 1}, {BYTE: 1, SECOND: 2}):
        other = Fraction(exact(written, sizes))
        powers += [each for each in range(-MOST, MOST + 1) if other == value * Fraction(2) ** each][:1]
    return value, (powers[0], powers[1]) if value and len(powers) == len(LETTERS) else None if value else (0, 0)
