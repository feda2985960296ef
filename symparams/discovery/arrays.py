"""The arrays of a component beside those of the modules that it was made of: as many of each shape, with the same features."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from symparams.components import Component
from symparams.components.laws import Binding, values_of
from symparams.components.walks import leaves
from symparams.discovery.parts import Part
from symparams.expressions.closed_form import Relations, closed_form, multiply_out
from symparams.expressions.nodes import Expression
from symparams.expressions.written import ONE, replaced, times, total
from symparams.features import Feature


def has_the_arrays(component: Component, modules: Iterable[Part]) -> bool:
    """True if a component has just the arrays of these modules."""
    relations = {letter: value for part in _within(component) for letter, value in values_of(part.laws, Binding.ALWAYS).items()}
    of_modules = [row for module in modules for row in _in(module)]
    return _counted(_of(component), relations) == _counted(of_modules, relations)


def _within(component: Component) -> Iterator[Component]:
    yield component
    for _, inner in component.body:
        yield from _within(inner)


Row = tuple[Any, ...]  # the sides of an array, its features, whether it is trained and shared, how often it is there


def _of(component: Component) -> Iterator[Row]:
    for leaf in leaves(component):
        around = [feature for _, ancestor in leaf.ancestors for feature in ancestor.when]
        for tensor in leaf.component.tensors:
            when = (*around, *leaf.component.when, *tensor.when)
            yield tensor.shape, when, tensor.trained, bool(tensor.tied_to), leaf.times


def _in(part: Part, copies: Expression = ONE, when: tuple[Feature, ...] = ()) -> Iterator[Row]:
    here, features = times(copies, part.times), (*when, *part.when)
    for rule in part.arrays:
        yield rule.shape, (*features, *rule.when), rule.trained, bool(rule.shares), here
    for inner in part.parts:
        yield from _in(inner, here, features)


def _counted(rows: Iterable[Row], relations: Relations) -> dict[tuple[Any, ...], Any]:
    """How many arrays there are of each shape, whatever the order of its sides."""
    several: dict[tuple[Any, ...], list[Expression]] = {}
    for shape, when, trained, tied, copies in rows:
        sides = sorted(repr(closed_form(replaced(side, relations), {})) for side in shape if side != ONE)
        key = (tuple(sides), frozenset(map(str, when)), trained, tied)
        several.setdefault(key, []).append(copies)
    return {key: multiply_out(total(copies), {}) for key, copies in several.items()}
