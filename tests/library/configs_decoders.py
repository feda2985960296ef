"""Random configurations of the decoders before LLaMA: GPT-2's descendants, OPT, Falcon, MPT."""

from __future__ import annotations

from random import Random
from typing import Any


def _heads(rng: Random) -> tuple[int, int]:
    """A number of heads, and a hidden size that it divides."""
    n_heads = rng.choice([1, 2, 4])
    return n_heads, n_heads * 2 * rng.randint(1, 5)  # rotary positions turn pairs


def gpt_bigcode(rng: Random) -> dict[str, Any]:
    n_heads, width = _heads(rng)
    return {
        "vocab_size": rng.randint(5, 90),
        "n_embd": width,
        "n_layer": rng.randint(1, 4),
        "n_head": n_heads,
        "n_inner": rng.choice([None, rng.randint(1, 60)]),
        "n_positions": rng.randint(1, 40),
        "multi_query": rng.random() < 0.5,
        "num_labels": rng.randint(1, 5),
        "tie_word_embeddings": rng.random() < 0.6,
    }


def gpt_neo(rng: Random) -> dict[str, Any]:
    n_heads, width = _heads(rng)
    repeats, pattern = rng.randint(1, 3), rng.choice([["global"], ["local"], ["global", "local"]])
    return {
        "vocab_size": rng.randint(5, 90),
        "hidden_size": width,
        "num_layers": repeats * len(pattern),
        "num_heads": n_heads,
        "attention_types": [[pattern, repeats]],
        "intermediate_size": rng.choice([None, rng.randint(1, 60)]),
        "max_position_embeddings": rng.randint(1, 40),
        "num_labels": rng.randint(1, 5),
        "tie_word_embeddings": rng.random() < 0.6,
    }


def gptj(rng: Random) -> dict[str, Any]:
    n_heads, width = _heads(rng)
    return {
        "vocab_size": rng.randint(5, 90),
        "n_embd": width,
        "n_layer": rng.randint(1, 4),
        "n_head": n_heads,
        "n_inner": rng.choice([None, rng.randint(1, 60)]),
        "n_positions": rng.randint(1, 40),
        "rotary_dim": 2,
        "num_labels": rng.randint(1, 5),
        "tie_word_embeddings": rng.random() < 0.5,
    }


def codegen(rng: Random) -> dict[str, Any]:
    return {**gptj(rng), "n_ctx": rng.randint(1, 40)}


def gpt_neox(rng: Random) -> dict[str, Any]:
    n_heads, width = _heads(rng)
    return {
        "vocab_size": rng.randint(5, 90),
        "hidden_size": width,
        "num_hidden_layers": rng.randint(1, 4),
        "num_attention_heads": n_heads,
        "intermediate_size": rng.randint(1, 60),
        "attention_bias": rng.random() < 0.5,
        "use_parallel_residual": rng.random() < 0.5,
        "rotary_pct": rng.choice([0.25, 0.5, 1.0]),
        "num_labels": rng.randint(1, 5),
        "tie_word_embeddings": rng.random() < 0.5,
    }


def opt(rng: Random) -> dict[str, Any]:
    n_heads, width = _heads(rng)
    return {
        "vocab_size": rng.randint(5, 90),
        "hidden_size": width,
        "num_hidden_layers": rng.randint(1, 4),
        "num_attention_heads": n_heads,
        "ffn_dim": rng.randint(1, 60),
        "max_position_embeddings": rng.randint(1, 40),
        "word_embed_proj_dim": rng.choice([None, width, rng.randint(1, 40)]),
        "do_layer_norm_before": rng.random() < 0.6,
        "_remove_final_layer_norm": rng.random() < 0.3,
        "enable_bias": rng.random() < 0.6,
        "layer_norm_elementwise_affine": rng.random() < 0.6,
        "num_labels": rng.randint(1, 5),
        "tie_word_embeddings": rng.random() < 0.6,
    }


def falcon(rng: Random) -> dict[str, Any]:
    n_kv_heads = rng.choice([1, 2, 3])
    n_heads = n_kv_heads * rng.choice([1, 2, 4])
    return {
        "vocab_size": rng.randint(12, 90),
        "hidden_size": n_heads * 2 * rng.randint(1, 5),
        "num_hidden_layers": rng.randint(1, 4),
        "num_attention_heads": n_heads,
        "num_kv_heads": rng.choice([None, n_kv_heads]),
        "ffn_hidden_size": rng.choice([None, rng.randint(1, 60)]),
        "new_decoder_architecture": rng.choice([None, True, False]),
        "multi_query": rng.choice([None, True, False]),
        "parallel_attn": rng.choice([None, True, False]),
        "num_ln_in_parallel_attn": rng.choice([None, 1, 2]),
        "bias": rng.choice([None, True, False]),
        "alibi": rng.choice([None, True, False]),
        "num_labels": rng.randint(1, 5),
        "tie_word_embeddings": rng.random() < 0.6,
    }


def mpt(rng: Random) -> dict[str, Any]:
    n_heads, width = _heads(rng)
    return {
        "vocab_size": rng.randint(5, 90),
        "d_model": width,
        "n_layers": rng.randint(1, 4),
        "n_heads": n_heads,
        "max_seq_len": rng.randint(1, 40),
        "expansion_ratio": rng.randint(1, 8),
        "no_bias": rng.random() < 0.5,
        "learned_pos_emb": rng.random() < 0.5,
        "attn_config": rng.choice(
            [None, {"clip_qkv": 8.0, "qk_ln": True, "alibi": False}, {"attn_type": "multiquery_attention", "prefix_lm": True}]
        ),
        "num_labels": rng.randint(1, 5),
        "tie_word_embeddings": rng.random() < 0.6,
    }
