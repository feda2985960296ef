"""Where the library keeps the parts of a layer: for each stack of a tree its layers there, and the modules of each part.

The table of a family says it under ``[library.names]``; here stands in what a forward pass differs from it.

A part is named as the tree names it, in the order of data. It reads what goes into one module and gives what comes out of
one: mostly the same, but a norm or a sum within a module of the library, as BERT's ``attention.output``, stands apart in
the tree. A layer is that of the first stack all of whose modules it has, ``nn.Identity`` being none. Where what mixes tokens
and what feeds forward take turns of their own, as in Jamba, a layer is in two stacks: the one ends where the other starts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from symparams.components import Component
from symparams.components.flow import layers
from symparams.models.library.record import Modules, find
from symparams.models.model import Model
from tests.library.flow_cases import alike


@dataclass(frozen=True)
class Part:
    """What goes into the module ``reads`` and what comes out of ``gives``, times the sigmoid of what comes out of ``gate``.

    A part with a ``factor`` reads what comes out of ``gives``, and gives it times this array of the layer. A module whose data
    are an image has ``channels_first``; one with ``windows`` reads the windows of an image, and gives them. ``encoder`` is the
    argument in which the module is given what the encoder has written; ``besides`` is another part of the model whose output
    the layer is given for it. One that reads several ``argument``s reads this one, less what the layer's argument ``less`` adds
    to it, and makes its ``values`` of what the part ``of`` gives. What is ``before`` the module ``gives`` gives what comes into
    that.
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
    through layers with ``channels_first`` is an image. Layers of two kinds with the same parts have ``windows`` or none, or
    differ in ``attributes`` of their modules. What is given as ``second`` is a second stream. With ``streams`` the first side
    of what goes through them is that of several streams: a part that reads one reads the first, and what it gives is added to
    the others. What has been given before the part that is ``divided`` reads it is that much less from then on.
    """

    path: str
    layers: str
    parts: Mapping[str, Part]
    starts: str = ""
    ends: str = ""
    windows: bool | None = None
    channels_first: bool = False
    attributes: tuple[tuple[str, str, bool], ...] = ()
    second: str = ""
    streams: bool = False
    divided: tuple[str, float] | None = None

    @property
    def modules(self) -> list[str]:
        return [module for part in self.parts.values() for module in part.modules]

    def holds(self, name: str) -> bool:
        """Whether a module of this name is one of the layers, whatever prefix the class gives it."""
        return bool(re.fullmatch(r"(.*\.)?" + re.escape(self.layers).replace(r"\*", "[0-9]+"), name))


def both(module: str, **facts: Any) -> Part:
    """A part that reads and gives what one module does."""
    return Part(module, module, **facts)


def attending(less: str = "", of: str = "x", besides: str = "") -> Part:
    """Attention that is given queries, keys and values, positions with the first two."""
    return both("{}", argument="query", less=less, values="value", of=of, besides=besides)


STATES, KEYS_VALUES = "encoder_hidden_states", "key_value_states"  # the arguments in which a decoder is given them
BERTS = {"attention": "{}.self > {}.output.dense", "cross_attention": Part("{}.self", "{}.output.dense", encoder=STATES)}
EXPERTS = {"experts": "{}.experts"}  # beside them stands, in the same module, what all tokens pass
SHARED_EXPERT = EXPERTS | {"shared_expert": both("{}.shared_expert", gate="{}.shared_expert_gate")}
DEEPSTACK = {"patch_merging": "{} > act_fn"}
SWIN = {"attention": both("{}", windows=True)}
SAM_LAST = "final_attn_token_to_image"
OWN_INPUT = {"per_layer_gate": Part("per_layer_input_gate", "per_layer_projection", besides="per_layer_inputs")}
CONFORMER = {
    "first_feed_forward": "{}.ffw_layer_1 > {}.ffw_layer_2",
    "second_feed_forward": "{}.ffw_layer_1 > {}.ffw_layer_2",
    "light_convolution": "{}.linear_start > {}.linear_end",
}
GEMMA4_EXPERTS = {"experts": Part("router", "experts")}
# Of families the parts that are other modules than those of the table, {}, or know more of them; by the ends of their paths.
OTHERWISE: Mapping[str, Mapping[str, str | Part]] = {
    **alike(BERTS, "bert roberta xlm_roberta electra esm longformer deberta deberta_v2"),
    **alike(EXPERTS, "deepseek_v2 deepseek_v3 deepseek_v32 glm4_moe qwen3_moe qwen3_vl_moe qwen3_vl_moe_text"),
    **alike(EXPERTS, "hunyuan_v1_moe ernie4_5_moe jamba lfm2_moe"),
    **alike(SHARED_EXPERT, "qwen2_moe qwen3_next qwen3_5_moe qwen3_5_moe_text"),
    # The router reads what the experts do, which are given it times their scores.
    **alike({"experts": "{}.router > {}.experts"}, "llama4 llama4_text"),
    **alike({"feed_forward": "{}.wi > {}", "gated_feed_forward": "{}.wi_0 > {}"}, "t5 mt5"),
    "gpt2": {"cross_attention": both("{}", encoder=STATES)},
    "mpnet": {"attention": "{}.attn"},
    "albert": {"attention": "{} > {}.dense"},
    # The modules of BLOOM and of MPT's feed-forward add x themselves: what they give is what their last layer gives.
    "bloom": {"attention": "{} > {}.dense", "feed_forward": "{}.dense_h_to_4h > {}.dense_4h_to_h"},
    "mpt": {"feed_forward": "{}.up_proj > {}.down_proj"},
    # XLNet's projection of the heads is a bare matrix, whose product passes through the dropout, the last of two calls.
    "xlnet": {"attention": "{} > {}.dropout", "feed_forward": "{}.layer_1 > {}.layer_2"},
    "minimax": {"linear_attention": "{}.qkv_proj > {}.out_proj"},
    "nemotron_h": {
        "attention": "{} > {}.o_proj",
        "state_space": "{} > {}.out_proj",
        "feed_forward": "{} > {}.down_proj",
        "experts": "{} > {}.experts",
        "shared_expert": "{}.shared_experts",
    },
    **alike(
        {
            "attention_layer_scale": both("attention", factor="lambda_1"),
            "feed_forward_layer_scale": both("mlp", factor="lambda_2"),
        },
        "internvl internvl_vision",
    ),
    "convnext": {
        "depthwise_convolution": both("{}", channels_first=True),
        "layer_scale": both("pwconv2", factor="layer_scale_parameter"),
    },
    "dinov3_convnext": {
        "depthwise_convolution": both("{}", channels_first=True),
        "layer_scale": both("pointwise_conv2", factor="gamma"),
    },
    "qwen3_vl": DEEPSTACK,
    "qwen3_vl_moe": DEEPSTACK | EXPERTS,
    **alike({"language_adapter": "{}.linear_1 > {}.linear_2"}, "wav2vec2 hubert"),
    "swin": SWIN,
    "sam_vision_model": SWIN,
    "sam": {
        "window_layers.attention": SWIN["attention"],
        "whole_layers.attention": SWIN["attention"],
        "first_two_way_layer.attention": attending(),
        "two_way_layers.attention": attending("query_point_embedding"),
        "cross_attention": attending("query_point_embedding", "y", "image vectors"),
        "image_attention": attending("key_point_embedding", "feed_forward_norm", "token vectors"),
        "final_attention": attending("point_embeddings", "y", "image vectors"),
    },
    "gemma4_text": OWN_INPUT | GEMMA4_EXPERTS,
    "gemma4_audio": CONFORMER,
    "gemma4": GEMMA4_EXPERTS
    | CONFORMER
    | {"per_layer_gate": replace(OWN_INPUT["per_layer_gate"], besides="text_model.per_layer_inputs")},
    "gemma3n_text": OWN_INPUT
    | {
        "altup_prediction": "altup.predicting",
        "laurel": "{}.linear_left > {}.linear_right",
        "altup_correction": both("altup.correcting", besides="altup_prediction"),
        "correction_scale": "altup.scaling",
    },
}
# The same where a model has a feature.
WITH: Mapping[tuple[str, str], Mapping[str, str | Part]] = {
    ("nemotron_h", "latent_experts"): {"experts": "{} > {}.fc2_latent_proj"},
}
# What is to be known of a stack besides its parts, by the family and the end of its path.
SHARED_OR_OWN = {
    f"{stack}_{reach}": {
        "attributes": (("self_attn", "is_sliding", reach == "local"), ("self_attn", "is_kv_shared_layer", stack == "shared"))
    }
    for stack in ("own", "shared")
    for reach in ("local", "global")
}
SAM_WINDOWS = {"window_layers": {"windows": True}, "whole_layers": {"windows": False}}
FACTS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    **alike({"": {"channels_first": True}}, "convnext dinov3_convnext"),
    **alike(SHARED_OR_OWN, "gemma4 gemma4_text gemma4_unified_text"),
    "gemma3n_text": {
        end: facts | {"streams": True, "divided": ("feed_forward_norm", 0.5**0.5)} for end, facts in SHARED_OR_OWN.items()
    },
    **alike({"deepstack": {"starts": "norm"}}, "qwen3_vl qwen3_vl_moe"),
    "rwkv": {"": {"starts": "ln1"}},  # before the first layer stands one more norm, within it
    "sam_vision_model": SAM_WINDOWS,
    "sam": SAM_WINDOWS
    | {
        "first_two_way_layer": {"attributes": (("", "skip_first_layer_pe", True),), "second": "keys"},
        "two_way_layers": {"attributes": (("", "skip_first_layer_pe", False),), "second": "keys"},
        "final_layer": {"starts": SAM_LAST, "second": "value"},
    },
}
# Where in a layer what mixes tokens ends and what feeds forward starts, if they take turns of their own.
TURNS = {"jamba": "pre_ff_layernorm", "lfm2_moe": "ffn_norm", "qwen3_next": "post_attention_layernorm"}


def read(text: str) -> Part:
    """A part as it is written above: a module, or what it reads > what it gives."""
    reads, _, gives = text.partition(" > ")
    return Part(reads, gives or reads)


def parts(**modules: str | Part) -> dict[str, Part]:
    """The parts of a layer by name."""
    return {name: module if isinstance(module, Part) else read(module) for name, module in modules.items()}


def zamba(shared: str) -> tuple[Stack, ...]:
    """Layers with a transformer block of their own, with that of another layer, and without one."""
    names = {
        "attention_norm": "input_layernorm",
        "attention": "self_attn",
        "feed_forward_norm": "pre_ff_layernorm",
        "feed_forward": "feed_forward",
    }
    state_space = {"state_space_norm": "input_layernorm", "state_space": "mamba"}
    hybrid = {
        "concatenation": Part(shared, f"{shared}.input_layernorm", before=True, besides="embeddings.token_embedding"),
        **parts(**{part: f"{shared}.{module}" for part, module in names.items()}),
        **parts(hybrid_projection="linear", **{name: f"mamba_decoder.{module}" for name, module in state_space.items()}),
    }
    return (
        Stack("decoder.hybrid_layers", "layers.1", hybrid),
        Stack("decoder.hybrid_shared_layers", "layers.2", hybrid),
        Stack("decoder.mamba_layers", "layers.*", parts(**state_space)),
    )


DETR_ENCODER = parts(
    attention="self_attn", attention_norm="self_attn_layer_norm", feed_forward="mlp", feed_forward_norm="final_layer_norm"
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
    Stack("encoder", "encoder.layers.*", DETR_ENCODER),
    Stack(
        "decoder.layers",
        "decoder.layers.*",
        parts(
            attention="self_attn",
            attention_norm="self_attn_layer_norm",
            cross_attention=both("encoder_attn", encoder=KEYS_VALUES),
            cross_attention_norm="encoder_attn_layer_norm",
            feed_forward="mlp",
            feed_forward_norm="final_layer_norm",
        ),
    ),
)


# The families whose layers are no stacks of the library, or have parts that its table does not name.
STACKS: Mapping[str, tuple[Stack, ...]] = {
    "detr": DETR,
    "zamba": zamba("shared_transf"),
    "zamba2": zamba("shared_transformer"),
}


def stacks(model: Model) -> tuple[Stack, ...]:
    """The stacks of a model; of those that could hold a layer, the one of the most parts and of the innermost modules first."""
    found = STACKS.get(model.family) or [_stack(model, path, layer) for path, layer in layers(model.tree)]
    return tuple(sorted(found, key=lambda stack: (-len(stack.parts), -sum(module.count(".") for module in stack.modules))))


def _stack(model: Model, path: str, layer: Component) -> Stack:
    assert model.library is not None
    modules = model.library.names.modules_of("", model.present)
    named = {name: _part(model, modules, f"{path}.{name}", part) for name, part in layer.children}
    facts = _of(FACTS.get(model.family, {}), path) or {}
    if turn := TURNS.get(model.family):
        facts = {"starts" if next(iter(named.values())).reads == turn else "ends": turn}
    return Stack(path, _place(modules, path), named, **facts)


def _part(model: Model, modules: Modules, path: str, part: Component) -> Part:
    tables = [WITH.get((model.family, feature), {}) for feature in sorted(model.present)]
    told = next(filter(None, (_of(table, path) for table in (*tables, OTHERWISE.get(model.family, {})))), None)
    written = told or Part("{}", "{}", encoder=KEYS_VALUES if part.reads else "")
    found = read(written) if isinstance(written, str) else written
    if all(module.count("{}") == 0 for module in found.modules):
        return found
    reads, gives = _modules(modules, path, part)
    return replace(found, reads=found.reads.format(reads), gives=found.gives.format(gives), gate=found.gate.format(reads))


def _of(table: Mapping[str, Any], path: str) -> Any:
    """What a table says of a path, by its end; "" is the end of each."""
    ends = sorted(table, key=len, reverse=True)
    return next((table[end] for end in ends if not end or f".{path}".endswith(f".{end}")), None)


def _place(modules: Modules, path: str) -> str:
    """The layers of a stack, * being their numbers."""
    steps = path.split(".")
    names = (_row(modules, ".".join(steps[: length + 1])) for length in range(len(steps)))
    return re.sub(r"\{.\}", "*", ".".join(filter(None, names)))


def _modules(modules: Modules, path: str, part: Component) -> tuple[str, str]:
    """The module of a part twice; where its matrices stand in the layer itself, the first of them and the last."""
    inside = [name for name, _ in part.children]
    one = _row(modules, path)
    return (one, one) if one else (_row(modules, f"{path}.{inside[0]}"), _row(modules, f"{path}.{inside[-1]}"))


def _row(modules: Modules, path: str) -> str:
    found = find(modules, path)
    assert found, f"{path} has no module"
    return found[1].names[0]
