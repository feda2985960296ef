"""The data of solutions: every integer as a number, counts as digits too, for readers of 53 bits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symparams.answers.solutions import Solutions
from symparams.expressions.printing.printer import plain
from symparams.formats.json.blocks import exactly
from symparams.formats.json.reading import reading

if TYPE_CHECKING:
    from symparams.formats.json.data import Data


def solution(data: Data) -> dict[str, Any]:
    """The sizes that come to a total."""
    solved: Solutions = data.document.subject
    design, root = solved.design, solved.root
    return {
        "target": solved.model.name,
        **reading(solved.model),
        "quantity": design.quantity.name,
        "unit": design.quantity.unit,
        "total": solved.total,
        "digits": str(solved.total),
        "for": [free.name for free in design.free],
        "closed_form": plain(design.closed),
        "latex": data.latex(design.closed),
        "kept": {d.name: value for d, value in design.kept.items()},
        "follows": {d.name: plain(value) for d, value in design.follows.items()},
        "multiple_of": {free.name: design.step(free) for free in design.free},
        "between": {
            **{d.name: list(ends) for d, ends in design.between.items()},
            **{plain(subject): list(map(exactly, ends)) for subject, ends in design.within.items()},
        },
        "root": {"digits": root.digits, "exact": root.is_exact} if root else None,
        "designs": solved.tried or None,
        "met": solved.is_met,
        "solutions": [
            {
                "values": {d.name: value for d, value in answer.values.items()},
                "follows": {d.name: value for d, value in answer.follows.items()},
                "count": exactly(answer.count),
                "digits": str(answer.count),
                "difference": exactly(answer.difference),
            }
            for answer in solved
        ],
    }
