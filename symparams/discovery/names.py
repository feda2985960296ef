"""Names of modules, and what is proposed by them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from symparams.components import Component
from symparams.discovery.leaves import Matrix
from symparams.discovery.parts import Part
from symparams.records import frozen

Modules = Mapping[str, Part]  # without modules of their own, by the path from what holds them


@frozen
class Sublayer:
    """A recognised sublayer: its name, the component, and the paths of the modules that it is made of."""

    name: str
    component: Component
    used: frozenset[str]


@frozen
class Surroundings:
    """What is known around a module: the letters that a config gives, and whether its tokens see none that come later."""

    letters: frozenset[str] = frozenset()
    causal: bool = False


@cache
def names() -> Mapping[str, Any]:
    """Return the table of names."""
    return tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8"))


def all_of(*found: Matrix | None) -> list[Matrix] | None:
    """Return these matrices, if each is one."""
    present = [one for one in found if one is not None]
    return present if len(present) == len(found) else None


def first(modules: Modules, known: Iterable[str], prefix: str = "") -> str:
    """Return the path of the first of these names that is a module's; "" where none is."""
    return next((path for name in known if (path := f"{prefix}{name}") in modules), "")


def is_called(name: str, letter: str) -> bool:
    """True if a name is that of a letter, or of the same letter of one of several models: n_heads_text."""
    return name == letter or name.startswith(f"{letter}_")


def excludes(one: Component, other: Component) -> bool:
    """True if no model has both."""
    return any(~feature in other.when for feature in one.when)
