"""Every feature: a part that a model may or may not have. One is born here and nowhere else.

A feature is an indicator that is 0 or 1: ``pooler * linear(h, h)`` is there where the model has a pooler, and
``~tying * linear(h, V)`` where it does not tie. What a feature means stands in the catalogues, under ``[features]``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Feature:
    """An indicator, 1 where the model has the part and 0 where it does not; ``~feature`` is its complement."""

    name: str
    negated: bool = False

    def __invert__(self) -> Feature:
        return replace(self, negated=not self.negated)

    def holds(self, present: frozenset[str]) -> bool:
        """Whether the indicator is 1 for a model with the features ``present``."""
        return (self.name in present) is not self.negated


biases = Feature("biases")
tying = Feature("tying")
embeddings = Feature("embeddings")
encoder = Feature("encoder")
decoder = Feature("decoder")
final_layer_norm = Feature("final_layer_norm")
segment_embeddings = Feature("segment_embeddings")
pooler = Feature("pooler")
mlm_head = Feature("mlm_head")
nsp_head = Feature("nsp_head")
lm_head = Feature("lm_head")
attention_bias = Feature("attention_bias")
mlp_bias = Feature("mlp_bias")
classifier = Feature("classifier")
