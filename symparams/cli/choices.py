"""The values of options, and those that a shell offers as completions.

Each function runs, and imports what it needs, only when its option is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symparams.errors import SymparamsError

if TYPE_CHECKING:
    from symparams.models import Model


def attentions() -> Iterable[str]:
    """The ways to write attention, and those to compute it, on which a quantity depends."""
    from symparams.derivations.layers import FUSED, PER_HEAD
    from symparams.quantities.setting import CHOICES

    return FUSED, PER_HEAD, *CHOICES["attention"].values


def ways_of_sharing() -> Iterable[str]:
    """The ways to count a tensor that is used more than once."""
    from symparams.quantities.parameters import EACH, OWN

    return OWN, EACH


def targets(given: Mapping[str, Any], incomplete: str) -> Iterable[str]:
    """Architectures, published models, discovered types, and what lies at a path that has been begun."""
    from symparams.architectures import architecture_names, published_names
    from symparams.atlas import kinds

    return [*dict.fromkeys((*architecture_names(), *published_names(), *kinds())), *_paths(incomplete)]


def features(given: Mapping[str, Any], incomplete: str) -> Iterable[str]:
    """The features of the target on the line."""
    model = _model(given.get("target"))
    return model.features if model else ()


def dimensions(given: Mapping[str, Any], incomplete: str) -> Iterable[str]:
    """The dimensions, each with the equals sign that follows: those of the target on the line, or all."""
    from symparams.expressions.symbols import READING_ORDER

    if "=" in incomplete:
        return ()
    model = _model(given.get("target"))
    return [f"{dimension.name}=" for dimension in (model.architecture.dimensions if model else READING_ORDER)]


def free_dimensions(given: Mapping[str, Any], incomplete: str) -> Iterable[str]:
    """The dimensions that the count of the target on the line is over, after those that are written: L,h."""
    from symparams.expressions.symbols import READING_ORDER

    before, comma, _ = incomplete.rpartition(",")
    model = _model(given.get("target"))
    names = model.function().taken if model else [dimension.name for dimension in READING_ORDER]
    return [f"{before}{comma}{name}" for name in names if name not in before.split(",")]


def _model(target: str | None) -> Model | None:
    """The model that the line is about; none where it would have to read a pipe, ask the hub or run a file."""
    from symparams.models import load
    from symparams.models.sources.target import is_of_hub

    if not target or target == "-" or is_of_hub(target) or ".py" in target:
        return None
    try:
        return load(target)
    except SymparamsError:
        return None


def _paths(incomplete: str) -> list[str]:
    """Folders, JSON files and Python files that begin so."""
    folder, _, start = incomplete.rpartition("/")
    shown = f"{folder}/" if "/" in incomplete else ""
    if not incomplete:
        return []
    try:
        entries = sorted(Path(shown or ".").iterdir())
    except OSError:
        return []
    mine = [path for path in entries if path.name.startswith(start) and not path.name.startswith(".")]
    return [
        f"{shown}{path.name}{'/' if path.is_dir() else ''}" for path in mine if path.is_dir() or path.suffix in (".json", ".py")
    ]


def chapters() -> Iterable[str]:
    """The chapters of the bank of questions."""
    from symparams.practice.kind import chapters as known

    return [chapter.name for chapter in known()]
