"""Estimates: what one can work out in one's head, c·L·h² for each stack with its own h, and the tables beside it.

A plain layer is 12·h²; c is that of the model, whatever it comes to (18.1 for a Qwen2), and of a mixture the parts stand
one by one, since nobody remembers its c.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from symparams.components.kinds import PartRole, Role, Use
from symparams.components.walks import Leaf
from symparams.derivations.parts import Part, called_alone, models_within, name_outside, parts, place_of
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.factoring import factored
from symparams.expressions.nodes import Decimal, Dimension, Expression, Named, Number, Power, Product, Size
from symparams.expressions.written import evaluate, substitute, times, total
from symparams.models.model import Model
from symparams.quantities.parameters import is_matrix, is_owned

LEAST = Fraction(1, 100)  # of the count, or of what one token uses: what is less is not worth keeping in one's head
LEAST_TABLE = Fraction(1, 500)  # beside a larger one
DIGITS = 3
TABLES, HEAD, BOTH = "tables", "lm_head", "tables_and_head"


@dataclass(frozen=True)
class Estimate:
    """One addend: what it is of, its formula, the same with numbers, and its exact value; ``active`` is a token's share.

    ``rough`` is what it comes to in one's head where a factor in its formula is rounded.
    """

    name: str
    formula: Expression | None
    numbers: Expression
    value: int
    active: int = 0
    rough: int | None = None

    @property
    def counted(self) -> int:
        """The rough value if there is one, else the value of the estimate."""
        return self.value if self.rough is None else self.rough


@dataclass(frozen=True)
class LayerEstimate:
    """One layer of a stack in units of the square of its width: all of it, and what each sublayer has of that."""

    place: str
    width: Dimension
    factor: Fraction
    sublayers: tuple[tuple[str, Fraction], ...]


@dataclass(frozen=True)
class InTheHead:
    """A count in the head: a layer of each stack, or the expert of all mixtures, and the addends of the count."""

    layers: tuple[LayerEstimate, ...]
    expert: Named | None
    addends: tuple[Estimate, ...]

    @property
    def value(self) -> int:
        """The exact sum of the addends."""
        return sum(addend.value for addend in self.addends)

    @property
    def active(self) -> int:
        """The exact sum of what one token uses."""
        return sum(addend.active for addend in self.addends)


def in_the_head(model: Model) -> InTheHead | None:
    """The check in one's head of a model with values; None where it has no layers, or none."""
    if model.unbound or not any(leaf.stack for leaf in model.leaves) or not model.count():
        return None
    outside = list(_outside(model))
    if model.has_experts:
        repeated = [part for part in parts(model) if part.is_repeated and _is_kept(model, part)]
        experts = {part.experts.one for part in repeated if part.experts}
        return InTheHead((), experts.pop() if len(experts) == 1 else None, (*map(_of_part, repeated), *outside))
    models = models_within(model)
    stacks: dict[str, list[Leaf]] = {}
    for leaf in model.leaves:
        if leaf.stack:
            stacks.setdefault(leaf.stack, []).append(leaf)
    places = {stack: place_of(stack, models) for stack in stacks}
    if len(places) == 1:
        places = {stack: called_alone(model, stack) for stack in places}
    worked = [_stack(model, places[stack], leaves) for stack, leaves in stacks.items()]
    layers = tuple(layer for layer, estimate in worked if layer is not None and _is_large(model, estimate.value))
    kept = [estimate for _, estimate in worked if _is_large(model, estimate.value)]
    return InTheHead(layers, None, (*kept, *outside)) if kept or outside else None


def left_out(model: Model) -> Iterator[Expression]:
    """All biases and norms, formula by formula."""
    for leaf in model.leaves:
        for tensor in leaf.component.tensors:
            is_small = tensor.use in (Use.BIAS, Use.GAIN) or leaf.component.role is Role.NORM
            if is_owned(tensor) and is_small:
                yield times(leaf.times, tensor.count)


def factor_of(value: Fraction) -> Fraction:
    """A factor as one keeps it in one's head: 12, 11.5 and 12.75 as they are, any other with one decimal, 6.4."""
    if (value * 100).denominator == 1:
        return value
    return rounded_to(value, 1) if value < 1 else Fraction((value * 10 + Fraction(1, 2)).__floor__(), 10)


def decimal(value: Fraction) -> Expression:
    """A factor as it is printed."""
    kept = factor_of(value)
    return Number(kept.numerator) if kept.denominator == 1 else Decimal(kept)


def rounded_to(value: Fraction, digits: int) -> Fraction:
    """The nearest number of so many digits, halves up."""
    if not value:
        return value
    power, limit = 0, 10**digits
    while value >= limit * Fraction(10) ** power:
        power += 1
    while value < Fraction(limit, 10) * Fraction(10) ** power:
        power -= 1
    unit = Fraction(10) ** power
    return (value / unit + Fraction(1, 2)).__floor__() * unit


def _matrices(leaves: Iterable[Leaf]) -> Expression:
    """The matrices of one layer."""
    return total([times(leaf.per_layer, t.count) for leaf in leaves for t in leaf.component.tensors if is_matrix(t)])


def _stack(model: Model, place: str, leaves: Sequence[Leaf]) -> tuple[LayerEstimate | None, Estimate]:
    """A layer in units of h², and the stack as c·L·h²; by its number alone where no letter says what h is."""
    copies, width, layer_count = evaluate(leaves[0].layers, model.values), width_of(leaves), _value(model, leaves)
    if width is None or width not in model.values:
        return None, Estimate(place, None, Product((Number(copies), Number(layer_count))), copies * layer_count)
    square = Fraction(model.values[width] ** 2)
    sublayers: dict[str, list[Leaf]] = {}
    for leaf in leaves:
        *_, which = leaf.part.key
        name = (leaf.part.role.value if which == 0 else "") or leaf.part.name if leaf.sublayer else leaf.name
        sublayers.setdefault(name, []).append(leaf)
    parts_of = [(name, part) for name, inner in sublayers.items() if (part := _value(model, inner) / square)]
    if len(parts_of) == 1:
        parts_of = list(_projections(model, leaves, square)) or parts_of
    layer = LayerEstimate(place, width, layer_count / square, tuple(parts_of))
    factor, kept = decimal(layer.factor), factor_of(layer.factor)
    number = factored(multiply_out(leaves[0].layers, model.relations))
    number = number.inner if isinstance(number, Size) else number
    formula = Size(Product((factor, number, Power(width, 2))))
    numbers = Product((factor, Number(copies), Power(Number(model.values[width]), 2)))
    rough = None if kept == layer.factor else (kept * copies * square).__round__()
    return layer, Estimate(place, formula, numbers, copies * layer_count, rough=rough)


def _projections(model: Model, leaves: Sequence[Leaf], square: Fraction) -> Iterator[tuple[str, Fraction]]:
    """A layer of one sublayer: its matrices that are whole multiples of h², and the rest; nothing where either is all."""
    values = [
        evaluate(times(leaf.per_layer, tensor.count), model.values) / square
        for leaf in leaves
        for tensor in leaf.component.tensors
        if is_matrix(tensor)
    ]
    whole, rest = (sum(value for value in values if (value.denominator == 1) is is_whole) for is_whole in (True, False))
    if whole and rest:
        yield "projections", Fraction(whole)
        yield "rest", Fraction(rest)


def _value(model: Model, leaves: Sequence[Leaf]) -> int:
    return evaluate(_matrices(leaves), model.values)


def width_of(leaves: Sequence[Leaf]) -> Dimension | None:
    """Return the width of the vectors that pass through these layers: of their norms, or of what their sublayers read."""
    norms = (leaf for leaf in leaves if leaf.component.role is Role.NORM and not leaf.sublayer)
    gains = (tensor.shape[0] for leaf in norms for tensor in leaf.component.tensors)
    return _commonest(gains) or _commonest(_inputs(leaves))


def _inputs(leaves: Iterable[Leaf]) -> Iterable[Expression]:
    """Return the widths that the first matrix of each sublayer reads."""
    read = set()
    for leaf in leaves:
        matrices = [t for t in leaf.component.tensors if t.use is Use.WEIGHT and len(t.shape) > 1]
        if leaf.sublayer and matrices and leaf.sublayer[0] not in read:
            read.add(leaf.sublayer[0])
            yield matrices[0].shape[-2]


def _commonest(sides: Iterable[Expression]) -> Dimension | None:
    letters = Counter(side for side in sides if isinstance(side, Dimension))
    return letters.most_common(1)[0][0] if letters else None


def _is_large(model: Model, value: int, least: Fraction = LEAST) -> bool:
    """True if this is worth keeping in one's head, for the count or for what one token uses."""
    return Fraction(value, model.active_count() if model.has_experts else model.count()) >= least


def _is_kept(model: Model, part: Part) -> bool:
    is_active = Fraction(part.active.value or 0, model.active_count()) >= LEAST
    return is_active or (part.share is not None and part.share >= LEAST)


def _of_part(part: Part) -> Estimate:
    """A part of a mixture's layers: the experts from one of them, anything else as it is."""
    subject, copies = part.copies.subject, part.copies.count or 0
    name = f"{part.name}/{part.within}" if part.within else part.name
    if part.experts is None:
        numbers = Product((Number(copies), Number(part.one.count or 0)))
        return Estimate(name, None, numbers, part.every.count or 0, part.active.count or 0)
    number, expert = part.experts.number, part.experts.one
    written = part.copies.closed.inner if isinstance(part.copies.closed, Size) else part.copies.closed
    numbers = Product((Number(copies), substitute(number, subject.values), Number(evaluate(expert, subject.values))))
    return Estimate(name, Product((written, number, expert)), numbers, part.every.count or 0, part.active.count or 0)


def _outside(model: Model) -> Iterator[Estimate]:
    """The large matrices outside of the layers: tables and head together, anything else by its part."""
    gathered: dict[str, list[Expression]] = {}
    models = models_within(model)
    for leaf in model.leaves:
        for tensor in leaf.component.tensors:
            written = times(leaf.times, tensor.count)
            is_table = leaf.component.role is Role.TABLE
            least = LEAST_TABLE if is_table else LEAST / 2
            is_little = not _is_large(model, evaluate(written, model.values), least)
            if leaf.stack or not is_matrix(tensor) or is_little:
                continue
            is_head = leaf.part.role is PartRole.OUTPUT_HEAD
            name = TABLES if is_table else HEAD if is_head else name_outside(leaf, models)
            gathered.setdefault(name, []).append(written)
    if TABLES in gathered and HEAD in gathered:
        gathered = {BOTH: [*gathered.pop(TABLES), *gathered.pop(HEAD)], **gathered}
    for name, terms in gathered.items():
        formula = factored(multiply_out(total(terms), model.relations))
        numbers = substitute(formula.inner if isinstance(formula, Size) else formula, model.values)
        value = evaluate(total(terms), model.values)
        if _is_large(model, value):
            yield Estimate(name, formula, numbers, value, value)
