"""Training memory: so many bytes a parameter by recipe, and activations on top."""

from __future__ import annotations

from symparams import load
from tests.refusals import refusal

EACH = {"fp32": 16, "bf16": 8, "bf16_fp32_master": 16, "amp": 16, "sgd": 8, "sgd_momentum": 12, "amsgrad": 20}


def test_bytes_a_parameter():
    model = load("gpt2")
    for recipe, size in EACH.items():
        assert model.measure("training_memory", recipe=recipe) == size * model.count(), recipe
    # Gradients in fp32 beside master weights make 18; Rajbhandari et al., 2020, arXiv:1910.02054, section 3.1, have 16.
    assert model.measure("training_memory", recipe="bf16_fp32_master", gradients="fp32") == 18 * model.count()


def test_a_tied_matrix_is_one_parameter():
    tied, untied = (load("gpt2", **chosen) for chosen in ({}, {"exclude": ["tying"]}))
    more = untied.measure("training_memory", recipe="fp32") - tied.measure("training_memory", recipe="fp32")
    assert more == 16 * 50_257 * 768


def test_the_optimizers_step_is_four_bytes_an_array():
    """GPT-2 has 12 arrays a layer, two tables and the last norm: AdamW counts the steps of each."""
    model = load("gpt2")
    plain, counted = (model.measure("training_memory", recipe="fp32", step=step) for step in (False, True))
    assert counted - plain == 4 * (12 * 12 + 4)
    assert model.measure("training_memory", recipe="sgd", step=True) == model.measure("training_memory", recipe="sgd")


def test_activations_come_on_top_in_the_recipes_number_type():
    model, batch = load("gpt2"), {"b": 2, "s": 128}
    states = model.measure("training_memory", recipe="bf16_fp32_master")
    kept = model.measure("activations", **batch, dtype="bf16", attention="flash")
    assert model.measure("training_memory", recipe="bf16_fp32_master", attention="flash", **batch) == states + kept


def test_what_cannot_be_is_an_error_in_one_line():
    for choices, said in (
        ({}, "Training memory depends on the recipe: add --recipe bf16_fp32_master"),
        ({"recipe": "adam"}, "Unknown recipe"),
        ({"recipe": "fp32", "gradients": "bf16"}, "as wide as its weights"),
        ({"recipe": "fp32", "r": 8}, "LoRA needs the matrices"),
        ({"recipe": "fp32", "r": 8, "targets": "c_attn", "b": 1, "s": 8}, "With LoRA, activations and steps are not derived"),
        ({"recipe": "amp", "b": 1, "s": 8}, "under autocast are not derived"),
    ):
        assert said in refusal(load("gpt2").measure, "training_memory", **choices)


def test_lora_trains_what_it_adds_and_keeps_the_weights():
    """Hu et al., 2021, arXiv:2106.09685: the weights need no gradient and no state."""
    model, chosen = load("llama-7b"), {"targets": ["q_proj", "v_proj"], "r": 8}
    added = model.measure("lora", **chosen)
    assert added == 32 * 2 * 8 * (4_096 + 4_096)
    assert model.measure("training_memory", recipe="bf16_fp32_master", **chosen) == 2 * model.count() + 16 * added
