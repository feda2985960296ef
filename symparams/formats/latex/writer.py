"""LaTeX: a whole document, or a fragment to \\input."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from symparams.expressions.printing.em import EmMetric
from symparams.expressions.printing.latex import LatexPrinter, escape, reached
from symparams.formats.format import OF_A_PAGE, Format, Look, Markup
from symparams.formats.layout import EquationLine
from symparams.formats.options import FIGURE, PLOT
from symparams.formats.paper import (
    BETWEEN,
    MOST_KEPT,
    MOST_LINES,
    PAGE,
    WIDTHS,
    begins,
    beside,
    beside_figure,
    caption,
    depth,
    fills,
    has_questions,
    is_labelled,
    is_numbered,
    is_scored,
    label,
    last_part,
    narrow,
    room,
)
from symparams.formats.sheet import Sheet
from symparams.formats.tables import Grid, TableLine
from symparams.sheets.catalogue import catalogue
from symparams.sheets.document import Block, Display, Lead, Paragraph, Table
from symparams.sheets.values import Branch

ADDRESS = re.compile(r"https?://[\w./-]+", re.ASCII)
BREAKING_DOT = r".\allowbreak{}"
OF_A_TENSOR = 3  # dots in a name from which on it is that of a tensor, not of a file
MOST_AT_THE_TOP = 34  # lines of the table of dimensions on the first page, below the answer
MOST_FLOATED = 40  # a float has a column of its own
FEW = 4  # lines more, rather than a part with no more than these


def head(sheet: Sheet) -> Mapping[str, Any]:
    """Return the language's settings for its documents: the class with its options, the engine, the fonts."""
    entries = {key.removeprefix("latex."): entry for key, entry in sheet.head.items() if key.startswith("latex.")}
    of_a_paper = [option for option in entries["two_columns"] if option != "twocolumn"]  # multicol balances the last page
    is_small = sheet.columns == 2 or sheet.options.is_tight
    return entries | {"options": of_a_paper if is_small else entries["one_column"]}


class PagePrinter(LatexPrinter):
    """Formulas for TeX alone."""

    strut = r"\mathstrut"

    def rule(self, width: float, number: str) -> str:
        return rf"\blank{f'[{number}]' if number else ''}{{{width:.2f}em}}"

    def boxed(self, written: str, number: str) -> str:
        return rf"\answer{f'[{number}]' if number else ''}{{{written}}}"


LEVELS = ("section", "subsection", "subsubsection", "paragraph", "subparagraph")
PACKAGES = ("amsmath", "array", "booktabs")
TIKZ = (r"\usepackage{tikz}", r"\usetikzlibrary{arrows.meta}")
PGFPLOTS = (r"\usepackage{pgfplots}", r"\pgfplotsset{compat=1.16}")


def heading(sheet: Sheet, below: int) -> str:
    """The command of the title, or of a heading below it; a fragment begins at a subsection where nobody chose."""
    return LEVELS[depth(sheet, below) - 1] + "*"


def needed(language: str, has_figure: bool, has_plot: bool = False) -> Sequence[str]:
    """The lines that a document needs in its preamble for a fragment in a language, with a figure and a plot or without."""
    from symparams.formats.rendering import from_template

    packages = rf"\usepackage{{{','.join(PACKAGES)}}}"
    lines = [packages, *catalogue(language).head["latex.preamble"], *from_template("latex/layout.j2").splitlines()]
    return [*lines, *(TIKZ if has_figure else ()), *(PGFPLOTS if has_plot else ())]


def lines(sheet: Sheet, display: Display) -> list[str]:
    """The lines of a display, each equation with its number in its last one; a page does not end within a short one.

    Nor does it after the first line of a long one, or before the last.
    """
    written = sheet.lines(display)
    kept = range(len(written)) if len(written) <= MOST_KEPT else (0, len(written) - 2)
    ends = ["\\\\*" if i in kept else "\\\\" for i in range(len(written) - 1)]
    words = [_labelled(line) if is_labelled(display) else "" for line in written]
    numbers = [_numbered(sheet, line) if is_numbered(sheet, display) else "" for line in written]
    return [
        " ".join(part for part in (f"{begin}{line.left} &{line.right}{_beside(line)}{number}", end) if part)
        for begin, line, number, end in zip(words, written, numbers, [*ends, ""], strict=True)
    ]


def _labelled(line: EquationLine) -> str:
    return rf"&\text{{{line.label}}}\quad & " if line.label else "&& "


def _beside(line: EquationLine) -> str:
    """The numbers of the blanks on a line, at the margin."""
    return rf" \tag*{{\beside{{{line.number}}}}}" if line.number else ""


def _numbered(sheet: Sheet, line: EquationLine) -> str:
    return rf"\label{{{label(sheet, line.ends)}}}" if line.ends is not None else r" \notag"


def stands_first(sheet: Sheet, display: Display) -> bool:
    """True if a display follows a heading or a table, where a paragraph would begin with an empty line."""
    return begins(sheet, display.equations[0]) or isinstance(_before(sheet, display.equations[0]), Table)


def floats(sheet: Sheet, table: Table) -> bool:
    """True if a table may float: in a paper, where the words before it do not lead to it."""
    return bool(sheet.options.label) and not sheet.standalone and not isinstance(_before(sheet, table), (Lead, Paragraph))


def _before(sheet: Sheet, block: Block) -> Block | None:
    """The block of a section before this one."""
    return beside(sheet, block, -1)


def code(text: str) -> str:
    """A name as a program spells it, which may break after an underscore, and that of a tensor after a dot."""
    written = escape(text).replace(r"\_", r"\_\allowbreak{}")
    return rf"\texttt{{{written.replace('.', BREAKING_DOT) if text.count('.') >= OF_A_TENSOR else written}}}"


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


def row(grid: Grid, line: TableLine) -> str:
    """The cells of a line; what stands below the words spans all columns from theirs on."""
    if line.below is None:
        room = r"\writingroom" if grid.table.is_written_in else ""
        return " & ".join(line.cells) + room + (rf"\beside[4mm]{{{line.number}}}" if line.number else "")
    span = len(grid.plan[0]) - len(line.cells)
    kind = _wrapping("l", line.room) if line.room else "l"
    return " & ".join([*line.cells, rf"\multicolumn{{{span}}}{{@{{\quad}}{kind}@{{}}}}{{{line.below}}}"])


def pages(grid: Grid) -> Sequence[Sequence[TableLine]]:
    """The lines of a table in parts that fit on a page, a line as high as its words are wrapped; no part has but a few."""
    if grid.sheet.is_narrowed:  # on one page with the drawing
        return [grid.lines]
    is_at_the_top = grid.sheet.standalone and grid.table.key == "dimensions"
    most = MOST_FLOATED if floats(grid.sheet, grid.table) else MOST_AT_THE_TOP if is_at_the_top else MOST_LINES
    high = sum(line.height for line in grid.lines)
    parts = ceil(high / (most + FEW))
    most = most + FEW if parts == 1 else min(most, ceil(high / parts)) + FEW
    pages: list[list[TableLine]] = [[]]
    for row in grid.rows:
        if pages[-1] and sum(line.height for line in [*pages[-1], *row]) > most:
            pages.append([])
        pages[-1] += row
    return pages


def finish(text: str, head: Mapping[str, Any]) -> str:
    """A text without the characters that the fonts lack, in which an address may break after a slash."""
    return ADDRESS.sub(lambda found: re.sub("/+", r"\g<0>\\allowbreak{}", found[0]), reached(text, head))


MARKUP = Markup(
    marks_at_margin=True,
    printer=PagePrinter,
    metric=EmMetric,
    room=room,
    widths=WIDTHS,
    escape=escape,
    code=code,
    branch=branch,
    finish=finish,
    macros="latex/macros.j2",
    inline=("$", "$"),
    kept=("${", "}$"),
    tools={
        "head": head,
        "heading": heading,
        "caption": caption,
        "begins": begins,
        "beside_figure": lambda sheet: ((), sheet.document.sections) if sheet.options.label else beside_figure(sheet),
        "narrow": narrow,
        "room_beside": lambda drawing: PAGE - BETWEEN - drawing.width,
        "fills": fills,
        "floats": floats,
        "last_part": last_part,
        "label": label,
        "tikz": TIKZ,
        "pgfplots": PGFPLOTS,
        "plot": "tex",
        "drawing": ("tikz", Look("light", standalone=False)),  # no wider than its line
        "lines": lines,
        "is_labelled": is_labelled,
        "is_numbered": is_numbered,
        "stands_first": stands_first,
        "is_scored": is_scored,
        "has_questions": has_questions,
        "types": types,
        "row": row,
        "pages": pages,
        "quad": r"\quad ",
    },
)
OPTIONS = OF_A_PAGE | {"columns", "standalone", "heading_level", "label", "preamble", FIGURE, PLOT}
FORMAT = Format("latex", OPTIONS, MARKUP, preamble=needed)
