"""The formats: for each its printer, how text is escaped and formulas stand in a sentence, and how wide a line is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from symparams.expressions.printing import LatexPrinter, Printer, TextPrinter
from symparams.expressions.printing.latex import escape as escape_latex

JSON = "json"
PANDOC, GITHUB = "pandoc", "github"
FLAVORS = (PANDOC, GITHUB)


@dataclass(frozen=True)
class Format:
    """A format: ``inline`` is what stands around a formula in a sentence, ``line`` the width of a line on
    a page of so many columns, in a document of its own or in one that inputs it.
    """

    name: str
    printer: type[Printer]
    escape: Callable[[str], str]
    inline: Mapping[str, tuple[str, str]]
    line: Mapping[tuple[int, bool], float]
    strong: tuple[str, str]
    code: Callable[[str], str]
    tidy: Callable[[str], str]


def escape_markdown(text: str) -> str:
    """Text from outside, with the characters that mean something to Markdown, HTML or GitHub made harmless."""
    flat = re.sub(r"([\\`*_{}\[\]<>#|~$^])", r"\\\1", re.sub(r"\s+", " ", text))
    return flat.replace("&", "&amp;").replace("@", "&#64;")  # on GitHub an @ would call someone


def escape_text(text: str) -> str:
    """Text from outside without the control characters that a terminal would obey."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def code_latex(text: str) -> str:
    """A name as a program spells it, which may break after an underscore."""
    return rf"\texttt{{{escape_latex(text)}}}".replace(r"\_", r"\_\allowbreak{}")


def code_markdown(text: str) -> str:
    """A name as a program spells it."""
    return f"`{text}`"


def close_up(text: str) -> str:
    """Chinese text without the spaces beside its punctuation; Markdown needs them to see where a formula ends."""
    return re.sub(r" *([，。；：、）（]) *", r"\1", text)


# An article in two columns leaves 200pt at 10pt, which is 20em; the widths keep a margin below the true lines.
LATEX_LINES = {(1, False): 33.0, (1, True): 39.0, (2, False): 18.0, (2, True): 18.0}
TEXT_LINES = {(1, False): 78.0, (1, True): 78.0, (2, False): 46.0, (2, True): 46.0}
MARKDOWN_LINES = {key: min(width, LATEX_LINES[1, False]) for key, width in LATEX_LINES.items()}
MATH, STRONG_MATH = {PANDOC: ("$", "$"), GITHUB: ("$`", "`$")}, (r"\mathbf{", "}")
FORMATS: Mapping[str, Format] = {
    "latex": Format(
        "latex",
        LatexPrinter,
        escape_latex,
        {PANDOC: ("$", "$"), GITHUB: ("$", "$")},
        LATEX_LINES,
        STRONG_MATH,
        code_latex,
        close_up,
    ),
    "markdown": Format("markdown", LatexPrinter, escape_markdown, MATH, MARKDOWN_LINES, STRONG_MATH, code_markdown, str),
    "text": Format(
        "text",
        TextPrinter,
        escape_text,
        {PANDOC: ("", ""), GITHUB: ("", "")},
        TEXT_LINES,
        ("", ""),
        escape_text,
        close_up,
    ),
}
