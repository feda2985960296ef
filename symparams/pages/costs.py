"""The sheets of what a model costs: for each setting of its switches the steps of a quantity, its inputs, its shares.

The switches are the features, and what decides which formula holds: whether an input has a value other than 0, whether a
window cuts anything off, whether Falcon's shared heads are repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from symparams.components.facts import Gives
from symparams.components.tree import Component
from symparams.components.walks import components
from symparams.derivations.costs import work
from symparams.derivations.steps import multiple_of_count
from symparams.derivations.views import FIRST
from symparams.errors import OptionError, SymparamsError
from symparams.expressions.nodes import Dimension, Expression, Number, Product
from symparams.expressions.symbols import D, N, b, e, n_kv_heads, s, s_src, t
from symparams.expressions.written import ZERO, total
from symparams.models.calculation import USUAL_TYPE, Calculation, begun, calculate
from symparams.models.classes import is_over_tokens
from symparams.models.windows import repeats_several
from symparams.pages.sheets import Sheets
from symparams.pages.watched import WatchedSetting, values_of
from symparams.pages.windows import is_held
from symparams.pages.writing import Writer
from symparams.quantities.implementations import PLAIN, Implementation
from symparams.quantities.kept_by_layers import EAGER, FLASH
from symparams.quantities.kv_cache import lacking
from symparams.quantities.lora import ALL, QUERY_VALUE
from symparams.quantities.memory import DTYPES
from symparams.quantities.quantity import Quantity, Term, find
from symparams.quantities.recipes import RECIPES
from symparams.quantities.setting import CHOICES, Setting
from symparams.sheets.values import Name

SWITCH = ("off", "on")  # the values of a choice that is a switch
TRIED = 2  # a value that an input may have, of which nothing is said as of 0 and 1
GIVEN, WINDOW, SEVERAL, CLASS, ONE, CHOICE = "given", "window", "several", "class", "one", "choice"


class OfferedQuantity(NamedTuple):
    """How a page offers a quantity.

    ``lists`` are the choices that it has lists for besides the number type, and their values, whose words stand in the section
    ``words`` of the catalogue. Without ``has_fields`` its inputs are left out. ``is_kept``: it counts what an implementation
    keeps, which has its own number types, and keeps no copy along a size of 1. ``lacking`` says why a tree has none.
    """

    lists: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    words: str = "page.chosen"
    has_fields: bool = True
    is_kept: bool = False
    lacking: Callable[[Component, Setting], tuple[str, str]] | None = None


OFFERED: Mapping[str, OfferedQuantity] = {
    "weight_memory": OfferedQuantity(),
    "kv_cache": OfferedQuantity(lacking=lacking),
    "forward_flops": OfferedQuantity(),
    "backward_flops": OfferedQuantity(),
    "training_flops": OfferedQuantity({"checkpoint": SWITCH}),
    "activations": OfferedQuantity({"attention": (EAGER, FLASH), "checkpoint": SWITCH}, is_kept=True),
    "training_memory": OfferedQuantity({"recipe": tuple(RECIPES)}, "budget.recipes", has_fields=False),
    "lora": OfferedQuantity({"targets": (QUERY_VALUE, ALL)}),
}


def as_chosen(name: str, text: str) -> str | bool:
    """What a page says of an input or a choice, as Python takes it: a switch is true or false."""
    return text == SWITCH[1] if name in CHOICES and CHOICES[name].is_switch else text


class CostSheets:
    """All sheets of one quantity of a model, in the pool of its other sheets; OptionError for a quantity that it has not."""

    def __init__(self, sheets: Sheets, quantity: str, choices: Mapping[str, Any]) -> None:
        self.sheets, self.cost, self.choices, self.offered = sheets, find(quantity), dict(choices), OFFERED[quantity]
        self.usual_choices = {name: value for name, value in self.cost.usual.items() if name in self.cost.choices}
        if self.offered.is_kept:
            self.usual_choices["dtype"] = USUAL_TYPE
        self.options = tuple(option for option in self._options() if option[0] not in self.choices)
        usual = calculate(sheets.symbolic, quantity, {**self.usual_choices, **self.choices})  # which says why there is none
        self.counts = any(multiple_of_count(term.written) for term in usual.terms)
        self.known: dict[tuple[frozenset[str], frozenset[int]], Calculation | None] = {}
        self.begun: dict[tuple[frozenset[str], bool], Calculation | None] = {}
        self.read: dict[frozenset[str], dict[tuple[str, ...], dict[Any, Calculation | None]]] = {}
        self.written: dict[Any, dict[Any, int]] = {}
        self.parts: dict[int, dict[Any, int]] = {}  # of a calculation
        self.ranks: dict[str, int] = {}  # of shares, in the order in which they were met
        self.named: dict[str, str] = {}  # the paths of terms, the first of each name

    @cached_property
    def conditions(self) -> tuple[tuple[Any, ...], ...]:
        """The conditions, besides the features, that decide which formula holds."""
        model = self.sheets.symbolic
        inputs = [(GIVEN, letter.name) for letter in (t, s_src) if letter in self.cost.inputs]
        several = [(SEVERAL, n_kv_heads.name)] if repeats_several(model) else []
        return (*inputs, (WINDOW,), *several, *self._classes(), *self._ones(), *self._bits())

    def _ones(self) -> Iterator[tuple[Any, ...]]:
        """The sizes along which nothing is copied where they are 1, if what is kept depends on them."""
        if not self.offered.is_kept:
            return
        yield ONE, b
        heads = [part.attending for _, part in components(self.sheets.model.architecture.tree) if part.attending]
        shared = [facts for facts in heads if facts.kv_heads != facts.heads]
        several = [facts.heads for facts in heads] if self._how is not None and self._how.several_heads else []
        sizes = [size for each in several for size in (each.number, each.width)] + ([s] if several else [])
        ratios = (size for facts in shared for size in (facts.kv_heads.number, facts.heads.number / facts.kv_heads.number))
        yield from ((ONE, size) for size in dict.fromkeys([*ratios, *sizes]))

    def _bits(self) -> Iterator[tuple[Any, ...]]:
        """The bits of the place of what is chosen among the values of a choice that decides which formula holds."""
        for name, values, _, letter in self.options:
            yield from ((CHOICE, name, bit) for bit in range((len(values) - 1).bit_length()) if not letter)

    def _classes(self) -> Iterator[tuple[str, ...]]:
        """True if the library's class classifies every token: a digit for each setting of the features that decide it."""
        library = self.sheets.model.library
        tree = self.sheets.model.architecture.tree
        if library is None or not any(part.gives is Gives.LABELS for _, part in tree.children):
            return
        names = tuple(name for name in self.sheets.features.ticked if name in library.by_class)
        settings = ({name for i, name in enumerate(names) if setting >> i & 1} for setting in range(1 << len(names)))
        over_tokens = [is_over_tokens(self.sheets.model_with(frozenset(present))) for present in settings]
        if any(over_tokens):
            yield CLASS, ",".join(names), "".join(str(int(is_over)) for is_over in over_tokens)

    @property
    def switches(self) -> int:
        """The number of switches."""
        return self.sheets.features.number + len(self.conditions)

    @property
    def usual(self) -> int:
        """The setting of the model as it was given, after some tokens."""
        features = self.sheets.features.number
        return self.sheets.usual & (1 << features) - 1 | ((1 << len(self.conditions)) - 1) << features

    @staticmethod
    def is_ordered(key: Any) -> bool:
        """True if parts of this kind stand in the order of the terms, whatever features there are."""
        return not str(key[0]).startswith(("share ", "part "))

    @property
    def letters(self) -> tuple[Dimension, ...]:
        """The inputs that a page has fields for."""
        inputs = self.cost.inputs if self.offered.has_fields else ()
        return tuple(letter for letter in inputs if letter != D and not (letter == e and self.offered.is_kept))

    @property
    def _how(self) -> Implementation | None:
        library = self.sheets.model.library
        return library.activations if library is not None else PLAIN

    def _options(self) -> Iterator[tuple[str, tuple[str, ...], str, str]]:
        """The choices that a page has lists for: the name, the values, the usual one, and the letter that it gives a value.

        The usual number type is that of the model.
        """
        if self.offered.is_kept:
            yield "dtype", self._how.dtypes if self._how is not None else (), "", ""
        elif "dtype" in self.cost.choices:
            yield "dtype", tuple(DTYPES), "", e.name
        for name, values in self.offered.lists.items():
            had = tuple(value for value in values if self._has(name, value))
            usual = self.usual_choices.get(name, values[:1])
            yield name, had, usual if isinstance(usual, str) else usual[0], ""

    def _has(self, name: str, value: str) -> bool:
        """True if the quantity is derived with this choice."""
        try:
            calculate(self.sheets.symbolic, self.cost, {**self.usual_choices, **self.choices, name: self._asked(name, value)})
        except SymparamsError:
            return False
        return True

    def _asked(self, name: str, value: str) -> Any:
        """A value as the quantity takes it: one of several where several may be chosen, of a switch whether it is on."""
        return (value,) if isinstance(self.usual_choices.get(name), tuple) else as_chosen(name, value)

    def at(self, setting: int) -> dict[Any, int]:
        """The parts of a setting, each as a place in the pool, in their order."""
        features = self.sheets.features
        present = features.present(setting)
        met = frozenset(i for i in range(len(self.conditions)) if setting >> features.number + i & 1)
        calculation = self._costing(present, met)
        if calculation is None:
            return {(f"lacking {self.cost.name}", *self._lacking(present)): 0}
        if id(calculation) not in self.parts:
            self.parts[id(calculation)] = self._parts(calculation)
        parts = dict(self.parts[id(calculation)])
        for letter in self.letters:
            if self._is_taken(letter, calculation, present, met):
                parts[f"input {self.cost.name}", letter.name] = 0
        return parts

    def _parts(self, calculation: Calculation) -> dict[Any, int]:
        terms = tuple((term.path, term.name, term.layer, term.note, term.times, term.written) for term in calculation.terms)
        if terms not in self.written:
            self.written[terms] = self._sections(calculation)
        return self.written[terms]

    def _lacking(self, present: frozenset[str]) -> tuple[str, str]:
        """Return why a model with these features lacks the quantity, and the part that lacks it."""
        model = self.sheets.model_with(present)
        if self.offered.lacking is None or model.formula() == ZERO:
            return "not_derived", ""
        return self.offered.lacking(model.tree, Setting(model=model.name))

    def _costing(self, present: frozenset[str], met: frozenset[int]) -> Calculation | None:
        """The terms under these conditions, of a model without values; None where there are none."""
        first = self.sheets.first(present)
        if (first, met) not in self.known:
            self.known[first, met] = self._costed(first, {self.conditions[i] for i in met})
        return self.known[first, met]

    def _costed(self, present: frozenset[str], met: set[tuple[Any, ...]]) -> Calculation | None:
        start = self._begun(present, is_several=(SEVERAL, n_kv_heads.name) in met)
        if start is None:
            return None
        setting = self._setting(start.setting, met)
        known = self.read.setdefault(present, {})
        for names, by_values in known.items():
            if (values := values_of(setting, names)) in by_values:
                return by_values[values]
        watched = WatchedSetting.of(setting)
        calculation = self._with_terms(start, watched)
        names = tuple(watched.read)
        known.setdefault(names, {})[values_of(setting, names)] = calculation
        return calculation

    def _begun(self, present: frozenset[str], *, is_several: bool) -> Calculation | None:
        """The calculation with the usual choices, whose terms are not looked at yet; None where there is none."""
        if (present, is_several) not in self.begun:
            model = self.sheets.model_with(present)
            bound = replace(model, values={n_kv_heads: TRIED}) if is_several else model
            lengths = {s.name: TRIED} if self.offered.is_kept else {}
            try:
                calculation = begun(bound, self.cost, {**self.usual_choices, **self.choices, **lengths})
                self.begun[present, is_several] = replace(calculation, model=model) if model.formula() != ZERO else None
            except SymparamsError:
                self.begun[present, is_several] = None
        return self.begun[present, is_several]

    def _setting(self, usual: Setting, met: set[tuple[Any, ...]]) -> Setting:
        """The usual setting, changed by the conditions that are met."""
        names = {name for condition, *names in met if condition == GIVEN for name in names}
        changed = {name: CHOICES[name].of(value) for name, value in self._chosen(met) if name not in self.choices}
        return replace(
            usual,
            given=usual.given.union(letter for letter in self.cost.inputs if letter.name in names),
            ones=usual.ones.union(condition[1] for condition in met if condition[0] == ONE),
            windowed_layers=usual.windowed_layers if (WINDOW,) in met else 0,
            is_over_tokens=any(condition[0] == CLASS for condition in met),
            **changed,
        )

    @staticmethod
    def _with_terms(start: Calculation, setting: Setting) -> Calculation | None:
        try:
            calculation = replace(start, setting=setting)
            return replace(calculation, chosen_terms=tuple(map(_in_counts, calculation.terms)))
        except SymparamsError:
            return None

    def _chosen(self, met: set[tuple[Any, ...]]) -> Iterator[tuple[str, Any]]:
        """Yield what is chosen of each choice: the value of which these are the bits of its place, else the usual one."""
        for name, values, usual, letter in self.options:
            place = sum(1 << condition[2] for condition in met if condition[:2] == (CHOICE, name))
            if not letter:
                yield name, self._asked(name, values[place] if place < len(values) else usual or USUAL_TYPE)

    def _is_taken(self, letter: Dimension, calculation: Calculation, present: frozenset[str], met: frozenset[int]) -> bool:
        """True if an input decides anything here: it stands in the formula, or the formula is another without it."""
        if letter in calculation.written.dimensions:
            return True
        if (condition := (GIVEN, letter.name)) not in self.conditions:
            return False
        place = self.conditions.index(condition)
        other = self._costing(present, met ^ {place})
        if other is None:  # as tokens in a cache of what has none
            return place in met
        if other is not calculation and other.terms != calculation.terms:
            return True
        return letter == t and self.sheets.has_cache(present)  # tokens in a cache are told of what has one

    def _sections(self, calculation: Calculation) -> dict[Any, int]:
        """The sections, each with what it adds to the total; then what each kind of part has of it."""
        parts = dict[Any, int]()
        writer = self.sheets.sections(f"section {self.cost.name}", work(calculation, FIRST), parts, is_cost=True)
        gathered: dict[str, list[Any]] = {}
        for term in calculation.terms:
            gathered.setdefault(term.name, []).append(term.every)
            self.named.setdefault(term.name, term.path)
        for name, terms in gathered.items():
            share = (
                writer.name(Name(name)),
                writer.place(total(terms)),
                self.ranks.setdefault(name, len(self.ranks)),
                writer.closed(total(terms)),
            )
            parts[f"share {self.cost.name}", name] = self.sheets.pool.parts.place(share)
        return parts | ({} if self.cost.is_of_weights else self._by_path(calculation, writer))

    def _by_path(self, calculation: Calculation, writer: Writer) -> dict[Any, int]:
        """What each part of the tree has of it, for the picture; of weights that follows from the parameters."""
        at: dict[str, list[Expression]] = {}
        for term in calculation.terms:
            at.setdefault(term.path, []).append(term.every)
        key, place = f"part {self.cost.name}", self.sheets.pool.parts.place
        return {(key, path): place((writer.place(total(terms)),)) for path, terms in at.items()}


def _in_counts(term: Term) -> Term:
    """A term with the number of parameters as a letter, of which the browser knows the value: 4 × N."""
    multiple = multiple_of_count(term.written)
    return term if multiple is None else replace(term, written=Product((Number(multiple[0]), N)))


def cost_sheets(sheets: Sheets, choices: Mapping[str, Any]) -> Iterator[CostSheets]:
    """The sheets of each quantity that a page can hold of a model."""
    for quantity in OFFERED:
        cost: Quantity = find(quantity)
        if not cost.is_of_weights and not is_held(sheets.model):
            continue
        if {*sheets.model.architecture.dimensions} & {*cost.inputs}:
            continue  # whose input gives way to a size of its letter
        try:
            yield CostSheets(sheets, quantity, {name: value for name, value in choices.items() if name in cost.choices})
        except OptionError:
            continue
