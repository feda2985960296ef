"""Random configurations of a text model that reads images: LLaVA, Gemma 3, Qwen2-VL, Qwen2.5-VL."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.library.configs_others import clip_vision_model


def _some(rng: Random, settings: dict[str, Any]) -> dict[str, Any]:
    """A config that may leave any of its keys to the default."""
    return {name: value for name, value in settings.items() if rng.random() < 0.9}


def _text(rng: Random) -> dict[str, Any]:
    n_kv_heads = rng.choice([1, 2, 3])
    n_heads = n_kv_heads * rng.choice([1, 2, 4])
    return {
        "vocab_size": rng.randint(5, 90),
        "hidden_size": n_heads * rng.choice([2, 4, 6, 8]),
        "num_hidden_layers": rng.randint(1, 4),
        "num_attention_heads": n_heads,
        "num_key_value_heads": n_kv_heads,
        "intermediate_size": rng.randint(1, 60),
        "pad_token_id": rng.choice([None, 0]),
    }


def _tied(rng: Random, text: dict[str, Any]) -> dict[str, Any]:
    """What ties the head stands beside the text model's config or, as in older files, within it; or in both."""
    at_top = rng.choice([{}, {"tie_word_embeddings": rng.random() < 0.5}])
    within = rng.choice([{}, {"tie_word_embeddings": rng.random() < 0.5}])
    return {"text_config": text | within, **at_top}


def _llama(rng: Random) -> dict[str, Any]:
    return {
        **_text(rng),
        "model_type": "llama",
        **rng.choice([{}, {"head_dim": 2 * rng.randint(1, 6)}]),
        **rng.choice([{}, {"num_key_value_heads": None}]),
        "attention_bias": rng.random() < 0.5,
        "mlp_bias": rng.random() < 0.5,
    }


def _mistral(rng: Random) -> dict[str, Any]:
    """Mistral's text model, which takes no notice of LLaMA's switches."""
    switches = {"attention_bias": rng.random() < 0.5, "mlp_bias": rng.random() < 0.5}
    return {**_text(rng), "model_type": "mistral", "sliding_window": rng.choice([None, 4]), **_some(rng, switches)}


def llava(rng: Random) -> dict[str, Any]:
    tower = {name: value for name, value in clip_vision_model(rng).items() if rng.random() < 0.95 or name == "hidden_size"}
    tower |= {"num_attention_heads": rng.choice([1, 2, 4]), "hidden_size": 4 * rng.randint(1, 9)}
    return {
        **_tied(rng, rng.choice([_llama, _llama, _mistral])(rng)),
        "vision_config": rng.choice([None, tower, tower, tower, tower | {"model_type": "clip_vision_model"}]),
        **_some(rng, {"multimodal_projector_bias": rng.random() < 0.5}),
        **rng.choice([{}, {"vision_feature_layer": rng.choice([-2, -1, [-2], [-1, -2], [0, 1, 2]])}]),
    }


def gemma3(rng: Random) -> dict[str, Any]:
    tower = {name: value for name, value in clip_vision_model(rng).items() if name != "projection_dim"}
    text = _text(rng) | {"head_dim": 2 * rng.randint(1, 6), "attention_bias": rng.random() < 0.5, "layer_types": None}
    return {
        **_tied(rng, {name: value for name, value in text.items() if name != "head_dim" or rng.random() < 0.7}),
        "vision_config": {**tower, "image_size": 40, **_some(rng, {"vision_use_head": rng.random() < 0.5})},
        "mm_tokens_per_image": 1,
        "num_labels": rng.randint(1, 5),
    }


def _qwen(rng: Random, tower: dict[str, Any]) -> dict[str, Any]:
    text = _text(rng) | {"use_sliding_window": rng.random() < 0.5, "max_window_layers": 2, "sliding_window": 4}
    text |= rng.choice([{}, {"num_key_value_heads": None}])
    shared = {
        "in_channels": rng.randint(1, 4),
        "patch_size": rng.randint(1, 9),
        "spatial_merge_size": rng.randint(1, 3),
        "temporal_patch_size": rng.randint(1, 3),
    }
    depth = {rng.choice(["depth", "num_hidden_layers"]): rng.randint(1, 4)}
    vision = {"vision_config": {**tower, **depth, **_some(rng, shared)}}
    if rng.random() < 0.5:  # as the files of the hub have them: the keys of the text model beside vision_config
        return {**text, **vision, **rng.choice([{}, {"tie_word_embeddings": rng.random() < 0.5}])}
    return {**_tied(rng, text), **vision, **rng.choice([{}, {"hidden_size": 7}])}  # which then says nothing


def _heads(rng: Random, key: str) -> dict[str, Any]:
    n_heads = rng.choice([1, 2, 4])
    return {rng.choice(["num_heads", "num_attention_heads"]): n_heads, key: 4 * n_heads * rng.randint(1, 4)}


def qwen2_vl(rng: Random) -> dict[str, Any]:
    width = {"hidden_size": rng.randint(1, 40)}
    return _qwen(rng, {**_heads(rng, "embed_dim"), **_some(rng, width), **_some(rng, {"mlp_ratio": rng.randint(1, 5)})})


def qwen2_5_vl(rng: Random) -> dict[str, Any]:
    sizes = {"intermediate_size": rng.randint(1, 40), "out_hidden_size": rng.randint(1, 40)}
    return _qwen(rng, {**_heads(rng, "hidden_size"), **_some(rng, sizes)})
