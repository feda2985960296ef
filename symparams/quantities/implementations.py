"""Implementations: how the library computes a model, as far as the tree does not say it and saved tensors depend on it.

Each is read from a library's code and held against what ``torch.autograd.graph.saved_tensors_hooks`` sees; that of a family
stands in the table of its library. A tree that no library builds is taken as plain PyTorch: everything in one number type.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from symparams.expressions.nodes import Expression
from symparams.records import frozen

FLOATS = ("fp32", "fp16", "bf16")
EMBEDDINGS, ATTENTION, OUTPUT, INNER, FINAL = "embeddings", "attention", "output", "inner", "final"
ALIBI_ATTENTION, SUM = "alibi_attention", "sum"  # where positions are ALiBi's; of branches side by side
PLACES = (EMBEDDINGS, ATTENTION, OUTPUT, INNER, FINAL, ALIBI_ATTENTION, SUM)


@frozen
class Implementation:
    """The implementation of a family: the places that have dropout, and what is in fp32 whatever the number type.

    An RMSNorm is, and with ``full_gain`` its product with the gain; with ``gain_of_one`` 1 + the gain is a tensor of its own.
    ``full_softmax``: the softmax of the scores. ``full_rotary``: the cosines and sines. ``full_loss``: the logits of the loss.
    A ``late_norm`` multiplies the input by the inverse root of its mean square before it goes to fp32, so that it saves the
    input in both types. ``shifts_labels``: the answers of its head are the next words. ``classifies``: what its classifier
    saves is derived. ``own_head_activation``: what its head activates by is its own, whatever the config says of its layers.
    ``layers_only``: what is saved outside of the layers is not; ``several_heads``: nor what a single token or head, or
    one of width 1, saves, whose transposed tensors are views.
    ``joins_rotary``: queries and keys are joined of a turned and a plain part, so that a fused kernel's result is copied.
    ``full_router``: the probabilities of a router; ``full_router_matrix``: its product too, of copies of both factors;
    ``full_expert_weights``: what an expert's result is multiplied by. ``masks_groups``: a router saves which experts stand in
    the groups that it chose.
    ``chooses_first``: its softmax is of the chosen experts alone.
    ``limited_gate`` is the activation of experts whose gate and up-projection are limited before it.
    ``copies_shared``: key-value heads are copied out of what one matrix gives, unless each query has its own.
    ``norms_router`` is the config key that divides the weights of a token's experts by their sum, "always" if no key does.
    ``rotary_part`` is the part of a head that positions turn, where no config says it under one of the ``rotary_keys``.
    ``positions`` are the indices of
    positions that are saved; with ``repeats_source_positions`` those of a source that is embedded apart are repeated for each
    sequence, with ``repeats_segments`` those of segments. ``dtypes`` are those in which a family is derived, ``unlike`` the
    keys of a config that make it compute otherwise;
    ``why_eager`` says why no fused kernel computes its attention, "" if one does.
    """

    dropouts: tuple[str, ...] = ()
    full_gain: bool = False
    gain_of_one: bool = False
    full_softmax: bool = False
    full_rotary: bool = False
    full_loss: bool = False
    late_norm: bool = False
    shifts_labels: bool = True
    classifies: bool = False
    own_head_activation: bool = False
    layers_only: bool = False
    several_heads: bool = False
    joins_rotary: bool = False
    full_router: bool = False
    full_router_matrix: bool = False
    full_expert_weights: bool = False
    masks_groups: bool = False
    chooses_first: bool = False
    limited_gate: str = ""
    copies_shared: bool = False
    repeats_source_positions: bool = False
    repeats_segments: bool = False
    norms_router: str = ""
    rotary_part: Fraction = Fraction(1)
    rotary_keys: tuple[str, ...] = ()
    positions: Expression | None = None
    dtypes: tuple[str, ...] = FLOATS
    unlike: tuple[str, ...] = ()
    why_eager: str = ""


# torch.nn's own modules, with dropout after the softmax and after each sublayer, as in torch.nn.TransformerEncoderLayer.
PLAIN = Implementation((ATTENTION, OUTPUT), full_gain=True)


@frozen
class Keeps:
    """The tensors that an activation function saves: its input, its output, and so many between the two."""

    input: bool = True
    between: int = 0
    output: bool = False


_TANH_BY_HAND = Keeps(between=3)  # half the input, the tanh, and one more than it
ACTIVATIONS: Mapping[str, Keeps] = MappingProxyType(
    {
        **dict.fromkeys(("gelu", "gelu_pytorch_tanh", "silu", "swish", "mish", "relu6", "leaky_relu", "hardswish"), Keeps()),
        **dict.fromkeys(("gelu_new", "gelu_python_tanh", "gelu_accurate"), _TANH_BY_HAND),
        **dict.fromkeys(("relu", "sigmoid", "tanh"), Keeps(input=False, output=True)),
        **dict.fromkeys(("quick_gelu", "gelu_10"), Keeps(between=1)),
        "gelu_fast": Keeps(between=6),
        "gelu_python": Keeps(input=False, between=3),
        "laplace": Keeps(input=False, between=1),
        "relu2": Keeps(input=False, between=1),
        "sqrtsoftplus": Keeps(output=True),
    }
)
LINEAR = "linear"  # no activation: what comes in goes out
