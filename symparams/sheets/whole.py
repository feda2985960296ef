"""The whole sheet of a derivation: answer, dimensions, the steps, the total, and what else there is to say of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from symparams.derivations.derivation import Derivation, as_printed
from symparams.derivations.steps import Note, Step, StepKind
from symparams.errors import OptionError
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.factoring import factored
from symparams.expressions.nodes import Expression, Named, Negative, Number
from symparams.expressions.notation import Letters, letters
from symparams.expressions.printing.nodes import Signed
from symparams.expressions.written import number
from symparams.models.blocks import MOST_EXPANDED
from symparams.models.formula import Formula, Subject
from symparams.sheets.catalogue import catalogue
from symparams.sheets.chosen import Names, choice, title, told_apart
from symparams.sheets.dimensions import all_layers, dimensions, layers_each, printed
from symparams.sheets.document import Block, Column, Document, Equation, Lead, Link, Section, Table
from symparams.sheets.steps import Composer, equation, tables_alone, value_of
from symparams.sheets.values import Capital, Name, Prose, Sentence, Value, amount, rounded

PARAMETERS = Sentence("columns.parameters")
MOST_IN_A_CELL = 4  # terms; of more the common factors are drawn out


def letters_of(model: Subject, notation: str, symbols: Mapping[str, str]) -> Letters:
    """The letters for a model's dimensions in a notation, with a user's own symbols."""
    known = model.dimensions if isinstance(model, Formula) else model.architecture.dimensions
    keys = {dimension: model.key(dimension) for dimension in known}
    return letters(notation, symbols, model.dimensions, keys)


def is_users(model: Subject) -> bool:
    """True if the tree is a user's own, with names that no catalogue has."""
    from symparams.architectures import architecture, architecture_names

    if isinstance(model, Formula):
        return True
    name = model.architecture.name
    return name not in architecture_names() or architecture(name) != model.architecture


def whole(
    derivation: Derivation, language: str = "en", notation: str = "hidden", symbols: Mapping[str, str] | None = None
) -> Document:
    """The sheet of a derivation; OptionError and UnknownNameError for a language, a notation or a letter that is none."""
    subject, words = derivation, catalogue(language)
    is_own, derivation = is_users(subject.subject), as_printed(subject, symbols or ())
    model = derivation.subject
    composer, used = Composer(words, is_users=is_own), list[Section]()
    if derivation.active is not None:
        from symparams.sheets.active import active

        used += active(derivation.active, derivation, composer)
    worked = [
        *(Section("step", _heading(step), list(composer.blocks(step))) for step in derivation.sections),
        Section("total", Sentence("headings.total"), [equation(derivation.total)]),
        *used,
        *_shares(derivation),
        *conventions(derivation, composer),
        *_rule(derivation),
    ]
    letters_printed = printed([*worked, Section("answer", None, [answer(derivation.total, words.rounding)])])
    symbols_said: list[Block] = [dimensions(model, letters_printed, notation, subject.subject)]
    symbols_said += layers_each(model, letters_printed)
    table = Section("dimensions", Sentence("headings.dimensions"), symbols_said)
    sections = [*([table] if letters_printed else []), *worked]
    return Document(
        kind="whole",
        language=language,
        title=title(derivation),
        answer=answer(derivation.total, words.rounding),
        sections=sections,
        preface=choice(model),
        active=_used(derivation.active, words.rounding),
        letters=Letters({**letters_of(subject.subject, notation, {}), **letters_of(model, notation, symbols or {})}).with_sums(
            all_layers(model)
        ),
        names=_names(derivation, language, is_users=is_own),
        subject=subject,
        is_users=is_own,
    )


def as_given(document: Document) -> Document:
    """A sheet with the names of its derivation in the letters as they are given, which data keeps."""
    letters = Letters(document.letters)
    return replace(document, letters=letters, names=_names(document.subject, document.language, is_users=document.is_users))


def _names(derivation: Derivation, language: str, *, is_users: bool) -> Names:
    words = catalogue(language)
    active = [derivation.active] if derivation.active is not None else []
    return told_apart(
        [*derivation.sections, *active], lambda name: words.called(name.key, name.qualifier, is_users=is_users, is_short=True)
    )


def answer(total: Step, rounding: Sequence[Mapping[str, object]]) -> Equation:
    """N = closed form = count ≈ the count as people say it."""
    links = [Link(total.closed, joins=False)] if total.closed != number(total.value or 0) else []
    if total.value is not None:
        links.append(Link(value_of(total), joins=False))
        links += _rounded(total.value, rounding)
    return Equation(Named("", total.written), links, in_a_row=True)


def _rounded(value: int | Fraction, rounding: Sequence[Mapping[str, object]]) -> list[Link]:
    """A count as people say it, as a last link; none for a small one."""
    words = rounded(value, rounding)
    return [Link(words[0], relation="=" if words[1] else "≈")] if words else []


def _used(active: Step | None, rounding: Sequence[Mapping[str, object]]) -> Equation | None:
    """Return the number of parameters that one token uses, which is derived below."""
    if active is None or active.value is None:
        return None
    return Equation(active.quantity, [Link(value_of(active)), *_rounded(active.value, rounding)], in_a_row=True)


def _heading(step: Step) -> Value:
    """The heading of a section; one copy of a repeated block says so."""
    return Capital(Name(f"one:{step.steps[0].name}") if step.kind == StepKind.STACK else Name(str(step.name)))


def _shares(derivation: Derivation) -> Iterator[Section]:
    """Component, closed form, count and share, and the sum of them."""
    if not derivation.shares:
        return
    is_bound, has_experts = derivation.total.value is not None, derivation.active is not None
    stacks = [stack.path for stack in derivation.shares[0].stacks] if is_bound else []
    keys = ["closed_form", *stacks, *(["parameters", "share"] if is_bound else [])]
    keys += ["active", "share"] if is_bound and has_experts else []
    rows: list[list[Value]] = []
    for share in derivation.shares:
        of_stacks = [of_stack.value or None for of_stack in share.stacks] if is_bound else []
        counts: list[Value] = [share.step.value, share.part or Fraction(0)] if is_bound else []
        counts += [share.active.value, share.active_part or Fraction(0)] if is_bound and share.active else []
        rows.append([Capital(Name(str(share.step.name))), share.step.closed, *of_stacks, *counts])
    if is_bound:
        of_stacks = [sum(share.stacks[i].value or 0 for share in derivation.shares) for i in range(len(stacks))]
        used: list[Value] = [derivation.active.value, Fraction(1)] if derivation.active else []
        rows.append([Sentence("headings.sum"), None, *of_stacks, derivation.total.value, Fraction(1), *used])
    columns = counted("component", *keys)
    if "active" in keys:  # what one token uses has a section of its own, too
        columns[-2:] = [replace(columns[-2], goes=2), replace(columns[-1], goes=1)]
    columns = [replace(column, goes_last=i in range(2, 2 + len(stacks))) for i, column in enumerate(columns)]
    table = Table("shares", columns, rows, last_is_sum=is_bound)
    yield Section("shares", Sentence("headings.shares"), [table])


def counted(words: str, *keys: str) -> list[Column]:
    """Columns of words, of formulas, which move below the words where there is no room, and of numbers."""
    formulas = [Column(Sentence(f"columns.{keys[0]}"), moves=1)]
    return [
        Column(Sentence(f"columns.{words}"), is_words=True),
        *formulas,
        *(Column(Sentence(f"columns.{key}"), "r") for key in keys[1:]),
    ]


def conventions(derivation: Derivation, composer: Composer, counts: Value = PARAMETERS) -> Iterator[Section]:
    """The model's own count, then the others with their differences; ``counts`` says what the numbers are."""
    if not derivation.conventions:
        return
    is_bound, tables = derivation.total.value is not None, tables_alone(derivation.subject)
    rows: list[list[Value]] = [
        [Capital(Sentence("notes.convention.own")), None, *([amount(derivation.total.value)] if is_bound else [])]
    ]
    for convention in derivation.conventions:
        if convention.note == Note(("convention.active",)):  # worked out in a section of its own
            continue
        difference: Expression = Signed(convention.difference.closed)
        value = [amount(convention.result.value)] if is_bound else []
        name: Value = composer.note(convention.note) or Prose(convention.note.keys[0])
        if tables is not None and convention.note == Note(("convention.no_embeddings",)):
            name = Sentence("notes.convention.without", {"part": tables})
        rows.append([Capital(name), difference, *value])
    columns = counted("convention", "difference", *(["parameters"] if is_bound else []))
    if is_bound:
        columns[-1] = replace(columns[-1], heading=counts)
    table = Table("conventions", columns, rows)
    yield Section("conventions", Sentence("headings.conventions"), [table])


def signed(value: int) -> Signed:
    """A difference with its sign."""
    return Signed(Number(value) if value >= 0 else Negative(Number(-value)))


def _rule(derivation: Derivation) -> Iterator[Section]:
    """The rule that applies to the model: how far it is off, what it counts; then what it leaves out, source by source."""
    rule = derivation.rule_of_thumb
    if rule is None:
        return
    estimates: list[Expression] = [rule.estimate.closed, *([rule.squares] if rule.squares is not None else [])]
    is_bound = rule.error is not None
    links = [Link(estimate) for estimate in (*estimates, *([Number(rule.estimate.count or 0)] if is_bound else []))]
    sentences: list[Value] = [Sentence(rule.rule.key, rule.about)]
    if rule.error is not None:
        sentences.append(Sentence("rule.below" if rule.error < 0 else "rule.above", {"error": abs(rule.error)}))
    blocks: list[Block] = [Lead(sentences[:1]), Equation(None, links, in_a_row=True)]
    rows: list[list[Value]] = []
    for step in rule.sources:
        difference = [signed(step.count or 0)] if is_bound else []
        tables = tables_alone(derivation.subject) if step.name == "embedding_tables" else None
        rows.append([Capital(tables or Sentence(f"rule.{step.name}")), _in_a_cell(step), *difference])
    sources = Table("sources", counted("source", "difference", *(["parameters"] if is_bound else [])), rows)
    blocks += [Lead([*sentences[1:], Sentence("rule.missing")]), sources]
    yield Section("rule", Sentence("headings.rule"), blocks)


def _in_a_cell(step: Step) -> Expression | None:
    """Return what a rule leaves out as a formula for a cell; None if it is too long to read."""
    if len(step.polynomial.terms) > MOST_EXPANDED:
        return None
    return Signed(step.closed if len(step.polynomial.terms) <= MOST_IN_A_CELL else factored(multiply_out(step.closed, {})))


def sheet_of(
    derivation: Derivation,
    language: str = "en",
    notation: str = "hidden",
    symbols: Mapping[str, str] | None = None,
    *,
    brief: bool = False,
    with_memory: bool = False,
) -> Document:
    """The document of a derivation, whole or as its brief.

    OptionError and UnknownNameError for a language, a notation or a letter that is none.
    """
    if derivation.is_by_terms:
        if with_memory:
            raise OptionError("The memory of the weights stands on the sheet of the parameters: leave out with_memory.")
        from symparams.sheets.costs.sheet import costs as compose

        if brief:
            from symparams.sheets.costs.brief import costs_brief as compose
    elif brief:
        from symparams.sheets.brief import brief as compose
    else:
        compose = whole
    document = compose(derivation, language, notation, symbols)
    if with_memory:
        from symparams.sheets.memory import with_memory_of

        return with_memory_of(document)
    return document
