"""Every error that a user can cause, each one line that says what, where, and what would be right."""

from __future__ import annotations

from collections.abc import Iterable

NAMES_AN_ERROR_LISTS = 12
ENOUGH_OF_A_NAME = 3


class SymparamsError(Exception):
    """The base of every error that a user can cause; its text is one line."""


class UnknownNameError(SymparamsError):
    """A name that is in no table: an architecture, a model, a dimension, a feature, a format."""


class DimensionError(SymparamsError):
    """A dimension whose value is not a positive integer, or contradicts another."""


class MissingDimensionError(SymparamsError):
    """A count was asked for while a dimension that it needs has no value."""


class ExpressionError(SymparamsError):
    """Text that is not an expression of numbers, known symbols, + - * / ** and parentheses."""


class NotAnExpressionError(ExpressionError, TypeError):
    """A value that stands where a size or a factor is due and is none: a float, a text, a feature."""


class DefinitionError(SymparamsError, ValueError):
    """An architecture that cannot be: a tie to nothing, a size below one, relations in a circle."""


class OutputError(SymparamsError):
    """A file that cannot be written."""


class ConfigError(SymparamsError):
    """A config.json that cannot be read, or a key of it that has no place in the family."""


class TableError(SymparamsError):
    """A table of a family, NAME.toml, with a key or a value that has no place in it."""


class OptionError(SymparamsError):
    """An option, or a combination of options, that makes no sense."""


def quoted(text: object, limit: int = 60) -> str:
    """The user's own text in quotes: on one line, shortened to ``limit`` characters."""
    try:
        shown = str(text)
    except ValueError:  # an integer of more digits than Python prints
        shown = f"a very long {type(text).__name__}"
    flat = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in shown[: limit + 1])
    return f"'{flat}'" if len(flat) <= limit else f"'{flat[:limit]}…'"


def suggestion(name: str, known: Iterable[str]) -> str:
    """``Did you mean 'bert'?`` where a known name is near, otherwise the first of the known names."""
    from difflib import get_close_matches

    names = list(dict.fromkeys(known))
    folded, wanted = {candidate.casefold(): candidate for candidate in names}, name[:100].casefold()
    longer = [candidate for candidate in folded if len(wanted) >= ENOUGH_OF_A_NAME and candidate.startswith(wanted)]
    near = longer[:3] or get_close_matches(wanted, folded, n=3, cutoff=0.6)
    if near:
        return "Did you mean " + " or ".join(f"'{folded[match]}'" for match in near) + "?"
    shown = ", ".join(names[:NAMES_AN_ERROR_LISTS]) + (", …" if len(names) > NAMES_AN_ERROR_LISTS else "")
    return f"Known: {shown}." if names else "There is none to choose from."
