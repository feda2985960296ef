"""The model or formula of a request. What a user wrote is passed as data, never as the name of one of our parameters."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING

from symparams.errors import OptionError
from symparams.models import Model, load_with
from symparams.models.sources.target import STANDARD_INPUT, is_config, is_of_hub

if TYPE_CHECKING:
    from symparams.cli.request import Request
    from symparams.models.formula import Formula


def load_request(request: Request) -> Model:
    """The model that a request names, with its values and features; what the hub is asked for may take its time.

    What its config may mean otherwise than it was read is noted beside the request. A config of a discovered type is compared
    with the model that the library builds from it, where that is installed.
    """
    target = request.target or ""
    with contextlib.ExitStack() as around:
        if is_of_hub(target):
            from symparams.cli.progress import going_on
            from symparams.models.sources.hub import DEADLINE, offline

            around.enter_context(offline() if request.offline else going_on(f"asking the hub for {target}", DEADLINE))
        if not request.no_check and (target == STANDARD_INPUT or is_config(target)):
            from symparams.atlas.comparison import comparing
            from symparams.cli.progress import going_on

            around.enter_context(comparing(going_on if not is_of_hub(target) else lambda _: contextlib.nullcontext()))
        choices = request.values, request.include, request.exclude, request.architecture
        model = load_with(target, *choices, "".join(request.called), strict=request.strict)
    if model.reading:
        about = f"{model.name}: " if "targets" in request.own else ""
        request.notes.update(dict.fromkeys(f"{about}{line}" for line in model.reading.lines))
    return model


def load_requests(request: Request) -> list[Model]:
    """The models that a request of several targets names; a target that is written twice is one model, or one for each name."""
    targets = request.own["targets"]
    names = request.called or ("",) * len(targets)
    if len(names) != len(targets):
        raise OptionError(f"Targets: {len(targets)}, names: {len(names)}. Give --name once for each target, in their order.")
    pairs = list(zip(targets, names, strict=True))
    loaded = {pair: load_request(replace(request, target=pair[0], called=pair[1])) for pair in dict.fromkeys(pairs)}
    return [loaded[pair] for pair in pairs]


def subject_of(request: Request) -> Model | Formula:
    """The model that a request names, or its bare formula."""
    if request.expression is None:
        return load_request(request)
    from symparams.models.formula import Formula

    return Formula.read(request.expression, request.values)
