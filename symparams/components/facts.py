"""Facts: what a builder says of a part beside its tensors, so that no rule has to go by what the part is called."""

from __future__ import annotations

from enum import Enum, StrEnum, auto
from typing import Union

from symparams.components.patterns import Pattern
from symparams.errors import DefinitionError, quoted
from symparams.expressions.extent import size
from symparams.expressions.nodes import Expression, as_expression
from symparams.expressions.written import ONE, ZERO, total
from symparams.features import Feature
from symparams.records import frozen

Gate = Union[Feature, bool, tuple[Feature, ...]]


class Projection(Enum):
    """The output of a matrix, or the vector that a norm normalises. A matrix stored for several outputs has several."""

    QUERY = auto()
    KEY = auto()
    VALUE = auto()
    OUTPUT = auto()
    COMPRESSED_QUERY = auto()  # the short vector from which latent attention makes its queries
    COMPRESSED_KEY_VALUE = auto()  # that from which it makes keys and values, and which it caches
    ROTARY_KEY = auto()  # the part of latent attention's keys that is turned by its position
    INDEX_QUERY = auto()  # what an indexer makes, by which a query finds the keys that it attends to
    INDEX_KEY = auto()
    INDEX_WEIGHTS = auto()  # by which the scores of an indexer's heads are added up
    POSITION_KEY = auto()  # keys of relative positions, which the queries of tokens meet
    POSITION_QUERY = auto()  # queries of relative positions, which meet the keys of tokens
    GLOBAL_QUERY = auto()  # of tokens that attend to all, beside those of the window around each
    GLOBAL_KEY = auto()
    GLOBAL_VALUE = auto()
    GATE = auto()
    UP = auto()
    DOWN = auto()
    ROUTER = auto()
    SHARED_EXPERT_GATE = auto()
    STATE_INPUT = auto()  # what a state space reads
    STATE_OUTPUT = auto()  # what it gives, before that goes back into the stream
    PATCHES = auto()  # a token of each patch of an image
    CONVOLUTION = auto()
    SELECTION = auto()  # Δ, B and C of a selective state space
    TIME_STEP = auto()
    INPUT_MATRIX = auto()  # B of a state space
    OUTPUT_MATRIX = auto()  # C
    TRANSITION = auto()  # A
    SKIP = auto()  # D
    WRITE = auto()  # how much of the value of a key a delta rule replaces, in a head
    RECEPTANCE = auto()  # the gate of what RWKV's sublayers give
    TOKEN_SHIFT = auto()  # how much of the token before is mixed in
    BONUS = auto()  # the weight of the current token in a mean
    DECAY = auto()  # how much of its state a head keeps
    LATENT_DOWN = auto()  # the shorter vector that the experts of a mixture read
    LATENT_UP = auto()  # what they give, as long again as the stream
    ADAPTER_DOWN = auto()  # the short vector of an adapter
    ADAPTER_UP = auto()  # what it adds to the output of the matrix beside it
    COEFFICIENTS = auto()  # by which the streams of a layer are added up


QKV = (Projection.QUERY, Projection.KEY, Projection.VALUE)
KV = (Projection.KEY, Projection.VALUE)
GLOBAL_QKV = (Projection.GLOBAL_QUERY, Projection.GLOBAL_KEY, Projection.GLOBAL_VALUE)


class Tokens(Enum):
    """The number of tokens that a part sees, if a request or a class decides it and no expression does."""

    EACH = auto()  # every token of the stream in which it stands
    LOGITS = auto()  # an output head: as many as logits are asked for
    LABELS = auto()  # a classifier: each token, or one of a sequence, as its class has it
    BEAMS = auto()  # as many as a search keeps, which no size says


class Rows(Enum):
    """The meaning of a row of a table."""

    TOKENS = auto()
    POSITIONS = auto()
    SEGMENTS = auto()
    DISTANCES = auto()  # of two tokens, a number for each pair


class Gives(Enum):
    """The output of a head, by its name in the catalogues. A part that gives something out of the model is a head."""

    NEXT_TOKEN = "lm_head"
    MASKED_TOKEN = "mlm_head"
    LABELS = "classifier"
    LABELS_OF_A_TEACHER = "distillation_classifier"
    LABELS_OF_A_SUMMARY = "label_summary"
    ANSWER = "answer"  # where an answer starts and where it ends
    ANSWERS = "answer_head"  # the same, and whether there is one
    POOLED = "pooler"
    SUMMARY = "sequence_summary"
    NEXT_SENTENCE = "nsp_head"
    SENTENCE_ORDER = "sop_head"
    REPLACED = "discriminator_head"
    CTC = "ctc_head"  # the letter of each frame, or none
    CONTEXT = "context_projection"  # what a frame is taken to be, by those around it
    CODES = "quantizer"  # what it is
    SPEAKER = "x_vector"  # a vector by which a speaker is told from others
    CONTACTS = "contact_head"  # which two tokens touch
    PIXELS = "mim_head"
    IMAGE_VECTOR = "image_projection"
    TEXT_VECTOR = "text_projection"
    DEEPSTACK = "deepstack"  # what is added after the first layers of another model
    MASKS = "mask_head"  # of things in an image, a number for each small square of pixels
    BOXES = "box_head"  # around things in an image
    QUALITY = "iou_head"  # of each mask
    SIMILARITIES = "shared_space"  # of what all streams give


class Vector(StrEnum):
    """A single vector of a sequence: one token, or the mean of all. A part that reads it sees one token."""

    FIRST_TOKEN = "first token"
    SECOND_TOKEN = "second token"
    LAST_TOKEN = "last token"
    END_TOKEN = "end token"  # the text's last one, whatever fills the sequence up behind it
    CLASS_TOKEN = "class token"
    MEAN_OF_PATCHES = "mean of the patches"
    CLASS_AND_MEAN = "class token and mean of the patches"


class Stream(StrEnum):
    """A stream that a part reads in place of its own, and that is not a part of the tree. A text that spells one is one."""

    ENCODER = "encoder"  # the output of an encoder, which cross-attention reads
    TARGET_TOKENS = "target tokens"  # the input of a decoder beside an encoder
    PATCHES = "patches"
    SQUARES = "squares of four patches"  # side by side in one vector
    IMAGE = "image vectors"
    TOKENS = "token vectors"  # of a layer, which what passes its second stream reads
    EARLIER_LAYERS = "earlier layers"  # the output of some layers of an encoder, each in turn
    LAYERS = "patches before the last norm"  # the output of the layers, whatever stands above them
    SCORES = "attention scores"  # of each head of each layer
    DISTANCES = "distances"  # of two tokens, which a table of biases of the scores is read by


class Adjusting(Enum):
    """What a number does to an output."""

    TIMES = "times"
    OVER = "over"
    ROOT = "root"  # times its square root
    OVER_ROOT = "over_root"
    CAP = "cap"  # of larger amounts tanh brings all below it


@frozen
class Adjustment:
    """What is done to an output by a number that nothing learns: a size, or the number under a config's choice of this name.

    It is done by models that have all features of ``when``.
    """

    adjusting: Adjusting
    by: Expression | str
    when: tuple[Feature, ...] = ()


@frozen
class Heads:
    """The heads of attention, or of a projection of it: ``number`` heads of this ``width``, ``matrices`` of them each."""

    number: Expression
    width: Expression
    matrices: int = 1

    @property
    def inner(self) -> Expression:
        """The width of all heads side by side."""
        return size(self.number * self.width)


@frozen
class Latent:
    """The short vectors of latent attention: of ``rank`` numbers and ``rotary`` more, which are cached, for keys and values.

    A head's key has ``plain`` numbers that are made from the short vector, and the ``rotary`` ones; its value has ``value``.
    """

    rank: Expression
    rotary: Expression
    plain: Expression
    value: Expression


@frozen
class Indexer:
    """What picks the ``keys`` that a query attends to: scores of ``heads`` that share one key, added up."""

    heads: Heads
    keys: Expression


@frozen
class Tiles:
    """Windows beside one another, of ``width`` tokens that see no others, in all layers but so many ``whole`` ones.

    In the layers of the pattern ``shifted`` they lie half a window further, so that tokens of several windows meet.
    """

    width: Expression
    whole: Expression = ZERO
    shifted: Pattern | None = None


@frozen
class Blocks:
    """Queries in blocks of ``width`` tokens. A token sees ``before`` keys, the last its own, and ``after`` more."""

    width: Expression
    before: Expression
    after: Expression

    @property
    def keys(self) -> Expression:
        """The keys that a block meets: its own, and those that its first and last token see."""
        return total([self.width, self.before - ONE, self.after])


POSITIONS = ("", "rotary", "alibi", "relative", "relative bias", "added")  # of attention


@frozen
class AttentionFacts:
    """The facts of attention: its heads, its positions, and which tokens a query sees.

    A query sees ``window`` tokens, itself among them, in the layers of the pattern ``windowed``, in all without one; where
    windows are ``chunked``, those from the start of its own chunk of so many tokens; and of these what an ``indexer`` picks. A
    ``banded`` window lies half before a token and half behind, and only pairs of tokens near one another are computed.
    ``positions`` is the kind of positions that act on its scores or its queries and keys, in the layers of ``positioned``; or,
    ``positioned_in_windows``, in those with a window, and in all of a model without one. ``values`` is the width of the values
    of all heads where that is written otherwise than n_heads·d_head. ``relative`` positions have scores of their own, of so
    many ``distances``, or of all that there are between the tokens; ``clipped`` distances are those of so many that a sequence
    has. Positions without projections of their own may pass those of queries and keys (``shared_projections``). Causal
    attention is ``cached``, unless its model never writes token by token; ``normed`` queries and keys are normed first, or
    after their positions have turned them (``turned_first``); ``scaled`` scores are divided by √d_head, and ``capped`` ones
    brought below the number under the config's choice of this name, where there is one. Queries meet the relative positions of
    an image by its ``axes``: so many rows, and as many columns. What ``shares`` has no keys and values of its own: they are
    those that an earlier layer made. Positions that are ``added`` come, in every layer, to what queries and keys are made of,
    and not to what values are; the part at the path ``placed_by`` makes those of the keys. What stands ``on_zeros`` makes the
    values of its first layer of zeros, to which no gradient comes. Queries in ``blocks`` meet the keys of their block and of
    the tokens around it, and each sees those near itself.
    """

    heads: Heads
    kv_heads: Heads
    causal: Gate = False
    window: Expression | None = None
    windowed: Pattern | None = None
    positions: str = ""
    positioned: Pattern | None = None
    positioned_in_windows: bool = False
    normed: bool = False
    turned_first: bool = False
    cached: bool = True
    values: Expression | None = None
    relative: Gate = False
    distances: Expression | None = None
    clipped: bool = False
    shared_projections: bool = False
    latent: Latent | None = None
    tiles: Tiles | None = None
    axes: Expression | None = None
    scaled: bool = True
    capped: str = ""
    chunked: bool = False
    banded: bool = False
    indexer: Indexer | None = None
    shares: bool = False
    placed_by: str = ""
    on_zeros: bool = False
    blocks: Blocks | None = None

    def __post_init__(self) -> None:
        for name in ("window", "values", "distances"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, as_expression(getattr(self, name)))
        check_gate(self.causal)
        check_gate(self.relative)
        if self.positions not in POSITIONS:
            known = " or ".join(f"'{word}'" for word in POSITIONS if word)
            raise DefinitionError(f"positions={quoted(self.positions)} of attention is not a kind of positions: write {known}.")
        for pattern in (self.windowed, self.positioned):
            if pattern is not None and not isinstance(pattern, Pattern):
                raise DefinitionError(
                    f"{quoted(pattern)} is not a pattern of layers: write every(3) or first(4), from symparams.components."
                )

    @property
    def values_width(self) -> Expression:
        """The width of the values of all heads, as the output projection reads them."""
        return self.heads.inner if self.values is None else self.values


class Recurrence(StrEnum):
    """How tokens update a state and read it, by its name in the catalogues."""

    SCAN = "state_space"  # number by number; C reads it
    DELTA_RULE = "gated_delta_rule"  # a key first reads the value that the state has for it, and writes the difference
    LIGHTNING = "lightning_attention"  # keys write values, queries read them
    TIME_MIXING = "time_mixing"  # a mean of the values, weighted by their keys, number by number


@frozen
class StateSpaceFacts:
    """The state of each sequence: ``inner`` × ``state`` numbers, and the last ``kernel`` inputs of ``channels``; 0 where none.

    With ``heads`` it multiplies matrices within chunks of ``chunk`` tokens; without, it scans token by token. The library keeps
    the state ``in_full``, in fp32, whatever the number type.
    """

    inner: Expression = ZERO
    state: Expression = ZERO
    channels: Expression = ZERO
    kernel: Expression = ZERO
    heads: Heads | None = None
    chunk: Expression | None = None
    recurrence: Recurrence = Recurrence.SCAN
    in_full: bool = True


@frozen
class Multiplication:
    """A product with what is not a matrix of the part's own: another part's, of these ``sides``; or, for ``each_pair`` of
    sequences, vectors of theirs, which may be ``normed`` to a length of 1 first: their cosine. What ``is_fixed``, as the shares
    of a mean, has no gradient.
    """

    name: str
    sides: tuple[Expression, ...]
    each_pair: bool = False
    normed: bool = False
    is_fixed: bool = False


def check_gate(gate: Gate) -> None:
    """DefinitionError where a gate is none: what is merely true, as a text or a size is, does not open one."""
    gates = gate if isinstance(gate, tuple) and gate else (gate,)
    if not all(isinstance(feature, Feature) for feature in gates) and not isinstance(gate, bool):
        raise DefinitionError(f"{quoted(gate)} is a {type(gate).__name__}, not a gate: write True, False or a feature.")


def seen(reads: str) -> Expression | None:
    """Return the tokens of a sequence that a part sees which reads this: 1 of a vector, None for those of its stream.

    A text that only spells a vector is refused: it would be shown as one and counted as the whole stream.
    """
    if isinstance(reads, Vector):
        return ONE
    spelled = next((vector for vector in Vector if vector.value == reads), None)
    if spelled is not None:
        raise DefinitionError(f"{quoted(reads)} is a text: write Vector.{spelled.name}, which sees one token.")
    return None


def key(reads: str) -> str:
    """Return the key of a reading in a table of the catalogue: first_token."""
    return reads.replace(" ", "_")
