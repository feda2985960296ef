"""The few targets that the fast tests look at, chosen for their differences; every other is a ``sweep``, which CI runs."""

from __future__ import annotations

from collections.abc import Container, Iterable

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
# Families, each with traits of its own, for what is told of a family without values.
FAMILIES = frozenset({"transformer", "bert", "gpt2", "bloom", "llama", "deepseek_v3", "t5", "whisper", "vit", "mamba", "clip"})
# Discovered types, of each another thing that a model can be made of.
DISCOVERED = frozenset(
    {
        "xglm",  # a plain decoder
        "camembert",  # heads that are tied
        "bigbird_pegasus",  # two stacks
        "cohere2_moe",  # some layers a mixture
        "deepseek_v4",  # kinds of layers in lists
        "recurrent_gemma",  # recurrences among attention
        "dots1",  # a data flow that was measured
        "convnextv2",  # stages of convolutions
        "siglip2_vision_model",  # patches, and a head that pools
        "qwen4_exp",  # sections
        "seamless_m4t",  # sound and text
    }
)
TARGETS = tuple(dict.fromkeys([*architectures(), *published_models()]))


def swept(targets: Iterable[str], few: Container[str] = FEW, *, group: str = "") -> list[object]:
    """The targets as parameters of a test, all but the few marked ``sweep``.

    In a ``group``, "page of {}", the tests of one target stay with one worker, which makes what they share once.
    """
    return [pytest.param(name, marks=_marks(name, few, group)) for name in targets]


def _marks(name: str, few: Container[str], group: str) -> list[pytest.MarkDecorator]:
    sweeps = [] if name in few else [pytest.mark.sweep]
    return [*sweeps, pytest.mark.xdist_group(group.format(name))] if group else sweeps
