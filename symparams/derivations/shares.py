"""The shares of the components in the parameters, or in another quantity, over the whole model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from symparams.components.kinds import PartRole, Role
from symparams.components.tree import Component
from symparams.components.walks import Leaf, Part
from symparams.derivations.mixtures import ALL_EXPERTS, experts_of
from symparams.derivations.stacks import stack_of
from symparams.derivations.steps import Step, multiple_of_counts, named, step
from symparams.display import Record
from symparams.expressions.closed_form import as_written
from symparams.expressions.nodes import Expression
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.written import ONE, ZERO, times, total
from symparams.models.calculation import Calculation
from symparams.models.model import Model
from symparams.models.stacks import DECODER, ENCODER, encoder_and_decoder
from symparams.quantities.parameters import PARAMETERS
from symparams.quantities.quantity import Term

PartKey = tuple[PartRole, str, int]


class Share(Record):
    """A component's part of the whole: its step over the model, and its exact fraction of the count.

    ``stacks`` are what the encoder and the decoder have of it, in a model of both; ``active`` is what one token uses of it in a
    model with experts, and its part of what one token uses of all.
    """

    def __init__(
        self,
        step: Step,
        part: Fraction | None,
        stacks: tuple[Step, ...] = (),
        active: Step | None = None,
        active_part: Fraction | None = None,
    ) -> None:
        self.step, self.part, self.stacks, self.active, self.active_part = step, part, stacks, active, active_part

    @property
    def columns(self) -> Mapping[str, Any]:
        """The component, its closed form and its value, its share as a float; those of each stack and of one token."""
        row: dict[str, Any] = {"component": str(self.step.name), "closed_form": repr(as_written(self.step.polynomial))}
        row |= _numbers(self.step, self.part) | {of_stack.path: of_stack.value for of_stack in self.stacks}
        return row | _numbers(self.active, self.active_part, "active_") if self.active else row


def _numbers(part: Step, fraction: Fraction | None, prefix: str = "") -> dict[str, Any]:
    return {f"{prefix}value": part.value, f"{prefix}share": None if fraction is None else float(fraction)}


def shares(calculation: Calculation, names: Mapping[str, Polynomial]) -> Iterator[Share]:
    """Each component that counts, the terms of a component together: embeddings one by one, attention, norms, and the heads.

    A long formula refers to parts by those ``names`` that stand for them.
    """
    model, both = calculation.model, encoder_and_decoder(calculation.tree) or ()
    at = {path: leaf for leaf in reversed(calculation.leaves) for path in _around(leaf)} if both else {}
    gathered = parts_of(calculation)
    used = [step(model, "", name, _active(terms)) for name, terms in gathered.items()] if calculation.has_active else []
    active = sum(part.value or 0 for part in used) if calculation.is_bound else None
    for (name, terms), active_step in zip_longest(gathered.items(), used):
        stacks = []
        for path, stack in zip((ENCODER, DECODER), both, strict=False):
            within = [term.every for term in terms if term.path in at and stack_of(model, at[term.path]) == stack]
            stacks.append(step(model, path, name, total(within)))
        share = share_of(calculation, name, terms, names)
        yield Share(share.step, share.part, tuple(stacks), active_step, _part(active_step, active))


def _around(leaf: Leaf) -> tuple[str, ...]:
    """The path of a leaf and of what stands around it."""
    return (leaf.path, *(path for path, _ in leaf.ancestors[1:]))


def _active(terms: Sequence[Term]) -> Expression:
    return total([times(term.times, term.written if term.active is None else term.active) for term in terms])


def parts_of(calculation: Calculation, called: Callable[[Part], str] | None = None) -> dict[str, list[Term]]:
    """The terms of a quantity by the part to which they belong, which may be ``called`` otherwise than in its definition."""
    paths = {term.path for term in calculation.terms}
    leaves = [leaf for leaf in calculation.leaves if not paths.isdisjoint(_around(leaf))]
    own = {} if called else _own_names(_together(leaves))
    within: dict[str, set[str]] = {}
    for leaf in leaves:
        part = called(leaf.part) if called else own[_key(leaf)]
        for path in _around(leaf):
            within.setdefault(path, set()).add(part)
    gathered: dict[str, list[Term]] = {}
    for term in calculation.terms:
        parts = within.get(term.path, set())
        gathered.setdefault(next(iter(parts)) if len(parts) == 1 else _of_several(calculation.tree, term), []).append(term)
    return gathered


def _of_several(tree: Component, term: Term) -> str:
    """Return the name under which a term of several parts or of none is gathered: the part of its layer, else its own."""
    if not term.path:
        return term.name
    names, here, at = term.path.split("."), tree, 0
    for i, name in enumerate(names):
        here = here.child(name)
        if here.role is Role.BLOCK and here.times != ONE and i + 1 < len(names):
            at = i + 1
    return names[at]


def share_of(calculation: Calculation, name: str, terms: Sequence[Term], names: Mapping[str, Polynomial]) -> Share:
    """Return the share of these terms."""
    whole = step(calculation.model, "", name, total([term.every for term in terms]))
    form = multiple_of_counts(terms) or calculation.form_of_part(whole.polynomial, name, terms, names)
    whole = replace(whole, form=form)
    return Share(whole, _part(whole, calculation.value() if calculation.is_bound else None))


def _part(part: Step | None, whole: int | Fraction | None) -> Fraction | None:
    return Fraction(part.value) / whole if whole and part is not None and part.value is not None else None


def by_part(model: Model) -> dict[str, list[Leaf]]:
    """The leaves that count, by the part to which they belong, each under its name, or the term for it if it has several.

    Two parts of one name, as a mixer that is attention here and a state space there, are each called by their term, too.
    """
    gathered = _together(leaf for leaf in model.leaves if PARAMETERS.of(leaf.component) != ZERO)
    own = _own_names(gathered)
    parts: dict[str, list[Leaf]] = {}
    for key, those in gathered.items():
        parts.setdefault(own[key], []).extend(those)
    return parts


def _together(leaves: Iterable[Leaf]) -> dict[PartKey, list[Leaf]]:
    gathered: dict[PartKey, list[Leaf]] = {}
    for leaf in leaves:
        gathered.setdefault(_key(leaf), []).append(leaf)
    return gathered


def _key(leaf: Leaf) -> PartKey:
    """The key of a leaf's part; routed experts and the router are parts of their own, since one token uses them otherwise."""
    role, kind, which = leaf.part.key
    if (name := _in_mixture(leaf)) is None:
        return role, kind, which
    return PartRole.OTHER, f"{kind}.{name}", which


def _in_mixture(leaf: Leaf) -> str | None:
    """The name of the part of a mixture to which a leaf belongs; None outside of mixtures."""
    if leaf.sublayer is None or experts_of(leaf.sublayer[1]) is None:
        return None
    return ALL_EXPERTS if any(tensor.active for tensor in leaf.component.tensors) else leaf.name


def _own_names(gathered: Mapping[PartKey, Sequence[Leaf]]) -> dict[PartKey, str]:
    called = {key: _called(those) for key, those in gathered.items()}
    taken = Counter(called.values())
    return {
        key: name if taken[name] == 1 else key[0].value or _told_apart(gathered[key][0].part) for key, name in called.items()
    }


def _told_apart(part: Part) -> str:
    """The name of a part with that of what it stands in: the head of the text model, where images have one too."""
    outer = part.path.rpartition(".")[0].rpartition(".")[2]
    return named("inside", outer, part.name) if outer else part.name


def _called(those: Sequence[Leaf]) -> str:
    part = those[0].part
    if part.role is PartRole.NORM:
        return f"{those[0].component.kind}s"
    if (name := _in_mixture(those[0])) is not None:
        return name
    names = {leaf.part.name for leaf in those}
    return part.name if len(names) == 1 else part.role.value or part.name
