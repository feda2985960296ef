"""Attention: where queries meet keys, and which tokens its projections see.

Scores and their use are 2·b·s·K·n_heads·d_head each, for K keys a query (Vaswani et al., 2017, arXiv:1706.03762). A causal
mask or a window hides pairs that libraries compute all the same: ``causal="exact"`` counts those that are seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from symparams.components.kinds import Role
from symparams.components.readings import ENCODER
from symparams.components.tree import Attending
from symparams.components.walks import components
from symparams.expressions.extent import size
from symparams.expressions.marks import Minimum
from symparams.expressions.nodes import Expression, Product, Quotient, Sum
from symparams.expressions.symbols import L_full, L_window, W_vision, b, max_rel, s, t
from symparams.expressions.written import ONE, times, total
from symparams.quantities.kv_cache import KEEPS_ALL
from symparams.quantities.matrix_flops import ATTENTION, TWO, UNUSED, product, products
from symparams.quantities.streams import IMAGES, Place, Streams
from symparams.quantities.term import Term

KEYS = ("key", "value", "key_value")
IN_ONE = "query_key_value"  # which holds three matrices, stored as one or apart
EXACT = "exact"
# DeBERTa's: what content has in common with keys of positions, queries of positions with content.
SCORES_OF = {"position_key": "position_key_scores", "position_query": "position_query_scores"}
# What DeBERTa-v2 and v3 do as they were published, where no config says otherwise.
AS_PUBLISHED = ("c2p", "p2c", "shared")
KINDS_OF_POSITIONS = {"position_key": "c2p", "position_query": "p2c"}


@dataclass(frozen=True)
class Attention:
    """Attention where it stands in a tree: the queries of a sequence, and what they meet."""

    place: Place
    streams: Streams

    @property
    def attending(self) -> Attending:
        """Its heads, its mask, its window."""
        attending = self.place.component.attending
        assert attending is not None
        return attending

    @property
    def reads_elsewhere(self) -> bool:
        """Whether keys and values are made of other tokens than queries are."""
        return bool(self.place.component.reads)

    @property
    def queries(self) -> Expression:
        """The tokens of a sequence that attend."""
        return self.streams.length(self.place.path)

    @property
    def source(self) -> Expression:
        """The tokens of which keys and values are made in this pass."""
        if not self.reads_elsewhere:
            return self.queries
        return self.streams.source if self.place.component.reads == ENCODER else self.streams.length(IMAGES)

    @property
    def keys(self) -> Expression:
        """The tokens that a query meets, hidden ones too."""
        if self.reads_elsewhere or not self.is_cached:
            return self.source
        return total([t, s])

    @property
    def is_cached(self) -> bool:
        """Whether there are keys and values of earlier tokens."""
        return self.streams.has_cache and self.queries == s and not self.reads_elsewhere

    @property
    def window(self) -> Expression | None:
        """How many tokens a query sees where there is a window, and where that makes a difference."""
        keeps_all = self.streams.setting.family in KEEPS_ALL
        makes_any = self.is_exact or (self.is_cached and not keeps_all)
        return self.attending.window if self.streams.setting.windowed_layers != 0 and makes_any else None

    @property
    def is_exact(self) -> bool:
        """Whether only the pairs count that a causal mask lets through."""
        return self.streams.setting.causal == EXACT and bool(self.attending.causal) and not self.reads_elsewhere

    def terms(self) -> Iterator[Term]:
        """The projections, then scores and their use."""
        for part in self.place.parts():
            yield from self._projected(part)
        yield from self._shared_with_positions()
        for pairs, copies in self._pairs():
            yield from self._met(pairs, copies)

    def _projected(self, part: Place) -> Iterator[Term]:
        if part.component.role is not Role.MATRIX:
            return
        match part.name:
            case name if name == IN_ONE and self.reads_elsewhere:
                yield from self._split(part)
            case name if name in KEYS and self.reads_elsewhere:
                if not self._is_read_already:
                    yield from products(part, (b, self.source))
            case "key_value_up":  # the latent is cached, and expanded again for every key
                yield from products(part, (b, self.keys))
            case "position_key" | "position_query":  # of every distance, for all sequences alike
                yield from products(part, (size(2 * max_rel),))
            case "position":
                yield from products(part, (b, self.distances))
            case _:
                yield from products(part, (b, self.queries))

    def _shared_with_positions(self) -> Iterator[Term]:
        """Positions that have no projections of their own pass those of queries and keys, one in vain where nothing attends."""
        if "shared" in self._said_of_positions:
            width = size(self.attending.heads.number * self.attending.heads.width)
            projecting = next((part for part in self.place.parts() if part.name == IN_ONE), self.place)
            for name in KINDS_OF_POSITIONS:
                term = product(projecting, name, (size(2 * max_rel),), (width, width), self.place.passes)
                yield term if name in self._attending_to_positions else replace(term, kind=UNUSED)

    @property
    def _said_of_positions(self) -> list[str]:
        said = str(self.streams.setting.choices.get("attends") or "").split()
        is_unsaid = not said and not self.streams.setting.config and "relative_embedding" in self._named
        return list(AS_PUBLISHED) if is_unsaid and not KINDS_OF_POSITIONS.keys() & self._named else said

    @property
    def _named(self) -> set[str]:
        """The names of all components of the tree."""
        return {path.rpartition(".")[2] for path, _ in components(self.streams.tree)}

    @property
    def _attending_to_positions(self) -> tuple[str, ...]:
        """The keys and queries of positions that content meets, by name: DeBERTa's, in a config or in the tree."""
        there, said = dict(self.place.component.children), self._said_of_positions
        return tuple(name for name, kind in KINDS_OF_POSITIONS.items() if name in there or kind in said)

    @property
    def _is_read_already(self) -> bool:
        return self.streams.has_cache

    def _split(self, part: Place) -> Iterator[Term]:
        """Of three matrices one makes queries, two make keys and values of what is read elsewhere."""
        width = self.place.component.children[-1][1].tensors[0].shape[-1]
        inner = size(self.attending.heads.number * self.attending.heads.width)
        yield product(part, "query", (b, self.queries), (width, inner), self.place.passes)
        if not self._is_read_already:
            yield product(part, "key_value", (b, self.source), (width, inner), times(self.place.passes, TWO))

    @property
    def distances(self) -> Expression:
        """The relative positions that XLNet's keys of positions stand for: back to the first key, and on to the last query."""
        return total([self.keys, ONE]) if self.attending.causal else size(2 * s)

    def _met(self, pairs: tuple[Expression, ...], copies: Expression) -> Iterator[Term]:
        heads, path = self.attending.heads, self.place.path
        matrix = dict(self.place.component.children)["output"].tensors[0]
        inner = size(heads.number * heads.width)
        values = inner if len(matrix.shape) > 2 else matrix.shape[0]
        yield Term(path, "scores", Product((TWO, b, *pairs, inner)), copies, ATTENTION)
        for name, number in self._relative():
            yield Term(path, name, Product((TWO, b, self.queries, number, inner)), copies, ATTENTION)
        yield Term(path, "weighted_values", Product((TWO, b, *pairs, values)), copies, ATTENTION)

    def _relative(self) -> Iterator[tuple[str, Expression]]:
        """The scores of positions, beside those of content, and how many each token has."""
        parts = dict(self.place.component.children)
        if "position" in parts:
            yield "position_scores", self.distances
        for name in self._attending_to_positions:
            yield SCORES_OF[name], size(2 * max_rel)

    def _pairs(self) -> Iterator[tuple[tuple[Expression, ...], Expression]]:
        """How many pairs meet in a sequence, and in how many layers: those with a window, those without."""
        passes, window = self.place.passes, self.window
        whole = (self._seen(),) if self.is_exact else (self.queries, self.keys)
        if self.streams.setting.choices.get("image_window") and self.place.path.startswith(IMAGES):
            yield (self.queries, Minimum((self.queries, W_vision))), passes - L_full
            yield whole, L_full
            return
        if window is None:
            yield whole, passes
            return
        local = (self._seen_within(window),) if self.is_exact else (self.queries, self._kept(window))
        if self.streams.setting.windowed_layers is None:
            yield local, passes
            return
        every = self.streams.windowed  # of stacks side by side the first one says it for all
        if every[0][0] == self.place.path:
            yield local, L_window
            yield whole, total([copies for _, copies in every]) - L_window

    def _kept(self, window: Expression) -> Expression:
        """The keys of a layer with a window: of the cache the last W - 1, of the new tokens all."""
        return Sum((Minimum((t, window - 1)), s))

    def _seen(self) -> Expression:
        """The first new token sees itself and what is cached, each further one more: s·t + s·(s + 1) / 2."""
        new = Quotient(Product((s, Sum((s, ONE)))), TWO)
        return Sum((Product((s, t)), new)) if self.is_cached else new

    def _seen_within(self, window: Expression) -> Expression:
        """Σ min(t + i, W) for i = 1, …, s: the first a new tokens see all before them, the others W."""
        free = window - Minimum((t, window)) if self.is_cached else window
        first = Minimum((s, free))
        rising = Quotient(Product((first, Sum((first, ONE)))), TWO)
        full = Product((s - first, window))
        return Sum((Product((first, t)), rising, full)) if self.is_cached else Sum((rising, full))
