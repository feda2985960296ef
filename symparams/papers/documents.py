"""Documents: a file as it was read, the texts of it that may hold blocks, and what their changes make of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from functools import cached_property
from io import StringIO
from pathlib import Path, PurePath
from typing import Protocol

from symparams.errors import DocumentError, quoted
from symparams.papers.kinds import DocumentType, kind_of
from symparams.papers.notebooks import cells

NOTEBOOK = ".ipynb"
BOM = "\ufeff"
MARK = b"symparams"


class FileText(Protocol):
    """A text of a file; ``place`` is where a character of it stands there, ``written`` how the file spells what is put in."""

    @property
    def text(self) -> str: ...
    def place(self, at: int) -> int: ...
    def written(self, text: str) -> str: ...


@dataclass(frozen=True)
class Whole:
    """The whole file as one text."""

    text: str

    def place(self, at: int) -> int:
        """The same place."""
        return at

    def written(self, text: str) -> str:
        """The same text."""
        return text


@dataclass(frozen=True)
class Change:
    """A change of a page: a stretch of it and the new text."""

    page: FileText
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class SourceDocument:
    """A file: its path as it was named, the bytes that were read, and the kind that its ending says it is."""

    path: str
    content: bytes
    kind: DocumentType

    @cached_property
    def file(self) -> str:
        """The text of the file, without the mark of its byte order; DocumentError where it is not UTF-8."""
        try:
            return self.content.decode("utf-8").removeprefix(BOM)
        except UnicodeDecodeError as error:
            line = self.content.count(b"\n", 0, error.start) + 1
            raise DocumentError(f"{shown(self.path)}:{line}: This is not UTF-8: save the file in that encoding.") from None

    @cached_property
    def pages(self) -> Sequence[FileText]:
        """The texts that may hold blocks: those of a notebook's cells of Markdown, or the whole file; none without a marker.

        So a file that asks for nothing is no mistake, whatever it holds.
        """
        if MARK not in self.content.replace(b"\0", b""):  # between the letters of UTF-16 stands one
            return []
        if PurePath(self.path).suffix.lower() != NOTEBOOK:
            return [Whole(self.file)]
        try:
            return cells(self.file)
        except DocumentError as error:
            raise DocumentError(f"{shown(self.path)}: {error}") from None

    def line(self, page: FileText, at: int) -> int:
        """The line of the file in which a character of a page stands, from 1."""
        return self.file.count("\n", 0, page.place(at)) + 1

    def where(self, page: FileText, at: int) -> str:
        """The same with the file's name: paper.tex:12."""
        return f"{shown(self.path)}:{self.line(page, at)}"

    def changed(self, changes: Iterable[Change]) -> SourceDocument:
        """The document with changes, which do not overlap; all else is what it was, to the byte."""
        parts, at = [], 0
        file = self.file
        edits = sorted(
            (change.page.place(change.start), change.page.place(change.end), change.page.written(change.text))
            for change in changes
        )
        for start, end, text in edits:
            parts += [file[at:start], text]
            at = end
        whole = "".join([*parts, file[at:]])
        mark = BOM.encode() if self.content.startswith(BOM.encode()) else b""
        return SourceDocument(self.path, mark + whole.encode("utf-8"), self.kind)


def shown(path: str) -> str:
    """A path as it stands before a line number, on one line."""
    return quoted(path, 200)[1:-1]


def read(path: str) -> SourceDocument:
    """A document; DocumentError where its ending names no kind, or it is no file."""
    kind = kind_of(path)
    if os.path.exists(path) and not Path(path).is_file():  # noqa: PTH110 - a Path would hide a loop of links
        raise DocumentError(f"{quoted(path)} is not a file: name documents one by one.")
    return SourceDocument(path, Path(path).read_bytes(), kind)


def difference(before: SourceDocument, after: SourceDocument) -> str:
    """The lines that change with those around them, as ``diff -u`` shows them and ``patch -p0`` takes them."""
    if before.content == after.content:
        return ""
    old, new = StringIO(before.file).readlines(), StringIO(after.file).readlines()
    name = shown(before.path)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in unified_diff(old, new, name, name)
    )
