"""Values: what a user gives for dimensions, read, completed by the relations, checked, or missing.

What a config says is not refused where the library builds it and no such model is meant to be: that is an oddity, and told.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Union

from symparams.architectures import Architecture
from symparams.components.checks import letters
from symparams.components.laws import Binding, Law, in_order
from symparams.components.tree import Component
from symparams.components.walks import Leaf, components
from symparams.errors import (
    DimensionError,
    ExpressionError,
    MissingDimensionError,
    OptionError,
    UnknownNameError,
    listed,
    quoted,
    suggestion,
)
from symparams.expressions.closed_form import Relations, multiply_out
from symparams.expressions.extent import MOST_DIGITS, measured
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.written import evaluate
from symparams.records import frozen

if TYPE_CHECKING:
    from symparams.models.model import Model

Value = Union[int, str, Expression]


def by_dimension(
    architecture: Architecture, values: Mapping[Any, Any], keys: Mapping[str, Dimension]
) -> dict[Dimension, Value]:
    """Values by letters, by their names, or by config keys, the family's own ``keys`` first, as values by dimension."""
    if not values:
        return {}
    from symparams.expressions.notation import BY_KEY

    named: dict[Dimension, Value] = {}
    own = {dimension.name: dimension for dimension in architecture.dimensions}
    for name, value in values.items():
        spelled = name.name if isinstance(name, Dimension) else str(name)
        dimension = own.get(spelled) or keys.get(spelled) or BY_KEY.get(spelled)
        if dimension is None or dimension.name not in own:
            others = {key: letter for key, letter in (*BY_KEY.items(), *keys.items()) if letter.name in own}
            known = suggestion(spelled, own, others)
            raise UnknownNameError(f"{architecture.title} has no dimension {quoted(spelled)}. {known}")
        if dimension in named:
            raise OptionError(f"{dimension.name} is given twice, once as {quoted(spelled)}: give it once.")
        named[dimension] = value
    return named


def read_values(
    given: Mapping[Dimension, Value], letters: Iterable[Dimension]
) -> tuple[dict[Dimension, int], dict[Dimension, Expression]]:
    """Return the integers that are given, and the formulas in these letters; DimensionError for formulas in a circle."""
    if not given:
        return {}, {}
    from symparams.expressions.notation import BY_KEY

    names = {letter.name: letter for letter in letters}
    symbols = {key: dimension for key, dimension in BY_KEY.items() if dimension.name in names} | names
    read = {dimension: read_value(dimension, value, symbols) for dimension, value in given.items()}
    formulas = {dimension: value for dimension, value in read.items() if isinstance(value, Expression)}
    circle = formulas
    while any(ready := [d for d, value in circle.items() if not circle.keys() & {*value.dimensions}]):
        circle = {dimension: value for dimension, value in circle.items() if dimension not in ready}
    if circle:
        raise nothing_follows({d: [other for other in value.dimensions if other in circle] for d, value in circle.items()})
    return {dimension: value for dimension, value in read.items() if isinstance(value, int)}, formulas


def nothing_follows(needs: Mapping[Dimension, Iterable[Dimension]]) -> DimensionError:
    """Return the error for formulas that have no value, with what each needs."""
    names = listed(f"{dimension.name} needs {listed(other.name for other in others)}" for dimension, others in needs.items())
    return DimensionError(
        f"No value follows for {listed(dimension.name for dimension in needs)}: {names}. Give an integer for one of them."
    )


def bind(
    architecture: Architecture,
    values: Mapping[Dimension, int],
    relations: Relations,
    *,
    about: Collection[Dimension] | None = None,
) -> dict[Dimension, int]:
    """Return integers for the dimensions: these values, then what the relations make of them, all of it checked.

    ``about`` are the dimensions whose laws are checked, by default all: what the library builds of a config need not divide.
    """
    bound = dict(values)
    for dimension, identity in architecture.identities.items():
        check_identity(bound, dimension, identity)
    follow(bound, relations)
    for dimension, identity in architecture.identities.items():
        check_identity(bound, dimension, identity)
    _check_laws(bound, (law for law in architecture.laws if about is None or any(d in about for d in _letters(law))))
    return {dimension: bound[dimension] for dimension in architecture.dimensions if dimension in bound}


def check_sizes(tree: Component, values: Mapping[Dimension, int], *, least: int = 1) -> None:
    """DimensionError where the values make a side of a tensor less than ``least`` or no whole number, or copies less than 0."""
    for path, component in components(tree):
        for size, fewest in ((component.times, 0), *((side, least) for tensor in component.tensors for side in tensor.sides)):
            if isinstance(size, Dimension) or not size.dimensions or any(d not in values for d in size.dimensions):
                continue
            if to_integer(size, values) < fewest:
                given = ", ".join(f"{d.name} = {values[d]}" for d in size.dimensions)
                raise DimensionError(f"{path}: {size!r} is less than {fewest} for {given}: choose other values.")


def check_sums(laws: Iterable[Law], tree: Component, values: Mapping[Dimension, int]) -> None:
    """DimensionError where two sums that are one number differ; nothing is asked where the tree has not all of their parts."""
    for law in laws:
        if law.binding is Binding.EQUALS and (values.keys() & set(letters(tree))).issuperset(_letters(law)):
            subject, value = to_integer(law.subject, values), to_integer(law.value, values)
            if subject != value:
                raise DimensionError(
                    f"{_valued(law.subject, subject)} is not {_valued(law.value, value)}: choose values that agree."
                )


def check_ties(leaves: Mapping[str, Leaf], relations: Relations) -> None:
    """DimensionError where values break the relation by which two tied matrices are equal."""
    for path, leaf in leaves.items():
        for tensor in leaf.component.tensors:
            if not tensor.tied_to:
                continue
            owner = leaves[tensor.tied_to].component.shared_as(tensor.name)
            if owner.count != tensor.count and multiply_out(owner.count - tensor.count, relations):
                shapes = f"{path}, {tensor.count!r}, is tied to {tensor.tied_to}, {owner.count!r}"
                raise DimensionError(f"{shapes}, which these values make another size: exclude tying, or choose others.")


def read_value(dimension: Dimension, value: Any, symbols: Mapping[str, Dimension]) -> int | Expression:
    """A dimension's value as it is given: a positive integer, or an expression in other dimensions, plain sympy too."""
    what = f"{dimension.name} = {quoted(value, 30)}"
    is_sympy = "sympy" in sys.modules and isinstance(value, sys.modules["sympy"].Basic)
    try:
        if isinstance(value, str):
            from symparams.expressions.parsing import parse

            value = parse(value, symbols, is_size=True)
        elif isinstance(value, (Expression, Fraction)) or is_sympy:
            value = measured(value)
    except ExpressionError as error:
        raise DimensionError(f"{what} is not a positive integer or an expression such as 4*h. {error}") from None
    if isinstance(value, Expression):
        return value if value.dimensions else positive(dimension, to_integer(value, {}, dimension), what)
    if isinstance(value, bool):
        raise DimensionError(f"{what} must be a positive integer.")
    try:
        return positive(dimension, operator.index(value), what)
    except TypeError:
        raise DimensionError(f"{what} must be a positive integer, not a {type(value).__name__}.") from None


def to_integer(expression: Expression, values: Mapping[Dimension, int], dimension: Dimension | None = None) -> int:
    """The exact value; DimensionError where a division leaves a remainder."""
    try:
        return evaluate(expression, values)
    except ArithmeticError:
        formula = f"{dimension.name} = {expression!r}" if dimension else repr(expression)
        given = ", ".join(f"{d.name} = {values[d]}" for d in expression.dimensions)
        raise DimensionError(
            f"{formula} is not an integer{f' for {given}' if given else ''}: choose values that divide."
        ) from None


def follow(bound: dict[Dimension, int], relations: Mapping[Dimension, Expression]) -> None:
    """Values by the relations, which come in an order in which each finds what it needs."""
    for dimension, value in relations.items():
        if dimension not in bound and all(other in bound for other in value.dimensions):
            size = to_integer(value, bound, dimension)
            if not 0 < size < 10**MOST_DIGITS:  # before the formula is printed for nothing
                positive(dimension, size, f"{dimension.name} = {value!r} = {size}")
            bound[dimension] = size


def combined(known: Relations, own: Relations, name: str) -> Relations:
    """Return a family's relations and those that somebody gave, each after what it needs.

    What is given replaces the family's relation for the same dimension, and those with which it would go round in a circle:
    of d_head = h/n_heads and a given h = n_heads·d_head, the latter.
    """
    if not own:
        return known
    both = {**known, **own}
    return in_order({d: value for d, value in both.items() if d in own or d not in _behind(d, both)}, name)


def _behind(dimension: Dimension, relations: Relations) -> set[Dimension]:
    """Return every dimension on which the value of a dimension depends."""
    behind: set[Dimension] = set()
    pending = [dimension]
    while pending:
        value = relations.get(pending.pop())
        others = {*value.dimensions} - behind if value else set()
        behind |= others
        pending += others
    return behind


def agreeing(known: Relations, values: Mapping[Dimension, int], broken: Collection[Dimension]) -> Relations:
    """The relations whose dimension has no value, or one that agrees, and that are not ``broken`` already."""
    return {d: value for d, value in known.items() if d not in broken and _agrees(d, value, values)}


def _agrees(dimension: Dimension, value: Expression, values: Mapping[Dimension, int]) -> bool:
    if dimension not in values:
        return True
    if any(d not in values for d in value.dimensions):
        return False
    try:
        return evaluate(value, values) == values[dimension]
    except ArithmeticError:  # h / n_heads leaves a remainder, and no whole d_head is that
        return False


def check_identity(bound: Mapping[Dimension, int], dimension: Dimension, value: Expression) -> None:
    """Raise DimensionError if a dimension has another value than what it always is: d_head = h / n_heads."""
    if dimension in bound and all(other in bound for other in value.dimensions):
        expected = to_integer(value, bound, dimension)
        if bound[dimension] != expected:
            raise DimensionError(
                f"{dimension.name} = {bound[dimension]} contradicts {dimension.name} = {value!r} = {expected}: leave it out."
            )


def is_broken(law: Law, bound: Mapping[Dimension, int]) -> bool:
    """True if values break a law on what divides, or is no more than, another size."""
    if law.binding not in (Binding.AT_MOST, Binding.DIVIDES) or any(d not in bound for d in _letters(law)):
        return False
    try:
        subject, value = evaluate(law.subject, bound), evaluate(law.value, bound)
    except ArithmeticError:
        return True
    return subject > value if law.binding is Binding.AT_MOST else value % subject != 0


def _letters(law: Law) -> tuple[Dimension, ...]:
    return (*law.subject.dimensions, *law.value.dimensions)


def _check_laws(bound: Mapping[Dimension, int], laws: Iterable[Law]) -> None:
    for law in laws:
        if not is_broken(law, bound):
            continue
        subject, value = to_integer(law.subject, bound), to_integer(law.value, bound)
        if law.binding is Binding.AT_MOST:
            raise DimensionError(
                f"{_valued(law.subject, subject)} is more than {_valued(law.value, value)}: choose a smaller one."
            )
        to_integer(law.value / law.subject, bound)


def _valued(expression: Expression, value: int) -> str:
    return f"{expression!r} = {value}" if expression.dimensions else str(value)


def positive(dimension: Dimension, value: int, what: str) -> int:
    """The value of a size; DimensionError where it is not positive, or has more digits than are read."""
    if value <= 0:
        raise DimensionError(f"{what} must be a positive integer: {dimension.name} counts something.")
    if value >= 10**MOST_DIGITS:
        raise DimensionError(f"{what} has more than {MOST_DIGITS} digits, which no model has.")
    return value


SENTENCES: Mapping[str, str] = {
    "none": "{subject!r} = 0 in the config, and this is counted as the library builds it",
    "divides": "{subject!r} = {size} does not divide {other!r} = {of}: the library builds this model, and it cannot be run",
    "at_most": "{subject!r} = {size} is more than {other!r} = {of}: the library builds this model, and it cannot be run",
}


@frozen
class Oddity:
    """An oddity: there is none of something, or a size does not divide another, or is more than it."""

    kind: str
    subject: Expression
    size: int = 0
    other: Expression | None = None
    of: int = 0

    def __str__(self) -> str:
        return SENTENCES[self.kind].format(**vars(self))


def oddities(architecture: Architecture, values: Mapping[Dimension, int]) -> Iterator[Oddity]:
    """Yield the oddities of a model's values; none if the values were checked."""
    for dimension, value in values.items():
        if value == 0 and dimension in architecture.dimensions:  # no input, and no layers that have a window
            yield Oddity("none", dimension)
    for law in architecture.laws:
        if is_broken(law, values):
            sizes = evaluate(law.subject, values), evaluate(law.value, values)
            yield Oddity(law.binding.name.lower(), law.subject, sizes[0], law.value, sizes[1])


def needed(model: Model, dimensions: Iterable[Dimension]) -> list[Dimension]:
    """Return the dimensions that have to be given: instead of one that follows from a relation, those that it follows from."""
    to_give: dict[Dimension, None] = {}
    for dimension in dimensions:
        if dimension not in model.values:
            follows = dimension in model.relations
            to_give |= dict.fromkeys(needed(model, model.relations[dimension].dimensions) if follows else [dimension])
    return list(to_give)


def missing(model: Model, expression: Expression) -> MissingDimensionError:
    """The error for an expression that cannot be worked out: all that the count needs, not only what was met first."""
    tensors = [(leaf.path, tensor) for leaf in reversed(model.leaves) for tensor in leaf.component.tensors]
    uses = {d.name: leaf.path for leaf in reversed(model.leaves) for d in leaf.times.dimensions}
    uses |= {d.name: path for path, tensor in tensors for side in tensor.sides for d in side.dimensions}
    unbound = needed(model, (*model.unbound, *expression.dimensions))
    names, known = [d.name for d in unbound], model.architecture.models
    if known and not model.values:
        family = f"{model.name} is a family, so its sizes have no values"
        return MissingDimensionError(family, names, instead=f"name a model, such as {next(iter(known))}, or ")
    named = [f"{d.name} (used in {uses.get(d.name, 'the formula')})" for d in unbound]
    other = ", or name a published model" if known else ""
    return MissingDimensionError(f"{model.name} has no value for {listed(named)}", names, other)
