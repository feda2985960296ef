"""The few targets that the fast tests look at, chosen for their differences; every other is a ``sweep``, which CI runs."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from symparams import architectures, published_models

FEW = frozenset(
    {
        "transformer",  # an encoder and a decoder, nothing published in a config
        "bert-base-uncased",  # an encoder with heads and a pooler
        "gpt2",  # a tied head, one matrix for query, key and value
        "bloom-1b4-zh",  # ALiBi, a norm after the embedding
        "llama-3-8b",  # gates and grouped queries
        "deepseek-v3",  # latent attention, a mixture of experts, two kinds of layers
        "t5-small",  # relative positions, RMS norms, two stacks
        "whisper",  # sound, sinusoidal tables, in symbols alone
        "vit",  # patches of an image
        "mamba",  # a state space
    }
)
TARGETS = tuple(dict.fromkeys([*architectures(), *published_models()]))


def swept(targets: Iterable[str]) -> list[object]:
    """The targets as parameters of a test, all but the few marked ``sweep``."""
    return [name if name in FEW else pytest.param(name, marks=pytest.mark.sweep) for name in targets]
