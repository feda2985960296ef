"""The models of a family in its page: each is what its own page is, whichever of them the file was written for."""

from __future__ import annotations

import pytest

from symparams import load
from symparams.architectures import architecture, published_names
from symparams.pages.data import data
from tests.pages.cases import FEW, WORDS, page_of
from tests.pages.test_quantities import measured, sizes_fixed

SEVERAL = [
    name for name in dict.fromkeys(load(each).family for each in published_names()) if len(architecture(name).models) > 1
]
TYPED = {"b": "3", "s": "128", "t": "128", "s_src": "64"}


@pytest.mark.parametrize("family", [pytest.param(each, marks=() if each in FEW else pytest.mark.sweep) for each in SEVERAL])
def test_a_page_counts_every_published_model_of_its_family(node, family):
    page = page_of(family)
    assert [each["target"] for each in page["presets"]] == [*dict.fromkeys([family, *architecture(family).models])]
    published = [each for each in page["presets"] if each["target"] in architecture(family).models]
    asked, expected = [], []
    for own in published:
        for quantity in ("parameters", *(each["name"] for each in page["quantities"])):
            names = [name for each in page["quantities"] if each["name"] == quantity for name, _ in each["inputs"]]
            fixed = sizes_fixed(load(own["target"]))
            inputs = {name: TYPED[name] for name in names if name in TYPED and name not in fixed}
            asked.append({"given": own["held"] | inputs, "on": own["on"], "own": own, "quantity": quantity})
            expected.append(_count(own["target"], quantity, inputs))
    answers = node(data=page, words=WORDS, cases=asked)
    assert [
        (each["own"]["target"], each["quantity"], answer["count"]) for each, answer in zip(asked, answers, strict=True)
    ] == [(each["own"]["target"], each["quantity"], count) for each, count in zip(asked, expected, strict=True)]


def _count(name: str, quantity: str, inputs: dict[str, str]) -> str | None:
    return str(load(name).count()) if quantity == "parameters" else measured(load(name), quantity, inputs)[1]


def test_a_model_s_own_page_has_the_others_beside_it():
    own, *others = page_of("gpt2-medium")["presets"]
    assert (own["target"], own["held"]["h"], own["bytes"]) == ("gpt2-medium", "1024", None)
    assert [each["target"] for each in others] == ["gpt2", "gpt2-large", "gpt2-xl"]


def test_half_a_byte_is_not_counted_as_none():
    model = load({"model_type": "gpt2", "torch_dtype": "int4"})
    assert model.measure("weight_memory") == model.count() // 2
    assert data(model)["presets"][0]["bytes"] is None


def test_what_a_config_says_of_windows_and_numbers_is_each_model_s_own():
    _, first, later, *_ = page_of("mistral")["presets"]
    assert (first["target"], first["windows"]["W"]) == ("mistral-7b-v0.1", "4096")
    assert (later["target"], later["windows"]["W"]) == ("mistral-7b-v0.3", "0")
    assert {each["target"]: each["bytes"] for each in page_of("opt")["presets"]}["opt-6.7b"] == "2"
