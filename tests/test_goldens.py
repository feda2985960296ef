"""Whole sheets and answers, chosen for their differences: read a change here as prose before you accept it.

``pytest tests/test_goldens.py tests/cli/test_help.py tests/drawings --golden-update`` writes them and those of drawings anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from symparams import derive, load, render
from symparams.formats import endings, find, names
from symparams.sheets.catalogue import languages

TEXTS = [name for name in names() if not find(name).typeset]
GOLDEN = Path(__file__).parent / "golden"
LANGUAGES = languages()

# Each has what no other has: heads apart, kinds of layers, biases apart, experts, two stacks, sounds, images,
# a text model that reads images, no attention.
SHEETS = {
    "bert-base-uncased-head-by-head": ("bert-base-uncased", {"attention": "per-head"}),
    "bert-base-uncased-biases-apart": ("bert-base-uncased", {"view": "weights"}),
    "bloom-1b4-zh-by-kind": ("bloom-1b4-zh", {"view": "kind"}),
    "deepseek-v3": ("deepseek-v3", {}),
    "t5-small": ("t5-small", {}),
    "whisper": ("whisper", {}),
    "vit-base-patch16-224": ("vit-base-patch16-224", {}),
    "qwen2-vl-2b": ("qwen2-vl-2b", {}),
    "mamba-130m": ("mamba-130m", {}),
    "llama-3-8b-cache": ("llama-3-8b", {"quantity": "kv_cache", "b": 1, "t": 131_072, "dtype": "bf16"}),
    "gemma-2-2b-cache": ("gemma-2-2b", {"quantity": "kv_cache"}),
    "deepseek-v3-cache": ("deepseek-v3", {"quantity": "kv_cache", "b": 1, "t": 1, "dtype": "bf16"}),
    "t5-small-cache-by-kind": ("t5-small", {"quantity": "kv_cache", "view": "kind", "e": 2}),
    "gpt2-weights": ("gpt2", {"quantity": "weight_memory", "dtype": "fp32"}),
    "llama-3-8b-lora": ("llama-3-8b", {"quantity": "lora", "r": 16, "targets": ["q_proj", "v_proj"]}),
    "gpt2-activations": ("gpt2", {"quantity": "activations", "b": 1, "s": 1_024, "dtype": "bf16", "dropout": 0.1}),
    "llama-3-8b-activations": ("llama-3-8b", {"quantity": "activations", "attention": "flash", "dtype": "bf16"}),
    "t5-small-activations": ("t5-small", {"quantity": "activations", "dtype": "fp32", "scope": "all"}),
    "llama-7b-training": ("llama-7b", {"quantity": "training_memory", "recipe": "bf16_fp32_master"}),
}
ANSWERS = {
    "show-t5-small": "show t5-small",
    "explain-gpt2": "explain gpt2 163037184",
    "explain-a-published-figure": "explain deepseek-v3 37B",
    "explain-a-remainder": "explain bert-base-uncased 177853440",
    "compare-gpt2": "compare gpt2 llama-2-7b",
    "compare-llama-3": "compare llama-3-8b llama-3-70b",
    "compare-four": "compare gpt2 llama-2-7b mixtral-8x7b deepseek-v3",
    "compare-families": "compare bert llama",
    "costs-llama-3-8b": "derive llama-3-8b --quantity all --brief --set b=1 --set s=8192 --set t=131072 "
    "--dtype bf16 --fits 80GB",
    "memory-llama-7b": "memory llama-7b --fits 12GiB",
    "solve-llama-2-7b": "solve llama-2-7b --total 7e9 --for h --multiple-of 128",
    "solve-gpt2-shape": "solve gpt2 --total 124439808 --for L,h --multiple-of 64 --between L=6..96 --top 5",
    "solve-nothing": "solve gpt2 --total 100 --for h",
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet(name, language, golden):
    target, how = SHEETS[name]
    golden(GOLDEN / f"{name}.{language}.txt", render(derive(load(target), **how), "text", language=language))


@pytest.mark.parametrize("kind", TEXTS)
def test_a_format(kind, golden):
    """A model without values, with experts and a memory: all that a format sets is in it."""
    sheet = render(derive(load("mixtral", exclude=["lm_head"])), kind, notation="hf", with_memory=True)
    golden(GOLDEN / f"mixtral{endings(kind)[0]}", sheet)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer(name, language, golden, cli):
    golden(GOLDEN / f"{name}.{language}.txt", cli(f"{ANSWERS[name]} --lang {language}").out)


def test_the_list(golden, cli):
    golden(GOLDEN / "list.txt", cli("list").out.partition("\n\n")[0] + "\n")  # the discovered types are data


def test_there_are_no_other_goldens():
    written = {f"{name}.{language}.txt" for name in (*SHEETS, *ANSWERS) for language in LANGUAGES}
    written |= {f"mixtral{endings(kind)[0]}" for kind in TEXTS}
    assert {file.name for file in GOLDEN.iterdir()} == written | {"list.txt"}
