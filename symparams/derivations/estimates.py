"""Estimates: what one can work out in one's head, c·L·h² for each stack with its own h, and the tables beside it.

A plain layer is 12·h²; c is that of the model, whatever it comes to (18.1 for a Qwen2), and of a mixture the parts stand
one by one, since nobody remembers its c.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from symparams.components.kinds import PartRole, Role, Use
from symparams.components.walks import Leaf
from symparams.derivations.mixtures import Matrix
from symparams.derivations.parts import Part, called_alone, models_within, name_outside, parts, place_of
from symparams.derivations.rule_of_thumb import ratios
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.factoring import factored
from symparams.expressions.nodes import (
    Decimal,
    Dimension,
    Expression,
    Number,
    Power,
    Product,
    Size,
    Sum,
    factors_of,
    unmarked,
)
from symparams.expressions.written import evaluate, half_up, substitute, times, total
from symparams.models.blocks import with_inner_size
from symparams.models.model import Model
from symparams.quantities.parameters import is_matrix, is_owned
from symparams.records import frozen

LEAST = Fraction(1, 100)  # of the count, or of what one token uses: what is less is not worth keeping in one's head
LEAST_TABLE = Fraction(1, 500)  # beside a larger one
DIGITS = 3
NEAR, MOST_PLACES = Fraction(1, 2000), 2  # of a factor that is rounded: how far off it may be, its decimals
MOST_WIDTHS, LEAST_WIDTH = 3, Fraction(1, 16)  # of a layer, in units of the width of its vectors
TABLES, HEAD, BOTH = "tables", "lm_head", "tables_and_head"
EXPERTS = "routed_and_shared_experts"


@frozen
class Estimate:
    """One addend: what it is of, its formula, the same with numbers, and its exact value; ``active`` is a token's share.

    ``of_active`` are the numbers of that share where it is not the whole. ``one`` is what one expert has, or one layer of a
    part whose matrices are several products: a line of its own, from which this one goes on.
    """

    name: str
    formula: Expression | None
    numbers: Expression
    value: int
    active: int = 0
    of_active: Expression | None = None
    one: OneOf | None = None


@frozen
class OneOf:
    """The matrices of one expert, or of one layer of a part, in numbers."""

    name: str
    is_expert: bool
    numbers: Expression
    value: int


@frozen
class LayerEstimate:
    """One layer of a stack in units of the square of its width: all of it, and what each sublayer has of that.

    The factors are rounded alike, so that they add up. ``ratios`` are the widths within it, as d_ff, in units of its own; a
    sublayer that is not a multiple of these has a ``rest``.
    """

    place: str
    width: Dimension
    factor: Fraction
    sublayers: tuple[tuple[str, Fraction], ...]
    is_exact: bool
    ratios: tuple[tuple[Expression, Fraction], ...] = ()
    rest: Expression | None = None


@frozen
class InTheHead:
    """A count in the head: a layer of each stack, and the addends of the count."""

    layers: tuple[LayerEstimate, ...]
    addends: tuple[Estimate, ...]

    @property
    def ones(self) -> tuple[OneOf, ...]:
        """What the addends go on from."""
        return tuple(dict.fromkeys(addend.one for addend in self.addends if addend.one is not None))

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
        return _by_parts(model, outside)
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
    if not all(map(_is_remembered, layers)):
        return _by_parts(model, outside)
    kept = [estimate for _, estimate in worked if _is_large(model, estimate.value)]
    return InTheHead(layers, (*kept, *outside)) if kept or outside else None


def _by_parts(model: Model, outside: Sequence[Estimate]) -> InTheHead:
    """The parts of the layers one by one, where no c·L·h² is worth remembering."""
    repeated = [part for part in parts(model) if part.is_repeated and _is_kept(model, part)]
    return InTheHead((), (*_with_shared_experts(repeated), *outside))


def _with_shared_experts(repeated: Sequence[Part]) -> list[Estimate]:
    """The parts; shared experts stand with the routed ones where they are as large: 58 × (256 + 1) × 44.0 M."""
    estimates = [_of_part(part) for part in repeated]
    pairs = list(zip(repeated, estimates, strict=True))
    mixtures = [(part, routed) for part, routed in pairs if part.experts is not None and routed.of_active is not None]
    beside = [(part, shared) for part, shared in pairs if part.role is PartRole.SHARED_EXPERTS]
    if len(mixtures) != 1 or len(beside) != 1:
        return estimates
    [(part, routed)], [(other, shared)] = mixtures, beside
    experts, one, copies = part.experts, routed.one, part.copies.count
    if experts is None or one is None or not copies or other.copies.count != copies:
        return estimates
    number, rest = divmod(shared.value, copies * one.value)
    if rest:
        return estimates
    counts = (evaluate(often, part.copies.subject.values) for often in (experts.number, experts.active))
    every, used = (Product((Number(copies), Sum((Number(of), Number(number))), Number(one.value))) for of in counts)
    both = Estimate(EXPERTS, None, every, routed.value + shared.value, routed.active + shared.active, used, one)
    return [both if estimate is routed else estimate for estimate in estimates if estimate is not shared]


def _is_remembered(layer: LayerEstimate) -> bool:
    """True if c·h² is a rule that a person keeps: it rests on few widths, none of them a small part of h."""
    return len(layer.ratios) <= MOST_WIDTHS and all(ratio >= LEAST_WIDTH for _, ratio in layer.ratios)


def left_out(model: Model) -> Iterator[Expression]:
    """All biases and norms, formula by formula."""
    for leaf in model.leaves:
        for tensor in leaf.component.tensors:
            is_small = tensor.use in (Use.BIAS, Use.GAIN) or leaf.component.role is Role.NORM
            if is_owned(tensor) and is_small:
                yield times(leaf.times, tensor.count)


def decimal(value: Fraction) -> Expression:
    """A factor as it is printed."""
    return Number(value.numerator) if value.denominator == 1 else Decimal(value)


def rounded_to(value: Fraction, digits: int) -> Fraction:
    """The nearest number of so many digits, halves up."""
    if not value:
        return value
    places = digits - len(str(int(value)))
    while value < 1 and value * 10**places < 10 ** (digits - 1):  # a zero at the start is no digit
        places += 1
    return half_up(value, places) * Fraction(10) ** -places


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
    projections, rest = _projections(model, leaves, square) if len(parts_of) == 1 else ([], None)
    parts_of = projections or parts_of
    whole = layer_count / square
    for places in range(MOST_PLACES + 1):
        rounded = _rounded(parts_of, places)
        kept = Fraction(sum(part for _, part in rounded))
        if abs(kept - whole) <= NEAR * whole:
            break
    widths = {} if rest is not None else dict(ratios(model, multiply_out(_matrices(leaves), model.relations), width))
    layer = LayerEstimate(place, width, kept, rounded, kept == whole, tuple(widths.items()), rest)
    factor = decimal(kept)
    number = factored(multiply_out(leaves[0].layers, model.relations))
    formula = Size(Product((factor, unmarked(number), Power(width, 2))))
    numbers = Product((factor, Number(copies), Power(Number(model.values[width]), 2)))
    return layer, Estimate(place, formula, numbers, copies * layer_count)


def _rounded(parts_of: Sequence[tuple[str, Fraction]], places: int) -> tuple[tuple[str, Fraction], ...]:
    """Factors with so many decimals."""
    unit = Fraction(1, 10**places)
    return tuple((name, half_up(part, places) * unit) for name, part in parts_of)


def _projections(
    model: Model, leaves: Sequence[Leaf], square: Fraction
) -> tuple[list[tuple[str, Fraction]], Expression | None]:
    """A layer of one sublayer: its matrices that are whole multiples of h², and the rest with its formula; [] without both."""
    whole, rest = Fraction(), list[Expression]()
    for leaf in leaves:
        for tensor in filter(is_matrix, leaf.component.tensors):
            written = times(leaf.per_layer, tensor.count)
            value = evaluate(written, model.values) / square
            if value.denominator == 1:
                whole += value
            else:
                rest.append(written)
    if not whole or not rest:
        return [], None
    shares = [("projections", whole), ("rest", evaluate(total(rest), model.values) / square)]
    return shares, factored(multiply_out(total(rest), with_inner_size(model.relations)))


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
    return value >= least * (model.active_count() if model.has_experts else model.count())


def _is_kept(model: Model, part: Part) -> bool:
    is_active = model.has_experts and Fraction(part.active.value or 0, model.active_count()) >= LEAST
    return is_active or (part.share is not None and part.share >= LEAST)


def _of_part(part: Part) -> Estimate:
    """A part of a mixture's layers by its matrices: experts by way of one of them, several products by way of one layer."""
    values, copies = part.copies.subject.values, part.copies.count or 0
    name = f"{part.name}/{part.within}" if part.within else part.name
    experts = part.experts
    if experts is None:
        one = _one_of(part, name, part.matrices)
        value = copies * one.value
        if isinstance(one.numbers, Sum):
            return Estimate(name, None, Product((Number(copies), Number(one.value))), value, value, one=one)
        return Estimate(name, None, times(Number(copies), one.numbers), value, value)
    one = _one_of(part, str(experts.one.label), experts.matrices)
    number, active = (evaluate(often, values) for often in (experts.number, experts.active))
    every, used = (Product((Number(copies), Number(often), Number(one.value))) for often in (number, active))
    counts = copies * number * one.value, copies * active * one.value
    return Estimate(name, None, every, *counts, used if active != number else None, one)


def _one_of(part: Part, name: str, matrices: Sequence[Matrix]) -> OneOf:
    """One of a part: 3 × 7,168 × 2,048 where its matrices are of one size, else their products, all that are large."""
    subject, is_expert = part.one.subject, part.experts is not None
    whole = total([times(number, *shape) for number, shape in matrices])
    polynomial = multiply_out(whole, with_inner_size(subject.relations))
    if len(polynomial.terms) == 1:
        product = substitute(unmarked(as_written(polynomial)), subject.values)
        numbers = times(*factors_of(product))
        return OneOf(name, is_expert, numbers, evaluate(numbers, {}))
    alike: dict[frozenset[int], tuple[int, Sequence[int]]] = {}
    for number, shape in matrices:
        sides = [evaluate(side, subject.values) for side in shape]
        often, first = alike.get(frozenset(sides), (0, sides))
        alike[frozenset(sides)] = often + evaluate(number, subject.values), first
    products = [times(*map(Number, (often, *sides))) for often, sides in alike.values()]
    least = LEAST_TABLE * evaluate(whole, subject.values)
    numbers = total([product for product in products if evaluate(product, {}) > least])
    return OneOf(name, is_expert, numbers, evaluate(numbers, {}))


def _outside(model: Model) -> Iterator[Estimate]:
    """The large matrices outside of the layers: tables and head together, anything else by its part."""
    gathered: dict[str, list[Expression]] = {}
    models = models_within(model)
    for leaf in (leaf for leaf in model.leaves if not leaf.stack):
        for tensor in leaf.component.tensors:
            written = times(leaf.times, tensor.count)
            is_table = leaf.component.role is Role.TABLE
            least = LEAST_TABLE if is_table else LEAST / 2
            if not is_matrix(tensor) or not _is_large(model, evaluate(written, model.values), least):
                continue
            is_head = leaf.part.role is PartRole.OUTPUT_HEAD
            name = TABLES if is_table else HEAD if is_head else name_outside(leaf, models)
            gathered.setdefault(name, []).append(written)
    if TABLES in gathered and HEAD in gathered:
        gathered = {BOTH: [*gathered.pop(TABLES), *gathered.pop(HEAD)], **gathered}
    for name, terms in gathered.items():
        formula = factored(multiply_out(total(terms), model.relations))
        numbers = substitute(unmarked(formula), model.values)
        value = evaluate(total(terms), model.values)
        if _is_large(model, value):
            yield Estimate(name, None if model.has_experts else formula, numbers, value, value)
