"""Classes: what the library calls a model, and what that decides beside its features: whether a classifier reads every token.

A definition says what the classifier of a whole sequence reads; that of a class over tokens is the same matrix.
"""

from __future__ import annotations

from dataclasses import replace

from symparams.components.facts import Gives
from symparams.components.tree import Component
from symparams.errors import OptionError
from symparams.models.model import Model

# How classes end that find an answer among the tokens, and those that read every token, these with them.
ANSWERING = ("ForQuestionAnswering", "ForQuestionAnsweringSimple")
OVER_TOKENS = ("ForTokenClassification", *ANSWERING)


def class_of(model: Model) -> str:
    """What the library calls a model like this; "" where it has no class with just these features."""
    try:
        return model.library.class_of(model.present, model.origin.class_name) if model.library else ""
    except OptionError:
        return ""


def is_over_tokens(model: Model) -> bool:
    """True if its classifier reads every token."""
    return class_of(model).endswith(OVER_TOKENS)


def is_answering(model: Model) -> bool:
    """True if its classifier says of every token how well an answer starts there and how well one ends there."""
    return class_of(model).endswith(ANSWERING)


def tree_as_read(model: Model) -> Component:
    """Its tree, with a classifier that reads every token where its class has one."""
    if not is_over_tokens(model):
        return model.tree
    body = ((name, replace(part, reads="") if part.gives is Gives.LABELS else part) for name, part in model.tree.body)
    return replace(model.tree, body=tuple(body))
