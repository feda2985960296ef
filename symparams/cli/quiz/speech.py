"""Speech: a line out and a line in, on a terminal with a prompt and colours, in a pipe without.

Colour is never the only sign of anything. An arrow upwards shows what was typed before in this conversation, and nothing older.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
from collections.abc import Iterator

from symparams.cli.output import write
from symparams.errors import printable

PROMPT = "> "
RESET = "\x1b[0m"
COLOURS = {"right": "\x1b[32m", "wrong": "\x1b[31m", "faint": "\x1b[2m"}
NARROWEST, WIDEST, USUAL = 40, 100, 80
AWAKE = 0.2  # seconds from one look for an interrupt to the next


class Speech:
    """The streams of a conversation; ``is_plain`` leaves out prompts, colours and the breaking of lines, as a pipe does.

    ``lines`` are all that was said and heard, what was heard behind a prompt.
    """

    def __init__(self, *, is_plain: bool = False) -> None:
        listens, speaks = (stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
        self.prompts = listens and speaks and not is_plain
        self.has_colours = speaks and not is_plain and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.wraps = speaks and not is_plain
        self.width = min(max(shutil.get_terminal_size().columns, NARROWEST), WIDEST) if self.wraps else USUAL
        self.edits = self.prompts and _can_edit()
        self.lines: list[str] = []

    def say(self, text: str, colour: str = "") -> None:
        """Lines for the learner."""
        self.lines.append(text)
        if self.has_colours and colour:
            text = "\n".join(f"{COLOURS[colour]}{line}{RESET}" for line in text.split("\n"))
        write(text + "\n", None, is_document=True)

    def hear(self) -> str | None:
        """The next line; None at the end of the input."""
        with _awake():
            if self.prompts and not self.edits:
                write(PROMPT, None, is_document=True)
            line = _edited() if self.edits else _line()
        self.lines += [] if line is None else [PROMPT + printable(line.strip())]
        return line


@contextlib.contextmanager
def _awake() -> Iterator[None]:
    """A wait that an interrupt ends at any time: one that comes after the prompt and before the wait waits for a key itself."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, AWAKE, AWAKE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _edited() -> str | None:
    """A line that can be edited while it is typed; one that is not in the encoding is a character that nobody means."""
    try:
        return input(PROMPT)
    except EOFError:
        return None
    except UnicodeDecodeError:
        return "\N{REPLACEMENT CHARACTER}"


def _line() -> str | None:
    """A line of standard input, in its encoding; what is not in it is read as a character that nobody means."""
    stream = sys.stdin
    if stream is None or stream.closed:
        return None
    encoding = stream.encoding if stream.isatty() else "utf-8"
    line = stream.buffer.readline() if hasattr(stream, "buffer") else stream.readline().encode()
    return line.decode(encoding, errors="replace").lstrip("\N{ZERO WIDTH NO-BREAK SPACE}") if line else None


def _can_edit() -> bool:
    """True if a line can be edited while it is typed; what was typed in another conversation is forgotten."""
    try:
        import readline
    except ImportError:
        return False
    readline.set_auto_history(True)
    readline.clear_history()
    readline.parse_and_bind("set enable-bracketed-paste off")
    return True
