"""Shapes as JSON: {name: shape}, as a program prints them of any framework, nested or with dots in the names.

An array is a list of whole numbers, or an object with "shape" and, if it is known, "dtype".
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from symparams.checkpoints.record import MOST_TENSORS, StoredTensor, checked_name, checked_shape, too_many
from symparams.errors import CheckpointError, quoted

DEEPEST = 50
OF_AN_ARRAY = ({"shape"}, {"shape", "dtype"})


def parsed(text: bytes, place: str) -> Any:
    """Return the JSON in a text; CheckpointError where there is none."""
    try:
        return json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise CheckpointError(f"{quoted(place)} is not JSON.") from None


def tensors_of(values: Any, place: str) -> list[StoredTensor]:
    """Return the arrays that an object of names describes."""
    found: list[StoredTensor] = []
    for name, value in _arrays(values, (), place):
        described = value if isinstance(value, dict) else {"shape": value}
        shape = checked_shape(described["shape"], name, place)
        found.append(StoredTensor(checked_name(name, place), shape, str(described.get("dtype", ""))[:20]))
        if len(found) > MOST_TENSORS:
            raise too_many(place)
    if not found:
        raise CheckpointError(f'{quoted(place)} describes no tensor: write {{"embedding.weight": [V, h]}}.')
    return found


def _arrays(values: Any, path: tuple[str, ...], place: str) -> Iterator[tuple[str, Any]]:
    if not isinstance(values, dict) or len(path) > DEEPEST:
        raise CheckpointError(f'{quoted(place)} is not an object of names with shapes: write {{"embedding.weight": [V, h]}}.')
    for name, value in values.items():
        here = (*path, name)
        if isinstance(value, list) or (isinstance(value, dict) and value.keys() in OF_AN_ARRAY):
            yield ".".join(here), value
        else:
            yield from _arrays(value, here, place)
