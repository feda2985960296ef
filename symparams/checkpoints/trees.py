"""The arrays of a tree, as a checkpoint of it would hold them: under the library's names where they are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from symparams.atlas import entries, kind_of
from symparams.atlas.configs import sizes_of
from symparams.checkpoints.record import Shape
from symparams.components.copies import MANY, starred
from symparams.components.facts import Rows
from symparams.components.kinds import Role
from symparams.components.walks import components, enumerate_copies
from symparams.discovery.agreement import shapes_by
from symparams.discovery.parts import Part
from symparams.errors import OptionError
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.written import Values, evaluate
from symparams.models.model import Model
from symparams.models.tensors import outputs_first, stored, tied
from symparams.records import frozen


@frozen
class TreeArray:
    """An array of a tree: its name, its shape, the path of its part, its sides in letters, and how often it is there.

    ``number`` is not 1 where its name has * for the numbers of copies, and which of them have it is not known. ``owner`` is the
    path of the part whose array it is, "" if it is its own. ``is_matrix`` tells what may stand on its side from tables.
    """

    name: str
    shape: Shape
    path: str
    sides: tuple[Expression, ...] = ()
    number: int = 1
    owner: str = ""
    is_matrix: bool = False
    trained: bool = True


def arrays_of(model: Model) -> list[TreeArray]:
    """Return every stored array of a model, and those that are tied to another.

    The names are those of the transformers library, or of the tree where they are not known: outputs are the first side of a
    matrix in both. Raises MissingDimensionError for a model without values.
    """
    model.count(frozen=True)  # which says what has no value
    if (discovered := _of_discovered(model)) is not None:
        return discovered
    try:
        named = [(array, "") for array in stored(model)] + [(array, array.tensor.tied_to) for array in tied(model)]
    except OptionError:
        return list(_of_tree(model))
    shapes = {sides: tuple(map(model.evaluate, sides)) for sides in {array.sides for array, _ in named}}
    matrices = {leaf.path for leaf in model.leaves if leaf.component.role is Role.MATRIX}
    return [
        TreeArray(
            array.name, shapes[array.sides], array.path, array.sides, 1, owner, array.path in matrices, array.tensor.trained
        )
        for array, owner in named
    ]


def words_of(model: Model) -> dict[Expression, int]:
    """Return the numbers of words of a model, in letters, with their values: the rows of its tables of tokens."""
    tables = (part for _, part in components(model.tree) if part.rows is Rows.TOKENS)
    return {rows: model.evaluate(rows) for rows in (table.tensors[0].shape[0] for table in tables if table.tensors)}


def _of_discovered(model: Model) -> list[TreeArray] | None:
    """The arrays of a config of a discovered type, by the names of its class; None for any other model."""
    entry = entries(kind_of(model.architecture.name) or "").get(model.origin.class_name)
    if entry is None or model.origin.config is None or model.architecture.certificate is None:
        return None
    numbers, present = sizes_of(entry, model.origin.config)
    sizes = {**numbers} | {letter.name: value for letter, value in model.values.items() if letter.name in numbers}
    present = frozenset(present - model.architecture.features.keys() | model.present)
    values = {Dimension(name): value for name, value in sizes.items()}
    try:
        arrays = list(_of_part(entry.part, values, present, "", 1))
    except ArithmeticError:  # of sizes that cannot be, or of a part that only some of the copies around it have
        arrays = []
    is_told = all(array.number == 1 or MANY in array.name for array in arrays)
    if is_told and len({array.name for array in arrays}) == len(arrays) > 0:
        return arrays
    shapes: Mapping[tuple[str, Shape, str, bool], int] = shapes_by(entry.part, sizes, present) or {}
    return [
        TreeArray(name, shape, name, (), number, shares, trained=trained)
        for (name, shape, shares, trained), number in shapes.items()
    ]


def _of_part(part: Part, values: Values, present: frozenset[str], path: str, number: int) -> Iterator[TreeArray]:
    """The arrays of a part: each copy by itself, or where kinds take turns all of a kind together, with * for their numbers."""
    for rule in part.arrays:
        if all(feature.holds(present) for feature in rule.when):
            name, shape = f"{path}{rule.name}", tuple(evaluate(side, values) for side in rule.shape)
            yield TreeArray(name, shape, starred(name), rule.shape, number, starred(rule.shares), trained=rule.trained)
    present_parts = [inner for inner in part.parts if all(feature.holds(present) for feature in inner.when)]
    copies = [(inner, evaluate(inner.times, values)) for inner in present_parts]
    kinds = sum(1 for inner, times in copies if inner.name == MANY and times)
    for inner, times in copies:
        if inner.name == MANY and kinds == 1 and MANY not in path:
            for copy in range(number * times):  # the list of layers may be there as often as there are layers
                yield from _of_part(inner, values, present, f"{path}{copy}.", 1)
        elif times:
            below = f"{path}{inner.name}." if inner.name else path
            yield from _of_part(inner, values, present, below, number * times)


def _of_tree(model: Model) -> Iterator[TreeArray]:
    """The arrays of a model by the names of its tree."""
    for name, path, part in enumerate_copies(model.tree, model.values):
        is_matrix = part.role is Role.MATRIX
        for tensor in part.tensors:
            sides = outputs_first(part, tensor)
            shape = tuple(map(model.evaluate, sides))
            yield TreeArray(f"{name}.{tensor.name}", shape, path, sides, 1, tensor.tied_to, is_matrix, tensor.trained)
