"""Renaming: whether two steps are one with other letters, h_vision for h_text or d_expert for d_ff."""

from __future__ import annotations

from symparams.derivations.steps import Step
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.polynomial import Monomial, Polynomial

Letters = dict[Expression, Expression]  # the letters of one formula, and those of another that stand in their places


def renamed(first: Polynomial, other: Polynomial) -> tuple[Expression, Expression] | None:
    """The letter of one form and that of another in its place, if the forms are else the same: d_ff and d_expert."""
    letters, others = _letters(first), _letters(other)
    if len(letters - others) != 1 or len(others - letters) != 1:
        return None
    [old], [new] = letters - others, others - letters
    return (old, new) if _put(first, {old: new}) == _put(other, {}) else None


def renaming(first: Step, other: Step) -> Letters | None:
    """The letters that make one step the other, where they are written alike down to their parts; {} for the same ones."""
    letters: Letters = {}
    if not _meet(first.written, other.written, letters) or len(set(letters.values())) < len(letters):
        return None
    changed = {old: new for old, new in letters.items() if old != new}
    return changed if _put(first.polynomial, changed) == _put(other.polynomial, {}) else None


def _meet(first: Expression, other: Expression, letters: Letters) -> bool:
    """True if two formulas are of one structure; what stands where is kept in ``letters``."""
    if isinstance(first, Dimension) and isinstance(other, Dimension):
        return letters.setdefault(first, other) == other
    if type(first) is not type(other) or len(first.operands) != len(other.operands):
        return False
    if not first.operands:
        return first == other
    return all(_meet(one, two, letters) for one, two in zip(first.operands, other.operands, strict=True))


def _put(polynomial: Polynomial, letters: Letters) -> dict[frozenset[tuple[Expression, int]], object]:
    """The terms with other letters in their places."""
    return {_with(monomial, letters): number for monomial, number in polynomial.terms.items()}


def _with(monomial: Monomial, letters: Letters) -> frozenset[tuple[Expression, int]]:
    return frozenset((letters.get(letter, letter), power) for letter, power in monomial)


def _letters(polynomial: Polynomial) -> set[Expression]:
    return {letter for monomial in polynomial.terms for letter, _ in monomial}
