"""Products of matrices: 2·m·k·n for an m × k by a k × n, a multiplication and an addition each (Golub & Van Loan, 2013)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symparams.components.kinds import Use
from symparams.expressions.nodes import Expression, Number, Product
from symparams.quantities.streams import Place
from symparams.quantities.term import Term

# The kinds of terms; what is multiplied in vain has no gradients.
MATRICES, ATTENTION, UNUSED = "matrices", "attention", "unused"
TWO = Number(2)


def products(place: Place, rows: Sequence[Expression]) -> Iterator[Term]:
    """The products of every matrix of a layer with so many rows: of experts those that a token is given to."""
    for tensor in place.component.tensors:
        if tensor.use is Use.WEIGHT and len(tensor.shape) > 1:
            yield product(place, place.name, rows, tensor.active or tensor.shape, place.passes)


def product(place: Place, name: str, rows: Sequence[Expression], sides: Sequence[Expression], passes: Expression) -> Term:
    """One product: 2 × rows × the sides of the matrix; what reads data has no gradient of its input."""
    gradients = 1 if place.component.reads_data else 2
    return Term(place.path, name, Product((TWO, Product(tuple(rows)), *sides)), passes, MATRICES, gradients=gradients)
