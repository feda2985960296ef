"""Mixtures of experts: which layers have them, and what a config may not ask of them."""

from __future__ import annotations

from symparams.errors import ConfigError
from symparams.expressions.symbols import L, L_dense, d_ff, d_shared, n_active, n_experts
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings, read_whole

LAYER_KINDS, SPARSE, DENSE = "mlp_layer_types", "sparse", "dense"


def check(settings: Settings, library: Library) -> None:
    """The library refuses more experts for one token than there are."""
    number, active = library.size(settings, n_experts), library.size(settings, n_active)
    if number and active and active > number:
        raise ConfigError(
            f"{library.key(n_active)} = {active} in the config is more than there are experts, "
            f"{library.key(n_experts)} = {number}."
        )


def check_deepseek(settings: Settings, library: Library) -> None:
    """The library builds experts into every layer after the first ones, whatever moe_layer_freq says."""
    frequency = settings.size("moe_layer_freq", default=1)
    if frequency != 1:
        raise ConfigError(f"moe_layer_freq = {frequency} in the config: only 1 is supported, experts in every layer.")


def check_ernie(settings: Settings, library: Library) -> None:
    """The library leaves experts out of layers after moe_layer_end_index, and between those of moe_layer_interval."""
    number, interval = library.need(settings, L), settings.size("moe_layer_interval", default=1)
    last = settings.size("moe_layer_end_index", default=-1, least=-1)
    if interval != 1 or (last != -1 and (last is None or last < number - 1)):
        raise ConfigError(
            f"moe_layer_interval = {interval}, moe_layer_end_index = {last} in the config: only experts in every layer from "
            f"moe_layer_start_index to the last are supported, 1 and {number - 1}."
        )


def check_phimoe(settings: Settings, library: Library) -> None:
    """The library's router takes two experts, whatever num_experts_per_tok says."""
    active = library.size(settings, n_active)
    if active not in (None, 2):
        raise ConfigError(
            f"{library.key(n_active)} = {active} in the config: only 2 is supported, because the router always takes two."
        )


def alike(settings: Settings, library: Library) -> int | None:
    """The experts of a token may be listed, a number for each layer; only one number for all layers is supported."""
    name, value = settings.find(library.keys[n_active].names)
    if not isinstance(value, list):
        return library.keys[n_active].read(settings)
    listed, number = settings.listed(name) or [], library.need(settings, L)
    if len(listed) < number or any(entry != listed[0] for entry in listed) or not listed:
        raise ConfigError(f"{name} in the config: only the same number for each of the {number} layers is supported.")
    return read_whole(name, listed[0])


def layers_at_steps(settings: Settings, library: Library) -> int:
    """decoder_sparse_step = s gives experts to every s-th layer (the s-th the first), and those that mlp_only_layers
    names, by their index from 0, have none."""
    number = library.layers(settings)
    step, dense = _steps(settings, library)
    if library.size(settings, n_experts) == 0:
        return 0
    return number // step - sum(0 <= layer < number and (layer + 1) % step == 0 for layer in dense)


def layers_with(settings: Settings, library: Library) -> tuple[int, ...]:
    """The layers with experts, by their index from 0, follow from the same keys."""
    step, dense = _steps(settings, library)
    if library.size(settings, n_experts) == 0:
        return ()
    return tuple(layer for layer in range(library.layers(settings)) if layer not in dense and (layer + 1) % step == 0)


def shared_size(settings: Settings, library: Library) -> int | None:
    """Without experts the one network of a layer has the size of the shared expert."""
    return library.keys[d_ff].read(settings) if library.size(settings, n_experts) else library.size(settings, d_shared)


def _steps(settings: Settings, library: Library) -> tuple[int, set[int]]:
    """Every how many layers there are experts, and the layers that have none all the same."""
    text = library.around(settings, n_experts)
    dense = text.indices("mlp_only_layers") or set()
    return text.need("decoder_sparse_step", default=1), dense


def interleaved(settings: Settings, library: Library) -> tuple[int, ...]:
    """Every interleave_moe_layer_step-th layer has experts, or those that moe_layers lists, by their index from 0."""
    text, number = library.around(settings, n_experts), library.layers(settings)
    named = text.indices("moe_layers")
    if named is not None:
        return tuple(layer for layer in range(number) if layer in named)
    step = text.need("interleave_moe_layer_step", default=library.extra["interleave_moe_layer_step"])
    return tuple(range(step - 1, number, step))


def sparse(settings: Settings, library: Library) -> tuple[int, ...]:
    """The layers with experts are those that mlp_layer_types calls sparse, or all after the first first_k_dense_replace."""
    number, kinds = library.need(settings, L), settings.listed(LAYER_KINDS)
    if kinds is None:
        return tuple(range(number - layers_after(settings, library), number))
    if len(kinds) != number or not {SPARSE, DENSE}.issuperset(kinds):
        raise ConfigError(f"{LAYER_KINDS} in the config must be a list of {number} entries, one a layer: {DENSE} or {SPARSE}.")
    return tuple(layer for layer, kind in enumerate(kinds) if kind == SPARSE)


def layers_after(settings: Settings, library: Library) -> int:
    """The first layers have no experts, as many as a key says, which may be more than there are layers."""
    key = library.key(L_dense)
    first = settings.need(key, default=library.extra[key], least=0)
    return max(0, library.need(settings, L) - first)
