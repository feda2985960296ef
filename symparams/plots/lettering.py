"""Lettering: the words of a plot in a language, as plain text or with its letters in italics, as matplotlib sets them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from symparams.expressions.nodes import Expression, Number
from symparams.expressions.printing.latex import LatexPrinter
from symparams.expressions.printing.printer import rounded_half_up
from symparams.expressions.printing.text import TextPrinter
from symparams.plots.pictures import RATIO, SHARE, TOKENS, Amount, Plot
from symparams.plots.sheet import plot_sheet
from symparams.records import frozen
from symparams.sheets.catalogue import spaced
from symparams.sheets.values import Code, Value
from symparams.sheets.words import DocumentWords, joined

WIDTH, EDGE, TICK = 240.0, 2.0, 6.5  # points: of a plot, around it, of the letters at its ticks
APART = 8.4  # points, from one name at the end of a line to the next
WIDEST_OF_UNIT = 10**5  # between the ends of an axis, before each number has a unit of its own
FIRST_WIDE = "\u2e80"  # of the characters that the fonts of formulas lack, among them the full-width comma
IDEOGRAPH = re.compile("[\u2e80-\u9fff\uff00-\uffef]")
MATH, CHARACTERS = re.compile(r"(?<!\\)\$"), re.compile(r"\\\$|.")  # a dollar sign of a name has a backslash before it
WORDS = re.compile(f"{IDEOGRAPH.pattern}[，。；：、）]*|[^ \u2e80-\u9fff\uff00-\uffef]+ ?| ")
TEN, LEAST_OF_UNIT = 10, 8  # of the largest number on an axis, in its unit


@frozen
class Lettering:
    """The words of a plot; ``symbols`` are a user's own letters."""

    plot: Plot
    language: str = "en"
    notation: str = "hidden"
    symbols: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def words(self) -> DocumentWords:
        """The words of its sheet."""
        return DocumentWords(plot_sheet(self.plot, self.language, self.notation, self.symbols))

    def text(self, value: Value) -> str:
        """A value as plain text: tokens in the cache, t."""
        return "".join(self.plain(run) for run in self.words.runs(value))

    def math(self, value: Value) -> str:
        """A value with its formulas between dollar signs; a number is no formula.

        Beside Chinese they are plain: matplotlib looks for the letters around a formula in one font alone.
        """
        return self._joined(self.words.runs(value))

    def joined(self, values: Iterable[Value], *, math: bool = False) -> str:
        """Values one after another, with commas."""
        runs = self.runs(values)
        return self._joined(runs) if math else "".join(map(self.plain, runs))

    def runs(self, values: Iterable[Value]) -> Sequence[object]:
        """Values one after another as runs, with commas."""
        return joined((self.words.runs(value) for value in values), str(self.words.catalogue.entry("signs.comma")))

    def _joined(self, runs: Sequence[object]) -> str:
        is_wide = any(character >= FIRST_WIDE for run in runs for character in self.plain(run))
        return "".join(self.plain(run).replace("$", r"\$") if is_wide else self._set(run) for run in runs)

    def number(self, value: int) -> str:
        """A number with the language's mark between thousands."""
        return f"{value:,}".replace(",", str(self.words.catalogue.head["grouping"]))

    def rough(self, value: Fraction) -> str:
        """A number beside a mark: whole from ten on, else with two digits, so that none that is something is 0."""
        return self.number(round(value)) if value >= TEN else f"{float(value):.2g}"

    def tick(self, value: Amount, unit: str, among: tuple[Amount, Amount]) -> str:
        """A number at a tick, in the unit of its axis, of which the least and the most are ``among``."""
        if unit == TOKENS:
            return _binary(int(value))
        if unit == SHARE:
            return rounded_half_up(Fraction(value) * 100, 0)
        if unit == RATIO:
            return f"{_short(Fraction(value))} ×"
        power, word = self.unit(unit, among)
        if not word and self.has_own_units(unit, among):
            power, word = self._unit_of(unit, value)
            return spaced(_short(Fraction(value) / 10**power), word)
        return _short(Fraction(value) / 10**power)

    def unit(self, unit: str, among: tuple[Amount, Amount]) -> tuple[int, str]:
        """The power of ten and the word of an axis, in which its largest number is at least 8."""
        if unit in (TOKENS, SHARE, RATIO, "") or self.has_own_units(unit, among):
            return 0, ""
        return self._unit_of(unit, Fraction(among[1]) / LEAST_OF_UNIT)

    def has_own_units(self, unit: str, among: tuple[Amount, Amount]) -> bool:
        """True if the numbers of an axis are too far apart for one unit."""
        low, high = among
        return unit not in (TOKENS, SHARE, RATIO, "") and bool(low) and high / low >= WIDEST_OF_UNIT

    def _unit_of(self, unit: str, value: Amount) -> tuple[int, str]:
        entries = self.words.catalogue.entries.get(f"units.{unit}.rounding") or self.words.catalogue.short_rounding
        found = next((entry for entry in entries if value >= 10 ** entry["power"]), None)
        return (0, self.unit_name(unit)) if found is None else (int(found["power"]), str(found["word"]).strip())

    def unit_name(self, unit: str) -> str:
        """The unit itself: bytes, FLOPs; nothing for parameters; a user's own word."""
        return str(self.words.catalogue.entries.get(f"units.{unit}.name", unit)).strip()

    def plain(self, run: object) -> str:
        """A run as plain text."""
        if isinstance(run, Expression):
            printer = TextPrinter(self.words.document.letters, self.words.label, self.words.named, self._grouping)
            return printer(run)
        return run.text if isinstance(run, Code) else str(run)

    def _set(self, run: object) -> str:
        if not isinstance(run, Expression) or isinstance(run, Number):
            return self.plain(run).replace("$", r"\$")
        printer = LatexPrinter(self.words.document.letters, self.words.label, self.words.named, self._grouping)
        return f"${printer(run)}$".replace(r"\text{", r"\mathrm{").replace(r"\,", r"\/")

    @property
    def _grouping(self) -> str:
        return str(self.words.catalogue.head["grouping"])


def wrapped(text: str, fits: Callable[[str], bool], *, whole: bool = False) -> list[str]:
    """A text in lines that fit; a formula stays whole, a word too long for a line is broken unless ``whole``."""
    lines, line = list[str](), ""
    for word in (
        part for i, part in enumerate(MATH.split(text)) for part in (WORDS.findall(part) if i % 2 == 0 else [f"${part}$"])
    ):
        if line and not fits((line + word).rstrip()):
            lines.append(line.rstrip())
            line = ""
        if whole or word.startswith("$") or fits(word.rstrip()):
            line += word
            continue
        for character in CHARACTERS.findall(word):
            if line and not fits((line + character).rstrip()):
                lines.append(line)
                line = ""
            line += character
    return [*lines, line.rstrip()] if line.strip() else lines


def apart(wished: Sequence[float], lines: Sequence[int], height: float) -> list[float]:
    """Places from below near to those that are wished for, of names of so many lines, none upon another, within a height."""
    need = [APART * (a + b) / 2 for a, b in pairwise(lines)]
    places = list(wished)
    for _ in range(40):
        for j, apart in enumerate(need):
            if (lack := apart - (places[j + 1] - places[j])) > 0:
                places[j] -= lack / 2
                places[j + 1] += lack / 2
    most = height - APART * (lines[-1] - 1) / 2
    for j in reversed(range(len(places))):
        places[j] = most = min(places[j], most)
        most -= need[j - 1] if j else 0
    least = APART * (lines[0] - 1) / 2
    for j in range(len(places)):
        places[j] = least = max(places[j], least)
        least += need[j] if j < len(need) else 0
    return places


def _binary(value: int) -> str:
    """A number of tokens as people write it: 512, 4 Ki, 1 Mi; 28,628 as it is."""
    for power, word in ((60, "Ei"), (50, "Pi"), (40, "Ti"), (30, "Gi"), (20, "Mi"), (10, "Ki")):
        if value >= 1 << power and value % (1 << power) == 0:
            return f"{value >> power} {word}"
    return f"{value:,}"


def _short(value: Fraction) -> str:
    """A number at a tick, without zeros that say nothing."""
    if value.denominator == 1:
        return f"{int(value):,}"
    return f"{float(value):.3g}"
