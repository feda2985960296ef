"""``tensors(names="hf")`` gives names, shapes and order of ``named_parameters()``: each class, and each published model."""

from __future__ import annotations

import random
import warnings

import pytest

from symparams import load, published_models
from symparams.answers.real_models import settings_of
from symparams.expressions.symbols import V, h
from tests.library import require
from tests.library.odd_keys import with_activations
from tests.library.oracle import classes, configuration, correction, spaces

require("torch", "transformers")
pytestmark = pytest.mark.filterwarnings("ignore")  # what the library warns of is its own

CONFIGURATIONS = 10
# The newest library ties the head even where the config says no.
FLAN_T5 = [f"flan-t5-{size}" for size in ("small", "base", "large", "xl", "xxl")]

# What the configs of these say besides sizes and switches that stand under a key of their own.
SAID = {
    "deberta-v3-base": {
        "norm_rel_ebd": "layer_norm",
        "pos_att_type": ["p2c", "c2p"],
        "position_biased_input": False,
        "position_buckets": 256,
        "relative_attention": True,
        "share_att_key": True,
    },
    "falcon-40b": {"new_decoder_architecture": True, "num_kv_heads": 8, "parallel_attn": True},
    **{name: {"feed_forward_proj": "gated-gelu"} for name in FLAN_T5},
}


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


@pytest.mark.parametrize("name", [name for name in published_models() if load(name).library])
def test_names_of_a_published_model_are_the_librarys(name):
    import transformers

    model = load(name)
    family, class_name = model.family, model.library.class_of(model.present)
    model_type = next(each for each in (family, family.replace("_", "-")) if each in transformers.CONFIG_MAPPING)
    settings = {**settings_of(model, model.library, class_name), **SAID.get(name, {}), "model_type": model_type}
    config = transformers.CONFIG_MAPPING[model_type].from_dict(settings)
    ours = list(model.tensors(names="hf", frozen=True))
    if name in FLAN_T5:
        ours.remove(("lm_head.weight", (model.values[V], model.values[h])))
    assert ours == theirs(class_name, config)
