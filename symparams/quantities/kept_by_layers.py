"""What the operations of a layer keep: norms, attention, feed-forwards, in the order of data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from symparams.components.kinds import RMS_NORM, Role
from symparams.components.norms import NON_PARAMETRIC_LAYER_NORM
from symparams.components.tree import Attending, Component
from symparams.errors import OptionError, quoted, suggestion
from symparams.expressions.nodes import Expression, Number, Power
from symparams.expressions.symbols import b
from symparams.expressions.written import ONE
from symparams.quantities.implementations import ACTIVATIONS, ATTENTION, INNER, LINEAR, OUTPUT
from symparams.quantities.kept_tensors import FULL, Tape, Value, product, width_of

EAGER, FLASH = "eager", "flash"
QUERY, ACTIVATION = "query", "activation"


@dataclass(frozen=True)
class Stream:
    """What flows through a stack: its tokens in a sequence, how wide it is, and the source's states where it reads them."""

    tokens: Expression
    width: Expression
    source: Value | None = None
    source_tokens: Expression = ONE

    def wide(self, width: Expression) -> Value:
        """So many numbers for each token of each sequence: b·s·h."""
        return Value(product(b, self.tokens, width))

    @property
    def once(self) -> Value:
        """A number for each token: b·s."""
        return Value(product(b, self.tokens))


def through_layer(tape: Tape, layer: Component, path: str, stream: Stream, x: Value) -> Value:
    """What comes out of a layer: its parts in order, sums where they are."""
    for name, part in layer.body:
        here = f"{path}.{name}" if name else path
        if part.role is Role.RESIDUAL:
            through_layer(tape, part, path, stream, x)
            x = replace(x)
        elif not name:
            x = through_layer(tape, part, path, stream, x)
        else:
            x = through_part(tape, part, here, stream, x)
    return x


def through_part(tape: Tape, part: Component, path: str, stream: Stream, x: Value) -> Value:
    """What comes out of a sublayer or a norm."""
    if part.role is Role.ATTENTION:
        return attended(tape, part, path, stream, x)
    if part.role is Role.FEED_FORWARD:
        return fed_forward(tape, part, path, stream, x)
    if part.role is Role.NORM or part.kind == NON_PARAMETRIC_LAYER_NORM:
        return normed(tape, part, path, x, stream.once)
    raise OptionError(f"Activations are not derived for a {part.kind} in a layer.")


def normed(tape: Tape, norm: Component, path: str, x: Value, once: Value) -> Value:
    """A norm: its input and its statistics; RMSNorm, which the library computes in fp32, what the gain multiplies as well."""
    if norm.kind != RMS_NORM:
        tape.keep(x, path, f"input_of:{last(path)}", "layer_norm")
        tape.keep(replace(once, numbers=product(Number(2), once.numbers)), path, f"statistics_of:{last(path)}")
        return replace(x)
    full = tape.in_full(x)
    tape.keep(full, path, f"input_of:{last(path)}", "rms_norm" if full is x else "rms_norm_in_full")
    if tape.how.late_norm:
        tape.keep(x, path, f"uncast_input_of:{last(path)}", "uncast_input")
    tape.keep(replace(once, width=FULL), path, f"statistics_of:{last(path)}")
    tape.keep(replace(x), path, f"scaled_by:{last(path)}")
    return replace(x)


def projected(tape: Tape, matrix: Component, path: str, stream: Stream, x: Value, name: str = "") -> Value:
    """A product with a matrix, whose gradient needs the input."""
    tape.keep(x, path, name or f"input_of:{last(path)}", "projection")
    return stream.wide(width_of(matrix, 1))


def attended(tape: Tape, part: Component, path: str, stream: Stream, x: Value) -> Value:
    """Attention: the input of its projections once, queries, keys and values as they meet, and what the softmax gives."""
    parts, heads = dict(part.children), facts(part).heads
    tape.keep(x, f"{path}.{next(iter(parts))}", f"input_of:{last(path)}", "query" if part.reads else "query_key_value")
    keys = stream
    if part.reads and stream.source is not None:
        keys = Stream(stream.source_tokens, stream.width)
        tape.keep(stream.source, path, "encoder_states", "encoder_states", copies=ONE)
    for name, value in _meeting(tape, part, path, stream, keys).items():
        is_seen = name == "key" and tape.setting.attention != FLASH and _is_seen_by_all(tape, facts(part))
        tape.keep(value, path, name, "meeting" if name == QUERY else "seen_by_all" if is_seen else "")
    context = stream.wide(width_of(parts["output"], 0))
    if tape.setting.attention == FLASH:
        tape.keep(Value(product(b, heads.number, stream.tokens), FULL), path, "log_sum_exp", "log_sum_exp")
    else:
        _scored(tape, path, Value(product(b, heads.number, *pairs(stream.tokens, keys.tokens))))
    return tape.dropout(projected(tape, parts["output"], f"{path}.output", stream, context, "context"), path, OUTPUT)


def fed_forward(tape: Tape, part: Component, path: str, stream: Stream, x: Value) -> Value:
    """A feed-forward: its input once, what the activation keeps, with a gate both factors, and the input of the way down."""
    parts = dict(part.children)
    tape.keep(x, f"{path}.{next(iter(parts))}", f"input_of:{last(path)}", "gate_up" if "gate" in parts else "projection")
    inner = stream.wide(width_of(parts["up"], 1))
    active = activated(tape, path, inner, str(tape.setting.choices.get(ACTIVATION) or part.activation))
    if "gate" in parts:
        tape.keep(active, path, "activated_gate", "gate")
        tape.keep(replace(inner), path, "up")
        active = replace(inner)
    active = tape.dropout(active, path, INNER, "mask_of:activation")
    return tape.dropout(projected(tape, parts["down"], f"{path}.down", stream, active, "hidden_units"), path, OUTPUT)


def activated(tape: Tape, path: str, x: Value, name: str) -> Value:
    """What an activation gives, by the library's word for it; OptionError for one that is not known."""
    if name == LINEAR:
        return x
    if name not in ACTIVATIONS:
        raise OptionError(f"What the activation {quoted(name)} keeps is not derived. {suggestion(name, ACTIVATIONS)}")
    keeps, out = ACTIVATIONS[name], replace(x)
    if keeps.input:
        tape.keep(x, path, "activation_input", "activation_input")
    if keeps.between:
        each = replace(x, numbers=product(Number(keeps.between), x.numbers) if keeps.between > 1 else x.numbers)
        tape.keep(each, path, "activation_steps", "activation_steps")
    return tape.keep(out, path, "activation_output", "activation_output") if keeps.output else out


def last(path: str) -> str:
    """The name of a part, the last of its path."""
    return path.rpartition(".")[2]


def facts(part: Component) -> Attending:
    """What attention attends to; OptionError where the tree does not say."""
    if part.attending is None:
        raise OptionError(f"Activations are not derived for a {part.kind}.")
    return part.attending


def _meeting(tape: Tape, part: Component, path: str, stream: Stream, keys: Stream) -> Mapping[str, Value]:
    """Queries, keys and values as they meet: normed where they are, and each of a group's queries with a copy of its own.

    A fused kernel needs no copies of keys and values; the product of matrices is given them, but where all heads of a single
    sequence see the same ones.
    """
    parts, attending = dict(part.children), facts(part)
    heads, shared = attending.heads, attending.kv_heads
    inner = width_of(parts["output"], 0)
    grouped = inner if shared == heads else shared.number * shared.width
    for name, width, each in ((QUERY, inner, heads), ("key", grouped, shared)):
        if f"{name}_norm" in parts:
            normed(tape, parts[f"{name}_norm"], f"{path}.{name}_norm", stream.wide(width), stream.wide(each.number))
    wide = grouped if tape.setting.attention == FLASH or _is_seen_by_all(tape, attending) else inner
    return {QUERY: stream.wide(inner), "key": keys.wide(wide), "value": keys.wide(wide)}


def _is_seen_by_all(tape: Tape, attending: Attending) -> bool:
    """Whether one head of key and value of one sequence is all that there is: copies of it are views."""
    shared = attending.kv_heads.number
    return attending.kv_heads != attending.heads and b in tape.setting.ones and shared in tape.setting.ones


def _scored(tape: Tape, path: str, scores: Value) -> None:
    """The softmax of the scores, in fp32 where the library says so, and what is left of it for the product with the values."""
    weights = replace(tape.in_full(scores) if tape.how.full_softmax else scores)
    tape.keep(weights, path, "attention_weights", "softmax_in_full" if tape.how.full_softmax else "softmax")
    used = tape.dropout(tape.of_type(weights), path, ATTENTION, "mask_of:attention_weights")
    tape.keep(used, path, "attention_weights_used", "weights_used")


def pairs(queries: Expression, keys: Expression) -> tuple[Expression, ...]:
    """A number for each query and each key: s²."""
    return (Power(queries, 2),) if queries == keys else (queries, keys)
