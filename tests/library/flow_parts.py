"""Where the library keeps the parts of a layer: by family the stacks of its tree, their layers there and the parts of each.

The table of a family says it under ``[library.names]``; here stands what a flow needs besides.

A part is named as the tree names it, in the order of data. It reads what goes into one module and gives what comes out of
one: mostly the same, but a norm or a sum within a module of the library, as BERT's ``attention.output``, stands apart in
the tree. A layer is that of the first stack all of whose modules it has, ``nn.Identity`` being none; so one family has
dense layers and layers with experts, and Falcon three kinds of layer. Where what mixes tokens and what feeds forward take
turns of their own, as in Jamba, a layer is in two stacks: the one ends where the other starts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from symparams import load
from symparams.components import Component
from symparams.components.flow import layers
from symparams.models.library.record import Modules, find


@dataclass(frozen=True)
class Part:
    """What goes into the module ``reads`` and what comes out of ``gives``, times the sigmoid of what comes out of ``gate``.

    ``encoder`` is the argument in which the module is given what the encoder has written. A part with a ``factor`` reads what
    comes out of ``gives``, and gives it times this array of the layer. A module whose data are an image has ``channels_first``.
    ``encoder`` is the argument in which the module is given what the encoder has written; ``besides`` is another part of the
    model whose output the layer is given for it.
    One with ``windows`` reads the windows of an image, and gives them. One that reads several ``argument``s reads this one,
    less what the layer's argument ``less`` adds to it, and makes its ``values`` of what the part ``of`` gives.
    One with ``windows`` reads the windows of an image, and gives them. What is ``before`` the module ``gives`` gives what comes
    into that.
    """

    reads: str
    gives: str
    gate: str = ""
    encoder: str = ""
    factor: str = ""
    channels_first: bool = False
    besides: str = ""
    windows: bool = False
    argument: str = ""
    less: str = ""
    values: str = ""
    of: str = ""
    before: bool = False

    @property
    def modules(self) -> tuple[str, ...]:
        return tuple(name for name in (self.reads, self.gives, self.gate) if name)


@dataclass(frozen=True)
class Stack:
    """The block at ``path`` in the tree; its layers in the library, * being their numbers; the parts of each.

    A stack of sublayers starts with what the module ``starts`` reads, and ends with what the module ``ends`` reads. What goes
    through layers with ``channels_first`` is an image. Layers of two kinds with the same parts have ``windows`` or none.
    A stack of sublayers starts with what the module ``starts`` reads, and ends with what the module ``ends`` reads. Stacks
    whose layers have the same modules differ in ``attributes`` of these. What is given as ``second`` is a second stream.
    whose layers have the same modules differ in ``attributes`` of these. With ``streams`` the first side of what goes through
    them is that of several streams: a part that reads one reads the first, and what it gives is added to the others. What has
    been given before the part that is ``divided`` reads it is that much less from then on.
    """

    path: str
    layers: str
    parts: dict[str, Part]
    starts: str = ""
    ends: str = ""
    windows: bool | None = None
    channels_first: bool = False
    attributes: tuple[tuple[str, str, bool], ...] = ()
    second: str = ""
    streams: bool = False
    divided: tuple[str, float] | None = None

    def holds(self, name: str) -> bool:
        """Whether a module of this name is one of the layers, whatever prefix the class gives it."""
        return bool(re.fullmatch(r"(.*\.)?" + re.escape(self.layers).replace(r"\*", "[0-9]+"), name))


def parts(**modules: str | Part) -> dict[str, Part]:
    """The parts of a layer by name: a module, or what it reads > what it gives."""
    return {name: module if isinstance(module, Part) else _part(module) for name, module in modules.items()}


def _part(module: str) -> Part:
    reads, _, gives = module.partition(" > ")
    return Part(reads, gives or reads)


def cross(module: str) -> Part:
    return Part(module, module, encoder="key_value_states")


def pre_norm(attention_norm: str, attention: str, feed_forward_norm: str, feed_forward: str) -> dict[str, Part]:
    """Four parts in the order of most decoders."""
    return parts(
        attention_norm=attention_norm, attention=attention, feed_forward_norm=feed_forward_norm, feed_forward=feed_forward
    )


def post_norm(attention: str, attention_norm: str, feed_forward: str, feed_forward_norm: str) -> dict[str, Part]:
    """The same with each norm after its part."""
    return parts(
        attention=attention, attention_norm=attention_norm, feed_forward=feed_forward, feed_forward_norm=feed_forward_norm
    )


def one_norm(layer_norm: str, attention: str, feed_forward: str) -> dict[str, Part]:
    """One norm, whose output attention and feed-forward both read."""
    return parts(layer_norm=layer_norm, attention=attention, feed_forward=feed_forward)


STATES, CROSS = "encoder_hidden_states", 2 * ["crossattention"]
LLAMA = pre_norm("input_layernorm", "self_attn", "post_attention_layernorm", "mlp")
GPT2 = pre_norm("ln_1", "attn", "ln_2", "mlp")
GPT2_CROSSING = GPT2 | parts(cross_attention_norm="ln_cross_attn", cross_attention=Part(*CROSS, encoder=STATES))
# The modules of BLOOM and of MPT's feed-forward add x themselves: what they give is what their last layer gives.
BLOOM = pre_norm(
    "input_layernorm",
    "self_attention > self_attention.dense",
    "post_attention_layernorm",
    "mlp.dense_h_to_4h > mlp.dense_4h_to_h",
)
MPT = pre_norm("norm_1", "attn", "norm_2", "ffn.up_proj > ffn.down_proj")
FALCON = pre_norm("input_layernorm", "self_attention", "post_attention_layernorm", "mlp")
FALCON_TWO_NORMS = pre_norm("ln_attn", "self_attention", "ln_mlp", "mlp")
FALCON_ONE_NORM = parts(attention_norm="input_layernorm", attention="self_attention", feed_forward="mlp")
STABLELM_ONE_NORM = parts(attention_norm="input_layernorm", attention="self_attn", feed_forward="mlp")
GEMMA2 = parts(
    attention_norm="input_layernorm",
    attention="self_attn",
    post_attention_norm="post_attention_layernorm",
    feed_forward_norm="pre_feedforward_layernorm",
    feed_forward="mlp",
    post_feed_forward_norm="post_feedforward_layernorm",
)
GEMMA4_EXPERTS = GEMMA2 | parts(
    feed_forward_branch_norm="post_feedforward_layernorm_1",
    experts=Part("router", "experts"),
    experts_branch_norm="post_feedforward_layernorm_2",
)
OWN_INPUT = {
    "per_layer_gate": Part("per_layer_input_gate", "per_layer_projection", besides="per_layer_inputs"),
    "post_per_layer_gate_norm": Part(*2 * ["post_per_layer_input_norm"]),
}
OWN_INPUT_OF_TEXT = GEMMA2 | {
    **OWN_INPUT,
    "per_layer_gate": replace(OWN_INPUT["per_layer_gate"], besides="text_model.per_layer_inputs"),
}
ALTUP = OWN_INPUT | parts(
    altup_prediction="altup.predicting",
    attention_norm="input_layernorm",
    laurel="laurel.linear_left > laurel.linear_right",
    post_laurel_norm="laurel.post_laurel_norm",
    attention="self_attn",
    post_attention_norm="post_attention_layernorm",
    feed_forward_norm="pre_feedforward_layernorm",
    feed_forward="mlp",
    post_feed_forward_norm="post_feedforward_layernorm",
    altup_correction=Part(*2 * ["altup.correcting"], besides="altup_prediction"),
    correction_scale="altup.scaling",
)
CLIP = pre_norm("layer_norm1", "self_attn", "layer_norm2", "mlp")
DINO_ATTENTION = {"attention_norm": "norm1", "attention": "attention", "attention_layer_scale": "layer_scale1"}
DINO = parts(**DINO_ATTENTION, feed_forward_norm="norm2", feed_forward="mlp", feed_forward_layer_scale="layer_scale2")
GATED_DINO = parts(
    **DINO_ATTENTION,
    feed_forward_norm="norm2",
    gated_feed_forward="mlp.gate_proj > mlp",
    feed_forward_layer_scale="layer_scale2",
)
QWEN2_VL = pre_norm("norm1", "attn", "norm2", "mlp")
INTERNVIT = parts(
    attention_norm="layernorm_before",
    attention="attention",
    attention_layer_scale=Part("attention", "attention", factor="lambda_1"),
    feed_forward_norm="layernorm_after",
    feed_forward="mlp",
    feed_forward_layer_scale=Part("mlp", "mlp", factor="lambda_2"),
)
JAMBA_TURN = "pre_ff_layernorm"
JAMBA_MIXERS = {
    "attention_sublayers": parts(attention_norm="input_layernorm", attention="self_attn"),
    "mamba_sublayers": parts(state_space_norm="input_layernorm", state_space="mamba"),
}
JAMBA_FEED_FORWARDS = {
    "expert_sublayers": parts(feed_forward_norm=JAMBA_TURN, experts="feed_forward.experts"),
    "feed_forward_sublayers": parts(feed_forward_norm=JAMBA_TURN, feed_forward="feed_forward"),
}

EXPERTS = parts(
    attention_norm="input_layernorm", attention="self_attn", feed_forward_norm="post_attention_layernorm", experts="mlp"
)
GRANITE_EXPERTS = EXPERTS | parts(experts="block_sparse_moe")
RWKV = parts(time_mixing_norm="ln1", time_mixing="attention", channel_mixing_norm="ln2", channel_mixing="feed_forward")
LIGHTNING = parts(
    linear_attention_norm="input_layernorm",
    linear_attention="self_attn.qkv_proj > self_attn.out_proj",
    feed_forward_norm="post_attention_layernorm",
    experts="mlp",
)
ROUTED_EXPERTS = EXPERTS | parts(experts="mlp.experts")
SHARED_EXPERTS = EXPERTS | parts(experts="mlp.experts", shared_experts="mlp.shared_experts")
# The router reads what the experts do, which are given it times their scores.
LLAMA4_EXPERTS = EXPERTS | parts(
    experts="feed_forward.router > feed_forward.experts", shared_expert="feed_forward.shared_expert"
)
LLAMA4_DENSE = pre_norm("input_layernorm", "self_attn", "post_attention_layernorm", "feed_forward")
SHARED_EXPERT = EXPERTS | parts(
    experts="mlp.experts", shared_expert=Part("mlp.shared_expert", "mlp.shared_expert", gate="mlp.shared_expert_gate")
)


BERT = post_norm(
    "attention.self > attention.output.dense",
    "attention.output.LayerNorm",
    "intermediate > output.dense",
    "output.LayerNorm",
)
MPNET = post_norm("attention.attn", "attention.LayerNorm", "intermediate > output.dense", "output.LayerNorm")
NOMIC_BERT = post_norm("self_attn", "post_attention_layernorm", "mlp", "post_mlp_layernorm")
BERT_CROSSING = BERT | parts(
    cross_attention=Part("crossattention.self", "crossattention.output.dense", encoder=STATES),
    cross_attention_norm="crossattention.output.LayerNorm",
)
ALBERT = post_norm("attention > attention.dense", "attention.LayerNorm", "ffn > ffn_output", "full_layer_layer_norm")
# XLNet's projection of the heads is a bare matrix, whose product passes through the dropout, the last of two calls.
XLNET = post_norm("rel_attn > rel_attn.dropout", "rel_attn.layer_norm", "ff.layer_1 > ff.layer_2", "ff.layer_norm")

ESM = pre_norm("attention.LayerNorm", "attention.self > attention.output.dense", "LayerNorm", "intermediate > output.dense")
BART_FEED_FORWARD = "fc1 > fc2"
BART_ENCODER = post_norm("self_attn", "self_attn_layer_norm", BART_FEED_FORWARD, "final_layer_norm")
BART_DECODER = parts(
    attention="self_attn",
    attention_norm="self_attn_layer_norm",
    cross_attention=cross("encoder_attn"),
    cross_attention_norm="encoder_attn_layer_norm",
    feed_forward=BART_FEED_FORWARD,
    feed_forward_norm="final_layer_norm",
)
MBART_ENCODER = pre_norm("self_attn_layer_norm", "self_attn", "final_layer_norm", BART_FEED_FORWARD)
MBART_DECODER = parts(
    attention_norm="self_attn_layer_norm",
    attention="self_attn",
    cross_attention_norm="encoder_attn_layer_norm",
    cross_attention=cross("encoder_attn"),
    feed_forward_norm="final_layer_norm",
    feed_forward=BART_FEED_FORWARD,
)
T5_ENCODER = parts(
    attention_norm="layer.0.layer_norm",
    attention="layer.0.SelfAttention",
    feed_forward_norm="layer.1.layer_norm",
    feed_forward="layer.1.DenseReluDense.wi > layer.1.DenseReluDense",
)
T5_DECODER = parts(
    attention_norm="layer.0.layer_norm",
    attention="layer.0.SelfAttention",
    cross_attention_norm="layer.1.layer_norm",
    cross_attention=cross("layer.1.EncDecAttention"),
    feed_forward_norm="layer.2.layer_norm",
    feed_forward="layer.2.DenseReluDense.wi > layer.2.DenseReluDense",
)


def gated(layer: dict[str, Part]) -> dict[str, Part]:
    """T5's layer where the feed-forward has a gate, and another name in the tree."""
    *others, (_, module) = layer.items()
    return dict(others) | parts(gated_feed_forward=f"{module.reads}_0 > {module.gives}")


def decoder(layers: str, *kinds: dict[str, Part]) -> tuple[Stack, ...]:
    return tuple(Stack("decoder", layers, kind) for kind in kinds)


def encoder(layers: str, *kinds: dict[str, Part]) -> tuple[Stack, ...]:
    return tuple(Stack("encoder", layers, kind) for kind in kinds)


def with_experts(experts: dict[str, Part]) -> tuple[Stack, ...]:
    """Layers with these parts and layers with none of the experts, wherever in the stack they stand."""
    return Stack("decoder.moe_layers", "layers.*", experts), Stack("decoder.dense_layers", "layers.*", LLAMA)


def in_turn(mixers: dict[str, dict[str, Part]], network: dict[str, Part]) -> tuple[Stack, ...]:
    """Layers that differ by what mixes tokens, and have the same network after it."""
    return tuple(Stack(f"decoder.{name}", "layers.*", mixer | network) for name, mixer in mixers.items())


def in_composite(stacks: tuple[Stack, ...]) -> tuple[Stack, ...]:
    """The layers of Qwen's image encoder, and those of a text model that reads what it makes of an image."""
    text = (replace(stack, path=f"text_model.{stack.path}", layers=f"language_model.{stack.layers}") for stack in stacks)
    return Stack("image_encoder.encoder", "visual.blocks.*", QWEN2_VL), *text


def reads_images(tower: str, layer: dict[str, Part], decoder_layer: dict[str, Part]) -> tuple[Stack, ...]:
    """The layers of an image encoder and of the text model that reads what it makes of an image."""
    return (
        Stack("image_encoder.encoder", tower, layer),
        Stack("text_model.decoder", "language_model.layers.*", decoder_layer),
    )


TOWER = "vision_tower.encoder.layers.*"
JAMBA = (
    *(Stack(f"decoder.{name}", "layers.*", parts, ends=JAMBA_TURN) for name, parts in JAMBA_MIXERS.items()),
    *(Stack(f"decoder.{name}", "layers.*", parts, starts=JAMBA_TURN) for name, parts in JAMBA_FEED_FORWARDS.items()),
)
BAMBA = (
    Stack("decoder.attention_layers", "layers.*", pre_norm("input_layernorm", "self_attn", "pre_ff_layernorm", "feed_forward")),
    Stack(
        "decoder.mamba_layers",
        "layers.*",
        parts(
            state_space_norm="input_layernorm",
            state_space="mamba",
            feed_forward_norm="pre_ff_layernorm",
            feed_forward="feed_forward",
        ),
    ),
)
ATTENDS = parts(attention_norm="input_layernorm", attention="self_attn")
QWEN3_NEXT_TURN = "post_attention_layernorm"
QWEN3_NEXT_MIXERS = {
    "linear_attention_sublayers": parts(linear_attention_norm="input_layernorm", linear_attention="linear_attn"),
    "attention_sublayers": ATTENDS,
}
QWEN3_NEXT_FEED_FORWARDS = {
    "expert_sublayers": parts(
        feed_forward_norm=QWEN3_NEXT_TURN, experts="mlp.experts", shared_expert=SHARED_EXPERT["shared_expert"]
    ),
    "feed_forward_sublayers": parts(feed_forward_norm=QWEN3_NEXT_TURN, feed_forward="mlp"),
}
QWEN3_NEXT = (
    *(Stack(f"decoder.{name}", "layers.*", parts, ends=QWEN3_NEXT_TURN) for name, parts in QWEN3_NEXT_MIXERS.items()),
    *(Stack(f"decoder.{name}", "layers.*", parts, starts=QWEN3_NEXT_TURN) for name, parts in QWEN3_NEXT_FEED_FORWARDS.items()),
)
DEEPSTACK = Stack(
    "deepstack",
    "visual.deepstack_merger_list.*",
    parts(layer_norm="norm", patch_merging="linear_fc1 > act_fn", output_projection="linear_fc2"),
    starts="norm",
)
QWEN3_VL_MOE = (DEEPSTACK, *in_composite(with_experts(EXPERTS | parts(experts="mlp.experts"))))
QWEN3_5 = {"linear_attention_layers": QWEN3_NEXT_MIXERS["linear_attention_sublayers"], "attention_layers": ATTENDS}
BAMBA_ATTENTION = parts(attention_norm="input_layernorm", attention="self_attn")
BAMBA_STATE_SPACE = parts(state_space_norm="input_layernorm", state_space="mamba")
BAMBA_NETWORK = parts(feed_forward_norm="pre_ff_layernorm", feed_forward="feed_forward")
NEMOTRON_H_EXPERTS = parts(feed_forward_norm="norm", experts="mixer > mixer.experts", shared_expert="mixer.shared_experts")
NEMOTRON_H = (
    Stack("decoder.moe_layers", "layers.*", NEMOTRON_H_EXPERTS | parts(experts="mixer > mixer.fc2_latent_proj")),
    Stack("decoder.moe_layers", "layers.*", NEMOTRON_H_EXPERTS),
    Stack("decoder.attention_layers", "layers.*", parts(attention_norm="norm", attention="mixer > mixer.o_proj")),
    Stack("decoder.mamba_layers", "layers.*", parts(state_space_norm="norm", state_space="mixer > mixer.out_proj")),
    Stack("decoder.dense_layers", "layers.*", parts(feed_forward_norm="norm", feed_forward="mixer > mixer.down_proj")),
)


def zamba(shared: str) -> tuple[Stack, ...]:
    """Layers with a transformer block of their own, with that of another layer, and without one."""
    names = ("input_layernorm", "self_attn", "pre_ff_layernorm", "feed_forward")
    state_space = {"state_space_norm": "input_layernorm", "state_space": "mamba"}
    hybrid = {
        "concatenation": Part(shared, f"{shared}.input_layernorm", before=True, besides="embeddings.token_embedding"),
        **pre_norm(*(f"{shared}.{name}" for name in names)),
        **parts(hybrid_projection="linear", **{name: f"mamba_decoder.{module}" for name, module in state_space.items()}),
    }
    return (
        Stack("decoder.hybrid_layers", "layers.1", hybrid),
        Stack("decoder.hybrid_shared_layers", "layers.2", hybrid),
        Stack("decoder.mamba_layers", "layers.*", parts(**state_space)),
    )


FALCON_H1 = parts(mixer_norm="input_layernorm", attention="self_attn", state_space="mamba") | BAMBA_NETWORK
GRANITE_4_EXPERTS = parts(feed_forward_norm="post_attention_layernorm", experts="block_sparse_moe", shared_expert="shared_mlp")
GRANITE_4_NETWORK = parts(feed_forward_norm="post_attention_layernorm", feed_forward="shared_mlp")


def attention_and_mamba(*networks: dict[str, Part]) -> tuple[Stack, ...]:
    """Layers that attend and layers with a state space, each before one of these networks."""
    return tuple(
        Stack(f"decoder.{name}", "layers.*", mixer | network)
        for name, mixer in (("attention_layers", BAMBA_ATTENTION), ("mamba_layers", BAMBA_STATE_SPACE))
        for network in networks
    )


LOCAL_AND_GLOBAL = {"local": True, "global": False}


def sharing(*kinds: dict[str, Part]) -> tuple[Stack, ...]:
    """Local and global layers, of those that make keys and values and of those that share them."""
    return tuple(
        Stack(
            f"decoder.{stack.format(name)}",
            "layers.*",
            kind,
            attributes=(is_local, ("self_attn", "is_kv_shared_layer", shares)),
        )
        for stack, shares in (("own.own_{}", False), ("sharing.shared_{}", True))
        for name, is_local in ((name, ("self_attn", "is_sliding", value)) for name, value in LOCAL_AND_GLOBAL.items())
        for kind in kinds
    )


LFM2_TURN = "ffn_norm"
LFM2_MIXERS = {
    "convolution_sublayers": parts(short_convolution_norm="operator_norm", short_convolution="conv"),
    "attention_sublayers": parts(attention_norm="operator_norm", attention="self_attn"),
}
LFM2_NETWORKS = {
    "expert_sublayers": parts(feed_forward_norm=LFM2_TURN, experts="feed_forward.experts"),
    "feed_forward_sublayers": parts(feed_forward_norm=LFM2_TURN, feed_forward="feed_forward"),
}
LFM2_MOE = (
    *(Stack(f"decoder.{name}", "layers.*", parts, ends=LFM2_TURN) for name, parts in LFM2_MIXERS.items()),
    *(Stack(f"decoder.{name}", "layers.*", parts, starts=LFM2_TURN) for name, parts in LFM2_NETWORKS.items()),
)
BERTS = ("bert", "roberta", "xlm_roberta", "electra")

T5 = (
    *encoder("encoder.block.*", T5_ENCODER, gated(T5_ENCODER)),
    *decoder("decoder.block.*", T5_DECODER, gated(T5_DECODER)),
)
BART = (*encoder("encoder.layers.*", BART_ENCODER), *decoder("decoder.layers.*", BART_DECODER))
MBART = (*encoder("encoder.layers.*", MBART_ENCODER), *decoder("decoder.layers.*", MBART_DECODER))

CONVNEXT = parts(
    depthwise_convolution=Part("dwconv", "dwconv", channels_first=True),
    layer_norm="layernorm",
    feed_forward="pwconv1 > pwconv2",
    layer_scale=Part("pwconv2", "pwconv2", factor="layer_scale_parameter"),
)


DINOV3_CONVNEXT = parts(
    depthwise_convolution=Part("depthwise_conv", "depthwise_conv", channels_first=True),
    layer_norm="layer_norm",
    feed_forward="pointwise_conv1 > pointwise_conv2",
    layer_scale=Part("pointwise_conv2", "pointwise_conv2", factor="gamma"),
)
CONVNEXT_UNSCALED = {name: part for name, part in CONVNEXT.items() if name != "layer_scale"}


SWIN = pre_norm("layernorm_before", "attention", "layernorm_after", "mlp") | {
    "attention": Part("attention", "attention", windows=True)
}


SAM = pre_norm("layer_norm1", "attn", "layer_norm2", "mlp") | {"attention": Part("attn", "attn", windows=True)}


def windows_and_whole(encoder: str) -> tuple[Stack, ...]:
    """The layers of SAM's image encoder that attend within windows, and those that attend to the whole image."""
    return tuple(
        Stack(f"{encoder}.{path}", "vision_encoder.layers.*", SAM, windows=windows)
        for path, windows in (("window_layers", True), ("whole_layers", False))
    )


def attending(module: str, less: str = "", of: str = "x", besides: str = "") -> Part:
    """Attention that is given queries, keys and values, positions with the first two."""
    return Part(module, module, argument="query", less=less, values="value", of=of, besides=besides)


def two_way(self_attention: Part) -> dict[str, Part]:
    """SAM's layer on two streams, tokens and image."""
    return parts(
        attention=self_attention,
        attention_norm="layer_norm1",
        cross_attention=attending("cross_attn_token_to_image", "query_point_embedding", "y", "image vectors"),
        cross_attention_norm="layer_norm2",
        feed_forward="mlp",
        feed_forward_norm="layer_norm3",
        image_attention=attending("cross_attn_image_to_token", "key_point_embedding", "feed_forward_norm", "token vectors"),
        image_attention_norm="layer_norm4",
    )


FIRST_TWO_WAY, TWO_WAY = two_way(attending("self_attn")), two_way(attending("self_attn", "query_point_embedding"))
LAST_ATTENTION = "final_attn_token_to_image"
LAST = {"final_attention": attending(LAST_ATTENTION, "point_embeddings", "y", "image vectors")} | parts(
    final_attention_norm="layer_norm_final_attn"
)
TRANSFORMER = "mask_decoder.transformer"
MASK_DECODER = (
    *(
        Stack(
            f"mask_decoder.{path}",
            f"{TRANSFORMER}.layers.*",
            kind,
            attributes=(("", "skip_first_layer_pe", first),),
            second="keys",
        )
        for path, kind, first in (("first_two_way_layer", FIRST_TWO_WAY, True), ("two_way_layers", TWO_WAY, False))
    ),
    Stack("mask_decoder.final_layer", TRANSFORMER, LAST, starts=LAST_ATTENTION, second="value"),
)

SPEECH = pre_norm("layer_norm", "attention", "final_layer_norm", "feed_forward")
ADAPTED_SPEECH = SPEECH | parts(
    language_adapter_norm="adapter_layer.norm", language_adapter="adapter_layer.linear_1 > adapter_layer.linear_2"
)


def of_stages(stages: str, *kinds: dict[str, Part]) -> tuple[Stack, ...]:
    """The four stages of an image encoder, whose layers are convolutions."""
    return tuple(
        Stack(f"stage_{n + 1}", f"{stages}.{n}.layers.*", kind, channels_first=True) for n in range(4) for kind in kinds
    )


BOTTLENECK, *SHORTCUT = (
    Part(name, name, channels_first=True) for name in ("layer", "shortcut.convolution", "shortcut.normalization")
)
RESNET = tuple(
    Stack(
        f"resnet.stage_{n + 1}{ending}",
        f"backbone.model.encoder.stages.{n}.layers.*",
        kind,
        ends="activation",
        channels_first=True,
    )
    for n in range(4)
    for ending, kind in (
        ("_first", {"bottleneck": BOTTLENECK, "shortcut": SHORTCUT[0], "shortcut_norm": SHORTCUT[1]}),
        ("", {"bottleneck": BOTTLENECK}),
    )
)
DETR = (
    *RESNET,
    Stack("encoder", "encoder.layers.*", post_norm("self_attn", "self_attn_layer_norm", "mlp", "final_layer_norm")),
    Stack(
        "decoder.layers",
        "decoder.layers.*",
        parts(
            attention="self_attn",
            attention_norm="self_attn_layer_norm",
            cross_attention=cross("encoder_attn"),
            cross_attention_norm="encoder_attn_layer_norm",
            feed_forward="mlp",
            feed_forward_norm="final_layer_norm",
        ),
    ),
)


# The families whose layers have parts that are no module of the library, or come in several kinds by a switch.
STACKS: dict[str, tuple[Stack, ...]] = {
    "gpt2": decoder("h.*", GPT2_CROSSING, GPT2),
    **dict.fromkeys(("olmoe", "phimoe", "minimax_m2"), decoder("layers.*", EXPERTS)),
    "granitemoe": decoder("layers.*", GRANITE_EXPERTS),
    "granitemoeshared": decoder("layers.*", GRANITE_EXPERTS | parts(shared_expert="shared_mlp"), GRANITE_EXPERTS),
    **dict.fromkeys(("deepseek_v2", "deepseek_v3", "deepseek_v32", "glm4_moe"), with_experts(SHARED_EXPERTS)),
    **dict.fromkeys(BERTS, encoder("encoder.layer.*", BERT_CROSSING, BERT)),
    "mpnet": encoder("encoder.layer.*", MPNET),
    "nomic_bert": encoder("layers.*", NOMIC_BERT),
    "esm": encoder("encoder.layer.*", ESM),
    "longformer": encoder("encoder.layer.*", BERT),
    **dict.fromkeys(("deberta", "deberta_v2"), encoder("encoder.layer.*", BERT)),
    **dict.fromkeys(("t5", "mt5"), T5),
    **dict.fromkeys(("bart", "marian"), BART),
    **dict.fromkeys(("mbart", "pegasus", "m2m_100", "whisper"), MBART),
    "albert": encoder("encoder.albert_layer_groups.*.albert_layers.*", ALBERT),
    "bloom": decoder("h.*", BLOOM),
    "llava": reads_images(TOWER, CLIP, LLAMA),
    "paligemma": (*reads_images(TOWER, CLIP, GEMMA2), *reads_images(TOWER, CLIP, LLAMA)),
    "gemma3": reads_images(TOWER, CLIP, GEMMA2),
    "internvl_vision": encoder("encoder.layer.*", INTERNVIT),
    "internvl": reads_images("vision_tower.encoder.layer.*", INTERNVIT, LLAMA),
    **dict.fromkeys(("qwen2_vl", "qwen2_5_vl"), reads_images("visual.blocks.*", QWEN2_VL, LLAMA)),
    "qwen3_vl": (DEEPSTACK, *reads_images("visual.blocks.*", QWEN2_VL, LLAMA)),
    "qwen3_vl_moe": QWEN3_VL_MOE,
    **dict.fromkeys(("dinov2", "dinov2_with_registers"), encoder("encoder.layer.*", GATED_DINO, DINO)),
    "dinov3_vit": encoder("model.layer.*", GATED_DINO, DINO),
    "swin": tuple(Stack(f"stage_{n + 1}", f"encoder.layers.{n}.blocks.*", SWIN) for n in range(4)),
    "sam_vision_model": windows_and_whole("encoder"),
    "detr": DETR,
    "sam": (*windows_and_whole("image_encoder.encoder"), *MASK_DECODER),
    "convnext": of_stages("encoder.stages", CONVNEXT, CONVNEXT_UNSCALED),
    "dinov3_convnext": of_stages("model.stages", DINOV3_CONVNEXT),
    "falcon": decoder("h.*", FALCON_TWO_NORMS, FALCON, FALCON_ONE_NORM),
    "gemma4_unified_text": sharing(GEMMA2),
    "gemma4_text": sharing(GEMMA2 | OWN_INPUT, GEMMA4_EXPERTS, GEMMA2),
    "gemma3n_text": tuple(replace(stack, streams=True, divided=("feed_forward_norm", 0.5**0.5)) for stack in sharing(ALTUP)),
    "gemma4": (
        Stack("image_encoder.encoder", "encoder.layers.*", GEMMA2),
        *(
            replace(stack, path=f"text_model.{stack.path}", layers="language_model.layers.*")
            for stack in sharing(OWN_INPUT_OF_TEXT, GEMMA4_EXPERTS, GEMMA2)
        ),
    ),
    "jamba": JAMBA,
    "nemotron_h": NEMOTRON_H,
    "zamba": zamba("shared_transf"),
    "zamba2": zamba("shared_transformer"),
    "falcon_h1": decoder("layers.*", FALCON_H1),
    "bamba": attention_and_mamba(BAMBA_NETWORK),
    "granitemoehybrid": attention_and_mamba(GRANITE_4_EXPERTS, GRANITE_4_NETWORK),
    "lfm2_moe": LFM2_MOE,
    "minimax": (
        Stack("decoder.linear_attention_layers", "layers.*", LIGHTNING),
        Stack("decoder.attention_layers", "layers.*", EXPERTS),
    ),
    "mpt": decoder("blocks.*", MPT),
    "qwen2_moe": with_experts(SHARED_EXPERT),
    "qwen3_next": QWEN3_NEXT,
    "llama4": (
        Stack("image_encoder.encoder", "vision_model.model.layers.*", LLAMA),
        Stack("text_model.decoder.moe_layers", "language_model.model.layers.*", LLAMA4_EXPERTS),
        Stack("text_model.decoder.dense_layers", "language_model.model.layers.*", LLAMA4_DENSE),
    ),
    "llama4_text": (
        Stack("decoder.moe_layers", "layers.*", LLAMA4_EXPERTS),
        Stack("decoder.dense_layers", "layers.*", LLAMA4_DENSE),
    ),
    "qwen3_5": in_composite(in_turn(QWEN3_5, QWEN3_NEXT_FEED_FORWARDS["feed_forward_sublayers"])),
    "qwen3_5_moe": in_composite(in_turn(QWEN3_5, QWEN3_NEXT_FEED_FORWARDS["expert_sublayers"])),
    "qwen3_5_moe_text": in_turn(QWEN3_5, QWEN3_NEXT_FEED_FORWARDS["expert_sublayers"]),
    "qwen3_5_text": in_turn(QWEN3_5, QWEN3_NEXT_FEED_FORWARDS["feed_forward_sublayers"]),
    "qwen3_moe": with_experts(ROUTED_EXPERTS),
    "hunyuan_v1_moe": decoder("layers.*", ROUTED_EXPERTS | parts(shared_expert="mlp.shared_mlp")),
    "ernie4_5_moe": (Stack("decoder.moe_layers", "layers.*", SHARED_EXPERTS), *with_experts(ROUTED_EXPERTS)),
    **dict.fromkeys(("qwen3_moe", "qwen3_vl_moe_text"), with_experts(EXPERTS | parts(experts="mlp.experts"))),
    "rwkv": (Stack("decoder", "blocks.*", RWKV, starts="ln1"),),  # before the first layer stands one more norm, within it
    "stablelm": decoder("layers.*", LLAMA, STABLELM_ONE_NORM),
    "xlnet": encoder("layer.*", XLNET),
    **dict.fromkeys(("wav2vec2", "hubert"), encoder("encoder.layers.*", ADAPTED_SPEECH, SPEECH)),
}


@cache
def stacks(family: str) -> tuple[Stack, ...]:
    """The stacks of a family as they stand here, or as its table names its parts; those of the most parts first."""
    if family in STACKS:
        return STACKS[family]
    model = load(family)
    assert model.library is not None
    modules = model.library.names.modules_of("", model.present)
    named = [
        Stack(path, _place(modules, path), parts(**{name: _modules(modules, f"{path}.{name}", part) for name, part in inside}))
        for path, inside in ((path, layer.children) for path, layer in layers(model.tree))
    ]
    return tuple(sorted(named, key=lambda stack: -len(stack.parts)))


def _place(modules: Modules, path: str) -> str:
    """The layers of a stack, * being their numbers."""
    steps = path.split(".")
    names = (_row(modules, ".".join(steps[: length + 1])) for length in range(len(steps)))
    return re.sub(r"\{.\}", "*", ".".join(filter(None, names)))


def _modules(modules: Modules, path: str, part: Component) -> str:
    """The module of a part; where its matrices stand in the layer itself, the first of them and the last."""
    inside = [name for name, _ in part.children]
    return _row(modules, path) or " > ".join(_row(modules, f"{path}.{name}") for name in (inside[0], inside[-1]))


def _row(modules: Modules, path: str) -> str:
    found = find(modules, path)
    assert found, f"{path} has no module"
    return found[1].names[0]
