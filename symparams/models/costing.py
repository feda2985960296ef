"""Costings: a model with a cost to work out, the setting in which that is asked for, and values for what it is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from symparams.components.tree import Component
from symparams.components.walks import components
from symparams.errors import DimensionError, MissingDimensionError, OptionError, UnknownNameError, quoted, suggestion
from symparams.expressions.closed_form import as_sympy, as_written, multiply_out, written_as_sympy
from symparams.expressions.marks import Size
from symparams.expressions.nodes import Dimension, Expression, Product, Sum
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.symbols import L_window, N, N_active, W, e, max_source, s_src
from symparams.expressions.written import Bound, exact, total
from symparams.models.blocks import EXPANDED, check_form
from symparams.models.classes import is_over_tokens
from symparams.models.model import Model
from symparams.models.values import positive, read_value, to_integer
from symparams.models.windows import RULES, tree_of, window_values
from symparams.quantities.cost import Cost, find
from symparams.quantities.memory import BITS_IN_A_BYTE, DTYPES, read_dtype
from symparams.quantities.setting import CHOICES, CHOSEN, Setting
from symparams.quantities.term import Term

if TYPE_CHECKING:
    import sympy

# Inputs that a family fixes: Whisper's encoder always reads thirty seconds of sound.
FIXED: Mapping[str, Mapping[Dimension, Dimension]] = {"whisper": {s_src: max_source}}


@dataclass(frozen=True)
class Costing:
    """A model whose ``values`` hold those of the inputs too, and the terms of a cost over its tree."""

    model: Model
    cost: Cost
    setting: Setting
    terms: tuple[Term, ...]
    tree: Component

    @cached_property
    def written(self) -> Expression:
        """The sum of all terms."""
        return total([term.every for term in self.terms])

    @cached_property
    def polynomial(self) -> Polynomial:
        """The sum multiplied out under the model's relations."""
        return multiply_out(self.written, self.model.relations)

    @cached_property
    def blocks(self) -> Expression:
        """The sum by blocks: what stands once, then so many copies of what one layer adds: L·(…)."""
        copies: dict[Polynomial, list[Expression]] = {}
        for term in self.terms:
            copies.setdefault(multiply_out(term.times, self.model.relations), []).append(term.written)
        return total([term for number, written in copies.items() for term in self._block(number, total(written))])

    def _block(self, number: Polynomial, written: Expression) -> tuple[Expression, ...]:
        one = multiply_out(written, self.model.relations)
        if len(one.terms) == 1 or len(number.terms) == 1 == number.terms.get((), 0):
            every = as_written(number * one)
            return every.terms if isinstance(every, Sum) else (every,)
        return (Size(Product((as_written(number), as_written(one)))),)

    def closed_form(self, form: str = EXPANDED) -> sympy.Expr:
        """The sum in sympy, expanded or by blocks; OptionError for another form."""
        return as_sympy(self.polynomial) if check_form(form) == EXPANDED else written_as_sympy(self.blocks)

    def value(self) -> int | Fraction:
        """The exact number; MissingDimensionError names what has no value."""
        missing = [dimension for dimension in self.written.dimensions if dimension not in self.model.values]
        if missing:
            raise self._missing(missing)
        found = exact(self.written, self.model.values)
        return found.numerator if isinstance(found, Fraction) and found.denominator == 1 else found

    @property
    def is_bound(self) -> bool:
        """Whether every letter of it has a value."""
        return all(dimension in self.model.values for dimension in self.written.dimensions)

    @property
    def name(self) -> str:
        """What its model is called."""
        return self.model.name

    def at(self, values: Mapping[Dimension, int]) -> Costing:
        """The same with other values for some letters, worked out anew where a 1 among them asks for another formula."""
        bound = Bound({**self.model.values, **values})
        return replace(self, model=replace(self.model, values=bound)).with_ones(ones_of(bound))

    def with_ones(self, ones: frozenset[Dimension]) -> Costing:
        """The same where these letters are 1, and no others are."""
        if ones == self.setting.ones:
            return self
        setting = replace(self.setting, ones=ones)
        return replace(self, setting=setting, terms=tuple(self.cost.terms(self.tree, setting)))

    def _missing(self, missing: list[Dimension]) -> MissingDimensionError:
        names = [dimension.name for dimension in missing]
        said = [f"{name} (the bytes of a number type)" if name == e.name else name for name in names]
        return MissingDimensionError(f"{self.cost.name} of {self.model.name} has no value for {', '.join(said)}", names)


def costing(model: Model, quantity: str, given: Mapping[str, Any], *, counts_layers: bool = False) -> Costing:
    """A cost of a model with what is given of its inputs and choices, by name.

    ``counts_layers`` keeps the layers with a window as a letter of the formulas, whatever their number.

    Raises UnknownNameError for a quantity, an input or a choice that there is not, and DimensionError for a value that can be
    none.
    """
    cost = find(quantity)
    values, chosen = _read(model, cost, given)
    for letter, size in FIXED.get(model.family, {}).items():
        if letter in cost.letters and letter not in values and size in model.values:
            values[letter] = model.values[size]
    windows, tree = window_values(model), tree_of(model)
    setting = Setting(
        **chosen,
        given=frozenset(letter for letter, value in values.items() if value),
        ones=ones_of({**model.values, **values}),
        choices=model.choices,
        windowed_layers=_windowed_layers(model, windows, chosen.get("window", ""), counts_layers=counts_layers),
        modules=_modules(model) if "targets" in cost.choices else {},
        model=model.name,
        family=model.family,
        config=model.origin.config or {},
        is_over_tokens=is_over_tokens(model),
    )
    fixed = {each: said for name, each in CHOSEN.items() if isinstance(said := model.choices.get(name), int)}
    bound = replace(model, values=Bound({**fixed, **model.values, **windows, **values}))
    return Costing(bound, cost, setting, tuple(cost.terms(tree, setting)), tree)


def counts_of(model: Model) -> Mapping[Dimension, int]:
    """The numbers of parameters by which rules of thumb go: N, all of them, and N_active, those that one token uses."""
    return {} if model.unbound else {N: model.count(), N_active: model.active_count()}


def ones_of(values: Mapping[Dimension, Any]) -> frozenset[Dimension]:
    """The letters that are 1, along which nothing is copied."""
    return frozenset(letter for letter, value in values.items() if value == 1)


def _read(model: Model, cost: Cost, given: Mapping[str, Any]) -> tuple[dict[Dimension, int], dict[str, Any]]:
    """The values of the inputs, and the choices; the number type gives the bytes of a number."""
    letters = {letter.name: letter for letter in cost.letters}
    own = [letter.name for letter in cost.letters if letter in model.dimensions]
    if own:
        raise OptionError(f"{own[0]} is a size of {model.name}, and an input of {cost.name}: call the size otherwise.")
    values: dict[Dimension, int] = dict(cost.defaults)
    chosen: dict[str, Any] = {}
    for name, value in given.items():
        if name in letters:
            values[letters[name]] = read_input(letters[name], value, model)
        elif name in cost.choices:
            chosen[name] = CHOICES[name].of(value)
        else:
            raise UnknownNameError(f"{cost.name} takes no {quoted(name)}. {suggestion(name, [*letters, *cost.choices])}")
    if chosen.get("dtype") and e in values:
        raise OptionError("A number type has its bytes: give dtype or e, not both.")
    if e in cost.letters and e not in values:
        chosen["dtype"] = chosen.get("dtype") or own_dtype(model)
        if chosen["dtype"]:
            values[e] = _bytes_of(chosen["dtype"])
    return values, chosen


def _windowed_layers(model: Model, windows: Mapping[Dimension, int], counted: str, *, counts_layers: bool) -> int | None:
    """0 without a window; the number of layers with one where others have none, -1 where it is a letter; None for all.

    The library keeps W − 1 tokens by leaving out those before the last W − 1, which of a window of one token leaves out none.
    """
    if windows.get(W) == 1 and counted != "paper":
        return 0
    if L_window in windows:
        return -1 if counts_layers else windows[L_window]
    parts = (part.attending for _, part in components(model.tree) if part.attending and part.attending.window)
    return -1 if any(each.windowed in RULES for each in parts) else None


def _modules(model: Model) -> dict[str, list[str]]:
    """What the library calls the modules that have matrices, by path; nothing where it has no such family."""
    from symparams.models.tensors import patterns

    if model.library is None or not model.library.names.modules:
        return {}
    found: dict[str, list[str]] = {}
    for named in patterns(model):
        if named.name.endswith(".weight"):
            found.setdefault(named.path, []).append(named.name.removesuffix(".weight"))
    return found


def own_dtype(model: Model) -> str:
    """The number type that a model's config names; "" where it names none."""
    if model.origin.config is None:
        return model.origin.dtype
    config = model.origin.config
    named = config.get("dtype") or config.get("torch_dtype")
    return read_dtype(named) if isinstance(named, str) and named != "auto" else ""


def _bytes_of(dtype: str) -> int:
    """The bytes of a number: an integer, or 1/2, which every formula takes as well."""
    each = Fraction(DTYPES[dtype], BITS_IN_A_BYTE)
    return int(each) if each.denominator == 1 else cast(int, each)


def read_input(letter: Dimension, value: Any, model: Model) -> int:
    """The value of an input: a whole number, or a formula in the model's own letters; 0 where nothing is there yet."""
    if not isinstance(value, bool) and str(value).strip() == "0":
        return 0
    read = read_value(letter, value, {dimension.name: dimension for dimension in model.dimensions})
    if isinstance(read, int):
        return read
    missing = [dimension.name for dimension in read.dimensions if dimension not in model.values]
    if missing:
        raise DimensionError(f"No value follows for {letter.name}: it needs {', '.join(missing)}. Give an integer.")
    found = to_integer(read, model.values, letter)
    return positive(letter, found, f"{letter.name} = {found}")
