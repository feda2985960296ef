"""Tiny configurations of the families, by which flow is measured: small enough for a forward pass in no time."""

from __future__ import annotations

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
