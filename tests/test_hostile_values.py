"""Whatever Python hands over is taken, or refused in one line: never an error of Python's own from within."""

from __future__ import annotations

import pytest

from symparams import Architecture, SymparamsError, block, derive, derive_expression, linear, load, render
from symparams.derivations import views
from symparams.expressions.symbols import d_ff, h


class Unshowable:
    """It fails when anybody wants to print it."""

    def __repr__(self) -> str:
        raise RuntimeError


def nested_list(levels: int) -> list[object]:
    found: list[object] = []
    for _ in range(levels):
        found = [found]
    return found


def nested_dict(levels: int) -> dict[str, object]:
    found: dict[str, object] = {}
    for _ in range(levels):
        found = {"inner": found}
    return found


def nested_blocks(levels: int):
    tree = linear(h, h)
    for _ in range(levels):
        tree = block(inner=tree)
    return tree


GPT2 = {"model_type": "gpt2"}
VALUES = {"deep list": nested_list(100_000), "deep dict": nested_dict(100_000), "digits": 10**5_000, "unshowable": Unshowable()}


@pytest.mark.parametrize("key", ["model_type", "n_embd", "architectures", "id2label", "num_labels", "tie_word_embeddings"])
@pytest.mark.parametrize("value", VALUES)
def test_a_config_with_an_odd_value(key, value):
    with pytest.raises(SymparamsError) as error:
        load({**GPT2, "architectures": ["GPT2ForSequenceClassification"], key: VALUES[value]})
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 1_000


@pytest.mark.parametrize("value", VALUES)
def test_a_config_with_an_odd_value_that_counts_for_nothing(value):
    assert load({**GPT2, "extra": VALUES[value]}).count() == 124_439_808
    assert load({**GPT2, "_name_or_path": VALUES[value]}).name.isprintable()


def test_a_config_without_heads_is_refused_whether_or_not_they_are_counted():
    """GPT-NeoX's count has no heads in it; head by head it cannot be written without them."""
    with pytest.raises(SymparamsError, match="num_attention_heads in the config is null: give a whole number"):
        load({"model_type": "gpt_neox", "num_attention_heads": None})


@pytest.mark.parametrize(
    ("define", "said"),
    [
        (lambda: Architecture("own", low=linear(h, h, tied_to="low")), "low is tied in a circle, to low"),
        (
            lambda: Architecture("own", a=linear(h, h, bias=False, tied_to="b"), b=linear(h, h, bias=False, tied_to="a")),
            "a is tied in a circle, to b",
        ),
        (
            lambda: Architecture("own", a=linear(h, d_ff, bias=False), b=linear(h, h, bias=False, tied_to="a")),
            "b, h*h, is tied to a, h*d_ff: only equal matrices can be one.",
        ),
        (lambda: Architecture("own", low=-1 * linear(h, h)), "low is repeated -1 times: write a whole number from 1"),
        (lambda: Architecture("own", tree=nested_blocks(400)), "the tree is nested deeper than 50 levels: write it flatter."),
        (lambda: Architecture("own", tree=nested_blocks(5_000)), "the tree is nested deeper than 50 levels: write it flatter."),
        (lambda: Architecture("own", low=linear(h, d_ff), relations={d_ff: 4 * h, h: d_ff / 4}), "go round in a circle"),
        (lambda: load("gpt2", h=10**5_000), "has more than 40 digits, which no model has."),
    ],
)
def test_a_definition_that_cannot_be(define, said):
    with pytest.raises(SymparamsError) as error:
        define()
    assert said in str(error.value)
    assert str(error.value).isprintable()


def test_a_tree_that_is_a_single_layer_is_counted_alike_everywhere():
    model = load(Architecture("own", tree=linear(4, 4)))
    assert {model.count(), *(derive(model, view=view).total.value for view in views.names())} == {4 * 4 + 4}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"language": None}, "language = 'None' is a NoneType, not a text: write language='en'."),
        ({"language": ["en"]}, "language = '['en']' is a list, not a text: write language='en'."),
        ({"format": None}, "format = 'None' is a NoneType, not a text: write format='text'."),
        ({"notation": 5}, "notation = '5' is a int, not a text: write notation='hidden'."),
        ({"flavor": None}, "flavor = 'None' is a NoneType, not a text: write flavor='pandoc'."),
        ({"symbols": {"h": 5}}, "symbols = '{'h': 5}' are no letters by dimension: write symbols={'h': 'd'}."),
        ({"symbols": ["h"]}, "symbols = '['h']' are no letters by dimension: write symbols={'h': 'd'}."),
        ({"width": "80"}, "width = '80' is no number of characters: write width=80."),
        ({"width": -5}, "width = '-5' is no number of characters: write width=80."),
        ({"width": float("nan")}, "width = 'nan' is no number of characters: write width=80."),
        ({"columns": [2]}, "A page has 1 or 2 columns, not '[2]'."),
    ],
)
def test_an_argument_of_a_sheet_that_is_none(arguments, message):
    with pytest.raises(SymparamsError) as error:
        render(derive("gpt2"), **arguments)
    assert str(error.value) == message


def test_a_name_is_derived_as_its_model_is():
    assert render(derive("gpt2")) == render(derive(load("gpt2")))


def test_an_error_speaks_the_language_of_whoever_made_it(cli):
    """Python's in Python, options on the command line."""
    with pytest.raises(SymparamsError) as error:
        load("bloom", h=64, n_heads=2).count()
    asked = "{} has no value for V (used in embeddings.token_embedding), L (used in decoder.attention_norm): give {}, or name"
    assert str(error.value).startswith(asked.format("bloom", "V=…, L=…"))
    told = cli("count bloom --set h=64 --set n_heads=2").err
    assert told.startswith("symparams: " + asked.format("bloom", "--set V=… --set L=…"))
    assert "give --set h=…" in cli("count --expr 2*h").err


@pytest.mark.parametrize("expression", ["h-h", "h*0", "0*h*V + L - L"])
@pytest.mark.parametrize("kind", ["text", "latex", "markdown", "json"])
def test_what_comes_to_nothing_is_derived_too(expression, kind, cli):
    assert cli(["derive", "--expr", expression, f"--{kind}"])[::2] == (0, "")
    assert repr(derive_expression(expression).total.closed) == "0"


@pytest.mark.parametrize("name", ["target", "include", "exclude", "text", "self", "dimensions"])
def test_a_letter_may_be_called_as_an_argument_of_ours_is(name, cli):
    assert f"GPT-2 has no dimension '{name}'." in cli(["count", "gpt2", "--set", f"{name}=5"]).err
    assert f"The expression has no dimension '{name}'." in cli(["count", "--expr", "2*h", "--set", f"{name}=5"]).err
