"""The parts of a page besides the derivation: the other ways to count, and the terms of the rule of thumb, leaf by leaf.

Relations and values decide which conventions give another count, and the number of the rule. The browser computes both, from
formulas in which no relation is applied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from symparams.components.kinds import Role
from symparams.components.walks import Leaf, leaves
from symparams.derivations.conventions import differences
from symparams.derivations.rule_of_thumb import COARSEST
from symparams.derivations.steps import Note
from symparams.expressions.nodes import Expression
from symparams.expressions.symbols import d_inner, h
from symparams.expressions.written import times, total
from symparams.models.blocks import called_in_a_layer
from symparams.models.model import Model
from symparams.pages.writing import Entry, Writer
from symparams.quantities.parameters import (
    IN_LAYERS,
    PLAIN,
    has_own_layers,
    is_in_layer,
    is_matrix,
    is_owned,
    plain_parts,
    source_of,
    width_of_layers,
)
from symparams.sheets.steps import Composer, tables_alone
from symparams.sheets.values import Capital, Sentence, Value

KEYS = tuple(f"rule.{key}" for key in (
    "plain", "layers", "feed_forward", "below", "above", "missing", "embedding_tables", "attention_matrices",
    "other_matrices", "biases_and_norms"))  # fmt: skip
SAID = ("headings.conventions", "headings.rule", "columns.convention", "columns.difference", "columns.source",
        "notes.convention.own", *KEYS)  # fmt: skip
ACTIVE, NO_TABLES = Note(("convention.active",)), Note(("convention.no_embeddings",))


class Besides:
    """The content of a page besides the derivation, setting by setting."""

    def __init__(self, composer: Composer) -> None:
        self.composer = composer
        self.known: dict[frozenset[str], dict[tuple[str, str], Entry]] = {}

    def of(self, model: Model, writer: Writer) -> dict[tuple[str, str], Entry]:
        """The parts of one setting, by their kind and name: the same for all relations of the same features."""
        if model.present not in self.known:
            bare = replace(model, broken=frozenset(model.architecture.known))
            self.known[model.present] = dict(self._parts(bare, writer))
        return self.known[model.present]

    def _parts(self, bare: Model, writer: Writer) -> Iterator[tuple[tuple[str, str], Entry]]:
        tables = tables_alone(bare)
        for difference in differences(bare):
            sentence: Value = self.composer.note(difference.note)
            if tables is not None and difference.note == NO_TABLES:
                sentence = Sentence("notes.convention.without", {"part": tables})
            name, rank = _place(bare, difference.note)
            is_shown = int(difference.note != ACTIVE)  # worked out beside the shares
            yield ("convention", name), (writer.value(Capital(sentence)), writer.place(difference.written), rank, is_shown)
        if tables is not None:
            yield ("tables", ""), (writer.value(Capital(tables)),)
        for leaf in bare.leaves:
            yield ("layer", leaf.path), _leaf(leaf, writer)


def plain(model: Model, place: Callable[[Expression], int]) -> dict[str, Any]:
    """The rule of thumb of plain layers: the formulas of its sentence, and to how many times L·h² they come."""
    width = width_of_layers(tuple(leaves(model.architecture.tree))) or h
    parts = [[key, place(formula)] for key, formula in plain_parts(width).items()]
    squares = PLAIN if has_own_layers(model.architecture.tree) else 0
    return {"h": width.name, "inner": d_inner.name, "squares": squares, "parts": parts, "coarsest": COARSEST}


def _place(model: Model, note: Note) -> tuple[str, int]:
    """Return the key and the sort order of a convention, whatever features there are."""
    [key] = note.keys
    first = ("convention.each_head", "convention.each", "convention.no_embeddings", "convention.active", "convention.frozen")
    if "part" not in note.terms:
        return key, next(place for place, start in enumerate(first) if f"{key}.".startswith(f"{start}."))
    part = str(note.terms["part"]).removeprefix("part:")
    return part, len(first) + sorted(model.features).index(part)


def _leaf(leaf: Leaf, writer: Writer) -> Entry:
    """A leaf layer: its stack and sublayer, how many copies of its place and of the stack there are, its matrices in one
    layer, and its matrices and vectors in the whole model; of which source these are where the rule leaves them out.
    """
    owned = [tensor for tensor in leaf.component.tensors if is_owned(tensor)]
    whole = [times(leaf.times, tensor.count) for tensor in owned if is_matrix(tensor)]
    vectors = [times(leaf.times, tensor.count) for tensor in owned if not is_matrix(tensor)]
    in_layer = times(leaf.per_layer, IN_LAYERS.counted(lambda tensor: tensor.count).of(leaf.component))
    sources = [source_of(leaf, tensor) for tensor in owned if is_matrix(tensor)]
    flags = int(is_in_layer(leaf)) | int(Role.FEED_FORWARD in leaf.roles) << 1
    formulas = map(writer.place, (leaf.copies, leaf.layers, in_layer, total(whole), total(vectors)))
    return (leaf.stack, called_in_a_layer(leaf), flags, *formulas, sources[0] if sources else "")
