"""Documents: a file as it was read, the texts of it that may hold blocks, and what their changes make of it."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import field
from difflib import SequenceMatcher
from functools import cached_property
from io import StringIO
from pathlib import Path, PurePath
from typing import Protocol

from symparams.errors import DocumentError, quoted
from symparams.papers.classes import DocumentClass, class_of
from symparams.papers.kinds import DocumentType, kind_of
from symparams.papers.notebooks import cells
from symparams.records import frozen

NOTEBOOK = ".ipynb"
BOM = "\ufeff"
MARK = b"symparams"
LARGEST = 64 * 2**20
Edit = tuple[int, int, str]  # what stands from one place of a file to another is replaced by a text
Opcode = tuple[str, int, int, int, int]  # as difflib has them


class FileText(Protocol):
    """A text of a file; ``place`` is where a character of it stands there, ``written`` how the file spells what is put in."""

    @property
    def text(self) -> str: ...
    def place(self, at: int) -> int: ...
    def written(self, text: str) -> str: ...


@frozen
class Whole:
    """The whole file as one text."""

    text: str

    def place(self, at: int) -> int:
        """The same place."""
        return at

    def written(self, text: str) -> str:
        """The same text."""
        return text


@frozen
class Change:
    """A change of a page: a stretch of it and the new text."""

    page: FileText
    start: int
    end: int
    text: str


@frozen
class SourceDocument:
    """A file: its path as it was named, the bytes that were read, and the kind that its ending says it is.

    ``edits`` are those that made it of what was read.
    """

    path: str
    content: bytes
    kind: DocumentType
    edits: tuple[Edit, ...] = field(default=(), compare=False)

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

        So a file that asks for nothing is not a mistake, whatever it holds.
        """
        if MARK not in self.content.replace(b"\0", b""):  # between the letters of UTF-16 stands one
            return []
        if PurePath(self.path).suffix.lower() != NOTEBOOK:
            return [Whole(self.file)]
        try:
            return cells(self.file)
        except DocumentError as error:
            raise DocumentError(f"{shown(self.path)}: {error}") from None

    @property
    def columns(self) -> int:
        """The columns of its pages, where it is of LaTeX and names a class; otherwise 1."""
        return self.latex_class.columns if self.latex_class else 1

    @cached_property
    def latex_class(self) -> DocumentClass | None:
        """The class that a document of LaTeX names."""
        return class_of(self.file) if self.kind.format == "latex" else None

    def line(self, page: FileText, at: int) -> int:
        """The line of the file in which a character of a page stands, from 1."""
        return bisect_left(self._line_ends, page.place(at)) + 1

    @cached_property
    def _line_ends(self) -> Sequence[int]:
        return [match.start() for match in re.finditer("\n", self.file)]

    @cached_property
    def lines(self) -> Sequence[str]:
        """The lines of the file, each with its end."""
        return StringIO(self.file).readlines()

    def lines_from(self, start: int, end: int) -> tuple[int, int]:
        """Return the first of the lines in which a stretch of the file stands, and the one after the last."""
        return bisect_left(self._line_ends, start), min(bisect_left(self._line_ends, end) + 1, len(self.lines))

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
        return SourceDocument(self.path, mark + whole.encode("utf-8"), self.kind, tuple(edits))


def shown(path: str) -> str:
    """A path as it stands before a line number, on one line."""
    return quoted(path, 200)[1:-1]


def read(path: str) -> SourceDocument:
    """A document; DocumentError where its ending names no kind, it is not a file, or it is larger than any document."""
    kind = kind_of(path)
    if os.path.exists(path) and not Path(path).is_file():  # noqa: PTH110 - a Path would hide a loop of links
        raise DocumentError(f"{quoted(path)} is not a file: name documents one by one.")
    with Path(path).open("rb") as stream:
        content = stream.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise DocumentError(f"{quoted(path)} has more than {LARGEST:,} bytes: split it, or leave out what is not text.")
    return SourceDocument(path, content, kind)


def difference(before: SourceDocument, after: SourceDocument) -> str:
    """The lines that change with those around them, as ``diff -u`` shows them and ``patch -p0`` takes them."""
    if before.content == after.content:
        return ""
    old, new = before.lines, after.lines
    name = shown(before.path)
    lines = [f"--- {name}\n", f"+++ {name}\n"]
    for hunk in _hunks(before, after):
        (_, old_start, _, new_start, _), (_, _, old_end, _, new_end) = hunk[0], hunk[-1]
        lines.append(f"@@ -{_span(old_start, old_end)} +{_span(new_start, new_end)} @@\n")
        for kind, i1, i2, j1, j2 in hunk:
            if kind == "equal":
                lines += [f" {line}" for line in old[i1:i2]]
            else:
                lines += [f"-{line}" for line in old[i1:i2]] + [f"+{line}" for line in new[j1:j2]]
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _hunks(before: SourceDocument, after: SourceDocument) -> Iterable[list[Opcode]]:
    """The groups of changed lines, looked for within the edits: over whole documents the time is the square of their lines."""
    regions: list[tuple[int, int, int, int]] = []
    shift = 0
    for start, end, text in after.edits or ((0, len(before.file), after.file),):
        i1, i2 = before.lines_from(start, end)
        j1, j2 = after.lines_from(start + shift, start + shift + len(text))
        shift += len(text) - (end - start)
        if regions and (i1 < regions[-1][1] or j1 < regions[-1][3]):
            i1, _, j1, _ = regions.pop()
        regions.append((i1, i2, j1, j2))
    opcodes: list[Opcode] = []
    i = j = 0
    for i1, i2, j1, j2 in regions:
        opcodes.append(("equal", i, i1, j, j1))
        within = SequenceMatcher(None, before.lines[i1:i2], after.lines[j1:j2]).get_opcodes()
        opcodes += [(kind, i1 + a, i1 + b, j1 + c, j1 + d) for kind, a, b, c, d in within]
        i, j = i2, j2
    matcher = SequenceMatcher[str]()
    matcher.opcodes = _joined([*opcodes, ("equal", i, len(before.lines), j, len(after.lines))])  # type: ignore[attr-defined] # which it caches there
    return matcher.get_grouped_opcodes()


def _joined(opcodes: Iterable[Opcode]) -> list[Opcode]:
    """The same without what is empty, and equal lines that follow equal lines as one."""
    joined: list[Opcode] = []
    for kind, i1, i2, j1, j2 in opcodes:
        if kind == "equal" and joined and joined[-1][0] == "equal":
            joined[-1] = ("equal", joined[-1][1], i2, joined[-1][3], j2)
        elif (i1, j1) != (i2, j2):
            joined.append((kind, i1, i2, j1, j2))
    return joined


def _span(start: int, end: int) -> str:
    """The lines of a hunk as ``diff -u`` counts them."""
    length = end - start
    return f"{start + 1}" if length == 1 else f"{start + bool(length)},{length}"
