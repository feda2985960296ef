"""A quantity of a user's own goes the way of all: derived, measured, worked out for arrays, in every format and language."""

from __future__ import annotations

import json

import numpy as np
import pytest
import sympy

from symparams import (
    Architecture,
    Dimension,
    Quantity,
    Term,
    block,
    compare,
    derive,
    explain,
    linear,
    load,
    render,
    solve,
)
from symparams.components.kinds import Role
from symparams.components.walks import leaves
from tests.refusals import refusal

V, h, L, e = sympy.symbols("V h L e")

MATRICES = Quantity(
    "number_of_matrices",
    unit="matrices",
    terms=lambda tree, setting: [
        Term(leaf.path, leaf.name, 1, leaf.times)
        for leaf in leaves(tree)
        if leaf.component.role is Role.MATRIX and not any(tensor.tied_to for tensor in leaf.component.tensors)
    ],
)
TABLE_BYTES = Quantity("bytes_of_the_table", unit="bytes", inputs="e", terms=lambda tree, setting: V * h * e)


def test_its_terms_stand_beside_the_parts_of_the_tree():
    assert load("gpt2").closed_form(quantity=MATRICES) == 4 * L  # query, key and value in one, output, up, down
    assert load("gpt2").measure(MATRICES) == 48
    by_part = {step.path: step.value for section in derive("gpt2", quantity=MATRICES).sections for step in section.walk()}
    assert by_part["decoder.feed_forward.up"] == 1
    assert by_part["decoder"] == 48


def test_it_takes_the_inputs_that_it_names_by_letter_or_long_name():
    assert load("gpt2").measure(TABLE_BYTES, e=2) == load("gpt2").measure(TABLE_BYTES, bytes=2) == 50_257 * 768 * 2
    assert load("gpt2").closed_form(quantity=TABLE_BYTES) == V * h * e
    assert load("gpt2").function(TABLE_BYTES)(V=10, h=np.array([12, 24]), e=2).tolist() == [240, 480]


def test_it_is_counted_in_other_settings_too():
    bytes_of = {"fp32": 4, "bf16": 2}
    table = Quantity(
        "bytes_of_the_table",
        unit="bytes",
        terms=lambda tree, setting: V * h * bytes_of[setting.dtype or "bf16"],
        choices=("dtype",),
        alternatives={"in full precision": {"dtype": "fp32"}, "as it is": {"dtype": ""}},
    )
    [other] = derive("gpt2", quantity=table).conventions
    assert (other.difference.value, other.result.value) == (50_257 * 768 * 2, 50_257 * 768 * 4)
    assert "In full precision" in render(derive("gpt2", quantity=table), "text")


def test_models_are_compared_by_it():
    compared = compare("gpt2", "gpt2-large", quantity=MATRICES)
    [apart] = compared.differences
    assert (apart.first.value(), apart.other.value()) == (48, 144)
    assert "number of matrices" in render(compared, "text")


def test_it_is_solved_for_a_size_or_an_input():
    [layers] = solve("gpt2", 96, "L", quantity=MATRICES)[:1]
    assert layers.values[Dimension("L")] == 24
    [bytes_each] = solve("gpt2", 50_257 * 768 * 4, "e", quantity=TABLE_BYTES)[:1]
    assert (dict(bytes_each.values), bytes_each.difference) == ({Dimension("e"): 4}, 0)
    assert "At which h does" in render(solve("gpt2", "100MB", "h", quantity=TABLE_BYTES, e=2), "text")


def test_a_claim_about_it_is_explained():
    [found] = explain("gpt2", "77 MB", quantity=TABLE_BYTES, e=2)
    assert (found.start, found.result, found.terms) == (77_194_752, 77_194_752, ())
    assert explain("gpt2", 49, quantity=MATRICES) == []


@pytest.mark.parametrize(("quantity", "inputs", "value"), [(MATRICES, {}, 48), (TABLE_BYTES, {"e": 2}, 77_194_752)])
def test_it_has_a_sheet_in_every_format_and_language(quantity, inputs, value):
    derivation = derive("gpt2", quantity=quantity, **inputs)
    for form, language in (("text", "zh"), ("latex", "en")):
        sheet = render(derivation, form, language=language)
        assert f"{value:,}" in sheet.replace("{,}", ",")
        assert quantity.name.replace("_", " ") in sheet
    data = json.loads(render(derivation, "json"))
    assert (data["quantity"], data["value"]) == (quantity.name, value)


REFUSED = [
    (lambda: Quantity("two words", terms=lambda tree, setting: h), "'two words' is not the name of a quantity"),
    (lambda: Quantity("mine", terms=12), "The terms of mine are a function"),
    (lambda: Quantity("mine", inputs=(1,), terms=lambda tree, setting: h), "'1' is not an input"),
    (lambda: Quantity("mine", choices=("typ",), terms=lambda tree, setting: h), "'typ' is not a choice for mine."),
    (lambda: load("gpt2").measure(Quantity("mine", terms=lambda tree, setting: 1.5)), "A term of mine is '1.5'"),
    (lambda: load("gpt2").measure(Quantity("mine", terms=lambda tree, setting: "2*h")), "A term of mine is '2*h'"),
    (lambda: load("gpt2").measure(TABLE_BYTES), "bytes_of_the_table of gpt2 has no value for e"),
    (lambda: load("gpt2").measure(TABLE_BYTES, e=2, b=1), "bytes_of_the_table has no input or option 'b'."),
    (
        lambda: Quantity("masked", terms=lambda tree, setting: V, alternatives={"with a mask": {"mask": "full"}}),
        "'mask' is not a setting that an alternative can change",
    ),
]


def test_what_it_cannot_be_is_told_in_a_line():
    for wrong, message in REFUSED:
        assert refusal(wrong).startswith(message)


def test_an_input_gives_way_to_a_size_of_its_letter():
    r = Dimension("r")  # a size, and the rank of LoRA
    low = load(Architecture("low", layers=block(d=linear(r, 3, bias=False), e=linear(3, r, bias=False)) * 2), r=5)
    assert low.measure("lora", rank=4, targets=["d"]) == 2 * 4 * (5 + 3)
    assert low.function("lora", targets=["d"])(r=np.array([5, 6]), rank=4).tolist() == [64, 72]
