"""References: what is said of a step that an earlier one has worked out, in other letters or of another width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symparams.components.kinds import PartRole
from symparams.derivations.renaming import renamed, renaming
from symparams.derivations.steps import Step, StepKind
from symparams.expressions.marks import Named, Size
from symparams.expressions.nodes import Expression, Sum
from symparams.expressions.printing.nodes import Strong
from symparams.expressions.written import Values, number, substitute, total
from symparams.models.blocks import MOST_EXPANDED
from symparams.sheets.document import Block, Equation, Item, Link
from symparams.sheets.values import Listed, Name, Sentence, Value


def of_width(step: Step, earlier: Sequence[Step]) -> Iterator[Block]:
    """An expert that is a network which was worked out before, of the same width or of another."""
    for first in (before for before in earlier if before.role is PartRole.FEED_FORWARD):
        letters = renamed(first.polynomial, step.polynomial)
        if letters is not None or first.polynomial == step.polynomial:
            key = "of_width" if letters else "of_this_width"
            terms: dict[str, Value] = {"network": first.quantity} | ({"width": letters[1]} if letters else {})
            yield Item(Name(str(step.name)), [Sentence(f"steps.{key}", terms)])
            yield _in_closed_form(step)
            return


def with_letters(step: Step, earlier: Sequence[Step]) -> Iterator[Block]:
    """A layer that is written as an earlier one but for its letters: h_vision for h_text."""
    for first in earlier:
        letters = renaming(first, step) if first.kind == step.kind == StepKind.BLOCK else None
        if letters and len(step.polynomial.terms) <= MOST_EXPANDED:
            pairs = tuple(Sentence("steps.letter", {"old": old, "new": new}) for old, new in letters.items())
            sentence = Sentence("steps.with_letters", {"layer": first.quantity, "letters": Listed(pairs, "steps.and")})
            yield Item(Name(str(step.name)), [sentence])
            yield _in_closed_form(step)
            return


def from_before(step: Step) -> list[Name]:
    """The results that a block adds up and that were worked out before it: what every layer has."""
    terms = step.written.terms if isinstance(step.written, Sum) else (step.written,)
    within = {inner.written for inner in step.walk()}
    return [Name(str(term.label)) for term in terms if isinstance(term, Named) and term.definition not in within]


def in_numbers(form: Expression, values: Values) -> Expression:
    """A closed form with numbers, its products as products: 3 × 7,168 × 18,432."""
    terms = form.terms if isinstance(form, Sum) else (form,)
    return total([substitute(term.inner if isinstance(term, Size) else term, values) for term in terms])


def _in_closed_form(step: Step) -> Equation:
    """Symbols, numbers, the result, for a step whose formula as written has been read before."""
    links = [Link(step.closed)]
    if step.value is not None:
        value = number(step.value)
        links += [Link(in_numbers(step.closed, step.subject.values)), Link(Strong(value) if step.kind.closes else value)]
    return Equation(step.quantity, links, in_a_row=True)
