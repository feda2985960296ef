"""Copies: the names of arrays, decoder.3.up.weight, in which the numbers of copies are segments between dots."""

from __future__ import annotations

import re

MANY = "*"  # stands for the numbers of copies in a name
NUMBER = re.compile(r"(?<![^.])[0-9]+(?![^.])")  # a segment of a name that is a number


def starred(name: str) -> str:
    """Return a name with * for the numbers of copies: decoder.*.up.weight."""
    return NUMBER.sub(MANY, name)
