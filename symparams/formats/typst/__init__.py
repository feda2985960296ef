"""Typst: a whole document, or a fragment to #include. Its pages are those of LaTeX, whose font the compiler has in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from symparams.expressions.printing.typst import TypstMetric, TypstPrinter, escape, string
from symparams.formats import paper
from symparams.formats.format import OF_A_PAGE, Format, Options, Room
from symparams.formats.sheet import Line as EquationLine
from symparams.formats.sheet import Sheet
from symparams.formats.tables import Grid, Line
from symparams.sheets.catalogue import catalogue
from symparams.sheets.document import Branch, Display

NUMBER = 6.0  # em, of an equation's number and as much on the other side of it
SIDES: Mapping[str, str] = {"l": "left", "c": "center", "r": "right"}
HEAD = "typst."
AFTER_RULE = "table.cell(inset: (top: 0.48em))"  # as far below its rule as the first row is below the heading's


def room(options: Options, head: Mapping[str, Any]) -> Room:
    """The lines of a page, which an equation shares with its number."""
    found = paper.room(options, head)
    return replace(found, formula=found.formula - NUMBER) if options.label else found


def head(sheet: Sheet) -> Mapping[str, Any]:
    """What the language says of its documents, with the size of their letters in points."""
    is_small = sheet.columns == 2 or not sheet.standalone
    return {**_said(sheet.head), "size": sheet.head["latex.small" if is_small else "latex.large"]}


def _said(head: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key.removeprefix(HEAD): entry for key, entry in head.items() if key.startswith(HEAD)}


def needed(language: str) -> list[str]:
    """The lines that a document needs for a fragment in a language."""
    said = _said(catalogue(language).head)
    return [f"#set text({said['text']})", f"#show math.equation: set text(font: {said['math']})"]


def heading(sheet: Sheet, below: int) -> str:
    """The signs of the title, or of a heading below it."""
    return "=" * paper.depth(sheet, below)


def displays(sheet: Sheet, display: Display) -> list[tuple[list[EquationLine], str]]:
    """Equations that stand together, with their label; where they have numbers, each by itself."""
    if not sheet.options.label:
        return [(sheet.lines(display), "")]
    return [(sheet.lines(Display([each])), f" <{paper.label(sheet, each)}>") for each in display.equations]


def code(text: str) -> str:
    """A name as a program spells it."""
    is_plain = text and "`" not in text and text == text.strip()
    return f"`{text}`" if is_plain else f"#raw({string(text)});"


def branch(branch: Branch) -> str:
    """A line of a tree, set in."""
    return f"#h({len(branch.lasts)}em);" * bool(branch.lasts) + code(branch.name)


def columns(grid: Grid) -> str:
    """The widths of the columns; words wrap where they are wider than their room, headings where than their column."""
    kept, words, _ = grid.plan
    return _array([_column(grid, i, words) for i in kept])


def _column(grid: Grid, column: int, words: float) -> str:
    if column == grid.words:
        return f"{words:.1f}em" if grid.wraps else "auto"
    return f"{grid.widths[column]:.1f}em" if grid.heading_wraps(column) else "auto"


def sides(grid: Grid) -> str:
    """On which side the cells of each column stand."""
    return _array([SIDES[grid.table.columns[i].side] for i in grid.plan[0]])


def breaks(grid: Grid) -> bool:
    """Whether a table is so long that a page may end within it."""
    return sum(line.height for line in grid.lines) > paper.MOST_LINES


def _array(entries: Sequence[str]) -> str:
    return f"({', '.join(entries)}{',' if len(entries) == 1 else ''})"


def row(grid: Grid, line: Line) -> str:
    """The cells of a line; what stands below the words spans all columns from theirs on."""
    cells = [f"{AFTER_RULE if line.is_sum else ''}[{cell}]" for cell in line.cells]
    if line.below is not None:
        span = len(grid.plan[0]) - len(line.cells)
        cells.append(f"table.cell(colspan: {span}, align: left, inset: (left: {grid.set_as.indent}em))[{line.below}]")
    return ", ".join(cells)


OF_PAGES = OF_A_PAGE | {"columns", "label"}  # what is left to choose where pages are set at once
FORMAT = Format(
    "typst",
    endings=(".typ",),
    options=OF_PAGES | {"standalone", "heading_level", "preamble"},
    printer=TypstPrinter,
    metric=TypstMetric,
    room=room,
    widths=paper.WIDTHS,
    escape=escape,
    code=code,
    branch=branch,
    finish=paper.reached,
    preamble=needed,
    inline=("$", "$"),
    kept=("#box($", "$);"),
    tools={
        "head": head,
        "heading": heading,
        "caption": paper.caption,
        "label": paper.label,
        "displays": displays,
        "needed": needed,
        "most_kept": paper.MOST_KEPT,
        "columns": columns,
        "sides": sides,
        "breaks": breaks,
        "row": row,
        "quad": "quad ",
    },
)
