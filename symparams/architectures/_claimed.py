"""Figures that are published for a model and are not its count: counted in another way, or wrong."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Claimed:
    """A published figure, why it is another one, and where it stands.

    ``why`` names how it was counted, one of ``symparams.answers.terms``'s conventions joined by "+", or the sentence
    that says how it came about: a key under [explain.published] of the catalogues.
    """

    value: int
    why: str
    source: str


@dataclass(frozen=True)
class ActiveCount:
    """What is published of the parameters that one token uses, as it is written ("37B"), and where it stands."""

    claimed: str
    source: str
