"""The data of the quantities that a page works out beside the number of parameters: inputs, conditions, windows, choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from graphlib import CycleError
from typing import Any

from symparams.errors import OptionError
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import D, L_window, W, in_rank
from symparams.models.calculation import Calculation
from symparams.models.model import Model
from symparams.pages.costs import OFFERED, CostSheets, cost_sheets
from symparams.pages.pool import Formulas
from symparams.pages.presets import fixed
from symparams.pages.sheets import Sheets
from symparams.pages.variants import Variants, variants
from symparams.pages.windows import has_windows
from symparams.quantities.quantity import PARAMETERS
from symparams.quantities.streams import fixed_inputs


@dataclass(frozen=True)
class Opening:
    """The first state of a page: a quantity, the values of its inputs by name, and the options of counting it."""

    quantity: str = PARAMETERS
    inputs: Mapping[str, str] = field(default_factory=dict)
    choices: Mapping[str, Any] = field(default_factory=dict)


USUAL = Opening()


def opening_of(calculation: Calculation | None) -> Opening:
    """Return the opening that shows a calculation; OptionError for a quantity that no page holds.

    OptionError also for a number type of half bytes.
    """
    if calculation is None or calculation.quantity.tensors is not None:
        return Opening()
    cost, values, asked = calculation.quantity, calculation.model.values, calculation.asked
    if cost.name not in OFFERED:
        raise _not_held(cost.name, calculation.model)
    inputs = {letter.name: values[letter] for letter in cost.inputs if letter in values and letter != D}
    if any(value != int(value) for value in inputs.values()):
        raise OptionError("The HTML page computes only whole bytes: choose another dtype, or another format.")
    if D in values:
        raise OptionError("The HTML page takes b sequences: give b instead of D, or choose another format.")
    choices = {name: value for name, value in asked.items() if name in cost.choices and name != "dtype"}
    return Opening(cost.name, {name: str(int(value)) for name, value in inputs.items()}, choices)


@dataclass
class Quantities:
    """The quantities of a page, and their parts."""

    sheets: Sheets
    formulas: Formulas
    opening: Opening

    def __post_init__(self) -> None:
        self.all = list(cost_sheets(self.sheets, self.opening.choices))
        if self.opening.quantity not in (PARAMETERS, *(sheets.cost.name for sheets in self.all)):
            raise _not_held(self.opening.quantity, self.model)
        self.parts: dict[str, list[Variants]] = {}
        for sheets in self.all:
            self.parts |= {f"{kind} {sheets.cost.name}": [] for kind in ("section", "share", "part", "input", "lacking")}
            for part in _variants(sheets):
                self.parts[part.key[0]].append(part)

    @property
    def model(self) -> Model:
        """The model of the page."""
        return self.sheets.model

    @property
    def named(self) -> dict[str, str]:
        """The path of the first term of each name."""
        return {name: path for sheets in reversed(self.all) for name, path in sheets.named.items()}

    @property
    def data(self) -> list[dict[str, Any]]:
        """The data of each quantity for the browser."""
        return [self._of(sheets) for sheets in self.all]

    def _of(self, sheets: CostSheets) -> dict[str, Any]:
        cost = sheets.cost
        for key in ("title", "what"):
            self.sheets.pool.sentences.place(f"costs.{cost.name}.{key}")
        return {
            "name": cost.name,
            "unit": cost.unit,
            "letter": cost.letter,
            "label": self.sheets.pool.names.place((cost.name, "")),
            "conditions": sheets.conditions,
            "inputs": [[letter.name, self._default(letter)] for letter in sheets.letters],
            "choices": {name: str(sheets.choices[name]) for name in cost.choices if name in sheets.choices},
        }

    def _default(self, letter: Dimension) -> int:
        """The formula of what an input is where nobody gives it, as Whisper's source; a model's own bytes are in its data."""
        size = fixed_inputs(self.model.architecture.tree).get(letter)
        return self.formulas.place(size) if size is not None else -1

    @property
    def letters(self) -> tuple[Dimension, ...]:
        """All letters that may stand in a formula, in their order."""
        inputs = {letter for sheets in self.all for letter in sheets.letters}
        window = {W, L_window} if has_windows(self.model) else set()
        return in_rank({*self.model.architecture.dimensions, *inputs, *window, *fixed(self.model)})


def _not_held(quantity: str, model: Model) -> OptionError:
    return OptionError(f"The HTML page cannot compute {quantity} of {model.name}: choose another quantity or format.")


def _variants(sheets: CostSheets) -> list[Variants]:
    """The variants of its parts in the order of each setting; where settings differ in that, as they are met."""
    try:
        return variants(sheets.switches, sheets.usual, sheets.at, sheets.is_ordered)
    except CycleError:
        return variants(sheets.switches, sheets.usual, sheets.at, lambda _: False)
