"""The tensors saved before and after the layers: indices and positions of embeddings, inputs of heads, the loss."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from symparams.components.embeddings import ALIBI, ROTARY, SINUSOIDAL
from symparams.components.facts import Rows, Tokens
from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.components.walks import components, is_over_rows, rows_of
from symparams.errors import NotDerivedError, OptionError
from symparams.expressions.nodes import Ceiling, Expression, Floor, Number, Power, Quotient, Sum
from symparams.expressions.symbols import b, e
from symparams.expressions.written import ONE
from symparams.quantities.implementations import EMBEDDINGS, FINAL
from symparams.quantities.kept_by_layers import ACTIVATION, Stream, activated, is_norm, last, normed, through_part
from symparams.quantities.kept_tensors import FULL, INDEX, Tape, Value, product, width_of

POSITIONS = (ROTARY, ALIBI, SINUSOIDAL)  # which are computed


def is_before(part: Component) -> bool:
    """True if a part stands before the layers: a table, positions, what reads data, or a block of such parts."""
    inside = [child for _, child in part.children] if part.role is Role.BLOCK else [part]
    return any(child.role is Role.TABLE or child.reads_data or child.kind in POSITIONS for child in inside)


def embedded(tape: Tape, tree: Component, part: Component, path: str, stream: Stream, source: Stream | None) -> None:
    """The embeddings of what is read: indices into tables, what norms and projections need, tables that layers share."""
    inside = part.children if part.body else ((path, part),)
    tables = [child for _, child in inside if child.role is Role.TABLE]
    for name, child in inside:
        _before(tape, tree, child, f"{path}.{name}" if part.body else path, (stream, source), tables)
    for flowing in (source, stream):
        if flowing is not None:
            tape.dropout(flowing.wide(flowing.width), path, EMBEDDINGS)


def headed(tape: Tape, tree: Component, part: Component, path: str, stream: Stream, x: Value, pooled: list[Value]) -> Value:
    """Return the output of a part after the layers: a norm, a projection, a head with its loss; OptionError for others."""
    if is_norm(part):
        return tape.dropout(normed(tape, part, path, x, stream.once), path, FINAL)
    last_matrix = next((child for _, child in reversed(part.children or (("", part),)) if child.role is Role.MATRIX), None)
    is_over_words = part.tokens is None and last_matrix is not None and is_over_rows(last_matrix, rows_of(tree))
    is_of_each = part.tokens is Tokens.EACH and last_matrix is not None and bool(part.body)
    if part.tokens is Tokens.LOGITS or is_over_words or is_of_each:
        _words(tape, part, path, stream, x)
        return x
    if part.tokens is None or part.tokens == stream.tokens:
        return through_part(tape, part, path, stream, x)
    if last_matrix is None or part.body:
        raise NotDerivedError(f"What {path} saves is not derived, nor its loss: choose scope layers, or leave it out.")
    if part.activation and part.tokens == ONE:
        tape.keep(x, path, f"input_of:{path}", "projection")
        word = str(tape.setting.choices.get(f"{path}_activation") or part.activation)
        pooled.append(activated(tape, path, Value(product(b, width_of(part, 1))), word))
    elif part.tokens == ONE and (pooled or tape.how.classifies):
        tape.keep(pooled[-1] if pooled else x, path, f"input_of:{path}", "projection")
        _loss(tape, path, b, width_of(part, 1))
    else:
        raise NotDerivedError(f"What {path} saves is not derived, nor its loss: choose scope layers, or leave it out.")
    return x


def _before(
    tape: Tape, tree: Component, part: Component, path: str, streams: tuple[Stream, Stream | None], tables: list[Component]
) -> None:
    stream, name = streams[0], last(path)
    if part.role is Role.TABLE:
        _looked_up(tape, part, path, streams, tables)
    elif part.role is Role.NORM:
        normed(tape, part, path, stream.wide(stream.width), stream.once)
    elif part.reads_data:
        if not isinstance(part.reads_data, Expression):
            raise OptionError(
                f"Activations: {path} reads data but does not say how many numbers of each sequence: write reads_data=80 * s."
            )
        tape.keep(Value(product(b, part.reads_data)), path, "pixels", "projection")
    elif part.role is Role.MATRIX:
        tape.keep(stream.wide(width_of(part, 0)), path, f"input_of:{name}", "projection")
    elif part.kind == ROTARY and not tape.setting.checkpoint:
        widths = [inner.attending.heads.width for _, inner in components(tree) if inner.attending]
        for width in widths[:1]:
            numbers = product(Number(2), stream.tokens, _turned(tape, width))
            tape.keep(Value(numbers, FULL if tape.how.full_rotary else e), path, "rotary_tables", "rotary_tables")


def _turned(tape: Tape, width: Expression) -> Expression:
    """Return the pairs of a head that rotary positions turn: all of them, or as many as the config says."""
    config = tape.setting.config
    keys = {**config, **(config.get("rope_parameters") or {})}
    part = next((Fraction(str(keys[key])) for key in tape.how.rotary_keys if keys.get(key) is not None), tape.how.rotary_part)
    if part == 1:
        return width
    turned = Floor(Quotient(product(Number(part.numerator), width), Number(part.denominator)))
    return product(Number(2), Ceiling(Quotient(turned, Number(2))))


def _looked_up(tape: Tape, table: Component, path: str, streams: tuple[Stream, Stream | None], tables: list[Component]) -> None:
    """The indices by which a table is looked up: of the tokens of each sequence, or of what all sequences have alike."""
    stream, source = streams
    distances = [other for other in tables if other.rows is Rows.DISTANCES]
    by_distance = (source or stream).tokens if distances and table is distances[0] else stream.tokens
    is_repeated = tape.how.repeats_source_positions and stream.source is None
    indices: Mapping[Rows | None, Expression | None] = {
        Rows.TOKENS: product(b, stream.tokens),
        Rows.SEGMENTS: product(b, stream.tokens) if tape.how.repeats_segments else stream.tokens,
        Rows.POSITIONS: product(b, stream.tokens) if is_repeated else tape.how.positions,
        Rows.DISTANCES: Power(by_distance, 2),
    }
    saved = indices.get(table.rows)  # a vector or a table that is added whole is not looked up
    if saved is not None:
        tape.keep(Value(saved, INDEX), path, f"indices_of:{last(path)}", "indices")
    if table.rows is Rows.TOKENS and source is not None:
        tape.keep(Value(product(b, source.tokens), INDEX), path, "source_indices", "indices")


def _words(tape: Tape, part: Component, path: str, stream: Stream, x: Value) -> None:
    """A head over the vocabulary, with a dense layer and a norm before it in a masked one, and its loss."""
    is_next = part.tokens is Tokens.LOGITS
    *before, (name, output) = [child for child in part.children if child[1].role in (Role.MATRIX, Role.NORM)] or [("", part)]
    for inner, child in before:
        here = f"{path}.{inner}"
        if child.role is Role.NORM:
            x = normed(tape, child, here, x, stream.once)
            continue
        tape.keep(x, here, f"input_of:{last(path)}", "projection")
        x = stream.wide(width_of(child, 1))
        if child.activation:
            chosen = None if tape.how.own_head_activation else tape.setting.choices.get(ACTIVATION)
            x = activated(tape, here, x, str(chosen or child.activation))
    path = f"{path}.{name}" if name else path
    tape.keep(x, path, f"input_of:{last(path)}", "projection")
    _loss(tape, path, product(b, stream.tokens), width_of(output, 1), is_shifted=is_next and tape.how.shifts_labels)


def _loss(tape: Tape, path: str, rows: Expression, classes: Expression, *, is_shifted: bool = False) -> None:
    """Cross-entropy: the logarithms of the probabilities, the right answers, and how many there are of them.

    Answers that are the next words are padded by one and shifted; those of a single sequence stay a view of the padded ones.
    """
    width = FULL if tape.how.full_loss else e
    tape.keep(Value(product(rows, classes), width), path, "log_probabilities", "loss")
    if is_shifted and b in tape.setting.ones:
        tape.keep(Value(Sum((rows, ONE)), INDEX), path, "labels", "padded_labels")
    else:
        tape.keep(Value(rows, INDEX), path, "labels")
    tape.keep(Value(ONE, width), path, "loss_weight")
