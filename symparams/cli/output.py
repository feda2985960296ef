"""The output of results: to standard output, a device or a descriptor, or to a file, completely or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from symparams.errors import OutputError, missing_folder, quoted

STANDARD_OUTPUT = "-"


class ReaderGoneError(Exception):
    """The reader of standard output has seen enough and closed it."""


def write(text: str, target: str | None, *, is_document: bool = False) -> None:
    """Write a result to a file, or to standard output for None and "-"; OutputError says why it cannot be.

    A file is UTF-8. So is a document on a standard output that is not a terminal: a file or a program reads it there. Other
    text is in the encoding of standard output.
    """
    if target is not None and target != STANDARD_OUTPUT:
        write_file(text.encode("utf-8"), target)
        return
    with _standard_output() as stream:
        if is_document and not stream.isatty() and hasattr(stream, "buffer"):
            stream.flush()
            stream.buffer.write(text.encode("utf-8"))
        else:
            stream.write(text)


@contextlib.contextmanager
def _cannot_write(target: str) -> Iterator[None]:
    """Return the OutputError that keeps a file from being written."""
    try:
        yield
    except BrokenPipeError:
        raise ReaderGoneError from None
    except (OSError, ValueError) as error:
        if isinstance(error, FileNotFoundError) and (lacking := missing_folder(target)):
            raise OutputError(f"Cannot write {quoted(target)}: {lacking}") from None
        reason = getattr(error, "strerror", None) or "no file can be called so"
        raise OutputError(f"Cannot write {quoted(target)}: {reason}. Name a file in a folder that you may write to.") from None


def write_over(files: Iterable[tuple[str, bytes | None, bytes]]) -> None:
    """Files, each by its path, what it held when it was read, if it was, and what it is to hold; OutputError where one cannot.

    Each is looked at before the first is written: whether it still holds what was read, and whether it may be written.
    """
    changed = [(path, before, after) for path, before, after in files if before != after]
    for path, before, after in changed:
        now = None
        with _cannot_write(path):
            if before is not None or Path(path).exists():
                _look_at(os.path.realpath(path))
                now = Path(path).read_bytes()
        if now not in (before, after):
            raise OutputError(f"{quoted(path)} was changed by another program: nothing was written, so run the command again.")
    for path, _, after in changed:
        write_file(after, path)


def _look_at(path: str) -> None:
    """OSError where a file is not to be written: whoever may write everything may not take that for a wish."""
    if not stat.S_IMODE(Path(path).stat().st_mode) & 0o222 or not os.access(Path(path).parent, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    os.close(os.open(path, os.O_WRONLY))


def write_pages(pages: Sequence[bytes], target: str | None, kind: str) -> None:
    """Write a PDF, or pictures, to a file: sheet.png, or sheet-1.png, sheet-2.png … where there are several.

    Standard output takes one of them, and no terminal does.
    """
    if target is None or target == STANDARD_OUTPUT:
        if len(pages) > 1:
            raise OutputError(f"The sheet has {len(pages)} pages, one {kind.upper()} file each: name a file, -o sheet.{kind}.")
        with _standard_output() as stream:
            if stream.isatty() or not hasattr(stream, "buffer"):
                raise OutputError(f"A {kind.upper()} is not text for a terminal: name a file, -o sheet.{kind}.")
            stream.flush()
            stream.buffer.write(pages[0])
    elif len(pages) == 1:
        write_file(pages[0], target)
    else:
        start, ending = os.path.splitext(target)  # noqa: PTH122 - as in write_file
        names = [f"{start}-{i:0{len(str(len(pages)))}}{ending}" for i in range(1, len(pages) + 1)]
        for page, name in zip(pages, names, strict=True):
            write_file(page, name)
        tell(f"symparams: {len(pages)} pages, {names[0]} to {names[-1]}.")


def tell(line: str) -> None:
    """A line for whoever watches, on standard error and nowhere else; where that cannot take it, it is left out."""
    if sys.stderr is None:  # print() would take standard output in its place
        return
    try:
        sys.stderr.write(line + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        silence(sys.stderr)


def silence(stream: object) -> None:
    """Discard the rest of a stream that failed; Python would complain once more when it flushes the stream at exit."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())  # type: ignore[attr-defined] # whatever has no descriptor needs no silence
        os.close(null)


@contextlib.contextmanager
def _standard_output() -> Iterator[TextIO]:
    """Standard output, flushed after what is written to it; OutputError says why it cannot be."""
    stream = sys.stdout
    if stream is None or stream.closed:
        raise OutputError("Cannot write to standard output: it is closed. Write to a file with -o.")
    try:
        yield stream
        stream.flush()
    except BrokenPipeError:
        silence(stream)
        raise ReaderGoneError from None
    except UnicodeEncodeError as error:
        raise OutputError(
            f"Cannot write to standard output: its encoding {stream.encoding} has no {error.object[error.start]!a}. "
            "Set PYTHONIOENCODING=utf-8 or write to a file with -o."
        ) from None
    except OSError as error:
        silence(stream)
        raise OutputError(f"Cannot write to standard output: {error.strerror}.") from None


def write_file(content: bytes, target: str) -> None:
    """Write a file completely or not at all; OutputError says why it cannot be."""
    from symparams.models.sources.content import descriptor_at

    with _cannot_write(target):
        # What an open descriptor leads to belongs to whoever opened it: it is written on where that left off.
        if (descriptor := descriptor_at(target)) is not None:
            _write_descriptor(os.dup(descriptor), content)
            return
        try:
            there = os.stat(target)  # noqa: PTH116 - a Path would hide a loop of links
            mode = there.st_mode
        except FileNotFoundError:
            if not target:
                raise
            there = None
            mode = stat.S_IFREG | 0o666 & ~_umask()
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(0, "it is a folder")
        if stat.S_ISREG(mode):
            if not _replace(content, os.path.realpath(target), stat.S_IMODE(mode), there):
                tell(f"symparams: {quoted(target)} now belongs to you: its previous owner could not be kept.")
            if there is not None and there.st_nlink > 1:
                tell(f"symparams: {quoted(target)} is a new file now: its other hard links keep the old content.")
        else:  # a device or a pipe has no place to rename into
            _write_descriptor(os.open(target, os.O_WRONLY), content)


def _write_descriptor(descriptor: int, content: bytes) -> None:
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(content)


def _replace(content: bytes, path: str, mode: int, there: os.stat_result | None) -> bool:
    """Put a file in the place of the one that is there; False where it cannot have the same owner."""
    import tempfile

    folder, name = os.path.split(path)
    if os.path.exists(path):  # noqa: PTH110 - as in write_file
        _look_at(path)  # a folder that can be written to would let a read-only file be replaced
    with _signals_wait():
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{name[:40]}.")
        try:
            _write_descriptor(handle, content)
            is_kept = there is None or _give(temporary, there)
            os.chmod(temporary, mode)
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
    return is_kept


def _give(path: str, there: os.stat_result) -> bool:
    """Give a file the owner and the group of another; False where that may not be."""
    made = Path(path).stat()
    if (made.st_uid, made.st_gid) == (there.st_uid, there.st_gid):
        return True
    try:
        os.chown(path, there.st_uid, there.st_gid)
    except OSError:
        return False
    return True


@contextlib.contextmanager
def _signals_wait() -> Iterator[None]:
    """Signals that would end the program wait until the file is whole and nothing lies beside it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
