"""Notebooks: the texts of the cells of Markdown in a Jupyter file, and where each of their characters stands in it.

What a notebook holds besides is never written anew: a change of a cell's text is a change of those characters of the file.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from json.decoder import scanstring  # type: ignore[attr-defined] # as old as the module, and in each of its releases
from typing import Any

from symparams.errors import DocumentError

SPACE = re.compile(r"[ \t\r\n,:]*")  # with the signs between values, which are where they have to be
ATOM = re.compile(r"[^\s,\]}]+")
CHARACTER = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL)


@dataclass(frozen=True)
class JsonText:
    """A text of the file: its value, and where what stands between its quotes begins and ends."""

    value: str
    start: int
    end: int


@dataclass(frozen=True)
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
        for number, token in enumerate(self.tokens):
            if at < len(token.value) or number == len(self.tokens) - 1:
                return self._within(token, at)
            at -= len(token.value)
        raise AssertionError

    def written(self, text: str) -> str:
        """A text as the file spells it between quotes, its lines as the file holds them."""
        spelled = json.dumps(text, ensure_ascii=self.is_ascii)[1:-1]
        return re.sub(r"(?<!\\)((?:\\\\)*\\n)", lambda match: match[1] + self.joint, spelled) if self.joint else spelled

    def _within(self, token: JsonText, at: int) -> int:
        place = token.start
        for _ in range(at):
            character = CHARACTER.match(self.file, place)
            assert character
            place = character.end()
        return place


def cells(file: str) -> list[Cell]:
    """The cells of Markdown of a notebook; DocumentError where the file is none."""
    try:
        json.loads(file, parse_int=str)  # Python turns no long integer into a number
        notebook, _ = _value(file, _next(file, 0))
        sources = [_source(cell) for cell in notebook["cells"] if _of(cell, "cell_type") == "markdown"]
    except json.JSONDecodeError as error:
        raise DocumentError(f"This is no JSON, as a notebook is: {error.msg} in line {error.lineno}.") from None
    except (KeyError, TypeError, RecursionError):
        raise DocumentError("This is no notebook: it has no list of cells, each with its source.") from None
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

    def __init__(self, start: int) -> None:
        self.start = start
        super().__init__()


def _value(file: str, at: int) -> tuple[Any, int]:
    """A value of JSON that is known to be well formed, its texts as tokens, and where it ends."""
    if file[at] == '"':
        value, end = scanstring(file, at + 1)
        return JsonText(value, at + 1, end - 1), end
    if file[at] == "{":
        return _object(file, at)
    if file[at] == "[":
        return _list(file, at)
    atom = ATOM.match(file, at)
    assert atom
    return atom[0], atom.end()


def _object(file: str, at: int) -> tuple[dict[str, Any], int]:
    members: dict[str, Any] = {}
    at = _next(file, at + 1)
    while file[at] != "}":
        key, at = _value(file, at)
        members[key.value], at = _value(file, _next(file, at))
        at = _next(file, at)
    return members, at + 1


def _list(file: str, at: int) -> tuple[_List, int]:
    values = _List(at)
    at = _next(file, at + 1)
    while file[at] != "]":
        value, at = _value(file, at)
        values.append(value)
        at = _next(file, at)
    return values, at + 1


def _next(file: str, at: int) -> int:
    """Return the index at which the next value, or the end of its container, begins."""
    space = SPACE.match(file, at)
    assert space
    return space.end()
