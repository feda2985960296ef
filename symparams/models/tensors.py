"""The tensors of a model one by one: under the names of its tree, or under those that the transformers library gives them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from functools import cached_property
from typing import Any

from symparams.components.feed_forward import EXPERTS
from symparams.components.flow import is_layer
from symparams.components.kinds import Role, Use
from symparams.components.linear import CONVOLUTION
from symparams.components.tree import Component, Tensor
from symparams.components.walks import enumerate_tensors
from symparams.errors import OptionError, TableError, quoted, suggestion
from symparams.expressions.nodes import Expression
from symparams.expressions.written import times
from symparams.models.library import Library, Quirk, Settings
from symparams.models.library.record import BESIDE, Module, Modules, find
from symparams.models.model import HF, WAYS_OF_NAMING, Model
from symparams.records import frozen

NUMBER = re.compile(r"\{[ij]\}")


@frozen
class NamedTensor:
    """A tensor of the leaf layer at ``path`` under the library's name, with its sides as the library stores them."""

    path: str
    tensor: Tensor
    sides: tuple[Expression, ...]
    name: str


def tensors(model: Model, names: str, *, frozen: bool) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Every trained array with its shape, or every stored one; OptionError for names that there are not."""
    if names not in WAYS_OF_NAMING:
        raise OptionError(f"Unknown names {quoted(names)}. {suggestion(names, WAYS_OF_NAMING)}")
    model.count(frozen=True)  # which says what has no value
    if names == HF:
        for named in _naming(model, counts_copies=True).named():
            if frozen or named.tensor.trained:
                yield named.name, tuple(model.evaluate(side) for side in named.sides)
    else:
        for name, tensor, shape in enumerate_tensors(model.tree, model.values):
            if (frozen or tensor.trained) and not tensor.tied_to:
                yield name, shape


def patterns(model: Model) -> list[NamedTensor]:
    """Every tensor of the tree, in its order, under the library's name, {i} for the number of its layer.

    OptionError where the names are not known.
    """
    return [named for _, named in _naming(model, counts_copies=False).walk(model.tree)]


def stored(model: Model) -> list[NamedTensor]:
    """Every stored array under the library's name, in its order; OptionError where the names are not known."""
    return _naming(model, counts_copies=True).named()


def tied(model: Model) -> list[NamedTensor]:
    """Every array that is another's, under the name that the library has for it; OptionError as above."""
    naming = replace(_naming(model, counts_copies=True), is_tied=True)
    return [named for _, named in naming.walk(model.tree)]


def _naming(model: Model, *, counts_copies: bool) -> _Naming:
    library = model.library
    if library is None or not library.names.modules:
        raise OptionError(f"The tensor names of {model.architecture.title} in the transformers library are not known.")
    class_name = library.class_of(model.present, model.origin.class_name)
    suffix = library.suffix(class_name)
    names = library.names
    prefix = names.prefixes.get(suffix, "" if class_name == library.base else names.prefix)
    return _Naming(model, library, names.modules_of(suffix, model.present), prefix, counts_copies)


@frozen
class _Naming:
    """A walk over a tree that names what it meets; ``counts_copies`` names each copy, otherwise {i} stands for its number.

    It meets the arrays that are their own, or those that are another's if ``is_tied``.
    """

    model: Model
    library: Library
    modules: Modules
    prefix: str
    counts_copies: bool
    is_tied: bool = False
    counted: Counter[str] = field(default_factory=Counter)

    @cached_property
    def order(self) -> dict[str, int]:
        """The rank of each row in the library's order."""
        return {path: rank for rank, path in enumerate(self.modules)}

    def named(self) -> list[NamedTensor]:
        """Every tensor of the model, in the order in which the library registers its own."""
        modules: dict[str, Any] = {}
        for rank, named in self.walk(self.model.tree):
            *outer, last = named.name.split(".")
            inside = modules
            for module in outer:
                inside = inside.setdefault(module, {})
            if last in inside:
                raise self._error(named.path, f"has the name of another, {named.name},")
            inside[last] = rank, named
        base = {self.prefix: modules.pop(self.prefix)} if self.library.names.heads_first and self.prefix else {}
        return [*_registered(modules)[1], *_registered(base)[1]]

    def walk(self, tree: Component) -> Iterator[tuple[int, NamedTensor]]:
        """The tensors in the order of the tree, each with the rank of its row in the table."""
        return self._walk(tree, "", self.prefix)

    def _walk(self, component: Component, path: str, module: str, layer: int = 0) -> Iterator[tuple[int, NamedTensor]]:
        for name, child in component.children:
            here = _joined(path, name)
            for copy, inside in enumerate(self._copies(here, child, module, layer)):
                for tensor in child.tensors:
                    if bool(tensor.tied_to) is self.is_tied:
                        row, called = self._tensor(here, tensor, copy, module, inside)
                        yield self.order[row], NamedTensor(here, tensor, self._sides(here, child, tensor), called)
                yield from self._walk(child, here, inside, copy if is_layer(child) else layer)

    def _copies(self, path: str, component: Component, module: str, layer: int) -> list[str]:
        """The module of each copy of a component, in the layer of this number of its stack."""
        row = find(self.modules, path)
        number = self.model.evaluate(component.times) if self.counts_copies else None
        if row is None:
            return self._unnamed(path, component, module, number)
        called = row[1]
        names = [_joined(self.prefix if called.apart else module, name) for name in called.names]
        if called.apart:
            names = names if number is None else self._apart(path, called, names, layer)
        elif len(names) == 1 and NUMBER.search(called.names[0]):
            names = names if number is None else list(self._numbered(path, called, module, number))
        if number is not None and len(names) != number:
            raise self._error(path, f"has {len(names)} names, and there are {number} of it")
        return names

    def _unnamed(self, path: str, component: Component, module: str, number: int | None) -> list[str]:
        """Names of a component that the table omits: none without arrays, or those of arrays that its parent holds."""
        own = [self._own(path, tensor) for tensor in component.tensors]
        if component.body or None in own:
            raise self._error(path, "has no name")
        most = max((len(row[1].names) for row in own if row), default=0)
        return [module] * (most if number is None else number)

    def _own(self, path: str, tensor: Tensor) -> tuple[str, Module] | None:
        """The row of a tensor that is not called as it is here: PATH.weight."""
        row = find(self.modules, f"{path}.{tensor.name}")
        return row if row and "." in row[0] else None

    def _tensor(self, path: str, tensor: Tensor, copy: int, module: str, inside: str) -> tuple[str, str]:
        """The row that names a tensor, and its name."""
        if own := self._own(path, tensor):
            return own[0], _joined(module, own[1].names[copy])
        row = find(self.modules, path)
        return row[0] if row else "", _joined(inside, tensor.name)

    def _numbered(self, path: str, called: Module, module: str, number: int) -> Iterator[str]:
        """The names of copies; those of one pattern go on counting where the part before them stopped."""
        name = called.names[0]
        pattern = _joined(module, name)
        start = self.counted[pattern]
        self.counted[pattern] += number
        places: Iterable[tuple[int, ...]] = ((start + copy,) for copy in range(number))
        if called.at and (len(NUMBER.findall(name)) > 1 or number < self._siblings(path, name)):
            places = self._places(path, called.at, number)
        yield from (_joined(module, _filled(name, place)) for place in places)

    def _apart(self, path: str, called: Module, names: list[str], layer: int) -> list[str]:
        """The names of a part that is not in the module of its layer, with the numbers that this layer has in them."""
        assert called.at is not None
        stack = self.model.leaf(path).layers
        place = self._places(path, called.at, self.model.evaluate(stack))[layer]
        return [_filled(name, place) for name in names]

    def _siblings(self, path: str, name: str) -> int:
        """Return the number of copies under one pattern, in this part and in those beside it."""
        parent = self.model.tree
        for part in path.split(".")[:-1]:
            parent = parent.child(part)
        above = path.rpartition(".")[0]
        rows = ((child, find(self.modules, _joined(above, part))) for part, child in parent.children)
        return sum(self.model.evaluate(child.times) for child, row in rows if row and row[1].names == (name,))

    def _places(self, path: str, at: Quirk, number: int) -> list[tuple[int, ...]]:
        numbers = at(Settings(self.model.origin.config or {}), self.library)
        places = [place if isinstance(place, tuple) else (place,) for place in numbers]
        if len(places) != number:
            raise OptionError(f"{self.model.name} does not say which layers have {path}: load it from its config.")
        return places

    def _sides(self, path: str, component: Component, tensor: Tensor) -> tuple[Expression, ...]:
        """The sides as the library stores them: those of a matrix are outputs and inputs, unless its table says otherwise."""
        shape, own = tensor.shape, self._own(path, tensor)
        if own and own[1].sides:
            return tuple(times(*(shape[number] for number in side)) for side in own[1].sides)
        is_inputs_first = self.library.names.is_inputs_first(path)
        return shape if is_inputs_first else outputs_first(component, tensor)

    def _error(self, path: str, what: str) -> TableError:
        return TableError(f"{self.model.family}.toml: {path} {what} under library.names.")


def outputs_first(component: Component, tensor: Tensor) -> tuple[Expression, ...]:
    """The sides of an array as torch stores them: of a matrix outputs × inputs."""
    shape = tensor.shape
    is_matrix = component.role is Role.MATRIX and component.kind != CONVOLUTION and tensor.use is Use.WEIGHT
    if not is_matrix or not (len(shape) == 2 or component.kind == EXPERTS):
        return shape
    return (*shape[:-2], shape[-1], shape[-2])


def _joined(module: str, name: str) -> str:
    if name.startswith(BESIDE):
        return name.removeprefix(BESIDE)
    return f"{module}.{name}" if module and name else module or name


def _filled(pattern: str, place: Iterable[int]) -> str:
    for index in place:
        pattern = NUMBER.sub(str(index), pattern, count=1)
    return pattern


def _registered(module: dict[str, Any]) -> tuple[int, list[NamedTensor]]:
    """The tensors of a module as torch walks it: its own, then those of each module in it; and the least of their ranks.

    Numbered modules follow one another, others are in the order of their rows.
    """
    own = sorted((ranked for ranked in module.values() if isinstance(ranked, tuple)), key=lambda ranked: ranked[0])
    inner = [(name, *_registered(inside)) for name, inside in module.items() if isinstance(inside, dict)]
    inner.sort(key=lambda ranked: int(ranked[0]) if ranked[0].isdecimal() else ranked[1])
    ranks = [rank for rank, _ in own] + [rank for _, rank, _ in inner]
    return min(ranks, default=0), [*(named for _, named in own), *(named for _, _, many in inner for named in many)]
