"""Paths: a sublayer of many parts, worked out path by path: what makes the queries, the keys and values, the output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from symparams.derivations.steps import Step, step
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.factoring import factored
from symparams.expressions.marks import Labelled
from symparams.expressions.nodes import Product, Sum
from symparams.models.model import Model

MOST_BRACED = 4  # parts that a reader takes in under the braces of one formula
STAGES = ("_down", "_norm", "_up")  # a part that is called so is a stage of the path before it


def braced(parts: Sequence[Step]) -> Sum:
    """The parts as one sum, each under its name."""
    return Sum(tuple(Labelled(part.written, part.name) for part in parts))


def path_steps(model: Model, path: str, parts: Sequence[Step]) -> list[Step]:
    """The parts gathered by path, each path a step: N_Q = h × r_q + r_q + r_q × n_heads·(d_nope + d_rope).

    Parts whose names begin with one word are of one path: query_down, query_norm and query_up make the queries. The closed
    form keeps the sizes that the formula names, and draws out what they share.
    """
    order = dict.fromkeys(_first_word(part) for part in parts)
    together = sorted(parts, key=lambda part: list(order).index(_first_word(part)))
    return [_path(model, path, list(group)) for _, group in groupby(together, _first_word)]


def in_its_own_sizes(each: Step) -> Step:
    """The step with a closed form that keeps d_inner and does not put E·h in its place, common factors drawn out."""
    if isinstance(each.written, Product):
        return replace(each, form=each.written)
    return replace(each, form=factored(multiply_out(each.written, {})))


def _path(model: Model, path: str, parts: Sequence[Step]) -> Step:
    if len(parts) == 1:
        return in_its_own_sizes(parts[0])
    return in_its_own_sizes(step(model, path, _stem(parts[0]), braced(parts), parts=parts))


def _stem(part: Step) -> str:
    name = str(part.name)
    return next((name.removesuffix(stage) for stage in STAGES if name.endswith(stage)), name)


def _first_word(part: Step) -> str:
    return _stem(part).partition("_")[0]
