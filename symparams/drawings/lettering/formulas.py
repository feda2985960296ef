"""Formulas in several lines: cut before +, or after ×, or within a tight product after ·, the first of these that will do.

Smaller letters go before a worse cut. What fits in no such way is cut within its parentheses too, its tight products whole
where they can be, and in the end within a config's key: num_key_value_ / heads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise, product
from typing import TypeAlias

from symparams.drawings.lettering.breaking import even, full
from symparams.drawings.lettering.faces import TextMeasure
from symparams.drawings.marks import Face, TextLine, TextPiece
from symparams.expressions.nodes import (
    Dimension,
    Expression,
    Labelled,
    Negative,
    Number,
    Power,
    Product,
    Size,
    Sum,
    factors_of,
    terms_of,
)
from symparams.records import frozen

PLUS, MINUS, CROSS, DOT, WORD = "+", "-", "×", "·", "_"
# Where a formula is cut: at its sums, then at its products too, then within those that are written tight.
SIGNS = (frozenset({PLUS, MINUS}), frozenset({PLUS, MINUS, CROSS}), frozenset({PLUS, MINUS, CROSS, DOT}))
WITHIN_KEY = re.compile("(?<=[_.])(?=[a-z])")
EXPONENTS = {2: "²", 3: "³"}

MOST_TERMS = 2  # times as many lines as else, rather than a cut within a tight product

Token: TypeAlias = tuple[str, TextLine]  # a letter with what belongs to it, and the sign before it


@frozen
class Atom:
    """A piece that no line divides, and the sign before it; ``is_factor`` if it would have parentheses."""

    sign: str
    node: Expression
    is_factor: bool


def broken(
    formula: Expression, room: float, most: int, measure: TextMeasure, *, smallest: float = 0.0
) -> list[TextLine] | None:
    """The formula in as few lines as it takes, at most so many where it is cut at its own signs; None where there is no way.

    ``smallest`` is the room that the smallest letters would leave: a cut that needs them goes before one that is worse to read.
    """
    atoms, rooms = _atoms(formula), (room, max(room, smallest))
    sums, products, tight = SIGNS
    for (signs, times), width in product(((sums, 1), (products, 1), (products, MOST_TERMS), (tight, 1)), rooms):
        if (times == 1 or most > 1) and (lines := _even(atoms, signs, width, times * most, measure)):
            return lines
    if most == 1:
        return None
    ways = [(whole, width) for whole in (True, False) for width in rooms]
    attempts = (_filled([*_tokens(formula, "", whole=whole)], width, measure) for whole, width in ways)
    return next((lines for lines in attempts if lines), None)


def _even(atoms: list[Atom], signs: frozenset[str], room: float, most: int, measure: TextMeasure) -> list[TextLine] | None:
    """Lines that begin at these signs, as few as will do, whose widths differ least."""
    stops = [0, *(i for i, atom in enumerate(atoms) if i and atom.sign in signs), len(atoms)]
    width = cache(lambda start, end: measure(_line(atoms, start, end)))
    attempts = (even(stops, number, width, room) for number in range(1, most + 1))
    cuts = next((cuts for cuts in attempts if cuts is not None), None)
    return None if cuts is None else [_line(atoms, *ends) for ends in pairwise([0, *cuts, len(atoms)])]


def _filled(tokens: list[Token], room: float, measure: TextMeasure) -> list[TextLine] | None:
    """Lines with as much on each as it holds; None where one token, or a word of a key that has no line, is too wide."""
    parts: list[Token] = []
    for i, token in enumerate(tokens):
        parts += [token] if measure(_run(tokens, i, i + 1)) <= room else _spelled(token, measure)
    cuts = full(len(parts), lambda start, end: measure(_run(parts, start, end)), room)
    lines = [_run(parts, *ends) for ends in pairwise([0, *cuts, len(parts)])]
    return lines if all(measure(line) <= room for line in lines) else None


def _run(tokens: Sequence[Token], start: int, end: int) -> TextLine:
    """The tokens from one to before another as a line, with the sign that stands at its end."""
    (sign, first), *others = tokens[start:end]
    between = (piece for sign, pieces in others for piece in (*_between(sign), *pieces))
    return (*_before(sign), *first, *between, *(_after(tokens[end][0]) if end < len(tokens) else ()))


def _spelled(token: Token, measure: TextMeasure) -> list[Token]:
    """The words of a config's key each for itself: 2·hidden_, size; anything else as it is."""
    sign, pieces = token
    keys = [_key(piece.value, measure) for piece in pieces]
    first, *others = WITHIN_KEY.split("".join(keys)) if all(keys) else [""]
    signed = [(sign, first), *((WORD, piece) for piece in others)]
    return [(joint, (TextPiece(word, Face.FORMULA),)) for joint, word in signed] if others else [token]


def _key(written: Expression | str, measure: TextMeasure) -> str:
    """A text as it is, a dimension as the config's key that it is written as, with its exponent and its coefficient; "" where
    that is not all of it.
    """
    match written.inner if isinstance(written, Size) else written:
        case str(text):
            return text
        case Number(value):
            return str(value)
        case Product(factors):
            keys = [_key(factor, measure) for factor in factors]
            return DOT.join(keys) if all(keys) else ""
        case Power(base, exponent) if exponent in EXPONENTS:
            key = _key(base, measure)
            return key and key + EXPONENTS[exponent]
        case node:
            return measure.key(node)


def _tokens(node: Expression, sign: str, around: str = "", *, whole: bool) -> Iterator[Token]:
    """Every letter of a formula, with its coefficient, the sign that joins it to what is before it, and its parentheses.

    ``whole`` are products that are written tight.
    """
    node, is_tight = _bare(node), isinstance(node, Size)
    node = node.inner if isinstance(node, Size) else node
    parts = node.operands if isinstance(node, (Sum, Product)) else ()
    is_one = len(parts) == 2 and isinstance(parts[0], Number) and isinstance(parts[1], Dimension)
    if not parts or (is_tight and (is_one or (whole and isinstance(node, Product)))):
        yield sign, (TextPiece(Size(node) if parts else node, Face.FORMULA),)
        return
    joint = PLUS if isinstance(node, Sum) else DOT if is_tight else CROSS
    joined = [(joint, part) for part in parts] if joint != PLUS else [*map(_signed, parts)]
    pairs = [(sign, parts[0]), *joined[1:]]
    tokens = [token for before, part in pairs for token in _tokens(part, before, joint, whole=whole)]
    if isinstance(node, Sum) and around in (CROSS, DOT):
        tokens[0] = (tokens[0][0], (TextPiece("(", Face.FORMULA), *tokens[0][1]))
        tokens[-1] = (tokens[-1][0], (*tokens[-1][1], TextPiece(")", Face.FORMULA)))
    yield from tokens


def _signed(term: Expression) -> tuple[str, Expression]:
    """A term of a sum, and the sign before it."""
    if isinstance(term, Negative):
        return MINUS, term.operand
    return (MINUS, Number(-term.value)) if isinstance(term, Number) and term.value < 0 else (PLUS, term)


def _before(sign: str) -> TextLine:
    """A sign at the beginning of a line."""
    return (TextPiece(f"{sign} ", Face.FORMULA),) if sign in (PLUS, MINUS) else ()


def _between(sign: str) -> TextLine:
    """A sign within a line."""
    return (TextPiece({DOT: DOT, WORD: ""}.get(sign, f" {sign} "), Face.FORMULA),)


def _after(sign: str) -> TextLine:
    """A sign at the end of a line."""
    return (TextPiece({CROSS: " ×", DOT: "·"}[sign], Face.FORMULA),) if sign in (CROSS, DOT) else ()


def _atoms(formula: Expression) -> list[Atom]:
    """The formula from left to right, down to what stands in parentheses."""
    atoms: list[Atom] = []
    for term in terms_of(formula):
        sign = MINUS if isinstance(term, Negative) else PLUS if atoms else ""
        factors = factors_of(_bare(term.operand if isinstance(term, Negative) else term))
        for factor in factors:
            atoms += _factors(sign, factor, is_factor=len(factors) > 1)
            sign = CROSS
    return atoms


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


def _line(atoms: list[Atom], start: int, end: int) -> TextLine:
    """The atoms from one to before another as a line: a plus stands before what it adds, × and · after what they multiply."""
    follows = _after(atoms[end].sign) if end < len(atoms) else ()
    return (*_before(atoms[start].sign), TextPiece(_joined(atoms[start:end]), Face.FORMULA), *follows)


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
    tight = [Size(Product(tuple(atom.node for atom in atoms))) if len(atoms) > 1 else atoms[0].node for atoms in factors]
    alone = len(tight) == 1 and not (factors[0][0].is_factor and _is_sum(tight[0]))
    term = tight[0] if alone else Product(tuple(tight))  # of one factor, a sum, for its parentheses
    return Negative(term) if negative else term


def _is_sum(node: Expression) -> bool:
    return isinstance(node, Sum) or (isinstance(node, Size) and _is_sum(node.inner))
