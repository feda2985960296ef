"""The data of memory and FLOPs: each part with its formula, its number, the command that derives it; what fits; the time."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symparams.answers.plans import BoardUse, Pace, Plan
from symparams.expressions.nodes import Expression
from symparams.expressions.printing.printer import plain
from symparams.formats.json.blocks import exactly
from symparams.formats.json.reading import reading
from symparams.quantities.memory import USUAL, footprints
from symparams.sheets.plan import command_of, formula_of

if TYPE_CHECKING:
    from symparams.formats.json.data import Data


def memory(data: Data) -> dict[str, Any]:
    """Return the memory of the weights in each number type, and that of a use of the model where there is one.

    ``value`` is the number of parameters, ``bytes`` the memory of the use.
    """
    subject = data.document.subject
    if isinstance(subject, Plan):
        return _memory_of_use(subject)
    derivation, room = subject.derivation, subject.room
    return {
        "target": derivation.subject.name,
        "value": derivation.total.value,
        "room_bytes": exactly(room.size) if room else None,
        "memory": memory_rows(derivation.total.written, derivation.total.count, subject.dtypes, room.size if room else None),
        **reading(derivation.subject),
    }


def _memory_of_use(plan: Plan) -> dict[str, Any]:
    model, count = plan.model, plan.model.count()
    rooms = [use.card.room.size * use.card.number for use in plan.boards]
    room = rooms[0] if len(rooms) == 1 else None
    return {
        "target": model.name,
        "value": count,
        "room_bytes": exactly(room),
        "memory": memory_rows(model.formula(), count, list(filter(None, (*USUAL, plan.dtype))), room),
        "bytes": plan.value,
        "cache_dtype": plan.cache_dtype or None,
        "recipe": plan.recipe or None,
        **_use(plan),
        "boards": [_board(use) for use in plan.boards],
        **reading(model),
    }


def flops(data: Data) -> dict[str, Any]:
    """Return the FLOPs of a use of a model."""
    plan: Plan = data.document.subject
    return {
        "target": plan.model.name,
        "unit": plan.lines[0].calculation.quantity.unit,
        "value": plan.value,
        **_use(plan),
        "paces": [_pace(pace) for pace in plan.paces],
        **reading(plan.model),
    }


def _use(plan: Plan) -> dict[str, Any]:
    """Return what both have: what was given and assumed, and the parts."""
    return {
        "inputs": {name: value if isinstance(value, (int, bool)) else str(value) for name, value in plan.given.items()},
        "dtype": plan.dtype or None,
        "assumed": list(plan.assumed),
        "parts": [
            {
                "name": line.name,
                "quantity": line.calculation.quantity.name,
                "dtype": line.dtype or None,
                "formula": plain(formula_of(line)),
                "value": line.value,
                "command": command_of(line, plan),
            }
            for line in plan.lines
        ],
    }


def memory_rows(written: Expression, count: int | None, dtypes: Sequence[str], room: Fraction | None) -> list[dict[str, Any]]:
    """A row for each number type: its bits, the exact bytes of the weights, and whether they alone fit."""
    rows = []
    for footprint in footprints(written, count, dtypes):
        row: dict[str, Any] = {"dtype": footprint.dtype, "bits": exactly(footprint.bits), "bytes": None}
        if footprint.size is not None:
            row["bytes"] = exactly(footprint.size)
            row |= {"fits": footprint.size <= room} if room else {}
        rows.append(row)
    return rows


def _board(use: BoardUse) -> dict[str, Any]:
    board = use.card.board
    return {
        "board": board.key if board else None,
        "source": board.source if board else None,
        "bytes": exactly(use.card.room.size),
        "of": use.card.number,
        "number": use.number,
        "left": use.left,
        "largest": {fit.letter.name: {"largest": fit.largest, "binds": fit.binds} for fit in use.fits},
    }


def _pace(pace: Pace) -> dict[str, Any]:
    rate, seconds = exactly(pace.rate), exactly(pace.seconds)
    return {"board": pace.board.key, "source": pace.board.source, "number": pace.number, "rate": rate, "seconds": seconds}
