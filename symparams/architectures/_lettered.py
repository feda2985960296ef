"""A family in other letters: what it has, said with one letter where two of its sizes are the same."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import lru_cache

from symparams.architectures._definition import Architecture
from symparams.components.letters import in_letters, written_in
from symparams.expressions.nodes import Dimension


@lru_cache(maxsize=64)
def lettered(family: Architecture, letters: tuple[tuple[Dimension, Dimension], ...]) -> Architecture:
    """The same family, of no published model, with one letter for several: {L_enc: L, L_dec: L} as pairs."""
    to, other = dict(letters), copy(family)
    other.tree = in_letters(family.tree, to)  # the usual tree, by which the library knows the family, stays
    laws = (replace(law, subject=written_in(law.subject, to), value=written_in(law.value, to)) for law in family.laws)
    other.laws = tuple(dict.fromkeys(law for law in laws if law.subject != law.value))
    for name in ("relations", "identities"):
        known = ((to.get(d, d), written_in(value, to)) for d, value in getattr(family, name).items())
        setattr(other, name, {d: value for d, value in known if d != value})
    other.models = {}
    return other
