"""Completion: what may stand at the end of a line that is being written, from the same table that parses it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from symparams.cli.commands import COMMANDS
from symparams.cli.option import Bundle, Option

HELP = ("-h", "--help")
ROOT: Mapping[str, str] = {
    "--version": "Print the version.",
    "--show-completion": "Print the script for bash, zsh or fish.",
    "--help": "Show this message.",
}
Offers = list[tuple[str, str]]


@dataclass
class _Line:
    """The words after a command, as far as they are written: what is given, and the option that still wants its value."""

    given: dict[str, Any] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)
    arguments: int = 0
    wanting: Option | None = None


def offers(words: Sequence[str], incomplete: str) -> Offers:
    """Each word that may take the place of the incomplete one, with its explanation; [] leaves it to the shell's files."""
    if not words or words == ["--show-completion"]:
        return _begun(_of_root(words), incomplete)
    command = COMMANDS.get(words[0])
    if command is None:
        return []
    signature = command.signature
    line = _read(words[1:], signature)
    if line.wanting:
        return _begun(_values(line.wanting, line.given, incomplete), incomplete)
    if incomplete.startswith("-"):
        return _flags(signature, line, incomplete)
    arguments = [option for option in signature if not option.flags]
    if arguments and arguments[-1].many:
        line.arguments = min(line.arguments, len(arguments) - 1)
    if line.arguments >= len(arguments):
        return _begun(_unused(signature, line), incomplete)
    return _begun(_values(arguments[line.arguments], line.given, incomplete), incomplete)


def _of_root(words: Sequence[str]) -> Offers:
    if words:
        from symparams.cli.shells import SCRIPTS

        return [(shell, "") for shell in SCRIPTS]
    return [*((name, command.summary) for name, command in COMMANDS.items()), *ROOT.items()]


def _read(words: Iterable[str], signature: Bundle) -> _Line:
    line, by_flag = _Line(), {flag: option for option in signature for flag in option.flags}
    arguments = [option for option in signature if not option.flags]
    for word in words:
        flag, equals, value = word.partition("=")
        if line.wanting:
            line.given[line.wanting.name], line.wanting = word, None
        elif flag in by_flag:
            option = by_flag[flag]
            line.flags.add(option.name)
            line.given[option.name] = value if equals else True
            line.wanting = None if equals or option.is_switch else option
        elif not word.startswith("-") or word == "-":
            if line.arguments < len(arguments):
                line.given[arguments[line.arguments].name] = word
            line.arguments += 1
    return line


def _flags(signature: Bundle, line: _Line, incomplete: str) -> Offers:
    flag, equals, value = incomplete.partition("=")
    if not equals:
        return _begun(_unused(signature, line), incomplete)
    option = next((option for option in signature if flag in option.flags and not option.is_switch), None)
    found = _begun(_values(option, line.given, value), value) if option else []
    return [(f"{flag}={name}", text) for name, text in found]


def _unused(signature: Bundle, line: _Line) -> Offers:
    """The flags that may still be given."""
    free = [option for option in signature if option.flags and (option.many or option.name not in line.flags)]
    named = [(flag, option.explanation) for option in free for flag in option.flags if flag.startswith("--")]
    return [*named, ("--help", ROOT["--help"])]


def _values(option: Option, given: Mapping[str, Any], incomplete: str) -> Offers:
    if option.completions:
        return [(value, "") for value in option.completions(given, incomplete)]
    return [(value, "") for value in option.choices()] if option.choices else []


def _begun(found: Offers, incomplete: str) -> Offers:
    return [(value, text) for value, text in found if value.startswith(incomplete)]
