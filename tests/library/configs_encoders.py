"""Random configurations of the encoders after BERT."""

from __future__ import annotations

from random import Random
from typing import Any


def _encoder(rng: Random) -> dict[str, Any]:
    n_heads = rng.choice([1, 2, 3, 4])
    return {
        "vocab_size": rng.randint(5, 90),
        "hidden_size": n_heads * rng.randint(1, 9),
        "num_hidden_layers": rng.randint(1, 4),
        "num_attention_heads": n_heads,
        "intermediate_size": rng.randint(1, 60),
        "max_position_embeddings": rng.randint(2, 40),  # more than the index of the padding
        "type_vocab_size": rng.randint(1, 4),
        "num_labels": rng.randint(1, 5),
        "is_decoder": rng.random() < 0.3,
        "tie_word_embeddings": rng.random() < 0.6,
    }


def _with_embedding_size(rng: Random) -> dict[str, Any]:
    settings = _encoder(rng)
    return {**settings, "embedding_size": rng.choice([settings["hidden_size"], rng.randint(1, 30)])}


def roberta(rng: Random) -> dict[str, Any]:
    return _encoder(rng)


def xlm_roberta(rng: Random) -> dict[str, Any]:
    return _encoder(rng)


def distilbert(rng: Random) -> dict[str, Any]:
    n_heads = rng.choice([1, 2, 3, 4])
    return {
        "vocab_size": rng.randint(5, 90),
        rng.choice(["dim", "hidden_size"]): n_heads * rng.randint(1, 9),
        rng.choice(["n_layers", "num_hidden_layers"]): rng.randint(1, 4),
        rng.choice(["n_heads", "num_attention_heads"]): n_heads,
        "hidden_dim": rng.randint(1, 60),
        "max_position_embeddings": rng.randint(1, 40),
        "sinusoidal_pos_embds": rng.random() < 0.4,
        "num_labels": 2,  # another number is refused by the library for answering questions
        "tie_word_embeddings": rng.random() < 0.6,
    }


def electra(rng: Random) -> dict[str, Any]:
    return _with_embedding_size(rng)


def albert(rng: Random) -> dict[str, Any]:
    settings = _with_embedding_size(rng)
    n_groups = rng.randint(1, settings["num_hidden_layers"])
    return {**settings, "num_hidden_groups": n_groups, "inner_group_num": rng.randint(1, 3)}
