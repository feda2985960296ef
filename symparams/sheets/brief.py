"""The brief: one page for a whiteboard. Dimensions, one table, the total, what will be asked, the check in one's head."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from symparams.derivations.derivation import Derivation, as_printed
from symparams.derivations.parts import Part, models_within, portions_of
from symparams.derivations.steps import Step, step
from symparams.errors import OptionError
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.nodes import Dimension, Equality, Expression, Named, Number, Product, Quotient, Size, Sum
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.symbols import by_reading
from symparams.expressions.written import number
from symparams.models.blocks import ONE_EXPERT, Blocks, by_blocks
from symparams.models.formula import Formula, Subject
from symparams.models.model import Model
from symparams.quantities.parameters import FROZEN
from symparams.sheets.asked import asked
from symparams.sheets.budget.figures import MOST_TERMS
from symparams.sheets.catalogue import Catalogue, catalogue
from symparams.sheets.chosen import Names, choice, name_of
from symparams.sheets.dimensions import all_layers, closed_under_relations, meaning, printed, remainder, value
from symparams.sheets.document import Column, Document, Equation, Legend, Link, Result, Section, Table
from symparams.sheets.estimates import estimates, outer
from symparams.sheets.quantities import column_of, in_unit, meaning_of, rounded_links, sentence_of
from symparams.sheets.steps import Composer, result_of
from symparams.sheets.summed import summed
from symparams.sheets.values import Capital, Name, Percentage, Sentence, Value, amount
from symparams.sheets.whole import answer, assumed, conventions, counted, fits, is_users, letters_of, names_of

GOES = {"active": 1, "per_layer": 2}  # columns that follow from the others
DECIMALS, DECIMALS_OF_MIXTURES = 1, 2  # of a share; of a mixture all but the experts is small


def brief(
    derivation: Derivation, language: str = "en", notation: str = "hidden", symbols: Mapping[str, str] | None = None
) -> Document:
    """The brief of a derivation; OptionError for a bare formula, which has no parts."""
    subject, derivation = derivation, as_printed(derivation, symbols or ())
    if derivation.calculation is None or isinstance(derivation.subject, Formula):
        raise OptionError("A bare formula has no parts: it has no brief.")
    model, quantity, words = derivation.model, derivation.quantity, catalogue(language)
    is_own = is_users(subject.subject) or quantity.is_own
    composer, portions = Composer(words, is_users=is_own), portions_of(derivation.calculation)
    blocks = None if derivation.is_by_terms else by_blocks(model.leaves, model.relations, keeps_inner=True)
    named = {multiply_out(name.definition, model.relations): name for name in blocks.named} if blocks is not None else {}
    total = _sum(derivation, words) if blocks is None else summed(model, portions, blocks)
    sections = [
        Section("parts", sentence_of(quantity, "shares", words), [_table(derivation, portions, named, words)]),
        Section("blocks", sentence_of(quantity, "blocks", words), [total, *_defined(model, portions, blocks)]),
        *(list(asked(derivation, composer)) or conventions(derivation, composer)),
        *fits(derivation, composer),
        *estimates(derivation, words),
    ]
    letters = closed_under_relations(model, {*printed(sections), *([] if derivation.is_by_terms else _known(model))})
    return Document(
        kind="brief",
        language=language,
        title=name_of(model),
        answer=None,
        sections=[Section("dimensions", None, [_legend(counted(model), letters, words)]), *sections],
        preface=[*choice(model), *meaning_of(quantity, words, derivation.calculation), *assumed(derivation)],
        letters=letters_of(model, notation, symbols or {}).with_sums(all_layers(model)).counting(quantity.letter),
        names=_names_of_experts(portions) or names_of(derivation, language, is_users=is_own),
        subject=subject,
        is_users=is_own,
        results=list(_results(derivation, words)),
    )


def _sum(derivation: Derivation, words: Catalogue) -> Equation:
    """The total of terms; of one that nobody takes in its number alone, as the parts stand in the table, or in N as written."""
    equation, calculation = answer(derivation.total, derivation.quantity, words), derivation.calculation
    if calculation is None or not _is_long(derivation.total.closed) or derivation.total.value is None:
        return equation
    has_copies = any(term.times != Number(1) for term in calculation.terms)
    return replace(equation, chain=[*([] if has_copies else [Link(calculation.written, joins=False)]), *equation.chain[1:]])


def _is_long(closed: Expression) -> bool:
    """True if nobody takes a form in, or it refers by name to steps that a brief does not have."""
    return isinstance(closed, Sum) and (len(closed.terms) > MOST_TERMS or any(map(_refers, closed.terms)))


def _refers(expression: Expression) -> bool:
    return isinstance(expression, Named) or any(map(_refers, expression.operands))


def _names_of_experts(portions: Sequence[Part]) -> Names:
    """Return the names of one expert of each mixture, if there are several: N(coarse expert)."""
    experts = {part.experts.written: Name(ONE_EXPERT, part.within) for part in portions if part.experts is not None}
    return {ONE_EXPERT: experts} if len(experts) > 1 else {}


def part_name(part: Part, words: Catalogue) -> Value:
    """Return the name of a part: two RMSNorms, and what tells it from another of its name."""
    name: Value = Name(part.name)
    if part.norms and f"brief.norms.{part.name}" in words.entries:
        number = f"brief.numbers.{part.norms}"
        number_of: Value = Sentence(number) if number in words.entries else part.norms
        alone = f"brief.norms.one.{part.name}"
        name = Sentence(
            alone if part.norms == 1 else f"brief.norms.{part.name}", {} if part.norms == 1 else {"number": number_of}
        )
    elif f"brief.names.{part.name}" in words.entries:
        name = Sentence(f"brief.names.{part.name}")
    name = Sentence("brief.within", {"name": name, "outer": outer(part.within, words)}) if part.within else name
    apart = f"brief.apart.{part.apart}"
    return Sentence(apart, {"name": name}) if apart in words.entries else name


def _results(derivation: Derivation, words: Catalogue) -> Iterator[Result]:
    """The total, and what one token uses of it, with the unit and as people say it."""
    totals: dict[str, Step | None] = {"total": derivation.total, "active": derivation.active}
    quantity, is_alone = derivation.quantity, derivation.active is None
    for name, total in totals.items():
        if total is None or total.value is None:
            continue
        link = next(iter(rounded_links(total.value, quantity, words, is_short=True)), None)
        called: Value = Sentence("brief.count", {"count": result_of(total)}) if is_alone else Name(name)
        yield Result(called, in_unit(number(total.value), quantity, words), link)


def _known(model: Model) -> Iterator[Dimension]:
    """The dimensions of a model, but for those of which nothing is learned and those that are another by a second name."""
    stored = set(FROZEN.over(model.leaves).dimensions) - set(model.formula().dimensions)
    is_composite = bool(models_within(model))
    for dimension in model.dimensions:
        relation = model.relations.get(dimension)
        if dimension not in stored and not isinstance(relation, (Quotient if is_composite else Dimension, Dimension)):
            yield dimension


def _legend(model: Subject, letters: set[Dimension], words: Catalogue) -> Legend:
    """The dimensions in a word each."""
    entries: list[tuple[Value, Expression, int | None]] = []
    for dimension in sorted(letters, key=by_reading):
        key = f"brief.dimensions.{dimension.name}"
        relation = model.relations.get(dimension) or remainder(model, dimension)
        symbol = Equality(dimension, Size(relation)) if relation is not None else dimension
        entries.append((Sentence(key) if key in words.entries else meaning(dimension), symbol, value(model, dimension)))
    return Legend(entries)


def _table(derivation: Derivation, portions: Sequence[Part], named: Mapping[Polynomial, Named], words: Catalogue) -> Table:
    """Part, formula, one layer, how often, all of them, share; and what is active."""
    model, total, used = derivation.model, derivation.total.value, derivation.active
    is_bound, has_active = total is not None, used is not None and used.value is not None
    decimals = DECIMALS_OF_MIXTURES if has_active else DECIMALS
    keys = [
        "formula",
        *(["per_layer", "times", "all", "share"] if is_bound else ["times"]),
        *(["active"] if has_active else []),
    ]
    rows: list[list[Value]] = []
    for part in portions:
        cells: dict[str, Value] = {
            "formula": _formula(part, named),
            "per_layer": amount(part.one.value) if part.is_repeated else None,
            "times": part.copies.value if is_bound else part.copies.closed,
            "all": amount(part.every.value),
            "share": Percentage(part.share, decimals) if part.share is not None else None,
            "active": part.active.value,
        }
        rows.append([Capital(part_name(part, words)), *(cells[key] for key in keys)])
    last: dict[str, Value] = {"all": amount(total), "share": Percentage(Fraction(1), decimals)}
    last |= {"active": used.value} if used is not None else {}
    rows += [[Sentence("headings.sum"), *(last.get(key) for key in keys)]] if is_bound else []
    headings = {"all": column_of(derivation.quantity)}
    columns = [Column(Sentence("columns.component"), is_words=True), Column(Sentence("columns.formula"), moves=1)]
    columns += [Column(headings.get(key) or Sentence(f"columns.{key}"), "r", goes=GOES.get(key, 0)) for key in keys[1:]]
    place = 0 if models_within(model) else slice(None)
    gaps = frozenset(i for i in range(1, len(portions)) if portions[i].group[place] != portions[i - 1].group[place])
    return Table("parts", columns, rows, last_is_sum=is_bound, gaps=gaps)


def _formula(part: Part, named: Mapping[Polynomial, Named]) -> Expression:
    """The closed form of one, by its name where that stands in the total, a long one as written; experts as a multiple."""
    if part.experts is not None:
        return Size(Product((part.experts.number, part.experts.one)))
    if _is_long(part.one.closed):  # 2·N
        return Size(part.one.written)
    return named.get(part.one.polynomial, part.one.closed)


def _defined(model: Model, portions: Sequence[Part], blocks: Blocks | None) -> Iterator[Equation]:
    """Return the steps to which the total and the table refer by name."""
    for named in blocks.named if blocks is not None else ():
        yield Equation(named, [Link(named.definition)])
    for expert in dict.fromkeys(part.experts.one for part in portions if part.experts is not None):
        worked = step(model, "", "one_expert", expert.definition)
        yield Equation(
            expert, [Link(worked.closed), *([Link(Number(worked.count))] if worked.count is not None else [])], in_a_row=True
        )
