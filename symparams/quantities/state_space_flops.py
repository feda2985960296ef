"""State spaces: the convolution of the last few tokens, and the scan of the state or its structured dual in chunks.

Mamba's state meets C in 2·d_inner·d_state a token (Gu & Dao, 2023, arXiv:2312.00752). Mamba 2 multiplies matrices within
chunks, and the states of the chunks with one another (Dao & Gu, 2024, arXiv:2405.21060, section 6). So does the gated delta
rule (Yang et al., 2024, arXiv:2412.06464, section 3.3), which first solves a triangular system of the keys of a chunk: as many
FLOPs as the products with its inverse. Token by token it reads the state twice, for a key and for a query.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symparams.components.facts import Heads, StateSpaceFacts
from symparams.components.kinds import Role
from symparams.expressions.nodes import Ceiling, Expression, Product, Quotient, Size, Sum
from symparams.expressions.symbols import b
from symparams.expressions.written import ONE, ZERO
from symparams.quantities.matrix_flops import TWO, products
from symparams.quantities.quantity import Term
from symparams.quantities.streams import Place, Streams

SCAN = "scan"
MIXERS = "build it by selective_state_space(…), dual_state_space(…) or gated_delta_rule(…)"
PREDICTED, READ, WRITTEN = "predicted_values", "read_states", "chunk_states"
FIRST, LAST = "first_chunk", "last_chunk"


def terms(place: Place, streams: Streams) -> Iterator[Term]:
    """The matrices and the convolution over the new tokens, then the scan, or the chunks."""
    facts = place.component.state_space
    assert facts is not None
    for part in streams.places(place):
        if part.component.role is Role.MATRIX:
            yield from products(part, (b, place.stream))
    if facts.state == ZERO:
        return
    if facts.delta and streams.has_cache:
        yield from _by_token(place, facts)
    elif facts.delta and facts.heads is not None and facts.chunk is not None:
        yield from _corrected_in_chunks(place, facts, facts.heads, facts.chunk)
    elif facts.heads is None or facts.chunk is None or streams.has_cache:
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


def _by_token(place: Place, facts: StateSpaceFacts) -> Iterator[Term]:
    """Yield what a key and what a query reads from the state; the state is updated number by number, which counts 0."""
    read = Product((TWO, Size(Product((b, place.stream))), facts.inner, facts.state))
    for name in (PREDICTED, READ):
        yield Term(place.path, name, read, place.passes, SCAN, note="flops.delta_by_token")


def _corrected_in_chunks(place: Place, facts: StateSpaceFacts, heads: Heads, chunk: Expression) -> Iterator[Term]:
    """Yield the products within the chunks, and those with the states before and after them.

    The state before the first chunk is 0 and has no gradient; nothing in the pass reads the state after the last.
    """
    chunks = Ceiling(Quotient(place.stream, chunk))
    square = (TWO, b, chunks, heads.number, chunk**2)
    about = {"chunk": chunk}
    within = {
        "key_scores": facts.state,
        "scores": facts.state,
        "corrected_values": heads.width,
        "corrected_keys": facts.state,
        "weighted_values": heads.width,
    }
    for name, width in within.items():
        yield Term(place.path, name, Product((*square, width)), place.passes, SCAN, note="flops.delta_chunks", about=about)
    once = (TWO, b, chunk, facts.inner, facts.state)
    all_of_them, others = (TWO, b, chunks, *once[2:]), (TWO, b, chunks - 1, *once[2:])
    for name, apart, gradients in ((PREDICTED, FIRST, 1), (READ, FIRST, 1), (WRITTEN, LAST, 0)):
        term = Term(place.path, name, Product(all_of_them), place.passes, SCAN, note="flops.delta_chunks", about=about)
        one = replace(term, written=Product(once), gradients=gradients, apart=apart)
        yield replace(term, backward=(replace(term, written=Product(others), apart=f"but_{apart}"), one))
