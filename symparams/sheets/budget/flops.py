"""The FLOPs in a budget: a forward pass by its kinds of products, and training beside the rule of thumb."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from symparams.derivations.balances import has_source, more_attention, more_than_rule
from symparams.derivations.budget import (
    ABSORBED,
    DECODE,
    FORWARD,
    HEAD,
    PREFILL,
    Budget,
    ForwardPass,
    number_of,
    numbers,
    per_letter,
    total_of,
)
from symparams.expressions.nodes import (
    Dimension,
    Equality,
    Expression,
    Negative,
    Number,
    Product,
    Quotient,
    Size,
    factors_of,
    unmarked,
)
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.printing.nodes import Signed, Words
from symparams.expressions.symbols import D, b, s, t
from symparams.models.calculation import Calculation
from symparams.quantities.quantity import FLOPS
from symparams.sheets.budget.figures import figure, formula, shown, sized
from symparams.sheets.catalogue import Catalogue
from symparams.sheets.document import Block, Column, Equation, Link, Paragraph, Section, Table
from symparams.sheets.values import Capital, Listed, Sentence, Value, percent

FEW = 6  # terms of a formula over a fraction bar


def forward(budget: Budget, words: Catalogue, *, is_brief: bool = False) -> Iterator[Section]:
    """The formulas of each kind of product, and what they come to in prefill and decode."""
    if not budget.runs:
        yield Section("forward", Sentence("budget.forward"), [Paragraph([Sentence("budget.no_flops")])])
        return
    blocks: list[Block] = list(_formulas(budget.runs))
    yield Section(
        "forward", Sentence("budget.forward"), [*blocks, *_table(budget, words), *_balances(budget, is_brief=is_brief)]
    )


def _balances(budget: Budget, *, is_brief: bool) -> Iterator[Paragraph]:
    """From how many tokens in the cache on attention is more than the rest of decoding, and all of it more than the rule."""
    attention, rule = more_attention(budget), more_than_rule(budget)
    sentences: list[Value] = []
    if rule is not None:
        sentences.append(
            Sentence("budget.more_than_rule", {"from": Equality(t, Number(rule)), "rule": budget.rule("forward_flops")})
        )
        sentences += [] if is_brief else [Sentence("budget.what_rule_counts")]
    if attention is not None:
        sentences.append(Sentence("budget.more_attention", {"from": Equality(t, Number(attention))}))
    if sentences:
        yield Paragraph(sentences)


def _formulas(runs: Sequence[ForwardPass]) -> Iterator[Equation]:
    """Each group once where prefill is decoding after no token, otherwise of each run."""
    general = runs[-1].groups
    same = len(runs) == 1 or {kind: _without(t, flops) for kind, flops in general.items()} == runs[0].groups
    shared = [kind for kind, flops in runs[0].groups.items() if runs[-1].groups.get(kind) == flops]
    for run in runs[-1:] if same else runs:
        for kind, polynomial in run.groups.items():
            if kind in shared and run is not runs[0] and not same:
                continue
            group = Sentence(f"budget.groups.{kind}")
            is_alone = same or kind in shared
            label = (
                group if is_alone else Sentence("budget.of_run", {"run": Sentence(f"budget.runs.{run.name}"), "group": group})
            )
            closed, left = shown(polynomial, run.calculation.model), formula(sized(polynomial, run.calculation.model))
            links = [Link(closed), *([Link(left, joins=False)] if left != closed else [])]
            yield Equation(None, links, in_a_row=True, label=Capital(label))


def _without(letter: Dimension, polynomial: Polynomial) -> Polynomial:
    return Polynomial({monomial: number for monomial, number in polynomial.terms.items() if letter not in dict(monomial)})


def _table(budget: Budget, words: Catalogue) -> Iterator[Table]:
    """A row for each run that has values for all of its letters, and the rule of thumb."""
    runs = [*budget.runs, *([budget.absorbed] if budget.absorbed is not None else [])]
    known = [run for run in runs if number_of(run.number(total_of(run.groups))) is not None]
    kinds = list(dict.fromkeys(kind for run in known for kind in run.groups))
    rows = [_row(run, kinds, words) for run in known]
    if not rows:
        return
    is_by_token = any(row[-1] is not None for row in rows)
    if is_by_token and not budget.model.unbound and not any(has_source(run.calculation) for run in budget.runs):
        rule = figure(budget.by_rule("forward_flops") or 0, FLOPS, words, is_bare=True)
        rows.append([Sentence("budget.rule", {"rule": budget.rule("forward_flops")}), *[None] * (len(kinds) + 1), rule])
    columns = [Column(Sentence("units.flops.column"), is_words=True)]
    columns += [Column(Capital(Sentence(f"budget.groups.{kind}")), "r") for kind in kinds]
    columns += [Column(Sentence("headings.sum"), "r"), Column(Sentence("budget.columns.token"), "r")]
    yield Table("forward", columns if is_by_token else columns[:-1], rows if is_by_token else [row[:-1] for row in rows])


def _row(run: ForwardPass, kinds: Sequence[str], words: Catalogue) -> list[Value]:
    """The figures of a run, each of whose letters has a value."""
    total = number_of(run.number(total_of(run.groups))) or 0
    values, polynomials = run.calculation.model.values, [run.groups.get(kind) for kind in kinds]
    parts = [number_of(run.number(polynomial)) if polynomial is not None else None for polynomial in polynomials]
    tokens = values[b] * values[s] if s in run.calculation.written.dimensions and not _reads_source(run) else 0
    cells = [figure(part, FLOPS, words, is_bare=True) if part is not None else None for part in parts]
    token = figure(Fraction(total, tokens), FLOPS, words, is_bare=True) if tokens else None
    return [_label(run), *cells, figure(total, FLOPS, words, is_bare=True), token]


def _reads_source(run: ForwardPass) -> bool:
    """True if the encoder is computed, which decoding has behind it."""
    return run.name != DECODE and has_source(run.calculation)


def _label(run: ForwardPass) -> Value:
    """Return the label of a run with its inputs: decode, b = 1, t = 131,072."""
    asked = {PREFILL: (b, s), DECODE: (b, t), ABSORBED: (b, t), FORWARD: (b, s)}[run.name]
    values = {
        letter: run.calculation.model.values.get(letter) for letter in asked if letter in run.calculation.written.dimensions
    }
    inputs = [Equality(letter, Number(value)) for letter, value in values.items() if value is not None]
    return Capital(
        Sentence("budget.run", {"run": Sentence(f"budget.runs.{run.name}"), "inputs": Listed(tuple(inputs), "signs.list")})
    )


def training(budget: Budget, words: Catalogue) -> Iterator[Section]:
    """6·N a token beside the exact FLOPs: with the mask in full, its pairs alone, the layers recomputed."""
    full = budget.training(causal="full")
    if full is None:
        return
    is_by_token = s in full.written.dimensions and not has_source(full)
    ways = [("full", full), ("exact", budget.training(causal="exact")), ("checkpoint", budget.training(checkpoint=True))]
    chosen: list[tuple[str, Calculation | None]] = [("rule", None)] if is_by_token else []
    chosen += [(name, way) for name, way in ways if way is not None and (name == "full" or way.polynomial != full.polynomial)]
    has_logits = any(HEAD in run.groups for run in budget.runs)
    of_tokens = "budget.training_logits" if has_logits else "budget.training"
    of_sequences = "budget.training_sequence_logits" if has_logits else "budget.training_sequence"
    heading = Sentence(of_tokens if is_by_token else of_sequences)
    rows = [_trained(budget, name, way, words, is_by_token=is_by_token) for name, way in chosen]
    columns = [
        Column(Sentence("budget.columns.way"), is_words=True),
        Column(Sentence("columns.formula"), moves=1),
        Column(Sentence("units.flops.column"), "r"),
        Column(Sentence("budget.columns.all", {"D": D}), "r"),
        Column(Sentence("budget.columns.against", {"rule": _of_tokens(budget.rule("training_flops"))}), "r"),
    ]
    kept = [place for place in range(len(columns)) if any(row[place] is not None for row in rows)]
    table = Table("training", [columns[place] for place in kept], [[row[place] for place in kept] for row in rows])
    yield Section("training", heading, [table])


def _of_tokens(rule: Expression) -> Expression:
    """A rule of thumb of D tokens: 6·N·D."""
    return Size(Product((*factors_of(unmarked(rule)), D)))


def _signed(part: Fraction, words: Catalogue) -> Expression:
    """A share with its sign: +20.20%, −13.80%."""
    share = Words(percent(abs(part), words.head["percent"]))
    return Signed(Negative(share)) if part < 0 else Signed(share)


def _one(way: Calculation, *, is_by_token: bool) -> tuple[Expression | None, int | Fraction | None]:
    """The formula of a batch, or of a token: where not all has that factor, a short one divided by the tokens."""
    if not is_by_token:
        return shown(way.polynomial, way.model), number_of(numbers(way.polynomial, way.model.values))
    token, sequence = per_letter(way.polynomial, b, s), per_letter(way.polynomial, b)
    if token is not None:
        return shown(token, way.model), number_of(numbers(token, way.model.values))
    value, length = number_of(numbers(sequence or way.polynomial, way.model.values)), way.model.values.get(s)
    per_token = Fraction(value, length) if value is not None and length else None
    whole = sequence or way.polynomial
    return Quotient(formula(whole), s) if len(whole.terms) <= FEW else None, per_token


def _trained(budget: Budget, name: str, way: Calculation | None, words: Catalogue, *, is_by_token: bool) -> list[Value]:
    """A way to count: its formula, its FLOPs a token or a sequence, those of D tokens, and its difference from the rule."""
    label, rule = Sentence(f"budget.training_ways.{name}"), budget.by_rule("training_flops")
    closed: Expression | None
    per_token: int | Fraction | None
    if way is None:
        closed, per_token = budget.rule("training_flops"), rule
    else:
        closed, per_token = _one(way, is_by_token=is_by_token)
    tokens = budget.tokens if is_by_token else None
    every = per_token * tokens if per_token is not None and tokens is not None else None
    off = Fraction(per_token - rule, rule) if is_by_token and way is not None and per_token is not None and rule else None
    error = None if off is None else _signed(off, words)
    cells = [figure(value, FLOPS, words, is_bare=True) if value is not None else None for value in (per_token, every)]
    return [label, closed, *cells, error]
