"""JSON follows its schemas; its formulas, read back from the text, are equal and come to their values."""

from __future__ import annotations

import json
from functools import cache

import pytest
from jsonschema import Draft202012Validator

from symparams import architectures, compare, derive, derive_expression, load, render
from symparams.errors import SymparamsError
from symparams.expressions.closed_form import as_written
from symparams.expressions.parsing import parse
from symparams.expressions.printing.printer import plain
from symparams.expressions.symbols import BY_NAME
from symparams.expressions.written import evaluate
from symparams.quantities.quantity import names
from symparams.sheets import COMPOSITIONS
from symparams.sheets.catalogue import templates
from symparams.sheets.outline import outline
from tests.sweeps import swept

from .conftest import FEW, IN_CHINESE, WAYS, derivation, variants

WITHOUT_VALUES = ("transformer", "llama")


@cache
def validator():
    schema = json.loads((templates() / "json" / "answer.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def violations(data):
    return [f"{error.json_path}: {error.message}" for error in validator().iter_errors(data)]


def test_the_schema_knows_the_kinds_of_answers() -> None:
    written = {kind for kind, composition in COMPOSITIONS.items() if not composition.formats} - {"document"}
    assert set(validator().schema["properties"]["kind"]["enum"]) == written | {"count"}


def data_of(answer, language="en"):
    return json.loads(render(answer, "json", language=language))


def steps(data):
    """Every step of a sheet, however deep, in reading order."""
    if isinstance(data, dict):
        yield from [data] if "written" in data else []
        data = list(data.values())
    for inner in data if isinstance(data, list) else ():
        yield from steps(inner)


def in_numbers(data):
    """A sheet without its words: what every language must agree on."""
    if isinstance(data, dict):
        words = ("language", "title", "text", "latex", "notes", "document")
        return {key: in_numbers(value) for key, value in data.items() if key not in words}
    return [in_numbers(inner) for inner in data] if isinstance(data, list) else data


@pytest.mark.parametrize("target", swept(FEW, (*IN_CHINESE, "transformer", "mamba")))
def test_a_sheet_follows_the_schema_and_its_formulas_come_to_their_values(target):
    values = load(target).values
    for view, attention in WAYS if target in IN_CHINESE else WAYS[:1]:
        data = data_of(derivation(target, attention, view))
        assert violations(data) == [], (view, attention)
        if target in IN_CHINESE and view == "module":
            chinese = data_of(derivation(target, attention, view), "zh")
            assert violations(chinese) == [], (view, attention)
            assert in_numbers(chinese) == in_numbers(data), (view, attention)
        for step in steps(data):
            for key in ("written", "substituted", "closed_form"):
                if step["value"] is not None and step[key]:
                    formula = parse(step[key]["plain"], BY_NAME)
                    assert evaluate(formula, values) == step["value"], (view, step["path"])
                    assert key != "substituted" or not formula.dimensions, (view, step["path"])
    for model in variants(target) if target == "transformer" else ():
        assert violations(data_of(derive(model))) == [], model.present


def components(tree):
    """Every component of a tree, a parent before its children."""
    yield tree
    for child in tree["components"]:
        yield from components(child)


@pytest.mark.parametrize("target", FEW)
def test_an_outline_follows_its_schema_and_adds_up(target):
    model = load(target)
    data = data_of(outline(model))
    assert violations(data) == []
    assert data["tree"]["count"] == (model.count() if not model.unbound else None)
    assert data["tree"]["closed_form"] == plain(as_written(model.polynomial()))
    for component in components(data["tree"]) if not model.unbound else ():
        inside = sum(child["count"] for child in component["components"])
        owned = sum(tensor["count"]["value"] for tensor in component["tensors"] if tensor["trained"] and not tensor["tied_to"])
        assert component["count"] == component["times"]["value"] * (inside + owned), component["path"]


def test_a_rule_that_gives_less_than_the_count_is_below_it() -> None:
    """12·L·h² of gpt2 is 84,934,656 of 124,439,808."""
    assert data_of(derive(load("gpt2")))["rule_of_thumb"]["error_percent"] == "-31.75"


def test_an_outline_as_a_program_reads_it() -> None:
    data = data_of(outline(load("gpt2")))
    by_path = {component["path"]: component for component in components(data["tree"])}
    assert (data["target"], data["title"], data["features"]["tying"], data["dimensions"]["h"]) == ("gpt2", "GPT-2", True, 768)
    assert by_path["decoder"]["times"] == {"plain": "L", "value": 12}
    assert by_path["embeddings.token_embedding"]["tensors"] == [{
        "name": "weight", "shape": ["V", "h"], "sizes": [50_257, 768], "count": {"plain": "V*h", "value": 38_597_376},
        "tied_to": None, "trained": True,
    }]  # fmt: skip
    head = by_path["lm_head"]
    assert (head["count"], head["tensors"][0]["tied_to"]) == (0, "embeddings.token_embedding")
    assert data["flow"]["decoder"][0] == {"part": "attention_norm", "of": ["x"], "beside": None}


COSTS = [
    ("gpt2", "kv_cache", {"b": 1, "t": 9}),  # e has no value
    ("mistral-7b-v0.1", "kv_cache", {"b": 1, "t": 9, "dtype": "int4"}),  # half a byte, and a window
    ("mixtral-8x7b", "training_flops", {"D": 100, "s": 9}),
    ("gpt2", "forward_flops", {"b": 1, "s": 9, "t": 9, "causal": "exact"}),
    ("t5-small", "activations", {"dtype": "bf16"}),
    ("llama-3-8b", "training_memory", {"recipe": "fp32", "targets": ["q_proj"], "r": 8}),
    ("llama-3-8b", "lora", {"targets": ["q_proj"]}),
    ("bert-base-uncased", "backward_flops", {}),
    ("gpt2", "weight_memory", {"dtype": "int4"}),
    ("llama-3-8b", "kv_cache", {"b": 1, "dtype": "bf16", "fits": "80GB"}),
    ("gpt2", "all", {"b": 1, "s": 8, "t": 9, "D": 100, "dtype": "bf16", "recipe": "fp32", "fits": "80GB"}),
    ("llama-3-8b", "all", {"targets": ["q_proj"], "r": 8}),
    ("whisper-tiny", "all", {"b": 1, "s": 4, "dropout": "0.1"}),
    (("gpt2", "llama-3-8b"), "kv_cache", {"b": 1, "t": 9, "dtype": "bf16"}),
    (("gpt2", "vit-base-patch16-224"), "forward_flops", {"b": 1, "s": 5}),
    (("gpt2", "bert", "mistral-7b-v0.1"), "training_memory", {"recipe": "fp32"}),
]


def test_a_cost_a_budget_and_a_comparison_follow_the_schema():
    for (targets, quantity, inputs), view, language in zip(
        COSTS, ("module", "kind", "weights") * 6, ("en", "zh") * 8, strict=False
    ):
        if isinstance(targets, tuple):
            data = data_of(compare(*targets, quantity=quantity, **inputs), language)
        else:
            chosen = {} if quantity == "all" else {"view": view}
            data = data_of(derive(targets, quantity=quantity, **chosen, **inputs), language)
        assert violations(data) == [], (targets, quantity)
        assert quantity != "all" or ("fits" in data) == ("fits" in inputs), targets
    assert violations(data_of(derive_expression("12*L*h**2 + V*h", h=768))) == []


@pytest.mark.parametrize(
    "families", [WITHOUT_VALUES, pytest.param(architectures(), marks=pytest.mark.sweep)], ids=["few", "all"]
)
def test_the_costs_of_a_family_in_letters(families: tuple[str, ...]) -> None:
    for family in families:
        for quantity in sorted({*names()} - {"parameters", "training_memory", "lora"}):  # which need a recipe, matrices
            try:
                derived = derive(family, quantity=quantity)
            except SymparamsError:  # as it has no cache, or its activations are not derived
                continue
            assert violations(data_of(derived)) == [], (family, quantity)
        assert violations(data_of(derive(family, quantity="all"))) == [], family


# What each command prints as data, and which answer that is.
ANSWERS = {
    "count gpt2": "count", "count llama-3-8b --quantity kv-cache --set b=1 --set t=9 --dtype int4": "count",
    "derive gpt2": "derivation", "derive gpt2 --with-memory --lang zh": "derivation", "derive --expr 12*L*h**2": "derivation",
    "derive llama-3-8b --quantity kv-cache --dtype bf16 --set b=1 --fits 80GB": "derivation",
    "derive llama-3-8b --quantity all --dtype bf16 --set b=1 --set s=9": "budget",
    "derive gpt2 --brief": "brief", "derive gpt2 --quantity kv-cache --brief": "brief",
    "formula gpt2": "formula", "formula gpt2 --quantity kv-cache": "formula", "show whisper-tiny": "tree",
    "compare llama-3-8b gpt2 --quantity kv-cache --dtype bf16 --set b=1 --set t=9": "comparison",
    "explain gpt2 163037184": "explanation", "memory gpt2 --fits 24GB": "memory",
    "flops gpt2": "flops", "memory gpt2 --dtype int4": "memory",
    "solve gpt2 --total 1B --for h": "solution", "questions --level warm-up": "questions",
    "questions gpt2 --exam 7": "questions",
}  # fmt: skip


def test_all_that_a_command_prints_follows_the_one_schema(cli):
    for line, kind in ANSWERS.items():
        code, out, _ = cli(f"{line} --json")
        data = json.loads(out)
        assert (code, violations(data), data["schema"], data["kind"]) == (0, [], 1, kind), line


def test_a_document_is_all_that_the_other_formats_print() -> None:
    """The sentences, headings and formulas of a sheet as text stand in its blocks."""
    data = data_of(derive("gpt2"))
    words = data["title"] + json.dumps(data["document"], ensure_ascii=False).replace('", "', " ")  # sentence by sentence
    for block in render(derive("gpt2"), width=400).split("\n\n"):
        if block[0].isupper() and "\n" not in block:
            assert block in words


INPUTS = {"b": 1, "t": 9, "dtype": "bf16"}
REFUSED = {
    "derivation": (lambda: derive("bert-base-uncased"), [
        ("value", "125"), ("value", 1.5), ("language", 7), ("attention", "flash"), ("closed_form", "12Lh²"), ("extra", 1),
        ("total", {}), ("dimensions", {"h": -1}), ("features", {"pooler": 1}), ("sections", [{"path": "embeddings"}]),
    ]),
    "derivation of another quantity": (lambda: derive("gpt2", quantity="kv_cache", **INPUTS), [
        ("value", 1.5), ("value", "1.5"), ("unit", 8), ("closed_form", "2·b·t"), ("conventions", [{}]), ("extra", 1),
    ]),
    "budget": (lambda: derive("gpt2", quantity="all", **INPUTS), [
        ("inputs", {"b": 1.5}), ("quantities", {"kv_cache": None}), ("document", {"sections": []}),
        ("fits", {"room": 80.0e9 + 0.5, "serving": [], "training": []}),
    ]),
    "comparison": (lambda: compare("gpt2", "llama-7b", quantity="kv_cache", **INPUTS), [
        ("models", []), ("without", {"s": []}),
    ]),
}  # fmt: skip


def test_the_schema_refuses_another_shape():
    for kind, (answer, wrong) in REFUSED.items():
        data = data_of(answer())
        assert violations(data) == []
        changes = [*wrong, ("schema", 2), ("kind", "sheet"), ("kind", None)]
        assert [(key, value) for key, value in changes if validator().is_valid(data | {key: value})] == [], kind
