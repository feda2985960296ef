"""The sheet: what the skeleton asks for, each piece printed, escaped and broken into lines for its format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Union

from symparams.derivations.conventions import Convention
from symparams.derivations.derivation import Derivation
from symparams.derivations.steps import BLOCK, STACK, TOTAL, Note, Step
from symparams.errors import OptionError, quoted
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.marks import Size
from symparams.expressions.nodes import Dimension, Expression, Number, Product
from symparams.expressions.notation import HF, Letter, letters
from symparams.expressions.printing.text import columns as text_columns
from symparams.expressions.symbols import READING_ORDER
from symparams.formats import FLAVORS, Format
from symparams.models.model import Model
from symparams.quantities.memory import Footprint
from symparams.sheets.catalogue import catalogue
from symparams.sheets.layout import Line, Link, chain, fill
from symparams.sheets.numbers import percent, rounded
from symparams.sheets.tables import Cell, Table, Tabular, pad


def model_letters(model: Model, notation: str, symbols: Mapping[str, str]) -> Mapping[Dimension, Letter]:
    """The letters for a model's dimensions in a notation, with a user's own symbols."""
    keys = {dimension: model.architecture.key(dimension) for dimension in model.dimensions}
    return letters(notation, symbols, model.dimensions, keys)


@dataclass(frozen=True)
class Printed:
    """A placeholder's text that is printed and escaped already."""

    text: str


Term = Union[Expression, str, Fraction, Printed]


class Sheet:
    """A derivation in one format, language and notation, as the templates read it."""

    def __init__(
        self,
        derivation: Derivation,
        format: Format,  # noqa: A002 - the field's word
        language: str,
        notation: str,
        *,
        symbols: Mapping[str, str] | None = None,
        columns: int = 1,
        standalone: bool = True,
        flavor: str = "pandoc",
    ) -> None:
        if flavor not in FLAVORS:
            raise OptionError(f"Unknown flavor {quoted(flavor)}: choose {' or '.join(FLAVORS)}.")
        self.derivation, self.model, self.language = derivation, derivation.model, language
        self.format, self.columns, self.standalone, self.flavor = format, columns, standalone, flavor
        self.catalogue, self.notation = catalogue(language), notation
        self.printer = format.printer(model_letters(self.model, notation, symbols or {}), self.catalogue.name)
        self.width = format.line[columns, standalone]
        self.is_bound = derivation.total.value is not None
        self.footprints: list[Footprint] = []

    def say(self, *keys: str, **terms: Term) -> str:
        """A sentence of the catalogue by itself."""
        return self.sentence(*keys, **terms).strip()

    def sentence(self, *keys: str, **terms: Term) -> str:
        """A sentence, escaped, with its placeholders filled, and the space that its language wants around a formula."""
        pieces = []
        for literal, placeholder in self.catalogue.sentence(keys):
            pieces.append(self.format.escape(literal))
            if placeholder is not None:
                pieces.append(self.term(terms[placeholder]))
        return self.format.tidy("".join(pieces))

    def term(self, term: Term) -> str:
        """What stands for a placeholder: a formula, an exact part as a percentage, a component's name, or a text."""
        if isinstance(term, Printed):
            return term.text
        if isinstance(term, Expression):
            return self.math(term)
        return self.percent(term) if isinstance(term, Fraction) else self.format.escape(term)

    def math(self, expression: Expression) -> str:
        """A formula as it stands in a sentence."""
        before, after = self.format.inline[self.flavor]
        return before + self.printer(expression) + after

    def number(self, value: int) -> str:
        """An integer as it stands in a sentence or a table."""
        return self.math(Number(value))

    def percent(self, part: Fraction) -> str:
        """An exact part as a percentage with two decimals."""
        return self.format.escape(percent(part))

    def name(self, step: Step) -> str:
        """What a step is called, as a heading begins."""
        name = self.catalogue.name(step.name)
        return self.format.escape(_capital(name))

    @property
    def choice(self) -> str:
        """What was added to the model or left out; "" where it is as usual."""
        sentences = [
            self.say(f"choice.{'with' if present else 'without'}", part=self.catalogue.name(f"part:{feature}"))
            for feature, present in self.model.chosen
        ]
        if self.model.assumes_base:
            sentences.insert(0, self.say("choice.base", name=self.model.class_name))
        return self.paragraph(self.catalogue.joint.join(sentences))

    def run_in(self, step: Step) -> str:
        """What a step is called, as the beginning of its paragraph."""
        name = self.catalogue.name(step.name)
        return self.say("item", name=_capital(name))

    def heading(self, section: Step) -> str:
        """The heading of a section; one copy of a repeated block says so."""
        if section.kind == STACK:
            return self.say("headings.copy", name=self.catalogue.name(section.steps[0].name))
        return self.name(section)

    @property
    def title(self) -> str:
        """The question that the sheet answers."""
        model = self.model
        if self.derivation.is_expression:
            return self.say("title.expression")
        return self.say("title.model", model=model.architecture.title if model.is_family else model.name)

    def notes(self, step: Step) -> str:
        """The sentences on a step, as one paragraph."""
        sentences = [self.note(note) for note in step.notes]
        return self.paragraph(self.catalogue.joint.join(sentence for sentence in sentences if sentence))

    def closing(self, step: Step) -> str:
        """What introduces the sum of the steps before it: so many copies, or all of them together."""
        if step.kind == STACK and isinstance(step.written, Product):
            return self.say("sums.stack", times=step.written.factors[0])
        return self.say("sums.together")

    def note(self, note: Note) -> str:
        """One sentence; nothing where the catalogue has none of its keys."""
        terms: dict[str, Term] = {
            key: self.catalogue.name(term) if isinstance(term, str) else term for key, term in note.terms.items()
        }
        return self.sentence(*(f"notes.{key}" for key in note.keys), **terms)

    def paragraph(self, text: str) -> str:
        """A paragraph, filled where the format has columns."""
        return fill(text.strip()) if self.format.name == "text" else text.strip()

    def equation(self, step: Step) -> list[Line]:
        """A step's chain: on one line as written, multiplied out, with numbers and its value; over several lines as
        written, with numbers, by its parts, and at last multiplied out with its value.
        """
        name = self.quantity(step)
        numbers: list[Expression] = [
            content for content in (step.substituted, step.by_parts) if content and content != Number(step.value or 0)
        ]
        is_new = self.printer(step.closed) not in (self.printer(step.written), _tight(self, step.written))
        closed: list[Expression | str] = [step.closed] if is_new else []
        result = [self.result(step)] if step.value is not None and step.written != Number(step.value) else []
        if not step.parts and step.kind not in (BLOCK, STACK, TOTAL):
            in_a_row = self.chain(
                name, [Link(content) for content in (step.written, *closed, *numbers, *result) if content is not None]
            )
            if len(in_a_row) == 1:
                return in_a_row
        below = [Link(content, joins=False) for content in (step.written, *numbers)]
        last = [Link(content, joins=i > 0 or not numbers) for i, content in enumerate([*closed, *result])]
        return self.chain(name, [*below, *last])

    def quantity(self, step: Step) -> str:
        """The name on the left of a step's equation: N with the step's name, and the total plain N."""
        return self.printer.quantity("" if step.kind == TOTAL else self.catalogue.name(step.name))

    def result(self, step: Step) -> str:
        """The value, strong where it closes a block."""
        value = self.printer(Number(step.value or 0))
        before, after = self.format.strong if step.kind in (BLOCK, STACK, TOTAL) else ("", "")
        return before + value + after

    @property
    def answer(self) -> list[Line]:
        """N = closed form = count ≈ the count as people say it."""
        total = self.derivation.total
        links = [Link(total.closed)] if total.closed != Number(total.value or 0) else []
        if total.value is not None:
            links.append(Link(self.result(total)))
            if words := rounded(total.value, self.catalogue.rounding):
                links.append(Link(self.printer.prose(words[0]), relation="=" if words[1] else self.printer.approximately))
        return self.chain("N", links)

    @property
    def active(self) -> list[Line]:
        """What one token uses of a model with experts: closed form and count; [] for other models."""
        active = self.derivation.active
        if active is None:
            return []
        links = [Link(active.closed), *([Link(self.result(active))] if active.value is not None else [])]
        return self.chain(self.printer.quantity(self.catalogue.name("active")), links)

    def chain(self, name: str, links: Sequence[Link]) -> list[Line]:
        return chain(self.printer, name, links, self.width, self.printer.quad)

    @property
    def dimensions(self) -> Table:
        """Every symbol of the sheet: its meaning, its config key, its value."""
        keys = ["symbol", "meaning", "key", *(["value"] if self.model.values else [])]
        if not self.model.architecture.library and not self.model.relations:
            keys.remove("key")
        rows = []
        for dimension in sorted(self.model.dimensions, key=READING_ORDER.index):
            value = self.number(self.model.values[dimension]) if dimension in self.model.values else ""
            meaning = self.say(f"dimensions.{dimension.name}")
            row = {"symbol": self.math(dimension), "meaning": meaning, "key": self.origin(dimension), "value": value}
            rows.append(tuple(Cell(row[key]) for key in keys))
        sides = {"symbol": "c", "value": "r"}
        wide: tuple[int, ...]
        if self.notation == HF:
            wide = (0, keys.index("key")) if "key" in keys else (0,)
        else:
            wide = (keys.index("key"),) if "key" in keys else ()
        if not self.model.architecture.library:
            keys = ["relation" if key == "key" else key for key in keys]
        return Table(self.columns_named(keys), "".join(sides.get(key, "l") for key in keys), tuple(rows), words=1, wide=wide)

    def origin(self, dimension: Dimension) -> str:
        """Where a dimension comes from: the config key that holds it, or the relation that it follows."""
        if dimension in self.model.given or dimension not in self.model.relations:
            if self.notation == HF:
                return ""  # the symbol is the key
            key = self.model.architecture.key(dimension)
            return self.code(key) if key else ""
        return self.math(Size(self.model.relations[dimension]))

    def code(self, text: str) -> str:
        """A name as a program spells it."""
        return self.format.code(text)

    @property
    def shares(self) -> Table:
        """Component, closed form, count and share, and the sum of them."""
        keys = ["component", "closed_form", *(["parameters", "share"] if self.is_bound else [])]
        lines = [(self.name(share.step), share.step, share.part) for share in self.derivation.shares]
        lines.append((self.say("headings.sum"), self.derivation.total, Fraction(1)))
        rows = []
        for name, step, part in lines:
            counted = [Cell(self.number(step.value or 0)), Cell(self.percent(part or Fraction(0)))] if self.is_bound else []
            rows.append((Cell(name), self.formula_cell(step.closed), *counted))
        return Table(self.columns_named(keys), "llrr"[: len(keys)], tuple(rows), wide=(1,), last_is_sum=True)

    @property
    def conventions(self) -> Table:
        """The model's own count, then the others with their differences."""
        keys = ["convention", "difference", *(["parameters"] if self.is_bound else [])]
        own = [
            Cell(self.say("notes.convention.own")),
            Cell(""),
            *([Cell(self.number(self.derivation.total.value or 0))] if self.is_bound else []),
        ]
        rows = [tuple(own), *map(self.convention, self.derivation.conventions)]
        return Table(self.columns_named(keys), "llr"[: len(keys)], tuple(rows), wide=(1,))

    def convention(self, convention: Convention) -> tuple[Cell, ...]:
        """One convention as a row."""
        difference = self.formula_cell(convention.difference.closed, signed=True)
        value = [Cell(self.number(convention.result.value or 0))] if self.is_bound else []
        return (Cell(self.note(convention.note).strip()), difference, *value)

    def formula_cell(self, expression: Expression, *, signed: bool = False) -> Cell:
        """A formula in a cell, which may be broken into lines; ``signed`` puts a plus before it that the minus would have."""
        before, after = self.format.inline[self.flavor]
        whole = self.printer(expression)
        plus = self.printer.plus.lstrip() if signed and not whole.startswith(self.printer.minus.strip()) else ""

        def broken(room: float) -> list[str]:
            pieces = self.printer.pieces(expression, lambda piece: self.printer.width(plus + piece) <= room)
            rows = [plus + pieces[0]]
            for piece in pieces[1:]:
                if self.printer.width(rows[-1] + piece) <= room:
                    rows[-1] += piece
                else:
                    rows.append(self.printer.continuation("", piece))
            return [before + row + after for row in rows]

        return Cell(before + plus + whole + after, broken)

    def columns_named(self, keys: Sequence[str]) -> tuple[str, ...]:
        return tuple(self.say(f"columns.{key}") for key in keys)

    @property
    def rule_of_thumb(self) -> str:
        """The sentences on 12·L·h²: how far off it is, and what it counts; "" where the rule says nothing."""
        rule = self.derivation.rule_of_thumb
        if rule is None:
            return ""
        estimate = rule.estimate
        if rule.error is None:
            verdict = self.sentence("rule.symbolic", estimate=estimate.written)
        else:
            key = "rule.below" if rule.error < 0 else "rule.above"
            verdict = self.sentence(key, estimate=estimate.written, value=Number(estimate.value or 0), error=abs(rule.error))
        return self.paragraph(verdict + self.catalogue.joint + self.sentence("rule.reason"))

    @property
    def sources(self) -> Table:
        """What the rule of thumb leaves out, source by source."""
        rule = self.derivation.rule_of_thumb
        keys = ["source", "difference", *(["parameters"] if self.is_bound else [])]
        rows = []
        for step in rule.sources if rule else ():
            counted = [Cell(self.signed(step.value or 0))] if self.is_bound else []
            rows.append((Cell(_capital(self.say(f"rule.{step.name}"))), self.formula_cell(step.closed, signed=True), *counted))
        return Table(self.columns_named(keys), "llr"[: len(keys)], tuple(rows), wide=(1,))

    def signed(self, value: int) -> str:
        """A difference with its sign."""
        before, after = self.format.inline[self.flavor]
        sign = self.printer.plus if value >= 0 else self.printer.minus
        return before + sign.strip() + self.printer.number(abs(value)) + after

    def underlined(self, text: str) -> str:
        """A heading with a rule below it as long as itself."""
        return f"{text}\n{'─' * text_columns(text)}"

    def aligned(self, lines: Sequence[Line]) -> list[str]:
        """The lines of an equation with their equals signs below one another."""
        left = max(text_columns(line.left) for line in lines)
        return [
            f"{pad(line.left, left, 'l')} {line.right}".strip() if line.left else " " * (left + 1) + line.right
            for line in lines
        ]

    def tabular(self, table: Table) -> Tabular:
        """A table laid out in LaTeX's columns; with two columns on the page it is set in a smaller font."""
        return Tabular(table, self.width * (1.0 if self.columns == 1 else 1 / 0.9), self.printer.width)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _tight(sheet: Sheet, written: Expression) -> str:
    """The written form of a plain product, as its closed form would be printed: V × h is V·h."""
    is_plain = isinstance(written, (Dimension, Product)) and _factors_once(written)
    return sheet.printer(as_written(multiply_out(written, {}))) if is_plain else ""


def _factors_once(written: Expression) -> bool:
    factors = written.factors if isinstance(written, Product) else (written,)
    return (
        all(isinstance(factor, (Dimension, Number)) for factor in factors) and sum(isinstance(f, Number) for f in factors) < 2
    )
