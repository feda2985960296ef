"""State spaces: the convolution of the last few tokens, and the scan of the state or its structured dual in chunks.

Mamba's state meets C in 2·d_inner·d_state a token (Gu & Dao, 2023, arXiv:2312.00752). Mamba 2 multiplies matrices within
chunks, and the states of the chunks with one another (Dao & Gu, 2024, arXiv:2405.21060, section 6).
"""

from __future__ import annotations

from collections.abc import Iterator

from symparams.components.facts import Heads, StateSpaceFacts
from symparams.components.kinds import Role
from symparams.expressions.nodes import Ceiling, Expression, Product, Quotient, Size, Sum
from symparams.expressions.symbols import b
from symparams.expressions.written import ONE
from symparams.quantities.matrix_flops import TWO, products
from symparams.quantities.quantity import Term
from symparams.quantities.streams import Place, Streams

SCAN = "scan"
MIXERS = "build it by selective_state_space(…) or dual_state_space(…)"


def terms(place: Place, streams: Streams) -> Iterator[Term]:
    """The matrices and the convolution over the new tokens, then the scan, or the chunks."""
    facts = place.component.state_space
    assert facts is not None
    for part in streams.places(place):
        if part.component.role is Role.MATRIX:
            yield from products(part, (b, place.stream))
    if facts.heads is None or facts.chunk is None or streams.has_cache:
        scanned = Product((TWO, Size(Product((b, place.stream))), facts.inner, facts.state))
        yield Term(place.path, SCAN, scanned, place.passes, SCAN, note="flops.scan")
    else:
        yield from _in_chunks(place, facts, facts.heads, facts.chunk)


def _in_chunks(place: Place, facts: StateSpaceFacts, heads: Heads, chunk: Expression) -> Iterator[Term]:
    """Yield the products within a chunk, those that make its state, and those that pass states on."""
    chunks = Ceiling(Quotient(place.stream, chunk))
    square, state = (TWO, b, chunks, heads.number, chunk**2), (TWO, b, chunks, chunk, facts.inner, facts.state)
    passed = (TWO, b, Sum((chunks, ONE)) ** 2, facts.inner, facts.state)
    factors: dict[str, tuple[Expression, ...]] = {
        "scores": (*square, facts.state),
        "weighted_values": (*square, heads.width),
        "chunk_states": state,
        "passed_states": passed,
        "read_states": state,
    }
    for name, product in factors.items():
        yield Term(place.path, name, Product(product), place.passes, SCAN, note="flops.chunks")
