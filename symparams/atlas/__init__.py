"""The atlas: the types of the transformers library that have no family by hand, as they were discovered and checked.

``types/NAME.json`` holds the classes of a type, read when somebody asks for it; ``symparams.discovery.library`` makes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symparams.atlas.record import Entry

HEAD, LANGUAGE_MODELS = "For", ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration", "ForMaskedLM")
FOLDER = Path(__file__).parent / "types"


@cache
def kinds() -> tuple[str, ...]:
    """Return the types that were discovered: the names of files, of which none is read."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*.json")))


def kind_of(name: str) -> str | None:
    """Return the type that a name means, in any case, with - or _; None where none is called so."""
    folded = _folded(name)
    return name if name in kinds() else next((kind for kind in kinds() if _folded(kind) == folded), None)


def data(kind: str) -> Mapping[str, Any]:
    """Return the file of a type, as it is kept."""
    kept: Mapping[str, Any] = json.loads((FOLDER / f"{kind}.json").read_text(encoding="utf-8"))
    return kept


@cache
def entries(kind: str) -> Mapping[str, Entry]:
    """Return the classes of a type; none where it was not discovered."""
    if kind not in kinds():
        return {}
    from symparams.atlas.record import read

    return read(kind, data(kind))


def base_class(names: Iterable[str]) -> str:
    """Return the class of a type that has no head: the one that is not called FooForBar; the first where all are."""
    known = list(names)
    return next((name for name in known if HEAD not in name), known[0])


def usual_class(names: Iterable[str]) -> str:
    """Return the class that people mean by a type: the language model, or else the base class."""
    known = list(names)
    return next((name for head in LANGUAGE_MODELS for name in known if name.endswith(head)), base_class(known))


def _folded(name: str) -> str:
    return name.casefold().replace("-", "_")
