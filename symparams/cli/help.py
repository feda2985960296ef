"""The help of a command: its options in groups, and examples."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from symparams.cli.options import Option
from symparams.cli.quantities import option_of
from symparams.formats import every
from symparams.quantities.setting import CHOICES

OPTIONS, COUNTED, FORMAT, LOOK = GROUPS = "Options", "How a quantity is counted", "Format", "Language and layout"


def group_of(option: Option, *, has_quantities: bool) -> str:
    """Return the group in which an option stands in the help of a command, which may have quantities."""
    if option.is_layout:
        return LOOK
    if option.is_switch and option.name in every():
        return FORMAT
    return COUNTED if has_quantities and option.name in _choices() and not option.choices else OPTIONS


@cache
def examples() -> dict[str, list[str]]:
    """Return lines to paste, by command; those of the program by its own name."""
    return tomllib.loads(Path(__file__).with_name("examples.toml").read_text(encoding="utf-8"))


@cache
def _choices() -> frozenset[str]:
    return frozenset(map(option_of, CHOICES))
