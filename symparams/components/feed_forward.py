"""Feed-forward networks: plain, with a gate, and mixtures of experts.

A mixture has a router, experts that stand side by side in one array, and maybe one that all tokens share.
"""

from __future__ import annotations

from dataclasses import replace

from symparams.components.facts import Gate, Projection
from symparams.components.flow import block
from symparams.components.kinds import FEED_FORWARD, GATED_FEED_FORWARD, Kind, Role, Use
from symparams.components.laws import at_most
from symparams.components.linear import depthwise_convolution, linear, parameter
from symparams.components.norms import rms_norm
from symparams.components.tree import Component, Tensor, gated
from symparams.expressions.extent import size
from symparams.expressions.nodes import Operand
from symparams.expressions.written import ONE
from symparams.features import Feature

GAUSSIAN_TOP_K = Kind("gaussian_top_k", Role.ABSENT)
FUSED_GATED_FEED_FORWARD = Kind("fused_gated_feed_forward", Role.FEED_FORWARD)
ADAPTER, LIGHT_CONVOLUTION = Kind("adapter", Role.CHAIN), Kind("light_convolution", Role.CHAIN)


def feed_forward(width: Operand, d_ff: Operand, *, bias: Gate = True, activation: str = "gelu") -> Component:
    """Two layers, up to d_ff and back: (h × d_ff + d_ff) + (d_ff × h + h) (arXiv:1706.03762, section 3.3).

    ``bias=False`` removes the biases: h × d_ff + d_ff × h.
    """
    up = linear(width, d_ff, bias=bias, makes=(Projection.UP,))
    down = linear(d_ff, width, bias=bias, makes=(Projection.DOWN,))
    return Component(FEED_FORWARD, body=(("up", up), ("down", down)), activation=activation)


def perceptron(
    inputs: Operand, width: Operand, outputs: Operand, hidden: Operand = ONE, *, activation: str = "relu"
) -> Component:
    """Dense layers one after another: inputs × d + d, so many ``hidden`` ones of d × d + d, and d × outputs + outputs."""
    return block(
        input_layer=linear(inputs, width, activation=activation),
        hidden_layers=hidden * linear(width, width, activation=activation),
        output_layer=linear(width, outputs),
    )


def adapter(width: Operand, d_adapter: Operand, *, activation: str = "relu") -> Component:
    """Two layers, down to a few numbers and back: (h × d_adapter + d_adapter) + (d_adapter × h + h), which are trained while
    all else is frozen (Houlsby et al., 2019, arXiv:1902.00751).
    """
    down = linear(width, d_adapter, activation=activation, makes=(Projection.DOWN,))
    up = linear(d_adapter, width, makes=(Projection.UP,))
    return Component(ADAPTER, body=(("down", down), ("up", up)))


def light_convolution(width: Operand, length: Operand, *, activation: str = "silu") -> Component:
    """A convolution in a layer with attention: h × 2h, half of which gates the other by a sigmoid (GLU), h × length in each
    channel by itself over the last frames, a norm of h, an activation, and h × h (Conformer; Gulati et al., 2020,
    arXiv:2005.08100; Gemma 3n).
    """
    parts = (
        ("input_projection", linear(width, 2 * size(width), bias=False, activation="glu")),
        ("convolution", replace(depthwise_convolution(width, length, bias=False), makes=(Projection.CONVOLUTION,))),
        ("norm", rms_norm(width)),
        ("output_projection", linear(width, width, bias=False)),
    )
    return Component(LIGHT_CONVOLUTION, body=parts, activation=activation)


def gated_feed_forward(width: Operand, d_ff: Operand, *, bias: Gate = False, activation: str = "silu") -> Component:
    """A feed-forward network with a gate, as in SwiGLU: 3 × h × d_ff (Shazeer, 2020, arXiv:2002.05202)."""
    gate, up = (linear(width, d_ff, bias=bias, makes=(made,)) for made in (Projection.GATE, Projection.UP))
    down = linear(d_ff, width, bias=bias, makes=(Projection.DOWN,))
    return Component(GATED_FEED_FORWARD, body=(("gate", gate), ("up", up), ("down", down)), activation=activation)


def with_sparse_gate(network: Component, feature: Feature) -> Component:
    """Return a network of whose gate, if the model has the feature, only the largest of each token's numbers stay.

    Before its activation the gate loses its mean and z standard deviations, and all that is then negative: Gaussian top-k
    (Gemma 3n; You et al., 2025, arXiv:2506.06644).
    """
    (gate, making), *others = network.body
    return replace(network, body=((gate, making), ("gate_sparsity", feature * Component(GAUSSIAN_TOP_K)), *others))


def fused_gated_feed_forward(width: Operand, d_ff: Operand, *, bias: Gate = False, activation: str = "silu") -> Component:
    """A gated feed-forward network with gate and up-projection in one matrix: h × 2d_ff, then d_ff × h (arXiv:2002.05202)."""
    gate_up = linear(width, 2 * d_ff, bias=bias, makes=(Projection.GATE, Projection.UP))
    down = linear(d_ff, width, bias=bias, makes=(Projection.DOWN,))
    return Component(FUSED_GATED_FEED_FORWARD, body=(("gate_up", gate_up), ("down", down)), activation=activation)


EXPERTS, EXPERT_SCALES = Kind("experts", Role.MATRIX), Kind("expert_scales", Role.VECTOR)
EXPERT_FEED_FORWARD = Kind("expert_feed_forward", Role.FEED_FORWARD)
PLAIN_EXPERT_FEED_FORWARD = Kind("plain_expert_feed_forward", Role.FEED_FORWARD)
UNFUSED_EXPERT_FEED_FORWARD = Kind("unfused_expert_feed_forward", Role.FEED_FORWARD)
BALANCING_BIAS = Kind("balancing_bias", Role.VECTOR)
SHARED_EXPERT_FEED_FORWARD = Kind("shared_expert_feed_forward", Role.FEED_FORWARD)


def mixture_of_experts(
    width: Operand,
    n_experts: Operand,
    n_active: Operand,
    d_expert: Operand,
    *,
    bias: Gate = False,
    activation: str = "silu",
    fused: bool = True,
    scores: str = "",
) -> Component:
    """n_experts gated feed-forward networks; a router gives each token n_active (Shazeer et al., 2017, arXiv:1701.06538).

    h × n_experts for the router, n_experts × h × 2d_expert for the gates and up-projections, and n_experts × d_expert × h for
    the down-projections. One token uses n_active experts and the whole router. Unless ``fused``, gates and up-projections are
    two arrays, n_experts × h × d_expert each. ``scores`` is the function that makes the router's scores of its outputs: softmax
    or sigmoid.
    """

    def array(inputs: Operand, outputs: Operand, *makes: Projection) -> Component:
        return experts(n_experts, n_active, inputs, outputs, bias=bias, makes=makes)

    gates, ups = (array(width, d_expert, made) for made in (Projection.GATE, Projection.UP))
    together = array(width, 2 * size(d_expert), Projection.GATE, Projection.UP)
    return Component(
        EXPERT_FEED_FORWARD if fused else UNFUSED_EXPERT_FEED_FORWARD,
        body=(
            ("router", linear(width, n_experts, bias=bias, activation=scores, makes=(Projection.ROUTER,))),
            *((("experts_gate_up", together),) if fused else (("experts_gate", gates), ("experts_up", ups))),
            ("experts_down", array(d_expert, width, Projection.DOWN)),
        ),
        activation=activation,
        laws=(at_most(n_active, n_experts),),
    )


def plain_mixture_of_experts(
    width: Operand,
    n_experts: Operand,
    n_active: Operand,
    d_expert: Operand,
    *,
    latent: Operand | None = None,
    bias: Gate = False,
    activation: str = "relu2",
    scores: str = "",
) -> Component:
    """A mixture of feed-forward networks without gates (NVIDIA, 2025, arXiv:2512.20848).

    h × n_experts for the router, n_experts × h × d_expert for the up-projections, n_experts × d_expert × h for the
    down-projections. With ``latent`` the experts read and give vectors of that size: h × latent down before them and latent × h
    up after them, with biases if ``bias`` says so. ``scores`` is as above.
    """
    read = width if latent is None else latent
    experts_up = experts(n_experts, n_active, read, d_expert, makes=(Projection.UP,))
    experts_down = experts(n_experts, n_active, d_expert, read, makes=(Projection.DOWN,))
    down = (("latent_down", linear(width, read, bias=bias, makes=(Projection.LATENT_DOWN,))),)
    up = (("latent_up", linear(read, width, bias=bias, makes=(Projection.LATENT_UP,))),)
    return Component(
        PLAIN_EXPERT_FEED_FORWARD,
        body=(
            ("router", linear(width, n_experts, bias=False, activation=scores, makes=(Projection.ROUTER,))),
            *(() if latent is None else down),
            ("experts_up", experts_up),
            ("experts_down", experts_down),
            *(() if latent is None else up),
        ),
        activation=activation,
        laws=(at_most(n_active, n_experts),),
    )


def normed_mixture_of_experts(
    width: Operand, n_experts: Operand, n_active: Operand, d_expert: Operand, *, activation: str = "silu", scores: str = ""
) -> Component:
    """A mixture whose router and whose experts each norm what comes in (Gemma 4).

    Beside the matrices of a mixture, h gains of the router's input, n_experts scales of the experts' weights, and a norm of
    the experts' input with h gains.
    """
    mixture = mixture_of_experts(width, n_experts, n_active, d_expert, activation=activation, scores=scores)
    (router, scoring), *networks = mixture.body
    vectors = (
        ("router_norm", replace(rms_norm(width), makes=(Projection.ROUTER,))),
        (router, scoring),
        ("expert_scales", replace(parameter(n_experts, kind=EXPERT_SCALES), makes=(Projection.ROUTER,))),
        ("experts_norm", replace(rms_norm(width), makes=(Projection.GATE, Projection.UP))),
    )
    return replace(mixture, body=(*vectors, *networks))


def experts(
    n_experts: Operand,
    n_active: Operand,
    inputs: Operand,
    outputs: Operand,
    *,
    bias: Gate = False,
    makes: tuple[Projection, ...] = (),
) -> Component:
    """One matrix of every expert, stored as one array n_experts × inputs × outputs, and their biases as another."""
    every, chosen, length = size(n_experts), size(n_active), size(outputs)
    weight = Tensor("weight", (every, size(inputs), length), Use.WEIGHT, active=(chosen, size(inputs), length))
    shift = Tensor("bias", (every, length), Use.BIAS, active=(chosen, length))
    return Component(EXPERTS, tensors=(weight, *gated(shift, bias)), makes=makes)


def with_balancing_bias(mixture: Component, n_experts: Operand) -> Component:
    """Return a mixture whose router chooses by its scores plus a bias of each expert, 1 × n_experts (arXiv:2408.15664).

    The bias is stored and not trained: what sends each expert as many tokens moves it.
    """
    bias = Tensor("weight", (ONE, size(n_experts)), Use.WEIGHT, trained=False)
    [(name, router), *others] = mixture.body
    return replace(mixture, body=((name, router), (BALANCING_BIAS.name, Component(BALANCING_BIAS, tensors=(bias,))), *others))


def shared_expert(width: Operand, d_shared: Operand) -> Component:
    """An expert that every token passes, and the gate that scales its output: 3 × h × d_shared + h (Qwen2-MoE)."""
    weighing = linear(width, 1, bias=False, makes=(Projection.SHARED_EXPERT_GATE,))
    plain = gated_feed_forward(width, d_shared)
    return replace(plain, kind=SHARED_EXPERT_FEED_FORWARD, body=(*plain.body, ("shared_expert_gate", weighing)))


PER_LAYER_GATE = Kind("per_layer_gate", Role.OTHER)


def per_layer_gate(width: Operand, d_layer: Operand, reads: str, *, activation: str = "gelu_pytorch_tanh") -> Component:
    """A layer's own vector of a token, gated by the stream: h × d_layer down, times the vector, and d_layer × h up."""
    gate = linear(width, d_layer, bias=False, makes=(Projection.GATE,))
    output = linear(d_layer, width, bias=False, makes=(Projection.OUTPUT,))
    return Component(PER_LAYER_GATE, body=(("gate", gate), ("output", output)), activation=activation, reads=reads)
