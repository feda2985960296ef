"""Blanks: which gaps of a sheet are left for a learner, by level and seed, and the numbers by which the key names them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from symparams.expressions.nodes import Number
from symparams.practice.chance import ordered
from symparams.practice.kind import HARD, STANDARD, WARM_UP
from symparams.practice.worksheet import Worksheet
from symparams.records import frozen
from symparams.sheets.document import Document, Equation
from symparams.sheets.worksheet.gaps import ANSWER, Gap, GapKind, GapWalk, bare, gaps, numbers

LEFT_OUT: Mapping[str, frozenset[GapKind]] = {
    WARM_UP: frozenset({GapKind.VALUE, GapKind.ROUNDED, GapKind.SUM}),
    STANDARD: frozenset({GapKind.VALUE, GapKind.ROUNDED, GapKind.SUM, GapKind.SHARE, GapKind.SHAPE, GapKind.CLOSED}),
    HARD: frozenset(set(GapKind) - {GapKind.TERM}),
}
TELLING = 10**5  # a number from which on a look at another place would give an answer away
PRINTED, MOST_PRINTED = 3, 5  # a third of the blanks stays printed, or a little more: two fifths at most
ALPHABET = "abcdefghijklmnopqrstuvwxyz"


@frozen
class Blanks:
    """The gaps of a sheet, and which of them are blanks."""

    document: Document
    worksheet: Worksheet

    @cached_property
    def gaps(self) -> Sequence[Gap]:
        """All gaps, in reading order."""
        return gaps(self.document)

    @cached_property
    def steps(self) -> Mapping[int, Any]:
        """The results of each step."""
        walk = GapWalk(lambda gap: gap.content, self.document.language)
        walk.document(self.document)
        return walk.left

    @cached_property
    def numbers(self) -> Mapping[int, str]:
        """The number of each blank, 3a, by the place of its gap."""
        asked = self._asked
        steps = sorted({self.gaps[i].step for i in self._left_out if self.gaps[i].step != ANSWER})
        named = {ANSWER: 0} | {step: i for i, step in enumerate(steps, 1)}
        met: Counter[int] = Counter()
        called = {}
        for i in sorted(asked):
            step = named.setdefault(self.gaps[i].step, len(named))
            called[i] = f"{step}{_letters(met[step])}"
            met[step] += 1
        return called

    @cached_property
    def _dimensions(self) -> frozenset[int]:
        return frozenset(self.worksheet.derivation.model.values.values())

    @cached_property
    def _left_out(self) -> frozenset[int]:
        """Return the gaps of a level, whatever the seed; a step that is just 0 has none."""
        kinds, is_hard = LEFT_OUT[self.worksheet.level], self.worksheet.level == HARD
        left = [i for i, gap in enumerate(self.gaps) if gap.kind in kinds and (is_hard or not _is_nothing(gap))]
        if not is_hard:
            return frozenset(left)
        within = {i for i in left if self.gaps[i].kind is GapKind.WORDS}
        return frozenset(i for i in left if i in within or not self._is_within(i, within))

    def _is_within(self, i: int, words: set[int]) -> bool:
        """True if a gap stands in an equation, or in words, that are left out as a whole."""
        return any(self.gaps[j].step == self.gaps[i].step and j < i for j in words)

    def _telling(self, i: int) -> frozenset[int]:
        told = frozenset(number for number in numbers(self.gaps[i].content) if number >= TELLING)
        return told - self._dimensions

    @cached_property
    def _asked(self) -> frozenset[int]:
        """The blanks: what the level leaves out but for what stays printed, and whatever else would tell an answer."""
        asked = set(self._left_out - self._printed)
        told = {number for i in asked for number in self._telling(i)}
        while more := {i for i in range(len(self.gaps)) if i not in asked and self._gives_away(i, told)}:
            asked |= more
            told |= {number for i in more for number in self._telling(i)}
        return frozenset(asked)

    def _gives_away(self, i: int, told: set[int]) -> bool:
        if self.gaps[i].kind is GapKind.WORDS or (self.worksheet.level == HARD and i not in self._left_out):
            return False
        return bool(self._telling(i) & told)

    @cached_property
    def _printed(self) -> frozenset[int]:
        """About a third of the blanks, as the seed chooses: places that tell one number are printed together, or none is."""
        if self.worksheet.level == HARD:
            return frozenset()
        often, printed = len(self._left_out), set[int]()
        for group in ordered(self._together(), self.worksheet.seed, self.worksheet.level, self.worksheet.derivation.model.name):
            if len(printed) * PRINTED >= often:
                break
            if (len(printed) + len(group)) * MOST_PRINTED <= often * 2:
                printed.update(group)
        return frozenset(printed)

    def _beside(self, i: int) -> tuple[int, ...]:
        """Return the digits that a count shares with its rounded form beside it."""
        return (-self.gaps[i].step,) if self.gaps[i].kind in (GapKind.VALUE, GapKind.ROUNDED) else ()

    def _together(self) -> Iterator[tuple[int, ...]]:
        """The blanks that tell the same numbers, those of the answer left aside, which is the question."""
        groups: list[tuple[set[int], set[int]]] = []
        for i in sorted(self._left_out):
            places, told = {i}, {*self._telling(i), *self._beside(i)}
            others = [group for group in groups if group[1] & told]
            for group in others:
                places |= group[0]
                told |= group[1]
            groups = [*(group for group in groups if group not in others), (places, told)]
        answer = self.worksheet.derivation.total.value
        for places, told in groups:
            if answer not in told and not any(self.gaps[i].step == ANSWER for i in places):
                yield tuple(sorted(places))


def _is_nothing(gap: Gap) -> bool:
    return gap.kind is GapKind.VALUE and bare(gap.content) == Number(0)  # type: ignore[arg-type]


def _letters(place: int) -> str:
    """a to z, then aa, ab, …"""
    before, last = divmod(place, len(ALPHABET))
    return (_letters(before - 1) if before else "") + ALPHABET[last]


def points(gap: Gap) -> int:
    """Return the points of a blank: one, or one for each link of an equation that is written out."""
    return len(gap.content.chain) if isinstance(gap.content, Equation) else 1
