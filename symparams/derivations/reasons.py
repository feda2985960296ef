"""Reasons: what an interviewer asks of a count, read off the tree: why heads do not matter, what tying saves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from fractions import Fraction

from symparams.components.embeddings import ALIBI, ROTARY
from symparams.components.facts import Projection, Rows
from symparams.components.kinds import PartRole, Role, Use
from symparams.components.walks import Leaf, components, is_gated
from symparams.derivations.attention_reasons import cross_attention, grouped, heads_side_by_side, latent_attention
from symparams.derivations.estimates import decimal, left_out
from symparams.derivations.mixtures import are_one, mixtures
from symparams.derivations.parts import models_within, parts
from symparams.derivations.reason import Count, Reason, counted, width
from symparams.derivations.steps import StepName, step
from symparams.expressions.nodes import Dimension, Expression, Negative, Number, Product, Quotient, Size
from symparams.expressions.written import times, total
from symparams.models.model import Model
from symparams.quantities.parameters import ACTIVE, PARAMETERS, SHARED, is_matrix

PROJECTIONS = {Projection.STATE_INPUT, Projection.OUTPUT}  # into a state space and out of it
FEW = 2  # reasons, beside which what may be dropped has no room
LONG = 4  # terms of a formula that a sentence no longer quotes
MOST_DROPPED = Fraction(1, 50)  # what is more is not said to be small
LEAST_KEPT = Fraction(1, 20)  # of the count, for the tables that may not be dropped
# What the steps tell with the same numbers.
TOLD_BY_STEPS = frozenset({"heads", "positions", "encoding.rotary", "encoding.alibi", "idle.experts", "idle.mixtures"})
GATED = {"silu": "swiglu", "gelu": "geglu", "gelu_new": "geglu", "gelu_pytorch_tanh": "geglu"}


def reasons(model: Model, most: int, without: Collection[str] = ()) -> list[Reason]:
    """So many at most, in the order of ``SOURCES``, what may be dropped last where there is room; without these."""
    answers = [reason for source in SOURCES for reason in source(model) if reason.key not in without]
    last = list(_dropped(model)) if most > FEW else []
    return answers[: most - len(last)] + last


def _experts(model: Model) -> Iterator[Reason]:
    """The experts that a token does not use; together, where layers have several mixtures."""
    all_mixtures = list(mixtures(model))
    idle = step(model, "", "idle", total([model.formula(), Negative(model.formula(ACTIVE))]))
    if not all_mixtures or not idle.polynomial or idle.value == 0:
        return
    terms: dict[str, Expression | Count] = {"idle": counted(model, idle)}
    if not are_one(all_mixtures):
        yield Reason("idle.mixtures", terms)
        return
    experts = all_mixtures[0].experts
    numbers = {"n_experts": experts.number, "n_active": experts.active}
    if not model.unbound:
        numbers = {name: Number(model.evaluate(number)) for name, number in numbers.items()}
        terms["n_idle"] = Number(model.evaluate(experts.number) - model.evaluate(experts.active))
    yield Reason("idle.experts", {**numbers, **terms})


def _models(model: Model) -> Iterator[Reason]:
    """The models within a model: the largest of them."""
    if model.unbound or not models_within(model):
        return
    sums: dict[str, int] = {}
    for part in parts(model):
        sums[part.group[0]] = sums.get(part.group[0], 0) + (part.every.count or 0)
    largest = max(models_within(model), key=lambda name: sums.get(name, 0))
    share = counted(model, step(model, "", "part", Number(sums[largest])))
    yield Reason(f"largest.{largest}", {"part": share})


def _shared_layers(model: Model) -> Iterator[Reason]:
    for leaf in model.leaves:
        for _, ancestor in leaf.ancestors:
            if ancestor.applied is not None:
                stored = model.values.get(ancestor.times) if isinstance(ancestor.times, Dimension) else None
                applied = Number(model.evaluate(ancestor.applied)) if not model.unbound else ancestor.applied
                if stored == 1 or model.unbound:
                    yield Reason("shared_layers", {"times": applied, "L": ancestor.applied})
                return


def _mixer(model: Model) -> Iterator[Reason]:
    """The projections of a state space, in the place of attention and feed-forward network."""
    mixing = [leaf for leaf in model.leaves if Role.MIXER in leaf.roles]
    if not mixing or any(Role.ATTENTION in leaf.roles or Role.FEED_FORWARD in leaf.roles for leaf in model.leaves):
        return
    projections = [leaf for leaf in mixing if PROJECTIONS & set(leaf.component.makes)]
    if projections:
        yield Reason("mixer", {"what": counted(model, step(model, "", "projections", PARAMETERS.over(projections)))})


def _gated(model: Model) -> Iterator[Reason]:
    """Three matrices in place of two: how wide they are."""
    networks = [leaf.sublayer[1] for leaf in model.leaves if leaf.sublayer and Role.FEED_FORWARD in leaf.roles]
    gated = next((network for network in networks if is_gated(network)), None)
    inputs = width(model)
    if gated is None or inputs is None or model.has_experts or models_within(model):
        return
    downs = (part for _, part in gated.children if Projection.DOWN in part.makes)
    inner = next((part.tensors[0].shape[0] for part in downs), None)
    if not isinstance(inner, Dimension) or inner not in model.values or inputs not in model.values:
        return
    share = Fraction(model.values[inner], model.values[inputs])
    manner = "exact" if (share * 100).denominator == 1 else "about"
    here: Expression = Size(Product((decimal(share), inputs)))
    plain, wide = Size(Product((Number(4), inputs))), Quotient(Size(Product((Number(8), inputs))), Number(3))
    terms: dict[str, Expression | StepName] = {
        "name": StepName(GATED.get(gated.activation, "gated")),
        "d_ff": inner,
        "here": here,
        "plain": plain,
        "wide": wide,
    }
    yield Reason(f"gated.{manner}", terms)


def _head(model: Model) -> Iterator[Reason]:
    heads = [leaf for leaf in model.leaves if leaf.part.role is PartRole.OUTPUT_HEAD]
    tied = [leaf for leaf in heads if SHARED.terms(leaf.component)]
    own = [leaf for leaf in heads if not SHARED.terms(leaf.component)]
    if tied:
        saved = total([times(leaf.times, SHARED.of(leaf.component)) for leaf in tied])
        yield Reason("tied", {"what": counted(model, step(model, "", "saved", saved))})
    if own and any(leaf.component.role is Role.TABLE for leaf in model.leaves):
        matrices = [t.count for leaf in own for t in leaf.component.tensors if len(t.shape) > 1]
        yield Reason("untied", {"what": counted(model, step(model, "", "own", total(matrices)))})


def _positions(model: Model) -> Iterator[Reason]:
    """Return why the length of a sequence enters the count, or that nothing is learned of positions."""
    if models_within(model):
        return
    counted_tables = [leaf for leaf in model.leaves if leaf.component.rows and _counts(leaf)]
    biases = [leaf for leaf in counted_tables if leaf.component.rows is Rows.DISTANCES]
    learned = [leaf for leaf in counted_tables if leaf.component.rows is Rows.POSITIONS]
    are_biases = any(part.attending and part.attending.positions == "relative bias" for _, part in components(model.tree))
    if biases and are_biases and learned:
        both = PARAMETERS.over([*learned, *biases])
        yield Reason("encoding.learned_and_relative", {"what": counted(model, step(model, "", "positions", both))})
    elif biases and are_biases:
        yield Reason("encoding.relative", {"what": counted(model, step(model, "", "positions", PARAMETERS.over(biases)))})
    elif learned and not any(Projection.PATCHES in leaf.component.makes for leaf in model.leaves):
        yield Reason("positions", {"what": counted(model, step(model, "", "positions", PARAMETERS.over(learned)))})
    elif any(leaf.component.kind == ROTARY for leaf in model.leaves):
        yield Reason("encoding.rotary")
    elif any(leaf.component.kind == ALIBI for leaf in model.leaves):
        yield Reason("encoding.alibi")


def _counts(leaf: Leaf) -> bool:
    return bool(PARAMETERS.terms(leaf.component))


def _dropped(model: Model) -> Iterator[Reason]:
    """Biases and norms, where they are little; the tables, where they are not."""
    small = counted(model, step(model, "", "small", total(list(left_out(model)))))
    tables = [
        leaf for leaf in model.leaves if leaf.component.role is Role.TABLE and any(map(is_matrix, leaf.component.tensors))
    ]
    if not small.step.polynomial or (small.share is not None and small.share > MOST_DROPPED):
        return
    table = counted(model, step(model, "", "tables", PARAMETERS.over(tables)))
    is_long = len(small.step.polynomial.terms) > LONG
    is_large = table.share is not None and table.share >= LEAST_KEPT
    key = ("all_not_tables" if is_large else "all") if is_long else ("not_tables" if is_large else "plain")
    yield Reason(f"dropped.{key}", {"what": small, "parts": _named_small(model), **({"tables": table} if is_large else {})})


def _named_small(model: Model) -> StepName:
    """Return the name of the small parts that a model has: its biases, its norms, or both."""
    has_norms = any(leaf.component.role is Role.NORM and leaf.component.tensors for leaf in model.leaves)
    biases = (tensor for leaf in model.leaves if leaf.component.role is not Role.NORM for tensor in leaf.component.tensors)
    has_biases = any(tensor.use is Use.BIAS for tensor in biases)
    return StepName("biases_and_norms" if has_norms and has_biases else "norms" if has_norms else "biases")


SOURCES: tuple[Callable[[Model], Iterator[Reason]], ...] = (
    _experts,
    latent_attention,
    _models,
    _shared_layers,
    grouped,
    heads_side_by_side,
    cross_attention,
    _mixer,
    _head,
    _gated,
    _positions,
)
