"""What the library caches: tiny models run, and the numbers that their past_key_values hold."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator, Mapping
from inspect import signature
from typing import Any

import torch
import transformers
from torch import nn

from tests.library.oracle import configuration

FIRST_WORD = 5  # after the ids that mean padding, start and end


STATE_SPACES = ("falcon_mamba", "jamba", "mamba", "mamba2")  # whose states are in fp32, whatever the number type


def dtype_of(family: str) -> torch.dtype:
    """The number type in which the caches of a family are told apart from others."""
    return torch.bfloat16 if family in STATE_SPACES else torch.float32


def cached(family: str, class_name: str, settings: Mapping[str, Any], tokens: tuple[int, int, int]) -> int:
    """Return the bytes that a tiny model caches of so many sequences, tokens, and tokens of the source."""
    sequences, length, source = tokens
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        config, _ = configuration(family, settings, class_name)
        config._attn_implementation = config._experts_implementation = "eager"
        model: nn.Module = getattr(transformers, class_name)(config).to(dtype_of(family)).eval()
        wanted = signature(model.forward).parameters
        words = torch.full((sequences, length), min(FIRST_WORD, config.get_text_config(decoder=True).vocab_size - 1))
        inputs: dict[str, Any] = {"use_cache": True}
        if "decoder_input_ids" in wanted:
            inputs["decoder_input_ids"] = words
            if "input_features" in wanted:
                inputs["input_features"] = torch.zeros(sequences, config.num_mel_bins, 2 * config.max_source_positions)
            else:
                inputs["input_ids"] = words[:, :1].expand(sequences, source)
        else:
            inputs["input_ids"] = words
        out = model(**inputs)
    tensors = _tensors(out.get("past_key_values", out.get("cache_params")), set())
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)


def _tensors(value: Any, seen: set[int]) -> Iterator[Any]:
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, torch.Tensor):
        if value.is_floating_point():
            yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _tensors(inner, seen)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _tensors(inner, seen)
    elif type(value).__module__.endswith("cache_utils"):
        for inner in vars(value).values():
            yield from _tensors(inner, seen)


def rng_of(family: str) -> random.Random:
    """Random numbers for the configurations of a family, the same at every run."""
    return random.Random(f"cache {family}")  # noqa: S311 - no secret
