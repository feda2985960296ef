"""Findings: what stands in a checkpoint for the arrays of a tree, and what each has that the other has not."""

from __future__ import annotations

from enum import Enum, auto

from symparams.checkpoints.groups import Group
from symparams.records import frozen


class Way(Enum):
    """How the same numbers are stored otherwise; of a file beside a tree."""

    RENAMED = auto()  # under another name
    BY_SHAPE = auto()  # under names that do not tell which is which
    FUSED = auto()  # several arrays of the tree are one
    SPLIT = auto()  # one array of the tree is several
    STACKED = auto()  # the arrays of all copies are one
    UNSTACKED = auto()  # one array of the tree is one for each copy
    TRANSPOSED = auto()
    RESHAPED = auto()  # in the same order, with other sides
    PACKED = auto()  # several numbers in one


class Relation(Enum):
    """What a finding says; ``is_difference`` where the tree is not what is stored."""

    SAME = "same"  # the same numbers, in whatever ways
    TIE_LEFT_OUT = "tie_left_out"  # a tied array, which is not stored again
    TIE_STORED = "tie_stored"  # a tied array, which is stored again
    CONSTANT_LEFT_OUT = "constant_left_out"  # an array that is never trained, and is computed when it is loaded
    BUFFER = "buffer"
    SCALES = "scales"  # of packed numbers
    MAY_SHARE = "may_share"  # an array of a text with the shape of another, which it may be
    UNPRINTED = "unprinted"  # an array that a module holds itself, which the text of a module does not show
    TIE_BROKEN = "tie_broken"  # tied in the tree, a parameter of its own there
    TIED_THERE = "tied_there"  # its own in the tree, tied there
    UNSTORED_HEAD = "unstored_head"  # its own in the tree, missing there as a tied one would be
    PADDED = "padded"
    OTHER_SHAPE = "other_shape"
    SWAPPED = "swapped"
    MISSING = "missing"
    MISSING_COPIES = "missing_copies"
    EXTRA = "extra"
    EXTRA_COPIES = "extra_copies"

    @property
    def is_difference(self) -> bool:
        """True if the tree is not what is stored."""
        return self not in (Relation.SAME, Relation.UNPRINTED, *NO_PARAMETERS)


NO_PARAMETERS = (
    Relation.TIE_LEFT_OUT,
    Relation.TIE_STORED,
    Relation.CONSTANT_LEFT_OUT,
    Relation.BUFFER,
    Relation.SCALES,
    Relation.MAY_SHARE,
)


@frozen
class Finding:
    """Groups of a tree, those that are stored for them, and how the two are related.

    ``what`` is the module whose copies are missing or too many, the array that a tie leads to, the class that hides arrays,
    or the bits of packed numbers.
    """

    relation: Relation
    here: tuple[Group, ...] = ()
    there: tuple[Group, ...] = ()
    ways: tuple[Way, ...] = ()
    what: str = ""
    numbers: tuple[int, ...] = ()

    @property
    def parameters_here(self) -> int:
        """The parameters of the tree that it is about."""
        return 0 if self.relation in NO_PARAMETERS else sum(group.size for group in self.here)

    @property
    def parameters_there(self) -> int:
        """The parameters that are stored; packed ones by what they stand for."""
        if self.relation in NO_PARAMETERS:
            return 0
        return self.parameters_here if Way.PACKED in self.ways else sum(group.size for group in self.there)

    @property
    def difference(self) -> int:
        """How many more parameters are stored than the tree has."""
        return self.parameters_there - self.parameters_here

    @property
    def bytes(self) -> int:
        """The bytes of what is stored."""
        return sum(group.bytes for group in self.there)
