"""The KV cache is what the library caches: past_key_values of tiny models, number by number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

from symparams import load
from tests.library import require
from tests.library.configurations import SPACES
from tests.library.oracle import CONFIGURATIONS, configuration

require("torch", "transformers")

from tests.library.caches import cached, dtype_of, rng_of  # noqa: E402 - which needs torch

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
MOST_DRAWN = 3_000
ROOM = 40  # positions, for every cache that is drawn


def runnable(family: str, rng: Random) -> Iterator[Mapping[str, Any]]:
    """Configurations that can be run: enough positions, heads that divide the width, rotary parts of an even size."""
    for _ in range(MOST_DRAWN):
        settings = dict(SPACES[family](rng))
        settings |= {key: ROOM for key in settings if key in ("n_positions", "max_position_embeddings", "max_target_positions")}
        if _is_runnable(family, settings):
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
    rng, found = rng_of(family), 0
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
        if found == CONFIGURATIONS:
            break
    assert found == CONFIGURATIONS
