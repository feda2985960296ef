"""The sheet of a budget: weights, cache, FLOPs, training and what fits, each as a formula and as a figure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial

from symparams.components.tree import Component
from symparams.components.walks import components
from symparams.derivations.budget import Budget, ForwardPass
from symparams.expressions.nodes import Dimension, Equality, Expression, Number, Power, as_expression
from symparams.expressions.symbols import INPUTS, N, N_active, by_reading
from symparams.models.model import Model
from symparams.quantities.memory import GIBI, GIGA
from symparams.sheets.budget.flops import forward, training
from symparams.sheets.budget.memory import activations, cache, states, weights
from symparams.sheets.budget.room import room
from symparams.sheets.catalogue import Catalogue, catalogue
from symparams.sheets.chosen import choice, name_of
from symparams.sheets.dimensions import all_layers, closed_under_relations, dimensions, meaning, printed, value
from symparams.sheets.document import Document, Legend, Lines, Link, Result, Section
from symparams.sheets.values import Listed, Name, Sentence, Value, rounded
from symparams.sheets.whole import is_users, letters_of, of_type

OF_ADAMW = ("fp32", "bf16", "bf16_fp32_master")  # the recipes that one page has room for


def budget_sheet(
    budget: Budget,
    language: str = "en",
    notation: str = "hidden",
    symbols: Mapping[str, str] | None = None,
    *,
    brief: bool = False,
) -> Document:
    """The sheet of what a model costs; ``brief`` on one page, without what explains it."""
    model, valued, words = budget.model, budget.valued, catalogue(language)
    budget = replace(budget, shown=tuple(OF_ADAMW)) if brief else budget
    first = () if brief and budget.room is not None else (weights,)  # which stand beside the cache in what fits
    made = (*first, cache, partial(forward, is_brief=brief), training, states, activations, partial(room, is_brief=brief))
    sections = [section for make in made for section in make(budget, words)]
    letters = closed_under_relations(model, printed(sections))
    told = Section(
        "dimensions",
        None if brief else Sentence("headings.dimensions"),
        [_legend(valued, letters) if brief else dimensions(valued, letters, notation)],
    )
    title = name_of(model) if brief else Sentence("budget.title", {"model": name_of(model)})
    return Document(
        kind="brief" if brief else "budget",
        language=language,
        title=title,
        answer=None,
        sections=[told, *sections] if letters else sections,
        preface=[*choice(model), *_assumptions(budget, is_brief=brief)],
        letters=letters_of(model, notation, symbols or {}).with_sums(all_layers(model)),
        subject=budget,
        is_users=is_users(model),
        results=list(_count(budget, words)) if brief else None,
    )


def _legend(model: Model, letters: Collection[Dimension]) -> Lines:
    """The sizes of the model in a line, then what each input is."""
    inputs = [
        letter for letter in sorted(letters, key=by_reading) if letter in INPUTS and letter not in model.architecture.dimensions
    ]
    sizes = Legend([(None, letter, value(model, letter)) for letter in sorted(letters, key=by_reading) if letter not in inputs])
    sentences = [
        Sentence("budget.letter", {"letter": _valued(model, letter), "meaning": meaning(letter, model)})
        for letter in inputs
        if letter != N
    ]
    return Lines([*sizes.sentences, Listed(tuple(sentences), "signs.semicolon")])


def _valued(model: Model, letter: Dimension) -> Expression:
    number = model.values.get(letter)
    return letter if number is None else Equality(letter, as_expression(number))


def _count(budget: Budget, words: Catalogue) -> Iterator[Result]:
    """The number of parameters beside the title, where it is one."""
    if not budget.model.unbound:
        count = budget.model.count()
        scaled = rounded(count, words.rounding)
        yield Result(Name("total"), Number(count), Link(scaled[0], "=" if scaled[1] else "≈") if scaled else None)


def _parts(run: ForwardPass) -> Iterator[Component]:
    return (part for _, part in components(run.calculation.tree))


def _assumptions(budget: Budget, *, is_brief: bool) -> Iterator[Value]:
    """Yield the sentences on the figures, on what was assumed, and on what stays a letter."""
    yield Sentence("budget.figures", {"giga": Power(Number(GIGA[0]), GIGA[1]), "gibi": Power(Number(GIBI[0]), GIBI[1])})
    if budget.cache is not None and "logits" not in budget.given:
        yield Sentence("budget.logits")
    masked = (part.attending is not None and part.attending.causal for run in budget.runs for part in _parts(run))
    if "causal" not in budget.given and not is_brief and any(masked):
        yield Sentence("budget.causal")
    if budget.absorbed is not None and not is_brief:
        yield Sentence("budget.latents")
    if budget.model.has_experts:
        count = N_active if budget.model.unbound else Equality(N_active, Number(budget.model.active_count()))
        yield Sentence("budget.active", {"n": count})
    if budget.assumed:
        yield of_type(budget.model, budget.dtype)
    if budget.missing:
        yield Sentence("budget.missing", {"letters": Listed(tuple(budget.missing), "signs.list")})
