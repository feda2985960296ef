"""Modules without modules: tables, norms, dense layers, arrays that are learned by themselves."""

from __future__ import annotations

from dataclasses import replace

from symparams.components import Component, Gate
from symparams.components.kinds import BIAS as BIAS_KIND
from symparams.components.kinds import EMBEDDING, LAYER_NORM, LINEAR, RMS_NORM, Kind, Use
from symparams.components.linear import CONVOLUTION, PARAMETER
from symparams.components.tree import Tensor
from symparams.discovery.parts import ArrayRule, Part
from symparams.expressions.closed_form import closed_form, multiply_out
from symparams.expressions.nodes import Expression, Quotient
from symparams.expressions.written import ONE, times
from symparams.records import frozen

WEIGHT, BIAS = "weight", "bias"
EMBEDS, NORMS, CONVOLVES = "embed", "norm", "conv"  # in the names of tables, norms and convolutions
IDENTITY = "Identity"  # torch's module in place of one that is not there
FLAT = 2  # sides of a matrix


def leaf(part: Part) -> Component:
    """A module without modules as a component, by its class and its arrays."""
    when = {rule.when for rule in part.arrays}
    if len(when) == 1 and when != {()}:  # all of its arrays are there with the same features
        part = replace(part, when=(*part.when, *when.pop()), arrays=tuple(replace(rule, when=()) for rule in part.arrays))
    made = Component(_kind(part), tensors=tuple(_tensor(rule, rule.name, part) for rule in part.arrays))
    return there(part, made)


def alone(rule: ArrayRule) -> Component:
    """An array that is a part by itself."""
    if rule.name == BIAS and len(rule.shape) == 1:
        return Component(BIAS_KIND, tensors=(_tensor(rule, BIAS),))
    return Component(PARAMETER, tensors=(_tensor(rule, WEIGHT),))


def there(part: Part, made: Component) -> Component:
    """A component as often as its module occurs and where the model has it."""
    made = replace(made, times=times(part.times, made.times))
    return replace(made, when=(*part.when, *made.when)) if part.when else made


def _tensor(rule: ArrayRule, name: str, part: Part | None = None) -> Tensor:
    """An array; the weight of a dense layer is written inputs × outputs. What it shares is a module's path until the end."""
    shape = rule.shape[::-1] if part is not None and rule.name == WEIGHT and _is_of_torch(part) else rule.shape
    is_norm = part is not None and _kind(part) in (LAYER_NORM, RMS_NORM)
    use = Use.BIAS if rule.name == BIAS else Use.GAIN if is_norm else Use.WEIGHT
    return Tensor(name, shape, use, when=rule.when, tied_to=rule.shares, trained=rule.trained)


def _kind(part: Part) -> Kind:
    """The kind of a module without modules, by its class and its arrays."""
    sides = {rule.name: len(rule.shape) for rule in part.arrays}
    is_told = part.of not in ("", IDENTITY)
    called = (part.of if is_told else part.name).lower()  # the class of torch, or what a mapping calls the module
    if CONVOLVES in called and sides.get(WEIGHT, 0) > FLAT and sides.keys() <= {WEIGHT, BIAS}:
        return CONVOLUTION
    if EMBEDS in called and sides == {WEIGHT: 2}:
        return EMBEDDING
    if NORMS in called:
        if sides == {WEIGHT: 1, BIAS: 1}:
            return LAYER_NORM
        if sides == {WEIGHT: 1}:
            return LAYER_NORM if "layer" in part.of.lower() else RMS_NORM
    shapes = {rule.name: rule.shape for rule in part.arrays}
    if sides in ({WEIGHT: 2}, {WEIGHT: 2, BIAS: 1}) and all(side in shapes[WEIGHT] for side in shapes.get(BIAS, ())):
        return LINEAR
    return PARAMETER


def _is_of_torch(part: Part) -> bool:
    """True if the weight of a dense layer is stored as outputs × inputs, as torch does; the bias has the outputs."""
    shapes = {rule.name: rule.shape for rule in part.arrays}
    return _kind(part) is LINEAR and (BIAS not in shapes or shapes[BIAS][0] == shapes[WEIGHT][0])


@frozen
class Matrix:
    """A dense layer: its inputs and outputs, and the gate of its bias."""

    inputs: Expression
    outputs: Expression
    bias: Gate


def matrix(module: Part | None) -> Matrix | None:
    """Return a module as a dense layer, which stores outputs × inputs; None if it is not one."""
    if module is None or module.parts or module.when or module.times != ONE:
        return None
    by_name: dict[str, list[ArrayRule]] = {}
    for rule in module.arrays:
        by_name.setdefault(rule.name, []).append(rule)
    weights, biases = by_name.pop(WEIGHT, []), by_name.pop(BIAS, [])
    if by_name or len(weights) != 1 or len(biases) > 1 or not all(map(is_plain, (*weights, *biases))):
        return None
    [weight] = weights
    if weight.when or len(weight.shape) != FLAT or any(len(rule.shape) != 1 for rule in biases):
        return None
    outputs, inputs = weight.shape
    if biases and not same(biases[0].shape[0], outputs):
        outputs, inputs = inputs, outputs  # stored as inputs × outputs
    if biases and not same(biases[0].shape[0], outputs):
        return None
    return Matrix(inputs, outputs, gate_of(biases[0]) if biases else False)


def is_plain(rule: ArrayRule) -> bool:
    """True of an array that is trained, and its module's own."""
    return rule.trained and not rule.shares


def gate_of(array: ArrayRule | Tensor) -> Gate:
    """The gate of an array: its features."""
    return True if not array.when else array.when[0] if len(array.when) == 1 else array.when


def same(one: Expression, other: Expression) -> bool:
    """True if two sizes are one."""
    return one == other or multiply_out(one, {}) == multiply_out(other, {})


def quotient(size: Expression, divisor: Expression) -> Expression:
    """A size divided by another, multiplied out."""
    return closed_form(Quotient(size, divisor), {})
