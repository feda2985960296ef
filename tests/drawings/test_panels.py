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


def panels(context: DrawingContext):
    """Each panel of a model in the widths that it is given."""
    for path, component in {component: (path, component) for path, component in blocks(context.model.tree)}.values():
        for width in (
            (128.0, 131.5, 140.0) if wish(component, path, context) == WIDTHS[-1] else (90.0, 104.0, 112.0, 120.5, 131.5)
        ):
            group = panel(component, path, context, width)
            if group is not None:
                yield path, component, group


def printed(group) -> list[str]:
    """What stands in the boxes and pills of a panel, from below."""
    return [words(mark.lines) for mark in group.marks if isinstance(mark, (Box, Pill))]


def of(name: str, path: str, width: float = 120.5, language: str = "en", labels: str = "both"):
    context = DrawingContext(derive(name), language, Labels(labels))
    component = dict(blocks(context.model.tree))[path]
    group = panel(component, path, context, width)
    assert group is not None
    return group


def assert_clean(context: DrawingContext) -> None:
    for path, component, group in panels(context):
        page = Area(0.0, 0.0, group.width, group.height, "panel")
        assert [*faults(group.marks, context.measure, page)] == [], (path, component.kind, group.width)


def assert_known(context: DrawingContext) -> None:
    """Every block of several matrices has a panel, and wires in it."""
    for path, component in blocks(context.model.tree):
        if component.role is not Role.PARALLEL:
            group = panel(component, path, context, 131.5)
            assert group is not None, path
            assert any(isinstance(mark, Wire) for mark in group.marks), path


def assert_whole(context: DrawingContext) -> None:
    """The boxes of a panel add up to the block."""
    for path, component, group in panels(context):
        counts = [int(mark.title.rpartition(" ")[2].replace(",", "")) for mark in group.marks if isinstance(mark, Box)]
        assert sum(counts) == context.step(path, component).value, path


@pytest.mark.parametrize("name", PUBLISHED)
def test_nothing_lies_over_anything_else_and_all_is_there(name):
    context = DrawingContext(derive(name), "zh" if name in PUBLISHED[:3] else "en")
    assert_clean(context)
    assert_known(context)
    assert_whole(context)


@pytest.mark.sweep
@pytest.mark.parametrize("name", architecture_names())
def test_so_it_is_for_every_family(name):
    context = DrawingContext(derive(name))
    assert_clean(context)
    if not context.is_users:
        assert_known(context)


@given(models(), st.sampled_from(languages()), st.sampled_from(list(Labels)))
@settings(max_examples=15)
def test_nothing_lies_over_anything_else_in_any_sizes(model, language, labels):
    assert_clean(DrawingContext(derive(model), language, labels))


def test_attention_of_one_matrix():
    assert printed(of("gpt2", "decoder.attention")) == [
        "Query, key, value / h*(3*h) + 3*h = 1,771,776",
        "causal attention, 12 heads",
        "Output / h*h + h = 590,592",
    ]


def test_grouped_queries_with_rotary_positions():
    group = of("llama-3-8b", "decoder.attention", 131.5)
    assert printed(group) == [
        "Query / h*(n_heads*d_head) / = 16,777,216",
        "Key, value / 2*h × / n_kv_heads*d_head / = 8,388,608",
        "RoPE",
        "RoPE",
        "causal attention: 32 query / heads share 8 key-value heads",
        "Output / (n_heads*d_head)*h = 16,777,216",
    ]
    [cards] = [mark.cards for mark in group.marks if isinstance(mark, Box) and mark.part.endswith("key_value")]
    assert cards == 2


@pytest.mark.parametrize(
    ("name", "path", "said"),
    [
        ("gemma-2-9b", "decoder.attention", "window of 4,096 tokens in every second layer (21 of 42)"),
        ("modernbert-base", "encoder.attention", "window of 128 tokens in 2 of every 3 layers (14 of 22)"),
        ("modernbert", "encoder.attention", "window of W tokens in 2 of every 3 layers"),
        ("mistral-7b-v0.1", "decoder.attention", "window of 4,096 tokens"),
    ],
)
def test_a_window_and_the_layers_that_have_it(name, path, said):
    [pill] = [each for each in printed(of(name, path)) if "attention" in each]
    assert pill.replace(" / ", " ").endswith(f" {said}")


@pytest.mark.parametrize(
    ("subject", "has_window"),
    [
        ("mistral-7b-v0.1", True),
        ("mistral-7b-v0.3", False),
        ("phi-3-mini", True),
        (QWEN2 | {"use_sliding_window": True, "max_window_layers": 2}, True),
        (QWEN2 | {"use_sliding_window": True, "max_window_layers": 4}, False),
    ],
)
def test_a_window_that_is_not_there_is_not_drawn_with_values_or_without(subject, has_window):
    model = load(subject)
    for each in (model, model.symbolic()):
        [pill] = [said for said in printed(of(each, "decoder.attention")) if "attention" in said]
        assert ("window" in pill) is has_window
        assert ("window of" in architecture(each).description) is has_window


SMOLLM3 = {"model_type": "smollm3", "architectures": ["SmolLM3ForCausalLM"], "num_hidden_layers": 8}


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("smollm3-3b", "RoPE in 3 of every 4 layers (27 of 36)"),
        ("smollm3", "RoPE in 3 of every 4 layers"),
        (SMOLLM3 | {"no_rope_layer_interval": 2}, "RoPE in every second layer (4 of 8)"),
        (SMOLLM3 | {"no_rope_layers": [1, 1, 0, 0, 1, 1, 1, 1]}, "RoPE in 6 of 8 layers"),
        (SMOLLM3 | {"no_rope_layers": [1] * 8}, ""),
        ("llama-3-8b", ""),
    ],
)
def test_rotary_positions_and_the_layers_in_which_they_turn(subject, said):
    drawn = printed(of(subject, "decoder.attention"))
    [pill] = [each.replace(" / ", " ") for each in drawn if "attention" in each]
    assert pill.endswith(f", {said}") if said else "RoPE" not in pill
    assert drawn.count("RoPE") == 2
    description = architecture(subject).description
    assert f"with {said}" in description if said else "RoPE" not in description
    assert ("The attention has rotary positions." in description) is not bool(said), "in all layers, or in those that it names"


@pytest.mark.parametrize(
    "config",
    [
        SMOLLM3 | {"no_rope_layers": [1] * 8},
        {"model_type": "gemma2", "num_hidden_layers": 4, "layer_types": ["sliding_attention"] * 4},
    ],
)
def test_what_a_config_lists_for_all_layers_holds_in_all_also_in_symbols(config):
    for model in (load(config), load(config).symbolic()):
        assert "layers" not in " ".join(part for part in printed(of(model, "decoder.attention")) if "attention" in part)


def test_without_rotary_positions_in_any_layer_nothing_turns():
    subject = SMOLLM3 | {"no_rope_layers": [0] * 8}
    assert not any("RoPE" in each for each in printed(of(subject, "decoder.attention")))
    drawing = architecture(subject)
    assert "otary" not in drawing.description
    assert not any("otary" in words(mark.lines) for mark in drawing.marks if isinstance(mark, Pill))


FALCON = {"model_type": "falcon", "num_attention_heads": 71}


@pytest.mark.parametrize(
    ("subject", "said", "turned"),
    [
        ("falcon-7b", "causal attention: 71 query heads share one key-value head", 2),
        (FALCON | {"alibi": True}, "causal attention with ALiBi: 71 query heads share one key-value head", 0),
        (FALCON | {"alibi": True, "multi_query": False}, "causal attention with ALiBi, 71 heads", 0),
        ("bloom-560m", "causal attention with ALiBi, 16 heads", 0),
    ],
)
def test_positions_that_a_config_chooses_act_where_they_are_drawn(subject, said, turned):
    drawn = printed(of(subject, "decoder.attention"))
    assert [each.replace(" / ", " ") for each in drawn if "attention" in each] == [said]
    assert drawn.count("RoPE") == turned
    assert ("The attention has ALiBi." in architecture(subject).description) is not bool(turned)


GPT_NEO = {"model_type": "gpt_neo", "architectures": ["GPTNeoForCausalLM"], "num_layers": 4}


@pytest.mark.parametrize(
    ("patterns", "said"),
    [
        ([[["global", "local"], 2]], "window of 256 tokens in every second layer (2 of 4)"),
        ([[["global"], 2], [["local"], 2]], "window of 256 tokens in 2 of 4 layers"),
    ],
)
def test_patterns_of_a_config_are_read_layer_by_layer(patterns, said):
    [pill] = [each for each in printed(of(GPT_NEO | {"attention_types": patterns}, "decoder.attention")) if "attention" in each]
    assert pill.replace(" / ", " ").endswith(said)


FULL = {"model_type": "gemma2", "architectures": ["Gemma2Model"], "layer_types": ["full_attention"] * 4}


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        (GPT_NEO | {"attention_types": [[["global"], 4]]}, ""),
        (GPT_NEO | {"attention_types": [[["global", "local"], 2]]}, "every second layer"),
        (GPT_NEO | {"attention_types": [[["local"], 1], [["global"], 3]]}, "some layers"),
        (FULL | {"num_hidden_layers": 4}, ""),
        (FULL | {"layer_types": ["sliding_attention", "full_attention"] * 2}, "every second layer"),
    ],
)
def test_layers_that_a_config_lists_are_read_without_values_too(subject, said):
    description = architecture(load(subject).symbolic()).description
    assert re.findall(r"a window of \w+ tokens in ([^,]*)", description) == ([said] if said else [])
    assert ("window" in description) is bool(said)


@pytest.mark.parametrize("patterns", [[1], [[["global", "local"], "x"]], [["global"]], [[["local"], True]], [[["local"], -1]]])
def test_patterns_that_are_none_are_refused(patterns):
    model = load(GPT_NEO | {"attention_types": patterns})
    with pytest.raises(ConfigError, match=r"attention_types in the config must be a list of pairs"):
        architecture(model)
    with pytest.raises(ConfigError, match=r"attention_types in the config must be a list of pairs"):
        model.measure("kv_cache", b=1, t=5, dtype="bf16")


def test_patterns_that_come_very_often_are_not_written_out():
    patterns = [[["global", "local"], 10**15]]
    assert printed(of(GPT_NEO | {"attention_types": patterns}, "decoder.attention"))


def test_a_config_that_lists_other_layers_has_them_counted_alone():
    kinds = ["full_attention", "full_attention", "sliding_attention", "sliding_attention"]
    config = {"model_type": "gemma2", "architectures": ["Gemma2Model"], "num_hidden_layers": 4, "layer_types": kinds}
    [pill] = [each for each in printed(of(load(config), "decoder.attention")) if "attention" in each]
    assert pill.replace(" / ", " ").endswith(" window of 4,096 tokens in 2 of 4 layers")


def test_a_gate_is_multiplied_with_the_way_up():
    group = of("llama-3-8b", "decoder.feed_forward")
    assert printed(group) == [
        "Gate / h*d_ff / = 58,720,256",
        "Up / h*d_ff / = 58,720,256",
        "SiLU",
        "Down / d_ff*h = 58,720,256",
    ]
    assert [mark.sign for mark in group.marks if isinstance(mark, Operation)] == ["×"]


@pytest.mark.parametrize(
    ("name", "of_block", "said"),
    [
        ("flan-t5-base", "encoder.gated_feed_forward", ["GeGLU", "GELU"]),  # no config says it: the definition of the gate does
        ("t5-small", "encoder.feed_forward", ["Feed-forward", "ReLU"]),
        ("mt5", "encoder.gated_feed_forward", ["GeGLU", "GELU"]),
    ],
)
def test_a_gate_has_the_activation_of_its_own(name, of_block, said):
    group = of(name, of_block)
    [strip] = [mark.title for mark in group.marks if isinstance(mark, Frame)]
    assert [strip, *(words(mark.lines) for mark in group.marks if isinstance(mark, Pill))] == said


def test_latent_attention_turns_a_part_of_query_and_key():
    group = of("deepseek-v3", "decoder.moe_layers.attention", 131.5)
    assert [each for each in printed(group) if each == "RoPE"] == ["RoPE"] * 2
    assert [mark.part.rpartition(".")[2] for mark in group.marks if isinstance(mark, Box)] == [
        *("query_down", "key_value_down", "query_norm", "key_value_norm", "query_up", "key_value_up", "output"),
    ]
    assert printed(group)[4] == "Query up / r_q*n_heads· / (d_nope + d_rope) / = 37,748,736"
    plain = of("deepseek-v2-lite", "decoder.moe_layers.attention", 131.5)
    assert [mark.part.rpartition(".")[2] for mark in plain.marks if isinstance(mark, Box)] == [
        *("key_value_down", "key_value_norm", "query", "key_value_up", "output"),
    ]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_attention_to_relative_positions_says_what_meets(language):
    group = of("xlnet", "encoder.attention", 131.5, language)
    said = {"en": "attention to content, relative positions and segments, ", "zh": "对内容、相对位置、句段的注意力，"}[language]
    assert any(each.replace(" / ", " " if language == "en" else "").startswith(said) for each in printed(group))
    [word] = [mark for mark in group.marks if isinstance(mark, Text) and words((mark,)) in ("distances", "相对位置")]
    [frame] = [mark for mark in group.marks if isinstance(mark, Frame)]
    assert word.y < frame.place.bottom - 3.5  # its letters reach below their base line


SCAN = "with the time step dt: B writes x to the state, C reads it"


@pytest.mark.parametrize(
    ("name", "scan", "carried"),
    [
        ("mamba-130m", f"selective scan {SCAN}", ["x", "dt", "B, C"]),
        ("jamba-v0.1", f"selective scan {SCAN}", ["x", "dt"]),  # B and C come out of norms that say so
        ("mamba2", f"scan in n_ssm_heads heads {SCAN}", ["x, B, C", "dt"]),
    ],
)
def test_the_letters_of_a_state_space_are_said_where_they_are_used(name, scan, carried):
    [path] = [path for path, component in blocks(load(name).tree) if component.role is Role.MIXER]
    group = of(name, path, 131.5)
    assert scan in [each.replace(" / ", " ") for each in printed(group)]
    texts = sorted((mark for mark in group.marks if isinstance(mark, Text)), key=lambda mark: mark.x)
    assert [words((mark,)) for mark in texts] == carried
    named = " ".join(printed(group)).replace(" / ", " ")
    assert {"State matrix A", "Skip vector D"} == set(re.findall("State matrix A|Skip vector D", named))  # as on a sheet


@pytest.mark.parametrize("name", ["mamba-130m", "mamba2"])
def test_the_pill_of_a_gate_stands_in_the_middle_of_its_wire(name):
    group = next(group for _, _, group in panels(DrawingContext(derive(name))))
    pills = [mark.place for mark in group.marks if isinstance(mark, Pill) and words(mark.lines) == "SiLU"]
    place = max(pills, key=lambda place: place.x)
    into = [mark for mark in group.marks if isinstance(mark, Wire) and mark.points[-1][1] == pytest.approx(place.bottom)]
    assert place.middle == pytest.approx(max(wire.points[-1][0] for wire in into), abs=0.01)


def test_what_passes_the_selection_of_a_state_space_is_one_wire():
    group = next(group for _, _, group in panels(DrawingContext(derive("mamba-130m"))))
    wires = [mark for mark in group.marks if isinstance(mark, Wire)]
    [passing] = [wire for wire in wires if wire.points[0][1] == wire.points[1][1]]
    assert passing.arrow
    assert len(passing.points) == 3


def test_experts_beside_the_one_that_all_tokens_share():
    group = of("deepseek-v3", "decoder.moe_layers", 131.5)
    assert printed(group)[0] == "Router / h*n_experts / = 1,835,008"
    assert "8 of 256 active" in printed(group)[1]
    [cells] = [mark for mark in group.marks if isinstance(mark, Cells)]
    assert (cells.number, len(cells.active)) == (256, 8)
    assert {mark.stroke for mark in group.marks if isinstance(mark, Wire)} == {Stroke.FLOW, Stroke.ROUTE}
    assert [mark.sign for mark in group.marks if isinstance(mark, Operation)] == ["×", "+"]


def test_a_shared_expert_is_weighed_by_its_gate():
    group = of("qwen2_moe", "decoder.moe_layers", 131.5)
    told = printed(group)
    assert [each for each in told if "xpert" in each and "gate" in each] == ["Expert / gate / h"]
    assert [each for each in told if "Shared" in each] == ["Shared / expert / 3*h*d_shared"]
    assert "sigmoid" in told
    weighed, sum_of_both = [[mark for mark in group.marks if isinstance(mark, Operation) and mark.sign == s] for s in "×+"]
    assert [len(weighed), len(sum_of_both)] == [2, 1], "the weights of the router, the weight of the gate"
    [expert] = [mark.place for mark in group.marks if isinstance(mark, Box) and mark.part.endswith("shared_expert")]
    assert max(weighed, key=lambda sign: sign.x).x == expert.middle


@pytest.mark.parametrize(("number", "active"), [(8, 2), (16, 1), (64, 6), (256, 8), (1_000, 8), (10, 10), (7, 3), (1, 1)])
def test_as_many_cells_are_dark_as_experts_are_active(number, active):
    assert len(chosen(number, active)) == active
    assert chosen(number, active) <= set(range(number))
    assert grid(number, 60.0).width <= 60.0


def test_of_a_trillion_experts_the_first_row_and_the_last_are_worked_out_alone():
    dark = chosen(10**12, 10**11)
    assert len(dark) == 2 * MOST
    ends = (*range(40), *range(10**11 - 40, 10**11))
    tenths = {share * 10 + (7 * share * share + 3 * share + 5) % 10 for share in ends}
    drawn = {*range(32), *range(10**12 - 32, 10**12)}
    assert dark & drawn == tenths & drawn


def test_labels_are_what_was_asked_for():
    assert printed(of("gpt2", "decoder.feed_forward", labels="none")) == ["Up", "GELU", "Down"]
    assert printed(of("gpt2", "decoder.feed_forward", labels="count"))[0] == "Up / 2,362,368"
    assert printed(of("gpt2", "decoder.feed_forward", labels="formula"))[0] == "Up / h*d_ff + d_ff"
    assert printed(of("llama", "decoder.feed_forward"))[-1] == "Down / d_ff*h"


def test_a_panel_in_chinese():
    assert printed(of("bert-base-chinese", "encoder.attention", language="zh"))[1:] == [
        "注意力，12 个头",
        "输出 / h*h + h = 590,592",
    ]


def own(component: Component, language: str = "en") -> DrawingContext:
    """A user's own model with one block in it, called its_block."""
    known = Architecture("own", title="Own", tree=block(its_block=component))
    sizes = {each.name: SIZES[each.name] for each in known.dimensions if each not in known.identities}
    return DrawingContext(derive(load(known, **sizes)), language)


SIZES = {"h": 64, "d_ff": 128, "n_heads": 8, "n_kv_heads": 2, "d_head": 8}
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
    "activated": replace(
        feed_forward(h, d_ff, activation="an_activation"),
        body=(*feed_forward(h, d_ff).body, ("activation", learned_activation(("alpha_p", "alpha_n")))),
    ),
    "gate_activated": replace(
        gated_feed_forward(h, d_ff),
        body=(*gated_feed_forward(h, d_ff).body, ("activation", learned_activation(("alpha",)))),
    ),
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
        assert_clean(context)
        assert panel(component, "its_block", context, 131.5) is not None, name


def test_a_learned_activation_is_a_box_among_the_others():
    context = own(ODD["activated"])
    assert printed(panel(ODD["activated"], "its_block", context, 120.5)) == [
        "Up / h*d_ff + d_ff = 8,320",
        "an_activation / 2 = 2",
        "Down / d_ff*h + h = 8,256",
    ]


def test_of_very_many_experts_the_first_and_the_last_are_shown():
    context = own(ODD["experts"])
    group = panel(ODD["experts"], "its_block", context, 131.5)
    assert [mark.number for mark in group.marks if isinstance(mark, Cells)] == [32, 32]


def test_a_block_of_a_users_own_has_its_parts_and_no_wire_is_guessed():
    odd = Component(Kind("odd", Role.OTHER), body=(("first_one", linear(h, d_ff)), ("second", linear(d_ff, h))))
    context = own(odd)
    group = panel(odd, "its_block", context, 120.5)
    assert printed(group) == ["First one / h*d_ff + d_ff = 8,320", "Second / d_ff*h + h = 8,256"]
    assert not [mark for mark in group.marks if isinstance(mark, Wire)]
    [frame] = [mark for mark in group.marks if isinstance(mark, Frame)]
    assert words(frame.lines) == "Its block"
    assert panel(linear(h, h), "its_block", context, 120.5) is None
