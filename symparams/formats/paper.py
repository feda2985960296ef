"""Paper: what the formats share whose pages a compiler sets: the lines of a page, headings, labels, what stays together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import Any

from symparams.expressions.nodes import Named
from symparams.formats.format import Options, PageWidths, Widths
from symparams.formats.sheet import Sheet
from symparams.sheets.document import (
    Block,
    Break,
    Display,
    Equation,
    Figure,
    Item,
    Lead,
    Lines,
    Paragraph,
    Plotted,
    Score,
    Section,
    Table,
)
from symparams.sheets.values import Sentence

# In points: an A4 page with margins of 25 mm, an article's line, a column of an article in two.
PAGE, ARTICLE, COLUMN = 455.0, 345.0, 200.0
TIGHT = 500.0  # with margins of 17 mm
HALF = 238.0  # of a page of its own, with margins of 18 mm and 6 mm between the columns
WHOLE = 2 * HALF + 17.0  # both columns with what is between them, which title and answer span
SLACK = 0.99
MOST_KEPT = 4  # lines of a display that stay on a page
MOST_TO_WRITE = 24  # of a sheet to write on: a page
MOST_LINES = 28  # of a table that stays on a page: half a page in two columns has some 40 lines
HIGH = 765.0  # points, of the lines of a page
LEAST_OF_THE_LAST, MOST_OF_THE_LAST = 0.4 * HIGH, 0.6 * HIGH  # of what stays together at the end of a sheet
# Points, about: from one line to the next; around a paragraph or an equation, above and below a heading.
LINE, LINE_OF_TABLE, LINE_OF_EQUATION = 12.5, 10.8, 14.5
AROUND, ABOVE_HEADING, BELOW_HEADING = 8.0, 12.0, 19.0
BETWEEN, HIGHEST, NARROWEST = 12, 600.0, 190.0  # points: beside a drawing, of one on its page, of a table beside it
RULE = 71.2  # points, 25 mm
FRAME = 0.7  # em, of \fbox on both sides
WIDTHS = Widths(
    gap=1.25,
    tight_gap=0.9,
    widest_words=10.0,
    narrowest_words=6.0,
    narrowest_formula=10.0,
    indent=1.0,
    narrowest_heading=5.0,
)
SMALL = 0.93  # \small, in which tables are set, to the em of the text


def room(options: Options, head: Mapping[str, Any]) -> PageWidths:
    """The lines of a page: in em of its font, whose size in points the language's head says."""
    if options.columns == 2:
        line, size = HALF if options.standalone else COLUMN, head["latex.small"]
    else:
        line, size = (PAGE, head["latex.large"]) if options.standalone else (ARTICLE, head["latex.small"])
    if options.is_tight and options.standalone and options.columns == 1:
        line, size = TIGHT, head["latex.small"]
    em = SLACK * line / size
    answer = SLACK * WHOLE if options.columns == 2 and options.standalone else line  # which nothing follows in its line
    return PageWidths(em, em, em / SMALL, FRAME, answer / size, rule=RULE / size)


def depth(sheet: Sheet, below: int) -> int:
    """The level of the title, or of a heading below it, 1 for a section; a fragment begins with 2 where nobody chose."""
    level = sheet.options.heading_level or (1 if sheet.standalone else 2)
    if not sheet.document.title:
        below -= 1
    return level + max(0, below - (sheet.standalone and not sheet.options.heading_level))


def last_part(sheet: Sheet) -> Section | Item | None:
    """The section or the step with which the end of a sheet begins that stays on one page: no last page is nearly empty.

    A sheet to write on breaks no step anyway; one of a single page, or of balanced columns, needs none of that.
    """
    if fills(sheet) or sheet.document.writing or not sheet.standalone or sheet.columns == 2:
        return None
    found, high = None, 0.0
    for begin, blocks in reversed([*_steps(sheet)][1:]):
        high += height(sheet, blocks) + (ABOVE_HEADING + BELOW_HEADING if isinstance(begin, Section) else 0.0)
        if high > MOST_OF_THE_LAST or any(isinstance(block, (Figure, Plotted, Break)) for block in blocks):
            break
        found = begin
        if high >= LEAST_OF_THE_LAST:
            break
    return found


def _steps(sheet: Sheet) -> Iterator[tuple[Section | Item, Sequence[Block | Display]]]:
    """What a page may begin with, and what belongs to it: a section to the end of its first step, each other step."""
    for section in sheet.sections:
        begin: Section | Item = section
        belonging: list[Block | Display] = []
        for block in sheet.blocks(section):
            if isinstance(block, Item) and belonging:
                yield begin, belonging
                begin, belonging = block, []
            belonging.append(block)
        yield begin, belonging


def height(sheet: Sheet, blocks: Iterable[Block | Display]) -> float:
    """About how high blocks are below one another, in points."""
    high = 0.0
    for block in blocks:
        if isinstance(block, Table):
            high += LINE_OF_TABLE * (1 + sum(line.height for line in sheet.grid(block).lines)) + AROUND
        elif isinstance(block, Display):
            high += LINE_OF_EQUATION * len(sheet.lines(block)) + AROUND
        elif isinstance(block, (Item, Lead, Paragraph)):
            high += LINE * lines_of(sheet, block) + AROUND
        elif isinstance(block, Lines):
            high += LINE * len(block.sentences) + AROUND
    return high


def beside_figure(sheet: Sheet) -> tuple[Sequence[Section], Sequence[Section]]:
    """The sections beside a drawing that leaves them room, and those below it.

    The table of dimensions stands beside it, on a page of its own of one column, then as many steps as there is room for: a
    section may end between two of its steps.
    """
    sections = list(sheet.document.sections)
    figure = next((block for section in sections for block in section.blocks if isinstance(block, Figure)), None)
    if figure is None or not sheet.standalone or sheet.columns == 2:
        return (), sections
    drawing, at = figure.drawing, next((i for i, section in enumerate(sections) if section.key == "dimensions"), None)
    if at is None or drawing.height > HIGHEST or PAGE - BETWEEN - drawing.width < NARROWEST:
        return (), sections
    narrowed, found = narrow(sheet, figure), [sections.pop(at)]
    high = _height(narrowed, found[0]) - ABOVE_HEADING  # the first one stands at the top
    while at < len(sections) and sections[at].key == "step":
        section = sections.pop(at)
        first = _first_part(narrowed, section, drawing.height - high)
        found += [first] if first.blocks else []
        if len(first.blocks) < len(section.blocks):
            rest = replace(section, heading=None, blocks=section.blocks[len(first.blocks) :]) if first.blocks else section
            return found, [*sections[:at], rest, *sections[at:]]
        high += _height(narrowed, first)
    return found, sections


def _first_part(sheet: Sheet, section: Section, room: float) -> Section:
    """The section to the end of the last step that fits into so many points; without a block if none fits."""
    starts = [i for i, block in enumerate(section.blocks) if isinstance(block, Item)]
    parts = [replace(section, blocks=section.blocks[:end]) for end in (len(section.blocks), *reversed(starts))]
    return next((part for part in parts if _height(sheet, part) <= room), replace(section, blocks=()))


def _height(sheet: Sheet, section: Section) -> float:
    """About how high a section is, in points; what is higher than it was held to be leaves a gap beside it."""
    around = ABOVE_HEADING + BELOW_HEADING if section.heading else 0.0
    return around + height(sheet, sheet.blocks(section))


def narrow(sheet: Sheet, figure: Figure) -> Sheet:
    """The sheet on the lines that a drawing leaves beside it."""
    share = (PAGE - BETWEEN - figure.drawing.width) / PAGE
    lines = {name: getattr(sheet.room, name) * share for name in ("formula", "paragraph", "table")}
    return sheet.narrowed(replace(sheet.room, **lines))


def lines_of(sheet: Sheet, block: Item | Lead | Paragraph) -> int:
    """About how many lines the words of a block take."""
    name = sheet.width_of(block.name) if isinstance(block, Item) else 0.0
    return ceil((name + sum(map(sheet.width_of, block.sentences))) / sheet.room.paragraph)


def beside(sheet: Sheet, block: Block, step: int) -> Block | None:
    """The block of a section so many after another, or before it."""
    blocks, at = sheet.places[id(block)]
    return blocks[at + step] if 0 <= at + step < len(blocks) else None


def begins(sheet: Sheet, block: Block) -> bool:
    """True if a block is the first of its section."""
    return beside(sheet, block, -1) is None


def fills(sheet: Sheet) -> bool:
    """True if a sheet of one page shares the room that is left on it between its sections and questions."""
    return sheet.options.is_tight and sheet.standalone and sheet.columns == 1


def is_scored(sheet: Sheet, block: Block | Display) -> bool:
    """True if a block is the last before the points of its section, which stand on the same page."""
    last = block.equations[-1] if isinstance(block, Display) else block
    return isinstance(beside(sheet, last, 1), Score)


def is_question(item: Item) -> bool:
    """True if an item is a question or its answer, which stay on one page; a step has a name."""
    return isinstance(item.name, Sentence)


def has_questions(sheet: Sheet) -> bool:
    """True if a document has questions, or answers in a key."""
    blocks = (block for section in sheet.document.sections for block in section.blocks)
    return any(isinstance(block, Item) and is_question(block) for block in blocks)


def is_labelled(display: Display) -> bool:
    """True if words stand before its equations."""
    return any(equation.label is not None for equation in display.equations)


def is_numbered(sheet: Sheet, display: Display) -> bool:
    """True if its equations have numbers and labels; words before them say as much, and nothing refers to them."""
    return bool(sheet.options.label) and not is_labelled(display)


def caption(sheet: Sheet, table: Table) -> str:
    """Return the caption of a table that floats: the heading that its section has or had, or that of the sheet."""
    section = next(section for section in sheet.document.sections if any(block is table for block in section.blocks))
    key = f"headings.{section.key}"
    otherwise = Sentence(key) if key in sheet.words.catalogue.entries else sheet.document.title
    return sheet.text(section.heading or section.caption or otherwise)


def label(sheet: Sheet, block: Equation | Table) -> str:
    """The label of an equation or a table."""
    return labels(sheet)[id(block)]


def labels(sheet: Sheet) -> Mapping[int, str]:
    """A label for each table, and each equation without words before it, by its identity: the prefix, and a name of its own."""
    met: Counter[str] = Counter()
    names: dict[int, str] = {}
    for block in (block for section in sheet.document.sections for block in section.blocks):
        if isinstance(block, Table) or (isinstance(block, Equation) and block.label is None):
            name = block.key if isinstance(block, Table) else _named(block)
            met[name] += 1
            names[id(block)] = f"{sheet.options.label}:{name}" + (f"-{met[name]}" if met[name] > 1 else "")
    return names


def _named(equation: Equation) -> str:
    label = str(equation.left.label) if isinstance(equation.left, Named) else ""
    return re.sub(r"[^a-z0-9]+", "-", label.lower()).strip("-") or "total"
