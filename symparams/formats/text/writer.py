"""Plain text: lines that a terminal shows whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symparams.errors import printable
from symparams.expressions.printing.metric import ColumnMetric, columns, is_wide
from symparams.expressions.printing.text import TextPrinter
from symparams.formats.format import OF_A_PAGE, OF_BARS, Format, Markup, Options, PageWidths, Widths
from symparams.formats.layout import EquationLine
from symparams.formats.sheet import Sheet
from symparams.formats.tables import Grid, TableLine
from symparams.sheets.values import Branch

INDENT, MARGIN, GAP = 4, 2, 2
RULE, NUMBERS = 13, 10  # columns of a rule to write on, and of the numbers of those in a line
HALF = 5 / 8  # of a terminal, in two columns
CLOSING, OPENING = "，。；：、）”》！？", ("（", "“", "《")


def room(options: Options, head: Mapping[str, Any]) -> PageWidths:
    """The lines of a terminal: formulas are set in, and paragraphs leave a margin."""
    width = int(options.width * HALF) if options.columns == 2 else options.width
    return PageWidths(width - INDENT, options.width - MARGIN, options.width, rule=RULE, margin=NUMBERS)


def wrap(paragraph: str, width: float) -> list[str]:
    """A paragraph in lines of at most ``width`` columns, broken at spaces and between Chinese characters.

    A mark that closes hangs into the margin, as in Chinese print: no line begins with one, nor ends with one that opens.
    """
    if columns(paragraph) <= width:
        return [paragraph]
    filled, line = [], ""
    for word in words(paragraph):
        if line and columns(line + (word[:-1] if word[-1] in CLOSING else word.rstrip())) > width:
            filled.append(line.rstrip())
            line = ""
        line += word if line or word.strip() else ""
    return [*filled, line.rstrip()]


def words(paragraph: str) -> list[str]:
    """The words of a paragraph, each with the space behind it; a Chinese character is one, with the marks around it."""
    parts = [""]
    for character in paragraph:
        is_first = is_wide(character) or (parts[-1] and is_wide(parts[-1][-1])) or parts[-1].endswith(" ")
        if is_first and character not in CLOSING and not parts[-1].endswith(OPENING):
            parts.append("")
        parts[-1] += character
    return parts


def branch(branch: Branch) -> str:
    """A line of a tree with its branches."""
    if not branch.lasts:
        return branch.name
    *above, is_last = branch.lasts
    return "".join("   " if last else "│  " for last in above) + ("└─ " if is_last else "├─ ") + branch.name


def underlined(text: str) -> str:
    """A heading with a rule below it as long as itself."""
    return f"{text}\n{'─' * columns(text)}"


def ruled(text: str, width: int) -> str:
    """A heading within a rule, where there is no room for lines of their own."""
    return f"── {text} " + "─" * max(2, width - MARGIN - columns(text) - 4)


def beside(sheet: Sheet, title: str, results: Sequence[tuple[str, str, str]]) -> list[str]:
    """A title with the counts at the right of it, below one another; under it where there is no room for both."""
    widths = [max([columns(result[i]) for result in results], default=0) for i in range(3)]
    rows = [
        " ".join([pad(name, widths[0]), pad(count, widths[1], "r"), pad(rounded, widths[2])])
        for name, count, rounded in results
    ]
    left = int(sheet.options.width) - max(map(columns, rows), default=0)
    if not rows or columns(title) + GAP > left:
        return [*sheet.filled(title).splitlines(), *(row.strip() for row in rows)]
    return [(pad(title if i == 0 else "", left) + row).rstrip() for i, row in enumerate(rows)]


def aligned(lines: Sequence[EquationLine], room: float) -> list[str]:
    """The lines of an equation with their equals signs below one another, behind their labels where they have any.

    The numbers of blanks stand at the end of the line, below one another.
    """
    if any(line.number for line in lines):
        plain = aligned([line._replace(number="") for line in lines], room)
        return [f"{pad(text, int(room))}  {line.number}".rstrip() for line, text in zip(lines, plain, strict=True)]
    labels = max(columns(line.label) for line in lines)
    if labels:
        plain = aligned([line._replace(label="") for line in lines], room)
        return [f"{pad(line.label, labels)}  {text}".rstrip() for line, text in zip(lines, plain, strict=True)]
    left = max(columns(line.left) for line in lines)
    if not left:
        return [line.right for line in lines]
    return [f"{pad(line.left, left)} {line.right}".strip() if line.left else " " * (left + 1) + line.right for line in lines]


def table(grid: Grid) -> list[str]:
    """The rows in columns, the headings and a rule first; a table without headings has neither."""
    kept, _, _ = grid.plan
    body = [line.cells for line in grid.lines if line.below is None]
    cells = [*(grid.headings if grid.has_header else []), *body]
    widths = [max(columns(row[i]) for row in cells) for i in range(len(kept))]
    sides = [grid.table.columns[i].side for i in kept]

    def written(row: Sequence[str]) -> str:
        return (" " * GAP).join(pad(*cell) for cell in zip(row, widths, sides, strict=True)).rstrip()

    def below(line: TableLine) -> str:
        position = len(line.cells)
        return " " * (sum(widths[:position]) + GAP * position + GAP) + (line.below or "")

    rows = [below(line) if line.below is not None else written(line.cells) for line in grid.lines]
    rule = (" " * GAP).join("─" * width for width in widths)
    return [*map(written, grid.headings), rule, *rows] if grid.has_header else rows


def right(sheet: Sheet, text: str) -> str:
    """A text at the right end of the line."""
    return pad(text, int(sheet.options.width), "r")


def pad(text: str, width: int, side: str = "l") -> str:
    """A text filled up to a width: on its left for a number, otherwise on its right."""
    space = " " * (width - columns(text))
    return space + text if side == "r" else text + space


MARKUP = Markup(
    printer=TextPrinter,
    metric=ColumnMetric,
    room=room,
    widths=Widths(gap=GAP, widest_words=28, narrowest_words=16, narrowest_formula=24, indent=GAP, narrowest_heading=12),
    escape=printable,
    code=printable,
    branch=branch,
    wrap=wrap,
    macros="text/macros.j2",
    tools={
        "aligned": aligned,
        "beside": beside,
        "right": right,
        "ruled": ruled,
        "underlined": underlined,
        "table": table,
        "quad": "  ",
    },
)
FORMAT = Format("text", options=OF_A_PAGE | {"columns", "width"}, markup=MARKUP, drawn=OF_BARS | {"width"})
