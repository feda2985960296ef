"""Random configurations of ModernBERT, DeBERTa-v2 and XLNet."""

from __future__ import annotations

from random import Random
from typing import Any


def modernbert(rng: Random) -> dict[str, Any]:
    n_heads, layers = rng.choice([1, 2, 4]), rng.randint(1, 5)
    settings = {
        "vocab_size": rng.randint(5, 90),
        "hidden_size": n_heads * 2 * rng.randint(1, 5),
        "num_hidden_layers": layers,
        "num_attention_heads": n_heads,
        "intermediate_size": rng.randint(1, 60),
        "max_position_embeddings": rng.randint(1, 40),
        "layer_types": rng.choice([None, [rng.choice(["sliding_attention", "full_attention"]) for _ in range(layers)]]),
        "global_attn_every_n_layers": rng.randint(1, 4),
        "pad_token_id": rng.choice([None, 0, 3]),
        "num_labels": rng.randint(1, 5),
    }
    switches = ("norm_bias", "attention_bias", "mlp_bias", "decoder_bias", "classifier_bias", "tie_word_embeddings")
    return settings | {name: rng.random() < 0.5 for name in (*switches, "sparse_prediction")}


def deberta_v2(rng: Random) -> dict[str, Any]:
    n_heads = rng.choice([1, 2, 4])
    width = n_heads * rng.randint(1, 9)
    settings = {
        "vocab_size": rng.randint(5, 90),
        "hidden_size": width,
        "num_hidden_layers": rng.randint(1, 4),
        "num_attention_heads": n_heads,
        "intermediate_size": rng.randint(1, 60),
        "max_position_embeddings": rng.randint(1, 40),
        "type_vocab_size": rng.randint(0, 3),
        "relative_attention": rng.random() < 0.7,
        "max_relative_positions": rng.choice([-1, 0, rng.randint(1, 30)]),
        "position_biased_input": rng.random() < 0.5,
        "pos_att_type": rng.choice(
            [None, "p2c|c2p", "C2P", " p2c | p2p ", "none", ["c2p"], ["c2p", "p2c"], ["C2P", "p2c "], []]
        ),
        "legacy": rng.random() < 0.5,
        "num_labels": rng.randint(1, 5),
        "tie_word_embeddings": rng.random() < 0.6,
    }
    extra = {
        "embedding_size": rng.choice([width, rng.randint(1, 20)]),
        "share_att_key": rng.random() < 0.4,
        "position_buckets": rng.choice([-1, 0, rng.randint(1, 30)]),
        "norm_rel_ebd": rng.choice(["none", "layer_norm", "Layer_Norm | other"]),
        "conv_kernel_size": rng.randint(0, 5),
        "conv_groups": 1,
        "conv_act": "gelu",
        "pooler_hidden_size": width,
        "attention_head_size": width // n_heads,
    }
    return settings | {name: value for name, value in extra.items() if rng.random() < 0.6}


def xlnet(rng: Random) -> dict[str, Any]:
    n_heads, d_head = rng.choice([1, 2, 4]), rng.randint(1, 9)
    old = rng.random() < 0.5
    return {
        "n_token" if old else "vocab_size": rng.randint(5, 90),
        "hidden_size" if old else "d_model": n_heads * d_head,
        "num_hidden_layers" if old else "n_layer": rng.randint(1, 4),
        "num_attention_heads" if old else "n_head": n_heads,
        "d_inner": rng.randint(1, 60),
        "d_head": d_head if old else rng.choice([None, 0, d_head]),  # the old spellings come too late for the library to divide
        "attn_type": rng.choice(["bi", "uni"]),
        "bi_data": rng.random() < 0.5,
        "mem_len": rng.choice([None, 4]),
        "summary_type": rng.choice(["last", "first", "mean", "cls_index"]),
        "summary_use_proj": rng.random() < 0.5,
        "num_labels": rng.randint(1, 5),
        "tie_word_embeddings": rng.random() < 0.6,
    }
