"""Layers that take turns: side by side in one frame where they do, and every one of them drawn where they do not."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from symparams import attention, feed_forward, layer_norm, linear, load, parallel
from symparams.architectures import Architecture
from symparams.components import alternating, block, embedding, residual
from symparams.drawings.architecture import Detail, architecture
from symparams.drawings.marks import Frame, Pill, Wire
from symparams.expressions.symbols import L_attn, L_dense, L_mamba, L_moe, V, d_ff, h, n_heads
from tests.drawings.clearances import words
from tests.drawings.test_architecture import wrong


def stack(times, name):
    """Layers of one kind."""
    return times * block(name, residual(norm=layer_norm(h)))


A, B, C, D = (stack(times, name) for times, name in zip((L_attn, L_mamba, L_dense, L_moe), "abcd", strict=True))


def of(net, **values):
    """A model of a user's own with these layers."""
    sizes = {"V": 8, "h": 4, **values} if values else {}
    return load(Architecture("users", tree=block(tokens=embedding(V, h), net=net)), **sizes)


def strips(drawing):
    """What the strip of each stack says, by its path."""
    frames = [mark for mark in drawing.marks if isinstance(mark, Frame) and mark.part.startswith("net")]
    return [(frame.part, words(frame.lines[:1])) for frame in frames]


def test_groups_of_other_numbers_of_layers_stand_one_above_the_other():
    sizes = {"L_attn": 1, "L_mamba": 2, "L_dense": 2}
    for last, wholes in ((1, ["3 layers"]), (2, ["3 layers", "4 layers"])):
        groups = block(alternating(block(a=A, b=B)), alternating(block(c=C, d=D)))
        drawing = architecture(of(alternating(groups), **sizes, L_moe=last))
        assert sorted(text for part, text in strips(drawing) if part == "net") == wholes
        assert wrong(drawing) == []
    drawing = architecture(of(alternating(block(alternating(block(a=A, b=B)), c=C))))
    assert [part for part, _ in strips(drawing)] == ["net", "net.a", "net.b", "net.c"], "what stands beside them too"
    assert strips(drawing)[0] == ("net", "L_attn + L_mamba layers")
    assert wrong(drawing) == []


def test_nothing_is_said_to_be_in_as_many_layers_as_it_is_not() -> None:
    drawing = architecture(load("jamba-v0.1", L_moe=8, exclude=["attention_layers"]))
    assert "Mamba sublayer, 28 times: " in drawing.description
    assert "Each of the 24 layers" in drawing.description


def test_layers_in_turn_are_read_aloud_as_a_list():
    en, zh = "LayerNorm, added to what came in", "层归一化，再与输入相加"
    for number, language, told in (
        (2, "en", f"Each of the 3 layers: a (1 of them: {en}) or b (2 of them: {en}), in turn."),
        (3, "en", f"Each of the 6 layers: a (1 of them: {en}), b (2 of them: {en}) or c (3 of them: {en}), in turn."),
        (3, "zh", f"共 6 层，每层为：a（1 层：{zh}）、b（2 层：{zh}）或 c（3 层：{zh}），交替出现。"),
    ):
        stacks = dict(zip("abc"[:number], (A, B, C), strict=False))
        values = dict(zip(("L_attn", "L_mamba", "L_dense")[:number], (1, 2, 3), strict=False))
        assert told in architecture(of(alternating(block(**stacks)), **values), language).description


def test_each_of_several_stacks_leads_to_the_pill_between_them():
    for number, values, text in (
        (2, {"L_attn": 1, "L_mamba": 7}, "in turn, 1 : 7"),
        (2, {"L_attn": 1009, "L_mamba": 77}, "in turn"),
        (3, {}, "in turn"),
        (3, {"L_attn": 1009, "L_mamba": 77, "L_dense": 30}, "in turn"),
    ):
        drawing = architecture(of(alternating(block(**dict(zip("abcd"[:number], (A, B, C, D), strict=False)))), **values))
        [place] = [mark.place for mark in drawing.marks if isinstance(mark, Pill) and words(mark.lines) == text]
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


@settings(max_examples=4)
@given(NETS, st.sampled_from([8, 4096, 10**9]), st.integers(1, 10**6))
def test_three_stacks_in_turn_have_their_places_whatever_they_are(net, width, number):
    model = of(alternating(net))
    names = {letter.name for letter in model.dimensions} - {"d_head"}
    sizes = {name: {"h": width, "n_heads": 2}.get(name, number) for name in names}
    for subject in (model, load(model.architecture, **sizes)):
        for detail in Detail:
            assert wrong(architecture(subject, detail=detail)) == []
