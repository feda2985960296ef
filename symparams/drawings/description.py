"""The description: what a drawing shows, in sentences that are read aloud, in the order of the data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from symparams.components.facts import ENCODER
from symparams.components.kinds import Role
from symparams.drawings.layout.activations import active
from symparams.drawings.layout.heads import Head, heads_of, plain
from symparams.drawings.layout.remarks import read
from symparams.drawings.layout.strips import layer_name, layers_of
from symparams.drawings.lettering.phrases import MARK
from symparams.drawings.names import called
from symparams.drawings.outline.columns import DrawingColumn, Outline
from symparams.drawings.outline.ends import unread
from symparams.drawings.outline.parts import Block, Computation, Fork, LayerStack, Part, Residual, Turns, begins_anew, blocks
from symparams.drawings.panels.facts import ROTARY, besides, is_turned, turned_in
from symparams.drawings.work import DrawingContext
from symparams.expressions.nodes import Expression
from symparams.sheets.chosen import assumed


def title(work: DrawingContext) -> str:
    """The name of the model, and its total where it has one."""
    total = work.derivation.total.count
    return work.called if total is None else _say(work, "titled", name=work.called, number=total)


def description(work: DrawingContext, drawn: Outline) -> str:
    """The class, where it is assumed; the sentences on each column and on what goes out of it, where nothing else reads that;
    one on what reads all.
    """
    sentences: list[str] = []
    for column in drawn.columns:
        sentences += [*_feet(work, column, is_first=column is drawn.columns[0]), *_spine(work, column)]
        if column.heads or (column is drawn.columns[-1] and not drawn.heads):
            sentences += [sentence for head in heads_of(column) for sentence in _head(work, head)]
    for head in drawn.heads:
        sentences.append(_say(work, "over_all", parts=_parts(work, head.parts), output=_output(work, head.gives.value)))
    return str(work.words.head["joint"]).join(filter(None, (assumed(work.model, work.words), *sentences)))


def _feet(work: DrawingContext, column: DrawingColumn, *, is_first: bool) -> Iterator[str]:
    """What stands below the layers, and what acts on their attention."""
    begins = _begins(work, [part for part in column.feet if not isinstance(part, Computation) or part.is_put])
    if column.shared is not None:
        begins = _say(work, "same", part=_named(work, column.shared))
    if begins:
        yield _say(work, "begins" if is_first else "beside_it", parts=begins)
    if column.is_joined:
        yield _say(work, "joined")
    for part in column.feet:
        if isinstance(part, Computation) and not part.is_put and _acts_on_all(work, part, column):
            yield _say(work, "attending", positions=_named(work, part))
    for chain in column.scores:
        yield _say(work, "scored", parts=_parts(work, [plain(part) for part in chain]))


def _acts_on_all(work: DrawingContext, pill: Computation, column: DrawingColumn) -> bool:
    """True if positions act on the attention of all layers, not of none, nor of those alone that its block names."""
    attending = [block.component.attending for block in blocks(tuple(column.spine)) if block.component.attending]
    own = [attention for attention in attending if attention.positions == pill.component.kind.name]
    return not own or any(
        attention.positions != ROTARY or (is_turned(work, attention) and not turned_in(work, attention)) for attention in own
    )


def _spine(work: DrawingContext, column: DrawingColumn) -> Iterator[str]:
    rest: list[Part] = []
    for part in column.spine:
        if isinstance(part, (LayerStack, Turns)):
            yield from _then(work, rest)
            rest = []
            yield _stack(work, part) if isinstance(part, LayerStack) else _turns(work, part)
        else:
            rest.append(part)
    passed = unread(column)
    yield from _then(work, rest[: passed.start])
    if rest[passed]:
        yield _say(work, "unread", parts=_parts(work, rest[passed]))
    yield from _then(work, rest[passed.stop :])


def _begins(work: DrawingContext, feet: Sequence[Part]) -> str:
    """Parts below the layers; one that takes the place of what comes before it with what it reads."""
    comma = str(work.words.entry("drawing.description.comma"))
    return comma.join([_parts(work, feet[:1]), *(_in_place(work, part) for part in feet[1:])])


def _in_place(work: DrawingContext, part: Part) -> str:
    if not begins_anew(part) or not part.component.reads:
        return _parts(work, [part])
    return _say(work, "in_place", part=_name(work, part), of=work.input(part.component.reads))


def _then(work: DrawingContext, parts: list[Part]) -> Iterator[str]:
    if parts:
        yield _say(work, "then", parts=_parts(work, parts))


def _head(work: DrawingContext, head: Head) -> Iterator[str]:
    """What goes out, and by which parts; of hidden states alone nothing but that, and nothing where nobody says what it is."""
    if head.parts:
        yield _say(work, "head", parts=_parts(work, head.parts), output=_output(work, head.gives))
    elif head.gives:
        yield _say(work, "gives", output=_output(work, head.gives))
    for other in head.above:
        yield from _head(work, other)


def _output(work: DrawingContext, name: str) -> str:
    return str(work.words.entry(f"drawing.outputs.{name}"))


def _stack(work: DrawingContext, stack: LayerStack) -> str:
    """Decoder layer, 12 times: LayerNorm, masked self-attention, added to what came in; as often as data passes it."""
    often = stack.component.times if stack.component.applied is None else stack.component.applied
    terms = {"layer": layer_name(work, stack), "parts": _parts(work, stack.parts)}
    return _say(work, "layer", **terms) if work.value(often) == 1 else _say(work, "stack", times=_size(work, often), **terms)


def _turns(work: DrawingContext, turns: Turns) -> str:
    """Each of the 32 layers: dense layer (3 of them: …) or MoE layer (29 of them: …), in turn."""
    groups = []
    for group in turns.groups:
        choices = [_choice(work, stack, is_alone=len(group) == 1) for stack in group]
        groups.append(_say(work, "in_turn", choices=_listed(work, "either", choices)) if len(group) > 1 else choices[0])
    of_all = reduce(lambda first, other: _say(work, "then_in_each", one=first, other=other), groups)
    return _say(work, "turns", layers=_size(work, layers_of(turns)), groups=of_all)


def _choice(work: DrawingContext, stack: LayerStack, *, is_alone: bool) -> str:
    terms = {"layer": layer_name(work, stack, is_within=True), "parts": _parts(work, stack.parts)}
    return _say(work, "alone", **terms) if is_alone else _say(work, "choice", times=_size(work, stack.component.times), **terms)


def _listed(work: DrawingContext, key: str, sentences: Sequence[str]) -> str:
    """Several in one sentence, A, B and C: the last by the word of this key."""
    *first, last = sentences
    return _say(work, key, one=str(work.words.entry("drawing.description.several")).join(first), other=last)


def _size(work: DrawingContext, size: Expression) -> str | int:
    value = work.value(size)
    return work.plain(size) if value is None else value


def _parts(work: DrawingContext, parts: Iterable[Part]) -> str:
    """The parts one after another, with a longer pause before and after a sum: what stands beside it is not within it."""
    text, last = "", None
    for part in parts:
        if last is not None:
            is_beside_sum = isinstance(last, Residual) or isinstance(part, Residual)
            text += str(work.words.entry(f"drawing.description.{'pause' if is_beside_sum else 'comma'}"))
        text, last = text + SAID[type(part)](work, part), part
    return text


def _name(work: DrawingContext, part: Block | Computation) -> str:
    """A name within a sentence, small but where it is no plain word."""
    name = called(work, part.component, part.path)
    first = name.partition(" ")[0]
    return name if first[1:] != first[1:].lower() else name[:1].lower() + name[1:]


def _named(work: DrawingContext, part: Block | Computation) -> str:
    """A part's name, with what it reads; after it its activation."""
    text = _name(work, part)
    reads = part.component.reads
    owners = {tensor.tied_to for tensor in part.component.tensors}
    if len(owners) == 1 and any(owners):
        text = _say(work, "sharing", part=text, owner=work.owner(owners.pop()))
    if reads == ENCODER:
        text = _say(work, "crossing", part=text)
    elif part.component.role is not Role.TABLE and (input_ := read(work, reads)):
        text = _say(work, "reading", part=text, reads=input_)
    after = active(work, part)
    return f"{text}{work.words.entry('drawing.description.comma')}{after}" if after else text


def _block(work: DrawingContext, block: Block) -> str:
    """Its name, and how it attends, where that is not to everything."""
    name, facts = _named(work, block), besides(work, block.component).replace(MARK, "")
    return _say(work, "with", block=name, facts=facts) if facts else name


def _residual(work: DrawingContext, part: Residual) -> str:
    return _say(work, "added", parts=_parts(work, part.parts))


def _fork(work: DrawingContext, part: Fork) -> str:
    if len(part.branches) == 1:
        return _parts(work, part.branches[0])
    branches = _listed(work, "beside", [_branch(work, branch) for branch in part.branches])
    return _say(work, "in_sequence" if part.is_sequence else "summed", parts=branches)


def _branch(work: DrawingContext, parts: tuple[Part, ...]) -> str:
    """One of several that are added; what is more than a part, or has branches of its own, is set apart."""
    text = _begins(work, parts)
    return _say(work, "nested", parts=text) if len(parts) > 1 or isinstance(parts[0], Fork) else text


def _say(work: DrawingContext, key: str, **terms: int | str) -> str:
    return work.sentence(f"description.{key}", **terms)


SAID: Mapping[type, Callable[[DrawingContext, Any], str]] = {
    Block: _block,
    Computation: _named,
    Residual: _residual,
    Fork: _fork,
    LayerStack: _stack,
}
