"""The models whose flow is measured: every family, every class that leaves a stack out, every setting that moves data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Case:
    """A tiny model; ``times`` are the factors that parts have in the sums where those are not 1."""

    family: str
    class_name: str
    label: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    times: Mapping[str, float] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return " ".join(filter(None, (self.family, self.class_name, self.label)))


# Small enough for a forward pass in no time.
TINY = {
    "vocab_size": 40,
    "hidden_size": 16,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 24,
    "pad_token_id": 1,
    "bos_token_id": 2,
    "eos_token_id": 3,
}
POSITIONS = {"max_position_embeddings": 32}
GPT = {
    "vocab_size": 40,
    "n_embd": 16,
    "n_layer": 3,
    "n_head": 4,
    "n_inner": 24,
    "n_positions": 32,
    "bos_token_id": 2,
    "eos_token_id": 3,
}
BERT = TINY | POSITIONS
LLAMA = TINY | POSITIONS | {"num_key_value_heads": 2}
HEAD = LLAMA | {"head_dim": 4}
EXPERTS = LLAMA | {"num_experts_per_tok": 2, "moe_intermediate_size": 12}
MOE = EXPERTS | {"num_experts": 4}
DEEPSEEK = EXPERTS | {
    "num_key_value_heads": 4,
    "n_routed_experts": 4,
    "n_shared_experts": 2,
    "n_group": 2,
    "topk_group": 1,
    "first_k_dense_replace": 1,
    "q_lora_rank": 8,
    "kv_lora_rank": 8,
    "qk_nope_head_dim": 4,
    "qk_rope_head_dim": 2,
    "v_head_dim": 4,
}
GLM4_MOE = EXPERTS | {"head_dim": 4, "n_routed_experts": 4, "n_shared_experts": 2, "first_k_dense_replace": 1}
STACKS = {
    "vocab_size": 40,
    "d_model": 16,
    "encoder_layers": 2,
    "decoder_layers": 3,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 24,
    "decoder_ffn_dim": 20,
    "max_position_embeddings": 32,
    "pad_token_id": 1,
    "bos_token_id": 2,
    "eos_token_id": 3,
    "decoder_start_token_id": 2,
    "forced_eos_token_id": None,
}
WHISPER = {name: value for name, value in STACKS.items() if name != "max_position_embeddings"} | {
    "num_mel_bins": 6,
    "max_source_positions": 12,
    "max_target_positions": 32,
    "begin_suppress_tokens": None,
    "classifier_proj_size": 8,
}
T5 = {
    "vocab_size": 40,
    "d_model": 16,
    "d_kv": 4,
    "d_ff": 24,
    "num_layers": 2,
    "num_decoder_layers": 3,
    "num_heads": 4,
    "decoder_start_token_id": 2,
}
IMAGE = {
    "hidden_size": 16,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 24,
    "image_size": 12,
    "patch_size": 4,
}
CLIP = {"text_config": BERT, "vision_config": IMAGE, "projection_dim": 8}
# A text model that reads images: of twelve tokens the first nine are an image.
IMAGE_TOKEN, IMAGE_TOKENS = 4, 9
LLAVA = {"text_config": LLAMA, "vision_config": IMAGE, "image_token_index": IMAGE_TOKEN}
GEMMA3 = {
    "text_config": HEAD | {"num_hidden_layers": 4, "sliding_window": 4, "sliding_window_pattern": 2},
    "vision_config": IMAGE,
    "image_token_index": IMAGE_TOKEN,
    "mm_tokens_per_image": IMAGE_TOKENS,
}
VIDEO = {"depth": 3, "num_heads": 4, "patch_size": 4, "spatial_merge_size": 2, "temporal_patch_size": 2}
VIDEOS = {"text_config": LLAMA | {"rope_scaling": {"type": "mrope", "mrope_section": [1, 1]}}, "image_token_id": IMAGE_TOKEN}
QWEN2_VL = VIDEOS | {"vision_config": VIDEO | {"embed_dim": 16, "hidden_size": 16}}
QWEN2_5_VL = VIDEOS | {
    "vision_config": VIDEO
    | {"hidden_size": 16, "intermediate_size": 24, "out_hidden_size": 16, "window_size": 16, "fullatt_block_indexes": [2]}
}
FALCON = TINY | {"ffn_hidden_size": 24}
DISTILBERT = {"vocab_size": 40, "dim": 16, "n_layers": 3, "n_heads": 4, "hidden_dim": 24}
XLNET = {"vocab_size": 40, "d_model": 16, "n_layer": 3, "n_head": 4, "d_inner": 24}
MAMBA = {"vocab_size": 40, "hidden_size": 16, "num_hidden_layers": 3, "state_size": 4}
JAMBA = EXPERTS | {
    "num_hidden_layers": 4,
    "num_experts": 4,
    "attn_layer_period": 3,
    "attn_layer_offset": 1,
    "expert_layer_period": 2,
    "expert_layer_offset": 0,
    "mamba_d_state": 4,
}
IN_DOUBLE = {"residual_in_fp32": False}  # which would round x
DEBERTA = BERT | {"type_vocab_size": 0, "relative_attention": True, "pos_att_type": "p2c|c2p", "position_biased_input": False}
DEBERTA_V3 = DEBERTA | {"share_att_key": True, "position_buckets": 8, "norm_rel_ebd": "layer_norm"}

WINDOW = 4
FOUR_LAYERS = {"num_hidden_layers": 4}
SIX_LAYERS = {"num_hidden_layers": 6}
SLIDING = {"sliding_window": WINDOW}
MANY_SLIDING = FOUR_LAYERS | SLIDING | {"use_sliding_window": True}

ALTERNATING = ["full_attention", "sliding_attention"] * 2

CASES: tuple[Case, ...] = (
    # Pre-norm decoders
    Case("llama", "LlamaModel", settings=LLAMA),
    Case("llama", "LlamaForCausalLM", settings=LLAMA),
    Case("mistral", "MistralModel", "sliding_window", LLAMA | SLIDING),
    Case("mistral", "MistralModel", "no window", LLAMA | {"sliding_window": None}),
    Case("qwen2", "Qwen2Model", settings=LLAMA),
    Case("qwen2", "Qwen2Model", "layer_types", LLAMA | MANY_SLIDING | {"layer_types": ALTERNATING}),
    Case("qwen2", "Qwen2Model", "use_sliding_window", LLAMA | MANY_SLIDING | {"max_window_layers": 2}),
    Case("qwen3", "Qwen3Model", settings=HEAD),
    Case("qwen3", "Qwen3Model", "use_sliding_window", HEAD | MANY_SLIDING | {"max_window_layers": 2}),
    Case("gemma", "GemmaModel", settings=HEAD),
    Case("gemma", "GemmaModel", "use_bidirectional_attention", HEAD | {"use_bidirectional_attention": True}),
    Case("glm", "GlmModel", settings=HEAD),
    Case("granite", "GraniteModel", settings=LLAMA),
    Case(
        "granite",
        "GraniteModel",
        "residual_multiplier",
        LLAMA | {"residual_multiplier": 0.22},
        times={"attention": 0.22, "feed_forward": 0.22},
    ),
    Case("phi3", "Phi3Model", settings=LLAMA),
    Case("phi3", "Phi3Model", "sliding_window", LLAMA | SLIDING),
    Case("smollm3", "SmolLM3Model", settings=LLAMA | FOUR_LAYERS),
    Case("smollm3", "SmolLM3Model", "use_sliding_window", LLAMA | MANY_SLIDING | {"no_rope_layer_interval": 2}),
    Case("starcoder2", "Starcoder2Model", settings=LLAMA),
    Case("starcoder2", "Starcoder2Model", "sliding_window", LLAMA | SLIDING),
    Case("olmo", "OlmoModel", settings=LLAMA),
    Case("stablelm", "StableLmModel", settings=LLAMA),
    Case("gpt2", "GPT2Model", settings=GPT),
    Case("gpt2", "GPT2Model", "add_cross_attention", GPT | {"add_cross_attention": True}),
    # GPT-BigCode's cross-attention is built by the library, which cannot run it.
    Case("gpt_bigcode", "GPTBigCodeModel", settings=GPT),
    Case("gpt_bigcode", "GPTBigCodeModel", "no multi_query", GPT | {"multi_query": False}),
    Case(
        "gpt_neo",
        "GPTNeoModel",
        settings={
            "vocab_size": 40,
            "hidden_size": 16,
            "num_layers": 4,
            "num_heads": 4,
            "intermediate_size": 24,
            "max_position_embeddings": 32,
            "attention_types": [[["global", "local"], 2]],
            "window_size": WINDOW,
        },
    ),
    Case("mpt", "MptModel", settings={"vocab_size": 40, "d_model": 16, "n_layers": 3, "n_heads": 4, "max_seq_len": 32}),
    Case("bloom", "BloomModel", settings={"vocab_size": 40, "hidden_size": 16, "n_layer": 3, "n_head": 4}),
    Case(
        "bloom",
        "BloomModel",
        "apply_residual_connection_post_layernorm",
        {"vocab_size": 40, "hidden_size": 16, "n_layer": 3, "n_head": 4, "apply_residual_connection_post_layernorm": True},
    ),
    Case("opt", "OPTModel", settings=BERT | {"ffn_dim": 24}),
    Case("opt", "OPTModel", "no do_layer_norm_before", BERT | {"ffn_dim": 24, "do_layer_norm_before": False}),
    Case("opt", "OPTModel", "norms without parameters", BERT | {"ffn_dim": 24, "layer_norm_elementwise_affine": False}),
    Case("mamba", "MambaModel", settings=MAMBA | IN_DOUBLE),
    Case("mamba2", "Mamba2Model", settings=MAMBA | IN_DOUBLE | {"num_heads": 4, "head_dim": 8, "n_groups": 2}),
    Case("falcon_mamba", "FalconMambaModel", settings=MAMBA | IN_DOUBLE),
    Case("jamba", "JambaModel", settings=JAMBA),
    Case(
        "jamba",
        "JambaModel",
        "attention and experts alone",
        JAMBA | {"attn_layer_period": 1, "attn_layer_offset": 0, "expert_layer_period": 1},
    ),
    Case("jamba", "JambaModel", "no experts", JAMBA | {"num_experts": 1}),
    # Experts
    Case("mixtral", "MixtralModel", settings=EXPERTS | {"num_local_experts": 4}),
    Case("mixtral", "MixtralModel", "sliding_window", EXPERTS | {"num_local_experts": 4} | SLIDING),
    Case("gpt_oss", "GptOssModel", settings=EXPERTS | FOUR_LAYERS | SLIDING | {"num_local_experts": 4, "head_dim": 4}),
    Case("qwen2_moe", "Qwen2MoeModel", settings=MOE),
    Case("qwen2_moe", "Qwen2MoeModel", "decoder_sparse_step", MOE | FOUR_LAYERS | {"decoder_sparse_step": 2}),
    Case("qwen2_moe", "Qwen2MoeModel", "mlp_only_layers", MOE | {"mlp_only_layers": [0, 2]}),
    Case("qwen2_moe", "Qwen2MoeModel", "no experts", MOE | {"num_experts": 0}),
    Case("qwen2_moe", "Qwen2MoeModel", "use_sliding_window", MOE | MANY_SLIDING | {"max_window_layers": 3}),
    Case("qwen3_moe", "Qwen3MoeModel", settings=MOE | {"head_dim": 4}),
    Case("qwen3_moe", "Qwen3MoeModel", "decoder_sparse_step", MOE | FOUR_LAYERS | {"head_dim": 4, "decoder_sparse_step": 2}),
    Case("qwen3_moe", "Qwen3MoeModel", "use_sliding_window", MOE | MANY_SLIDING | {"head_dim": 4}),
    Case("olmoe", "OlmoeModel", settings=MOE),
    Case("phimoe", "PhimoeModel", settings=EXPERTS | {"num_local_experts": 4}),
    Case("phimoe", "PhimoeModel", "sliding_window", EXPERTS | {"num_local_experts": 4} | SLIDING),
    Case("deepseek_v2", "DeepseekV2Model", settings=DEEPSEEK),
    Case("deepseek_v2", "DeepseekV2Model", "no dense layers", DEEPSEEK | {"first_k_dense_replace": 0, "q_lora_rank": None}),
    Case("deepseek_v2", "DeepseekV2Model", "group_limited_greedy", DEEPSEEK | {"topk_method": "group_limited_greedy"}),
    Case("deepseek_v3", "DeepseekV3Model", settings=DEEPSEEK),
    Case("deepseek_v3", "DeepseekV3Model", "no experts", DEEPSEEK | {"first_k_dense_replace": 3}),
    Case("glm4_moe", "Glm4MoeModel", settings=GLM4_MOE),
    Case("glm4_moe", "Glm4MoeModel", "no dense layers", GLM4_MOE | {"first_k_dense_replace": 0, "use_qk_norm": True}),
    # Attention and feed-forward side by side
    Case("gpt_neox", "GPTNeoXModel", settings=BERT),
    Case("gpt_neox", "GPTNeoXModel", "no use_parallel_residual", BERT | {"use_parallel_residual": False}),
    Case("gptj", "GPTJModel", settings=GPT | {"rotary_dim": 2}),
    Case("codegen", "CodeGenModel", settings=GPT | {"rotary_dim": 2, "n_ctx": 32}),
    Case("phi", "PhiModel", settings=LLAMA),
    Case("cohere", "CohereModel", settings=LLAMA),
    Case("stablelm", "StableLmModel", "use_parallel_residual", LLAMA | {"use_parallel_residual": True}),
    Case("falcon", "FalconModel", settings=FALCON),
    Case("falcon", "FalconModel", "no parallel_attn", FALCON | {"parallel_attn": False}),
    Case("falcon", "FalconModel", "alibi", FALCON | {"parallel_attn": False, "multi_query": False, "alibi": True}),
    Case("falcon", "FalconModel", "new_decoder_architecture", FALCON | {"new_decoder_architecture": True, "num_kv_heads": 2}),
    Case(
        "falcon",
        "FalconModel",
        "new_decoder_architecture, num_ln_in_parallel_attn 1",
        FALCON | {"new_decoder_architecture": True, "num_kv_heads": 2, "num_ln_in_parallel_attn": 1},
    ),
    # Norms after, and on both sides
    Case("gemma2", "Gemma2Model", settings=HEAD | FOUR_LAYERS | SLIDING),
    Case("gemma3_text", "Gemma3TextModel", settings=HEAD | SIX_LAYERS | SLIDING | {"sliding_window_pattern": 3}),
    Case(
        "gemma3_text",
        "Gemma3TextModel",
        "use_bidirectional_attention",
        HEAD | FOUR_LAYERS | SLIDING | {"use_bidirectional_attention": True, "sliding_window_pattern": 2},
    ),
    Case("gemma2", "Gemma2Model", "layer_types", HEAD | FOUR_LAYERS | SLIDING | {"layer_types": ALTERNATING}),
    Case("glm4", "Glm4Model", settings=HEAD),
    Case("olmo2", "Olmo2Model", settings=LLAMA),
    # Encoders
    Case("bert", "BertModel", settings=BERT),
    Case("bert", "BertModel", "is_decoder", BERT | {"is_decoder": True}),
    *(
        Case(family, class_name, "add_cross_attention", BERT | {"is_decoder": True, "add_cross_attention": True})
        for family, class_name in (
            ("bert", "BertModel"),
            ("roberta", "RobertaForCausalLM"),
            ("xlm_roberta", "XLMRobertaModel"),
            ("electra", "ElectraForCausalLM"),
        )
    ),
    Case("roberta", "RobertaModel", settings=BERT),
    Case("roberta", "RobertaForCausalLM", "is_decoder", BERT | {"is_decoder": True}),
    Case("xlm_roberta", "XLMRobertaModel", settings=BERT),
    Case("electra", "ElectraModel", settings=BERT | {"embedding_size": 8}),
    Case("electra", "ElectraForCausalLM", "is_decoder", BERT | {"embedding_size": 8, "is_decoder": True}),
    Case("albert", "AlbertModel", settings=BERT | FOUR_LAYERS | {"embedding_size": 8}),
    Case(
        "albert",
        "AlbertModel",
        "num_hidden_groups 2, inner_group_num 2",
        BERT | FOUR_LAYERS | {"embedding_size": 8, "num_hidden_groups": 2, "inner_group_num": 2},
    ),
    Case("distilbert", "DistilBertModel", settings=DISTILBERT),
    Case("deberta_v2", "DebertaV2Model", settings=DEBERTA),
    Case("deberta_v2", "DebertaV2Model", "as DeBERTa-v3", DEBERTA_V3),
    Case("deberta_v2", "DebertaV2Model", "conv_kernel_size", DEBERTA_V3 | {"conv_kernel_size": 3, "conv_act": "gelu"}),
    Case("xlnet", "XLNetModel", settings=XLNET),
    Case("xlnet", "XLNetModel", "attn_type uni", XLNET | {"attn_type": "uni"}),
    Case("modernbert", "ModernBertModel", settings=TINY | FOUR_LAYERS | {"local_attention": WINDOW}),
    Case(
        "modernbert",
        "ModernBertModel",
        "layer_types",
        TINY | FOUR_LAYERS | {"local_attention": WINDOW, "layer_types": ALTERNATING[::-1]},
    ),
    Case("vit", "ViTModel", settings=IMAGE),
    Case("deit", "DeiTModel", settings=IMAGE),
    Case("clip_text_model", "CLIPTextModel", settings=BERT),
    Case("clip_vision_model", "CLIPVisionModel", settings=IMAGE),
    Case("clip", "CLIPModel", settings=CLIP),
    Case("clip", "CLIPForImageClassification", settings=CLIP),
    # A text model that reads images
    Case("llava", "LlavaModel", settings=LLAVA),
    Case("llava", "LlavaModel", "mistral", LLAVA | {"text_config": LLAMA | SLIDING | {"model_type": "mistral"}}),
    Case("gemma3", "Gemma3Model", settings=GEMMA3),
    Case("qwen2_vl", "Qwen2VLModel", settings=QWEN2_VL),
    Case("qwen2_5_vl", "Qwen2_5_VLModel", settings=QWEN2_5_VL),
    # Encoder and decoder
    Case("bart", "BartModel", settings=STACKS),
    Case("bart", "BartForCausalLM", settings=STACKS),
    Case("marian", "MarianModel", settings=STACKS),
    Case("marian", "MarianForCausalLM", settings=STACKS),
    Case("mbart", "MBartModel", settings=STACKS),
    Case("mbart", "MBartForCausalLM", settings=STACKS),
    Case("pegasus", "PegasusModel", settings=STACKS),
    Case("pegasus", "PegasusForCausalLM", settings=STACKS),
    Case("m2m_100", "M2M100Model", settings=STACKS),
    Case("whisper", "WhisperModel", settings=WHISPER),
    Case("whisper", "WhisperForCausalLM", settings=WHISPER),
    Case("whisper", "WhisperForAudioClassification", settings=WHISPER),
    Case("t5", "T5Model", settings=T5),
    Case("t5", "T5Model", "gated", T5 | {"feed_forward_proj": "gated-gelu"}),
    Case("t5", "T5EncoderModel", settings=T5),
    Case("mt5", "MT5Model", settings=T5),
    Case("t5", "T5ForTokenClassification", settings=T5),
    Case("mt5", "MT5EncoderModel", "relu", T5 | {"feed_forward_proj": "relu"}),
)
