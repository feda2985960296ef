"""The options that name a quantity and how it is counted, and the inputs that a request gives to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from symparams.cli.options import Bundle, Option, as_flag, of
from symparams.errors import OptionError, UnknownNameError, listed, quoted, suggestion

if TYPE_CHECKING:
    from symparams.cli.request import Request
    from symparams.derivations.budget import Budget
    from symparams.models.calculation import Calculation
    from symparams.models.model import Model
    from symparams.quantities.quantity import Quantity


LONGEST_VALUES = 20  # characters of all values of a choice, beside its option in --help


def quantities() -> Iterable[str]:
    """The quantities that there are, as a command line spells them."""
    from symparams.quantities.quantity import names

    return [name.replace("_", "-") for name in names()]


def given_to(request: Request) -> tuple[str, dict[str, Any], Request]:
    """The quantity that a request names, its inputs and choices, and the request without them.

    OptionError for a choice where no quantity is named that has it.
    """
    from symparams.quantities.quantity import PARAMETERS, find, names, spelled
    from symparams.quantities.setting import CHOICES

    try:
        quantity = spelled(asked := request.own.get("quantity", PARAMETERS))
    except UnknownNameError:  # in the words of a command line
        raise UnknownNameError(f"Unknown quantity {quoted(asked)}. {suggestion(str(asked), quantities())}") from None
    chosen, written = {option_of(name): name for name in CHOICES}, _of_sheets(request, quantity)
    taken = {chosen[name]: value for name, value in request.own.items() if name in chosen and name not in written}
    if quantity == PARAMETERS:
        for name in taken:
            owners = (owner.replace("_", "-") for owner in names() if name in find(owner).choices)
            added = " or ".join(f"--quantity {owner}" for owner in owners)
            raise OptionError(f"{flag_of(name)} is for another quantity: add {added}, or leave it out.")
        letters: tuple[str, ...] = ()
    else:
        from symparams.models.calculation import longer_name

        letters = tuple(letter.name for letter in find(quantity).inputs)
        _refuse_others(quantity, taken)
        _refuse_inputs_of_others(request, quantity, letters)
        letters += tuple(longer_name(letter).name for letter in find(quantity).inputs)
    return quantity, *divided(request, taken, letters, "quantity")


def divided(
    request: Request, taken: Mapping[str, Any], letters: Collection[str], *others: str
) -> tuple[dict[str, Any], Request]:
    """Choices and inputs of a quantity, and the request without them and without these other options."""
    inputs = {name: value for name, value in request.values.items() if name in letters}
    own = {name: value for name, value in request.own.items() if name not in {*map(option_of, taken), *others}}
    values = {name: value for name, value in request.values.items() if name not in inputs}
    return {**taken, **inputs}, replace(request, own=own, values=values)


def _refuse_others(quantity: str, taken: Iterable[str]) -> None:
    """A choice of other quantities is refused by the name of its option."""
    from symparams.quantities.quantity import find

    choices = find(quantity).choices
    for name in taken:
        if name not in choices:
            has = f"it has {', '.join(map(flag_of, choices))}" if choices else "it has no choices"
            raise OptionError(f"{flag_of(name)} is for another quantity than {find(quantity).spelled}: leave it out; {has}.")


def _refuse_inputs_of_others(request: Request, quantity: str, letters: tuple[str, ...]) -> None:
    """An input of other quantities is refused as such, unless a tree of the user's own may have a size of that name."""
    from symparams.expressions.symbols import INPUTS
    from symparams.sheets.catalogue import USUAL_LANGUAGE, catalogue

    targets = [str(target) for target in request.own.get("targets", (request.target or "",))]
    for name in request.values:
        if name in {letter.name for letter in INPUTS}.difference(letters) and not any(".py" in target for target in targets):
            spelled = quantity.replace("_", "-")
            known = catalogue(USUAL_LANGUAGE).entries
            of, *inputs = (f"{letter} ({known[f'inputs.{letter}']})" for letter in (name, *letters))
            raise UnknownNameError(f"{spelled} does not depend on {of}: leave out {name}. Its inputs are {listed(inputs)}.")


def _of_sheets(request: Request, quantity: str) -> set[str]:
    """Return the options of a parameter sheet that share their name with a choice of another quantity."""
    from symparams.quantities.quantity import PARAMETERS
    from symparams.quantities.setting import CHOICES

    is_written = request.own.get("attention") not in CHOICES["attention"].values and request.command == "derive"
    return {"attention"} if quantity == PARAMETERS and is_written else set()


def quantity_request(request: Request) -> tuple[Model, Quantity, dict[str, Any]] | None:
    """Return the model, the quantity and what is given to it; None for the number of parameters."""
    from symparams.quantities.quantity import PARAMETERS, find

    quantity, inputs, rest = given_to(request)
    if quantity == PARAMETERS:
        return None
    from symparams.cli.loading import load_request

    if request.expression is not None:
        raise OptionError("A bare formula has no other quantities: leave out --quantity beside --expr.")
    for name in ("shared", "with_memory"):
        if name in request.own:
            raise OptionError(f"{as_flag(name)} is for the number of parameters: leave out {as_flag(name)} or --quantity.")
    model = load_request(rest)
    return model.symbolic() if "symbolic" in request.own else model, find(quantity), inputs


def calculation_request(request: Request) -> Calculation | None:
    """Return the calculation that a request asks for; None for the number of parameters."""
    asked = quantity_request(request)
    if asked is None:
        return None
    from symparams.models.inputs import checked_calculation

    return checked_calculation(*asked)


def budget_request(request: Request) -> Budget | None:
    """Every quantity of a model on one page, where a request names them all; None where it does not."""
    if str(request.own.get("quantity", "")).strip().lower() != "all":
        if "fits" in request.own and request.own.get("quantity", "parameters") == "parameters":
            raise OptionError("--fits needs a quantity: add --quantity kv-cache or --quantity all, or leave out --fits.")
        return None
    from symparams.cli.loading import load_request
    from symparams.derivations.budget import PARTS, budget
    from symparams.derivations.fitting import checked
    from symparams.models.calculation import longer_name
    from symparams.quantities.quantity import find
    from symparams.quantities.setting import CHOICES

    for name in (option for option in ("shared", "with_memory", "view", "form") if option in request.own):
        raise OptionError(f"{as_flag(name)} is for a single quantity: leave it out, or name one instead of all.")
    if request.expression is not None:
        raise OptionError("A bare formula has no other quantities: leave out --quantity beside --expr.")
    letters = {name for part in PARTS for letter in find(part).inputs for name in (letter.name, longer_name(letter).name)}
    chosen = {option_of(name): name for name in CHOICES}
    taken = {chosen[name]: value for name, value in request.own.items() if name in chosen}
    given, rest = divided(request, taken, letters, "quantity", "fits", "brief")
    model = load_request(rest)
    return checked(budget(model.symbolic() if "symbolic" in request.own else model, given, request.own.get("fits")))


def flag_of(name: str) -> str:
    """The option of a choice: --lora for targets, --dropout-mask for dropout_mask."""
    from symparams.quantities.setting import CHOICES

    return CHOICES[name].option


def option_of(name: str) -> str:
    """The word for a choice in a request."""
    return flag_of(name).strip("-").replace("-", "_")


def _choice(name: str) -> Option:
    from symparams.quantities.setting import CHOICES

    choice = CHOICES[name]
    values = "|".join(choice.values)
    metavar = "" if choice.is_switch else "VALUE" if not values else values if len(values) <= LONGEST_VALUES else "NAME"
    completions = (lambda *_: choice.values) if values else of("quantities.memory:types") if name == "dtype" else None
    return Option(option_of(name), (flag_of(name),), choice.help, metavar, completions=completions, is_switch=choice.is_switch)


def options(*without: str, has_all: bool = False) -> Bundle:
    """--quantity, and an option for each choice but for those that a command has already; ``has_all`` with "all" of them."""
    from symparams.quantities.setting import CHOICES

    named = Option(
        "quantity",
        ("--quantity",),
        "Quantity to compute: {choices}; give its inputs with --set b=1.",
        metavar="NAME",
        completions=lambda given, incomplete: [*quantities(), *(["all"] if has_all else [])],
        default="parameters",
    )
    return (named, *(_choice(name) for name in CHOICES if name not in without))


def choices(*names: str) -> Bundle:
    """An option for each of these choices, for a command of its own quantities."""
    return tuple(map(_choice, names))
