"""The memory in a budget: weights by number type, the cache, training by recipe, activations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import count
from typing import TYPE_CHECKING, Any

from symparams.derivations.balances import more_cache
from symparams.derivations.budget import Budget, numbers
from symparams.derivations.costs import each_token
from symparams.derivations.derivation import worked_out
from symparams.derivations.fitting import cards
from symparams.derivations.steps import Step
from symparams.expressions.nodes import Equality, Expression, Number, Product, Size, Sum, as_expression
from symparams.expressions.printing.printer import rounded_half_up
from symparams.expressions.symbols import N, b, e, t
from symparams.expressions.written import number, whole
from symparams.models.calculation import Calculation
from symparams.quantities.memory import USUAL, Room, bytes_of, times_bytes
from symparams.quantities.quantity import BYTES
from symparams.quantities.recipes import GRADIENTS, MASTERED, WEIGHTS, Recipe, recipe
from symparams.sheets.budget.figures import figure, formula, sized
from symparams.sheets.catalogue import Catalogue
from symparams.sheets.document import Block, Column, Equation, Link, Paragraph, Section, Table
from symparams.sheets.quantities import in_unit, rounded_links
from symparams.sheets.values import Listed, Prose, Sentence, Value

if TYPE_CHECKING:
    from symparams.answers.boards import Card


def weights(budget: Budget, words: Catalogue) -> Iterator[Section]:
    """The weights in each number type; e·N where N has no value."""
    columns, per_weight, every = [Column(None, is_words=True)], list[Value](), list[Value]()
    for each in dict.fromkeys(map(bytes_of, USUAL)):
        alike = [dtype for dtype in USUAL if bytes_of(dtype) == each]
        size = budget.value(budget.calculate("weight_memory", "e", dtype=alike[0]))
        columns.append(Column(types(alike), "r"))
        per_weight.append(as_expression(whole(each)))
        every.append(figure(size, BYTES, words) if size is not None else times_bytes(N, each))
    rows: list[list[Value]] = [[Sentence("budget.bytes_each", {"e": e}), *per_weight], [Sentence("budget.weights_all"), *every]]
    yield Section("weights", Sentence("budget.weights"), [Table("weights", columns, rows)])


def cache(budget: Budget, words: Catalogue) -> Iterator[Section]:
    """A token of the cache, where each adds the same, and the whole."""
    calculation, heading = budget.cache, Sentence("budget.cache")
    if calculation is None:
        yield Section("cache", heading, [Paragraph([Sentence("budget.no_cache", {"model": Prose(budget.model.name)})])])
        return
    if calculation.setting.dtype:
        heading = Sentence("budget.cache_in", {"type": Prose(calculation.setting.dtype.upper())})
    total = worked_out(calculation).total
    token = each_token(calculation, total.closed)
    blocks: list[Block] = [_line("budget.cache_token", token, calculation, words)] if token is not None else []
    key = "budget.cache_all" if t in calculation.written.dimensions else "budget.cache_state"
    yield Section("cache", heading, [*blocks, _line(key, total, calculation, words), *_balance(budget)])


def _balance(budget: Budget) -> Iterator[Paragraph]:
    """From how many tokens on the cache is more than the weights."""
    first = more_cache(budget)
    if first is not None:
        terms = {"sequences": Equality(b, Number(budget.given.get(b.name, 1))), "from": Equality(t, Number(first))}
        yield Paragraph([Sentence("budget.more_cache", {**terms, "type": Prose(budget.dtype.upper())})])


def types(names: Sequence[str]) -> Value:
    """Number types beside one another: FP16, BF16."""
    return Listed(tuple(Prose(name.upper()) for name in names), "signs.list")


def _line(key: str, step: Step, calculation: Calculation, words: Catalogue) -> Equation:
    """A formula, and its number, exact and in its unit; or what the formula is with the numbers that there are."""
    links = [Link(step.closed)]
    if step.value is not None:
        links += [
            Link(in_unit(number(step.value), calculation.quantity, words), joins=False),
            *rounded_links(step.value, calculation.quantity, words),
        ]
    else:
        left = formula(numbers(step.polynomial, calculation.model.values))
        links += [Link(left, joins=False)] if left != step.closed else []
    return Equation(None, links, in_a_row=True, label=Sentence(key))


def states(budget: Budget, words: Catalogue) -> Iterator[Section]:
    """Weights, gradients and the optimizer's states, by recipe; with LoRA those of its matrices alone."""
    rows: list[list[Value]] = []
    for name in budget.recipes:
        chosen = recipe(name, budget.given.get("gradients", "") if name == MASTERED else "")
        calculation = budget.states(name)
        size = budget.value(calculation)
        left = (
            formula(sized(calculation.polynomial, budget.model))
            if _has_lora(budget)
            else Size(Product((Number(chosen.each), N)))
        )
        cell: Value = figure(size, BYTES, words) if size is not None else left
        row: list[Value] = [Sentence(f"budget.recipes.{name}"), *([] if _has_lora(budget) else [_bytes(chosen)]), cell]
        rows.append([*row, *_verdict(budget, size, words)])
    columns = [Column(Sentence("budget.columns.recipe"), is_words=True)]
    columns += [] if _has_lora(budget) else [Column(Sentence("budget.columns.each_parameter"), "r")]
    columns.append(Column(Sentence("budget.columns.memory"), "r"))
    columns += [Column(Sentence("budget.columns.left", {"room": room_of(budget)}), "r")] if budget.room else []
    heading = Sentence("budget.states_lora" if _has_lora(budget) else "budget.states")
    shared = [Paragraph([Sentence("budget.shared_out")])] if any(_cards(budget, name) > 1 for name in budget.recipes) else []
    yield Section("training_memory", heading, [Table("training_memory", columns, rows), *shared])


def _cards(budget: Budget, name: str) -> int:
    """The cards over which a recipe's bytes are shared out; 0 where that is not known."""
    size = budget.value(budget.states(name))
    return cards(size, budget.room) if budget.room is not None and size is not None else 0


def _has_lora(budget: Budget) -> bool:
    return "targets" in budget.given


def _bytes(chosen: Recipe) -> Expression:
    """4 + 4 + 8 = 16: the weight, its gradient, what the optimizer keeps."""
    own = dict(chosen.parts)
    kept = sum(number for name, number in chosen.parts if name not in (WEIGHTS, GRADIENTS))
    parts = [own[WEIGHTS], own[GRADIENTS], *([kept] if kept else [])]
    return Equality(Sum(tuple(map(Number, parts))), Number(chosen.each))


def room_of(budget: Budget) -> Value:
    """The memory to fit into, in its own unit."""
    assert budget.room is not None  # as who asks has seen
    return called(budget.room)


def called(room: Room) -> Prose:
    """A memory in its own unit: 24 GB."""
    size = room.size / room.unit
    decimals = next(number for number in count() if (size * 10**number).denominator == 1)
    return Prose(f"{rounded_half_up(size, decimals)} {room.unit_name}")


def card_called(card: Card) -> Prose:
    """A board by its name or a memory by its size, and how many there are: 8 × 80 GB."""
    name = Prose(card.board.name) if card.board else called(card.room)
    return Prose(f"{card.number:,} × {name.text}") if card.number > 1 else name


def _verdict(budget: Budget, size: Any, words: Catalogue) -> list[Value]:
    """Return the memory that is left, or the number of cards and what each of them holds."""
    if budget.room is None:
        return []
    if size is None:
        return [None]
    number = cards(size, budget.room)
    if number == 1:
        return [Sentence("budget.left", {"size": figure(budget.room.size - size, BYTES, words)})]
    return [Sentence("budget.lacking", {"cards": Number(number), "size": figure(Fraction(size, number), BYTES, words)})]


def activations(budget: Budget, words: Catalogue) -> Iterator[Section]:
    """Yield the section on the tensors saved for the backward pass, computed in each way that there is."""
    lines: list[Block] = []
    for name, how in budget.ways.items():
        calculation = budget.activations(**how)
        if calculation is not None and (calculation.setting.dtype or "e" in budget.given):
            size, left = budget.value(calculation), formula(numbers(calculation.polynomial, calculation.model.values))
            links = [Link(left)]
            if size is not None:
                bytes_said = rounded_links(size, calculation.quantity, words)[:1]
                links = [Link(in_unit(number(size), calculation.quantity, words)), *bytes_said]
            lines.append(Equation(None, links, in_a_row=True, label=Sentence(f"budget.ways.{name}")))
    blocks = lines or [Paragraph([Sentence(_why_not(budget))])]
    typed = Sentence("budget.activations_in", {"type": Prose(budget.dtype.upper())})
    yield Section("activations", typed if lines and budget.dtype else Sentence("budget.activations"), blocks)


def _why_not(budget: Budget) -> str:
    """True if activations lack a number type, or are not derived."""
    return "budget.untyped" if budget.activations(dtype="fp32") is not None else "budget.not_derived"
