"""What a page of several models needs besides their sheets: the question of each quantity, and which components correspond."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from symparams.answers.aligned_components import called_in_all
from symparams.derivations.shares import by_part
from symparams.expressions.written import ZERO
from symparams.models.model import Model
from symparams.pages.costs import OFFERED
from symparams.pages.pool import PlaceTable
from symparams.quantities.quantity import PARAMETERS
from symparams.sheets.catalogue import catalogue, languages
from symparams.sheets.whole import is_users


def comparison_data(models: Sequence[Model]) -> dict[str, Any]:
    """Return the data: in each language the questions and the names; of each model the place of each component's name."""
    names, words = PlaceTable(), [catalogue(language) for language in languages()]
    parts = [{name: names.place(called) for name, called in _called(model).items()} for model in models]
    are_users = any(map(is_users, models))
    joint = "compare.and" if len(models) == 2 else "signs.list"
    return {
        "titles": {name: [str(each.entry(f"costs.{name}.compare")) for each in words] for name in (PARAMETERS, *OFFERED)},
        "joint": [str(each.entry(joint)) for each in words],
        "names": [[each.called(name, "", is_users=are_users) for each in words] for name in names.entries],
        "parts": parts,
    }


def _called(model: Model) -> dict[str, str]:
    """What each component of a model is called in all models, with any of its features."""
    called: dict[str, str] = {}
    for present in (frozenset[str](), frozenset(model.features), model.present):
        some = replace(model.symbolic(), present=present)
        if some.formula() != ZERO:
            called |= {name: called_in_all(those[0].part) for name, those in by_part(some).items()}
    return called
