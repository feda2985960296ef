"""What each part reads, and the order of parts that it makes."""

import pytest

from symparams import load
from symparams.atlas import entries
from symparams.atlas.record import read, written
from symparams.components import attention, block, feed_forward, rms_norm, unordered
from symparams.components.flow import equations
from symparams.discovery.order import Flow, order_of, ordered
from tests.refusals import refusal

PARTS = {"norm": rms_norm(8), "attention": attention(8, 2), "norm_2": rms_norm(8), "feed_forward": feed_forward(8, 32)}
X = ("x",)
PRE_NORM = [
    *[("norm", X), ("attention", ("norm",)), ("norm_2", ("x", "attention")), ("feed_forward", ("norm_2",))],
    ("out", ("x", "attention", "feed_forward")),
]
SIDE_BY_SIDE = [
    *[("norm", X), ("attention", ("norm",)), ("norm_2", X), ("feed_forward", ("norm_2",))],
    ("out", ("x", "attention", "feed_forward")),
]
POST_NORM = [
    *[("attention", X), ("norm", ("x", "attention")), ("feed_forward", ("norm",))],
    *[("norm_2", ("norm", "feed_forward")), ("out", ("norm_2",))],
]
ORDERS = [
    (PRE_NORM, [["+", "norm", "attention"], ["+", "norm_2", "feed_forward"]]),
    (SIDE_BY_SIDE, [["+", ["|", ["norm", "attention"], ["norm_2", "feed_forward"]]]]),
    (POST_NORM, [["+", "attention"], "norm", ["+", "feed_forward"], "norm_2"]),
]


@pytest.mark.parametrize(("readings", "order"), ORDERS)
def test_an_order_of_sums(readings, order):
    assert order_of(readings, PARTS) == order
    tree = block(layer=block(unordered(**PARTS)))
    assert set(equations(ordered(tree, {"layer": order}).child("layer"))) == set(readings)


def test_no_order_of_sums():
    assert order_of([*PRE_NORM[:-1], ("out", ("attention", "feed_forward"))], PARTS) is None


CONFIG = {
    **{"model_type": "iquestcoder", "architectures": ["LlamaForCausalLM"], "hidden_size": 64, "num_attention_heads": 4},
    **{"num_key_value_heads": 2, "intermediate_size": 96, "vocab_size": 100, "num_hidden_layers": 3, "head_dim": 16},
}


def test_a_discovered_decoder_answers_what_depends_on_its_flow():
    model = load(CONFIG)
    matrices = 3 * (64 * 64 * 2 + 64 * 32 * 2 + 3 * 64 * 96) + 64 * 100
    assert model.measure("forward_flops", b=1, s=10) == 2 * 10 * matrices + 3 * 2 * 2 * 10 * 10 * 64
    assert model.measure("kv_cache", b=1, t=10, e=2) == 3 * 2 * 32 * 10 * 2


def test_a_config_that_sets_a_key_on_which_the_flow_may_depend():
    scaled = {**CONFIG, "rope_parameters": {"rope_type": "yarn", "factor": 2.0}}
    assert "nobody saw what the parts" in refusal(load(scaled).measure, "kv_cache", b=1, t=10, e=2)


def test_a_flow_is_kept_with_its_entry():
    own = entries("iquestcoder")["LlamaForCausalLM"]
    assert isinstance(own.flow, Flow)
    assert read("iquestcoder", written([own]))["LlamaForCausalLM"].flow == own.flow
