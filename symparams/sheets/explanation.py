"""Explanations: what is supposed of our number, and the sum that comes out exactly, with its unit."""

from __future__ import annotations

from fractions import Fraction

from symparams.answers.claims import Met
from symparams.answers.explained import Explanation, Explanations
from symparams.answers.terms import ConventionTerm
from symparams.expressions.nodes import Expression, Negative, Sum
from symparams.expressions.printing.nodes import Remark, Signed
from symparams.expressions.written import number, total
from symparams.sheets.catalogue import catalogue
from symparams.sheets.costs.sheet import in_unit, said
from symparams.sheets.document import Block, Document, Equation, Lead, Link, Paragraph, Section
from symparams.sheets.quantities import sentence_of, unit_of
from symparams.sheets.steps import Composer
from symparams.sheets.values import Capital, Listed, Prose, Sentence, Value
from symparams.sheets.whole import is_users, letters_of

MOST_TERMS = 8  # that stand in brackets after what they are
REMARKS = {Met.ROUNDED: "explain.rounded", Met.TRUNCATED: "explain.truncated"}


def explanation(explanations: Explanations, language: str = "en") -> Document:
    """Each explanation with its sum; one honest sentence where there is none."""
    model = explanations.model
    is_own = is_users(model) or any(quantity.is_own for quantity in explanations.quantities)
    composer = Composer(catalogue(language), is_users=is_own)
    sections = [Section("explanation", None, _blocks(composer, model.name, each)) for each in explanations]
    if not explanations:
        sections = [Section("none", None, [Paragraph([_none(explanations)])])]
    return Document(
        "explanation",
        language,
        None,
        None,
        sections,
        letters=letters_of(model, "hidden", {}),
        subject=explanations,
        is_users=is_own,
    )


def _none(explanations: Explanations) -> Sentence:
    """How far a claimed count is from ours, or that no convention comes to a claimed cost."""
    claimed, model = explanations.claim.plainest.value, explanations.model
    name, count = Prose(model.name), explanations.our_count
    if count is None:
        return Sentence("explain.none_of_costs", {"claimed": Prose(explanations.claim.text), "model": name})
    terms: dict[str, Value] = {"claimed": int(claimed), "difference": abs(int(claimed) - count), "count": count, "model": name}
    return Sentence("explain.none", terms)


def _blocks(composer: Composer, asked: str, each: Explanation) -> list[Block]:
    """What is supposed, and start ± difference = result, rounded to the claim where it is not the claim itself."""
    words, calculation, source = composer.catalogue, each.calculation, list[Value]()
    if each.published:
        source = [Sentence("explain.source", {"source": Prose(each.published.source)})]
        key = f"explain.published.{each.published.why}"
        if key in words.entries:
            terms: dict[str, Value] = {"claimed": number(each.claim.value), "count": number(each.start)}
            return [Paragraph([Sentence(key, {**terms, "source": Prose(each.published.source)})])]
    written, result = total(_addends(each)), number(each.result)
    chain = [Link(written)] if written != result else []
    chain.append(Link(in_unit(result, calculation, words)))
    if unit_of(calculation.quantity, words):
        chain += said(each.result, calculation, words)
    if each.met is not Met.EXACT:
        chain.append(Link(Remark(number(each.claim.value), words.entry(REMARKS[each.met])), "≈"))
    lead = Lead([*_subject(composer, each), _title(composer, asked, each)])
    return [lead, Equation(None, chain, in_a_row=True), *([Paragraph(source)] if source else [])]


def _subject(composer: Composer, each: Explanation) -> list[Value]:
    """What the number is of, where it is not what people mean when they name nothing."""
    key = f"costs.{each.calculation.quantity.name}.explain"
    of = Sentence("explain.a_token" if each.is_of_token else "explain.whole")
    return [Sentence(key, {"of": of})] if key in composer.catalogue.entries else []


def _title(composer: Composer, asked: str, each: Explanation) -> Sentence:
    if each.model != asked:
        return Sentence("explain.from_other", {"model": Prose(each.model)})
    if not each.terms:
        return sentence_of(each.calculation.quantity, "as_it_is", composer.catalogue)
    return Sentence("explain.sum", {"parts": Capital(Listed(tuple(_part(composer, term) for term in each.terms)))})


def convention(composer: Composer, term: ConventionTerm) -> Value:
    """The sentence of a term; number types and recipes stand in it as they are."""
    if term.words:
        return Sentence(f"notes.{term.note.keys[0]}", {name: Prose(word) for name, word in term.words.items()})
    return composer.note(term.note) or Prose(term.note.keys[0])


def _part(composer: Composer, term: ConventionTerm) -> Value:
    """What a term is, with its difference in symbols where it has any and a reader can take them in."""
    said = convention(composer, term)
    closed = term.step.closed if term.step else None
    if closed is None or not closed.dimensions or (isinstance(closed, Sum) and len(closed.terms) > MOST_TERMS):
        return said
    return Sentence("explain.part", {"convention": said, "difference": Signed(closed)})


def _addends(each: Explanation) -> list[Expression]:
    """Our number and what each term adds; the difference at once where a term is none, or nothing where there is none.

    A term that is no difference stands as it is worked out: 2 × 8,030,261,248.
    """
    if each.start + sum(term.value for term in each.terms) != each.result:
        return [number(each.start), _signed(each.result - each.start)] if each.result != each.start else [number(each.result)]
    start = [number(each.start)] if each.start else []
    return [*start, *(_in_numbers(each, term) for term in each.terms if term.value)]


def _in_numbers(each: Explanation, term: ConventionTerm) -> Expression:
    written = term.step.written if term.step else None
    return written if written is not None and not each.start and not written.dimensions else _signed(term.value)


def _signed(value: int | Fraction) -> Expression:
    return number(value) if value >= 0 else Negative(number(-value))
