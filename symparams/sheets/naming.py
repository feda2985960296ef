"""Naming: two results of one sheet with the same name and not the same closed form are told apart by the shortest word."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from symparams.derivations.steps import Step, StepKind
from symparams.expressions.marks import Named
from symparams.expressions.nodes import Expression
from symparams.models.stacks import of_both
from symparams.sheets.values import Name

Names = Mapping[str, Mapping[Expression, Name]]


@dataclass(frozen=True)
class Placed:
    """A step that is referred to by name, and the parts of the tree in which it stands, outermost first."""

    step: Step
    within: tuple[str, ...]


def told_apart(sections: Sequence[Step], in_words: Callable[[Name], str]) -> Names:
    """Return the names of results that share one; ``in_words`` gives a name in the document's language."""
    met: dict[str, list[Placed]] = {}
    for named in _named(sections):
        met.setdefault(in_words(Name(_singular(str(named.step.name)))), []).append(named)
    names: dict[str, dict[Expression, Name]] = {}
    for together in met.values():
        if any(_are_two(named, other) for named in together for other in together):
            for named in together:
                names.setdefault(str(named.step.name), {})[named.step.written] = _told(named, together, met.keys(), in_words)
    return names


def _are_two(named: Placed, other: Placed) -> bool:
    """True if two steps are not one result: by their closed forms, or as two formulas within one layer."""
    if named.step.written == other.step.written:
        return False
    return named.step.closed != other.step.closed or named.within[:1] == other.within[:1] != ()


def _singular(name: str) -> str:
    """The name of one norm for that of several: the norm of the embeddings and those of a layer are two of a kind."""
    return name.removesuffix("s") if name.endswith("_norms") else name


def _told(named: Placed, together: Sequence[Placed], taken: Container[str], in_words: Callable[[Name], str]) -> Name:
    """The name of a step, told from others of its name; where that is the name of what it stands in, as its layers.

    A block that holds a part of its own name is that name's whole, and the part has the name.
    """
    name = str(named.step.name)
    if name in named.within:
        return Name(name)
    if any(name in other.within for other in together if other.step.name == name):
        return Name(f"whole:{name}")
    qualifier = _qualifier(named, [other for other in together if _are_two(named, other)])
    if any(other.step.written == named.step.written and other.within != named.within for other in together):
        qualifier = of_both(qualifier)  # the norms of two embeddings, alike, have one name
    qualified = Name(name, qualifier)
    return Name(f"layers:{qualifier}") if qualifier and in_words(qualified) in taken else qualified


def _qualifier(named: Placed, others: Sequence[Placed]) -> str:
    """The outermost part in which this step stands and none of the others do."""
    taken = {part for other in others for part in other.within}
    return next((part for part in named.within if part not in taken), "")


def _named(sections: Sequence[Step]) -> Iterator[Placed]:
    places: dict[str, tuple[str, ...]] = {}
    for section in sections:
        for step in _walk(section):
            name = str(step.name)
            within = tuple(part for part in step.path.split(".") if part) or _place(step.written, places)
            if step.kind not in (StepKind.GROUP, StepKind.TOTAL):
                yield Placed(step, within[:-1] if within[-1:] == (name,) else within)
            places[name] = within


def _walk(step: Step) -> Iterator[Step]:
    for inner in step.steps:
        yield from _walk(inner)
    yield step


def _place(expression: Expression, places: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Where a sum over the whole model stands: where the results that it adds up do."""
    if isinstance(expression, Named):
        return places.get(str(expression.label), ())
    return next((place for part in expression.operands if (place := _place(part, places))), ())
