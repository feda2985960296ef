"""Random configurations of decoders near LLaMA: StableLM, StarCoder2, OLMo, Cohere, Granite, GLM, SmolLM3."""

from __future__ import annotations

from random import Random
from typing import Any


def _decoder(rng: Random, *, divides: bool = False, null_kv: bool = True) -> dict[str, Any]:
    """What all of them have; h need not be a multiple of n_heads unless the class says so: it rounds down."""
    n_kv_heads = rng.choice([1, 2, 3])
    n_heads = n_kv_heads * rng.choice([1, 2, 4])
    d_head = rng.choice([1, 2, 3, 4, 6, 8, 10])  # an odd size above 4 has no rotary positions
    key_value = {"num_key_value_heads": rng.choice([None, n_kv_heads] if null_kv else [n_kv_heads])}
    return {
        "vocab_size": rng.randint(5, 90),
        "hidden_size": n_heads * d_head + (0 if divides else rng.randrange(n_heads)),
        "num_hidden_layers": rng.randint(1, 4),
        "num_attention_heads": n_heads,
        **key_value,
        "intermediate_size": rng.randint(1, 60),
        "num_labels": rng.randint(1, 5),
        "tie_word_embeddings": rng.random() < 0.5,
        "pad_token_id": rng.choice([None, 0]),
        "max_position_embeddings": rng.randint(8, 64),
    }


def _head_dim(rng: Random, *, null: bool = False) -> dict[str, Any]:
    """A key that the config class does not declare and the model reads all the same."""
    return rng.choice([{}, {"head_dim": 2 * rng.randint(1, 6)}, *([{"head_dim": None}] if null else [])])


def _token_classifier(rng: Random) -> dict[str, Any]:
    return rng.choice([{}, {}, {"token_classification_bias": rng.choice([True, False, None])}])


def stablelm(rng: Random) -> dict[str, Any]:
    return {
        **_decoder(rng, divides=True, null_kv=False),
        **_head_dim(rng, null=True),
        **_token_classifier(rng),
        "use_qkv_bias": rng.random() < 0.5,
        "qk_layernorm": rng.random() < 0.5,
        "use_parallel_residual": rng.random() < 0.5,
    }


def starcoder2(rng: Random) -> dict[str, Any]:
    return {
        **_decoder(rng, null_kv=False),
        **_head_dim(rng, null=True),
        **_token_classifier(rng),
        "use_bias": rng.random() < 0.5,
        "sliding_window": rng.choice([None, 4]),
    }


def olmo(rng: Random) -> dict[str, Any]:
    return {
        **_decoder(rng),
        **_head_dim(rng),
        "attention_bias": rng.random() < 0.5,
        "clip_qkv": rng.choice([None, 8.0]),
    }


def olmo2(rng: Random) -> dict[str, Any]:
    return {**_decoder(rng), **_head_dim(rng), "attention_bias": rng.random() < 0.5}


def cohere(rng: Random) -> dict[str, Any]:
    return {
        **_decoder(rng),
        **_head_dim(rng),
        "attention_bias": rng.random() < 0.5,
        "use_qk_norm": rng.choice([None, False, True, True]),
    }


def granite(rng: Random) -> dict[str, Any]:
    return {
        **_decoder(rng),
        **_head_dim(rng),
        "attention_bias": rng.random() < 0.5,
        "mlp_bias": rng.random() < 0.5,
        "residual_multiplier": 0.22,
    }


def glm4(rng: Random) -> dict[str, Any]:
    return {
        **_decoder(rng, null_kv=False),
        **_token_classifier(rng),
        "head_dim": rng.randint(1, 12),
        "attention_bias": rng.random() < 0.5,
    }


def glm(rng: Random) -> dict[str, Any]:
    return glm4(rng)


def smollm3(rng: Random) -> dict[str, Any]:
    return {
        **_decoder(rng),
        **_head_dim(rng),
        **_token_classifier(rng),
        "attention_bias": rng.random() < 0.5,
        "mlp_bias": rng.random() < 0.5,
        "no_rope_layer_interval": rng.randint(1, 4),
        "use_sliding_window": rng.random() < 0.5,
        "sliding_window": rng.choice([None, 4]),
    }
