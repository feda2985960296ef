"""Drawings that ``embed`` keeps current: in the document where its format takes one in, or in a file that it shows.

The file is named by somebody else's document, so it lies in the folder of that or below, and holds nothing but a drawing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from html import escape, unescape
from pathlib import Path, PurePath
from typing import Any

from symparams.cli.commands import Command
from symparams.errors import OptionError, quoted
from symparams.formats import DRAWN, endings, every, find
from symparams.formats.markdown.writer import escape as in_markdown
from symparams.models.sources.target import STANDARD_INPUT
from symparams.papers.kinds import Printed

Run = Callable[[Mapping[str, Any]], str]  # what a command prints with such options
WITHIN = {"latex": "tikz", "html": "svg"}  # what a document holds itself
ENDINGS = {"markdown": ".svg", "html": ".svg", "latex": ".tikz"}  # of what it shows
SAFE = re.compile(r"[\w./-]+")
TITLE = re.compile(r"<title\b[^>]*>(.*?)</title>", re.DOTALL)


def may_draw(command: Command) -> bool:
    """True if a command may answer with a drawing."""
    return any(name in DRAWN for name in command.formats)


def picture(given: Mapping[str, Any], own: str, usual: str, answered: Run) -> Printed | None:
    """The drawing of a block, for a document in a format, by a command that draws where nobody asks for its ``usual`` format.

    Nothing where a text or a listing of its source is asked for.
    """
    if "output" in given:
        return _in_a_file(given, own, given["output"], answered)
    asked = next((name for name in every() if given.get(name)), "")
    if (asked or usual) not in DRAWN or (asked and asked != WITHIN.get(own)):
        return None
    if own not in WITHIN:
        raise OptionError(f"A document of {own} includes a drawing as a file: add -o model{ENDINGS[own]}.")
    part = {"standalone": False} if own == "latex" else {}
    if given.get("standalone"):
        raise OptionError("A block is a part of its document: leave out --standalone.")
    return Printed(answered({**given, **part, WITHIN[own]: True, "output": STANDARD_INPUT}), own)


def _in_a_file(given: Mapping[str, Any], own: str, file: str, answered: Run) -> Printed:
    ending = ENDINGS[own]
    if PurePath(file).suffix.lower() != ending:
        raise OptionError(f"A document of {own} includes drawings with the extension {ending}: rename {quoted(file)}.")
    if not SAFE.fullmatch(file):
        raise OptionError(f"{quoted(file)} has characters that a link cannot hold: use only letters, digits, - _ . and /.")
    here = Path(os.path.realpath("."))
    if PurePath(file).is_absolute() or not Path(os.path.realpath(file)).is_relative_to(here):
        raise OptionError(f"{quoted(file)} is outside the document's folder: name a file in it or below it.")
    drawn = answered(given)
    signature = next(find(name).signature for name in DRAWN if ending in endings(name))
    return Printed(_shown(own, file, drawn), own, file=file, drawing=drawn, signature=signature)


def _shown(own: str, file: str, drawn: str) -> str:
    """Return the markup that shows a file, with its alternative text."""
    if own == "latex":
        return rf"\input{{{file}}}"
    title = TITLE.search(drawn)
    caption = unescape(title[1]) if title else ""
    return f"![{in_markdown(caption)}]({file})" if own == "markdown" else f'<img src="{file}" alt="{escape(caption)}">'
