"""Chains: what stands below the layers of a column in order: the stream, and what joins it from the side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

from symparams.components.kinds import Role
from symparams.drawings.outline.parts import Block, Fork, Part, begins_anew
from symparams.records import frozen

MOST = 2  # boxes that come to the stream at once


class Joining(StrEnum):
    """The way in which two inputs come together: added, in one sequence, one within the other, or one in its place."""

    SUM = "sum"
    SEQUENCE = "sequence"
    INSERT = "insert"
    CHOICE = "choice"


@frozen
class Joint:
    """The place where an input comes to the stream from the side."""

    sides: tuple[tuple[Part, ...], ...]
    joining: Joining

    @property
    def is_pill(self) -> bool:
        """True if words name the joint, not a circle."""
        return self.joining is not Joining.SUM


@frozen
class Foot:
    """A chain that begins with what reads the model's input, and what is done to it: parts and joints in order."""

    chain: tuple[Part | Joint, ...]

    @property
    def first(self) -> Block | None:
        """The box on the lowest row."""
        return self.chain[0] if self.chain and isinstance(self.chain[0], Block) else None

    @property
    def has_sides(self) -> bool:
        """True if boxes stand beside the stream."""
        joints = [part for part in self.chain if isinstance(part, Joint)]
        return any(isinstance(part, Block) for joint in joints for side in joint.sides for part in side)


def foot_of(parts: Sequence[Part], most: int = MOST) -> Foot:
    """The chain of a column: of what is added, or stands in one sequence, the first is the stream; the others join it, at
    most so many at once."""
    chain: list[Part | Joint] = []
    for part in parts:
        if chain and begins_anew(part):  # in the place of some of the stream, as what stands for tokens to be predicted
            chain.append(Joint(((part,),), Joining.CHOICE))
        else:
            chain += _flattened(part, most) if isinstance(part, Fork) and not chain else [part]
    return Foot(tuple(chain))


def in_place(parts: Sequence[Part]) -> Iterator[Block]:
    """Yield the blocks that replace their input among the parts before them, in a chain or in one of its branches."""
    yield from (part for part in parts[1:] if begins_anew(part) and part.component.reads)
    for branch in (branch for part in parts if isinstance(part, Fork) for branch in part.branches):
        yield from in_place(branch)


def _flattened(fork: Fork, most: int) -> list[Part | Joint]:
    """A fork as its main branch and a joint: the patches of an image are the stream, tokens by themselves stand beside."""
    main = next((branch for branch in fork.branches if not fork.is_sequence or not _is_token(branch)), fork.branches[0])
    sides = tuple(branch for branch in fork.branches if branch is not main)
    joining = Joining.SEQUENCE if fork.is_sequence else Joining.SUM
    return [*foot_of(main, most).chain, *(Joint(sides[i : i + most], joining) for i in range(0, len(sides), most))]


def _is_token(branch: tuple[Part, ...]) -> bool:
    return len(branch) == 1 and isinstance(branch[0], Block) and branch[0].component.role is Role.TABLE
