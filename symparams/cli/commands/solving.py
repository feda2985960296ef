"""``solve``: the sizes at which a model has a given count. Exit code 1 where nothing meets the total."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from symparams.cli.answering import answer
from symparams.cli.loading import load_request
from symparams.cli.progress import going_on
from symparams.cli.quantities import given_to
from symparams.cli.request import CommandResult, Request, whole_number
from symparams.errors import OptionError, quoted
from symparams.expressions.amounts import read
from symparams.expressions.extent import MOST_DIGITS

NOTHING_MEETS = 1
BETWEEN = re.compile(r"([^=]+)=\s*([0-9].*?)\s*(?:\.\.\.?|-|:)\s*([0-9].*)", re.ASCII)
MULTIPLE = re.compile(r"(?:([^=]+)=)?([0-9][^=]*)", re.ASCII)
MOST_SHOWN = 1_000
SHAPES = "--between leaves out designs of an odd shape, as in --between h/L=64..128."


def solve(request: Request) -> CommandResult:
    """The sizes at which a model has so many parameters, or comes to so much of another quantity."""
    from symparams.answers.solutions import TOP
    from symparams.answers.solutions import solve as solved

    own = request.own
    free = ",".join(own["for_"])
    multiples, bounds = _multiples(own.get("multiple_of", ())), _bounds(own.get("between", ()))
    top = whole_number("--top", own["top"], (1, MOST_SHOWN), "a number of solutions") if "top" in own else TOP
    quantity, inputs, rest = given_to(request)
    model, given = load_request(replace(rest, values={})), {**rest.values, **inputs}
    with going_on(f"searching for {free} of {model.name}") as tell_how_far:
        wishes: dict[str, Any] = {"multiple_of": multiples, "between": bounds, "top": top, "progress": tell_how_far}
        solutions = solved(model, own["wanted"], free, **wishes, quantity=quantity, **given)
    answered = answer(solutions, rest, 0 if solutions.is_met else NOTHING_MEETS)
    has_odd_shapes = len(solutions.design.free) > 1 and not bounds and solutions.tried > len(solutions)
    return replace(answered, note=SHAPES) if has_odd_shapes else answered


def _multiples(given: Sequence[str]) -> int | dict[str, int] | None:
    """128 for every width, or h=128, d_ff=256 for each by its name."""
    multiples = {}
    for text in given:
        match = MULTIPLE.fullmatch(text.strip())
        if not match or (match[1] is None and len(given) > 1):
            raise OptionError(
                f"--multiple-of {quoted(text)} is not a multiple: write one number, 128, or DIM=NUMBER for each dimension."
            )
        if match[1] is None:
            return _number(match[2])
        if match[1] in multiples:
            raise OptionError(f"{quoted(match[1])} is given twice: write one multiple of it.")
        multiples[match[1]] = _number(match[2])
    return multiples or None


def _bounds(given: Sequence[str]) -> dict[str, tuple[str, str]] | None:
    bounds = {}
    for text in given:
        match = BETWEEN.fullmatch(text.strip())
        ends = [read(end, {"": 1}) for end in match.groups()[1:]] if match else []
        if not match or None in ends:
            raise OptionError(
                f"--between {quoted(text)} is not a range: write h=512..8192, or h/L=64..128 for a ratio, with numbers "
                f"of at most {MOST_DIGITS} digits."
            )
        if match[1] in bounds:
            raise OptionError(f"{quoted(match[1])} is given twice: write its bounds once.")
        bounds[match[1]] = match[2], match[3]
    return bounds or None


def _number(text: str) -> int:
    amount = read(text, {"": 1})
    if amount is None or amount.value.denominator != 1:
        raise OptionError(f"{quoted(text)} is not a whole number: write one of at most {MOST_DIGITS} digits.")
    return int(amount.value)
