"""Paths: a sublayer of many parts, worked out path by path: what makes the queries, the keys and values, the output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from symparams.derivations.steps import Step, step
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.factoring import factored
from symparams.expressions.marks import Labelled
from symparams.expressions.nodes import Product, Sum
from symparams.models.model import Model

MOST_BRACED = 4  # parts that a reader takes in under the braces of one formula
STAGES = ("_down", "_norm", "_up")  # a part that is for so much is a stage of the path before it


def braced(parts: Sequence[Step]) -> Sum:
    """The parts as one sum, each under its name."""
    return Sum(tuple(Labelled(part.written, part.name) for part in parts))


def path_steps(model: Model, path: str, parts: Sequence[Step], words: Mapping[str, str]) -> list[Step]:
    """The parts gathered by path, each path a step: N_Q = h × r_q + r_q + r_q × n_heads·(d_nope + d_rope).

    Parts whose purposes, ``words`` by their names, begin alike are of one path: query_down, query_norm and query_up make the
    queries. The closed form keeps the sizes that the formula names, and draws out what they share.
    """

    def stem(part: Step) -> str:
        word = words.get(str(part.name), str(part.name))
        return next((word.removesuffix(stage) for stage in STAGES if word.endswith(stage)), word)

    def first_word(part: Step) -> str:
        return stem(part).partition("_")[0]

    order = list(dict.fromkeys(map(first_word, parts)))
    together = [list(group) for _, group in groupby(sorted(parts, key=lambda part: order.index(first_word(part))), first_word)]
    return [_path(model, path, group, stem(group[0])) for group in together]


def in_its_own_sizes(each: Step) -> Step:
    """The step with a closed form that keeps d_inner and does not put E·h in its place, common factors drawn out."""
    if isinstance(each.written, Product):
        return replace(each, form=each.written)
    return replace(each, form=factored(multiply_out(each.written, {})))


def _path(model: Model, path: str, parts: Sequence[Step], name: str) -> Step:
    if len(parts) == 1:
        return in_its_own_sizes(parts[0])
    return in_its_own_sizes(step(model, path, name, braced(parts), parts=parts))
