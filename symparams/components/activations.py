"""Activations that learn numbers of their own: a leaf of its own in each part that has one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from symparams.components.flow import tied
from symparams.components.kinds import Kind, Role, Use
from symparams.components.tree import Component, Tensor
from symparams.expressions.written import ONE

ACTIVATION = Kind("activation", Role.VECTOR)


def learned_activation(names: Collection[str]) -> Component:
    """An activation that learns a number for each name: one for PReLU (He et al., 2015, arXiv:1502.01852), two for xIELU."""
    return Component(ACTIVATION, tensors=tuple(Tensor(name, (ONE,), Use.WEIGHT) for name in names))


def with_learned_activation(sublayer: Component, *names: str) -> Component:
    """Return a sublayer whose activation always learns a number for each name."""
    return replace(sublayer, body=(*sublayer.body, (ACTIVATION.name, learned_activation(names))))


def activated(tree: Component, learned: Mapping[str, Collection[str]], path: str = "") -> Component:
    """The tree with a learned activation at these paths: within a sublayer, and after a layer that has no parts."""
    body: list[tuple[str, Component]] = []
    for name, child in tree.body:
        here = ".".join(filter(None, (path, name)))
        activation = learned_activation(learned[here]) if name and here in learned else None
        inner = activated(child, learned, here)
        if activation and child.body:
            owner = _owner(child)
            shared = tied(activation, f"{owner}.{ACTIVATION.name}") if owner else activation
            inner = replace(inner, body=(*inner.body, (ACTIVATION.name, shared)))
        body.append((name, inner))
        if activation and not child.body:
            body.append((f"{name}_{ACTIVATION.name}", replace(activation, when=child.when[:1])))
    return replace(tree, body=tuple(body)) if tree.body else tree


def _owner(sublayer: Component) -> str:
    """The path of the sublayer whose parts another one reuses; "" of one with parts of its own."""
    links = ((tensor.tied_to, f".{name}") for name, part in sublayer.children for tensor in part.tensors)
    return next((owner.removesuffix(name) for owner, name in links if owner.endswith(name)), "")


def places(tree: Component, present: Collection[str], path: str = "") -> Iterator[tuple[str, Component]]:
    """The parts where a model that has these features has an activation, or may have one after a layer.

    Of a layer's gates the first decides: the summary of a sequence ends in its activation, projected or not.
    """
    for name, child in tree.children:
        here = f"{path}.{name}" if path else name
        if all(feature.holds(present) for feature in (child.when if child.body else child.when[:1])):
            yield here, child
            yield from places(child, present, here)
