"""The KV cache is what the library caches: past_key_values of tiny models, number by number."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from inspect import signature
from random import Random
from typing import Any

import pytest

from symparams import load
from tests.library import require
from tests.library.configurations import SPACES
from tests.library.oracle import configuration

require("torch", "transformers")

import torch  # noqa: E402 - asked for above
import transformers  # noqa: E402
from torch import nn  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")  # what the library warns of is its own

CLASSES = {
    "bart": "BartForConditionalGeneration",
    "bloom": "BloomForCausalLM",
    "codegen": "CodeGenForCausalLM",
    "cohere": "CohereForCausalLM",
    "deepseek_v2": "DeepseekV2ForCausalLM",
    "deepseek_v3": "DeepseekV3ForCausalLM",
    "falcon": "FalconForCausalLM",
    "falcon_mamba": "FalconMambaForCausalLM",
    "gemma": "GemmaForCausalLM",
    "gemma2": "Gemma2ForCausalLM",
    "gemma3": "Gemma3ForConditionalGeneration",
    "gemma3_text": "Gemma3ForCausalLM",
    "glm": "GlmForCausalLM",
    "glm4": "Glm4ForCausalLM",
    "glm4_moe": "Glm4MoeForCausalLM",
    "gpt2": "GPT2LMHeadModel",
    "gpt_bigcode": "GPTBigCodeForCausalLM",
    "gpt_neo": "GPTNeoForCausalLM",
    "gpt_neox": "GPTNeoXForCausalLM",
    "gpt_oss": "GptOssForCausalLM",
    "gptj": "GPTJForCausalLM",
    "granite": "GraniteForCausalLM",
    "jamba": "JambaForCausalLM",
    "llama": "LlamaForCausalLM",
    "llava": "LlavaForConditionalGeneration",
    "m2m_100": "M2M100ForConditionalGeneration",
    "mamba": "MambaForCausalLM",
    "mamba2": "Mamba2ForCausalLM",
    "marian": "MarianMTModel",
    "mbart": "MBartForConditionalGeneration",
    "mistral": "MistralForCausalLM",
    "mixtral": "MixtralForCausalLM",
    "mpt": "MptForCausalLM",
    "mt5": "MT5ForConditionalGeneration",
    "olmo": "OlmoForCausalLM",
    "olmo2": "Olmo2ForCausalLM",
    "olmoe": "OlmoeForCausalLM",
    "opt": "OPTForCausalLM",
    "pegasus": "PegasusForConditionalGeneration",
    "phi": "PhiForCausalLM",
    "phi3": "Phi3ForCausalLM",
    "phimoe": "PhimoeForCausalLM",
    "qwen2": "Qwen2ForCausalLM",
    "qwen2_moe": "Qwen2MoeForCausalLM",
    "qwen3": "Qwen3ForCausalLM",
    "qwen3_moe": "Qwen3MoeForCausalLM",
    "smollm3": "SmolLM3ForCausalLM",
    "stablelm": "StableLmForCausalLM",
    "starcoder2": "Starcoder2ForCausalLM",
    "t5": "T5ForConditionalGeneration",
    "whisper": "WhisperForConditionalGeneration",
}
RUNS, MOST_DRAWN = 10, 1_200  # of a family
ROOM = 40  # positions, for every cache that is drawn
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


def runnable(family: str, rng: Random) -> Iterator[Mapping[str, Any]]:
    """Configurations that can be run: enough positions, heads that divide the width, rotary parts of an even size."""
    for _ in range(MOST_DRAWN):
        settings = dict(SPACES[family](rng))
        settings |= {key: ROOM for key in settings if key in ("n_positions", "max_position_embeddings", "max_target_positions")}
        has_large_tower = settings.get("vision_config", {}) is None  # CLIP's own defaults, which nothing here caches
        if not has_large_tower and _is_runnable(family, settings):
            yield settings


def _is_runnable(family: str, settings: Mapping[str, Any]) -> bool:
    from symparams.errors import SymparamsError

    try:
        model = load(configuration(family, settings, CLASSES[family])[1])
        model.closed_form(quantity="kv_cache")
    except SymparamsError:
        return False  # Gemma 3 that sees both ways decodes nothing
    sizes = {letter.name: value for letter, value in model.values.items()}
    heads = [size for name, size in sizes.items() if name.startswith(("d_head", "d_rope"))]
    even = 8 if family in ("phi", "stablelm") else 4  # where a quarter of a head is turned, or a half
    return all(size % even == 0 for size in heads) or family in ("bloom", "gpt2", "mpt", "bart", "t5")


def reads_source(model):
    """Whether the cache holds keys and values of a source."""
    return "s_src" in {symbol.name for symbol in model.closed_form(quantity="kv_cache").free_symbols}


@pytest.mark.parametrize("family", CLASSES)
def test_the_cache_is_what_the_library_keeps(family):
    rng, found = Random(f"cache {family}"), 0  # noqa: S311 - no secret
    for settings in runnable(family, rng):
        tokens = (rng.randint(1, 3), rng.randint(1, 14), rng.randint(1, 6))
        try:
            real = cached(family, CLASSES[family], settings, tokens)
        except (AttributeError, NameError, RuntimeError, IndexError, TypeError, ValueError, ZeroDivisionError):
            continue  # what the library builds and cannot run
        model = load(configuration(family, settings, CLASSES[family])[1])
        inputs = dict(zip(("b", "t", "s_src"), tokens, strict=True))
        if family == "whisper" or not reads_source(model):
            del inputs["s_src"]
        assert model.measure("kv_cache", **inputs, e=dtype_of(family).itemsize) == real, (tokens, settings)
        found += 1
        if found == RUNS:
            break
    assert found == RUNS
