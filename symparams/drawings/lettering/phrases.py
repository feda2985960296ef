"""Phrases: words, and formulas among them, broken into lines where they are too wide for one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise, product
from typing import TypeAlias, Union

from symparams.drawings.lettering.breaking import even, full
from symparams.drawings.lettering.faces import TextMeasure
from symparams.drawings.lettering.formulas import WITHIN_KEY
from symparams.drawings.marks import Face, Slot, TextLine, TextPiece
from symparams.expressions.nodes import Expression

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

Wording: TypeAlias = Union[str, Sequence[Union[str, Expression]]]


def in_lines(text: Wording, face: Face, room: float, measure: TextMeasure, most: int = 2) -> list[TextLine]:
    """Words in one line, or broken into as few as will do, of lengths that differ least."""
    runs = (text,) if isinstance(text, str) else text
    is_chinese = any(IDEOGRAPH.search(run) for run in runs if isinstance(run, str))
    cuttings = [_Tokens(runs, face, places, measure) for places in ((PHRASE, CHARACTER) if is_chinese else (SPACE, CAPITAL))]
    fewest: list[TextLine] = []
    # One line more is better than one that ends within a word or a phrase.
    for number, within in sorted(product(range(1, most + 1), (0, 1)), key=lambda way: (sum(way), way[1])):
        tokens = cuttings[within]
        cuts = even(range(len(tokens) + 1), number, tokens.width)
        fewest = fewest if cuts is None else tokens.lines(cuts)
        if all(measure(line) <= room for line in fewest):
            return fewest
    spelled = [run if isinstance(run, str) else measure.key(run) or run for run in runs]
    if spelled == [*runs]:
        return fewest
    tokens = _Tokens(spelled, face, KEYED_CHARACTER if is_chinese else KEYED, measure)
    lines = tokens.lines(full(len(tokens), tokens.width, room))
    return lines if len(lines) <= MOST_KEYED * most and all(measure(line) <= room for line in lines) else fewest


class _Tokens:
    """A piece of text that no line divides, and whether a space is before it: a word, a phrase, a formula."""

    def __init__(self, text: Sequence[str | Expression], face: Face, places: re.Pattern[str], measure: TextMeasure) -> None:
        tokens: list[tuple[bool, TextLine]] = [(False, ())]
        for before, whole in zip(("", *text), text, strict=False):
            run = whole
            if isinstance(before, Slot) and isinstance(whole, str) and whole.startswith(" ") and not places.match(whole):
                tokens[-1] = (tokens[-1][0], (*tokens[-1][1], TextPiece(" ", face)))  # as within one text
                run = whole[1:]
            for i, part in enumerate([run] if isinstance(run, (Expression, Slot)) else places.split(run)):
                spaced, piece = _piece(part, face)
                if i or spaced:
                    tokens.append((spaced, ()))
                tokens[-1] = (tokens[-1][0], (*tokens[-1][1], *piece))
        self.face, self.tokens = face, [token for token in tokens if token[1]]
        self.space = measure((TextPiece(" ", face),))
        widths = (self.space * spaced + measure(pieces) for spaced, pieces in self.tokens)
        self.ends = [0.0, *accumulate(widths)]  # so that a long text is measured once, not once for each run of its tokens

    def __len__(self) -> int:
        return len(self.tokens)

    def width(self, start: int, end: int) -> float:
        """The width of the tokens from one to before another, on a line of their own."""
        return self.ends[end] - self.ends[start] - self.space * self.tokens[start][0]

    def line(self, start: int, end: int) -> TextLine:
        """The tokens from one to before another side by side, neighbouring words as one piece."""
        line: list[TextPiece] = []
        for i, (spaced, pieces) in enumerate(self.tokens[start:end]):
            for piece in (TextPiece(" ", self.face), *pieces) if i and spaced else pieces:
                last = line[-1] if line else None
                if last and last.face is piece.face and _is_word(last) and _is_word(piece):
                    line[-1] = TextPiece(f"{last.value}{piece.value}", last.face)
                else:
                    line.append(piece)
        return tuple(line)

    def lines(self, cuts: Sequence[int]) -> list[TextLine]:
        """The lines that begin at these cuts."""
        return [self.line(start, end) for start, end in pairwise([0, *cuts, len(self)])]


def _is_word(piece: TextPiece) -> bool:
    return isinstance(piece.value, str) and not isinstance(piece.value, Slot)


def _piece(part: str | Expression, face: Face) -> tuple[bool, TextLine]:
    """True if a space is before a part, and the part without it, if there is anything else."""
    if isinstance(part, Expression):
        return False, (TextPiece(part, Face.FORMULA),)
    if isinstance(part, Slot):
        return False, (TextPiece(part, face),)
    bare = part.replace(MARK, "")
    word = bare.removeprefix(" ")
    return word != bare, (TextPiece(word, face),) if word else ()
