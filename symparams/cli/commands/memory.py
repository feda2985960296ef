"""``memory`` and ``flops``: what a use of a model takes, and what it fits; of weights alone a table of number types.

Exit code 1 where nothing fits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symparams.cli.answering import answer
from symparams.cli.loading import load_request
from symparams.cli.options import as_flag
from symparams.cli.request import CommandResult, Request
from symparams.derivations.derivation import derive, derive_expression
from symparams.errors import OptionError, quoted
from symparams.expressions.symbols import b, t
from symparams.models.sources.target import is_python

if TYPE_CHECKING:
    from symparams.derivations.derivation import Derivation

NOTHING_FITS = 1
# Options of more than the weights.
OF_A_USE = ("context", "batch", "cache_dtype", "training", "recipe", "optimizer", "attention", "checkpoint")


def memory(request: Request) -> CommandResult:
    """The memory of a model with a context, in training or on boards; of no use in particular that of its weights by type."""
    dtypes = request.own.get("dtypes", ())
    used = [as_flag(name) for name in OF_A_USE if name in request.own]
    if not is_python(request.target or ""):  # whose own letters b and T may be
        used += [f"--set {name}" for name in (b.name, t.name) if name in request.values]
    if _count(request) is not None:
        if used:
            raise OptionError(
                f"A number of parameters has no layers or cache: leave out {used[0]} beside {quoted(request.target)}, or name "
                "a model, such as llama-3-8b."
            )
    elif len(dtypes) <= 1 and (used or "fits" in request.own):
        return _of_a_use(request)
    elif used:
        raise OptionError(f"Several number types work only for the weights alone: give one --dtype beside {used[0]}.")
    return _of_weights(request)


def flops(request: Request) -> CommandResult:
    """The FLOPs of one token, of a prompt, of a training run."""
    from symparams.answers.plans import flops_plan

    if _count(request) is not None:
        raise OptionError(
            f"{quoted(request.target)} is a number of parameters, and FLOPs depend on the layers: name a model, such as "
            "llama-3-8b."
        )
    given, rest = _given(request, "training_flops" if "training" in request.own else "forward_flops")
    return answer(flops_plan(load_request(rest), asked=_asked(rest), **given), rest)


def _of_a_use(request: Request) -> CommandResult:
    from symparams.answers.plans import memory_plan

    given, rest = _given(request, "training_memory" if "training" in request.own else "kv_cache")
    dtype = next(iter(given.pop("dtypes", ())), None)
    plan = memory_plan(load_request(rest), asked=_asked(rest), dtype=dtype, **given)
    return answer(plan, rest, 0 if plan.does_fit else NOTHING_FITS)


def _given(request: Request, quantity: str) -> tuple[dict[str, Any], Request]:
    """Return the options and inputs for a plan, and the request without them."""
    from symparams.cli.quantities import divided
    from symparams.quantities.quantity import find

    letters = {letter.name for letter in find(quantity).inputs}
    inputs, rest = divided(request, {}, letters, *request.own)
    return {**request.own, **inputs}, rest


def _asked(request: Request) -> tuple[str, ...]:
    """The target as it was named, with what is changed about it."""
    changed = {
        "--set": [f"{name}={value}" for name, value in request.values.items()],
        "--with": request.include,
        "--without": request.exclude,
        "--architecture": [request.architecture] if request.architecture else [],
    }
    return (str(request.target), *(word for flag, values in changed.items() for value in values for word in (flag, value)))


def _of_weights(request: Request) -> CommandResult:
    from symparams.quantities.memory import footprints, read_room
    from symparams.sheets.memory import memory as weights

    fits, dtypes = request.own.get("fits"), request.own.get("dtypes", ())
    room = read_room(fits) if fits is not None else None
    derivation = _derivation(request)
    if room:
        derivation.subject.count()  # a size that still depends on a symbol is an error that names the symbol
    sizes = [footprint.size for footprint in footprints(derivation.total.written, derivation.total.count, dtypes)]
    does_fit = room is None or any(size is not None and size <= room.size for size in sizes)
    return answer(weights(derivation, dtypes, room, request.language), request, 0 if does_fit else NOTHING_FITS)


def _count(request: Request) -> int | None:
    """The number of parameters that stands in the place of a target; None where a model does."""
    from symparams.expressions.amounts import COUNTS, read

    amount = read(request.target or "", COUNTS)
    return int(amount.value) if amount is not None and amount.value.denominator == 1 else None


def _derivation(request: Request) -> Derivation:
    target, count = request.target or "", _count(request)
    if count is None:
        return derive(load_request(request))
    if request.values or request.include or request.exclude:
        raise OptionError(
            f"A number of parameters has no dimensions or features: leave out --set, --with, --without beside {quoted(target)}."
        )
    if request.architecture:
        raise OptionError(f"A number of parameters has no architecture: leave out --architecture beside {quoted(target)}.")
    if request.called:
        raise OptionError(f"A number of parameters is not a model: leave out --name beside {quoted(target)}.")
    if not count:
        raise OptionError(f"{quoted(target)} is not a parameter count: write a positive one (7B, 6738415616).")
    return derive_expression(str(count))
