"""``tensors(names="hf")`` gives names, shapes and order of ``named_parameters()``: each class."""

from __future__ import annotations

import random
import warnings

import pytest

from symparams import load
from tests.library import require
from tests.library.odd_keys import with_activations
from tests.library.oracle import classes, configuration, correction, spaces

require("torch", "transformers")
pytestmark = pytest.mark.filterwarnings("ignore")  # what the library warns of is its own

CONFIGURATIONS = 10


def theirs(class_name, config):
    import torch
    import transformers

    with warnings.catch_warnings(), torch.device("meta"):
        warnings.simplefilter("ignore")
        model = getattr(transformers, class_name)(config)
    return [(name, tuple(parameter.shape)) for name, parameter in model.named_parameters()]


@pytest.mark.parametrize(("family", "class_name"), list(classes()))
def test_names_shapes_and_order_are_the_librarys(family, class_name):
    draw, rng = spaces()[family], random.Random(f"names of {family} {class_name}")  # noqa: S311 - no secret
    for _ in range(CONFIGURATIONS):
        settings = with_activations(family, draw(rng), rng)
        config, written = configuration(family, settings, class_name)
        ours = list(load(written).tensors(names="hf", frozen=True))
        if left_out := correction(class_name, settings, written):
            ours = [tensor for tensor in ours if tensor[0] != "lm_head.weight"]
            assert sum(left_out.values()) == 1
        assert ours == theirs(class_name, config), settings
