"""The brief of a cost: one page for a whiteboard. The letters, a table of what each part adds, the sum, other ways to count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from symparams.derivations.costs import short
from symparams.derivations.derivation import Derivation
from symparams.derivations.steps import step
from symparams.expressions.nodes import Expression, Named, Number, Size, Sum
from symparams.expressions.symbols import by_reading
from symparams.expressions.written import number
from symparams.sheets.catalogue import Catalogue, catalogue
from symparams.sheets.costs.budget.figures import MOST_TERMS
from symparams.sheets.costs.sheet import answer, calculation_of, costs, in_unit, rounded_links, title_of
from symparams.sheets.dimensions import meaning, value
from symparams.sheets.document import Column, Document, Equation, Legend, Link, Result, Section, Table
from symparams.sheets.quantities import column_of
from symparams.sheets.values import Capital, Name, Sentence, Value, amount


def costs_brief(
    derivation: Derivation, language: str = "en", notation: str = "hidden", symbols: Mapping[str, str] | None = None
) -> Document:
    """The brief of what a model costs, from its sheet."""
    document, words = costs(derivation, language, notation, symbols), catalogue(language)
    kept = [section for section in document.sections if section.key in ("fits", "conventions")]
    sections = [Section("parts", None, [_table(derivation, words)]), Section("blocks", None, [_sum(derivation, words)]), *kept]
    total, calculation = derivation.total, calculation_of(derivation)
    results: list[Result] = []
    if total.value is not None:
        rounded: Link | None = next(iter(rounded_links(total.value, calculation, words)), None)
        results.append(Result(Name(str(total.name)), in_unit(number(total.value), calculation, words), rounded))
    return replace(
        document,
        kind="brief",
        title=title_of(derivation),
        answer=None,
        sections=[Section("dimensions", None, [_legend(derivation)]), *sections],
        results=results,
    )


def _legend(derivation: Derivation) -> Legend:
    """The letters of the formula in a word each."""
    model = derivation.model
    letters = sorted(derivation.total.closed.dimensions, key=by_reading)
    return Legend([(meaning(letter, model), letter, value(model, letter)) for letter in letters])


def _sum(derivation: Derivation, words: Catalogue) -> Equation:
    """The sum; of one that nobody takes in its number alone, as the parts stand in the table, or in N as it is written."""
    equation, calculation = answer(derivation, words), calculation_of(derivation)
    if not _is_long(derivation.total.closed) or derivation.total.value is None:
        return equation
    has_copies = any(term.times != Number(1) for term in calculation.terms)
    return replace(equation, chain=[*([] if has_copies else [Link(calculation.written, joins=False)]), *equation.chain[1:]])


def _is_long(closed: Expression) -> bool:
    """True if nobody takes a form in, or it refers by name to steps that a brief does not have."""
    return isinstance(closed, Sum) and (len(closed.terms) > MOST_TERMS or any(map(_refers, closed.terms)))


def _refers(expression: Expression) -> bool:
    return isinstance(expression, Named) or any(map(_refers, expression.operands))


def _table(derivation: Derivation, words: Catalogue) -> Table:
    """Return the table of parts: one copy, the number of copies, and all of them."""
    calculation, model = calculation_of(derivation), derivation.model
    is_bound = derivation.total.value is not None
    rows: list[list[Value]] = []
    for term in calculation.terms:
        single, every = (short(step(model, "", term.name, addend)) for addend in (term.written, term.every))
        numbers: list[Value] = [amount(single.value), amount(every.value)] if is_bound else []
        formula = Size(term.written) if _is_long(single.closed) else single.closed  # 2·N
        rows.append([Capital(Name(term.name)), formula, Size(term.times), *numbers])
    unit = column_of(calculation.quantity)
    columns = [
        Column(Sentence("columns.part"), is_words=True),
        Column(Sentence("columns.formula"), moves=1),
        Column(Sentence("columns.times"), "r"),
        *([Column(Sentence("columns.per_layer"), "r", goes=1), Column(unit, "r")] if is_bound else []),
    ]
    if is_bound:
        rows.append([Sentence("headings.sum"), None, None, None, amount(derivation.total.value)])
    return Table("parts", columns, rows, last_is_sum=is_bound)
