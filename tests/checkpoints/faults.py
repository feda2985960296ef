"""Faults planted in the header of a checkpoint, each with the finding that names it as what it is.

Two matrices of one shape that are swapped are none of them: no header shows it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from symparams import load
from symparams.answers.checkpoints import verify
from symparams.checkpoints.findings import Finding, Relation
from symparams.checkpoints.record import Checkpoint, StoredTensor
from symparams.checkpoints.storage import is_quantised
from symparams.checkpoints.trees import arrays_of
from symparams.components.copies import MANY
from symparams.models.model import Model

WORDS = 101  # a vocabulary of so many is a side of nothing else


@dataclass(frozen=True)
class Fault:
    """The arrays of a file with a fault, the relation that names it, and the arrays that are named, by the names in the tree.

    A tie is broken by a model that is loaded without it: ``exclude``.
    """

    tensors: tuple[StoredTensor, ...]
    relation: Relation
    names: frozenset[str] = frozenset()
    exclude: tuple[str, ...] = ()

    def is_named(self, differences: tuple[Finding, ...]) -> bool:
        """True if the differences name it, and nothing else."""
        groups = [group for finding in differences for group in finding.there or finding.here]
        named = {name for group in groups for name in (*group.own, *group.names)}
        return {finding.relation for finding in differences} == {self.relation} and self.names <= named


def faults(model: Model, checkpoint: Checkpoint) -> Iterator[tuple[str, Fault]]:
    """Yield each fault that a checkpoint of this model can have."""
    tensors, tree = checkpoint.tensors, arrays_of(model)
    own = {array.name for array in tree if not array.owner}
    named = [tensor for tensor in tensors if tensor.name in own]
    for lost in [tensor for tensor in named if tensor.name.endswith(".bias") and ".0." in tensor.name][-1:]:
        rest = tuple(tensor for tensor in tensors if tensor is not lost)
        yield "a bias lost", Fault(rest, Relation.MISSING, frozenset({lost.name}))
    for one, other in _pairs([tensor for tensor in named if not is_quantised(tensor.dtype)])[:1]:
        shapes = {one.name: other.shape, other.name: one.shape}
        swapped = tuple(tensor._replace(shape=shapes.get(tensor.name, tensor.shape)) for tensor in tensors)
        yield "two matrices swapped", Fault(swapped, Relation.SWAPPED, frozenset(shapes))
    tables = frozenset(tensor.name for tensor in named if WORDS in tensor.shape)
    if tables:
        less = tuple(t._replace(shape=tuple(side - (side == WORDS) for side in t.shape)) for t in tensors)
        yield "a word less", Fault(less, Relation.OTHER_SHAPE, tables)
    stacks = Counter(tensor.name.partition(".1.")[0] for tensor in tensors if ".1." in tensor.name)
    for stack, _ in stacks.most_common(1):
        rest = tuple(tensor for tensor in tensors if not tensor.name.startswith(f"{stack}.1."))
        kinds = any(MANY in name for name in own)  # take turns, and which layer is of which is not known
        yield "a layer missing", Fault(rest, Relation.MISSING if kinds else Relation.MISSING_COPIES)
    stored = {tensor.name for tensor in tensors}
    if any(array.owner for array in tree) and model.features.get("tying") and not stored & {a.name for a in tree if a.owner}:
        yield "a tie broken", Fault(tensors, Relation.UNSTORED_HEAD, exclude=("tying",))


def _pairs(named: list[StoredTensor]) -> list[tuple[StoredTensor, StoredTensor]]:
    """The matrices of one layer that have other sides."""
    return [
        (one, other)
        for one in named
        for other in named
        if len(one.shape) == len(other.shape) == 2
        and sorted(one.shape) != sorted(other.shape)
        and ".0." in one.name
        and one.name.rpartition(".0.")[0] == other.name.rpartition(".0.")[0]
    ]


def unnamed(model: Model, checkpoint: Checkpoint) -> list[str]:
    """Return the planted faults that are not named as what they are; the checkpoint as it is has none."""
    assert not verify(model, checkpoint).differences
    found = []
    for what, fault in faults(model, checkpoint):
        told = load(model, exclude=fault.exclude) if fault.exclude else model
        differences = verify(told, replace(checkpoint, tensors=fault.tensors)).differences
        if not fault.is_named(differences):
            found.append(f"{what}: {[(d.relation.value, [g.label for g in (*d.here, *d.there)]) for d in differences][:4]}")
    return found
