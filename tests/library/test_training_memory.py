"""Training memory: the bytes of the library's weights, of their gradients and of what torch's optimizers keep of them."""

from __future__ import annotations

import random
from itertools import cycle
from typing import Any

import pytest

from symparams import load
from symparams.answers.measured.training import kept_of
from symparams.architectures import architecture
from symparams.models.library import library
from tests.library import require
from tests.library.oracle import CONFIGURATIONS, configuration, correction, on_meta, spaces

require("torch", "transformers")
pytestmark = pytest.mark.filterwarnings("ignore")  # what the library warns of is its own

MEASURED = ("bert", "gpt2", "bloom", "opt", "llama", "mistral", "qwen2", "qwen3", "t5", "vit")
RECIPES = ("fp32", "bf16", "bf16_fp32_master", "amp", "sgd", "sgd_momentum", "amsgrad")


def trained(weights: list[Any], recipe: str, gradients: str = "") -> tuple[int, int]:
    """Weights, gradients and states after a step, and beside them the bytes of the numbers of steps."""
    kept = kept_of(weights, recipe, gradients)
    steps = kept.pop("steps", 0)
    return kept.total(), steps


def weights_of(family: str, rng: random.Random, recipe: str) -> tuple[list[Any], dict[str, Any]]:
    """The trained weights of a random configuration, in the recipe's number type, and its config.json."""
    import torch

    known = library(architecture(family))
    assert known is not None
    while True:
        class_name, settings = rng.choice(list(known.classes)), spaces()[family](rng)
        config, written = configuration(family, settings, class_name)
        if not correction(class_name, settings, written):
            break
    model = on_meta(class_name, config).to(torch.bfloat16 if recipe.startswith("bf16") else torch.float32)
    return [weight for weight in model.parameters() if weight.requires_grad], written


@pytest.mark.parametrize("family", MEASURED)
def test_weights_gradients_and_states(family):
    rng = random.Random(family)  # noqa: S311 - no secret
    for recipe, _ in zip(cycle(RECIPES), range(CONFIGURATIONS), strict=False):
        weights, written = weights_of(family, rng, recipe)
        model, (real, steps) = load(written), trained(weights, recipe)
        assert model.measure("training_memory", recipe=recipe) == real, written
        assert model.measure("training_memory", recipe=recipe, step=True) == real + steps, written


@pytest.mark.parametrize("family", list(spaces()))
def test_of_every_family_what_is_trained(family):
    weights, written = weights_of(family, random.Random(family), "bf16_fp32_master")  # noqa: S311 - no secret
    real, _ = trained(weights, "bf16_fp32_master", gradients="fp32")
    assert load(written).measure("training_memory", recipe="bf16_fp32_master", gradients="fp32") == real
