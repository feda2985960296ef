"""Features: parts that a model may have or lack. Families share those listed here; a definition may add its own.

A feature is an indicator that is 0 or 1: ``pooler * linear(h, h)`` is there where the model has a pooler, and
``~tying * linear(h, V)`` where it does not tie. The catalogues describe each feature, under ``[features]``.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from symparams.errors import DefinitionError, NotAnExpressionError, quoted
from symparams.expressions.nodes import Multiplicand, is_name
from symparams.records import frozen


@frozen
class Feature:
    """An indicator: 1 if the model has the part, else 0; ``~feature`` is its complement.

    ``is_flow`` marks a switch that changes what a part reads but no count.
    """

    name: str
    negated: bool = False
    is_flow: bool = False

    def __post_init__(self) -> None:
        if not is_name(self.name):
            raise DefinitionError(f"{quoted(self.name)} is not the name of a feature: write letters, digits and _.")

    def __str__(self) -> str:
        return f"~{self.name}" if self.negated else self.name

    def __invert__(self) -> Feature:
        return replace(self, negated=not self.negated)

    def __mul__(self, other: object) -> Any:
        """Refuse a size: only a component is multiplied by a feature, which its own product does."""
        if isinstance(other, Multiplicand):
            return NotImplemented
        size = quoted(other, 30)[1:-1]
        raise NotAnExpressionError(f"{quoted(self)} is a Feature, not a size: write {self} * ({size} * linear(h, h)).")

    __rmul__ = __mul__

    def holds(self, present: Collection[str]) -> bool:
        """True if the indicator is 1 for a model with the features ``present``."""
        return (self.name in present) is not self.negated


biases = Feature("biases")
tying = Feature("tying")
embeddings = Feature("embeddings")
encoder = Feature("encoder")
decoder = Feature("decoder")
final_layer_norm = Feature("final_layer_norm")
segment_embeddings = Feature("segment_embeddings")
lm_head = Feature("lm_head")
lm_head_bias = Feature("lm_head_bias")
attention_bias = Feature("attention_bias")
mlp_bias = Feature("mlp_bias")
alibi_positions = Feature("alibi_positions")
closing_norm = Feature("closing_norm")
separate_norms = Feature("separate_norms")
norm_parameters = Feature("norm_parameters")
attention_layers = Feature("attention_layers")
linear_attention_layers = Feature("linear_attention_layers")
mamba_layers = Feature("mamba_layers")
hybrid_layers = Feature("hybrid_layers")
hybrid_shared_layers = Feature("hybrid_shared_layers")
convolution_layers = Feature("convolution_layers")
local_layers = Feature("local_layers")
global_layers = Feature("global_layers")
sharing_layers = Feature("sharing_layers")
local_shared_layers = Feature("local_shared_layers")
global_shared_layers = Feature("global_shared_layers")
key_is_value = Feature("key_is_value")
per_layer_inputs = Feature("per_layer_inputs")
gate_sparsity = Feature("gate_sparsity", is_flow=True)
patch_pooling = Feature("patch_pooling", is_flow=True)
experts_beside = Feature("experts_beside")
dense_layers = Feature("dense_layers")
moe_layers = Feature("moe_layers")
shared_experts = Feature("shared_experts")
latent_experts = Feature("latent_experts")
query_compression = Feature("query_compression")
discriminator_head = Feature("discriminator_head")
embedding_projection = Feature("embedding_projection")
embedding_norm = Feature("embedding_norm")
qkv_bias = Feature("qkv_bias")
attention_output_bias = Feature("attention_output_bias")
query_bias = Feature("query_bias")
key_bias = Feature("key_bias")
value_bias = Feature("value_bias")
output_projection_bias = Feature("output_projection_bias")
query_key_norm = Feature("query_key_norm")
attention_adapters = Feature("attention_adapters")
post_norms = Feature("post_norms")
parallel_residual = Feature("parallel_residual")
mim_head = Feature("mim_head")
trained_stages = Feature("trained_stages")
detection_heads = Feature("detection_heads")
mask_head = Feature("mask_head")
window_layers = Feature("window_layers")
whole_layers = Feature("whole_layers")
mask_token = Feature("mask_token")
text_encoder = Feature("text_encoder")
vision = Feature("vision")
audio = Feature("audio")
attention_pooling = Feature("attention_pooling")
# What an image encoder has of its own beside a text model that may have the same.
image_biases = Feature("image_biases")
image_attention_bias = Feature("image_attention_bias")
image_qkv_bias = Feature("image_qkv_bias")
image_mlp_bias = Feature("image_mlp_bias")
image_query_key_norm = Feature("image_query_key_norm")
projection = Feature("projection")
projector_bias = Feature("projector_bias")
projection_bias = Feature("projection_bias")
conv_bias = Feature("conv_bias")
state_input_bias = Feature("state_input_bias")
state_output_bias = Feature("state_output_bias")
gated_norm = Feature("gated_norm")
norm_bias = Feature("norm_bias")
rms_norms = Feature("rms_norms")
transform_bias = Feature("transform_bias")
output_bias = Feature("output_bias")
position_embeddings = Feature("position_embeddings")
relative_positions = Feature("relative_positions")
relative_position_norm = Feature("relative_position_norm")
content_to_position = Feature("content_to_position")
position_to_content = Feature("position_to_content")
conv_layer = Feature("conv_layer")
pooler = Feature("pooler")
mlm_head = Feature("mlm_head")
nsp_head = Feature("nsp_head")
sop_head = Feature("sop_head")
tieable_output = Feature("tieable_output")
sequence_summary = Feature("sequence_summary")
summary_projection = Feature("summary_projection")
summary_to_labels = Feature("summary_to_labels")
answer_head = Feature("answer_head")
cross_attention = Feature("cross_attention")
shared_vocabulary = Feature("shared_vocabulary")
gated_feed_forward = Feature("gated_feed_forward")
classifier = Feature("classifier")
classifier_bias = Feature("classifier_bias")
classifier_transform = Feature("classifier_transform")
distillation_classifier = Feature("distillation_classifier")
layer_scales = Feature("layer_scales")
feature_norm = Feature("feature_norm")
layer_weights = Feature("layer_weights")
conv_norms = Feature("conv_norms")
mask_vector = Feature("mask_vector")
adapters = Feature("adapters")
ctc_head = Feature("ctc_head")
frame_classifier = Feature("frame_classifier")
quantizer = Feature("quantizer")
x_vector = Feature("x_vector")
frames_normed = Feature("frames_normed")

causal = Feature("causal", is_flow=True)
whole_sequence = Feature("whole_sequence", is_flow=True)
bidirectional = Feature("bidirectional", is_flow=True)
audio_bidirectional = Feature("audio_bidirectional", is_flow=True)
pre_norm_layers = Feature("pre_norm_layers", is_flow=True)
residual_after_norm = Feature("residual_after_norm", is_flow=True)
rotary_positions = Feature("rotary_positions", is_flow=True)
scaled_embeddings = Feature("scaled_embeddings", is_flow=True)
parallel_attention = Feature("parallel_attention", is_flow=True)
