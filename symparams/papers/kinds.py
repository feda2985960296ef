"""Kinds of documents: how each writes a marker, what comments one out, and how the output of a command is set in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html import escape
from pathlib import PurePath

from symparams.errors import DocumentError, quoted
from symparams.records import frozen

CONSOLE = "console"  # the language of a block that shows the command too


@frozen
class Printed:
    """The output of a command and its format; a number has no format, and stands in any document as it is.

    With a ``drawing``, ``file`` is where that is written, as seen from the document, and the text is what shows it; each such
    file bears the ``signature``.
    """

    text: str
    format: str
    is_number: bool = False
    file: str = ""
    drawing: str = ""
    signature: str = ""


@frozen
class DocumentType:
    """A kind of document, by the endings of its files; ``format`` is the one that it is written in itself.

    ``marks`` are the markers in a line, and what comments one out: its groups are ``opening`` (the command), ``closing`` (its
    checksum), ``broken``, and ``verbatim``, what begins a span of code, which ends at the next of the ``delimiters`` that is
    the same; the text ``closing`` writes that marker. ``hiding`` is the first line of what is shown as it is,
    ``shown`` the pattern of its last one. ``fenced`` sets what is in another format, ``in_line`` does within a line where that
    can be; ``apart`` puts blank lines around. ``indents`` may stand before a block's lines, ``grouping`` parts thousands.
    Where ``shows_hyphens``, a comment within a line that holds -- is shown as text, as CommonMark had it before 0.31.
    """

    endings: tuple[str, ...]
    format: str
    marks: re.Pattern[str]
    delimiters: re.Pattern[str]
    hiding: re.Pattern[str]
    shown: Callable[[re.Match[str]], str]
    closing: str
    fenced: Callable[[str, str], str]
    in_line: Callable[[str], str] | None
    grouping: str
    indents: str
    has_one_line_blocks: bool
    apart: bool
    shows_hyphens: bool

    def block(self, printed: Printed) -> str:
        """The lines of a block, without the line end of the last."""
        text = printed.text.rstrip("\n")
        is_own = printed.is_number or printed.format == self.format
        laid = self.number(text) if printed.is_number else text if is_own else self.fenced(text, printed.format)
        return f"\n{laid}\n" if self.apart else laid

    def inline(self, printed: Printed, following: str = "") -> str:
        """Return the text within a line; DocumentError if it has several lines, or a format that no line holds.

        Where the closing marker hides the end of its line, a space keeps the text apart from a ``following`` word.
        """
        text = self._in_line(printed)
        return text if self.has_one_line_blocks or not following[:1].isalnum() else f"{text} "

    def _in_line(self, printed: Printed) -> str:
        text = printed.text.rstrip("\n")
        if "\n" in text:
            lines = text.count("\n") + 1
            raise DocumentError(
                f"It prints {lines} lines, which do not fit into a line of prose: put the markers on lines of their own."
            )
        if printed.is_number:
            return self.number(text)
        if printed.format == self.format:
            return text
        if self.in_line is None:
            raise DocumentError(f"No line of {self.format} can hold {printed.format}: put the markers on lines of their own.")
        return self.in_line(text)

    def number(self, text: str) -> str:
        """A number as the document groups its thousands; one that is grouped already, or asked for as it is, stays."""
        return text.replace(",", self.grouping)


def _fence(text: str, language: str) -> str:
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


# A comment that is not closed in its line is broken.
_COMMENTS = (
    r"<!--[ \t]*symparams:(?P<opening>(?:(?!-->).)*)-->"
    r"|<!--[ \t]*/symparams\b(?P<closing>(?:(?!-->).)*)-->"
    r"|(?P<broken><!--[ \t]*(?:symparams:|/symparams\b))"
)
_HTML = re.compile(rf"(?P<verbatim>(?!))|{_COMMENTS}")
# What hides a marker comes first: an escaped sign, a span of code. Its end is not looked for here: a line of many beginnings
# without an end would be read to its end for each of them.
_MARKDOWN = re.compile(rf"\\.|(?<!`)(?P<verbatim>`+)|{_COMMENTS}")
# Of TeX, a comment reaches to the end of its line, whatever it says.
_LATEX = re.compile(
    r"\\verb\*?(?P<verbatim>[^A-Za-z\s*])|\\."
    r"|%+[ \t]*symparams:(?P<opening>.*)"
    r"|%+[ \t]*/symparams\b(?P<closing>.*)"
    r"|(?P<broken>(?!))|%.*"
)
# The last beginning of each is looked at alone: where that is closed, so are those before it.
_SCRIPTS = ("script", "style", "textarea")
_VERBATIM = "|".join(("[vV]erbatim", "lstlisting", "minted", "comment", "filecontents", "alltt"))

MARKDOWN = DocumentType(
    endings=(".md", ".markdown", ".ipynb"),
    format="markdown",
    marks=_MARKDOWN,
    delimiters=re.compile("`+"),
    hiding=re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:(?P<fence>`{3,})[^`]*|(?P<tildes>~{3,}).*)$"),
    shown=lambda match: rf"[ \t>]*{match['fence'] or match['tildes']}{(match['fence'] or match['tildes'])[0]}*[ \t]*$",
    closing="<!-- /symparams {checksum} -->",
    fenced=_fence,
    in_line=lambda text: f"`{text}`",
    grouping=",",
    indents=" \t>",
    has_one_line_blocks=True,
    apart=True,
    shows_hyphens=True,
)
QUARTO = replace(MARKDOWN, endings=(".qmd", ".rmd"), shows_hyphens=False)
HTML = replace(
    QUARTO,
    endings=(".html", ".htm"),
    format="html",  # in which no command answers: what it prints is text
    marks=_HTML,
    hiding=re.compile("|".join(rf"(?>.*<(?P<{name}>{name})\b)(?!.*</{name}>)" for name in _SCRIPTS), re.IGNORECASE),
    shown=lambda match: rf"(?i:.*</{match.lastgroup}>)",
    fenced=lambda text, _: f"<pre>{escape(text, quote=False)}</pre>",
    in_line=lambda text: f"<code>{escape(text, quote=False)}</code>",
    indents=" \t",
)
LATEX = DocumentType(
    endings=(".tex", ".ltx"),
    format="latex",
    marks=_LATEX,
    delimiters=re.compile("."),
    hiding=re.compile(
        rf"(?:[^%\\]|\\(?!begin\{{(?:{_VERBATIM})\*?\}}).)*\\begin\{{(?P<name>(?:{_VERBATIM})\*?)\}}"
        r"(?!.*\\end\{(?P=name)\})"
    ),
    shown=lambda match: rf".*\\end\{{{re.escape(match['name'])}\}}",
    closing="% /symparams {checksum}",
    fenced=lambda text, _: f"\\begin{{verbatim}}\n{text}\n\\end{{verbatim}}",
    in_line=None,
    grouping="{,}",
    indents=" \t",
    has_one_line_blocks=False,
    apart=False,
    shows_hyphens=False,
)
KINDS = (MARKDOWN, QUARTO, HTML, LATEX)


def kind_of(path: str) -> DocumentType:
    """The kind of document that a file's ending names; DocumentError lists the endings that there are."""
    ending = PurePath(path).suffix.lower()
    chosen = next((kind for kind in KINDS if ending in kind.endings), None)
    if chosen is None:
        known = ", ".join(ending for kind in KINDS for ending in kind.endings)
        raise DocumentError(f"{quoted(path)} is not a document that can hold blocks: name files that end in {known}.")
    return chosen
