"""Rule: the parameters of published models against 12·L·h², the rule of thumb, and their ratio."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from symparams.architectures import architecture_names, published_names
from symparams.components.kinds import PartRole
from symparams.errors import OptionError, UnknownNameError, quoted, suggestion
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.nodes import Number
from symparams.expressions.symbols import L, N, h
from symparams.expressions.written import times
from symparams.models.load import load_with
from symparams.models.model import Model
from symparams.plots.pictures import RATIO, Axis, Dot, Dots, Plot
from symparams.quantities.quantity import NUMBERS
from symparams.sheets.values import Sentence

NEAR, PLACES = Fraction(1, 10), 6  # how near a model is to the rule that lies on it; decimals of a ratio in a table


def plot(models: Sequence[Model], families: Sequence[str] = ()) -> Plot:
    """Plot N of each model against 12·L·h²; of no model in particular all that are published, or those of ``families``.

    CSV columns: model, family, N, twelve_L_h2, ratio. OptionError where no model has one number of layers and one width.
    """
    chosen = list(models) or list(_published(families))
    told = [model for model in chosen if is_of_the_rule(model)]
    if not told:
        raise OptionError("12·L·h² is for models of one number of layers and one width: name others.")
    counted = [(model, model.count(), 12 * model.values[L] * model.values[h] ** 2) for model in told]
    near = sum(abs(Fraction(count, rule) - 1) <= NEAR for _, count, rule in counted)
    rule = as_written(multiply_out(times(Number(12), L, h, h), {}))
    left = len(chosen) - len(told)
    return Plot(
        "rule",
        Sentence("plots.rule.title", {"rule": rule}),
        [Sentence("plots.rule.about", {"all": Number(len(told)), "number": Number(near)})],
        Dots(
            Axis(rule, NUMBERS),
            Axis(N, NUMBERS),
            Axis(Sentence("plots.rule.ratio", {"rule": rule, "count": N}), RATIO),
            [Dot(model.name, rule_, count, model.has_experts) for model, count, rule_ in counted],
        ),
        [Sentence("plots.rule.left_out", {"number": Number(left)})] if left else [],
        [],
        ("model", "family", "N", "twelve_L_h2", "ratio"),
        [
            (model.name, model.family, count, rule_, Fraction(round(Fraction(count, rule_) * 10**PLACES), 10**PLACES))
            for model, count, rule_ in counted
        ],
        tuple(told),
    )


def _published(families: Sequence[str]) -> Iterator[Model]:
    known = architecture_names()
    for family in families:
        if family not in known:
            raise UnknownNameError(f"Unknown family {quoted(family)}. {suggestion(family, known)}")
    models = (load_with(name, {}) for name in published_names())
    return (model for model in models if not families or model.family in families)


def is_of_the_rule(model: Model) -> bool:
    """True if a model has one stack of layers that attend, each stored by itself, whose number and width are L and h."""
    within = [leaf for leaf in model.leaves if leaf.stack]
    stacks = {leaf.stack for leaf in within}
    layers = {leaf.layers for leaf in within}
    attends = any(leaf.part.role is PartRole.ATTENTION for leaf in within)
    return {L, h} <= model.values.keys() and len(stacks) == 1 and layers == {L} and attends
