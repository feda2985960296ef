"""In one's head: what a layer comes to, the addends roughly, their sum, and by how much it misses the count."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import zip_longest

from symparams.derivations.derivation import Derivation
from symparams.derivations.estimates import (
    DIGITS,
    Estimate,
    InTheHead,
    LayerEstimate,
    decimal,
    in_the_head,
    rounded_to,
)
from symparams.derivations.rule_of_thumb import multiple
from symparams.expressions.nodes import (
    Decimal,
    Dimension,
    Equality,
    Expression,
    Named,
    Number,
    Power,
    Product,
    Size,
    Sum,
)
from symparams.expressions.printing.nodes import Scaled, Strong
from symparams.expressions.printing.printer import rounded_half_up
from symparams.expressions.written import evaluate, exact, number, total
from symparams.models.model import Model
from symparams.records import frozen
from symparams.sheets.catalogue import Catalogue
from symparams.sheets.document import Block, Equation, Lead, Link, Paragraph, Section
from symparams.sheets.values import (
    FINER,
    PERCENT,
    Capital,
    Listed,
    Name,
    Percentage,
    Sentence,
    Value,
    enumerated,
    rounded,
    short,
)

LEAST = Fraction(1, 20_000)  # half of the last digit of a percentage
MOST_PARTS = 16  # of a fraction that is told as it is
MOST_DIGITS = 5  # of an addend
LEAST_LONG, LONG = 10**4, 10**6  # a number that is rounded within a product; one that is told in millions
# The sentence on a layer: of one of several stacks, with what its sublayers have of it.
LAYER: Mapping[tuple[bool, bool], str] = {
    (False, True): "brief.layer.one",
    (False, False): "brief.layer.one_plain",
    (True, True): "brief.layer.of",
    (True, False): "brief.layer.of_plain",
}


@frozen
class Scale:
    """The digits to which numbers are rounded in the head, with the catalogue that has the words for their powers of ten."""

    catalogue: Catalogue
    digits: int = DIGITS

    def rounded(self, value: int) -> tuple[Scaled, bool] | None:
        """Return a number as it reads, and whether it is exact; None for a small one."""
        return rounded(value, self.catalogue.short_rounding, self.digits)

    def short(self, value: int) -> Expression:
        """Return a number as it reads, and a small one as it is."""
        return short(value, self.catalogue.short_rounding, self.digits)


def estimates(derivation: Derivation, words: Catalogue) -> Iterator[Section]:
    """The section of a count of tensors; none for a model without values."""
    model = derivation.model
    estimate = None if derivation.is_by_terms else in_the_head(model)
    if estimate is None:
        return
    scale = _scale(estimate, words)
    lead = [*_layers(estimate.layers, words), *_relations(estimate.layers), *_ones(estimate, scale)]
    blocks: list[Block] = [Lead(lead)] if lead else []
    blocks += [_line(addend, scale) for addend in estimate.addends]
    if len(estimate.addends) > 1:
        is_in_letters = all(addend.formula is not None for addend in estimate.addends) and not model.has_experts
        quantity = Named("", model.formula()) if is_in_letters else None
        blocks.append(_together("total", quantity, [_reckoned(addend.numbers, scale) for addend in estimate.addends], scale))
    if model.has_experts:
        used = [addend.of_active or addend.numbers for addend in estimate.addends]
        products = [None if addend.of_active is None else _rough(addend.of_active, scale) for addend in estimate.addends]
        blocks.append(_together("active", None, [_reckoned(numbers, scale) for numbers in used], scale, products))
    yield Section("head", Sentence("headings.head"), [*blocks, Paragraph([_missing(model, estimate, words)])])


def _scale(estimate: InTheHead, words: Catalogue) -> Scale:
    """Three digits, or more where the sum of addends of three would round to another number than the exact sum."""
    rough, exact_sum = Scale(words), _as_read(estimate.value, Scale(words))
    for scale in (replace(rough, digits=digits) for digits in range(DIGITS, MOST_DIGITS + 1)):
        read = sum(_as_read(_reckoned(addend.numbers, scale), scale) for addend in estimate.addends)
        if _as_read(round(read), rough) == exact_sum:
            return scale
    return rough


def _layers(layers: Sequence[LayerEstimate], words: Catalogue) -> Iterator[Value]:
    """A layer is 12·h²: 4·h² for attention, 8·h² for the feed-forward network."""
    for layer in layers:
        square = _square(layer.factor, layer)
        factors = [(name, factor) for name, factor in layer.sublayers if f"brief.sublayers.{name}" in words.entries]
        rest = {} if layer.rest is None else {"rest": layer.rest}
        shares = [Sentence(f"brief.sublayers.{name}", {"square": _square(factor, layer), **rest}) for name, factor in factors]
        key = LAYER[len(layers) > 1, len(shares) > 1]
        terms: dict[str, Value] = {
            "square": square if layer.is_exact else Sentence("brief.layer.about", {"square": square}),
            "place": Capital(Name(layer.place)),
            "shares": Listed(tuple(shares), "signs.comma"),
        }
        yield Sentence(key, terms)


def _square(factor: Fraction, layer: LayerEstimate) -> Expression:
    return Size(Product((decimal(factor), Power(layer.width, 2)))) if factor != 1 else Power(layer.width, 2)


def _relations(layers: Sequence[LayerEstimate]) -> Iterator[Value]:
    """The widths that make a layer a multiple of h²: n_kv_heads·d_head = h / 4, d_ff = 3.5·h."""
    widths = dict.fromkeys((size, ratio, layer.width) for layer in layers for size, ratio in layer.ratios)
    if relations := tuple(_relation(*of) for of in widths):
        yield Sentence("rule.uses", {"relations": enumerated(relations)})


def _relation(size: Expression, ratio: Fraction, width: Dimension) -> Value:
    """One of them; rounded where no small fraction gives it: d_ff ≈ 3.74·h, not (269 / 72)·h."""
    if ratio.denominator <= MOST_PARTS or (ratio * 100).denominator == 1:
        return Equality(size, multiple(ratio, width))
    return Sentence("rule.nearly", {"size": size, "multiple": multiple(rounded_to(ratio, DIGITS), width)})


def _ones(estimate: InTheHead, scale: Scale) -> Iterator[Sentence]:
    """One expert: 3 × 7,168 × 2,048 ≈ 44.0 M; and so one layer of a part that is several products."""
    for one in estimate.ones:
        name = Name(one.name) if one.is_expert else _label(one.name, scale.catalogue)
        key, value = "brief.expert" if one.is_expert else "brief.one_layer", scale.short(one.value)
        yield Sentence(key, {"name": Capital(name), "numbers": one.numbers, "value": value})


def _line(estimate: Estimate, scale: Scale) -> Equation:
    """Return the row of an estimate: its name, its formula, its numbers and their rounded value."""
    numbers = _rough(estimate.numbers, scale)
    is_read = estimate.one is not None or numbers == estimate.numbers  # 176 M has been read on the line of one expert
    links = [Link(numbers, "=" if is_read else "≈")] if estimate.formula is not None else []
    middle = _middle(estimate, scale)
    links += [Link(middle, "≈")] if middle is not None else []
    links.append(_rounded(_reckoned(estimate.numbers, scale), scale))
    return Equation(estimate.formula or numbers, links, in_a_row=True, label=Capital(_label(estimate.name, scale.catalogue)))


def _reckoned(numbers: Expression, scale: Scale) -> int:
    """Return the result of the numbers as they are printed on the line."""
    return round(exact(_rounded_factors(numbers, scale.digits, lambda value: number(_as_read(value, scale))), {}))


def _as_read(value: int, scale: Scale) -> Fraction:
    """A number as it reads once it is rounded: 44,040,192 is 44.0 M, 44,000,000."""
    scaled = scale.rounded(value)
    if scaled is None:
        return Fraction(value)
    shown, _ = scaled
    return Fraction(rounded_half_up(shown.value, shown.decimals).replace(",", "")) * (value / shown.value)


def _label(name: str, words: Catalogue) -> Value:
    if f"brief.addends.{name}" in words.entries:
        return Sentence(f"brief.addends.{name}")
    inner, slash, within = name.partition("/")
    if slash:
        return Sentence("brief.within", {"name": _label(inner, words), "outer": outer(within, words)})
    return Sentence(f"brief.names.{name}") if f"brief.names.{name}" in words.entries else Name(name)


def outer(name: str, words: Catalogue) -> Value:
    """The model or the stack that tells a part from another of its name."""
    return Sentence(f"brief.outer.{name}") if f"brief.outer.{name}" in words.entries else Name(name)


def _rough(numbers: Expression, scale: Scale) -> Expression:
    return _rounded_factors(numbers, scale.digits, scale.short)


def _rounded_factors(numbers: Expression, digits: int, in_millions: Callable[[int], Expression]) -> Expression:
    """Return a product whose large numbers are rounded, 768 × 31,000, if that leads to the same result.

    ``in_millions`` rounds a number of a million or more: 44.0 M.
    """
    if not isinstance(numbers, Product):
        return numbers
    summed = [number(evaluate(factor, {})) if isinstance(factor, Sum) else factor for factor in numbers.factors]
    short_factors = [_short(factor) for factor in summed]
    is_same = _in_digits(Product(tuple(short_factors)), digits) == _in_digits(numbers, digits)
    factors = short_factors if is_same else numbers.factors
    return Product(tuple(in_millions(f.value) if isinstance(f, Number) and f.value >= LONG else f for f in factors))


def _in_digits(numbers: Expression, digits: int) -> Fraction:
    return rounded_to(Fraction(exact(numbers, {})), digits)


def _short(factor: Expression) -> Expression:
    """A number of five or six digits by its first three."""
    if isinstance(factor, Number) and LEAST_LONG <= factor.value < LONG:
        return number(rounded_to(Fraction(factor.value), DIGITS))
    return factor


def _middle(estimate: Estimate, scale: Scale) -> Expression | None:
    """144 × 0.590 M: the square by itself, where three of its digits lead to the same result."""
    match estimate.numbers:
        case Product((Number() | Decimal() as factor, Number(copies), Power(Number(width), 2))):
            often, square = Fraction(factor.value) * copies, Fraction(width**2)
            product = often * rounded_to(square, scale.digits)
            is_same = rounded_to(product, scale.digits) == rounded_to(Fraction(estimate.value), scale.digits)
            if often.denominator == 1 and is_same and width**2 >= LONG:
                return Product((Number(often.numerator), scale.short(width**2)))
    return None


def _rounded(value: int, scale: Scale, *, is_strong: bool = False) -> Link:
    scaled = scale.rounded(value)
    content: Expression = scaled[0] if scaled else Number(value)
    return Link(Strong(content) if is_strong else content, "=" if scaled is None or scaled[1] else "≈")


def _together(
    name: str, quantity: Named | None, values: Sequence[int], scale: Scale, products: Sequence[Expression | None] = ()
) -> Equation:
    """Return the row of the sum; ``products`` stand for those of its values that no row before has."""
    pairs = zip_longest(values, products)
    addends = [scale.short(value) if product is None else product for value, product in pairs if value]
    sum_of_read = sum(_as_read(value, scale) for value in values)
    links = [Link(total(addends), "≈")] if quantity is not None else []
    links.append(Link(_rounded(round(sum_of_read), replace(scale, digits=DIGITS), is_strong=True).content, "≈"))
    return Equation(
        total(addends) if quantity is None else quantity, links, in_a_row=True, label=Sentence(f"brief.together.{name}")
    )


def _missing(model: Model, estimate: InTheHead, words: Catalogue) -> Sentence:
    """Return the exact sum of the addends, and its distance from the count."""
    error = 1 - Fraction(estimate.value, model.count())
    terms: dict[str, Value] = {"sum": short(estimate.value, words.short_rounding, FINER), "error": Percentage(error, PERCENT)}
    if model.has_experts and error:
        missed = Percentage(1 - Fraction(estimate.active, model.active_count()), PERCENT)
        active = short(estimate.active, words.short_rounding, FINER)
        return Sentence("brief.missing.active", terms | {"active": active, "active_error": missed})
    is_sum = len(estimate.addends) > 1
    if not error:
        return Sentence("brief.missing.none" if is_sum else "brief.missing.none_one", terms)
    if error < LEAST:
        return Sentence("brief.missing.least" if is_sum else "brief.missing.least_one", terms)
    return Sentence("brief.missing.below" if is_sum else "brief.missing.below_one", terms)
