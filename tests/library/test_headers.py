"""The headers of checkpoints that the library itself writes, of classes as unlike one another as there are.

Each is verified, and faults that are planted in it are named as what they are; tests/checkpoints/test_headers.py has those that
older releases, other programs and quantisers write.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from symparams import load
from symparams.checkpoints.files import read
from symparams.checkpoints.record import Checkpoint
from symparams.models.model import Model
from tests.checkpoints.faults import WORDS, unnamed
from tests.library import require
from tests.library.test_checkpoints import CLASSES, GROUPED, LATENT, SHORT, TINY, TOWER, TWO_STACKS

require("torch", "transformers")

T5 = {"d_model": 16, "d_ff": 24, "d_kv": 8, "num_layers": 2, "num_heads": 2}
TEXT = {**TOWER, "vocab_size": WORDS, "max_position_embeddings": 32}
IMAGES = {"image_size": 8, "patch_size": 4}
EXPERTS = {**GROUPED, "num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 8}
OTHERS: Mapping[str, Mapping[str, object]] = {
    "ApertusForCausalLM": GROUPED,
    "ArceeForCausalLM": GROUPED,
    "ASTForAudioClassification": {"max_length": 32, "num_mel_bins": 16},
    "BambaForCausalLM": {**GROUPED, "mamba_n_heads": 4, "mamba_d_state": 4, "mamba_n_groups": 1},
    "BeitModel": IMAGES,
    "BertForPreTraining": {},
    "BertForSequenceClassification": {},
    "BertModel": {},
    "BigBirdForMaskedLM": {"attention_type": "original_full"},
    "BlenderbotForConditionalGeneration": TWO_STACKS,
    "BlipForConditionalGeneration": {
        "text_config": {**TEXT, "encoder_hidden_size": 16, "projection_dim": 16},
        "vision_config": {**TOWER, **IMAGES},
    },
    "CamembertForMaskedLM": {},
    "CLIPTextModel": {},
    "CLIPVisionModel": IMAGES,
    "CodeGenForCausalLM": {**SHORT, "n_head": 4, "rotary_dim": 4},
    "CohereForCausalLM": GROUPED,
    "CTRLLMHeadModel": {**SHORT, "dff": 24},
    "DebertaV2ForMaskedLM": {"relative_attention": True, "pos_att_type": ["p2c", "c2p"], "position_biased_input": False},
    "DeepseekV2ForCausalLM": LATENT,
    "DeiTForImageClassification": IMAGES,
    "Dinov2Model": IMAGES,
    "ElectraForPreTraining": {"embedding_size": 8},
    "ErnieModel": {},
    "FalconMambaForCausalLM": {"state_size": 4},
    "FNetForMaskedLM": {},
    "Gemma3ForCausalLM": {**GROUPED, "head_dim": 8},
    "GemmaForCausalLM": {**GROUPED, "head_dim": 8},
    "GitForCausalLM": {"vision_config": {**TOWER, **IMAGES}},
    "Glm4ForCausalLM": {**GROUPED, "head_dim": 8},
    "GPT2ForSequenceClassification": SHORT,
    "GPTBigCodeForCausalLM": SHORT,
    "GPTNeoForCausalLM": {"num_layers": 2, "num_heads": 2, "attention_types": [[["global", "local"], 1]]},
    "GraniteForCausalLM": GROUPED,
    "LayoutLMForMaskedLM": {},
    "LlamaForSequenceClassification": GROUPED,
    "LongformerForMaskedLM": {"attention_window": 4},
    "M2M100ForConditionalGeneration": TWO_STACKS,
    "Mamba2ForCausalLM": {"state_size": 4, "num_heads": 4, "head_dim": 8, "n_groups": 1, "expand": 2},
    "MBartForConditionalGeneration": TWO_STACKS,
    "MistralForCausalLM": GROUPED,
    "ModernBertForMaskedLM": {},
    "MptForCausalLM": {"d_model": 16, "n_layers": 2, "n_heads": 2, "max_seq_len": 32},
    "MT5ForConditionalGeneration": T5,
    "NystromformerForMaskedLM": {},
    "Olmo2ForCausalLM": {},
    "OlmoeForCausalLM": {"num_experts": 4, "num_experts_per_tok": 2},
    "OpenAIGPTLMHeadModel": SHORT,
    "PegasusForConditionalGeneration": TWO_STACKS,
    "PersimmonForCausalLM": {},
    "PhiForCausalLM": {},
    "PhimoeForCausalLM": {**GROUPED, "num_local_experts": 4},
    "Qwen2MoeForCausalLM": {**EXPERTS, "shared_expert_intermediate_size": 12},
    "Qwen3ForCausalLM": {**GROUPED, "head_dim": 8},
    "RecurrentGemmaForCausalLM": GROUPED,
    "RobertaForMaskedLM": {},
    "RwkvForCausalLM": {"context_length": 32},
    "SiglipModel": {
        "text_config": {**TEXT, "projection_size": 16},
        "vision_config": {**TOWER, **IMAGES},
    },
    "SmolLM3ForCausalLM": GROUPED,
    "StableLmForCausalLM": GROUPED,
    "Starcoder2ForCausalLM": GROUPED,
    "T5EncoderModel": T5,
    "ViltModel": IMAGES,
    "XLMRobertaModel": {},
}  # fmt: skip
SAVED = {**CLASSES, **OTHERS}


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """``saved(class)`` is the model and the checkpoint of a class of the library, as it saves it."""
    import transformers

    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()

    def of(name: str) -> tuple[Model, Checkpoint]:
        folder = tmp_path_factory.mktemp(name)
        kind = getattr(transformers, name)
        kind(kind.config_class(**{**TINY, "vocab_size": WORDS, **SAVED[name]})).save_pretrained(folder)
        return load(str(folder)), read(folder)

    return of


@pytest.mark.parametrize("name", SAVED)
def test_what_the_library_saves(name, saved):
    assert unnamed(*saved(name)) == []
