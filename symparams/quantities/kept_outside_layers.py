"""What is kept before and after the layers: indices of tables, tables of positions, what heads read, the loss."""

from __future__ import annotations

from collections.abc import Mapping

from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.components.walks import components
from symparams.errors import OptionError
from symparams.expressions.nodes import Expression, Number, Power, Sum
from symparams.expressions.symbols import V, b, e, image, n_channels
from symparams.expressions.written import ONE
from symparams.quantities.implementations import EMBEDDINGS, FINAL
from symparams.quantities.kept_by_layers import ACTIVATION, Stream, activated, facts, last, normed, projected
from symparams.quantities.kept_tensors import FULL, INDEX, Tape, Value, product, width_of


def embedded(tape: Tape, tree: Component, stream: Stream, source: Stream | None) -> None:
    """The embeddings of what is read: indices into tables, what norms and projections need, tables that layers share."""
    for name, part in tree.child(EMBEDDINGS).children:
        _before(tape, tree, part, f"{EMBEDDINGS}.{name}", stream, source)
    for each in (source, stream):
        if each is not None:
            tape.dropout(each.wide(each.width), EMBEDDINGS, EMBEDDINGS)


def headed(tape: Tape, part: Component, path: str, stream: Stream, x: Value, pooled: list[Value]) -> Value:
    """What comes out of what stands after the layers: a norm, a projection, a head with its loss; OptionError for others."""
    if part.role is Role.NORM:
        return tape.dropout(normed(tape, part, path, x, stream.once), path, FINAL)
    if path == "output_projection":
        return projected(tape, part, path, stream, x)
    if path == "pooler":
        tape.keep(x, path, f"input_of:{path}", "projection")
        word = str(tape.setting.choices.get("pooler_activation") or "tanh")
        pooled.append(activated(tape, path, Value(product(b, width_of(part, 1))), word))
    elif path in ("lm_head", "mlm_head"):
        _words(tape, part, path, stream, x)
    elif path == "nsp_head" and pooled:
        tape.keep(pooled[-1], path, f"input_of:{path}", "projection")
        _loss(tape, path, b, Number(2))
    elif path == "classifier" and tape.how.classifies:
        tape.keep(x, path, f"input_of:{path}", "projection")
        _loss(tape, path, b, width_of(part, 1))
    else:
        raise OptionError(f"What {path} keeps is not derived, nor its loss: choose scope layers, or leave it out.")
    return x


def _before(tape: Tape, tree: Component, part: Component, path: str, stream: Stream, source: Stream | None) -> None:
    name = last(path)
    indices: Mapping[str, Expression | None] = {
        "token_embedding": product(b, stream.tokens),
        "segment_embedding": stream.tokens,
        "position_embedding": tape.how.positions,
        "encoder_position_bias": Power((source or stream).tokens, 2),
        "decoder_position_bias": Power(stream.tokens, 2),
    }
    if part.role is Role.TABLE:
        found = indices.get(name)
        if found is not None:
            tape.keep(Value(found, INDEX), path, f"indices_of:{name}", "indices")
        if name == "token_embedding" and source is not None:
            tape.keep(Value(product(b, source.tokens), INDEX), path, "source_indices", "indices")
    elif part.role is Role.NORM:
        normed(tape, part, path, stream.wide(stream.width), stream.once)
    elif name == "patch_embedding":
        tape.keep(Value(product(b, n_channels, Power(image, 2))), path, "pixels", "projection")
    elif part.role is Role.MATRIX:
        tape.keep(stream.wide(width_of(part, 0)), path, f"input_of:{name}", "projection")
    elif part.kind.name == "rotary" and not tape.setting.checkpoint:
        width = next(facts(each).heads.width for _, each in components(tree) if each.role is Role.ATTENTION)
        tape.keep(Value(product(Number(2), stream.tokens, width)), path, "rotary_tables", "rotary_tables")


def _words(tape: Tape, part: Component, path: str, stream: Stream, x: Value) -> None:
    """A head over the vocabulary, with a dense layer and a norm before it in a masked one, and its loss."""
    if part.body:
        tape.keep(x, f"{path}.transform", f"input_of:{path}", "projection")
        word = str(tape.setting.choices[ACTIVATION])
        active = activated(tape, f"{path}.transform", stream.wide(width_of(part.child("transform"), 1)), word)
        x = normed(tape, part.child("layer_norm"), f"{path}.layer_norm", active, stream.once)
        path = f"{path}.output"
    tape.keep(x, path, f"input_of:{last(path)}", "projection")
    _loss(tape, path, product(b, stream.tokens), V, is_shifted=path == "lm_head" and tape.how.shifts_labels)


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
