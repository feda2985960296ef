"""A definition is counted exactly as it is written, or refused in one line that names what cannot be."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from symparams import (
    Architecture,
    Component,
    Dimension,
    Model,
    SymparamsError,
    attention,
    bias,
    block,
    derive,
    derive_expression,
    disentangled_attention,
    embedding,
    features,
    feed_forward,
    gated_feed_forward,
    layer_norm,
    linear,
    load,
    render,
    residual,
    rms_norm,
)
from symparams.components import fused_cross_attention
from symparams.components.kinds import Kind, Role
from symparams.derivations import views
from symparams.expressions.nodes import Expression, Floor, Number, Product
from symparams.expressions.symbols import L, V, d_emb, d_ff, d_head, h, n_heads

r = Dimension("r")


SIZES = {"V": 5, "h": 4, "r": 2, "L": 3, "n_heads": 2}


def sized(family: Architecture, **sizes: int) -> Model:
    """The family with values for the letters that it has."""
    own = {dimension.name for dimension in family.dimensions}
    return load(family, **{name: value for name, value in (SIZES | sizes).items() if name in own})


def counts(family: Architecture) -> dict[str, int]:
    """What every way of reading a tree counts: the count itself, each view, and the tensors one by one."""
    model = sized(family)
    found = {view: derive(model, view=view).total.value for view in views.names()}
    return {"count": model.count(), **found, "tensors": sum(sympy.prod(shape) for _, shape in model.tensors())}


def tiny(**parts: Component) -> Architecture:
    return Architecture("tiny", **parts)


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (lambda: 1.5 * h, "'1.5' is a float, not a size: write an integer, a letter or sympy."),
        (lambda: h * 1.5, "'1.5' is a float, not a size: write an integer, a letter or sympy."),
        (lambda: "x" * h, "'x' is a str, not a size: write an integer, a letter or sympy."),
        (lambda: h + None, "'None' is a NoneType, not a size: write an integer, a letter or sympy."),
        (lambda: features.pooler * L, "'pooler' is a Feature, not a size: write pooler * (L * linear(h, h))."),
        (lambda: sympy.Symbol("L") * features.pooler, "'pooler' is a Feature, not a size: write"),
        (lambda: features.pooler * ~features.tying, "'pooler' is a Feature, not a size: write"),
        (lambda: linear(h, 1.5), "'1.5' is a float, not a size: write an integer, a letter or sympy."),
        (lambda: h**-1, "(h)**'-1': an exponent is a whole number from 0; for less divide."),
        (lambda: h**0.5, "(h)**'0.5': an exponent is a whole number from 0; for less divide."),
        (lambda: 2**h, "'2'**h: an exponent is a whole number, not a dimension."),
        (lambda: sympy.sqrt(sympy.Symbol("h")) * h, "'sqrt(h)' has the exponent 1/2: an exponent is an integer."),
        (lambda: h + sympy.sin(sympy.Symbol("h")), "'sin(h)' is sympy's sin: a size holds exact numbers, letters, + - * / **, "
                                                   "floor, ceiling and Min."),
        (lambda: h * sympy.Float(2.5), "'2.50000000000000' is sympy's Float: a size holds exact numbers, letters, + - * / **, "
                                       "floor, ceiling and Min."),
        (lambda: Number(1.5), "'1.5' is no exact integer: write 3, or a fraction of two of them."),
    ],
)  # fmt: skip
def test_what_is_no_exact_size_is_refused_where_it_is_written(size, said):
    with pytest.raises(SymparamsError) as error:
        size()
    assert str(error.value).startswith(said.split(":")[0])
    assert "\n" not in str(error.value)
    assert isinstance(error.value, TypeError)


@pytest.mark.parametrize(
    ("size", "value"),
    [
        (Fraction(3, 2) * h, 6),
        (h * sympy.Rational(3, 2), 6),
        (1 / r * h, 2),
        (r / h * h**2, 8),
        (h // 3, 1),
        (sympy.floor(sympy.Symbol("h") / 3), 1),
        (sympy.ceiling(sympy.Symbol("h") / 3), 2),
        (sympy.Min(sympy.Symbol("h"), 3), 3),
        (h * sympy.Symbol("r"), 8),
        (sympy.Symbol("r") * h, 8),
    ],
)
def test_a_size_may_be_a_fraction_or_plain_sympy(size, value):
    assert sized(tiny(low=bias(size))).count() == value


def test_a_product_with_a_sympy_letter_keeps_its_order_on_either_side():
    assert (h * sympy.Symbol("r"), sympy.Symbol("r") * h) == (Product((h, r)), Product((r, h)))
    assert isinstance(2 * sympy.Symbol("r") + h, Expression)


def test_a_fraction_that_comes_out_uneven_is_an_error_that_names_the_part():
    with pytest.raises(SymparamsError, match="h = 5"):
        load(tiny(low=linear(h, Fraction(3, 2) * h)), h=5)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"table": embedding(V, h), "head": linear(h, V, tied_to="tabel")},
         "tiny: head is tied to 'tabel', which there is not. Did you mean 'table'?"),
        ({"table": embedding(V, h), "head": linear(h, r, tied_to="table")},
         "tiny: head, h*r, is tied to table, V*h: only equal matrices can be one."),
        ({"inner": block(table=embedding(V, h)), "head": linear(h, V, tied_to="inner")},
         "tiny: head is tied to inner, which has no matrix of its own to share: tie it to a leaf layer."),
        ({"head": linear(h, V, tied_to="head")},
         "tiny: head is tied in a circle, to head: tie it to a matrix of its own."),
        ({"one": linear(h, V, tied_to="two"), "two": linear(h, V, tied_to="one")},
         "tiny: one is tied in a circle, to two: tie it to a matrix of its own."),
        ({"low": linear(h, 0)}, "tiny: low has a side of 0: write a whole number from 1, or an expression in letters."),
        ({"low": linear(h, -3)}, "tiny: low has a side of -3: write a whole number from 1, or an expression in letters."),
        ({"low": -1 * linear(h, h)},
         "tiny: low is repeated -1 times: write a whole number from 1, or an expression in letters."),
        ({"low": h * (0 * linear(h, h))},
         "tiny: low is repeated h*0 times: write a whole number from 1, or an expression in letters."),
        ({"low": linear(h, Fraction(1, 2))},
         "tiny: low has a side of 1/2: write a whole number from 1, or an expression in letters."),
        ({"low": linear(Dimension("q"), Dimension("q", r"\theta"))},
         r"tiny: two letters are called q, set as q and as \theta: rename one."),
    ],
)  # fmt: skip
def test_a_tree_that_cannot_be_is_refused_when_it_is_built(parts, said):
    with pytest.raises(SymparamsError) as error:
        tiny(**parts)
    assert str(error.value) == said


@pytest.mark.parametrize(
    ("relations", "said"),
    [
        ({d_ff: 4 * h, h: 2 * d_ff}, "circle"),
        ({h: h + 1}, "circle"),
        ({4 * h: d_ff}, "is no single letter, and only a letter can have a relation"),
        ({d_ff: 1.5}, "'1.5' is a float"),
    ],
)
def test_relations_that_cannot_be_are_refused(relations, said):
    with pytest.raises(SymparamsError, match=said):
        Architecture("tiny", tree=linear(h, d_ff), relations=relations)


@pytest.mark.parametrize("relations", [{d_ff: 4 * d_emb, d_emb: 2 * h}, {d_emb: 2 * h, d_ff: 4 * d_emb}])
def test_relations_hold_in_whatever_order_they_are_written(relations):
    family = Architecture("tiny", tree=linear(h, d_ff, bias=False), relations=relations)
    assert load(family, h=3).count() == 3 * 24
    assert load(family).closed_form() == 8 * sympy.Symbol("h") ** 2


@pytest.mark.parametrize(
    ("relation", "closed_form", "count"),
    [
        (8 * h / 3, "8*h**2/3", 24),
        (8 * sympy.Symbol("h") / 3, "8*h**2/3", 24),
        (Floor(8 * h / 3), "d_ff*h", 24),
        ((h + 3) / r, "d_ff*h", 9),
        (2 * h * L / r, "d_ff*h", 36),
    ],
)
def test_a_relation_may_be_any_fraction(relation, closed_form, count):
    family = Architecture("tiny", tree=linear(h, d_ff, bias=False), relations={d_ff: relation})
    assert str(load(family).closed_form()) == closed_form
    model = sized(family, h=3, L=4)
    assert derive(model).total.value == model.count() == count


def test_a_fraction_is_applied_to_the_products_that_hold_its_divisor():
    family = Architecture("tiny", tree=linear(h, r * d_ff, bias=False), relations={d_ff: 2 * h * L / r})
    assert str(load(family).closed_form()) == "2*L*h**2"


@pytest.mark.parametrize(
    ("parts", "count"),
    [
        ({"table": embedding(V, h), "mix": Component(Kind("mix", Role.OTHER), body=(("low", linear(h, h, bias=False)),
                                                     ("high", linear(h, V, bias=False, tied_to="table"))))}, 20 + 16),
        ({"mix": Component(Kind("mix", Role.OTHER), body=(("inner", block(low=linear(h, h, bias=False), norm=rms_norm(h))),
                                                          ("out", linear(h, 2, bias=False))))}, 16 + 4 + 8),
        ({"mix": 3 * Component(Kind("mix", Role.FEED_FORWARD), body=(("low", 2 * linear(h, h, bias=False)),))}, 3 * 2 * 16),
        ({"attention": 2 * attention(h, n_heads, bias=False)}, 2 * 4 * 16),
        ({"layer": linear(h, V, bias=False)}, 20),
    ],
)  # fmt: skip
def test_every_way_of_reading_a_tree_counts_the_same(parts, count):
    found = counts(tiny(**parts))
    assert set(found.values()) == {count}, found


@pytest.mark.parametrize(
    ("tree", "count"),
    [(linear(h, r, bias=False), 8), (3 * linear(h, r, bias=False), 24), (L * block(low=linear(h, r, bias=False)), 24),
     (gated_feed_forward(h, r), 24)],
)  # fmt: skip
def test_a_tree_may_be_a_single_layer(tree, count):
    family = Architecture("tiny", tree=tree)
    assert set(counts(family).values()) == {count}


def test_a_family_may_be_called_expression():
    family = Architecture("expression", title="Expression", tree=linear(h, h, bias=False))
    assert "3" in render(derive(load(family, h=3)), "text")


def test_one_name_twice_in_a_block_is_two_layers():
    layer = block(residual(norm=layer_norm(h), attention=attention(h, n_heads)), residual(norm=layer_norm(h), low=linear(h, h)))
    model = load(tiny(layers=L * layer), h=2, n_heads=1, L=2)
    names = [name for name, _ in model.tensors()]
    assert len(names) == len(set(names))
    assert [part for part, *_ in model.flow()["layers"]] == ["norm", "attention", "norm_2", "low", "out"]


def test_values_that_make_a_size_less_than_one_are_refused():
    with pytest.raises(SymparamsError, match=r"low: h - 5 is less than 1 for h = 5: choose other values\."):
        load(tiny(low=linear(h, h - 5)), h=5)


def test_a_feature_and_a_letter_of_ones_own_are_shown_by_their_names():
    family = Architecture("tiny", low=features.Feature("adapter") * linear(h, Dimension("rank")), out=linear(h, h))
    model = load(family, include=["adapter"], h=4, rank=2)
    for kind in ("text", "latex", "markdown", "json"):
        for language in ("en", "zh"):
            assert "rank" in render(derive(model), kind, language=language)


@pytest.mark.parametrize(
    "name", ["N", "E", "S", "I", "Q", "O", "C", "lambda", "alpha", "beta_1", "d_model", "π", "λ", "w2", "层"]
)
def test_any_name_is_a_letter(name):
    letter, symbol = Dimension(name), sympy.Symbol(name)
    by_nodes = load(Architecture("tiny", tree=linear(letter, 2 * letter, bias=False)), **{name: 3})
    by_sympy = load(Architecture("tiny", tree=linear(symbol, 2 * symbol, bias=False)), **{name: 3})
    assert by_nodes.count() == by_sympy.count() == 18
    assert by_nodes.closed_form() == by_sympy.closed_form() == 2 * symbol**2
    formula = derive_expression(f"3*{name}**2", **{name: 5})
    assert (formula.total.value, formula.total.closed_form) == (75, 3 * symbol**2)
    for kind in ("text", "latex", "markdown", "json"):
        assert render(formula, kind)


def test_a_count_beside_a_letter_n_has_a_longer_name():
    assert "N(total) = 3·N²" in render(derive_expression("3*N**2"), "text")
    assert r"N_{\text{total}} = 3N^{2}" in render(derive_expression("3*N**2"), "latex").replace("&", "")


@pytest.mark.parametrize(
    ("written", "closed"),
    [("(a + b)**2", "a**2 + 2*a*b + b**2"), ("s*r + q", "r*s + q"), ("N + a*N", "N*a + N"), ("2*b*s*h + b*L", "2*b*s*h + b*L")],
)
def test_beside_letters_of_ones_own_b_is_not_the_batch(written, closed):
    """Letters of one's own stand in the order of the alphabet, those of the field in the order of its papers."""
    assert repr(derive_expression(written).total.closed) == closed


def test_nobodys_letter_is_changed():
    assert repr(derive_expression("12*d_model*n_layer").total.closed) == "12*d_model*n_layer"


def test_a_size_of_heads_may_be_a_letter_of_ones_own():
    width = Dimension("d_k")
    model = load(tiny(attention=attention(h, n_heads, d_head=width)), h=8, n_heads=2)
    assert model.values[width] == 4
    assert d_head not in model.architecture.dimensions


def test_an_error_in_a_definition_says_which_definition():
    with pytest.raises(SymparamsError, match=r"^mine: "):
        Architecture("mine", tree=block(low=linear(h, 0)))
    with pytest.raises(SymparamsError, match="give a tree, or its parts by name"):
        Architecture("mine")
    with pytest.raises(SymparamsError, match="is a int, and a part is a component"):
        Architecture("mine", low=3)
    with pytest.raises(SymparamsError, match="needs a name"):
        block(2 * feed_forward(h, d_ff))


def test_tables_in_repeated_blocks_are_left_out_as_often_as_they_occur():
    model = load(tiny(layers=L * block(table=embedding(V, h)), out=linear(h, h, bias=False)), V=5, h=2, L=3)
    [without] = [each.result.value for each in derive(model).conventions if each.note.keys == ("convention.no_embeddings",)]
    assert (model.count(), without) == (34, 4)


@pytest.mark.parametrize(
    ("part", "count"),
    [
        (linear(h, r), 4 * 2 + 2),
        (attention(h, n_heads), 3 * (4 * 4 + 4) + (4 * 4 + 4)),
        (attention(h, n_heads, 1, 2), (4 * 4 + 4) + 2 * (4 * 2 + 2) + (4 * 4 + 4)),
        (feed_forward(h, r), (4 * 2 + 2) + (2 * 4 + 4)),
        (fused_cross_attention(h, n_heads), (4 * 4 + 4) + (4 * 8 + 8) + (4 * 4 + 4)),
        (disentangled_attention(h, n_heads), 4 * (4 * 4 + 4)),
        (gated_feed_forward(h, r), 3 * 4 * 2),
    ],
)
def test_a_builder_counts_what_its_docstring_says(part, count):
    assert sized(tiny(part=part)).count() == count


def test_a_tie_ties_unless_the_architecture_or_the_model_says_otherwise():
    parts = {"e": embedding(V, h), "o": linear(h, V, bias=False, tied_to="e")}
    tied, untied = Architecture("tied", **parts), Architecture("untied", **parts, has=[~features.tying])
    assert (tied.features, untied.features) == ({"tying": True}, {"tying": False})
    assert sized(tied).count() == load(untied, include=["tying"], V=5, h=4).count() == 5 * 4
    assert sized(untied).count() == load(tied, exclude=["tying"], V=5, h=4).count() == 2 * 5 * 4


def test_a_feature_of_the_flow_that_gates_a_parameter_too_is_one_that_counts():
    parts = {
        "memory": features.Feature("memory") * linear(h, h, bias=False),
        "attention": attention(h, n_heads, bias=False, causal=features.Feature("memory", is_flow=True)),
    }
    family = Architecture("tiny", **parts)
    assert (family.features, family.switches) == ({"memory": False}, {})
    assert load(family, h=4, n_heads=2, include=["memory"]).count() == 4 * 16 + 16
    always_there = Architecture("tiny", **parts, has=[features.Feature("memory", is_flow=True)])
    assert always_there.features == {"memory": True}
