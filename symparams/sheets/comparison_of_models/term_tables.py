"""Closed forms of several models: each by itself, the terms in which they differ, those in common, and A − B."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from symparams.answers.comparison_of_costs import CostComparison, CostDifference
from symparams.answers.comparison_of_models import Difference, ModelComparison
from symparams.derivations.derivation import form_of
from symparams.expressions.closed_form import as_written, written_term
from symparams.expressions.factoring import factored
from symparams.expressions.marks import Named
from symparams.expressions.nodes import Expression, Negative, Sum, as_expression
from symparams.expressions.polynomial import Polynomial
from symparams.models.blocks import EXPANDED, MOST_EXPANDED
from symparams.models.costing import Costing
from symparams.models.model import Model
from symparams.sheets.document import Block, Column, Equation, Lead, Link, Paragraph, Section, Table
from symparams.sheets.values import ProperName, Prose, Sentence


def forms(compared: ModelComparison | CostComparison, labels: Sequence[str], most: int) -> Iterator[Section]:
    """The closed form of each; a table of the terms that differ, ``most`` models beside one another; those in common."""
    blocks: list[Block] = [Lead([Sentence("compare.letters")])]
    subjects: Sequence[Model | Costing] = compared.subjects
    for subject, label in zip(subjects, labels, strict=True):
        blocks.append(Equation(_count(subject, label), [Link(_form(subject))]))
    blocks += _terms(compared, labels, most)
    yield Section("forms", Sentence("compare.headings.forms"), blocks)


def difference(compared: ModelComparison | CostComparison, labels: Sequence[str]) -> Iterator[Section]:
    """The first less each of the others, in letters and in numbers."""
    symbolic, numeric = _differences(compared, labels)
    blocks: list[Block] = []
    if symbolic and any(not each.has_same_sizes for each in compared.differences):
        blocks.append(Lead([Sentence(_only(compared))]))
    blocks += symbolic
    if numeric:
        blocks += [*([Lead([Sentence("compare.counts")])] if symbolic else []), *numeric]
    if blocks:
        yield Section("difference", Sentence("compare.headings.difference"), blocks)


def _only(compared: ModelComparison | CostComparison) -> str:
    return "compare.symbols_only" if isinstance(compared, ModelComparison) else "compare.symbols_only_of_costs"


def _differences(compared: ModelComparison | CostComparison, labels: Sequence[str]) -> tuple[list[Equation], list[Equation]]:
    """A − B in letters, where the closed forms are not the same, and in numbers, where both have values."""
    symbolic, numeric = [], []
    differences: Sequence[Difference | CostDifference] = compared.differences
    for each, label in zip(differences, labels[1:], strict=True):
        apart = Sum((_count(each.first, labels[0]), Negative(_count(each.other, label))))
        if each.polynomial:
            symbolic.append(Equation(apart, [Link(_written(each.polynomial))]))
        if each.value is not None:
            numbers = Sum((as_expression(_number(each.first)), Negative(as_expression(_number(each.other)))))
            numeric.append(Equation(apart, [Link(numbers), Link(_whole(each.value))]))
    return symbolic, numeric


def _written(polynomial: Polynomial) -> Expression:
    """A difference multiplied out; with common factors drawn out where it is long."""
    return factored(polynomial) if len(polynomial.terms) > MOST_EXPANDED else as_written(polynomial)


def _terms(compared: ModelComparison | CostComparison, labels: Sequence[str], most: int) -> Iterator[Block]:
    apart = [term for term in compared.terms if term.differs]
    if not apart:
        yield Paragraph([Sentence("compare.same_form")])
        return
    yield Lead([Sentence("compare.terms")])
    for start in range(0, len(labels), most):
        columns = [Column(Sentence("columns.term")), *(Column(Prose(label), "r") for label in labels[start : start + most])]
        rows = [
            [written_term(1, term.monomial), *(written_term(each, ()) for each in term.coefficients[start : start + most])]
            for term in apart
        ]
        yield Table("terms", columns, rows)
    if compared.common:
        yield Lead([Sentence("compare.common")])
        yield Equation(None, [Link(as_written(compared.common))])
    else:
        yield Paragraph([Sentence("compare.no_common")])


def _form(subject: Model | Costing) -> Expression:
    """The closed form as a person writes it: by blocks, without names, where it has many terms."""
    if isinstance(subject, Costing):
        return as_written(subject.polynomial) if len(subject.polynomial.terms) <= MOST_EXPANDED else subject.blocks
    return as_written(subject.polynomial()) if form_of(subject) == EXPANDED else subject.blocks(names={}).formula


def _count(subject: Model | Costing, label: str) -> Expression:
    return Named(ProperName(label), subject.written if isinstance(subject, Costing) else subject.formula())


def _number(subject: Model | Costing) -> int | Fraction:
    return subject.value() if isinstance(subject, Costing) else subject.count()


def _whole(value: int | Fraction) -> Expression:
    return as_expression(value) if value >= 0 else Negative(as_expression(-value))
