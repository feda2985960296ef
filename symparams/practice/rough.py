"""Rough answers, as an interviewer takes them: one or two digits, a formula, an assumption behind a comma.

Right is what lies within 25 % of the answer where one digit is written, within 10 % with two and within the tolerance of the
question with more, and nearer to the answer, as a ratio, than to any usual mistake; where a mistake is nearer, one digit more
is asked for.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from enum import StrEnum
from fractions import Fraction

from symparams.expressions.nodes import Dimension
from symparams.practice.conditions import parsed
from symparams.practice.equality import are_equal
from symparams.practice.interview import Posed, assumptions
from symparams.practice.marking import number_of
from symparams.practice.numerals import in_digits
from symparams.practice.question import Mistake
from symparams.practice.replies import NOTHING, Reply, UnreadableError, read
from symparams.records import frozen

WIDTHS: Mapping[int, Fraction] = {1: Fraction(25, 100), 2: Fraction(10, 100)}  # by the digits that are written
MANY = 3  # digits: the tolerance of the question
FEW = 10  # a number of things below it is counted, not estimated
DIGITS = re.compile(r"[0-9][0-9,_ ]*(?:\.[0-9]+)?|\.[0-9]+")
CUT = re.compile(r"[;；，。]|,(?![0-9]{3}(?![0-9]))")
SIZE_IN_NAME = re.compile(r"(?<![0-9a-z.])([0-9]+(?:\.[0-9]+)?)([bm])(?![a-z0-9])", re.IGNORECASE)
SCALES = {"b": 10**9, "m": 10**6}


class Worth(StrEnum):
    """What an interviewer makes of an answer; only a wrong one costs a try."""

    RIGHT = "right"
    ENOUGH = "enough"  # to one digit
    ASSUMED = "assumed"  # right under an assumption that was stated
    EXCLUDED = "excluded"  # right under one that the question excludes
    FORMULA = "formula"  # a right formula, and no number yet
    CLOSER = "closer"  # a usual mistake is as near: a digit more is asked for
    NAMED = "named"  # the number in the model's name
    WRONG = "wrong"


@frozen
class Judgement:
    """The worth of an answer, how far off it is, the usual mistakes that it may be, and the assumption it holds under."""

    worth: Worth
    off: Fraction = Fraction(0)
    mistakes: tuple[str, ...] = ()
    assumption: str = ""
    value: Fraction | None = None


@frozen
class Heard:
    """An answer in pieces: what may be numbers or formulas, and the assumptions that were stated."""

    pieces: tuple[str, ...]
    assumed: tuple[str, ...]


def heard(text: str) -> Heard:
    """Return the pieces of an answer, cut at commas, without the words of known assumptions."""
    plain, assumed = unicodedata.normalize("NFKC", text), []
    for name, assumption in assumptions().items():
        for word in assumption.words:
            if re.search(_whole(word), plain, re.IGNORECASE):
                plain = re.sub(_whole(word), ",", plain, flags=re.IGNORECASE)
                assumed.append(name)
    pieces = tuple(piece.strip() for piece in CUT.split(plain) if piece.strip())
    return Heard(pieces, tuple(dict.fromkeys(assumed)))


def _whole(word: str) -> str:
    """A word by itself, where its letters are not those of a longer one."""
    return rf"(?<![a-z]){re.escape(word)}(?![a-z])" if word.isascii() else re.escape(word)


def is_said(words: tuple[str, ...], piece: str) -> bool:
    """True if one of these words stands in a piece of an answer."""
    return any(re.search(_whole(word), piece, re.IGNORECASE) for word in words)


def judge(posed: Posed, said: Heard, symbols: Mapping[str, Dimension]) -> tuple[Judgement, tuple[str, ...]]:
    """Return the judgement on an answer, and the pieces that nothing could be made of.

    Of several numbers a right one counts, or else the last. UnreadableError where none of the pieces can be read.
    """
    judged: list[Judgement] = []
    unread: list[str] = []
    failure = UnreadableError("empty")
    for piece in said.pieces:
        if piece.casefold() in NOTHING and len(said.pieces) > 1:  # an answer to what is asked next
            unread.append(piece)
            continue
        try:
            reply = read(piece, symbols, posed.question.kind.unit)
            judged.append(_judged(posed, reply, piece, said.assumed))
        except UnreadableError as error:
            unread.append(piece)
            failure = failure if len(unread) > 1 else error
    if not judged:
        raise failure
    good = (one for one in judged if one.worth in (Worth.RIGHT, Worth.ENOUGH, Worth.ASSUMED))
    return next(good, judged[-1]), tuple(unread)


def _judged(posed: Posed, reply: Reply, piece: str, assumed: tuple[str, ...]) -> Judgement:
    question = posed.question
    if reply.written is not None and reply.written.dimensions:
        try:
            value = Fraction(question.worth(reply.written))
        except ZeroDivisionError:
            raise UnreadableError("zero") from None
        if are_equal(question, reply.written, question.written) or _is_near(value, _answer(posed), posed.step.tolerance):
            return Judgement(Worth.FORMULA, value=value)
        return _against(posed, value, posed.step.tolerance, MANY)
    number, _ = number_of(question, reply)
    digits = 0 if reply.written is not None else written_digits(in_digits(piece))
    width = WIDTHS[2] if not digits else max(WIDTHS.get(digits, Fraction(0)), posed.step.tolerance)
    if posed.step.names_size and digits <= 2 and number == _size_in_name(question.model.name):
        return Judgement(Worth.NAMED)
    for name, formula in (*posed.step.excluded.items(), *posed.step.allowed.items()):
        if name in assumed and _is_near(number, Fraction(question.worth(parsed(formula))), width):
            worth = Worth.EXCLUDED if name in posed.step.excluded else Worth.ASSUMED
            return Judgement(worth, assumption=name, value=Fraction(question.worth(parsed(formula))))
    judged = [_against(posed, value, width, digits) for value in _readings(posed, number, reply)]
    good = (one for one in judged if one.worth in (Worth.RIGHT, Worth.ENOUGH))
    return next(good, next((one for one in judged if one.mistakes), judged[0]))


def written_digits(piece: str) -> int:
    """Return the digits of a number as they are written: one of 60 and 0.8, two of 59 and 6.7, three of 128K."""
    match = DIGITS.search(piece)
    if match is None:
        return 0
    digits = re.sub("[^0-9.]", "", match[0])
    kept = digits.replace(".", "") if "." in digits else digits.rstrip("0")
    return max(1, len(kept.lstrip("0")))


def _readings(posed: Posed, number: Fraction, reply: Reply) -> Iterator[Fraction]:
    """A number, and what else it may mean: a size in units of 1,024, B as billions."""
    yield number
    if reply.other is not None:
        yield number_of(posed.question, reply.other)[0]


def _against(posed: Posed, value: Fraction, width: Fraction, digits: int) -> Judgement:
    """A number against the answer and the usual mistakes."""
    answer = _answer(posed)
    is_counted = answer.denominator == 1 and answer < FEW
    width = Fraction(0) if is_counted else width
    off = (value - answer) / answer
    rival = min(rivals(posed), key=lambda mistake: _apart(value, Fraction(mistake.value)), default=None)
    is_rival = rival is not None and _apart(value, Fraction(rival.value)) <= _apart(value, answer)
    if _is_near(value, answer, width) and not is_rival:
        return Judgement(Worth.ENOUGH if digits == 1 and value != answer else Worth.RIGHT, off, value=value)
    names = rival.names if rival is not None and is_rival and _is_near(value, Fraction(rival.value), width) else ()
    if _is_near(value, answer, width) and digits < MANY:
        return Judgement(Worth.CLOSER, off, names, value=value)
    return Judgement(Worth.WRONG, off, names, value=value)


def rivals(posed: Posed) -> list[Mistake]:
    """The usual mistakes that make a difference to a rough number."""
    answer = _answer(posed)
    return [
        mistake for mistake in posed.question.mistakes if not _is_near(Fraction(mistake.value), answer, posed.step.tolerance)
    ]


def _is_near(value: Fraction, other: Fraction, width: Fraction) -> bool:
    return abs(value - other) <= width * abs(other)


def _apart(value: Fraction, other: Fraction) -> Fraction:
    """How far a number is from another, as a ratio; very far where one of them is not positive."""
    if value <= 0 or other <= 0:
        return Fraction(0) if value == other else Fraction(10**30)
    return max(value / other, other / value) - 1


def _answer(posed: Posed) -> Fraction:
    assert posed.question.value is not None
    return Fraction(posed.question.value)


def _size_in_name(name: str) -> Fraction | None:
    match = SIZE_IN_NAME.search(name)
    return Fraction(match[1]) * SCALES[match[2].lower()] if match else None
