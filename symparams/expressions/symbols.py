"""Every dimension: its symbol, its LaTeX, and its keys in Hugging Face configs. One is born here and nowhere else.

What a dimension means in words stands in the language catalogues, under ``[dimensions]`` and its name. The order of
this file is the order in which people write factors: 3·L·h·d_ff, V·h, max_pos·h.
"""

from __future__ import annotations

from symparams.expressions.written import Dimension

L = Dimension("L", "L", ("num_hidden_layers", "n_layer", "num_layers", "n_layers"))
L_enc = Dimension("L_enc", r"L_{\text{enc}}", ("encoder_layers",))
L_dec = Dimension("L_dec", r"L_{\text{dec}}", ("decoder_layers", "num_decoder_layers"))
L_dense = Dimension("L_dense", r"L_{\text{dense}}")
L_moe = Dimension("L_moe", r"L_{\text{moe}}")
L_stored = Dimension("L_stored", r"L_{\text{stored}}")
L_text = Dimension("L_text", r"L_{\text{text}}", ("text_config.num_hidden_layers",))
L_vision = Dimension("L_vision", r"L_{\text{vision}}", ("vision_config.num_hidden_layers",))
n_experts = Dimension("n_experts", r"n_{\text{experts}}", ("num_local_experts", "num_experts", "n_routed_experts"))
n_active = Dimension("n_active", r"n_{\text{active}}", ("num_experts_per_tok",))
n_shared = Dimension("n_shared", r"n_{\text{shared}}", ("n_shared_experts",))
V = Dimension("V", "V", ("vocab_size", "n_vocab"))
V_dec = Dimension("V_dec", r"V_{\text{dec}}", ("decoder_vocab_size",))
max_pos = Dimension("max_pos", r"\text{max}_{\text{pos}}", ("max_position_embeddings", "n_positions", "n_ctx"))
max_source = Dimension("max_source", r"\text{max}_{\text{source}}", ("max_source_positions",))
max_target = Dimension("max_target", r"\text{max}_{\text{target}}", ("max_target_positions",))
max_rel = Dimension("max_rel", r"\text{max}_{\text{rel}}", ("position_buckets", "max_relative_positions"))
n_buckets = Dimension("n_buckets", r"n_{\text{buckets}}", ("relative_attention_num_buckets",))
n_mels = Dimension("n_mels", r"n_{\text{mels}}", ("num_mel_bins",))
n_types = Dimension("n_types", r"n_{\text{types}}", ("type_vocab_size",))
n_patches = Dimension("n_patches", r"n_{\text{patches}}")
h = Dimension("h", "h", ("hidden_size", "n_embd", "d_model"))
h_text = Dimension("h_text", r"h_{\text{text}}", ("text_config.hidden_size",))
h_vision = Dimension("h_vision", r"h_{\text{vision}}", ("vision_config.hidden_size",))
expand = Dimension("expand", r"\text{expand}")
d_emb = Dimension("d_emb", r"d_{\text{emb}}", ("embedding_size",))
n_heads = Dimension("n_heads", r"n_{\text{heads}}", ("num_attention_heads", "n_head", "num_heads"))
n_heads_enc = Dimension("n_heads_enc", r"n_{\text{heads,enc}}", ("encoder_attention_heads",))
n_heads_dec = Dimension("n_heads_dec", r"n_{\text{heads,dec}}", ("decoder_attention_heads",))
n_kv_heads = Dimension("n_kv_heads", r"n_{\text{kv heads}}", ("num_key_value_heads",))
n_ssm_heads = Dimension("n_ssm_heads", r"n_{\text{ssm heads}}")
d_head = Dimension("d_head", r"d_{\text{head}}", ("head_dim", "d_kv"))
d_head_enc = Dimension("d_head_enc", r"d_{\text{head,enc}}")
d_head_dec = Dimension("d_head_dec", r"d_{\text{head,dec}}")
d_ff = Dimension("d_ff", r"d_{\text{ff}}", ("intermediate_size", "n_inner", "ffn_dim"))
d_ff_enc = Dimension("d_ff_enc", r"d_{\text{ff,enc}}", ("encoder_ffn_dim",))
d_ff_dec = Dimension("d_ff_dec", r"d_{\text{ff,dec}}", ("decoder_ffn_dim",))
n_labels = Dimension("n_labels", r"n_{\text{labels}}", ("num_labels",))
d_expert = Dimension("d_expert", r"d_{\text{expert}}", ("moe_intermediate_size",))
d_shared = Dimension("d_shared", r"d_{\text{shared}}", ("shared_expert_intermediate_size",))
r_q = Dimension("r_q", r"r_{\text{q}}", ("q_lora_rank",))
r_kv = Dimension("r_kv", r"r_{\text{kv}}", ("kv_lora_rank",))
d_nope = Dimension("d_nope", r"d_{\text{nope}}", ("qk_nope_head_dim",))
d_rope = Dimension("d_rope", r"d_{\text{rope}}", ("qk_rope_head_dim",))
d_v = Dimension("d_v", r"d_{\text{v}}", ("v_head_dim",))
d_ff_text = Dimension("d_ff_text", r"d_{\text{ff,text}}", ("text_config.intermediate_size",))
d_ff_vision = Dimension("d_ff_vision", r"d_{\text{ff,vision}}", ("vision_config.intermediate_size",))
d_proj = Dimension("d_proj", r"d_{\text{proj}}", ("projection_dim",))
d_pool = Dimension("d_pool", r"d_{\text{pool}}", ("pooler_output_size",))
n_channels = Dimension("n_channels", r"n_{\text{channels}}", ("num_channels",))
image = Dimension("image", r"\text{image}", ("image_size",))
patch = Dimension("patch", r"\text{patch}", ("patch_size",))
stride = Dimension("stride", r"\text{stride}", ("encoder_stride",))
d_inner = Dimension("d_inner", r"d_{\text{inner}}")
n_groups = Dimension("n_groups", r"n_{\text{groups}}")
d_state = Dimension("d_state", r"d_{\text{state}}", ("state_size",))
d_conv = Dimension("d_conv", r"d_{\text{conv}}", ("conv_kernel",))
r_dt = Dimension("r_dt", r"r_{\text{dt}}", ("time_step_rank",))
d_classifier = Dimension("d_classifier", r"d_{\text{classifier}}", ("classifier_proj_size",))

DIMENSIONS: tuple[Dimension, ...] = tuple(value for value in list(globals().values()) if isinstance(value, Dimension))
RANK = {dimension: rank for rank, dimension in enumerate(DIMENSIONS)}

# The order in which a reader meets them, in tables.
_FIRST = (V, h, L, n_heads, n_kv_heads, d_head, d_ff, max_pos, n_types)
READING_ORDER = (*_FIRST, *(dimension for dimension in DIMENSIONS if dimension not in _FIRST))

BY_NAME = {dimension.name: dimension for dimension in READING_ORDER}
BY_KEY = {key: dimension for dimension in READING_ORDER for key in (dimension.name, *dimension.config_keys)}

# Heads cut a matrix into slices: they do not raise the power of a term, so 2·L·h·n_kv_heads·d_head ranks with L·h·d_ff.
SLICES = frozenset({n_heads, n_kv_heads})
