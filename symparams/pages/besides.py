"""The parts of a page besides the derivation: the other ways to count, and the rules of thumb, with what they leave out.

Relations and values decide which conventions give another count, and which rule a page tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from symparams.components.kinds import Role
from symparams.components.tree import Tensor
from symparams.components.walks import leaves
from symparams.derivations.conventions import differences, form_of
from symparams.derivations.rule_of_thumb import COARSEST, copies_of, estimate_of, squares_of
from symparams.derivations.steps import Note
from symparams.expressions.closed_form import Relations, as_written, multiply_out
from symparams.expressions.nodes import Dimension, Expression, Named, Number
from symparams.expressions.symbols import h
from symparams.expressions.written import ZERO, times, total
from symparams.models.blocks import MOST_EXPANDED, with_inner_size
from symparams.models.model import Model
from symparams.pages.closings import Under
from symparams.pages.writing import Entry, Writer
from symparams.quantities.parameters import (
    IN_LAYERS,
    IN_NETWORKS,
    PLAIN,
    has_own_layers,
    is_in_layer,
    is_matrix,
    is_owned,
    plain_parts,
    source_of,
    width_of_layers,
)
from symparams.quantities.quantity import TensorChoice
from symparams.sheets.steps import Composer, tables_alone
from symparams.sheets.values import Capital, Sentence, Value

KEYS = tuple(f"rule.{key}" for key in (
    "plain", "layers", "feed_forward", "below", "above", "missing", "embedding_tables", "attention_matrices",
    "other_matrices", "biases_and_norms"))  # fmt: skip
SAID = ("headings.conventions", "headings.rule", "columns.convention", "columns.difference", "columns.source",
        "notes.convention.own", *KEYS)  # fmt: skip
ACTIVE, NO_TABLES = Note(("convention.active",)), Note(("convention.no_embeddings",))
RULES = ("layers", IN_LAYERS), ("feed_forward", IN_NETWORKS)
SHORT, IS_PLAIN = 1, 2  # a rule that people remember, and one that is 12·L·h²


class Besides:
    """The content of a page besides the derivation, setting by setting."""

    def __init__(self, composer: Composer) -> None:
        self.composer = composer
        self.known: dict[Any, dict[tuple[str, str], Entry]] = {}

    def of(self, model: Model, writer: Writer, addends: Sequence[Named]) -> dict[tuple[str, str], Entry]:
        """The parts of one setting, by their kind and name; the ``addends`` are those of its total, and that itself."""
        key = model.present, tuple(addends)
        if key not in self.known:
            bare = replace(model, broken=frozenset(model.architecture.known))
            self.known[key] = dict(self._parts(bare, writer, addends))
        return self.known[key]

    def _parts(self, bare: Model, writer: Writer, addends: Sequence[Named]) -> Iterator[tuple[tuple[str, str], Entry]]:
        tables = tables_alone(bare)
        for difference in differences(bare):
            sentence: Value = self.composer.note(difference.note)
            if tables is not None and difference.note == NO_TABLES:
                sentence = Sentence("notes.convention.without", {"part": tables})
            name, rank = _place(bare, difference.note)
            is_shown = int(difference.note != ACTIVE)  # worked out beside the shares
            written = difference.written
            changed = partial(_difference, written, writer, addends)
            closing = writer.closing(("convention", writer.names, tuple(addends)), written, changed)
            yield ("convention", name), (writer.value(Capital(sentence)), writer.place(written), rank, is_shown, closing)
        if tables is not None:
            yield ("tables", ""), (writer.value(Capital(tables)),)
        yield from _rules(bare, writer)


def _difference(written: Expression, writer: Writer, addends: Sequence[Named], relations: Relations) -> Entry:
    change = multiply_out(written, relations)
    form = form_of(change, relations, addends)
    return writer.place(as_written(change) if form is None else form), *writer.closings.terms(change)


def _rules(bare: Model, writer: Writer) -> Iterator[tuple[tuple[str, str], Entry]]:
    """The rules of a family whose layers have one width, and what each leaf layer has that a rule may leave out."""
    width = width_of_layers(tuple(leaves(bare.architecture.tree)))
    if width is None:
        return
    for rank, (name, choice) in enumerate(RULES):
        whole = choice.counted(_count).over([leaf for leaf in bare.leaves if choice.leaf(leaf)])
        if whole != ZERO and (not rank or bare.has_experts):
            reckoned = partial(_reckoned, bare, choice, width, writer)
            yield ("rule", name), (name, rank, writer.place(whole), writer.closing((name, writer.names), whole, reckoned))
    for leaf in bare.leaves:
        missed: dict[tuple[str, bool], list[Expression]] = {}
        for tensor in filter(is_owned, leaf.component.tensors):
            missed.setdefault((source_of(leaf, tensor), is_matrix(tensor)), []).append(tensor.count)
        flags = int(is_in_layer(leaf)) | int(Role.FEED_FORWARD in leaf.roles) << 1
        for (source, is_large), counts in missed.items():
            written = times(leaf.times, total(counts))
            entry = (
                source,
                flags * is_large,
                writer.place(written),
                writer.closing("missed", written, partial(_terms, written, writer)),
            )
            yield ("missed", f"{leaf.path}.{source}.{int(is_large)}"), entry


def _count(tensor: Tensor) -> Expression:
    return tensor.count


def _terms(written: Expression, writer: Writer, relations: Relations) -> Entry:
    return writer.closings.terms(multiply_out(written, with_inner_size(relations)))


def _reckoned(model: Model, choice: TensorChoice, width: Dimension, writer: Writer, relations: Relations) -> Entry:
    """What a rule comes to, whether it is short or that of plain layers, and the number of its layers where they have one."""
    subject, layers = Under(relations), [leaf for leaf in model.leaves if choice.leaf(leaf)]
    estimate, copies = estimate_of(subject, "estimate", layers, choice.counted(_count)), copies_of(subject, layers)
    assert estimate is not None, "the rule counts something"
    is_plain = choice is IN_LAYERS and copies is not None and has_own_layers(model.architecture.tree)
    is_plain = is_plain and copies is not None and estimate.closed == squares_of(Number(PLAIN), copies, width)
    flags = SHORT * (len(estimate.polynomial.terms) <= MOST_EXPANDED) | IS_PLAIN * is_plain
    return writer.place(estimate.closed), flags, writer.place(copies) if copies is not None and choice.in_squares else -1


def plain(model: Model, place: Any) -> dict[str, Any]:
    """The formulas of the sentence on plain layers, their width, and in what parts of a square a rule is told."""
    width = width_of_layers(tuple(leaves(model.architecture.tree))) or h
    return {
        "h": width.name,
        "parts": [[key, place(formula)] for key, formula in plain_parts(width).items()],
        "coarsest": COARSEST,
    }


def _place(model: Model, note: Note) -> tuple[str, int]:
    """Return the key and the sort order of a convention, whatever features there are."""
    [key] = note.keys
    first = ("convention.each_head", "convention.each", "convention.no_embeddings", "convention.active", "convention.frozen")
    if "part" not in note.terms:
        return key, next(place for place, start in enumerate(first) if f"{key}.".startswith(f"{start}."))
    part = str(note.terms["part"]).removeprefix("part:")
    return part, len(first) + sorted(model.features).index(part)
