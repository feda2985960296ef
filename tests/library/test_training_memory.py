"""Training memory: the bytes of the library's weights, of their gradients and of what torch's optimizers keep of them."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest

from symparams import load
from symparams.architectures import architecture
from symparams.models.library import library
from tests.library import require
from tests.library.configurations import SPACES
from tests.library.oracle import configuration, correction, on_meta

require("torch", "transformers")

MEASURED = ("bert", "gpt2", "llama", "t5", "vit")
RECIPES = ("fp32", "bf16", "bf16_fp32_master", "amp", "sgd", "sgd_momentum", "amsgrad")


def trained(weights: list[Any], recipe: str, gradients: str = "") -> tuple[int, int]:
    """The bytes of weights, gradients and states after a step of the recipe's optimizer, and those of the numbers of steps."""
    import torch

    optimizers = {
        "sgd": torch.optim.SGD,
        "sgd_momentum": partial(torch.optim.SGD, momentum=0.9),
        "amsgrad": partial(torch.optim.AdamW, amsgrad=True, foreach=False),
    }
    masters = [weight.detach().float().requires_grad_() for weight in weights] if recipe == "bf16_fp32_master" else []
    optimized = masters or weights
    optimizer: Any = optimizers.get(recipe, partial(torch.optim.AdamW, foreach=False))(optimized)
    stored = [torch.empty_like(weight, dtype=torch.float32 if gradients == "fp32" else None) for weight in weights]
    for weight in optimized:
        weight.grad = torch.empty_like(weight)
    optimizer.step()
    states = [(name, state) for kept in optimizer.state.values() for name, state in kept.items() if state is not None]
    stored += [*weights, *masters, *(state for name, state in states if name != "step")]
    return size(stored), size([state for name, state in states if name == "step"])


def size(tensors: list[Any]) -> int:
    """The bytes of tensors."""
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)


def weights_of(family: str, rng: random.Random, recipe: str) -> tuple[list[Any], dict[str, Any]]:
    """The trained weights of a random configuration, in the recipe's number type, and its config.json."""
    import torch

    known = library(architecture(family))
    assert known is not None
    while True:
        class_name, settings = rng.choice(list(known.classes)), SPACES[family](rng)
        config, written = configuration(family, settings, class_name)
        if not correction(class_name, settings, written):
            break
    model = on_meta(class_name, config).to(torch.bfloat16 if recipe.startswith("bf16") else torch.float32)
    return [weight for weight in model.parameters() if weight.requires_grad], written


@pytest.mark.parametrize("family", MEASURED)
def test_weights_gradients_and_states(family):
    rng = random.Random(family)  # noqa: S311 - no secret
    for recipe in RECIPES:
        weights, written = weights_of(family, rng, recipe)
        model, (real, steps) = load(written), trained(weights, recipe)
        assert model.measure("training_memory", recipe=recipe) == real, written
        assert model.measure("training_memory", recipe=recipe, step=True) == real + steps, written


@pytest.mark.parametrize("family", list(SPACES))
def test_of_every_family_what_is_trained(family):
    weights, written = weights_of(family, random.Random(family), "bf16_fp32_master")  # noqa: S311 - no secret
    real, _ = trained(weights, "bf16_fp32_master", gradients="fp32")
    assert load(written).measure("training_memory", recipe="bf16_fp32_master", gradients="fp32") == real
