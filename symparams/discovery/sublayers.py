"""Sublayers: modules whose names and sizes are those of attention, a feed-forward network or a mixture of experts.

A name proposes, the sizes decide: what a builder makes must have the very arrays of the modules, with their features.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from symparams.components import (
    Component,
    Gate,
    block,
    experts,
    feed_forward,
    fused_gated_feed_forward,
    gated_feed_forward,
    linear,
    mixture_of_experts,
    shared_expert,
    unordered,
)
from symparams.components.facts import Projection
from symparams.components.linear import PARAMETER
from symparams.discovery.arrays import has_the_arrays
from symparams.discovery.attentions import attentions, latent_attentions
from symparams.discovery.leaves import BIAS, WEIGHT, alone, gate_of, is_plain, matrix, same
from symparams.discovery.mixers import state_spaces
from symparams.discovery.names import Modules, Sublayer, Surroundings, all_of, excludes, first, is_called, names
from symparams.discovery.parts import ArrayRule, Part
from symparams.expressions.closed_form import closed_form
from symparams.expressions.nodes import Expression
from symparams.expressions.symbols import letter as as_letter
from symparams.expressions.written import ONE

OF_EXPERTS = 3  # sides of an array of experts
BIAS_OF = "_bias"  # after the name of an array of experts


def sublayers(part: Part, modules: Modules, around: Surroundings) -> list[Sublayer]:
    """Return the sublayers that the modules of a part make; none where no name fits, or a name without the size.

    Modules that a part has with features make a sublayer that it has with them.
    """
    found: list[Sublayer] = []
    for when in dict.fromkeys(((), *(module.when for module in modules.values()))):
        for rule in RULES:
            free = {path: module for path, module in modules.items() if not any(path in made.used for made in found)}
            if when:
                free = {path: replace(module, when=()) for path, module in free.items() if module.when == when}
            made = next((made for made in rule(part, free, around) if _agrees(made, free)), None)
            if made is not None:
                component = replace(made.component, when=when) if when else made.component
                alike = [other for other in found if other.name == made.name and not excludes(other.component, component)]
                name = made.component.kind.name if alike else made.name
                if not alike or name not in [other.name for other in found]:
                    found.append(replace(made, name=name, component=component))
    return found


def _agrees(made: Sublayer, modules: Modules) -> bool:
    return has_the_arrays(made.component, [modules[path] for path in made.used])


def own_arrays(part: Part, prefix: str = "") -> Iterator[tuple[str, Part]]:
    """Yield the modules that hold arrays, by path, through those that are there once and always; an array alone is one, too."""
    for rule in part.arrays:
        yield f"{prefix}{rule.name}", Part(rule.name, "", arrays=tuple(one for one in part.arrays if one.name == rule.name))
    for inner in part.parts:
        if not inner.parts and inner.times == ONE:
            yield f"{prefix}{inner.name}", inner
        elif inner.times == ONE and not inner.when:
            yield from own_arrays(inner, f"{prefix}{inner.name}.")


def feed_forwards(part: Part, modules: Modules, around: Surroundings) -> Iterator[Sublayer]:
    """Networks of an up- and a down-projection, with a gate beside them, in a matrix of its own or not."""
    builders: dict[str, Callable[..., Component]] = {
        "gated": gated_feed_forward,
        "fused": fused_gated_feed_forward,
        "plain": feed_forward,
    }
    for manner, build in builders.items():
        for row in names()["feed_forward"][manner]:
            found = all_of(*(matrix(modules.get(path)) for path in row))
            if not found or len({repr(one.bias) for one in found}) > 1:
                continue
            *ups, down = found
            if all(same(up.inputs, down.outputs) for up in ups):
                made = build(down.outputs, down.inputs, bias=down.bias, activation="")
                yield Sublayer("feed_forward", made, frozenset(row))


def mixtures(part: Part, modules: Modules, around: Surroundings) -> Iterator[Sublayer]:
    """Experts side by side in arrays, and the router that chooses among them."""
    known = names()["mixture"]
    for path, gates_and_ups, downs in known["arrays"]:
        used = [path] if path else [name.rpartition(".")[0] for name in (gates_and_ups, downs)]
        arrays = {
            (own if path else f"{module}.{own}"): rule
            for module in used
            for own, rule in _arrays_of(modules.get(module)).items()
        }
        router = first(modules, known["router"])
        if not {gates_and_ups, downs} <= arrays.keys() or not router:
            continue
        made = _mixture(arrays, gates_and_ups, downs, modules[router], around)
        if made is not None:
            yield Sublayer("experts", made, frozenset((*used, router)))


def _mixture(
    arrays: Mapping[str, ArrayRule], gates_and_ups: str, downs: str, router: Part, around: Surroundings
) -> Component | None:
    up, down = arrays[gates_and_ups].shape, arrays[downs].shape
    routing = matrix(replace(router, arrays=tuple(rule for rule in router.arrays if rule.name in (WEIGHT, BIAS))))
    if routing is None or len(up) != OF_EXPERTS or len(down) != OF_EXPERTS or not same(up[0], routing.outputs):
        return None
    width = routing.inputs
    d_expert = down[1] if same(down[2], width) and not same(down[1], width) else down[2]
    d_expert = down[1] if same(down[1], down[2]) else d_expert
    if _sides(up[1:]) != _sides((2 * d_expert, width)):
        return None
    biases = {f"{name}{BIAS_OF}": arrays.get(f"{name}{BIAS_OF}") for name in (gates_and_ups, downs)}
    gates = [False if rule is None else gate_of(rule) for rule in biases.values()]
    if len({repr(gate) for gate in (*gates, routing.bias)}) > 1:
        return None
    chosen = [as_letter(name) for name in sorted(around.letters) if is_called(name, names()["letters"]["active"])]
    n_experts, bias = routing.outputs, routing.bias
    if len(chosen) == 1:
        made = mixture_of_experts(width, n_experts, chosen[0], d_expert, bias=bias, activation="")
    else:
        made = _unchosen(width, n_experts, d_expert, bias)
    correction = [rule for rule in router.arrays if rule.name not in (WEIGHT, BIAS)]
    return replace(made, laws=(), body=(*made.body, *((rule.name, alone(rule)) for rule in correction)))


def _sides(sizes: Iterable[Expression]) -> set[str]:
    return {repr(closed_form(size, {})) for size in sizes}


def _unchosen(width: Expression, n_experts: Expression, d_expert: Expression, bias: Gate) -> Component:
    """A router and experts, of which nothing tells how many a token uses."""
    shapes = {"experts_gate_up": (width, 2 * d_expert), "experts_down": (d_expert, width)}
    parts = {"router": linear(width, n_experts, bias=bias, makes=(Projection.ROUTER,))}
    for name, (inputs, outputs) in shapes.items():
        every = experts(n_experts, n_experts, inputs, outputs, bias=bias)
        tensors = tuple(replace(tensor, active=None) for tensor in every.tensors)
        parts[name] = Component(PARAMETER, tensors=tensors)
    return block(unordered(**parts))


def _arrays_of(module: Part | None) -> dict[str, ArrayRule]:
    """The arrays of a module by name; none where a name stands for two, or one is not the module's own."""
    if module is None or module.parts or module.when or module.times != ONE or not all(map(is_plain, module.arrays)):
        return {}
    return {rule.name: rule for rule in module.arrays}


def shared_experts(part: Part, modules: Modules, around: Surroundings) -> Iterator[Sublayer]:
    """An expert that every token passes, and the gate that weighs it."""
    known = names()["mixture"]
    gate = first(modules, known["shared_gate"])
    for shared in known["shared"] if gate else ():
        for row in names()["feed_forward"]["gated"]:
            paths = [f"{shared}.{name}" for name in row]
            found = all_of(*(matrix(modules.get(path)) for path in (*paths, gate)))
            if found and same(found[0].inputs, found[2].outputs):
                made = shared_expert(found[2].outputs, found[2].inputs)
                yield Sublayer("shared_expert", made, frozenset((*paths, gate)))


RULES: tuple[Callable[[Part, Modules, Surroundings], Iterator[Sublayer]], ...] = (
    state_spaces,
    latent_attentions,
    attentions,
    mixtures,
    shared_experts,
    feed_forwards,
)
