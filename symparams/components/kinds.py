"""Kinds: what a component is, by its name, and the part it plays in a model, which is all that views and rules ask for."""

from __future__ import annotations

from enum import Enum, auto

from symparams.errors import DefinitionError, quoted
from symparams.records import frozen


class Role(Enum):
    """The part that a component plays."""

    TABLE = auto()  # a row for each token, position or type
    MATRIX = auto()
    VECTOR = auto()  # an array that is learned by itself: a bias, a scale, A and D of a state space
    NORM = auto()
    SCALE = auto()  # a learned factor of each component of what comes in
    ATTENTION = auto()
    FEED_FORWARD = auto()
    MIXER = auto()  # what mixes tokens and is not attention: a state space
    LINEAR_ATTENTION = auto()  # queries read a state to which keys write values: no two tokens meet
    SHORT_CONVOLUTION = auto()  # a convolution over the last few tokens
    CHAIN = auto()  # a layer of one formula whose parts pass data one after another, or in chains that are multiplied
    OTHER = auto()  # a layer of one formula that is none of these
    ABSENT = auto()  # nothing to learn: it counts 0, and its kind says why
    BLOCK = auto()
    RESIDUAL = auto()  # what stands inside is passed in order and added to what came in
    PARALLEL = auto()  # each part takes the same input, and what comes out is added
    PREPENDED = auto()  # what comes out stands in one sequence, one part after the other
    SECOND_STREAM = auto()  # its parts pass the other stream of a layer that carries two
    UNORDERED = auto()  # nobody saw what its parts read

    @property
    def is_flow(self) -> bool:
        """True if it only says how data flows, and has no name in a path."""
        return self in (Role.RESIDUAL, Role.PARALLEL, Role.PREPENDED, Role.SECOND_STREAM, Role.UNORDERED)


class PartRole(Enum):
    """The role of a part in any model, by the field's term, whatever its definition calls it: models are compared by it."""

    TOKENS = "token_embedding"
    POSITIONS = "position_embedding"
    DISTANCES = "position_bias"
    SEGMENTS = "segment_embedding"
    VECTORS = "embedding"  # a table of rows of which nothing more is said: a class token, a mask
    PATCHES = "patch_embedding"
    ATTENTION = "attention"
    CROSS_ATTENTION = "cross_attention"
    LINEAR_ATTENTION = "linear_attention"
    FEED_FORWARD = "feed_forward"
    EXPERTS = "experts"
    SHARED_EXPERTS = "shared_experts"
    MIXER = "state_space"
    SHORT_CONVOLUTION = "short_convolution"
    NORM = "norms"
    LAYER_SCALES = "layer_scales"
    CONVOLUTIONS = "convolutions"  # of the neighbours of each position, where they mix them in place of attention
    OUTPUT_HEAD = "lm_head"
    CLASSIFIER = "classifier"
    OTHER = ""  # what is told by its name alone


@frozen
class Kind:
    """A kind of component: its name, which the catalogues know, and its role, which code goes by.

    What is absent may stand ``instead_of`` what learns something: a norm without parameters, positions without a table.
    """

    name: str
    role: Role
    instead_of: Role | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.isprintable() or not self.name:
            raise DefinitionError(f"{quoted(self.name)} is not the name of a kind: write a text of one line.")

    def __str__(self) -> str:
        return self.name


class Use(Enum):
    """The use of a tensor: a weight multiplies, a bias is added, a gain scales what is normed."""

    WEIGHT = "weight"
    BIAS = "bias"
    GAIN = "gain"


EMBEDDING = Kind("embedding", Role.TABLE)
LINEAR = Kind("linear", Role.MATRIX)
BIAS = Kind("bias", Role.VECTOR)
LAYER_NORM = Kind("layer_norm", Role.NORM)
RMS_NORM = Kind("rms_norm", Role.NORM)
FEED_FORWARD = Kind("feed_forward", Role.FEED_FORWARD)
GATED_FEED_FORWARD = Kind("gated_feed_forward", Role.FEED_FORWARD)
BLOCK = Kind("block", Role.BLOCK)
RESIDUAL = Kind("residual", Role.RESIDUAL)
PARALLEL = Kind("parallel", Role.PARALLEL)
PREPENDED = Kind("prepended", Role.PREPENDED)
SECOND_STREAM = Kind("second_stream", Role.SECOND_STREAM)
UNORDERED = Kind("unordered", Role.UNORDERED)
CONCATENATION = Kind("concatenation", Role.ABSENT)
