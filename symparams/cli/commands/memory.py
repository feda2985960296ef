"""``memory``: what the weights take in each number type, and whether that fits. Exit code 1 where nothing fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symparams.cli.answering import answer
from symparams.cli.loading import load_request
from symparams.cli.request import CommandResult, Request
from symparams.derivations.derivation import derive, derive_expression
from symparams.errors import OptionError, quoted

if TYPE_CHECKING:
    from symparams.derivations.derivation import Derivation

NOTHING_FITS = 1


def memory(request: Request) -> CommandResult:
    """The memory of the weights of a model, or of so many parameters."""
    from symparams.quantities.memory import footprints, read_room
    from symparams.sheets.memory import memory as weights

    fits, dtypes = request.own.get("fits"), request.own.get("dtypes", ())
    room = read_room(fits) if fits is not None else None
    derivation = _derivation(request)
    if room:
        derivation.subject.count()  # a size that still depends on a symbol is an error that names the symbol
    sizes = [footprint.size for footprint in footprints(derivation.total.written, derivation.total.count, dtypes)]
    does_fit = room is None or any(size is not None and size <= room.size for size in sizes)
    return answer(weights(derivation, dtypes, room, request.language), request, 0 if does_fit else NOTHING_FITS)


def _derivation(request: Request) -> Derivation:
    from symparams.expressions.amounts import COUNTS, read

    target = request.target or ""
    amount = read(target, COUNTS)
    if amount is None or amount.value.denominator != 1:
        return derive(load_request(request))
    if request.values or request.include or request.exclude:
        raise OptionError(
            f"A count has no dimensions to set and no features: leave out --set, --with and --without beside {quoted(target)}."
        )
    if request.architecture:
        raise OptionError(f"A count is of no architecture: leave out --architecture beside {quoted(target)}.")
    if not amount.value:
        raise OptionError(f"{quoted(target)} is not a parameter count: write a positive one (7B, 6738415616).")
    return derive_expression(str(amount.value))
