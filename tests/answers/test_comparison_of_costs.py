"""A cost of several models side by side: the same numbers as measure, in every format."""

from __future__ import annotations

import json

import pytest

from symparams import SymparamsError, compare, load, render
from symparams.formats import names

CACHE = {"b": 1, "t": 8_192, "dtype": "bf16"}


def test_numbers_and_the_difference():
    compared = compare("gpt2", "llama-3-8b", quantity="kv-cache", **CACHE)
    [apart] = compared.differences
    assert (apart.value, apart.first.value(), apart.other.value()) == (-771_751_936, 301_989_888, 1_073_741_824)
    assert str(apart.closed_form) == "-2*L*b*d_head*e*n_kv_heads*t + 2*L*b*e*h*t"


@pytest.mark.parametrize(
    ("quantity", "inputs"),
    [
        ("weight_memory", {"dtype": "fp32"}),
        ("kv_cache", CACHE),
        ("forward_flops", {"b": 1, "s": 2_048}),
        ("backward_flops", {"b": 1, "s": 2_048}),
        ("training_flops", {"b": 1, "s": 2_048}),
        ("activations", {"b": 1, "s": 128, "dtype": "bf16"}),
        ("training_memory", {"recipe": "fp32"}),
    ],
)
def test_components_add_up_to_what_is_measured(quantity, inputs):
    targets = ("gpt2", "llama-3-8b", "mistral-7b-v0.1")
    compared = compare(*targets, quantity=quantity, **inputs)
    for i, target in enumerate(targets):
        whole = load(target).measure(quantity, **inputs)
        assert sum(each.shares[i].step.value for each in compared.components) == whole
        assert sum(each.shares[i].part or 0 for each in compared.components) == 1
    for language in ("en", "zh"):
        for each in ("text", "latex", "markdown", "typst", "html"):
            if each in names():
                assert render(compared, each, language=language)


def test_the_command_line(cli):
    line = "compare gpt2 llama-3-8b --quantity kv-cache --set b=1 --set t=8192 --dtype bf16"
    assert "llama-3-8b  1,073,741,824  1.07 GB              ≈ 3.56" in cli(line).out
    data = json.loads(cli(f"{line} --json").out)
    assert [each["digits"] for each in data["models"]] == ["301989888", "1073741824"]
    assert data["differences"][0]["ratio"] == "9/32"
    assert "How do the KV caches" in compare("gpt2", "bloom", quantity="kv_cache")._repr_mimebundle_()["text/markdown"]
    assert "b·t·L·h·e" in cli(f"{line.partition(' --set')[0]} --symbolic").out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("compare gpt2 bert --quantity kv-cache", "bert has no KV cache"),
        ("compare gpt2 bloom --quantity cache", "Unknown quantity 'cache'."),
        ("compare gpt2 bloom --dtype bf16", "--dtype is for another quantity"),
        (
            "compare gpt2 bloom --quantity kv-cache --recipe amp",
            "--recipe is for another quantity than kv_cache: leave it out; it has --dtype, --window, --latent, --state.",
        ),
    ],
)
def test_a_mistake_is_one_line(line, said, mistake):
    assert said in mistake(line)


def test_parameters_take_no_inputs():
    with pytest.raises(SymparamsError, match="parameters takes no 'b'"):
        compare("gpt2", "bloom", b=1)
