"""Tables with a line for each of several models: their counts, their components, what they are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from symparams.answers.aligned_components import ModelShare
from symparams.answers.comparison import Comparison
from symparams.answers.traits import Trait
from symparams.expressions.nodes import Decimal
from symparams.expressions.printing.nodes import Remark
from symparams.expressions.written import ZERO
from symparams.models.calculation import Calculation
from symparams.sheets.catalogue import Catalogue
from symparams.sheets.costs.sheet import said
from symparams.sheets.document import Block, Column, Section, Table
from symparams.sheets.quantities import column_of
from symparams.sheets.values import Capital, Listed, Name, Prose, Sentence, Value, amount


def numbers(compared: Comparison, labels: Sequence[str], words: Catalogue) -> Iterator[Section]:
    """Yield the section with the number of each model, its active parameters, and its multiple of the smallest.

    Where models are called by letters, the table says which is which.
    """
    bound = [calculation.value() for calculation in compared.calculations if calculation.is_bound]
    has_letters = [model.name for model in compared.models] != list(labels)
    if not bound and not has_letters:
        return
    has_active = any(calculation.has_active for calculation in compared.calculations)
    keys = [*(["value", "rounded"] if bound else []), *(["active"] if bound and has_active else [])]
    keys += ["ratio"] if len(bound) > 1 and min(bound) else []
    rows: list[list[Value]] = []
    for calculation, label in zip(compared.calculations, labels, strict=True):
        cells = _cells(calculation, min(bound, default=1), words, has_active=has_active)
        rows.append([*([Prose(label)] if has_letters else []), Prose(calculation.name), *(cells.get(key) for key in keys)])
    columns = [*([Column(None)] if has_letters else []), Column(Sentence("columns.model"), is_words=True)]
    headings = {"value": column_of(compared.quantity)}
    columns += [Column(headings.get(key) or Sentence(f"columns.{key}"), "r", moves=int(key == "rounded")) for key in keys]
    yield Section("counts", None, [Table("counts", columns, rows)])


def _cells(calculation: Calculation, smallest: int | Fraction, words: Catalogue, *, has_active: bool) -> dict[str, Value]:
    if not calculation.is_bound:
        return {}
    value, model = calculation.value(), calculation.model
    links = said(value, calculation, words)
    return {
        "value": amount(value),
        "rounded": links[0].content if links else None,
        "active": model.active_count() if has_active and model.has_experts else None,
        "ratio": Decimal(Fraction(value) / smallest) if smallest else None,
    }


def traits(compared: Comparison, labels: Sequence[str]) -> Iterator[Section]:
    """Yield the section on the kinds of which the models are made, the different ones first; one line if all are alike."""
    rows: list[list[Value]] = []
    for trait in sorted(compared.traits, key=lambda trait: not trait.differs):
        name = Capital(Sentence(f"compare.traits.{trait.name}"))
        lines = zip(labels, trait.kinds, strict=True) if trait.differs else [(None, trait.kinds[0])]
        for i, (label, kinds) in enumerate(lines):
            model = Prose(label) if label is not None else Sentence("compare.all")
            rows.append([None if i else name, model, _kinds(trait, kinds)])
    columns = [Column(Sentence("columns.part"), is_words=True), Column(Sentence("columns.model"))]
    if rows:
        table = Table("traits", [*columns, Column(Sentence("columns.kind"), moves=1)], rows)
        yield Section("traits", Sentence("compare.headings.traits"), [table])


def _kinds(trait: Trait, kinds: Sequence[str]) -> Value:
    if not kinds:
        return Sentence("compare.none")
    return Listed(tuple(Sentence(f"compare.kinds.{kind}") for kind in kinds), "compare.list")


def components(compared: Comparison, labels: Sequence[str], words: Catalogue) -> Iterator[Section]:
    """Yield the section with every component of each model, in letters and, with values, in numbers that add up."""
    first = [Column(Sentence("columns.component"), is_words=True), Column(Sentence("columns.model"))]
    columns = [*first, Column(Sentence("columns.closed_form"), moves=1)]
    blocks: list[Block] = [Table("component_forms", columns, list(_forms(compared, labels, words)))]
    if any(calculation.is_bound for calculation in compared.calculations):
        columns = [*first, Column(column_of(compared.quantity), "r"), Column(Sentence("columns.share"), "r", moves=1)]
        blocks.append(Table("components", columns, list(_shares(compared, labels))))
    yield Section("components", Sentence("compare.headings.components"), blocks)


def _forms(compared: Comparison, labels: Sequence[str], words: Catalogue) -> Iterator[list[Value]]:
    """The closed forms of the components, of those models that have them: one line where all have the same."""
    for component in compared.components:
        forms = [_formula(share, words) for share in component.shares]
        is_same = len(set(forms)) == 1
        having = [(label, form) for label, form in zip(labels, forms, strict=True) if form is not None]
        for i, (label, form) in enumerate([(None, forms[0])] if is_same else having):
            model = Prose(label) if label is not None else Sentence("compare.all")
            yield [None if i else Capital(Name(component.name)), model, form]


def _shares(compared: Comparison, labels: Sequence[str]) -> Iterator[list[Value]]:
    """The numbers of the components with their parts of the whole, and the wholes."""
    for component in compared.components:
        having = [
            (label, share)
            for label, share in zip(labels, component.shares, strict=True)
            if share.step.polynomial or share.reason
        ]
        for i, (label, share) in enumerate(having):
            yield [None if i else Capital(Name(component.name)), Prose(label), amount(share.step.value), share.part]
    for i, (label, calculation) in enumerate(zip(labels, compared.calculations, strict=True)):
        whole: list[Value] = [amount(calculation.value()), Fraction(1)] if calculation.is_bound else [None, None]
        yield [None if i else Sentence("headings.sum"), Prose(label), *whole]


def _formula(share: ModelShare, words: Catalogue) -> Value:
    """The closed form of a component; where there is none, why."""
    if share.step.polynomial:
        return share.step.closed
    return Remark(ZERO, words.entry(f"compare.reasons.{share.reason}")) if share.reason else None
