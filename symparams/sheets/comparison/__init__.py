"""Models side by side: numbers, what they are made of, sizes, terms, the difference, and component by component."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from string import ascii_uppercase

from symparams.answers.comparison import Comparison
from symparams.expressions.nodes import Dimension, Size, as_expression
from symparams.expressions.notation import Letters, letters
from symparams.models.model import Model
from symparams.sheets.catalogue import catalogue
from symparams.sheets.chosen import choice
from symparams.sheets.comparison.forms import difference, forms
from symparams.sheets.comparison.tables import component_forms, components, numbers, traits
from symparams.sheets.dimensions import all_layers, meaning, value
from symparams.sheets.document import Block, Column, Document, Lead, Paragraph, Section, Table
from symparams.sheets.quantities import meaning_of, sentence_of
from symparams.sheets.values import Capital, Code, Listed, Prose, Sentence, Value
from symparams.sheets.whole import is_users, of_type, of_types

MOST_BESIDE = 4  # columns of models that fit beside words and letters on a line of 80 characters
LONGEST_NAMES = 36  # characters of all names, where they head columns; longer ones are called A, B, C


def comparison(
    compared: Comparison, language: str = "en", notation: str = "hidden", symbols: Mapping[str, str] | None = None
) -> Document:
    """Return models side by side in one quantity, as a document.

    Raises OptionError and UnknownNameError for a language, a notation or a letter that there is not.
    """
    models, labels, words = compared.models, labels_of(compared.models), catalogue(language)
    size_of = [partial(_size, calculation.model, {*calculation.letters}) for calculation in compared.calculations]
    letters = letters_of_all(models, compared.dimensions, notation, symbols or {})
    sums = {layers: letter for model in models for layers, letter in all_layers(model).items()}
    return Document(
        "comparison",
        language,
        sentence_of(compared.quantity, "compare", words, {"models": listed(models)}),
        None,
        [
            *numbers(compared, labels, words),
            *components(compared, labels, MOST_BESIDE),
            *(traits(compared, labels) if compared.quantity.tensors is not None else ()),
            *sizes(compared.dimensions, size_of, labels, models[0]),
            *forms(compared, labels),
            *component_forms(compared, labels, words),
            *difference(compared, labels),
        ],
        preface=[
            *chosen(models, labels),
            *meaning_of(compared.quantity, words),
            *_assumed(compared, labels),
            *_unused(compared),
        ],
        letters=Letters(letters).with_sums(sums).counting(compared.quantity.letter),
        subject=compared,
        is_users=compared.quantity.is_own or any(map(is_users, models)),
    )


def _unused(compared: Comparison) -> Iterator[Sentence]:
    """Yield the sentences on inputs that do not affect some of the models."""
    for name, models in compared.unused.items():
        those = [model for model in compared.models if model.name in models]
        yield Sentence("compare.unused", {"input": Code(name), "models": listed(those)})


def _assumed(compared: Comparison, labels: Sequence[str]) -> Iterator[Sentence]:
    """Yield the sentences on the number types that are taken; on one of all models once."""
    models = [(model, label) for model, label in zip(compared.models, labels, strict=True) if model.name in compared.assumed]
    if len(models) == len(labels):
        yield of_types(compared.assumed[models[0][0].name])
        return
    for model, label in models:
        yield Sentence("compare.model", {"model": Prose(label)})
        yield of_type(model, compared.assumed[model.name])


def labels_of(models: Sequence[Model]) -> list[str]:
    """Return the label of each column: the model's name, or a letter if two names are equal or all are too long together."""
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
        keys |= {dimension: model.key(dimension) for dimension in model.architecture.dimensions if model.key(dimension)}
    return letters(notation, symbols, dimensions, keys)


def listed(models: Sequence[Model]) -> Listed:
    """The names of all, in a sentence."""
    names = tuple(Prose(model.name) for model in models)
    return Listed(names, "compare.and" if len(names) == 2 else "signs.list")


def chosen(models: Sequence[Model], labels: Sequence[str]) -> Iterator[Value]:
    """Yield the chosen features of each model that has any."""
    for model, label in zip(models, labels, strict=True):
        if sentences := choice(model):
            yield Sentence("compare.model", {"model": Prose(label)})
            yield from sentences


def sizes(
    dimensions: Sequence[Dimension],
    size_of: Sequence[Callable[[Dimension], Value]],
    labels: Sequence[str],
    model: Model | None = None,
) -> Iterator[Section]:
    """The sizes that differ, a column for each model, then those that are the same in all.

    An input of a cost is described as one where the ``model`` is given that it is put to.
    """
    rows = {dimension: [size(dimension) for size in size_of] for dimension in dimensions}
    apart = {dimension: cells for dimension, cells in rows.items() if len(set(cells)) > 1}
    same = {dimension: cells[:1] for dimension, cells in rows.items() if dimension not in apart}
    blocks: list[Block] = []
    for start in range(0, len(labels), MOST_BESIDE) if apart else ():
        beside = slice(start, start + MOST_BESIDE)
        columns = [*_described(), *(Column(Prose(label), "r") for label in labels[beside])]
        blocks.append(Table("sizes", columns, [_row(dimension, cells[beside], model) for dimension, cells in apart.items()]))
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
    return Table(
        "same_sizes", columns, [_row(dimension, cells if has_values else (), model) for dimension, cells in rows.items()]
    )


def _described() -> list[Column]:
    return [Column(Sentence("columns.symbol"), "c"), Column(Sentence("columns.meaning"), is_words=True)]


def _row(dimension: Dimension, cells: Sequence[Value], model: Model | None) -> list[Value]:
    described = meaning(dimension, model)
    return [dimension, described if isinstance(described, Prose) else Capital(described), *cells]  # a user's r is not R


def _size(model: Model, letters: Collection[Dimension], letter: Dimension) -> Value:
    """The value of a letter in a model, what it follows from, or the letter; None where its formula has no such letter."""
    if letter in model.values:
        is_there = letter in model.dimensions or letter not in model.architecture.dimensions
        return as_expression(model.values[letter]) if is_there else None
    if letter in model.relations:
        return Size(model.relations[letter])
    if (layers := value(model, letter)) is not None:  # of all kinds together
        return as_expression(layers)
    return letter if letter in model.dimensions or letter in letters else None
