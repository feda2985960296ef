"""FLOPs of the real model: torch counts each product of matrices as the library runs it, module by module."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from symparams.answers.real_models import inputs, words


@dataclass(frozen=True)
class Counted:
    """What torch counts: in each module by itself, without the modules in it, in a forward pass; in all of a backward pass.

    Each by operation; "" is the model itself. Torch tells modules of a backward pass apart by hooks that overlap.
    """

    forward: Mapping[str, Mapping[str, int]]
    backward: Mapping[str, int]


def count_flops(real: Any, sizes: Mapping[str, int], logits: str | int = "all", *, backward: bool = False) -> Counted:
    """What torch counts in a forward pass after t tokens, and in a backward pass if it is asked for."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    given = inputs(real, sizes)
    if logits != "all":
        given["logits_to_keep"] = 1 if logits == "last" else logits
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if sizes.get("t"):
            given |= _cache(real, given, sizes)
        with FlopCounterMode(display=False) as counter, torch.set_grad_enabled(backward):
            out = real(**given)
            forward = _named(counter.get_flop_counts())
            if backward:
                leaves = [each for each in floats(out) if each.requires_grad]
                torch.autograd.backward(leaves, [torch.ones_like(each) for each in leaves])
        both = _named(counter.get_flop_counts())[""]
    return Counted(_alone(forward), Counter(both) - Counter(forward[""]))


def _named(counts: Mapping[str, Mapping[Any, int]]) -> dict[str, dict[str, int]]:
    """The counts by the names of modules in the model, and of operations; "" is all of it."""
    found = {_path(name): counted for name, counted in counts.items() if _path(name)} | {"": counts.get("Global", {})}
    return {name: {str(op).removeprefix("aten."): number for op, number in ops.items()} for name, ops in found.items()}


def _alone(counts: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    """The counts of each module without those of the modules in it."""
    found = {name: Counter(ops) for name, ops in counts.items()}
    for name in filter(None, counts):
        around = next(each for each in _around(name) if each in found)
        found[around].subtract(counts[name])
    return {name: dict(ops) for name, ops in found.items() if any(ops.values())}


def _path(name: str) -> str:
    """The module in the model: "LlamaModel.layers.0" is layers.0; "" is the model itself."""
    return name.partition(".")[2]


def _around(name: str) -> Iterator[str]:
    while name:
        name = name.rpartition(".")[0]
        yield name


def floats(out: Any) -> list[Any]:
    """The tensors of numbers in what a model gives, caches aside."""
    import torch

    found: list[Any] = []
    for value in out.values() if hasattr(out, "values") else out if isinstance(out, (tuple, list)) else [out]:
        if isinstance(value, torch.Tensor):
            found += [value] if value.is_floating_point() else []
        elif isinstance(value, (tuple, list)) or (hasattr(value, "values") and not hasattr(value, "get_seq_length")):
            found += floats(value)
    return found


def _cache(real: Any, given: dict[str, Any], sizes: Mapping[str, int]) -> dict[str, Any]:
    """The cache after t tokens; a decoder beside an encoder does not run it again."""
    import torch

    key = "decoder_input_ids" if "decoder_input_ids" in given else "input_ids"
    with torch.no_grad():
        first = real(**{**given, key: words(real, sizes["b"], sizes["t"]), "use_cache": True})
    cache = {name: first[name] for name in ("past_key_values", "cache_params") if name in first}
    if "encoder_last_hidden_state" in first:
        given.pop("input_ids", None)
        given.pop("input_features", None)
        cache["encoder_outputs"] = (first.encoder_last_hidden_state,)
    return {**cache, "use_cache": True}
