"""The rule of thumb that fits a calculation, among those of its quantity: what it comes to, and what it misses, exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from math import prod

from symparams.components.tree import Tensor
from symparams.components.walks import Leaf, leaves
from symparams.derivations.steps import Step, Subject, in_inner_size, short, step
from symparams.expressions.nodes import Decimal, Dimension, Equality, Expression, Number, Power, Product, Quotient, Size
from symparams.expressions.polynomial import Polynomial, multiplied
from symparams.expressions.symbols import in_rank
from symparams.expressions.written import ZERO, times, total
from symparams.models.blocks import MOST_EXPANDED, by_blocks
from symparams.models.calculation import Calculation
from symparams.models.model import Model
from symparams.quantities.parameters import is_matrix, is_owned
from symparams.quantities.quantity import RuleOfThumb, TensorChoice, TensorCount
from symparams.records import frozen

COARSEST = 4  # a rule counts in quarters of its unit: 13, 11.5, 12.75


@frozen
class Reckoning:
    """A rule of thumb worked out: what it comes to, and where that is so many times L·h² also as that.

    ``error`` is the exact part of the count by which the rule misses it, ``sources`` are what it misses, and ``active`` is
    the same for what one token uses of a mixture. ``about`` is what its sentence speaks of, ``relations`` are the equalities
    of sizes that make it a multiple of L·h². ``matrices`` are the tables and matrices that it misses, in one formula where
    that is short.
    """

    rule: RuleOfThumb
    about: Mapping[str, Expression]
    estimate: Step
    squares: Expression | None
    error: Fraction | None
    sources: tuple[Step, ...]
    active: Step | None
    relations: tuple[Equality, ...] = ()
    matrices: Step | None = None


def rule_of_thumb(calculation: Calculation) -> Reckoning | None:
    """The first rule whose formula a person remembers, or else the last; None where none holds, or it leaves nothing out."""
    last, estimates = None, Estimates(calculation.model)
    for rule in calculation.rules:
        reckoning = _reckoning(calculation, rule, rule.counts, estimates) if rule.counts is not None else None
        if reckoning is not None:
            last = reckoning
            if reckoning.squares is not None or len(reckoning.estimate.polynomial.terms) <= MOST_EXPANDED:
                break
    return last if last is not None and last.sources else None


@frozen
class Estimates:
    """The sums of the tensors that rules count, each worked out once."""

    model: Model
    _known: dict[tuple[object, object], tuple[list[Leaf], Step | None]] = field(default_factory=dict)

    def of(self, choice: TensorChoice) -> tuple[list[Leaf], Step | None]:
        """Return the layers that a rule counts, and what they come to; None if that is nothing."""
        key = choice.leaf, choice.tensor
        if key not in self._known:
            layers = [leaf for leaf in self.model.leaves if choice.leaf(leaf)]
            counted = choice.counted(lambda tensor: tensor.count)
            self._known[key] = layers, estimate_of(self.model, "estimate", layers, counted)
        return self._known[key]


def _reckoning(calculation: Calculation, rule: RuleOfThumb, choice: TensorChoice, estimates: Estimates) -> Reckoning | None:
    model = calculation.model
    width = choice.width(tuple(leaves(model.architecture.tree)))  # of every layer that the family may have
    layers, estimate = estimates.of(choice) if width is not None else ([], None)
    if width is None or estimate is None:
        return None
    copies = copies_of(model, layers)
    if choice.squares is not None and (copies is None or estimate.closed != squares_of(Number(choice.squares), copies, width)):
        return None
    squares = _as_squares(model, estimate, copies, width) if copies is not None and choice.in_squares else None
    relations = tuple(_relations(model, estimate, copies, width)) if squares is not None else ()
    gathered: dict[str, list[Expression]] = {source: [] for source in choice.sources}
    missed = list(_missed(model, layers, choice))
    for leaf, tensor in missed:
        gathered[choice.source(leaf, tensor)].append(times(leaf.times, tensor.count))
    large = [times(leaf.times, tensor.count) for leaf, tensor in missed if is_matrix(tensor)]
    matrices = step(model, "", "matrices", total(large))
    is_short = 0 < len(matrices.polynomial.terms) <= MOST_EXPANDED
    steps = [in_inner_size(step(model, "", source, total(terms))) for source, terms in gathered.items()]
    error = None if model.unbound else Fraction(estimate.count or 0, model.count()) - 1
    active = choice.counted(lambda tensor: tensor.active_count)
    used = estimate_of(model, "active", layers, active) if calculation.has_active else None
    sources = tuple(source for source in steps if source.polynomial)
    about, beside = choice.about(width), short(matrices) if is_short else None
    return Reckoning(rule, about, estimate, squares, error, sources, used, relations, beside)


def estimate_of(model: Subject, name: str, layers: Sequence[Leaf], counted: TensorCount) -> Step | None:
    """Return what these tensors of some layers come to, layer by layer; None if there are none."""
    written = counted.over(layers)
    if written == ZERO:
        return None
    return step(model, "", name, written, form=by_blocks(layers, model.relations, counted, names={}, keeps_inner=True).formula)


def copies_of(model: Subject, layers: Sequence[Leaf]) -> Expression | None:
    """Return the number of copies of these layers; None unless all have the same."""
    copies = {step(model, "", "copies", leaf.copies).closed for leaf in layers}
    closed = copies.pop() if len(copies) == 1 else None
    return closed.inner if isinstance(closed, Size) else closed


def squares_of(factor: Expression, copies: Expression, width: Dimension) -> Expression:
    """Return so many squares of the width in each copy: 12·L·h²."""
    return Size(Product((factor, copies, Power(width, 2))))


def _as_squares(model: Model, estimate: Step, copies: Expression, width: Dimension) -> Expression | None:
    """The rule as so many times L·h², where the values make it so and the formula does not say it yet."""
    unit = step(model, "", "unit", Product((copies, Power(width, 2)))).count
    if not estimate.count or not unit:  # some sizes leave no layer
        return None
    share = Fraction(estimate.count, unit)
    factor: Expression = Number(share.numerator)
    if share.denominator > 1:
        factor = Quotient(factor, Number(share.denominator))
    written = squares_of(factor, copies, width)
    return written if share.denominator <= COARSEST and written != estimate.closed else None


def _relations(model: Model, estimate: Step, copies: Expression | None, width: Dimension) -> Iterator[Equality]:
    """Yield what the widths in a formula are in the width of the layers: n_kv_heads·d_head = h / 4, d_ff = 3.5·h."""
    if not isinstance(copies, Dimension):
        return
    terms = estimate.polynomial.terms.items()
    of_layers = Polynomial({multiplied(monomial, ((copies, -1),)): n for monomial, n in terms if copies in dict(monomial)})
    for size, ratio in ratios(model, of_layers, width):
        yield Equality(size, multiple(ratio, width))


def _missed(model: Model, layers: Sequence[Leaf], choice: TensorChoice) -> Iterator[tuple[Leaf, Tensor]]:
    counted = {leaf.path for leaf in layers}
    for leaf in model.leaves:
        for tensor in leaf.component.tensors:
            if is_owned(tensor) and not (leaf.path in counted and choice.tensor(tensor)):
                yield leaf, tensor


def ratios(model: Model, polynomial: Polynomial, width: Dimension) -> Iterator[tuple[Expression, Fraction]]:
    """Yield what stands beside the width of layers in their matrices, in units of that width: n_kv_heads·d_head, d_ff."""
    for monomial in polynomial.terms:
        powers = {letter: power - (letter == width) for letter, power in monomial}
        letters = in_rank(letter for letter in powers if isinstance(letter, Dimension))
        sizes = [letter for letter in letters for _ in range(powers[letter])]
        if width in powers and sizes not in ([], [width]):
            ratio = Fraction(prod(int(model.values[letter]) for letter in sizes), model.values[width])
            yield Size(Product(tuple(sizes))) if len(sizes) > 1 else sizes[0], ratio


def multiple(ratio: Fraction, width: Dimension) -> Expression:
    """So many times a width: h / 4, 4·h, 3.5·h, (8 / 3)·h."""
    if ratio == 1:
        return width
    if ratio.numerator == 1:
        return Quotient(width, Number(ratio.denominator))
    factor = Decimal(ratio) if (ratio * 100).denominator == 1 else Quotient(Number(ratio.numerator), Number(ratio.denominator))
    return Size(Product((Number(ratio.numerator) if ratio.denominator == 1 else factor, width)))
