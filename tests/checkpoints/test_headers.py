"""The headers of checkpoints as older releases, other programs, quantisers and llama.cpp write them.

Each is the same model under other names, in another order, or packed; each is verified, and faults that are planted in it are
named as what they are. tests/library/test_headers.py has those that the transformers library writes today.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pytest

from symparams import load
from symparams.checkpoints.record import Checkpoint, Shape, StoredTensor
from symparams.checkpoints.trees import arrays_of
from tests.checkpoints.faults import WORDS, unnamed
from tests.checkpoints.test_verify import fused, one_by_one, renamed

Shapes = dict[str, Shape]
Typed = Mapping[str, tuple[Shape, str]]
LLAMA = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "vocab_size": WORDS, "hidden_size": 64,
         "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 96}  # fmt: skip
GPT2 = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": WORDS, "n_embd": 64, "n_layer": 2,
        "n_head": 4, "n_positions": 32}  # fmt: skip
NEOX = {**LLAMA, "model_type": "gpt_neox", "architectures": ["GPTNeoXForCausalLM"]}
BERT = {**LLAMA, "model_type": "bert", "architectures": ["BertForPreTraining"], "max_position_embeddings": 32}
ROBERTA = {**BERT, "model_type": "roberta", "architectures": ["RobertaForMaskedLM"]}
T5 = {"model_type": "t5", "architectures": ["T5ForConditionalGeneration"], "vocab_size": WORDS, "d_model": 64, "d_ff": 96,
      "d_kv": 16, "num_layers": 2, "num_heads": 4}  # fmt: skip
BART = {"model_type": "bart", "architectures": ["BartForConditionalGeneration"], "vocab_size": WORDS, "d_model": 64,
        "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
        "encoder_ffn_dim": 96, "decoder_ffn_dim": 96, "max_position_embeddings": 32}  # fmt: skip
MIXTRAL = {**LLAMA, "model_type": "mixtral", "architectures": ["MixtralForCausalLM"], "num_local_experts": 4}
QWEN2 = {**LLAMA, "model_type": "qwen2", "architectures": ["Qwen2ForCausalLM"], "tie_word_embeddings": True}
GEMMA = {**LLAMA, "model_type": "gemma", "architectures": ["GemmaForCausalLM"], "head_dim": 16}
PHI = {**LLAMA, "model_type": "phi", "architectures": ["PhiForCausalLM"], "num_key_value_heads": 4}
GPT_OSS = {**LLAMA, "model_type": "gpt_oss", "architectures": ["GptOssForCausalLM"], "head_dim": 16, "num_local_experts": 4}
DEEPSEEK = {
    **LLAMA, "model_type": "deepseek_v3", "architectures": ["DeepseekV3ForCausalLM"], "n_routed_experts": 4,
    "num_experts_per_tok": 2, "n_group": 1, "topk_group": 1, "moe_intermediate_size": 32, "q_lora_rank": 32, "kv_lora_rank": 16,
    "qk_rope_head_dim": 8, "qk_nope_head_dim": 8, "v_head_dim": 8, "first_k_dense_replace": 1, "num_key_value_heads": 4,
}  # fmt: skip


def stored(config: Mapping[str, object]) -> Shapes:
    """What the library's class has: its own arrays, without what is never trained."""
    return {array.name: array.shape for array in arrays_of(load(config)) if not array.owner and array.trained}


def each_layer(name: str, shape: Shape) -> Shapes:
    """An array of each of the two layers."""
    return {name.replace("*", str(layer)): shape for layer in range(2)}


OLD: Mapping[str, tuple[Mapping[str, object], Callable[[Shapes], Shapes]]] = {
    "GPT-2 as it was published, with masks": (
        GPT2, lambda s: renamed(s, ("transformer.", "")) | each_layer("h.*.attn.bias", (1, 1, 32, 32)),
    ),
    "GPT-2 with its head a second time": (GPT2, lambda s: s | {"lm_head.weight": (WORDS, 64)}),
    "GPT-2 whose one table is called the head": (GPT2, lambda s: renamed(s, ("transformer.wte", "lm_head"))),
    "GPT-NeoX of 2022, with masks and frequencies": (
        NEOX,
        lambda s: renamed(s, ("lm_head", "embed_out"))
        | each_layer("gpt_neox.layers.*.attention.bias", (1, 1, 32, 32))
        | each_layer("gpt_neox.layers.*.attention.masked_bias", ())
        | each_layer("gpt_neox.layers.*.attention.rotary_emb.inv_freq", (4,)),
    ),
    "BERT of TensorFlow, gamma and beta": (
        BERT, lambda s: renamed(s, ("LayerNorm.weight", "LayerNorm.gamma"), ("LayerNorm.bias", "LayerNorm.beta")),
    ),
    "BERT with its head and positions stored": (
        BERT,
        lambda s: s
        | {"cls.predictions.decoder.weight": (WORDS, 64), "cls.predictions.decoder.bias": (WORDS,)}
        | {"bert.embeddings.position_ids": (1, 32)},
    ),
    "BERT without its prefix": (BERT, lambda s: renamed(s, ("bert.", ""))),
    "RoBERTa with positions and types of tokens": (
        ROBERTA,
        lambda s: s | {"roberta.embeddings.position_ids": (1, 32), "roberta.embeddings.token_type_ids": (1, 32)},
    ),
    "T5 with its table three times": (
        T5,
        lambda s: s | {f"{stack}.embed_tokens.weight": (WORDS, 64) for stack in ("encoder", "decoder")},
    ),
    "BART with its table four times": (
        BART,
        lambda s: s
        | {f"{name}.weight": (WORDS, 64) for name in ("model.encoder.embed_tokens", "model.decoder.embed_tokens", "lm_head")}
        | {"final_logits_bias": (1, WORDS)},
    ),
    "LLaMA of 2023, with frequencies": (
        LLAMA, lambda s: s | each_layer("model.layers.*.self_attn.rotary_emb.inv_freq", (8,)),
    ),
    "LLaMA of a program that wraps it twice": (LLAMA, lambda s: {f"module._orig_mod.{n}": shape for n, shape in s.items()}),
    "LLaMA without its prefix": (LLAMA, lambda s: renamed(s, ("model.", ""))),
    "LLaMA with fused matrices": (
        LLAMA,
        lambda s: fused(fused(s, ("q_proj", "k_proj", "v_proj"), "qkv_proj"), ("gate_proj", "up_proj"), "gate_up_proj"),
    ),
    "LLaMA of Meta": (
        LLAMA,
        lambda s: renamed(
            s, ("model.", ""), ("embed_tokens", "tok_embeddings"), ("self_attn", "attention"), ("q_proj", "wq"),
            ("k_proj", "wk"), ("v_proj", "wv"), ("o_proj", "wo"), ("mlp", "feed_forward"), ("gate_proj", "w1"),
            ("down_proj", "w2"), ("up_proj", "w3"), ("post_attention_layernorm", "ffn_norm"),
            ("input_layernorm", "attention_norm"), ("lm_head", "output"),
        ),
    ),
    "Mixtral as it was published, experts one by one": (MIXTRAL, one_by_one),
}  # fmt: skip


def gptq(outputs: int, inputs: int) -> Typed:
    """Eight numbers of four bits in one, along the inputs; groups of 32 inputs have a scale and a zero for each output."""
    groups = inputs // 32
    return {"qweight": ((inputs // 8, outputs), "I32"), "qzeros": ((groups, outputs // 8), "I32"),
            "scales": ((groups, outputs), "F16"), "g_idx": ((inputs,), "I32")}  # fmt: skip


def awq(outputs: int, inputs: int) -> Typed:
    """Eight numbers of four bits in one, along the outputs."""
    groups = inputs // 32
    return {"qweight": ((inputs, outputs // 8), "I32"), "qzeros": ((groups, outputs // 8), "I32"),
            "scales": ((groups, outputs), "F16")}  # fmt: skip


def nf4(outputs: int, inputs: int) -> Typed:
    """bitsandbytes: two numbers in a byte, in one column; the scales of blocks of 64 are quantised a second time."""
    blocks = outputs * inputs // 64
    return {"weight": ((outputs * inputs // 2, 1), "U8"), "weight.absmax": ((blocks,), "U8"),
            "weight.quant_map": ((16,), "F32"), "weight.nested_absmax": ((-(-blocks // 256),), "F32"),
            "weight.nested_quant_map": ((256,), "F32"),
            "weight.quant_state.bitsandbytes__nf4": ((90,), "U8")}  # fmt: skip


def int8(outputs: int, inputs: int) -> Typed:
    """LLM.int8 of bitsandbytes: a byte each, and a scale for each output."""
    return {"weight": ((outputs, inputs), "I8"), "SCB": ((outputs,), "F32"), "weight_format": ((), "U8")}


def fp8(outputs: int, inputs: int) -> Typed:
    """DeepSeek-V3: a byte each, and a scale for each block of 128 × 128."""
    blocks = -(-outputs // 128), -(-inputs // 128)
    return {"weight": ((outputs, inputs), "F8_E4M3"), "weight_scale_inv": (blocks, "F32")}


def fp8_static(outputs: int, inputs: int) -> Typed:
    """compressed-tensors: a byte each, one scale for the matrix, one for what it multiplies."""
    return {"weight": ((outputs, inputs), "F8_E4M3"), "weight_scale": ((1,), "BF16"), "input_scale": ((1,), "BF16")}


def int4(outputs: int, inputs: int) -> Typed:
    """compressed-tensors: eight numbers in one along the inputs, a scale for each group of 32, the shape beside them."""
    return {"weight_packed": ((outputs, inputs // 8), "I32"), "weight_scale": ((outputs, inputs // 32), "BF16"),
            "weight_shape": ((2,), "I64")}  # fmt: skip


QUANTISED: Mapping[str, tuple[Mapping[str, object], Callable[[int, int], Typed]]] = {
    "LLaMA by GPTQ": (LLAMA, gptq),
    "LLaMA by AWQ": (LLAMA, awq),
    "LLaMA by bitsandbytes, nf4": (LLAMA, nf4),
    "LLaMA by bitsandbytes, int8": (LLAMA, int8),
    "LLaMA by compressed-tensors, fp8": (LLAMA, fp8_static),
    "LLaMA by compressed-tensors, int4": (LLAMA, int4),
    "Qwen2, with biases, by GPTQ": (QWEN2, gptq),
    "DeepSeek-V3 in fp8": (DEEPSEEK, fp8),
}
LINEAR = ("self_attn", "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj", "experts")


def quantised(shapes: Shapes, layout: Callable[[int, int], Typed]) -> Typed:
    """The matrices of the layers in a layout, all else as it is."""
    found: dict[str, tuple[Shape, str]] = {}
    for name, shape in shapes.items():
        if name.endswith(".weight") and len(shape) == 2 and any(f".{part}" in name for part in LINEAR):
            found |= {f"{name.removesuffix('weight')}{end}": row for end, row in layout(*shape).items()}
        else:
            found[name] = shape, "BF16"
    return found


def mxfp4(shapes: Shapes) -> Typed:
    """gpt-oss: blocks of 32 numbers of four bits in 16 bytes, and a scale for each block."""
    found: dict[str, tuple[Shape, str]] = {}
    for name, shape in shapes.items():
        if name.endswith("_proj") and len(shape) == 3:
            experts, inputs, outputs = shape
            found |= {
                f"{name}_blocks": ((experts, outputs, inputs // 32, 16), "U8"),
                f"{name}_scales": ((experts, outputs, inputs // 32), "U8"),
            }
        else:
            found[name] = shape, "BF16"
    return found


LAYER = (
    ("model.layers", "blk"), ("self_attn.q_proj", "attn_q"), ("self_attn.k_proj", "attn_k"), ("self_attn.v_proj", "attn_v"),
    ("input_layernorm", "attn_norm"), ("post_attention_layernorm", "ffn_norm"),
)  # fmt: skip
GATED = (
    ("model.embed_tokens", "token_embd"), ("model.norm", "output_norm"), ("lm_head", "output"), *LAYER,
    ("self_attn.o_proj", "attn_output"), ("mlp.gate_proj", "ffn_gate"), ("mlp.up_proj", "ffn_up"),
    ("mlp.down_proj", "ffn_down"),
)  # fmt: skip


def in_expert_stacks(shapes: Shapes) -> Shapes:
    """llama.cpp's three stacks of experts: gate and up apart."""
    found: Shapes = {}
    for name, shape in shapes.items():
        before, is_experts, end = name.partition("mlp.experts.")
        if is_experts and end == "gate_up_proj":
            half = shape[0], shape[1] // 2, shape[2]
            found |= {f"{before}ffn_{part}_exps.weight": half for part in ("gate", "up")}
        else:
            found[f"{before}ffn_down_exps.weight" if is_experts else name] = shape
    return found


LLAMA_CPP: Mapping[str, tuple[Mapping[str, object], Callable[[Shapes], Shapes]]] = {
    "LLaMA as GGUF": (LLAMA, lambda s: renamed(s, *GATED) | {"rope_freqs.weight": (8,)}),
    "Qwen2 as GGUF": (QWEN2, lambda s: renamed(s, *GATED)),
    "Mixtral as GGUF": (MIXTRAL, lambda s: renamed(in_expert_stacks(s), *GATED, ("mlp.gate", "ffn_gate_inp"))),
    "Gemma as GGUF": (GEMMA, lambda s: renamed(s, *GATED)),
    "GPT-2 as GGUF, matrices on their side": (
        GPT2,
        lambda s: renamed(
            {name: shape[::-1] if ".c_" in name and len(shape) == 2 else shape for name, shape in s.items()},
            ("transformer.h", "blk"), ("transformer.wte", "token_embd"), ("transformer.wpe", "position_embd"),
            ("transformer.ln_f", "output_norm"), ("ln_1", "attn_norm"), ("ln_2", "ffn_norm"), ("attn.c_attn", "attn_qkv"),
            ("attn.c_proj", "attn_output"), ("mlp.c_fc", "ffn_up"), ("mlp.c_proj", "ffn_down"),
        ),
    ),
    "Phi-2 as GGUF": (
        PHI,
        lambda s: renamed(
            s, ("model.embed_tokens", "token_embd"), ("model.final_layernorm", "output_norm"), ("lm_head", "output"), *LAYER,
            ("self_attn.dense", "attn_output"), ("mlp.fc1", "ffn_up"), ("mlp.fc2", "ffn_down"),
        ),
    ),
    "BERT as GGUF, without its heads": (
        {**BERT, "architectures": ["BertModel"]},
        lambda s: renamed(
            s, ("embeddings.word_embeddings", "token_embd"), ("embeddings.position_embeddings", "position_embd"),
            ("embeddings.token_type_embeddings", "token_types"), ("embeddings.LayerNorm", "token_embd_norm"),
            ("encoder.layer", "blk"), ("attention.self.query", "attn_q"), ("attention.self.key", "attn_k"),
            ("attention.self.value", "attn_v"), ("attention.output.dense", "attn_output"),
            ("attention.output.LayerNorm", "attn_output_norm"), ("intermediate.dense", "ffn_up"), ("output.dense", "ffn_down"),
            ("output.LayerNorm", "layer_output_norm"), ("pooler.dense", "cls"),
        ),
    ),
}  # fmt: skip


def _rows() -> Iterator[tuple[str, Mapping[str, object], Typed]]:
    for name, (config, change) in (*OLD.items(), *LLAMA_CPP.items()):
        yield name, config, {array: (shape, "F16") for array, shape in change(stored(config)).items()}
    for name, (config, layout) in QUANTISED.items():
        shapes = stored(config) if config is not DEEPSEEK else one_by_one_gated(stored(config))
        yield name, config, quantised(shapes, layout)
    yield "gpt-oss in MXFP4", GPT_OSS, mxfp4(stored(GPT_OSS))


def one_by_one_gated(shapes: Shapes) -> Shapes:
    """Experts one by one, gate and up apart, as most releases are published."""
    found: Shapes = {}
    for name, shape in shapes.items():
        before, _, end = name.partition("experts.")
        for expert in range(shape[0] if end in ("gate_up_proj", "down_proj") else 0):
            inside = (
                {"gate_proj": (shape[1] // 2, shape[2]), "up_proj": (shape[1] // 2, shape[2])}
                if "gate" in end
                else {"down_proj": shape[1:]}
            )
            found |= {f"{before}experts.{expert}.{part}.weight": own for part, own in inside.items()}
        if end not in ("gate_up_proj", "down_proj"):
            found[name] = shape
    return found


ROWS = {name: (config, arrays) for name, config, arrays in _rows()}


@pytest.mark.parametrize("name", ROWS)
def test_a_header_is_verified_and_its_faults_are_named(name):
    config, arrays = ROWS[name]
    tensors = tuple(StoredTensor(array, shape, dtype) for array, (shape, dtype) in arrays.items())
    assert unnamed(load(config), Checkpoint(name, tensors)) == []
