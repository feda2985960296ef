"""Closed forms of several models: each by itself, and A − B with each model's letters told apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from symparams.answers.aligned_components import aligned_components
from symparams.answers.comparison import Comparison, Difference
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.factoring import MOST_TERMS as MOST_FACTORED
from symparams.expressions.factoring import factored
from symparams.expressions.nodes import Dimension, Expression, Named, Negative, Number, Product, Size, Sum
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.symbols import by_reading
from symparams.expressions.written import number, replaced, substitute, with_sign
from symparams.models.blocks import MOST_EXPANDED
from symparams.models.calculation import Calculation
from symparams.sheets.document import Block, Column, Equation, Lead, Link, Paragraph, Section, Table
from symparams.sheets.values import Capital, Name, ProperName, Prose, Sentence, Value

MOST_TERMS = 10  # of a difference that a reader follows; that of two unlike models is told component by component


def forms(compared: Comparison, labels: Sequence[str]) -> Iterator[Section]:
    """The closed form of each model."""
    blocks: list[Block] = [Lead([Sentence("compare.letters")])]
    for calculation, label in zip(compared.calculations, labels, strict=True):
        blocks.append(Equation(Named(ProperName(label), calculation.written), [Link(_form(calculation))]))
    if not any(pair.polynomial for pair in compared.differences):
        blocks.append(Paragraph([Sentence("compare.same_form")]))
    yield Section("forms", Sentence("compare.headings.forms"), blocks)


def difference(compared: Comparison, labels: Sequence[str]) -> Iterator[Section]:
    """The first less each of the others, in letters and in numbers.

    Of two models whose difference is too long to follow in letters there is nothing: a table has it in numbers. If they have
    none, a table has it in letters, part by part.
    """
    pairs = zip(compared.differences, labels[1:], strict=True)
    blocks = [block for pair, label in pairs for block in _difference(pair, labels[0], label)]
    links = [link for block in blocks if isinstance(block, Equation) for link in block.chain]
    is_in_letters = any(link.content.dimensions for link in links) or any(isinstance(block, Table) for block in blocks)
    if len(compared.models) > 2 or is_in_letters:
        yield Section("difference", Sentence("compare.headings.difference"), blocks)


def _difference(pair: Difference, first: str, other: str) -> Iterator[Block]:
    """A − B: in letters, those that have another value in each model told apart, with numbers, and what it comes to."""
    minuend, subtrahend = Named(ProperName(first), pair.first.written), Named(ProperName(other), pair.other.written)
    apart, (here, there) = Sum((minuend, Negative(subtrahend))), told_apart(pair)
    if pair.value is None:
        if len(pair.polynomial.terms) > MOST_FACTORED:
            yield from _by_part(pair, first, other)
        elif pair.polynomial:
            yield Equation(apart, [Link(_written(pair.polynomial))])
        return
    told = _in_letters(pair.first, here) - _in_letters(pair.other, there)
    form = _positive_first(factored(told) if here else _written(told))
    values = {here.get(letter, letter): value for letter, value in pair.first.model.values.items()}
    values |= {there.get(letter, letter): value for letter, value in pair.other.model.values.items()}
    is_short = len(pair.polynomial.terms) + len(here) <= MOST_TERMS
    if here and is_short:
        yield Lead([Sentence("compare.told_apart", {"first": Prose(first), "other": Prose(other)})])
    with_numbers = _signed(substitute(_opened(form) if isinstance(form, Size) else form, values))
    numbers = Sum((number(pair.first.value()), Negative(number(pair.other.value()))))
    whole = with_sign(pair.value)
    worked = [with_numbers] if with_numbers != number(pair.value) else []
    steps = [form, *worked] if is_short and form.dimensions else [numbers]
    yield Equation(apart, [Link(step) for step in (*steps, whole)])


def _positive_first(form: Expression) -> Expression:
    """A form whose sums begin with what is added: 1 − n_experts, not −n_experts + 1."""
    if isinstance(form, Size):
        return Size(_positive_first(form.inner))
    if not isinstance(form, Sum | Product | Negative):
        return form
    operands = tuple(map(_positive_first, form.operands))
    if isinstance(form, Sum):
        first = next((operand for operand in operands if not isinstance(operand, Negative)), operands[0])
        operands = (first, *(operand for operand in operands if operand is not first))
    return form.of(*operands)


def _opened(form: Expression) -> Expression:
    """A form whose brackets are products: they keep their terms when numbers are put in."""
    if isinstance(form, Size) and any(isinstance(factor, Sum) for factor in form.inner.operands):
        return _opened(form.inner)
    return form.of(*map(_opened, form.operands)) if isinstance(form, Sum | Product | Negative) else form


def _by_part(pair: Difference, first: str, other: str) -> Iterator[Block]:
    """A − B in letters, a line for each part in which they differ; a long one as each model has it."""
    rows: list[list[Value]] = []
    for component in aligned_components((pair.first, pair.other)):
        own, theirs = (share.step for share in component.shares)
        if apart := own.polynomial - theirs.polynomial:
            form = factored(apart) if len(apart.terms) <= MOST_TERMS else Sum((own.closed, Negative(theirs.closed)))
            rows.append([Capital(Name(component.name)), form])
    columns = [Column(Sentence("columns.component"), is_words=True), Column(Sentence("columns.difference"), moves=1)]
    yield Lead([Sentence("compare.minus", {"first": Prose(first), "other": Prose(other)})])
    yield Table("difference_forms", columns, rows)


def told_apart(pair: Difference) -> tuple[Mapping[Dimension, Dimension], Mapping[Dimension, Dimension]]:
    """Return the letters that have another value in each of two models, with one of their own for each: V_1 and V_2."""
    first, other = pair.first.model.values, pair.other.model.values
    forms = pair.first.polynomial, pair.other.polynomial
    met = {d for form in forms for letter in form.letters for d in letter.dimensions}
    unlike = sorted((d for d in met if d in first and d in other and first[d] != other[d]), key=by_reading)
    here, there = ({d: Dimension(f"{d.name}_{place}") for d in unlike} for place in (1, 2))
    return here, there


def _in_letters(calculation: Calculation, letters: Mapping[Dimension, Dimension]) -> Polynomial:
    return multiply_out(replaced(as_written(calculation.polynomial), letters), {})


def _written(polynomial: Polynomial) -> Expression:
    """A difference multiplied out; with common factors drawn out where it is long."""
    return factored(polynomial) if len(polynomial.terms) > MOST_EXPANDED else as_written(polynomial)


def _form(calculation: Calculation) -> Expression:
    """The closed form as a person writes it: by blocks, without names, where it has many terms."""
    if len(calculation.polynomial.terms) <= MOST_EXPANDED:
        return as_written(calculation.polynomial)
    return calculation.by_blocks({})


def _signed(numbers: Expression) -> Expression:
    """A sum whose negative numbers are subtracted."""
    if isinstance(numbers, Sum):
        return numbers.of(*map(_signed, numbers.terms))
    return with_sign(numbers.value) if isinstance(numbers, Number) else numbers
