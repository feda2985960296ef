"""A model beside a checkpoint as data: each finding, each tensor that differs, the bytes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from symparams.answers.checkpoints import StoredModel, StoredWeights, bits_of
from symparams.checkpoints.findings import Finding
from symparams.checkpoints.groups import Group
from symparams.formats.json.blocks import exactly
from symparams.formats.json.data import Data
from symparams.formats.json.reading import reading


def checkpoint(data: Data) -> dict[str, Any]:
    """The counts of both, the bytes, the findings, and each tensor that differs."""
    compared: StoredModel = data.document.subject
    stored = compared.checkpoint
    return {
        "target": compared.model.name,
        "checkpoint": stored.name,
        "match": compared.match,
        "parameters": {"here": compared.here, "stored": compared.stored},
        "tensors": len(stored.tensors),
        "bytes": {**dict(compared.bytes), "total": stored.bytes} if stored.has_bytes else None,
        "findings": [_finding(finding) for finding in compared.findings],
        "differences": [difference for finding in compared.differences for difference in _tensors(finding)],
        **reading(compared.model),
    }


def weights(data: Data) -> dict[str, Any]:
    """The number of parameters, the bytes of the files, and what each number type has of both."""
    stored: StoredWeights = data.document.subject
    has_bytes = stored.checkpoint.has_bytes
    return {
        "target": stored.checkpoint.name,
        "value": stored.value,
        "tensors": len(stored.checkpoint.tensors),
        "bytes": {"headers": stored.checkpoint.overhead, "total": stored.checkpoint.bytes} if has_bytes else None,
        "types": [
            {"type": dtype, "tensors": arrays, "numbers": numbers, "bits": exactly(bits_of(size, numbers)), "bytes": size}
            for dtype, arrays, numbers, size in (stored.types if has_bytes else ())
        ],
        "arrays": [_stored(group, has_bytes=has_bytes) for group in stored.parameters],
        "others": [_stored(group, has_bytes=has_bytes) for group in stored.others],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "relation": finding.relation.value,
        "ways": [way.name.lower() for way in finding.ways],
        "is_difference": finding.relation.is_difference,
        "here": [{"part": group.path, **_group(group)} for group in finding.here],
        "stored": [{**_group(group), "dtype": group.dtype, "bytes": group.bytes} for group in finding.there],
        "parameters": {"here": finding.parameters_here, "stored": finding.parameters_there},
    }


def _stored(group: Group, *, has_bytes: bool) -> dict[str, Any]:
    return {**_group(group), "dtype": group.dtype if has_bytes else None, "bytes": group.bytes if has_bytes else None}


def _group(group: Group) -> dict[str, Any]:
    return {"name": group.label, "shape": list(group.shape), "number": group.number}


def _tensors(finding: Finding) -> Iterator[dict[str, Any]]:
    """Yield each tensor of a finding with its shapes; of pairs of groups both shapes."""
    for here, there in zip_longest(finding.here, finding.there):
        group = there or here
        for name in group.own or group.names or (group.pattern,):
            yield {
                "name": name,
                "here": list(here.shape) if here else None,
                "stored": list(there.shape) if there else None,
            }
