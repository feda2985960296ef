"""Composing for a page: the blocks of a sheet, where what depends on the values is left to the browser.

A sheet of a model without values, whose links, sums and relations are places of steps: the browser multiplies out, puts in
the numbers and says which relation a step uses.
"""

from __future__ import annotations

from typing import cast

from symparams.derivations.steps import Step, StepKind
from symparams.expressions.nodes import Dimension, Equality, Expression, Product, Sum
from symparams.records import frozen
from symparams.sheets.document import Block, Item
from symparams.sheets.steps import Composer, closing
from symparams.sheets.values import Name, Sentence, Value


@frozen
class Since:
    """The sentence on the relations that a step uses, but for those that are ``stated`` before."""

    step: Step
    stated: tuple[Dimension, ...]


@frozen
class Copies:
    """The sentence before so many copies of a layer, which names the relation that the step uses."""

    step: Step
    times: Expression
    is_sole: bool


@frozen
class Chain:
    """The chain of a step; ``instead`` is what it begins with in place of the formula as written."""

    kind = "chain"
    step: Step
    instead: Expression | None = None
    is_closed: bool = False


class PageComposer(Composer):
    """Composes the blocks of a page."""

    def copy(self) -> PageComposer:
        """A composer that knows as much, and goes on by itself."""
        other = PageComposer(self.catalogue, is_users=self.is_users)
        other.said, other.worked_out = {*self.said}, {**self.worked_out}
        return other

    def since(self, step: Step) -> list[Value]:
        terms = [term for note in step.notes for term in note.terms.values() if isinstance(term, Equality)]
        return [cast(Value, Since(step, tuple(dict.fromkeys(d for term in terms for d in term.dimensions))))]

    def closing(self, step: Step) -> Value:
        copies = step.written.terms[0] if isinstance(step.written, Sum) else step.written
        if step.kind == StepKind.STACK and isinstance(copies, Product):
            return cast(Value, Copies(step, copies.factors[0], copies is step.written))
        return closing(step)

    def equation(self, step: Step) -> Block:
        return _chain(step)

    def _referred(self, step: Step, within: Step | None) -> list[Block]:
        blocks = super()._referred(step, within)
        return [_chain(step, is_closed=True) if block.kind == "equation" else block for block in blocks]

    def _again(self, step: Step, first: Step, place: Step) -> list[Block]:
        blocks = super()._again(step, first, place)
        if len(blocks) == 1:  # as in the encoder: N_attention = …
            terms: dict[str, Value] = {"place": Name(str(place.name)), "result": step.quantity}
            return [Item(Name(str(step.name)), [Sentence("steps.again", terms)]), _chain(step, is_closed=True)]
        return [*blocks[:1], _chain(step, first.quantity)] if blocks else []


def _chain(step: Step, instead: Expression | None = None, *, is_closed: bool = False) -> Block:
    """A chain in the place of a block of a document, which the writer of a page knows."""
    return cast(Block, Chain(step, instead, is_closed))
