"""Settings of a page, what is typed and ticked, and what Python makes of them: all that the runtime must say, too."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from symparams import Architecture, Model, SymparamsError, derive, load
from symparams.derivations.derivation import Derivation
from symparams.derivations.steps import Note
from symparams.errors import MissingDimensionError
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.written import exact
from symparams.models.inputs import checked_calculation
from symparams.pages.costs import SWITCH
from symparams.pages.data import content, words_of_page
from symparams.pages.packing import packed
from symparams.pages.quantities import USUAL
from symparams.quantities.setting import CHOICES
from symparams.quantities.streams import fixed_inputs
from symparams.sheets.whole import _in_a_cell

WORDS = words_of_page()
# Pages that the fast tests work out: an encoder, gates and grouped queries, experts and a window, two stacks, a state space.
FAMILIES = ("bert", "llama", "mixtral", "t5", "mamba")
SWEPT = ("vit", "deepseek_v3", "modernbert", "gemma3", "jamba", "clip", "whisper", "qwen2_vl")
UNREAD = "is not a positive integer or an expression such as 4*h."  # which Python goes on to explain


class Setting(NamedTuple):
    """A family, what is typed, what is ticked."""

    family: str
    given: dict[str, str]
    on: list[str]

    @property
    def asked(self) -> dict[str, Any]:
        """What the runtime is given."""
        return {"given": self.given, "on": self.on}

    def load(self) -> Model:
        """The model; an error where it cannot be. What was typed as a formula is the number that it comes to."""
        family = load(self.family)
        off = [feature for feature in family.features if feature not in self.on]
        model = load(family.architecture, include=self.on, exclude=off, **self.given)
        values = {dimension.name: str(value) for dimension, value in model.values.items()}
        numbers = {name: values.get(name, text) for name, text in self.given.items()}
        return model if numbers == self.given else load(family.architecture, include=self.on, exclude=off, **numbers)


@cache
def content_of(target: str) -> dict[str, Any]:
    """What a page holds, as its runtime reads it."""
    return content(load(target), "hidden", {}, USUAL)


@cache
def page_of(target: str) -> dict[str, Any]:
    """The data of a page."""
    return packed(content_of(target))


@cache
def alone(target: str) -> Architecture:
    """A family of a model without its switches, whose page is made at once."""
    model = load(target)
    return Architecture("own", tree=model.tree, models={"own-1": dict(model.values)})


def setting(target: str, sizes: str = "", parts: str = "") -> Setting:
    """The setting of a published model, with other ``sizes``, and each of the ``parts`` ticked that was not, or the reverse."""
    family = load(target).family
    own = next(preset for preset in page_of(family)["presets"] if preset["target"] == target)
    typed = own["held"] | dict(size.split("=") for size in sizes.split())
    given = {name: text for name, text in typed.items() if text}
    return Setting(family, given, sorted({*own["on"]} ^ {*parts.split()}))


def answer_of(chosen: Setting) -> dict[str, Any]:
    """What Python makes of a setting, by the names of the runtime's answer."""
    try:
        model = chosen.load()
    except SymparamsError as error:
        return {"count": None, "fault": str(error)}
    found = derive(model)
    count = None if model.unbound else str(model.count())
    return {
        "count": count,
        "fault": None,
        "closed": repr(as_written(model.polynomial())),
        "conventions": _conventions(found),
        "rule": _rule(found),
        "views": [count] * len(page_of(chosen.family)["views"]),
    }


def differences(answer: dict[str, Any], expected: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Where the runtime says something else than Python; of a text that is no size Python says more."""
    shown = answer | {"conventions": [convention[1:] for convention in answer["conventions"]]}
    told, fault = answer["fault"], expected["fault"]
    if told and fault and UNREAD in told:
        shown["fault"] += fault[len(told) :]
    return {key: (shown[key], value) for key, value in expected.items() if shown[key] != value}


def _conventions(found: Derivation) -> list[list[Any]]:
    """The other ways to count, but for what one token uses: the difference, and its number."""
    shown = [convention for convention in found.conventions if convention.note != Note(("convention.active",))]
    is_bound = found.total.value is not None
    return [
        [_plain(convention.difference.closed), str(convention.difference.value) if is_bound else None] for convention in shown
    ]


def _rule(found: Derivation) -> list[Any] | None:
    """The rule of thumb: what it counts, as formulas and as a number; what it leaves out."""
    rule = found.rule_of_thumb
    if rule is None:
        return None
    is_bound = rule.error is not None
    sources = [[source.name, _cell(source), str(source.value) if is_bound else None] for source in rule.sources]
    value = str(rule.estimate.value) if is_bound else None
    return [rule.rule.key.removeprefix("rule."), _plain(rule.estimate.closed), _plain(rule.squares), value, sources]


def _plain(formula: Any) -> str | None:
    return None if formula is None else repr(formula)


def _cell(step: Any) -> str | None:
    """What a rule leaves out where that is short enough for a cell, which on a page is multiplied out."""
    return None if _in_a_cell(step) is None else repr(as_written(multiply_out(step.closed, {})))


def sizes_fixed(model: Model) -> dict[str, str]:
    """The inputs that the sizes of a model fix, as they are typed."""
    sizes = fixed_inputs(model.tree).items()
    return {letter.name: str(exact(size, model.values)) for letter, size in sizes if {*size.dimensions} <= model.values.keys()}


def measured(model: Model, quantity: str, inputs: dict[str, str]) -> tuple[str | None, str | None]:
    """What a quantity is, or what is said of its inputs; an input that it does not depend on is left out, as a page does."""
    switches = {name for name in inputs if name in CHOICES and CHOICES[name].is_switch}
    given: dict[str, Any] = {name: text == SWITCH[1] if name in switches else text for name, text in inputs.items()}
    while True:
        try:
            return str(checked_calculation(model, quantity, given).value()), None
        except MissingDimensionError as error:
            return None, str(error)
        except SymparamsError as error:
            needless = next((name for name in given if _refuses(str(error), name)), None)
            if needless is None:
                return None, str(error)
            del given[needless]


def _refuses(told: str, name: str) -> bool:
    return any(text in told for text in (f"depend on {name}:", f"depend on {name} without", f"leave out {name}."))
