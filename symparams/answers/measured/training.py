"""What training keeps of the real model: the bytes of weights, gradients and of what torch's optimizers keep after a step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from symparams.quantities.recipes import MASTER, MASTERED

DTYPES: Mapping[str, Callable[[], Any]] = {
    "fp32": lambda: _torch().float32,
    "bf16": lambda: _torch().bfloat16,
    "fp16": lambda: _torch().float16,
}
STATES = {
    "exp_avg": "first_moment",
    "exp_avg_sq": "second_moment",
    "max_exp_avg_sq": "largest_second_moment",
    "momentum_buffer": "momentum",
    "step": "steps",
}


def _torch() -> Any:
    import torch

    return torch


def kept_in_training(real: Any, recipe: str, gradients: str = "") -> Counter[str]:
    """The bytes of each part by its name, after a step of the recipe's optimizer on a model of the library."""
    torch = _torch()
    real = real.to(torch.bfloat16 if recipe.startswith("bf16") else torch.float32)
    return kept_of([weight for weight in real.parameters() if weight.requires_grad], recipe, gradients)


def kept_of(weights: list[Any], recipe: str, gradients: str = "") -> Counter[str]:
    """The same of these weights."""
    torch = _torch()
    optimizers: dict[str, Callable[[list[Any]], Any]] = {
        "sgd": torch.optim.SGD,
        "sgd_momentum": lambda given: torch.optim.SGD(given, momentum=0.9),
        "": lambda given: torch.optim.AdamW(given, foreach=False),
        "amsgrad": lambda given: torch.optim.AdamW(given, amsgrad=True, foreach=False),
    }
    masters = [weight.detach().float().requires_grad_() for weight in weights] if recipe == MASTERED else []
    optimized = masters or weights
    optimizer: Any = optimizers[recipe if recipe in optimizers else ""](optimized)
    kept = [torch.empty_like(weight, dtype=torch.float32 if gradients == "fp32" else None) for weight in weights]
    for weight in optimized:
        weight.grad = torch.empty_like(weight)
    optimizer.step()
    found = Counter({"weights": _bytes(weights), "gradients": _bytes(kept)}) + Counter({MASTER: _bytes(masters)})
    for state in optimizer.state.values():
        for name, tensor in state.items():
            if tensor is not None:
                found[STATES[name]] += _bytes([tensor])
    return found


def _bytes(tensors: list[Any]) -> int:
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)
