"""What is inside a block: every matrix once, with its count, and nothing over anything else, for every family."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

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
from symparams.drawings.architecture import outlined
from symparams.drawings.context import DrawingContext, Labels
from symparams.drawings.description import description
from symparams.drawings.marks import Box, Cells, Frame, Operation, Pill, Text, Wire
from symparams.drawings.panels import WIDTHS, panel, wish
from symparams.drawings.panels.cells import MOST, chosen, grid
from symparams.expressions.symbols import d_ff, d_head, h, n_heads, n_kv_heads
from symparams.sheets.catalogue import languages
from tests.drawings.clearances import Area, faults, words
from tests.strategies import models

PUBLISHED = [
    "deepseek-v3", "falcon-40b", "t5-small",  # latent attention and experts; parallel branches; attention to another stack
    "bert-base-uncased", "gpt2", "llama-3-8b", "jamba-v0.1", "mamba-130m", "deberta-v3-base", "vit-base-patch16-224",
    "deberta-base",  # biases beside the matrix of queries, keys and values
    "longformer-base-4096",  # queries, keys and values of global tokens
    "qwen3-next-80b-a3b",  # linear attention, and a gate of attention's output
]  # fmt: skip

GOLDEN = Path(__file__).parent / "golden"


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
        counts = [re.split("[ ：]", box.title)[-1].replace(",", "") for box in marks(Box, group)]
        if context.model.values and not context.is_users and sum(map(int, counts)) != context.step(path, component).value:
            yield f"{path} is not {counts}"


def without_panel(context):
    """Blocks of several matrices without a panel, or without a wire in it; not those whose matrices stand on towers."""
    for path, component in blocks(context.model.tree):
        if any(child.acts_on for _, child in component.children):
            continue
        group = panel(component, path, context, 131.5)
        if component.role is not Role.PARALLEL and (group is None or not marks(Wire, group)):
            yield path


def of(name, path="decoder.attention", width=120.5, language="en", labels="both"):
    context = DrawingContext(derive(name), language, Labels(labels))
    group = panel(dict(blocks(context.model.tree))[path], path, context, width)
    assert group is not None
    return group


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


QWEN2 = {"model_type": "qwen2", "architectures": ["Qwen2ForCausalLM"], "num_hidden_layers": 4}
SMOLLM3 = {"model_type": "smollm3", "architectures": ["SmolLM3ForCausalLM"], "num_hidden_layers": 8}
GPT_NEO = {"model_type": "gpt_neo", "architectures": ["GPTNeoForCausalLM"], "num_layers": 4}
GEMMA2 = {"model_type": "gemma2", "architectures": ["Gemma2Model"], "num_hidden_layers": 4}
FALCON = {"model_type": "falcon", "num_attention_heads": 71}
# Each has what no other has; of windows and of positions: in some layers, in all of them, in none.
TOLD = {
    "decoder.attention": [
        "gpt2", "llama-3-8b", "gemma-2-9b", "mistral-7b-v0.1", "mistral-7b-v0.3",
        QWEN2 | {"use_sliding_window": True, "max_window_layers": 2},
        GPT_NEO | {"attention_types": [[["global", "local"], 2]]},
        GPT_NEO | {"attention_types": [[["global"], 2], [["local"], 2]]},
        GEMMA2 | {"layer_types": ["sliding_attention", "full_attention"] * 2},
        GEMMA2 | {"layer_types": ["sliding_attention"] * 4},
        "smollm3-3b", "smollm3", SMOLLM3 | {"no_rope_layer_interval": 2},
        SMOLLM3 | {"no_rope_layers": [1, 1, 0, 0, 1, 1, 1, 1]},
        SMOLLM3 | {"no_rope_layers": [1] * 8}, SMOLLM3 | {"no_rope_layers": [0] * 8},
        "falcon-7b", FALCON | {"alibi": True}, FALCON | {"alibi": True, "multi_query": False}, "bloom-560m",
        "hunyuan-7b", "exaone-4.0-32b", "exaone-4.0-1.2b",
    ],
    "decoder.own.own_local.attention": ["gemma-4-e2b"],
    "decoder.own.own_global.attention": ["gemma-4-31b"],
    "decoder.own.own_local.experts": ["gemma-4-26b-a4b"],
    "decoder.sharing.shared_global.attention": ["gemma-4-e2b"],
    "decoder.sharing.shared_global.per_layer_gate": ["gemma-4-e2b"],
    "decoder.own.own_local.altup_prediction": ["gemma-3n-e2b"],
    "decoder.own.own_local.altup_correction": ["gemma-3n-e2b"],
    "decoder.own.own_local.laurel": ["gemma-3n-e2b"],
    "decoder.own.own_local.feed_forward": ["gemma-3n-e2b"],
    "encoder.attention": ["bert-base-uncased", "modernbert", "xlnet"],
    "decoder.moe_layers.attention": ["deepseek-v3", "deepseek-v2-lite"],
    "decoder.feed_forward": ["gpt2", "llama-3-8b"],
    "encoder.feed_forward": ["t5-small"],
    "encoder.gated_feed_forward": ["flan-t5-base", "mt5"],
    "decoder.moe_layers": ["deepseek-v3", "qwen2_moe"],
    "backbone.state_space": ["mamba-130m", "mamba2"],
    "decoder.mamba_sublayers.state_space": ["jamba-v0.1"],
    "decoder.convolution_layers.short_convolution": ["lfm2-350m"],
    "decoder.linear_attention_layers.linear_attention": ["minimax-text-01"],
    "decoder.time_mixing": ["rwkv-4-169m-pile"],
    "decoder.channel_mixing": ["rwkv-4-169m-pile"],
}  # fmt: skip


def said(subject, path, language):
    """A panel as text: its frame, its boxes and pills from below, its signs, cells and letters; what is read aloud of it."""
    group = of(subject, path, 131.5, language)
    signs = [mark.sign for mark in marks(Operation, group)]
    cells = [f"{len(each.active)} of {each.number}" for each in marks(Cells, group)]
    letters = [words((text,)) for text in sorted(marks(Text, group), key=lambda text: (text.x, text.y))]
    model = load(subject).symbolic()
    aloud = description(DrawingContext(derive(model), language), outlined(model))
    positions = dict.fromkeys(re.findall("[^,;.，；。]*(?:window|RoPE|ALiBi|rotary|窗口|旋转)[^,;.，；。]*", aloud))
    lines = [[frame.title for frame in marks(Frame, group)], printed(group), [*signs, *cells], letters, positions]
    return "\n".join([f"{subject} {path}", *("    " + " | ".join(line) for line in lines if line), ""])


@pytest.mark.parametrize("language", languages())
def test_what_stands_in_a_panel(language, golden):
    told = [said(subject, path, language) for path, subjects in TOLD.items() for subject in subjects]
    golden(GOLDEN / f"panels.{language}.txt", "\n".join(told))


def test_what_is_left_out_of_a_label():
    for labels, texts in (
        ("none", ["Up", "GELU", "Down"]),
        ("count", ["Up / 2,362,368", "GELU", "Down / 2,360,064"]),
        ("formula", ["Up / h*d_ff + d_ff", "GELU", "Down / d_ff*h + h"]),
    ):
        assert printed(of("gpt2", "decoder.feed_forward", labels=labels)) == texts
    [cards] = [box.cards for box in marks(Box, of("llama-3-8b", width=131.5)) if box.part.endswith("key_value")]
    assert cards == 2


def test_signs_of_weights_and_the_gate_of_a_shared_expert():
    group = of("qwen2_moe", "decoder.moe_layers", 131.5)
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
        "Up / h*d_ff + d_ff = 8,320", "an_activation / 2", "Down / d_ff*h + h = 8,256",
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
