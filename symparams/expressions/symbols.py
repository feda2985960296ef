"""Symbols: the letters that the field shares, in the order in which people write factors (3·L·h·d_ff, V·h, max_pos·h).

What each means in words stands in the language catalogues, under ``[dimensions]`` and its name. The set is open: a
definition, a file or a formula may bring letters of its own, which come after these, in the order of the alphabet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from symparams.expressions.nodes import Dimension, Expression

L = Dimension("L")
L_enc = Dimension("L_enc")
L_dec = Dimension("L_dec")
L_attn = Dimension("L_attn")
L_linear = Dimension("L_linear")
L_mamba = Dimension("L_mamba")
L_own = Dimension("L_own")
L_shared = Dimension("L_shared")
L_conv = Dimension("L_conv")
L_dense = Dimension("L_dense")
L_moe = Dimension("L_moe")
L_stored = Dimension("L_stored")
L_local = Dimension("L_local")
L_global = Dimension("L_global")
L_local_shared = Dimension("L_local_shared", r"L_{\text{local,shared}}")
L_global_shared = Dimension("L_global_shared", r"L_{\text{global,shared}}")
L_text = Dimension("L_text")
L_vision = Dimension("L_vision")
L_audio = Dimension("L_audio")
L_windowed = Dimension("L_windowed")
L_iou = Dimension("L_iou")
L_1 = Dimension("L_1")
L_2 = Dimension("L_2")
L_3 = Dimension("L_3")
L_4 = Dimension("L_4")
n_deepstack = Dimension("n_deepstack")
n_experts = Dimension("n_experts")
n_active = Dimension("n_active")
n_shared = Dimension("n_shared")
V = Dimension("V")
V_dec = Dimension("V_dec")
V_layers = Dimension("V_layers")
max_pos = Dimension("max_pos")
max_source = Dimension("max_source")
max_target = Dimension("max_target")
max_rel = Dimension("max_rel")
n_buckets = Dimension("n_buckets")
n_mels = Dimension("n_mels")
n_bands = Dimension("n_bands")
n_types = Dimension("n_types")
n_patches = Dimension("n_patches")
n_positions = Dimension("n_positions")
n_queries = Dimension("n_queries")
n_points = Dimension("n_points")
n_masks = Dimension("n_masks")
n_registers = Dimension("n_registers")
n_patches_1 = Dimension("n_patches_1", r"n_{\text{patches},1}")
n_patches_2 = Dimension("n_patches_2", r"n_{\text{patches},2}")
n_patches_3 = Dimension("n_patches_3", r"n_{\text{patches},3}")
n_patches_4 = Dimension("n_patches_4", r"n_{\text{patches},4}")
n_windowed = Dimension("n_windowed", r"n_{\text{windowed}}")
n_windowed_1 = Dimension("n_windowed_1", r"n_{\text{windowed},1}")
n_windowed_2 = Dimension("n_windowed_2", r"n_{\text{windowed},2}")
n_windowed_3 = Dimension("n_windowed_3", r"n_{\text{windowed},3}")
n_windowed_4 = Dimension("n_windowed_4", r"n_{\text{windowed},4}")
h = Dimension("h")
h_text = Dimension("h_text")
h_vision = Dimension("h_vision")
h_audio = Dimension("h_audio")
h_conv = Dimension("h_conv")
h_conv_1 = Dimension("h_conv_1", r"h_{\text{conv},1}")
h_conv_2 = Dimension("h_conv_2", r"h_{\text{conv},2}")
h_tdnn_1 = Dimension("h_tdnn_1", r"h_{\text{tdnn},1}")
h_tdnn_2 = Dimension("h_tdnn_2", r"h_{\text{tdnn},2}")
h_tdnn_3 = Dimension("h_tdnn_3", r"h_{\text{tdnn},3}")
h_tdnn_4 = Dimension("h_tdnn_4", r"h_{\text{tdnn},4}")
h_tdnn_5 = Dimension("h_tdnn_5", r"h_{\text{tdnn},5}")
h_0 = Dimension("h_0")
h_1 = Dimension("h_1")
h_2 = Dimension("h_2")
h_3 = Dimension("h_3")
h_4 = Dimension("h_4")
expand = Dimension("expand")
d_emb = Dimension("d_emb")
n_heads = Dimension("n_heads")
n_heads_enc = Dimension("n_heads_enc", r"n_{\text{heads,enc}}")
n_heads_dec = Dimension("n_heads_dec", r"n_{\text{heads,dec}}")
n_kv_heads = Dimension("n_kv_heads")
n_kv_global = Dimension("n_kv_global", r"n_{\text{kv,global}}")
n_ssm_heads = Dimension("n_ssm_heads")
n_index_heads = Dimension("n_index_heads", r"n_{\text{index heads}}")
d_head = Dimension("d_head")
d_ssm_head = Dimension("d_ssm_head", r"d_{\text{ssm head}}")
n_linear_keys = Dimension("n_linear_keys")
n_linear_values = Dimension("n_linear_values")
d_linear_key = Dimension("d_linear_key")
d_linear_value = Dimension("d_linear_value")
d_head_global = Dimension("d_head_global", r"d_{\text{head,global}}")
n_heads_text = Dimension("n_heads_text", r"n_{\text{heads,text}}")
n_heads_vision = Dimension("n_heads_vision", r"n_{\text{heads,vision}}")
n_heads_audio = Dimension("n_heads_audio", r"n_{\text{heads,audio}}")
n_heads_1 = Dimension("n_heads_1", r"n_{\text{heads},1}")
n_heads_2 = Dimension("n_heads_2", r"n_{\text{heads},2}")
n_heads_3 = Dimension("n_heads_3", r"n_{\text{heads},3}")
n_heads_4 = Dimension("n_heads_4", r"n_{\text{heads},4}")
n_kv_heads_text = Dimension("n_kv_heads_text", r"n_{\text{kv heads,text}}")
n_kv_heads_vision = Dimension("n_kv_heads_vision", r"n_{\text{kv heads,vision}}")
d_head_enc = Dimension("d_head_enc", r"d_{\text{head,enc}}")
d_head_dec = Dimension("d_head_dec", r"d_{\text{head,dec}}")
d_head_text = Dimension("d_head_text", r"d_{\text{head,text}}")
d_head_vision = Dimension("d_head_vision", r"d_{\text{head,vision}}")
d_head_audio = Dimension("d_head_audio", r"d_{\text{head,audio}}")
d_head_cross = Dimension("d_head_cross", r"d_{\text{head,cross}}")
d_head_final = Dimension("d_head_final", r"d_{\text{head,final}}")
d_attn = Dimension("d_attn")
d_head_1 = Dimension("d_head_1", r"d_{\text{head},1}")
d_head_2 = Dimension("d_head_2", r"d_{\text{head},2}")
d_head_3 = Dimension("d_head_3", r"d_{\text{head},3}")
d_head_4 = Dimension("d_head_4", r"d_{\text{head},4}")
d_ff = Dimension("d_ff")
d_ff_shared = Dimension("d_ff_shared", r"d_{\text{ff,shared}}")
d_ff_enc = Dimension("d_ff_enc", r"d_{\text{ff,enc}}")
d_ff_dec = Dimension("d_ff_dec", r"d_{\text{ff,dec}}")
n_labels = Dimension("n_labels")
d_expert = Dimension("d_expert")
d_shared = Dimension("d_shared")
d_latent = Dimension("d_latent")
d_layer = Dimension("d_layer")
n_streams = Dimension("n_streams")
r_laurel = Dimension("r_laurel")
r_q = Dimension("r_q")
r_kv = Dimension("r_kv")
r_adapter = Dimension("r_adapter")
d_nope = Dimension("d_nope")
d_rope = Dimension("d_rope")
d_v = Dimension("d_v")
d_index = Dimension("d_index")
d_ff_text = Dimension("d_ff_text", r"d_{\text{ff,text}}")
d_ff_vision = Dimension("d_ff_vision", r"d_{\text{ff,vision}}")
d_features = Dimension("d_features")
d_proj = Dimension("d_proj")
d_mask = Dimension("d_mask")
d_iou = Dimension("d_iou")
d_adapter = Dimension("d_adapter")
n_codebooks = Dimension("n_codebooks")
n_codes = Dimension("n_codes")
d_code = Dimension("d_code")
d_contrast = Dimension("d_contrast")
d_xvector = Dimension("d_xvector")
d_pool = Dimension("d_pool")
n_channels = Dimension("n_channels")
image = Dimension("image")
patch = Dimension("patch")
window = Dimension("window")
grid = Dimension("grid")
d_out = Dimension("d_out")
mlp_ratio = Dimension("mlp_ratio")
frames = Dimension("frames")
merge = Dimension("merge")
stride = Dimension("stride")
d_inner = Dimension("d_inner")
n_groups = Dimension("n_groups")
d_state = Dimension("d_state")
d_conv = Dimension("d_conv")
k_1 = Dimension("k_1")
k_2 = Dimension("k_2")
k_3 = Dimension("k_3")
k_4 = Dimension("k_4")
k_5 = Dimension("k_5")
k_6 = Dimension("k_6")
k_7 = Dimension("k_7")
k_tdnn_1 = Dimension("k_tdnn_1", r"k_{\text{tdnn},1}")
k_tdnn_2 = Dimension("k_tdnn_2", r"k_{\text{tdnn},2}")
k_tdnn_3 = Dimension("k_tdnn_3", r"k_{\text{tdnn},3}")
k_tdnn_4 = Dimension("k_tdnn_4", r"k_{\text{tdnn},4}")
k_tdnn_5 = Dimension("k_tdnn_5", r"k_{\text{tdnn},5}")
k_pos = Dimension("k_pos")
n_pos_groups = Dimension("n_pos_groups", r"n_{\text{pos groups}}")
r_dt = Dimension("r_dt")
d_classifier = Dimension("d_classifier")
W = Dimension("W")
L_window = Dimension("L_window")
chunk = Dimension("chunk")
n_index_keys = Dimension("n_index_keys", r"n_{\text{index keys}}")
n_image_tokens = Dimension("n_image_tokens")
n_image_patches = Dimension("n_image_patches")
n_frames = Dimension("n_frames")
n_global = Dimension("n_global")
W_vision = Dimension("W_vision")
W_left = Dimension("W_left")
W_right = Dimension("W_right")
L_full = Dimension("L_full")

DIMENSIONS: tuple[Dimension, ...] = tuple(value for value in list(globals().values()) if isinstance(value, Dimension))

# What a model is given, and no size of its own: the inputs of what it costs to run and to train.
D = Dimension("D")  # tokens to train on
N = Dimension("N")  # parameters, in a rule of thumb
N_active = Dimension("N_active")  # those of them that one token uses
b = Dimension("b")  # sequences side by side
s = Dimension("s")  # new tokens of each
K = Dimension("K")  # keys that each of them meets: t + s
t = Dimension("t")  # tokens in the cache before them
s_src = Dimension("s_src")  # tokens of the source
n_logits = Dimension("n_logits")  # positions whose logits are wanted
r = Dimension("r")  # the rank of LoRA
e = Dimension("e")  # bytes of a number
INPUTS: tuple[Dimension, ...] = (D, N, N_active, b, s, K, t, s_src, n_logits, r, e)
# What an input is called where a model has a size of its letter; any input may be given by this name.
LONG_NAMES: Mapping[Dimension, Dimension] = MappingProxyType(
    {
        letter: Dimension(name)
        for letter, name in (
            (D, "training_tokens"), (N, "parameters"), (N_active, "active_parameters"), (b, "batch"), (s, "tokens"),
            (K, "keys"), (t, "context"), (s_src, "source_tokens"), (n_logits, "logit_positions"), (r, "rank"), (e, "bytes"),
        )
    }
)  # fmt: skip

_ORDER = (*INPUTS[:-2], *DIMENSIONS, r, e)
RANK: Mapping[Dimension, int] = MappingProxyType({dimension: rank for rank, dimension in enumerate(_ORDER)})

# The order in which a reader meets them, in tables.
_FIRST = (V, h, L, n_heads, n_kv_heads, d_head, d_ff, max_pos, n_types)
READING_ORDER = (*_FIRST, *(dimension for dimension in DIMENSIONS if dimension not in _FIRST))
BY_NAME: Mapping[str, Dimension] = MappingProxyType({dimension.name: dimension for dimension in READING_ORDER})

_READ = {dimension: place for place, dimension in enumerate((*READING_ORDER, *INPUTS))}

# Heads cut a matrix into slices: they do not raise the power of a term, so 2·L·h·n_kv_heads·d_head ranks with L·h·d_ff.
# Nor do the few patches and frames that lie side by side in one vector: merge⁴·h_vision² ranks with h_vision².
SLICES = frozenset(
    {
        n_heads, n_kv_heads, n_linear_keys, n_linear_values, n_kv_global,
        n_heads_text, n_kv_heads_text, n_kv_heads_vision, merge, frames,
    }
)  # fmt: skip


def letter(name: str) -> Dimension:
    """The letter of this name: the field's, or one of somebody's own. ExpressionError where it can be no name."""
    return BY_NAME.get(name) or Dimension(name)


def by_rank(expression: Expression) -> tuple[int, str]:
    """Return the sort key of a factor in a term: the field's letters in their order, then others, then rounded parts."""
    if isinstance(expression, Dimension):
        return RANK.get(expression, len(RANK)), expression.name
    return len(RANK) + 1, repr(expression)


def by_reading(dimension: Dimension) -> tuple[int, str]:
    """Return the sort key of a letter in a table: in reading order, a user's own letters last."""
    return _READ.get(dimension, len(_READ)), dimension.name


def in_rank(dimensions: Iterable[Dimension]) -> tuple[Dimension, ...]:
    """Letters, each once, in the order in which people write factors."""
    return tuple(sorted(set(dimensions), key=by_rank))
