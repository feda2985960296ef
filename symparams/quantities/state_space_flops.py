"""State spaces: the convolution of the last few tokens, and the scan of the state or its structured dual in chunks.

Mamba's state meets C in 2·d_inner·d_state a token (Gu & Dao, 2023, arXiv:2312.00752). Mamba 2 multiplies matrices within
chunks, and the states of the chunks with one another (Dao & Gu, 2024, arXiv:2405.21060, section 6). So does the gated delta
rule (Yang et al., 2024, arXiv:2412.06464, section 3.3), which first solves a triangular system of the keys of a chunk: as many
FLOPs as the products with its inverse. Token by token it reads the state twice, for a key and for a query. Lightning attention
multiplies within blocks of which the last may be shorter (Qin et al., 2024, arXiv:2405.17381), and token by token the key with
the value, then the query with the state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from symparams.components.facts import Heads, Recurrence, StateSpaceFacts
from symparams.components.kinds import Role
from symparams.expressions.nodes import Ceiling, Expression, Floor, Minimum, Product, Quotient, Size, Sum
from symparams.expressions.symbols import b
from symparams.expressions.written import ONE, ZERO
from symparams.quantities.matrix_flops import TWO, products
from symparams.quantities.quantity import Term
from symparams.quantities.streams import Place, Streams

SCAN = "scan"
MIXERS = "build it by selective_state_space(…), dual_state_space(…), gated_delta_rule(…) or lightning_attention(…)"
PREDICTED, READ, WRITTEN, UPDATED = "predicted_values", "read_states", "chunk_states", "updated_states"
FIRST, LAST = "first_chunk", "last_chunk"
# The sentence on what a token multiplies with the state by itself, and the names of these products.
BY_TOKEN: Mapping[Recurrence, tuple[str, tuple[str, ...]]] = {
    Recurrence.SCAN: ("flops.scan", (SCAN,)),
    Recurrence.DELTA_RULE: ("flops.delta_by_token", (PREDICTED, READ)),
    Recurrence.LIGHTNING: ("flops.lightning_by_token", (UPDATED, READ)),
    Recurrence.TIME_MIXING: ("", ()),  # number by number
}


def terms(place: Place, streams: Streams) -> Iterator[Term]:
    """The matrices and the convolution over the new tokens, then the scan, or the chunks."""
    facts = place.component.state_space
    assert facts is not None
    for part in streams.places(place):
        if part.component.role is Role.MATRIX:
            yield from products(part, (b, place.stream))
    if facts.state == ZERO:
        return
    if facts.heads is None or facts.chunk is None or streams.has_cache:
        note, names = BY_TOKEN[facts.recurrence]
        scanned = Product((TWO, Size(Product((b, place.stream))), facts.inner, facts.state))
        for name in names:
            yield Term(place.path, name, scanned, place.passes, SCAN, note=note)
    else:
        yield from IN_CHUNKS[facts.recurrence](place, facts, facts.heads, facts.chunk)


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


def _corrected_in_chunks(place: Place, facts: StateSpaceFacts, heads: Heads, chunk: Expression) -> Iterator[Term]:
    """Yield the products within the chunks, and those with the states before and after them."""
    chunks = Ceiling(Quotient(place.stream, chunk))
    square = (TWO, b, chunks, heads.number, chunk**2)
    note, about = "flops.delta_chunks", {"chunk": chunk}
    within = {
        "key_scores": facts.state,
        "scores": facts.state,
        "corrected_values": heads.width,
        "corrected_keys": facts.state,
        "weighted_values": heads.width,
    }
    for name, width in within.items():
        yield Term(place.path, name, Product((*square, width)), place.passes, SCAN, note=note, about=about)
    state = chunk, facts.inner, facts.state
    for name, apart in ((PREDICTED, FIRST), (READ, FIRST), (WRITTEN, LAST)):
        term = Term(place.path, name, Product((TWO, b, chunks, *state)), place.passes, SCAN, note=note, about=about)
        yield _apart(term, apart, Product((TWO, b, *state)), Product((TWO, b, chunks - 1, *state)))


def _lightning_in_chunks(place: Place, facts: StateSpaceFacts, heads: Heads, chunk: Expression) -> Iterator[Term]:
    """Yield the products within the chunks, and those with the states before and after them; the last chunk may be shorter."""
    tokens = place.stream
    full = Floor(Quotient(tokens, chunk))
    pairs = Sum((Product((full, chunk**2)), (tokens - full * chunk) ** 2))
    note, about = "flops.lightning_chunks", {"chunk": chunk}
    for name, width in (("scores", facts.state), ("weighted_values", heads.width)):
        products = Product((TWO, b, heads.number, pairs, width))
        yield Term(place.path, name, products, place.passes, SCAN, note=note, about=about)
    first, last = Minimum((chunk, tokens)), tokens - (Ceiling(Quotient(tokens, chunk)) - 1) * chunk
    for name, apart, length in ((READ, FIRST, first), (WRITTEN, LAST, last)):
        every, others, one = (
            Product((TWO, b, number, facts.inner, facts.state)) for number in (tokens, tokens - length, length)
        )
        yield _apart(Term(place.path, name, every, place.passes, SCAN, note=note, about=about), apart, one, others)


def _apart(term: Term, apart: str, one: Expression, others: Expression) -> Term:
    """A product of all chunks, of which one has fewer gradients than the others.

    The state before the first is 0 and has none; nothing in the pass reads the state after the last.
    """
    single = replace(term, written=one, gradients=1 if apart == FIRST else 0, apart=apart)
    return replace(term, backward=(replace(term, written=others, apart=f"but_{apart}"), single))


IN_CHUNKS: Mapping[Recurrence, Callable[[Place, StateSpaceFacts, Heads, Expression], Iterator[Term]]] = {
    Recurrence.SCAN: _in_chunks,
    Recurrence.DELTA_RULE: _corrected_in_chunks,
    Recurrence.LIGHTNING: _lightning_in_chunks,
}
