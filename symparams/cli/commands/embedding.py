"""``embed``: the blocks of documents are brought up to date. Exit code 1 where --check finds one stale, or one was edited.

A document is somebody else's. What it asks for is answered in this process by the commands of ``PRINTED`` alone, and without
--trust by nothing that runs code, asks the hub, or reads anything but regular files in the document's folder and below. Every
block of every file is worked out before the first file is written.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from symparams.cli import in_options
from symparams.cli.commands import COMMANDS
from symparams.cli.commands.embedded_drawings import may_draw, picture
from symparams.cli.options import TEXT
from symparams.cli.output import tell, write_over
from symparams.cli.request import CommandResult, Request
from symparams.cli.request import read as as_request
from symparams.errors import DocumentError, OptionError, SymparamsError, quoted
from symparams.formats import DRAWN, every, find, names
from symparams.models.sources.content import within
from symparams.models.sources.target import STANDARD_INPUT, is_of_hub
from symparams.papers.documents import SourceDocument, difference, read, shown
from symparams.papers.embedding import Beside, Embedded
from symparams.papers.embedding import embed as brought_up_to_date
from symparams.papers.kinds import CONSOLE, Printed

CSV = "csv"  # the numbers of a plot, a text; pages of live numbers are files
PRINTED = ("count", "formula", "derive", "compare", "draw", "plot", "memory", "flops", "explain")
SESSION = re.compile(r"(?:^|\s)\$\s+")  # before a command, it has the command shown above what it prints
PICTURED = {"--figure": "tikz", "--with-plot": "pgfplots"}  # options of sheets, and what a preamble has for them
NOT_CURRENT = 1
BELOW_A_TITLE = 2  # the level of a sheet's title in a document, which has one of its own
Given = dict[str, Any]
Drawn = tuple[str, bytes | None, bytes]  # a path, what is there, what has to be


def embed(request: Request) -> CommandResult:
    """Documents with their blocks as the commands print them."""
    for file in request.own["files"]:
        if "\0" in file:
            raise DocumentError(f"Cannot read {quoted(file)}: this cannot be the name of a file. Name a document.")
    files = {os.path.realpath(file): file for file in reversed(request.own["files"])}  # a link and its file are one document
    printed = _printer(is_trusted="trust" in request.own)
    documents = [read(file) for file in reversed(files.values())]
    results = [brought_up_to_date(document, printed, is_forced="force" in request.own) for document in documents]
    _tell(results)
    drawings = list(_files(results))
    if "check" in request.own:
        is_current = all(result.is_current for result in results)
        return CommandResult(_differences(results, drawings), 0 if is_current else NOT_CURRENT)
    write_over([*drawings, *((result.before.path, result.before.content, result.after.content) for result in results)])
    written = [
        f"{result.before.path}: {result.stale} block{'s' if result.stale > 1 else ''} written\n"
        for result in results
        if result.stale
    ]
    return CommandResult("".join(written), NOT_CURRENT if any(result.kept for result in results) else 0)


def _differences(results: Sequence[Embedded], drawings: Iterable[Drawn]) -> str:
    """Return the changes in documents and in the drawings beside them."""
    changed = [(result.before, result.after) for result in results]
    for path, before, after in drawings:
        file = replace(results[0].before, path=path, content=before or b"")
        changed.append((file, replace(file, content=after)))
    return "".join(difference(*pair) for pair in changed)


def _files(results: Iterable[Embedded]) -> Iterable[Drawn]:
    """The drawings that are not current, each file once; DocumentError where two blocks draw different things in one."""
    drawn: dict[str, Beside] = {}
    for drawing in (file for embedded in results for file in embedded.files):
        if drawn.setdefault(os.path.realpath(drawing.path), drawing).after != drawing.after:
            raise DocumentError(f"{quoted(drawing.path)} is drawn by two different blocks: give each a file of its own.")
    return ((file.path, file.before, file.after) for file in drawn.values() if not file.is_current)


def _tell(results: Iterable[Embedded]) -> None:
    """Return the notes for the author of a document."""
    for result in results:
        for where in result.kept:
            tell(f"symparams: {where}: this block was edited by hand, so it was not updated. Add --force to overwrite it.")
        if result.lacking:
            tell(f"symparams: {shown(result.before.path)}: its blocks need {_added(result.lacking)} in its preamble.")
        for where in result.seen:
            tell(f"symparams: {where}: GitHub shows a comment with -- inside a line of prose: write each option as -\\-option.")


def _added(lacking: Sequence[str]) -> str:
    """What the head of a document takes for what it lacks: packages, or the preamble of sheets, which has theirs."""
    if any(what.startswith("\\") for what in lacking):
        named = "".join(f" {flag}" for flag, package in PICTURED.items() if any(package in what for what in lacking))
        return f"a block with % symparams: derive bloom --preamble{named}"
    return " ".join(rf"\usepackage{{{what}}}" for what in lacking)


def _printer(*, is_trusted: bool) -> Callable[[str, SourceDocument], Printed]:
    """Return the printer of commands in documents, which runs each once for a folder and a format."""
    known: dict[tuple[str, str, str, int], Printed] = {}

    def printed(command: str, document: SourceDocument) -> Printed:
        folder = str(Path(os.path.realpath(document.path)).parent)
        key = (command, folder, document.kind.format, document.columns)
        if key not in known:
            try:
                # The paths of a document are seen from where it lies.
                with contextlib.chdir(folder), contextlib.nullcontext() if is_trusted else within("."):
                    known[key] = _printed(command, document, is_trusted=is_trusted)
            except SymparamsError as error:
                raise DocumentError(in_options(error)) from None
            except OSError as error:
                raise DocumentError(f"Cannot read {quoted(error.filename or folder)}: {error.strerror}.") from None
        return known[key]

    return printed


def _printed(line: str, document: SourceDocument, *, is_trusted: bool) -> Printed:
    """Return the output of a line in a document: of a command, or of a session of commands."""
    if not SESSION.match(line):
        return _answered(line, document.kind.format, document.columns, is_trusted=is_trusted)
    session = [(command, _answered(command, "", 1, is_trusted=is_trusted).text) for command in SESSION.split(line)[1:]]
    return Printed("".join(f"$ symparams {command}\n{text}" for command, text in session), CONSOLE)


def _answered(command: str, own: str, columns: int, *, is_trusted: bool) -> Printed:
    """Return the answer of a command: as on a screen, unless the document has a format of its own, and columns."""
    name, given = _parsed(command)
    if not is_trusted:
        refuse_strangers(_targets(name, given))
    for paged in every():
        if given.get(paged) and (paged not in (*names(), *DRAWN, CSV) or not find(paged).is_text):
            raise OptionError(
                f"A block holds text, and --{paged} makes a file: leave it out, or write the file with a command of its own."
            )

    def printed(chosen: Mapping[str, Any]) -> str:
        return _told(command, as_request(name, chosen)).text

    if (
        own
        and may_draw(COMMANDS[name])
        and (drawn := picture(given, own, COMMANDS[name].usual_for(given), printed)) is not None
    ):
        return drawn
    is_chosen = not own or any(given.get(wanted) for wanted in every())
    if not is_chosen and own in COMMANDS[name].formats:
        given[own] = True
    has_pages = any(option.name == "standalone" for option in COMMANDS[name].signature)
    is_part = own == "latex" and given.get(own) and has_pages
    if is_part and given.setdefault("standalone", False):
        raise OptionError("A block is a part of its document: leave out --standalone.")
    # With an output named, a text is no wider in a wide terminal.
    request = as_request(name, given | {"output": STANDARD_INPUT})
    if is_part and columns > 1:
        request = replace(request, layout={"columns": columns, **request.layout})
    has_headings = any(option.name == "language" for option in COMMANDS[name].signature)  # so it prints sentences
    if own == "markdown" == request.format and has_headings and "only" not in request.layout:
        request = replace(request, layout={"heading_level": BELOW_A_TITLE, **request.layout})
    answer = _told(command, request)
    is_number = request.format == TEXT and answer.text.strip().isdecimal()
    text = f"{int(answer.text):,}" if is_number and not is_chosen else answer.text
    return Printed(text, request.format, is_number)


def _told(command: str, request: Request) -> CommandResult:
    """The answer to a request; what there is to note of it is told."""
    answer = COMMANDS[request.command].load(request)(request)
    for note in filter(None, (*request.notes, answer.note)):
        tell(f"symparams: {quoted(command)}: {note}")
    return answer


def _parsed(command: str) -> tuple[str, Given]:
    """The command and its options; OptionError for what is not a command line, and for a command that blocks do not take."""
    from symparams.cli.parser import parse

    try:
        words = shlex.split(command)
    except ValueError as error:
        raise OptionError(f"{quoted(command)} is not a command line: {error}.") from None
    if not words or words[0] not in PRINTED or words[0] not in COMMANDS:
        known = ", ".join(name for name in PRINTED if name in COMMANDS)
        raise OptionError(
            f"A block prints one of {known}, not {quoted(words[0] if words else '')}: begin its command with one."
        )
    parsed = parse(words)
    if isinstance(parsed, str):
        raise OptionError("A block cannot print the help: leave out --help.")
    if "output" in parsed.given and not may_draw(COMMANDS[parsed.command]):
        raise OptionError("The output of this command goes into the block: leave out -o.")
    return parsed.command, dict(parsed.given)


def refuse_strangers(targets: Iterable[str]) -> None:
    """OptionError for a target that runs a file, asks the hub, waits for standard input or names a path outside of the folder.

    Nothing is looked at yet: on Windows a look at //HOST/SHARE sends that host who is asking. Links are followed, and
    refused where they lead outside, when a file is read.
    """
    for target in targets:
        is_outside = PurePosixPath(target).is_absolute() or PureWindowsPath(target).anchor or ".." in re.split(r"[/\\]", target)
        if target == STANDARD_INPUT or is_outside or is_of_hub(target) or ".py" in target.lower():
            raise OptionError(f"{quoted(target)} is not read from inside a document: add --trust if you trust its author.")


def _targets(name: str, given: Mapping[str, Any]) -> Iterable[str]:
    for option in COMMANDS[name].signature:
        if (not option.flags or option.is_place) and option.name in given:
            yield from given[option.name] if option.many else (given[option.name],)
