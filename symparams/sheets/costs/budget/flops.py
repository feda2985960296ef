"""The FLOPs in a budget: a forward pass by its kinds of products, and training beside the rule of thumb."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from symparams.derivations.budget import DECODE, FORWARD, PREFILL, Budget, Run, each, number_of, numbers, total_of
from symparams.expressions.marks import Equality, Size
from symparams.expressions.nodes import Dimension, Expression, Negative, Number, Product, Quotient
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.printing.nodes import Signed, Words
from symparams.expressions.symbols import D, N, N_active, b, s, s_src, t
from symparams.models.costing import Costing
from symparams.quantities.cost import FLOPS
from symparams.sheets.catalogue import Catalogue
from symparams.sheets.costs.budget.figures import figure, formula, shown, sized
from symparams.sheets.document import Block, Column, Equation, Link, Paragraph, Section, Table
from symparams.sheets.numbers import percent
from symparams.sheets.values import Capital, Listed, Sentence, Value

FEW = 6  # terms of a formula over a fraction bar


def forward(budget: Budget, words: Catalogue) -> Iterator[Section]:
    """The formulas of each kind of product, and what they come to in prefill and decode."""
    if not budget.runs:
        yield Section("forward", Sentence("budget.forward"), [Paragraph([Sentence("budget.no_flops")])])
        return
    blocks: list[Block] = list(_formulas(budget.runs))
    yield Section("forward", Sentence("budget.forward"), [*blocks, *_table(budget, words)])


def _formulas(runs: Sequence[Run]) -> Iterator[Equation]:
    """Each group once where prefill is decoding after no token, otherwise of each run."""
    general = runs[-1].groups
    same = len(runs) == 1 or {kind: _without(t, each) for kind, each in general.items()} == runs[0].groups
    shared = [kind for kind, each in runs[0].groups.items() if runs[-1].groups.get(kind) == each]
    for run in runs[-1:] if same else runs:
        for kind, polynomial in run.groups.items():
            if kind in shared and run is not runs[0] and not same:
                continue
            group = Sentence(f"budget.groups.{kind}")
            is_alone = same or kind in shared
            label = (
                group if is_alone else Sentence("budget.of_run", {"run": Sentence(f"budget.runs.{run.name}"), "group": group})
            )
            closed, left = shown(polynomial, run.costing.model), formula(sized(polynomial, run.costing.model))
            links = [Link(closed), *([Link(left, joins=False)] if left != closed else [])]
            yield Equation(None, links, in_a_row=True, label=Capital(label))


def _without(letter: Dimension, polynomial: Polynomial) -> Polynomial:
    return Polynomial({monomial: number for monomial, number in polynomial.terms.items() if letter not in dict(monomial)})


def _table(budget: Budget, words: Catalogue) -> Iterator[Table]:
    """A row for each run that has values for all of its letters, and the rule of thumb."""
    kinds = list(dict.fromkeys(kind for run in budget.runs for kind in run.groups))
    rows = [row for run in budget.runs if (row := _row(run, kinds, words))]
    if not rows:
        return
    is_by_token = any(row[-1] is not None for row in rows)
    if is_by_token and not budget.model.unbound:
        for letter in _letters(budget):
            rule = figure(2 * _counted(budget, letter), FLOPS, words, is_bare=True)
            rows.append([Sentence("budget.rule", {"rule": _rule(2, letter)}), *[None] * (len(kinds) + 1), rule])
    columns = [Column(Sentence("units.flops.column"), is_words=True)]
    columns += [Column(Capital(Sentence(f"budget.groups.{kind}")), "r") for kind in kinds]
    columns += [Column(Sentence("headings.sum"), "r"), Column(Sentence("budget.columns.token"), "r")]
    yield Table("forward", columns if is_by_token else columns[:-1], rows if is_by_token else [row[:-1] for row in rows])


def _letters(budget: Budget) -> Sequence[Dimension]:
    """What a rule of thumb counts by: N, and of a mixture of experts N_active beside it."""
    return (N, N_active) if budget.model.has_experts else (N,)


def _counted(budget: Budget, letter: Dimension) -> int:
    return budget.model.count() if letter == N else budget.model.active_count()


def _rule(factor: int, letter: Dimension) -> Expression:
    return Size(Product((Number(factor), letter)))


def _row(run: Run, kinds: Sequence[str], words: Catalogue) -> list[Value]:
    """The figures of a run; nothing where a letter has no value."""
    total = number_of(run.number(total_of(run.groups)))
    if total is None:
        return []
    values, found = run.costing.model.values, [run.groups.get(kind) for kind in kinds]
    parts = [number_of(run.number(each)) if each is not None else None for each in found]
    tokens = values[b] * values[s] if s in run.costing.written.dimensions else 0
    cells = [figure(part, FLOPS, words, is_bare=True) if part is not None else None for part in parts]
    token = figure(Fraction(total, tokens), FLOPS, words, is_bare=True) if tokens else None
    return [_label(run), *cells, figure(total, FLOPS, words, is_bare=True), token]


def _label(run: Run) -> Value:
    """What a run is called, with the inputs that it is of: decode, b = 1, t = 131,072."""
    asked = {PREFILL: (b, s), DECODE: (b, t), FORWARD: (b, s)}[run.name]
    values = {letter: run.costing.model.values.get(letter) for letter in asked if letter in run.costing.written.dimensions}
    said = [Equality(letter, Number(value)) for letter, value in values.items() if value is not None]
    return Capital(
        Sentence("budget.run", {"run": Sentence(f"budget.runs.{run.name}"), "inputs": Listed(tuple(said), "steps.list")})
    )


def training(budget: Budget, words: Catalogue) -> Iterator[Section]:
    """6·N a token beside the exact FLOPs: with the mask in full, its pairs alone, the layers recomputed."""
    full = budget.training(causal="full")
    if full is None:
        return
    is_by_token = s in full.written.dimensions and s_src not in full.written.dimensions
    ways = [("full", full), ("exact", budget.training(causal="exact")), ("checkpoint", budget.training(checkpoint=True))]
    chosen = [(name, way) for name, way in ways if way is not None and (name == "full" or way.polynomial != full.polynomial)]
    heading = Sentence("budget.training" if is_by_token else "budget.training_sequence")
    rows = [_by_rule(budget, letter, words) for letter in _letters(budget)] if is_by_token else []
    rows += [_trained(budget, name, way, words, is_by_token=is_by_token) for name, way in chosen]
    columns = [
        Column(Sentence("budget.columns.way"), is_words=True),
        Column(Sentence("columns.formula"), moves=1),
        Column(Sentence("units.flops.column"), "r"),
        Column(Sentence("budget.columns.all", {"D": D}), "r"),
        Column(Sentence("budget.columns.against", {"rule": Size(Product((Number(6), N, D)))}), "r"),
    ]
    kept = [place for place in range(len(columns)) if any(row[place] is not None for row in rows)]
    table = Table("training", [columns[place] for place in kept], [[row[place] for place in kept] for row in rows])
    yield Section("training", heading, [table])


def _signed(part: Fraction, words: Catalogue) -> Expression:
    """A share with its sign: +20.20%, −13.80%."""
    said = Words(percent(abs(part), words.head["percent"]))
    return Signed(Negative(said)) if part < 0 else Signed(said)


def _one(way: Costing, *, is_by_token: bool) -> tuple[Expression | None, int | Fraction | None]:
    """The formula of a batch, or of a token: where not all has that factor, a short one divided by the tokens."""
    if not is_by_token:
        return shown(way.polynomial, way.model), number_of(numbers(way.polynomial, way.model.values))
    token, sequence = each(way.polynomial, b, s), each(way.polynomial, b)
    if token is not None:
        return shown(token, way.model), number_of(numbers(token, way.model.values))
    value, length = number_of(numbers(sequence or way.polynomial, way.model.values)), way.model.values.get(s)
    one = Fraction(value, length) if value is not None and length else None
    whole = sequence or way.polynomial
    return Quotient(formula(whole), s) if len(whole.terms) <= FEW else None, one


def _by_rule(budget: Budget, letter: Dimension, words: Catalogue) -> list[Value]:
    """A rule of thumb, 6·N or 6·N_active a token: the latter with its difference from the former."""
    count, whole = (None, None) if budget.model.unbound else (_counted(budget, letter), budget.model.count())
    off = Fraction(count - whole, whole) if letter != N and count is not None and whole else None
    one = 6 * count if count is not None else None
    label = Sentence("budget.training_ways.rule" if letter == N else "budget.training_ways.rule_active")
    return _row_of_training(budget, label, _rule(6, letter), one, off, words, is_by_token=True)


def _trained(budget: Budget, name: str, way: Costing, words: Catalogue, *, is_by_token: bool) -> list[Value]:
    """A way to count: its formula, its FLOPs a token or a sequence, those of D tokens, and its difference from the rule."""
    rule = 6 * budget.model.count() if is_by_token and not budget.model.unbound else None
    closed, one = _one(way, is_by_token=is_by_token)
    off = Fraction(one - rule, rule) if one is not None and rule else None
    label = Sentence(f"budget.training_ways.{name}")
    return _row_of_training(budget, label, closed, one, off, words, is_by_token=is_by_token)


def _row_of_training(
    budget: Budget, label: Sentence, closed: Any, one: Any, off: Fraction | None, words: Catalogue, *, is_by_token: bool
) -> list[Value]:
    tokens = budget.tokens if is_by_token else None
    every = one * tokens if one is not None and tokens is not None else None
    cells = [figure(value, FLOPS, words, is_bare=True) if value is not None else None for value in (one, every)]
    return [label, closed, *cells, None if off is None else _signed(off, words)]
