"""Heads: the matrix that gives logits for the next token, and classifiers."""

from __future__ import annotations

from symparams.components.facts import Gate, Gives, Tokens
from symparams.components.flow import giving, seeing
from symparams.components.linear import linear
from symparams.components.tree import Component
from symparams.expressions.nodes import Operand


def output_head(width: Operand, rows: Operand, *, bias: Gate = False, tied_to: str = "", activation: str = "") -> Component:
    """The matrix from each token to a logit for each word: h × V, often tied to the token embedding (arXiv:1608.05859).

    It sees as many positions as logits are asked for.
    """
    matrix = linear(width, rows, bias=bias, tied_to=tied_to, activation=activation)
    return giving(seeing(matrix, Tokens.LOGITS), Gives.NEXT_TOKEN)


def classifying(component: Component) -> Component:
    """A classifier of each token, or of the whole sequence, as the class of its model has it."""
    return giving(seeing(component, Tokens.LABELS), Gives.LABELS)
