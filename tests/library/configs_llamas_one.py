"""Random configurations of LLaMA's line: Mistral, Qwen, Gemma, Phi."""

from __future__ import annotations

from random import Random
from typing import Any


def _decoder(rng: Random, *, rounded: bool = False) -> dict[str, Any]:
    """What all of these have; ``rounded`` where the library takes a width that the heads do not divide."""
    n_kv_heads = rng.choice([1, 2, 3])
    n_heads = n_kv_heads * rng.choice([1, 2, 4])
    width = n_heads * 2 * rng.randint(1, 5) + (rng.randrange(n_heads) if rounded and rng.random() < 0.5 else 0)
    labels = rng.choice([{"num_labels": rng.randint(1, 5)}, {"id2label": {str(i): f"l{i}" for i in range(rng.randint(1, 4))}}])
    return {
        "vocab_size": rng.randint(5, 90),
        "hidden_size": width,
        "num_hidden_layers": rng.randint(1, 4),
        "num_attention_heads": n_heads,
        "num_key_value_heads": n_kv_heads,
        "intermediate_size": rng.randint(1, 60),
        "tie_word_embeddings": rng.random() < 0.5,
        "pad_token_id": rng.choice([None, 0, 4]),
        **labels,
        **rng.choice([{}, {}, {"token_classification_bias": rng.random() < 0.5}]),
    }


def _own_head(rng: Random, *others: Any) -> dict[str, Any]:
    return rng.choice([{"head_dim": 2 * rng.randint(1, 9)}, *others])  # rotary positions turn pairs


def mistral(rng: Random) -> dict[str, Any]:
    settings = _decoder(rng, rounded=True) | _own_head(rng, {}, {"head_dim": None})
    return settings | rng.choice([{}, {"num_key_value_heads": settings["num_attention_heads"]}, {"sliding_window": None}])


def qwen2(rng: Random) -> dict[str, Any]:
    settings = _decoder(rng, rounded=True) | _own_head(rng, {}, {})
    windows = {"use_sliding_window": True, "max_window_layers": rng.randint(0, 4)}
    return settings | rng.choice([{}, {"num_key_value_heads": None}, windows])


def qwen3(rng: Random) -> dict[str, Any]:
    settings = _decoder(rng, rounded=True) | _own_head(rng, {}) | {"attention_bias": rng.random() < 0.5}
    windows = {"use_sliding_window": True, "max_window_layers": rng.randint(0, 4)}
    return settings | rng.choice([{}, {"num_key_value_heads": None}, windows])


def gemma(rng: Random) -> dict[str, Any]:
    return _decoder(rng, rounded=True) | _own_head(rng, {}) | {"attention_bias": rng.random() < 0.5}


def gemma2(rng: Random) -> dict[str, Any]:
    return _decoder(rng) | _own_head(rng, {}) | {"attention_bias": rng.random() < 0.5, "sliding_window": rng.randint(1, 9)}


def gemma3_text(rng: Random) -> dict[str, Any]:
    patterns = rng.choice([{}, {"sliding_window_pattern": rng.randint(1, 4)}, {"use_bidirectional_attention": True}])
    return gemma2(rng) | patterns


def phi(rng: Random) -> dict[str, Any]:
    settings = _decoder(rng, rounded=True) | {"qk_layernorm": rng.random() < 0.5}
    own_head = {} if settings["qk_layernorm"] else _own_head(rng, {}, {})
    return settings | own_head | rng.choice([{}, {"num_key_value_heads": None}, {"partial_rotary_factor": 0.4}])


def phi3(rng: Random) -> dict[str, Any]:
    settings = _decoder(rng, rounded=True) | _own_head(rng, {}, {})
    return settings | rng.choice([{}, {"num_key_value_heads": None}, {"sliding_window": rng.randint(1, 9)}])
