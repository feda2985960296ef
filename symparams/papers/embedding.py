"""Embedding: each block of a document is replaced by the output of its command, or the file beside it is.

The closing marker holds a checksum of the content, with that of the file, the first eight digits of SHA-256, so that what
was written here is known from what somebody wrote over it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

from symparams.errors import DocumentError, missing_folder, quoted
from symparams.papers.documents import LARGEST, Change, FileText, SourceDocument, shown
from symparams.papers.kinds import DocumentType, Printed
from symparams.papers.markers import MarkedBlock, MarkerError, blocks
from symparams.records import frozen

Print = Callable[[str, SourceDocument], Printed]  # what a command prints in a document; SymparamsError where it is wrong
DIGITS = 8
MOST = 10_000  # blocks of a document


@frozen
class Beside:
    """A file with a drawing: what it holds, nothing where there is none yet, what it has to hold, and what tells it is ours."""

    path: str
    before: bytes | None
    after: bytes
    signature: bytes

    @property
    def is_current(self) -> bool:
        """True if nothing has to change."""
        return self.before is not None and self.before.replace(b"\r\n", b"\n") == self.after

    @property
    def is_edited(self) -> bool:
        """True if there is a file of that name with another content."""
        return self.before is not None and not self.is_current

    @property
    def is_foreign(self) -> bool:
        """True if somebody else's file has that name, whatever checksum the document gives it."""
        return self.is_edited and self.signature not in (self.before or b"")


@frozen
class Embedded:
    """A document brought up to date: how many blocks were not, and where those stand that were edited by hand and kept.

    ``seen`` is where markers stand that GitHub shows as text, ``files`` are the drawings that it shows, each a file beside it.
    ``lacking`` are the packages and commands that its blocks need and its head has not.
    """

    before: SourceDocument
    after: SourceDocument
    stale: int = 0
    kept: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    files: tuple[Beside, ...] = ()
    lacking: tuple[str, ...] = ()

    @property
    def is_current(self) -> bool:
        """True if nothing had to change, and nothing was kept."""
        return self.before.content == self.after.content and not self.kept and all(file.is_current for file in self.files)


def embed(document: SourceDocument, printed: Print, *, is_forced: bool = False) -> Embedded:
    """The document with each block as its command prints it; one that was edited by hand since is kept unless forced.

    Raises DocumentError, with the file and the line, for a marker that has no counterpart, and for a command that is wrong.
    """
    changes: list[Change] = []
    kept: list[str] = []
    seen: list[str] = []
    files: list[Beside] = []
    texts: list[str] = []
    stale = 0
    marked = [(page, _blocks(document, page)) for page in document.pages]
    number = sum(len(of_page) for _, of_page in marked)
    if number > MOST:
        raise DocumentError(
            f"{shown(document.path)} has {number:,} blocks, more than the {MOST:,} that embed updates: split it."
        )
    for page, of_page in marked:
        for block in of_page:
            old = page.text[block.content.start : block.content.end]
            new, drawn = _content(document, page, block, printed)
            texts += [new, drawn.after.decode("utf-8") if drawn else ""]
            if block.is_inline and document.kind.shows_hyphens and "--" in block.command:
                seen.append(document.where(page, block.opening.start))
            if not is_forced and _is_edited(block, old, new, drawn):
                kept.append(document.where(page, block.opening.start))
                continue
            made = _changes(document.kind, page, block, (old, new), drawn)
            changes += made
            files += [drawn] if drawn else []
            stale += bool(made) or bool(drawn and not drawn.is_current)
    after = document.changed(changes) if changes else document
    if changes:
        _hold_the_same_blocks(document, after)
    lacking = after.latex_class.lacks("".join(texts)) if after.latex_class else []
    return Embedded(document, after, stale, tuple(kept), tuple(seen), tuple(files), tuple(lacking))


def _is_edited(block: MarkedBlock, old: str, new: str, drawn: Beside | None) -> bool:
    """True if somebody wrote over a block what is not what its command prints anyway, or over the file that it names."""
    if drawn is None or drawn.before is None:
        return bool(block.checksum) and block.checksum != checksum(old) and plain(old) != plain(new) and drawn is None
    if not block.checksum or drawn.is_foreign:
        return drawn.is_edited
    held = old + drawn.before.decode("utf-8", "surrogateescape")
    return block.checksum != checksum(held) and (plain(old) != plain(new) or drawn.is_edited)


def checksum(content: str) -> str:
    """The checksum of a content, whatever its line ends."""
    return hashlib.sha256(plain(content).encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def plain(content: str) -> str:
    """A content with the line ends of Unix."""
    return content.replace("\r\n", "\n")


def _blocks(document: SourceDocument, page: FileText) -> list[MarkedBlock]:
    try:
        return blocks(page.text, document.kind)
    except MarkerError as error:
        raise DocumentError(f"{document.where(page, error.at)}: {error}") from None


def _content(document: SourceDocument, page: FileText, block: MarkedBlock, printed: Print) -> tuple[str, Beside | None]:
    """Return the text that a block has to hold, in a line or on lines of its own, and its file."""
    where = document.where(page, block.opening.start)
    try:
        result = printed(block.command, document)
        drawn = _beside(document, result) if result.file else None
        if block.is_inline:
            return document.kind.inline(result, page.text[block.closing.end :].removeprefix(block.newline)), drawn
        lines = document.kind.block(result).split("\n")
    except DocumentError as error:
        raise DocumentError(f"{where}: {error}") from None
    return "".join(f"{block.prefix}{line}".rstrip(" \t" if not line else "") + block.newline for line in lines), drawn


def _beside(document: SourceDocument, result: Printed) -> Beside:
    named = Path(document.path)
    # Of a link, beside what it leads to: there its commands run.
    path = (named.resolve() if named.is_symlink() else named).parent / result.file
    if lacking := missing_folder(str(path)):
        raise DocumentError(f"Cannot draw {quoted(result.file)}: {lacking}")
    if path.exists() and not path.is_file():
        raise DocumentError(f"{quoted(result.file)} is a folder, a device or a pipe: name another file.")
    if path.exists() and path.stat().st_size > LARGEST:
        raise DocumentError(
            f"{quoted(result.file)} has more than {LARGEST:,} bytes, so it is not a drawing: name another file."
        )
    before = path.read_bytes() if path.exists() else None
    return Beside(str(path), before, result.drawing.encode("utf-8"), result.signature.encode("utf-8"))


def _changes(
    kind: DocumentType, page: FileText, block: MarkedBlock, content: tuple[str, str], drawn: Beside | None
) -> list[Change]:
    old, new = content
    closing = kind.closing.format(checksum=checksum(new + (drawn.after.decode("utf-8") if drawn else "")))
    places = ((block.content, old, new), (block.closing, page.text[block.closing.start : block.closing.end], closing))
    return [Change(page, place.start, place.end, after) for place, before, after in places if before != after]


def _hold_the_same_blocks(before: SourceDocument, after: SourceDocument) -> None:
    """DocumentError where what a command printed reads as a marker itself, so that nobody would find the block again."""
    try:
        own = [_own(page.text, blocks(page.text, after.kind)) for page in after.pages]
    except MarkerError:
        own = []
    if own != [_own(page.text, _blocks(before, page)) for page in before.pages]:
        raise DocumentError(f"{shown(before.path)}: The output of this block looks like a marker: remove its command.")


def _own(text: str, found: Iterable[MarkedBlock]) -> list[str]:
    """What of a text is its author's: all but what stands in the blocks, and but their closing markers."""
    at, own = 0, []
    for block in found:
        own += [text[at : block.content.start], text[block.content.end : block.closing.start]]
        at = block.closing.end
    return [*own, text[at:]]
