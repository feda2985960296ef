"""Streams: the tokens of a sequence that each part of a tree sees, and the parts that do not run.

Each part says it, or sees what stands around it sees, s new tokens in the end. What was read before the first token of a
decoder, of which the tokens do not grow with s, is not read again.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from symparams.components.facts import Tokens
from symparams.components.flow import is_layer
from symparams.components.letters import written_in
from symparams.components.tree import Component
from symparams.components.walks import components, is_over_rows, rows_of
from symparams.errors import OptionError
from symparams.expressions.nodes import Dimension, Expression, Number
from symparams.expressions.symbols import s, s_src, t
from symparams.expressions.written import ONE, ZERO, times, total
from symparams.quantities.setting import Setting
from symparams.records import frozen


@frozen
class Place:
    """A component where it stands: its path, how often data passes through it, and the tokens of the stream around it.

    ``asked`` is what it, or what stands around it, sees of that stream where a request or a class decides.
    """

    path: str
    component: Component
    passes: Expression = ONE
    stream: Expression = s
    asked: Tokens | None = None
    is_in_layer: bool = False

    @property
    def name(self) -> str:
        """Its own name, the last of its path."""
        return self.path.rpartition(".")[2]


@frozen
class Streams:
    """The streams of a tree under a setting, each by its tokens a sequence."""

    tree: Component
    setting: Setting

    @cached_property
    def root(self) -> Place:
        """The whole tree."""
        return self._placed(Place("", self.tree), "", self.tree, ONE)

    def parts(self, place: Place) -> Iterator[Place]:
        """The parts of a place; a block that is reused is passed more often than it is stored."""
        for name, part in place.component.children:
            path = f"{place.path}.{name}" if place.path else name
            yield self._placed(place, path, part, times(place.passes, part.applied or part.times))

    def places(self, place: Place) -> Iterator[Place]:
        """Everything within a place, each part before its own."""
        for part in self.parts(place):
            yield part
            yield from self.places(part)

    def _placed(self, around: Place, path: str, part: Component, passes: Expression) -> Place:
        tokens = part.tokens
        if tokens is None and path and path in self._referred_to:
            tokens = s_src
        is_said = isinstance(tokens, Expression)
        stream = self._stream(tokens) if isinstance(tokens, Expression) else around.stream
        asked = tokens if isinstance(tokens, Tokens) else None if is_said else around.asked
        is_in_layer = around.is_in_layer or is_layer(around.component)
        return Place(path, part, passes, stream, asked, is_in_layer)

    def _stream(self, tokens: Expression) -> Expression:
        """The source's tokens are those of the only stream where nothing reads it beside another."""
        return tokens if self._readers else written_in(tokens, {s_src: s})

    @cached_property
    def _readers(self) -> list[tuple[str, str]]:
        """Attention that makes its keys and values of other tokens than its queries, and what it reads: a path, or a word."""
        return [(path, part.reads) for path, part in components(self.tree) if part.attending and part.reads]

    @cached_property
    def _referred_to(self) -> frozenset[str]:
        """The parts to which such attention refers by their paths, those apart in which it stands itself."""
        return frozenset(reads for path, reads in self._readers if not path.startswith(f"{reads}."))

    @property
    def has_cache(self) -> bool:
        """True if there are tokens in the cache: the encoder has run then, and images have been read."""
        return t in self.setting.given

    @cached_property
    def mixing(self) -> list[Place]:
        """The places where tokens meet: attention and state spaces."""
        return [place for place in self.places(self.root) if place.component.attending or place.component.state_space]

    @cached_property
    def windowed(self) -> list[tuple[str, Expression]]:
        """The paths of attention with a window in some of its layers, and the number of its layers."""
        attending = ((place, place.component.attending) for place in self.mixing)
        return [(place.path, place.passes) for place, facts in attending if facts and facts.window]

    def with_window(self, place: Place) -> Expression:
        """In how many of its layers attention has its window: the layers of a stream are counted one stack after the other."""
        facts = place.component.attending
        if facts is None or facts.windowed is None:
            return place.passes
        before = total([other.passes for other in self._attending_before(place)])
        if before == ZERO:
            return facts.windowed.number(place.passes)
        return facts.windowed.number(total([before, place.passes])) - facts.windowed.number(before)

    def _attending_before(self, place: Place) -> Iterator[Place]:
        for other in self.mixing:
            if other.path == place.path:
                return
            if other.component.attending and not other.component.reads and other.stream == place.stream:
                yield other

    @property
    def decodes(self) -> bool:
        """True if the model writes token by token, and so keeps what it has computed of those before."""
        return any(place.component.state_space or is_cached(place.component) for place in self.mixing)

    @cached_property
    def is_single(self) -> bool:
        """True if the only stream is of s tokens, of which some parts may see one."""
        return all(set(place.stream.dimensions) <= {s} for place in (self.root, *self.places(self.root)))

    def source(self, reader: Place) -> Expression | None:
        """The tokens that attention reads elsewhere: those of the last stack before it whose tokens are not its own.

        Where there is none, those of the first after it, or of another model, as many as are given; None where none are.
        """
        stacks = [place for place in self._all if is_layer(place.component) and not place.is_in_layer]
        order = [place.path for place in self._all]
        before = [stack for stack in stacks if order.index(stack.path) < order.index(reader.path)]
        others = (stack.stream for stack in (*reversed(before), *stacks) if stack.stream != reader.stream)
        return next(others, s_src if s_src in self.setting.given else None)

    @cached_property
    def _all(self) -> list[Place]:
        return list(self.places(self.root))

    def is_idle(self, place: Place) -> bool:
        """True if a part does not run: what was read before the first token of a decoder is not read again."""
        was_read = self.has_cache and place.stream != ONE and s not in place.stream.dimensions
        reads = place.component.attending is not None and bool(place.component.reads)
        return was_read or (reads and self.source(place) is None)

    def seen(self, place: Place) -> Expression:
        """Return the tokens of a sequence that a leaf layer sees; OptionError if no size says it."""
        asked = Tokens.LOGITS if place.asked is None and self._gives_logits(place) else place.asked
        if asked is Tokens.BEAMS:
            raise OptionError(
                f"FLOPs are not derived for {place.path}, which runs once for each beam: no dimension gives their number."
            )
        if asked is Tokens.LOGITS and self.setting.logits != "all":
            return ONE if self.setting.logits == "last" else Number(int(self.setting.logits))
        return ONE if asked is Tokens.LABELS and not self.setting.is_over_tokens else place.stream

    def _gives_logits(self, place: Place) -> bool:
        """True for an output head that does not say so: outside of the layers, its outputs the rows of a table."""
        return not place.is_in_layer and place.stream != ONE and is_over_rows(place.component, self._rows)

    @cached_property
    def _rows(self) -> frozenset[Expression]:
        return rows_of(self.tree)


def fixed_inputs(tree: Component) -> dict[Dimension, Expression]:
    """Return the inputs that the sizes of a model fix: the source's tokens, where its encoder reads so many and no others."""
    streams = Streams(tree, Setting())
    readers = (place for place in streams.mixing if place.component.attending and place.component.reads)
    source = next((streams.source(reader) for reader in readers if s in reader.stream.dimensions), None)
    return {} if source is None or source == s_src else {s_src: source}


def is_cached(part: Component) -> bool:
    """True if attention keeps the keys and values of the tokens that it has seen."""
    attending = part.attending
    return attending is not None and bool(attending.causal) and attending.cached and not part.reads
