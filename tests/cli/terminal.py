"""A terminal to run the program on, and what is to be read on it afterwards."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys


def on_a_terminal(arguments: str, encoding: str) -> tuple[int, bytes]:
    """The exit code of a program whose streams are a terminal, and every byte that is sent there."""
    ours, theirs = os.openpty()
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    command = [sys.executable, "-m", "symparams", *arguments.split()]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        seen = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while piece := os.read(ours, 65536):
                seen += piece
    os.close(ours)
    return process.returncode, seen


def screen(seen: bytes) -> list[str]:
    """The lines that are to be read in the end: what is written after a carriage return covers what stood there."""
    lines = []
    for line in seen.replace(b"\r\n", b"\n").split(b"\n"):
        shown = b""
        for text in line.split(b"\r"):
            shown = text + shown[len(text) :]
        lines.append(shown.decode().rstrip())
    return lines
