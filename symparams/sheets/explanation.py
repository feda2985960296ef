"""Explanations: what was done to the count, and the sum that comes out exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symparams.answers.explanations import Explanation
from symparams.expressions.nodes import Expression, Negative, Number
from symparams.expressions.printing.nodes import Remark, Signed
from symparams.expressions.written import total
from symparams.models.model import Model
from symparams.sheets.catalogue import catalogue
from symparams.sheets.document import (
    Block,
    Capital,
    Document,
    Equation,
    Lead,
    Link,
    Listed,
    Paragraph,
    Prose,
    Section,
    Sentence,
    Value,
)
from symparams.sheets.steps import Composer
from symparams.sheets.whole import is_users, letters_of


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
    if each.model != model.name:
        title = Sentence("explain.from_other", {"model": Prose(each.model)})
    elif each.terms:
        parts = [
            Sentence("explain.part", {"convention": composer.note(term.note), "difference": Signed(term.step.closed)})
            for term in each.terms
        ]
        title = Sentence("explain.sum", {"parts": Capital(Listed(tuple(parts)))})
    else:
        title = Sentence("explain.as_it_is")
    terms: list[Expression] = [Number(each.start)] if each.start else []
    terms += [_term(term.step.value or 0) for term in each.terms]
    chain = [Link(total(terms))]
    if chain[0].content != Number(each.result):
        chain.append(Link(Number(each.result)))
    if each.result != claim:
        chain.append(Link(Remark(Number(claim), composer.catalogue.entry("explain.rounded")), "≈"))
    return [Lead([title]), Equation(None, chain)]


def _term(value: int) -> Expression:
    return Number(value) if value >= 0 else Negative(Number(-value))
