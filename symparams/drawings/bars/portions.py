"""Portions: what each component has of a model's parameters, and what it is for, from the embeddings to the heads."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from symparams.components.kinds import PartRole, Role
from symparams.components.walks import Leaf
from symparams.derivations.shares import by_part, shares
from symparams.drawings.canvas import TINTS
from symparams.drawings.marks import Tint
from symparams.expressions.nodes import Expression
from symparams.expressions.written import total
from symparams.models.calculation import calculate
from symparams.models.model import Model
from symparams.quantities.parameters import PARAMETERS
from symparams.records import frozen

NEARLY_ALL = Fraction(9, 10)  # of the model, of a part that leaves no room to the others
ORDER = (Tint.EMBEDDING, Tint.ATTENTION, Tint.FEED_FORWARD, Tint.NORM, Tint.HEAD)


@frozen
class Portion:
    """The portion of one component: its name, its colour, its closed form, its count, and its exact part of the whole.

    Several of one colour have the name of what that is for, a key of [drawing.bars].
    """

    name: str
    tint: Tint
    formula: Expression
    count: int
    part: Fraction
    is_mixer: bool = False  # what mixes tokens and is not attention


def portions(model: Model) -> list[Portion]:
    """Every component that counts, in the order of a bar; MissingDimensionError for a model without values."""
    whole, tints = model.count(), tints_by_name(model)
    mixers = {name for name, those in by_part(model).items() if those[0].part.role is PartRole.MIXER}
    counted = [
        Portion(
            name, tints[name], share.step.closed, share.step.count or 0, Fraction(share.step.count or 0, whole), name in mixers
        )
        for share in shares(calculate(model, PARAMETERS.name, {}), {})
        for name in [str(share.step.name)]
    ]
    return sorted(counted, key=lambda portion: ORDER.index(portion.tint))


def by_tint(parts: Sequence[Portion]) -> list[Portion]:
    """The portions of one colour as one."""
    together = {tint: [portion for portion in parts if portion.tint is tint] for tint in ORDER}
    return [
        Portion(
            purpose(same),
            tint,
            total([portion.formula for portion in same]),
            sum(portion.count for portion in same),
            sum((portion.part for portion in same), start=Fraction(0)),
            all(portion.is_mixer for portion in same),
        )
        for tint, same in together.items()
        if same
    ]


def purpose(parts: Sequence[Portion]) -> str:
    """Return the purpose of portions of one colour: a state space mixes tokens as attention does, but is not attention."""
    mixers = {portion.is_mixer for portion in parts}
    if True not in mixers:
        return str(parts[0].tint)
    return "mixer" if mixers == {True} else "attention_and_mixer"


def tints_by_name(model: Model) -> dict[str, Tint]:
    """The colour of each component by its name."""
    tints = tints_of(model)
    return {name: tints[those[0].path] for name, those in by_part(model).items()}


def tints_of(model: Model) -> dict[str, Tint]:
    """The colour of each leaf by its path, and of each sublayer of one."""
    leaves = model.leaves
    first = next((i for i, leaf in enumerate(leaves) if leaf.stack), len(leaves))
    tints: dict[str, Tint] = {}
    for i, leaf in enumerate(leaves):
        is_below = i < first or bool(leaf.component.reads_data)
        place = Tint.FEED_FORWARD if leaf.stack else Tint.EMBEDDING if is_below else Tint.HEAD
        tints[leaf.path] = _tint(leaf, place)
        if leaf.sublayer:
            tints[leaf.sublayer[0]] = tints[leaf.path]
    return tints


def _tint(leaf: Leaf, place: Tint) -> Tint:
    """Return the purpose of a leaf: by its sublayer, by its own role, or by its place."""
    if leaf.sublayer:
        return TINTS.get(leaf.sublayer[1].role, place)
    return TINTS[leaf.component.role] if leaf.component.role in (Role.NORM, Role.TABLE) else place
