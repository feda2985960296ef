"""Which model a sheet is of: the question that it answers, and what somebody chose of the model."""

from __future__ import annotations

from collections.abc import Callable

from symparams.derivations.derivation import Derivation
from symparams.expressions.marks import Equality
from symparams.expressions.nodes import Expression, Number
from symparams.models.formula import Formula, Subject
from symparams.models.model import Model
from symparams.sheets.catalogue import Catalogue, spaced
from symparams.sheets.values import Listed, Name, Prose, Sentence, Value


def title(derivation: Derivation) -> Sentence:
    """The question that the sheet answers."""
    model = derivation.subject
    if isinstance(model, Formula):
        return Sentence("title.expression")
    return Sentence("title.model", {"model": _name(model)})


def _name(model: Model) -> Prose:
    return Prose(model.architecture.title if model.is_family else model.name)


def called(model: Model, plain: Callable[[Expression], str] | None = None) -> Value:
    """Return the name of a model with its changed sizes, for places without a list of them: gpt2 with L = 2.

    ``plain`` prints a formula where nothing but words may stand.
    """
    sizes = tuple(Prose(plain(size)) if plain else size for size in _changed(model))
    return Sentence("page.changed", {"model": _name(model), "sizes": Listed(sizes, "page.comma")}) if sizes else _name(model)


def choice(model: Subject) -> list[Value]:
    """Return the sentences on changed sizes and on parts that were added or left out; empty if nothing was."""
    sentences: list[Value] = [Sentence("choice.base", {"name": Prose(model.assumed)})] if model.assumed else []
    for odd in model.oddities:
        terms = {"subject": odd.subject, "size": Number(odd.size), "other": odd.other, "of": Number(odd.of)}
        sentences.append(Sentence(f"choice.{odd.kind}", terms))
    if sizes := _changed(model):
        sentences.append(Sentence("choice.sizes", {"sizes": Listed(sizes, "steps.list")}))
    for feature, is_present in model.chosen:
        sentences.append(Sentence("choice.with" if is_present else "choice.without", {"part": Name(f"part:{feature}")}))
    return sentences


def _changed(model: Subject) -> tuple[Equality, ...]:
    """The sizes that are others than those of the model by itself: L = 2."""
    if isinstance(model, Formula):
        return ()
    changed = model.origin.changed(model.values, model.relations)
    return tuple(Equality(dimension, Number(model.values[dimension])) for dimension in changed)


def assumed(model: Subject, words: Catalogue) -> str:
    """The sentence on the class that is assumed where a config names none, as plain words; "" where one is named."""
    pieces = words.sentence("choice.base") if model.assumed else []
    return spaced(*(part for literal, name in pieces for part in (literal, model.assumed if name else "")))
