"""Implementations: what the tree does not say of how the transformers library computes a family, which decides what it keeps.

Read from the library's code (5.23) and held against what ``torch.autograd.graph.saved_tensors_hooks`` sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from symparams.expressions.nodes import Expression
from symparams.expressions.symbols import b, max_pos, s

FLOATS = ("fp32", "fp16", "bf16")
EMBEDDINGS, ATTENTION, OUTPUT, INNER, FINAL = "embeddings", "attention", "output", "inner", "final"


@dataclass(frozen=True)
class Implementation:
    """How a family is computed: the places where it has dropout, and what it computes in fp32 whatever the number type.

    ``full_softmax``: the softmax of the scores; ``full_loss``: the logits of the loss. A ``late_norm`` multiplies the input
    by the inverse root of its mean square before it goes to fp32, so that it keeps the input in both types.
    ``shifts_labels``: the answers of its lm_head are the next words; ``classifies``: what its classifier keeps is derived.
    ``positions`` are the indices of positions that are stored. ``dtypes`` are those in which a family is derived, ``unlike``
    the keys of a config that make it compute otherwise, ``why_eager`` says why no fused kernel computes its attention, ""
    where one does.
    """

    dropouts: tuple[str, ...]
    full_softmax: bool = False
    full_loss: bool = False
    late_norm: bool = False
    shifts_labels: bool = True
    classifies: bool = False
    positions: Expression | None = None
    dtypes: tuple[str, ...] = FLOATS
    unlike: tuple[str, ...] = ()
    why_eager: str = ""


_LLAMA = Implementation((ATTENTION,), full_softmax=True, full_loss=True)

IMPLEMENTATIONS: Mapping[str, Implementation] = MappingProxyType(
    {
        "bert": Implementation((EMBEDDINGS, ATTENTION, OUTPUT), positions=max_pos, unlike=("chunk_size_feed_forward",)),
        "gpt2": Implementation(
            (EMBEDDINGS, ATTENTION, OUTPUT), full_loss=True, positions=s, unlike=("reorder_and_upcast_attn",)
        ),
        "bloom": Implementation(
            (ATTENTION, OUTPUT),
            full_softmax=True,
            full_loss=True,
            why_eager="the library has no fused attention for it",
        ),
        "opt": Implementation((ATTENTION, OUTPUT), full_softmax=True, full_loss=True, positions=b * s, unlike=("layerdrop",)),
        "llama": _LLAMA,
        "mistral": _LLAMA,
        "qwen2": _LLAMA,
        "qwen3": _LLAMA,
        "t5": Implementation(
            (EMBEDDINGS, ATTENTION, OUTPUT, INNER, FINAL),
            late_norm=True,
            shifts_labels=False,  # they are given as the decoder is to say them
            dtypes=("fp32", "bf16"),  # in fp16 the library clamps what comes out of each sublayer
            why_eager="its positions are learned biases of the scores, whose gradient needs them",
        ),
        "vit": Implementation((EMBEDDINGS, ATTENTION, OUTPUT), full_softmax=True, classifies=True),
    }
)


@dataclass(frozen=True)
class Keeps:
    """What an activation keeps: its input, its output, and so many tensors of that size between the two."""

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
