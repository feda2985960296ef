"""Usual mistakes on a page: the wrong answers to each step that the bank of questions knows, and what is said of each."""

from __future__ import annotations

from typing import Any

from symparams.errors import SymparamsError
from symparams.models.model import Model
from symparams.pages.pool import Formulas, Pool
from symparams.pages.presets import published
from symparams.practice.conditions import parsed
from symparams.practice.kind import mistakes
from symparams.practice.walk import StepQuestion, walk
from symparams.sheets.catalogue import languages


def mistakes_of(model: Model, pool: Pool) -> dict[str, Any]:
    """The wrong answers by the formula of their step, each with its formula and what is told of it in the bank's languages."""
    wrong = dict[int, list[Any]]()
    formulas = Formulas(
        pool.formulas,
        lambda result: pool.names.place((str(result.label), "")),
        lambda label: pool.names.place((str(label), "")),
    )
    sized = model if not model.unbound else next(published(model), None)
    try:
        asked = walk(sized) if sized is not None else []
    except SymparamsError:  # sizes with which nothing is asked
        asked = []
    for question in (each.question for each in asked):
        assert isinstance(question, StepQuestion)
        if question.mistakes:
            wrong[formulas.place(question.of.quantity)] = [
                [formulas.place(mistake.written), list(mistake.names)] for mistake in question.mistakes
            ]
    names = sorted({name for usual in wrong.values() for _, told in usual for name in told})
    return {
        "mistakes": [*map(list, wrong.items())],
        "mistaken": {name: [_text(mistakes()[name].get(code, ""), formulas) for code in languages()] for name in names},
    }


def _text(text: str, formulas: Formulas) -> list[str | int]:
    """A sentence as texts and the places of its formulas, which stand between dollar signs."""
    parts = enumerate(text.split("$"))
    return [part if i % 2 == 0 else formulas.place(parsed(part)) for i, part in parts if part]
