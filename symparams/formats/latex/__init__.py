"""LaTeX: a whole document, or a fragment to \\input."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from symparams.expressions.printing.em import EmMetric
from symparams.expressions.printing.latex import LatexPrinter, escape
from symparams.formats.format import Format, Options, Room, Widths
from symparams.formats.sheet import Sheet
from symparams.formats.tables import Grid, Line
from symparams.sheets.document import Branch

# In points: an A4 page with margins of 25 mm, an article's line, a column of an article in two.
PAGE, ARTICLE, COLUMN = 455.0, 345.0, 200.0
SLACK = 0.99
MOST_LINES = 28  # a tabular does not break, and half a page in two columns has some 40 lines
FRAME = 0.7  # em, of \fbox on both sides
SMALL = 0.9  # \small, in which the tables of two columns are set


def room(options: Options, head: Mapping[str, Any]) -> Room:
    """The lines of a page: in em of its font, whose size in points the language's head says."""
    if options.columns == 2:
        line, size = COLUMN, head["latex.small"]
    else:
        line, size = (PAGE, head["latex.large"]) if options.standalone else (ARTICLE, head["latex.small"])
    em = SLACK * line / size
    return Room(em, em, em / SMALL if options.columns == 2 else em, FRAME)


def head(sheet: Sheet) -> Mapping[str, Any]:
    """What the language says of its documents: the class with its options, the engine, the fonts."""
    said = {key.removeprefix("latex."): entry for key, entry in sheet.head.items() if key.startswith("latex.")}
    return said | {"options": said["two_columns"] if sheet.columns == 2 else said["one_column"]}


def code(text: str) -> str:
    """A name as a program spells it, which may break after an underscore."""
    return rf"\texttt{{{escape(text)}}}".replace(r"\_", r"\_\allowbreak{}")


def branch(branch: Branch) -> str:
    """A line of a tree, set in."""
    return rf"\hspace*{{{len(branch.lasts)}em}}" * bool(branch.lasts) + code(branch.name)


def types(grid: Grid) -> str:
    """The column types; words wrap where they are wider than their room, headings where they are wider than their column."""
    kept, words, _ = grid.plan
    return "".join(_type(grid, i, words) for i in kept)


def _type(grid: Grid, column: int, words: float) -> str:
    side = grid.table.columns[column].side
    if column == grid.words:
        return _wrapping("l", words) if grid.wraps else "l"
    return _wrapping(side, grid.widths[column]) if grid.heading_wraps(column) else side


def _wrapping(side: str, width: float) -> str:
    ragged = {"l": "right", "r": "left"}.get(side, "right")
    return rf">{{\ragged{ragged}\arraybackslash}}p{{{width:.1f}em}}"


def row(grid: Grid, line: Line) -> str:
    """The cells of a line; what stands below the words spans all columns from theirs on."""
    if line.below is None:
        return " & ".join(line.cells)
    span = len(grid.plan[0]) - len(line.cells)
    return " & ".join([*line.cells, rf"\multicolumn{{{span}}}{{@{{\quad}}l@{{}}}}{{{line.below}}}"])


def pages(grid: Grid) -> Sequence[Sequence[Line]]:
    """The lines of a table in parts that fit on a page, a line as high as its words are wrapped."""
    pages: list[list[Line]] = [[]]
    for line in grid.lines:
        if pages[-1] and sum(each.height for each in pages[-1]) + line.height > MOST_LINES:
            pages.append([])
        pages[-1].append(line)
    return pages


def reached(text: str, head: Mapping[str, Any]) -> str:
    """A text in which each character that the language's fonts lack is its number: 模 is U+6A21 in English, not an error."""
    if text.isascii():
        return text
    lacking = rf"[^\x00-\x7f{head['latex.characters']}]+"
    return re.sub(lacking, lambda found: " ".join([f"U+{ord(character):04X}" for character in found[0]]), text)


FORMAT = Format(
    "latex",
    endings=(".tex",),
    options=frozenset({"columns", "standalone"}),
    printer=LatexPrinter,
    metric=EmMetric,
    room=room,
    widths=Widths(gap=1.25, widest_words=10.0, narrowest_words=6.0, narrowest_formula=10.0, indent=1.0, narrowest_heading=5.0),
    escape=escape,
    code=code,
    branch=branch,
    finish=reached,
    inline=("$", "$"),
    tools={"head": head, "types": types, "row": row, "pages": pages, "quad": r"\quad "},
)
