"""``symparams verify --quantity …`` runs the real model and compares each cost line by line."""

from __future__ import annotations

import json

import pytest

from symparams import load
from symparams.answers.verification_of_costs import verify_cost
from symparams.models.costing import costing
from tests.library import require

require("torch", "transformers")
pytestmark = pytest.mark.filterwarnings("ignore")  # what the library warns of is its own

S = {"b": 2, "s": 6}
SOURCE = {**S, "s_src": 4}


@pytest.mark.parametrize(
    ("target", "quantity", "given", "device"),
    [
        ("llama-3-70b", "kv_cache", {"b": 1, "t": 131_072, "dtype": "bf16"}, "meta"),
        ("mistral-7b-v0.1", "kv_cache", {"b": 1, "t": 5_000, "e": 2}, "meta"),
        ("deepseek-v3", "kv_cache", {"b": 1, "t": 9, "e": 2}, "meta"),
        ("jamba-v0.1", "kv_cache", {"b": 2, "t": 9, "e": 2}, "meta"),
        ("t5-small", "kv_cache", {"b": 2, "t": 9, "s_src": 4, "dtype": "int4"}, "meta"),
        ("llama-7b", "forward_flops", {"b": 1, "s": 1, "t": 100, "logits": "last"}, "meta"),
        ("bert-base-uncased", "forward_flops", S, "meta"),
        ("mixtral-8x7b", "forward_flops", S, "meta"),
        ("mamba-130m", "forward_flops", S, "meta"),
        ("whisper-tiny", "forward_flops", S, "meta"),
        ("deberta-v3-base", "forward_flops", S, "cpu"),  # whose positions pass the projections of query and key
        ("t5-small", "backward_flops", SOURCE, "meta"),
        ("gpt2", "training_flops", S, "meta"),
        ("bert-base-uncased", "activations", {**S, "dtype": "fp32"}, "meta"),
        ("t5-small", "activations", {**SOURCE, "dtype": "fp32", "scope": "all"}, "meta"),
        ("llama-7b", "activations", {**S, "dtype": "bf16"}, "meta"),
        ("vit-base-patch16-224", "activations", {"b": 2, "dtype": "bf16"}, "cpu"),
        ("gpt2", "activations", {**S, "dtype": "fp32", "attention": "flash"}, "cpu"),
        ("llama-7b", "training_memory", {"recipe": "bf16_fp32_master", "gradients": "fp32"}, "meta"),
        ("bert-base-uncased", "training_memory", {"recipe": "fp32", "step": True, **S}, "meta"),
        ("albert-base-v2", "weight_memory", {"dtype": "int4"}, "meta"),
    ],
)
def test_a_cost_is_what_the_library_does(target, quantity, given, device):
    verified = verify_cost(costing(load(target), quantity, given))
    assert [line for line in verified.lines if not line.match] == []
    assert verified.here == verified.library
    assert verified.device == device


def test_each_module_has_a_line(cli):
    result = cli("verify llama-7b --quantity forward-flops --set b=1 --set s=100 --json")
    assert result.code == 0
    assert "model.layers.*.self_attn.k_proj, v_proj" in result.out
    json.loads(result.out)


def test_a_difference_is_shown_and_ends_with_1(cli):
    code, out, _ = cli("verify mistral-7b-v0.1 --quantity kv-cache --set b=1 --set t=5000 --dtype bf16 --window paper")
    assert code == 1
    assert "differs" in out
    assert out.endswith("match: False\n")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("form", ["--text", "--latex", "--markdown", "--typst", "--json"])
def test_every_format_and_language(form, language, cli):
    result = cli(f"verify t5-small --quantity kv-cache --set b=1 --set t=9 --set s_src=4 --dtype bf16 {form} --lang {language}")
    assert result.code == 0


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("gpt3 --quantity kv-cache --set b=1 --set t=9 --dtype bf16",
         "GPT-3 has no class in the transformers library to verify against."),
        ("llama-7b --quantity training-flops --set D=9 --set s=3",
         "What is run is a step: give b and s, and leave D out."),
        ("llama-7b --quantity forward-flops --set b=1 --set s=3 --causal exact",
         "The library multiplies the pairs that a causal mask hides too: leave --causal exact out."),
    ],
)  # fmt: skip
def test_what_cannot_be_measured(asked, message, mistake):
    assert mistake(f"verify {asked}") == message
