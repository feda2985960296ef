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


# As HuggingFaceTB/SmolVLM-256M-Instruct and OpenGVLab/InternVL3-1B-hf have them.
SMOLVLM = {
    "architectures": ["Idefics3ForConditionalGeneration"], "model_type": "idefics3", "scale_factor": 4,
    "text_config": {
        "head_dim": 64, "hidden_size": 576, "intermediate_size": 1536, "model_type": "llama", "num_attention_heads": 9,
        "num_hidden_layers": 30, "num_key_value_heads": 3, "pixel_shuffle_factor": 4, "qk_layer_norms": False,
        "tie_word_embeddings": False, "use_resampler": False, "vocab_size": 49280,
    },
    "vision_config": {
        "hidden_size": 768, "image_size": 512, "model_type": "idefics3", "num_attention_heads": 12, "num_hidden_layers": 12,
        "patch_size": 16, "size": {"longest_edge": 2048},
    },
}  # fmt: skip
INTERNVL = {
    "architectures": ["InternVLForConditionalGeneration"], "downsample_ratio": 0.5, "model_type": "internvl",
    "text_config": {
        "hidden_size": 896, "intermediate_size": 4864, "model_type": "qwen2", "num_attention_heads": 14,
        "num_hidden_layers": 24, "num_key_value_heads": 2, "use_sliding_window": False, "vocab_size": 151674,
    },
    "tie_word_embeddings": False, "vision_feature_layer": -1, "vision_feature_select_strategy": "default",
    "vision_config": {
        "attention_bias": True, "image_size": [448, 448], "model_type": "internvl_vision", "patch_size": [14, 14],
    },
}  # fmt: skip


def test_a_file_of_the_hub_is_the_published_model():
    for config, published, count in (
        (LLAVA, "llava-1.5-7b-hf", 7_063_427_072),
        (GEMMA3, "gemma-3-4b", 4_300_079_472),
        (QWEN, "qwen2.5-vl-3b", 3_754_622_976),
        (SMOLVLM, "smolvlm-256m-instruct", 256_484_928),
        (INTERNVL, "internvl3-1b-hf", 938_193_024),
    ):
        assert load(config).count() == load(published).count() == count, config
        assert load(config).values.items() >= load(published).values.items(), config


REFUSED = [
    (LLAVA, "text_config", {"model_type": "qwen2_vl"},
     "text_config.model_type = 'qwen2_vl' in the config is not a family that LLaVA can have. "
     "Did you mean 'qwen2' or 'qwen2_moe'?"),
    (LLAVA, "vision_config", {"model_type": "pixtral_vision"},
     "vision_config.model_type = 'pixtral_vision' in the config is not a family that LLaVA can have. Did you mean 'pixtral'?"),
    (LLAVA | {"tie_word_embeddings": True}, "text_config", {"model_type": "gpt2"},
     "tie_word_embeddings in the config: transformers ties no output to the tokens of gpt2 here. Write false."),
    (GEMMA3, "vision_config", {"model_type": "clip_vision_model"},
     "vision_config.model_type = 'clip_vision_model' in the config: only siglip_vision_model is supported."),
    (LLAVA, "text_config", {"hidden_size": 10},
     "d_head_text = h_text/n_heads_text is not an integer for h_text = 10, n_heads_text = 32: choose values that divide."),
    (QWEN, "vision_config", {"num_heads": 9}, "vision_config: hidden_size = 3584 is not a multiple of num_heads = 9."),
    (LLAVA, "vision_feature_layer", [],
     "vision_feature_layer = '[]' in the config must be the number of a layer, or a list of them."),
    (LLAVA, "text_config", 7, "text_config in the config must be an object with the keys of a config."),
    (LLAVA, "text_config", {"vocab_size": None},
     "text_config.vocab_size in the config is null: give a whole number, the V of LLaVA."),
]  # fmt: skip


def test_what_is_refused():
    for config, key, value, message in REFUSED:
        assert refusal(lambda: load(config | {key: value}).count()) == message  # noqa: B023


@pytest.mark.parametrize(("layers", "features"), [(-2, 1), ([-2], 1), ([-1, -2], 2), ([1, 2, 3], 3)])
def test_the_layers_that_llava_reads_lie_side_by_side(layers, features):
    shapes = dict(load(LLAVA | {"vision_feature_layer": layers}).tensors())
    assert shapes["projector.input_projection.weight"] == (features * 1024, 4096)


@pytest.mark.parametrize("family", ["mistral", "qwen2", "mixtral"])
def test_a_text_model_within_another_has_its_own_familys_tensors_and_defaults(family):
    text = load(LLAVA | {"text_config": {"model_type": family, "mlp_bias": True}})
    inner = {name.removeprefix("text_model."): shape for name, shape in text.tensors() if name.startswith("text_model.")}
    assert inner == dict(load({"model_type": family}).tensors())


def test_an_image_encoder_within_another_has_its_own_familys_tensors():
    tower = load(LLAVA | {"vision_config": {"model_type": "siglip_vision_model"}})
    inner = {name.removeprefix("image_encoder."): shape for name, shape in tower.tensors() if name.startswith("image_encoder.")}
    assert inner == dict(load({"model_type": "siglip_vision_model"}).tensors())


def test_a_published_composite_may_have_a_text_model_of_another_family():
    assert load("internvl3-1b-hf").architecture.of == ("qwen2", "internvl_vision")
    assert load("internvl3.5-1b-hf").architecture.of == ("qwen3", "internvl_vision")
    assert "text_model.decoder.0.attention.query_norm.weight" in dict(load("internvl3.5-1b-hf").tensors())


def test_a_text_model_and_a_tower_have_letters_of_their_own():
    letters = {d.name: d.latex for d in load("qwen2-vl-7b").dimensions}
    assert {"h_text", "h_vision", "L_text", "L_vision"} < letters.keys()
    assert not {"h", "L", "d_ff", "n_heads", "n_kv_heads", "d_head"} & letters.keys()
    assert letters["n_kv_heads_text"] == r"n_{\text{kv heads,text}}"


def test_what_is_set_by_a_key_is_set_in_its_section():
    assert load("llava-1.5-7b-hf", **{"text_config.num_hidden_layers": 1}).count() < load("llava-1.5-7b-hf").count()
