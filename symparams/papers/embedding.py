"""Embedding: what the commands of a document's blocks print takes the place of what stands there.

The closing marker holds a checksum of the content, the first eight digits of SHA-256, so that what was written here is known
from what somebody wrote over it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from symparams.errors import DocumentError
from symparams.papers.documents import Change, Document, Page, shown
from symparams.papers.kinds import Kind, Printed
from symparams.papers.markers import Block, MarkerError, blocks

Print = Callable[[str, Document], Printed]  # what a command prints in a document; SymparamsError where it is wrong
DIGITS = 8


@dataclass(frozen=True)
class Embedded:
    """A document brought up to date: how many blocks were not, and where those stand that were edited by hand and kept.

    ``seen`` is where markers stand that GitHub shows as text.
    """

    before: Document
    after: Document
    stale: int = 0
    kept: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()

    @property
    def is_current(self) -> bool:
        """Whether nothing had to change, and nothing was kept."""
        return self.before.content == self.after.content and not self.kept


def embed(document: Document, printed: Print, *, is_forced: bool = False) -> Embedded:
    """The document with each block as its command prints it; one that was edited by hand since is kept unless forced.

    Raises DocumentError, with the file and the line, for a marker that has no counterpart, and for a command that is wrong.
    """
    changes: list[Change] = []
    kept: list[str] = []
    seen: list[str] = []
    stale = 0
    for page in document.pages:
        for block in _blocks(document, page):
            old, new = page.text[block.content.start : block.content.end], _content(document, page, block, printed)
            if block.is_inline and document.kind.shows_hyphens and "--" in block.command:
                seen.append(document.where(page, block.opening.start))
            if not is_forced and _is_edited(block, old, new):
                kept.append(document.where(page, block.opening.start))
                continue
            made = _changes(document.kind, page, block, old, new)
            changes += made
            stale += bool(made)
    if not changes:
        return Embedded(document, document, stale, tuple(kept), tuple(seen))
    after = document.changed(changes)
    _hold_the_same_blocks(document, after)
    return Embedded(document, after, stale, tuple(kept), tuple(seen))


def _is_edited(block: Block, old: str, new: str) -> bool:
    """Whether somebody wrote over a block what is not what its command prints anyway."""
    return bool(block.checksum) and block.checksum != checksum(old) and plain(old) != plain(new)


def checksum(content: str) -> str:
    """The checksum of a content, whatever its line ends."""
    return hashlib.sha256(plain(content).encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def plain(content: str) -> str:
    """A content with the line ends of Unix."""
    return content.replace("\r\n", "\n")


def _blocks(document: Document, page: Page) -> list[Block]:
    try:
        return blocks(page.text, document.kind)
    except MarkerError as error:
        raise DocumentError(f"{document.where(page, error.at)}: {error}") from None


def _content(document: Document, page: Page, block: Block, printed: Print) -> str:
    """What a block has to hold: in a line as it is, on lines of its own each with what stands before them."""
    where = document.where(page, block.opening.start)
    try:
        result = printed(block.command, document)
        if block.is_inline:
            return document.kind.inline(result)
        lines = document.kind.block(result).split("\n")
    except DocumentError as error:
        raise DocumentError(f"{where}: {error}") from None
    return "".join(f"{block.prefix}{line}".rstrip(" \t" if not line else "") + block.newline for line in lines)


def _changes(kind: Kind, page: Page, block: Block, old: str, new: str) -> list[Change]:
    closing = kind.closing.format(checksum=checksum(new))
    places = ((block.content, old, new), (block.closing, page.text[block.closing.start : block.closing.end], closing))
    return [Change(page, place.start, place.end, after) for place, before, after in places if before != after]


def _hold_the_same_blocks(before: Document, after: Document) -> None:
    """DocumentError where what a command printed reads as a marker itself, so that nobody would find the block again."""
    try:
        found = [[block.command for block in blocks(page.text, after.kind)] for page in after.pages]
    except MarkerError:
        found = []
    if found != [[block.command for block in _blocks(before, page)] for page in before.pages]:
        raise DocumentError(f"{shown(before.path)}: What a block prints reads as a marker: take its command out.")
