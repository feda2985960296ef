"""The data of the quantities that a page works out beside the number of parameters: inputs, conditions, windows, choices."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from graphlib import CycleError
from typing import Any

from symparams.errors import OptionError
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import D, L_window, N, W, e, in_rank, s, s_src, t
from symparams.models.calculation import USUAL_TYPE, Calculation, own_dtype
from symparams.models.model import Model
from symparams.pages.costs import OFFERED, ONE, SWITCH, CostSheets, as_chosen, cost_sheets
from symparams.pages.pool import Formulas
from symparams.pages.presets import fixed
from symparams.pages.sheets import Sheets
from symparams.pages.variants import Variants, variants
from symparams.pages.windows import has_windows
from symparams.quantities.memory import DTYPES
from symparams.quantities.quantity import PARAMETERS, Quantity
from symparams.quantities.setting import CHOICES, Choice
from symparams.quantities.streams import fixed_inputs
from symparams.records import frozen


@frozen
class Opening:
    """The first state of a page: a quantity, the values of its inputs by name, and the options of counting it."""

    quantity: str = PARAMETERS
    inputs: Mapping[str, str] = field(default_factory=dict)
    choices: Mapping[str, Any] = field(default_factory=dict)

    @property
    def given(self) -> dict[str, Any]:
        """The inputs and options as Python takes them: a switch is true or false."""
        return {**{name: as_chosen(name, text) for name, text in self.inputs.items()}, **self.choices}


USUAL = Opening()
LENGTHS = (s, t, s_src)  # inputs that are as long as the context where nobody gives them
DTYPE = "dtype"


def opening_of(calculation: Calculation | None, assumed: Collection[str] = ()) -> Opening:
    """Return the opening that shows a calculation, without the inputs that were ``assumed``.

    OptionError for a quantity, or a number type, that no page holds.
    """
    if calculation is None or calculation.quantity.tensors is not None:
        return Opening()
    cost, model, asked = calculation.quantity, calculation.model, calculation.asked
    if cost.name not in OFFERED:
        raise _not_held(cost.name, model)
    if D in model.values:
        raise OptionError("The HTML page takes b sequences: give b instead of D, or choose another format.")
    given = {name: value for name, value in asked.items() if name not in assumed}
    inputs = {letter.name: str(given[letter.name]) for letter in cost.inputs if letter.name in given}
    if dtype := given.pop(DTYPE, ""):
        if dtype not in DTYPES:
            raise OptionError(f"The HTML page has no number type {dtype}: choose {', '.join(DTYPES)}, or another format.")
        inputs = {name: text for name, text in inputs.items() if name != e.name}
        inputs |= {DTYPE: dtype} if dtype != (own_dtype(model) or USUAL_TYPE) else {}
    if inputs and not OFFERED[cost.name].has_fields:  # activations, or LoRA
        raise _not_held(cost.name, model)
    for name, values in OFFERED[cost.name].lists.items():
        chosen = given.get(name)
        text = chosen[0] if isinstance(chosen, tuple) and len(chosen) == 1 else chosen
        text = SWITCH[chosen] if isinstance(chosen, bool) else text
        if text in values:
            inputs |= {name: str(text)}
            del given[name]
    return Opening(cost.name, inputs, {name: value for name, value in given.items() if name in cost.choices})


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
            "conditions": [self._condition(*condition) for condition in sheets.conditions],
            "counts": N.name if sheets.counts else "",
            "inputs": [[letter.name, self._default(letter), *_example(cost, letter)] for letter in sheets.letters],
            "options": [[name, _flag(CHOICES[name]), values, usual, letter] for name, values, usual, letter in sheets.options],
            "choices": {name: str(sheets.choices[name]) for name in cost.choices if name in sheets.choices},
        }

    def _condition(self, kind: str, *rest: Any) -> tuple[Any, ...]:
        """A condition, of which the browser works the formula out that is 1."""
        return (kind, self.formulas.place(rest[0])) if kind == ONE else (kind, *rest)

    def _default(self, letter: Dimension) -> int:
        """The formula of what an input always is, as Whisper's source; -1 where it may be anything."""
        size = fixed_inputs(self.model.architecture.tree).get(letter)
        return self.formulas.place(size) if size is not None else -1

    @property
    def letters(self) -> tuple[Dimension, ...]:
        """All letters that may stand in a formula, in their order."""
        inputs = {letter for sheets in self.all for letter in sheets.letters}
        inputs |= {N} if any(sheets.counts for sheets in self.all) else set()
        window = {W, L_window} if has_windows(self.model) else set()
        return in_rank({*self.model.architecture.dimensions, *inputs, *window, *fixed(self.model)})


def _flag(choice: Choice) -> str:
    """The option of a choice on a command line, a blank behind it where its value follows."""
    return choice.option if choice.is_switch else f"{choice.option} "


def _example(cost: Quantity, letter: Dimension) -> tuple[int, int]:
    """What an input is where nobody gives it, 0 for the longest context, and whether that bounds it; (0, 0) for nothing."""
    if letter == t and s in cost.inputs:
        return 0, 0  # a pass reads a prompt, with nothing before it
    usual = int(cost.usual.get(letter.name, 1))
    return (usual, 0) if letter not in LENGTHS else (usual if usual > 1 else 0, 1)


def _not_held(quantity: str, model: Model) -> OptionError:
    return OptionError(f"The HTML page cannot compute {quantity} of {model.name}: choose another quantity or format.")


def _variants(sheets: CostSheets) -> list[Variants]:
    """The variants of its parts in the order of each setting; where settings differ in that, as they are met."""
    try:
        return variants(sheets.switches, sheets.usual, sheets.at, sheets.is_ordered)
    except CycleError:
        return variants(sheets.switches, sheets.usual, sheets.at, lambda _: False)
