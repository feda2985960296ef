"""The sheet of a cost: what it is, the answer with its unit, the letters, the steps, and other ways to count it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from symparams.derivations.budget import Budget
from symparams.derivations.consequences import consequences
from symparams.derivations.costs import each_token
from symparams.derivations.derivation import Derivation
from symparams.derivations.steps import Step, StepKind
from symparams.expressions.nodes import Decimal, Equality, Expression, Number, as_expression
from symparams.expressions.notation import Letters
from symparams.expressions.printing.nodes import Measured, Strong
from symparams.expressions.symbols import e, s
from symparams.expressions.written import Bound, number, whole
from symparams.models.calculation import Calculation, counts_of
from symparams.models.formula import Subject
from symparams.models.model import Model
from symparams.quantities.kept_by_layers import EAGER
from symparams.quantities.memory import BITS_IN_A_BYTE, DTYPES
from symparams.quantities.quantity import BYTES
from symparams.sheets.catalogue import Catalogue, catalogue
from symparams.sheets.chosen import choice, told_apart
from symparams.sheets.dimensions import all_layers, dimensions, printed
from symparams.sheets.document import Block, Document, Equation, Lines, Link, Section
from symparams.sheets.quantities import column_of, meaning_of, rounding_of, unit_of
from symparams.sheets.quantities import title_of as sheet_title
from symparams.sheets.steps import Composer, equation, value_of
from symparams.sheets.values import BINARY, Capital, Listed, Name, Prose, Sentence, Value, rounded
from symparams.sheets.whole import conventions, is_users, letters_of


def costs(
    derivation: Derivation, language: str = "en", notation: str = "hidden", symbols: Mapping[str, str] | None = None
) -> Document:
    """The sheet of what a model costs; OptionError and UnknownNameError for a language, a notation or a letter that is none."""
    model, words, calculation = derivation.model, catalogue(language), calculation_of(derivation)
    is_own = is_users(model) or calculation.quantity.is_own
    composer = Composer(words, is_users=is_own)
    worked = [
        *(_section(step, calculation, composer) for step in derivation.sections),
        *_total(derivation, words),
        *_each_token(derivation, words),
        *_fits(derivation),
        *_consequences(derivation, composer),
        *_conventions(derivation, composer),
    ]
    shown = printed([*worked, Section("answer", None, [answer(derivation, words)])])
    table = Section("dimensions", Sentence("headings.dimensions"), [dimensions(_counted(model), shown, notation)])
    letters = Letters(letters_of(model, notation, symbols or {}))
    return Document(
        kind="costs",
        language=language,
        title=sheet_title(calculation.quantity, title_of(derivation)),
        answer=answer(derivation, words),
        sections=[table, *worked] if shown else worked,
        preface=[*choice(model), *meaning_of(calculation.quantity, words), *_number_type(calculation), *_assumed(derivation)],
        letters=letters.with_sums(all_layers(model)).counting(calculation.quantity.letter),
        names=told_apart(
            derivation.sections, lambda name: words.called(name.key, name.qualifier, is_users=is_own, is_short=True)
        ),
        subject=derivation,
        is_users=is_own,
    )


def _counted(model: Subject) -> Subject:
    """The model with the numbers of parameters that rules of thumb go by."""
    return replace(model, values=Bound({**model.values, **counts_of(model)})) if isinstance(model, Model) else model


def calculation_of(derivation: Derivation) -> Calculation:
    """Return the calculation of a derivation."""
    assert derivation.calculation is not None  # a bare formula has a sheet of its own
    return derivation.calculation


def _number_type(calculation: Calculation) -> Iterator[Sentence]:
    """The number type that the formulas hold as a number of bytes, where e is no letter of theirs."""
    dtype = calculation.setting.dtype
    if dtype and e not in calculation.written.dimensions:
        size = as_expression(whole(Fraction(DTYPES[dtype], BITS_IN_A_BYTE)))
        yield Sentence("costs.number_type", {"type": Prose(dtype), "bytes": size})


def title_of(derivation: Derivation | Budget) -> Value:
    """The model, or its whole family."""
    model = derivation.model
    is_family = model.name == model.architecture.name and not model.given
    return Prose(model.architecture.title if is_family else model.name)


def answer(derivation: Derivation, words: Catalogue) -> Equation:
    """M_KV = closed form = value in its unit ≈ how people say it."""
    total, calculation = derivation.total, calculation_of(derivation)
    links = [Link(total.closed, joins=False)] if total.closed != number(total.value or 0) else []
    if total.value is not None:
        links.append(Link(in_unit(value_of(total), calculation, words), joins=False))
        links += rounded_links(total.value, calculation, words)
    return Equation(total.quantity, links, in_a_row=True)


def in_unit(value: Expression, calculation: Calculation, words: Catalogue) -> Expression:
    """A number with what it counts; parameters are counted without a word."""
    unit = unit_of(calculation.quantity, words)
    return Measured(value, unit) if unit else value


def rounded_links(value: int | Fraction, calculation: Calculation, words: Catalogue) -> list[Link]:
    """A number as people say it: in the largest unit, of bytes by powers of ten and of two; none for a small one."""
    scaled = rounded(value, rounding_of(calculation.quantity, words))
    links = [Link(scaled[0], relation="=" if scaled[1] else "≈")] if scaled else []
    return links + (_binary(value) if calculation.quantity.unit == BYTES else [])


def _binary(value: int | Fraction) -> list[Link]:
    """Bytes by powers of two; so many of them exactly have no decimals."""
    scaling = rounded(value, BINARY, base=2)
    if scaling is None:
        return []
    scaled, is_exact = scaling
    is_whole = scaled.value.denominator == 1
    return [Link(replace(scaled, decimals=0) if is_whole else scaled, relation="=" if is_exact else "≈")]


def _section(step: Step, calculation: Calculation, composer: Composer) -> Section:
    """A layer and its copies, or what stands once."""
    heading: Value = Capital(Name(str(step.name)))
    if step.kind == StepKind.STACK:
        heading = Capital(Name(f"one:{step.layer}"))
    blocks = [_measured(block, calculation, composer.catalogue) for block in composer.blocks(step)]
    return Section("step", heading, blocks)


def _measured(block: Block, calculation: Calculation, words: Catalogue) -> Block:
    """An equation whose last link is a number, with the unit of the cost."""
    if not isinstance(block, Equation) or not block.chain:
        return block
    last = block.chain[-1]
    if not isinstance(last.content, (Number, Decimal, Strong)):
        return block
    return replace(block, chain=[*block.chain[:-1], replace(last, content=in_unit(last.content, calculation, words))])


def _total(derivation: Derivation, words: Catalogue) -> Iterator[Section]:
    """The sum of all parts; of a single part there is none."""
    block = _measured(equation(derivation.total), calculation_of(derivation), words)
    groups = [section for section in derivation.sections if section.kind == StepKind.GROUP]
    if len(derivation.sections) > 1 or any(
        len(group.steps) > 1 or group.steps[0].name != derivation.total.name for group in groups
    ):
        yield Section("total", Sentence("headings.sum"), [block])


def _each_token(derivation: Derivation, words: Catalogue) -> Iterator[Section]:
    """Yield the section on what each further token takes, if all take the same."""
    calculation = calculation_of(derivation)
    per_token = each_token(calculation, derivation.total.closed)
    if per_token is None or derivation.assumed:  # of one token it is the whole
        return
    block = equation(per_token)
    if per_token.value is not None:
        value = Link(in_unit(number(per_token.value), calculation, words))
        block = replace(block, chain=[*block.chain[:-1], value, *rounded_links(per_token.value, calculation, words)])
    yield Section("each_token", Sentence("costs.each_token"), [block])


def _fits(derivation: Derivation) -> Iterator[Section]:
    """The largest of each input with which this quantity alone fits the memory that is given."""
    lines: list[Value] = []
    for fit in derivation.fits:
        key = f"budget.fits.found_{fit.binds}"
        lines.append(
            Sentence(
                key,
                {"letter": fit.letter, "number": Number(fit.largest or 0)}
                if fit.binds != "nothing"
                else {"letter": fit.letter},
            )
        )
    if lines:
        yield Section("fits", Sentence("budget.fits.alone"), [Lines(lines)])


def _assumed(derivation: Derivation) -> Iterator[Sentence]:
    """Yield the sentences on what is assumed: attention that saves its scores, and inputs of 1 if none is given."""
    calculation = calculation_of(derivation)
    if calculation.setting.attention == EAGER and "attention" in calculation.quantity.choices and s in calculation.letters:
        yield Sentence("costs.eager")
    if derivation.assumed:
        inputs = Listed(tuple(Equality(letter, Number(1)) for letter in derivation.assumed), "compare.list")
        yield Sentence("costs.assumed", {"inputs": inputs})


def _consequences(derivation: Derivation, composer: Composer) -> Iterator[Section]:
    """Yield the section on what the number means."""
    notes = consequences(calculation_of(derivation))
    if notes:
        yield Section("consequences", Sentence("headings.consequences"), [Lines([composer.note(note) for note in notes])])


def _conventions(derivation: Derivation, composer: Composer) -> Iterator[Section]:
    yield from conventions(derivation, composer, column_of(calculation_of(derivation).quantity))
