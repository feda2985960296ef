"""The tensors that the operations of a layer save: norms, attention, feed-forward networks, in the order of data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from symparams.components.attention import SINKS
from symparams.components.embeddings import ALIBI, ROTARY
from symparams.components.facts import AttentionFacts, Projection
from symparams.components.kinds import RMS_NORM, Role
from symparams.components.norms import NON_PARAMETRIC_RMS_NORM
from symparams.components.tree import Component
from symparams.errors import NotDerivedError, quoted, suggestion
from symparams.expressions.nodes import Expression, Number, Power, Sum
from symparams.expressions.symbols import b, s_src
from symparams.expressions.written import ONE, times
from symparams.quantities.implementations import ACTIVATIONS, ALIBI_ATTENTION, ATTENTION, INNER, LINEAR, OUTPUT, PLAIN, SUM
from symparams.quantities.kept_tensors import FULL, INDEX, Tape, Value, product, width_of
from symparams.records import frozen

EAGER, FLASH, ALWAYS = "eager", "flash", "always"
QUERY, KEY, VALUE, ACTIVATION = "query", "key", "value", "activation"
EVERY = (QUERY, KEY, VALUE)
ALL, SHARED = "all", "key_value"


@frozen
class Stream:
    """The stream through a stack: its tokens in a sequence, its width, and the source's states if it reads them."""

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
    """Return the output of a layer, its parts taken in order."""
    for name, part in layer.body:
        here = f"{path}.{name}" if name else path
        if part.role is Role.RESIDUAL:
            through_layer(tape, part, path, stream, x)
            x = replace(x)
        elif part.role is Role.PARALLEL:
            x = _summed(tape, part, path, stream, x)
        else:
            x = through_part(tape, part, here, stream, x) if name else through_layer(tape, part, here, stream, x)
    return x


def _summed(tape: Tape, part: Component, path: str, stream: Stream, x: Value) -> Value:
    """Return the sum of branches side by side, with the dropout that a library may put to it."""
    tape.drops_sum = SUM in tape.how.dropouts
    for name, branch in part.body:
        within = f"{path}.{name}" if name else path
        _ = through_part(tape, branch, within, stream, x) if name else through_layer(tape, branch, path, stream, x)
    tape.drops_sum = False
    return tape.dropout(replace(x), path, SUM, "mask_of:branches")


def through_part(tape: Tape, part: Component, path: str, stream: Stream, x: Value) -> Value:
    """Return the output of a part, or of its last copy; OptionError if the part does not say what it saves."""
    if isinstance(part.tokens, Expression) and part.tokens not in (stream.tokens, s_src):
        raise NotDerivedError(
            f"Activations: what {path} saves, which sees other tokens than the parts around it, is not derived."
        )
    copies = part.applied or part.times
    if copies == ONE:
        return _through_copy(tape, part, path, stream, x)
    around = tape.copies
    tape.copies = times(around, copies)
    out = _through_copy(tape, part, path, stream, replace(x))
    tape.copies = around
    return out


def _through_copy(tape: Tape, part: Component, path: str, stream: Stream, x: Value) -> Value:
    if part.role is Role.BLOCK:
        return through_layer(tape, part, path, stream, x)
    if part.attending is not None:
        return attended(tape, part, path, stream, x)
    if part.role is Role.FEED_FORWARD and matrix_of(part, Projection.ROUTER):
        return mixed(tape, part, path, stream, x)
    if part.role is Role.FEED_FORWARD and matrix_of(part, Projection.DOWN):
        return fed_forward(tape, part, path, stream, x)
    if part.role is Role.SCALE:
        tape.keep(x, path, f"input_of:{last(path)}", "layer_scale")
        return replace(x)
    if is_norm(part):
        return normed(tape, part, path, x, stream.once)
    if part.role is Role.MATRIX and len(part.tensors[0].shape) == 2:
        x = projected(tape, part, path, stream, x)
        return activated(tape, path, x, part.activation) if part.activation else x
    raise NotDerivedError(f"Activations: what {path}, {part.kind}, saves for the backward pass is not derived.")


def is_norm(part: Component) -> bool:
    """True for a norm, with parameters or without."""
    return Role.NORM in (part.role, part.kind.instead_of)


def matrix_of(part: Component, made: Projection) -> tuple[str, Component] | None:
    """Return the matrix of a sublayer that makes something, by its name; None if it has none."""
    return next(((name, child) for name, child in part.children if made in child.makes and child.role is Role.MATRIX), None)


def normed(tape: Tape, norm: Component, path: str, x: Value, once: Value, *, of: Value | None = None) -> Value:
    """A norm: its input and its statistics; RMSNorm, which is computed in fp32, what the gain multiplies as well.

    Where the input is a view ``of`` a larger tensor, that is saved, unless a copy in fp32 is.
    """
    if norm.kind not in (RMS_NORM, NON_PARAMETRIC_RMS_NORM):
        tape.keep(of or x, path, f"input_of:{last(path)}", "norms.layer_norm")
        tape.keep(replace(once, numbers=product(Number(2), once.numbers)), path, f"statistics_of:{last(path)}")
        return replace(x)
    full = tape.in_full(x)
    full = of if of and full is x else full
    tape.keep(full, path, f"input_of:{last(path)}", "norms.rms_norm" if tape.is_full else "norms.rms_norm_in_full")
    if tape.how.late_norm:
        tape.keep(x, path, f"uncast_input_of:{last(path)}", "uncast_input")
    tape.keep(replace(once, width=FULL), path, f"statistics_of:{last(path)}")
    if not norm.tensors:
        return replace(x)
    if tape.how.gain_of_one:
        tape.keep(Value(product(*norm.tensors[0].shape), FULL), path, f"gain_of:{last(path)}")
    scaled = replace(x, width=FULL) if tape.how.full_gain and not tape.is_full else replace(x)
    tape.keep(scaled, path, f"scaled_by:{last(path)}")
    return replace(x)


def projected(
    tape: Tape, matrix: Component, path: str, stream: Stream, x: Value, name: str = "", note: str = "projection"
) -> Value:
    """A product with a matrix, whose gradient needs the input."""
    tape.keep(x, path, name or f"input_of:{last(path)}", note)
    return stream.wide(width_of(matrix, 1))


def attended(tape: Tape, part: Component, path: str, stream: Stream, x: Value) -> Value:
    """Attention: the input of its projections once, queries, keys and values as they meet, and what the softmax gives."""
    heads, output = facts(part).heads, matrix_of(part, Projection.OUTPUT)
    if output is None or facts(part).relative:
        raise NotDerivedError(f"Activations: what {path}, {part.kind}, saves for the backward pass is not derived.")
    tape.keep(x, f"{path}.{part.children[0][0]}", f"input_of:{last(path)}", "query" if part.reads else "query_key_value")
    keys = stream
    if part.reads and stream.source is not None:
        keys = Stream(stream.source_tokens, stream.width)
        tape.keep(stream.source, path, "encoder_states", "encoder_states", copies=ONE)
    _compressed(tape, part, path, stream)
    for name, value in _meeting(tape, part, path, stream, keys).items():
        shared = _shared_as(tape, facts(part)) if name == KEY else ""
        tape.keep(value, path, name, "meeting" if name == QUERY else shared)
    if tape.setting.scope == ALL and tape.how.copies_shared and _has_shared(tape, facts(part)):
        tape.keep(Value(Number(2), INDEX), path, f"indices_of:{SHARED}", "cut_by_indices")
    context = stream.wide(width_of(output[1], 0))
    if tape.setting.attention == FLASH:
        tape.keep(Value(product(b, heads.number, stream.tokens), FULL), path, "log_sum_exp", "log_sum_exp")
        if tape.how.joins_rotary:
            tape.keep(replace(context), path, "fused_context", "fused_context")
    else:
        _scored(tape, part, path, stream.tokens, keys.tokens)
    if matrix_of(part, Projection.GATE):
        tape.keep(replace(context), path, "activated_gate", "output_gate")
        tape.keep(context, path, "ungated_context")
        context = replace(context)
    return tape.dropout(projected(tape, output[1], f"{path}.{output[0]}", stream, context, "context", "output"), path, OUTPUT)


def _compressed(tape: Tape, part: Component, path: str, stream: Stream) -> None:
    """The short vectors of latent attention: normed, then the inputs of the matrices that make queries, keys and values."""
    for made in (Projection.COMPRESSED_QUERY, Projection.COMPRESSED_KEY_VALUE):
        down = matrix_of(part, made)
        if down is None:
            continue
        expanded = Projection.QUERY if made is Projection.COMPRESSED_QUERY else Projection.VALUE
        norm = next(((name, child) for name, child in part.children if made in child.makes and child.role is Role.NORM), None)
        up = matrix_of(part, expanded)
        short = stream.wide(width_of(up[1], 0)) if up else stream.wide(width_of(down[1], 1))
        if norm is not None:
            whole = stream.wide(width_of(down[1], 1)) if made is Projection.COMPRESSED_KEY_VALUE else None
            short = normed(tape, norm[1], f"{path}.{norm[0]}", short, stream.once, of=whole)
        if up is not None:
            projected(tape, up[1], f"{path}.{up[0]}", stream, short)


def fed_forward(tape: Tape, part: Component, path: str, stream: Stream, x: Value) -> Value:
    """A feed-forward: its input, what the activation keeps, with a gate both factors, and the input of the down-projection."""
    up, down, gate = (matrix_of(part, made) for made in (Projection.UP, Projection.DOWN, Projection.GATE))
    assert up is not None
    assert down is not None
    tape.keep(x, f"{path}.{part.children[0][0]}", f"input_of:{last(path)}", "gate_up" if gate else "up")
    inner = stream.wide(width_of(down[1], 0))
    active = _gated(tape, part, path, inner, str(tape.setting.choices.get(ACTIVATION) or part.activation))
    active = tape.dropout(active, path, INNER, "mask_of:activation")
    result = projected(tape, down[1], f"{path}.{down[0]}", stream, active, "hidden_units", "hidden_units")
    if matrix_of(part, Projection.SHARED_EXPERT_GATE):
        tape.keep(replace(stream.once), path, "shared_expert_weight", "shared_expert_weight")
        tape.keep(result, path, "shared_expert_output")
        result = replace(result)
    return tape.dropout(result, path, OUTPUT)


def mixed(tape: Tape, part: Component, path: str, stream: Stream, x: Value) -> Value:
    """A mixture: what the router saves, then of n_active experts for each token what each saves, one after another."""
    router, up, down = (matrix_of(part, made) for made in (Projection.ROUTER, Projection.UP, Projection.DOWN))
    if router is None or up is None or down is None or not down[1].tensors[0].active or up[1].tensors[0].when:
        raise NotDerivedError(f"Activations: what {path}, {part.kind}, saves for the backward pass is not derived.")
    chosen, inner, width = down[1].tensors[0].active
    routing = "router_of_chosen" if tape.how.chooses_first else "router"
    if tape.how.full_router_matrix and not tape.is_full:
        sides = router[1].tensors[0].shape
        tape.keep(Value(product(*sides), FULL), f"{path}.{router[0]}", "router_matrix", "router_in_full")
        tape.keep(replace(x, width=FULL), f"{path}.{router[0]}", f"input_of:{last(path)}", "router_in_full")
    else:
        tape.keep(x, f"{path}.{router[0]}", f"input_of:{last(path)}", routing)
    scores = stream.wide(chosen if tape.how.chooses_first else width_of(router[1], 1))
    tape.keep(replace(scores, width=FULL) if tape.how.full_router else scores, path, "router_probabilities", routing)
    if tape.how.masks_groups:
        tape.keep(replace(scores, width=ONE), path, "group_mask", "group_mask")
    if tape.how.norms_router and (tape.how.norms_router == ALWAYS or tape.setting.config.get(tape.how.norms_router, True)):
        tape.keep(replace(stream.once, width=FULL), path, "router_sums", "router_sums")
        tape.keep(Value(product(b, stream.tokens, chosen), FULL), path, "router_weights")
    rows = Stream(product(stream.tokens, chosen), stream.width)
    tape.keep(rows.wide(width), f"{path}.{up[0]}", "expert_inputs", "expert_inputs", about={"n_active": chosen})
    hidden = rows.wide(inner)
    if tape.how.limited_gate:
        tape.keep(rows.wide(up[1].tensors[0].shape[-1]), path, "unlimited_gate_up", "limited")
    word = tape.how.limited_gate or tape.setting.choices.get(ACTIVATION) or part.activation
    active = _gated(tape, part, path, hidden, str(word))
    tape.keep(active, f"{path}.{down[0]}", "hidden_units", "hidden_units")
    weights = replace(rows.once, width=FULL) if tape.how.full_expert_weights else rows.once
    tape.keep(weights, path, "expert_weights", "expert_weights")
    tape.keep(rows.wide(width), path, "expert_outputs")
    tape.keep(rows.wide(width), path, "weighed_outputs", "weighed_outputs")
    return stream.wide(width)


def _gated(tape: Tape, part: Component, path: str, inner: Value, activation: str) -> Value:
    """What comes into the down-projection: the activation, or its product with the up-projection, which saves both factors."""
    active = activated(tape, path, inner, activation)
    if not matrix_of(part, Projection.GATE):
        return active
    tape.keep(active, path, "activated_gate", "gate")
    tape.keep(replace(inner), path, "up")
    return replace(inner)


def activated(tape: Tape, path: str, x: Value, name: str) -> Value:
    """Return the output of an activation function by the library's name; OptionError for an unknown one."""
    if name == LINEAR:
        return x
    if name not in ACTIVATIONS:
        raise NotDerivedError(
            f"What the activation {quoted(name)} of {path} saves is not derived. {suggestion(name, ACTIVATIONS)}"
        )
    keeps, out = ACTIVATIONS[name], replace(x)
    if keeps.input:
        tape.keep(x, path, "activation_input", "activation_input")
    if keeps.between:
        steps = replace(x, numbers=product(Number(keeps.between), x.numbers) if keeps.between > 1 else x.numbers)
        tape.keep(steps, path, "activation_steps", "activation_steps")
    return tape.keep(out, path, "activation_output", "activation_output") if keeps.output else out


def last(path: str) -> str:
    """The name of a part, the last of its path."""
    return path.rpartition(".")[2]


def facts(part: Component) -> AttentionFacts:
    """Return the facts of attention; OptionError if the tree does not say them."""
    if part.attending is None:
        raise NotDerivedError(f"Activations are not derived for {part.kind}.")
    return part.attending


def _meeting(tape: Tape, part: Component, path: str, stream: Stream, keys: Stream) -> Mapping[str, Value]:
    """Queries, keys and values as they meet: normed where they are, and each of a group's queries with a copy of its own.

    A fused kernel needs no copies of keys and values; the product of matrices is given them, but where all heads of a single
    sequence see the same ones.
    """
    attending = facts(part)
    heads, shared = attending.heads, attending.kv_heads
    output = matrix_of(part, Projection.OUTPUT)
    assert output is not None
    inner = heads.inner if attending.latent else width_of(output[1], 0)
    grouped = inner if shared == heads else shared.number * shared.width
    gated = matrix_of(part, Projection.GATE)  # which makes the queries, too
    for made, width, number in (
        (Projection.QUERY, inner, heads.number),
        (Projection.KEY, grouped, shared.number),
    ):
        for name, norm in part.children:
            if made in norm.makes and norm.role is Role.NORM:
                once = stream.wide(number) if _is_of_heads(norm, attending) else stream.once
                of = stream.wide(width_of(gated[1], 1)) if gated and made is Projection.QUERY else None
                normed(tape, norm, f"{path}.{name}", stream.wide(width), once, of=of)
    wide = grouped if tape.setting.attention == FLASH or _is_seen_by_all(tape, attending) else inner
    values = attending.values_width if attending.latent else wide
    meeting = {QUERY: stream.wide(inner), KEY: keys.wide(wide), VALUE: keys.wide(values)}
    valued = matrix_of(part, Projection.VALUE)
    if valued and valued[1].times == ONE and Projection.KEY in valued[1].makes:
        whole = keys.wide(width_of(valued[1], 1))
        return {**meeting, **dict.fromkeys(_views(tape, valued[1], attending), whole)}
    return meeting


def _views(tape: Tape, matrix: Component, attending: AttentionFacts) -> tuple[str, ...]:
    """Return which of queries, keys and values are views of one matrix's output, unless it gives just these three.

    Those that positions turn are copies. A fused kernel is given views; the product of matrices those of a single sequence,
    but for key-value heads that it must copy, since several queries share them.
    """
    is_turned = attending.positions == ROTARY.name
    if tape.setting.attention == FLASH:
        return (VALUE,) if is_turned else ()
    if b not in tape.setting.ones or tape.how is PLAIN:
        return ()
    is_shared, are_all = attending.kv_heads != attending.heads, _is_seen_by_all(tape, attending)
    if tape.how.copies_shared:
        if not is_shared and (not is_turned or not tape.setting.ones.isdisjoint(width_of(matrix, 1).dimensions)):
            raise NotDerivedError(
                f"How {tape.setting.model} copies repeated key-value heads of a single sequence is not derived."
            )
        return () if not is_shared else (() if is_turned else (QUERY,)) if are_all else (VALUE,) if is_turned else EVERY
    has_copies = is_shared and not are_all and attending.heads.number / attending.kv_heads.number not in tape.setting.ones
    return (VALUE,) if is_turned and not has_copies else ()


def _has_shared(tape: Tape, attending: AttentionFacts) -> bool:
    """True if key-value heads are shared that a library repeats: several as the tree has it, or the only one."""
    return attending.kv_heads == attending.heads or attending.kv_heads.number in tape.setting.ones


def _is_of_heads(norm: Component, attending: AttentionFacts) -> bool:
    """True if a norm of queries or keys norms each head by itself, not the whole width at once."""
    gain = norm.tensors[0].shape if norm.tensors else (attending.heads.width,)
    return len(gain) > 1 or gain[0] == attending.heads.width


def _is_seen_by_all(tape: Tape, attending: AttentionFacts) -> bool:
    """True if one head of key and value of one sequence is all that there is: copies of it are views."""
    shared = attending.kv_heads.number
    return attending.kv_heads != attending.heads and b in tape.setting.ones and shared in tape.setting.ones


def _shared_as(tape: Tape, attending: AttentionFacts) -> str:
    """Return what becomes of key-value heads that several queries share: one that all see, or a copy for each."""
    if tape.setting.attention == FLASH or attending.kv_heads == attending.heads:
        return ""
    if _is_seen_by_all(tape, attending):
        return "seen_by_all"
    return "" if attending.heads.number / attending.kv_heads.number in tape.setting.ones else "copied"


def _scored(tape: Tape, part: Component, path: str, queries: Expression, keys: Expression) -> None:
    """The softmax of the scores, in fp32 where the library says so, and what is left of it for the product with the values.

    With a sink each query has one weight more, which is cut off as a view: what is used is a tensor of its own after dropout.
    """
    number, has_sinks = facts(part).heads.number, any(child.kind == SINKS for _, child in part.children)
    scores = Value(product(b, number, *pairs(queries, keys)))
    joined = Value(product(b, number, queries, Sum((keys, ONE)))) if has_sinks else scores
    if tape.setting.choices.get(facts(part).capped) is not None:
        tape.keep(replace(scores), path, "capped_scores", "capped_scores")
    weights = replace(tape.in_full(joined) if tape.how.full_softmax else joined)
    note = "softmax_in_full" if tape.how.full_softmax else "softmax_with_sinks" if has_sinks else "softmax"
    tape.keep(weights, path, "attention_weights", note)
    place = ALIBI_ATTENTION if facts(part).positions == ALIBI.name and ATTENTION not in tape.how.dropouts else ATTENTION
    left = tape.dropout(scores, path, place, "mask_of:attention_weights")
    used, note = (tape.of_type(weights), "weights_converted") if left is scores else (left, "weights_dropped")
    tape.keep(used, path, "attention_weights_used", note)


def pairs(queries: Expression, keys: Expression) -> tuple[Expression, ...]:
    """A number for each query and each key: s²."""
    return (Power(queries, 2),) if queries == keys else (queries, keys)
