"""Explanations: what was done to the count, and the sum that comes out exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symparams.answers.claims import Met
from symparams.answers.explanations import Explanation
from symparams.answers.terms import Term
from symparams.expressions.nodes import Expression, Negative, Number, Sum
from symparams.expressions.printing.nodes import Remark, Signed
from symparams.expressions.written import total
from symparams.models.model import Model
from symparams.sheets.catalogue import catalogue
from symparams.sheets.document import Block, Document, Equation, Lead, Link, Paragraph, Section
from symparams.sheets.steps import Composer
from symparams.sheets.values import Capital, Listed, Prose, Sentence, Value
from symparams.sheets.whole import is_users, letters_of

MOST_TERMS = 8  # that stand in brackets after what they are
REMARKS = {Met.ROUNDED: "explain.rounded", Met.TRUNCATED: "explain.truncated"}


@dataclass(frozen=True)
class Explained:
    """What a document on explanations is composed of."""

    model: Model
    claim: int
    explanations: tuple[Explanation, ...]


def explanation(model: Model, claim: int, explanations: Sequence[Explanation], language: str = "en") -> Document:
    """Each explanation with its sum; one honest sentence where there is none."""
    is_own = is_users(model)
    composer = Composer(catalogue(language), is_users=is_own)
    sections = [Section("explanation", None, _blocks(composer, model, claim, each)) for each in explanations]
    if not explanations:
        terms: dict[str, Value] = {
            "claimed": claim,
            "difference": abs(claim - model.count()),
            "count": model.count(),
            "model": Prose(model.name),
        }
        sections = [Section("none", None, [Paragraph([Sentence("explain.none", terms)])])]
    letters = letters_of(model, "hidden", {})
    subject = Explained(model, claim, tuple(explanations))
    return Document("explanation", language, None, None, sections, letters=letters, subject=subject, is_users=is_own)


def _blocks(composer: Composer, model: Model, claim: int, each: Explanation) -> list[Block]:
    source: list[Value] = []
    if each.published:
        source = [Sentence("explain.source", {"source": Prose(each.published.source)})]
        key = f"explain.published.{each.published.why}"
        if key in composer.catalogue.entries:
            said: dict[str, Value] = {"claimed": claim, "count": each.start, "source": Prose(each.published.source)}
            return [Paragraph([Sentence(key, said)])]
    chain = [Link(total([Number(each.start)] * bool(each.start) + [_term(each, term) for term in each.terms]))]
    if chain[0].content != Number(each.result):
        chain.append(Link(Number(each.result)))
    if each.result != claim:
        chain.append(Link(Remark(Number(claim), composer.catalogue.entry(REMARKS[each.met])), "≈"))
    return [Lead([_title(composer, model, each)]), Equation(None, chain), *([Paragraph(source)] if source else [])]


def _title(composer: Composer, model: Model, each: Explanation) -> Sentence:
    if each.model != model.name:
        return Sentence("explain.from_other", {"model": Prose(each.model)})
    if not each.terms:
        return Sentence("explain.as_it_is")
    return Sentence("explain.sum", {"parts": Capital(Listed(tuple(_part(composer, term) for term in each.terms)))})


def _part(composer: Composer, term: Term) -> Value:
    """What a term is, with its difference in symbols where it has any and a reader can take them in."""
    convention = composer.note(term.note)
    closed = term.step.closed
    if not closed.dimensions or (isinstance(closed, Sum) and len(closed.terms) > MOST_TERMS):
        return convention
    return Sentence("explain.part", {"convention": convention, "difference": Signed(closed)})


def _term(each: Explanation, term: Term) -> Expression:
    """A term in numbers; one that is no difference as it is worked out: 2 × 8,030,261,248."""
    if not each.start and not term.step.written.dimensions:
        return term.step.written
    return Number(term.value) if term.value >= 0 else Negative(Number(-term.value))
