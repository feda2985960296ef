"""Every error that a user can cause: one line that says what is wrong, where, and what to write instead."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

MOST_LISTED, FIRST_LISTED = 12, 5  # all names of a list this long, or else the first of them
ENOUGH_OF_A_NAME = 3
NUMBER_TYPE = "dtype"
MOST_SUGGESTED, CLOSE_NAMES = 3, 6
NEARLY = 0.12  # less alike than the best, a name is not what was meant
A_SLIP = 0.92  # this alike, a name is only misspelt
OF_PARTS = " of its parts: "
MARKS = ("-", "_", ".", " ", ":")


class SymparamsError(Exception):
    """The base of all errors that a user can cause; the text of each is one line."""


class UnknownNameError(SymparamsError):
    """An unknown name: of an architecture, a model, a dimension, a feature, a format."""


class DimensionError(SymparamsError):
    """A dimension whose value is not a positive integer, or contradicts another."""


class MissingDimensionError(SymparamsError):
    """A count needs dimensions, the ``names``, that have no values.

    Its text asks for them as Python writes them, h=…; ``asking`` writes it for the command line.
    """

    def __init__(self, lack: str, names: Iterable[str], other: str = "", *, instead: str = "") -> None:
        self.lack, self.names, self.other, self.instead = lack, tuple(names), other, instead
        super().__init__(self.asking("{name}=…", ", "))

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), instead=self.instead), (self.lack, self.names, self.other)

    def asking(self, wish: str, joint: str) -> str:
        """Return the text with another way to give a value, in which {name} is the dimension."""
        wishes = [_number_type(wish) if name == NUMBER_TYPE else wish.format(name=name) for name in self.names]
        return f"{self.lack}: {self.instead}give {listed(wishes, joint)}{self.other}."


def _number_type(wish: str) -> str:
    """The way to give a number type, where other values are given by this wish."""
    return "--dtype bf16" if wish.startswith("--") else "dtype='bf16'"


class ExpressionError(SymparamsError):
    """Text that is not an expression of numbers, known symbols, + - * / ** and parentheses."""


class NotAnExpressionError(ExpressionError, TypeError):
    """A value that is not a size or a factor: a float, a text, a feature."""


class DiscoveryError(SymparamsError):
    """A model that does not build at the sizes given, or for whose arrays no expression was found."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The text, and below it each part for which no expression was found on a line of its own."""
        head, of, parts = str(self).partition(OF_PARTS)
        return (f"{head}{OF_PARTS.removesuffix(': ')}:", *parts.removesuffix(".").split("; ")) if of else (str(self),)


class DefinitionError(SymparamsError, ValueError):
    """An invalid architecture: a tie to nothing, a size below one, circular relations."""


class OutputError(SymparamsError):
    """A file that cannot be written."""


class DocumentError(SymparamsError):
    """A document whose blocks cannot be updated: a marker without its counterpart, a wrong command."""


class ConfigError(SymparamsError):
    """A config.json that cannot be read, or that asks for something that the family does not have."""


class CheckpointError(SymparamsError):
    """A checkpoint that cannot be read: a damaged or hostile header, a pickle, a file that is missing."""


class TableError(SymparamsError):
    """A wrong key or value in the table of a family, NAME.toml."""


class OptionError(SymparamsError):
    """An invalid option, or a combination of options that makes no sense."""


class NotDerivedError(OptionError):
    """A number that is not derived for a model, such as what its layers save for the backward pass."""


def printable(text: str) -> str:
    """A text on one line, without what a terminal would obey or a reader could not see: controls, marks of direction."""
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() else " " if c.isspace() and not c.isascii() else "\N{REPLACEMENT CHARACTER}" for c in text
    )


def shown(value: object) -> str:
    """A value as a text, whatever it is: an integer of more digits than Python prints, a list nested a thousand times."""
    try:
        return str(value)
    except Exception as error:  # noqa: BLE001 - what a stranger's object does when it is printed is not a concern of ours
        return "a very long int" if isinstance(value, int) else f"{type(value).__name__} ({type(error).__name__} as a text)"


def quoted(text: object, limit: int = 60) -> str:
    """The user's own text in quotes: on one line, shortened to ``limit`` characters."""
    flat = printable(shown(text)[: limit + 1])
    return f"'{flat}'" if len(flat) <= limit else f"'{flat[:limit]}…'"


def read_switch(name: str, value: object) -> bool:
    """Return a switch as it was given; OptionError for a text, of which "false" would be true."""
    if isinstance(value, str):
        raise OptionError(f"{name} = {quoted(value)} is a text, not a switch: write {name}=True or {name}=False.")
    return bool(value)


def missing_folder(file: str) -> str:
    """That the folder in which a file would lie does not exist, of a link the one to which it leads; "" where it does."""
    real = os.path.dirname(os.path.realpath(file))  # noqa: PTH120
    folder = real if os.path.islink(file) else os.path.dirname(file)  # noqa: PTH114, PTH120 - which a Path would spell anew
    return "" if os.path.exists(real) else f"the folder {quoted(folder)} does not exist. Make it, or name another."  # noqa: PTH110


def listed(names: Iterable[str], joint: str = ", ") -> str:
    """The names one after another; of many the first, and how many more there are."""
    every = list(names)
    if len(every) <= MOST_LISTED:
        return joint.join(every)
    return f"{joint.join(every[:FIRST_LISTED])} and {len(every) - FIRST_LISTED:,} more"


def suggestion(name: str, known: Iterable[str], others: Iterable[str] = (), *, listing: str = "") -> str:
    """``Did you mean 'bert'?`` where a known name is near, or one of the ``others``; otherwise the first of the known names.

    ``listing`` is the command that lists all of them.
    """
    names = list(dict.fromkeys(known))
    near = _near(name[:100].casefold(), {candidate.casefold(): candidate for candidate in (*names, *others)})
    if near:
        return "Did you mean " + " or ".join(f"'{match}'" for match in near) + "?"
    more = f", which '{listing}' lists" if listing and len(names) > MOST_LISTED else ""
    return f"Known: {listed(names)}{more}." if names else "There is none to choose from."


def _near(wanted: str, names: Mapping[str, str]) -> list[str]:
    """The names that may be meant: the same but for its marks, those that it is a part of, what it begins with, or alike."""
    found = [name for name in names if _bare(name) == _bare(wanted)]
    if not found and len(wanted) >= ENOUGH_OF_A_NAME:
        found = sorted((name for name in names if wanted in name), key=lambda name: not name.startswith(wanted))
        found = found or [name for name in names if _bare(name).startswith(_bare(wanted) or name)]
    begun = [name for name in names if name.startswith(wanted)] if len(wanted) > 1 else []
    return [names[name] for name in (found or (begun if len(begun) == 1 else _alike(wanted, names)))[:MOST_SUGGESTED]]


def _alike(wanted: str, names: Iterable[str]) -> list[str]:
    """The longest name with which it begins and the close ones of that kind, or else the close ones."""
    from difflib import SequenceMatcher, get_close_matches

    close = get_close_matches(wanted, list(names), n=CLOSE_NAMES, cutoff=0.6)
    ratios = {name: SequenceMatcher(None, name, wanted).ratio() for name in close}
    close = [name for name in close if ratios[name] > max(ratios.values()) - NEARLY]
    starts = [name for name in names if wanted.startswith(name) and wanted[len(name) :][:1] in MARKS]
    if starts and not get_close_matches(wanted, close, n=1, cutoff=A_SLIP):
        start = max(starts, key=len)
        return [start, *(name for name in close if name.startswith(start) and name != start)]
    return [name for name in close if not any(name.startswith(f"{other}-") for other in close)]


def _bare(name: str) -> str:
    return "".join(character for character in name if character.isalnum())
