"""Where results go: standard output, or a file that is written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from symparams.errors import OutputError, quoted

STANDARD_OUTPUT = "-"


def write(text: str, target: str | None) -> None:
    """Write a result to a file, or to standard output for None and "-"; OutputError says why a file cannot be."""
    if target is None or target == STANDARD_OUTPUT:
        _print(text)
        return
    try:
        _write_file(text, Path(target))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise OutputError(f"Cannot write {quoted(target)}: {reason}. Name a file in a folder that you may write to.") from None


def _print(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _write_file(text: str, target: Path) -> None:
    if target.is_dir():
        raise IsADirectoryError(0, "it is a folder")
    if target.exists() and not target.is_file():
        target.write_text(text, encoding="utf-8")  # a device or a pipe has no place to rename into
        return
    import tempfile

    path = target.resolve()
    if path.exists():
        os.close(os.open(path, os.O_WRONLY))  # a folder that can be written to would let a read-only file be replaced
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
