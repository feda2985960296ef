"""Typst: a whole document, or a fragment to #include. Its pages are those of LaTeX, whose font the compiler has in it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

from symparams.expressions.printing.latex import reached
from symparams.expressions.printing.typst import TypstMetric, TypstPrinter, escape, string
from symparams.formats import paper
from symparams.formats.format import OF_A_DRAWING, OF_A_PAGE, Format, Look, Markup, Options, PageWidths
from symparams.formats.layout import EquationLine
from symparams.formats.options import FIGURE, PLOT
from symparams.formats.sheet import Sheet
from symparams.formats.tables import Grid, TableLine
from symparams.formats.typst.picture import draw
from symparams.sheets.catalogue import catalogue
from symparams.sheets.document import Display, Equation, Item, Lines, Score, Space, Table
from symparams.sheets.values import Branch

if TYPE_CHECKING:
    from symparams.drawings.marks import Drawing

PLOT_WIDTH = 240  # points
NUMBER = 6.0  # em, of an equation's number and as much on the other side of it
SIDES: Mapping[str, str] = {"l": "left", "c": "center", "r": "right"}
AFTER_FORMULA, JOINER = re.compile(r"(\$|\$\);)([；：])"), "#sym.wj"  # a word joiner that one sees in the source
STEP = re.compile(r"^#step\(COUNT\)$", re.MULTILINE)  # numbered where the whole sheet is known
HEAD = "typst."
MOST_OF_A_COLUMN = 1.2  # of two, for the width of a drawing that is made smaller to stand in it
LONG = 4  # lines of words that a page may end within
RULED, APART, AFTER_LINES = 0.48, 0.75, 0.5  # em, above a row below a rule, below a gap, or below a row of several lines
BEFORE_RULE = 0.45  # em, below a row above a rule, which its indices do not reach
INSET, DEPTH = 0.25, 0.06  # em, above and below a row, and what letters reach below their line


def room(options: Options, head: Mapping[str, Any]) -> PageWidths:
    """The lines of a page, which an equation shares with its number."""
    page = paper.room(options, {**head, "latex.large": head["typst.large"]})
    return replace(page, formula=page.formula - NUMBER, number=NUMBER) if options.label else page


def head(sheet: Sheet) -> Mapping[str, Any]:
    """Return the language's settings for its documents, with the size of their letters in points."""
    is_small = sheet.columns == 2 or not sheet.standalone
    settings = _head_of_fragment(sheet.head)
    leading = settings["tight_leading" if sheet.options.is_tight else "leading"]
    return {**settings, "leading": leading, "size": sheet.head["latex.small" if is_small else "typst.large"]}


def _head_of_fragment(head: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key.removeprefix(HEAD): entry for key, entry in head.items() if key.startswith(HEAD)}


def needed(language: str, _has_figure: bool = False, _has_plot: bool = False) -> Sequence[str]:
    """The lines that a document needs for a fragment in a language."""
    settings = _head_of_fragment(catalogue(language).head)
    return [f"#set text({settings['text']})", f"#show math.equation: set text(font: {settings['math']})"]


def heading(sheet: Sheet, below: int) -> str:
    """The signs of the title, or of a heading below it."""
    return "=" * paper.depth(sheet, below)


def displays(sheet: Sheet, display: Display) -> list[tuple[list[EquationLine], str]]:
    """Equations that stand together, with their label; where they have numbers, each by itself."""
    if not paper.is_numbered(sheet, display):
        return [(sheet.lines(display), "")]
    return [(sheet.lines(Display([equation])), f" <{paper.label(sheet, equation)}>") for equation in display.equations]


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
    on_the_rule = " + bottom" if grid.sheet.document.writing else ""
    return _array([SIDES[grid.table.columns[i].side] + on_the_rule for i in grid.plan[0]])


def below_rules(grid: Grid) -> str:
    """Room between the rules to write on and that of the table."""
    return f"table.cell(colspan: {len(grid.plan[0])}, inset: (y: 0.15em))[]"


def breaks(grid: Grid) -> bool:
    """True if a table is so long that a page may end within it."""
    return sum(line.height for line in grid.lines) > paper.MOST_LINES


def _array(entries: Sequence[str]) -> str:
    return f"({', '.join(entries)}{',' if len(entries) == 1 else ''})"


def gap(sheet: Sheet) -> float:
    """The gap between columns, in em: a little less than the metric's, for a length is rounded."""
    tight = paper.WIDTHS.tight_gap
    return (tight if sheet.options.is_tight and tight is not None else paper.WIDTHS.gap) - 0.02


def entries(row: Sequence[Sequence[str]], place: int, rows: Sequence[Sequence[Any]], top: float = 0.0) -> str:
    """Return one column of a legend's row, with empty cells if the row is short."""
    empty = ["[]"] * (len(rows[0]) - len(row))
    return ", ".join([_cell(entry[place], top) for entry in row] + empty)


def _cell(text: str, top: float, bottom: float = 0.0, spans: int = 1) -> str:
    inset = ", ".join(f"{side}: {room}em" for side, room in (("top", top), ("bottom", bottom)) if room)
    set_as = [f"rowspan: {spans}, breakable: false"] * (spans > 1) + [f"inset: ({inset})"] * bool(inset)
    return f"table.cell({', '.join(set_as)})[{text}]" if set_as else f"[{text}]"


def spans(sheet: Sheet) -> bool:
    """True if a title or an answer stands above both columns."""
    document = sheet.document
    is_said = bool(document.title or document.preface or document.answer)
    return sheet.standalone and sheet.columns == 2 and is_said


def introduces(sheet: Sheet, item: Item) -> bool:
    """True if a step's words lead to an equation or a table, so that both stay on one page.

    So do a question's to its options, or to the lines on which it is answered. Of many lines some may stand on the page before.
    """
    if paper.lines_of(sheet, item) >= LONG:
        return False
    after = paper.beside(sheet, item, 1)
    return isinstance(after, (Equation, Table, Score, Space)) or (isinstance(after, Lines) and after.are_options)


def is_fitted(sheet: Sheet) -> bool:
    """True if a sheet may be set with less room for fewer pages: not one to write on, nor one of a single page."""
    return sheet.standalone and not paper.fills(sheet) and not sheet.document.writing


def is_wide(sheet: Sheet, drawing: Drawing) -> bool:
    """True if a drawing is much wider than a column of two, so that it stands above both."""
    return sheet.standalone and sheet.columns == 2 and drawing.width > MOST_OF_A_COLUMN * paper.HALF


def is_balanced(sheet: Sheet) -> bool:
    """True if the columns of the last page are to be equally long."""
    return is_fitted(sheet) and sheet.columns == 2


def is_before_an_equation(sheet: Sheet, item: Item) -> bool:
    """True if an equation follows the words of a step; it stands closer to them than to what comes next."""
    return isinstance(paper.beside(sheet, item, 1), Equation)


def row(grid: Grid, line: TableLine, is_first: bool, is_above_a_rule: bool) -> str:
    """The cells of a line, the first one below a rule; what stands below the words spans all columns from theirs on.

    The first cell of a row of several lines spans them, so that no page ends within them.
    """
    top = RULED if line.is_sum or is_first else APART if line.is_apart else AFTER_LINES if line.is_after_lines else 0.0
    bottom = BEFORE_RULE if is_above_a_rule else 0.0
    texts = [*line.cells]
    if line.below is None:
        texts[-1] += "#writing-room" if grid.table.is_written_in else ""
        texts[-1] += f'#beside("{line.number}")' if line.number else ""
    cells = [_cell(text, top, bottom) for text in texts]
    if line.spans > 1:
        cells[0] = _cell(texts[0], top, bottom, spans=line.spans)
    if line.below is not None:
        span = len(grid.plan[0]) - len(line.cells)
        below = f"#box(width: {line.room:.1f}em)[{line.below}]" if line.room else line.below
        inset = f"left: {grid.set_as.indent}em" + (f", bottom: {bottom}em" if bottom else "")
        cells.append(f"table.cell(colspan: {span}, align: left, inset: ({inset}))[{below}]")
    return ", ".join(cells[1:] if line.is_spanned else cells)


def finish(text: str, head: Mapping[str, Any]) -> str:
    """A text without the characters that the fonts lack, in which no line begins with what follows a formula: ；or ：."""
    numbers = count(1)
    text = STEP.sub(lambda _: f"#step({next(numbers)})", text)
    return AFTER_FORMULA.sub(f"\\1{JOINER}\\2", reached(text, head))


MARKUP = Markup(
    marks_at_margin=True,
    printer=TypstPrinter,
    metric=TypstMetric,
    room=room,
    widths=paper.WIDTHS,
    escape=escape,
    code=code,
    branch=branch,
    finish=finish,
    macros="typst/macros.j2",
    inline=("$", "$"),
    kept=("#box($", "$);"),
    keeps_terms=True,
    tools={
        "head": head,
        "heading": heading,
        "caption": paper.caption,
        "label": paper.label,
        "displays": displays,
        "needed": needed,
        "most_kept": paper.MOST_KEPT,
        "most_to_write": paper.MOST_TO_WRITE,
        "columns": columns,
        "sides": sides,
        "below_rules": below_rules,
        "breaks": breaks,
        "drawing": ("typst", Look("light", background=False, standalone=False)),  # in the font of the sheet
        "plot_width": PLOT_WIDTH,
        "plot": "outlines",
        "string": string,
        "beside_figure": paper.beside_figure,
        "begins": paper.begins,
        "fills": paper.fills,
        "narrow": paper.narrow,
        "between": paper.BETWEEN,
        "row": row,
        "gap": gap,
        "inset": INSET,
        "depth": DEPTH,
        "entries": entries,
        "ruled": RULED,
        "apart": APART,
        "spans": spans,
        "introduces": introduces,
        "is_before_an_equation": is_before_an_equation,
        "is_balanced": is_balanced,
        "is_fitted": is_fitted,
        "is_wide": is_wide,
        "is_scored": paper.is_scored,
        "is_question": paper.is_question,
        "last_part": paper.last_part,
        "quad": "quad ",
    },
)
OF_PAGES = OF_A_PAGE | {"columns", "label", FIGURE, PLOT}  # what is left to choose where pages are set at once
FORMAT = Format(
    "typst",
    options=OF_PAGES | {"standalone", "heading_level", "preamble"},
    markup=MARKUP,
    draw=draw,
    drawn=OF_A_DRAWING | {"standalone"},
    preamble=needed,
)
