"""Completion: the words that may end an unfinished line, from the table that parses it.

A script makes bash, zsh or fish ask: it sets ``_SYMPARAMS_COMPLETE=complete_SHELL`` and hands the line up to the cursor over in
``COMP_LINE``; the answer is written in the way that each reads. Where nothing is offered, the shell completes files.

typer could ask for it, but its scripts set a space behind max_pos= and behind a folder, and split --lang=z in bash; an
option whose value is not written yet makes it forget the target, on which the features depend; and it takes 60 ms.

bash takes = and : for ends of words: its script takes away what stands before them, which is on its line already.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from symparams.cli.commands import COMMANDS
from symparams.cli.options import ROOT, Bundle, Option
from symparams.errors import OptionError, quoted, suggestion

Offers = list[tuple[str, str]]

SHELLS = ("bash", "zsh", "fish")


def script(shell: str) -> str:
    """The script that makes a shell complete; OptionError lists the shells that there are scripts for."""
    if shell not in SHELLS:
        raise OptionError(f"No completion for the shell {quoted(shell)}. {suggestion(shell, SHELLS)}")
    return Path(__file__).with_suffix(f".{shell}").read_text(encoding="utf-8")


def answer(instruction: str) -> str:
    """Return what is offered to a shell that asks by an instruction such as complete_bash, a line for each word."""
    shell = instruction.removeprefix("complete_")
    if shell == instruction or shell not in SHELLS:
        raise OptionError(
            f"{quoted(instruction)} is not an instruction to complete: write complete_bash, complete_zsh or complete_fish."
        )
    *words, incomplete = _words(os.environ.get("COMP_LINE", ""))
    offered = offers(words[1:], incomplete)
    # fish shows what stands after a tab as the explanation.
    return "".join(f"{value}\t{text}\n" if text and shell == "fish" else f"{value}\n" for value, text in offered)


def _words(line: str) -> list[str]:
    """Return the words of a line, the last of them incomplete and perhaps empty."""
    lexer = shlex.shlex(line, posix=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    words: list[str] = []
    try:
        words.extend(lexer)
    except ValueError:  # a quotation that is still open
        return [*words, lexer.token]
    return [*words, ""] if not line or line[-1].isspace() else words


def offers(words: Sequence[str], incomplete: str) -> Offers:
    """Return each word that may take the place of the incomplete one, with its explanation; [] where the shell offers files."""
    if not words:
        return _begun([*((name, command.summary) for name, command in COMMANDS.items()), *ROOT.items()], incomplete)
    if words == ["--show-completion"]:
        return _begun([(shell, "") for shell in SHELLS], incomplete)
    return _of_command(COMMANDS[words[0]].signature, words[1:], incomplete) if words[0] in COMMANDS else []


def _of_command(signature: Bundle, words: Sequence[str], incomplete: str) -> Offers:
    by_flag = {flag: option for option in signature for flag in option.flags}
    arguments = [option for option in signature if not option.flags]
    given: dict[str, Any] = {}
    wanting = None  # the option whose value comes next
    for word in words:
        flag, equals, value = word.partition("=")
        if wanting:
            given[wanting.name], wanting = word, None
        elif option := by_flag.get(flag):
            given[option.name] = value if equals else True
            wanting = None if equals or option.is_switch else option
        elif arguments and (not word.startswith("-") or word == "-"):
            given[arguments[0].name] = word
            arguments = arguments if arguments[0].many else arguments[1:]
    if wanting:
        return _values(wanting, given, incomplete)
    flag, equals, value = incomplete.partition("=")
    if incomplete.startswith("-") and equals:
        option = by_flag.get(flag)
        return [(f"{flag}={name}", text) for name, text in _values(option, given, value)] if option else []
    if arguments and not incomplete.startswith("-"):
        return _values(arguments[0], given, incomplete)
    free = (option for option in signature if option.many or option.name not in given)
    flags = ((flag, option) for option in free for flag in option.flags if flag.startswith("--"))
    unused = [(flag, option.explanation) for flag, option in flags if flag.startswith(incomplete)]
    return unused + _begun([("--help", ROOT["--help"])], incomplete)


def _values(option: Option, given: Mapping[str, Any], incomplete: str) -> Offers:
    values = option.completions(given, incomplete) if option.completions else option.choices() if option.choices else ()
    return _begun([(value, "") for value in values], incomplete)


def _begun(words: Offers, incomplete: str) -> Offers:
    return [(word, text) for word, text in words if word.startswith(incomplete)]
