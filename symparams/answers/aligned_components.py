"""Components of several models side by side, each under one name, whatever its family calls it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from symparams.components.kinds import PartRole, Role
from symparams.components.walks import SUBLAYERS, Leaf, Part
from symparams.derivations.shares import Share, parts_of, share_of
from symparams.derivations.steps import Step, step
from symparams.expressions.written import ZERO
from symparams.models.calculation import Calculation
from symparams.models.model import Model
from symparams.quantities.parameters import SHARED
from symparams.records import frozen

# What a part is called in all models, as its role is if it does not stand here; of one that has no term, its own name.
CALLED: Mapping[PartRole, str] = {PartRole.POSITIONS: "positions", PartRole.DISTANCES: "positions", PartRole.VECTORS: ""}
TIED = "tied"


class ModelShare(Share):
    """One model's share of a component, and why it has none.

    ``reason`` is "tied" if its arrays are another's, or the kind of what stands there without parameters (rotary).
    """

    def __init__(self, step: Step, part: Fraction | None, reason: str = "") -> None:
        super().__init__(step, part)
        self.reason = reason


@frozen
class AlignedComponent:
    """A component in each of several models, in their order."""

    name: str
    shares: tuple[ModelShare, ...]


def aligned_components(calculations: Sequence[Calculation]) -> tuple[AlignedComponent, ...]:
    """Return every component of one of the models, under one name in all; in each model they add up to its number."""
    shares = [shares_of(calculation) for calculation in calculations]
    names = dict.fromkeys(name for by_name in shares for name in by_name)
    rows = [
        AlignedComponent(
            name,
            tuple(
                by_name.get(name)
                or ModelShare(step(calculation.model, "", name, ZERO), None if not calculation.is_bound else Fraction(0))
                for calculation, by_name in zip(calculations, shares, strict=True)
            ),
        )
        for name in names
    ]
    return tuple(row for row in rows if any(share.step.polynomial for share in row.shares))


def shares_of(calculation: Calculation) -> dict[str, ModelShare]:
    """Return what a model has of each of its components, by name; where it has no tensors of one, why."""
    model, shares = calculation.model, dict[str, ModelShare]()
    if calculation.quantity.tensors is not None:
        part = Fraction(0) if calculation.is_bound else None
        for name, leaves in _leaves(model).items():
            shares[name] = ModelShare(step(model, "", name, ZERO), part, _reason(leaves))
    for name, terms in parts_of(calculation, called_in_all).items():
        share = share_of(calculation, name, terms, {})
        shares[name] = ModelShare(share.step, share.part)
    return shares


def _leaves(model: Model) -> dict[str, list[Leaf]]:
    gathered: dict[str, list[Leaf]] = {}
    for leaf in model.leaves:
        gathered.setdefault(called_in_all(leaf.part), []).append(leaf)
    return gathered


def called_in_all(part: Part) -> str:
    """Return the name of a part in all models: the term of its role, else its own name."""
    role, _, number = part.key
    is_told = role not in SUBLAYERS.values() or number == 0
    return (CALLED.get(role, role.value) if is_told else "") or part.name


def _reason(leaves: Sequence[Leaf]) -> str:
    if any(SHARED.terms(leaf.component) for leaf in leaves):
        return TIED
    return next((leaf.component.kind.name for leaf in leaves if leaf.component.role is Role.ABSENT), "")
