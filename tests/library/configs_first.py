"""Random configurations of the families that came first."""

from __future__ import annotations

from random import Random
from typing import Any


def bert(rng: Random) -> dict[str, Any]:
    n_heads = rng.choice([1, 2, 4])
    return {
        "vocab_size": rng.randint(5, 90),
        "hidden_size": n_heads * rng.randint(1, 9),
        "num_hidden_layers": rng.randint(1, 4),
        "num_attention_heads": n_heads,
        "intermediate_size": rng.randint(1, 60),
        "max_position_embeddings": rng.randint(1, 40),
        "type_vocab_size": rng.randint(1, 4),
        "num_labels": rng.randint(1, 5),
        "tie_word_embeddings": rng.random() < 0.7,
    }


def gpt2(rng: Random) -> dict[str, Any]:
    n_heads = rng.choice([1, 2, 4])
    return {
        "vocab_size": rng.randint(5, 90),
        "n_embd": n_heads * rng.randint(1, 9),
        "n_layer": rng.randint(1, 4),
        "n_head": n_heads,
        "n_inner": rng.choice([None, rng.randint(1, 60)]),
        "n_positions": rng.randint(1, 40),
        "num_labels": rng.randint(1, 5),
        "tie_word_embeddings": rng.random() < 0.7,
    }


def bloom(rng: Random) -> dict[str, Any]:
    n_heads = rng.choice([1, 2, 4])
    return {
        "vocab_size": rng.randint(5, 90),
        "hidden_size": n_heads * rng.randint(1, 9),
        "n_layer": rng.randint(1, 4),
        "n_head": n_heads,
        "num_labels": rng.randint(1, 5),
        "tie_word_embeddings": rng.random() < 0.7,
    }


def llama(rng: Random) -> dict[str, Any]:
    n_kv_heads = rng.choice([1, 2, 3])
    n_heads = n_kv_heads * rng.choice([1, 2, 4])
    return {
        "vocab_size": rng.randint(5, 90),
        "hidden_size": n_heads * 2 * rng.randint(1, 5),
        "num_hidden_layers": rng.randint(1, 4),
        "num_attention_heads": n_heads,
        "num_key_value_heads": rng.choice([None, n_kv_heads]),
        "head_dim": rng.choice([None, 2 * rng.randint(1, 5)]),  # rotary positions turn pairs
        "intermediate_size": rng.randint(1, 60),
        "attention_bias": rng.random() < 0.5,
        "mlp_bias": rng.random() < 0.5,
        "num_labels": rng.randint(1, 5),
        "tie_word_embeddings": rng.random() < 0.5,
    }
