"""The flow of data: blocks in the order of data, residual sums, parts side by side.

``residual(norm=…, attention=…)`` is x + attention(norm(x)): what stands inside is passed in order and added to what came
in. ``parallel(attention=…, feed_forward=…)`` passes one input to each and adds what comes out. Neither has a name in a
part's path, so that tensors and counts are those of the same parts without them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from symparams.components.facts import Adjustment, Gives, Tokens, seen
from symparams.components.kinds import BLOCK, CONCATENATION, PARALLEL, PREPENDED, RESIDUAL, SECOND_STREAM, UNORDERED, Kind, Role
from symparams.components.tree import Component
from symparams.errors import DefinitionError, quoted
from symparams.expressions.extent import measured
from symparams.expressions.nodes import Operand, as_expression
from symparams.expressions.written import ONE

STREAM = "x"  # what comes into a block
SECOND = "y"  # what comes into one beside that, where it carries two streams
OUT = "out"

Reading: TypeAlias = tuple[str, tuple[str, ...]] | tuple[str, tuple[str, ...], str]


def block(*flow: str | Component, **parts: Component) -> Component:
    """Return a block of components, each of which reads the output of the one before.

    The first argument may be a text: the name of one copy of a repeated block.
    """
    name = flow[0] if flow and isinstance(flow[0], str) else ""
    return replace(_flow(BLOCK, flow[1:] if name else flow, parts), name=name or BLOCK.name, is_named=bool(name))


def residual(*flow: Component, **parts: Component) -> Component:
    """x + f(x), where f passes x through these parts in order (He et al., 2016, arXiv:1512.03385)."""
    return _flow(RESIDUAL, flow, parts)


def adjusted(part: Component, *adjustments: Adjustment) -> Component:
    """Return a part to whose output numbers that nothing learns do this, one after another."""
    return replace(part, adjusted=adjustments)


def rectified(flow: Component, activation: str = "relu") -> Component:
    """max(0, x + f(x)): an activation function after a sum (ResNet, arXiv:1512.03385)."""
    return replace(flow, activation=activation)


def parallel(*flow: Component, **parts: Component) -> Component:
    """f(x) + g(x) + …: every part reads the same x (attention and feed-forward in GPT-J and PaLM; arXiv:2204.02311)."""
    return _flow(PARALLEL, flow, parts)


def then(**parts: Component) -> Component:
    """g(f(x)): parts in order, without a sum around them, as the norm after a residual sum."""
    return block(**parts)


def prepended(*flow: Component, **parts: Component) -> Component:
    """[f; g; …]: the parts side by side in one sequence, as a class token before the patches of an image.

    Parts with names come before those without.
    """
    before, behind = _flow(PREPENDED, (), parts), _flow(PREPENDED, flow, {})
    return replace(before, body=(*before.body, *behind.body))


def second_stream(*flow: Component, **parts: Component) -> Component:
    """y ← g(y, x): parts on the other stream of a layer that carries two, past which x goes as it is.

    What reads x there says so by ``reads``: image vectors attend to the tokens of a prompt (SAM, arXiv:2304.02643).
    """
    return _flow(SECOND_STREAM, flow, parts)


def unordered(*flow: Component, **parts: Component) -> Component:
    """Parts of which nobody knows what they read: they are counted, and what depends on the data flow is refused.

    It stands in a block: block(unordered(query=linear(h, h), key=linear(h, h))).
    """
    return _flow(UNORDERED, flow, parts)


def reused(component: Component, applied: Operand) -> Component:
    """A block that data passes ``applied`` times, however often it is stored (ALBERT, arXiv:1909.11942).

    Layers share their parameters this way: ``encoder=reused(block("layer", …), L)`` stores one layer, which each token passes
    L times; ``reused(2 * block("layer", …), L)`` stores two. The count includes what is stored, FLOPs every pass. To share one
    matrix between two parts, use ``tied_to`` of ``linear`` and ``embedding``; to share a part of two layers, ``tied``.
    """
    return replace(component, applied=measured(applied))


def tied(component: Component, owner: str) -> Component:
    """Return a component whose tensors are those of the part at the path ``owner``, which has the same parts.

    It counts 0, and FLOPs and caches include its pass: so layers use one block in turn, each with what is its own around it
    (Zamba2, arXiv:2411.15242).
    """
    tensors = tuple(replace(tensor, tied_to=owner) for tensor in component.tensors)
    body = tuple((name, tied(part, f"{owner}.{name}" if name else owner)) for name, part in component.body)
    return replace(component, tensors=tensors, body=body)


def concatenation(reads: str) -> Component:
    """[x; y]: each vector of the stream with that of the part at the path ``reads`` behind it, and no parameters (Zamba;
    Glorioso et al., 2024, arXiv:2405.16712).
    """
    return Component(CONCATENATION, reads=reads)


def reading(component: Component, what: str) -> Component:
    """Return a component that reads something else than the output before it, or besides: the encoder, the first token.

    A part that reads a single token of a sequence sees no others.
    """
    return replace(component, reads=what, tokens=seen(what) if component.tokens is None else component.tokens)


def reading_only(component: Component, what: str) -> Component:
    """Return a component that reads something else in place of the output before it, an input of the model or a part."""
    return replace(reading(component, what), is_apart=True)


def seeing(component: Component, tokens: Operand | Tokens) -> Component:
    """Return a component that, with its parts, sees so many tokens of a sequence: ``seeing(encoder, s_src)``.

    By default it sees as many as the part around it, and the whole model s. ``Tokens.LOGITS`` are those of an output head: as
    many as logits are asked for.
    """
    return replace(component, tokens=tokens if isinstance(tokens, Tokens) else as_expression(tokens))


def giving(component: Component, what: Gives) -> Component:
    """Return a head, a component that gives something out of the model: ``giving(linear(h, 2), Gives.LABELS)``.

    Without ``giving``, the output of a component goes to the next one.
    """
    return replace(component, gives=what)


def alternating(component: Component) -> Component:
    """Return a block of stacks whose layers take turns, in the model's own order (Jamba, arXiv:2403.19887).

    If a block holds several of them, each layer has a part of each: a mixer, then a feed-forward network.
    """
    return replace(component, alternate=True)


def equations(layer: Component) -> list[Reading]:
    """Return the inputs of each part of a block: for x + attention(norm(x)), norm x, attention norm, and out x + attention.

    A reading is (part, names whose sum it takes in), with a third entry for what it reads besides; "x" is what comes into
    the block, and the last reading is what goes out. "y" is what comes in on a second stream.
    """
    readings: list[Reading] = []
    out = _walk(layer, (STREAM,), readings)
    return [*readings, (OUT, out)]


def formulas(layer: Component) -> list[str]:
    """Return the flow of a block as a textbook writes it, a line for each sum: x ← x + attention(attention_norm(x))."""
    return [f"{stream} ← {line}" for stream, line in _lines(layer)]


def is_layer(component: Component) -> bool:
    """True for a block that is repeated or reused, or that has a name for one copy."""
    is_repeated = component.times != ONE or component.applied is not None
    return component.role is Role.BLOCK and (is_repeated or component.is_named)


def layers(tree: Component, path: str = "") -> Iterator[tuple[str, Component]]:
    """Yield every block of a tree that is a layer, by its path."""
    for name, child in tree.children:
        here = f"{path}.{name}" if path else name
        if is_layer(child):
            yield here, child
        elif child.role is Role.BLOCK:
            yield from layers(child, here)


def _walk(component: Component, stream: tuple[str, ...], readings: list[Reading]) -> tuple[str, ...]:
    if component.role is Role.UNORDERED:
        readings += [(name, ()) for name, _ in component.body]
        return ()
    if component.role in (Role.PARALLEL, Role.PREPENDED):
        outs = [_step(name, part, stream, readings) for name, part in component.body]
        return tuple(name for out in outs for name in out)
    if component.role is Role.SECOND_STREAM:
        _walk(replace(component, kind=BLOCK), (SECOND,), readings)
        return stream
    inner = stream
    for name, part in component.body:
        inner = _step(name, part, inner, readings)
    return (*stream, *inner) if component.role is Role.RESIDUAL else inner


def _lines(component: Component, stream: str = STREAM) -> Iterator[tuple[str, str]]:
    for name, part in component.body:
        if part.role is Role.UNORDERED:
            continue
        if not name and part.role is Role.BLOCK:
            yield from _lines(part, stream)
        elif part.role is Role.SECOND_STREAM:
            yield from _lines(part, SECOND)
        else:
            readings: list[Reading] = []
            out, written = _step(name, part, (stream,), readings), {stream: stream}
            for own, inputs, *besides in readings:
                given = [" + ".join(written[read] for read in inputs), *besides]
                written[own] = f"{own}({', '.join(filter(None, given))})"
            total = " + ".join(written[addend] for addend in out)
            yield stream, f"{part.activation}({total})" if part.role.is_flow and part.activation else total


def _step(name: str, part: Component, stream: tuple[str, ...], readings: list[Reading]) -> tuple[str, ...]:
    if not name:
        return _walk(part, stream, readings)
    stream = () if part.is_apart else stream
    readings.append((name, stream, part.reads) if part.reads else (name, stream))
    return (name,)


def _flow(kind: Kind, flow: tuple[str | Component, ...], parts: dict[str, Component]) -> Component:
    body = []
    for key, part in (*(("", part) for part in flow), *parts.items()):
        if not isinstance(part, Component):
            parts_in = isinstance(part, (tuple, list)) and all(isinstance(inner, Component) for inner in part)
            instead = f"block(*{key or 'parts'})" if parts_in else "block(name=component)"
            what = f"A {type(part).__name__} of components" if parts_in else quoted(part)
            raise DefinitionError(f"{what} is not a component: write {instead}.")
        name = "" if part.role.is_flow else key
        if not name and (part.times != ONE or not part.body):
            raise DefinitionError(
                f"{part.kind}: a {'repeated part' if part.body else 'layer'} needs a name: write name={part.kind}(…)."
            )
        body.append((name, part))
    return Component(kind, body=tuple(body))
