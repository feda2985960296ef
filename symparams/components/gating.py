"""Features put to a tree: what a model does not have is taken out, and a tensor stays tied only to what is there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from symparams.components.facts import AttentionFacts, Gate, Projection, Stream, Vector
from symparams.components.tree import Component
from symparams.components.walks import components, leaves
from symparams.features import Feature, tying

Record = TypeVar("Record", Component, AttentionFacts)


def resolve(tree: Component, present: Collection[str]) -> Component:
    """The tree of a model that has the features ``present``: the parts that it has not are gone, and the gates too.

    A tensor stays tied where the model ties and the component that owns the array, or what that is tied to, is there. What
    reads a part that the model has not reads its own stream.
    """
    pruned = _told_apart(_prune(tree, present))
    absent = frozenset(path for path, _ in components(tree)).difference(path for path, _ in components(pruned))
    if not tying.holds(present):
        return _linked(pruned, lambda owner: "", absent)
    there = {leaf.path for leaf in leaves(pruned)}
    links = {leaf.path: tensor.tied_to for leaf in leaves(tree) for tensor in leaf.component.tensors if tensor.tied_to}
    return _linked(pruned, lambda owner: _nearest(owner, links, there), absent)


def _nearest(owner: str, links: Mapping[str, str], there: Collection[str]) -> str:
    """The owner, or where the model has not got it, what it is tied to itself."""
    while owner and owner not in there:
        owner = links.get(owner, "")
    return owner


def _prune(component: Component, present: Collection[str]) -> Component:
    tensors = tuple(
        replace(tensor, when=()) if tensor.when else tensor for tensor in component.tensors if _holds(tensor.when, present)
    )
    body = tuple((name, _prune(child, present)) for name, child in component.body if _holds(child.when, present))
    attending = component.attending
    if attending:
        causal, relative = _is_open(attending.causal, present), _meets_positions(attending, body, present)
        is_without = attending.relative is not False and not relative
        positions = "" if is_without and attending.positions == "relative" else attending.positions
        attending = _changed(attending, causal=causal, relative=relative, positions=positions)
    done = component.adjusted
    if any(adjustment.when for adjustment in done):
        done = tuple(replace(adjustment, when=()) for adjustment in done if _holds(adjustment.when, present))
    return _changed(component, tensors=tensors, body=body, attending=attending, adjusted=done, when=())


def _meets_positions(attending: AttentionFacts, body: Sequence[tuple[str, Component]], present: Collection[str]) -> bool:
    """True where relative positions have scores: where the gate is open, and those of a table are projected by something."""
    is_projected = any({*part.makes} & {Projection.POSITION_KEY, Projection.POSITION_QUERY} for _, part in body)
    needs_own = attending.distances is not None and not attending.shared_projections
    return _is_open(attending.relative, present) and (is_projected or not needs_own)


def _changed(component: Record, **fields: Any) -> Record:
    """Replace fields; return the same object if none changes, so that what a feature leaves alone stays one object."""
    for name, value in fields.items():
        own = getattr(component, name)
        if own is not value and not (isinstance(own, tuple) and len(own) == len(value) and all(map(_is_same, own, value))):
            return replace(component, **fields)
    return component


def _is_same(entry: Any, other: Any) -> bool:
    """True if two entries are one: tensors, or children by name."""
    return entry is other or (isinstance(entry, tuple) and entry[0] == other[0] and entry[1] is other[1])


def _told_apart(component: Component) -> Component:
    """The tree with a name of its own for each part of a block: of two norms, norm and norm_2."""
    return _changed(component, body=_renamed(component.body, {}))


def _renamed(body: tuple[tuple[str, Component], ...], taken: dict[str, int]) -> tuple[tuple[str, Component], ...]:
    renamed = []
    for name, child in body:
        if not name:  # what only says how data flows names its parts among those around it
            renamed.append(("", _changed(child, body=_renamed(child.body, taken))))
            continue
        taken[name] = taken.get(name, 0) + 1
        renamed.append((f"{name}_{taken[name]}" if taken[name] > 1 else name, _told_apart(child)))
    return tuple(renamed)


def _linked(component: Component, owner: Callable[[str], str], absent: Collection[str]) -> Component:
    """The component with its ties by their ``owner``, and without what reads an ``absent`` part."""
    tensors = tuple(
        replace(tensor, tied_to=owner(tensor.tied_to)) if tensor.tied_to else tensor for tensor in component.tensors
    )
    body = tuple((name, _linked(child, owner, absent)) for name, child in component.body)
    is_absent = component.reads in absent and not isinstance(component.reads, (Stream, Vector))
    return _changed(component, tensors=tensors, body=body, reads="" if is_absent else component.reads)


def _is_open(gate: Gate, present: Collection[str]) -> bool:
    return gate if isinstance(gate, bool) else _holds(gate if isinstance(gate, tuple) else (gate,), present)


def _holds(when: tuple[Feature, ...], present: Collection[str]) -> bool:
    return all(feature.holds(present) for feature in when)
