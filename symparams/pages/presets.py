"""The data of a page about one model, and the published models of its family to choose from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from symparams.architectures import architecture, architecture_names
from symparams.expressions.nodes import Dimension
from symparams.models.calculation import own_dtype
from symparams.models.load import complete
from symparams.models.model import Model
from symparams.models.sources import member
from symparams.models.sources.python_file import beside
from symparams.pages.pool import Formulas
from symparams.pages.windows import window_data
from symparams.quantities.memory import bytes_of
from symparams.quantities.setting import CHOSEN
from symparams.sheets.catalogue import catalogue, languages
from symparams.sheets.chosen import assumed


def presets(model: Model, formulas: Formulas) -> list[dict[str, Any]]:
    """The model, then the other published models of the family, each with what is its own."""
    return [_own(preset, formulas) | _typed(preset) for preset in (model, *published(model))]


def fixed(model: Model) -> dict[Dimension, int]:
    """Sizes that decide no parameter, as a config or the library chooses them."""
    return {dimension: size for name, dimension in CHOSEN.items() if isinstance(size := model.choices.get(name), int)}


def _own(model: Model, formulas: Formulas) -> dict[str, Any]:
    """A model's own: its name and source, its sizes and parts, and what its config says of other quantities.

    ``bytes`` are those of a number of its weights, null where nobody says or it is half a byte, which a page does not count;
    ``windows`` and ``fixed`` sizes decide no parameter; ``assumed`` says in each language which class it is where none is
    named.
    """
    dtype = own_dtype(model)
    size = bytes_of(dtype) if dtype else None
    return {
        "target": model.name,
        "family": model.is_family,
        "source": model.source,
        "held": {dimension.name: str(value) for dimension, value in model.values.items() if _is_held(model, dimension)}
        | {dimension.name: repr(value) for dimension, value in model.own_relations.items()},
        "on": sorted(model.present),
        "bytes": str(size) if size is not None and size.denominator == 1 else None,
        "windows": window_data(model, formulas),
        "fixed": {dimension.name: str(value) for dimension, value in fixed(model).items()},
        **({"assumed": [assumed(model, catalogue(language)) for language in languages()]} if model.assumed else {}),
    }


def _typed(model: Model) -> dict[str, Any]:
    """What is typed in a terminal for a model where that is not its name, and what that has by itself, which may be other
    sizes and parts than the model's.
    """
    origin, preset = model.origin, dict[str, Any]()
    if origin.target not in ("", model.name) or origin.architecture:
        preset["typed"] = [origin.target, *filter(None, [origin.architecture])]
    sizes = origin.sizes or {}
    is_changed = model.given != {*sizes} or any(model.values.get(dimension) != value for dimension, value in sizes.items())
    if origin.sizes is not None and (origin.config or is_changed or origin.usual != model.present):
        held = {dimension.name: str(value) for dimension, value in sizes.items()}
        preset["alone"] = {"held": held, "on": sorted(origin.usual)}
    return preset


def family_of(model: Model) -> dict[str, Any] | None:
    """The model's family as a terminal calls it; None where none is called so, or a model of it is."""
    family = model.architecture
    if family.name not in architecture_names() or architecture(family.name).models != family.models:
        return None
    if family.name in family.models:
        return None
    return {"typed": [family.name], "alone": {"held": {}, "on": sorted(feature.name for feature in family.has)}}


def published(model: Model) -> Iterator[Model]:
    """The other published models of a model's family."""
    for name, published in model.architecture.models.items():
        if name != model.name:
            preset = complete(member(name, model.architecture, published), {})
            yield replace(preset, origin=replace(preset.origin, target=beside(model.origin.target, name)))


def _is_held(model: Model, dimension: Dimension) -> bool:
    """True if a value is a model's own, and not what the relations make of the others."""
    if dimension in model.architecture.identities:
        return False
    return dimension not in model.relations or dimension not in model.architecture.relations
