"""Readings: what a part takes in beside, or in place of, what comes before it, where more hangs on that than its name.

A definition may say any other, ``reading(linear(h, h), "first token")``; what it is called in a language is the catalogue's.
"""

from __future__ import annotations

ENCODER = "encoder"  # what cross-attention takes in
TARGET = "target tokens"  # a decoder's input, beside that of its encoder
DISTANCES = "distances"  # what a table of biases of the scores is read by
BEFORE_NORM = "patches before the last norm"  # what the layers give, whatever stands above them


def key(reads: str) -> str:
    """What a reading is called in a table of the catalogue: first_token."""
    return reads.replace(" ", "_")
