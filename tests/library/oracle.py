"""The oracle: the transformers library builds the model on the meta device, and its parameters are counted one by one."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from typing import Any

from symparams.architectures import architecture
from symparams.expressions.symbols import n_active
from symparams.models.library import families, library
from tests.library.configurations import SPACES

# Random configurations of a family, shared out among its classes, which differ in their heads alone; and the least of a class.
CONFIGURATIONS, LEAST = 20, 4
# T5 and mT5 with tie_word_embeddings: false. The published checkpoints (T5 1.1, Flan-T5, mT5) have an LM head of their own,
# and this library saves the flag as true and ties the head all the same. We count what the config says, so with an LM head
# the library's count lacks one matrix of V × h. By class: the keys of the sides of that matrix.
CORRECTIONS = dict.fromkeys(("T5ForConditionalGeneration", "MT5ForConditionalGeneration"), ("vocab_size", "d_model"))


def classes() -> Iterator[tuple[str, str]]:
    """Each family with each of its classes."""
    for family in SPACES:
        known = library(architecture(family))
        assert known is not None
        for name in known.classes:
            yield family, name


def built_families() -> tuple[str, ...]:
    """The families that the library builds, and not their authors' own code."""
    records = {name: library(architecture(name)) for name in families()}
    return tuple(name for name, record in records.items() if record is not None and not record.code)


def share(family: str) -> int:
    """How many configurations each class of a family is given."""
    known = library(architecture(family))
    assert known is not None
    return max(LEAST, CONFIGURATIONS // len(known.classes))


VIDEOS = ("qwen2_vl", "qwen2_5_vl", "qwen3_vl", "qwen3_vl_moe", "qwen3_5", "qwen3_5_moe")
# An image encoder, and a text model that reads what it makes of an image.
COMPOSITES = ("llava", "idefics3", "smolvlm", "mistral3", "internvl", "gemma3", "paligemma", *VIDEOS, "llama4", "gemma4")
# What the library builds none without.
NEEDED: Mapping[str, Mapping[str, Any]] = {"lfm2_moe": {"layer_types": ["conv"] * 32}, "esm": {"vocab_size": 33}}


def configuration(model_type: str, settings: Mapping[str, Any], class_name: str) -> tuple[Any, dict[str, Any]]:
    """The library's own config object, and the config.json that it would write."""
    import transformers

    spelled = next(name for name in (model_type, model_type.replace("_", "-")) if name in transformers.CONFIG_MAPPING)
    config = transformers.AutoConfig.for_model(spelled, **{**NEEDED.get(model_type, {}), **settings})
    written = config.to_dict()
    written["architectures"] = [class_name]
    if settings.get("tie_word_embeddings") is False:
        written["tie_word_embeddings"] = False  # the newest library writes true over it for T5 and mT5
    return config, written


def correction(class_name: str, settings: Mapping[str, Any], written: Mapping[str, Any]) -> list[int]:
    """The sides of the matrix that a config asks for and the newest library ties all the same: T5's untied head."""
    is_untied = settings.get("tie_word_embeddings") is False
    return [written[key] for key in CORRECTIONS.get(class_name, ())] if is_untied else []


def mixtures() -> Iterator[str]:
    """The families of which one token uses a part."""
    return (family for family in SPACES if n_active in architecture(family).dimensions)


def active(class_name: str, config: Any) -> int:
    """What one token uses of what the library trains: of each array of experts, as many as it is given to."""
    where = next((getattr(config, name) for name in ("text_config", "ffn_config") if hasattr(config, name)), config)
    chosen = next(getattr(where, key) for key in ("num_experts_per_tok", "top_k_experts", "moe_top_k") if hasattr(where, key))
    rows = where.ffn_hidden_size if hasattr(config, "ffn_config") else 1  # of an expert, where they stand one below another
    return sum(
        parameter.numel() * rows // len(parameter) * chosen if ".experts." in name else parameter.numel()
        for name, parameter in on_meta(class_name, config).named_parameters()
        if parameter.requires_grad
    )


def on_meta(class_name: str, config: Any) -> Any:
    """The model on the meta device: nothing is allocated, every shape is real."""
    import torch
    import transformers

    with warnings.catch_warnings(), torch.device("meta"):
        warnings.simplefilter("ignore")
        return getattr(transformers, class_name)(config)
