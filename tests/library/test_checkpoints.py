"""Checkpoints that the library itself writes, of many classes, and modules: the tree beside what is stored."""

from __future__ import annotations

from pathlib import Path

import pytest

from symparams import load
from symparams.answers.checkpoints import verify
from symparams.checkpoints.files import read
from symparams.checkpoints.findings import Relation, Way
from symparams.checkpoints.modules import observed
from tests.library import require

require("torch", "transformers")

TINY = {
    "vocab_size": 96, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24,
    "max_position_embeddings": 32, "pad_token_id": 0,
}  # fmt: skip
GROUPED = {"num_key_value_heads": 1}
SHORT = {"n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": 32}
TWO_STACKS = {
    "d_model": 16, "encoder_layers": 2, "decoder_layers": 1, "encoder_attention_heads": 2, "decoder_attention_heads": 2,
    "encoder_ffn_dim": 24, "decoder_ffn_dim": 20,
}  # fmt: skip
TOWER = {"hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2}
LATENT = {
    "n_routed_experts": 4, "num_experts_per_tok": 2, "n_group": 1, "topk_group": 1, "moe_intermediate_size": 8,
    "q_lora_rank": 8, "kv_lora_rank": 8, "qk_rope_head_dim": 4, "qk_nope_head_dim": 4, "v_head_dim": 4,
    "first_k_dense_replace": 1, "num_key_value_heads": 2,
}  # fmt: skip
CLASSES = {
    "AlbertForMaskedLM": {"embedding_size": 8},
    "BartForConditionalGeneration": TWO_STACKS,
    "BertForMaskedLM": {},
    "BloomForCausalLM": {"n_layer": 2, "n_head": 2},
    "CLIPModel": {"text_config": {**TOWER, "vocab_size": 96}, "vision_config": {**TOWER, "image_size": 8, "patch_size": 4}},
    "DeepseekV3ForCausalLM": LATENT,
    "DistilBertForMaskedLM": {"dim": 16, "hidden_dim": 24, "n_layers": 2, "n_heads": 2},
    "FalconForCausalLM": {},
    "Gemma2ForCausalLM": {**GROUPED, "head_dim": 8},
    "GPT2LMHeadModel": SHORT,
    "GPTJForCausalLM": {**SHORT, "rotary_dim": 4},
    "GPTNeoXForCausalLM": {},
    "GptOssForCausalLM": {**GROUPED, "head_dim": 8, "num_local_experts": 4, "num_experts_per_tok": 2,
                          "layer_types": ["sliding_attention", "full_attention"]},
    "JambaForCausalLM": {**GROUPED, "num_experts": 4, "mamba_d_state": 4, "mamba_dt_rank": 4, "attn_layer_period": 2,
                         "attn_layer_offset": 1, "use_mamba_kernels": False},
    "LlamaForCausalLM": GROUPED,
    "MambaForCausalLM": {"state_size": 4},
    "MarianMTModel": {**TWO_STACKS, "decoder_start_token_id": 0},
    "MixtralForCausalLM": {**GROUPED, "num_local_experts": 4},
    "OPTForCausalLM": {"ffn_dim": 24, "word_embed_proj_dim": 16},
    "Phi3ForCausalLM": GROUPED,
    "Qwen2ForCausalLM": {**GROUPED, "tie_word_embeddings": True},
    "Qwen3MoeForCausalLM": {**GROUPED, "num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 8, "head_dim": 8},
    "T5ForConditionalGeneration": {"d_model": 16, "d_ff": 24, "d_kv": 8, "num_layers": 2, "num_heads": 2},
    "ViTForImageClassification": {"image_size": 8, "patch_size": 4},
    "WhisperForConditionalGeneration": {**TWO_STACKS, "decoder_start_token_id": 1, "bos_token_id": 1, "eos_token_id": 2},
    "XGLMForCausalLM": {"d_model": 16, "num_layers": 2, "attention_heads": 2, "ffn_dim": 24},
}  # fmt: skip


def built(name):
    import transformers

    transformers.logging.set_verbosity_error()
    kind = getattr(transformers, name)
    return kind(kind.config_class(**{**TINY, **CLASSES[name]}))


@pytest.mark.parametrize("name", CLASSES)
def test_what_the_library_saves_is_the_tree(name, tmp_path):
    module = built(name)
    module.save_pretrained(tmp_path)
    model, checkpoint = load(str(tmp_path)), read(tmp_path)
    compared = verify(model, checkpoint)
    assert compared.match, compared.differences
    assert compared.stored == compared.here
    assert checkpoint.bytes == sum(file.stat().st_size for file in Path(tmp_path).glob("*.safetensors"))
    assert sum(size for _, size in compared.bytes) == checkpoint.bytes
    assert verify(model, observed(name, lambda: module)).match


def test_experts_that_a_module_stacks_are_saved_one_by_one(tmp_path):
    built("MixtralForCausalLM").save_pretrained(tmp_path)
    ways = {finding.ways for finding in verify(load(str(tmp_path)), read(tmp_path)).findings}
    assert ways == {(), (Way.SPLIT, Way.UNSTACKED), (Way.UNSTACKED,)}


def test_files_with_an_index(tmp_path):
    built("GPT2LMHeadModel").save_pretrained(tmp_path, max_shard_size="8KB")
    checkpoint = read(tmp_path)
    assert checkpoint.files > 1
    assert verify(load(str(tmp_path)), checkpoint).match


def test_a_tie_that_is_broken_and_a_tie_that_is_not_in_the_tree():
    import torch

    module = built("GPT2LMHeadModel")
    config = module.config.to_dict() | {"architectures": ["GPT2LMHeadModel"]}
    tied, untied = load(config), load(config, exclude=["tying"])
    [difference] = verify(untied, observed("module", lambda: module)).differences
    assert (difference.relation, difference.difference) == (Relation.TIED_THERE, -96 * 16)
    module.lm_head.weight = torch.nn.Parameter(module.lm_head.weight.detach().clone())
    [difference] = verify(tied, observed("module", lambda: module)).differences
    assert (difference.relation, difference.difference) == (Relation.TIE_BROKEN, 96 * 16)
    assert verify(untied, observed("module", lambda: module)).match


def test_a_module_that_registers_its_head_first():
    import torch

    module = built("GPT2LMHeadModel")
    first = torch.nn.Module()
    first.lm_head, first.transformer = module.lm_head, module.transformer
    compared = verify(load(module.config.to_dict() | {"architectures": ["GPT2LMHeadModel"]}), observed("module", lambda: first))
    assert compared.match
