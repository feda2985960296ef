"""Activations to the byte: what ``saved_tensors_hooks`` sees of random small models in training."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from symparams import load
from symparams.architectures import architecture
from symparams.errors import OptionError
from symparams.models.library import library
from tests.library import require
from tests.library.configurations import SPACES

require("torch", "transformers")

WHOLE = ["bert", "mpnet", "gpt2", "bloom", "opt", "llama", "mistral", "qwen2", "qwen3", "t5", "bart", "vit", "dinov2"]
# Of these a single token, or a single head, is not derived.
SEVERAL = ["nomic_bert", "gpt_neox", "falcon", "phi3", "olmo2", "exaone4", "ministral", "arcee", "seed_oss", "hunyuan_v1_dense"]
# Nor is what these save outside of their layers.
LAYERS_ONLY = [
    *[
        "idefics3_vision",
        "siglip_text_model",
        "gemma2",
        "gemma3_text",
        "mixtral",
        "qwen2_moe",
        "qwen3_moe",
        "olmoe",
        "minimax_m2",
        "qwen3_5_text",
    ],
    *["qwen3_vl_text", "deepseek_v2", "deepseek_v3", "olmo3", "gpt_oss", "granitemoe", "granitemoeshared"],
]
FAMILIES = [*WHOLE, *SEVERAL, *LAYERS_ONLY]
HEADS = {  # of the others a language model
    "bert": ("ForMaskedLM", "ForPreTraining"),
    "mpnet": ("ForMaskedLM",),
    "nomic_bert": ("ForMaskedLM",),
    "t5": ("ForConditionalGeneration", "EncoderModel"),
    "bart": ("ForConditionalGeneration",),
    "vit": ("ForImageClassification",),
}
EAGER = ("bloom", "mpnet", "t5", "gemma2", "gemma3_text", "falcon", "gpt_oss")  # which have no fused attention
ACTIVATED = ["bert", "mpnet", "gpt2", "opt", "vit", "llama", "mistral", "qwen2", "qwen3"]  # with any activation
WORDS = ("gelu", "gelu_new", "gelu_fast", "gelu_python", "quick_gelu", "silu", "relu", "relu2", "tanh", "linear", "gelu_10")
LONGEST, RUNS = 9, 15  # of a family
# The library's own numbers of words and positions are too few for a pass; the rest stays as it is drawn.
MADE_TO_RUN = {
    "max_position_embeddings": lambda found: found + LONGEST,
    "n_positions": lambda found: found + LONGEST,
    "relative_attention_num_buckets": lambda found: found + 32,  # MPNet sorts distances into 32, whatever the key says
    "vocab_size": lambda found: found + 4,
    "num_labels": lambda found: found + 1,  # of a single one the loss is another
    "image_size": lambda found: 14,
}


def classes(family: str) -> list[str]:
    """The class without a head, and those with one of its heads."""
    known = library(architecture(family))
    heads = HEADS.get(family, ("ForCausalLM", "LMHeadModel"))
    return [name for name in known.classes if name == known.base or name.endswith(heads)]


def drawn(family: str, number: int) -> Any:
    """A random configuration, and how it is trained."""
    from tests.library.kept import Drawn

    rng = random.Random(f"{family} {number}")  # noqa: S311 - no secret
    settings = dict(SPACES[family](rng))
    settings |= {key: change(settings[key]) for key, change in MADE_TO_RUN.items() if key in settings}
    if family in ACTIVATED and number % 2:
        settings[library(architecture(family)).choices["activation"].names[0]] = rng.choice(WORDS)
    if family == "qwen3_5_text":  # what linear attention saves is not derived
        settings["layer_types"] = ["full_attention"] * settings["num_hidden_layers"]
    if family in ("t5", "bart"):
        settings["decoder_start_token_id"] = 2
    if family in ("bert", "gpt2") and number % 5 == 0:
        settings |= {"add_cross_attention": True, "is_decoder": True}
    attention = "eager" if family in EAGER else rng.choice(["eager", "flash"])
    return Drawn(
        family,
        rng.choice(classes(family)),
        settings,
        b=rng.randint(1, 3),
        s=rng.randint(1, LONGEST),
        s_src=rng.randint(1, LONGEST),
        dtype=rng.choice(["fp32", "bf16"] if family == "t5" else ["fp32", "bf16", "fp16"]),
        attention=attention,
        dropout="0" if attention == "flash" else rng.choice(["0", "0.25"]),  # a CPU's fused attention has no dropout
        native=rng.random() < 0.5,
    )


def ours(case: Any, written: dict[str, Any], scope: str) -> int | Fraction:
    """The same from the tree."""
    model = load(written)
    letters = {"b": case.b} if case.family in ("vit", "dinov2", "idefics3_vision") else {"b": case.b, "s": case.s}
    if (case.family in ("t5", "bart") and case.class_name != "T5EncoderModel") or case.settings.get("add_cross_attention"):
        letters["s_src"] = case.s_src
    choices = {name: getattr(case, name) for name in ("dtype", "attention", "dropout", "dropout_mask", "checkpoint")}
    return model.measure("activations", **letters, **choices, scope=scope)


def says_all(case: Any) -> bool:
    """Whether the tree says what stands after the layers: not where a norm there has no parameters."""
    return case.settings.get("layer_norm_elementwise_affine") is not False


def compare(family, number, **changes):
    """Of some families what is refused (a single head, a fused kernel) and what the library cannot run is drawn anew."""
    from tests.library.kept import measured

    refused = () if family in WHOLE else (OptionError, RuntimeError, TypeError, AttributeError, UnboundLocalError)
    for again in range(100):
        case = replace(drawn(family, number + RUNS * again), **changes)
        if case.b == 1 and number % 2 and family in WHOLE and "num_key_value_heads" in case.settings:
            case = replace(case, settings={**case.settings, "num_key_value_heads": 1})
        is_whole = family in SEVERAL or (family in WHOLE and not case.checkpoint and says_all(case))
        try:
            real = measured(case)
            saved = [ours(case, real.written, scope) for scope in ("layers", "all")[: 1 + is_whole]]
        except refused:
            continue
        assert saved == [real.layers, real.every][: len(saved)], case
        return
    pytest.fail("No configuration that is drawn can be compared.")


@pytest.mark.parametrize("family", FAMILIES)
def test_every_byte_that_is_kept(family):
    for number in range(RUNS):
        compare(family, number)


@pytest.mark.parametrize("family", [family for family in [*WHOLE, *SEVERAL] if family not in ("t5", "mpnet")])
def test_of_a_checkpointed_layer_its_input_alone_is_kept(family):
    compare(family, 1, checkpoint=True)
