"""A model beside a checkpoint: what is stored for each part of the tree, what is missing, and what is stored besides."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from symparams.checkpoints.alignment import align
from symparams.checkpoints.findings import Finding, Relation
from symparams.checkpoints.groups import Group
from symparams.checkpoints.number_types import BITS_IN_A_BYTE
from symparams.checkpoints.parameters import parameters_of
from symparams.checkpoints.record import Checkpoint
from symparams.checkpoints.trees import arrays_of, words_of
from symparams.models.model import Model
from symparams.records import frozen

if TYPE_CHECKING:
    from symparams.checkpoints.printed_text import Module

SCALES, BUFFERS, COPIES = "scales", "buffers", "copies"
KINDS = {
    Relation.SCALES: SCALES,
    Relation.BUFFER: BUFFERS,
    Relation.TIE_STORED: COPIES,
    Relation.MAY_SHARE: COPIES,
}


@frozen
class StoredModel:
    """A model, a checkpoint of it, and the findings about the two, in the order of the tree.

    ``parameters`` of the checkpoint are the stored numbers without buffers, scales and tied arrays that are stored again;
    they are ``here`` + the differences of all findings.
    """

    model: Model
    checkpoint: Checkpoint
    findings: tuple[Finding, ...]

    @property
    def match(self) -> bool:
        """True if the checkpoint stores just the parameters of the tree, in whatever ways."""
        return not self.differences

    @property
    def differences(self) -> tuple[Finding, ...]:
        """The findings about what is missing, too much, or of another shape."""
        return tuple(finding for finding in self.findings if finding.relation.is_difference)

    @property
    def unprinted(self) -> tuple[Finding, ...]:
        """The findings about arrays that a text does not show."""
        return tuple(finding for finding in self.findings if finding.relation is Relation.UNPRINTED)

    @property
    def holders(self) -> Iterator[Module]:
        """The modules of a text that hold arrays which it does not show."""
        printed = self.checkpoint.printed
        for finding in self.unprinted if printed else ():
            assert printed is not None
            yield from (found.module for found in printed.untold if found.module.kind == finding.what)
            names = (name for group in finding.here for name in group.own or group.names or (group.pattern,))
            yield from filter(None, map(printed.holder, names if not finding.what else ()))

    @property
    def here(self) -> int:
        """The parameters of the tree, with those that are stored and never trained."""
        return sum(finding.parameters_here for finding in self.findings)

    @property
    def stored(self) -> int:
        """The parameters of the checkpoint."""
        return sum(finding.parameters_there for finding in self.findings)

    @property
    def beside(self) -> Iterator[tuple[str, int]]:
        """The numbers that are stored beside the parameters: with these they are all numbers of the checkpoint.

        Of parameters of which several are packed in one number, less numbers are stored.
        """
        numbers = dict.fromkeys(("packed", BUFFERS, SCALES, COPIES), 0)
        sizes = {tensor.name: tensor.numbers for tensor in self.checkpoint.tensors}
        for finding in self.findings:
            stored = sum(sizes[name] for group in finding.there for name in group.own)
            numbers[KINDS.get(finding.relation, "packed")] += stored - finding.parameters_there
        yield from numbers.items()

    @property
    def bytes(self) -> Iterator[tuple[str, int]]:
        """The bytes of the parameters, of what else is stored, and of the headers: together the size of the files."""
        sizes = dict.fromkeys(("parameters", BUFFERS, SCALES, COPIES), 0)
        for finding in self.findings:
            sizes[KINDS.get(finding.relation, "parameters")] += finding.bytes
        yield from {**sizes, "headers": self.checkpoint.overhead}.items()


@frozen
class StoredWeights:
    """A checkpoint by itself: the groups of its parameters, and those of buffers and scales."""

    checkpoint: Checkpoint
    parameters: tuple[Group, ...]
    others: tuple[Group, ...]

    @property
    def value(self) -> int:
        """The number of stored parameters; a tied array that is stored again counts again, since no file says that it is."""
        return sum(group.size for group in self.parameters)

    @property
    def types(self) -> Iterator[tuple[str, int, int, int]]:
        """Each number type with its arrays, their numbers and their bytes, the largest first."""
        rows: dict[str, list[Group]] = {}
        for group in (*self.parameters, *self.others):
            rows.setdefault(group.dtype, []).append(group)
        sums = [
            (dtype, sum(one.number for one in groups), sum(one.size for one in groups), sum(one.bytes for one in groups))
            for dtype, groups in rows.items()
        ]
        yield from sorted(sums, key=lambda row: -row[3])


def bits_of(size: int, numbers: int) -> Fraction | None:
    """Return the bits of each of so many numbers in so many bytes; None of no numbers."""
    return Fraction(size * BITS_IN_A_BYTE, numbers) if numbers else None


def weights(checkpoint: Checkpoint) -> StoredWeights:
    """Return the parameters of a checkpoint; CheckpointError if it packs several in one number, whose shapes nobody tells.

    CheckpointError, too, for a text of a module in which a module holds arrays, or may do, that it does not show.
    """
    parameters, others = parameters_of(checkpoint)
    return StoredWeights(checkpoint, tuple(parameters), tuple(others))


def verify(model: Model, checkpoint: Checkpoint) -> StoredModel:
    """Compare the arrays of a model with those of a checkpoint; MissingDimensionError for a model without values.

    CheckpointError for a text of a module in which a module of an unknown class may hold arrays that the model does not have.
    """
    compared = StoredModel(model, checkpoint, tuple(align(arrays_of(model), checkpoint, words_of(model))))
    if checkpoint.printed:
        holders = {id(holder) for holder in compared.holders}
        untold = (found for found in checkpoint.printed.untold if found.module.holds_arrays)
        if other := next((found for found in untold if id(found.module) not in holders), None):
            raise checkpoint.printed.refusal(other)
    return compared
