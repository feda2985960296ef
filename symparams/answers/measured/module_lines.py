"""Terms beside the library's modules: which of our terms a module computes, so that both can be compared line by line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from symparams.models.costing import Costing
from symparams.models.model import Model
from symparams.models.tensors import patterns
from symparams.quantities.term import Term

NUMBER = re.compile(r"(?<=\.)(\d+|\{[ij]\})(?=\.|$)")
LAYER = "*"


@dataclass(frozen=True)
class Line:
    """The modules that compute the same terms, and these; no modules where the library's name is not known."""

    modules: frozenset[str]
    terms: tuple[Term, ...]

    @property
    def name(self) -> str:
        """The modules as one writes them on a line: model.layers.*.self_attn.k_proj, v_proj."""
        first, *others = sorted(self.modules)
        around = first.rpartition(".")[0]
        return ", ".join([first, *(each.removeprefix(f"{around}.") for each in others)])


def lines(costing: Costing) -> list[Line]:
    """The terms of a costing by the modules that compute them, in the order of the tree."""
    found: list[Line] = []
    named = _modules(costing.model)
    for term in costing.terms:
        modules = _of(term.path, named)
        alike = [line for line in found if line.modules & modules or line.modules == modules]
        joined = Line(frozenset().union(modules, *(line.modules for line in alike)), _terms(alike, term))
        place = found.index(alike[0]) if alike else len(found)
        found = [line for line in found if line not in alike]
        found.insert(place, joined)
    return found


def _terms(alike: Iterable[Line], term: Term) -> tuple[Term, ...]:
    return (*(each for line in alike for each in line.terms), term)


def shared_out(found: Sequence[Line], counts: Mapping[str, int]) -> tuple[list[int], int]:
    """What the library counts for each line, and what is in no module of theirs: of each module by itself."""
    of_line: Counter[int] = Counter()
    elsewhere = 0
    for module, number in counts.items():
        place = _place(found, NUMBER.sub(LAYER, module))
        if place is None:
            elsewhere += number
        else:
            of_line[place] += number
    return [of_line[place] for place in range(len(found))], elsewhere


def _place(found: Sequence[Line], module: str) -> int | None:
    """The line of a module, or of the innermost module around it that has one."""
    while module:
        for place, line in enumerate(found):
            if module in line.modules:
                return place
        module = module.rpartition(".")[0]
    return None


def _modules(model: Model) -> dict[str, set[str]]:
    """The library's modules of each leaf layer, by its path; {} where the names are not known."""
    if model.library is None or not model.library.names.modules:
        return {}
    found: dict[str, set[str]] = {}
    for named in patterns(model):
        if module := NUMBER.sub(LAYER, named.name.rpartition(".")[0]):
            found.setdefault(named.path, set()).add(module)
    return found


def _of(path: str, named: Mapping[str, set[str]]) -> frozenset[str]:
    """The modules of a leaf layer; of a part that has several, the module around them."""
    if path in named:
        return frozenset(named[path])
    inside = [module for inner, modules in named.items() if inner.startswith(f"{path}.") for module in modules]
    around = _around(inside) if inside else path.rpartition(".")[2]  # a head that shares its matrix is called as it is here
    return frozenset([around] if around else [])


def _around(modules: Sequence[str]) -> str:
    """The innermost module that holds all of these, or is one of them and holds the others; that around a single one."""
    parts = [module.split(".") for module in modules]
    common = []
    for names in zip(*parts, strict=False):
        if len(set(names)) > 1:
            break
        common.append(names[0])
    return ".".join(common if len(set(modules)) > 1 else common[:-1])
