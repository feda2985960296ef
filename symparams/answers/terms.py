"""Terms: parts that people leave out of a count or add to it, each with its sentence, its difference and its tensors.

A term is a signed set of tensors. Two terms with a tensor in common are never combined: without all norms and without one of
them; with the head counted again and without the embedding that it shares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from types import MappingProxyType

from symparams.components.facts import Rows
from symparams.components.kinds import Role, Use
from symparams.components.tree import Tensor
from symparams.components.walks import Leaf, components
from symparams.derivations.conventions import ConventionDifference, differences, switched, switches, tensor_names
from symparams.derivations.multi_token_prediction import MTP, module
from symparams.derivations.sizes import number_of_layers, positions, vocabulary
from symparams.derivations.steps import Note, Step, StepName, step
from symparams.expressions.nodes import Expression, Negative, Number, Power, Product, Quotient, Size
from symparams.expressions.written import times, total
from symparams.features import tying
from symparams.models.model import Model
from symparams.quantities.parameters import PARAMETERS, SHARED, is_owned
from symparams.records import frozen

PADDINGS = (8, 16, 32, 64, 128, 256, 512)
USUAL, KNOWN, RARE, FARFETCHED = 1, 2, 3, 7
# How unlikely each explanation is; one that is not here is rare.
WEIGHTS: Mapping[str, int] = MappingProxyType({
    "explain.non_embedding": USUAL, "explain.positions": KNOWN, "explain.experts_alone": KNOWN, "explain.masks": KNOWN,
    "explain.mtp": KNOWN, "explain.mtp_alone": KNOWN, "explain.labels": FARFETCHED, "explain.padded": FARFETCHED,
    **{f"explain.{key}": USUAL for key in (
        "dtype", "recipe", "binary", "macs", "keys_alone", "one_layer", "one_head", "one_sequence"
    )},
})  # fmt: skip


@frozen
class ConventionTerm:
    """A supposition of an explanation: its sentence, its difference from our number, the names of the tensors it concerns.

    Half of a FLOP, one layer of many or another number type is not a difference, and has no ``step``. ``words`` stand in its
    sentence as they are.
    """

    note: Note
    step: Step | None = None
    tensors: frozenset[str] = frozenset()
    words: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def key(self) -> str:
        """The name of the convention, such as "active"."""
        return self.note.keys[0].rpartition(".")[2]

    @property
    def weight(self) -> int:
        """The weight of the supposition; a likelier one weighs less."""
        room, _, key = self.note.keys[0].partition(".")
        return USUAL if room == "convention" and "own" not in key else WEIGHTS.get(self.note.keys[0], RARE)

    @property
    def value(self) -> int:
        """The number that it adds to ours; negative if it takes away."""
        return (self.step.count if self.step else None) or 0


def terms(model: Model) -> tuple[ConventionTerm, ...]:
    """Every convention that can be put to this model and makes a difference; one that says the same of the same tensors
    only once. A module that predicts the token after the next one is among them where a published figure counts it.
    """
    by_tensors: dict[tuple[frozenset[str], int], ConventionTerm] = {}
    for find in (differences, _forgotten, _beside, _padded, _predicting):
        for convention in find(model):
            difference = step(model, "", "difference", convention.written)
            if difference.count:
                term = ConventionTerm(convention.note, difference, convention.tensors)
                by_tensors.setdefault((convention.tensors, difference.count), term)
    return tuple(by_tensors.values())


def _is_norm(leaf: Leaf, tensor: Tensor) -> bool:
    return leaf.component.role is Role.NORM


def _is_of_tokens(leaf: Leaf, tensor: Tensor) -> bool:
    """True if an array speaks of how many tokens there are: the rows of a table of them."""
    tables = (part for _, part in components(leaf.ancestors[0][1]) if part.rows is Rows.TOKENS and part.tensors)
    tokens = {letter for table in tables for letter in table.tensors[0].shape[0].dimensions}
    return not tokens.isdisjoint(tensor.count.dimensions)


# What is often left out, by the key of its sentence.
LEFT_OUT: Mapping[str, Callable[[Leaf, Tensor], bool]] = MappingProxyType({
    "non_embedding": lambda leaf, tensor: leaf.component.role is Role.TABLE or _is_of_tokens(leaf, tensor),
    "positions": lambda leaf, tensor: leaf.component.rows is Rows.POSITIONS,
    "embedding_block": lambda leaf, tensor: leaf.is_embedding,
    "experts_alone": lambda leaf, tensor: not tensor.active,
    "biases": lambda leaf, tensor: tensor.use is Use.BIAS and not _is_norm(leaf, tensor),
    "every_bias": lambda leaf, tensor: tensor.use is Use.BIAS,
    "norms": _is_norm,
})  # fmt: skip


def _forgotten(model: Model) -> Iterator[ConventionDifference]:
    """Yield what people leave out: the embeddings with the head, the norms, one norm, the biases, all but the experts."""
    owned = [(leaf, tensor) for leaf in model.leaves for tensor in leaf.component.tensors if is_owned(tensor)]
    for key, is_left_out in LEFT_OUT.items():
        left_out = [(leaf, tensor) for leaf, tensor in owned if is_left_out(leaf, tensor)]
        if left_out and (key != "experts_alone" or model.has_experts):
            counts = [times(leaf.times, tensor.count) for leaf, tensor in left_out]
            names = frozenset(f"{leaf.path}.{tensor.name}" for leaf, tensor in left_out)
            yield ConventionDifference(Note((f"explain.{key}",)), Negative(total(counts)), names)
    for leaf in model.leaves:
        if leaf.component.role is Role.NORM and leaf.component.tensors:
            note = Note(("explain.one_norm",), {"part": StepName(leaf.name)})
            yield ConventionDifference(note, Negative(PARAMETERS.over([leaf])), tensor_names([leaf]))


def _beside(model: Model) -> Iterator[ConventionDifference]:
    """Yield what libraries enlarge, store beside parameters, or hold twice: positions, masks, frequencies, an untied head."""
    attending = [part.attending for _, part in components(model.tree) if part.attending]
    number = number_of_layers(model.leaves)
    tables = [leaf for leaf in model.leaves if leaf.component.rows is Rows.POSITIONS and leaf.component.tensors]
    seen = positions(model.leaves)
    if seen is not None:
        row = tables[0].component.tensors[0].shape[-1]
        yield ConventionDifference(Note(("explain.two_positions",)), Size(Product((Number(2), row))), tensor_names(tables))
        if number is not None and any(facts.causal is True for facts in attending):
            yield ConventionDifference(Note(("explain.masks",)), Product((number, Power(seen, 2))), frozenset({"masks"}))
    rotary = next((facts for facts in attending if facts.positions == "rotary"), None)
    turned = None if rotary is None else rotary.latent.rotary if rotary.latent else rotary.heads.width  # of a head's key
    if turned is not None and model.values.keys() >= {*turned.dimensions} and model.evaluate(turned) % 2 == 0:
        half = Quotient(turned, Number(2))
        yield ConventionDifference(Note(("explain.frequencies",)), half, frozenset({"frequencies"}))
        if number is not None:
            yield ConventionDifference(
                Note(("explain.layer_frequencies",)), Product((number, half)), frozenset({"frequencies"})
            )
    if tying.name not in model.present:
        return
    if any(SHARED.terms(leaf.component) for leaf in model.leaves):
        yield switched(model, tying.name)
    else:
        yield from (switched(model, feature, untied=True) for feature in sorted(switches(model) - model.present))


def token_rows(model: Model, rows: Expression) -> tuple[Expression, frozenset[str]]:
    """So many rows in each matrix over the vocabulary, and the tensors that they lie in."""
    tokens = vocabulary(model.leaves)
    owned = [(leaf, t) for leaf in model.leaves for t in leaf.component.tensors if is_owned(t) and tokens in t.shape]
    written = [times(leaf.times, Product((rows, *(side for side in t.shape if side != tokens)))) for leaf, t in owned]
    return total(written), frozenset(f"{leaf.path}.{t.name}" for leaf, t in owned)


def _padded(model: Model) -> Iterator[ConventionDifference]:
    """A vocabulary padded to a multiple."""
    tokens = vocabulary(model.leaves)
    number = model.values.get(tokens, 0) if tokens is not None else 0
    for multiple in PADDINGS:
        padding = -number % multiple
        if padding:
            note = Note(("explain.padded",), {"multiple": Number(multiple), "rows": Number(padding)})
            yield ConventionDifference(note, *token_rows(model, Number(padding)))


def _predicting(model: Model) -> Iterator[ConventionDifference]:
    """The module that predicts the token after the next one, and what is stored with it."""
    if predicting := module(model):
        note = Note((f"explain.{predicting.key}",))
        yield ConventionDifference(note, predicting.parameters, frozenset({"multi_token_prediction"}))
        if predicting.key == MTP:
            yield ConventionDifference(Note(("explain.scales",)), predicting.stored, frozenset({"scales"}))
