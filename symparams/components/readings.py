"""Readings: what a part takes in beside, or in place of, what comes before it, where more hangs on that than its name.

A definition may say any other, ``reading(linear(h, h), "first token")``; what it is called in a language is the catalogue's.
"""

from __future__ import annotations

from symparams.expressions.nodes import Expression
from symparams.expressions.written import ONE

ENCODER = "encoder"  # what cross-attention takes in
TARGET = "target tokens"  # a decoder's input, beside that of its encoder
DISTANCES = "distances"  # what a table of biases of the scores is read by
# What of a sequence is one vector: a token, or the mean of all.
OF_A_SEQUENCE = frozenset({"first token", "second token", "last token", "end token", "class token", "mean of the patches"})
# What heads over the whole sequence read where there is a part of this name, and each token where there is none.
POOLED, SUMMARY = "pooler", "sequence_summary"
OF_HEADS = frozenset({POOLED, SUMMARY})
BEFORE_NORM = "patches before the last norm"  # what the layers give, whatever stands above them


def seen(reads: str) -> Expression | None:
    """How many tokens of a sequence a part sees that reads this: one, or as many as its stream has."""
    return ONE if reads in OF_A_SEQUENCE else None


def key(reads: str) -> str:
    """What a reading is called in a table of the catalogue: first_token."""
    return reads.replace(" ", "_")
