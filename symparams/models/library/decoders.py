"""What the decoders of the library's LLaMA line share: the keys of their configs, and its generic heads.

The heads are those of ``transformers.modeling_layers``: sequence classification without a bias, token classification and
question answering with one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from symparams.expressions.config_keys import KEYS
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_kv_heads, n_labels
from symparams.models.library import Key, Settings, SizeReader

ENDS_OF_AN_ANSWER = 2


def decoder_sizes(defaults: Mapping[Dimension, int], *, rounded: bool = False) -> dict[Dimension, SizeReader]:
    """The sizes under the keys that all of these decoders use, with the library's defaults.

    ``rounded`` is for a library class that takes any n_heads and rounds h / n_heads down to the size of a head.
    """
    keys = {d: Key(KEYS[d][0], default=defaults.get(d)) for d in (V, h, L, n_heads, n_kv_heads, d_head, d_ff)}
    head = RoundedHead(keys[h], keys[n_heads]) if rounded else keys[d_head]
    return {**keys, d_head: head, n_labels: outputs}


@dataclass(frozen=True, init=False)
class RoundedHead(Key):
    """The size of a head: its key, or h / n_heads rounded down where that leaves a remainder."""

    width: Key
    heads: Key

    def __init__(self, width: Key, heads: Key) -> None:
        super().__init__(KEYS[d_head][0])
        object.__setattr__(self, "width", width)
        object.__setattr__(self, "heads", heads)

    def __call__(self, settings: Settings) -> int | None:
        given, width, heads = Key.__call__(self, settings), self.width(settings), self.heads(settings)
        if given is not None or not width or not heads or width % heads == 0:
            return given
        return width // heads or None


def outputs(settings: Settings) -> int:
    """The outputs of a classifier: its labels, or the two ends of an answer."""
    return ENDS_OF_AN_ANSWER if _class_name(settings).endswith("ForQuestionAnswering") else settings.labels


def outputs_biased(settings: Settings) -> bool:
    """Whether the classifier has a bias."""
    name = _class_name(settings)
    per_token = name.endswith("ForTokenClassification") and settings.flag("token_classification_bias", default=True)
    return per_token or name.endswith("ForQuestionAnswering")


def _class_name(settings: Settings) -> str:
    return str((settings.listed("architectures") or [""])[0])
