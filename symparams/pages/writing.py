"""Writing: the blocks of one sheet as entries of the pool, with what they are called there."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from symparams.components.walks import Leaf
from symparams.derivations.steps import Step, StepKind
from symparams.expressions.closed_form import Relations
from symparams.expressions.nodes import Expression, Named, terms_of
from symparams.expressions.written import total
from symparams.pages.anchors import Anchors
from symparams.pages.closings import Closings, of_addend, of_formula, of_step
from symparams.pages.composing import Chain, Copies, Since
from symparams.pages.pool import Formulas, Pool
from symparams.sheets.catalogue import catalogue, languages
from symparams.sheets.chosen import Names
from symparams.sheets.document import Block
from symparams.sheets.steps import is_of_experts
from symparams.sheets.values import Capital, Code, Listed, Name, Phrase, Prose, Sentence, Value

Entry = tuple[Any, ...]
HEADS = ("notes.heads.multi_query", "notes.heads.one_each", "notes.heads.grouped")  # of which the values choose one


class Writer:
    """Writes the parts of one sheet into the pool: what is called how there."""

    def __init__(self, pool: Pool, closings: Closings, names: Names, anchors: Anchors, *, is_cost: bool = False) -> None:
        self.pool, self.closings, self.told, self.anchors, self.is_cost = pool, closings, names, anchors, is_cost
        self.names = frozenset((label, frozenset(told.items())) for label, told in names.items())
        known = pool.known.setdefault(self.names, Formulas(pool.formulas, self._named, self._label))
        known.named, known.label = self._named, self._label
        self.place = known.place

    def _named(self, quantity: Named) -> int:
        plain, told = Name(str(quantity.label)), self.told.get(str(quantity.label))
        return self.name(told.get(quantity.definition, plain) if told else plain)

    def _label(self, label: str) -> int:
        return self.name(Name(str(label)))

    def name(self, name: Name) -> int:
        """The place of a name."""
        return self.pool.names.place((name.key, name.qualifier))

    def heading(self, step: Step) -> Entry:
        """Return the heading of a section, as on the sheet: one layer of a stack, or the part."""
        if step.kind != StepKind.STACK:
            return self.value(Capital(Name(str(step.name))))
        return self.value(Capital(Name(f"one:{step.layer if self.is_cost else step.steps[0].name}")))

    def step(self, step: Step) -> int:
        """The place of a step: its name, its formula, whether it closes a block, its closed forms, its parts."""
        quantity, parts = self.place(step.quantity), tuple(self.place(part.written) for part in step.parts)
        form = self.place(step.form) if step.form is not None and not self.is_cost else -1
        decided = (self.is_cost, quantity, parts, form, step.kind, bool(step.steps), is_of_experts(step),
                   any(inner.form for inner in step.walk()))  # fmt: skip
        closing = self.closing(
            decided, step.written, lambda relations: of_step(step, relations, self.place, is_cost=self.is_cost)
        )
        return self.pool.steps.place((quantity, closing, int(step.kind.closes), parts))

    def closed(self, formula: Expression) -> int:
        """The place of the closed forms of a formula by itself."""
        return self.closing("closed", formula, lambda relations: of_formula(formula, relations, self.place))

    def closing(self, key: Hashable, formula: Expression, entry: Callable[[Relations], Entry]) -> int:
        """The place of what is made of a formula under each choice of the relations that it depends on.

        The key says what else it is made of, as the names of results that do not stand in the formula.
        """
        return self.closings.place((key, self.place(formula)), formula, entry)

    def addend(self, addend: Step, leaves: Sequence[Leaf]) -> tuple[int, ...]:
        """The place of an addend of a total, and those of what it is there: copies of a layer, and what stands beside them."""
        copies, *beside = terms_of(addend.written) if addend.kind is StepKind.STACK else (addend.written,)
        parts = [replace(addend, written=copies)]
        parts += [replace(addend, written=total(beside), kind=StepKind.STEP)] if beside else []
        closings = [
            self.closing(
                (self.names, self.is_cost, part.kind, part.path),
                part.written,
                lambda relations, part=part: of_addend(  # type: ignore[misc]
                    part, relations, self.place, self.closings.terms, leaves, is_cost=self.is_cost
                ),
            )
            for part in parts
        ]
        return self.place(addend.quantity), *closings

    def blocks(self, blocks: Iterable[Block]) -> Iterator[Entry]:
        """Blocks as entries."""
        blocks = list(blocks)
        for block, following in zip(blocks, (*blocks[1:], None), strict=True):
            if isinstance(block, Chain):
                instead = self.place(block.instead) if block.instead is not None else -1
                yield ("chain", self.step(block.step), instead, int(block.is_closed))
            elif block.kind == "item":
                path = following.step.path if isinstance(following, Chain) else ""
                name = block.name.values[0] if isinstance(block.name, Listed) else block.name  # type: ignore[union-attr]
                anchor = self.anchors.step(path, name.key)  # type: ignore[union-attr]
                yield ("item", self.value(block.name), self.values(block.sentences), anchor)  # type: ignore[union-attr]
            else:
                yield ("text", self.values(block.sentences))  # type: ignore[union-attr]

    def _place_of_first(self, *keys: str) -> int:
        """The place of a sentence, the first of these."""
        first, *_ = (self.pool.sentences.place(key) for key in keys)
        return first

    def values(self, values: Iterable[Value]) -> Entry:
        """Values as entries; what says nothing is left out."""
        return tuple(self.value(value) for value in values if value is not None)

    def value(self, value: Any) -> Entry:
        """A value as an entry."""
        match value:
            case Sentence(key, terms):
                given = {name: term for name, term in terms.items() if term is not None and name in _places(key)}
                return self._heads(key, value) or (
                    "s",
                    self._place_of_first(key),
                    tuple(sorted((name, self.value(term)) for name, term in given.items())),
                )
            case Name():
                return ("n", self.name(value))
            case Capital(inner):
                return ("C", self.value(inner))
            case Listed(values, mark):
                return ("l", self._place_of_first(mark), tuple(map(self.value, values)))
            case Phrase(parts):
                return ("p", tuple(("t", part) if isinstance(part, str) else self.value(part) for part in parts))
            case Prose(text):
                return ("t", text)
            case Code(text):
                return ("c", text)
            case Since(step, stated):
                self._place_of_first("steps.since", "signs.and")
                return ("since", self.step(step), tuple(d.name for d in stated))
            case Copies(step, times, is_sole):
                key = "sums.stack" if is_sole else "sums.stack_beside"
                self._place_of_first(key, f"{key}_since", "signs.and")
                return ("copies", self.step(step), key, self.place(times))
            case Expression():
                return ("x", self.place(value))
        raise TypeError(f"no entry of a page for {type(value).__name__}")

    def _heads(self, key: str, sentence: Sentence) -> Entry | None:
        """The sentence on heads that are shared: one of three, which the browser chooses by the values."""
        if key not in ("notes.heads.grouped", "notes.heads.one_each"):
            return None
        self._place_of_first(*HEADS)
        return ("heads", HEADS, tuple((name, self.value(term)) for name, term in sentence.terms.items()))


@cache
def _places(key: str) -> frozenset[str | None]:
    """The placeholders of a sentence in any language."""
    return frozenset(place for language in languages() for _, place in catalogue(language).sentence(key))
