"""What an option or an argument of the command line is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

TEXT = "text"
ROOT: Mapping[str, str] = {
    "--version": "Print the version.",
    "--show-completion": "Print the script that makes bash, zsh or fish complete what you type; it says where to put it.",
    "--help": "Show this message.",
}


@dataclass(frozen=True)
class Option:
    """An option, or an argument where it has no flags; ``name`` is the word for it in a request.

    ``flags`` of a switch may end with the one that turns it off. ``noun`` is what an unknown value is called; ``choices``
    are all values that there are, ``completions`` what a shell offers where they are not all; {choices} in ``help`` names them.
    """

    name: str
    flags: tuple[str, ...]
    help: str
    metavar: str = ""
    noun: str = ""
    choices: Callable[[], Iterable[str]] | None = None
    completions: Callable[[Mapping[str, Any], str], Iterable[str]] | None = None
    default: str = ""
    many: bool = False
    is_switch: bool = False
    is_required: bool = False
    is_layout: bool = False

    @property
    def explanation(self) -> str:
        """The text of the help, in which {choices} stands for all values."""
        if "{choices}" not in self.help:
            return self.help
        *others, last = self.choices() if self.choices else self.completions({}, "") if self.completions else ()
        return self.help.format(choices=f"{', '.join(others)} or {last}")

    def spelled(self, value: object = None) -> str:
        """The flag that was written for a value: --fragment where --standalone is off; an argument's metavar."""
        if not self.flags:
            return self.metavar
        return self.flags[-1] if value is False else next(flag for flag in self.flags if flag.startswith("--"))


Bundle = tuple[Option, ...]
