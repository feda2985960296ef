"""Markers: the blocks of a text, each between the marker that names its command and the one that closes it.

A block stands on lines of its own, or within a line. In Markdown such a line holds both markers. A comment of TeX ends its
line, so there the opening marker ends a line of prose, and the closing one the next line, which holds nothing else::

    BLOOM has $% symparams: formula bloom
    12Lh^{2} + 13Lh + Vh + 4h% /symparams
    $ parameters.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property

from symparams.errors import DocumentError, quoted
from symparams.papers.kinds import DocumentType
from symparams.records import frozen

LINE = re.compile(r"[^\n]*\n|[^\n]+")
LONGEST_COMMAND = 10_000  # characters, which take a second or two
CHECKSUM = re.compile(r"(?:[0-9a-f]{8})?")


@frozen
class SourceSpan:
    """A stretch of a text, from one place to another."""

    start: int
    end: int


@frozen
class MarkedBlock:
    """A block: its command, its content and closing marker as places in the text, and the checksum that the marker holds.

    ``prefix`` stands before each line of a block that has lines of its own, spaces or the marks of a quotation; ``newline``
    is the end of its opening line.
    """

    command: str
    opening: SourceSpan
    content: SourceSpan
    closing: SourceSpan
    checksum: str
    is_inline: bool
    prefix: str
    newline: str


class MarkerError(DocumentError):
    """A marker that is broken, nested, or lacks its counterpart; ``at`` is its place in the text."""

    def __init__(self, at: int, message: str) -> None:
        self.at = at
        super().__init__(message)


@frozen
class _SourceLine:
    start: int
    text: str
    newline: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def after(self) -> int:
        return self.end + len(self.newline)


@frozen
class _Mark:
    """A marker in its line: an opening one with its command, or a closing one with its checksum."""

    line: _SourceLine = field(repr=False)
    span: SourceSpan
    text: str
    opens: bool

    @property
    def before(self) -> str:
        return self.line.text[: self.span.start - self.line.start]

    def stands_alone(self, indents: str) -> bool:
        return not self.before.strip(indents) and not self.line.text[self.span.end - self.line.start :].strip(" \t")


def blocks(text: str, kind: DocumentType) -> list[MarkedBlock]:
    """The blocks of a text in their order; MarkerError where markers do not make pairs."""
    marked: list[MarkedBlock] = []
    opened: _Mark | None = None
    for mark in _marks(text, kind):
        if mark.opens and opened:
            raise MarkerError(
                mark.span.start, "A block cannot be inside another: close the one above with a marker /symparams."
            )
        if mark.opens:
            opened = mark
        elif opened is None:
            raise MarkerError(mark.span.start, "This marker closes no block: open one above it, or remove the marker.")
        else:
            marked.append(_block(opened, mark, kind))
            opened = None
    if opened:
        raise MarkerError(opened.span.start, f"This block is not closed: write {_closing(kind)} at its end.")
    return marked


def _marks(text: str, kind: DocumentType) -> Iterator[_Mark]:
    """The markers outside of what is shown as it is, in their order."""
    until: re.Pattern[str] | None = None
    for line in _lines(text):
        if until:
            until = None if until.match(line.text) else until
        elif begins := kind.hiding.match(line.text):
            until = re.compile(kind.shown(begins))
        else:
            yield from _marks_of(line, kind)


def _lines(text: str) -> Iterator[_SourceLine]:
    for match in LINE.finditer(text):
        body = match[0].removesuffix("\n").removesuffix("\r") if match[0].endswith("\n") else match[0]
        yield _SourceLine(match.start(), body, match[0][len(body) :])


def _marks_of(line: _SourceLine, kind: DocumentType) -> Iterator[_Mark]:
    spans, at = _VerbatimSpans(line.text, kind.delimiters), 0
    while match := kind.marks.search(line.text, at):
        at = match.end() if match["verbatim"] is None else spans.end(match)
        span = SourceSpan(line.start + match.start(), line.start + match.end())
        if match["broken"] is not None:
            raise MarkerError(span.start, "This marker is not complete: write all of it on one line.")
        if match["opening"] is not None:
            yield _Mark(line, span, _command(match["opening"], span.start), opens=True)
        elif match["closing"] is not None:
            checksum = match["closing"].strip(" \t")
            if not CHECKSUM.fullmatch(checksum):
                raise MarkerError(
                    span.start,
                    f"{quoted(checksum)} is not a checksum: write {_closing(kind)} alone, and embed adds the checksum.",
                )
            yield _Mark(line, span, checksum, opens=False)


class _VerbatimSpans:
    """The spans of code in a line, each up to the next delimiter that is the one it begins with."""

    def __init__(self, text: str, delimiters: re.Pattern[str]) -> None:
        self.text, self.delimiters = text, delimiters

    @cached_property
    def _places(self) -> Mapping[str, Sequence[int]]:
        places: dict[str, list[int]] = {}
        for match in self.delimiters.finditer(self.text):
            places.setdefault(match[0], []).append(match.start())
        return places

    def end(self, beginning: re.Match[str]) -> int:
        """Return the end of a span, or that of its first sign where nothing ends it."""
        delimiter = beginning["verbatim"]
        places = self._places.get(delimiter, ())
        following = bisect_left(places, beginning.end())
        if following < len(places):
            return places[following] + len(delimiter)
        return beginning.end() if beginning[0] == delimiter else beginning.start() + 2  # the letter after the backslash


def _command(text: str, at: int) -> str:
    command = text.strip(" \t")
    if not command:
        raise MarkerError(at, "This marker has no command: write one, as in symparams: formula bloom.")
    if len(command) > LONGEST_COMMAND:
        raise MarkerError(at, f"This command has {len(command):,} characters: write at most {LONGEST_COMMAND:,}.")
    if "/symparams" in command:
        raise MarkerError(at, "This marker contains the end of its block: write the marker /symparams on a line of its own.")
    return command


def _block(opened: _Mark, closed: _Mark, kind: DocumentType) -> MarkedBlock:
    if opened.line is closed.line:
        return _inline(opened, closed, opened.span.end)
    if not opened.stands_alone(kind.indents):
        if kind.has_one_line_blocks:
            raise MarkerError(
                opened.span.start, "There is text beside this marker: close its block on this line, or move the text."
            )
        if closed.line.start != opened.line.after:
            raise MarkerError(
                opened.span.start, "A block that begins in a line of prose holds one line: close it on the next line."
            )
        return _inline(opened, closed, opened.line.after)
    if not closed.stands_alone(kind.indents):
        raise MarkerError(
            closed.span.start,
            "There is text beside this marker: put the marker on a line of its own, because its block has several lines.",
        )
    content, closing = SourceSpan(opened.line.after, closed.line.start), closed.span
    return MarkedBlock(
        opened.text, opened.span, content, closing, closed.text, False, prefix=opened.before, newline=opened.line.newline
    )


def _inline(opened: _Mark, closed: _Mark, start: int) -> MarkedBlock:
    content = SourceSpan(start, closed.span.start)
    return MarkedBlock(
        opened.text, opened.span, content, closed.span, closed.text, True, prefix="", newline=opened.line.newline
    )


def _closing(kind: DocumentType) -> str:
    return kind.closing.format(checksum="").replace("  ", " ").rstrip()
