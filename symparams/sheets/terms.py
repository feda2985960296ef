"""What a sentence calls the sides of a leaf: a note names them by where they stand in a shape, a sentence by what they are."""

from __future__ import annotations

from collections.abc import Mapping

from symparams.components.facts import Rows
from symparams.components.kinds import Role
from symparams.components.walks import components
from symparams.models.formula import Formula, Subject
from symparams.quantities.parameters import PARAMETERS
from symparams.sheets.values import Listed, Name, Value

_TOKENS, _POSITIONS = {"n_tokens": "rows"}, {"n_positions": "rows"}
_BUCKETS = {"n_buckets": "rows", "n_heads": "width"}
_FROM_TO = {"from": "rows", "to": "width"}
_UP = {"from": "narrow", "to": "wide"}
MEANINGS: Mapping[str, Mapping[str, str]] = {
    "shared_embedding": _TOKENS,
    "encoder_token_embedding": _TOKENS,
    "decoder_token_embedding": _TOKENS,
    "token_embedding": _TOKENS,
    "source_embedding": _TOKENS,
    "target_embedding": _TOKENS,
    "position_embedding": _POSITIONS,
    "encoder_position_embedding": _POSITIONS,
    "decoder_position_embedding": _POSITIONS,
    "encoder_position_bias": _BUCKETS,
    "decoder_position_bias": _BUCKETS,
    "position_bias": _BUCKETS,
    "relative_embedding": {"n_distances": "rows"},
    "segment_embedding": {"n_types": "rows"},
    "experts": {"n_experts": "rows"},
    "sinks": {"n_heads": "rows"},
    "sequence_summary": _FROM_TO,
    "label_summary": _FROM_TO,
    "pooler": _FROM_TO,
    "feed_forward": _UP,
    "gated_feed_forward": _UP,
    "shared_expert_feed_forward": _UP,
    "expert_feed_forward": {"n_experts": "wide"},
    "dual_state_space": {"n_heads": "skip"},
    "sink_attention": {"n_heads": "sinks"},
}


def tables_alone(model: Subject) -> Value:
    """The tables of a model that reads no tokens, one by one: its patches are embedded, too, and not by a table."""
    if isinstance(model, Formula) or any(part.rows is Rows.TOKENS for _, part in components(model.architecture.tree)):
        return None
    names = [leaf.name for leaf in model.leaves if leaf.component.role is Role.TABLE and PARAMETERS.terms(leaf.component)]
    return Listed(tuple(map(Name, dict.fromkeys(names))), "steps.both") if names else None
