"""Steps as blocks: the chain of a step's equation, the sentences on it, and what stands before the sum of several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from symparams.derivations.steps import Note, Step, StepKind
from symparams.errors import UnknownNameError
from symparams.expressions.marks import Named, Size
from symparams.expressions.nodes import Dimension, Expression, Number, Power, Product, Sum
from symparams.expressions.printing.nodes import Strong
from symparams.sheets.catalogue import Catalogue
from symparams.sheets.document import Block, Equation, Item, Lead, Link, Name, Paragraph, Sentence, Value
from symparams.sheets.terms import MEANINGS


class Composer:
    """Composes steps; the catalogue says which of a note's sentences there is."""

    def __init__(self, catalogue: Catalogue, *, is_users: bool) -> None:
        self.catalogue, self.is_users = catalogue, is_users

    def note(self, note: Note) -> Sentence | None:
        """The first of a note's sentences that there is; on a user's own component there may be none."""
        for key in note.keys:
            if f"notes.{key}" in self.catalogue.entries:
                terms = {name: Name(term) if isinstance(term, str) else term for name, term in note.terms.items()}
                meanings = MEANINGS.get(key.partition(".")[0], {})
                terms |= {meaning: terms[place] for meaning, place in meanings.items() if place in terms}
                needed = {place for _, place in self.catalogue.sentence(f"notes.{key}") if place is not None}
                if not self.is_users or needed <= terms.keys():
                    return Sentence(f"notes.{key}", terms)
        if not self.is_users:
            raise UnknownNameError(f"No catalogue has a sentence for {' or '.join(filter(None, note.keys))}.")
        return None

    def notes(self, step: Step) -> list[Value]:
        """The sentences on a step."""
        return [sentence for note in step.notes if (sentence := self.note(note)) is not None]

    def blocks(self, step: Step, *, is_alone: bool = False) -> Iterator[Block]:
        """A step, what leads to it first; one that is alone under its heading needs no name of its own."""
        notes = self.notes(step)
        if is_alone and not step.steps:
            if notes:
                yield Paragraph(notes)
        elif step.kind in (StepKind.STEP, StepKind.ABSENT, StepKind.TIED):
            yield Item(Name(str(step.name)), notes)
        for inner in step.steps:
            yield from self.blocks(inner, is_alone=step.kind == StepKind.GROUP and len(step.steps) == 1)
        if step.kind != StepKind.GROUP:
            if step.steps:
                yield Lead([closing(step)])
            yield equation(step)


def closing(step: Step) -> Sentence:
    """What introduces the sum of the steps before it: so many copies, or all of them together."""
    if step.kind == StepKind.STACK and isinstance(step.written, Product):
        return Sentence("sums.stack", {"times": step.written.factors[0]})
    return Sentence("sums.together")


def equation(step: Step) -> Equation:
    """A step's chain. A formula: as written, multiplied out, with numbers, its value. A sum of parts: as written, with
    numbers, by the values of its parts, and at last multiplied out with its value. A link that says nothing new is left out.
    """
    left = Named("", step.written) if step.kind == StepKind.TOTAL else step.quantity
    is_whole = not step.parts and not step.kind.closes
    numbers = [
        content for content in (step.substituted, step.by_parts) if content is not None and content != Number(step.value or 0)
    ]
    closed = [step.closed] if is_new(step) else []
    result = [value_of(step)] if step.value is not None and step.written != Number(step.value) else []
    apart: list[Expression] = [step.written, *closed, *numbers] if is_whole else [step.written, *numbers]
    last: list[Expression] = result if is_whole else [*closed, *result]
    links = [Link(content, joins=False) for content in apart]
    links += [Link(content, joins=i > 0 or is_whole or not numbers) for i, content in enumerate(last)]
    return Equation(left, links, in_a_row=is_whole)


def value_of(step: Step) -> Expression:
    """The value, strong where it closes a block."""
    value = Number(step.value or 0)
    return Strong(value) if step.kind.closes else value


def is_new(step: Step) -> bool:
    """Whether the closed form says more than the written one: V·h says no more than V × h."""
    written, closed = bare(step.written), bare(step.closed)
    if written == closed:
        return False
    is_plain = isinstance(step.written, (Dimension, Product)) and _factors_once(step.written)
    return not is_plain or _factors(step.written) != _factors(step.closed)


def bare(expression: Expression) -> Expression:
    """The expression without the marks that do not show: a side that is a single letter is printed as that letter."""
    if isinstance(expression, Size) and not isinstance(expression.inner, Product):
        return bare(expression.inner)
    if isinstance(expression, Sum):
        return Sum(tuple(bare(term) for term in expression.terms))
    return expression


def _factors_once(written: Expression) -> bool:
    factors = written.factors if isinstance(written, Product) else (written,)
    return (
        all(isinstance(factor, (Dimension, Number)) for factor in factors) and sum(isinstance(f, Number) for f in factors) < 2
    )


def _factors(product: Expression) -> Counter[Expression]:
    """The factors of a product, in whatever order, h² as two of h."""
    inner = product.inner if isinstance(product, Size) else product
    factors = inner.factors if isinstance(inner, Product) else (inner,)
    return Counter(
        base for factor in factors for base in ([factor.base] * factor.exponent if isinstance(factor, Power) else [factor])
    )
