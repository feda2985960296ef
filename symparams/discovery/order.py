"""The order of the parts of a discovered tree: which reads which, as it was measured and as it stands in an entry.

An order is a list: the name of a part, or ``["+", …]`` for a residual sum around what follows, ``["|", …]`` for parts side by
side, ``[…]`` for a chain. ``[["+", "norm", "attention"]]`` is x + attention(norm(x)).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from symparams.components import Component, block, parallel, residual
from symparams.components.flow import Reading, equations
from symparams.components.kinds import Role
from symparams.records import frozen

RESIDUAL, PARALLEL = "+", "|"
MAKERS = {RESIDUAL: residual, PARALLEL: parallel}
MOST = 8  # parts of one layer, whose orders are tried one by one


@frozen
class Flow:
    """The orders of blocks by path, and the values of keys at which alone they were measured."""

    blocks: Mapping[str, Any]
    held: Mapping[str, Any]

    def holds(self, values: Mapping[str, Any]) -> bool:
        """True of a config that sets no key on which the flow may depend."""
        return all(key not in values or _is_same(values[key], value) for key, value in self.held.items())


def _is_same(given: Any, held: Any) -> bool:
    """True of the same value, and of a list of the one word that was measured, however many layers there are."""
    if isinstance(given, (list, tuple)) and isinstance(held, (list, tuple)) and len(set(map(str, held))) == 1:
        return {*map(str, given)} == {*map(str, held)}
    return bool(given == held)


def ordered(tree: Component, blocks: Mapping[str, Any], path: str = "") -> Component:
    """The tree in which the unordered blocks at these paths have their order."""
    body = tree.body
    if len(body) == 1 and body[0][1].role is Role.UNORDERED and path in blocks:
        body = made(blocks[path], dict(body[0][1].body))
    return replace(tree, body=tuple((name, ordered(part, blocks, _below(path, name))) for name, part in body))


def made(order: Sequence[Any], parts: Mapping[str, Component]) -> tuple[tuple[str, Component], ...]:
    """The body of a block in this order."""
    return tuple((one, parts[one]) if isinstance(one, str) else ("", _flow(one, parts)) for one in order)


def _flow(order: Sequence[Any], parts: Mapping[str, Component]) -> Component:
    maker = MAKERS.get(order[0]) if isinstance(order[0], str) else None
    return replace((maker or block)(), body=made(order[1:] if maker else order, parts))


def order_of(readings: Sequence[Reading], parts: Mapping[str, Component]) -> list[Any] | None:
    """The only order whose equations are these; None where there is none. The parts stand in the order of their readings."""
    names = [name for name, *_ in readings[:-1]]
    if len(names) > MOST:
        return None
    for order in _orders(names):
        if _same(equations(replace(block(), body=made(order, parts))), readings):
            return order
    return None


def _same(one: Sequence[Reading], other: Sequence[Reading]) -> bool:
    return {(name, frozenset(reads)) for name, reads, *_ in one} == {(name, frozenset(reads)) for name, reads, *_ in other}


def _orders(names: Sequence[str]) -> Iterator[list[Any]]:
    """Every order of sums one after the other: of chains, and of chains that end in two chains side by side."""
    for cuts in product((False, True), repeat=len(names) - 1):
        groups: list[list[str]] = [[names[0]]]
        for name, is_cut in zip(names[1:], cuts, strict=True):
            if is_cut:
                groups.append([name])
            else:
                groups[-1].append(name)
        yield from (list(order) for order in product(*map(_group, groups)))


def _group(names: list[str]) -> list[Any]:
    """A part alone, or a sum around parts."""
    found: list[Any] = [names[0]] if len(names) == 1 else []
    found.append([RESIDUAL, *names])
    for start in range(len(names) - 1):
        for end in range(start + 1, len(names)):
            first, second = (_chain(chain) for chain in (names[start:end], names[end:]))
            found.append([RESIDUAL, *names[:start], [PARALLEL, first, second]])
    return found


def _chain(names: list[str]) -> Any:
    return names[0] if len(names) == 1 else names


def _below(path: str, name: str) -> str:
    return path if not name else f"{path}.{name}" if path else name
