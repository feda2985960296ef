"""The config keys that libraries commonly give the field's letters; a family's own table comes before these."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from symparams.expressions import symbols
from symparams.expressions.nodes import Dimension

KEYS: Mapping[Dimension, tuple[str, ...]] = MappingProxyType(
    {
        symbols.L: ("num_hidden_layers", "n_layer", "num_layers", "n_layers"),
        symbols.L_enc: ("encoder_layers",),
        symbols.L_dec: ("decoder_layers", "num_decoder_layers"),
        symbols.L_text: ("text_config.num_hidden_layers",),
        symbols.L_vision: ("vision_config.num_hidden_layers",),
        symbols.n_experts: ("num_local_experts", "num_experts", "n_routed_experts"),
        symbols.n_active: ("num_experts_per_tok",),
        symbols.n_shared: ("n_shared_experts",),
        symbols.V: ("vocab_size", "n_vocab"),
        symbols.V_dec: ("decoder_vocab_size",),
        symbols.max_pos: ("max_position_embeddings", "n_positions", "n_ctx"),
        symbols.max_source: ("max_source_positions",),
        symbols.max_target: ("max_target_positions",),
        symbols.max_rel: ("position_buckets", "max_relative_positions"),
        symbols.n_buckets: ("relative_attention_num_buckets",),
        symbols.n_mels: ("num_mel_bins",),
        symbols.n_types: ("type_vocab_size",),
        symbols.h: ("hidden_size", "n_embd", "d_model"),
        symbols.h_text: ("text_config.hidden_size",),
        symbols.h_vision: ("vision_config.hidden_size",),
        symbols.d_emb: ("embedding_size",),
        symbols.n_heads: ("num_attention_heads", "n_head", "num_heads"),
        symbols.n_heads_enc: ("encoder_attention_heads",),
        symbols.n_heads_dec: ("decoder_attention_heads",),
        symbols.n_kv_heads: ("num_key_value_heads",),
        symbols.d_head: ("head_dim", "d_kv"),
        symbols.d_ff: ("intermediate_size", "n_inner", "ffn_dim"),
        symbols.d_ff_enc: ("encoder_ffn_dim",),
        symbols.d_ff_dec: ("decoder_ffn_dim",),
        symbols.n_heads_text: ("text_config.num_attention_heads",),
        symbols.n_heads_vision: ("vision_config.num_attention_heads",),
        symbols.n_kv_heads_text: ("text_config.num_key_value_heads",),
        symbols.d_head_text: ("text_config.head_dim",),
        symbols.W: ("sliding_window",),
        symbols.n_labels: ("num_labels",),
        symbols.d_expert: ("moe_intermediate_size",),
        symbols.d_shared: ("shared_expert_intermediate_size",),
        symbols.r_q: ("q_lora_rank",),
        symbols.r_kv: ("kv_lora_rank",),
        symbols.d_nope: ("qk_nope_head_dim",),
        symbols.d_rope: ("qk_rope_head_dim",),
        symbols.d_v: ("v_head_dim",),
        symbols.d_ff_text: ("text_config.intermediate_size",),
        symbols.d_ff_vision: ("vision_config.intermediate_size",),
        symbols.d_proj: ("projection_dim",),
        symbols.d_pool: ("pooler_output_size",),
        symbols.n_channels: ("num_channels",),
        symbols.image: ("image_size",),
        symbols.patch: ("patch_size",),
        symbols.frames: ("temporal_patch_size",),
        symbols.merge: ("spatial_merge_size",),
        symbols.stride: ("encoder_stride",),
        symbols.d_state: ("state_size",),
        symbols.d_conv: ("conv_kernel",),
        symbols.r_dt: ("time_step_rank",),
        symbols.d_classifier: ("classifier_proj_size",),
    }
)

# Every name that a common letter goes by: its own, and its keys; the letters that a reader meets first have the say.
BY_KEY: Mapping[str, Dimension] = MappingProxyType(
    {key: letter for letter in symbols.READING_ORDER for key in (letter.name, *KEYS.get(letter, ()))}
)
