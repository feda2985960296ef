"""Replies: what a learner types, read safely as a formula, a number or the letter of an option; nothing is evaluated.

A formula is in the grammar of ``--expr`` with what people leave out of it: signs of multiplication (12Lh², 3h(h + 1)), and in
the signs that they use, · × − ² ^ and full-width ones. A number may be grouped, rounded to a unit, in words, a percentage or a
size: 1,771,776, 1.77e6, 85M, 1.1亿, seven billion, 七百万, 12.55 GiB, 31.6%, 292 GFLOPs, 7.3 days, 60/24 ms.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType

from symparams.errors import ExpressionError
from symparams.expressions import amounts
from symparams.expressions.amounts import Amount
from symparams.expressions.closed_form import as_written
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.parsing import LARGEST_EXPONENT, ROUNDINGS, parse
from symparams.expressions.polynomial import Polynomial
from symparams.practice import units
from symparams.practice.numerals import has_two_meanings, in_digits
from symparams.practice.units import TIMES, WORDS
from symparams.records import frozen

BYTES, PERCENT = "B", "%"
FLOPS = "FLOPs"
# What else people call a letter.
NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "h": ("d_model",),
        "L": ("n_layers", "n_layer"),
        "V": ("n_vocab", "vocab_size"),
        "d_head": ("d_k",),
        "d_ff": ("d_ffn",),
        "n_heads": ("n_head",),
        "n_kv_heads": ("n_kv",),
    }
)
NOTHING = ("zero", "none", "nothing", "no parameters", "零", "无", "没有", "没有参数")
LONGEST = 300
LONGEST_REST = 2  # of unknown letters in a run, to be named by themselves
SIGNS = str.maketrans(
    {"·": "*", "×": "*", "⋅": "*", "∗": "*", "•": "*", "−": "-", "–": "-", "—": "-", "÷": "/", "⁄": "/", "∕": "/"}
    | {"[": "(", "]": ")", "【": "(", "】": ")", "⌊": "floor(", "⌋": ")", "⌈": "ceil(", "⌉": ")", "、": ",", "’": "'"}
)
TOKEN = re.compile(rf"\s*(?:(?P<number>{amounts.IN_A_FORMULA})|(?P<name>[^\W\d]\w*)|(?P<sign>\*\*|[-+*/()^])|(?P<other>\S))")
POINTS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3}){2,}")
FENCE = re.compile(r"\$+|\\[()]")  # around a formula
EACH = re.compile(r"\s*(?:/|\b(?:per|a|each)\b|每个?)\s*(?:token|词元)$", re.IGNORECASE)
CHOSEN = re.compile(r"(?:选|我选|option|answer)\s*(?=\W*[a-z]\W*$)", re.IGNORECASE)
INDEX = re.compile(r"([_^])\{(\w+)\}")
HEDGES = (
    "about", "around", "roughly", "approximately", "approx", "some", "maybe", "perhaps", "probably", "I guess", "I think",
    "I would say", "I'd say", "it is", "it's",
)  # fmt: skip
IDEOGRAPHIC_HEDGES = ("大约", "大概", "差不多", "我觉得", "我想", "我猜", "应该", "可能", "也许", "估计", "约", "是", "有")
BEFORE = re.compile(rf"^(?:(?:[=≈~]|{'|'.join(IDEOGRAPHIC_HEDGES)}|(?:{'|'.join(HEDGES)})\b\.?)\s*)+", re.IGNORECASE)
AFTER = re.compile(r"\s*(?:左右|上下|or so|parameters|params|个参数|参数|个|[。.;；])$", re.IGNORECASE)
COUNTED = re.compile(r"\s*(?:cards?|GPUs?|张?卡|张|bits?|位)$", re.IGNORECASE)  # where a record names no unit
PERCENT_WORD = re.compile(r"\s*\bper ?cent\b", re.IGNORECASE)


class UnreadableError(Exception):
    """A reply that cannot be read: why, by the key of its sentence, and the piece that is in the way."""

    def __init__(self, reason: str, piece: str = "") -> None:
        super().__init__(reason, piece)
        self.reason, self.piece = reason, piece


@frozen
class Reply:
    """A reply: a formula, or a number whose last written digit counts ``last``, 0 where all digits are written.

    ``unit`` is "%" or "B" where the number was given in percent or in bytes. ``other`` is the second reading of a word that
    has two: 512 KB with 1,024 bytes each, which is written ``binary``, and 12 B as twelve billion.
    """

    written: Expression | None
    value: Fraction = Fraction(0)
    last: Fraction = Fraction(0)
    unit: str = ""
    other: Reply | None = None
    binary: str = ""


def read(text: str, symbols: Mapping[str, Dimension], unit: str = "") -> Reply:
    """The reply that a text is, in these letters, to a question that asks in this unit; UnreadableError says what is not."""
    reply = _read(text, symbols, unit)
    if not has_two_meanings(text) or reply.written is not None or reply.other is not None:
        return reply
    return replace(reply, other=_read(text, symbols, unit, is_mega=True))


def _read(text: str, symbols: Mapping[str, Dimension], unit: str, *, is_mega: bool = False) -> Reply:
    plain = _plain(text, is_mega=is_mega)
    plain = plain if unit else COUNTED.sub("", plain)
    if not plain:
        raise UnreadableError("empty")
    if len(plain) > LONGEST:
        raise UnreadableError("long")
    if POINTS.fullmatch(plain):
        raise UnreadableError("points", plain.replace(".", ","))
    if plain.casefold() in NOTHING:
        return Reply(None)
    number = _number(EACH.sub("", plain) if unit in amounts.BYTES else plain, symbols, unit)
    return number or _measured(plain, symbols, unit) or Reply(_formula(plain, symbols))


def read_option(text: str, options: int) -> int:
    """The number of the option that a letter stands for: b, B, (b); UnreadableError for anything else."""
    letter = CHOSEN.sub("", unicodedata.normalize("NFKC", text).strip()).strip("().。 ").casefold()
    number = ord(letter) - ord("a") if len(letter) == 1 else -1
    if not 0 <= number < options:
        raise UnreadableError("option", text.strip())
    return number


def _plain(text: str, *, is_mega: bool) -> str:
    """The reply with the signs of the grammar in place of those that people use, and digits in place of words."""
    plain = FENCE.sub("", amounts.plain(text.translate(SIGNS)).translate(SIGNS)).strip()
    plain = PERCENT_WORD.sub(PERCENT, INDEX.sub(r"\1\2", plain))
    bare = AFTER.sub("", AFTER.sub("", BEFORE.sub("", plain))).strip()
    return bare if bare.casefold() in NOTHING else in_digits(bare, is_mega=is_mega)


def _number(text: str, symbols: Mapping[str, Dimension], unit: str) -> Reply | None:
    digits = text.removeprefix("-").removeprefix("+").lstrip()
    amount = amounts.split(digits)
    is_time = amount is not None and unit in TIMES and amount.word in TIMES
    if amount is None or (not is_time and _word(amount.word) and _split(amount.word, symbols) is not None):
        return None
    scale, kind = _scale(amount, unit)
    if (scale is None and units.is_unit(amount.word)) or (kind == BYTES and unit not in amounts.BYTES):
        raise UnreadableError("unit", amount.word)
    if scale is None:
        return None
    sign = -1 if text.startswith("-") else 1
    last = Fraction(0) if amount.last == 1 and not amount.word else amount.last
    other, binary = _other(amount, unit, sign)
    return Reply(None, sign * amount.value * scale, last * scale, kind, other, binary)


def _measured(text: str, symbols: Mapping[str, Dimension], asked: str) -> Reply | None:
    """A number that is worked out from others with their units, in the unit that is asked; None for any other formula."""
    plain = units.in_letters(text)
    names = [match["name"] for match in TOKEN.finditer(text) if match["name"] not in (None, *ROUNDINGS)]
    is_in_letters = all(_split(name, symbols) is not None for name in names)
    if plain is None or (is_in_letters and not (asked in TIMES and TIMES.keys() & set(names))):
        return None
    try:
        value, powers = units.worth(_formula(plain, units.LETTERS))
    except ZeroDivisionError:
        raise UnreadableError("zero") from None
    except UnreadableError as error:
        raise UnreadableError(error.reason, text) from None
    if powers not in ((0, 0), units.power(asked)):
        raise UnreadableError("unit", names[0])
    if powers == (0, 1):
        value /= TIMES[asked]
    return Reply(as_written(Polynomial({(): value})), unit=BYTES if powers == (1, 0) else "")


def _other(amount: Amount, asked: str, sign: int) -> tuple[Reply | None, str]:
    """The second reading of a number of bytes: in units of 1,024, with how that is written, or in billions."""
    if asked not in amounts.BYTES:
        return None, ""
    if amount.word == BYTES:
        return Reply(None, sign * amount.value * 10**9, amount.last * 10**9), ""
    name = next((name for end in ("", BYTES) if (name := amounts.spelled(amount.word + end, amounts.BINARY_BYTES))), None)
    if name is None or name == BYTES:
        return None, ""
    scale = amounts.BINARY_BYTES[name]
    return Reply(None, sign * amount.value * scale, amount.last * scale, BYTES), f"{name[0]}iB"


def _scale(amount: Amount, asked: str) -> tuple[int | Fraction | None, str]:
    """Return the factor of a number's unit and its kind; None for a word that is not a unit here."""
    written, is_of_bytes = amount.word, asked in amounts.BYTES
    if written == PERCENT:
        return 1, PERCENT
    if written == BYTES and is_of_bytes:
        return 1, BYTES
    if asked in TIMES and written in TIMES:
        return TIMES[written] / TIMES[asked], ""
    name = amounts.spelled(written, amounts.CAPACITY if is_of_bytes else amounts.BYTES)
    if name is not None and name != BYTES:
        return amounts.CAPACITY[name], BYTES
    if asked == FLOPS and (name := amounts.spelled(written, amounts.FLOPS)):
        return amounts.FLOPS[name], ""
    if written and written in WORDS.get(asked, ()):
        return 1, ""
    if written and not is_of_bytes and (written == asked or (asked == "×" and written in ("x", "倍", "times", "*"))):
        return 1, ""
    name = amounts.spelled(written, amounts.COUNTS)
    return None if name is None else amounts.COUNTS[name], ""


def _formula(text: str, symbols: Mapping[str, Dimension]) -> Expression:
    """The formula in the grammar of ``--expr``, every sign of multiplication written."""
    if "=" in text:
        raise UnreadableError("equality")
    known = {**symbols, **dict.fromkeys(ROUNDINGS)}
    tokens = [token for match in TOKEN.finditer(text) for token in _tokens(match, known)]
    _refuse(tokens)
    try:
        return parse("".join(_with_products(tokens)), symbols, is_evaluated=True)
    except ExpressionError:
        raise UnreadableError("grammar", text) from None


def _tokens(match: re.Match[str], known: Mapping[str, Dimension | None]) -> Iterator[str]:
    if match["number"]:
        value = amounts.exactly(match)
        if value is None:
            raise UnreadableError("long")
        yield str(value.numerator) if value.denominator == 1 else f"({value.numerator}/{value.denominator})"
    elif match["name"]:
        letters = _split(match["name"], known)
        if letters is None:
            raise UnreadableError("unknown", _unknown(match["name"], known))
        yield from letters
    elif match["other"]:
        raise UnreadableError("unknown", match["other"])
    else:
        yield "**" if match["sign"] == "^" else match["sign"]


def _split(word: str, known: Mapping[str, Dimension | None]) -> list[str] | None:
    """A run of letters as the letters that there are, the longest first: Lhd_ff is L·h·d_ff; None where it is none."""
    letters: dict[int, list[str]] = {len(word): []}
    for start in range(len(word) - 1, -1, -1):
        ends = (end for end in range(len(word), start, -1) if end in letters and word[start:end] in known)
        end = next(ends, None)
        if end is not None:
            letters[start] = [word[start:end], *letters[end]]
    return letters.get(0)


def _unknown(word: str, known: Mapping[str, Dimension | None]) -> str:
    """Return the unknown part of a run of letters: a few of them if all around them are known, else all."""
    for length in range(1, min(LONGEST_REST, len(word) - 1) + 1):
        for start in range(len(word) - length + 1):
            around = (word[:start], word[start + length :])
            if all(_split(rest, known) is not None for rest in around) and "_" not in word[start : start + length]:
                return word[start : start + length]
    return word


def _refuse(tokens: Sequence[str]) -> None:
    """Refuse what the parser would refuse in its own words, and a division with two readings: V/2h."""
    if tokens.count("(") != tokens.count(")"):
        raise UnreadableError("bracket")
    if tokens[-1] in ("+", "-", "*", "/", "**"):
        raise UnreadableError("ends")
    for i, token in enumerate(tokens):
        after = tokens[i + 1 : i + 3]
        if token == "**" and not _is_power(after):
            raise UnreadableError("exponent", "".join(after[:1]))
        if token[-1].isdecimal() and token[0].isdecimal() and after and after[0][0].isdecimal():
            raise UnreadableError("apart", f"{token} {after[0]}")
        if token == "/" and after[:1] == ["0"]:
            raise UnreadableError("zero")
        if token == "/" and _is_in_two_ways(after):
            raise UnreadableError("division", "".join(after).removesuffix("("))


def _is_in_two_ways(after: Sequence[str]) -> bool:
    """True if what stands behind a slash goes on without a sign: V/2h."""
    is_juxtaposed = len(after) == 2 and _is_word(after[0]) and (_is_word(after[1]) or after[1] == "(")
    return is_juxtaposed and after[0] not in ROUNDINGS


def _is_power(after: Sequence[str]) -> bool:
    digits = after[1] if after[:1] == ["("] and len(after) > 1 else after[0] if after else ""
    return digits.isdecimal() and len(digits) < 3 and int(digits) <= LARGEST_EXPONENT


def _with_products(tokens: Sequence[str]) -> Iterator[str]:
    before = ""
    for i, token in enumerate(tokens):
        if token == "+" and before in ("", "("):
            continue
        is_open = token == "(" and before in ROUNDINGS
        if before == "**" and token == "(" and tokens[i + 2 : i + 3] == [")"]:
            continue  # an exponent in brackets
        if token == ")" and i > 2 and tokens[i - 2] == "(" and tokens[i - 3] == "**":
            continue
        if (before == ")" or _is_word(before)) and (token.startswith("(") or _is_word(token)) and not is_open:
            yield "*"
        yield token
        before = ")" if token.startswith("(") and token != "(" else token


def _is_word(token: str) -> bool:
    return token[:1].isalnum() or token[:1] == "_" or (token.startswith("(") and token != "(")


def _word(text: str) -> bool:
    return re.fullmatch(r"[^\W\d]\w*", text) is not None
