"""Formulas in several lines: cut before +, or after ×, or within a tight product after ·, the first of these that will do."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise

from symparams.drawings.faces import Measure
from symparams.drawings.marks import Face, Piece
from symparams.expressions.marks import Labelled, Size
from symparams.expressions.nodes import Expression, Negative, Product, Sum, factors_of, terms_of

PLUS, MINUS, CROSS, DOT = "+", "-", "×", "·"


@dataclass(frozen=True)
class Atom:
    """What no line divides, and the sign that joins it to what is before it; ``is_factor`` where it would have parentheses."""

    sign: str
    node: Expression
    is_factor: bool


def broken(formula: Expression, room: float, most: int, measure: Measure) -> list[tuple[Piece, ...]] | None:
    """The formula in as few lines as it takes, at most so many, whose widths differ least; None where there is no such way."""
    atoms = _atoms(formula)
    for number in range(1, most + 1):
        for signs in ({PLUS, MINUS}, {PLUS, MINUS, CROSS}, {PLUS, MINUS, CROSS, DOT}):
            places = [i for i, atom in enumerate(atoms) if atom.sign in signs]
            found = [_lines(atoms, cuts) for cuts in combinations(places, number - 1)]
            fitting = [lines for lines in found if all(measure(line) <= room for line in lines)]
            if fitting:
                return min(fitting, key=lambda lines: max(map(measure, lines)))
    return None


def _atoms(formula: Expression) -> list[Atom]:
    """The formula from left to right, down to what stands in parentheses."""
    found: list[Atom] = []
    for term in terms_of(formula):
        sign = MINUS if isinstance(term, Negative) else PLUS if found else ""
        factors = factors_of(_bare(term.operand if isinstance(term, Negative) else term))
        for factor in factors:
            found += _factors(sign, factor, is_factor=len(factors) > 1)
            sign = CROSS
    return found


def _bare(node: Expression) -> Expression:
    """A node without the name under its brace, which a drawing does not print."""
    return node.inner if isinstance(node, Labelled) else node


def _factors(sign: str, factor: Expression, *, is_factor: bool) -> list[Atom]:
    """A factor, or the factors that it is written tight of."""
    factor = _bare(factor)
    if not isinstance(factor, Size) or not isinstance(factor.inner, Product):
        return [Atom(sign, factor, is_factor)]
    signs = [sign] + [DOT] * (len(factor.inner.factors) - 1)
    return [Atom(*pair, True) for pair in zip(signs, factor.inner.factors, strict=True)]


def _lines(atoms: list[Atom], cuts: tuple[int, ...]) -> list[tuple[Piece, ...]]:
    """The atoms as lines that begin at these cuts: a plus stands before what it adds, × and · after what they multiply."""
    bounds = [0, *cuts, len(atoms)]
    lines = []
    for start, end in pairwise(bounds):
        before = f"{atoms[start].sign} " if atoms[start].sign in (PLUS, MINUS) else ""
        follows = atoms[end].sign if end < len(atoms) else ""
        after = {CROSS: " ×", DOT: "·"}.get(follows, "")
        pieces = [Piece(before, Face.FORMULA)] if before else []
        pieces.append(Piece(_joined(atoms[start:end]), Face.FORMULA))
        lines.append((*pieces, *([Piece(after, Face.FORMULA)] if after else [])))
    return lines


def _joined(atoms: list[Atom]) -> Expression:
    """Neighbours as one formula again."""
    terms: list[list[list[Atom]]] = []
    for i, atom in enumerate(atoms):
        if i == 0 or atom.sign in (PLUS, MINUS):
            terms.append([[atom]])
        elif atom.sign == CROSS:
            terms[-1].append([atom])
        else:
            terms[-1][-1].append(atom)
    written = [_term(term, negative=i > 0 and term[0][0].sign == MINUS) for i, term in enumerate(terms)]
    return Sum(tuple(written)) if len(written) > 1 else written[0]


def _term(factors: list[list[Atom]], *, negative: bool) -> Expression:
    tight = [_tight(factor) for factor in factors]
    alone = len(tight) == 1 and not (factors[0][0].is_factor and _is_sum(tight[0]))
    term = tight[0] if alone else Product(tuple(tight))  # of one factor, a sum, for its parentheses
    return Negative(term) if negative else term


def _is_sum(node: Expression) -> bool:
    return isinstance(node, Sum) or (isinstance(node, Size) and _is_sum(node.inner))


def _tight(atoms: list[Atom]) -> Expression:
    return Size(Product(tuple(atom.node for atom in atoms))) if len(atoms) > 1 else atoms[0].node
