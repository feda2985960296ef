"""Modules by their names and shapes, and the components that they are."""

from math import prod

import pytest

import symparams
from symparams import discover, load
from symparams.atlas import entries, kinds
from symparams.atlas.architectures import _own, architecture
from symparams.components.walks import components
from symparams.discovery.arrays import has_the_arrays
from symparams.discovery.parts import ArrayRule, Part
from symparams.discovery.recognition import recognised
from symparams.expressions.nodes import Dimension
from tests.sweeps import DISCOVERED, swept

SIZES = {
    "h": 64,
    "d_ff": 160,
    "n_heads": 4,
    "n_kv_heads": 2,
    "n_experts": 6,
    "n_active": 2,
    "r_kv": 24,
    "d_v": 12,
    "d_state": 20,
}


def attention(h, q, kv, inside="attn.", names=("q_proj", "k_proj", "v_proj", "o_proj")):
    query, key, value, output = (f"{inside}{name}.weight" for name in names)
    return {query: (q, h), key: (kv, h), value: (kv, h), output: (h, q)}


def whole(h):
    return attention(h, h, h)


def bert(h, d_ff):
    names = ("self.query", "self.key", "self.value", "output.dense")
    norms = {"attention.output.norm.weight": (h,), "output.norm.weight": (h,)}
    return (
        attention(h, h, h, "attention.", names)
        | norms
        | {"intermediate.dense.weight": (d_ff, h), "output.dense.weight": (h, d_ff)}
    )


def grouped(h, n_heads, n_kv_heads):
    d = h // n_heads
    return attention(h, n_heads * d, n_kv_heads * d) | {"attn.q_norm.weight": (d,), "attn.k_norm.weight": (d,)}


def fused(h):
    return {"attn.qkv.weight": (3 * h, h), "attn.qkv.bias": (3 * h,), "attn.proj.weight": (h, h), "attn.proj.bias": (h,)}


def gated(h, d_ff):
    return {"mlp.gate_proj.weight": (d_ff, h), "mlp.up_proj.weight": (d_ff, h), "mlp.down_proj.weight": (h, d_ff)}


def gate_and_up(h, d_ff):
    return {"mlp.gate_up_proj.weight": (2 * d_ff, h), "mlp.down_proj.weight": (h, d_ff)}


def plain(h, d_ff):
    return {"fc1.weight": (d_ff, h), "fc1.bias": (d_ff,), "fc2.weight": (h, d_ff), "fc2.bias": (h,)}


def cross(h):
    return attention(h, h, h, "encoder_attn.") | {"encoder_attn_layer_norm.weight": (h,)}


def experts(h, d_ff, n_experts):
    arrays = {"mlp.experts.gate_up_proj": (n_experts, 2 * d_ff, h), "mlp.experts.down_proj": (n_experts, h, d_ff)}
    shared = {name.replace("mlp", "mlp.shared_experts"): shape for name, shape in gated(h, 2 * d_ff).items()}
    return {"mlp.gate.weight": (n_experts, h)} | arrays | shared


def chosen(h, d_ff, n_experts, n_active):
    return experts(h, d_ff, n_experts)


def latent(h, n_heads, r_kv, d_v):
    return {
        "attn.q_proj.weight": (n_heads * (d_v + 8), h),
        "attn.kv_a_proj_with_mqa.weight": (r_kv + 8, h),
        "attn.kv_a_layernorm.weight": (r_kv,),
        "attn.kv_b_proj.weight": (n_heads * 2 * d_v, r_kv),
        "attn.o_proj.weight": (h, n_heads * d_v),
    }


def mamba(h, n_heads, d_state):
    inner, channels = 2 * h, 2 * h + 2 * d_state
    heads = {f"mamba.{name}": (n_heads,) for name in ("dt_bias", "A_log", "D")}
    kernel = {"mamba.conv1d.weight": (channels, 1, 4), "mamba.conv1d.bias": (channels,), "mamba.norm.weight": (inner,)}
    return heads | kernel | {"mamba.in_proj.weight": (inner + channels + n_heads, h), "mamba.out_proj.weight": (h, inner)}


def torch_attention(h):
    inputs = {"attn.in_proj_weight": (3 * h, h), "attn.in_proj_bias": (3 * h,)}
    return inputs | {"attn.out_proj.weight": (h, h), "attn.out_proj.bias": (h,)}


def key_and_value_in_one(h):
    inputs = {"crossattention.q_attn.weight": (h, h), "crossattention.c_attn.weight": (2 * h, h)}
    return inputs | {"crossattention.c_proj.weight": (h, h)}


def queries_with_gates(h, n_heads, n_kv_heads, d_v):
    return attention(h, n_heads * d_v, n_kv_heads * d_v) | {"attn.q_proj.weight": (2 * n_heads * d_v, h)}


FOUND = [
    (whole, {"attention": "attention"}),
    (bert, {"attention": "attention", "feed_forward": "feed_forward"}),
    (grouped, {"attention": "grouped_query_attention"}),
    (fused, {"attention": "fused_attention"}),
    (gated, {"feed_forward": "gated_feed_forward"}),
    (gate_and_up, {"feed_forward": "fused_gated_feed_forward"}),
    (plain, {"feed_forward": "feed_forward"}),
    (cross, {"cross_attention": "attention"}),
    (torch_attention, {"attention": "fused_attention"}),
    (chosen, {"experts": "expert_feed_forward", "shared_experts": "gated_feed_forward"}),
    (experts, {"shared_experts": "gated_feed_forward"}),  # of which nothing says how many a token uses
    (latent, {"attention": "latent_attention"}),
    (mamba, {"state_space": "dual_state_space"}),
    (key_and_value_in_one, {"cross_attention": "fused_cross_attention"}),
    (queries_with_gates, {"attention": "partly_biased_attention"}),
    # a name that fits, and a size that does not
    (lambda h: attention(h, h, 2 * h), {}),
    (lambda h: whole(h) | {"attn.A_log": (h,)}, {}),  # with what a recurrence has
    (lambda h, d_ff: gated(h, d_ff) | {"mlp.down_proj.weight": (h, 2 * d_ff)}, {}),
    (lambda h, d_ff: plain(h, d_ff) | {"fc2.weight": (2 * h, d_ff), "fc2.bias": (2 * h,)}, {}),
]


def sublayers(tree):
    return {path.rpartition(".")[2]: part.kind.name for path, part in components(tree) if part.is_sublayer}


@pytest.mark.parametrize(("build", "kinds"), FOUND)
def test_modules_are_recognised_by_names_and_sizes(build, kinds):
    names = build.__code__.co_varnames[: build.__code__.co_argcount]
    sizes = {name: SIZES[name] for name in names}

    def stacked(**values):
        return {"other.weight": (7, values["h"])} | {
            f"layers.{i}.{name}": shape for i in range(values.pop("L")) for name, shape in build(**values).items()
        }

    found = discover(stacked, L=2, **sizes)
    assert sublayers(found.tree) == kinds
    values = {letter: 2 * size for letter, size in sizes.items()}
    count = sum(map(prod, stacked(L=3, **values).values()))
    assert (
        load(
            found,
            L=3,
            **{name: value for name, value in values.items() if name in {letter.name for letter in found.dimensions}},
        ).count()
        == count
    )


@pytest.mark.parametrize("kind", swept(kinds(), DISCOVERED))
def test_the_arrays_stay_what_they_are(kind):
    for name, entry in entries(kind).items():
        assert has_the_arrays(architecture(entry).tree, [_own(entry.part)]), name
        if entry.default:
            assert load({"model_type": kind, "architectures": [name]}).count(frozen=True) == entry.default


def whole_model(V, h, d_ff, L, n_heads):
    """A decoder within a base, a tied head beside it, networks that stand in the layers themselves."""
    around = {"model.embed_tokens.weight": (V, h), "model.norm.weight": (h,), "lm_head.weight": "model.embed_tokens.weight"}
    norms = {"input_layernorm.weight": (h,), "post_attention_layernorm.weight": (h,)}
    layer = attention(h, h, h, "self_attn.") | plain(h, d_ff) | norms
    return around | {f"model.layers.{i}.{name}": shape for i in range(L) for name, shape in layer.items()}


def test_parts_are_called_by_the_terms_of_the_field():
    model = load(discover(whole_model, V=96, h=64, d_ff=160, L=2, n_heads=4), V=96, h=64, d_ff=160, L=3, n_heads=4)
    assert [name for name, _ in model.tree.children] == ["token_embedding", "final_norm", "layers", "lm_head"]
    parts = ["attention", "feed_forward", "attention_norm", "feed_forward_norm"]
    assert [name for name, _ in model.tree.child("layers").children] == parts
    assert model.leaf("lm_head").component.tensors[0].tied_to == "token_embedding"
    assert "[query, key, value]" in symparams.render(symparams.derive(model), "text")
    assert "feed_forward=feed_forward(h, d_ff" in symparams.definition(model.architecture)


def test_what_no_two_models_have_is_one_part():
    def switched(h, d_ff, wide):
        network = gated(h, 2 * d_ff) if wide else plain(h, d_ff)
        return {"other.weight": (7, h), "norm.weight": (h,)} | {f"layer.{name}": shape for name, shape in network.items()}

    found = discover(switched, h=64, d_ff=160, wide=True)
    kinds = {on: sublayers(load(found, **{("include" if on else "exclude"): ["wide"]}).tree) for on in (True, False)}
    assert kinds == {True: {"feed_forward": "gated_feed_forward"}, False: {"feed_forward": "feed_forward"}}


def test_a_network_within_a_norm_is_none_of_the_layer():
    part = Part("norm", "GatedNorm", parts=tuple(linear(name, *sides) for name, sides in (("fc1", "rh"), ("fc2", "hr"))))
    layer = Part("layer", "Layer", parts=(part, linear("other", "h", "h")))
    assert sublayers(recognised(Part("", "Model", parts=(layer,)))) == {}


def linear(name, outputs, inputs):
    return Part(name, "Linear", arrays=(ArrayRule("weight", (Dimension(outputs), Dimension(inputs))),))


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("siglip2_vision_model", "attention=attention(h, n_heads, d_head=d_head, bias=True, causal=None)"),
        ("aimv2_vision_model", "patch_embedding=patch_embedding(h, n_channels, patch, patches=None)"),
        ("esmc", "relations={d_head: h / n_heads}"),  # which no builder of its attention says
        ("flint", "attend = with_sinks("),  # once for both kinds of layers
        ("doge", "decoder=L * decoder_layer"),
        ("informer", "distil * ((L_enc - 1) * "),
    ],
)
def test_a_definition_reads_as_if_it_were_written_by_hand(kind, says):
    found = architecture(next(iter(entries(kind).values())))
    text, defined = symparams.definition(found), {}
    exec(text, defined)  # noqa: S102 - our own text
    again = defined[found.name.upper()]
    values = {letter.name: 12 for letter in found.dimensions if letter not in again.known}
    assert says in text
    assert load(again, **values).count() == load(found, **values).count()
