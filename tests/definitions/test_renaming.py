"""No name decides: a model whose family, parts and letters are called anything else has the same numbers, and its sheets."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from functools import cache
from itertools import cycle

import pytest

from symparams import Model, SymparamsError, compare, derive, draw, explain, load, render
from symparams.answers.traits import traits
from symparams.components.kinds import Role
from symparams.derivations.estimates import in_the_head
from symparams.derivations.parts import parts
from symparams.derivations.reasons import reasons
from symparams.derivations.steps import StepKind
from symparams.derivations.views import names as views
from symparams.quantities.parameters import PARAMETERS
from symparams.quantities.quantity import names
from tests.definitions.renaming import renamed
from tests.sweeps import swept

SIZES_OF_MAMBA_2 = {"V": 50_288, "h": 768, "L": 24, "d_state": 128, "n_ssm_heads": 24, "expand": 2, "n_groups": 1, "d_conv": 4}
MODELS = ("gpt2", "bert-base-uncased", "llama-3-8b", "mixtral-8x7b", "deepseek-v2-lite", "jamba-v0.1", "mamba-130m", "mamba2",
          "t5-small", "whisper-tiny", "vit-base-patch16-224")  # fmt: skip
# Of which the sheets are told step by step: experts, a state space beside attention, two stacks, patches.
TOLD = ("mixtral-8x7b", "jamba-v0.1", "t5-small", "vit-base-patch16-224")
FLOPS = (
    {"b": 2, "s": 64},
    {"b": 1, "s": 1, "t": 5_000},
    {"b": 2, "s": 64, "causal": "exact"},
    {"b": 2, "s": 64, "logits": "last"},
)
ASKED = {
    "parameters": ({},),
    "weight_memory": ({"dtype": "bf16"},),
    "kv_cache": tuple({"b": 2, "t": 5_000, "dtype": "bf16"} | way for way in ({}, {"window": "paper"}, {"latent": "expanded"})),
    "forward_flops": FLOPS,
    "backward_flops": FLOPS,
    "training_flops": (*FLOPS, {"b": 2, "s": 64, "checkpoint": True}),
    "activations": tuple({"b": 2, "s": 64, "dtype": "bf16"} | way for way in ({}, {"scope": "all"}, {"attention": "flash"})),
    "training_memory": ({"recipe": "bf16_fp32_master"},),
    "lora": ({"rank": 4, "targets": ["all-linear"]},),
}  # fmt: skip

# Of which the other quantities are parts, or parts of the same kind.
SHEETS = ("parameters", "kv_cache", "forward_flops", "training_memory", "activations", "lora")


@cache
def model(name: str) -> Model:
    return load(name, **(SIZES_OF_MAMBA_2 if name == "mamba2" else {}))


def numbers(of: Model, quantity: str, name: str) -> list[int | str]:
    """What a model measures with each choice; what the quantity refuses, as an image the length of a text, is the error."""
    source = {"s_src": 48} if name.startswith("t5") else {}
    without = {"s"} if name.startswith("vit") else set()
    answers: list[int | str] = []
    for inputs in ASKED[quantity]:
        takes = {**inputs, **(source if "b" in inputs else {})}
        try:
            answers.append(of.measure(quantity, **{letter: value for letter, value in takes.items() if letter not in without}))
        except SymparamsError as error:
            answers.append(type(error).__name__)
    return answers


def test_every_quantity_is_asked_for():
    assert set(ASKED) == set(names())


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("name", MODELS)
def test_a_model_under_other_names_has_the_same_numbers(name, seed):
    # What the library saves for the backward pass stands in its table, which families of one's own have not.
    known = renamed(model(name), None)
    other = renamed(model(name), seed)
    for quantity in ASKED:
        expected = numbers(known if quantity == "activations" else model(name), quantity, name)
        assert (quantity, numbers(other, quantity, name)) == (quantity, expected)
        assert any(isinstance(number, int) for number in expected) or quantity in ("kv_cache", "activations")


@pytest.mark.parametrize("name", swept(MODELS, TOLD))
def test_a_model_under_other_names_has_its_sheets(name):
    other = renamed(model(name), 1)
    for quantity, language in zip(SHEETS, cycle(("en", "zh")), strict=False):
        choices = {choice: value for choice, value in ASKED[quantity][0].items() if choice not in ("b", "s", "t")}
        with suppress(SymparamsError):  # as the cache of what decodes nothing
            assert render(derive(other, quantity=quantity, **choices), "text", language=language)
    for view in views():
        assert render(derive(other, view=view), "latex")
    assert render(derive(other), "text", brief=True)
    assert draw(other, "tikz", language="zh")
    assert draw(other, "svg", bars=True)


def groups(of: Model) -> list[tuple[int | None, tuple[int | None, ...], int | None]]:
    """What each component has of the count, each stack of it, and one token."""
    return [
        (each.step.value, tuple(stack.value for stack in each.stacks), each.active and each.active.value)
        for each in derive(of).shares
    ]


def beside_gpt2(of: Model, quantity: str, inputs: dict[str, int]) -> list[tuple[int | None, ...]]:
    """What a model and GPT-2 have of each component, as a comparison puts them beside one another."""
    compared = compare(of, "gpt2", quantity=quantity, **inputs)
    return [tuple(share.step.value for share in component.shares) for component in compared.components]


def claims(of: Model) -> list[int]:
    """The count as others give it: without the tables, without the norms, with the tables once more, with so many widths."""
    tables = of.evaluate(PARAMETERS.over([leaf for leaf in of.leaves if leaf.component.role is Role.TABLE]))
    norms = of.evaluate(PARAMETERS.over([leaf for leaf in of.leaves if leaf.component.role is Role.NORM]))
    return [of.count() - tables, of.count() - norms, of.count() + tables, of.count() + 3 * 768, of.count() + 5 * 768**2]


def explained(of: Model, claimed: int) -> list[tuple[int, list[tuple[str, int]]]]:
    """The explanations of a claim, a mere remainder among them: the sentence and the number of each of its terms."""
    return [(found.result, [(term.key, term.value) for term in found.terms]) for found in explain(of, claimed)]


def steps(of: Model, quantity: str, view: str, choices: dict[str, object]) -> Counter[tuple[StepKind, int | None]]:
    """The steps of a sheet and what they come to, whatever they are called; none of a quantity that the model has not."""
    try:
        derivation = derive(of, quantity=quantity, view=view, **choices)
    except SymparamsError:
        return Counter()
    if derivation.total.value is None:  # as of a chunk, whose letter is no size of a family of one's own
        return Counter((step.kind, None) for step in derivation.walk())
    return Counter((step.kind, step.value) for step in derivation.walk())


def on_one_page(of: Model) -> tuple[Counter[tuple[object, ...]], list[tuple[int, int]]]:
    """The parts of a model, one and how many of it, and what one keeps of it in one's head."""
    told = Counter((part.one.value, part.copies.value, part.norms, part.role, part.group[1]) for part in parts(of))
    kept = in_the_head(of)
    return told, [(addend.value, addend.active) for addend in kept.addends] if kept else []


def strokes(of: Model) -> Counter[str]:
    """How many boxes, signs and frames a drawing has, whatever stands in them.

    A tall one: in a wide one two towers share the panel of blocks that have the same letters, as those of one's own have not.
    """
    return Counter(re.findall(r"<(rect|circle|g)\b", draw(of, "svg", layout="tall")))


@pytest.mark.parametrize("name", swept(MODELS, TOLD))
def test_a_model_under_other_names_is_told_as_the_same(name):
    known, other = renamed(model(name), None), renamed(model(name), 1)
    assert groups(other) == groups(model(name))
    assert beside_gpt2(other, "parameters", {}) == beside_gpt2(model(name), "parameters", {})
    if not name.startswith("vit"):  # whose image has no length of a text
        assert beside_gpt2(other, "forward_flops", FLOPS[0]) == beside_gpt2(model(name), "forward_flops", FLOPS[0])
    assert traits([other]) == traits([known])
    assert [reason.key for reason in reasons(other, 9)] == [reason.key for reason in reasons(known, 9)]
    for claimed in claims(known):
        assert explained(other, claimed) == explained(known, claimed)
    assert on_one_page(other) == on_one_page(known)
    assert strokes(other) == strokes(known)


@pytest.mark.parametrize("name", swept(MODELS, ("jamba-v0.1",)))
def test_a_model_under_other_names_has_the_same_steps(name):
    known, other = renamed(model(name), None), renamed(model(name), 1)
    for quantity, (inputs, *_) in ASKED.items():
        for view in views():
            expected, found = steps(known, quantity, view, inputs), steps(other, quantity, view, inputs)
            if all(value is None for _, value in expected):
                found = Counter((kind, None) for kind, _ in found.elements())
            assert (quantity, view, found) == (quantity, view, expected)
