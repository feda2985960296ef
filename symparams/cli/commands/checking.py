"""``explain`` and ``verify``: somebody's number against ours, ours against the library's. Exit code 1 tells a difference."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from symparams.cli.answering import answer
from symparams.cli.loading import load_request
from symparams.cli.options import as_flag
from symparams.cli.progress import going_on
from symparams.cli.quantities import given_to
from symparams.cli.request import CommandResult, Request
from symparams.errors import OptionError, quoted

if TYPE_CHECKING:
    from symparams.checkpoints.record import Checkpoint
    from symparams.models.model import Model

A_DIFFERENCE = 1


def explain(request: Request) -> CommandResult:
    """Return the explanations why a published number differs from ours."""
    from symparams.answers.claims import claim_of, read_claim
    from symparams.answers.explanations import explain as explanations_of
    from symparams.sheets.explanation import explanation

    if "checkpoint" in request.own:
        return _explain_stored(request)
    if "claimed" not in request.own:
        raise OptionError("Missing argument 'CLAIMED'. For example: symparams explain deepseek-v3 685B")
    named, claimed = request.own.get("quantity", ""), request.own["claimed"]
    if read_claim(request.target or "") is not None:
        raise OptionError(
            f"{quoted(request.target)} is a number, and the model comes first: symparams explain llama-7b {request.target}."
        )
    quantity = named or claim_of(claimed).quantities(request.values)[0].name
    _, given, rest = given_to(replace(request, own={**request.own, "quantity": quantity}))
    model = load_request(rest)
    with going_on(f"looking for what makes {model.name} come to {claimed}"):
        explanations = explanations_of(model, claimed, named, **given)
    is_explained = any(reading.is_explained for reading in explanations)
    return answer(explanation(explanations, request.language), request, 0 if is_explained else A_DIFFERENCE)


def verify(request: Request) -> CommandResult:
    """Compare the number of parameters, their names and their shapes with the model that the transformers library builds.

    Or with what a checkpoint stores, or a module of the user's has.
    """
    if request.own.keys() & {"checkpoint", "module"}:
        return _verify_stored(request)
    from symparams.answers.verification import verify as verified
    from symparams.sheets.verification import verification

    model = load_request(replace(request, no_check=True))  # what differs is told tensor by tensor
    with going_on(f"verifying {model.name}") as tell_how_far:
        compared = verified(model, tell_how_far)
    return answer(verification(compared, request.language), request, 0 if compared.match else A_DIFFERENCE)


def _verify_stored(request: Request) -> CommandResult:
    """Compare the tree with a checkpoint or a module."""
    from symparams.answers.checkpoints import verify as verified
    from symparams.sheets.checkpoint import checkpoint as sheet

    model = load_request(replace(request, no_check=True))
    compared = verified(model, _stored(request, model))
    return answer(sheet(compared, request.language), request, 0 if compared.match else A_DIFFERENCE)


def _explain_stored(request: Request) -> CommandResult:
    """Explain the number of parameters and the bytes of a checkpoint, from those of the tree."""
    from symparams.answers.checkpoints import verify as verified
    from symparams.sheets.checkpoint import explained

    if others := request.own.keys() - {"checkpoint"}:
        flags = " and ".join(map(as_flag, sorted(others)))
        raise OptionError(f"A checkpoint holds parameters: leave out {flags} beside --checkpoint.")
    model = load_request(replace(request, no_check=True))
    return answer(explained(verified(model, _stored(request, model)), request.language), request)


def _stored(request: Request, model: Model) -> Checkpoint:
    """Return what the checkpoint stores that a request names, or what its module has."""
    if "module" in request.own:
        from symparams.checkpoints.modules import build

        place = request.own["module"]
        with going_on(f"building {place}"):
            return build(place, {letter.name: value for letter, value in model.values.items()})
    from symparams.checkpoints.files import read

    place = request.own["checkpoint"]
    with going_on(f"reading {place}"), ExitStack() as around:
        if request.offline:
            from symparams.models.sources.hub import offline

            around.enter_context(offline())
        return read(place)
