"""Every quantity holds for every tree: of any definition each has one number, whoever asks, or one line says what it lacks."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symparams import Model, SymparamsError, derive, render
from symparams.components.walks import components
from symparams.derivations import views
from symparams.expressions.written import exact
from symparams.quantities.quantity import names
from tests.definitions.strategies import definitions, families, models
from tests.sweeps import swept

SOME = st.integers(1, 9)
TOKENS = {"batch": st.integers(1, 3), "tokens": SOME}
DTYPE = st.sampled_from(["fp32", "bf16"])
EXACT = {"causal": st.just("exact")}
KEPT = {"scope": st.just("all"), "attention": st.just("flash"), "checkpoint": st.just(True), "dropout": st.just("0.1")}
RECIPE = {"recipe": st.sampled_from(["fp32", "bf16_fp32_master"])}
dictionaries = st.fixed_dictionaries
ASKED: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "parameters": dictionaries({}),
    "weight_memory": dictionaries({"dtype": st.sampled_from(["fp32", "bf16", "int4"])}),
    "kv_cache": dictionaries(
        {"batch": st.integers(1, 3), "context": SOME, "dtype": DTYPE},
        optional={"window": st.just("paper"), "latent": st.just("expanded"), "state": st.just("paper")},
    ),
    "forward_flops": dictionaries(TOKENS, optional=EXACT | {"context": SOME, "logits": st.sampled_from(["last", 2])}),
    "backward_flops": dictionaries(TOKENS, optional=EXACT | {"logits": st.just("last")}),
    "training_flops": dictionaries(TOKENS, optional=EXACT | {"checkpoint": st.just(True)}),
    "activations": dictionaries(TOKENS | {"dtype": DTYPE}, optional=KEPT),
    "training_memory": st.one_of(dictionaries(RECIPE), dictionaries(RECIPE | TOKENS, optional=KEPT)),
    "lora": dictionaries({"rank": st.integers(1, 4), "targets": st.just(["all-linear"])}),
}


@st.composite
def asked(draw: st.DrawFn, quantity: str, model: Model) -> dict[str, Any]:
    """What somebody gives: what the quantity needs, with the tokens of a source where one is read, and some of its choices."""
    inputs = draw(ASKED[quantity])
    reads = any(part.attending and part.reads for _, part in components(model.tree))
    return inputs | ({"s_src": draw(SOME)} if reads and "batch" in inputs else {})


def said(ask: Callable[[], Any]) -> Any:
    """What somebody answers: a number, or the line that says why there is none."""
    try:
        return ask()
    except SymparamsError as error:
        return str(error)


def answer(model: Model, quantity: str, inputs: dict[str, Any]) -> int | Fraction | str:
    """The number, once everybody says the same; the line that everybody says where there is none."""
    number = said(lambda: model.measure(quantity, **inputs))
    assert said(lambda: model.function(quantity, **inputs)()) == number  # noqa: PLW0108 - making it is asked too
    derivations = [said(lambda view=view: derive(model, quantity=quantity, view=view, **inputs)) for view in views.names()]
    if isinstance(number, str):
        assert set(derivations) == {number}
        return number
    assert {derivation.total.value for derivation in derivations} == {number}
    calculation = derivations[0].calculation
    assert sum(exact(term.every, calculation.model.values) for term in calculation.terms) == number
    assert Fraction(json.loads(render(derivations[0], "json"))["value"]) == number
    return number


def test_every_quantity_is_asked_for():
    assert set(ASKED) == set(names())


@pytest.mark.parametrize(
    "quantity", swept(ASKED, ("parameters", "kv_cache", "training_flops", "activations", "training_memory"))
)
@given(data=st.data())
@settings(max_examples=6)
def test_a_quantity_is_one_number_or_one_line(quantity, data):
    model = data.draw(models(st.one_of(definitions(), families())))
    number = answer(model, quantity, data.draw(asked(quantity, model)))
    if isinstance(number, str):
        assert number.isprintable()
        assert any(path and path in number for path, _ in components(model.tree)) or model.name in number
