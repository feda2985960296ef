"""The models whose flow is measured: every family, every class that leaves a stack out, every setting that moves data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from symparams.architectures import architecture
from symparams.models.library import library

Settings = Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """A tiny model, of the class without a head unless told; ``times`` are the factors of parts in the sums, where not 1."""

    family: str
    label: str = ""
    changed: Settings = field(default_factory=dict)
    named: str = ""
    times: Mapping[str, float] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return " ".join(filter(None, (self.family, self.named, self.label)))

    @property
    def settings(self) -> Settings:
        return {**SETTINGS[self.family], **self.changed}

    @property
    def class_name(self) -> str:
        known = library(architecture(self.family))
        assert known is not None
        return self.named or known.base


# Small enough for a forward pass in no time.
ENDS = {"pad_token_id": 1, "bos_token_id": 2, "eos_token_id": 3}
LAYERS = {"hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 24}
TINY = {"vocab_size": 40, **LAYERS, **ENDS}
BERT = TINY | {"max_position_embeddings": 32}
ELECTRA = BERT | {"embedding_size": 8}
GPT = {"vocab_size": 40, "n_embd": 16, "n_layer": 3, "n_head": 4, "n_inner": 24, "n_positions": 32}
BLOOM = {"vocab_size": 40, "hidden_size": 16, "n_layer": 3, "n_head": 4}
GPT_NEO = TINY | {"num_hidden_layers": 4, "num_heads": 4, "attention_types": [[["global", "local"], 2]], "window_size": 4}
LLAMA = BERT | {"num_key_value_heads": 2}
HEAD = LLAMA | {"head_dim": 4}
FOUR_LAYERS = {"num_hidden_layers": 4}
EXPERTS = LLAMA | {"num_experts_per_tok": 2, "moe_intermediate_size": 12}
MOE = EXPERTS | {"num_experts": 4}
LINEAR_ATTENTION = {
    **{"linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 4, "linear_value_head_dim": 6},
    "full_attention_interval": 3,
}
KINDS = ["sliding_attention", "sliding_attention", "full_attention"]
PER_LAYER = {"hidden_size_per_layer_input": 6, "vocab_size_per_layer_input": 40}
SHARING = HEAD | PER_LAYER | {"num_hidden_layers": 6, "num_kv_shared_layers": 3, "layer_types": KINDS + KINDS}
LOCAL_EXPERTS = EXPERTS | {"num_local_experts": 4, "head_dim": 4}
SHARED = EXPERTS | {"n_routed_experts": 4, "n_shared_experts": 2, "first_k_dense_replace": 1}
# With a single expert: the library gives every token to all of them, one copy after another.
ONE_EXPERT = {"num_local_experts": 1, "num_experts_per_tok": 1}
LLAMA4 = HEAD | ONE_EXPERT | {"intermediate_size_mlp": 20, "interleave_moe_layer_step": 2}
LATENT = {"q_lora_rank": 8, "kv_lora_rank": 8, "qk_nope_head_dim": 4, "qk_rope_head_dim": 2, "v_head_dim": 4}
DEEPSEEK = SHARED | LATENT | {"num_key_value_heads": 4, "n_group": 2, "topk_group": 1}
BART = ENDS | {
    **{"vocab_size": 40, "d_model": 16, "max_position_embeddings": 32},
    **{"encoder_layers": 2, "encoder_attention_heads": 2, "encoder_ffn_dim": 24},
    **{"decoder_layers": 3, "decoder_attention_heads": 4, "decoder_ffn_dim": 20},
    **{"decoder_start_token_id": 2, "forced_eos_token_id": None},
}
SOUNDS = {"num_mel_bins": 6, "max_source_positions": 12, "max_target_positions": 32, "begin_suppress_tokens": None}
WHISPER = {name: value for name, value in BART.items() if name != "max_position_embeddings"} | SOUNDS
T5 = {"vocab_size": 40, "d_model": 16, "d_kv": 4, "d_ff": 24, "num_heads": 4, "num_layers": 2, "num_decoder_layers": 3,
      "decoder_start_token_id": 2}  # fmt: skip
# Half a dozen frames of a waveform.
SPEECH = {"vocab_size": 40, **LAYERS, "conv_dim": 7 * [8], "num_conv_pos_embeddings": 4, "num_conv_pos_embedding_groups": 2}
IMAGE = {**LAYERS, "image_size": 12, "patch_size": 4}
SIGLIP = {"text_config": BERT, "vision_config": IMAGE}
CLIP = {"text_config": BERT, "vision_config": IMAGE, "projection_dim": 8}
# A text model that reads images: of twelve tokens the first nine are an image.
IMAGE_TOKEN, IMAGE_TOKENS = 4, 9
SOUND_TOKEN, SOUND_TOKENS = 0, 2
LLAVA = {"text_config": LLAMA, "vision_config": IMAGE, "image_token_index": IMAGE_TOKEN}
# Of the patches of a larger image four become one token.
LARGER = IMAGE | {"image_size": 24}
IDEFICS3 = {"text_config": LLAMA, "vision_config": LARGER, "image_token_id": IMAGE_TOKEN, "scale_factor": 2}
INTERNVL = {"text_config": LLAMA, "vision_config": LARGER, "image_token_id": IMAGE_TOKEN}
MISTRAL3 = {"text_config": LLAMA, "vision_config": LARGER, "image_token_index": IMAGE_TOKEN}
GEMMA3 = LLAVA | {"text_config": HEAD | FOUR_LAYERS | {"sliding_window_pattern": 2}, "mm_tokens_per_image": IMAGE_TOKENS}
ADAPTER = {"projector_input_dim": 8, "projector_output_dim": 8, "vision_output_dim": 8}
MERGED = {**LAYERS, "intermediate_size": 64, "image_size": 24, "patch_size": 4, **ADAPTER}  # two by two of its patches
PALIGEMMA = LLAVA | {"text_config": HEAD, "projection_dim": 16}
VIDEO = {"depth": 3, "num_heads": 4, "patch_size": 4, "spatial_merge_size": 2, "temporal_patch_size": 2, "hidden_size": 16}
VIDEOS = {"text_config": LLAMA | {"rope_scaling": {"type": "mrope", "mrope_section": [1, 1]}}, "image_token_id": IMAGE_TOKEN}
INTERLEAVED = {"rope_parameters": {"rope_type": "default", "mrope_section": [1, 1, 0], "rope_theta": 10_000.0}}
QWEN2_VL = VIDEOS | {"vision_config": VIDEO | {"embed_dim": 16}}
VIDEO_AT_POSITIONS = VIDEO | {"intermediate_size": 24, "out_hidden_size": 16, "num_position_embeddings": 16}
DEEP_VIDEO = VIDEO_AT_POSITIONS | {"deepstack_visual_indexes": [0, 1]}
WINDOWED_VIDEO = {"intermediate_size": 24, "out_hidden_size": 16, "window_size": 16, "fullatt_block_indexes": [2]}
GEMMA4_VISION = {**LAYERS, "num_key_value_heads": 2, "head_dim": 4, "patch_size": 4, "position_embedding_size": 12,
                 "pooling_kernel_size": 2}  # fmt: skip
GEMMA4_AUDIO = {
    "hidden_size": 16,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "subsampling_conv_channels": [8, 4],
    "output_proj_dims": 12,
}
DBRX = {
    **{"vocab_size": 40, "d_model": 16, "n_layers": 3, "n_heads": 4},
    "attn_config": {"kv_n_heads": 2, "rope_theta": 1e4, "clip_qkv": 8.0},
    "ffn_config": {"hidden_size": 16, "ffn_hidden_size": 12, "moe_num_experts": 4, "moe_top_k": 2},
}
DISTILBERT = {"vocab_size": 40, "dim": 16, "n_layers": 3, "n_heads": 4, "hidden_dim": 24}
XLNET = {"vocab_size": 40, "d_model": 16, "n_layer": 3, "n_head": 4, "d_inner": 24}
MAMBA = {"vocab_size": 40, "hidden_size": 16, "num_hidden_layers": 3, "state_size": 4, "residual_in_fp32": False}  # it rounds x
TURNS = {"attn_layer_period": 3, "attn_layer_offset": 1, "expert_layer_period": 2, "expert_layer_offset": 0}
MAMBA_AMONG = {"mamba_n_heads": 4, "mamba_n_groups": 2, "mamba_d_state": 4}
BAMBA = LLAMA | MAMBA_AMONG | {"attn_layer_indices": [1]}
GRANITE_4 = LOCAL_EXPERTS | MAMBA_AMONG | {
    "layer_types": ["linear_attention", "full_attention", "linear_attention"], "shared_intermediate_size": 12,
}  # fmt: skip
NEMOTRON_H = LLAMA | {
    **{"n_routed_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 12, "head_dim": 4, "n_groups": 2},
    **{"moe_shared_expert_intermediate_size": 12, "mamba_num_heads": 4, "mamba_head_dim": 4, "ssm_state_size": 4},
}
LFM2_MOE = {"layer_types": ["conv", "full_attention", "conv", "full_attention"], "num_dense_layers": 2}
ZAMBA = BERT | {
    **{"n_mamba_heads": 2, "mamba_d_state": 4, "num_key_value_heads": 4},
    **{"layers_block_type": ["mamba", "hybrid", "hybrid"], "num_hidden_layers": 3},
}
ZAMBA2 = BERT | {
    **{"n_mamba_heads": 4, "mamba_d_state": 4, "mamba_ngroups": 2, "adapter_rank": 3, "use_shared_attention_adapter": True},
    **{"layers_block_type": ["mamba", "hybrid", "hybrid"], "num_hidden_layers": 3},
}
DEBERTA = BERT | {"type_vocab_size": 0, "relative_attention": True, "pos_att_type": "p2c|c2p", "position_biased_input": False}
DEBERTA_V3 = {"share_att_key": True, "position_buckets": 8, "norm_rel_ebd": "layer_norm"}


def alike(settings: Settings, families: str) -> dict[str, Settings]:
    """The same settings for each of some families."""
    return dict.fromkeys(families.split(), settings)


DETR = {
    **{"d_model": 16, "encoder_attention_heads": 8, "decoder_attention_heads": 2, "encoder_layers": 2, "decoder_layers": 2},
    **{"encoder_ffn_dim": 24, "decoder_ffn_dim": 20, "num_queries": 5, "use_timm_backbone": False},
    "backbone_config": {
        **{"model_type": "resnet", "embedding_size": 6, "hidden_sizes": [8, 12, 16, 20], "depths": [2, 2, 2, 2]},
        "out_features": ["stage1", "stage2", "stage3", "stage4"],
    },
}
SAM_VISION = LAYERS | {"mlp_dim": 24, "image_size": 32, "patch_size": 4, "window_size": 4, "global_attn_indexes": [1]}
MASKS = {"hidden_size": 16, "num_attention_heads": 2, "num_hidden_layers": 3, "mlp_dim": 24, "attention_downsample_rate": 4}
SAM = {
    "vision_config": SAM_VISION | {"output_channels": 16, "num_pos_feats": 8},
    "prompt_encoder_config": {"hidden_size": 16, "image_size": 32, "patch_size": 4},
    "mask_decoder_config": MASKS,
}
SETTINGS: Mapping[str, Settings] = {
    **alike(BERT, "bert roberta xlm_roberta gpt_neox clip_text_model siglip_text_model modernbert mpnet nomic_bert esm"),
    **alike(ELECTRA, "electra"),
    **alike(ELECTRA | FOUR_LAYERS, "albert"),
    **alike(DEBERTA, "deberta deberta_v2"),
    **alike(BERT | {"attention_window": 4}, "longformer"),
    **alike(DISTILBERT, "distilbert"),
    **alike(XLNET, "xlnet"),
    **alike(GPT, "gpt2 gpt_bigcode"),
    **alike(GPT | {"rotary_dim": 2, "n_ctx": 32}, "gptj codegen"),
    **alike(GPT_NEO, "gpt_neo"),
    **alike(BLOOM, "bloom"),
    **alike({"vocab_size": 40, "d_model": 16, "n_layers": 3, "n_heads": 4, "max_seq_len": 32}, "mpt"),
    **alike(BERT | {"ffn_dim": 24}, "opt"),
    **alike(TINY | {"ffn_hidden_size": 24}, "falcon"),
    **alike(LLAMA, "apertus arcee llama mistral qwen2 granite phi phi3 starcoder2 olmo olmo2 stablelm cohere"),
    **alike(HEAD, "qwen3 gemma glm glm4 gemma2 gemma3_text"),
    **alike(HEAD, "ernie4_5 hunyuan_v1_dense seed_oss ministral ministral3"),
    **alike(LLAMA | FOUR_LAYERS, "smollm3 olmo3 cohere2 exaone4"),
    **alike(SHARING | {"global_head_dim": 8}, "gemma4_text gemma4_unified_text"),
    "gemma3n_text": SHARING
    | {"altup_num_inputs": 3, "laurel_rank": 5, "activation_sparsity_pattern": [0.5, 0.0, 0.0, 0.0, 0.9, 0.0]},
    **alike(MOE, "qwen2_moe olmoe"),
    **alike(MOE | {"head_dim": 4}, "qwen3_moe"),
    **alike(LOCAL_EXPERTS, "mixtral phimoe gpt_oss minimax_m2"),
    **alike(LOCAL_EXPERTS, "granitemoe"),
    **alike(LOCAL_EXPERTS | {"shared_intermediate_size": 12}, "granitemoeshared"),
    **alike(MOE | {"head_dim": 4} | LINEAR_ATTENTION, "qwen3_next qwen3_5_moe_text"),
    **alike(HEAD | LINEAR_ATTENTION, "qwen3_5_text"),
    **alike(HEAD | INTERLEAVED, "qwen3_vl_text"),
    **alike(MOE | {"head_dim": 4} | INTERLEAVED, "qwen3_vl_moe_text"),
    **alike(SHARED | {"head_dim": 4}, "glm4_moe"),
    **alike(MOE | {"moe_num_shared_experts": 2}, "ernie4_5_moe"),
    **alike(MOE | {"head_dim": 4}, "hunyuan_v1_moe"),
    **alike(DBRX, "dbrx"),
    **alike(LLAMA4 | FOUR_LAYERS, "llama4_text"),
    **alike(DEEPSEEK, "deepseek_v2 deepseek_v3"),
    **alike(DEEPSEEK | {"index_n_heads": 2, "index_head_dim": 4, "index_topk": 4}, "deepseek_v32"),
    **alike(BERT | LATENT | {"num_key_value_heads": 4, "scale_depth": None}, "minicpm3"),
    **alike(MAMBA, "mamba falcon_mamba"),
    **alike(MAMBA | {"num_heads": 4, "head_dim": 8, "n_groups": 2}, "mamba2"),
    **alike(MOE | FOUR_LAYERS | TURNS | {"mamba_d_state": 4}, "jamba"),
    **alike(LOCAL_EXPERTS | FOUR_LAYERS, "minimax"),
    **alike({"vocab_size": 40, "hidden_size": 16, "num_hidden_layers": 3, "rescale_every": 0}, "rwkv"),
    **alike(MOE | FOUR_LAYERS | LFM2_MOE, "lfm2_moe"),
    **alike(IMAGE, "vit deit clip_vision_model siglip_vision_model pixtral idefics3_vision smolvlm_vision internvl_vision"),
    "gemma4_vision": GEMMA4_VISION,
    "gemma4_audio": GEMMA4_AUDIO,
    "gemma4": {
        "text_config": SHARING | {"global_head_dim": 8},
        "vision_config": GEMMA4_VISION,
        "image_token_id": IMAGE_TOKEN,
    },
    **alike(BAMBA, "bamba"),
    **alike(NEMOTRON_H, "nemotron_h"),
    **alike(ZAMBA2, "zamba2"),
    **alike(ZAMBA, "zamba"),
    **alike(LLAMA | MAMBA_AMONG | {"mamba_d_ssm": 24}, "falcon_h1"),
    **alike(LLAMA | FOUR_LAYERS | {"full_attn_idxs": [1, 2]}, "lfm2"),
    **alike(GRANITE_4, "granitemoehybrid"),
    **alike(CLIP, "clip"),
    **alike(SIGLIP, "siglip"),
    **alike(IMAGE | {"mlp_ratio": 2}, "dinov2 dinov2_with_registers"),
    **alike(IMAGE | {"num_register_tokens": 2}, "dinov3_vit"),
    **alike(
        {"hidden_sizes": [4, 6, 8, 10], "depths": [1, 2, 1, 1], "image_size": 32, "patch_size": 4}, "convnext dinov3_convnext"
    ),
    **alike({"embed_dim": 4, "num_heads": [1, 2, 4, 4], "image_size": 64, "patch_size": 2, "window_size": 4}, "swin"),
    "detr": DETR,
    **alike(SAM_VISION, "sam_vision_model"),
    "sam": SAM,
    **alike(LLAVA, "llava"),
    **alike(IDEFICS3, "idefics3 smolvlm"),
    **alike(MISTRAL3, "mistral3"),
    **alike(INTERNVL, "internvl"),
    **alike(GEMMA3, "gemma3"),
    **alike(PALIGEMMA, "paligemma"),
    **alike(QWEN2_VL, "qwen2_vl"),
    **alike(MERGED, "llama4_vision_model"),
    **alike(LLAVA | {"text_config": LLAMA4 | FOUR_LAYERS, "vision_config": MERGED}, "llama4"),
    **alike(VIDEOS | {"vision_config": VIDEO | WINDOWED_VIDEO}, "qwen2_5_vl"),
    **alike(VIDEOS | {"text_config": INTERLEAVED | HEAD, "vision_config": DEEP_VIDEO}, "qwen3_vl"),
    **alike(VIDEOS | {"text_config": INTERLEAVED | MOE | {"head_dim": 4}, "vision_config": DEEP_VIDEO}, "qwen3_vl_moe"),
    **alike(VIDEOS | {"text_config": INTERLEAVED | HEAD | LINEAR_ATTENTION, "vision_config": VIDEO_AT_POSITIONS}, "qwen3_5"),
    **alike(
        VIDEOS | {"text_config": INTERLEAVED | MOE | {"head_dim": 4} | LINEAR_ATTENTION, "vision_config": VIDEO_AT_POSITIONS},
        "qwen3_5_moe",
    ),
    **alike(BART, "bart mbart marian pegasus m2m_100"),
    **alike(WHISPER, "whisper"),
    **alike(T5, "t5 mt5"),
    **alike(SPEECH, "wav2vec2 hubert"),
}
CROSSING = {"is_decoder": True, "add_cross_attention": True}
NEW_FALCON = {"new_decoder_architecture": True, "num_kv_heads": 2}

GEMMA4_EXPERTS = {"enable_moe_block": True, "num_experts": 4, "top_k_experts": 2, "moe_intermediate_size": 12,
                  "num_kv_shared_layers": 0, "hidden_size_per_layer_input": 0, "attention_k_eq_v": True}  # fmt: skip

HALF = {"post_first_feed_forward_norm": 0.5, "post_second_feed_forward_norm": 0.5}

# What moves data; windows, which do not, are in the caches.
CASES: tuple[Case, ...] = (
    *(Case(family, times=HALF if family == "gemma4_audio" else {}) for family in SETTINGS),
    Case("granite", "residual_multiplier", {"residual_multiplier": 0.22}, times={"attention": 0.22, "feed_forward": 0.22}),
    Case("granitemoe", "residual_multiplier", {"residual_multiplier": 0.22}, times={"attention": 0.22, "experts": 0.22}),
    Case("granitemoeshared", "no shared experts", {"shared_intermediate_size": 0}),
    Case("bamba", "state spaces alone", {"attn_layer_indices": None}),
    Case("bamba", "attention alone", {"attn_layer_indices": [0, 1, 2]}),
    Case("granitemoehybrid", "rope, no experts", {"position_embedding_type": "rope", "num_local_experts": 0}),
    Case("granitemoehybrid", "state spaces alone", {"layer_types": None}),
    Case("falcon_h1", "mamba_rms_norm", {"mamba_rms_norm": True}),
    Case("zamba2", "use_mem_rope", {"use_mem_rope": True, "use_shared_attention_adapter": False}),
    Case("nemotron_h", "latent experts", {"moe_latent_size": 8, "layers_block_type": ["linear_attention", "moe", "moe"]}),
    Case("gpt2", "add_cross_attention", {"add_cross_attention": True}),  # GPT-BigCode's the library builds and cannot run
    Case("gpt_bigcode", "no multi_query", {"multi_query": False}),
    Case("bloom", "norm added", {"apply_residual_connection_post_layernorm": True}),
    Case("opt", "no do_layer_norm_before", {"do_layer_norm_before": False}),
    Case("opt", "norms without parameters", {"layer_norm_elementwise_affine": False}),
    Case("jamba", "attention and experts alone", {"attn_layer_period": 1, "attn_layer_offset": 0, "expert_layer_period": 1}),
    Case("jamba", "no experts", {"num_experts": 1}),
    Case("qwen2_moe", "decoder_sparse_step", FOUR_LAYERS | {"decoder_sparse_step": 2}),
    Case("qwen2_moe", "mlp_only_layers", {"mlp_only_layers": [0, 2]}),
    Case("qwen2_moe", "no experts", {"num_experts": 0}),
    Case("qwen3_moe", "decoder_sparse_step", FOUR_LAYERS | {"decoder_sparse_step": 2}),
    Case("qwen3_next", "decoder_sparse_step", FOUR_LAYERS | {"decoder_sparse_step": 2}),
    Case("qwen3_next", "linear attention alone", {"full_attention_interval": 4}),
    Case("minicpm3", "scale_depth", FOUR_LAYERS | {"scale_depth": 1.0}, times={"attention": 0.5, "feed_forward": 0.5}),
    Case("deepseek_v2", "no dense layers", {"first_k_dense_replace": 0, "q_lora_rank": None}),
    Case("deepseek_v2", "group_limited_greedy", {"topk_method": "group_limited_greedy"}),
    Case("ernie4_5_moe", "no shared experts", {"moe_num_shared_experts": 0}),
    Case("deepseek_v3", "no experts", {"first_k_dense_replace": 3}),
    Case("llama4_text", "moe_layers", {"moe_layers": [0, 1], "no_rope_layers": [0, 1, 1, 0]}),
    Case("deepseek_v32", "mlp_layer_types", {"mlp_layer_types": ["sparse", "dense", "sparse"]}),
    Case("glm4_moe", "no dense layers", {"first_k_dense_replace": 0, "use_qk_norm": True}),
    Case("gpt_neox", "no use_parallel_residual", {"use_parallel_residual": False}),
    Case("stablelm", "use_parallel_residual", {"use_parallel_residual": True}),
    Case("falcon", "no parallel_attn", {"parallel_attn": False}),
    Case("falcon", "alibi", {"parallel_attn": False, "multi_query": False, "alibi": True}),
    Case("falcon", "new_decoder_architecture", NEW_FALCON),
    Case("falcon", "new_decoder_architecture, one norm", NEW_FALCON | {"num_ln_in_parallel_attn": 1}),
    Case("gemma", "use_bidirectional_attention", {"use_bidirectional_attention": True}),
    Case("gemma3_text", "use_bidirectional_attention", {"use_bidirectional_attention": True}),
    Case("gemma4", "audio", {"audio_config": GEMMA4_AUDIO, "audio_token_id": SOUND_TOKEN}, times=HALF),
    Case("gemma4_text", "experts, one matrix for key and value", GEMMA4_EXPERTS),
    Case("gemma4_text", "use_bidirectional_attention", {"use_bidirectional_attention": "all"}),
    Case("bert", "is_decoder", {"is_decoder": True}),
    Case("roberta", "is_decoder", {"is_decoder": True}, "RobertaForCausalLM"),
    Case("electra", "is_decoder", {"is_decoder": True}, "ElectraForCausalLM"),
    Case("bert", "add_cross_attention", CROSSING),
    Case("xlm_roberta", "add_cross_attention", CROSSING),
    Case("roberta", "add_cross_attention", CROSSING, "RobertaForCausalLM"),
    Case("electra", "add_cross_attention", CROSSING, "ElectraForCausalLM"),
    Case("albert", "num_hidden_groups 2, inner_group_num 2", {"num_hidden_groups": 2, "inner_group_num": 2}),
    Case("deberta_v2", "as DeBERTa-v3", DEBERTA_V3),
    Case("deberta_v2", "conv_kernel_size", DEBERTA_V3 | {"conv_kernel_size": 3, "conv_act": "gelu"}),
    Case("esm", "rotary", {"position_embedding_type": "rotary", "emb_layer_norm_before": True}),
    Case("xlnet", "attn_type uni", {"attn_type": "uni"}),
    Case("llama", named="LlamaForCausalLM"),
    Case("clip", named="CLIPForImageClassification"),
    Case("siglip", named="SiglipForImageClassification"),
    Case("detr", named="DetrForObjectDetection"),
    Case("dinov2", "use_swiglu_ffn", {"use_swiglu_ffn": True}),
    Case("dinov3_vit", "use_gated_mlp", {"use_gated_mlp": True}),
    Case("sam_vision_model", "no windows", {"global_attn_indexes": [0, 1, 2]}),
    Case("convnext", "no layer scale", {"layer_scale_init_value": 0.0}),
    Case("paligemma", "gemma2", {"text_config": HEAD | {"model_type": "gemma2"}}),
    Case(
        "llava",
        "siglip, qwen2",
        {
            "text_config": LLAMA | {"model_type": "qwen2"},
            "vision_config": IMAGE | {"model_type": "siglip_vision_model"},
            "vision_feature_select_strategy": "full",
        },
    ),
    Case("internvl_vision", "rms_norm", {"norm_type": "rms_norm", "use_qk_norm": True}),
    Case("llava", "mistral", {"text_config": LLAMA | {"model_type": "mistral"}}),
    Case("bart", named="BartForCausalLM"),
    Case("marian", named="MarianForCausalLM"),
    Case("mbart", named="MBartForCausalLM"),
    Case("pegasus", named="PegasusForCausalLM"),
    Case("whisper", named="WhisperForCausalLM"),
    Case("whisper", named="WhisperForAudioClassification", changed={"classifier_proj_size": 8}),
    Case("t5", "gated", {"feed_forward_proj": "gated-gelu"}),
    Case("t5", named="T5EncoderModel"),
    Case("t5", named="T5ForTokenClassification"),
    Case("wav2vec2", "do_stable_layer_norm", {"do_stable_layer_norm": True, "feat_extract_norm": "layer"}),
    Case("wav2vec2", "adapters", {"do_stable_layer_norm": True, "adapter_attn_dim": 6}),
    Case("wav2vec2", named="Wav2Vec2ForPreTraining"),
    Case("hubert", "do_stable_layer_norm", {"do_stable_layer_norm": True, "feat_proj_layer_norm": False}),
    Case("mt5", "relu", {"feed_forward_proj": "relu"}, "MT5EncoderModel"),
)
