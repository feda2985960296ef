"""The description: what a drawing shows, in sentences that are read aloud, in the order of the data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from symparams.components.kinds import Role
from symparams.drawings.context import DrawingContext
from symparams.drawings.layout.heads import Head, heads_of, plain
from symparams.drawings.layout.spine import active, read
from symparams.drawings.layout.strips import layer_name, layers_of, which_layers
from symparams.drawings.lettering.phrases import MARK
from symparams.drawings.outline.columns import DrawingColumn, Outline
from symparams.drawings.outline.ends import reads_below_layers, unread
from symparams.drawings.outline.parts import (
    AlternatingLayers,
    Block,
    Computation,
    Fork,
    LayerStack,
    Part,
    Queried,
    Residual,
    SecondStream,
    SplitSlot,
    SplitStack,
    begins_anew,
    blocks,
)
from symparams.drawings.panels.facts import ROTARY, adjustments, block_facts, is_turned, named_on_spine, source, turned_in
from symparams.expressions.nodes import Expression
from symparams.sheets.chosen import assumed


def title(context: DrawingContext) -> str:
    """The name of the model, and its total where it has one."""
    total = context.derivation.total.count
    return context.called if total is None else _say(context, "titled", name=context.called, number=total)


def description(context: DrawingContext, drawn: Outline) -> str:
    """The class, where it is assumed; the sentences on each column and on what goes out of it, where nothing else reads that;
    one on what reads all.
    """
    sentences: list[str] = []
    for column in drawn.columns:
        sentences += [*_feet(context, column, is_first=column is drawn.columns[0]), *_spine(context, column)]
        if column.heads or (column is drawn.columns[-1] and not drawn.heads):
            sentences += [sentence for head in heads_of(column) for sentence in _head(context, head)]
    for head in drawn.heads:
        key = "over_all_cosine" if head.is_of_cosines else "over_all"
        sentences.append(_say(context, key, parts=_parts(context, head.parts), output=_output(context, head.gives.value)))
    return str(context.words.head["joint"]).join(filter(None, (assumed(context.model, context.words), *sentences)))


def _feet(context: DrawingContext, column: DrawingColumn, *, is_first: bool) -> Iterator[str]:
    """Describe the parts below the layers, and those that act on attention."""
    begins = _begins(context, [part for part in column.feet if not isinstance(part, Computation) or part.is_put])
    if column.shared is not None:
        begins = _say(context, "same", part=_named(context, column.shared))
    if begins:
        yield _say(context, "begins" if is_first else "beside_it", parts=begins)
    if column.is_joined:
        yield _say(context, "joined")
    for part in column.feet:
        if isinstance(part, Computation) and not part.is_put and _acts_on_all(context, part, column):
            yield _say(context, "attending", positions=_named(context, part))
    for chain in column.scores:
        yield _say(context, "scored", parts=_parts(context, [plain(part) for part in chain]))
    for parts in column.inputs.values():
        yield _say(context, "each_layer", parts=_parts(context, parts))


def _acts_on_all(context: DrawingContext, pill: Computation, column: DrawingColumn) -> bool:
    """True if positions act on the attention of all layers, not of none, nor of those alone that its block names."""
    attending = [block.component.attending for block in blocks(tuple(column.spine)) if block.component.attending]
    own = [attention for attention in attending if attention.positions == pill.component.kind.name]
    return not own or any(
        attention.positions != ROTARY or (is_turned(context, attention) and not turned_in(context, attention))
        for attention in own
    )


def _spine(context: DrawingContext, column: DrawingColumn) -> Iterator[str]:
    rest: list[Part] = []
    for part in column.spine:
        if isinstance(part, (LayerStack, AlternatingLayers)):
            yield from _then(context, rest)
            rest = []
            yield _layers(context, part)
        else:
            rest.append(part)
    passed = unread(column)
    yield from _then(context, rest[: passed.start])
    if rest[passed]:
        yield _say(context, "unread", parts=_parts(context, rest[passed]))
    yield from _then(context, rest[passed.stop :])


def _begins(context: DrawingContext, feet: Sequence[Part]) -> str:
    """Parts below the layers; one that takes the place of what comes before it with what it reads."""
    comma = str(context.words.entry("signs.comma"))
    return comma.join([_parts(context, feet[:1]), *(_in_place(context, part) for part in feet[1:])])


def _in_place(context: DrawingContext, part: Part) -> str:
    if not begins_anew(part) or not part.component.reads:
        return _parts(context, [part])
    return _say(context, "in_place", part=_name(context, part), of=context.input(part.component.reads))


def _then(context: DrawingContext, parts: list[Part]) -> Iterator[str]:
    if parts:
        yield _say(context, "then", parts=_parts(context, parts))


def _head(context: DrawingContext, head: Head) -> Iterator[str]:
    """Describe the outputs and their parts; of hidden states alone just that, and nothing if nothing says what goes out."""
    if head.parts:
        yield _say(context, "head", parts=_parts(context, head.parts), output=_output(context, head.gives))
    elif head.gives:
        yield _say(context, "gives", output=_output(context, head.gives))
    for other in head.above:
        yield from _head(context, other)


def _output(context: DrawingContext, name: str) -> str:
    return context.sentence(f"outputs.{name}")


def _layers(context: DrawingContext, part: LayerStack | AlternatingLayers) -> str:
    if isinstance(part, SplitStack):
        return _say(context, "turns", layers=_size(context, layers_of(part)), groups=_parts(context, part.parts))
    return _stack(context, part) if isinstance(part, LayerStack) else _alternating(context, part)


def _slot(context: DrawingContext, slot: SplitSlot) -> str:
    """SwiGLU in the first 3 or mixture of experts in the other 58."""
    layers = ("".join(map(str, which)) for which in which_layers(context, slot))
    choices = [
        _say(context, "in_layers", part=_block(context, block), layers=told)
        for block, told in zip(slot.blocks, layers, strict=True)
    ]
    return _listed(context, "either", choices)


def _stack(context: DrawingContext, stack: LayerStack) -> str:
    """Decoder layer, 12 times: LayerNorm, masked self-attention, added to what came in; as often as data passes it."""
    often = stack.component.times if stack.component.applied is None else stack.component.applied
    terms = {"layer": layer_name(context, stack), "parts": _parts(context, stack.parts)}
    return (
        _say(context, "layer", **terms)
        if context.value(often) == 1
        else _say(context, "stack", times=_size(context, often), **terms)
    )


def _alternating(context: DrawingContext, alternating: AlternatingLayers) -> str:
    """Each of the 32 layers: dense layer (3 of them: …) or MoE layer (29 of them: …), in turn."""
    groups = []
    for group in alternating.groups:
        choices = [_choice(context, stack, is_alone=len(group) == 1) for stack in group]
        groups.append(_say(context, "in_turn", choices=_listed(context, "either", choices)) if len(group) > 1 else choices[0])
    of_all = reduce(lambda first, other: _say(context, "then_in_each", one=first, other=other), groups)
    return _say(context, "turns", layers=_size(context, layers_of(alternating)), groups=of_all)


def _choice(context: DrawingContext, stack: LayerStack, *, is_alone: bool) -> str:
    terms = {"layer": layer_name(context, stack, is_within=True), "parts": _parts(context, stack.parts)}
    return (
        _say(context, "alone", **terms)
        if is_alone
        else _say(context, "choice", times=_size(context, stack.component.times), **terms)
    )


def _listed(context: DrawingContext, key: str, sentences: Sequence[str]) -> str:
    """Several in one sentence, A, B and C: the last by the word of this key."""
    *first, last = sentences
    return _say(context, key, one=str(context.words.entry("signs.list")).join(first), other=last)


def _size(context: DrawingContext, size: Expression) -> str | int:
    value = context.value(size)
    return context.plain(size) if value is None else value


def _parts(context: DrawingContext, parts: Iterable[Part]) -> str:
    """The parts one after another, with a longer pause before and after a sum: what stands beside it is not within it."""
    text, last = "", None
    for part in parts:
        if last is not None:
            is_beside_sum = isinstance(last, (Residual, SecondStream)) or isinstance(part, (Residual, SecondStream))
            text += str(context.words.entry("signs.semicolon" if is_beside_sum else "signs.comma"))
        text, last = text + SAID[type(part)](context, part), part
    return text


def _name(context: DrawingContext, part: Block | Computation) -> str:
    """A name within a sentence, small but where it is not a plain word."""
    name = named_on_spine(context, part.component, part.path)
    first = name.partition(" ")[0]
    return name if first[1:] != first[1:].lower() else name[:1].lower() + name[1:]


def _named(context: DrawingContext, part: Block | Computation) -> str:
    """A part's name, with what it reads; after it its activation."""
    text = _name(context, part)
    reads = part.component.reads
    below = context.owner(reads) if reads_below_layers(context.model.tree, part.path, reads) else ""
    owners = {tensor.tied_to for tensor in part.component.tensors}
    if len(owners) == 1 and any(owners):
        text = _say(context, "sharing", part=text, owner=context.owner(owners.pop()))
    if part.path in context.crossing:
        text = _say(context, "crossing", part=text, source=source(context, reads))
    elif part.component.role is not Role.TABLE and (input_ := read(context, reads) or below):
        text = _say(context, "reading", part=text, reads=input_)
    runs = [(active(context, part),), *adjustments(context, part.component)]
    after = ("".join(run if isinstance(run, str) else context.plain(run) for run in told) for told in runs)
    return str(context.words.entry("signs.comma")).join(filter(None, (text, *after)))


def _block(context: DrawingContext, block: Block) -> str:
    """Its name, and how it attends or routes, where that is told."""
    name, facts = _named(context, block), block_facts(context, block.component).replace(MARK, "")
    return _say(context, "with", block=name, facts=facts) if facts else name


def _residual(context: DrawingContext, part: Residual) -> str:
    return _after(context, _say(context, "added", parts=_parts(context, part.parts)), part.activation)


def _second_stream(context: DrawingContext, part: SecondStream) -> str:
    return _say(context, "second_stream", parts=_parts(context, part.parts))


def _queried(context: DrawingContext, part: Queried) -> str:
    return _say(context, "queried", attention=_block(context, part.attention), query=_named(context, part.query))


def _fork(context: DrawingContext, part: Fork) -> str:
    if len(part.branches) == 1:
        return _parts(context, part.branches[0])
    branches = _listed(context, "beside", [_branch(context, branch) for branch in part.branches])
    return _after(context, _say(context, "in_sequence" if part.is_sequence else "summed", parts=branches), part.activation)


def _after(context: DrawingContext, text: str, activation: str) -> str:
    """What is said, and the activation after it, where there is one."""
    named = context.activation(activation)
    return f"{text}{context.words.entry('signs.comma')}{named}" if named else text


def _branch(context: DrawingContext, parts: tuple[Part, ...]) -> str:
    """One of several that are added; what is more than a part, or has branches of its own, is set apart."""
    text = _begins(context, parts)
    return _say(context, "nested", parts=text) if len(parts) > 1 or isinstance(parts[0], Fork) else text


def _say(context: DrawingContext, key: str, **terms: int | str) -> str:
    return context.sentence(f"description.{key}", **terms)


SAID: Mapping[type, Callable[[DrawingContext, Any], str]] = {
    Block: _block,
    Computation: _named,
    Residual: _residual,
    SecondStream: _second_stream,
    Queried: _queried,
    Fork: _fork,
    SplitSlot: _slot,
    LayerStack: _stack,
}
