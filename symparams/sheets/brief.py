"""The brief: one page for a whiteboard. Dimensions, one table, the total, what will be asked, the check in one's head."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from symparams.derivations.derivation import Derivation, as_printed
from symparams.derivations.parts import Part, parts
from symparams.derivations.reasons import Count, Reason, reasons
from symparams.derivations.rule_of_thumb import FEED_FORWARD, RuleOfThumb
from symparams.derivations.steps import Step, step
from symparams.errors import OptionError
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.marks import Equality, Named, Size
from symparams.expressions.nodes import Dimension, Expression, Number
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.printing.nodes import Strong
from symparams.expressions.symbols import by_reading
from symparams.expressions.written import substitute, times, total
from symparams.models.formula import Formula
from symparams.models.model import Model
from symparams.sheets.catalogue import catalogue
from symparams.sheets.dimensions import closed_under_relations, printed
from symparams.sheets.document import (
    Capital,
    Column,
    Document,
    Equation,
    Lines,
    Link,
    Listed,
    Name,
    Paragraph,
    Section,
    Sentence,
    Table,
    Value,
)
from symparams.sheets.numbers import rounded
from symparams.sheets.whole import answer, choice, is_users, letters_of, title

LEAST_SHARE = Fraction(1, 500)  # what is less is not worth keeping in one's head

Rounding = Sequence[Mapping[str, object]]


def brief(
    derivation: Derivation, language: str = "en", notation: str = "hidden", symbols: Mapping[str, str] | None = None
) -> Document:
    """The brief of a derivation; OptionError for a bare formula, which has no parts."""
    subject, derivation = derivation, as_printed(derivation, symbols or ())
    model = derivation.subject
    if isinstance(model, Formula):
        raise OptionError("A bare formula has no parts: it has no brief.")
    rounding = catalogue(language).rounding
    found = parts(model)
    blocks = model.blocks()
    asked = [
        Section(
            "parts",
            None,
            [_table(model, found, {multiply_out(name.definition, model.relations): name for name in blocks.named})],
        ),
        Section("blocks", None, [Equation(named, [Link(named.definition)]) for named in blocks.named]),
        *_asked(derivation, rounding),
        *_in_the_head(derivation, rounding),
    ]
    letters = closed_under_relations(model, {*printed(asked), *model.dimensions})
    return Document(
        kind="brief",
        language=language,
        title=title(derivation),
        answer=answer(derivation.total, rounding),
        sections=[Section("dimensions", None, [_dimensions(model, letters)]), *asked],
        preface=choice(model),
        letters=letters_of(model, notation, symbols or {}),
        subject=subject,
        is_users=is_users(subject.subject),
    )


def _dimensions(model: Model, letters: set[Dimension]) -> Paragraph:
    """V = 30,522, h = 768, d_ff = 4·h = 3,072."""
    said: list[Value] = []
    for dimension in sorted(letters, key=by_reading):
        value: Expression | None = Number(model.values[dimension]) if dimension in model.values else None
        relation = Size(model.relations[dimension]) if dimension in model.relations else None
        right = relation if value is None else value if relation is None else Equality(relation, value)
        said.append(Equality(dimension, right) if right is not None else dimension)
    return Paragraph([Listed(tuple(said), "brief.gap")])


def _table(model: Model, found: Sequence[Part], named: Mapping[Polynomial, Named]) -> Table:
    """Part, formula, one layer, how often, all of them, share; and what is active."""
    is_bound, has_experts = not model.unbound, model.has_experts
    keys = ["formula", *(["per_layer", "times", "parameters", "share"] if is_bound else ["times"])]
    keys += ["active"] if has_experts and is_bound else []
    rows: list[list[Value]] = []
    for part in found:
        cells: dict[str, Value] = {
            "formula": named.get(part.one.polynomial, part.one.closed),
            "per_layer": part.one.value if part.is_repeated else None,
            "times": part.copies.value if is_bound else part.copies.closed,
            "parameters": part.every.value,
            "share": part.share,
            "active": part.active.value,
        }
        rows.append([Capital(Name(part.name, part.within if _is_met_twice(part, found) else "")), *(cells[k] for k in keys)])
    last: dict[str, Value] = {"parameters": model.count() if is_bound else None, "share": Fraction(1)}
    last |= {"active": model.active_count()} if has_experts and is_bound else {}
    rows += [[Sentence("headings.sum"), *(last.get(key) for key in keys)]] if is_bound else []
    columns = [Column(Sentence("columns.component"), is_words=True), Column(Sentence("columns.formula"), moves=1)]
    columns += [Column(Sentence(f"columns.{key}"), "r") for key in keys[1:]]
    return Table("parts", columns, rows, last_is_sum=is_bound)


def _is_met_twice(part: Part, found: Sequence[Part]) -> bool:
    return sum(other.name == part.name for other in found) > 1


def _asked(derivation: Derivation, rounding: Rounding) -> Iterator[Section]:
    model, rule = derivation.model, derivation.rule_of_thumb
    dropped = next((each for each in rule.sources if each.name == "biases_and_norms"), None) if rule else None
    if dropped is not None:
        said = [_said(reason, rounding) for reason in reasons(model, dropped)]
        yield Section("asked", Sentence("headings.asked"), [Lines(said)])


def _said(reason: Reason, rounding: Rounding) -> Sentence:
    terms: dict[str, Value] = {}
    is_bound = True
    for name, term in reason.terms.items():
        if not isinstance(term, Count):
            terms[name] = term
            continue
        is_bound = term.step.value is not None
        terms |= {name: term.step.closed, "value": _short(term.step.value or 0, rounding), "share": term.share}
    return Sentence(f"reasons.{reason.key}" if is_bound else f"reasons.symbolic.{reason.key}", terms)


def _short(value: int, rounding: Rounding) -> Expression:
    words = rounded(value, rounding)
    return words[0] if words else Number(value)


def _in_the_head(derivation: Derivation, rounding: Rounding) -> Iterator[Section]:
    """The matrices of the layers, the tables, and both together: by how much they miss the count."""
    rule = derivation.rule_of_thumb
    if rule is None or rule.error is None or rule.estimate.value is None:
        return
    tables = _tables(derivation.model, rule)
    chain, layers = _layers(derivation.model, rule, rounding)
    together = layers + (tables.value or 0)
    addends: list[Expression] = [_short(layers, rounding)]
    if tables.value:
        chain.append(_chain(tables, None, rounding))
        addends.append(_short(tables.value, rounding))
    result = Link(Strong(_short(together, rounding)), "≈")
    error = 1 - Fraction(together, derivation.model.count())
    missing = Paragraph([Sentence("brief.missing", {"error": error})])
    yield Section(
        "head",
        Sentence("headings.head"),
        [*chain, *([Equation(total(addends), [result], in_a_row=True)] if len(addends) > 1 else []), missing],
    )


def _layers(model: Model, rule: RuleOfThumb, rounding: Rounding) -> tuple[list[Equation], int]:
    """The matrices of the layers: by the rule, or part by part where that has more terms than one keeps in one's head."""
    if rule.what != FEED_FORWARD:
        return [_chain(rule.estimate, rule.squares, rounding)], rule.estimate.value or 0
    layers = [part for part in parts(model) if part.is_repeated and part.share and part.share > LEAST_SHARE]
    addends = [times(Number(part.copies.value or 0), _short(part.one.value or 0, rounding)) for part in layers]
    together = sum(part.every.value or 0 for part in layers)
    return [Equation(total(addends), [Link(_short(together, rounding), "≈")], in_a_row=True)], together


def _chain(estimate: Step, squares: Expression | None, rounding: Rounding) -> Equation:
    """A formula, its numbers and what they come to, roughly."""
    closed = squares if squares is not None else estimate.closed
    numbers = substitute(closed.inner if isinstance(closed, Size) else closed, estimate.subject.values)
    links = [Link(numbers)] if len(estimate.polynomial.terms) == 1 or squares is not None else []
    links.append(Link(_short(estimate.value or 0, rounding), "≈"))
    return Equation(closed, links, in_a_row=True)


def _tables(model: Model, rule: RuleOfThumb) -> Step:
    """The embedding tables, and the matrices outside of the layers, which a head is."""
    missed = [each.written for each in rule.sources if each.name in ("embedding_tables", "other_matrices")]
    return step(model, "", "tables", total(missed))
