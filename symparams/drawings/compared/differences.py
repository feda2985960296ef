"""Differences: what a block of one model has otherwise than its partner, exactly, and why, in the words of the catalogues."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

from symparams.answers.traits import OWN, TIED, kind_of
from symparams.components.facts import AttentionFacts
from symparams.components.kinds import Role, Use
from symparams.components.tree import Component
from symparams.components.walks import leaves
from symparams.derivations.steps import StepKind
from symparams.drawings.compared.columns import ModelColumn
from symparams.drawings.context import DrawingContext
from symparams.drawings.panels.facts import activation, block_facts, is_turned
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.symbols import L, by_reading, d_head, n_heads, n_kv_heads
from symparams.records import frozen


@frozen
class BlockDifference:
    """What one block, or stack, of the first model and its partner have otherwise; one of the two may lack it."""

    first: ModelColumn
    other: ModelColumn
    path: str = ""  # in the first model; "" where that lacks it
    partner: str = ""

    @property
    def is_alone(self) -> bool:
        """True if one of the models lacks it."""
        return not (self.path and self.partner)

    @cached_property
    def number(self) -> int:
        """The parameters of the other less those of the first, of one layer where they stand in a stack."""
        here, there = self.path and self.first.count(self.path), self.partner and self.other.count(self.partner)
        return (there or 0) - (here or 0)

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        """Why they differ: "key-value heads: 32 → 8"; which model lacks it."""
        if self.is_alone:
            lacking = self.other if self.path else self.first
            return (self._say("lacking", model=lacking.name),)
        return tuple(self._reasons())

    @property
    def differs(self) -> bool:
        """True if there is anything to tell."""
        return bool(self.number or self.reasons)

    @property
    def is_of_layers(self) -> bool:
        """True of a stack of layers."""
        return self.has[1] in self.has[0].stacks

    @property
    def has(self) -> tuple[ModelColumn, str]:
        """The model that has it, the first where both do, and its path there."""
        return (self.first, self.path) if self.path else (self.other, self.partner)

    @property
    def name(self) -> str:
        """What it is called in that model."""
        return self.has[0].called(self.has[1])

    @property
    def told(self) -> str:
        """The difference with its sign, of a layer where it stands in a stack: "+40,894,464 a layer"."""
        column, path = self.has
        number = signed(column.context, self.number)
        is_in_layer = bool(self.number) and not self.is_of_layers and column.is_repeated(path)
        return self._say("in_a_layer", number=number) if is_in_layer else number

    def _say(self, key: str, **terms: int | str) -> str:
        return self.first.context.sentence(f"compared.{key}", **terms)

    def _changed(self, before: str, after: str) -> str:
        return self._say("changed", before=before, after=after)

    def _size(self, called_: str, before: int, after: int) -> str:
        numbers = (self.first.context.number(before), self.first.context.number(after))
        return self._say("size", what=called_, change=self._changed(*numbers))

    def _reasons(self) -> Iterator[str]:
        here, there = self.first.component(self.path), self.other.component(self.partner)
        if self.is_of_layers:
            layers = self.first.layers(self.path), self.other.layers(self.partner)
            yield from [self._size(self._word(L), *layers)] if layers[0] != layers[1] else []
            return
        kinds = [kind_of(column.context.model, part) for column, part in ((self.first, here), (self.other, there))]
        manners = [*self._manners(here, there)]
        if kinds[0] != kinds[1] and all(kinds):
            yield self._changed(*(str(self.first.context.words.entry(f"compare.kinds.{kind}")) for kind in kinds))
        elif not manners and (names := [self.first.called(self.path), self.other.called(self.partner)])[0] != names[1]:
            yield self._changed(*names)
        yield from manners
        told: set[Dimension] = set()
        if here.attending and there.attending:
            groups = (_heads(here.attending), _heads(there.attending))
            yield from self._heads(*groups)
            told = {letter for group in groups for size in group.values() for letter in size.dimensions}
        if not all(_is_tied(column, path) for column, path in ((self.first, self.path), (self.other, self.partner))):
            yield from self._sizes({*_letters(here)} & {*_letters(there)} - told)

    def _manners(self, here: Component, there: Component) -> Iterator[str]:
        """What both have, of another manner: tied or not, the activation, biases, the window."""
        entry = self.first.context.words.entry
        ties = [_is_tied(column, path) for column, path in ((self.first, self.path), (self.other, self.partner))]
        if ties[0] != ties[1]:
            yield self._changed(*(str(entry(f"compare.kinds.{TIED if tie else OWN}")) for tie in ties))
        active = [
            activation(column.context, path, part) if part.is_sublayer else ""
            for column, path, part in ((self.first, self.path, here), (self.other, self.partner, there))
        ]
        if active[0] != active[1] and all(active):
            yield self._changed(*active)
        if here.attending and there.attending:
            turned = is_turned(self.first.context, here.attending), is_turned(self.other.context, there.attending)
            if turned[0] != turned[1]:
                yield self._changed(*(self._say("turned" if is_so else "unturned") for is_so in turned))
        biased = [_has_bias(part) for part in (here, there)]
        if biased[0] != biased[1] and here.role is there.role is not Role.NORM and not any(ties):
            yield self._changed(*(self._say("biased" if has else "unbiased") for has in biased))
        facts = [block_facts(column.context, part) for column, part in ((self.first, here), (self.other, there))]
        if facts[0] != facts[1]:
            yield self._changed(*(fact or str(entry("compare.none")) for fact in facts))

    def _heads(self, here: Mapping[Dimension, Expression], there: Mapping[Dimension, Expression]) -> Iterator[str]:
        """The heads of attention, those of keys and values where they are others, and how wide they are."""
        sizes = {
            letter: (self.first.context.value(here[letter]), self.other.context.value(there[letter]))
            for letter in here
            if letter in there
        }
        for letter, (before, after) in sizes.items():
            is_own = letter is not n_kv_heads or sizes[n_heads] != (before, after)
            if before is not None and after is not None and before != after and is_own:
                yield self._size(self._word(letter), before, after)

    def _sizes(self, letters: Collection[Dimension]) -> Iterator[str]:
        """The sizes that both models have, of other numbers."""
        for letter in sorted(letters, key=by_reading):
            before, after = (column.context.model.values.get(letter) for column in (self.first, self.other))
            if isinstance(before, int) and isinstance(after, int) and before != after:
                yield self._size(self._word(letter), before, after)

    def _word(self, letter: Dimension) -> str:
        """The short name of a size; its letter where the catalogues have none."""
        context = self.first.context
        keys = (f"{section}.{letter.name}" for section in ("brief.dimensions", "dimensions"))
        return next((str(context.words.entry(key)) for key in keys if key in context.words.entries), context.plain(letter))


def signed(context: DrawingContext, number: int) -> str:
    """A difference with its sign, in the language's digits."""
    return f"{'+' if number > 0 else '−' if number else '±'}{context.number(abs(number))}"


def _heads(attending: AttentionFacts) -> dict[Dimension, Expression]:
    """What there is to tell of heads; keys and values that are made of one compressed vector have none of their own."""
    queries = {n_heads: attending.heads.number}
    own = {n_kv_heads: attending.kv_heads.number, d_head: attending.heads.width}
    return queries if attending.latent else queries | own


def _is_tied(column: ModelColumn, path: str) -> bool:
    return column.context.step(path, column.component(path)).kind is StepKind.TIED


def _letters(part: Component) -> Iterator[Dimension]:
    for leaf in leaves(part, within=True):
        sizes = [*(side for tensor in leaf.component.tensors for side in tensor.sides), leaf.times]
        yield from (letter for size in sizes for letter in size.dimensions)


def _has_bias(part: Component) -> bool:
    return any(tensor.use is Use.BIAS for leaf in leaves(part, within=True) for tensor in leaf.component.tensors)
