"""Markdown with formulas in TeX, as pandoc reads them or as GitHub does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from symparams.expressions.printing.em import EmMetric
from symparams.expressions.printing.latex import LatexPrinter
from symparams.formats.format import OF_A_PAGE, Format, Look, Markup, Options, PageWidths
from symparams.formats.markdown import FLAVORS
from symparams.formats.options import FIGURE, PLOT
from symparams.formats.sheet import Sheet
from symparams.sheets.values import Branch

PAGE, COLUMN, FRAME = 33.0, 18.0, 0.7  # em
RULE, MARGIN = 6.5, 4.5  # em, of letters of 11 points


def room(options: Options, head: Mapping[str, Any]) -> PageWidths:
    """The lines of a page in a browser."""
    em = COLUMN if options.columns == 2 else PAGE
    return PageWidths(em, em, em, FRAME, rule=RULE, margin=MARGIN)


def escape(text: str) -> str:
    """Text from outside, with the characters that mean something to Markdown, HTML or GitHub made harmless."""
    flat = re.sub(r"([\\`*_{}\[\]<>#|~$^])", r"\\\1", re.sub(r"\s+", " ", text))
    return flat.replace("&", "&amp;").replace("@", "&#64;")  # on GitHub an @ would call someone


def code(text: str) -> str:
    """A name as a program spells it; one that would end its own marks, or a table's cell, goes without them."""
    return escape(text) if {"`", "|"} & set(text) else f"`{text}`"


def branch(branch: Branch) -> str:
    """A line of a tree, set in by spaces that stay."""
    return "&emsp;" * len(branch.lasts) + code(branch.name)


def heading(sheet: Sheet, below: int) -> str:
    """The signs of the title, or of a heading below it."""
    level = (sheet.options.heading_level or 1) + below - (not sheet.document.title)
    return "#" * max(1, level)


def rule(sheet: Sheet, length: str, number: str = "") -> str:
    """A rule to write on among words, behind it its number."""
    before, after = sheet.markup.inline
    behind = rf"\quad\text{{{number}}}" if number else ""
    return rf"{before}\underline{{\hspace{{{length}}}}}{behind}{after}"


def raw(drawn: str) -> str:
    """A drawing as HTML that pandoc takes for such, whatever is in it."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", drawn)), default=0))
    return f"{fence}{{=html}}\n<figure>\n{drawn}\n</figure>\n{fence}"


TOOLS = {
    "heading": heading,
    "rule": rule,
    "figure": raw,
    "plot": "svg",
    "drawing": ("svg", Look()),
    "quad": r"\quad ",
    "sides": {"l": ":--", "c": ":-:", "r": "--:"},
    "display": ("$$", "$$"),
}
MARKUP = Markup(
    printer=LatexPrinter,
    metric=EmMetric,
    room=room,
    escape=escape,
    code=code,
    branch=branch,
    inline=("$", "$"),
    marks_alone=True,
    macros="markdown/macros.j2",
    tools=TOOLS,
)
ON_GITHUB = replace(MARKUP, inline=("$`", "`$"), tools={**TOOLS, "display": ("```math", "```")})
OPTIONS = OF_A_PAGE | {"columns", "flavor", "heading_level"}
FORMAT = Format("markdown", OPTIONS | {FIGURE, PLOT}, MARKUP, media_type="text/markdown")
GITHUB = Format("markdown", OPTIONS, ON_GITHUB)  # no Markdown to a notebook, which reads its formulas as code
FLAVORED = dict(zip(FLAVORS, (FORMAT, GITHUB), strict=True))
