"""Functions of a quantity: its closed form over integers or arrays, by the name of the quantity."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from fractions import Fraction
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, TypeAlias

from symparams.errors import DimensionError, MissingDimensionError, UnknownNameError, quoted, suggestion
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.nodes import Dimension, Expression, as_expression
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.symbols import L_full, L_window, W, in_rank
from symparams.expressions.written import replaced
from symparams.models.calculation import Calculation, calculate, ones_of, without
from symparams.models.inputs import check_fixed, missing_inputs, refusal, unused_inputs
from symparams.models.model import Model
from symparams.models.size_check import SizeCheck
from symparams.models.vectorised import Evaluation, least_of
from symparams.models.windows import letters_of_layers, window_relation
from symparams.quantities.parameters import BY_NAME, counted
from symparams.quantities.quantity import Quantity, TensorCount, find, names
from symparams.quantities.streams import fixed_inputs
from symparams.records import frozen


def function_of(
    model: Model,
    quantity: str | Quantity | TensorCount,
    inputs: Mapping[str, Any] = MappingProxyType({}),
    *,
    check_relations: bool = True,
) -> Function:
    """A quantity of a model as a function of arrays; UnknownNameError for one that there is not."""
    if isinstance(quantity, str):
        name = quantity.replace("-", "_")
        if name not in BY_NAME and name not in names():
            raise UnknownNameError(f"Unknown quantity {quoted(quantity)}. {suggestion(quantity, [*BY_NAME, *names()])}")
        quantity = BY_NAME[name] if name in BY_NAME else find(name)
    own = counted(quantity) if isinstance(quantity, TensorCount) else quantity
    return Function(model, own, dict(inputs), check_relations)


# The names of inputs that are given and of those that are 0, and the letters that are 1; None for those of the model.
Inputs: TypeAlias = tuple[frozenset[str], frozenset[str], frozenset[Expression] | None]
GIVEN = 2  # in place of a value that is given later: not 0 and not 1, which may ask for another formula


@frozen
class Function:
    """A quantity of a model as a function of integers or arrays: f(h=numpy.arange(64, 8193, 64), L=12), f(b=8, t=2_048).

    ``arguments`` are the names of the closed form's letters. One that is not given has the model's value; one that follows
    from a relation (r_dt = ⌈h / 16⌉, d_head = h / n_heads) is worked out from it, and what the relation speaks of may be
    given too. Features, and the relations that the model keeps, are fixed. Sizes that ``load`` refuses are refused;
    without ``check_relations`` the formula is worked out for them. The inputs of the quantity are taken, too: what
    one decides of the formula it decides here as in ``measure``: f(t=…) has a cache, 0 tokens are none. The layers with a
    window follow from the number of layers.

    Takes what an ``Evaluation`` takes, and raises what that raises; besides, DimensionError for arrays in which 0 would ask
    for another formula, and for a number of layers where a config lists those with a window. So it does for arrays in which
    1 would: of a single sequence a tensor may be kept as a view.
    """

    model: Model
    quantity: Quantity
    inputs: Mapping[str, Any]
    check_relations: bool = True
    _functions: dict[Inputs, Evaluation] = field(default_factory=dict, repr=False, compare=False)
    _calculations: dict[Inputs, Calculation] = field(default_factory=dict, repr=False, compare=False)
    _needed: set[Inputs] = field(default_factory=set, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.of(())  # which refuses what there is not
        check_fixed(self.model, self.inputs)
        for name in unused_inputs(costed := self._costed(), self.model, self.inputs):
            if not any(missing_inputs(self.model, self.quantity, self.inputs, name)):  # what may still be given decides it
                raise refusal(costed, self.model, self.inputs, name)

    def __reduce__(self) -> Any:
        """What another process makes it of: a way to count goes by its name."""
        tensors = self.quantity.tensors
        named = tensors.name if tensors is not None and BY_NAME.get(tensors.name) is tensors else self.quantity
        return partial(function_of, check_relations=self.check_relations), (self.model, named, self.inputs)

    def __repr__(self) -> str:
        return f"Function(name={self.model.name!r})"

    @property
    def letters(self) -> tuple[Dimension, ...]:
        """The letters of the closed form."""
        return self.of(()).letters

    @property
    def arguments(self) -> tuple[str, ...]:
        """Their names."""
        return self.of(()).arguments

    @cached_property
    def taken(self) -> Mapping[str, Dimension]:
        """Every name that is taken: the inputs, the arguments, and what their relations speak of."""
        return self._inputs | self.of(()).taken

    @cached_property
    def _inputs(self) -> dict[str, Dimension]:
        """The inputs by the names that they have here."""
        return {letter.name: letter for letter in self._costed().inputs.values()}

    def __call__(self, /, **given: Any) -> Any:
        """The value for each configuration."""
        nothing = [name for name in given if name in self._inputs and type(given[name]) is int and given[name] == 0]
        names = [name for name in given if name in self._inputs and name not in nothing]
        self._refuse_needless(names, nothing)
        function = self.of(names, nothing, self._ones(names, nothing, given))
        self._refuse_single(function, given)
        letters = [function.taken[name] for name in given if name in function.taken]
        if function.lacking(letters):
            raise self.missing(letters, nothing)
        return function(**{name: value for name, value in given.items() if name not in nothing})

    def over(self, free: Collection[Dimension]) -> Evaluation:
        """The function of letters that are free; OptionError for an input that decides nothing of it."""
        names = [name for name, letter in self._inputs.items() if letter in free]
        self._refuse_needless(names)
        return self.of(names, (), without(ones_of(self._costed().model.values), free))

    def missing(self, given: Collection[Dimension], nothing: Collection[str] = ()) -> MissingDimensionError:
        """Return the error that names what has no value, where the letters given have one."""
        names = [name for name, letter in self._inputs.items() if letter in given and name not in nothing]
        return self._costed(names, nothing).missing(given)

    def _refuse_needless(self, names: Any, nothing: Any = ()) -> None:
        key = frozenset(names), frozenset(nothing), None
        if key not in self._needed:
            given, costed = self._with_inputs(names, nothing), self._costed(names, nothing)
            for name in unused_inputs(costed, self.model, given):
                if name not in names:  # which the function refuses itself
                    raise refusal(costed, self.model, given, name)
            self._needed.add(key)

    def of(self, names: Any, nothing: Any = (), ones: frozenset[Expression] = frozenset()) -> Evaluation:
        """The function where these inputs are given, those are 0, and these 1; what was worked out once is kept."""
        key = frozenset(names), frozenset(nothing), ones
        if key not in self._functions:
            self._functions[key] = self._function(*key)
        return self._functions[key]

    def _ones(self, names: Any, nothing: Any, given: Mapping[str, Any]) -> frozenset[Expression]:
        """The letters that are 1, where that asks for another formula; DimensionError where an array may hold 1 as well."""
        costed = self._costed(names, nothing)
        if not costed.depends_on_ones:
            return frozenset()
        taken = {letter.name: letter for letter in self.model.architecture.dimensions} | self._inputs
        known = without(ones_of(costed.model.values), [taken[name] for name in given if name in taken])
        sizes = {taken[name]: value for name, value in given.items() if name in taken}
        single: set[Expression] = {letter for letter, value in sizes.items() if least_of(value) in (1, None)}
        single |= ones_of({**costed.model.values, **{letter: n for letter, n in sizes.items() if isinstance(n, int)}})
        if self._costed(names, nothing, known | single).terms == self._costed(names, nothing, known).terms:
            return known
        for letter in (letter for letter, value in sizes.items() if letter in single and not isinstance(value, int)):
            raise DimensionError(
                f"{self.quantity.spelled} has another formula if {letter.name} = 1: compute that value separately."
            )
        return known | single

    def _function(self, names: frozenset[str], nothing: frozenset[str], ones: frozenset[Expression]) -> Evaluation:
        inputs, costed = self._with_inputs(names, nothing), self._costed(names, nothing, ones)
        halves = {d: value for d, value in costed.model.values.items() if isinstance(value, Fraction)}
        polynomial = _with_numbers(costed.polynomial, halves)
        letters = in_rank([dimension for letter in polynomial.letters for dimension in letter.dimensions])
        fixed = {letter: size for letter, size in fixed_inputs(self.model.tree).items() if letter.name not in inputs}
        follow = {letter: size for letter, size in {**self._windows, **fixed}.items() if letter in letters}
        may_be_nothing = [self._inputs[name] for name in names if self._may_be_nothing(costed, name, names, nothing)]
        return Evaluation(
            self.model.name,
            polynomial,
            {**self.model.relations, **follow},
            {d: value for d, value in costed.model.values.items() if d not in halves and d.name not in names},
            dict.fromkeys([L_window, L_full, *may_be_nothing], 0),
            has_fractions=costed.has_fractions,
            beside=[letter for letter in self._check.letters if letter.name not in self._inputs]
            if self.check_relations
            else (),
            check=self._check if self.check_relations else None,
        )

    def _with_inputs(self, names: Collection[str], nothing: Collection[str]) -> dict[str, Any]:
        return {**self.inputs, **dict.fromkeys(names, GIVEN), **dict.fromkeys(nothing, 0)}

    def _costed(
        self, names: Collection[str] = (), nothing: Collection[str] = (), ones: frozenset[Expression] | None = None
    ) -> Calculation:
        """Return the calculation where these inputs are given, those are 0, and these letters 1; made once."""
        key = frozenset(names), frozenset(nothing), ones
        if key not in self._calculations:
            given, windows = self._with_inputs(names, nothing), bool(self._windows)
            self._calculations[key] = (
                calculate(self.model, self.quantity, given, counts_layers=windows)
                if ones is None
                else self._costed(names, nothing).with_ones(ones)
            )
        return self._calculations[key]

    @cached_property
    def _windows(self) -> Mapping[Dimension, Expression]:
        return window_relation(self.model)

    @cached_property
    def _check(self) -> SizeCheck:
        return SizeCheck(self.model)

    def _may_be_nothing(self, costed: Calculation, name: str, names: frozenset[str], nothing: frozenset[str]) -> bool:
        """True if a formula holds for 0 of an input too: it is what is derived without it."""
        letter, without = self._inputs[name], self._costed(names - {name}, nothing | {name})
        return _with_numbers(costed.polynomial, {letter: 0}) == _with_numbers(without.polynomial, {letter: 0})

    def _refuse_single(self, function: Evaluation, given: Mapping[str, Any]) -> None:
        """DimensionError for sizes on which the formula itself depends."""
        if W.name in given and W in function.letters and least_of(given[W.name]) == 1:
            raise DimensionError("W = 1: nothing is cached for a window of one token. Leave out the window.")
        if L_window in function.letters and L_window not in self._windows and L_window.name not in given:
            for name in given:
                if name in {letter.name for letter in letters_of_layers(self.model)} and L_window in function.values:
                    raise DimensionError(
                        f"The config lists the layers with a window: give their number, L_window, beside {name}."
                    )


def _with_numbers(polynomial: Polynomial, numbers: Mapping[Dimension, Any]) -> Polynomial:
    """A polynomial with numbers for some of its letters, 1/2 or 0."""
    if not any(d in numbers for letter in polynomial.letters for d in letter.dimensions):
        return polynomial
    return multiply_out(replaced(as_written(polynomial), {d: as_expression(number) for d, number in numbers.items()}), {})
