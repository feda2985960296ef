"""The data of a page: all that the browser needs to work the sheets of a model out, as one JSON text."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

from symparams.components.laws import Binding
from symparams.expressions.amounts import CAPACITY, FLOPS, SCALES
from symparams.expressions.nodes import Dimension, Named
from symparams.expressions.notation import BY_KEY, NOTATIONS
from symparams.expressions.printing.mathml import halves
from symparams.expressions.symbols import by_reading
from symparams.models.calculation import USUAL_TYPE
from symparams.models.model import Model
from symparams.pages import besides
from symparams.pages.costs import OFFERED
from symparams.pages.dots import dots
from symparams.pages.mistakes import mistakes_of
from symparams.pages.packing import packed
from symparams.pages.picture import Pictures
from symparams.pages.pool import Formulas
from symparams.pages.presets import family_of, presets
from symparams.pages.quantities import USUAL, Opening, Quantities
from symparams.pages.sheets import Sheets
from symparams.pages.variants import Variants, variants
from symparams.practice import replies
from symparams.practice.marking import LEAST_ROUNDED
from symparams.quantities.activations import USUAL_LENGTH
from symparams.quantities.memory import DTYPES
from symparams.sheets.catalogue import USUAL_LANGUAGE, Catalogue, catalogue, languages, parsed
from symparams.sheets.dimensions import meaning
from symparams.sheets.values import Name, Prose, Sentence, Value
from symparams.sheets.whole import letters_of

SAID = ("costs.parameters.title", "steps.item", "choice.with", "choice.without", *(f"columns.{key}" for key in (
    "symbol", "meaning", "key", "value", "component", "formula", "parameters", "share", "active")),
    "costs.parameters.shares", "costs.own.shares", "headings.sum", "headings.dimensions", *besides.SAID)  # fmt: skip

# Of parts, besides those of the views.
KINDS = ("share", "active", "size", "sum", "tie", "convention", "rule", "missed", "tables")


def data(
    model: Model,
    notation: str = "hidden",
    symbols: Mapping[str, str] = MappingProxyType({}),
    opening: Opening = USUAL,
) -> dict[str, Any]:
    """Return the data of a model's page; ``symbols`` are the caller's letters in a notation, ``opening`` its first state."""
    return packed(content(model, notation, symbols, opening))


def content(model: Model, notation: str, symbols: Mapping[str, str], opening: Opening) -> dict[str, Any]:
    """Return the data of a model's page, as its runtime reads it."""
    opened, model = model, replace(model, own_relations={})  # which the page reads as it reads what is typed
    sheets = Sheets(model)
    formulas = Formulas(sheets.pool.formulas, _unnamed, _unlabelled)
    of_count = [
        part
        for group in sheets.groups
        for part in variants(sheets.switches, sheets.usual, partial(sheets.at, groups=[group]), sheets.is_ordered)
    ]
    costs = Quantities(sheets, formulas, opening)
    words = [catalogue(language) for language in languages()]
    pictures = Pictures(opened, sheets, notation, symbols)
    return {
        "presets": presets(opened, formulas),
        "base": family_of(model),
        "dots": dots(model),
        "title": model.architecture.title,
        "dimensions": [[dimension.name, model.key(dimension), [_text(language, meaning(dimension)) for language in words]]
                       for dimension in sorted(model.architecture.dimensions, key=by_reading)],
        "order": [dimension.name for dimension in model.architecture.dimensions],
        "first": _first(model),
        "keys": _keys(model),
        **_of_costs(costs, words),
        "letters": {name: _letters(model, costs.letters, name, symbols if name == notation else {}) for name in NOTATIONS},
        "features": [[name, [str(language.entries.get(f"features.{name}", name.replace("_", " "))) for language in words],
                      [language.called(f"part:{name}", is_users=sheets.is_users) for language in words],
                      [language.label(name, is_users=sheets.is_users) for language in words]] for name in model.features],
        "layers": [sorted(sheets.features.kinds), *map(sorted, sheets.features.layers)],
        "known": [[dimension.name, formulas.place(value), dimension in model.architecture.identities]
                  for dimension, value in model.architecture.known.items()],
        "deciding": [dimension.name for dimension in sheets.relations],
        "laws": [[str(law.binding.value), formulas.place(law.subject), formulas.place(law.value)]
                 for law in model.architecture.laws if law.binding in (Binding.DIVIDES, Binding.AT_MOST)],
        "parts": _parts(sheets, of_count) | {kind: [_written(part) for part in parts] for kind, parts in costs.parts.items()},
        "pictures": pictures.data(),
        "kinds": pictures.kinds(costs.named),
        "rule": besides.plain(model, formulas.place),
        **mistakes_of(model, sheets.pool),
        "views": [name for name, _, _ in sheets.views],
        "pool": sheets.pool.parts.entries,
        "blocks": sheets.pool.blocks.entries,
        "steps": sheets.pool.steps.entries,
        "closings": sheets.closings.table.entries,
        "closed": sheets.closings.entries.entries,
        "monomials": sheets.closings.order(formulas.place),
        "formulas": sheets.pool.formulas.entries,
        "names": [_name(words, *name, is_users=sheets.is_users) for name in sheets.pool.names.entries],
        "sentences": {key: [_cut(language, key) for language in words] for key in (*sheets.pool.sentences.entries, *SAID)},
    }  # fmt: skip


def _first(model: Model) -> str:
    """The size that the first line of the page asks to drag: how often the largest stack of layers stands."""
    stacks = [leaf for leaf in model.leaves if isinstance(leaf.times, Dimension)]
    return Counter(str(leaf.times) for leaf in stacks).most_common(1)[0][0] if stacks else ""


def _keys(model: Model) -> list[list[str]]:
    """The config keys by which formulas may call the dimensions."""
    named = model.architecture.dimensions
    return [[key, dimension.name] for key, dimension in BY_KEY.items() if key != dimension.name and dimension in named]


def _parts(sheets: Sheets, parts: Sequence[Variants]) -> dict[str, list[Any]]:
    """The parts of the sheets of the parameters, by their kind."""
    kinds = (*(f"section {name}" for name, _, _ in sheets.views), *KINDS)
    return {kind: [_written(part) for part in parts if part.key[0] == kind] for kind in kinds}


def _of_costs(costs: Quantities, words: Iterable[Catalogue]) -> dict[str, Any]:
    """Return the data of the other quantities: their letters, inputs, windows."""
    model = costs.model
    others = sorted({*costs.letters} - {*model.architecture.dimensions}, key=by_reading)
    return {
        "others": [[letter.name, "", [_text(every, meaning(letter, model)) for every in words]] for letter in others],
        "quantities": costs.data,
        "inputs": dict(costs.opening.inputs),
    }


def words_of_page() -> dict[str, Any]:
    """Return the words of every page in each language, and how the language writes numbers and sentences."""
    words = [catalogue(language) for language in languages()]
    page = [f"page.{key}" for key in sorted(words[0].entries.within("page")) if not key.startswith("parts_of.")]
    return {
        "languages": list(languages()),
        "usual": languages().index(USUAL_LANGUAGE),
        "heads": [
            {
                key: language.head[key]
                for key in ("tag", "joint", "grouping", "percent", "rounding", "short_rounding", "latex.characters")
            }
            for language in words
        ],
        "units": {
            unit: [{key: language.entry(f"units.{unit}.{key}") for key in ("name", "rounding")} for language in words]
            for unit in ("bytes", "flops")
        },
        "bits": dict(DTYPES),
        "options": {
            "dtype": {dtype: [dtype.upper()] * len(words) for dtype in DTYPES},
            **{
                name: {value: [str(language.entry(f"{offered.words}.{value}")) for language in words] for value in values}
                for offered in OFFERED.values()
                for name, values in offered.lists.items()
            },
        },
        "replies": {
            "names": dict(replies.NAMES),
            "signs": {chr(sign): meant for sign, meant in replies.SIGNS.items()},
            "before": replies.BEFORE.pattern,
            "after": replies.AFTER.pattern,
            "rounded": LEAST_ROUNDED,
        },
        "amounts": {
            unit: {name: str(scale) for name, scale in table.items()}
            for unit, table in (("parameters", SCALES), ("bytes", CAPACITY), ("flops", FLOPS))
        },
        "type": USUAL_TYPE,
        "length": USUAL_LENGTH,
        "page": {key.removeprefix("page."): [str(language.entry(key)) for language in words] for key in page}
        | {"here": [str(language.entry("quiz.reply.here")) for language in words]},
    }


def as_json(content: Any) -> str:
    """JSON as a script element holds it: nothing in it ends the element or begins a comment."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), sort_keys=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _letters(model: Model, known: Iterable[Dimension], notation: str, symbols: Mapping[str, str]) -> dict[str, list[str]]:
    letters = letters_of(model, notation, symbols)
    pairs = ((letter.name, letters[letter]) for letter in known)
    return {name: [*halves(letter.latex), letter.latex, letter.text] for name, letter in pairs}


def _name(words: Iterable[Catalogue], key: str, qualifier: str, *, is_users: bool) -> list[list[str]]:
    """A name in each language: in full, and as a subscript."""
    return [
        [words.called(key, qualifier, is_users=is_users), words.called(key, qualifier, is_users=is_users, is_short=True)]
        for words in words
    ]


def _text(words: Catalogue, value: Value) -> str:
    """A value that is words alone."""
    match value:
        case Sentence(key):
            return str(words.entry(key))
        case Prose(text):
            return text
        case Name(key, qualifier):
            return words.called(key, qualifier)
    raise TypeError(f"{type(value).__name__} is not words alone")


def _cut(words: Catalogue, key: str) -> list[str | list[str]]:
    """A sentence as texts, each placeholder a list of its name."""
    cut: list[str | list[str]] = []
    for literal, placeholder in parsed(str(words.entry(key))):
        cut += [literal] if literal else []
        cut += [[placeholder]] if placeholder is not None else []
    return cut


def _written(part: Variants) -> list[Any]:
    return [list(part.key), list(part.on), [-1 if variant is None else variant for variant in part.of]]


def _unnamed(quantity: Named) -> int:
    raise TypeError("a law speaks of no result")


def _unlabelled(label: str) -> int:
    raise TypeError("a law has no braces")
