"""Nodes that no operator writes: roundings, minima, decimals, and the marks for how a part is set and what it is called."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from symparams.expressions.nodes import Expression, Fixed, Several, node


@node
class Ceiling(Fixed):
    """A fraction rounded up: ⌈h / 16⌉."""

    inner: Expression


@node
class Minimum(Several):
    """The least of several: min(t, window)."""

    choices: tuple[Expression, ...]


@node
class Decimal(Expression):
    """An exact fraction, printed with at most two decimals; where they do not tell it all, ≈ stands before them."""

    value: Fraction


@node
class Size(Fixed):
    """One side of a matrix, or one monomial: written tight (3h) and substituted as one number (6,144)."""

    inner: Expression


@node
class Labelled(Fixed):
    """A part of a formula under a brace that names it; ``label`` is a name of the language catalogues."""

    inner: Expression
    label: Any


@node
class Named(Fixed):
    """A result derived before, referred to by its name: N_attention stands for the formula of that step."""

    label: Any
    definition: Expression


@node
class Equality(Fixed):
    """Two ways to write one size, for a sentence to quote: h = n_heads × d_head."""

    left: Expression
    right: Expression
