"""Traits: what models have or lack in kind, read off their trees: the attention, the gate, the norms, positions, biases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from symparams.components.facts import AttentionFacts, Rows
from symparams.components.kinds import PartRole, Role, Use
from symparams.components.tree import Component
from symparams.components.walks import components, is_gated
from symparams.derivations.mixtures import experts_of
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.nodes import Expression
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.written import ONE
from symparams.models.model import Model
from symparams.quantities.parameters import SHARED
from symparams.records import frozen

MULTI_HEAD, GROUPED, MULTI_QUERY = "multi_head", "grouped", "multi_query"
PLAIN, GATED, EXPERTS, CHANNEL_MIXING = "plain", "gated", "experts", "channel_mixing"
LEARNED, RELATIVE = "learned", "relative"
NONE, OWN, TIED = "none", "own_matrix", "tied"
BIASED = (
    (Role.ATTENTION, "attention_all", "attention_in_part"),
    (Role.FEED_FORWARD, "feed_forward_all", "feed_forward_in_part"),
)
MIXERS = {Role.MIXER: "state_space", Role.SHORT_CONVOLUTION: "short_convolution"}
LATENT, DISENTANGLED, OF_DISTANCES = "latent_attention", "disentangled_attention", "relative_attention"
LOCAL_GLOBAL = "local_global_attention"


@frozen
class Trait:
    """One thing in which models can differ in kind: what each has of it, as keys of the catalogues."""

    name: str
    kinds: tuple[tuple[str, ...], ...]

    @property
    def differs(self) -> bool:
        """True if the models are not all alike in it."""
        return len(set(self.kinds)) > 1


def traits(models: Sequence[Model]) -> tuple[Trait, ...]:
    """Return the traits of models, read off their trees; a trait that none of them has is left out."""
    read_off = [Trait(name, tuple(tuple(dict.fromkeys(read(model))) for model in models)) for name, read in READERS.items()]
    return tuple(trait for trait in read_off if any(trait.kinds))


def kind_of(model: Model, part: Component) -> str:
    """The kind of a sublayer or of a norm, as its trait names it, a key of the catalogues; "" of any other part."""
    if part.role is Role.FEED_FORWARD:
        is_mixture = experts_of(part) is not None
        return CHANNEL_MIXING if part.state_space else EXPERTS if is_mixture else GATED if is_gated(part) else PLAIN
    if part.role is Role.LINEAR_ATTENTION and part.state_space:
        return part.state_space.recurrence
    if part.role in MIXERS:
        return MIXERS[part.role]
    if part.attending is not None:
        return _special(part.attending) or _heads(model, part.attending)
    return part.kind.name if Role.NORM in (part.role, part.kind.instead_of) else ""


def _kinds(model: Model, is_read: Callable[[Component], bool]) -> Iterator[str]:
    """Return the kinds of the parts of a sort."""
    return filter(None, (kind_of(model, node) for _, node in components(model.tree) if is_read(node)))


def _is_attention(node: Component) -> bool:
    is_attending = node.attending is not None and node.role is not Role.FEED_FORWARD
    return is_attending or node.role in (Role.LINEAR_ATTENTION, *MIXERS)


def _special(attending: AttentionFacts) -> str:
    """Return the kind of attention with latent vectors, global tokens or positions of its own; "" for any other."""
    if attending.latent is not None:
        return LATENT
    if attending.banded:
        return LOCAL_GLOBAL
    if attending.positions != "relative":
        return ""
    return OF_DISTANCES if attending.distances is None or attending.blocks else DISENTANGLED


def _heads(model: Model, attending: AttentionFacts) -> str:
    """By how many key-value heads serve the query heads: as many, one, or a number between."""
    heads, kv_heads = _size(model, attending.heads.number), _size(model, attending.kv_heads.number)
    if heads == kv_heads:
        return MULTI_HEAD
    return MULTI_QUERY if kv_heads == _size(model, ONE) else GROUPED


def _size(model: Model, size: Expression) -> int | Polynomial:
    is_bound = all(dimension in model.values for dimension in size.dimensions)
    return model.evaluate(size) if is_bound else multiply_out(size, model.relations)


def _positions(model: Model) -> Iterator[str]:
    for _, node in components(model.tree):
        if node.rows in (Rows.POSITIONS, Rows.DISTANCES):
            yield LEARNED if node.rows is Rows.POSITIONS else RELATIVE
        elif node.kind.instead_of is Role.TABLE:
            yield node.kind.name
        elif node.attending is not None and node.attending.relative is not False:
            yield RELATIVE


def _biases(model: Model) -> Iterator[str]:
    """Yield the sublayers whose matrices have biases, all of them or some."""
    for role, every, some in BIASED:
        matrices = [
            leaf.component
            for leaf in model.leaves
            if leaf.component.role is Role.MATRIX and leaf.sublayer and leaf.sublayer[1].role is role
        ]
        biased = [matrix for matrix in matrices if any(tensor.use is Use.BIAS for tensor in matrix.tensors)]
        if biased:
            yield every if len(biased) == len(matrices) else some


def _output(model: Model) -> Iterator[str]:
    """The matrix that gives each token a score: the token embedding once more, or one of its own."""
    if any(SHARED.terms(leaf.component) for leaf in model.leaves if leaf.component.role is not Role.TABLE):
        yield TIED
    elif any(leaf.part.role is PartRole.OUTPUT_HEAD for leaf in model.leaves):
        yield OWN


READERS: Mapping[str, Callable[[Model], Iterable[str]]] = {
    "attention": lambda model: _kinds(model, _is_attention),
    "feed_forward": lambda model: _kinds(model, lambda node: node.role is Role.FEED_FORWARD),
    "norms": lambda model: _kinds(model, lambda node: Role.NORM in (node.role, node.kind.instead_of)),
    "positions": _positions,
    "biases": _biases,
    "output": _output,
}
