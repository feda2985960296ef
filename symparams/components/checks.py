"""Checks of a tree, which must have a count: made once, when an architecture is built; each error is one line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from symparams.components.kinds import Role
from symparams.components.tree import Component, Tensor
from symparams.components.walks import components, leaves
from symparams.errors import DefinitionError, NotAnExpressionError, quoted, suggestion
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.extent import Measure, measure
from symparams.expressions.nodes import Dimension, Expression, Product, Quotient, factors_of, is_name
from symparams.expressions.symbols import (
    INPUTS,
    W_left,
    W_right,
    chunk,
    n_frames,
    n_image_patches,
    n_image_tokens,
    n_index_keys,
)
from symparams.expressions.written import ZERO, exact

# Letters of the flow that a config chooses: no tensor speaks of them, and no model takes a value for them.
CHOSEN_SIZES = frozenset({chunk, n_frames, n_image_patches, n_image_tokens, n_index_keys, W_left, W_right})
DEEPEST = 50  # levels of a tree; the field's have eight


def check_depth(tree: Component, name: str) -> None:
    """DefinitionError where a tree is nested too deeply to be walked, found without a call a level."""
    pending = [(tree, 0)]
    while pending:
        component, depth = pending.pop()
        if depth > DEEPEST:
            raise DefinitionError(f"{name}: the tree is nested deeper than {DEEPEST} levels: write it flatter.")
        pending += [(child, depth + 1) for _, child in component.body]


def check(tree: Component, relations: Mapping[Dimension, Expression], name: str) -> None:
    """DefinitionError where a size is not a positive whole number, a name is none, a tie cannot be, a letter is two letters,
    or a count would be larger than any that is worked out.
    """
    try:
        _check_letters(tree)
        for path, component in components(tree):
            _check_component(path or name, component)
        _check_extent(tree, relations)
        _check_ties(tree, relations)
    except DefinitionError as error:
        raise DefinitionError(f"{name}: {error}") from None


def letters(tree: Component) -> Iterator[Dimension]:
    """Every letter that a tree speaks of, as often as it does, with what only its flow speaks of."""
    for _, component in components(tree):
        yield from component.times.dimensions
        yield from component.applied.dimensions if component.applied else ()
        for tensor in component.tensors:
            for side in tensor.sides:
                yield from side.dimensions
        if component.heads:
            yield from component.heads.number.dimensions
        for size in _facts(component):
            yield from (letter for letter in size.dimensions if letter not in CHOSEN_SIZES)
        for fact in (component.tokens, component.reads_data):
            if isinstance(fact, Expression):  # in tokens, which are inputs
                yield from (letter for letter in fact.dimensions if letter not in {*INPUTS, *CHOSEN_SIZES})


def _facts(component: Component) -> Iterator[Expression]:
    """The sizes of the model that a component's flow speaks of, none of which is an input."""
    if attending := component.attending:
        sizes = (attending.heads.number, attending.kv_heads.number, attending.window, attending.distances)
        yield from (size for size in sizes if size is not None)
        if attending.indexer:
            yield from (attending.indexer.heads.number, attending.indexer.heads.width, attending.indexer.keys)
    if component.state_space and component.state_space.chunk is not None:
        yield component.state_space.chunk


def _check_letters(tree: Component) -> None:
    set_as: dict[str, str] = {}
    for letter in letters(tree):
        if set_as.setdefault(letter.name, letter.latex) != letter.latex:
            raise DefinitionError(
                f"two letters are called {letter.name}, printed as {set_as[letter.name]} and as {letter.latex}: rename one."
            )


def _check_component(path: str, component: Component) -> None:
    for name, _ in component.children:
        if not all(map(is_name, name.split("."))):
            raise DefinitionError(f"{quoted(name)} is not the name of a part: write letters, digits and _.")
    if component.tensors and component.body:
        raise DefinitionError(f"{path} has both tensors and parts: move the tensors into a part of their own.")
    if component.tensors and (component.role is Role.BLOCK or component.role.is_flow):
        raise DefinitionError(f"{path} is a block with tensors of its own: give its kind another role, Role.OTHER.")
    _check_number(component.times, path, "is repeated {} times")
    for tensor in component.tensors:
        for side in tensor.sides:
            _check_number(side, path, "has a side of {}")


def _check_number(size: Expression, path: str, what: str) -> None:
    """DefinitionError unless a size has a closed form, and is a whole number from 1 where it has no letters."""
    if _divides_badly(size):
        raise DefinitionError(f"{path} {what.format(repr(size))}, which divides by zero or by a sum.")
    factors = factors_of(size)
    if size.dimensions and ZERO not in factors:
        return
    value = 0 if ZERO in factors else exact(size, {})
    if value < 1 or (isinstance(value, Fraction) and value.denominator != 1):
        raise DefinitionError(f"{path} {what.format(repr(size))}: write a whole number from 1, or an expression in letters.")


def _divides_badly(size: Expression) -> bool:
    """True if a size divides by what is always 0 or by a sum of letters, so that it has no closed form."""
    if any(map(_divides_badly, size.operands)):
        return True
    return isinstance(size, Quotient) and len(multiply_out(size.denominator, {}).terms) != 1


def _check_extent(tree: Component, relations: Mapping[Dimension, Expression]) -> None:
    meanings: dict[Dimension, Measure] = {}
    try:
        for dimension, value in relations.items():
            meanings[dimension] = measure(value, meanings)
            try:
                multiply_out(value, {})
            except ZeroDivisionError:
                raise DefinitionError(f"{dimension.name} = {value!r} divides by zero.") from None
            except NotAnExpressionError:  # a relation may divide by a sum, which a value makes a number
                continue
        for leaf in leaves(tree):
            for tensor in leaf.component.tensors:
                measure(Product((leaf.times, tensor.count)), meanings)
    except NotAnExpressionError as error:
        raise DefinitionError(str(error)) from None


def _check_ties(tree: Component, relations: Mapping[Dimension, Expression]) -> None:
    by_path: dict[str, list[Component]] = {}
    for path, component in components(tree):
        by_path.setdefault(path, []).append(component)
    for path, alike in by_path.items():
        for tensor in (tensor for component in alike for tensor in component.tensors if tensor.tied_to):
            _check_tie(path, tensor, by_path, relations)


def _check_tie(
    path: str, tensor: Tensor, by_path: Mapping[str, list[Component]], relations: Mapping[Dimension, Expression]
) -> None:
    seen, pending = {path}, [tensor.tied_to]
    while pending:
        owner = pending.pop()
        if owner in seen:
            raise DefinitionError(
                f"{path} is tied in a circle, to {tensor.tied_to}: tie it to a part with a tensor of its own."
            )
        seen.add(owner)
        for leaf in _owners(path, owner, by_path):
            shared = leaf.shared_as(tensor.name)
            if multiply_out(shared.count, relations) != multiply_out(tensor.count, relations):
                raise DefinitionError(
                    f"{path}, {tensor.count!r}, is tied to {owner}, {shared.count!r}: only tensors of equal size can be tied."
                )
            pending += [shared.tied_to] if shared.tied_to and shared.tied_to not in pending else []


def _owners(path: str, owner: str, by_path: Mapping[str, list[Component]]) -> list[Component]:
    """Return the leaf layers at the path of an owner: one, or one in each arm of a gate."""
    owners = by_path.get(owner, []) if owner else []
    if not owners:
        known = [other for other in by_path if other]
        raise DefinitionError(f"{path} is tied to {quoted(owner)}, which does not exist. {suggestion(owner, known)}")
    if any(component.body or not component.tensors or component.role is Role.ABSENT for component in owners):
        raise DefinitionError(f"{path} is tied to {owner}, which has no tensor of its own: tie it to a part with a tensor.")
    return owners
