"""Mixtures of experts: the router, the experts that stand side by side in one array, and what a config says of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from symparams.components import Component, Gate, Tensor, gated_feed_forward, linear
from symparams.errors import ConfigError
from symparams.expressions.features import Feature
from symparams.expressions.nodes import Operand
from symparams.expressions.written import size
from symparams.models.library import MOST_DIGITS, FlagReader, Key, Settings, SizeReader, read_whole

EXPERTS, EXPERT_FEED_FORWARD, SHARED_EXPERT_FEED_FORWARD = "experts", "expert_feed_forward", "shared_expert_feed_forward"


def mixture_of_experts(
    width: Operand, n_experts: Operand, n_active: Operand, d_expert: Operand, *, bias: Gate = False
) -> Component:
    """n_experts gated feed-forwards, of which the router gives each token n_active (Shazeer et al., 2017, arXiv:1701.06538).

    h × n_experts for the router, n_experts × h × 2d_expert for the gates and the ways up of all experts, and
    n_experts × d_expert × h for the ways back down; one token uses n_active of them, and the whole router.
    """
    gates_and_ups = experts(n_experts, n_active, width, 2 * size(d_expert), bias=bias)
    downs = experts(n_experts, n_active, d_expert, width, bias=bias)
    router = linear(width, n_experts, bias=bias)
    return Component(
        EXPERT_FEED_FORWARD, children=(("router", router), ("experts_gate_up", gates_and_ups), ("experts_down", downs))
    )


def experts(n_experts: Operand, n_active: Operand, inputs: Operand, outputs: Operand, *, bias: Gate = False) -> Component:
    """One matrix of each expert, all in one array of shape n_experts × inputs × outputs, and their biases in another."""
    every, chosen, length = size(n_experts), size(n_active), size(outputs)
    weight = Tensor("weight", (every, size(inputs), length), "weight", active=(chosen, size(inputs), length))
    shift = Tensor("bias", (every, length), "bias", active=(chosen, length))
    biases = (replace(shift, when=(bias,)),) if isinstance(bias, Feature) else (shift,) * bias
    return Component(EXPERTS, tensors=(weight, *biases))


def shared_expert(width: Operand, d_shared: Operand) -> Component:
    """An expert that every token passes, and the gate that weighs what it adds: 3 × h × d_shared + h (Qwen2-MoE)."""
    weighing = linear(width, 1, bias=False)
    feed_forward = gated_feed_forward(width, d_shared)
    return replace(
        feed_forward, kind=SHARED_EXPERT_FEED_FORWARD, children=(*feed_forward.children, ("shared_expert_gate", weighing))
    )


def check_experts(n_experts: Key, n_active: Key) -> Callable[[Settings], None]:
    """A check of a mixture's config: no more experts for one token than there are, all layers of one config."""

    def check(settings: Settings) -> None:
        number, active = n_experts(settings), n_active(settings)
        if number and active and active > number:
            raise ConfigError(
                f"{n_active.names[0]} = {active} in the config is more than there are experts, {n_experts.names[0]} = {number}."
            )
        if settings.has("per_layer_config"):
            raise ConfigError("per_layer_config in the config: only layers that all have the same sizes are supported.")

    return check


def layers_at_steps(n_layers: Key, n_experts: Key) -> SizeReader:
    """How many layers have experts where decoder_sparse_step = s gives them to every s-th layer (the s-th the first),
    and those that mlp_only_layers names, by their index from 0, have none."""

    def read(settings: Settings) -> int:
        number = settings.need(*n_layers.names, default=n_layers.default)
        step = settings.need("decoder_sparse_step", default=1)
        listed = settings.listed("mlp_only_layers") or []
        dense = {read_whole("mlp_only_layers", layer, least=1 - 10**MOST_DIGITS) for layer in listed}
        if n_experts(settings) == 0:
            return 0
        return number // step - sum(0 <= layer < number and (layer + 1) % step == 0 for layer in dense)

    return read


def layers_after(n_layers: Key, first_dense: Key) -> SizeReader:
    """How many layers have experts where the first layers, first_k_dense_replace of them, have none."""

    def read(settings: Settings) -> int:
        number = settings.need(*n_layers.names, default=n_layers.default)
        return max(0, number - settings.need(*first_dense.names, default=first_dense.default, least=first_dense.least))

    return read


def other_layers(n_layers: Key, those: SizeReader) -> SizeReader:
    """How many layers are left beside those."""

    def read(settings: Settings) -> int:
        return settings.need(*n_layers.names, default=n_layers.default) - (those(settings) or 0)

    return read


def any_of(those: SizeReader) -> FlagReader:
    """Whether there is any such layer."""
    return lambda settings: bool(those(settings))
