"""Random configurations of image encoders, CLIP, state spaces and what they take turns with."""

from __future__ import annotations

from random import Random
from typing import Any


def _square(rng: Random, least: int, most: int) -> int | list[int]:
    side = rng.randint(least, most)
    return side if rng.random() < 0.5 else [side, side]


def _image(rng: Random) -> int | list[int]:
    return rng.choice([_square(rng, 1, 40), [rng.randint(1, 40), rng.randint(1, 40)]])


def _encoder(rng: Random) -> dict[str, Any]:
    n_heads = rng.choice([1, 2, 3, 4])
    return {
        "hidden_size": n_heads * rng.randint(1, 9),
        "num_hidden_layers": rng.randint(1, 4),
        "num_attention_heads": n_heads,
        "intermediate_size": rng.randint(1, 60),
    }


def vit(rng: Random) -> dict[str, Any]:
    return {
        **_encoder(rng),
        "image_size": _image(rng),
        "patch_size": _square(rng, 1, 9),
        "num_channels": rng.randint(1, 5),
        "qkv_bias": rng.random() < 0.5,
        "encoder_stride": rng.randint(1, 5),
        "pooler_output_size": rng.choice([None, 0, rng.randint(1, 30)]),
        "num_labels": rng.randint(1, 5),
    }


def deit(rng: Random) -> dict[str, Any]:
    return vit(rng)


def clip_text_model(rng: Random) -> dict[str, Any]:
    return {
        **_encoder(rng),
        "vocab_size": rng.randint(3, 90),
        "max_position_embeddings": rng.randint(1, 40),
        "projection_dim": rng.randint(1, 30),
    }


def clip_vision_model(rng: Random) -> dict[str, Any]:
    return {
        **_encoder(rng),
        "image_size": rng.randint(1, 40),
        "patch_size": rng.randint(1, 9),
        "num_channels": rng.randint(1, 5),
        "projection_dim": rng.randint(1, 30),
    }


def clip(rng: Random) -> dict[str, Any]:
    return {
        "text_config": clip_text_model(rng),
        "vision_config": clip_vision_model(rng),
        "projection_dim": rng.randint(1, 30),
        "num_labels": rng.randint(1, 5),
        **({"text_config_dict": clip_text_model(rng)} if rng.random() < 0.3 else {}),
        **({"vision_config_dict": clip_vision_model(rng)} if rng.random() < 0.3 else {}),
    }


def mamba(rng: Random) -> dict[str, Any]:
    return {
        "vocab_size": rng.randint(3, 90),
        "hidden_size": rng.randint(1, 60),
        "state_size": rng.randint(1, 9),
        "num_hidden_layers": rng.randint(1, 4),
        "expand": rng.randint(1, 4),
        "conv_kernel": rng.randint(1, 5),
        "use_bias": rng.random() < 0.5,
        "use_conv_bias": rng.random() < 0.5,
        "time_step_rank": rng.choice(["auto", rng.randint(1, 9)]),
        "tie_word_embeddings": rng.random() < 0.5,
        **({"intermediate_size": rng.randint(1, 50)} if rng.random() < 0.3 else {}),
    }


def mamba2(rng: Random) -> dict[str, Any]:
    n_heads, d_head, expand = rng.randint(1, 6), rng.randint(1, 8), rng.choice([1, 2, 3])
    return {
        "vocab_size": rng.randint(3, 90),
        "num_heads": expand * n_heads,
        "head_dim": d_head,
        "hidden_size": n_heads * d_head,
        "expand": expand,
        "state_size": rng.randint(1, 9),
        "num_hidden_layers": rng.randint(1, 4),
        "conv_kernel": rng.randint(1, 5),
        "n_groups": rng.randint(1, 4),
        "use_bias": rng.random() < 0.5,
        "use_conv_bias": rng.random() < 0.5,
        "time_step_rank": rng.choice(["auto", rng.randint(1, 9)]),
        "tie_word_embeddings": rng.random() < 0.5,
    }


def falcon_mamba(rng: Random) -> dict[str, Any]:
    return mamba(rng)


def _turns(rng: Random, which: str) -> dict[str, Any]:
    """Of so many layers in turn the one that is another; an offset below 0 is none."""
    period = rng.randint(1, 5)
    return {f"{which}_period": period, f"{which}_offset": rng.randint(-1, period - 1)}


def jamba(rng: Random) -> dict[str, Any]:
    n_kv_heads, n_experts = rng.randint(1, 3), rng.randint(0, 5)
    n_heads = n_kv_heads * rng.choice([1, 2, 4])
    return {
        **_turns(rng, "attn_layer"),
        **_turns(rng, "expert_layer"),
        **rng.choice([{}, {"head_dim": rng.randint(1, 9)}]),
        rng.choice(["num_experts", "num_local_experts"]): n_experts,
        "num_experts_per_tok": rng.randint(1, max(1, n_experts)) if n_experts != 1 else 2,
        "vocab_size": rng.randint(3, 90),
        "hidden_size": n_heads * rng.randint(1, 9) + rng.choice([0, 0, rng.randrange(n_heads)]),
        "num_hidden_layers": rng.randint(1, 9),
        "num_attention_heads": n_heads,
        "num_key_value_heads": n_kv_heads,
        "intermediate_size": rng.randint(1, 60),
        "mamba_expand": rng.randint(1, 4),
        "mamba_d_state": rng.randint(1, 9),
        "mamba_d_conv": rng.randint(1, 5),
        "mamba_dt_rank": rng.choice(["auto", rng.randint(1, 9)]),
        "mamba_proj_bias": rng.random() < 0.5,
        "mamba_conv_bias": rng.random() < 0.5,
        "tie_word_embeddings": rng.random() < 0.5,
        "num_labels": rng.randint(1, 5),
        "pad_token_id": rng.choice([None, 0]),
    }
