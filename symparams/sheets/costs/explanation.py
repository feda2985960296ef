"""Explanations of a claimed cost: what is supposed, and the sum that comes out, with its unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symparams.answers.claims import Met
from symparams.answers.cost_claims import CostClaim
from symparams.answers.explanations_of_costs import CostExplanation, Supposition
from symparams.expressions.nodes import Expression, Negative, Sum
from symparams.expressions.printing.nodes import Remark, Signed
from symparams.expressions.written import number, total
from symparams.models.model import Model
from symparams.sheets.catalogue import catalogue
from symparams.sheets.costs.sheet import in_unit, said
from symparams.sheets.document import Block, Document, Equation, Lead, Link, Paragraph, Section
from symparams.sheets.explanation import MOST_TERMS, REMARKS
from symparams.sheets.steps import Composer
from symparams.sheets.values import Capital, Listed, Prose, Sentence, Value
from symparams.sheets.whole import is_users, letters_of


@dataclass(frozen=True)
class ExplainedCost:
    """What a document on explanations of a cost is composed of."""

    model: Model
    claim: CostClaim
    explanations: tuple[CostExplanation, ...]


def cost_explanation(model: Model, claim: CostClaim, found: Sequence[CostExplanation], language: str = "en") -> Document:
    """Each explanation with its sum; one honest sentence where there is none."""
    composer = Composer(catalogue(language), is_users=is_users(model))
    sections = [Section("explanation", None, _blocks(composer, each)) for each in found]
    if not found:
        terms: dict[str, Value] = {"claimed": Prose(claim.text), "model": Prose(model.name)}
        sections = [Section("none", None, [Paragraph([Sentence("explain.none_of_costs", terms)])])]
    letters, subject = letters_of(model, "hidden", {}), ExplainedCost(model, claim, tuple(found))
    return Document(
        "cost_explanation", language, None, None, sections, letters=letters, subject=subject, is_users=is_users(model)
    )


def _blocks(composer: Composer, each: CostExplanation) -> list[Block]:
    """What is supposed, and start ± difference = result, rounded to the claim where it is not the claim itself."""
    words = composer.catalogue
    parts = tuple(_part(composer, supposed) for supposed in each.supposed)
    title = Sentence("explain.sum", {"parts": Capital(Listed(parts))}) if parts else Sentence("explain.as_it_is_a_cost")
    of = Sentence("explain.a_token" if each.is_of_token else "explain.whole")
    what = Sentence(f"explain.of.{each.calculation.quantity.name}", {"of": of})
    result = in_unit(number(each.result), each.calculation, words)
    chain = [Link(each_sum)] if (each_sum := _sum(each)) is not None else []
    chain.append(Link(result))
    chain += said(each.result, each.calculation, words)
    if each.met is not Met.EXACT:
        chain.append(Link(Remark(number(each.claim.value), words.entry(REMARKS[each.met])), "≈"))
    return [Lead([what, title]), Equation(None, chain, in_a_row=True)]


def _sum(each: CostExplanation) -> Expression | None:
    """Our number with what is added to it or taken away; none where nothing is."""
    difference = each.result - each.start
    if not difference:
        return None
    return total([number(each.start), number(difference) if difference > 0 else Negative(number(-difference))])


def supposition(composer: Composer, supposed: Supposition) -> Value:
    """The sentence of a supposition; number types and recipes stand in it as they are."""
    if supposed.words:
        return Sentence(f"notes.{supposed.note.keys[0]}", {name: Prose(word) for name, word in supposed.words.items()})
    return composer.note(supposed.note)


def _part(composer: Composer, supposed: Supposition) -> Value:
    """What is supposed, with its difference in symbols where a reader can take that in."""
    convention = supposition(composer, supposed)
    if supposed.difference is None:
        return convention
    closed = supposed.difference.closed
    if isinstance(closed, Sum) and len(closed.terms) > MOST_TERMS:
        return convention
    return Sentence("explain.part", {"convention": convention, "difference": Signed(closed)})
