"""Calculations: a quantity of a model under a setting, with values for the inputs that it is given."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, cast

from symparams.components.letters import in_letters, written_in
from symparams.components.tree import Component
from symparams.components.walks import Leaf, leaves
from symparams.errors import (
    NUMBER_TYPE,
    DimensionError,
    MissingDimensionError,
    OptionError,
    UnknownNameError,
    listed,
    quoted,
    suggestion,
)
from symparams.expressions.closed_form import BLOCKS, EXPANDED, as_sympy, as_written, check_form, multiply_out, written_as_sympy
from symparams.expressions.factoring import factored
from symparams.expressions.nodes import Dimension, Expression, Named, Number, Product, Size, Sum, factors_of, terms_of, unmarked
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.symbols import INPUTS, LONG_NAMES, L_window, N, N_active, W, e, max_pos, n_heads, n_kv_heads
from symparams.expressions.written import ONE, Bound, evaluate, exact, replaced, times, total
from symparams.models.model import Model
from symparams.models.values import missing, needed, positive, read_value, to_integer
from symparams.quantities.implementations import PLAIN
from symparams.quantities.memory import bytes_of, is_format, read_dtype
from symparams.quantities.parameters import ACTIVE, PARAMETERS
from symparams.quantities.quantity import (
    Alternative,
    AlternativeTerms,
    Quantity,
    RuleOfThumb,
    TensorCount,
    Term,
    check_flow,
    find,
)
from symparams.quantities.setting import CHOICES, CHOSEN, Setting
from symparams.records import frozen

if TYPE_CHECKING:
    import sympy

USUAL_TYPE = "bf16"  # the number type of a model of which none is known
FACTORED = "factored"  # the form with common factors drawn out, b·t·(r_kv + d_rope)·e
MOST_CHARACTERS, MOST_OF_PRODUCT = 26, 19  # of a formula in a cell, before it is written by name


@frozen
class Calculation:
    """A model whose ``values`` hold those of the inputs too, and the terms of a quantity over its tree."""

    model: Model
    quantity: Quantity
    setting: Setting
    tree: Component
    chosen_terms: tuple[Term, ...] | None = None
    depends_on_ones: ClassVar[bool] = True  # where a letter is 1: of a single sequence a tensor may be kept as a view
    has_fractions: ClassVar[bool] = True  # half a byte

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The addends of the quantity over the tree, or those of them that somebody chose."""
        if self.chosen_terms is not None:
            return self.chosen_terms
        return tuple(map(self._own_letters.term, self.quantity.addends(self._own_letters.tree, self.setting)))

    @cached_property
    def alternatives(self) -> tuple[AlternativeTerms, ...]:
        """The other ways to count the same, whatever they come to: the formulas of rules of thumb first."""
        return tuple(map(self._own_letters.alternative, self._alternatives(self._own_letters.tree)))

    def _alternatives(self, tree: Component) -> Iterator[AlternativeTerms]:
        for other in (*self.quantity.rules_of_thumb, *self.quantity.alternatives):
            if not other.where(tree, self.setting):
                continue
            if not isinstance(other, Alternative):
                if (term := other.estimate(tree, self.setting)) is not None:
                    yield _by_rule(tree, other, term)
            elif (setting := replace(self.setting, **other.changed)) != self.setting:
                with suppress(OptionError):  # of a setting in which it is not derived there is no alternative
                    yield AlternativeTerms(other.key, self.quantity.addends(tree, setting))

    @cached_property
    def rules(self) -> tuple[RuleOfThumb, ...]:
        """The rules of thumb of the quantity that hold for the tree."""
        return tuple(rule for rule in self.quantity.rules_of_thumb if rule.where(self.tree, self.setting))

    @cached_property
    def inputs(self) -> Mapping[Dimension, Dimension]:
        """The inputs of the quantity, each with its letter here: another one if a size of the model has that letter."""
        return {letter: self._own_letters.inputs.get(letter, letter) for letter in self.quantity.inputs}

    @property
    def asked(self) -> dict[str, Any]:
        """The inputs that have a value, by name, and the choices that are not the usual ones."""
        usual, values = Setting(), self.model.values
        chosen = {name: getattr(self.setting, name) for name in self.quantity.choices}
        inputs = {letter.name: values[own] for letter, own in self.inputs.items() if own in values}
        return inputs | {name: value for name, value in chosen.items() if value != getattr(usual, name)}

    @cached_property
    def _own_letters(self) -> OwnLetters:
        return OwnLetters.of(self.model, self.quantity, self.tree)

    @cached_property
    def leaves(self) -> Sequence[Leaf]:
        """The leaf layers of the tree."""
        return self.model.leaves if self.tree is self.model.tree else tuple(leaves(self.tree))

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
        return self.by_blocks()

    def by_blocks(self, names: Mapping[str, Polynomial] | None = None) -> Expression:
        """Return the sum by blocks; a count of tensors has ``names`` for its long parts."""
        copies: dict[Polynomial, list[Expression]] = {}
        for term in self.terms:
            copies.setdefault(multiply_out(term.times, self.model.relations), []).append(term.written)
        return total([term for number, written in copies.items() for term in self._block(number, total(written))])

    def _block(self, number: Polynomial, written: Expression) -> tuple[Expression, ...]:
        copy = multiply_out(written, self.model.relations)
        if len(copy.terms) == 1 or len(number.terms) == 1 == number.terms.get((), 0):
            return terms_of(as_written(number * copy))
        return (Size(Product((as_written(number), as_written(copy)))),)

    def closed_form(self, form: str = EXPANDED) -> sympy.Expr:
        """The sum in sympy, expanded or by blocks; OptionError for another form."""
        return as_sympy(self.polynomial) if check_form(form) == EXPANDED else written_as_sympy(self.blocks)

    def value(self) -> int | Fraction:
        """The exact number; MissingDimensionError names what has no value."""
        if not self.is_bound:
            raise self.missing()
        return exact(self.written, self.model.values)

    @property
    def fixed(self) -> Collection[Dimension]:
        """The inputs that the sizes of the model fix, as the source of Whisper."""
        from symparams.quantities.streams import fixed_inputs

        return fixed_inputs(self.tree)

    @property
    def lacking(self) -> tuple[Dimension, ...]:
        """The letters of it that have no value."""
        return tuple(dimension for dimension in self.written.dimensions if dimension not in self.model.values)

    @property
    def is_bound(self) -> bool:
        """True if every letter of it has a value."""
        return not self.lacking

    @cached_property
    def has_active(self) -> bool:
        """True if one token uses only a part of what is counted."""
        return any(term.active is not None for term in self.terms)

    @property
    def usual_form(self) -> str:
        """The form in which a person writes the sum."""
        return FACTORED

    def form_of_part(self, part: Polynomial, name: str, terms: Sequence[Term], names: Mapping[str, Polynomial]) -> Expression:
        """Return the closed form of the sum of some terms, as it stands in a cell; a long one by the result of its ``name``."""
        from symparams.models.blocks import MOST_EXPANDED

        if len(part.terms) <= MOST_EXPANDED:
            return as_written(part)
        once = total([term.written for term in terms if term.times == terms[0].times])
        copies = multiply_out(total(list(dict.fromkeys(term.times for term in terms))), self.model.relations)
        if name in names and copies * names[name] == part:
            return Size(Product((as_written(copies), Named(name, once))))
        return factored(part)

    @property
    def total_name(self) -> str:
        """The name of its sum on a sheet."""
        return self.quantity.name

    @property
    def letters(self) -> tuple[Dimension, ...]:
        """The letters that its formulas need."""
        return (*self.written.dimensions, *as_written(self.polynomial).dimensions)

    @property
    def name(self) -> str:
        """The name of its model."""
        return self.model.name

    def at(self, values: Mapping[Dimension, int]) -> Calculation:
        """Return the calculation with other values for some letters, derived anew where a 1 asks for another formula."""
        bound = Bound({**self.model.values, **values})
        return replace(self, model=replace(self.model, values=bound)).with_ones(ones_of(bound))

    def with_ones(self, ones: frozenset[Expression]) -> Calculation:
        """Return the calculation where these letters are 1, and no others are."""
        if ones == self.setting.ones:
            return self
        return replace(self, setting=replace(self.setting, ones=ones), chosen_terms=None)

    def missing(self, given: Iterable[Dimension] = ()) -> MissingDimensionError:
        """The error that names what has no value, where those given have one."""
        from symparams.models.windows import letters_of_layers

        model = self._with_values(given)
        letters = {L_window: letters_of_layers(model)}  # from which it follows
        sizes = dict.fromkeys(size for letter in self.written.dimensions for size in letters.get(letter, (letter,)))
        names = [dimension.name for dimension in needed(model, tuple(sizes))]
        subject, others = f"{self.quantity.spelled} of {self.name}", [name for name in names if name != e.name]
        if e.name in names and "dtype" in self.quantity.choices:
            lack = f" no value for {listed(others)} and" if others else ""
            return MissingDimensionError(
                f"{subject} has{lack} no number type, which the config does not name", [*others, NUMBER_TYPE]
            )
        return MissingDimensionError(f"{subject} has no value for {listed(names)}", names)

    def _with_values(self, letters: Iterable[Dimension]) -> Model:
        return replace(self.model, values={**self.model.values, **dict.fromkeys(letters, 1)})


@frozen
class CountOfTensors(Calculation):
    """The calculation of a quantity to which every tensor contributes alike: it is written leaf by leaf, as the tree is."""

    depends_on_ones: ClassVar[bool] = False
    has_fractions: ClassVar[bool] = False

    @property
    def counted(self) -> TensorCount:
        """The count to which each tensor contributes."""
        assert self.quantity.tensors is not None
        return self.quantity.tensors

    @cached_property
    def written(self) -> Expression:
        """The sum over all leaves, worked out once for all models of the family."""
        return self.model.formula(self.counted)

    def by_blocks(self, names: Mapping[str, Polynomial] | None = None) -> Expression:
        """The sum by blocks, with the ``names`` of long parts."""
        return self.model.blocks(self.counted, names=names).formula

    @property
    def usual_form(self) -> str:
        """The form in which a person writes a count: expanded as long as it has few terms."""
        from symparams.models.blocks import MOST_EXPANDED

        return EXPANDED if len(self.polynomial.terms) <= MOST_EXPANDED else BLOCKS

    def form_of_part(self, part: Polynomial, name: str, terms: Sequence[Term], names: Mapping[str, Polynomial]) -> Expression:
        """Return the closed form of leaf layers; by name or by blocks where it would have too many terms for its cell."""
        from symparams.expressions.printing.printer import plain
        from symparams.models.blocks import MOST_EXPANDED, by_blocks

        closed, paths = as_written(part), {term.path for term in terms}
        if len(plain(closed)) <= (MOST_CHARACTERS if isinstance(closed, Sum) else MOST_OF_PRODUCT):
            return closed
        leaves = [leaf for leaf in self.model.leaves if leaf.path in paths]
        form = self._by_name(name, leaves, names)
        if form is None and len(part.terms) > MOST_EXPANDED:
            form = by_blocks(leaves, self.model.relations, self.counted, names=names).formula
        return form or self._by_copies(leaves) or closed

    def _by_copies(self, leaves: Sequence[Leaf]) -> Expression | None:
        """Return what several stacks have alike in each layer, times all their layers: 2·(L_dense + L_moe)·h + h."""
        relations, copies = self.model.relations, dict[Polynomial, dict[str, Expression]]()
        for stack in dict.fromkeys(leaf.stack for leaf in leaves):
            here = [leaf for leaf in leaves if leaf.stack == stack]
            once = multiply_out(total([times(leaf.per_layer, self.counted.of(leaf.component)) for leaf in here]), relations)
            copies.setdefault(once, {})[stack] = here[0].layers
        if not any(len(those.keys() - {""}) > 1 for those in copies.values()):
            return None
        sums = {once: multiply_out(total(list(those.values())), relations) for once, those in copies.items()}
        ways = [(as_written(once), as_written(often)) for once, often in sums.items()]
        return total([once if often == ONE else _multiplied(often, once) for once, often in ways])

    def _by_name(self, name: str, leaves: Sequence[Leaf], names: Mapping[str, Polynomial]) -> Expression | None:
        """Return a result that the steps have under this name, times its copies: (L_dense + L_moe)·N_attn."""
        copies: dict[str, Expression] = {leaf.stack: leaf.layers for leaf in leaves}
        once = {stack: total([times(leaf.per_layer, self.counted.of(leaf.component)) for leaf in leaves if leaf.stack == stack])
                for stack in copies}  # fmt: skip
        relations = self.model.relations
        if "" in copies or {multiply_out(sizes, relations) for sizes in once.values()} != {names.get(name)}:
            return None
        named = Named(name, next(iter(once.values())))
        return Size(Product((as_written(multiply_out(total(list(copies.values())), relations)), named)))

    @property
    def total_name(self) -> str:
        """The total is that of the model."""
        return "total"

    @property
    def letters(self) -> tuple[Dimension, ...]:
        """Every size of the model."""
        return self.model.dimensions

    def missing(self, given: Iterable[Dimension] = ()) -> MissingDimensionError:
        """The error that names what has no value, each with the part that uses it."""
        return missing(self._with_values(given), self.written)


def calculate(model: Model, quantity: str | Quantity, inputs: Mapping[str, Any], *, counts_layers: bool = False) -> Calculation:
    """Return a quantity of a model, by its name or as an object, with values for its inputs and choices by their names.

    ``counts_layers`` keeps the layers with a window as a letter of the formulas, whatever their number.

    Raises UnknownNameError for a quantity, an input or a choice that there is not, DimensionError for a value that can be
    none, and what the terms of the quantity raise if the tree has none.
    """
    calculation = begun(model, find(quantity), inputs, counts_layers=counts_layers)
    _ = calculation.terms  # which are refused here, not where they are first looked at
    return calculation


def begun(model: Model, quantity: Quantity, inputs: Mapping[str, Any], *, counts_layers: bool = False) -> Calculation:
    """Return the calculation before its terms are looked at, which the tree may not have."""
    if quantity.tensors is not None:
        for name in inputs:
            raise _takes_no(quantity, name)
        return CountOfTensors(model, quantity, Setting(model=model.name), model.tree)
    if quantity.reads_flow:
        check_flow(model.tree, quantity.spelled, model.name)
    from symparams.models.classes import is_over_tokens  # of which a count of tensors asks nothing
    from symparams.models.windows import tree_of, window_values
    from symparams.quantities.streams import fixed_inputs

    values, chosen = _read(model, quantity, inputs)
    windows, tree = window_values(model), tree_of(model)
    for letter, size in fixed_inputs(tree).items():
        if letter in quantity.inputs and letter not in values and all(other in model.values for other in size.dimensions):
            values[letter] = evaluate(size, model.values)
    setting = Setting(
        **chosen,
        given=frozenset(letter for letter, value in values.items() if value),
        ones=ones_of({**model.values, **values}),
        choices=model.choices,
        windowed_layers=_windowed_layers(model, windows, chosen.get("window", ""), counts_layers=counts_layers),
        modules=_modules(model) if "targets" in quantity.choices else {},
        model=model.name,
        family=model.family,
        config=model.origin.config or {},
        is_over_tokens=is_over_tokens(model),
        implementation=model.library.activations if model.library else PLAIN,
        absent=frozenset(letter for name, letter in CHOSEN.items() if name in model.choices and not model.choices[name]),
        keeps_all=bool(model.library and model.library.extra.get("keeps_whole_cache")),
    )
    fixed = {letter: option for name, letter in CHOSEN.items() if isinstance(option := model.choices.get(name), int)}
    here = OwnLetters.of(model, quantity, tree).inputs
    own = {here.get(letter, letter): value for letter, value in values.items()}
    bound = replace(model, values={**fixed, **model.values, **windows, **own})
    return Calculation(bound, quantity, setting, tree)


@frozen
class OwnLetters:
    """The sizes of a model whose letters a quantity uses for inputs of its own, as r for the rank of LoRA.

    The input gives way: the ``tree`` of the terms has other letters for the sizes, and ``back`` brings out of a term the
    longer name of the input (rank) beside the letter of the size.
    """

    tree: Component
    inputs: Mapping[Dimension, Dimension]
    back: Mapping[Dimension, Dimension]

    @classmethod
    def of(cls, model: Model, quantity: Quantity, tree: Component) -> OwnLetters:
        """Return those of a model and a quantity; most have none."""
        both = {*quantity.inputs, *INPUTS}.intersection(model.architecture.dimensions)
        longer = {letter: longer_name(letter) for letter in both}
        apart = {letter: Dimension(f"{letter.name}_of_the_model") for letter in both}
        back = {**longer, **{other: letter for letter, other in apart.items()}}
        return cls(in_letters(tree, apart) if apart else tree, longer, back)

    def term(self, term: Term) -> Term:
        """Return a term in the letters of the model."""
        if not self.back:
            return term
        written, copies = written_in(term.written, self.back), written_in(term.times, self.back)
        return replace(term, written=written, times=copies, about=self._about(term.about))

    def alternative(self, other: AlternativeTerms) -> AlternativeTerms:
        """Return an alternative in the letters of the model."""
        if not self.back:
            return other
        return AlternativeTerms(other.key, tuple(map(self.term, other.terms)), self._about(other.about))

    def _about(self, about: Mapping[str, Expression]) -> dict[str, Expression]:
        return {name: written_in(expression, self.back) for name, expression in about.items()}


def _by_rule(tree: Component, rule: RuleOfThumb, term: Term) -> AlternativeTerms:
    """Return a rule of thumb as a way to count, with the counts of a tree for N and N_active."""
    formula = ordered = term.written
    counts = {letter: count for letter, count in ((N, PARAMETERS), (N_active, ACTIVE)) if letter in formula.dimensions}
    if isinstance(formula, Product):
        ordered = Product(tuple(sorted(formula.factors, key=lambda factor: factor in counts)))  # the long sums last
    counted = [leaf for leaf in leaves(tree) if rule.over is None or rule.over(leaf)] if counts else []
    written = replaced(ordered, {letter: count.over(counted) for letter, count in counts.items()})
    about = {"formula": formula, **term.about, **({"active": N_active} if N_active in counts else {})}
    return AlternativeTerms(rule.key, [replace(term, written=written)], about)


def counts_of(model: Model) -> Mapping[Dimension, int]:
    """Return the numbers of parameters that rules of thumb read: N, all of them, and N_active, those that one token uses."""
    return {} if model.unbound else {N: model.count(), N_active: model.active_count()}


def ones_of(values: Mapping[Dimension, Any]) -> frozenset[Expression]:
    """Return the letters that are 1, along which nothing is copied, and the queries that share a key where each has its own."""
    letters: set[Expression] = {letter for letter, value in values.items() if value == 1}
    is_own = n_kv_heads in values and values[n_kv_heads] == values.get(n_heads)
    return frozenset(letters | {n_heads / n_kv_heads} if is_own else letters)


def without(ones: frozenset[Expression], free: Collection[Dimension]) -> frozenset[Expression]:
    """Return those of ``ones`` that are 1 whatever the value of these letters."""
    return frozenset(expression for expression in ones if not {*expression.dimensions} & {*free})


def _read(model: Model, quantity: Quantity, inputs: Mapping[str, Any]) -> tuple[dict[Dimension, int], dict[str, Any]]:
    """Return the values of the inputs, and the choices; the number type gives the bytes of a number."""
    values: dict[Dimension, int] = dict(quantity.defaults)
    chosen: dict[str, Any] = {}
    for name, value in inputs.items():
        letter = input_of(quantity, name, model)
        if letter is not None:
            values[letter] = read_input(letter, value, model)
        elif name in quantity.choices:
            chosen[name] = CHOICES[name].of(value)
        else:
            raise _takes_no(quantity, name)
    if chosen.get("dtype") and e in values:
        raise OptionError("dtype sets e, the bytes of a number: give one of the two.")
    if e in quantity.inputs and e not in values:
        chosen["dtype"] = chosen.get("dtype") or own_dtype(model)
        if is_format(chosen["dtype"]) and not quantity.is_of_weights:
            raise OptionError(
                f"{chosen['dtype']} is a format of weights, and {quantity.spelled} has none: give a number type, such as bf16."
            )
        if chosen["dtype"]:
            size = bytes_of(chosen["dtype"])
            values[e] = int(size) if size.denominator == 1 else cast(int, size)  # every formula takes 1/2 as well
    return values, chosen


def longer_name(letter: Dimension) -> Dimension:
    """Return the other letter of an input, beside a size of the same letter: rank for r."""
    return LONG_NAMES.get(letter, Dimension(f"{letter.name}_in"))


def input_of(quantity: Quantity, name: str, model: Model) -> Dimension | None:
    """Return the input of this letter or longer name (b or batch); None if the quantity has no such input.

    Raises OptionError for a letter that is a size of the model: the input has its longer name then.
    """
    for letter in quantity.inputs:
        longer = longer_name(letter).name
        if name == letter.name and letter in model.architecture.dimensions:
            raise OptionError(f"{name} is a size of {model.name}: write {longer} for the input of {quantity.spelled}.")
        if name in (letter.name, longer):
            return letter
    return None


def _takes_no(quantity: Quantity, name: str) -> UnknownNameError:
    """Return the error for what is neither an input nor a choice of a quantity."""
    taken = [*(letter.name for letter in quantity.inputs), *quantity.choices]
    if not taken:
        return UnknownNameError(
            f"{quantity.spelled} has no input {quoted(name)}: name a quantity that has it, quantity='kv_cache', or "
            "give it to render if it is an option of the sheet."
        )
    return UnknownNameError(f"{quantity.spelled} has no input or option {quoted(name)}. {suggestion(name, taken)}")


def _windowed_layers(model: Model, windows: Mapping[Dimension, int], counted: str, *, counts_layers: bool) -> int | None:
    """0 without a window; the number of layers with one where others have none, -1 where it is a letter; None otherwise.

    The library keeps W − 1 tokens by leaving out those before the last W − 1, which of a window of one token leaves out none.
    """
    from symparams.models.windows import layers_with_windows

    if windows.get(W) == 1 and counted != "paper":
        return 0
    if L_window in windows:
        return -1 if counts_layers else windows[L_window]
    return -1 if model.library and layers_with_windows(model) else None


def _modules(model: Model) -> dict[str, list[str]]:
    """Return the library's names of the modules that have matrices, by path; none where it has no such family."""
    from symparams.models.tensors import patterns

    if model.library is None or not model.library.names.modules:
        return {}
    modules: dict[str, list[str]] = {}
    for named in patterns(model):
        module, _, array = named.name.rpartition(".")
        if array == "weight":
            modules.setdefault(named.path, []).append(module)
    return modules


def own_dtype(model: Model) -> str:
    """Return the number type that a model's config names; "" where it names none."""
    if model.origin.config is None:
        return model.origin.dtype
    config = model.origin.config
    named = config.get("dtype") or config.get("torch_dtype")
    return read_dtype(named) if isinstance(named, str) and named != "auto" else ""


def own_context(model: Model) -> int | None:
    """The longest sequence that a model takes, by its table of positions, its config or its makers; None if nobody says."""
    config = model.origin.config or {}
    known = (model.values.get(max_pos), config.get("max_position_embeddings"), model.origin.context)
    return next((length for length in known if isinstance(length, int) and length), None)


def read_input(letter: Dimension, value: Any, model: Model) -> int:
    """Return the value of an input: a whole number, or a formula in the model's own letters; 0 where nothing is there yet."""
    if not isinstance(value, bool) and str(value).strip() == "0":
        return 0
    read = read_value(letter, value, {dimension.name: dimension for dimension in model.dimensions})
    if isinstance(read, int):
        return read
    missing = [dimension.name for dimension in read.dimensions if dimension not in model.values]
    if missing:
        raise DimensionError(f"No value follows for {letter.name}: it needs {', '.join(missing)}. Give an integer.")
    number = to_integer(read, model.values, letter)
    return positive(letter, number, f"{letter.name} = {number}")


def _multiplied(often: Expression, once: Expression) -> Expression:
    """Return copies of a formula, a number before all letters: 2·L·h."""
    first, *rest = factors_of(unmarked(once))
    return Size(Product((first, often, *rest) if isinstance(first, Number) else (often, first, *rest)))
