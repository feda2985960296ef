"""Tables with a line for each of several models: their counts, their components, what they are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from symparams.answers.aligned_components import Share
from symparams.answers.comparison_of_models import ModelComparison
from symparams.answers.traits import Trait
from symparams.expressions.printing.nodes import Decimal, Remark
from symparams.expressions.written import ZERO
from symparams.models.model import Model
from symparams.sheets.catalogue import Catalogue
from symparams.sheets.document import Block, Column, Section, Table
from symparams.sheets.numbers import rounded
from symparams.sheets.values import Capital, Listed, Name, Prose, Sentence, Value


def counts(models: Sequence[Model], labels: Sequence[str], rounding: Sequence[Mapping[str, Any]]) -> list[Block]:
    """Each model with its count, what one token uses where any has experts, and how often it holds the smallest.

    Where models are called by letters, the table says which is which.
    """
    bound = [model.count() for model in models if not model.unbound]
    has_letters = [model.name for model in models] != list(labels)
    if not bound and not has_letters:
        return []
    keys = ["parameters", "rounded"] if bound else []
    keys += ["active"] if bound and any(model.has_experts for model in models) else []
    keys += ["ratio"] if len(bound) > 1 else []
    rows: list[list[Value]] = []
    for model, label in zip(models, labels, strict=True):
        cells = _numbers(model, min(bound, default=1), rounding)
        rows.append([*([Prose(label)] if has_letters else []), Prose(model.name), *(cells.get(key) for key in keys)])
    columns = [*([Column(None)] if has_letters else []), Column(Sentence("columns.model"), is_words=True)]
    columns += [Column(Sentence(f"columns.{key}"), "r", moves=int(key == "rounded")) for key in keys]
    return [Table("counts", columns, rows)]


def _numbers(model: Model, smallest: int, rounding: Sequence[Mapping[str, Any]]) -> dict[str, Value]:
    if model.unbound:
        return {}
    words = rounded(model.count(), rounding)
    active = model.active_count() if model.has_experts else None
    ratio = Decimal(Fraction(model.count(), smallest))
    return {"parameters": model.count(), "rounded": words[0] if words else None, "active": active, "ratio": ratio}


def traits(compared: ModelComparison, labels: Sequence[str]) -> Iterator[Section]:
    """What the models are made of, those kinds first in which they differ; one line where all are alike."""
    rows: list[list[Value]] = []
    for trait in sorted(compared.traits, key=lambda trait: not trait.differs):
        name = Capital(Sentence(f"compare.traits.{trait.name}"))
        lines = zip(labels, trait.kinds, strict=True) if trait.differs else [(None, trait.kinds[0])]
        for i, (label, kinds) in enumerate(lines):
            model = Prose(label) if label is not None else Sentence("compare.all")
            rows.append([None if i else name, model, _said(trait, kinds)])
    columns = [Column(Sentence("columns.part"), is_words=True), Column(Sentence("columns.model"))]
    if rows:
        table = Table("traits", [*columns, Column(Sentence("columns.kind"), moves=1)], rows)
        yield Section("traits", Sentence("compare.headings.traits"), [table])


def _said(trait: Trait, kinds: Sequence[str]) -> Value:
    if not kinds:
        return Sentence("compare.none")
    return Listed(tuple(Sentence(f"compare.kinds.{kind}") for kind in kinds), "compare.list")


def components(compared: ModelComparison, labels: Sequence[str], words: Catalogue) -> Iterator[Section]:
    """What each model has of every component, in letters and, where it has values, in numbers that add up to its count."""
    blocks: list[Block] = [Table("component_forms", _columns("closed_form"), list(_forms(compared, labels, words)))]
    if any(not model.unbound for model in compared.models):
        columns = _columns("parameters", "share")
        blocks.append(Table("components", columns, list(_counts(compared, labels))))
    yield Section("components", Sentence("compare.headings.components"), blocks)


def _columns(*keys: str) -> list[Column]:
    """A component, a model, and then numbers or formulas; formulas and shares stand below where there is no room."""
    columns = [Column(Sentence("columns.component"), is_words=True), Column(Sentence("columns.model"))]
    moves = ("closed_form", "share")
    sides = {"closed_form": "l"}
    return [*columns, *(Column(Sentence(f"columns.{key}"), sides.get(key, "r"), moves=int(key in moves)) for key in keys)]


def _forms(compared: ModelComparison, labels: Sequence[str], words: Catalogue) -> Iterator[list[Value]]:
    """The closed forms of the components, of those models that have them: one line where all have the same."""
    for each in compared.components:
        forms = [_formula(share, words) for share in each.shares]
        is_same = len(set(forms)) == 1
        having = [(label, form) for label, form in zip(labels, forms, strict=True) if form is not None]
        for i, (label, form) in enumerate([(None, forms[0])] if is_same else having):
            model = Prose(label) if label is not None else Sentence("compare.all")
            yield [None if i else Capital(Name(each.name)), model, form]


def _counts(compared: ModelComparison, labels: Sequence[str]) -> Iterator[list[Value]]:
    """The counts of the components with their parts of the whole, and the wholes."""
    for each in compared.components:
        having = [
            (label, share) for label, share in zip(labels, each.shares, strict=True) if share.step.polynomial or share.reason
        ]
        for i, (label, share) in enumerate(having):
            yield [None if i else Capital(Name(each.name)), Prose(label), share.step.value, share.part]
    for i, (label, model) in enumerate(zip(labels, compared.models, strict=True)):
        whole: list[Value] = [None, None] if model.unbound else [model.count(), Fraction(1)]
        yield [None if i else Sentence("headings.sum"), Prose(label), *whole]


def _formula(share: Share, words: Catalogue) -> Value:
    """The closed form of a component; where there is none, why."""
    if share.step.polynomial:
        return share.step.closed
    return Remark(ZERO, words.entry(f"compare.reasons.{share.reason}")) if share.reason else None
