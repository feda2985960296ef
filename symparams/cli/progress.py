"""Progress: a line on a terminal that says what is running and how far it is; in a pipe or a file nothing, or rare lines."""

from __future__ import annotations

import contextlib
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import TextIO

SOON, OFTEN = 1.0, 0.2  # seconds until the line is there, and between two of its states
SELDOM = 30.0  # seconds between two lines of a log


@contextlib.contextmanager
def going_on(what: str, most: float | None = None, *, is_logged: bool = False) -> Iterator[Callable[[str], None]]:
    """While what stands within goes on, a terminal shows for how long: "verifying gpt2: 2 of 3, building GPT2Model, 4 s".

    ``most`` are the seconds that it takes at most; what it yields is called with how far it is. Whatever stood there is
    wiped off before the answer, or an error, is written. What takes minutes ``is_logged``: where there is no terminal, it says
    how far it is in a line every half a minute.
    """
    stream = sys.stderr
    if stream is None or stream.closed:
        yield lambda _: None
        return
    line = _Line(stream, what, most)
    if not stream.isatty():
        yield line.log if is_logged else lambda _: None
        return
    watch = threading.Thread(target=line.show, daemon=True)
    watch.start()
    try:
        yield line.tell_how_far
    finally:
        line.over.set()
        watch.join(SOON)  # a terminal that has been stopped holds up its own line, not the answer


class _Line:
    """The line, rewritten in place until the work is over."""

    def __init__(self, stream: TextIO, what: str, most: float | None) -> None:
        self.stream, self.what, self.most = stream, what, most
        self.start, self.shown, self.step = time.monotonic(), 0, ""
        self.logged = self.start
        self.over = threading.Event()

    def tell_how_far(self, step: str) -> None:
        self.step = step

    def log(self, step: str) -> None:
        self.step, now = step, time.monotonic()
        if now - self.logged >= SELDOM:
            self.logged = now
            with contextlib.suppress(OSError, ValueError):
                self.stream.write(f"{self._text()}\n")
                self.stream.flush()

    def show(self) -> None:
        with contextlib.suppress(OSError, ValueError):  # the terminal is gone, and nobody watches
            while not self.over.wait(OFTEN if self.shown else SOON):
                self._write(self._text()[: shutil.get_terminal_size().columns - 1])
            if self.shown:
                self._write("")
                self.stream.write("\r")
                self.stream.flush()

    def _text(self) -> str:
        passed = f"{int(time.monotonic() - self.start)} s" + (f" of at most {self.most:g} s" if self.most else "")
        text = ", ".join(filter(None, (f"symparams: {self.what}: {self.step}".removesuffix(": "), passed)))
        return "".join(c if " " <= c <= "~" else "?" for c in text)  # one column each, and in every encoding

    def _write(self, text: str) -> None:
        self.stream.write("\r" + text.ljust(self.shown))
        self.stream.flush()
        self.shown = len(text)
