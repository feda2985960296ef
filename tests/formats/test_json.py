"""JSON sheets follow their schema, and their formulas, read back from the text, are equal and come to their values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
import sympy
from jsonschema import Draft202012Validator

from symparams import architectures, derive, derive_expression, load, render
from symparams.derivations import views
from symparams.expressions.closed_form import as_written
from symparams.expressions.parsing import parse
from symparams.expressions.printing.printer import plain
from symparams.expressions.symbols import BY_NAME
from symparams.expressions.written import evaluate
from symparams.sheets.catalogue import templates
from symparams.sheets.outline import outline

from .conftest import ATTENTIONS, LANGUAGES, TARGETS, derivation, variants

SCHEMA = json.loads((templates() / "json" / "sheet.schema.json").read_text(encoding="utf-8"))
SYMBOLS = {name: sympy.Symbol(name) for name in BY_NAME}
WAYS = list(product(ATTENTIONS, views.names()))


def sheet(target: str, attention: str, view: str, language: str = "en") -> dict[str, Any]:
    return json.loads(render(derivation(target, attention, view), "json", language=language))


def steps(data: Any) -> Iterator[dict[str, Any]]:
    """Every step of a sheet, however deep, in reading order."""
    if isinstance(data, dict):
        if "written" in data:
            yield data
        data = list(data.values())
    if isinstance(data, list):
        for inner in data:
            yield from steps(inner)


def in_sympy(text: str) -> sympy.Expr:
    """A formula of a sheet, read by the grammar of --expr, as sympy's."""
    return sympy.sympify(plain(parse(text, BY_NAME)), SYMBOLS)


def violations(data: dict[str, Any]) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in Draft202012Validator(SCHEMA).iter_errors(data)]


def in_numbers(data: Any) -> Any:
    """A sheet without its words: what every language must agree on."""
    if isinstance(data, dict):
        words = ("language", "title", "text", "latex", "notes")
        return {key: in_numbers(value) for key, value in data.items() if key not in words}
    return [in_numbers(inner) for inner in data] if isinstance(data, list) else data


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(("key", "wrong"), [
    ("value", "125"), ("value", 1.5), ("language", 7), ("attention", "flash"), ("closed_form", "12Lh²"), ("extra", 1),
    ("total", {}), ("dimensions", {"h": 0}), ("features", {"pooler": 1}), ("sections", [{"path": "embeddings"}]),
])  # fmt: skip
def test_the_schema_refuses_another_shape(key: str, wrong: Any) -> None:
    assert violations(sheet("bert-base-uncased", "fused", "module") | {key: wrong})


@pytest.mark.parametrize("target", TARGETS)
def test_a_sheet_follows_the_schema(target: str) -> None:
    for language, (attention, view) in product(LANGUAGES, WAYS):
        assert violations(sheet(target, attention, view, language)) == []


@pytest.mark.parametrize("family", architectures())
def test_a_sheet_follows_the_schema_whatever_its_features(family: str) -> None:
    for model in variants(family):
        assert violations(json.loads(render(derive(model), "json"))) == []


def test_a_bare_formula_follows_the_schema() -> None:
    assert violations(json.loads(render(derive_expression("12*L*h**2 + V*h", h=768), "json"))) == []


@pytest.mark.parametrize("target", TARGETS)
def test_a_formula_read_back_comes_to_the_value(target: str) -> None:
    values = load(target).values
    for attention, view in WAYS:
        for step in steps(sheet(target, attention, view)):
            for key in ("written", "substituted", "closed_form"):
                if step["value"] is not None and step[key]:
                    assert evaluate(parse(step[key]["plain"], BY_NAME), values) == step["value"], (
                        view,
                        attention,
                        step["path"],
                    )


@pytest.mark.parametrize("family", architectures())
def test_a_formula_read_back_equals_its_closed_form(family: str) -> None:
    model = load(family).symbolic()
    # The grammar has no rounding; a dimension that follows from a rounded fraction stays a symbol on both sides.
    exact = {d: value for d, value in model.relations.items() if not {"floor", "ceil"} & set(re.findall(r"\w+", plain(value)))}
    relations = [(SYMBOLS[d.name], in_sympy(plain(value))) for d, value in exact.items()]
    for attention, view in WAYS:
        for step in steps(json.loads(render(derive(model, attention=attention, view=view), "json"))):
            difference = in_sympy(step["written"]["plain"]) - in_sympy(step["closed_form"]["plain"])
            assert sympy.expand(difference.subs(relations)) == 0, (view, attention, step["path"])


@pytest.mark.parametrize("target", TARGETS)
def test_every_language_has_the_same_numbers(target: str) -> None:
    for attention, view in WAYS:
        english, *others = (in_numbers(sheet(target, attention, view, language)) for language in LANGUAGES)
        assert others == [english] * len(others), (view, attention)


OUTLINE = json.loads((templates() / "json" / "outline.schema.json").read_text(encoding="utf-8"))


def components(tree: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every component of a tree, a parent before its children."""
    yield tree
    for child in tree["components"]:
        yield from components(child)


@pytest.mark.parametrize("target", TARGETS)
def test_an_outline_follows_its_schema_and_adds_up(target: str) -> None:
    model = load(target)
    data = json.loads(render(outline(model), "json"))
    Draft202012Validator.check_schema(OUTLINE)
    assert [error.message for error in Draft202012Validator(OUTLINE).iter_errors(data)] == []
    assert data["tree"]["count"] == (model.count() if not model.unbound else None)
    assert in_sympy(data["tree"]["closed_form"]) - in_sympy(plain(as_written(model.polynomial()))) == 0
    if model.unbound:
        return
    for each in components(data["tree"]):
        inside = sum(child["count"] for child in each["components"])
        owned = sum(tensor["count"]["value"] for tensor in each["tensors"] if tensor["trained"] and not tensor["tied_to"])
        assert each["count"] == each["times"]["value"] * (inside + owned), each["path"]


def test_an_outline_as_a_program_reads_it() -> None:
    data = json.loads(render(outline(load("gpt2")), "json"))
    by_path = {each["path"]: each for each in components(data["tree"])}
    assert (data["target"], data["title"], data["features"]["tying"], data["dimensions"]["h"]) == ("gpt2", "GPT-2", True, 768)
    assert by_path["decoder"]["times"] == {"plain": "L", "value": 12}
    assert by_path["embeddings.token_embedding"]["tensors"] == [{
        "name": "weight", "shape": ["V", "h"], "sizes": [50_257, 768], "count": {"plain": "V*h", "value": 38_597_376},
        "tied_to": None, "trained": True,
    }]  # fmt: skip
    head = by_path["lm_head"]
    assert (head["count"], head["tensors"][0]["tied_to"]) == (0, "embeddings.token_embedding")
    assert data["flow"]["decoder"][0] == {"part": "attention_norm", "of": ["x"], "beside": None}
