"""The whole sheet of a derivation: answer, dimensions, the steps, the total, and what else there is to say of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from symparams.derivations.conventions import Convention
from symparams.derivations.derivation import Derivation, as_printed
from symparams.derivations.rule_of_thumb import Reckoning
from symparams.derivations.steps import Note, Step, StepKind, multiple_of_count
from symparams.errors import OptionError
from symparams.expressions import written
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.factoring import factored
from symparams.expressions.nodes import Dimension, Equality, Expression, Number, as_expression, terms_of
from symparams.expressions.notation import Letters, letters
from symparams.expressions.printing.nodes import Signed
from symparams.expressions.symbols import N, e, r, s, t
from symparams.expressions.written import number, with_sign
from symparams.models.blocks import MOST_EXPANDED
from symparams.models.calculation import counts_of
from symparams.models.formula import Formula, Subject
from symparams.models.model import Model
from symparams.quantities.quantity import Quantity
from symparams.sheets.catalogue import Catalogue, catalogue
from symparams.sheets.chosen import Names, choice, name_of, told_apart
from symparams.sheets.dimensions import all_layers, dimensions, printed
from symparams.sheets.document import Block, Column, Document, Equation, Lead, Lines, Link, Section, Table
from symparams.sheets.quantities import column_of, in_unit, meaning_of, measured, rounded_links, sentence_of
from symparams.sheets.steps import Composer, equation, result_of, tables_alone, value_of
from symparams.sheets.values import Capital, Code, Listed, Name, Prose, Sentence, Value, amount, enumerated

Sections = Callable[[Derivation, Composer], Iterator[Section]]
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
    derivation: Derivation,
    language: str = "en",
    notation: str = "hidden",
    symbols: Mapping[str, str] | None = None,
    *,
    last: Sections | None = None,
) -> Document:
    """The sheet of a derivation, ended by what is asked of it or by another ``last`` section.

    OptionError and UnknownNameError for a language, a notation or a letter that is none.
    """
    subject, words, quantity = derivation, catalogue(language), derivation.quantity
    is_own, derivation = is_users(subject.subject) or quantity.is_own, as_printed(subject, symbols or ())
    model = derivation.subject
    composer = Composer(words, is_users=is_own)
    worked = [section for sections in (*SECTIONS, last or _in_words) for section in sections(derivation, composer)]
    result = answer(derivation.total, quantity, words)
    letters_printed = printed([*worked, Section("answer", None, [result])]) | _count(derivation)
    symbols_said = dimensions(counted(model), letters_printed, notation, subject.subject)
    table = Section("dimensions", Sentence("headings.dimensions"), [symbols_said])
    letters = Letters({**letters_of(subject.subject, notation, {}), **letters_of(model, notation, symbols or {})})
    return Document(
        kind="derivation",
        language=language,
        title=title(derivation, words),
        answer=result,
        sections=[*([table] if letters_printed else []), *worked],
        preface=[
            *choice(model),
            *_discovered(derivation),
            *meaning_of(quantity, words, derivation.calculation),
            *assumed(derivation),
        ],
        active=_used(derivation, words),
        letters=letters.with_sums(all_layers(model)).counting(quantity.letter),
        names=names_of(derivation, language, is_users=is_own),
        subject=subject,
        is_users=is_own,
    )


def _count(derivation: Derivation) -> set[Dimension]:
    """N, where costs are multiples of the number of parameters, which is printed by its name alone."""
    terms = derivation.calculation.terms if derivation.calculation is not None and derivation.is_by_terms else ()
    return {N} if any(multiple_of_count(term.every) is not None for term in terms) else set()


def title(derivation: Derivation, words: Catalogue) -> Sentence:
    """The question that the sheet answers."""
    if isinstance(derivation.subject, Formula):
        return Sentence("title.expression")
    return sentence_of(derivation.quantity, "title", words, {"model": name_of(derivation.subject)})


def _discovered(derivation: Derivation) -> Iterator[Sentence]:
    if not derivation.is_expression and derivation.model.architecture.certificate is not None:
        from symparams.sheets.discovered import checked

        yield from checked(derivation.model)


def assumed(derivation: Derivation) -> Iterator[Sentence]:
    """Yield the sentences on what is taken: the number type, attention that saves its scores, what nobody gives."""
    if derivation.calculation is None:
        return
    calculation, quantity, taken = derivation.calculation, derivation.quantity, derivation.assumed
    dtype = calculation.setting.dtype
    if dtype and ("dtype" not in taken or e not in calculation.written.dimensions):
        from symparams.quantities.memory import bytes_of

        size = as_expression(written.whole(bytes_of(dtype)))
        yield Sentence("costs.number_type", {"type": Prose(dtype.upper()), "bytes": size})
    if "dtype" in taken:
        yield of_type(derivation.model, dtype)
    if "recipe" in taken:
        recipe = Sentence(f"budget.recipes.{taken['recipe']}")
        yield Sentence("assumed.recipe", {"recipe": recipe, "option": _option("recipe")})
    elif "recipe" in quantity.choices and calculation.setting.recipe:
        yield Sentence("costs.recipe", {"recipe": Sentence(f"budget.recipes.{calculation.setting.recipe}")})
    if "targets" in taken:
        yield Sentence("assumed.targets", {"option": _option("targets")})
    if "attention" in quantity.choices and s in calculation.letters:
        from symparams.quantities.kept_by_layers import EAGER

        if calculation.setting.attention == EAGER:
            yield Sentence("costs.eager")
    if inputs := {letter: taken[letter.name] for letter in quantity.inputs if letter.name in taken}:
        equalities = tuple(Equality(calculation.inputs[letter], Number(value)) for letter, value in inputs.items())
        is_token = not {s, t}.isdisjoint(inputs) and {*inputs.values()} == {1}
        key = "token" if is_token else "r" if r in inputs else "inputs"
        yield Sentence(f"assumed.{key}", {"inputs": Listed(equalities, "signs.list")})
    lacking = tuple(letter for letter in quantity.inputs if letter in calculation.lacking)
    if lacking and not derivation.model.unbound:
        yield Sentence("budget.missing", {"letters": Listed(lacking, "signs.list")})


def of_type(model: Model, dtype: str) -> Sentence:
    """The sentence on a number type that is taken where nothing says it."""
    key = "unknown_type" if model.origin.config is None else "type"
    return Sentence(f"assumed.{key}", {"type": Prose(dtype.upper()), "option": _option("dtype")})


def of_types(dtype: str) -> Sentence:
    """The same of several models."""
    return Sentence("assumed.unknown_types", {"type": Prose(dtype.upper()), "option": _option("dtype")})


def _option(name: str) -> Code:
    """The option that gives a choice."""
    from symparams.quantities.setting import CHOICES

    return Code(CHOICES[name].option)


def counted(model: Subject) -> Subject:
    """The model with the numbers of parameters that rules of thumb go by."""
    return replace(model, values={**counts_of(model), **model.values}) if isinstance(model, Model) else model


def as_given(document: Document) -> Document:
    """A sheet with the names of its derivation in the letters as they are given, which data keeps."""
    letters = Letters(document.letters)
    return replace(document, letters=letters, names=names_of(document.subject, document.language, is_users=document.is_users))


def names_of(derivation: Derivation, language: str, *, is_users: bool) -> Names:
    """Return what tells the results of a derivation apart that share a name."""
    words = catalogue(language)
    active = [derivation.active] if derivation.active is not None else []
    return told_apart(
        [*derivation.sections, *active], lambda name: words.called(name.key, name.qualifier, is_users=is_users, is_short=True)
    )


def answer(total: Step, quantity: Quantity, words: Catalogue) -> Equation:
    """N = closed form = count ≈ the count as people say it, with its unit."""
    links = [Link(total.closed, joins=False)] if total.closed != number(total.value or 0) else []
    if total.value is not None:
        links.append(Link(in_unit(value_of(total), quantity, words), joins=False))
        links += sorted(rounded_links(total.value, quantity, words), key=lambda link: link.relation != "=")  # exact ones first
    return Equation(result_of(total), links, in_a_row=True)


def _used(derivation: Derivation, words: Catalogue) -> Equation | None:
    """Return what one token uses of the whole, which is derived below."""
    active = derivation.active
    if active is None or active.value is None:
        return None
    links = [Link(value_of(active)), *rounded_links(active.value, derivation.quantity, words)]
    return Equation(active.quantity, links, in_a_row=True)


def _steps(derivation: Derivation, composer: Composer) -> Iterator[Section]:
    """A layer and its copies, or what stands once."""
    words = composer.catalogue
    for step in derivation.sections:
        heading = Name(str(step.name))
        if step.kind == StepKind.STACK:
            heading = Name(f"one:{step.layer or step.steps[0].name}")
        blocks = [measured(block, derivation.quantity, words) for block in composer.blocks(step)]
        yield Section("step", Capital(heading), blocks)


def _total(derivation: Derivation, composer: Composer) -> Iterator[Section]:
    """The sum of all parts; none where a single step has its name already."""
    words, total = composer.catalogue, derivation.total
    if [step.name for section in derivation.sections for step in section.steps] == [total.name]:
        return
    heading = sentence_of(derivation.quantity, "total", words)
    yield Section("total", heading, [measured(equation(total), derivation.quantity, words)])


def _shares(derivation: Derivation, composer: Composer) -> Iterator[Section]:
    """Component, closed form, count and share, and the sum of them."""
    shares, total, used = derivation.shares, derivation.total.value, derivation.active
    if len(shares) < 2:
        return
    is_bound = total is not None
    stacks = [stack.path for stack in shares[0].stacks] if is_bound else []
    if not all(any(share.stacks[i].value for share in shares) for i in range(len(stacks))):
        stacks = []  # one of them has nothing, as an encoder has no cache
    rows: list[list[Value]] = []
    for share in shares:
        of_stacks = [amount(of_stack.value or None) for of_stack in share.stacks[: len(stacks)]]
        counts: list[Value] = [amount(share.step.value), share.part or Fraction(0)] if is_bound else []
        counts += [share.active.value, share.active_part or Fraction(0)] if is_bound and share.active else []
        rows.append([Capital(Name(str(share.step.name))), share.step.closed, *of_stacks, *counts])
    if is_bound:
        of_stacks = [amount(sum(share.stacks[i].value or 0 for share in shares)) for i in range(len(stacks))]
        active: list[Value] = [used.value, Fraction(1)] if used else []
        rows.append([Sentence("headings.sum"), None, *of_stacks, amount(total), Fraction(1), *active])
    numbers: list[Value] = [column_of(derivation.quantity), Sentence("columns.share")] if is_bound else []
    columns = [
        *_columns("component", "formula"),
        *(Column(Sentence(f"columns.{stack}"), "r", goes_last=True) for stack in stacks),
        *(Column(heading, "r") for heading in numbers),
    ]
    if is_bound and used is not None:  # what one token uses has a section of its own, too
        columns += [Column(Sentence("columns.active"), "r", goes=2), Column(Sentence("columns.share"), "r", goes=1)]
    heading = sentence_of(derivation.quantity, "shares", composer.catalogue)
    yield Section("shares", heading, [Table("shares", columns, rows, last_is_sum=is_bound)])


def _columns(words: str, formula: str, *numbers: Value) -> list[Column]:
    """Columns of words, of formulas, which move below the words where there is no room, and of numbers."""
    first, second = Sentence(f"columns.{words}"), Sentence(f"columns.{formula}")
    return [Column(first, is_words=True), Column(second, moves=1), *(Column(heading, "r") for heading in numbers)]


def _each_token(derivation: Derivation, composer: Composer) -> Iterator[Section]:
    """What each further token takes, if all take the same and what the number means does not say so."""
    per_token, quantity, words = derivation.each_token, derivation.quantity, composer.catalogue
    if per_token is None or any(_says(note, per_token) for note in derivation.consequences):
        return
    block = equation(per_token)
    if per_token.value is not None:
        value = Link(in_unit(number(per_token.value), quantity, words))
        block = replace(block, chain=[*block.chain[:-1], value, *rounded_links(per_token.value, quantity, words)])
    yield Section("each_token", Sentence("costs.each_token"), [block])


def _says(note: Note, step: Step) -> bool:
    """True if a note gives a step's formula and its value."""
    equalities = [term for term in note.terms.values() if isinstance(term, Equality)]
    return step.value is not None and any(term.operands[-1] == number(step.value) for term in equalities)


def fits(derivation: Derivation, composer: Composer) -> Iterator[Section]:
    """The largest of each input with which this quantity alone fits the memory that is given."""
    lines: list[Value] = []
    for fit in derivation.fits:
        terms: dict[str, Value] = {"letter": fit.letter, "number": Number(fit.largest or 0)}
        lines.append(Sentence(f"budget.found.{fit.binds}", terms))
    if lines:
        yield Section("fits", Sentence("budget.fits.alone"), [Lines(lines)])


def _consequences(derivation: Derivation, composer: Composer) -> Iterator[Section]:
    """What the number means."""
    if notes := derivation.consequences:
        yield Section("consequences", Sentence("headings.consequences"), [Lines([composer.note(note) for note in notes])])


def conventions(derivation: Derivation, composer: Composer) -> Iterator[Section]:
    """The other counts of the model, with their differences from its own; what one token uses has a section of its own."""
    others = [other for other in derivation.conventions if other.note != Note(("convention.active",))]
    if not others:
        return
    is_bound, tables = derivation.total.value is not None, tables_alone(derivation.subject)
    names: list[Value] = []
    for other in others:
        name: Value = composer.note(other.note) or Prose(other.note.keys[0])
        if tables is not None and other.note == Note(("convention.no_embeddings",)):
            name = Sentence("notes.convention.without", {"part": tables})
        names.append(Capital(name))
    blocks: list[Block]
    if len(others) == 1 and is_bound and not derivation.is_by_terms:  # a line says what a table of one row says
        whole = written.total([result_of(derivation.total), others[0].difference.closed])
        lead = Lead([Sentence("sums.convention", {"convention": names[0]})])
        blocks = [lead, Equation(None, [Link(whole), Link(value_of(others[0].result))], in_a_row=True)]
    else:
        columns = _columns("convention", "difference", *([column_of(derivation.quantity)] if is_bound else []))
        rows = [
            [name, Signed(other.difference.closed), *([amount(other.result.value)] if is_bound else [])]
            for name, other in zip(names, others, strict=True)
        ]
        if is_bound and derivation.is_by_terms and max(map(_length, others)) > MOST_EXPANDED:  # longer than one reads
            columns, rows = [columns[0], *columns[2:]], [[row[0], *row[2:]] for row in rows]
        blocks = [Table("conventions", columns, rows)]
    yield Section("conventions", Sentence("headings.conventions"), blocks)


def _length(convention: Convention) -> int:
    return len(convention.difference.polynomial.terms)


def by_rule(derivation: Derivation, composer: Composer) -> Iterator[Section]:
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
    if rule.relations:
        sentences.insert(1, Sentence("rule.uses", {"relations": enumerated(rule.relations)}))
    rows: list[list[Value]] = []
    for step in rule.sources:
        apart = [Signed(with_sign(step.count or 0))] if is_bound else []
        tables = tables_alone(derivation.subject) if step.name == "embedding_tables" else None
        rows.append([Capital(tables or Sentence(f"rule.{step.name}")), _in_a_cell(step), *apart])
    numbers = [column_of(derivation.quantity)] if is_bound else []
    sources = Table("sources", _columns("source", "difference", *numbers), rows)
    blocks += [Lead([*sentences[1:], Sentence("rule.missing")]), sources, *_with_matrices(rule, derivation.total.value)]
    yield Section("rule", Sentence("headings.rule"), blocks)


def _with_matrices(rule: Reckoning, count: int | Fraction | None) -> Iterator[Block]:
    """The rule with the tables and matrices that it leaves out, 13·L·h² + 2·V·h, where that is short and no exact count."""
    if rule.matrices is None or rule.matrices.value is None or rule.estimate.value is None or not count:
        return
    formula = rule.squares if rule.squares is not None else rule.estimate.closed
    value = rule.estimate.value + rule.matrices.value
    error = Fraction(value) / count - 1
    if error:
        yield Lead([Sentence("rule.with_matrices" if error < 0 else "rule.with_matrices_above", {"error": abs(error)})])
        beside = terms_of(rule.matrices.closed)
        yield Equation(None, [Link(written.total([formula, *beside])), Link(number(value))], in_a_row=True)


def _in_a_cell(step: Step) -> Expression | None:
    """Return what a rule leaves out as a formula for a cell; None if it is too long to read."""
    if len(step.polynomial.terms) > MOST_EXPANDED:
        return None
    return Signed(step.closed if len(step.polynomial.terms) <= MOST_IN_A_CELL else factored(multiply_out(step.closed, {})))


def _active(derivation: Derivation, composer: Composer) -> Iterator[Section]:
    """What one token uses, of a model with experts."""
    if derivation.active is not None:
        from symparams.sheets.active import active

        yield from active(derivation.active, derivation, composer)


def _in_words(derivation: Derivation, composer: Composer) -> Iterator[Section]:
    """What is asked of a count and not told by its steps, and the check in one's head; where there are no values, the rule."""
    if derivation.calculation is None or derivation.is_by_terms or derivation.total.value is None:
        yield from by_rule(derivation, composer)
        return
    from symparams.sheets.asked import asked
    from symparams.sheets.estimates import estimates

    yield from asked(derivation, composer, beside_steps=True)
    yield from list(estimates(derivation, composer.catalogue)) or by_rule(derivation, composer)


# The sections in their order; each is there where the derivation has something for it; then what is asked.
SECTIONS = (_steps, _total, _active, _shares, _each_token, fits, _consequences, conventions)


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
    if with_memory and derivation.is_by_terms:
        raise OptionError("The memory of the weights stands on the sheet of the parameters: leave out with_memory.")
    if brief:
        from symparams.sheets.brief import brief as compose

        document = compose(derivation, language, notation, symbols)
    else:
        document = whole(derivation, language, notation, symbols)
    if with_memory:
        from symparams.sheets.memory import with_memory_of

        return with_memory_of(document)
    return document
