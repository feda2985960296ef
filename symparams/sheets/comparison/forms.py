"""Closed forms of several models: each by itself, the terms in which they differ, those in common, and A − B."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from symparams.answers.comparison import Comparison
from symparams.expressions.closed_form import as_written, written_term
from symparams.expressions.factoring import factored
from symparams.expressions.nodes import Expression, Named, Negative, Sum
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.written import number
from symparams.models.blocks import MOST_EXPANDED
from symparams.models.calculation import Calculation
from symparams.sheets.catalogue import Catalogue
from symparams.sheets.document import Block, Column, Equation, Lead, Link, Paragraph, Section, Table
from symparams.sheets.quantities import sentence_of
from symparams.sheets.values import ProperName, Prose, Sentence


def forms(compared: Comparison, labels: Sequence[str], most: int) -> Iterator[Section]:
    """The closed form of each; a table of the terms that differ, ``most`` models beside one another; those in common."""
    blocks: list[Block] = [Lead([Sentence("compare.letters")])]
    for calculation, label in zip(compared.calculations, labels, strict=True):
        blocks.append(Equation(Named(ProperName(label), calculation.written), [Link(_form(calculation))]))
    blocks += _terms(compared, labels, most)
    yield Section("forms", Sentence("compare.headings.forms"), blocks)


def difference(compared: Comparison, labels: Sequence[str], words: Catalogue) -> Iterator[Section]:
    """The first less each of the others, in letters and in numbers."""
    symbolic, numeric = _differences(compared, labels)
    blocks: list[Block] = []
    if symbolic and any(not pair.has_same_sizes for pair in compared.differences):
        blocks.append(Lead([sentence_of(compared.quantity, "symbols_only", words)]))
    blocks += symbolic
    if numeric:
        blocks += [*([Lead([Sentence("compare.counts")])] if symbolic else []), *numeric]
    if blocks:
        yield Section("difference", Sentence("compare.headings.difference"), blocks)


def _differences(compared: Comparison, labels: Sequence[str]) -> tuple[list[Equation], list[Equation]]:
    """A − B in letters, where the closed forms are not the same, and in numbers, where both have values."""
    symbolic, numeric = [], []
    for pair, label in zip(compared.differences, labels[1:], strict=True):
        first, other = (
            Named(ProperName(name), calculation.written) for calculation, name in ((pair.first, labels[0]), (pair.other, label))
        )
        apart = Sum((first, Negative(other)))
        if pair.polynomial:
            symbolic.append(Equation(apart, [Link(_written(pair.polynomial))]))
        if pair.value is not None:
            numbers = Sum((number(pair.first.value()), Negative(number(pair.other.value()))))
            numeric.append(Equation(apart, [Link(numbers), Link(_whole(pair.value))]))
    return symbolic, numeric


def _written(polynomial: Polynomial) -> Expression:
    """A difference multiplied out; with common factors drawn out where it is long."""
    return factored(polynomial) if len(polynomial.terms) > MOST_EXPANDED else as_written(polynomial)


def _terms(compared: Comparison, labels: Sequence[str], most: int) -> Iterator[Block]:
    apart = [term for term in compared.terms if term.differs]
    if not apart:
        yield Paragraph([Sentence("compare.same_form")])
        return
    yield Lead([Sentence("compare.terms")])
    for start in range(0, len(labels), most):
        columns = [Column(Sentence("columns.term")), *(Column(Prose(label), "r") for label in labels[start : start + most])]
        rows = [
            [
                written_term(1, term.monomial),
                *(written_term(coefficient, ()) for coefficient in term.coefficients[start : start + most]),
            ]
            for term in apart
        ]
        yield Table("terms", columns, rows)
    if compared.common:
        yield Lead([Sentence("compare.common")])
        yield Equation(None, [Link(as_written(compared.common))])
    else:
        yield Paragraph([Sentence("compare.no_common")])


def _form(calculation: Calculation) -> Expression:
    """The closed form as a person writes it: by blocks, without names, where it has many terms."""
    if len(calculation.polynomial.terms) <= MOST_EXPANDED:
        return as_written(calculation.polynomial)
    return calculation.by_blocks({})


def _whole(value: int | Fraction) -> Expression:
    return number(value) if value >= 0 else Negative(number(-value))
