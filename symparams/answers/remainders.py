"""Remainders: what no convention explains, named in multiples of V·h, L·h², h², L·h and h, or as rows of the vocabulary."""

from __future__ import annotations

from collections.abc import Iterator

from symparams.answers.terms import ConventionTerm, token_rows
from symparams.derivations.sizes import number_of_layers, vocabulary, width
from symparams.derivations.steps import Note, step
from symparams.expressions.nodes import Expression, Negative, Number, Power, Product, Size
from symparams.expressions.written import times
from symparams.models.model import Model

MOST_MULTIPLE = 64
MOST_TOKENS = 2**21
LEAST_WIDTH = 256  # every so many-th number is whole rows by chance
ROUND = 1_000  # a number that is rounded to so much says nothing of what is left over
RESIDUAL = ("explain.residual", "explain.more_rows", "explain.fewer_rows")


def remainder(model: Model, claimed: int, difference: int) -> ConventionTerm | None:
    """A claim's difference as a small multiple of one of the model's sizes, or as whole rows of its vocabulary; None where it
    is neither, as nearly every random number is, or where the claim is a round number.
    """
    return None if claimed % ROUND == 0 else _multiple(model, difference) or _rows(model, difference)


def _multiple(model: Model, difference: int) -> ConventionTerm | None:
    for unit in _units(model):
        multiple, rest = divmod(abs(difference), step(model, "", "unit", unit).value or 1)
        if rest == 0 and 0 < multiple <= MOST_MULTIPLE:
            written = Size(times(Number(multiple), unit))
            return _term(model, Note(("explain.residual",)), written, difference)
    return None


def _units(model: Model) -> Iterator[Expression]:
    """V·h, L·h², h², L·h and h in the model's own letters, as far as it has them and they have values."""
    tokens, number, wide = vocabulary(model.leaves), number_of_layers(model.leaves), width(model.leaves)
    if wide is None or wide not in model.values:
        return
    if tokens is not None and tokens in model.values:
        yield Product((tokens, wide))
    for unit in (Power(wide, 2), wide):
        if number is not None and number in model.values:
            yield Product((number, unit))
        yield unit


def _rows(model: Model, difference: int) -> ConventionTerm | None:
    letter = vocabulary(model.leaves)
    if letter is None or letter not in model.values:
        return None
    width = step(model, "", "unit", token_rows(model, Number(1))[0]).value or 0
    rows, rest = divmod(abs(difference), width) if width >= LEAST_WIDTH else (0, 1)
    tokens = model.values[letter] + (rows if difference > 0 else -rows)
    if rest or not 0 < tokens <= MOST_TOKENS:
        return None
    key = "explain.more_rows" if difference > 0 else "explain.fewer_rows"
    note = Note((key,), {"rows": Number(rows), "tokens": Number(tokens)})
    written, names = token_rows(model, Number(rows))
    return _term(model, note, written, difference, names)


def _term(
    model: Model, note: Note, written: Expression, difference: int, names: frozenset[str] = frozenset()
) -> ConventionTerm:
    signed = written if difference > 0 else Negative(written)
    return ConventionTerm(note, step(model, "", "difference", signed), names)
