"""Tables with a line for each of several models: their counts, their components, what they are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from symparams.answers.aligned_components import ModelShare
from symparams.answers.comparison import Comparison
from symparams.answers.traits import Trait
from symparams.expressions.nodes import Decimal
from symparams.expressions.printing.nodes import Remark, Signed
from symparams.expressions.written import ZERO, with_sign
from symparams.models.calculation import Calculation
from symparams.sheets.catalogue import Catalogue
from symparams.sheets.document import Block, Column, Lead, Section, Table
from symparams.sheets.quantities import column_of, rounded_links
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
    links = rounded_links(value, calculation.quantity, words)
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
    columns = [Column(Sentence("columns.component"), is_words=True), Column(Sentence("columns.model"))]
    if rows:
        table = Table("traits", [*columns, Column(Sentence("columns.kind"), moves=1)], rows)
        yield Section("traits", Sentence("compare.headings.traits"), [table])


def _kinds(trait: Trait, kinds: Sequence[str]) -> Value:
    if not kinds:
        return Sentence("compare.none")
    return Listed(tuple(Sentence(f"compare.kinds.{kind}") for kind in kinds), "signs.list")


def components(compared: Comparison, labels: Sequence[str], most: int) -> Iterator[Section]:
    """Yield the section with the number of every component, ``most`` models beside one another; of two their difference.

    The components that differ most stand first.
    """
    if not any(calculation.is_bound for calculation in compared.calculations):
        return
    has_difference = len(labels) == 2 and all(calculation.is_bound for calculation in compared.calculations)
    rows: list[tuple[Value, list[Value], int | Fraction]] = [
        (Capital(Name(component.name)), [_number(share) for share in component.shares], _apart(component.shares))
        for component in compared.components
    ]
    if has_difference:
        rows.sort(key=lambda row: -abs(Fraction(row[2])))
    wholes = [calculation.value() if calculation.is_bound else None for calculation in compared.calculations]
    total: list[Value] = [amount(whole) for whole in wholes]
    first, *others = (whole or 0 for whole in wholes)
    rows.append((Sentence("headings.sum"), total, first - others[0]))
    names: dict[str, Value] = {"first": Prose(labels[0]), "other": Prose(labels[-1])}
    blocks: list[Block] = [Lead([Sentence("compare.minus", names)])] if has_difference else []
    for start in range(0, len(labels), most):
        beside = slice(start, start + most)
        columns = [
            Column(Sentence("columns.component"), is_words=True),
            *(Column(Prose(label), "r") for label in labels[beside]),
        ]
        columns += [Column(Sentence("columns.difference"), "r", moves=1)] if has_difference else []
        lines = [[name, *cells[beside], *([_signed(apart)] if has_difference else [])] for name, cells, apart in rows]
        blocks.append(Table("components", columns, lines, last_is_sum=True))
    yield Section("components", Sentence("compare.headings.components"), blocks)


def _number(share: ModelShare) -> Value:
    """The number of a component in a model; nothing where the model has no such component."""
    return amount(share.step.value) if share.step.polynomial or share.reason else None


def _apart(shares: Sequence[ModelShare]) -> int | Fraction:
    first, *others = (share.step.value or 0 for share in shares)
    return first - others[0]


def _signed(apart: int | Fraction) -> Value:
    """A difference with its sign, + or −."""
    return Signed(with_sign(apart)) if apart else amount(apart)


def component_forms(compared: Comparison, labels: Sequence[str], words: Catalogue) -> Iterator[Section]:
    """Yield the section with the closed form of every component, one line where all models have the same."""
    columns = [Column(Sentence("columns.component"), is_words=True), Column(Sentence("columns.model"))]
    columns.append(Column(Sentence("columns.formula"), moves=1))
    table = Table("component_forms", columns, list(_forms(compared, labels, words)))
    yield Section("component_forms", Sentence("compare.headings.component_forms"), [table])


def _forms(compared: Comparison, labels: Sequence[str], words: Catalogue) -> Iterator[list[Value]]:
    """The closed forms of the components, of those models that have them: one line where all have the same."""
    for component in compared.components:
        forms = [_formula(share, words) for share in component.shares]
        is_same = len(set(forms)) == 1
        having = [(label, form) for label, form in zip(labels, forms, strict=True) if form is not None]
        for i, (label, form) in enumerate([(None, forms[0])] if is_same else having):
            model = Prose(label) if label is not None else Sentence("compare.all")
            yield [None if i else Capital(Name(component.name)), model, form]


def _formula(share: ModelShare, words: Catalogue) -> Value:
    """The closed form of a component; where there is none, why."""
    if share.step.polynomial:
        return share.step.closed
    if not share.reason:
        return None
    short = f"compare.reasons.{share.reason}"
    return Remark(ZERO, words.entry(short if short in words.entries else f"compare.kinds.{share.reason}"))
