"""Terms beside the library's modules: which of our terms a module computes, so that both are compared module by module."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from symparams.models.library.record import BESIDE, find
from symparams.models.model import Model
from symparams.models.tensors import patterns
from symparams.quantities.quantity import Term

NUMBER = re.compile(r"(?<=\.)(\d+|\{[ij]\})(?=\.|$)")
LAYER = "*"


@dataclass(frozen=True)
class ModuleGroup:
    """The modules that compute the same terms, and these; the numbers of layers in their names are stars."""

    modules: frozenset[str]
    terms: tuple[Term, ...]


def module_groups(model: Model, terms: Iterable[Term]) -> list[ModuleGroup]:
    """Terms by the modules that compute them."""
    groups: list[ModuleGroup] = []
    leaves = _leaves(model)
    for term in terms:
        modules, alike = _modules(term.path, leaves, model), [term]
        for group in [group for group in groups if group.modules & modules]:
            groups.remove(group)
            modules, alike = modules | group.modules, [*group.terms, *alike]
        groups.append(ModuleGroup(modules, tuple(alike)))
    return groups


def shared_out(groups: Sequence[ModuleGroup], counts: Mapping[str, int]) -> tuple[list[int], int]:
    """What the library counts for each group, and in modules of none; ``counts`` are of each module without those in it."""
    totals: Counter[int] = Counter()
    for module, number in counts.items():
        totals[_place(groups, NUMBER.sub(LAYER, module))] += number
    return [totals[place] for place in range(len(groups))], totals[-1]


def _place(groups: Sequence[ModuleGroup], module: str) -> int:
    """The group of a module, or of the innermost module around it that has one; -1 for none."""
    while module:
        for place, group in enumerate(groups):
            if module in group.modules:
                return place
        module = module.rpartition(".")[0]
    return -1


def _leaves(model: Model) -> dict[str, set[str]]:
    """The library's modules of each leaf layer, by its path."""
    leaves: dict[str, set[str]] = {}
    for named in patterns(model):
        if module := NUMBER.sub(LAYER, named.name.rpartition(".")[0]):
            leaves.setdefault(named.path, set()).add(module)
    return leaves


def _modules(path: str, leaves: Mapping[str, set[str]], model: Model) -> frozenset[str]:
    """The modules of a leaf layer; of a part that has several, the module around them; of a head that is tied, its own."""
    if path in leaves:
        return frozenset(leaves[path])
    inside = [module for inner, modules in leaves.items() if inner.startswith(f"{path}.") for module in modules]
    row = None if inside or model.library is None else find(model.library.names.modules, path)
    return frozenset([row[1].names[0].removeprefix(BESIDE) if row else _around(inside)])


def _around(modules: Sequence[str]) -> str:
    """The innermost module that holds all of these, or is one of them and holds the others; that around a single one."""
    names = [module.split(".") for module in set(modules)]
    if len(names) == 1:
        return ".".join(names[0][:-1])
    common = []
    for parts in zip(*names, strict=False):
        if len(set(parts)) > 1:
            break
        common.append(parts[0])
    return ".".join(common)
