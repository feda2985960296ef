"""What a model costs, as data: alone, worked out, compared, all on one page; each follows its schema."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from symparams import architectures, compare, derive, render
from symparams.errors import SymparamsError
from symparams.quantities.quantity import names
from symparams.sheets.catalogue import templates

SCHEMAS = ("measure", "cost", "comparison", "budget")


def validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((templates() / "json" / f"{schema}.schema.json").read_text(encoding="utf-8")))


def violations(schema: str, data: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in validator(schema).iter_errors(data)]


def data_of(found: Any, language: str = "en") -> dict[str, Any]:
    data: dict[str, Any] = json.loads(render(found, "json", language=language))
    return data


ASKED = [
    ("gpt2", "kv_cache", {"b": 1, "t": 9}),  # e has no value
    ("mistral-7b-v0.1", "kv_cache", {"b": 1, "t": 9, "dtype": "int4"}),  # half a byte, and a window
    ("mixtral-8x7b", "training_flops", {"D": 100, "s": 9}),
    ("deepseek-v3", "forward_flops", {"b": 1, "s": 9, "t": 9, "causal": "exact"}),
    ("t5-small", "activations", {"dtype": "bf16"}),
    ("llama-3-8b", "training_memory", {"recipe": "fp32", "targets": ["q_proj"], "r": 8}),
    ("llama-3-8b", "lora", {"targets": ["q_proj"]}),
    ("bert-base-uncased", "backward_flops", {}),
    ("gpt2", "weight_memory", {"dtype": "int4"}),
    ("llama-3-8b", "kv_cache", {"b": 1, "dtype": "bf16", "fits": "80GB"}),
]
COMPARED = [
    (("gpt2", "llama-3-8b"), "kv_cache", {"b": 1, "t": 9, "dtype": "bf16"}),
    (("gpt2", "vit-base-patch16-224"), "forward_flops", {"b": 1, "s": 5}),
    (("gpt2", "bert", "mistral-7b-v0.1"), "training_memory", {"recipe": "fp32"}),
]
PAGES = [
    ("gpt2", {"b": 1, "s": 8, "t": 9, "D": 100, "dtype": "bf16", "fits": "80GB"}),
    ("llama-3-8b", {"b": 1, "dtype": "bf16", "fits": "80GB"}),
    ("llama-3-8b", {"targets": ["q_proj"], "r": 8}),
    ("mixtral-8x7b", {"b": 1, "s": 4, "dtype": "int4", "checkpoint": True, "fits": "100GB"}),
    ("vit-base-patch16-224", {"b": 1, "fits": "1GB"}),
    ("whisper-tiny", {"b": 1, "s": 4, "dropout": "0.1"}),
]


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_schema_is_one(schema: str) -> None:
    Draft202012Validator.check_schema(validator(schema).schema)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("target", "quantity", "given"), ASKED)
def test_a_cost(target: str, quantity: str, given: dict[str, Any], language: str) -> None:
    for view in ("module", "kind", "weights"):
        assert violations("cost", data_of(derive(target, quantity=quantity, view=view, **given), language)) == []


@pytest.mark.parametrize("family", architectures())
def test_the_costs_of_a_family_in_letters(family: str) -> None:
    for quantity in names():
        if quantity not in ("parameters", "training_memory", "lora"):  # which need a recipe, matrices
            try:
                found = derive(family, quantity=quantity)
            except SymparamsError:  # as it has no cache, or its activations are not derived
                continue
            assert violations("cost", data_of(found)) == []
    assert violations("budget", data_of(derive(family, quantity="all"))) == []


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("targets", "quantity", "given"), COMPARED)
def test_a_comparison(targets: tuple[str, ...], quantity: str, given: dict[str, Any], language: str) -> None:
    assert violations("comparison", data_of(compare(*targets, quantity=quantity, **given), language)) == []


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("target", "given"), PAGES)
def test_the_page_of_all_costs(target: str, given: dict[str, Any], language: str) -> None:
    data = data_of(derive(target, quantity="all", **given), language)
    assert violations("budget", data) == []
    assert ("fits" in data) == ("fits" in given)


@pytest.mark.parametrize(
    ("line", "schema"),
    [
        ("count llama-3-8b --quantity kv-cache --set b=1 --set t=9 --dtype int4", "measure"),
        ("derive llama-3-8b --quantity kv-cache --set b=1 --set t=9 --dtype bf16", "cost"),
        ("derive llama-3-8b --quantity kv-cache --dtype bf16 --set b=1 --fits 80GB", "cost"),
        ("compare llama-3-8b gpt2 --quantity kv-cache --dtype bf16 --set b=1 --set t=9", "comparison"),
        ("derive llama-3-8b --quantity all --dtype bf16 --set b=1 --set s=9 --fits 80GB", "budget"),
    ],
)
def test_on_the_command_line(line: str, schema: str, cli: Any) -> None:
    code, out, _ = cli(f"{line} --json")
    assert code == 0
    assert violations(schema, json.loads(out)) == []


@pytest.mark.parametrize(
    ("schema", "key", "wrong"),
    [
        ("cost", "value", 1.5),
        ("cost", "value", "1.5"),
        ("cost", "unit", "GB"),
        ("cost", "closed_form", "2·b·t"),
        ("cost", "conventions", [{}]),
        ("cost", "extra", 1),
        ("budget", "inputs", {"b": 1.5}),
        ("budget", "quantities", {"kv_cache": None}),
        ("budget", "fits", {"room": 80.0e9 + 0.5, "serving": [], "training": []}),
        ("budget", "sections", [{"key": "cache"}]),
        ("comparison", "models", []),
        ("comparison", "without", {"s": []}),
    ],
)
def test_another_shape_is_refused(schema: str, key: str, wrong: Any) -> None:
    given = {"b": 1, "t": 9, "dtype": "bf16"}
    found = {
        "cost": lambda: derive("gpt2", quantity="kv_cache", **given),
        "budget": lambda: derive("gpt2", quantity="all", fits="80GB", **given),
        "comparison": lambda: compare("gpt2", "llama-7b", quantity="kv_cache", **given),
    }[schema]()
    data = data_of(found)
    assert violations(schema, data) == []
    assert violations(schema, data | {key: wrong})
