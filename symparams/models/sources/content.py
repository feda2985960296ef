"""Content of a file or a stream that somebody names: UTF-8 text, read as far as a config may reach, never further."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO

from symparams.errors import ConfigError, quoted

LARGEST = 4 * 2**20
MOST_LINKS = 40
_within: ContextVar[str] = ContextVar("within", default="")


@contextmanager
def within(folder: str) -> Iterator[None]:
    """Read nothing but the regular files of a folder and below, wherever links lead."""
    before = _within.set(os.path.realpath(folder))
    try:
        yield
    finally:
        _within.reset(before)


def of_file(path: Path) -> str:
    """The text of a regular file, or of what is open already, as /dev/stdin is; ConfigError says why it cannot be had."""
    folder = refuse_outside(path)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise ConfigError(f"Cannot read {quoted(path)}: it is a folder. Give a config.json or the folder that holds it.")
        # a device has no end, a pipe without a writer no beginning
        if not stat.S_ISREG(mode) and (folder or descriptor_at(path) is None):
            raise ConfigError(f"Cannot read {quoted(path)}: it is a device or a pipe. Give a config.json, or - and a pipe.")
        with path.open("rb") as stream:
            return of_stream(stream, quoted(path))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise ConfigError(f"Cannot read {quoted(path)}: {reason}. Give a config.json or the folder that holds it.") from None


def refuse_outside(path: Path) -> str:
    """Return the folder in which a file must lie, "" if it may lie anywhere; ConfigError where it lies elsewhere."""
    folder = _within.get()
    if folder and not Path(os.path.realpath(path)).is_relative_to(folder):
        raise ConfigError(f"{quoted(path)} lies outside of {quoted(folder)}: copy it there, or give --trust.")
    return folder


def of_stream(stream: IO[bytes], name: str) -> str:
    """The text of a stream; ConfigError where it is longer than any config, UnicodeDecodeError where it is not UTF-8."""
    content = stream.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ConfigError(f"{name} has more than {LARGEST:,} bytes: that is not a config.json.")
    return content.decode("utf-8-sig")


def descriptor_at(path: str | Path) -> int | None:
    """Return the descriptor of this process that a path leads to, as /dev/stdin does by a link; None where it leads to none."""
    place = os.fspath(path)
    for _ in range(MOST_LINKS):
        folder, name = os.path.split(place)
        if name.isdecimal() and os.path.realpath(folder or ".") in ("/dev/fd", f"/proc/{os.getpid()}/fd"):
            return int(name)
        if not os.path.islink(place):  # noqa: PTH114 - of a path that cannot be, a Path raises an error
            break
        place = os.path.join(folder, os.readlink(place))  # noqa: PTH115, PTH118 - as above
    return None
