"""Faults planted at random: a tensor lost, a side changed; and whatever modules are called, no fault where there is none."""

from __future__ import annotations

import hashlib
import random

import pytest

from symparams import load, published_models
from symparams.architectures import find
from symparams.checkpoints.alignment import align
from symparams.checkpoints.findings import Relation
from symparams.checkpoints.record import Checkpoint, StoredTensor
from symparams.checkpoints.trees import arrays_of, words_of
from symparams.models.library import library
from tests.sweeps import swept

# Of which parts of one shape have other numbers of copies, so that names alone tell which copy is whose.
TOLD_BY_NAMES = {"sam-vit-large", "sam-vit-huge", "gemma-3n-e2b"}
LIBRARYS = [name for name in published_models() if library(find(name)[0])]


def elsewhere(name: str) -> str:
    """A name with other modules, which has the numbers of copies alone in common with it."""
    return ".".join(
        part if part.isdecimal() or part in ("weight", "bias") else f"m{hashlib.sha256(part.encode()).hexdigest()[:6]}"
        for part in name.split(".")
    )


@pytest.mark.parametrize("name", swept(LIBRARYS))
def test_a_random_fault_is_the_only_finding(name):
    model, rng = load(name), random.Random(name)  # noqa: S311 - no secret
    tree = arrays_of(model)
    saved = [StoredTensor(array.name, array.shape, "BF16") for array in tree if not array.owner and array.trained]

    def differences(tensors):
        findings = align(tree, Checkpoint(name, tuple(tensors)), words_of(model))
        return [finding for finding in findings if finding.relation.is_difference]

    assert differences(saved) == []
    assert differences(tensor._replace(name=f"module.{tensor.name}") for tensor in saved) == []
    if name not in TOLD_BY_NAMES:
        assert differences(tensor._replace(name=elsewhere(tensor.name)) for tensor in saved) == []
    lost = rng.choice(saved)
    [fault] = differences(tensor for tensor in saved if tensor is not lost)
    assert (fault.difference, fault.here[0].names) == (-lost.numbers, (lost.name,))
    wide = rng.choice([tensor for tensor in saved if tensor.shape])
    wider = wide._replace(shape=(wide.shape[0] + 3, *wide.shape[1:]))
    [fault] = differences(wider if tensor is wide else tensor for tensor in saved)
    assert (fault.relation, fault.there[0].own) == (Relation.OTHER_SHAPE, (wide.name,))
