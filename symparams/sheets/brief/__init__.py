"""The brief: one page for a whiteboard. Dimensions, one table, the total, what will be asked, the check in one's head."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from symparams.derivations.derivation import Derivation, as_printed
from symparams.derivations.parts import Part, models_within, parts
from symparams.derivations.steps import Step, step
from symparams.errors import OptionError
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.nodes import Dimension, Equality, Expression, Named, Number, Product, Quotient, Size
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.symbols import by_reading
from symparams.models.blocks import ONE_EXPERT, Blocks, by_blocks
from symparams.models.formula import Formula
from symparams.models.model import Model
from symparams.quantities.parameters import FROZEN
from symparams.sheets.brief.asked import asked
from symparams.sheets.brief.estimates import estimates
from symparams.sheets.brief.summed import summed
from symparams.sheets.catalogue import Catalogue, catalogue
from symparams.sheets.chosen import Names, choice
from symparams.sheets.dimensions import all_layers, closed_under_relations, meaning, printed, remainder, value
from symparams.sheets.document import Column, Document, Equation, Legend, Link, Result, Section, Table
from symparams.sheets.values import Capital, Name, Percentage, Prose, Sentence, Value, rounded
from symparams.sheets.whole import is_users, letters_of

GOES = {"active": 1, "per_layer": 2}  # columns that follow from the others
DECIMALS, DECIMALS_OF_MIXTURES = 1, 2  # of a share; of a mixture all but the experts is small


def brief(
    derivation: Derivation, language: str = "en", notation: str = "hidden", symbols: Mapping[str, str] | None = None
) -> Document:
    """The brief of a derivation; OptionError for a bare formula, which has no parts."""
    subject, derivation = derivation, as_printed(derivation, symbols or ())
    model = derivation.subject
    if isinstance(model, Formula):
        raise OptionError("A bare formula has no parts: it has no brief.")
    words, portions, blocks = catalogue(language), parts(model), by_blocks(model.leaves, model.relations, keeps_inner=True)
    named = {multiply_out(name.definition, model.relations): name for name in blocks.named}
    sections = [
        Section("parts", Sentence("headings.shares"), [_table(model, portions, named, words)]),
        Section("blocks", Sentence("brief.blocks"), [summed(model, portions, blocks), *_defined(model, portions, blocks)]),
        *asked(derivation, words),
        *estimates(model, words),
    ]
    letters = closed_under_relations(model, {*printed(sections), *_known(model)})
    return Document(
        kind="brief",
        language=language,
        title=Prose(model.architecture.title if model.is_family else model.name),
        answer=None,
        sections=[Section("dimensions", None, [_legend(model, letters, words)]), *sections],
        preface=choice(model),
        letters=letters_of(model, notation, symbols or {}).with_sums(all_layers(model)),
        names=_names_of_experts(portions),
        subject=subject,
        is_users=is_users(subject.subject),
        results=list(_results(model, derivation, words)),
    )


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
    return Sentence("brief.within", {"name": name, "outer": outer(part.within, words)}) if part.within else name


def outer(name: str, words: Catalogue) -> Value:
    """The model or the stack that tells a part from another of its name."""
    return Sentence(f"brief.outer.{name}") if f"brief.outer.{name}" in words.entries else Name(name)


def _results(model: Model, derivation: Derivation, words: Catalogue) -> Iterator[Result]:
    """The count, and what one token uses of it."""
    counts: dict[str, Step | None] = {"total": derivation.total, "active": derivation.active}
    is_alone = derivation.active is None
    for name, total in counts.items():
        if total is None or total.value is None:
            continue
        short_count = rounded(total.value, words.short_rounding)
        link = Link(short_count[0], "=" if short_count[1] else "≈") if short_count else None
        called: Value = Sentence("brief.count", {"count": Named("", total.written)}) if is_alone else Name(name)
        yield Result(called, Number(total.count or 0), link)


def _known(model: Model) -> Iterator[Dimension]:
    """The dimensions of a model, but for those of which nothing is learned and those that are another by a second name."""
    stored = set(FROZEN.over(model.leaves).dimensions) - set(model.formula().dimensions)
    is_composite = bool(models_within(model))
    for dimension in model.dimensions:
        relation = model.relations.get(dimension)
        if dimension not in stored and not isinstance(relation, (Quotient if is_composite else Dimension, Dimension)):
            yield dimension


def _legend(model: Model, letters: set[Dimension], words: Catalogue) -> Legend:
    """The dimensions in a word each."""
    entries: list[tuple[Value, Expression, int | None]] = []
    for dimension in sorted(letters, key=by_reading):
        key = f"brief.dimensions.{dimension.name}"
        relation = model.relations.get(dimension) or remainder(model, dimension)
        symbol = Equality(dimension, Size(relation)) if relation is not None else dimension
        entries.append((Sentence(key) if key in words.entries else meaning(dimension), symbol, value(model, dimension)))
    return Legend(entries)


def _table(model: Model, portions: Sequence[Part], named: Mapping[Polynomial, Named], words: Catalogue) -> Table:
    """Part, formula, one layer, how often, all of them, share; and what is active."""
    is_bound, has_experts = not model.unbound, model.has_experts
    keys = ["formula", *(["per_layer", "times", "parameters", "share"] if is_bound else ["times"])]
    keys += ["active"] if has_experts and is_bound else []
    decimals = DECIMALS_OF_MIXTURES if has_experts else DECIMALS
    rows: list[list[Value]] = []
    for part in portions:
        cells: dict[str, Value] = {
            "formula": _formula(part, named),
            "per_layer": part.one.value if part.is_repeated else None,
            "times": part.copies.value if is_bound else part.copies.closed,
            "parameters": part.every.value,
            "share": Percentage(part.share, decimals) if part.share is not None else None,
            "active": part.active.value,
        }
        rows.append([Capital(part_name(part, words)), *(cells[key] for key in keys)])
    last: dict[str, Value] = {"parameters": model.count() if is_bound else None, "share": Percentage(Fraction(1), decimals)}
    last |= {"active": model.active_count()} if has_experts and is_bound else {}
    rows += [[Sentence("headings.sum"), *(last.get(key) for key in keys)]] if is_bound else []
    columns = [Column(Sentence("columns.part"), is_words=True), Column(Sentence("columns.formula"), moves=1)]
    columns += [Column(Sentence(f"columns.{key}"), "r", goes=GOES.get(key, 0)) for key in keys[1:]]
    place = 0 if models_within(model) else slice(None)
    gaps = frozenset(i for i in range(1, len(portions)) if portions[i].group[place] != portions[i - 1].group[place])
    return Table("parts", columns, rows, last_is_sum=is_bound, gaps=gaps)


def _formula(part: Part, named: Mapping[Polynomial, Named]) -> Expression:
    """The closed form of one, by its name where that stands in the total; experts as so many times one."""
    if part.experts is not None:
        return Size(Product((part.experts.number, part.experts.one)))
    return named.get(part.one.polynomial, part.one.closed)


def _defined(model: Model, portions: Sequence[Part], blocks: Blocks) -> Iterator[Equation]:
    """Return the steps to which the total and the table refer by name."""
    for named in blocks.named:
        yield Equation(named, [Link(named.definition)])
    for expert in dict.fromkeys(part.experts.one for part in portions if part.experts is not None):
        worked = step(model, "", "one_expert", expert.definition)
        yield Equation(
            expert, [Link(worked.closed), *([Link(Number(worked.count))] if worked.count is not None else [])], in_a_row=True
        )
