"""Inputs: those on which a cost of a model depends. Any other input is an error."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from symparams.components.facts import Rows
from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.errors import OptionError, SymparamsError, listed
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.symbols import LONG_NAMES, D, s, s_src, t
from symparams.models.calculation import Calculation, calculate, input_of, read_input
from symparams.models.model import Model
from symparams.models.values import check_identity
from symparams.quantities.quantity import Quantity, find
from symparams.quantities.setting import CHOICES, Setting
from symparams.quantities.streams import Streams, fixed_inputs

DECISIVE = ("dtype", "recipe", "targets")  # choices of which a cost that has them makes something, or says why it cannot
# Values that tell whether a choice decides anything, where it has no list of its own.
TRIED: Mapping[str, Sequence[Any]] = MappingProxyType(
    {"dropout": (0, "0.1"), "dtype": ("fp32",), "recipe": ("fp32",), "targets": (("all-linear",),)}
)


def checked_calculation(model: Model, quantity: str | Quantity, given: Mapping[str, Any]) -> Calculation:
    """Return the calculation that somebody asks for.

    Raises what ``calculate`` raises, and OptionError for an input that decides nothing, as s of an image, with what
    there is to give in its place.
    """
    calculation = calculate(model, quantity, given)
    check_fixed(model, given)
    for name in unused_inputs(calculation, model, given):
        raise refusal(calculation, model, given, name)
    return calculation


def check_fixed(model: Model, given: Mapping[str, Any]) -> None:
    """Raise DimensionError if an input that the sizes of a model fix is given as something else: s_src = 100 of Whisper."""
    for name, (letter, size) in _fixed(model).items():
        if name in given:
            check_identity({**model.values, letter: read_input(letter, given[name], model)}, letter, size)


def _fixed(model: Model) -> dict[str, tuple[Dimension, Expression]]:
    """The inputs that the sizes of a model fix, by both of their names, with what they are."""
    return {
        name: (letter, size)
        for letter, size in fixed_inputs(model.tree).items()
        if all(other in model.values for other in size.dimensions)
        for name in (letter.name, LONG_NAMES[letter].name)
    }


def unused_inputs(calculation: Calculation, model: Model, given: Mapping[str, Any]) -> list[str]:
    """Return the given inputs that do not change this cost.

    Options are never among them: without a causal mask, "exact" and "full" are the same. Nor are t of a state
    space, which costs the same after every t, inputs that the sizes of the model fix, and those that only another choice would
    use, as s of AdamW's states.
    """
    fixed = _fixed(model)
    return [
        name
        for name in given
        if name not in fixed
        and not _holds_in_any_case(model, name, given[name])
        and not _decides(calculation, model, given, name)
        and not _is_hidden(calculation, model, given, name)
    ]


def refuse_unused(model: Model, quantities: Sequence[str], given: Mapping[str, Any]) -> None:
    """OptionError for an input that decides nothing of any of several costs, whatever else is given."""
    check_fixed(model, given)
    for name, value in given.items():
        takers = [quantity for quantity in quantities if name in _names(quantity)]
        if not _holds_in_any_case(model, name, value) and not any(
            _may_decide(model, quantity, given, name) for quantity in takers
        ):
            raise OptionError(f"No cost of {model.name} depends on {name}: leave out {name}.")


def refusal(calculation: Calculation, model: Model, given: Mapping[str, Any], name: str) -> OptionError:
    """The error for one of these: what it lacks, or what may be given in its place."""
    quantity = calculation.quantity
    text = f"{quantity.spelled} of {model.name} does not depend on {name}"
    if other := next(missing_inputs(model, quantity, given, name), ""):
        return OptionError(f"{text} unless {other} is given: give {other}, too, or leave out {name}.")
    rest = {other: value for other, value in given.items() if other != name}
    taken = [other for other in _names(quantity) if other != name and _is_taken(model, quantity, rest, other)]
    return OptionError(f"{text}: leave out {name}. Its inputs are {listed(taken) or 'none'}.")


def _holds_in_any_case(model: Model, name: str, value: Any) -> bool:
    """True if this is a choice, or tokens of a cache where there are none or where a model decodes, after however many."""
    if name in CHOICES:
        return True
    return name in (t.name, LONG_NAMES[t].name) and (str(value).strip() == "0" or bool(_terms(model, "kv_cache", {})))


def _decides(calculation: Calculation, model: Model, given: Mapping[str, Any], name: str) -> bool:
    """True if a letter stands in the formula, or the formula is another without the input or with another choice."""
    letter = input_of(calculation.quantity, name, model)
    written = calculation.inputs[letter] if letter else None
    if name in DECISIVE or written in calculation.written.dimensions:
        return True
    if letter == s and D in calculation.setting.given:  # which are D / s sequences, also where these are all alike
        return True
    rest = {other: value for other, value in given.items() if other != name}
    ways = [{**rest, name: value} for value in _values(name)] if name in CHOICES else [rest]
    return any(_terms(model, calculation.quantity, way) != calculation.terms for way in ways)


def _is_hidden(calculation: Calculation, model: Model, given: Mapping[str, Any], name: str) -> bool:
    """True if an input would decide something but for one other choice."""
    for other in (option for option in given if option in CHOICES and option != name):
        usual = {other: TRIED[other][0]} if other in DECISIVE else {}
        way = {option: value for option, value in given.items() if option != other} | usual
        if _is_needed(model, calculation.quantity, way, name):
            return True
    return False


def _values(name: str) -> Sequence[Any]:
    """Values that an input may have, a choice each of its own."""
    if name not in CHOICES:
        return (1,)
    return TRIED.get(name) or ((True, False) if CHOICES[name].is_switch else CHOICES[name].values)


def _terms(model: Model, quantity: str | Quantity, given: Mapping[str, Any]) -> Sequence[Any] | None:
    """The terms; None where they cannot be derived, which is another answer as well."""
    try:
        return calculate(model, quantity, given).terms
    except SymparamsError:
        return None


def _names(quantity: str | Quantity) -> list[str]:
    cost = find(quantity)
    return [*(letter.name for letter in cost.inputs), *cost.choices]


def _is_taken(model: Model, quantity: str | Quantity, given: Mapping[str, Any], name: str) -> bool:
    """True if an input or a choice decides something beside what is given."""
    ways = [given] if name in given else [{**given, name: value} for value in _values(name)]
    return any(_is_needed(model, quantity, way, name) for way in ways)


def missing_inputs(model: Model, quantity: str | Quantity, given: Mapping[str, Any], name: str) -> Iterator[str]:
    """Yield the inputs with each of which another input would decide something, as b for s of what training takes."""
    for other in (letter.name for letter in find(quantity).inputs):
        ways = [] if other in given else [{**given, other: 1}]
        if any(_is_needed(model, quantity, way, name) for way in ways):
            yield other


def _is_needed(model: Model, quantity: str | Quantity, given: Mapping[str, Any], name: str) -> bool:
    try:
        return _decides(calculate(model, quantity, given), model, given, name)
    except SymparamsError:
        return False


def _may_decide(model: Model, quantity: str | Quantity, given: Mapping[str, Any], name: str) -> bool:
    """True if an input decides something of a cost, with all that is given, with nothing else, with another input beside."""
    names = _names(quantity)
    recipe = {"recipe": TRIED["recipe"][0]} if "recipe" in names else {}
    whole = recipe | {other: value for other, value in given.items() if other in names}
    single = [{}, *({letter.name: 1} for letter in find(quantity).inputs if letter.name not in given)]
    ways = [{**start, **other, name: given[name]} for start in (whole, recipe) for other in single]
    return any(_is_needed(model, quantity, way, name) for way in ways)


def positions(model: Model) -> int | None:
    """The most tokens of a sequence for which a model has positions; None where they are not limited, or nobody says."""
    letter = letter_of_positions(model)
    return None if letter is None else model.values.get(letter)


def letter_of_positions(model: Model) -> Dimension | None:
    """The letter of the most tokens of a sequence: those of the decoder where the encoder has its own.

    It is read off the table of positions that the tokens of a stream look up; rows that no token has, as OPT's first two,
    do not count.
    """
    streams = Streams(model.tree, Setting())
    tables = (place for place in streams.places(streams.root) if _is_of_positions(place.component))
    lengths = {place.stream: letter for place in tables if (letter := _length(place.component)) is not None}
    return next((lengths[stream] for stream in (s, s_src) if stream in lengths), None)


def _is_of_positions(table: Component) -> bool:
    """True if a table has a row for each position: learned, or stored in its place and never trained, as sines are."""
    return table.rows is Rows.POSITIONS or (table.kind.instead_of is Role.TABLE and bool(table.tensors))


def _length(table: Component) -> Dimension | None:
    """The letter of the rows of a table, of max_pos + 2 max_pos; None where they are of several letters or of none."""
    letters = table.tensors[0].shape[0].dimensions if table.tensors else ()
    return letters[0] if len(letters) == 1 else None
