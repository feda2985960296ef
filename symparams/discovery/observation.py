"""Observations: the arrays that a model has at some sizes, by module, from torch or from a mapping of names to shapes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any

from symparams.errors import DefinitionError, quoted
from symparams.records import frozen

Build = Callable[..., Any]


@frozen
class Array:
    """An array of a module: its shape, the name of the array that it shares, "" if it is its own, and whether it is trained."""

    shape: tuple[int, ...]
    shares: str = ""
    trained: bool = True


@dataclass
class Module:
    """A module as it was seen: the name of its class, its own arrays and the modules in it, in their order."""

    of: str = ""
    arrays: dict[str, Array] = field(default_factory=dict)
    modules: dict[str, Module] = field(default_factory=dict)

    @cached_property
    def holds(self) -> bool:
        """True if there is an array anywhere in it."""
        return bool(self.arrays) or any(module.holds for module in self.modules.values())

    def named(self, prefix: str = "") -> Iterator[tuple[str, Array]]:
        """Every array with its name, "decoder.0.attention.query.weight"."""
        for name, array in self.arrays.items():
            yield f"{prefix}{name}", array
        for name, module in self.modules.items():
            yield from module.named(f"{prefix}{name}.")

    def classes(self, prefix: str = "") -> Iterator[tuple[str, str]]:
        """The class of every module that holds an array, by name."""
        for name, module in self.modules.items():
            if module.holds:
                yield f"{prefix}{name}", module.of
                yield from module.classes(f"{prefix}{name}.")

    def count(self, *, frozen: bool = False) -> int:
        """The number of trained parameters, with those that are not trained if ``frozen``; a shared array counts once."""
        return sum(prod(array.shape) for _, array in self.named() if not array.shares and (frozen or array.trained))


def observe(build: Build, sizes: Mapping[str, int]) -> Module:
    """Build a model at some sizes, on torch's meta device if it is one of torch, and return what it is made of.

    Raises whatever ``build`` raises; DefinitionError if it returns neither a module nor a mapping.
    """
    torch: Any = sys.modules.get("torch")
    with torch.device("meta") if torch is not None else nullcontext():
        built = build(**sizes)
    if hasattr(built, "named_parameters"):
        return _of_torch(built, {}, "")
    if isinstance(built, Mapping):
        return _of_mapping(built)
    raise DefinitionError(
        f"discover: build returned {quoted(type(built).__name__)}: return a torch.nn.Module, or a mapping of names to shapes, "
        '{"embedding.weight": (V, h)}.'
    )


def _of_torch(module: Any, seen: dict[int, str], path: str) -> Module:
    """What a module of torch is made of; an array that was seen before is shared."""
    arrays: dict[str, Array] = {}
    for name, parameter in module.named_parameters(recurse=False, remove_duplicate=False):
        shares = seen.setdefault(id(parameter), f"{path}{name}")
        shared = shares if shares != f"{path}{name}" else ""
        arrays[name] = Array(tuple(parameter.shape), shared, bool(parameter.requires_grad))
    return Module(
        type(module).__name__,
        arrays,
        {name: _of_torch(child, seen, f"{path}{name}.") for name, child in module._modules.items() if child is not None},
    )


def _of_mapping(shapes: Mapping[Any, Any]) -> Module:
    """What a mapping of names describes: a shape, or the name of the array that is shared."""
    whole = Module()
    for name, given in shapes.items():
        shared = given if isinstance(given, str) else ""
        shape = shapes.get(shared) if shared else given
        if not isinstance(name, str) or not isinstance(shape, (tuple, list)) or not all(map(_is_side, shape)):
            raise DefinitionError(
                f"discover: {quoted(name)} has the shape {quoted(given, 30)}: write whole numbers from 1, (V, h), "
                "or the name of the array that it shares."
            )
        *path, last = name.split(".")
        at = whole
        for segment in path:
            at = at.modules.setdefault(segment, Module())
        at.arrays[last] = Array(tuple(map(int, shape)), shared)
    return whole


def _is_side(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0
