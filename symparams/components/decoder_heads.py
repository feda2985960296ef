"""The heads that the library puts on a decoder: the language-model head and the classifier."""

from __future__ import annotations

from symparams.components import Component, Gate, linear
from symparams.expressions.features import classifier, classifier_bias, lm_head
from symparams.expressions.nodes import Expression
from symparams.expressions.symbols import V, n_labels


def decoder_heads(width: Expression, *, lm_head_bias: Gate = False) -> dict[str, Component]:
    """The language-model head, width × V, tied to the token embedding, and the classifier, width × n_labels.

    Each is there where the model has it; the classifier has a bias over tokens and over answers, none over sequences.
    """
    return {
        "lm_head": lm_head * linear(width, V, bias=lm_head_bias, tied_to="embeddings.token_embedding"),
        "classifier": classifier * linear(width, n_labels, bias=classifier_bias),
    }
