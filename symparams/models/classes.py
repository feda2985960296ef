"""Classes of the library: of two with the same features, one may classify each token, the other the whole sequence.

A definition says what the classifier of a whole sequence reads; that of a class over tokens is the same matrix.
"""

from __future__ import annotations

from dataclasses import replace

from symparams.components.facts import Gives
from symparams.components.tree import Component
from symparams.errors import OptionError
from symparams.models.model import Model

# The library's classes that find an answer among the tokens, and all that read every token, without their prefix.
ANSWERING = frozenset({"ForQuestionAnswering", "ForQuestionAnsweringSimple"})
OVER_TOKENS = frozenset({"ForTokenClassification", *ANSWERING})


def class_of(model: Model) -> str:
    """Return the library's class of a model; "" where none has just these features."""
    try:
        return model.library.class_of(model.present, model.origin.class_name) if model.library else ""
    except OptionError:
        return ""


def is_over_tokens(model: Model) -> bool:
    """True if its classifier reads every token."""
    return _suffix(model) in OVER_TOKENS


def is_answering(model: Model) -> bool:
    """True if its classifier says of every token how well an answer starts there and how well one ends there."""
    return _suffix(model) in ANSWERING


def tree_as_read(model: Model) -> Component:
    """Return the tree of a model, whose classifier reads every token where its class has such a one."""
    if not is_over_tokens(model):
        return model.tree
    body = ((name, replace(part, reads="") if part.gives is Gives.LABELS else part) for name, part in model.tree.body)
    return replace(model.tree, body=tuple(body))


def _suffix(model: Model) -> str:
    return model.library.suffix(class_of(model)) if model.library else ""
