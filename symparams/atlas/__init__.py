"""The atlas: the types of the transformers library that have no family by hand, as they were discovered and checked.

``types/NAME.json`` holds the classes of a type, read when somebody asks for it; ``symparams.discovery.library`` makes it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symparams.atlas.record import Entry

BASE = "BASE"  # of a class without a head, beside the heads of the library's auto classes
CAUSAL = "CAUSAL_LM"  # the head of what writes token after token
# The heads that people mean by a type, the first that it has.
LANGUAGE_MODELS = (
    *(CAUSAL, "SEQ_TO_SEQ_CAUSAL_LM", "MASKED_LM"),
    *("IMAGE_TEXT_TO_TEXT", "MULTIMODAL_LM", "SPEECH_SEQ_2_SEQ"),
)
FOLDER = Path(__file__).parent / "types"


@cache
def kinds() -> tuple[str, ...]:
    """Return the types that were discovered: the names of files, of which none is read."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*.json")))


def kind_of(name: str, among: Iterable[str] | None = None) -> str | None:
    """Return the type that a name means, in any case, with - or _; None where none of them is called so."""
    known = kinds() if among is None else list(among)
    folded = name.casefold().replace("-", "_")
    return name if name in known else next((kind for kind in known if kind.casefold().replace("-", "_") == folded), None)


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


def class_with(heads: Mapping[str, Collection[str]], wanted: Iterable[str]) -> str:
    """Return the class that has the first of these heads that any has; "" where none has one."""
    return next((name for head in wanted for name, own in heads.items() if head in own), "")


def heads_of(kind: str) -> dict[str, Collection[str]]:
    """Return the discovered classes of a type with their heads."""
    return {name: entry.heads for name, entry in entries(kind).items()}
