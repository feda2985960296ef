"""Products of matrices: 2·m·k·n for an m × k by a k × n, a multiplication and an addition each (Golub & Van Loan, 2013)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from symparams.components.kinds import Use
from symparams.components.tree import Component
from symparams.expressions.nodes import Expression, Number, Product, Size
from symparams.expressions.symbols import D, N, N_active, b, s
from symparams.expressions.written import ONE
from symparams.quantities.parameters import is_mixture
from symparams.quantities.quantity import RuleOfThumb, Term
from symparams.quantities.setting import Setting
from symparams.quantities.streams import Place, Streams

# The kinds of terms; what is multiplied in vain has no gradients.
MATRICES, ATTENTION, UNUSED = "matrices", "attention", "unused"
TWO = Number(2)


def products(place: Place, rows: Sequence[Expression]) -> Iterator[Term]:
    """The products of every matrix of a layer with so many rows: of experts those that a token is given to."""
    matrices = [tensor for tensor in place.component.tensors if tensor.use is Use.WEIGHT and len(tensor.shape) > 1]
    for tensor in matrices:
        term = product(place, place.name, rows, tensor.active or tensor.shape, place.passes)
        if not tensor.trained:
            term = replace(term, gradients=term.gradients - 1)
        if tensor.active not in (None, tensor.shape):
            every, chosen = next(
                (all_of, used) for all_of, used in zip(tensor.shape, tensor.active, strict=True) if all_of != used
            )
            term = replace(term, note="flops.experts", about={"n_experts": every, "n_active": chosen})
        yield replace(term, apart=tensor.name) if len(matrices) > 1 else term


def product(place: Place, name: str, rows: Sequence[Expression], sides: Sequence[Expression], passes: Expression) -> Term:
    """One product: 2 × the number of rows × the sides of the matrix; what reads data has no gradient of its input."""
    gradients = 1 if place.component.reads_data else 2
    written = Product((TWO, Size(Product(tuple(rows))), *(side for side in sides if side != ONE)))
    return Term(place.path, name, written, passes, MATRICES, note="flops.matrix", gradients=gradients)


def by_parameters(passes: int) -> tuple[RuleOfThumb, ...]:
    """The rules by parameters, of so many forward passes: 2·N·b·s, or 6·N·D; of a mixture by all experts, and by those in use.

    They are those of a model that reads one sequence of tokens; an encoder beside a decoder, or an image, has its own.
    """

    def where(*, mixture: bool, in_tokens: bool) -> Callable[[Component, Setting], bool]:
        return lambda tree, setting: (
            (D in setting.given) is in_tokens and is_mixture(tree, setting) is mixture and Streams(tree, setting).is_single
        )

    per_parameter = Number(2 * passes)
    counts = {"by_parameters": (N, False), "by_all_experts": (N, True), "by_active": (N_active, True)}
    return tuple(
        RuleOfThumb(f"flops.{key}", Product((per_parameter, count, tokens)), where(mixture=mixture, in_tokens=tokens == D))
        for tokens in (Size(Product((b, s))), D)
        for key, (count, mixture) in counts.items()
    )
