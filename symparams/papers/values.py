"""The values of a model that running text quotes: numbers, rounded numbers, closed forms, and the same of each component."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from symparams.answers.aligned_components import ModelShare, shares_of
from symparams.derivations.shares import Share, shares
from symparams.expressions.closed_form import as_written
from symparams.expressions.nodes import Expression
from symparams.expressions.notation import Letters
from symparams.expressions.written import number
from symparams.formats.format import Options
from symparams.formats.latex import writer as latex
from symparams.formats.sheet import Sheet
from symparams.formats.text import writer as text
from symparams.models.calculation import Calculation, calculate
from symparams.models.model import Model
from symparams.quantities import parameters as quantities
from symparams.quantities.quantity import PARAMETERS
from symparams.records import frozen
from symparams.sheets.document import Document
from symparams.sheets.quantities import column_of, noun_of, rounded_links
from symparams.sheets.values import Capital, Name, Prose, Sentence, Value, percent
from symparams.sheets.whole import is_users, letters_of

COUNT, DIGITS, ROUNDED, SHARE = "count", "digits", "rounded", "share"
CLOSED_FORM, BLOCKS = "closed_form", "closed_form_blocks"
FORMULAS = (CLOSED_FORM, BLOCKS)
COMPONENTS, ACTIVE = "components", "active"


@frozen
class QuotedValue:
    """A value: where it stands below its model, its text (TeX of a formula), and the sentence that says what it is."""

    path: tuple[str, ...]
    text: str
    says: str

    @property
    def kind(self) -> str:
        """The kind of the value: a count, its digits, a closed form."""
        return self.path[-1]


@frozen
class Values:
    """A model and what may be quoted of it."""

    name: str
    entries: tuple[QuotedValue, ...]


def values(
    subject: Model | Calculation, language: str = "en", notation: str = "hidden", symbols: Mapping[str, str] | None = None
) -> Values:
    """Return the values that a text may quote of a quantity; only formulas if an input has no value."""
    counted = calculate(subject, PARAMETERS, {}) if isinstance(subject, Model) else subject
    model, is_own = counted.model, is_users(counted.model) or counted.quantity.is_own
    letters = Letters(letters_of(model, notation, symbols or {})).counting(counted.quantity.letter)
    document = Document("values", language, None, None, (), letters=letters, subject=counted, is_users=is_own)
    return Values(model.name, tuple(_ValueReader(counted, Sheet(document, latex.MARKUP, Options())).entries()))


class _ValueReader:
    """Reads the values of a quantity in a language and a notation."""

    def __init__(self, counted: Calculation, sheet: Sheet) -> None:
        self.counted, self.sheet = counted, sheet
        self.text = Sheet(sheet.document, text.MARKUP, Options())
        self.is_cost = counted.quantity.tensors is None

    def entries(self) -> Iterator[QuotedValue]:
        counted, model, name = self.counted, self.counted.model, self.counted.quantity.name
        above, whole = ((name,), noun_of(counted.quantity)) if self.is_cost else ((), Sentence("macros.of.whole"))
        yield from self._number(above, counted.value() if counted.is_bound else None, whole)
        yield self._formula((*above, CLOSED_FORM), as_written(counted.polynomial), whole)
        yield self._formula((*above, BLOCKS), counted.by_blocks({}), whole)
        if counted.has_active:
            active = Sentence("macros.of.active")
            yield from self._number((ACTIVE,), model.active_count() if counted.is_bound else None, active)
            yield self._formula((ACTIVE, CLOSED_FORM), as_written(model.polynomial(quantities.ACTIVE)), active)
        for component, share in self._shares():
            path = (*above, COMPONENTS, component)
            yield from self._number(path, share.step.value, Name(component))
            if share.part is not None:
                yield self._entry((*path, SHARE), percent(share.part, self.sheet.head["percent"]), Name(component))
            closed = share.step.closed if self.is_cost else as_written(share.step.polynomial)
            yield self._formula((*path, CLOSED_FORM), closed, Name(component))

    def _shares(self) -> Iterator[tuple[str, Share | ModelShare]]:
        """Yield the share of each component: of parameters under its model's name, of a quantity under the common name."""
        if self.is_cost:
            yield from shares_of(self.counted).items()
        else:
            yield from ((str(share.step.name), share) for share in shares(self.counted, {}))

    def _number(self, path: tuple[str, ...], value: int | Fraction | None, what: Value) -> Iterator[QuotedValue]:
        """A number in groups of three digits, without them, and in the largest unit."""
        if value is None:
            return
        links = rounded_links(value, self.counted.quantity, self.sheet.words.catalogue)
        plain: Expression = number(value)
        yield self._entry((*path, COUNT), self.text.printer(plain), what)
        yield self._entry((*path, DIGITS), str(value), what)
        yield self._entry((*path, ROUNDED), self.text.printer(links[0].content if links else plain), what)

    def _formula(self, path: tuple[str, ...], formula: Expression, what: Value) -> QuotedValue:
        return self._entry(path, self.sheet.printer(formula), what)

    def _entry(self, path: tuple[str, ...], text: str, what: Value) -> QuotedValue:
        """A value and what it is: of FLOPs or bytes, in the words for a number."""
        told: dict[str, Value] = {"what": Capital(what), "model": Prose(self.counted.name)}
        if self.is_cost:
            told["unit"] = column_of(self.counted.quantity)
        key = f"macros.costs.{path[-1]}" if self.is_cost else f"macros.{path[-1]}"
        return QuotedValue(path, text, self.text.text(Sentence(key, told)))
