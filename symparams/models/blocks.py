"""The closed form by blocks: what stands once, then each stack as so many copies of one layer: 2·V·h + h + L·(2·h² + …).

Stacks of equally many layers are one (an encoder and a decoder of L layers each), and what all the stacks of a part share
is multiplied by all of their layers: (L_dense + L_moe)·(N_attn + 2·h). A part that would make the formula too long for a
line is referred to by its name and has an equation of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce

from symparams.components.kinds import Role
from symparams.components.walks import Leaf
from symparams.expressions.closed_form import Relations, as_written, multiply_out
from symparams.expressions.factoring import factored, gathered
from symparams.expressions.nodes import Expression, Named, Number, Product, Size, terms_of
from symparams.expressions.polynomial import Polynomial, added
from symparams.expressions.printing.printer import plain
from symparams.expressions.symbols import d_inner
from symparams.expressions.written import ONE, ZERO, times, total
from symparams.quantities.parameters import PARAMETERS
from symparams.quantities.quantity import TensorCount
from symparams.records import frozen

ONE_EXPERT = "one_expert"  # a part that stands in a layer as often as there are experts
MOST_EXPANDED = 7  # terms of a sum that a person still reads
MOST_CHARACTERS = 64  # of one layer, before its longest part gets a name
MOST_AT_THE_TOP = 8
LEAST_NAMED = 4  # terms of a part that is longer than its name
LEAST_IN_A_LAYER = 2  # the same where the layer is too long for a line even with terms gathered


@frozen
class BlockTerm:
    """A part of one layer, or of what stands once: what it is called, and its closed form."""

    name: str
    count: Polynomial


@frozen
class Stack:
    """Copies of a sum of parts: ``within`` is the path around the stacks, ``places`` are their own paths."""

    copies: Polynomial
    within: str
    parts: tuple[BlockTerm, ...]
    places: tuple[str, ...] = ()

    @property
    def count(self) -> Polynomial:
        """One copy."""
        return added([part.count for part in self.parts])


@frozen
class Blocks:
    """A closed form by blocks: the formula, and the parts that it refers to by name, each with its own formula.

    ``stacks`` are its last terms, the copies of layers: the paths at which these stand, how many, and the term.
    """

    formula: Expression
    named: tuple[Named, ...]
    stacks: tuple[tuple[tuple[str, ...], Expression, Expression], ...] = ()


def by_blocks(
    leaves: Iterable[Leaf],
    relations: Relations,
    quantity: TensorCount = PARAMETERS,
    *,
    names: Mapping[str, Polynomial] | None = None,
    keeps_inner: bool = False,
) -> Blocks:
    """Return the sum over these leaves by blocks: N = (what stands once) + Σ copies × (one layer).

    Multiplied out it is the expanded closed form, term by term. Where ``names`` are given, a part is called so only if it is
    what the name stands for: none at all with {}. A sheet ``keeps_inner``, the letter of a mixer's inner size.
    """
    once, *stacks = _shared_apart(_stacks(leaves, with_inner_size(relations) if keeps_inner else relations, quantity))
    named = _named([once, *stacks], names, relations)
    definitions = {name: Named(name, factored(count)) for name, count in named.items()}
    terms = _terms(once, definitions, as_written)
    if len(terms) + len(stacks) > MOST_AT_THE_TOP:
        terms = _terms(once, definitions, factored)
    expert = (names or {}).get(ONE_EXPERT)
    known = {expert: Named(ONE_EXPERT, as_written(expert))} if expert is not None else {}
    copied = [(s.places, as_written(s.copies), total(_copies(s, _layer(s, definitions, known)))) for s in stacks]
    return Blocks(total([*terms, *(term for _, _, term in copied)]), tuple(definitions.values()), tuple(copied))


def with_inner_size(relations: Relations) -> Relations:
    """The relations but for that of a mixer's inner size, which is shorter to read than what it comes from."""
    return {size: relation for size, relation in relations.items() if size != d_inner}


def _stacks(leaves: Iterable[Leaf], relations: Relations, quantity: TensorCount) -> list[Stack]:
    """Return the parts that stand once, then each stack of equally many layers with its sublayers and norms as parts."""
    by_stack: dict[str, tuple[Expression, dict[str, list[Expression]]]] = {"": (ONE, {})}
    names: dict[Hashable, str] = {}
    for leaf in leaves:
        count = quantity.of(leaf.component)
        if count != ZERO:
            counts_by_name = by_stack.setdefault(leaf.stack, (leaf.layers, {}))[1]
            counts_by_name.setdefault(_name(leaf, names), []).append(times(leaf.per_layer, count))
    merged: dict[tuple[Polynomial, bool], Stack] = {}
    for place, (copies, counts_by_name) in by_stack.items():
        parts = tuple(BlockTerm(name, multiply_out(total(counts), relations)) for name, counts in counts_by_name.items())
        stack = Stack(multiply_out(copies, relations), place.rpartition(".")[0], parts, (place,))
        key = (stack.copies, bool(place))
        if key in merged:
            stack = Stack(stack.copies, stack.within, (*merged[key].parts, *parts), (*merged[key].places, place))
        merged[key] = stack
    return list(merged.values())


def _name(leaf: Leaf, names: dict[Hashable, str]) -> str:
    """Return the name of a leaf's part of a layer: the first in any stack, which no other part has."""
    is_told = leaf.sublayer is not None or leaf.component.role is Role.NORM
    key = leaf.part.key if is_told else (leaf.path,)
    if key not in names:
        name = called_in_a_layer(leaf)
        names[key] = name if name not in names.values() else leaf.part.role.value or leaf.path
    return names[key]


def called_in_a_layer(leaf: Leaf) -> str:
    """Return the name of a leaf's part of a layer: its sublayer, all norms, or itself."""
    if leaf.sublayer:
        return leaf.sublayer[0].rpartition(".")[2]
    return f"{leaf.component.kind}s" if leaf.component.role is Role.NORM else leaf.name


def _shared_apart(stacks: Sequence[Stack]) -> list[Stack]:
    """Return the stacks, with the parts that several share as one stack of all their layers before those of each alone."""
    once, *others = stacks
    apart: list[Stack] = [once]
    for within in dict.fromkeys(stack.within for stack in others):
        together = [stack for stack in others if stack.within == within]
        shared = reduce(lambda met, stack: met & Counter(stack.parts), together[1:], Counter(together[0].parts))
        if not within or len(together) == 1 or not shared:  # an encoder and a decoder stay apart
            apart += together
            continue
        common = tuple(part for part in together[0].parts if part in shared)
        places = tuple(place for stack in together for place in stack.places)
        apart.append(Stack(added([stack.copies for stack in together]), within, common, places))
        alone = [replace(stack, parts=tuple(part for part in stack.parts if part not in shared)) for stack in together]
        apart += [stack for stack in alone if stack.parts]
    return apart


def _named(stacks: Sequence[Stack], names: Mapping[str, Polynomial] | None, relations: Relations) -> dict[str, Polynomial]:
    """The parts that get a name, the longest first, until each layer fits a line; one name stands for one thing."""
    counts: dict[str, set[Polynomial]] = {}
    for part in (part for stack in stacks for part in stack.parts):
        counts.setdefault(part.name, set()).add(part.count)
    named: dict[str, Polynomial] = {}
    for stack in stacks[1:]:
        parts = sorted(stack.parts, key=lambda part: -len(part.count.terms))
        for part in parts:
            rest = added([other.count for other in stack.parts if other.name not in named])
            write, least = (as_written, 0) if len(part.count.terms) >= LEAST_NAMED else (gathered, LEAST_IN_A_LAYER)
            if len(plain(write(rest))) <= MOST_CHARACTERS or len(part.count.terms) < least:
                break
            if len(counts[part.name]) == 1 and (
                names is None or names.get(part.name) == multiply_out(as_written(part.count), relations)
            ):
                named[part.name] = part.count
    return named


def _terms(stack: Stack, definitions: Mapping[str, Named], write: Callable[[Polynomial], Expression]) -> list[Expression]:
    """The parts by name first, then the others multiplied out together."""
    named = Counter(part.name for part in stack.parts if part.name in definitions)
    rest = write(added([part.count for part in stack.parts if part.name not in definitions]))
    addends = terms_of(rest) if rest != ZERO else ()
    return [*(times(Number(often), definitions[name]) for name, often in named.items()), *addends]


def _layer(stack: Stack, definitions: Mapping[str, Named], known: Mapping[Polynomial, Named]) -> list[Expression]:
    """One layer; with common factors drawn out where it is long and nothing in it has a name."""
    is_long = not definitions and len(stack.count.terms) > MOST_EXPANDED
    return _terms(stack, definitions, factored if is_long else partial(gathered, known=known))


def _copies(stack: Stack, layer: Sequence[Expression]) -> list[Expression]:
    """Return copies of a layer: L·(…) of several terms, and 3·L·h·d_ff of a single one."""
    if len(stack.count.terms) == len(stack.copies.terms) == 1 and not isinstance(layer[0], Named):
        return [as_written(stack.copies * stack.count)]
    return [Size(Product((as_written(stack.copies), total(layer))))]
