"""State spaces: the convolution of the last few tokens, and the scan of the state or its structured dual in chunks.

Mamba's state meets C in 2·d_inner·d_state a token (Gu & Dao, 2023, arXiv:2312.00752). Mamba 2 multiplies matrices within
chunks, and the states of the chunks with one another (Dao & Gu, 2024, arXiv:2405.21060, section 6).
"""

from __future__ import annotations

from collections.abc import Iterator

from symparams.components.tree import Component
from symparams.expressions.marks import Ceiling
from symparams.expressions.nodes import Expression, Product, Quotient, Sum
from symparams.expressions.symbols import b, chunk, s
from symparams.expressions.written import ONE
from symparams.quantities.matrix_flops import TWO, products
from symparams.quantities.streams import Place, Streams
from symparams.quantities.term import Term

SCAN = "scan"


def is_state_space(component: Component) -> bool:
    """Whether it is one: it convolves and has a skip around its state."""
    names = dict(component.children)
    return "convolution" in names and "skip" in names


def terms(place: Place, streams: Streams) -> Iterator[Term]:
    """The matrices and the convolution over the new tokens, then the scan, or the chunks."""
    parts = {part.name: part for part in place.parts()}
    for name, part in parts.items():
        if name not in ("transition", "skip", "time_step_bias") and part.component.tensors:
            yield from products(part, (b, s))
    yield from _scanned(parts, place) if "selection" in parts else _in_chunks(parts, place, streams)


def _scanned(parts: dict[str, Place], place: Place) -> Iterator[Term]:
    """Each token's state of d_inner × d_state numbers, weighed by C."""
    d_inner, d_state = parts["transition"].component.tensors[0].shape
    yield Term(place.path, SCAN, Product((TWO, Product((b, s)), d_inner, d_state)), place.passes, SCAN)


def _in_chunks(parts: dict[str, Place], place: Place, streams: Streams) -> Iterator[Term]:
    """What one token of a chunk makes of another, what a chunk leaves as its state, what chunks pass on."""
    from symparams.expressions.symbols import d_head, d_inner, d_state, n_ssm_heads

    if streams.has_cache:
        yield Term(place.path, SCAN, Product((TWO, Product((b, s)), d_inner, d_state)), place.passes, SCAN)
        return
    chunks = Ceiling(Quotient(s, chunk))
    square, state = (TWO, b, chunks, n_ssm_heads, chunk**2), (TWO, b, chunks, chunk, d_inner, d_state)
    passed = (TWO, b, Sum((chunks, ONE)) ** 2, d_inner, d_state)
    factors: dict[str, tuple[Expression, ...]] = {
        "scores": (*square, d_state),
        "weighted_values": (*square, d_head),
        "chunk_states": state,
        "passed_states": passed,
        "read_states": state,
    }
    for name, product in factors.items():
        yield Term(place.path, name, Product(product), place.passes, SCAN)
