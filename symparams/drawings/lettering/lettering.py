"""Lettering: a name, a formula and a count as the lines of a box, broken where they are too wide for it.

The order in which it is tried: the name above "formula = count", or for a norm all on one line; a break before "="; the formula
in two lines or three, before + or else after ×, in the smallest letters rather than at a · or inside parentheses; the count
alone. A count below its formula is always said to be equal: "=" ends the line before where it has no room in its own. A name
breaks at a space, once; what is still too wide is set smaller, and in the end cut off: the whole stands in the box's title. A
dimension that is written as a config's key, num_experts_per_tok, may end a line after any of its words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, product
from typing import TypeAlias, Union

from symparams.drawings.lettering.faces import LEAST, PITCHES, SIZES, Measure, base_line
from symparams.drawings.lettering.formulas import WITHIN_KEY, broken
from symparams.drawings.marks import Face, Piece, Text
from symparams.expressions.nodes import Expression

AIR, PILL_AIR = 2.2, 1.2  # above the first line and below the last, in a box and in a pill
SLACK = 3.0  # of a box's width that its text leaves free
MOST_TOKENS = 40  # of a text all of whose breaks are tried
MOST_LINES = 3  # of one formula
MOST_KEYED = 2  # times as many lines as else, for words with a config's keys among them
MORE, ROUGHLY, EQUAL = "…", "≈", "="
# Where a line may end: at a space, which begins what is after it, and only then within a word, Layer|Norm, self-|attention; in
# Chinese after a phrase, which the catalogue may mark by a space of no width, and only then after any character, but never
# between words of another language in brackets, as in "（LM head）".
SPACE, CAPITAL, MARK = (
    re.compile("(?= )"),
    re.compile("(?= )|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z]-)(?=[a-z])"),
    "\u200b",
)
PHRASE = re.compile(f"(?={MARK})|(?<=[，：；。])")
CHARACTER = re.compile(f"(?=[ {MARK}])(?! [^（）\u4e00-\u9fff]*）)|(?<=[\u4e00-\u9fff，、。：；（）])(?=[\u4e00-\u9fff（])")
# Within a config's key: only where no other break will do.
KEYED, KEYED_CHARACTER = (re.compile(f"{places.pattern}|{WITHIN_KEY.pattern}") for places in (CAPITAL, CHARACTER))
IDEOGRAPH = re.compile("[\u4e00-\u9fff]")

Line: TypeAlias = tuple[Piece, ...]
Said: TypeAlias = Union[str, Sequence[Union[str, Expression]]]


@dataclass(frozen=True)
class Lettered:
    """Lines around the middle of a box, from its upper edge (0, 0) on, and the height that they take with air around."""

    lines: tuple[Text, ...]
    height: float

    def at(self, x: float, y: float) -> tuple[Text, ...]:
        """The lines in a box whose upper edge has its middle here."""
        return tuple(replace(line, x=line.x + x, y=line.y + y) for line in self.lines)

    def above(self, other: Lettered) -> Lettered:
        """The same with other lines below its own."""
        return Lettered((*self.lines, *other.at(0.0, self.height - AIR)), self.height + other.height - AIR)


def label(
    name: str,
    formula: Expression | None,
    count: str,
    width: float,
    measure: Measure,
    *,
    in_one_line: bool = False,
    short: str = "",
    most: int = MOST_LINES,
    face: Face = Face.NAME,
) -> Lettered:
    """The lines of a box of this width: its name, then "formula = count", or what there is of them.

    ``count`` is a number as it is printed, or words such as "tied: 0" where there is no formula; "" where there is none.
    ``short`` is the number as people say it, "≈ 11.3 B", for a box that does not hold all of its digits: no number is cut off.
    ``most`` is in how many lines a formula may stand before the count does alone. Text keeps the spaces at its ends.
    """
    room = width - SLACK
    counted = _counted(formula, count, short, room, measure)
    one = (Piece(name, face), *_equated(formula, counted, "  "))
    if in_one_line and measure(one) <= room:
        return stacked([one])
    said = [*_words(name, face, room, measure), *_numbers(formula, counted, short, room, measure, most)]
    return stacked([_fitted(line, room, measure) for line in said])


def words(said: Said, face: Face, width: float, measure: Measure, *, most: int = 2, air: float = PILL_AIR) -> Lettered:
    """Words, and formulas among them, in at most so many lines, as they stand in a pill or on a strip."""
    room = width - SLACK
    return stacked([_fitted(line, room, measure) for line in _words(said, face, room, measure, most)], air)


def stacked(lines: list[tuple[Line, float]] | list[Line], air: float = AIR) -> Lettered:
    """Lines below one another, each in its middle; a line may come with a scale."""
    found, y = [], air
    for line in lines:
        pieces, scale = line if isinstance(line[0], tuple) else (line, 1.0)
        face = max((piece.face for piece in pieces), key=_height)
        found.append(Text(0.0, y + base_line(face), pieces, scale=scale))
        y += PITCHES[face]
    return Lettered(tuple(found), y + air)


def _height(face: Face) -> tuple[float, bool]:
    return PITCHES[face], face is Face.COUNT


def _counted(formula: Expression | None, count: str, short: str, room: float, measure: Measure) -> str:
    """The count with the sign before it, "= 1,536", or without it, or as people say it: the first of these that fits."""
    if not count:
        return ""
    said = [f"{EQUAL} {count}", count] if formula is not None and not count.startswith(ROUGHLY) else [count]
    least = LEAST / SIZES[Face.COUNT]
    fitting = [each for each in said if measure((Piece(each, Face.COUNT),)) * least <= room]
    return next(iter(fitting), short or said[-1])


def _equated(formula: Expression | None, count: str, before: str = "") -> Line:
    """The pieces of "formula = count", or of one of them alone, with what stands before them."""
    space = (Piece(before, Face.COUNT),) if before and (formula is not None or count) else ()
    if formula is None:
        return (*space, Piece(count, Face.COUNT)) if count else ()
    return (*space, Piece(formula, Face.FORMULA), *((Piece(f" {count}", Face.COUNT),) if count else ()))


def _numbers(formula: Expression | None, count: str, short: str, room: float, measure: Measure, most: int) -> list[Line]:
    """The lines of a formula and its count."""
    whole = _equated(formula, count)
    if not whole or measure(whole) <= room:
        return [whole] if whole else []
    if formula is None:
        return _words(count, Face.COUNT, room, measure)
    smallest = room * SIZES[Face.FORMULA] / LEAST
    lines = broken(formula, room, most, measure, smallest=smallest)
    if lines is None:
        return [(Piece(count.removeprefix(f"{EQUAL} "), Face.COUNT) if count else Piece(formula, Face.FORMULA),)]
    if not count:
        return lines
    last = (*lines[-1], Piece(f" {count}", Face.COUNT))
    if len(lines) > 1 and measure(last) <= room:
        return [*lines[:-1], last]
    if count.startswith((EQUAL, ROUGHLY)):
        return [*lines, (Piece(count, Face.COUNT),)]
    equal = (*lines[-1], Piece(f" {EQUAL}", Face.COUNT))
    if measure(equal) <= smallest:
        return [*lines[:-1], equal, (Piece(count, Face.COUNT),)]
    return [*lines, (Piece(short or count, Face.COUNT),)]


def _words(said: Said, face: Face, room: float, measure: Measure, most: int = 2) -> list[Line]:
    """Words in one line, or broken into as few as will do, of lengths that differ least."""
    runs = (said,) if isinstance(said, str) else said
    is_chinese = any(IDEOGRAPH.search(run) for run in runs if isinstance(run, str))
    cuttings = [_tokens(runs, face, places) for places in ((PHRASE, CHARACTER) if is_chinese else (SPACE, CAPITAL))]
    fewest: list[Line] = []
    # One line more is better than one that ends within a word or a phrase.
    for number, within in sorted(product(range(1, most + 1), (0, 1)), key=lambda way: (sum(way), way[1])):
        tokens = cuttings[within]
        found = [_joined(tokens, cuts, face) for cuts in _cuts(len(tokens), number)]
        fewest = min(found, key=lambda lines: max(map(measure, lines)), default=fewest)
        if all(measure(line) <= room for line in fewest):
            return fewest
    spelled = [run if isinstance(run, str) else measure.key(run) or run for run in runs]
    if spelled == [*runs]:
        return fewest
    filled = _filled(_tokens(spelled, face, KEYED_CHARACTER if is_chinese else KEYED), face, room, measure)
    return filled if len(filled) <= MOST_KEYED * most and all(measure(line) <= room for line in filled) else fewest


def _filled(tokens: list[tuple[bool, Line]], face: Face, room: float, measure: Measure) -> list[Line]:
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


def _tokens(said: Iterable[str | Expression], face: Face, places: re.Pattern[str]) -> list[tuple[bool, Line]]:
    """What no line divides, and whether a space is before it: a word, a phrase, a formula with what it touches."""
    tokens: list[tuple[bool, Line]] = [(False, ())]
    for run in said:
        for i, part in enumerate(places.split(run) if isinstance(run, str) else [run]):
            spaced, piece = _piece(part, face)
            if i or spaced:
                tokens.append((spaced, ()))
            tokens[-1] = (tokens[-1][0], (*tokens[-1][1], *piece))
    return [token for token in tokens if token[1]]


def _piece(part: str | Expression, face: Face) -> tuple[bool, Line]:
    """Whether a space is before a part, and the part without it, if there is anything else."""
    if isinstance(part, Expression):
        return False, (Piece(part, Face.FORMULA),)
    bare = part.replace(MARK, "")
    word = bare.removeprefix(" ")
    return word != bare, (Piece(word, face),) if word else ()


def _joined(tokens: list[tuple[bool, Line]], cuts: tuple[int, ...], face: Face) -> list[Line]:
    """The tokens as lines that begin at these cuts."""
    lines = []
    for start, end in pairwise([0, *cuts, len(tokens)]):
        line: list[Piece] = []
        for i, (spaced, pieces) in enumerate(tokens[start:end]):
            line += [Piece(" ", face), *pieces] if i and spaced else pieces
        lines.append(tuple(_merged(line)))
    return lines


def _merged(pieces: list[Piece]) -> list[Piece]:
    """Words side by side made one."""
    found: list[Piece] = []
    for piece in pieces:
        last = found[-1] if found else None
        if last and isinstance(last.value, str) and isinstance(piece.value, str) and last.face is piece.face:
            found[-1] = Piece(last.value + piece.value, last.face)
        else:
            found.append(piece)
    return found


def _fitted(line: Line, room: float, measure: Measure) -> tuple[Line, float]:
    """A line and its scale; what is too wide at the smallest is cut off."""
    width = measure(line)
    if width <= room:
        return line, 1.0
    least = LEAST / min(SIZES[piece.face] for piece in line)
    if width * least <= room:
        return line, room / width
    return _cut(line, lambda pieces: measure(pieces) * least <= room), least


def _cut(line: Line, fits: Callable[[Line], bool]) -> Line:
    """The beginning of a line that fits, and "…"; a formula is there whole or not at all."""
    *before, last = line
    letters = "" if isinstance(last.value, Expression) else last.value
    for end in range(len(letters), -1, -1):
        cut = (*before, Piece(letters[:end].rstrip() + MORE, last.face))
        if fits(cut):
            return cut
    return _cut(tuple(before), fits) if before else cut
