"""The data of a plan: each part with its formula, its number as an integer, the command that derives it; the boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symparams.answers.plans import BoardUse, Pace, Plan
from symparams.expressions.printing.printer import plain
from symparams.formats.json.blocks import exactly
from symparams.formats.json.reading import reading

if TYPE_CHECKING:
    from symparams.formats.json.data import Data


def plan(data: Data) -> dict[str, Any]:
    """Return a plan, the memory or FLOPs of a use of a model, as data."""
    from symparams.sheets.plan import command_of, formula_of

    subject: Plan = data.document.subject
    return {
        "target": subject.model.name,
        "about": subject.about,
        "unit": subject.lines[0].calculation.quantity.unit,
        "value": subject.value,
        "inputs": {name: value if isinstance(value, (int, bool)) else str(value) for name, value in subject.given.items()},
        "dtype": subject.dtype or None,
        "cache_dtype": subject.cache_dtype or None,
        "recipe": subject.recipe or None,
        "assumed": list(subject.assumed),
        "parts": [
            {
                "name": line.name,
                "quantity": line.calculation.quantity.name,
                "formula": plain(formula_of(line, subject)),
                "value": line.value,
                "command": command_of(line, subject),
            }
            for line in subject.lines
        ],
        "boards": [_board(use) for use in subject.boards],
        "paces": [_pace(pace) for pace in subject.paces],
        **reading(subject.model),
    }


def _board(use: BoardUse) -> dict[str, Any]:
    board = use.card.board
    return {
        "board": board.key if board else None,
        "source": board.source if board else None,
        "bytes": exactly(use.card.room.size),
        "of": use.card.number,
        "number": use.number,
        "largest": {fit.letter.name: {"largest": fit.largest, "binds": fit.binds} for fit in use.fits},
    }


def _pace(pace: Pace) -> dict[str, Any]:
    rate, seconds = exactly(pace.rate), exactly(pace.seconds)
    return {"board": pace.board.key, "source": pace.board.source, "number": pace.number, "rate": rate, "seconds": seconds}
