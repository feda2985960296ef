"""The program's first and last moments: interrupted there, it ends at once and in silence, with the exit code 130.

Imported before the rest of the package, which takes a tenth of a second; where the package is a library, it does nothing.
"""

from __future__ import annotations

import os
import signal
import sys

NAME = "symparams"
INTERRUPTED = 130


def is_program() -> bool:
    """True if this process was started as ``symparams`` or ``python -m symparams``."""
    first, words = sys.argv[0] if sys.argv else "", sys.orig_argv
    if first == "-m":  # as it is while the package of a module that is to be run is imported
        return f"-m{NAME}" in words or ("-m" in words[:-1] and words[words.index("-m") + 1] == NAME)
    return os.path.basename(first).partition(".")[0] == NAME  # noqa: PTH119 - pathlib would take longer than all of this


def end_silently() -> None:
    """From here on an interrupt ends the process; one that is ignored, as with nohup, stays so."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def listen() -> None:
    """From here on an interrupt is a KeyboardInterrupt again, which leaves no file half written."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(*_: object) -> None:
    os._exit(INTERRUPTED)


if is_program():
    end_silently()
