"""Components of several models beside one another: each under one name in all of them, whatever a family calls it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from symparams.components.kinds import Role
from symparams.components.walks import Leaf
from symparams.derivations.shares import component_of, parts_of, share_of
from symparams.derivations.steps import Step, step
from symparams.expressions.written import ZERO
from symparams.models.blocks import MOST_EXPANDED, by_blocks
from symparams.models.calculation import Calculation
from symparams.models.model import Model
from symparams.quantities.parameters import PARAMETERS, SHARED

TOKENS, POSITIONS, NORMS = "token_embedding", "positions", "norms"
# What families call by names of their own, and what it is in all of them.
SAME: Mapping[str, str] = {
    "layer_norms": NORMS,
    "rms_norms": NORMS,
    "shared_embedding": TOKENS,
    "encoder_token_embedding": TOKENS,
    "decoder_token_embedding": TOKENS,
    "source_embedding": TOKENS,
    "target_embedding": TOKENS,
    "position_embedding": POSITIONS,
    "encoder_position_embedding": POSITIONS,
    "decoder_position_embedding": POSITIONS,
    "encoder_position_bias": POSITIONS,
    "decoder_position_bias": POSITIONS,
    "relative_embedding": POSITIONS,
    "gated_feed_forward": "feed_forward",
    "shared_expert": "shared_experts",
}
TIED = "tied"


@dataclass(frozen=True)
class ModelShare:
    """What one model has of a component: its step over the whole model, its exact part of the number, and why it has none.

    ``reason`` is "tied" if its arrays are another's, or the kind of what stands there without parameters (rotary).
    """

    step: Step
    part: Fraction | None
    reason: str = ""


@dataclass(frozen=True)
class AlignedComponent:
    """A component in each of several models, in their order."""

    name: str
    shares: tuple[ModelShare, ...]


def aligned_components(calculations: Sequence[Calculation]) -> tuple[AlignedComponent, ...]:
    """Return every component of one of the models, under one name in all; in each model they add up to its number."""
    shares = [shares_of(calculation) for calculation in calculations]
    names = dict.fromkeys(name for found in shares for name in found)
    rows = [
        AlignedComponent(
            name,
            tuple(
                found.get(name)
                or ModelShare(step(calculation.model, "", name, ZERO), None if not calculation.is_bound else Fraction(0))
                for calculation, found in zip(calculations, shares, strict=True)
            ),
        )
        for name in names
    ]
    return tuple(row for row in rows if any(share.step.polynomial for share in row.shares))


def shares_of(calculation: Calculation) -> dict[str, ModelShare]:
    """Return what a model has of each of its components, by name."""
    if calculation.quantity.tensors is None:
        shares = {name: share_of(calculation, name, terms) for name, terms in parts_of(calculation, SAME).items()}
        return {name: ModelShare(share.step, share.part) for name, share in shares.items()}
    return {name: _of_leaves(calculation, name, leaves) for name, leaves in _leaves(calculation.model).items()}


def _leaves(model: Model) -> dict[str, list[Leaf]]:
    gathered: dict[str, list[Leaf]] = {}
    for leaf in model.leaves:
        gathered.setdefault(_component_of_leaf(leaf), []).append(leaf)
    return gathered


def _component_of_leaf(leaf: Leaf) -> str:
    """The component to which a leaf belongs; a norm without parameters is a norm, positions without a table are positions."""
    if leaf.component.role is Role.ABSENT and not leaf.sublayer:
        return NORMS if leaf.component.kind.name.endswith("_norm") else leaf.name
    name = component_of(leaf)
    return SAME.get(name, name)


def _of_leaves(calculation: Calculation, name: str, leaves: Sequence[Leaf]) -> ModelShare:
    model = calculation.model
    whole = step(model, "", name, PARAMETERS.over(leaves))
    if len(whole.polynomial.terms) > MOST_EXPANDED:
        whole = replace(whole, form=by_blocks(leaves, model.relations, names={}).formula)
    return ModelShare(whole, _part(calculation, whole), "" if whole.polynomial else _reason(leaves))


def _part(calculation: Calculation, share: Step) -> Fraction | None:
    number = calculation.value() if calculation.is_bound else None
    return Fraction(share.value) / number if number and share.value is not None else None


def _reason(leaves: Sequence[Leaf]) -> str:
    if any(SHARED.terms(leaf.component) for leaf in leaves):
        return TIED
    return next((leaf.component.kind.name for leaf in leaves if leaf.component.role is Role.ABSENT), "")
