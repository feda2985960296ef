"""The total by blocks: what each stands for under a brace, then with numbers, then the count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symparams.components.kinds import PartRole
from symparams.components.walks import Leaf
from symparams.derivations.parts import BEFORE, LAYERS, Part, called_alone, models_within, place_of
from symparams.derivations.steps import StepName
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.factoring import factored
from symparams.expressions.nodes import Expression, Labelled, Named, Number, Product, terms_of
from symparams.expressions.polynomial import added
from symparams.expressions.printing.nodes import Strong
from symparams.expressions.written import evaluate, total
from symparams.models.blocks import Blocks
from symparams.models.model import Model
from symparams.models.stacks import encoder_and_decoder
from symparams.quantities.parameters import PARAMETERS
from symparams.sheets.document import Equation, Link

MOST_BRACES = 5
# What two parts after the layers are together.
TOGETHER = {(PartRole.NORM, PartRole.NORM): "norms", (PartRole.NORM, PartRole.OUTPUT_HEAD): "norm_and_head"}
SHORT = 2  # parts after the layers, from which nothing is drawn out


def summed(model: Model, portions: Sequence[Part], blocks: Blocks) -> Equation:
    """N = the blocks = their numbers = the count."""
    groups = [(label, terms) for label, terms in _groups(model, portions, blocks) if terms]
    written = [total([addend for term, _ in terms for addend in terms_of(term)]) for _, terms in groups]
    if 1 < len(groups) <= MOST_BRACES:
        written = [Labelled(addend, label) for addend, (label, _) in zip(written, groups, strict=True)]
    else:
        written = [addend for part in written for addend in terms_of(part)]
    links = [Link(total(written), joins=False)]
    if not model.unbound:
        numbers = [_number(model, term, copies) for _, terms in groups for term, copies in terms]
        links += [Link(total(numbers), joins=False)] if len(numbers) > 1 else []
        links.append(Link(Strong(Number(model.count()))))
    return Equation(Named("", model.formula()), links)


Terms = list[tuple[Expression, Expression | None]]


def _groups(model: Model, portions: Sequence[Part], blocks: Blocks) -> Iterator[tuple[StepName, Terms]]:
    """Yield the parts under one brace: embeddings, each stack, the rest; or each model within the model."""
    models = models_within(model)
    stacks = [(_place(model, places, models), copies, term) for places, copies, term in blocks.stacks]
    if models:
        for root in dict.fromkeys(part.group[0] for part in portions):
            mine = [part for part in portions if part.group[0] == root and part.group[1] != LAYERS]
            own = [(term, copies) for place, copies, term in stacks if place == root]
            leaves = [leaf for leaf in model.leaves if leaf.path.partition(".")[0] == root]
            yield StepName(root), [*_once(mine), *_rest(model, leaves, mine, [term for term, _ in own]), *own]
        return
    before = [part for part in portions if part.group[1] == BEFORE]
    after = [part for part in portions if part.group[1] not in (BEFORE, LAYERS)]
    yield _called(before, "embeddings"), _once(before)
    rest = _rest(model, model.leaves, [*before, *after], [term for _, _, term in stacks])
    yield StepName(_outside_of_layers(model) or "first_layer"), rest
    if len(stacks) == 1 and len(blocks.stacks[0][0]) == 1:
        stacks = [(called_alone(model, blocks.stacks[0][0][0]), *stacks[0][1:])]
    for place, copies, term in stacks:
        yield StepName(place if len(stacks) > 1 or len(blocks.stacks[0][0]) == 1 else "layers"), [(term, copies)]
    yield _called(after, "outside"), _once(after)


def _rest(model: Model, leaves: Sequence[Leaf], once: Sequence[Part], stacks: Sequence[Expression]) -> Terms:
    """Return what these leaves have besides the parts that occur once and the stacks: sublayers that stand in no stack."""
    rest = multiply_out(PARAMETERS.over(leaves), model.relations) - added([part.every.polynomial for part in once])
    rest -= added([multiply_out(term, model.relations) for term in stacks])
    return [(as_written(rest), None)] if rest else []


def _once(those: Sequence[Part]) -> Terms:
    """Return the parts that occur once, with common factors drawn out."""
    count = added([part.every.polynomial for part in those]) if those else None
    is_short = len(those) <= SHORT and those[0].group[1] != BEFORE if those else False
    return [((as_written if is_short else factored)(count), None)] if count else []


def _outside_of_layers(model: Model) -> str:
    """Return what holds sublayers that stand once and are counted with those of the layers; "" where none do."""
    in_layers = {leaf.part.key for leaf in model.leaves if leaf.stack}
    holders = dict.fromkeys(
        leaf.path.partition(".")[0] for leaf in model.leaves if leaf.sublayer and not leaf.stack and leaf.part.key in in_layers
    )
    return next(iter(holders)) if len(holders) == 1 else "outside" if holders else ""


def _called(those: Sequence[Part], many: str) -> StepName:
    names = [part.name for part in those]
    if many == "embeddings" or not names:
        return StepName(many)
    if len(names) == 2:
        told = TOGETHER.get((those[0].role, those[1].role))
        return StepName(told) if told else StepName("both", (StepName(names[0]), StepName(names[1])))
    return StepName(many if len(names) > 2 else names[0])


def _place(model: Model, places: Sequence[str], models: Sequence[str]) -> str:
    """Return the name of a stack; stacks of equally many layers have both names."""
    names = list(dict.fromkeys(place_of(place, models) for place in places))
    if len(names) == 1:
        return names[0]
    return f"both:{names[0]}/{names[1]}" if tuple(places) == encoder_and_decoder(model.tree) else "each_layer"


def _number(model: Model, term: Expression, copies: Expression | None) -> Expression:
    """The value of what stands once; of a stack so many times that of one layer."""
    value = evaluate(term, model.values)
    often = evaluate(copies, model.values) if copies is not None else 1
    return Product((Number(often), Number(value // often))) if often > 1 else Number(value)
