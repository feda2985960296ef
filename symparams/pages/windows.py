"""Windows on a page: how many tokens a window has and in how many layers it holds, as data for any number of layers."""

from __future__ import annotations

from typing import Any

from symparams.expressions.nodes import Expression, Number
from symparams.models.model import Model
from symparams.models.windows import attention_with, config_of, has_window, layers_with_windows, tree_of, window_of
from symparams.pages.pool import Formulas


def window_data(model: Model, formulas: Formulas) -> dict[str, Any] | None:
    """The window W as the model has it, 0 for none, and the formula of its layers in their number, with what a config lists.

    None for a model without windows, and for one whose library says nothing of them. ``is_held`` tells whether that number
    follows for any number of layers.
    """
    if not has_windows(model) or model.library is None:
        return None
    window = window_of(model, config_of(model, model.library))
    data: dict[str, Any] = {"W": str(window) if isinstance(window, int) and window else "0"}
    if (layers := layers_with_windows(model)) is None:
        return data
    number = layers.configured.number(layers.all)
    data["layers"] = formulas.place(layers.all)
    data["rule"] = formulas.place(number if isinstance(number, Expression) else Number(int(number)))
    if layers.listed is not None:
        data["listed"] = [str(len(layers.listed)), str(sum(layers.listed))]
    return data


def has_windows(model: Model) -> bool:
    """True if some of the model's attention has a window that its library describes."""
    return model.library is not None and attention_with(tree_of(model), has_window) is not None


def is_held(model: Model) -> bool:
    """True if the number of layers with a window is a formula in the number of all, as a page needs it."""
    layers = layers_with_windows(model)
    return layers is None or model.library is None or layers.letter is not None
