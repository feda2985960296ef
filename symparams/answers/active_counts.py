"""The active parameters in the ways that they are published: with token embedding and LM head, without the first, without both.

A token looks up one row of the token embedding and multiplies by none of it, so some sources count that matrix and some do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symparams.answers.claims import Met, read_claim
from symparams.components.kinds import PartRole, Role
from symparams.components.walks import Leaf
from symparams.derivations.steps import Step, step
from symparams.expressions.nodes import Expression, Negative
from symparams.expressions.written import ZERO, times, total
from symparams.models.model import Model
from symparams.models.published import as_published
from symparams.quantities.parameters import ACTIVE, PARAMETERS, SHARED
from symparams.records import frozen

BOTH, NO_TABLE, LAYERS = "both", "no_table", "layers"
SHARED_MATRIX, NO_SHARED_MATRIX = "shared", "no_shared"
TABLE = "table"


@frozen
class PublishedCount:
    """A published figure: as it is written, which of the counts it can be, and how it meets them."""

    claimed: str
    source: str
    names: tuple[str, ...]
    met: Met


def active_counts(model: Model) -> list[Step]:
    """Return what one token uses: with token embedding and LM head, without the first, without both; two if they are shared."""
    heads = [leaf for leaf in model.leaves if leaf.part.role is PartRole.OUTPUT_HEAD]
    table = _owned(leaf for leaf in model.leaves if leaf.component.role is Role.TABLE)
    head = _owned(heads)
    names: tuple[str, ...] = (BOTH, NO_TABLE, LAYERS)
    if head == ZERO:
        is_shared = any(SHARED.terms(leaf.component) for leaf in heads)
        names = (SHARED_MATRIX, NO_SHARED_MATRIX) if is_shared else (TABLE, NO_TABLE)
    whole = model.formula(ACTIVE)
    without = [[], [table], [table, head]]
    return [step(model, "", name, total([whole, *map(Negative, less)])) for name, less in zip(names, without, strict=False)]


def published_count(model: Model, counts: Sequence[Step]) -> PublishedCount | None:
    """Return the published figure that one of these counts rounds to or begins with; None where there is none."""
    published = as_published(model)
    claim = read_claim(published.active.claimed) if published and published.active else None
    if published is None or published.active is None or claim is None:
        return None
    met = [
        (met, count)
        for count in counts
        if count.value is not None and (met := claim.plainest.plainly_met_by(count.value)) is not None
    ]
    if not met:
        return None
    plainest = min(how for how, _ in met)
    names = tuple(str(count.name) for how, count in met if how == plainest)
    return PublishedCount(published.active.claimed, published.active.source, names, plainest)


def _owned(leaves: Iterable[Leaf]) -> Expression:
    """Return the parameters of these layers in the whole model."""
    return total([times(leaf.times, PARAMETERS.of(leaf.component)) for leaf in leaves])
