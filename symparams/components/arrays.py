"""Arrays as libraries store them: sides of length 1 are there, and nobody writes them."""

from __future__ import annotations

from symparams.components import Tensor
from symparams.written import ONE, Expression, Product


class Thin(Tensor):
    """A Tensor whose sides of length 1 are stored but not written: 1 × 1 × h is h, and a single number is 1."""

    @property
    def count(self) -> Expression:
        """The written product of the sides other than 1."""
        sides = tuple(side for side in self.shape if side != ONE)
        return Product(sides) if len(sides) > 1 else sides[0] if sides else ONE

    @property
    def active_count(self) -> Expression:
        """Every token uses all of it."""
        return self.count
