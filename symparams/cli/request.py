"""Requests: a command line, read and checked in one place, so that a command only has to answer it."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import sys
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path, PurePath
from typing import Any

from symparams.cli.commands import COMMANDS, Command
from symparams.cli.options import TEXT, Option, as_flag
from symparams.errors import OptionError, UnknownNameError, quoted, suggestion
from symparams.formats import DRAWN, OF_THE_DOCUMENT, every, find
from symparams.formats import endings as endings_of
from symparams.formats.options import IN_CHARACTERS, OPTIONS, WIDTH, unused
from symparams.records import frozen

# What cannot stand beside what, and why. {0} and {1} are the two as they were given.
EXCLUSIONS: Mapping[tuple[str, str], str] = {
    ("target", "expression"): "Give a target or --expr, not both: leave out {0} or --expr.",
    ("include", "expression"): "A bare formula has no features: leave out --with and --without.",
    ("exclude", "expression"): "A bare formula has no features: leave out --with and --without.",
    ("architecture", "expression"): "A bare formula has no architecture: leave out --architecture beside --expr.",
    ("view", "expression"): "A bare formula has no parts to group: leave out --view beside --expr.",
    ("attention", "expression"): "A bare formula has no attention: leave out --attention beside --expr.",
    ("brief", "expression"): "A bare formula has no parts: leave out --brief beside --expr.",
    ("form", "expression"): "A bare formula has no blocks: leave out --form beside --expr.",
    ("shared", "expression"): "A bare formula has no shared tensors: leave out --shared beside --expr.",
    ("strict", "expression"): "A bare formula is not read from a config: leave out --strict beside --expr.",
    ("no_check", "expression"): "A bare formula is not read from a config: leave out --no-check beside --expr.",
    ("offline", "expression"): "A bare formula is not read from the hub: leave out --offline beside --expr.",
    ("symbolic", "expression"): "A bare formula has no values to leave out: leave out --symbolic beside --expr.",
    ("called", "expression"): "A bare formula has no name: leave out --name beside --expr.",
    ("only", "brief"): "A brief is one page: leave out --only {0} or --brief.",
    ("only", "figure"): "A single section has no figure: leave out --only {0} or --figure.",
    ("brief", "figure"): "A brief is one page: leave out --brief or --figure.",
    ("expression", "figure"): "A bare formula has no parts to draw: leave out --figure beside --expr.",
    ("quantity", "figure"): "A figure shows parameters: leave out --figure or --quantity {0}.",
    ("only", "with_plot"): "A single section has no plot: leave out --only {0} or --with-plot.",
    ("brief", "with_plot"): "A brief is one page: leave out --brief or --with-plot.",
    ("expression", "with_plot"): "A bare formula has no parts to plot: leave out --with-plot beside --expr.",
    ("only", "with_title"): "A single section has no title: leave out --no-title beside --only.",
    ("claimed", "checkpoint"): "The number is that of the checkpoint: leave out {0} or --checkpoint {1}.",
    ("checkpoint", "module"): "Compare with a checkpoint or a module, not both: leave out --checkpoint {0} or --module {1}.",
    ("values", "symbolic"): "--symbolic leaves out all values, so --set {0} has no effect: leave out one of the two.",
}


DRAWING = "--draw"
NARROWEST, WIDEST = 40, 10_000
# What a target is not if a switch has no use for it, and what that switch is for.
IDLE: Mapping[str, tuple[str, str]] = {
    "offline": ("on the hub", "hf:OWNER/NAME"),
    "strict": ("a config", "a config.json"),
    "no_check": ("a config", "a config.json"),
}
OF_CONFIGS = ("strict", "no_check")
# What is written for NAME=VALUE: h:1024, and several at once, h=1024,L=12.
COLON, SEVERAL, AND_NAME = re.compile(r"\s*:\s*"), re.compile(r"\w+=[^,()]+(?:,\s*\w+=[^,()]+)+"), re.compile(r",\s*")
MEANT, LONGEST = re.compile(r"\w+=\S.*"), 80
COMMON = (
    *("target", "expression", "values", "include", "exclude", "architecture"),
    *("called", "output", "offline", "strict", "no_check"),
)


@frozen
class CommandResult:
    """The result of a command: its text or its pages, the exit code, and a note for whoever reads the screen.

    A ``report`` is printed where the text goes to a file, and otherwise beside it, on standard error.
    """

    text: str
    exit_code: int = 0
    note: str = ""
    pages: Sequence[bytes] = ()
    report: str = ""


@frozen
class Request:
    """One use of a command: the target or the formula, what is changed about it, and how it is to be answered.

    ``layout`` are choices about the page, by the names that ``render`` has for them; ``own`` are the command's other ones.
    Neither holds what nobody chose. ``is_on_screen`` is true of a drawing that goes to a terminal unless somebody says where;
    ``notes`` are lines for whoever reads the screen, in their order, each once.
    """

    command: str
    target: str | None = None
    expression: str | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    architecture: str = ""
    called: str | tuple[str, ...] = ""
    format: str = TEXT
    layout: Mapping[str, Any] = field(default_factory=dict)
    own: Mapping[str, Any] = field(default_factory=dict)
    output: str | None = None
    offline: bool = False
    is_on_screen: bool = False
    strict: bool = False
    no_check: bool = False
    notes: dict[str, None] = field(default_factory=dict)

    @property
    def is_about_a_model(self) -> bool:
        """True if somebody chose what is no fact of a file: a quantity, a size, a feature, a family, a name."""
        return any((self.own, self.values, self.include, self.exclude, self.called, self.architecture))

    @property
    def language(self) -> str:
        """The language of the answer; English where nobody chose."""
        return str(self.layout.get("language", "en"))


def read(name: str, given: Mapping[str, Any]) -> Request:
    """The request that a command's options make, by their names; OptionError and UnknownNameError say what is wrong."""
    command = COMMANDS[name]
    for option in command.signature:
        # A value that is not among the choices is an error, whether or not anything would use it.
        value = given.get(option.name)
        if value is not None and option.choices and value not in (known := list(option.choices())):
            from symparams.answers.synonyms import named
            from symparams.cli.parser import PROGRAM

            if (meant := named(option.noun, value)) not in known:
                raise UnknownNameError(
                    f"Unknown {option.noun} {quoted(value)}. {suggestion(value, known, listing=f'{PROGRAM} {name} --help')}"
                )
            given = {**given, option.name: meant}
    left_out = {name for name, value in given.items() if value is False and name in OPTIONS and OPTIONS[name].on_in}
    for (first, second), reason in EXCLUSIONS.items():
        if {first, second} <= given.keys() - left_out:
            raise OptionError(reason.format(_shown(given[first]), _shown(given[second])))
    chosen = _format(name, command, given)
    own, layout = {}, {}
    for option in command.signature:
        if option.name not in given or option.name in (*every(), *command.writes):
            continue
        if option.is_layout:
            _refuse_unused(option, given, name, command, chosen)
            layout[option.name] = _value(option, given[option.name], is_text=chosen in IN_CHARACTERS)
        else:
            own[option.name] = _value(option, given[option.name], is_text=chosen in IN_CHARACTERS)
    is_on_screen = chosen in DRAWN and not {chosen, "output"} & given.keys() and _is_terminal()
    has_page = any(option.name == "standalone" for option in command.signature)
    if is_on_screen or (chosen == TEXT and "output" not in given and has_page):
        layout = _of_the_terminal() | layout
    if any(option.name == "expression" for option in command.signature) and not own.keys() & {"target", "expression"}:
        raise OptionError("Name a target, such as gpt2 or a config.json; 'symparams list' prints all families and models.")
    _check_targets(own, [own[option.name] for option in command.signature if option.is_place and option.name in own])
    common = {key: own.pop(key) for key in COMMON if key in own}
    return Request(name, **common, format=chosen, layout=layout, own=own, is_on_screen=is_on_screen)


def _shown(value: Any) -> str:
    return quoted(value[0] if isinstance(value, tuple) else value)


def _check_targets(own: Mapping[str, Any], compared: Sequence[str]) -> None:
    """OptionError for an answer that would be written over what it reads, and for an option that no target has a use for.

    ``compared`` is what a target is compared with.
    """
    targets = own["targets"] if "targets" in own else [own["target"]] if own.get("target") else []
    if "output" in own:
        _keep_sources(own["output"], [*targets, *compared])
    for switch in (name for name in IDLE if name in own):
        _refuse_idle(switch, targets if switch in OF_CONFIGS else [*targets, *compared])


def _keep_sources(output: str, targets: Sequence[str]) -> None:
    """OptionError where an answer would be written over a file that it is read from, by whatever name or link."""
    from symparams.models.sources.target import file_of

    for target in targets:
        with contextlib.suppress(OSError, ValueError):  # what is not there is nobody's source
            source, written = file_of(target), Path(output).stat()
            read = os.fstat(source) if isinstance(source, int) else source.stat() if source else None
            if read and stat.S_ISREG(read.st_mode) and os.path.samestat(read, written):
                raise OptionError(f"-o {quoted(output)} would write over {quoted(target)}, which it reads: name another file.")


def _refuse_idle(name: str, targets: Sequence[str]) -> None:
    """OptionError for an option that none of the targets has a use for."""
    from symparams.models.sources.target import STANDARD_INPUT, is_config, is_of_hub

    def is_for(target: str) -> bool:
        return is_of_hub(target) or (name in OF_CONFIGS and (target == STANDARD_INPUT or is_config(target)))

    if not any(map(is_for, targets)):
        lack, place = IDLE[name]
        named = f"{quoted(targets[0])} is not" if targets else "No target is"
        raise OptionError(f"{named} {lack}: leave out {as_flag(name)}, which is for {place}.")


def _refuse_unused(option: Option, given: Mapping[str, Any], name: str, command: Command, chosen: str) -> None:
    flag, usual = option.spelled(given[option.name]), command.usual_for(given)
    if option.name == "language" and chosen in command.speechless:
        raise OptionError(f"{name} --{chosen} has no sentences: leave out {flag}.")
    options = OF_THE_DOCUMENT if chosen in command.writes else _options(usual, chosen)
    if option.name not in options:
        users = [f"--{other}" for other in sorted(command.formats) if option.name in _options(usual, other)]
        drawn = [f"{DRAWING} --{other}" for other in sorted(command.formats) if option.name in find(other).drawn]
        users = users or drawn
        raise unused(flag, f"--{chosen}", users)


def _options(usual: str, name: str) -> frozenset[str]:
    """The options of a format, which are others where a command draws whatever it answers."""
    answer_format = find(name)
    is_drawing = usual in DRAWN and answer_format.drawn
    return answer_format.drawn if is_drawing else answer_format.options | OF_THE_DOCUMENT


def _format(name: str, command: Command, given: Mapping[str, Any]) -> str:
    """The format that is named, or that the ending of the file stands for, or text; they may not contradict kind other."""
    word, formats = ("kind", ()) if command.writes_alone else ("format", command.formats_for(given))
    answers = (*formats, *command.writes)
    if other := next((kind for kind in command.formats if given.get(kind) and kind not in answers), ""):
        known = " or ".join(f"--{kind}" for kind in formats)
        raise OptionError(f"{DRAWING} makes a picture, not {other}: leave out {DRAWING} or --{other}, or choose {known}.")
    named = next(iter(chosen := [kind for kind in answers if given.get(kind)]), "")
    if len(chosen) > 1:
        raise OptionError(f"Only one format at a time: choose {' or '.join(f'--{kind}' for kind in chosen)}.")
    output = given.get("output", "")
    ending = PurePath(output).suffix.lower()
    kinds = every() if formats and output else []
    endings = {kind: endings_of(kind) for kind in kinds} | dict(command.writes)
    # .tex is TikZ's where the command has it and no LaTeX
    candidates = (named, *command.writes, *(kind for kind in endings if kind in formats), *endings)
    meant = next((kind for kind in candidates if ending in endings.get(kind, ())), "")
    if not named and ending and not meant:
        known = ", ".join(dict.fromkeys(ending for kind in endings if kind in answers for ending in endings[kind]))
        raise OptionError(f"No {word} ends in {quoted(ending)}, as {quoted(output)} does: end in {known}, or name the {word}.")
    if meant and meant not in answers:
        raise OptionError(
            f"{name} answers in {' and '.join(formats)}, not in {meant}, as {quoted(output)} asks: give it another ending."
        )
    if named and meant and meant != named:
        raise OptionError(f"--{named} contradicts {quoted(output)}, which asks for {meant}: change one of the two.")
    return named or meant or (command.usual_for(given) if formats else answers[0])


def _value(option: Option, value: Any, *, is_text: bool) -> Any:
    if option.name == "values":
        return _assignments(value, "--set", "h=1024")
    if option.name == "symbols":
        return _assignments(value, "--symbol", "h=d")
    if option.name == WIDTH and is_text:
        return whole_number("--width", value, (NARROWEST, WIDEST), "a width of a page")
    return int(value) if option.name in ("columns", "heading_level", "scale") else tuple(value) if option.many else value


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _of_the_terminal() -> dict[str, int]:
    """The width of the terminal that a text is written to; nothing where it goes elsewhere."""
    if not _is_terminal():
        return {}
    return {"width": min(max(shutil.get_terminal_size().columns, NARROWEST), WIDEST)}


def whole_number(flag: str, text: str, bounds: tuple[int, int], noun: str) -> int:
    """Return the number that an option was given; OptionError where it is not a whole number within the bounds."""
    least, most = bounds
    if not text.isdecimal() or len(text) > len(str(most)) or not least <= int(text) <= most:
        raise OptionError(f"{flag} {quoted(text)} is not {noun}: write one from {least} to {most:,}.")
    return int(text)


def _assignments(assignments: Sequence[str], option: str, example: str) -> dict[str, str]:
    named: dict[str, str] = {}
    for assignment in assignments:
        name, equals, value = assignment.partition("=")
        several = SEVERAL.fullmatch(assignment)
        if several or not equals or not name.strip():
            meant = f" {option} ".join(AND_NAME.split(assignment)) if several else COLON.sub("=", assignment, count=1)
            is_meant = MEANT.fullmatch(meant) and len(meant) <= LONGEST
            instead = meant if is_meant else example
            raise OptionError(f"{option} {quoted(assignment)} is not of the form NAME=VALUE: write {option} {instead}.")
        if name.strip() in named:
            raise OptionError(f"{quoted(name.strip())} is given twice: set it once.")
        named[name.strip()] = value
    return named
