"""Completion: what may stand at the end of a line that is being written, from the same table that parses it.

typer could ask for it, but its scripts set a space behind max_pos= and behind a folder, and split --lang=z in bash; an
option whose value is not written yet makes it forget the target, on which the features depend; and it takes 60 ms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symparams.cli.commands import COMMANDS
from symparams.cli.options import ROOT, Bundle, Option

Offers = list[tuple[str, str]]


def offers(words: Sequence[str], incomplete: str) -> Offers:
    """Return each word that may take the place of the incomplete one, with its explanation; [] where the shell offers files."""
    if not words:
        return _begun([*((name, command.summary) for name, command in COMMANDS.items()), *ROOT.items()], incomplete)
    if words == ["--show-completion"]:
        from symparams.cli.shells import SCRIPTS

        return _begun([(shell, "") for shell in SCRIPTS], incomplete)
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
