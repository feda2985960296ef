"""The whole sheet of a derivation: answer, dimensions, the steps, the total, and what else there is to say of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from symparams.derivations.derivation import Derivation
from symparams.derivations.steps import Step, StepKind
from symparams.expressions.marks import Named, Size
from symparams.expressions.nodes import Dimension, Expression, Negative, Number
from symparams.expressions.notation import HF, Letters, letters
from symparams.expressions.printing.nodes import Signed
from symparams.expressions.symbols import by_reading
from symparams.models.formula import Formula, Subject
from symparams.sheets.catalogue import catalogue
from symparams.sheets.document import (
    Block,
    Capital,
    Code,
    Column,
    Document,
    Equation,
    Lead,
    Link,
    Name,
    Prose,
    Section,
    Sentence,
    Table,
    Value,
)
from symparams.sheets.naming import told_apart
from symparams.sheets.numbers import rounded
from symparams.sheets.steps import Composer, equation, value_of


def letters_of(model: Subject, notation: str, symbols: Mapping[str, str]) -> Letters:
    """The letters for a model's dimensions in a notation, with a user's own symbols."""
    keys = {dimension: model.key(dimension) for dimension in model.dimensions}
    return letters(notation, symbols, model.dimensions, keys)


def is_users(model: Subject) -> bool:
    """Whether the tree is a user's own, with names that no catalogue can know."""
    from symparams.architectures import architecture, architecture_names

    if isinstance(model, Formula):
        return True
    name = model.architecture.name
    return name not in architecture_names() or architecture(name) is not model.architecture


def whole(
    derivation: Derivation, language: str = "en", notation: str = "hidden", symbols: Mapping[str, str] | None = None
) -> Document:
    """The sheet of a derivation; OptionError and UnknownNameError for a language, a notation or a letter that is none."""
    model, words = derivation.subject, catalogue(language)
    is_own = is_users(model)
    composer = Composer(words, is_users=is_own)
    sections = [
        *_opening(derivation),
        *_dimensions(model, notation),
        *(Section("step", _heading(step), list(composer.blocks(step))) for step in derivation.sections),
        Section("total", Sentence("headings.total"), [equation(derivation.total)]),
        *_shares(derivation),
        *_conventions(derivation, composer),
        *_rule(derivation),
    ]
    return Document(
        kind="whole",
        language=language,
        title=title(derivation),
        answer=answer(derivation.total, words.rounding),
        sections=sections,
        preface=choice(model),
        letters=letters_of(model, notation, symbols or {}),
        names=told_apart(derivation.sections, lambda name: words.called(name.key, name.qualifier, is_users=is_own)),
        subject=derivation,
        is_users=is_own,
    )


def title(derivation: Derivation) -> Sentence:
    """The question that the sheet answers."""
    model = derivation.subject
    if isinstance(model, Formula):
        return Sentence("title.expression")
    return Sentence("title.model", {"model": Prose(model.architecture.title if model.is_family else model.name)})


def choice(model: Subject) -> list[Value]:
    """What was added to the model or left out; nothing where it is as usual."""
    said: list[Value] = [Sentence("choice.base", {"name": Prose(model.assumed)})] if model.assumed else []
    for odd in model.oddities:
        terms = {"subject": odd.subject, "size": Number(odd.size), "other": odd.other, "of": Number(odd.of)}
        said.append(Sentence(f"choice.{odd.kind}", terms))
    for feature, is_present in model.chosen:
        said.append(Sentence("choice.with" if is_present else "choice.without", {"part": Name(f"part:{feature}")}))
    return said


def answer(total: Step, rounding: Sequence[Mapping[str, object]]) -> Equation:
    """N = closed form = count ≈ the count as people say it."""
    links = [Link(total.closed, joins=False)] if total.closed != Number(total.value or 0) else []
    if total.value is not None:
        links.append(Link(value_of(total), joins=False))
        if words := rounded(total.value, rounding):
            links.append(Link(words[0], relation="=" if words[1] else "≈"))
    return Equation(Named("", total.written), links, in_a_row=True)


def _opening(derivation: Derivation) -> Iterator[Section]:
    """What one token uses of a model with experts: closed form and count."""
    active = derivation.active
    if active is not None:
        links = [Link(active.closed), *([Link(value_of(active))] if active.value is not None else [])]
        chain = Equation(Named("active", active.written), links, in_a_row=True)
        yield Section("active", None, [Lead([Sentence("steps.active")]), chain])


def _heading(step: Step) -> Value:
    """The heading of a section; one copy of a repeated block says so."""
    return Capital(Name(f"one:{step.steps[0].name}") if step.kind == StepKind.STACK else Name(str(step.name)))


def _dimensions(model: Subject, notation: str) -> Iterator[Section]:
    if model.dimensions:
        yield Section("dimensions", Sentence("headings.dimensions"), [dimensions(model, notation)])


def dimensions(model: Subject, notation: str) -> Table:
    """Every symbol of the sheet: its meaning, its config key or the relation that it follows, its value."""
    keys = ["symbol", "meaning", "key", *(["value"] if model.values else [])]
    if not model.library and not model.relations:
        keys.remove("key")
    heading = "columns.key" if model.library else "columns.relation"
    places = {
        "symbol": Column(Sentence("columns.symbol"), "c", moves=1 if notation == HF else 0),
        "meaning": Column(Sentence("columns.meaning"), is_words=True),
        "key": Column(Sentence(heading), moves=2),
        "value": Column(Sentence("columns.value"), "r"),
    }
    rows: list[list[Value]] = []
    for dimension in sorted(model.dimensions, key=by_reading):
        row = {"symbol": dimension, "meaning": meaning(dimension), "key": _origin(model, dimension, notation)}
        rows.append([(row | {"value": model.values.get(dimension)})[key] for key in keys])
    return Table("dimensions", [places[key] for key in keys], rows)


def meaning(dimension: Dimension) -> Value:
    """What a dimension means; a letter of a user's own is shown by itself."""
    known = f"dimensions.{dimension.name}" in catalogue("en").entries
    return Sentence(f"dimensions.{dimension.name}") if known else Prose(dimension.name.replace("_", " "))


def _origin(model: Subject, dimension: Dimension, notation: str) -> Value:
    if dimension in model.given or dimension not in model.relations:
        key = model.key(dimension) if notation != HF else ""  # in this notation the symbol is the key
        return Code(key) if key else None
    return Size(model.relations[dimension])


def _shares(derivation: Derivation) -> Iterator[Section]:
    """Component, closed form, count and share, and the sum of them."""
    if not derivation.shares:
        return
    is_bound = derivation.total.value is not None
    keys = ["component", "closed_form", *(["parameters", "share"] if is_bound else [])]
    lines: list[tuple[Value, Step, Fraction | None]] = [
        (Capital(Name(str(share.step.name))), share.step, share.part) for share in derivation.shares
    ]
    lines.append((Sentence("headings.sum"), derivation.total, Fraction(1)))
    rows = [[name, step.closed, *([step.value, part or Fraction(0)] if is_bound else [])] for name, step, part in lines]
    table = Table("shares", counted("component", *keys[1:]), rows, last_is_sum=True)
    yield Section("shares", Sentence("headings.shares"), [table])


def counted(words: str, *keys: str) -> list[Column]:
    """Columns of words, of formulas, which move below the words where there is no room, and of numbers."""
    formulas = [Column(Sentence(f"columns.{keys[0]}"), moves=1)]
    return [
        Column(Sentence(f"columns.{words}"), is_words=True),
        *formulas,
        *(Column(Sentence(f"columns.{key}"), "r") for key in keys[1:]),
    ]


def _conventions(derivation: Derivation, composer: Composer) -> Iterator[Section]:
    """The model's own count, then the others with their differences."""
    if not derivation.conventions:
        return
    is_bound = derivation.total.value is not None
    rows: list[list[Value]] = [
        [Capital(Sentence("notes.convention.own")), None, *([derivation.total.value] if is_bound else [])]
    ]
    for convention in derivation.conventions:
        difference: Expression = Signed(convention.difference.closed)
        value = [convention.result.value] if is_bound else []
        rows.append([Capital(composer.note(convention.note)), difference, *value])
    table = Table("conventions", counted("convention", "difference", *(["parameters"] if is_bound else [])), rows)
    yield Section("conventions", Sentence("headings.conventions"), [table])


def signed(value: int) -> Signed:
    """A difference with its sign."""
    return Signed(Number(value) if value >= 0 else Negative(Number(-value)))


def _rule(derivation: Derivation) -> Iterator[Section]:
    """The sentences on 12·L·h²: how far off it is, and what it counts; then what it leaves out, source by source."""
    rule = derivation.rule_of_thumb
    if rule is None:
        return
    estimate: dict[str, Value] = {"estimate": rule.estimate.written}
    if rule.error is None:
        verdict = Sentence("rule.symbolic", estimate)
    else:
        key = "rule.below" if rule.error < 0 else "rule.above"
        verdict = Sentence(key, estimate | {"value": rule.estimate.value, "error": abs(rule.error)})
    is_bound = derivation.total.value is not None
    rows: list[list[Value]] = []
    for step in rule.sources:
        difference = [signed(step.value or 0)] if is_bound else []
        rows.append([Capital(Sentence(f"rule.{step.name}")), Signed(step.closed), *difference])
    sources = Table("sources", counted("source", "difference", *(["parameters"] if is_bound else [])), rows)
    blocks: list[Block] = [Lead([verdict, Sentence("rule.reason")]), sources]
    yield Section("rule", Sentence("headings.rule"), blocks)
