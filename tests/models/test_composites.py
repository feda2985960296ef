"""Composites: what a config may ask of a tower and a text model, and how a published one is read from its own file."""

from __future__ import annotations

import pytest

from symparams import load
from tests.refusals import refusal

# As llava-hf/llava-1.5-7b-hf, google/gemma-3-4b-it and Qwen/Qwen2.5-VL-3B-Instruct have them, but for what no size needs.
LLAVA = {
    "architectures": ["LlavaForConditionalGeneration"], "model_type": "llava", "projector_hidden_act": "gelu",
    "text_config": {"_name_or_path": "lmsys/vicuna-7b-v1.5", "model_type": "llama", "vocab_size": 32064},
    "tie_word_embeddings": False, "vision_feature_layer": -2, "vocab_size": 32064,
    "vision_config": {
        "hidden_size": 1024, "image_size": 336, "intermediate_size": 4096, "model_type": "clip_vision_model",
        "num_attention_heads": 16, "num_hidden_layers": 24, "patch_size": 14, "projection_dim": 768, "vocab_size": 32000,
    },
}  # fmt: skip
GEMMA3 = {
    "architectures": ["Gemma3ForConditionalGeneration"], "mm_tokens_per_image": 256, "model_type": "gemma3",
    "text_config": {"hidden_size": 2560, "intermediate_size": 10240, "model_type": "gemma3_text", "num_hidden_layers": 34},
    "vision_config": {
        "hidden_size": 1152, "image_size": 896, "intermediate_size": 4304, "model_type": "siglip_vision_model",
        "num_attention_heads": 16, "num_hidden_layers": 27, "patch_size": 14, "vision_use_head": False,
    },
}  # fmt: skip
QWEN = {
    "architectures": ["Qwen2_5_VLForConditionalGeneration"], "hidden_size": 2048, "intermediate_size": 11008,
    "model_type": "qwen2_5_vl", "num_attention_heads": 16, "num_hidden_layers": 36, "num_key_value_heads": 2,
    "sliding_window": 32768, "tie_word_embeddings": True, "use_sliding_window": False, "vocab_size": 151936,
    "vision_config": {
        "depth": 32, "hidden_size": 1280, "intermediate_size": 3420, "num_heads": 16, "in_chans": 3, "out_hidden_size": 2048,
        "patch_size": 14, "spatial_merge_size": 2, "spatial_patch_size": 14, "temporal_patch_size": 2,
    },
}  # fmt: skip


def test_a_file_of_the_hub_is_the_published_model():
    for config, published, count in (
        (LLAVA, "llava-1.5-7b-hf", 7_063_427_072),
        (GEMMA3, "gemma-3-4b", 4_300_079_472),
        (QWEN, "qwen2.5-vl-3b", 3_754_622_976),
    ):
        assert load(config).count() == load(published).count() == count, config
        assert load(config).values.items() >= load(published).values.items(), config


REFUSED = [
    (LLAVA, "text_config", {"model_type": "qwen2"},
     "text_config.model_type = 'qwen2' in the config: only llama and mistral are supported."),
    (LLAVA, "vision_config", {"model_type": "pixtral"},
     "vision_config.model_type = 'pixtral' in the config: only clip_vision_model is supported."),
    (GEMMA3, "vision_config", {"model_type": "clip_vision_model"},
     "vision_config.model_type = 'clip_vision_model' in the config: only siglip_vision_model is supported."),
    (LLAVA, "text_config", {"hidden_size": 10}, "text_config: hidden_size = 10 is not a multiple of num_attention_heads = 32."),
    (QWEN, "vision_config", {"num_heads": 9}, "vision_config: hidden_size = 3584 is not a multiple of num_heads = 9."),
    (LLAVA, "vision_feature_layer", [],
     "vision_feature_layer = '[]' in the config must be the number of a layer, or a list of them."),
    (LLAVA, "text_config", 7, "text_config in the config must be an object with the keys of a config."),
    (LLAVA, "text_config", {"vocab_size": None}, "The config has no value for vocab_size: give a whole number of at least 1."),
]  # fmt: skip


def test_what_is_refused():
    for config, key, value, message in REFUSED:
        assert refusal(lambda: load(config | {key: value}).count()) == message  # noqa: B023


@pytest.mark.parametrize(("layers", "features"), [(-2, 1), ([-2], 1), ([-1, -2], 2), ([1, 2, 3], 3)])
def test_the_layers_that_llava_reads_lie_side_by_side(layers, features):
    shapes = dict(load(LLAVA | {"vision_feature_layer": layers}).tensors())
    assert shapes["projector.input_projection.weight"] == (features * 1024, 4096)


def test_a_mistral_has_mistrals_defaults():
    text = load(LLAVA | {"text_config": {"model_type": "mistral", "attention_bias": True}})
    alone = load({"model_type": "mistral"})
    inner = {name.removeprefix("text_model."): shape for name, shape in text.tensors() if name.startswith("text_model.")}
    assert inner == dict(alone.tensors())


def test_a_text_model_and_a_tower_have_letters_of_their_own():
    letters = {d.name: d.latex for d in load("qwen2-vl-7b").dimensions}
    assert {"h_text", "h_vision", "L_text", "L_vision"} < letters.keys()
    assert not {"h", "L", "d_ff", "n_heads", "n_kv_heads", "d_head"} & letters.keys()
    assert letters["n_kv_heads_text"] == r"n_{\text{kv heads,text}}"


def test_what_is_set_by_a_key_is_set_in_its_section():
    assert load("llava-1.5-7b-hf", **{"text_config.num_hidden_layers": 1}).count() < load("llava-1.5-7b-hf").count()
