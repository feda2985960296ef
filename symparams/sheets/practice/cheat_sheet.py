"""A sheet of thirty formulas, each with an example and its number."""

from __future__ import annotations

from collections.abc import Sequence

from symparams.expressions.notation import letters
from symparams.expressions.symbols import letter
from symparams.practice.facts import Fact, facts
from symparams.practice.kind import BANDWIDTH, MEMORY, PEAK
from symparams.records import frozen
from symparams.sheets.document import Column, Document, Paragraph, Section, Table
from symparams.sheets.practice.facts import words
from symparams.sheets.values import Prose, Sentence, Value

SHEET = "cheat-sheet"
BOARD: dict[str, Value] = {"peak": letter(PEAK), "bandwidth": letter(BANDWIDTH), "mem": letter(MEMORY), "unit": Prose("KiB")}
MOVES = {"example": 1, "formula": 2}  # below the name, where there is no room beside it
PLACES = ("name", "formula", "example", "number")


@frozen
class CheatSheet:
    """Formulas in their order."""

    formulas: Sequence[Fact]


def cheat_sheet(language: str = "en") -> Document:
    """The sheet of formulas in a language."""
    formulas = facts(SHEET)
    columns = [
        Column(Sentence(f"practice.formulas.{place}"), is_words=place == "name", moves=MOVES.get(place, 0)) for place in PLACES
    ]
    rows: list[list[Value]] = [[words(formula, place, language) for place in PLACES] for formula in formulas]
    keys = {size: formula.model.key(size) for formula in formulas for size in formula.model.dimensions}
    explained = Section("letters", None, [Paragraph([Sentence("practice.formulas.letters", BOARD)])])
    sections = [Section("formulas", None, [Table("formulas", columns, rows)]), explained]
    title = Sentence("practice.formulas.title")
    return Document(
        SHEET, language, title, None, sections, letters=letters("hidden", {}, list(keys), keys), subject=CheatSheet(formulas)
    )
