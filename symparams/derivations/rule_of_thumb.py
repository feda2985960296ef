"""The rule of thumb 12·L·h²: how far it is off for a model, and where the difference comes from, exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from symparams.components.kinds import Role, Use
from symparams.components.tree import Tensor
from symparams.components.walks import Leaf
from symparams.derivations.steps import Step, step
from symparams.expressions.marks import Size
from symparams.expressions.nodes import Expression, Negative, Number, Power, Product
from symparams.expressions.symbols import L, h
from symparams.expressions.written import ZERO, times, total
from symparams.models.model import Model
from symparams.quantities.parameters import is_owned

ATTENTION_MATRICES, FEED_FORWARD_MATRICES = 4, 8
SOURCES = ("embedding_tables", "attention_matrices", "feed_forward_matrices", "biases_and_norms", "other_matrices")


@dataclass(frozen=True)
class RuleOfThumb:
    """12·L·h² for a model, its error as an exact part of the count, and the sources of what it misses."""

    estimate: Step
    error: Fraction | None
    sources: tuple[Step, ...]


def layers_estimate(matrices: int = ATTENTION_MATRICES + FEED_FORWARD_MATRICES) -> Expression:
    """So many matrices of h × h in each of L layers: 12·L·h² (Kaplan et al., 2020, arXiv:2001.08361, section 2.1)."""
    return Size(Product((Number(matrices), L, Power(h, 2))))


def rule_of_thumb(model: Model) -> RuleOfThumb | None:
    """The rule for this model; None where its tree has no stack of L layers of width h with attention."""
    if not {L, h}.issubset(model.dimensions) or not any(leaf.component.heads for leaf in model.leaves):
        return None
    estimate = step(model, "", "estimate", layers_estimate())
    gathered: dict[str, list[Expression]] = {source: [] for source in SOURCES}
    for leaf, tensor, count in _owned(model):
        gathered[_source(leaf, tensor)].append(count)
    gathered["attention_matrices"].append(Negative(layers_estimate(ATTENTION_MATRICES)))
    gathered["feed_forward_matrices"].append(Negative(layers_estimate(FEED_FORWARD_MATRICES)))
    steps = [step(model, "", source, total(terms)) for source, terms in gathered.items()]
    sources = tuple(each for each in steps if each.closed != ZERO)
    error = Fraction(estimate.value, model.count()) - 1 if estimate.value is not None and not model.unbound else None
    return RuleOfThumb(estimate, error, sources)


def _owned(model: Model) -> Iterator[tuple[Leaf, Tensor, Expression]]:
    for leaf in model.leaves:
        for tensor in leaf.component.tensors:
            if is_owned(tensor):
                yield leaf, tensor, times(leaf.times, tensor.count)


def _source(leaf: Leaf, tensor: Tensor) -> str:
    if tensor.use is not Use.WEIGHT:
        return "biases_and_norms"
    if leaf.component.role is Role.TABLE:
        return "embedding_tables"
    if Role.ATTENTION in leaf.roles:
        return "attention_matrices"
    return "feed_forward_matrices" if Role.FEED_FORWARD in leaf.roles else "other_matrices"
