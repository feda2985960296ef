"""Components of several models beside one another: each under one name in all of them, whatever a family calls it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from symparams.components.kinds import Role
from symparams.components.walks import Leaf
from symparams.derivations.shares import component_of
from symparams.derivations.steps import Step, step
from symparams.models.blocks import MOST_EXPANDED, by_blocks
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
class Share:
    """What one model has of a component: its step over the whole model, its exact part of the count, and why it has none.

    ``reason`` is "tied" where its arrays are another's, or the kind of what stands there without parameters (rotary).
    """

    step: Step
    part: Fraction | None
    reason: str = ""


@dataclass(frozen=True)
class Aligned:
    """A component in each of several models, in their order."""

    name: str
    shares: tuple[Share, ...]


def aligned_components(models: Sequence[Model]) -> tuple[Aligned, ...]:
    """Every component that counts in one of the models; in each model their counts add up to its own."""
    gathered = [_gathered(model) for model in models]
    names = dict.fromkeys(name for found in gathered for name in found)
    rows = [
        Aligned(name, tuple(_share(model, name, found.get(name, [])) for model, found in zip(models, gathered, strict=True)))
        for name in names
    ]
    return tuple(row for row in rows if any(share.step.polynomial for share in row.shares))


def _gathered(model: Model) -> dict[str, list[Leaf]]:
    found: dict[str, list[Leaf]] = {}
    for leaf in model.leaves:
        found.setdefault(_called(leaf), []).append(leaf)
    return found


def _called(leaf: Leaf) -> str:
    """The component to which a leaf belongs; a norm without parameters is a norm, positions without a table are positions."""
    if leaf.component.role is Role.ABSENT and not leaf.sublayer:
        return NORMS if leaf.component.kind.name.endswith("_norm") else leaf.name
    name = component_of(leaf)
    return SAME.get(name, name)


def _share(model: Model, name: str, leaves: Sequence[Leaf]) -> Share:
    each = step(model, "", name, PARAMETERS.over(leaves))
    if len(each.polynomial.terms) > MOST_EXPANDED:
        each = replace(each, form=by_blocks(leaves, model.relations, names={}).formula)
    whole = None if model.unbound else model.count()
    part = Fraction(each.value, whole) if whole and each.value is not None else None
    return Share(each, part, "" if each.polynomial else _reason(leaves))


def _reason(leaves: Sequence[Leaf]) -> str:
    if any(SHARED.terms(leaf.component) for leaf in leaves):
        return TIED
    return next((leaf.component.kind.name for leaf in leaves if leaf.component.role is Role.ABSENT), "")
