"""Whatever a tree is made of, every way of reading it counts the same as its arrays, one by one."""

from __future__ import annotations

from fractions import Fraction
from math import prod

from hypothesis import given, settings
from hypothesis import strategies as st

from symparams import Model, derive, render
from symparams.components.kinds import Role
from symparams.components.walks import enumerate_tensors
from symparams.derivations import views
from symparams.expressions.written import evaluate
from symparams.quantities.parameters import ACTIVE, EACH_USE, EVERY, FROZEN, PARAMETERS, STORED
from tests.definitions.strategies import models

WAYS = [(view, attention) for view in views.names() for attention in ("fused", "per-head")]


def arrays(model: Model) -> dict[str, int]:
    """Each quantity by brute force: every array of the model, one by one."""
    sums = dict.fromkeys(("own", "each", "active", "frozen", "stored", "every"), 0)
    for _, tensor, shape in enumerate_tensors(model.tree, model.values):
        entries, is_own = prod(shape), not tensor.tied_to
        active = prod(evaluate(side, model.values) for side in tensor.active or tensor.shape)
        sums["every"] += entries
        sums["stored"] += entries if is_own else 0
        sums["frozen"] += entries if is_own and not tensor.trained else 0
        sums["each"] += entries if tensor.trained else 0
        sums["own"] += entries if tensor.trained and is_own else 0
        sums["active"] += active if tensor.trained and is_own else 0
    return sums


@given(model=models())
@settings(max_examples=12, deadline=None)
def test_each_quantity_is_the_sum_over_its_arrays(model):
    sums = arrays(model)
    quantities = {
        "own": PARAMETERS, "each": EACH_USE, "active": ACTIVE, "frozen": FROZEN, "stored": STORED, "every": EVERY
    }  # fmt: skip
    assert {name: model.evaluate(model.formula(quantity)) for name, quantity in quantities.items()} == sums
    assert model.count() == sums["own"] == sum(prod(shape) for _, shape in model.tensors())
    assert model.count(shared="each", frozen=True) == sums["every"]
    names = [name for name, _ in model.tensors(frozen=True)]
    assert len(names) == len(set(names))


@given(model=models())
@settings(max_examples=10, deadline=None)
def test_shares_and_conventions_are_parts_and_other_counts(model):
    derivation, sums = derive(model), arrays(model)
    assert sum(share.step.value for share in derivation.shares) == model.count()
    assert sum((share.part for share in derivation.shares), Fraction(0)) == (1 if model.count() else 0)
    expected = {"convention.each": sums["each"], "convention.each_head": sums["each"], "convention.active": sums["active"]}
    for leaf in model.leaves:
        frozen = f"convention.frozen.{leaf.component.kind}"
        stored = evaluate(leaf.times * FROZEN.of(leaf.component), model.values)
        expected[frozen] = expected.get(frozen, sums["own"]) + stored
        if leaf.component.role is Role.TABLE:
            tables = expected.setdefault("convention.no_embeddings", sums["own"])
            expected["convention.no_embeddings"] = tables - evaluate(leaf.times * PARAMETERS.of(leaf.component), model.values)
    for convention in derivation.conventions:
        [key] = convention.note.keys
        if key in ("convention.with", "convention.without"):
            [feature] = convention.note.terms["part"].of
            assert convention.result.value == model.with_features(model.present ^ {feature}).count()
        else:
            assert convention.result.value == expected[key]


@given(model=models(), format=st.sampled_from(["text", "latex", "markdown", "json"]), way=st.sampled_from(WAYS))
@settings(max_examples=10, deadline=None)
def test_every_tree_has_a_sheet(model, format, way):  # noqa: A002 - as in render
    for subject in (model, model.symbolic()):
        assert render(derive(subject, view=way[0], attention=way[1]), format)
