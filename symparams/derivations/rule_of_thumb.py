"""The rule of thumb that applies to a model: the matrices of its layers alone, 12·L·h² for a BERT; what it misses, exactly.

A plain layer has 4·h² in attention and 8·h² in a feed-forward network of width 4·h (Kaplan et al., 2020, arXiv:2001.08361,
section 2.1); a cross-attention adds 4·h², grouped heads and a gated feed-forward network make it
(2 + 2·n_kv_heads / n_heads)·h² + 3·h·d_ff, and of a mixture every expert counts, or those that one token uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from symparams.components.kinds import Role
from symparams.components.tree import Component, Tensor
from symparams.components.walks import Leaf
from symparams.derivations.estimates import is_matrix
from symparams.derivations.reason import in_inner_size
from symparams.derivations.steps import Step, step
from symparams.expressions.marks import Size
from symparams.expressions.nodes import Expression, Number, Power, Product, Quotient
from symparams.expressions.symbols import L, h
from symparams.expressions.written import ZERO, times, total
from symparams.models.blocks import MOST_EXPANDED, by_blocks
from symparams.models.model import Model
from symparams.quantities.parameters import is_owned
from symparams.quantities.tensor_count import TensorCount

PLAIN_LAYERS, LAYERS, FEED_FORWARD = "plain", "layers", "feed_forward"
ATTENTION, NETWORK, WIDENING = 4, 8, 4  # matrices of h × h in a plain layer, whose network is so many times as wide as h
PLAIN = ATTENTION + NETWORK
COARSEST = 4  # a rule counts matrices of h × h in quarters: 13, 11.5, 12.75
SOURCES = ("attention_matrices", "embedding_tables", "other_matrices", "biases_and_norms")


@dataclass(frozen=True)
class RuleOfThumb:
    """The matrices of the layers of a model: as a formula, and where they are so many times h² also as that.

    ``what`` tells whether these are all matrices of the "layers", of a "plain" layer 12·L·h², or of its "feed_forward"
    networks alone, where all have more terms than one remembers. ``error`` is the exact part of the count by which the rule
    misses it, ``sources`` are what it misses, and ``active`` is the same for what one token uses of a mixture.
    """

    what: str
    estimate: Step
    squares: Expression | None
    error: Fraction | None
    sources: tuple[Step, ...]
    active: Step | None


def plain_parts() -> dict[str, Expression]:
    """What a plain layer has: 4·h² for attention, 8·h² for a feed-forward network of width 4·h."""
    parts = {"attention": (ATTENTION, Power(h, 2)), "feed_forward": (NETWORK, Power(h, 2)), "width": (WIDENING, h)}
    return {name: Size(Product((Number(number), unit))) for name, (number, unit) in parts.items()}


def layers_estimate(matrices: int = PLAIN) -> Expression:
    """So many matrices of h × h in each of L layers: 12·L·h²."""
    return Size(Product((Number(matrices), L, Power(h, 2))))


def rule_of_thumb(model: Model) -> RuleOfThumb | None:
    """The rule for this model; None where no layer of its tree has a matrix, or where there is nothing else to count."""
    what, layers = LAYERS, [leaf for leaf in model.leaves if is_repeated(leaf)]
    matrices = of_matrices(lambda tensor: tensor.count)
    estimate = _estimate(model, "estimate", layers, matrices)
    if estimate is None or h not in model.dimensions:
        return None
    squares = _squares(model, estimate, layers)
    if squares is None and len(estimate.polynomial.terms) > MOST_EXPANDED and model.has_experts:
        what, layers = FEED_FORWARD, [leaf for leaf in layers if Role.FEED_FORWARD in leaf.roles]
        estimate = _estimate(model, "estimate", layers, matrices) or estimate
    gathered: dict[str, list[Expression]] = {source: [] for source in SOURCES}
    for leaf, tensor in _missed(model, layers):
        gathered[source_of(leaf, tensor)].append(times(leaf.times, tensor.count))
    steps = [in_inner_size(model, step(model, "", source, total(terms))) for source, terms in gathered.items()]
    sources = tuple(each for each in steps if each.polynomial)
    if not sources:
        return None
    error = Fraction(estimate.value, model.count()) - 1 if estimate.value is not None and not model.unbound else None
    active = _estimate(model, "active", layers, of_matrices(lambda tensor: tensor.active_count)) if model.has_experts else None
    return RuleOfThumb(
        PLAIN_LAYERS if estimate.closed == layers_estimate() else what, estimate, squares, error, sources, active
    )


def _estimate(model: Model, name: str, layers: Sequence[Leaf], matrices: TensorCount) -> Step | None:
    written = matrices.over(layers)
    if written == ZERO:
        return None
    form = by_blocks(layers, model.relations, matrices, names={}, keeps_inner=True).formula
    return step(model, "", name, written, form=form)


def of_matrices(count: Callable[[Tensor], Expression]) -> TensorCount:
    """The matrices of a leaf layer, each by its ``count``."""

    def terms(leaf: Component) -> list[Expression]:
        return [count(tensor) for tensor in leaf.tensors if is_matrix(tensor)]

    return TensorCount("matrices", terms)


def is_repeated(leaf: Leaf) -> bool:
    """Whether a leaf stands in a layer that is there several times."""
    return any(ancestor.times.dimensions and ancestor.role is Role.BLOCK for _, ancestor in leaf.ancestors)


def _squares(model: Model, estimate: Step, layers: Sequence[Leaf]) -> Expression | None:
    """The rule as so many times L·h², where the values make it so and the formula does not say it yet."""
    copies = {_copies(model, leaf) for leaf in layers}
    if len(copies) != 1 or h not in model.values or estimate.value is None:
        return None
    [number] = copies
    once = Product((number, Power(h, 2)))
    share = Fraction(estimate.value, step(model, "", "unit", once).value or 1)
    factor: Expression = Number(share.numerator)
    if share.denominator > 1:
        factor = Quotient(factor, Number(share.denominator))
    written = Size(Product((factor, number, Power(h, 2))))
    return written if share.denominator <= COARSEST and written != estimate.closed else None


def _copies(model: Model, leaf: Leaf) -> Expression:
    copies = step(model, "", "copies", leaf.copies).closed
    return copies.inner if isinstance(copies, Size) else copies


def _missed(model: Model, layers: Sequence[Leaf]) -> Iterator[tuple[Leaf, Tensor]]:
    counted = {leaf.path for leaf in layers}
    for leaf in model.leaves:
        for tensor in leaf.component.tensors:
            if is_owned(tensor) and not (leaf.path in counted and is_matrix(tensor)):
                yield leaf, tensor


def source_of(leaf: Leaf, tensor: Tensor) -> str:
    """What a tensor is that the rule leaves out."""
    if not is_matrix(tensor):
        return "biases_and_norms"
    if is_repeated(leaf):
        return "attention_matrices"
    return "embedding_tables" if leaf.component.role is Role.TABLE else "other_matrices"
