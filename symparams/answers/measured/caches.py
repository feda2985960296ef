"""The KV cache of the real model: what its ``past_key_values`` hold after a forward pass, layer by layer."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from symparams.answers.real_models import inputs


def count_cached(real: Any, sizes: Mapping[str, int]) -> Counter[int]:
    """How many layers keep so many numbers: keys and values, states of convolutions and recurrences."""
    import torch

    given = inputs(real, {**sizes, "s": sizes["t"]})
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        out = real(**given, use_cache=True)
    found = Counter(elements(layer) for layer in _layers(out.get("past_key_values", out.get("cache_params"))))
    del found[0]  # a layer that keeps nothing, as a mixer's place in a cache of attention
    return found


def elements(cached: Any) -> int:
    """How many numbers a cache, or a layer of it, holds."""
    return sum(tensor.numel() for tensor in _tensors(cached, set()))


def _layers(cached: Any) -> Iterator[Any]:
    """The layers of a cache, those of a decoder's own and of what it reads of the source one after another."""
    parts = [getattr(cached, name) for name in ("self_attention_cache", "cross_attention_cache") if hasattr(cached, name)]
    for part in parts or [cached]:
        yield from part.layers


def _tensors(value: Any, seen: set[int]) -> Iterator[Any]:
    from torch import Tensor

    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, Tensor):
        if value.is_floating_point():
            yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _tensors(inner, seen)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _tensors(inner, seen)
    elif type(value).__module__.endswith("cache_utils"):
        for inner in vars(value).values():
            yield from _tensors(inner, seen)
