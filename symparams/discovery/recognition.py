"""Recognition: each discovered module as the component that its class and its shapes make it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from symparams.architectures import Architecture, Certificate
from symparams.components import Component, alternating, block, unordered
from symparams.components.kinds import BIAS as BIAS_KIND
from symparams.components.kinds import EMBEDDING, LAYER_NORM, LINEAR, RMS_NORM, Kind, Use
from symparams.components.laws import Law
from symparams.components.linear import PARAMETER
from symparams.components.tree import Tensor
from symparams.discovery.parts import MANY, ArrayRule, Part
from symparams.errors import DiscoveryError
from symparams.expressions.nodes import is_name
from symparams.expressions.written import times
from symparams.features import Feature

SEQUENTIAL = "Sequential"  # torch's module whose parts read each other in order
WEIGHT, BIAS = "weight", "bias"
EMBEDS, NORMS = "embed", "norm"  # in the names of tables and of norms
OWN = "own_arrays"  # of layers whose parts are counted each by itself


def architecture(name: str, whole: Part, laws: Sequence[Law], usual: frozenset[str], certificate: Certificate) -> Architecture:
    """The definition, with its certificate; its usual features are the switches that were on when it was given."""
    tree = _Recognition(whole).block(whole)
    has = [Feature(switch) for switch in sorted(usual) if switch in _features(whole)]
    return Architecture(name, tree=tree, laws=laws, has=has, certificate=certificate)


class _Recognition:
    def __init__(self, whole: Part) -> None:
        self.whole = whole

    def component(self, part: Part) -> Component:
        """A module as a component, as often as it occurs and where the model has it."""
        if part.parts:
            made = self.block(part)
        elif len(part.arrays) == 1 and part.arrays[0].name != WEIGHT:
            made = self.alone(part.arrays[0])
        else:
            made = Component(_kind(part), tensors=tuple(self.tensor(rule, rule.name, part) for rule in part.arrays))
        made = replace(made, times=times(part.times, made.times))
        return replace(made, when=(*part.when, *made.when)) if part.when else made

    def block(self, part: Part) -> Component:
        """A module of modules; torch's Sequential passes data on in order, of the others nobody saw what they read."""
        if all(inner.name == MANY for inner in part.parts) and not part.arrays:
            return self.copies(part)
        inner = {_name(child.name, part) or OWN: self.component(child) for child in part.parts}
        for rule in part.arrays:
            inner[_free(rule.name, inner)] = self.alone(rule)
        return block(**inner) if part.of == SEQUENTIAL or len(inner) < 2 else block(unordered(**inner))

    def copies(self, part: Part) -> Component:
        """Copies of one module, or of several kinds, which take turns or come one after the other."""
        if len(part.parts) == 1:
            only = part.parts[0]
            return replace(self.component(only), name=_snake(only.of) or "layer")
        kinds = {name: self.component(kind) for name, kind in _kinds(part.parts)}
        named = {name: replace(kind, name=name, is_named=True) for name, kind in kinds.items()}
        return alternating(block(**named)) if part.turns else block(**named)

    def alone(self, rule: ArrayRule) -> Component:
        """An array that is a part by itself."""
        if rule.name == BIAS and len(rule.shape) == 1:
            return Component(BIAS_KIND, tensors=(self.tensor(rule, BIAS),))
        return Component(PARAMETER, tensors=(self.tensor(rule, WEIGHT),))

    def tensor(self, rule: ArrayRule, name: str, part: Part | None = None) -> Tensor:
        """An array; the weight of a dense layer is written inputs × outputs."""
        shape = rule.shape[::-1] if part is not None and rule.name == WEIGHT and _is_of_torch(part) else rule.shape
        is_norm = part is not None and _kind(part) in (LAYER_NORM, RMS_NORM)
        use = Use.BIAS if rule.name == BIAS else Use.GAIN if is_norm else Use.WEIGHT
        return Tensor(name, shape, use, when=rule.when, tied_to=self.owner(rule), trained=rule.trained)

    def owner(self, rule: ArrayRule) -> str:
        """The path of the component whose array it shares."""
        if not rule.shares:
            return ""
        *modules, _ = rule.shares.split(".")
        at, path = self.whole, []
        for segment in modules:
            inner = next((inner for inner in at.parts if inner.name == segment), None)
            if inner is None or segment == MANY:
                raise DiscoveryError(
                    f"{rule.name} shares {rule.shares}: an array that some of the copies share has no form here."
                )
            path.append(_name(segment, at))
            at = inner
        return ".".join(path)


def _kind(part: Part) -> Kind:
    """The kind of a module without modules, by its class and its arrays."""
    sides = {rule.name: len(rule.shape) for rule in part.arrays}
    called = (part.of or part.name).lower()  # the class of torch, or what a mapping calls the module
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


def _kinds(kinds: Sequence[Part]) -> Iterator[tuple[str, Part]]:
    """Kinds of layers, called by the first part that only they have."""
    names: list[str] = []
    for kind in kinds:
        others = {inner.name for other in kinds if other is not kind for inner in other.parts}
        own = next((inner.name for inner in kind.parts if inner.name not in others), "")
        base = _snake(kind.of) or "layer"
        name = f"{own}_{base}" if own else base if base not in names else f"{base}_{len(names) + 1}"
        names.append(name)
        yield name, kind


def _features(part: Part) -> set[str]:
    here = {feature.name for feature in part.when} | {feature.name for rule in part.arrays for feature in rule.when}
    return here.union(*(_features(inner) for inner in part.parts))


def _name(segment: str, parent: Part) -> str:
    """The name of a part: that of the module, or that of what it stands in with its number."""
    if segment.isdecimal():
        around = parent.name if is_name(parent.name) else _snake(parent.of) or "part"
        return f"{around}_{segment}"
    return re.sub(r"\W", "_", segment)


def _free(name: str, taken: dict[str, Component]) -> str:
    return name if name not in taken else f"own_{name}"


def _snake(name: str) -> str:
    """A class's name as one of a part: DecoderLayer is decoder_layer."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
