"""Random configurations of the encoder-decoders."""

from __future__ import annotations

from random import Random
from typing import Any

# T5 and mT5 with tie_word_embeddings: false. The published checkpoints (T5 1.1, Flan-T5, mT5) have an LM head of their own,
# and this library saves the flag as true and ties the head all the same. We count what the config says, so with an LM head
# the library's count lacks one matrix of V × h. By class: the keys of the sides of that matrix.
CORRECTIONS = {
    "T5ForConditionalGeneration": ("vocab_size", "d_model"),
    "MT5ForConditionalGeneration": ("vocab_size", "d_model"),
}


def _stacks(rng: Random) -> dict[str, Any]:
    heads = rng.choice([(1, 2), (2, 2), (4, 1), (2, 4), (3, 2)])
    return {
        "vocab_size": rng.randint(5, 90),
        "d_model": 12 * rng.randint(1, 3),
        "encoder_layers": rng.randint(1, 4),
        "decoder_layers": rng.randint(1, 4),
        "encoder_attention_heads": heads[0],
        "decoder_attention_heads": heads[1],
        "encoder_ffn_dim": rng.randint(1, 60),
        "decoder_ffn_dim": rng.randint(1, 60),
        "tie_word_embeddings": rng.random() < 0.5,
        "num_labels": rng.randint(1, 5),
        "scale_embedding": rng.random() < 0.5,
        "pad_token_id": 1,
        "decoder_start_token_id": 2,
    }


def bart(rng: Random) -> dict[str, Any]:
    return {**_stacks(rng), "max_position_embeddings": rng.randint(1, 40)}


def mbart(rng: Random) -> dict[str, Any]:
    return bart(rng)


def pegasus(rng: Random) -> dict[str, Any]:
    return bart(rng)


def m2m_100(rng: Random) -> dict[str, Any]:
    return bart(rng)


def marian(rng: Random) -> dict[str, Any]:
    return {
        **bart(rng),
        "decoder_vocab_size": rng.choice([None, 0, rng.randint(5, 90)]),
        "share_encoder_decoder_embeddings": rng.random() < 0.5,
    }


def whisper(rng: Random) -> dict[str, Any]:
    return {
        **_stacks(rng),
        "num_mel_bins": rng.randint(1, 20),
        "max_source_positions": rng.randint(1, 40),
        "max_target_positions": rng.randint(1, 40),
        "classifier_proj_size": rng.randint(1, 20),
        "use_weighted_layer_sum": rng.random() < 0.5,
    }


def t5(rng: Random) -> dict[str, Any]:
    return {
        "vocab_size": rng.randint(5, 90),
        "d_model": rng.randint(1, 30),
        "d_kv": rng.randint(1, 12),
        "d_ff": rng.randint(1, 60),
        "num_layers": rng.randint(1, 4),
        "num_decoder_layers": rng.choice([None, rng.randint(1, 4)]),
        "num_heads": rng.randint(1, 5),
        "relative_attention_num_buckets": rng.randint(1, 40),
        "feed_forward_proj": rng.choice(["relu", "gelu", "gated-gelu", "gated-silu"]),
        "num_labels": rng.randint(1, 5),
        "tie_word_embeddings": rng.random() < 0.5,
    }


def mt5(rng: Random) -> dict[str, Any]:
    return t5(rng)
