"""State spaces by the names and sizes of their arrays: a selective one, and the structured dual with heads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from symparams.components import Component, dual_state_space, linear, selective_state_space
from symparams.components.facts import Gate
from symparams.discovery.leaves import BIAS, WEIGHT, Matrix, gate_of, matrix, quotient, same
from symparams.discovery.names import Modules, Sublayer, Surroundings, first, names
from symparams.discovery.parts import Part
from symparams.expressions.closed_form import closed_form
from symparams.expressions.extent import size
from symparams.expressions.nodes import Expression
from symparams.expressions.written import ONE


def state_spaces(part: Part, modules: Modules, around: Surroundings) -> Iterator[Sublayer]:
    """A state space, with a state matrix of two sides, or of one number for each head."""
    known = names()["state_space"]
    found = {name: path for name, spelled in known.items() if (path := first(modules, spelled))}
    if not {"input", "output", "convolution", "transition", "skip"} <= found.keys():
        return
    kernel = _convolution(modules[found["convolution"]])
    transition = modules[found["transition"]].arrays[0].shape
    if kernel is None:
        return
    made = (_dual if len(transition) == 1 else _selective)({name: modules[path] for name, path in found.items()}, *kernel)
    if made is not None:
        yield Sublayer("state_space", made, frozenset(found.values()))


def _convolution(module: Part) -> tuple[Expression, Expression, Gate] | None:
    """The channels, the length and the gate of the bias of a convolution of each channel by itself."""
    rules = {rule.name: rule for rule in module.arrays}
    if len(rules) != len(module.arrays) or WEIGHT not in rules or not rules.keys() <= {WEIGHT, BIAS}:
        return None
    shape = rules[WEIGHT].shape
    if len(shape) != len(("channels", "inputs", "length")) or shape[1] != ONE:
        return None
    return shape[0], shape[2], gate_of(rules[BIAS]) if BIAS in rules else False


def _dual(found: Mapping[str, Part], channels: Expression, length: Expression, conv_bias: Gate) -> Component | None:
    inputs, output = matrix(found["input"]), matrix(found["output"])
    if inputs is None or output is None or "time_step_bias" not in found:
        return None
    [n_heads] = found["transition"].arrays[0].shape
    d_inner = size(output.inputs)
    b_or_c = closed_form((channels - d_inner) / 2, {})
    n_groups, d_state = _groups(b_or_c)
    if not same(inputs.outputs, d_inner + channels + n_heads):
        return None
    d_head = quotient(d_inner, n_heads)
    made = dual_state_space(output.outputs, d_inner, n_heads, n_groups, d_state, length, d_head=d_head, conv_bias=conv_bias)
    parts = dict(made.body)
    norm = found.get("norm")
    parts["gated_norm"] = replace(parts["gated_norm"], when=() if norm is None else (*norm.when, *norm.arrays[0].when))
    if norm is None:
        del parts["gated_norm"]
    return _biased(replace(made, body=tuple(parts.items())), inputs, output)


def _biased(made: Component, inputs: Matrix, output: Matrix) -> Component:
    """A state space whose projections have the biases of these matrices."""
    own = {"input_projection": inputs, "output_projection": output}
    body = (
        (name, replace(linear(own[name].inputs, own[name].outputs, bias=own[name].bias), makes=inner.makes))
        if name in own
        else (name, inner)
        for name, inner in made.body
    )
    return replace(made, body=tuple(body))


def _groups(b_or_c: Expression) -> tuple[Expression, Expression]:
    """The number of groups and the size of the state, where one letter of their product is that of groups."""
    groups = [letter for letter in b_or_c.dimensions if names()["letters"]["groups"] in letter.name]  # mamba_n_groups
    return (groups[0], quotient(b_or_c, groups[0])) if len(groups) == 1 else (ONE, b_or_c)


def _selective(found: Mapping[str, Part], channels: Expression, length: Expression, conv_bias: Gate) -> Component | None:
    parts: list[Any] = [matrix(found.get(name)) for name in ("input", "selection", "time_step", "output")]
    if None in parts or "norm" in found:
        return None
    inputs, selection, step, output = parts
    d_inner, d_state = found["transition"].arrays[0].shape
    fits = same(channels, d_inner) and same(selection.outputs, step.inputs + 2 * d_state) and step.bias is True
    if not fits or selection.bias is not False:
        return None
    made = selective_state_space(output.outputs, d_inner, d_state, length, step.inputs, conv_bias=conv_bias)
    return _biased(made, inputs, output)
