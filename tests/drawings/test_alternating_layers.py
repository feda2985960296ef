"""Layers that take turns: side by side in one frame where they do, and every one of them drawn where they do not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symparams import attention, feed_forward, layer_norm, linear, load, parallel
from symparams.architectures import Architecture
from symparams.components import Component, alternating, block, embedding, residual
from symparams.drawings.architecture import Detail, architecture
from symparams.drawings.marks import Drawing, Frame, Pill, Wire
from symparams.expressions.symbols import L_attn, L_dense, L_mamba, L_moe, V, d_ff, h, n_heads
from symparams.models.model import Model
from tests.drawings.clearances import words
from tests.drawings.test_architecture import wrong


def stack(times: object, name: str) -> Component:
    """Layers of one kind."""
    return times * block(name, residual(norm=layer_norm(h)))  # type: ignore[operator]


A, B, C, D = (stack(times, name) for times, name in zip((L_attn, L_mamba, L_dense, L_moe), "abcd", strict=True))


def of(net: Component, **values: int) -> Model:
    """A model of a user's own with these layers."""
    sizes: dict[str, Any] = {"V": 8, "h": 4, **values} if values else {}
    return load(Architecture("users", tree=block(tokens=embedding(V, h), net=net)), **sizes)


def strips(drawing: Drawing) -> dict[str, str]:
    """What the strip of each stack says, by its path."""
    return {mark.part: words(mark.lines) for mark in drawing.marks if isinstance(mark, Frame) and mark.part.startswith("net")}


def test_what_stands_beside_stacks_in_turn_is_drawn_too() -> None:
    drawing = architecture(of(alternating(block(alternating(block(a=A, b=B)), c=C))))
    assert list(strips(drawing)) == ["net", "net.a", "net.b", "net.c"]
    assert strips(drawing)["net"] == "L_attn + L_mamba layers"
    assert wrong(drawing) == []


@pytest.mark.parametrize(
    ("values", "wholes"),
    [
        ({"L_attn": 1, "L_mamba": 2, "L_dense": 2, "L_moe": 1}, ["3 layers"]),
        ({"L_attn": 1, "L_mamba": 2, "L_dense": 2, "L_moe": 2}, ["3 layers", "4 layers"]),
    ],
)
def test_groups_of_other_numbers_of_layers_stand_one_above_the_other(values: dict[str, int], wholes: list[str]) -> None:
    groups = block(alternating(block(a=A, b=B)), alternating(block(c=C, d=D)))
    drawing = architecture(of(alternating(groups), **values))
    lines = [words(mark.lines[:1]) for mark in drawing.marks if isinstance(mark, Frame) and mark.part == "net"]
    assert sorted(lines) == wholes
    assert wrong(drawing) == []


def test_nothing_is_said_to_be_in_as_many_layers_as_it_is_not() -> None:
    drawing = architecture(load("jamba-v0.1", L_moe=8, exclude=["attention_layers"]))
    assert "Mamba sublayer, 28 times: " in drawing.description
    assert "Each of the 24 layers" in drawing.description


@pytest.mark.parametrize(
    ("stacks", "language", "said"),
    [
        (
            {"a": A, "b": B},
            "en",
            "Each of the 3 layers: a (1 of them: {0}) or b (2 of them: {0}), in turn.",
        ),
        (
            {"a": A, "b": B, "c": C},
            "en",
            "Each of the 6 layers: a (1 of them: {0}), b (2 of them: {0}) or c (3 of them: {0}), in turn.",
        ),
        ({"a": A, "b": B, "c": C}, "zh", "共 6 层，每层为：a（1 层：{0}）、b（2 层：{0}）或 c（3 层：{0}），交替出现。"),
    ],
)
def test_layers_in_turn_are_read_aloud_as_a_list(stacks: dict[str, Component], language: str, said: str) -> None:
    values = dict(zip(("L_attn", "L_mamba", "L_dense"), (1, 2, 3)[: len(stacks)], strict=False))
    told = architecture(of(alternating(block(**stacks)), **values), language).description
    assert said.format({"en": "LayerNorm, added to what came in", "zh": "层归一化，再与输入相加"}[language]) in told


@pytest.mark.parametrize(
    ("number", "values", "pill"),
    [
        (2, {"L_attn": 1, "L_mamba": 7}, "in turn, 1 : 7"),
        (2, {"L_attn": 1009, "L_mamba": 77}, "in turn"),
        (3, {}, "in turn"),
        (3, {"L_attn": 1009, "L_mamba": 77, "L_dense": 30}, "in turn"),
    ],
)
def test_each_of_several_stacks_leads_to_the_pill_between_them(number: int, values: dict[str, int], pill: str) -> None:
    stacks = dict(zip("abcd"[:number], (A, B, C, D), strict=False))
    drawing = architecture(of(alternating(block(**stacks)), **values))
    [place] = [mark.place for mark in drawing.marks if isinstance(mark, Pill) and words(mark.lines) == pill]
    ends = [mark.points[-1] for mark in drawing.marks if isinstance(mark, Wire)]
    assert sum(place.x <= x <= place.right and place.y < y <= place.bottom for x, y in ends) == number
    assert wrong(drawing) == []


LAYERS = st.sampled_from(
    [
        block("a", residual(norm=layer_norm(h))),
        block("long_name_of_a_layer", residual(norm=layer_norm(h), feed_forward=feed_forward(h, d_ff))),
        block(
            "c", residual(attention=attention(h, n_heads)), residual(parallel(one=feed_forward(h, d_ff), other=linear(h, h)))
        ),
        linear(h, h),
    ]
)
NETS = st.lists(LAYERS, min_size=3, max_size=3).map(
    lambda kinds: block(
        **{name: times * kind for name, times, kind in zip("abc", (L_attn, L_mamba, L_dense), kinds, strict=True)}
    )
)


@settings(max_examples=10, deadline=None)
@given(NETS, st.sampled_from([8, 4096, 10**9]), st.integers(1, 10**6))
def test_three_stacks_in_turn_have_their_places_whatever_they_are(net: Component, width: int, number: int) -> None:
    model = of(alternating(net))
    own = {letter.name for letter in model.dimensions} - {"d_head"}
    sizes = {name: size for name, size in {**dict.fromkeys(own, number), "h": width, "n_heads": 2}.items() if name in own}
    for each in (model, load(model.architecture, **sizes)):  # type: ignore[arg-type]
        for detail in Detail:
            assert wrong(architecture(each, detail=detail)) == []
