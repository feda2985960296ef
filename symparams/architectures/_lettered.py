"""A family in other letters: what it has, said with one letter where two of its sizes are the same."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from symparams.architectures._definition import Architecture
from symparams.components.letters import in_letters, written_in
from symparams.expressions.nodes import Dimension


@lru_cache(maxsize=64)
def lettered(family: Architecture, letters: tuple[tuple[Dimension, Dimension], ...]) -> Architecture:
    """Return the family, of no published model, with one letter for several: {L_enc: L, L_dec: L} as pairs."""
    to = dict(letters)
    laws = (replace(law, subject=written_in(law.subject, to), value=written_in(law.value, to)) for law in family.laws)
    relations, identities = (
        {to.get(d, d): written_in(value, to) for d, value in known.items() if to.get(d, d) != written_in(value, to)}
        for known in (family.relations, family.identities)
    )
    return family.changed(
        tree=in_letters(family.tree, to),
        laws=tuple(dict.fromkeys(law for law in laws if law.subject != law.value)),
        relations=relations,
        identities=identities,
        models={},
    )
