"""The command line: a line is parsed, read as a request, answered by its command, and written. Mistakes are one line.

Results go to standard output or a file, everything else to standard error.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence

from symparams._program import INTERRUPTED, end_silently, listen
from symparams.errors import DiscoveryError, MissingDimensionError, SymparamsError, printable, quoted

ASKED = "_SYMPARAMS_COMPLETE"  # a shell's script sets it where it asks what may come next
USER_MISTAKE = 2


def main() -> None:
    """Run the command line; a user's mistake is one line on stderr and exit code 2."""
    # Collecting sympy's garbage costs 10% of a run, and the process is about to end.
    gc.disable()
    code = INTERRUPTED
    try:
        listen()
        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # while a mistake was being told
        pass
    finally:
        end_silently()
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    try:
        return _run(arguments)
    except DiscoveryError as error:
        return _mistake(*error.lines)
    except SymparamsError as error:
        return _mistake(in_options(error))
    except OSError as error:
        where = f" {quoted(error.filename)}" if error.filename else ""
        return _mistake(f"Cannot read or write{where}: {error.strerror or error}.")
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(arguments: Sequence[str]) -> int:
    from symparams.cli.output import STANDARD_OUTPUT, ReaderGoneError, tell, write, write_pages

    try:
        if os.environ.get(ASKED):
            from symparams.cli.completion import answer as offered

            write(offered(os.environ[ASKED]), None)
            return 0
        from symparams.cli.parser import parse

        parsed = parse(arguments)
        if isinstance(parsed, str):
            write(parsed, None)
            return 0
        from symparams.cli.commands import COMMANDS
        from symparams.cli.options import TEXT
        from symparams.cli.request import read

        request = read(parsed.command, parsed.given)
        answer = COMMANDS[parsed.command].load(request)(request)
        if answer.pages:
            write_pages(answer.pages, request.output, request.format)
        else:
            write(answer.text, request.output, is_document=request.format != TEXT)
        if answer.report and request.output not in (None, STANDARD_OUTPUT):
            write(answer.report, None)
        elif answer.report:
            tell(answer.report.rstrip())
    except ReaderGoneError:
        return 0
    for note in request.notes:
        tell(f"symparams: {note}")
    if answer.note:
        tell(f"symparams: {answer.note}")
    return answer.exit_code


def in_options(error: SymparamsError) -> str:
    """The error's text; a value that is missing is asked for by its option."""
    return error.asking("--set {name}=…", " ") if isinstance(error, MissingDimensionError) else str(error)


def _mistake(message: str, *parts: str) -> int:
    """Tell a mistake on one line, of a model that was not found each part on a line below."""
    from symparams.cli.output import tell

    for start, text in (("symparams: ", message), *(("    ", part) for part in parts)):
        flat = " ".join(text.split())  # what no terminal should obey, the parser's own messages hold too
        tell(start + printable(flat))
    return USER_MISTAKE
