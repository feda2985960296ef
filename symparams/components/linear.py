"""Matrices, vectors and convolutions, and the heads that are one matrix."""

from __future__ import annotations

from dataclasses import replace

from symparams.components.facts import Gate, Gives, Heads, Projection, Tokens, seen
from symparams.components.flow import giving, seeing
from symparams.components.kinds import BIAS, LINEAR, Kind, Role, Use
from symparams.components.laws import divides
from symparams.components.tree import Component, Tensor, gated
from symparams.errors import DefinitionError
from symparams.expressions.extent import size
from symparams.expressions.nodes import Operand
from symparams.expressions.written import ONE

CONVOLUTION, PARAMETER = Kind("convolution", Role.MATRIX), Kind("parameter", Role.VECTOR)
TRANSPOSED_CONVOLUTION = Kind("transposed_convolution", Role.MATRIX)
WEIGHT_NORMED_CONVOLUTION = Kind("weight_normed_convolution", Role.MATRIX)


def linear(
    inputs: Operand,
    outputs: Operand,
    *,
    bias: Gate = True,
    tied_to: str = "",
    heads: Heads | None = None,
    reads: str = "",
    activation: str = "",
    makes: tuple[Projection, ...] = (),
) -> Component:
    """Return a dense layer, y = f(xW + b): inputs × outputs weights and outputs biases (torch.nn.Linear).

    ``activation`` is f. ``bias`` is a bool, or the feature on which the bias depends. ``tied_to`` is the path of the layer
    whose matrix it reuses, so that it counts 0. An architecture with a tie has the feature ``tying`` by default, unless it
    says ``has=[~tying]``; a model without the feature has both matrices. ``makes`` says what attention or a state space makes
    with the matrix: queries, keys and values.
    """
    weight = Tensor("weight", (size(inputs), size(outputs)), Use.WEIGHT, tied_to=tied_to)
    tensors = (weight, *gated(_bias(outputs), bias))
    return Component(LINEAR, tensors=tensors, heads=heads, reads=reads, activation=activation, makes=makes, tokens=seen(reads))


def bias(length: Operand) -> Component:
    """A bias that is a layer of its own: length parameters."""
    return Component(BIAS, tensors=(_bias(length),))


def parameter(*shape: Operand, use: Use = Use.WEIGHT, kind: Kind = PARAMETER) -> Component:
    """An array that is learned directly, such as A and D of a state space: the product of its sides."""
    name = "bias" if use is Use.BIAS else "weight"
    return Component(kind, tensors=(Tensor(name, tuple(size(side) for side in shape), use),))


def convolution(
    outputs: Operand,
    inputs: Operand,
    *lengths: Operand,
    bias: Gate = True,
    activation: str = "",
    tokens: Operand | None = None,
    reads_data: Operand | bool = False,
) -> Component:
    """A convolution over ``lengths`` positions: outputs × inputs × lengths + outputs (torch.nn.Conv1d, torch.nn.Conv2d).

    ``tokens`` is the number of tokens of a sequence that it gives. ``reads_data``, True or the number of inputs, says that it
    reads the model's input, which has no gradient.
    """
    weight = Tensor("weight", (size(outputs), size(inputs), *(size(length) for length in lengths)), Use.WEIGHT)
    return Component(
        CONVOLUTION,
        tensors=(weight, *gated(_bias(outputs), bias)),
        activation=activation,
        tokens=None if tokens is None else size(tokens),
        reads_data=reads_data if isinstance(reads_data, bool) else size(reads_data),
    )


def transposed_convolution(inputs: Operand, outputs: Operand, *lengths: Operand, activation: str = "") -> Component:
    """A convolution backwards, ``lengths`` positions out of each: inputs × outputs × lengths + outputs (ConvTranspose2d).

    It sees the positions that come in, with a stride of its own size (Zeiler et al., 2010).
    """
    weight = Tensor("weight", (size(inputs), size(outputs), *(size(length) for length in lengths)), Use.WEIGHT)
    return Component(TRANSPOSED_CONVOLUTION, tensors=(weight, _bias(outputs)), activation=activation)


def depthwise_convolution(channels: Operand, *lengths: Operand, bias: Gate = True) -> Component:
    """A separate convolution of each channel: channels × 1 × lengths + channels (torch.nn.Conv1d, Conv2d with groups)."""
    return convolution(channels, ONE, *lengths, bias=bias)


def weight_normed_convolution(channels: Operand, groups: Operand, length: Operand, *, activation: str = "") -> Component:
    """A convolution within groups of channels, whose weights are directions, with a length for each position of the kernel:
    channels × channels/groups × length + length + channels (weight normalization; Salimans & Kingma, 2016, arXiv:1602.07868).
    """
    kernel = (size(channels), size(size(channels) / size(groups)), size(length))
    tensors = (Tensor("weight", kernel, Use.WEIGHT), Tensor("gain", (ONE, ONE, size(length)), Use.GAIN), _bias(channels))
    laws = (divides(groups, channels),)
    return Component(WEIGHT_NORMED_CONVOLUTION, tensors=tensors, activation=activation, laws=laws)


def with_adapters(sublayer: Component, rank: Operand, **outputs: Operand) -> Component:
    """Return attention or a feed-forward network with adapters beside the matrices of these names: inputs × rank, then rank ×
    outputs (LoRA from the start; Zamba2, arXiv:2411.15242).

    What an adapter gives is added to what its matrix gives.
    """
    body: list[tuple[str, Component]] = []
    for name, part in sublayer.body:
        body.append((name, part))
        if name in outputs:
            down = linear(part.tensors[0].shape[0], rank, bias=False, makes=(Projection.ADAPTER_DOWN,))
            up = linear(rank, outputs[name], bias=False, makes=(Projection.ADAPTER_UP,))
            body += [(f"{name}_adapter_down", part.times * down), (f"{name}_adapter_up", part.times * up)]
    if missing := outputs.keys() - dict(sublayer.body).keys():
        raise DefinitionError(f"{sublayer.kind} has no {missing.pop()}: give the names of its matrices.")
    return replace(sublayer, kind=Kind(f"adapted_{sublayer.kind}", sublayer.role), body=tuple(body))


def _bias(length: Operand) -> Tensor:
    return Tensor("bias", (size(length),), Use.BIAS)


def output_head(width: Operand, rows: Operand, *, bias: Gate = False, tied_to: str = "", activation: str = "") -> Component:
    """The matrix from a token to the logits: h × V, often tied to the token embedding (arXiv:1608.05859).

    It sees as many positions as need logits.
    """
    matrix = linear(width, rows, bias=bias, tied_to=tied_to, activation=activation)
    return giving(seeing(matrix, Tokens.LOGITS), Gives.NEXT_TOKEN)


def classifying(component: Component) -> Component:
    """Return a classifier of each token, or of the whole sequence if the model's class has it so."""
    return giving(seeing(component, Tokens.LABELS), Gives.LABELS)
