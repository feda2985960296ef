"""Derivations: a model worked out in ordered steps, which every sheet is a rendering of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, overload

from symparams.derivations import views
from symparams.derivations.conventions import Convention, conventions
from symparams.derivations.layers import FUSED, PER_HEAD
from symparams.derivations.rule_of_thumb import Reckoning, rule_of_thumb
from symparams.derivations.shares import Share, shares
from symparams.derivations.steps import Note, Step, StepKind, step
from symparams.display import Displayed
from symparams.errors import OptionError, quoted
from symparams.expressions.closed_form import BLOCKS, EXPANDED, as_written, check_form
from symparams.expressions.factoring import factored
from symparams.expressions.nodes import Size, Sum
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.symbols import W, t
from symparams.expressions.written import ZERO, total
from symparams.models.blocks import MOST_EXPANDED
from symparams.models.calculation import Calculation, calculate
from symparams.models.formula import Formula
from symparams.models.load import as_model
from symparams.models.model import Model
from symparams.models.stacks import in_common_letters
from symparams.quantities.parameters import ACTIVE
from symparams.quantities.quantity import PARAMETERS, Quantity, find
from symparams.records import frozen

if TYPE_CHECKING:
    from symparams.derivations.budget import Budget
    from symparams.derivations.fitting import Fit

ALL = "all"  # the name of every quantity together


@frozen
class Derivation(Displayed):
    """A subject worked out: the sections of its sheet and their total; what else is said of a model when it is asked for.

    ``is_chosen`` is true if somebody chose the form of its closed form. ``calculation`` is the quantity that is worked out;
    its model has values for the inputs too; ``fits`` are the largest inputs that fit a memory. ``assumed`` are the
    inputs and choices that nobody gave, with what is taken in their place.
    """

    subject: Model | Formula
    view: str
    attention: str
    sections: tuple[Step, ...]
    total: Step
    form: str = EXPANDED
    is_chosen: bool = False
    calculation: Calculation | None = None
    fits: tuple[Fit, ...] = ()
    assumed: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Derivation({self.subject.name!r}, {self.total.shown}, view={self.view!r}, attention={self.attention!r})"

    @property
    def model(self) -> Model:
        """The model that is worked out; OptionError for a bare formula, which is none."""
        if isinstance(self.subject, Formula):
            raise OptionError("A bare formula is not a model: it has no tree, no features and no conventions.")
        return self.subject

    @property
    def plain_model(self) -> Model:
        """The model that was worked out, without the values of inputs and windows that its calculation gave it."""
        model = self.model
        if not self.is_by_terms:
            return model
        kept = {dimension for dimension in model.architecture.dimensions if dimension != W or W in model.given}
        return replace(model, values={size: value for size, value in model.values.items() if size in kept})

    @property
    def is_expression(self) -> bool:
        """True if this works out a bare formula, not a model."""
        return isinstance(self.subject, Formula)

    @property
    def quantity(self) -> Quantity:
        """The quantity that is worked out; a bare formula counts parameters."""
        return self.calculation.quantity if self.calculation is not None else find(PARAMETERS)

    @property
    def is_by_terms(self) -> bool:
        """True if it is worked out term by term; a count of tensors is worked out layer by layer."""
        return self.calculation is not None and self.calculation.quantity.tensors is None

    @cached_property
    def active(self) -> Step | None:
        """The parameters that one token uses of a model with experts."""
        if self.calculation is None or not self.calculation.has_active:
            return None
        from symparams.derivations.active import active_step

        expanded = as_written(self.model.polynomial(ACTIVE))
        form = self.model.blocks(ACTIVE, names=_names(self.sections)).formula if self.form == BLOCKS else expanded
        return active_step(self.model, self.sections, self.total, form)

    @cached_property
    def idle(self) -> Step | None:
        """The experts that one token does not use."""
        if self.active is None:
            return None
        from symparams.derivations.active import idle_step

        return idle_step(self.model)

    @cached_property
    def shares(self) -> tuple[Share, ...]:
        """The share of each component in the total."""
        return () if self.calculation is None else tuple(shares(self.calculation, _names(self.sections)))

    @cached_property
    def conventions(self) -> tuple[Convention, ...]:
        """The other conventions of counting, and their totals."""
        return () if self.calculation is None else tuple(conventions(self.calculation, self.total.written))

    @cached_property
    def rule_of_thumb(self) -> Reckoning | None:
        """The quantity's rule of thumb with its exact error; None where none holds."""
        return None if self.calculation is None else rule_of_thumb(self.calculation)

    @cached_property
    def each_token(self) -> Step | None:
        """The cost of each further token of a sequence, if all cost the same; for one token, the whole cost."""
        if self.calculation is None or t.name in self.assumed or t not in self.quantity.inputs:
            return None
        from symparams.derivations.costs import each_token

        return each_token(self.calculation, self.total.closed)

    @cached_property
    def consequences(self) -> Sequence[Note]:
        """The readings that the quantity has of its number."""
        if self.calculation is None or not self.quantity.consequences:
            return ()
        from symparams.derivations.consequences import consequences

        return consequences(self.calculation)

    def walk(self) -> Iterator[Step]:
        """Every step of the count in reading order, the total last."""
        for section in self.sections:
            yield from section.walk()
        yield self.total


@overload
def derive(model: Model | str, quantity: Literal["all"], *, fits: str | None = None, **inputs: Any) -> Budget: ...


@overload
def derive(
    model: Model | str,
    quantity: str | Quantity = PARAMETERS,
    *,
    view: str = views.FIRST,
    attention: str = FUSED,
    form: str | None = None,
    **inputs: Any,
) -> Derivation: ...


def derive(
    model: Model | str,
    quantity: str | Quantity = PARAMETERS,
    *,
    view: str = views.FIRST,
    attention: str = FUSED,
    form: str | None = None,
    **inputs: Any,
) -> Derivation | Budget:
    """Derive a count step by step; ``model`` is a model or its name.

    ``view`` is "module" (part by part), "kind" (all layers of a kind together) or "weights" (matrices before biases); the
    total is the same. ``attention`` is "fused" (whole matrices) or "per-head". ``form`` is the closed form: "expanded" or
    "blocks"; by default blocks if the expanded form is long. A model without values is derived in symbols.

    Another ``quantity`` takes the inputs and choices of ``Model.measure``: derive(model, quantity="kv_cache", b=1, t=2048,
    dtype="bf16"). An input without a value stays a letter; without any input, usual ones are taken, as is a number type that
    nobody names (``Derivation.assumed``): FLOPs and the cache are those of one token. The quantity "all" returns a ``Budget``,
    the costs of a model on one page. ``fits`` is a memory size, for "all" or for a quantity in bytes: the largest value of the
    missing input is found.

    Raises OptionError or UnknownNameError for an invalid option.
    """
    if quantity == ALL:
        from symparams.derivations.budget import budget
        from symparams.derivations.fitting import checked

        return checked(budget(model, **_whole_page(view, attention, form, inputs)))
    quantity, fits = find(quantity), inputs.pop("fits", None)
    if quantity.tensors is None and attention != FUSED:  # how it is computed, not how it is written
        inputs, attention = {"attention": attention, **inputs}, FUSED
    if quantity.tensors is not None and not inputs:
        return worked_out(calculate(as_model(model), quantity, {}), view, form, attention, fits)
    return worked_out_as_usual(as_model(model), quantity, inputs, view, form, attention, fits)


def worked_out(
    calculation: Calculation,
    view: str = views.FIRST,
    form: str | None = None,
    attention: str = FUSED,
    fits: str | None = None,
) -> Derivation:
    """Return a calculation worked out, and how much of it ``fits`` a memory.

    A count of tensors is worked out layer by layer, as a person counts the matrices of each, any other term by term.
    """
    if attention not in (FUSED, PER_HEAD):
        raise OptionError(f"Unknown attention {quoted(attention)}: choose {FUSED} or {PER_HEAD}.")
    model = calculation.model
    sections, addends = views.sections_of(calculation, view, attention)
    whole = total([addend.quantity for addend in addends if addend.written != ZERO])
    chosen = calculation.usual_form if form is None else check_form(form)
    if chosen == BLOCKS:
        closed = calculation.by_blocks(_names(sections))
    elif chosen == EXPANDED:
        closed = as_written(calculation.polynomial)
    else:
        from symparams.derivations.costs import in_counts

        closed = addends[0].closed if len(addends) == 1 else in_counts(calculation) or factored(calculation.polynomial)
        has_stacks = any(part.kind == StepKind.STACK for part in addends)
        if has_stacks and isinstance(closed, Sum) and len(closed.terms) > MOST_EXPANDED:
            closed = total([Size(part.written) if part.kind == StepKind.STACK else part.closed for part in addends])
    last = step(model, "", calculation.total_name, whole, kind=StepKind.TOTAL, form=closed)
    room = _fits(calculation, fits) if fits is not None else ()
    return Derivation(model, view, attention, tuple(sections), last, chosen, form is not None, calculation, room)


def worked_out_as_usual(
    model: Model,
    quantity: Quantity,
    given: Mapping[str, Any],
    view: str = views.FIRST,
    form: str | None = None,
    attention: str = FUSED,
    fits: str | None = None,
) -> Derivation:
    """Return a quantity of a model worked out, with the usual values of what nobody gives; with ``fits`` inputs stay open."""
    from symparams.derivations.usual import usual_calculation

    calculation, taken = usual_calculation(model, quantity, given, takes_inputs=fits is None)
    return replace(worked_out(calculation, view, form, attention, fits), assumed=taken)


def _fits(calculation: Calculation, room: str) -> tuple[Fit, ...]:
    from symparams.derivations.fitting import fits_of
    from symparams.quantities.memory import read_room

    return tuple(fits_of(calculation, read_room(room)))


def _whole_page(view: str, attention: str, form: str | None, inputs: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the arguments of a budget; OptionError for a view or a form, of which a budget has none."""
    if view != views.FIRST or form is not None:
        raise OptionError("The page of all quantities has a fixed view and form: leave out view and form.")
    given = {name: value for name, value in inputs.items() if name != "fits"}
    return {"given": given if attention == FUSED else {"attention": attention, **given}, "fits": inputs.get("fits")}


def _names(sections: Iterable[Step]) -> dict[str, Polynomial]:
    """Return the polynomials to which a closed form may refer by name: those of steps whose name has one meaning."""
    meanings_of: dict[str, set[Polynomial]] = {}
    for part in (part for section in sections for part in section.walk()):
        meanings_of.setdefault(str(part.name), set()).add(part.polynomial)
    return {name: next(iter(meanings)) for name, meanings in meanings_of.items() if len(meanings) == 1}


def as_printed(derivation: Derivation, kept: Collection[str] = ()) -> Derivation:
    """Return the derivation with one letter for what the two stacks of a model share; letters that are ``kept`` stay."""
    if (
        derivation.is_expression
        or derivation.is_by_terms
        or (model := in_common_letters(derivation.model, kept)) is derivation.subject
    ):
        return derivation
    form = derivation.form if derivation.is_chosen else None
    return derive(model, view=derivation.view, attention=derivation.attention, form=form)


def derive_expression(expression: Any, /, **values: Any) -> Derivation:
    """Derive a bare formula ("12*L*h**2 + 13*L*h", or sympy): as written, multiplied out, with numbers, and its value.

    Its letters have no other meaning. Raises ExpressionError if it does not parse, UnknownNameError for a value of a letter
    that it does not have, and DimensionError for a value that is not a positive integer.
    """
    return derive_formula(expression, values)


def derive_formula(expression: Any, values: Mapping[str, Any]) -> Derivation:
    """Work out a bare formula whose values are given as a mapping, so that a letter may have any name."""
    subject = Formula.read(expression, values)
    closed = as_written(subject.polynomial())
    whole = step(subject, "", "total", subject.expression, kind=StepKind.TOTAL, form=closed)
    assert whole.value is None or isinstance(whole.value, int)  # another value is an error now, not on the sheet
    return Derivation(subject, views.FIRST, FUSED, (), whole)
