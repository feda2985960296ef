"""What is inside a block: every matrix once, with its count, and nothing over anything else, for every family."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symparams import derive, load
from symparams.architectures import Architecture, architecture_names
from symparams.components import (
    attention,
    block,
    feed_forward,
    gated_feed_forward,
    linear,
    mixture_of_experts,
    rms_norm,
    with_query_key_norms,
    with_sinks,
)
from symparams.components.activations import learned_activation
from symparams.components.kinds import Kind, Role
from symparams.components.norms import non_parametric_layer_norm
from symparams.components.tree import Component
from symparams.drawings.architecture import architecture
from symparams.drawings.context import DrawingContext, Labels
from symparams.drawings.marks import Box, Cells, Frame, Operation, Pill, Stroke, Text, Wire
from symparams.drawings.panels import WIDTHS, panel, wish
from symparams.drawings.panels.cells import MOST, chosen, grid
from symparams.errors import ConfigError
from symparams.expressions.symbols import d_ff, d_head, h, n_heads, n_kv_heads
from symparams.sheets.catalogue import languages
from tests.drawings.clearances import Area, faults, words
from tests.strategies import models

PUBLISHED = [
    "deepseek-v3", "falcon-40b", "t5-small",  # latent attention and experts; parallel branches; attention to another stack
    "bert-base-uncased", "gpt2", "llama-3-8b", "jamba-v0.1", "mamba-130m", "deberta-v3-base", "vit-base-patch16-224",
]  # fmt: skip

QWEN2 = {"model_type": "qwen2", "architectures": ["Qwen2ForCausalLM"], "num_hidden_layers": 4}


def blocks(component: Component, path: str = "") -> Iterator[tuple[str, Component]]:
    """Every block of a tree that may have a panel, with its path; of branches, what holds them, too."""
    for name, child in component.body:
        here = ".".join(filter(None, (path, name)))
        if child.role is Role.PARALLEL:
            yield path, child
        elif child.is_sublayer and not child.role.is_flow:
            yield here, child
        yield from blocks(child, here)


def panels(context):
    """Each panel of a model in the widths that it is given."""
    for path, component in {component: (path, component) for path, component in blocks(context.model.tree)}.values():
        is_wide = wish(component, path, context) == WIDTHS[-1]
        for width in (128.0, 131.5, 140.0) if is_wide else (90.0, 104.0, 112.0, 120.5, 131.5):
            group = panel(component, path, context, width)
            if group is not None:
                yield path, component, group


def printed(group):
    """What stands in the boxes and pills of a panel, from below."""
    return [words(mark.lines) for mark in group.marks if isinstance(mark, (Box, Pill))]


def marks(kind, group):
    return [mark for mark in group.marks if isinstance(mark, kind)]


def faults_of(context):
    """What lies over anything else; the boxes of a panel that do not add up to the block."""
    for path, component, group in panels(context):
        yield from faults(group.marks, context.measure, Area(0.0, 0.0, group.width, group.height, path))
        counts = [box.title.rpartition(" ")[2].replace(",", "") for box in marks(Box, group)]
        if context.model.values and not context.is_users and sum(map(int, counts)) != context.step(path, component).value:
            yield f"{path} is not {counts}"


def without_panel(context):
    """Blocks of several matrices without a panel, or without a wire in it."""
    for path, component in blocks(context.model.tree):
        group = panel(component, path, context, 131.5)
        if component.role is not Role.PARALLEL and (group is None or not marks(Wire, group)):
            yield path


def of(name, path="decoder.attention", width=120.5, language="en", labels="both"):
    context = DrawingContext(derive(name), language, Labels(labels))
    group = panel(dict(blocks(context.model.tree))[path], path, context, width)
    assert group is not None
    return group


def attends(subject, path="decoder.attention"):
    """What the pill of attention says."""
    [pill] = [text for text in printed(of(subject, path)) if "attention" in text]
    return pill.replace(" / ", " ")


@pytest.mark.parametrize("name", PUBLISHED)
def test_nothing_lies_over_anything_else_and_all_is_there(name):
    context = DrawingContext(derive(name), "zh" if name in PUBLISHED[:3] else "en")
    assert [*faults_of(context)] == [*without_panel(context)] == []


@pytest.mark.sweep
@pytest.mark.parametrize("name", architecture_names())
def test_so_it_is_for_every_family(name):
    context = DrawingContext(derive(name))
    assert [*faults_of(context)] == []
    assert context.is_users or [*without_panel(context)] == []


@given(models(), st.sampled_from(languages()), st.sampled_from(list(Labels)))
@settings(max_examples=15)
def test_nothing_lies_over_anything_else_in_any_sizes(model, language, labels):
    assert [*faults_of(DrawingContext(derive(model), language, labels))] == []


# A block, what stands in its boxes and pills.
PRINTED = [
    ("gpt2", "decoder.attention", {}, [
        "Query, key, value / h*(3*h) + 3*h = 1,771,776", "causal attention, 12 heads", "Output / h*h + h = 590,592"]),
    ("bert-base-chinese", "encoder.attention", {"language": "zh"}, [
        "查询、键、值 / 3*(h*h + h) = 1,771,776", "注意力，12 个头", "输出 / h*h + h = 590,592"]),
    ("llama-3-8b", "decoder.attention", {"width": 131.5}, [
        "Query / h*(n_heads*d_head) / = 16,777,216", "Key, value / 2*h × / n_kv_heads*d_head / = 8,388,608", "RoPE", "RoPE",
        "causal attention: 32 query / heads share 8 key-value heads", "Output / (n_heads*d_head)*h = 16,777,216"]),
    ("llama-3-8b", "decoder.feed_forward", {}, [
        "Gate / h*d_ff / = 58,720,256", "Up / h*d_ff / = 58,720,256", "SiLU", "Down / d_ff*h = 58,720,256"]),
    ("gpt2", "decoder.feed_forward", {"labels": "none"}, ["Up", "GELU", "Down"]),
    ("gpt2", "decoder.feed_forward", {"labels": "count"}, ["Up / 2,362,368", "GELU", "Down / 2,360,064"]),
    ("gpt2", "decoder.feed_forward", {"labels": "formula"}, ["Up / h*d_ff + d_ff", "GELU", "Down / d_ff*h + h"]),
]  # fmt: skip


def test_what_stands_in_a_panel():
    for name, path, how, texts in PRINTED:
        assert printed(of(name, path, **how)) == texts, path
    [cards] = [box.cards for box in marks(Box, of("llama-3-8b", width=131.5)) if box.part.endswith("key_value")]
    assert cards == 2
    # A gate is multiplied with the way up, and has an activation of its own: no config says it, the definition does.
    assert [mark.sign for mark in marks(Operation, of("llama-3-8b", "decoder.feed_forward"))] == ["×"]
    for name, path, said in (
        ("flan-t5-base", "encoder.gated_feed_forward", ["GeGLU", "GELU"]),
        ("t5-small", "encoder.feed_forward", ["Feed-forward", "ReLU"]),
        ("mt5", "encoder.gated_feed_forward", ["GeGLU", "GELU"]),
    ):
        group = of(name, path)
        assert [marks(Frame, group)[0].title, *(words(pill.lines) for pill in marks(Pill, group))] == said


SMOLLM3 = {"model_type": "smollm3", "architectures": ["SmolLM3ForCausalLM"], "num_hidden_layers": 8}
GPT_NEO = {"model_type": "gpt_neo", "architectures": ["GPTNeoForCausalLM"], "num_layers": 4}
GEMMA2 = {"model_type": "gemma2", "architectures": ["Gemma2Model"], "num_hidden_layers": 4}
SLIDING, FULL = "sliding_attention", "full_attention"
# A subject, how its pill ends with values; what is read aloud of its window in symbols, "" where it has none.
WINDOWS = [
    ("gemma-2-9b", "window of 4,096 tokens in every second layer (21 of 42)", "every second layer"),
    ("modernbert-base", "window of 128 tokens in 2 of every 3 layers (14 of 22)", "2 of every 3 layers"),
    ("modernbert", "window of W tokens in 2 of every 3 layers", "2 of every 3 layers"),
    ("mistral-7b-v0.1", "window of 4,096 tokens", "all"),
    ("mistral-7b-v0.3", "", ""),
    ("phi-3-mini", "window of 2,047 tokens", "all"),
    (QWEN2 | {"use_sliding_window": True, "max_window_layers": 2}, "layers", "some layers"),
    (QWEN2 | {"use_sliding_window": True, "max_window_layers": 4}, "", ""),
    (GPT_NEO | {"attention_types": [[["global", "local"], 2]]}, "window of 256 tokens in every second layer (2 of 4)",
     "every second layer"),
    (GPT_NEO | {"attention_types": [[["global"], 2], [["local"], 2]]}, "window of 256 tokens in 2 of 4 layers", "some layers"),
    (GPT_NEO | {"attention_types": [[["global"], 4]]}, "", ""),
    (GEMMA2 | {"layer_types": [FULL] * 4}, "", ""),
    (GEMMA2 | {"layer_types": [SLIDING, FULL] * 2}, "window of 4,096 tokens in every second layer (2 of 4)",
     "every second layer"),
    (GEMMA2 | {"layer_types": [FULL, FULL, SLIDING, SLIDING]}, "window of 4,096 tokens in 2 of 4 layers", "some layers"),
    (GEMMA2 | {"layer_types": [SLIDING] * 4}, "window of 4,096 tokens", "all"),
]  # fmt: skip


def test_a_window_and_the_layers_that_have_it():
    for subject, said, aloud in WINDOWS:
        model = load(subject)
        path = "encoder.attention" if "modernbert" in str(subject) else "decoder.attention"
        assert attends(model, path).endswith(said), subject
        assert said or "window" not in attends(model, path), subject
        description = architecture(model.symbolic()).description
        layers = re.findall(r"a window of \w+ tokens(?: in ([^,]*))?", description)
        assert layers == ([] if not aloud else [""] if aloud == "all" else [aloud]), subject
        assert ("window" in attends(model.symbolic(), path)) is bool(aloud), subject


# A subject, how its pill ends or what it says, and in how many boxes positions turn queries and keys.
TURNING = [
    ("smollm3-3b", "RoPE in 3 of every 4 layers (27 of 36)", 2),
    ("smollm3", "RoPE in 3 of every 4 layers", 2),
    (SMOLLM3 | {"no_rope_layer_interval": 2}, "RoPE in every second layer (4 of 8)", 2),
    (SMOLLM3 | {"no_rope_layers": [1, 1, 0, 0, 1, 1, 1, 1]}, "RoPE in 6 of 8 layers", 2),
    (SMOLLM3 | {"no_rope_layers": [1] * 8}, "", 2),
    (load(SMOLLM3 | {"no_rope_layers": [1] * 8}).symbolic(), "", 2),
    (SMOLLM3 | {"no_rope_layers": [0] * 8}, "", 0),
    ("llama-3-8b", "", 2),
    ("falcon-7b", "", 2),
    ({"model_type": "falcon", "alibi": True}, "", 0),
]


def test_rotary_positions_and_the_layers_in_which_they_turn():
    for subject, said, turned in TURNING:
        assert attends(subject).endswith(f", {said}") if said else "RoPE" not in attends(subject), subject
        assert "layers" not in attends(subject) or said, subject
        assert printed(of(subject)).count("RoPE") == turned, subject
        description = architecture(subject).description
        assert f"with {said}" in description if said else "RoPE" not in description, subject
        in_all = turned and not said  # in all layers, or in those that it names
        assert ("The attention has rotary positions." in description) is bool(in_all), subject
    falcon = {"model_type": "falcon", "num_attention_heads": 71}
    for subject, said in (
        ("falcon-7b", "causal attention: 71 query heads share one key-value head"),
        (falcon | {"alibi": True}, "causal attention with ALiBi: 71 query heads share one key-value head"),
        (falcon | {"alibi": True, "multi_query": False}, "causal attention with ALiBi, 71 heads"),
        ("bloom-560m", "causal attention with ALiBi, 16 heads"),
    ):
        assert attends(subject) == said
        assert ("The attention has ALiBi." in architecture(subject).description) is ("ALiBi" in said)


def test_patterns_that_are_none_are_refused():
    for patterns in ([1], [[["global", "local"], "x"]], [["global"]], [[["local"], True]], [[["local"], -1]]):
        with pytest.raises(ConfigError, match=r"attention_types in the config must be a list of pairs"):
            load(GPT_NEO | {"attention_types": patterns})


def test_latent_attention_turns_a_part_of_query_and_key():
    group = of("deepseek-v3", "decoder.moe_layers.attention", 131.5)
    assert printed(group).count("RoPE") == 2
    parts = [box.part.rpartition(".")[2] for box in marks(Box, group)]
    assert parts == ["query_down", "key_value_down", "query_norm", "key_value_norm", "query_up", "key_value_up", "output"]
    assert printed(group)[4] == "Query up / r_q*n_heads· / (d_nope + d_rope) / = 37,748,736"
    plain = of("deepseek-v2-lite", "decoder.moe_layers.attention", 131.5)
    assert [box.part.rpartition(".")[2] for box in marks(Box, plain)] == [
        "key_value_down", "key_value_norm", "query", "key_value_up", "output",
    ]  # fmt: skip


def test_attention_to_relative_positions_says_what_meets():
    for language, said, word in (
        ("en", "attention to content, relative positions and segments, ", "distances"),
        ("zh", "对内容、相对位置、句段的注意力，", "相对位置"),
    ):
        group = of("xlnet", "encoder.attention", 131.5, language)
        assert any(text.replace(" / ", " " if language == "en" else "").startswith(said) for text in printed(group))
        [text] = [text for text in marks(Text, group) if words((text,)) == word]
        assert text.y < marks(Frame, group)[0].place.bottom - 3.5  # its letters reach below their base line


SCAN = "with the time step dt: B writes x to the state, C reads it"


def test_the_letters_of_a_state_space_are_said_where_they_are_used():
    for name, scan, carried in [
        ("mamba-130m", f"selective scan {SCAN}", ["x", "dt", "B, C"]),
        ("jamba-v0.1", f"selective scan {SCAN}", ["x", "dt"]),  # B and C come out of norms that say so
        ("mamba2", f"scan in n_ssm_heads heads {SCAN}", ["x, B, C", "dt"]),
    ]:
        [path] = [path for path, component in blocks(load(name).tree) if component.role is Role.MIXER]
        group = of(name, path, 131.5)
        assert scan in [text.replace(" / ", " ") for text in printed(group)]
        assert [words((text,)) for text in sorted(marks(Text, group), key=lambda text: text.x)] == carried
        named = " ".join(printed(group)).replace(" / ", " ")
        assert {"State matrix A", "Skip vector D"} == set(re.findall("State matrix A|Skip vector D", named))  # as on a sheet


def test_the_pill_of_a_gate_stands_in_the_middle_of_its_wire():
    for name in ("mamba-130m", "mamba2"):
        group = next(group for _, _, group in panels(DrawingContext(derive(name))))
        place = max((pill.place for pill in marks(Pill, group) if words(pill.lines) == "SiLU"), key=lambda place: place.x)
        into = [wire for wire in marks(Wire, group) if wire.points[-1][1] == pytest.approx(place.bottom)]
        assert place.middle == pytest.approx(max(wire.points[-1][0] for wire in into), abs=0.01)
        passing = [wire for wire in marks(Wire, group) if wire.points[0][1] == wire.points[1][1]]
        if name == "mamba-130m":
            assert [(wire.arrow, len(wire.points)) for wire in passing] == [(True, 3)], "past the selection, one wire"


def test_experts_and_the_one_that_all_tokens_share():
    group = of("deepseek-v3", "decoder.moe_layers", 131.5)
    assert printed(group)[0] == "Router / h*n_experts / = 1,835,008"
    assert "8 of 256 active" in printed(group)[1]
    assert [(cells.number, len(cells.active)) for cells in marks(Cells, group)] == [(256, 8)]
    assert {wire.stroke for wire in marks(Wire, group)} == {Stroke.FLOW, Stroke.ROUTE}
    assert [mark.sign for mark in marks(Operation, group)] == ["×", "+"]
    group = of("qwen2_moe", "decoder.moe_layers", 131.5)
    assert {"Expert / gate / h", "Shared / expert / 3*h*d_shared", "sigmoid"} <= set(printed(group))
    weighed, sum_of_both = ([mark for mark in marks(Operation, group) if mark.sign == sign] for sign in "×+")
    assert [len(weighed), len(sum_of_both)] == [2, 1], "the weights of the router, the weight of the gate"
    [expert] = [box.place for box in marks(Box, group) if box.part.endswith("shared_expert")]
    assert max(weighed, key=lambda sign: sign.x).x == expert.middle


@given(st.integers(1, 1_000), st.data())
def test_as_many_cells_are_dark_as_experts_are_active(number, data):
    active = data.draw(st.integers(1, number))
    assert len(chosen(number, active)) == active
    assert chosen(number, active) <= set(range(number))
    assert grid(number, 60.0).width <= 60.0


def test_cells_are_dark_as_experts_are_active_also_of_a_trillion():
    dark = chosen(10**12, 10**11)
    assert len(dark) == 2 * MOST
    ends = (*range(40), *range(10**11 - 40, 10**11))
    tenths = {share * 10 + (7 * share * share + 3 * share + 5) % 10 for share in ends}
    drawn = {*range(32), *range(10**12 - 32, 10**12)}
    assert dark & drawn == tenths & drawn


def own(component, language="en"):
    """A user's own model with one block in it, called its_block."""
    known = Architecture("own", title="Own", tree=block(its_block=component))
    sizes = {letter.name: SIZES[letter.name] for letter in known.dimensions if letter not in known.identities}
    return DrawingContext(derive(load(known, **sizes)), language)


SIZES = {"h": 64, "d_ff": 128, "n_heads": 8, "n_kv_heads": 2, "d_head": 8}


def with_activation(feed, *letters):
    return replace(feed, body=(*feed.body, ("activation", learned_activation(letters))))


ODD = {
    "read": attention(h, n_heads, d_head=d_head, reads="the other image", positions="rotary"),
    "normed": with_query_key_norms(attention(h, n_heads, fused=True, positions="rotary"), rms_norm(d_head), rms_norm(d_head)),
    "grouped": with_sinks(attention(h, n_heads, n_kv_heads, d_head, fused=True, causal=True), n_heads),
    "grouped_read": attention(h, n_heads, n_kv_heads, d_head, reads="encoder"),
    "without_parameters": with_query_key_norms(attention(h, n_heads), non_parametric_layer_norm(), non_parametric_layer_norm()),
    "all": with_sinks(
        with_query_key_norms(attention(h, n_heads, n_kv_heads, d_head, positions="rotary"), rms_norm(d_head), rms_norm(d_head)),
        n_heads,
    ),
    "activated": with_activation(feed_forward(h, d_ff, activation="an_activation"), "alpha_p", "alpha_n"),
    "gate_activated": with_activation(gated_feed_forward(h, d_ff), "alpha"),
    "linear": feed_forward(h, d_ff, activation=""),
    "experts": mixture_of_experts(h, 1_000, 999, d_ff, bias=True),
    "two_experts": mixture_of_experts(h, 2, 1, d_ff),
    "named": Component(
        Kind("odd", Role.FEED_FORWARD),
        body=(("a_name_of_forty_characters_and_a_few_more", linear(h, d_ff)), ("Disestablishmentarianisms", linear(d_ff, h))),
    ),
}


def test_nothing_lies_over_anything_else_in_a_users_own_block():
    for name, component in ODD.items():
        context = own(component, "zh" if name in ("read", "all", "experts") else "en")
        assert [*faults_of(context)] == [], name
        assert panel(component, "its_block", context, 131.5) is not None, name
    assert printed(panel(ODD["activated"], "its_block", own(ODD["activated"]), 120.5)) == [
        "Up / h*d_ff + d_ff = 8,320", "an_activation / 2 = 2", "Down / d_ff*h + h = 8,256",
    ]  # fmt: skip
    many = panel(ODD["experts"], "its_block", own(ODD["experts"]), 131.5)
    assert [cells.number for cells in marks(Cells, many)] == [32, 32], "of very many the first and the last"


def test_a_block_of_a_users_own_has_its_parts_and_no_wire_is_guessed():
    odd = Component(Kind("odd", Role.OTHER), body=(("first_one", linear(h, d_ff)), ("second", linear(d_ff, h))))
    group = panel(odd, "its_block", own(odd), 120.5)
    assert printed(group) == ["First one / h*d_ff + d_ff = 8,320", "Second / d_ff*h + h = 8,256"]
    assert marks(Wire, group) == []
    assert [words(frame.lines) for frame in marks(Frame, group)] == ["Its block"]
    assert panel(linear(h, h), "its_block", own(odd), 120.5) is None
