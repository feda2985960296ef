"""Steps as blocks: the chain of a step's equation, the sentences on it, what an earlier step has worked out already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import takewhile
from math import prod

from symparams.components.facts import Projection, Rows
from symparams.components.kinds import PartRole, Role
from symparams.components.linear import CONVOLUTION
from symparams.components.walks import components
from symparams.derivations.mixtures import ALL_EXPERTS
from symparams.derivations.steps import Note, Step, StepKind, StepName, multiple_of_count, renamed, renaming
from symparams.errors import UnknownNameError
from symparams.expressions.nodes import (
    Dimension,
    Equality,
    Expression,
    Named,
    Number,
    Power,
    Product,
    Size,
    Sum,
    factors_of,
    terms_of,
    unmarked,
)
from symparams.expressions.printing.nodes import Strong
from symparams.expressions.symbols import INPUTS
from symparams.expressions.written import Values, number, substitute, total
from symparams.models.blocks import MOST_EXPANDED, ONE_EXPERT
from symparams.models.formula import Formula, Subject
from symparams.quantities.parameters import PARAMETERS
from symparams.sheets.catalogue import Catalogue
from symparams.sheets.document import Block, Equation, Item, Lead, Link, Paragraph
from symparams.sheets.values import Capital, Listed, Name, Sentence, Value, enumerated


class Composer:
    """Composes steps; the catalogue says which of a note's sentences there is."""

    def __init__(self, catalogue: Catalogue, *, is_users: bool) -> None:
        self.catalogue, self.is_users = catalogue, is_users
        self.said: set[tuple[str, ...]] = set()  # the keys of what is said once
        self.worked_out: dict[Expression, tuple[Step, Step]] = {}  # what was worked out, and the block in which that stands

    def note(self, note: Note) -> Sentence | None:
        """The first of a note's sentences that there is; on a user's own component there may be none."""
        for key in note.keys:
            if f"notes.{key}" in self.catalogue.entries:
                terms = {name: self._term(term) for name, term in note.terms.items()}
                meanings = MEANINGS.get(key.partition(".")[0], {})
                terms |= {meaning: terms[place] for meaning, place in meanings.items() if place in terms}
                needed = {place for _, place in self.catalogue.sentence(f"notes.{key}") if place is not None}
                if not self.is_users or needed <= terms.keys():
                    return Sentence(f"notes.{key}", terms)
        if not self.is_users:
            raise UnknownNameError(f"No catalogue has a sentence for {' or '.join(filter(None, note.keys))}.")
        return None

    def _term(self, term: Expression | str | tuple[Note, ...]) -> Value:
        if isinstance(term, tuple):
            return Listed(tuple(map(self.note, term)), "signs.list")
        return Name(term) if isinstance(term, str) else term

    def notes(self, step: Step) -> list[Value]:
        """The sentences on a step; of those that an earlier step said for all the short form, where there is one."""
        sentences = [self._briefly(note) if note.keys in self.said else self.note(note) for note in step.notes]
        self.said.update(note.keys for note in step.notes if note.is_said_once)
        return [sentence for sentence in sentences if sentence is not None]

    def _briefly(self, note: Note) -> Sentence | None:
        """The sentence that refers to what was said, of a note itself or of all of its group."""
        keys = (f"notes.again.{key}" for own in note.keys for key in (own, own.rpartition(".")[0]))
        return next((Sentence(key) for key in keys if key in self.catalogue.entries), None)

    def blocks(
        self,
        step: Step,
        within: Step | None = None,
        *,
        is_alone: bool = False,
        alike: Sequence[Step] = (),
        stack: Step | None = None,
    ) -> Iterator[Block]:
        """A step, what leads to it first; one that is alone under its heading needs no name of its own.

        The steps ``alike``, which follow it, have no sentence of their own and are named with it. A sum below the steps that
        it adds up has a name again, which it shares with the ``stack`` of nothing but its copies.
        What was worked out before is referred to: the attention of a second kind of layer, a cross-attention of the same
        shapes.
        """
        if again := self._referred(step, within):
            yield from again
            return
        if within is not None:
            self.worked_out.setdefault(step.written, (step, within))
        notes = self.notes(step)
        if is_alone and not step.steps:
            if notes:
                yield Paragraph([*notes, *self.since(step)])
        elif step.kind in (StepKind.STEP, StepKind.ABSENT, StepKind.TIED) and not _is_multiple(step) and step.notes:
            told = [step, *alike]
            name: Name | Listed | Sentence = together([each.name for each in told]) if alike else Name(str(step.name))
            if isinstance(name, Sentence):
                name = Sentence("steps.item", {"name": Capital(name)})
            paths = [path for each in told for path in parts_of(each)]
            yield Item(name, [*notes, *self.since(step)] if not step.steps else notes, paths)
        elif step.kind == StepKind.BLOCK and (opening := _opening(step, notes)):
            yield opening
        steps = step.steps if step.kind != StepKind.TIED else ()  # what is tied was worked out at its owner
        inner_blocks: list[Block] = []
        for inner in steps:
            around = step if step.kind == StepKind.BLOCK else within
            is_sole = step.kind == StepKind.GROUP and len(step.steps) == 1
            copies = step if _is_of_copies(step) else None
            alike_steps = _without_words(step.steps, inner)
            inner_blocks += self.blocks(inner, around, is_alone=is_sole, alike=alike_steps, stack=copies)
        yield from inner_blocks
        if _is_multiple(step):
            yield Item(Name(str(step.name)), [*notes, *self.since(step)], parts_of(step))
        elif inner_blocks and _needs_a_name(step, inner_blocks):
            yield Item(Name(str(step.name)), [self.closing(stack or step)])
        if step.kind not in (StepKind.GROUP, StepKind.ABSENT, *([StepKind.TIED] if notes else [])):
            yield self.equation(step)

    def since(self, step: Step) -> list[Value]:
        """The relations that a step uses, as its sentences end."""
        return since(step)

    def closing(self, step: Step) -> Value:
        """Return the sentence before the sum of the preceding steps."""
        return closing(step)

    def equation(self, step: Step) -> Block:
        """A step's chain."""
        return equation(step)

    def _referred(self, step: Step, within: Step | None) -> list[Block]:
        """Return the reference for a step that was worked out before or is like one; [] for a new step."""
        earlier = [first for first, _ in self.worked_out.values()]
        if step.name == ONE_EXPERT:
            return list(of_width(step, earlier))
        if step.kind == StepKind.BLOCK and within is not None and (like := list(with_letters(step, earlier))):
            return like
        before = self.worked_out.get(step.written) if within is not None and _is_worth_a_reference(step) else None
        return self._again(step, *before) if before is not None else []

    def _again(self, step: Step, first: Step, place: Step) -> list[Block]:
        """Return the reference to an earlier step; [] if it would say too little."""
        name = Name(str(step.name))
        if step.name == first.name:
            result = step.closed if step.value is None else number(step.value)
            terms: dict[str, Value] = {"place": Name(str(place.name)), "result": Equality(step.quantity, result)}
            return [Item(name, [Sentence("steps.again", terms)], parts_of(step))]
        if len(step.parts) < 2:
            return []
        links = [Link(first.quantity), *([Link(step.closed)] if is_new(step) else [])]
        links += [Link(value_of(step))] if step.value is not None else []
        sentence = Sentence("notes.shapes_alike", {"other": Name(str(first.name))})
        new_notes = [text for note in step.notes if note not in first.notes and (text := self.note(note)) is not None]
        return [Item(name, [sentence, *new_notes], parts_of(step)), Equation(step.quantity, links, in_a_row=True)]


def together(names: Sequence[StepName]) -> Listed | Sentence:
    """Return several names as one heading; the sublayer in which all of them are stands before them once."""
    outer = {name.of[0] if name.key == "inside" else "" for name in names}
    if len(outer) == 1 and "" not in outer:
        inner = Listed(tuple(Name(str(name.of[1])) for name in names), "signs.list")
        return Sentence("steps.of", {"outer": Name(str(outer.pop())), "names": inner})
    return Listed(tuple(Name(str(name)) for name in names), "signs.list")


def _without_words(steps: Sequence[Step], first: Step) -> Sequence[Step]:
    """Return the steps right after a step that have no sentence of their own, as key and value after the query."""
    after = steps[next(i for i, step in enumerate(steps) if step is first) + 1 :]
    return [*takewhile(lambda step: step.kind == StepKind.STEP and not step.notes and not step.steps, after)]


def parts_of(step: Step) -> Sequence[str]:
    """Return the paths of the parts that a step is about; none of one expert, as each array holds all experts."""
    return () if step.name == ONE_EXPERT else step.paths or (step.path,)


def _opening(step: Step, notes: list[Value]) -> Block | None:
    """Return the opening of a layer: its sentences, or the parts that every layer has."""
    if notes:
        return Lead(notes)
    every = from_before(step)
    return Paragraph([Sentence("steps.in_every", {"parts": Capital(Listed(tuple(every), "signs.and"))})]) if every else None


def _is_of_copies(step: Step) -> bool:
    """True if a stack is so many layers and nothing else."""
    return step.kind == StepKind.STACK and isinstance(step.written, Product)


def _needs_a_name(step: Step, blocks: Sequence[Block]) -> bool:
    """True if a sum stands below the names of other steps; so many copies of a layer stand right below that layer's sum."""
    if step.kind == StepKind.GROUP or _is_of_copies(step):
        return False
    return step.kind.closes or any(isinstance(block, Item) for block in blocks)


def _is_multiple(step: Step) -> bool:
    """True if a step is so many times the one that it is worked out from, as equal norms are."""
    return step.kind == StepKind.STEP and len(step.steps) == 1 and isinstance(step.written, Product)


def closing(step: Step) -> Sentence:
    """Return the sentence before the sum of the preceding steps: all of them together, and then so many copies."""
    copies = step.written.terms[0] if isinstance(step.written, Sum) else step.written
    if step.kind == StepKind.STACK and isinstance(copies, Product):
        key = "sums.stack" if _is_of_copies(step) else "sums.stack_beside"
        terms: dict[str, Value] = {"times": copies.factors[0]}
        if step.used:
            return Sentence(f"{key}_since", terms | {"relations": Listed(step.used, "signs.and")})
        return Sentence(key, terms)
    return Sentence("sums.together")


def since(step: Step) -> list[Value]:
    """The relations that a step uses, unless one of its sentences has said them."""
    if is_too_long(step) or not is_new(step):
        return []
    stated = {d for note in step.notes for term in note.terms.values() if isinstance(term, Equality) for d in term.dimensions}
    used = tuple(relation for relation in step.used if not stated.issuperset(relation.dimensions))
    return [Sentence("steps.since", {"relations": Listed(used, "signs.and")})] if used else []


def equation(step: Step) -> Equation:
    """A step's chain, always in one order: symbols as written, simplified, numbers, the result.

    The numbers stand in the formula as written, then come the values of its parts; or in what it is simplified to, where that
    is a single product or has its factors drawn out. A link that says nothing new is left out,
    and so is the closed form of a sum of results where it has more terms than a person reads.
    """
    simplified = _simplified(step)
    numbers = [
        content
        for content in ([simplified] if simplified is not None else [_substituted(step), step.by_parts])
        if content is not None and content not in (number(step.value or 0), step.written)
    ]
    closed = [step.closed] if not is_too_long(step) and is_new(step) else []
    is_whole = (not step.parts or simplified is not None) and not (step.kind.closes and closed)
    result = [value_of(step)] if step.value is not None and step.written != number(step.value) else []
    written = [Link(step.written, joins=False), *(Link(content) for content in closed)]
    links = [*written, *(Link(content, joins=False) for content in numbers)]
    links += [Link(content) for content in result]
    return Equation(result_of(step), links, in_a_row=is_whole)


def _substituted(step: Step) -> Expression | None:
    """The formula with numbers; one sequence and one token go without: 2 × b × s × h is 2 × 768, not 2 × 1 × 1 × 768."""
    if step.substituted is None or not any(_is_one(letter, step.subject.values) for letter in step.written.dimensions):
        return step.substituted
    return substitute(_without_ones(step.written, step.subject.values), step.subject.values)


def _is_one(factor: Expression, values: Values) -> bool:
    """True for an input of one, and for a product of such inputs."""
    if isinstance(factor, (Product, Size)):
        return all(_is_one(inner, values) for inner in factor.operands)
    return isinstance(factor, Dimension) and factor in INPUTS and values.get(factor) == 1


def _without_ones(written: Expression, values: Values) -> Expression:
    if isinstance(written, Sum):
        return Sum(tuple(_without_ones(term, values) for term in written.terms))
    if not isinstance(written, Product) or not (kept := [f for f in written.factors if not _is_one(f, values)]):
        return written
    return Product(tuple(kept)) if len(kept) > 1 else kept[0]


def result_of(step: Step) -> Named:
    """What a step comes to, by its name; the total of a count is N alone."""
    return Named("", step.written) if step.name == "total" else step.quantity


def _simplified(step: Step) -> Expression | None:
    """Numbers in what a formula of several parts is simplified to, 3 × 7,168 × 18,432; None where they stand as written."""
    is_single = step.form is not None or not isinstance(step.closed, Sum)
    return in_numbers(step.closed, step.subject.values) if len(step.parts) > 1 and step.substituted and is_single else None


def is_of_experts(step: Step) -> bool:
    """True if a step is so many times one expert, which is plainest by its name."""
    is_of_all = step.name == ALL_EXPERTS or step.role is PartRole.SHARED_EXPERTS
    return is_of_all or any(inner.name == ONE_EXPERT for inner in step.steps)


def is_too_long(step: Step) -> bool:
    """True if a sum of results has more terms than a person reads, or would undo what a result has drawn out.

    The whole count has a form of its own.
    """
    if is_of_experts(step):
        return any(isinstance(part, Named) for part in step.written.operands)
    if not step.steps or step.kind == StepKind.TOTAL:
        return False
    return len(step.polynomial.terms) > MOST_EXPANDED or (step.form is None and any(inner.form for inner in step.walk()))


def is_in_names_alone(step: Step) -> bool:
    """True if a step is printed as the sum of others by their names, and never in letters."""
    return bool(step.steps) and step.kind is not StepKind.TOTAL and is_too_long(step)


def _is_worth_a_reference(step: Step) -> bool:
    """True if a step is more than a number or a product by itself, so that nobody wants to read it twice."""
    return step.kind in (StepKind.STEP, StepKind.BLOCK) and bool(step.notes or step.steps)


def value_of(step: Step) -> Expression:
    """The value, strong where it closes a block."""
    value = number(step.value or 0)
    return Strong(value) if step.kind.closes else value


def is_new(step: Step) -> bool:
    """True if the closed form says more than the written one: V·h says no more than V × h, 3·h² more than 3 × (h × h).

    Of a cost a reader wants each product once, so that 2·b·s·h says no more than 2 × b·s × h.
    """
    written, closed = bare(step.written), bare(step.closed)
    if written == closed or multiple_of_count(step.written) is not None:
        return False
    factors = Counter(_factors(written))
    if not set(INPUTS).isdisjoint(written.dimensions):
        is_worked_out = any(isinstance(factor, Named) for factor in factors)
        return is_worked_out or _collected(factors) != _collected(Counter(_factors(closed)))
    return not (isinstance(step.written, (Dimension, Product)) and _factors_once(step.written)) or factors != Counter(
        _factors(closed)
    )


def bare(expression: Expression) -> Expression:
    """The expression without the marks that do not show: a side that is a single letter is printed as that letter."""
    if isinstance(expression, Size) and not isinstance(expression.inner, Product):
        return bare(expression.inner)
    if isinstance(expression, Sum):
        return Sum(tuple(bare(term) for term in expression.terms))
    return expression


def _factors_once(written: Expression) -> bool:
    factors = factors_of(written)
    return (
        all(isinstance(factor, (Dimension, Number)) for factor in factors) and sum(isinstance(f, Number) for f in factors) < 2
    )


def _collected(factors: Counter[Expression]) -> tuple[int | Fraction, Counter[Expression]]:
    """The numbers of a product as one number, and its other factors."""
    numbers = [factor.value for factor in factors.elements() if isinstance(factor, Number)]
    return prod(numbers), Counter({factor: often for factor, often in factors.items() if not isinstance(factor, Number)})


def _factors(product: Expression) -> Iterator[Expression]:
    """The factors of a product, in whatever order and whatever brackets, h² as two of h."""
    if isinstance(product, Size):
        yield from _factors(product.inner)
    elif isinstance(product, Product):
        for factor in product.factors:
            yield from _factors(factor)
    elif isinstance(product, Power):
        yield from [product.base] * product.exponent
    else:
        yield product


def of_width(step: Step, earlier: Sequence[Step]) -> Iterator[Block]:
    """An expert that is a network which was worked out before, of the same width or of another."""
    for first in (before for before in earlier if before.role is PartRole.FEED_FORWARD):
        letters = renamed(first.polynomial, step.polynomial)
        if letters is not None or first.polynomial == step.polynomial:
            key = "of_width" if letters else "of_this_width"
            terms: dict[str, Value] = {"network": first.quantity} | ({"width": letters[1]} if letters else {})
            yield Item(Name(str(step.name)), [Sentence(f"steps.{key}", terms)])
            yield _in_closed_form(step)
            return


def with_letters(step: Step, earlier: Sequence[Step]) -> Iterator[Block]:
    """A layer that is written as an earlier one but for its letters: h_vision for h_text."""
    for first in earlier:
        letters = renaming(first, step) if first.kind == step.kind == StepKind.BLOCK else None
        if letters and len(step.polynomial.terms) <= MOST_EXPANDED:
            pairs = tuple(Sentence("steps.letter", {"old": old, "new": new}) for old, new in letters.items())
            sentence = Sentence("steps.with_letters", {"layer": first.quantity, "letters": Listed(pairs, "signs.and")})
            yield Item(Name(str(step.name)), [sentence])
            yield _in_closed_form(step)
            return


def from_before(step: Step) -> list[Name]:
    """The results that a block adds up and that were worked out before it: what every layer has."""
    within = {inner.quantity for inner in step.walk()}
    return [Name(str(term.label)) for term in terms_of(step.written) if isinstance(term, Named) and term not in within]


def in_numbers(form: Expression, values: Values) -> Expression:
    """A closed form with numbers, its products as products: 3 × 7,168 × 18,432."""
    return total([substitute(unmarked(term), values) for term in terms_of(form)])


def _in_closed_form(step: Step) -> Equation:
    """Symbols, numbers, the result, for a step whose formula as written has been read before."""
    links = [Link(step.closed)]
    if step.value is not None:
        value = number(step.value)
        links += [Link(in_numbers(step.closed, step.subject.values)), Link(Strong(value) if step.kind.closes else value)]
    return Equation(step.quantity, links, in_a_row=True)


_TOKENS, _POSITIONS = {"n_tokens": "rows"}, {"n_positions": "rows"}
_BUCKETS = {"n_buckets": "rows", "n_heads": "width"}
_FROM_TO = {"from": "rows", "to": "width"}
_UP = {"from": "narrow", "to": "wide"}
MEANINGS: Mapping[str, Mapping[str, str]] = {
    "shared_embedding": _TOKENS,
    "encoder_token_embedding": _TOKENS,
    "decoder_token_embedding": _TOKENS,
    "token_embedding": _TOKENS,
    "source_embedding": _TOKENS,
    "target_embedding": _TOKENS,
    "position_embedding": _POSITIONS,
    "encoder_position_embedding": _POSITIONS,
    "decoder_position_embedding": _POSITIONS,
    "encoder_position_bias": _BUCKETS,
    "decoder_position_bias": _BUCKETS,
    "position_bias": _BUCKETS,
    "relative_position_bias": _BUCKETS,
    "relative_embedding": {"n_distances": "rows"},
    "segment_embedding": {"n_types": "rows"},
    "register_tokens": {"n_registers": "rows"},
    "experts": {"n_experts": "rows"},
    "sinks": {"n_heads": "rows"},
    "sequence_summary": _FROM_TO,
    "label_summary": _FROM_TO,
    "pooler": _FROM_TO,
    "contact_head": {"from": "rows"},
    "feed_forward": _UP,
    "gated_feed_forward": _UP,
    "shared_expert_feed_forward": _UP,
    "expert_feed_forward": {"n_experts": "wide"},
    "plain_expert_feed_forward": {"n_experts": "wide"},
    "dual_state_space": {"n_heads": "skip"},
    "sink_attention": {"n_heads": "sinks"},
}


def tables_alone(model: Subject) -> Value:
    """The tables one by one, of a model that embeds patches or sounds, too, or has a table of distances; None for others."""
    if isinstance(model, Formula):
        return None
    parts = [part for _, part in components(model.architecture.tree)]
    has_others = any(part.kind == CONVOLUTION or Projection.PATCHES in part.makes for part in parts)
    has_others |= any(leaf.component.rows is Rows.DISTANCES for leaf in model.leaves)
    if not has_others and any(part.rows is Rows.TOKENS for part in parts):
        return None
    tables = (
        leaf.part.role.value if leaf.component.acts_on else leaf.name  # one name for those of encoder and decoder
        for leaf in model.leaves
        if leaf.component.role is Role.TABLE and PARAMETERS.terms(leaf.component)
    )
    names = [*map(Name, dict.fromkeys(tables))]
    return enumerated(names) if names else None
