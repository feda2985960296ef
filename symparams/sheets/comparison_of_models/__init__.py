"""Models side by side: counts, what they are made of, sizes, terms, the difference, and component by component."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from string import ascii_uppercase

from symparams.answers.comparison_of_models import ModelComparison
from symparams.expressions.marks import Size
from symparams.expressions.nodes import Dimension
from symparams.expressions.notation import Letters, letters
from symparams.models.model import Model
from symparams.sheets.catalogue import catalogue
from symparams.sheets.chosen import choice
from symparams.sheets.comparison_of_models.model_tables import components, counts, traits
from symparams.sheets.comparison_of_models.term_tables import difference, forms
from symparams.sheets.dimensions import meaning
from symparams.sheets.document import Block, Column, Document, Lead, Paragraph, Section, Table
from symparams.sheets.values import Capital, Listed, Prose, Sentence, Value
from symparams.sheets.whole import is_users

MOST_BESIDE = 4  # columns of models that fit beside words and letters on a line of 80 characters
LONGEST_NAMES = 36  # characters of all names, where they head columns; longer ones are called A, B, C


def comparison_of_models(
    compared: ModelComparison, language: str = "en", notation: str = "hidden", symbols: Mapping[str, str] | None = None
) -> Document:
    """Models side by side; OptionError and UnknownNameError for a language, a notation or a letter that is none."""
    models, labels = compared.models, labels_of(compared.models)
    words = catalogue(language)
    sections = [
        *([Section("counts", None, table)] if (table := counts(models, labels, words.rounding)) else []),
        *traits(compared, labels),
        *sizes(compared.dimensions, [partial(_size, model) for model in models], labels),
        *forms(compared, labels, MOST_BESIDE),
        *difference(compared, labels),
        *components(compared, labels, words),
    ]
    return Document(
        "comparison_of_models",
        language,
        Sentence("compare.title", {"models": listed(models)}),
        None,
        sections,
        preface=list(chosen(models, labels)),
        letters=letters_of_all(models, compared.dimensions, notation, symbols or {}),
        subject=compared,
        is_users=any(map(is_users, models)),
    )


def labels_of(models: Sequence[Model]) -> list[str]:
    """What heads the column of each: its name, or a letter where two have one name or all are too long together."""
    names = [model.name for model in models]
    if len(set(names)) == len(names) and sum(map(len, names)) <= LONGEST_NAMES:
        return names
    return [_letter(i) for i in range(len(names))]


def _letter(number: int) -> str:
    """A, B, …, Z, AA, AB, …"""
    more, last = divmod(number, len(ascii_uppercase))
    return (_letter(more - 1) if more else "") + ascii_uppercase[last]


def letters_of_all(
    models: Sequence[Model], dimensions: Sequence[Dimension], notation: str, symbols: Mapping[str, str]
) -> Letters:
    """The letters of all; a dimension that families keep under several config keys has that of the first."""
    keys: dict[Dimension, str] = {}
    for model in reversed(models):
        keys |= {each: model.key(each) for each in model.architecture.dimensions if model.key(each)}
    return letters(notation, symbols, dimensions, keys)


def listed(models: Sequence[Model]) -> Listed:
    """The names of all, in a sentence."""
    names = tuple(Prose(model.name) for model in models)
    return Listed(names, "compare.and" if len(names) == 2 else "compare.list")


def chosen(models: Sequence[Model], labels: Sequence[str]) -> Iterator[Value]:
    """What was chosen of the features of each, where anything was."""
    for model, label in zip(models, labels, strict=True):
        if said := choice(model):
            yield Sentence("compare.model", {"model": Prose(label)})
            yield from said


def sizes(
    dimensions: Sequence[Dimension],
    size_of: Sequence[Callable[[Dimension], Value]],
    labels: Sequence[str],
    model: Model | None = None,
) -> Iterator[Section]:
    """The sizes that differ, a column for each model, then those that are the same in all.

    An input of a cost is described as one where the ``model`` is given that it is put to.
    """
    rows = {dimension: [each(dimension) for each in size_of] for dimension in dimensions}
    apart = {dimension: cells for dimension, cells in rows.items() if len(set(cells)) > 1}
    same = {dimension: cells[:1] for dimension, cells in rows.items() if dimension not in apart}
    blocks: list[Block] = []
    for start in range(0, len(labels), MOST_BESIDE) if apart else ():
        beside = slice(start, start + MOST_BESIDE)
        columns = [*_described(), *(Column(Prose(label), "r") for label in labels[beside])]
        blocks.append(Table("sizes", columns, [_row(each, cells[beside], model) for each, cells in apart.items()]))
    if any(None in cells for cells in apart.values()):
        blocks.append(Paragraph([Sentence("compare.blank")]))
    if same:
        blocks += [Lead([Sentence("compare.same")])] if apart else []
        blocks.append(_same(same, model))
    if blocks:
        yield Section("sizes", Sentence(f"compare.headings.{'dimensions' if apart else 'same_dimensions'}"), blocks)


def _same(same: Mapping[Dimension, Sequence[Value]], model: Model | None) -> Table:
    """The sizes that all have alike; no column of values where each is but a letter."""
    rows = {dimension: [None if cell == dimension else cell for cell in cells] for dimension, cells in same.items()}
    has_values = any(cell is not None for [cell] in rows.values())
    columns = [*_described(), *([Column(Sentence("columns.value"), "r")] if has_values else [])]
    return Table("same_sizes", columns, [_row(each, cells if has_values else (), model) for each, cells in rows.items()])


def _described() -> list[Column]:
    return [Column(Sentence("columns.symbol"), "c"), Column(Sentence("columns.meaning"), is_words=True)]


def _row(dimension: Dimension, cells: Sequence[Value], model: Model | None) -> list[Value]:
    return [dimension, Capital(meaning(dimension, model)), *cells]


def _size(model: Model, dimension: Dimension) -> Value:
    """The value of a size in a model, what it follows from, or the letter alone; None where the model has no such size."""
    if dimension in model.values:
        return model.values[dimension] if dimension in model.dimensions else None
    if dimension in model.relations:
        return Size(model.relations[dimension])
    return dimension if dimension in model.dimensions else None
