"""Phrases: words, and formulas among them, broken into lines where they are too wide for one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise, product
from typing import TypeAlias, Union

from symparams.drawings.lettering.faces import TextMeasure
from symparams.drawings.lettering.formulas import WITHIN_KEY
from symparams.drawings.marks import Face, TextPiece
from symparams.expressions.nodes import Expression

MOST_TOKENS = 40  # of a text all of whose breaks are tried
MOST_KEYED = 2  # times as many lines as else, for words with a config's keys among them
# Where a line may end: at a space, which begins what is after it, and only then within a word, Layer|Norm, self-|attention; in
# Chinese after a phrase, which the catalogue may mark by a space of no width, and only then after any character, but never
# between words of another language in brackets, as in "（LM head）".
SPACE = re.compile("(?= )")
CAPITAL = re.compile("(?= )|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z]-)(?=[a-z])")
MARK = "\u200b"
PHRASE = re.compile(f"(?={MARK})|(?<=[，：；。])")
CHARACTER = re.compile(f"(?=[ {MARK}])(?! [^（）\u4e00-\u9fff]*）)|(?<=[\u4e00-\u9fff，、。：；（）])(?=[\u4e00-\u9fff（])")
# Within a config's key: only where no other break will do.
KEYED, KEYED_CHARACTER = (re.compile(f"{places.pattern}|{WITHIN_KEY.pattern}") for places in (CAPITAL, CHARACTER))
IDEOGRAPH = re.compile("[\u4e00-\u9fff]")

Line: TypeAlias = tuple[TextPiece, ...]
Wording: TypeAlias = Union[str, Sequence[Union[str, Expression]]]


def in_lines(text: Wording, face: Face, room: float, measure: TextMeasure, most: int = 2) -> list[Line]:
    """Words in one line, or broken into as few as will do, of lengths that differ least."""
    runs = (text,) if isinstance(text, str) else text
    is_chinese = any(IDEOGRAPH.search(run) for run in runs if isinstance(run, str))
    cuttings = [_tokens(runs, face, places) for places in ((PHRASE, CHARACTER) if is_chinese else (SPACE, CAPITAL))]
    fewest: list[Line] = []
    # One line more is better than one that ends within a word or a phrase.
    for number, within in sorted(product(range(1, most + 1), (0, 1)), key=lambda way: (sum(way), way[1])):
        tokens = cuttings[within]
        candidates = [_joined(tokens, cuts, face) for cuts in _cuts(len(tokens), number)]
        fewest = min(candidates, key=lambda lines: max(map(measure, lines)), default=fewest)
        if all(measure(line) <= room for line in fewest):
            return fewest
    spelled = [run if isinstance(run, str) else measure.key(run) or run for run in runs]
    if spelled == [*runs]:
        return fewest
    filled = _filled(_tokens(spelled, face, KEYED_CHARACTER if is_chinese else KEYED), face, room, measure)
    return filled if len(filled) <= MOST_KEYED * most and all(measure(line) <= room for line in filled) else fewest


def _filled(tokens: list[tuple[bool, Line]], face: Face, room: float, measure: TextMeasure) -> list[Line]:
    """Lines with as many tokens on each as it holds."""
    cuts: list[int] = []
    for end in range(1, len(tokens) + 1):
        *_, last = _joined(tokens[:end], tuple(cuts), face)
        if measure(last) > room and end - 1 > (cuts[-1] if cuts else 0):
            cuts.append(end - 1)
    return _joined(tokens, tuple(cuts), face)


def _cuts(tokens: int, lines: int) -> Iterable[tuple[int, ...]]:
    """Where so many tokens may be cut into lines: anywhere, or, of more than anybody reads, into equal parts."""
    if tokens > MOST_TOKENS:
        return [tuple(tokens * line // lines for line in range(1, lines))]
    return combinations(range(1, tokens), lines - 1)


def _tokens(text: Iterable[str | Expression], face: Face, places: re.Pattern[str]) -> list[tuple[bool, Line]]:
    """What no line divides, and whether a space is before it: a word, a phrase, a formula with what it touches."""
    tokens: list[tuple[bool, Line]] = [(False, ())]
    for run in text:
        for i, part in enumerate(places.split(run) if isinstance(run, str) else [run]):
            spaced, piece = _piece(part, face)
            if i or spaced:
                tokens.append((spaced, ()))
            tokens[-1] = (tokens[-1][0], (*tokens[-1][1], *piece))
    return [token for token in tokens if token[1]]


def _piece(part: str | Expression, face: Face) -> tuple[bool, Line]:
    """True if a space is before a part, and the part without it, if there is anything else."""
    if isinstance(part, Expression):
        return False, (TextPiece(part, Face.FORMULA),)
    bare = part.replace(MARK, "")
    word = bare.removeprefix(" ")
    return word != bare, (TextPiece(word, face),) if word else ()


def _joined(tokens: list[tuple[bool, Line]], cuts: tuple[int, ...], face: Face) -> list[Line]:
    """The tokens as lines that begin at these cuts."""
    lines = []
    for start, end in pairwise([0, *cuts, len(tokens)]):
        line: list[TextPiece] = []
        for i, (spaced, pieces) in enumerate(tokens[start:end]):
            line += [TextPiece(" ", face), *pieces] if i and spaced else pieces
        lines.append(tuple(_merged(line)))
    return lines


def _merged(pieces: list[TextPiece]) -> list[TextPiece]:
    """Words side by side made one."""
    merged: list[TextPiece] = []
    for piece in pieces:
        last = merged[-1] if merged else None
        if last and isinstance(last.value, str) and isinstance(piece.value, str) and last.face is piece.face:
            merged[-1] = TextPiece(last.value + piece.value, last.face)
        else:
            merged.append(piece)
    return merged
