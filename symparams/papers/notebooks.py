"""Notebooks: the texts of the cells of Markdown in a Jupyter file, and where each of their characters stands in it.

What a notebook holds besides is never written anew: a change of a cell's text is a change of those characters of the file.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from json.decoder import JSONArray, scanner, scanstring  # type: ignore[attr-defined] # as old as the module, in each release
from typing import Any

from symparams.errors import DocumentError
from symparams.records import frozen

ESCAPED = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.", re.DOTALL)


@frozen
class JsonText:
    """A text of the file: its value, and where what stands between its quotes begins and ends."""

    value: str
    start: int
    end: int


@frozen
class Cell:
    """The text of a cell of Markdown, in the file as one text, or as a list of its lines with ``joint`` between two of them."""

    file: str
    tokens: tuple[JsonText, ...]
    joint: str
    is_ascii: bool

    @cached_property
    def text(self) -> str:
        """The whole text."""
        return "".join(token.value for token in self.tokens)

    def place(self, at: int) -> int:
        """Return the place in the file of a character of the text; the first of a line is in the token that begins there."""
        start, place = self._anchors[bisect_right(self._anchors, at, key=lambda anchor: anchor[0]) - 1]
        return place + at - start

    @cached_property
    def _anchors(self) -> Sequence[tuple[int, int]]:
        """The places in text and file of each token and of what follows an escape: from there a character is a character."""
        anchors, before = [], 0
        for token in self.tokens:
            anchors.append((before, token.start))
            longer = 0  # how much longer the token is in the file so far
            for escaped in ESCAPED.finditer(self.file, token.start, token.end):
                longer += len(escaped[0]) - 1
                anchors.append((before + escaped.end() - token.start - longer, escaped.end()))
            before += len(token.value)
        return anchors

    def written(self, text: str) -> str:
        """A text as the file spells it between quotes, its lines as the file holds them."""
        spelled = json.dumps(text, ensure_ascii=self.is_ascii)[1:-1]
        return re.sub(r"(?<!\\)((?:\\\\)*\\n)", lambda match: match[1] + self.joint, spelled) if self.joint else spelled


def cells(file: str) -> list[Cell]:
    """The cells of Markdown of a notebook; DocumentError where the file is none."""
    try:
        notebook = _Positions().decode(file)
        sources = [_source(cell) for cell in notebook["cells"] if _of(cell, "cell_type") == "markdown"]
    except json.JSONDecodeError as error:
        raise DocumentError(f"A notebook is JSON, and this is not: {error.msg} in line {error.lineno}.") from None
    except (KeyError, TypeError, RecursionError):
        raise DocumentError("This is not a notebook: it has no list of cells with sources.") from None
    spelled = file.isascii() and re.search(r"\\u(?!00[01])", file) is not None
    return [Cell(file, tokens, _joint(file, tokens, start), spelled) for start, tokens in sources]


def _source(cell: Any) -> tuple[int | None, tuple[JsonText, ...]]:
    """The texts of a cell's source, and where its list begins if it has one."""
    source = cell["source"]
    if isinstance(source, JsonText):
        return None, (source,)
    if not isinstance(source, _List) or not all(isinstance(line, JsonText) for line in source):
        raise TypeError
    return source.start, tuple(source)


def _of(cell: Any, key: str) -> Any:
    token = cell[key]
    return token.value if isinstance(token, JsonText) else None


def _joint(file: str, tokens: tuple[JsonText, ...], start: int | None) -> str:
    """Return the separator of a list's lines; for a list of one a comma and the space before it."""
    if len(tokens) > 1:
        return file[tokens[0].end : tokens[1].start]
    return f'",{file[start + 1 : tokens[0].start - 1]}"' if start is not None and tokens else ""


class _List(list[Any]):
    """A list of the file, and where it begins."""

    def __init__(self, values: Sequence[Any], start: int) -> None:
        self.start = start
        super().__init__(values)


class _Positions(json.JSONDecoder):
    """The parser of ``json`` as it is in Python: each text of the file is a token, each list knows where it begins."""

    def __init__(self) -> None:
        super().__init__(parse_int=str)  # Python turns no long integer into a number
        self.parse_string, self.parse_array = _text, _list
        self.scan_once = scanner.py_make_scanner(self)


def _text(file: str, start: int, strict: bool) -> tuple[JsonText, int]:
    value, end = scanstring(file, start, strict)
    return JsonText(value, start, end - 1), end


def _list(at: tuple[str, int], scan_once: Callable[[str, int], Any]) -> tuple[_List, int]:
    values, end = JSONArray(at, scan_once)
    return _List(values, at[1] - 1), end
