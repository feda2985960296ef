"""Random configurations of the families with mixtures of experts."""

from __future__ import annotations

from random import Random
from typing import Any


def _decoder(rng: Random) -> dict[str, Any]:
    n_kv_heads = rng.choice([1, 2, 3])
    n_heads = n_kv_heads * rng.choice([1, 2, 4])
    n_experts = rng.randint(1, 6)
    return {
        "vocab_size": rng.randint(5, 90),
        "hidden_size": n_heads * 2 * rng.randint(1, 5),
        "num_hidden_layers": rng.randint(1, 6),
        "num_attention_heads": n_heads,
        "num_key_value_heads": n_kv_heads,
        "intermediate_size": rng.randint(1, 60),
        "num_experts_per_tok": rng.randint(1, n_experts),
        rng.choice(["num_experts", "num_local_experts"]): n_experts,
        "num_labels": rng.randint(1, 5),
        "tie_word_embeddings": rng.random() < 0.5,
        "token_classification_bias": rng.random() < 0.8,
    }


def _steps(rng: Random, layers: int) -> dict[str, Any]:
    listed = [rng.randint(-2, layers + 2) for _ in range(rng.randint(0, layers + 1))]
    return {"decoder_sparse_step": rng.randint(1, layers + 2), "mlp_only_layers": rng.choice([None, [], listed, listed])}


def _some(rng: Random, head_dim: int) -> dict[str, Any]:
    """A key that may be absent."""
    return {} if rng.random() < 0.5 else {"head_dim": head_dim}


def _width(rng: Random, decoder: dict[str, Any]) -> dict[str, Any]:
    """A width that the heads need not divide: a head is as wide as its key says, or as what is left over rounds down to."""
    return {"hidden_size": decoder["hidden_size"] + rng.choice([0, 0, rng.randint(0, 3)]), **_some(rng, 2 * rng.randint(1, 5))}


def mixtral(rng: Random) -> dict[str, Any]:
    decoder = _decoder(rng)
    if rng.random() < 0.3:
        decoder["hidden_size"] += rng.randint(0, 3)
        decoder["head_dim"] = 2 * rng.randint(1, 5)
    return {**decoder, "head_dim": rng.choice([decoder.get("head_dim"), 2 * rng.randint(1, 5)])}


def qwen2_moe(rng: Random) -> dict[str, Any]:
    decoder = _decoder(rng)
    decoder["num_experts"] = decoder.pop("num_local_experts", None) or decoder["num_experts"]
    return {
        **decoder,
        **_steps(rng, decoder["num_hidden_layers"]),
        **_some(rng, 2 * rng.randint(1, 5)),
        "num_experts": 0 if rng.random() < 0.1 else decoder["num_experts"],
        "moe_intermediate_size": rng.randint(1, 30),
        "shared_expert_intermediate_size": rng.randint(1, 30),
        "qkv_bias": rng.random() < 0.5,
    }


def qwen3_moe(rng: Random) -> dict[str, Any]:
    decoder = _decoder(rng)
    return {
        **decoder,
        **_steps(rng, decoder["num_hidden_layers"]),
        **_some(rng, 2 * rng.randint(1, 5)),
        **({"num_experts": 0} if "num_experts" in decoder and rng.random() < 0.2 else {}),
        "moe_intermediate_size": rng.randint(1, 30),
        "attention_bias": rng.random() < 0.5,
    }


def deepseek_v2(rng: Random) -> dict[str, Any]:
    decoder = _decoder(rng)
    n_experts = decoder.pop("num_local_experts", None) or decoder.pop("num_experts")
    return {
        **decoder,
        rng.choice(["n_routed_experts", "num_experts"]): n_experts,
        "num_experts_per_tok": rng.choice([None, decoder["num_experts_per_tok"]]),
        "num_key_value_heads": rng.choice([None, decoder["num_key_value_heads"]]),
        "first_k_dense_replace": rng.randint(0, decoder["num_hidden_layers"] + 1),
        "n_shared_experts": rng.randint(1, 4),
        "moe_intermediate_size": rng.randint(1, 30),
        "q_lora_rank": rng.choice([None, rng.randint(1, 20)]),
        "kv_lora_rank": rng.randint(1, 20),
        "qk_nope_head_dim": rng.randint(1, 9),
        "qk_rope_head_dim": 2 * rng.randint(1, 5),
        "v_head_dim": rng.randint(1, 9),
        "attention_bias": rng.random() < 0.5,
        "mlp_bias": rng.random() < 0.5,
        "n_group": None,
    }


def deepseek_v3(rng: Random) -> dict[str, Any]:
    settings = deepseek_v2(rng)
    n_experts = settings.pop("num_experts", None) or settings.pop("n_routed_experts")
    settings["hidden_size"] += rng.randint(0, 3)
    return {
        **settings,
        rng.choice(["n_routed_experts", "num_local_experts"]): n_experts,
        "num_mtp_layers": rng.randint(0, 2),
    }


def gpt_oss(rng: Random) -> dict[str, Any]:
    decoder = _decoder(rng)
    decoder["hidden_size"] += rng.randint(0, 3)
    return {
        **decoder,
        **_some(rng, 2 * rng.randint(1, 5)),
        "attention_bias": rng.random() < 0.5,
    }


def olmoe(rng: Random) -> dict[str, Any]:
    return {
        **_decoder(rng),
        **rng.choice([{}, {"num_key_value_heads": None}]),
        "attention_bias": rng.random() < 0.5,
        "clip_qkv": rng.choice([None, 8.0]),
    }


def glm4_moe(rng: Random) -> dict[str, Any]:
    decoder = _decoder(rng)
    n_experts = decoder.pop("num_local_experts", None) or decoder.pop("num_experts")
    return {
        **decoder,
        **_width(rng, decoder),
        rng.choice(["n_routed_experts", "num_local_experts"]): n_experts,
        "first_k_dense_replace": rng.randint(0, decoder["num_hidden_layers"] + 1),
        "n_shared_experts": rng.randint(1, 4),
        "moe_intermediate_size": rng.randint(1, 30),
        "attention_bias": rng.random() < 0.5,
        "use_qk_norm": rng.random() < 0.5,
        "num_mtp_layers": rng.randint(0, 2),
    }


def phimoe(rng: Random) -> dict[str, Any]:
    decoder = _decoder(rng)
    decoder["num_local_experts"] = decoder.pop("num_experts", None) or decoder["num_local_experts"]
    return {
        **decoder,
        **_width(rng, decoder),
        "num_experts_per_tok": 2,
        "num_local_experts": decoder["num_local_experts"] + 1,
        "sliding_window": rng.choice([None, 4]),
        "attention_bias": rng.random() < 0.5,
        "lm_head_bias": rng.random() < 0.5,
    }
