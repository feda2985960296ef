"""Readings: what a record reads of a model beyond a part's name, as a table of its own.

{ of = "total", set = { n_kv_heads = "n_heads" }, with = ["mlm_head"], without = ["tying"] } is a part of a changed model,
{ bytes = "bf16" } what a number of a type takes, { recipe = "bf16_fp32_master", names = ["gradients"] } what a parameter does
in training (of = "lora" one of the adapters', which has no step of the model's),
{ quantity = "kv_cache", dtype = "bf16" } another quantity,
{ lora = [["q_proj", "query"], ["v_proj", "value"]] } what adapters of rank r beside these matrices train, each matrix called
by the first of its names that the library has for this model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Union

from symparams.derivations.steps import Step, Subject, named, step
from symparams.errors import SymparamsError
from symparams.expressions.closed_form import as_written, closed_form
from symparams.expressions.nodes import Expression, Number
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.symbols import letter
from symparams.expressions.written import replaced
from symparams.models.calculation import calculate
from symparams.models.model import Model
from symparams.practice.conditions import parsed
from symparams.practice.measures import measure
from symparams.practice.parts import part, step_of
from symparams.quantities.memory import bytes_of
from symparams.quantities.recipes import recipe

LAYER_NAMES = {"decoder.layer": "decoder_layer", "encoder.layer": "encoder_layer"}
LORA = "lora"
MOST_TERMS = 4  # of a step of its own; what has more is multiplied out
RANKS = ("second", "third")
Read = Union[str, Mapping[str, Any]]


def read(model: Model, wanted: Read) -> Expression | None:
    """Return the formula that is read; None if the model does not have it."""
    if isinstance(wanted, str):
        return part(model, wanted)
    if "bytes" in wanted:
        return as_written(Polynomial({(): bytes_of(wanted["bytes"])}))
    if LORA in wanted:
        targets = [next((name for name in names if _adapters(model, [name]) is not None), "") for names in wanted[LORA]]
        return _adapters(model, targets) if all(targets) else None
    if "recipe" in wanted and "quantity" not in wanted:
        named = wanted.get("names")  # bytes a parameter, in all or of the parts of these names
        return Number(sum(number for name, number in recipe(wanted["recipe"]).parts if named is None or name in named))
    if "quantity" in wanted:
        measured = measure(model, wanted)
        return None if measured is None else measured.written
    counted = part(changed(model, wanted), wanted["of"])
    meanings = {letter(name): parsed(formula) for name, formula in wanted.get("set", {}).items()}
    return None if counted is None else replaced(counted, meanings)


def changed(model: Model, wanted: Read) -> Model:
    """The model with the features that a table adds and takes away."""
    if isinstance(wanted, str):
        return model
    return model.with_features((model.present | frozenset(wanted.get("with", ()))) - frozenset(wanted.get("without", ())))


def step_read(subject: Subject, model: Model, called: str, wanted: Read, rank: int = 0) -> Step | None:
    """The step behind what is read: of the model's sheet, of the changed model's, or of its own; None for a bare number.

    ``rank`` tells a part in other sizes from the one that is called the same: 1 makes it the second, 2 the third.
    """
    if isinstance(wanted, Mapping) and "quantity" in wanted:
        return next(iter(_of_quantity(subject, model, wanted)[-1:]), None)
    counted, own = read(model, wanted), called if isinstance(wanted, str) or LORA not in wanted else LORA
    name = wanted if isinstance(wanted, str) else wanted.get("of", own)
    if counted is None or not counted.dimensions:
        return None
    is_as_it_is = all(model.values.get(dimension) == subject.values.get(dimension) for dimension in counted.dimensions)
    if is_as_it_is and (isinstance(wanted, str) or "set" not in wanted):
        return step_of(changed(model, wanted), name, counted)
    written = counted if len(counted.operands) <= MOST_TERMS else closed_form(counted, subject.relations)
    plain = LAYER_NAMES.get(name, name.rpartition(".")[2])
    return step(subject, name, named(RANKS[rank - 1], plain) if rank else plain, written)


def steps_read(subject: Subject, model: Model, called: str, wanted: Read, rank: int = 0) -> tuple[Step, ...]:
    """The steps behind what is read, the one that comes to it last; none for a bare number."""
    if isinstance(wanted, Mapping) and ("quantity" in wanted or "recipe" in wanted):
        return _of_quantity(subject, model, wanted)
    last = step_read(subject, model, called, wanted, rank)
    return () if last is None else (last,)


def _of_quantity(subject: Subject, model: Model, wanted: Mapping[str, Any]) -> tuple[Step, ...]:
    """The steps of a quantity's sheet; of a recipe those of the memory that it takes."""
    if "quantity" not in wanted:
        measured, chosen = measure(model, {"quantity": "training_memory", "recipe": wanted["recipe"]}), wanted.get("names")
        return tuple(measured.of_terms(chosen, subject.values)) if measured is not None and "of" not in wanted else ()
    measured = measure(model, wanted)
    return () if measured is None else measured.steps(subject.values)


def _adapters(model: Model, targets: Sequence[str]) -> Expression | None:
    """What adapters beside these matrices train; None where the model has not all of them."""
    try:
        return calculate(model, LORA, {"targets": targets}).written
    except SymparamsError:
        return None
