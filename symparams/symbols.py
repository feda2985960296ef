"""Every dimension: its symbol, its LaTeX, and its keys in Hugging Face configs. One is born here and nowhere else.

What a dimension means in words stands in the language catalogues, under ``[dimensions]`` and its name. The order of
this file is the order in which people write factors: 3·L·h·d_ff, V·h, max_pos·h.
"""

from __future__ import annotations

from symparams.written import Dimension

L = Dimension("L", "L", ("num_hidden_layers", "n_layer", "num_layers", "n_layers"))
V = Dimension("V", "V", ("vocab_size", "n_vocab"))
max_pos = Dimension("max_pos", r"\text{max}_{\text{pos}}", ("max_position_embeddings", "n_positions", "n_ctx"))
n_types = Dimension("n_types", r"n_{\text{types}}", ("type_vocab_size",))
h = Dimension("h", "h", ("hidden_size", "n_embd", "d_model"))
n_heads = Dimension("n_heads", r"n_{\text{heads}}", ("num_attention_heads", "n_head", "num_heads"))
n_kv_heads = Dimension("n_kv_heads", r"n_{\text{kv heads}}", ("num_key_value_heads",))
d_head = Dimension("d_head", r"d_{\text{head}}", ("head_dim", "d_kv"))
d_ff = Dimension("d_ff", r"d_{\text{ff}}", ("intermediate_size", "n_inner", "ffn_dim"))

n_labels = Dimension("n_labels", r"n_{\text{labels}}", ("num_labels",))

L_dense = Dimension("L_dense", r"L_{\text{dense}}")
L_moe = Dimension("L_moe", r"L_{\text{moe}}")
n_experts = Dimension("n_experts", r"n_{\text{experts}}", ("num_local_experts", "num_experts", "n_routed_experts"))
n_active = Dimension("n_active", r"n_{\text{active}}", ("num_experts_per_tok",))
n_shared = Dimension("n_shared", r"n_{\text{shared}}", ("n_shared_experts",))
d_expert = Dimension("d_expert", r"d_{\text{expert}}", ("moe_intermediate_size",))
d_shared = Dimension("d_shared", r"d_{\text{shared}}", ("shared_expert_intermediate_size",))
r_q = Dimension("r_q", r"r_{\text{q}}", ("q_lora_rank",))
r_kv = Dimension("r_kv", r"r_{\text{kv}}", ("kv_lora_rank",))
d_nope = Dimension("d_nope", r"d_{\text{nope}}", ("qk_nope_head_dim",))
d_rope = Dimension("d_rope", r"d_{\text{rope}}", ("qk_rope_head_dim",))
d_v = Dimension("d_v", r"d_{\text{v}}", ("v_head_dim",))
DIMENSIONS: tuple[Dimension, ...] = tuple(value for value in list(globals().values()) if isinstance(value, Dimension))
BY_NAME = {dimension.name: dimension for dimension in DIMENSIONS}
BY_KEY = {key: dimension for dimension in DIMENSIONS for key in (dimension.name, *dimension.config_keys)}
RANK = {dimension: rank for rank, dimension in enumerate(DIMENSIONS)}

# The order in which a reader meets them, in tables.
_FIRST = (V, h, L, n_heads, n_kv_heads, d_head, d_ff, max_pos, n_types)
READING_ORDER = (*_FIRST, *(dimension for dimension in DIMENSIONS if dimension not in _FIRST))

# Heads cut a matrix into slices: they do not raise the power of a term, so 2·L·h·n_kv_heads·d_head ranks with L·h·d_ff.
SLICES = frozenset({n_heads, n_kv_heads})
