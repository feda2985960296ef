"""Windows on a page: how many tokens a window has and in how many layers it holds, as data for any number of layers."""

from __future__ import annotations

from typing import Any

from symparams.components.walks import components
from symparams.expressions.nodes import Dimension, Expression, Number
from symparams.expressions.written import total
from symparams.models.model import Model
from symparams.models.windows import LAYERS, RULES, SLIDING, config_of, text_of, tree_of, window_of
from symparams.pages.pool import Formulas


def window_data(model: Model, formulas: Formulas) -> dict[str, Any] | None:
    """The window W as the model has it, 0 for none, and the formula of its layers in their number, with what a config lists.

    None for a model without windows, and for one whose library says nothing of them. ``is_held`` tells whether that number
    follows for any number of layers.
    """
    if not has_windows(model) or model.library is None:
        return None
    config, rule = config_of(model, model.library), RULES.get(_windowed(model)[0])
    window = window_of(model, config)
    found: dict[str, Any] = {"W": str(window) if isinstance(window, int) and window else "0"}
    if rule is None:
        return found
    text, layers = text_of(model), total(_layers(model))
    number, listed = rule(text, model.library, layers), text.listed("layer_types")
    found["layers"] = formulas.place(layers)
    found["rule"] = formulas.place(number if isinstance(number, Expression) else Number(int(number)))
    if listed is not None:
        found["listed"] = [str(len(listed)), str(sum(kind == SLIDING for kind in listed))]
    return found


def has_windows(model: Model) -> bool:
    """Whether some of the model's attention has a window of which its library says something."""
    return bool(_windowed(model)) and model.library is not None


def is_held(model: Model) -> bool:
    """Whether the layers with a window are a formula in the number of all, as a page needs it."""
    described = {*_windowed(model)}
    if model.library is None or not any(each in RULES for each in described):
        return True
    letters = _layers(model)
    if len(described) > 1 or len(letters) != 1:
        return False
    return RULES[described.pop()](text_of(model), model.library, total(letters)) is not None


def _windowed(model: Model) -> list[str]:
    """Which layers have a window, as each attention with one describes it."""
    return [part.attending.windowed for _, part in components(tree_of(model)) if part.attending and part.attending.window]


def _layers(model: Model) -> list[Dimension]:
    return [each for each in model.architecture.dimensions if each.name in LAYERS]
