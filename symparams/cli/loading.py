"""From a request to what it is about: what a user wrote is handed over as data, never as the name of a parameter of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symparams.derivations.derivation import Derivation, derive_formula
from symparams.models import Model, load_with
from symparams.models.formula import Formula

if TYPE_CHECKING:
    from symparams.cli.request import Request


def load_request(request: Request) -> Model:
    """The model that a request names, with its values and features."""
    return load_with(request.target or "", request.values, request.include, request.exclude, request.architecture)


def subject_of(request: Request) -> Model | Formula:
    """The model that a request names, or its bare formula."""
    return load_request(request) if request.expression is None else Formula.read(request.expression, request.values)


def derive_request(request: Request) -> Derivation:
    """The bare formula of a request, worked out."""
    return derive_formula(request.expression or "", request.values)
