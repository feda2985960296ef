"""Attention: where queries meet keys, and which tokens its projections see.

Scores and their use are 2·b·s·K·n_heads·d_head each, for K keys a query (Vaswani et al., 2017, arXiv:1706.03762). A causal
mask or a window hides pairs that libraries compute all the same: ``causal="exact"`` counts those that are seen. Latent
attention expands what it caches again for every key; with its matrices ``absorbed`` into queries and output, 2·K·H·(r_kv +
d_rope) and 2·K·H·r_kv a token, queries meet the cached vectors themselves (DeepSeek-V2, arXiv:2405.04434, section 2.1.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from symparams.components.facts import GLOBAL_QKV, KV, AttentionFacts, Blocks, Latent, Projection
from symparams.components.kinds import Role
from symparams.errors import OptionError
from symparams.expressions.extent import size
from symparams.expressions.nodes import Ceiling, Expression, Floor, Minimum, Negative, Number, Product, Quotient, Sum
from symparams.expressions.symbols import L_window, b, n_global, s, t
from symparams.expressions.written import ONE, ZERO, times, total
from symparams.quantities.matrix_flops import ATTENTION, TWO, UNUSED, product, products
from symparams.quantities.quantity import Term
from symparams.quantities.streams import Place, Streams
from symparams.records import frozen

EXACT = "exact"
EXPANDED, ABSORBED = "expanded", "absorbed"
WITH_WINDOW, WITHOUT_WINDOW = "with_window", "without_window"  # what tells the layers of a stack apart
# What content has in common with keys of positions, and with queries of positions, as a config and as our terms call it.
OF_POSITIONS: Mapping[Projection, tuple[str, str, str]] = MappingProxyType(
    {
        Projection.POSITION_KEY: ("c2p", "position_key", "position_key_scores"),
        Projection.POSITION_QUERY: ("p2c", "position_query", "position_query_scores"),
    }
)
INDEX = {Projection.INDEX_QUERY, Projection.INDEX_KEY, Projection.INDEX_WEIGHTS}
AS_PUBLISHED = ("c2p", "p2c", "shared")  # DeBERTa-v2 and v3, where no config says otherwise


@frozen
class Attention:
    """Attention where it stands in a tree: the queries of a sequence, and what they meet."""

    place: Place
    streams: Streams

    @property
    def attending(self) -> AttentionFacts:
        """Its heads, its mask, its window."""
        attending = self.place.component.attending
        assert attending is not None
        return attending

    @property
    def reads_elsewhere(self) -> bool:
        """True if keys and values are made of other tokens than queries are."""
        return bool(self.place.component.reads)

    @property
    def queries(self) -> Expression:
        """The tokens of a sequence that attend."""
        return self.place.stream

    @property
    def source(self) -> Expression:
        """The tokens of which keys and values are made in this pass."""
        elsewhere = self.streams.source(self.place) if self.reads_elsewhere else None
        return self.queries if elsewhere is None else elsewhere

    @property
    def keys(self) -> Expression:
        """The tokens that a query meets, hidden ones too."""
        return total([t, s]) if self.is_cached else self.source

    @property
    def is_cached(self) -> bool:
        """True if there are keys and values of earlier tokens."""
        return self.streams.has_cache and self.queries == s and not self.reads_elsewhere

    @property
    def latent(self) -> Latent | None:
        """The short vectors that queries meet themselves, where the matrices that expand them are absorbed."""
        return self.attending.latent if self.streams.setting.latent_attention == ABSORBED else None

    @property
    def window(self) -> Expression | None:
        """The tokens that a query sees through a window; None if no window makes a difference."""
        makes_any = self.is_exact or (self.is_cached and not self.streams.setting.keeps_all)
        return self.attending.window if self.streams.setting.windowed_layers != 0 and makes_any else None

    @property
    def is_exact(self) -> bool:
        """True if only the pairs count that a causal mask lets through."""
        return self.streams.setting.causal == EXACT and bool(self.attending.causal) and not self.reads_elsewhere

    def terms(self) -> Iterator[Term]:
        """The projections, then scores and their use."""
        for part in self.streams.places(self.place):
            if part.component.role is Role.MATRIX:
                yield from self._projected(part)
        yield from self._shared_with_positions()
        yield from self._indexed()
        if self.attending.blocks is not None:
            yield from self._met_in_blocks(self.attending.blocks)
            return
        if self.attending.banded:
            yield from self._met_nearby()
            yield from self._met_everywhere()
            return
        for pairs, copies, apart in self._pairs():
            yield from self._met(pairs, copies, apart)

    def _projected(self, part: Place) -> Iterator[Term]:
        makes = {*part.component.makes}
        if makes & INDEX:
            yield from (replace(term, gradients=0) for term in products(part, (b, self.queries)))
        elif makes & OF_POSITIONS.keys():  # of a fixed number of distances once for all sequences
            yield from products(part, (b, self.distances) if self.attending.distances is None else (self.distances,))
        elif makes & {*GLOBAL_QKV}:
            yield from self._of_global_tokens(part)
        elif self.attending.on_zeros and Projection.VALUE in makes:
            yield from map(_on_zeros, products(part, (b, self.queries)))
        elif not makes & {*KV}:
            yield from products(part, (b, self.queries))
        elif self.reads_elsewhere:
            yield from self._of_source(part)
        elif self.attending.latent and self.latent is None:  # the latent is cached, and expanded again for every key
            yield from products(part, (b, self.keys))
        else:
            yield from products(part, (b, self.queries))

    def _of_global_tokens(self, part: Place) -> Iterator[Term]:
        """Queries of the global tokens, and keys and values of all, where any token is global."""
        if n_global in self.streams.setting.given:
            sides = part.component.tensors[0].shape
            yield product(part, "global_query", (b, n_global), sides, self.place.passes)
            yield product(part, "global_key_value", (b, self.queries), sides, times(self.place.passes, TWO))

    def _of_source(self, part: Place) -> Iterator[Term]:
        """Keys and values of what is read elsewhere, once; the queries of a matrix that makes all three are made here."""
        is_read_already = self.streams.has_cache
        if Projection.QUERY not in part.component.makes:
            yield from () if is_read_already else products(part, (b, self.source))
            return
        width, passes = part.component.tensors[0].shape[0], self.place.passes
        yield product(part, "query", (b, self.queries), (width, self.attending.heads.inner), passes)
        if not is_read_already:
            yield product(part, "key_value", (b, self.source), (width, self.attending.kv_heads.inner), times(passes, TWO))

    def _shared_with_positions(self) -> Iterator[Term]:
        """Positions that have no projections of their own pass those of queries and keys, one in vain where nothing attends."""
        if self.attending.distances is None or "shared" not in self._attends:
            return
        width = self.attending.heads.inner
        made = [part for part in self.streams.parts(self.place) if Projection.QUERY in part.component.makes]
        for kind, name, _ in OF_POSITIONS.values():
            term = product(made[0], name, (self.distances,), (width, width), self.place.passes)
            yield term if kind in self._attends else replace(term, kind=UNUSED, gradients=0)

    @property
    def _attends(self) -> tuple[str, ...]:
        """The kinds of positions that content meets: those of which there are projections, and those that a config chooses."""
        makes = {made for _, part in self.place.component.children for made in part.makes}
        there = tuple(kind for made, (kind, _, _) in OF_POSITIONS.items() if made in makes)
        chosen = tuple(str(self.streams.setting.choices.get("attends") or "").split())
        is_unsaid = not chosen and not self.streams.setting.config and self._may_share
        return (*there, *(AS_PUBLISHED if is_unsaid and not there else chosen))

    @property
    def _may_share(self) -> bool:
        """True if relative positions may pass the projections of queries and keys."""
        return bool(self.attending.relative) and self.attending.shared_projections

    @property
    def distances(self) -> Expression:
        """The relative positions that have keys: the rows of their table, all of them or those that a sequence has; without a
        table, back to the first key and on to the last query.
        """
        if self.attending.distances is not None:
            rows = self.attending.distances
            return Minimum((size(2 * self.keys), rows)) if self.attending.clipped else rows
        return total([self.keys, ONE]) if self.attending.causal else size(2 * s)

    def _indexed(self) -> Iterator[Term]:
        """The scores of an indexer's heads, and their sum; it chooses keys, through which no gradient comes back."""
        if (indexer := self.attending.indexer) is None:
            return
        pairs = (self._seen(),) if self.is_exact else (self.queries, self.keys)
        yield self._meeting("index_scores", pairs, indexer.heads.inner, note="flops.index", gradients=0)
        yield self._meeting("index_sums", pairs, indexer.heads.number, gradients=0)

    def _met_in_blocks(self, blocks: Blocks) -> Iterator[Term]:
        """Blocks of queries, the last filled up: each meets its keys, and the keys of positions; then as many values."""
        rows = Product((Ceiling(Quotient(self.queries, blocks.width)), blocks.width))
        about = {"width": blocks.width, "keys": blocks.keys}
        met = {"scores": blocks.keys, "position_key_scores": self.distances, "weighted_values": blocks.keys}
        for name, number in met.items():
            pairs = (self._seen_within(blocks.before, self.queries),) if self.is_exact else (rows, number)
            note, told = ("flops.scores", {}) if self.is_exact else ("flops.blocks", about)
            yield self._meeting(name, pairs, self.attending.heads.inner, note=note, about=told)

    def _met_nearby(self) -> Iterator[Term]:
        """Chunks of W tokens, each half of which is in the next one, too: W × W scores of each; 3·W/2 values for each token."""
        window, tokens = self.attending.window, self.queries
        assert window is not None
        if self.streams.setting.choices.get("window", window) is None:
            raise OptionError(f"FLOPs are not derived for {self.place.path}, whose layers have windows of several lengths.")
        rows = Sum((Product((TWO, tokens)), Negative(window)))  # of all chunks
        yield self._meeting("scores", (rows, window), self.attending.heads.inner, note="flops.banded", about={"window": window})
        yield self._meeting("weighted_values", (tokens, size(window * Number(3) / TWO)), self.attending.values_width)

    def _met_everywhere(self) -> Iterator[Term]:
        """The global tokens: every query meets their keys, and theirs meet every key; then values, both ways."""
        if n_global not in self.streams.setting.given:
            return
        tokens, heads = self.queries, self.attending.heads.inner
        met = {
            "scores_of_global_keys": ((tokens, n_global), heads),
            "values_of_global_keys": ((tokens, n_global), self.attending.values_width),
            "scores_of_global_queries": ((n_global, tokens), heads),
            "values_of_global_queries": ((n_global, tokens), self.attending.values_width),
        }
        for name, (pairs, width) in met.items():
            yield self._meeting(name, pairs, width, note="flops.global", about={"n_global": n_global})

    def _met(self, pairs: tuple[Expression, ...], copies: Expression, apart: str) -> Iterator[Term]:
        heads = self.attending.heads
        keys, values = heads.inner, self.attending.values_width
        if self.latent:
            keys = size(heads.number * Sum((self.latent.rank, self.latent.rotary)))
            values = size(heads.number * self.latent.rank)
        yield self._meeting("scores", pairs, keys, times=copies, note="flops.scores", apart=apart)
        for name, number in self._relative():
            yield self._meeting(name, (self.queries, number), heads.inner, times=copies, apart=apart)
        yield self._meeting("weighted_values", pairs, values, times=copies, apart=apart)

    def _meeting(self, name: str, pairs: tuple[Expression, ...], width: Expression, **told: Any) -> Term:
        """The products of each pair of tokens, over so many numbers, in all layers or in as many as ``times`` says."""
        first, *others = pairs
        written = Product((TWO, size(b * first), *others, width))  # of all sequences
        return Term(self.place.path, name, written, kind=ATTENTION, **{"times": self.place.passes, **told})

    def _relative(self) -> Iterator[tuple[str, Expression]]:
        """The scores of positions, beside those of content, and how many each token has."""
        if self.attending.axes is not None:
            sides = (self.attending.axes, self.attending.axes) if self.attending.relative else ()
            yield from zip(("row_scores", "column_scores"), sides, strict=False)
        elif self.attending.distances is not None:
            for kind, _, name in OF_POSITIONS.values():
                if kind in self._attends:
                    yield name, self.distances
        elif self.attending.relative:
            yield "position_scores", self.distances

    def _pairs(self) -> Iterator[tuple[tuple[Expression, ...], Expression, str]]:
        """Yield the pairs of tokens in a sequence, the layers with so many, and which these are: with a window, and without."""
        passes, window = self.place.passes, self.window
        whole = (self._attended(),) if self.is_exact else (self.queries, self.keys)
        tiles = self.attending.tiles
        if tiles is not None and tiles.width not in self.streams.setting.absent:
            pairs = self.queries, Minimum((self.queries, tiles.width))
            if tiles.whole == ZERO:
                yield pairs, passes, ""
                return
            yield pairs, passes - tiles.whole, WITH_WINDOW
            yield whole, tiles.whole, WITHOUT_WINDOW
            return
        if window is None:
            yield whole, passes, ""
            return
        seen = self._seen_in_chunk if self.attending.chunked else self._seen_within
        local = (seen(window),) if self.is_exact else (self.queries, self._kept(window))
        if self.streams.setting.windowed_layers is None:
            number = self.streams.with_window(self.place)
            yield local, number, WITH_WINDOW
            if number != passes:
                yield whole, passes - number, WITHOUT_WINDOW
            return
        every = self.streams.windowed  # of stacks side by side the first one says it for all
        if every[0][0] == self.place.path:
            yield local, L_window, WITH_WINDOW
            yield whole, total([copies for _, copies in every]) - L_window, WITHOUT_WINDOW

    def _attended(self) -> Expression:
        """The pairs that a causal mask lets through, or those of them that an indexer picks."""
        indexer = self.attending.indexer
        return self._seen() if indexer is None else self._seen_within(indexer.keys)

    def _kept(self, window: Expression) -> Expression:
        """The keys of a layer with a window: of the cache the last W - 1, of the new tokens all."""
        return Sum((Minimum((t, window - 1)), s))

    def _seen(self) -> Expression:
        """The first new token sees itself and what is cached, each further one more: s·t + s·(s + 1) / 2."""
        new = Quotient(Product((s, Sum((s, ONE)))), TWO)
        return Sum((Product((s, t)), new)) if self.is_cached else new

    def _seen_within(self, window: Expression, tokens: Expression = s) -> Expression:
        """Σ min(t + i, W) for i = 1, …, s: the first a new tokens see all before them, the others W."""
        free = window - Minimum((t, window)) if self.is_cached else window
        first = Minimum((tokens, free))
        rising = Quotient(Product((first, Sum((first, ONE)))), TWO)
        full = Product((tokens - first, window))
        return Sum((Product((first, t)), rising, full)) if self.is_cached else Sum((rising, full))

    def _seen_in_chunk(self, window: Expression) -> Expression:
        """Of all tokens so far what each sees of its chunk, without what those in the cache saw."""
        if not self.is_cached:
            return _in_chunks(s, window)
        return Sum((_in_chunks(Sum((t, s)), window), Negative(_in_chunks(t, window))))


def _on_zeros(term: Term) -> Term:
    """A projection whose first copy makes values of zeros: one gradient of it less than of the others."""
    one = replace(term, times=ONE, gradients=term.gradients - 1, apart="of_zeros")
    return replace(term, backward=(replace(term, times=term.times - ONE, apart="but_zeros"), one))


def _in_chunks(tokens: Expression, window: Expression) -> Expression:
    """1 + 2 + … + W for each whole chunk of so many tokens, and 1 + 2 + … for the rest."""
    whole = Floor(Quotient(tokens, window))
    rest = Sum((tokens, Negative(Product((window, whole)))))
    of_chunk, of_rest = (Quotient(Product((length, Sum((length, ONE)))), TWO) for length in (window, rest))
    return Sum((Product((whole, of_chunk)), of_rest))
