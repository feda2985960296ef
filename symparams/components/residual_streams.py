"""Residual streams: layers that carry several vectors of a token, and a low-rank path beside a residual sum."""

from __future__ import annotations

from dataclasses import replace

from symparams.components.facts import Multiplication, Projection
from symparams.components.kinds import Kind, Role
from symparams.components.linear import linear
from symparams.components.norms import rms_norm
from symparams.components.tree import Component
from symparams.expressions.extent import size
from symparams.expressions.nodes import Operand

ALTUP_PREDICTION, ALTUP_CORRECTION, LAUREL = (
    Kind(name, Role.OTHER) for name in ("altup_prediction", "altup_correction", "laurel")
)
STREAM_PROJECTION, STREAM_MERGING = Kind("stream_projection", Role.MATRIX), Kind("stream_merging", Role.MATRIX)


def stream_projection(width: Operand, n_streams: Operand) -> Component:
    """Further streams of each token, n_streams - 1 of them by a matrix each: (n_streams - 1) × h × h.

    Each has the magnitude of the token embedding, which is the first stream (Baykal et al., 2023, arXiv:2301.13310).
    """
    return replace(linear(width, width, bias=False), kind=STREAM_PROJECTION, times=size(n_streams) - 1)


def stream_merging(width: Operand, n_streams: Operand) -> Component:
    """One vector of the streams of a token, their mean; all but the first pass a matrix: (n_streams - 1) × h × h."""
    return replace(linear(width, width, bias=False), kind=STREAM_MERGING, times=size(n_streams) - 1)


def altup_prediction(width: Operand, n_streams: Operand) -> Component:
    """AltUp's prediction of all streams from all: x̂ⱼ = xⱼ + Σᵢ pᵢⱼ·xᵢ, of which a layer computes one (arXiv:2301.13310).

    The p are n_streams² numbers of each token: of one stream's norm, h gains, a router of h × n_streams makes n_streams
    numbers, tanh of which a matrix of n_streams × n_streams² maps to them.
    """
    router = linear(width, n_streams, bias=False, makes=(Projection.ROUTER,))
    mixed = Multiplication("mixed_streams", (size(width), size(n_streams), size(n_streams)))
    return Component(
        ALTUP_PREDICTION,
        body=(
            ("router_norm", replace(rms_norm(width), makes=(Projection.ROUTER,))),
            ("router", router),
            ("coefficients", linear(n_streams, size(n_streams) ** 2, bias=False, makes=(Projection.COEFFICIENTS,))),
        ),
        multiplies=(mixed,),
        streams=size(n_streams),
    )


def altup_correction(width: Operand, n_streams: Operand, prediction: str) -> Component:
    """AltUp's correction of all streams by what the layer made of one: x̂ⱼ + cⱼ·(y - x̂₁) (arXiv:2301.13310).

    The c are 1 + n_streams numbers of each token, of y by the norm and the router of the part called ``prediction`` and a
    matrix of their own, n_streams × n_streams.
    """
    coefficients = linear(n_streams, n_streams, bias=False, makes=(Projection.COEFFICIENTS,))
    return Component(
        ALTUP_CORRECTION,
        body=(("coefficients", coefficients),),
        multiplies=(Multiplication("router", (size(width), size(n_streams))),),
        streams=size(n_streams),
        reads=prediction,
    )


def laurel(width: Operand, rank: Operand) -> Component:
    """LAuReL's low-rank path, added to what it reads: h × r down and r × h up (Menghani et al., 2024, arXiv:2411.07501)."""
    down = linear(width, rank, bias=False, makes=(Projection.DOWN,))
    up = linear(rank, width, bias=False, makes=(Projection.UP,))
    return Component(LAUREL, body=(("down", down), ("up", up)))
