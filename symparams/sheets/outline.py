"""The outline of a model: its tree with shapes and formulas, its dimensions, and its features."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from symparams.components import Component
from symparams.components.flow import formulas, layers
from symparams.expressions.notation import Letters
from symparams.expressions.written import ONE, ZERO, times
from symparams.models.model import TREE, Model
from symparams.models.tensors import NamedTensor, patterns
from symparams.quantities.parameters import PARAMETERS
from symparams.sheets.catalogue import USUAL_LANGUAGE, catalogue
from symparams.sheets.chosen import called
from symparams.sheets.dimensions import meaning
from symparams.sheets.discovered import certificate
from symparams.sheets.document import Block, Column, Document, Lines, Section, Table
from symparams.sheets.values import Branch, Code, Listed, Prose, Sentence, Value
from symparams.sheets.whole import is_users


def outline(model: Model, language: str = "en", names: str = TREE) -> Document:
    """Component, shapes and formula; each dimension with its value; each feature with + or -, whether the model has it.

    ``names="hf"`` puts the names and shapes of the transformers library in place of the shapes and formulas of the tree;
    OptionError where they are not known.
    """
    below = _rows(model.tree, ()) if names == TREE else _named_rows(model.tree, (), "", _by_path(model))
    rows: list[list[Value]] = [[Branch((), model.name), None, None], *below]
    columns = [Column(None), Column(None, moves=1), Column(None, is_words=True)]
    lines = (Lines(list(content(model))) for content in (_flow, _dimensions, _features, certificate))
    blocks: list[Block] = [Table("tree", columns, rows), *lines]
    kept = [block for block in blocks if not isinstance(block, Lines) or block.sentences]
    sections = [Section("outline", None, kept, Sentence("show.caption", {"model": called(model)}))]
    letters = Letters()  # the names, by which --set takes them
    return Document("tree", language, None, None, sections, letters=letters, subject=model, is_users=is_users(model))


def _rows(component: Component, above: tuple[bool, ...]) -> Iterator[list[Value]]:
    for i, (name, child) in enumerate(component.children):
        lasts = (*above, i == len(component.children) - 1)
        copies = child.times if child.times != ONE else None
        yield [Branch(lasts, name, copies), _shapes(child), None if child.children else _formula(child)]
        yield from _rows(child, lasts)


def _by_path(model: Model) -> Mapping[str, list[NamedTensor]]:
    named: dict[str, list[NamedTensor]] = {}
    for pattern in patterns(model):
        named.setdefault(pattern.path, []).append(pattern)
    return named


def _named_rows(
    component: Component, above: tuple[bool, ...], path: str, named: Mapping[str, list[NamedTensor]]
) -> Iterator[list[Value]]:
    """The tree with the library's shape and name of each tensor; a layer that has several has a branch for each."""
    for i, (name, child) in enumerate(component.children):
        lasts, here = (*above, i == len(component.children) - 1), f"{path}.{name}" if path else name
        branch = Branch(lasts, name, child.times if child.times != ONE else None)
        cells = [*_named(named.get(here, ())), *_shared(child)]
        if child.children or not child.tensors:
            yield [branch, None, None if child.children else _formula(child)]
        elif len(cells) == 1:
            yield [branch, *cells[0][1:]]
        else:
            yield [branch, None, None]
            for j, (tensor, *cell) in enumerate(cells):
                yield [Branch((*lasts, j == len(cells) - 1), tensor), *cell]
        yield from _named_rows(child, lasts, here, named)


def _named(tensors: Iterable[NamedTensor]) -> Iterator[tuple[str, Value, Value]]:
    for pattern in tensors:
        yield pattern.tensor.name, Sentence("show.shape", {"sides": Listed(pattern.sides, "show.joint")}), Code(pattern.name)


def _shared(leaf: Component) -> Iterator[tuple[str, Value, Value]]:
    """The matrices that are another's, which the library lists under the first of their names alone."""
    for tensor in leaf.tensors:
        if tensor.tied_to:
            yield tensor.name, None, Sentence("show.shares", {"owner": Code(tensor.tied_to)})


def _shapes(component: Component) -> Value:
    shapes = [Sentence("show.shape", {"sides": Listed(tensor.shape, "show.joint")}) for tensor in component.tensors]
    return Listed(tuple(shapes), "show.apart") if shapes else None


def _formula(leaf: Component) -> Value:
    if not leaf.tensors:
        return Sentence("show.nothing", {"count": ZERO, "kind": Code(leaf.kind.name)})
    owned = PARAMETERS.of(leaf)
    count = times(leaf.times, owned) if owned != ZERO else ZERO
    owners = [Sentence("show.shares", {"owner": Code(str(tensor.tied_to))}) for tensor in leaf.tensors if tensor.tied_to]
    return Listed((count, *owners), "show.joint") if owners else count


def _flow(model: Model) -> Iterator[Value]:
    for path, layer in layers(model.tree):
        for line in formulas(layer):
            yield Sentence("show.flow", {"layer": Code(path), "flow": Code(line)})


def _dimensions(model: Model) -> Iterator[Value]:
    for dimension in model.dimensions:
        value = model.values.get(dimension)
        terms: dict[str, Value] = {"name": Code(dimension.name), "meaning": meaning(dimension)}
        key = "show.bound" if value is not None else "show.unbound"
        yield Sentence(key, terms | {"value": value})


def _features(model: Model) -> Iterator[Value]:
    for name, is_default in {**model.architecture.features, **model.architecture.switches}.items():
        has = name in model.present
        known = f"features.{name}" in catalogue(USUAL_LANGUAGE).entries
        description: Value = Sentence(f"features.{name}") if known else Prose(name.replace("_", " "))
        terms: dict[str, Value] = {"feature": Code(name), "meaning": description}
        yield (
            Sentence("show.has" if has else "show.lacks", terms)
            if is_default == has
            else Sentence("show.added" if has else "show.left_out", terms)
        )
