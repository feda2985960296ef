"""A cost of several models side by side: the numbers, inputs and sizes, closed forms, the difference, components."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial

from symparams.answers.comparison_of_costs import CostComparison
from symparams.expressions.marks import Size
from symparams.expressions.nodes import Dimension, as_expression
from symparams.expressions.notation import Letters
from symparams.expressions.printing.nodes import Decimal
from symparams.models.costing import Costing
from symparams.sheets.catalogue import Catalogue, catalogue
from symparams.sheets.comparison_of_models import MOST_BESIDE, chosen, labels_of, letters_of_all, listed, sizes
from symparams.sheets.comparison_of_models.term_tables import difference, forms
from symparams.sheets.costs.sheet import said
from symparams.sheets.document import Block, Column, Document, Section, Table
from symparams.sheets.values import Capital, Code, Name, Prose, Sentence, Value
from symparams.sheets.whole import is_users


def comparison_of_costs(
    compared: CostComparison, language: str = "en", notation: str = "hidden", symbols: Mapping[str, str] | None = None
) -> Document:
    """A cost side by side; OptionError and UnknownNameError for a language, a notation or a letter that is none."""
    models, labels, words = compared.models, labels_of(compared.models), catalogue(language)
    cost = compared.costings[0].cost
    letters = Letters(letters_of_all(models, compared.dimensions, notation, symbols or {}))
    return Document(
        "comparison_of_costs",
        language,
        Sentence(f"compare.costs.{cost.name}", {"models": listed(models)}),
        None,
        [
            *_numbers(compared, labels, words),
            *sizes(compared.dimensions, [partial(_size, each) for each in compared.costings], labels, models[0]),
            *forms(compared, labels, MOST_BESIDE),
            *difference(compared, labels),
            *_components(compared, labels),
        ],
        preface=[*chosen(models, labels), Sentence(f"costs.{cost.name}.what"), *_needless(compared)],
        letters=letters.counting(cost.letter),
        subject=compared,
        is_users=any(map(is_users, models)),
    )


def _needless(compared: CostComparison) -> Iterator[Sentence]:
    """What is given that decides nothing of some of the models."""
    for name, models in compared.needless.items():
        yield Sentence(
            "compare.needless",
            {"input": Code(name), "models": listed([each for each in compared.models if each.name in models])},
        )


def _numbers(compared: CostComparison, labels: Sequence[str], words: Catalogue) -> Iterator[Section]:
    """Each model with its number in its unit, as people say it, and how often it holds the smallest."""
    bound = [each.value() for each in compared.costings if each.is_bound]
    has_letters = [each.name for each in compared.costings] != list(labels)
    if not bound and not has_letters:
        return
    keys = ["value", "rounded"] if bound else []
    keys += ["ratio"] if len(bound) > 1 and min(bound) else []
    rows: list[list[Value]] = []
    for each, label in zip(compared.costings, labels, strict=True):
        cells = _cells(each, min(bound, default=1), words)
        rows.append([*([Prose(label)] if has_letters else []), Prose(each.name), *(cells.get(key) for key in keys)])
    columns = [*([Column(None)] if has_letters else []), Column(Sentence("columns.model"), is_words=True)]
    titles = {"value": Sentence(f"units.{compared.costings[0].cost.unit}.column")}
    columns += [Column(titles.get(key) or Sentence(f"columns.{key}"), "r", moves=int(key == "rounded")) for key in keys]
    yield Section("counts", None, [Table("counts", columns, rows)])


def _cells(each: Costing, smallest: int | Fraction, words: Catalogue) -> dict[str, Value]:
    if not each.is_bound:
        return {}
    value = each.value()
    links = said(value, each, words) if isinstance(value, int) else []
    ratio = Decimal(Fraction(value) / smallest) if smallest else None
    return {"value": as_expression(value), "rounded": links[0].content if links else None, "ratio": ratio}


def _size(each: Costing, letter: Dimension) -> Value:
    """The value of a letter in a model, what it follows from, or the letter alone; None where there is none."""
    model = each.model
    if letter not in (*model.dimensions, *each.written.dimensions):
        return None
    if letter in model.values:
        return as_expression(model.values[letter])
    return Size(model.relations[letter]) if letter in model.relations else letter


def _components(compared: CostComparison, labels: Sequence[str]) -> Iterator[Section]:
    """What each model spends on every component, in letters and, where it has values, in numbers that add up."""
    cost = compared.costings[0].cost
    first = [Column(Sentence("columns.component"), is_words=True), Column(Sentence("columns.model"))]
    columns = [*first, Column(Sentence("columns.closed_form"), moves=1)]
    blocks: list[Block] = [Table("component_forms", columns, list(_forms(compared, labels)))]
    if any(each.is_bound for each in compared.costings):
        numbers = [Column(Sentence(f"units.{cost.unit}.column"), "r"), Column(Sentence("columns.share"), "r", moves=1)]
        blocks.append(Table("components", [*first, *numbers], list(_shares(compared, labels))))
    yield Section("components", Sentence("compare.headings.components"), blocks)


def _forms(compared: CostComparison, labels: Sequence[str]) -> Iterator[list[Value]]:
    """The closed forms of the components, of those models that have them: one line where all have the same."""
    for each in compared.components:
        having = [(label, share.step.closed) for label, share in zip(labels, each.shares, strict=True) if share.step.polynomial]
        is_same = len(having) == len(labels) and len({form for _, form in having}) == 1
        for i, (label, form) in enumerate([(None, having[0][1])] if is_same else having):
            model = Prose(label) if label is not None else Sentence("compare.all")
            yield [None if i else Capital(Name(each.name)), model, form]


def _shares(compared: CostComparison, labels: Sequence[str]) -> Iterator[list[Value]]:
    """The numbers of the components with their parts of the whole, and the wholes."""
    for each in compared.components:
        having = [(label, share) for label, share in zip(labels, each.shares, strict=True) if share.step.polynomial]
        for i, (label, share) in enumerate(having):
            yield [None if i else Capital(Name(each.name)), Prose(label), share.step.value, share.part]
    for i, (label, costed) in enumerate(zip(labels, compared.costings, strict=True)):
        whole: list[Value] = [as_expression(costed.value()), Fraction(1)] if costed.is_bound else [None, None]
        yield [None if i else Sentence("headings.sum"), Prose(label), *whole]
