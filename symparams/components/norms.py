"""Norms: LayerNorm and RMSNorm, by head, on queries and keys, without parameters; and where they stand in a layer."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum

from symparams.components.facts import Gate
from symparams.components.flow import block, equations, parallel, residual, then
from symparams.components.kinds import LAYER_NORM, RMS_NORM, Kind, Role, Use
from symparams.components.tree import Component, Tensor, gated
from symparams.errors import DefinitionError
from symparams.expressions.extent import size
from symparams.expressions.nodes import Operand

NON_PARAMETRIC_LAYER_NORM = Kind("non_parametric_layer_norm", Role.ABSENT, Role.NORM)
NON_PARAMETRIC_RMS_NORM = Kind("non_parametric_rms_norm", Role.ABSENT, Role.NORM)
GROUP_NORM, GROUPED_NORM = Kind("group_norm", Role.NORM), Kind("grouped_norm", Role.NORM)
LAYER_SCALE = Kind("layer_scale", Role.SCALE)


def layer_norm(width: Operand, *, bias: Gate = True) -> Component:
    """A gain and a bias of length width: 2 × h (Ba et al., 2016, arXiv:1607.06450; torch.nn.LayerNorm)."""
    gain, shift = Tensor("weight", (size(width),), Use.GAIN), Tensor("bias", (size(width),), Use.BIAS)
    return Component(LAYER_NORM, tensors=(gain, *gated(shift, bias)))


def rms_norm(width: Operand) -> Component:
    """A gain of length width and no bias: h (Zhang & Sennrich, 2019, arXiv:1910.07467; torch.nn.RMSNorm)."""
    return Component(RMS_NORM, tensors=(Tensor("weight", (size(width),), Use.GAIN),))


def group_norm(channels: Operand, *, in_groups: bool = False) -> Component:
    """A norm of each channel over all positions, or ``in_groups`` of a few groups of channels; a gain and a bias of each
    channel: 2 × channels (Wu & He, 2018, arXiv:1803.08494; torch.nn.GroupNorm).
    """
    return Component(GROUPED_NORM if in_groups else GROUP_NORM, tensors=layer_norm(channels).tensors)


def non_parametric_layer_norm() -> Component:
    """A LayerNorm without gain and bias, so 0 parameters (OLMo; Groeneveld et al., 2024, arXiv:2402.00838)."""
    return Component(NON_PARAMETRIC_LAYER_NORM)


def non_parametric_rms_norm() -> Component:
    """An RMSNorm without gain, so 0 parameters (Falcon Mamba; Zuo et al., 2024, arXiv:2410.05355)."""
    return Component(NON_PARAMETRIC_RMS_NORM)


def layer_scale(width: Operand) -> Component:
    """A learned gain of each component of what a sublayer gives: h (Touvron et al., 2021, arXiv:2103.17239)."""
    return Component(LAYER_SCALE, tensors=(Tensor("weight", (size(width),), Use.GAIN),))


def heads_layer_norm(n_heads: Operand, d_head: Operand) -> Component:
    """A LayerNorm of each head, with its own gain and no bias, stored as one matrix: n_heads × d_head."""
    return Component(LAYER_NORM, tensors=(Tensor("weight", (size(n_heads), size(d_head)), Use.GAIN),))


def pre_norm(norm: Component | None = None, /, **sublayers: Component) -> tuple[Component, ...]:
    """x + attention(norm(x)), then x + feed_forward(norm(x)) (Xiong et al., 2020, arXiv:2002.04745)."""
    return tuple(residual(**{f"{name}_norm": norm, name: part}) for norm, name, part in _normed(norm, sublayers))


def scaled_pre_norm(norm: Component, scale: Component, /, **sublayers: Component) -> tuple[Component, ...]:
    """x + γ·attention(norm(x)), then x + γ·feed_forward(norm(x)), each with a gain of its own (arXiv:2103.17239)."""
    return tuple(
        residual(**{f"{name}_norm": norm, name: part, f"{name}_layer_scale": scale}) for name, part in sublayers.items()
    )


def post_norm(norm: Component | None = None, /, **sublayers: Component) -> tuple[Component, ...]:
    """norm(x + attention(x)), then norm(x + feed_forward(x)) (Vaswani et al., 2017, arXiv:1706.03762)."""
    pairs = ((residual(**{name: part}), then(**{f"{name}_norm": norm})) for norm, name, part in _normed(norm, sublayers))
    return tuple(part for pair in pairs for part in pair)


def sandwiched(norm: Component | None = None, /, **sublayers: Component) -> tuple[Component, ...]:
    """x + norm(attention(norm(x))), then the same with the feed-forward network (Ding et al., 2021, arXiv:2105.13290)."""
    return tuple(
        residual(**{f"{name}_norm": norm, name: part, f"post_{name}_norm": norm})
        for norm, name, part in _normed(norm, sublayers)
    )


def normed_after(norm: Component | None = None, /, **sublayers: Component) -> tuple[Component, ...]:
    """x + norm(attention(x)), then x + norm(feed_forward(x)) (Liu et al., 2022, arXiv:2111.09883)."""
    return tuple(residual(**{name: part, f"post_{name}_norm": norm}) for norm, name, part in _normed(norm, sublayers))


def side_by_side(norm: Component | None = None, /, **sublayers: Component) -> Component:
    """x + attention(norm(x)) + feed_forward(norm(x)), each with its own norm (Black et al., 2022, arXiv:2204.06745)."""
    branches = (block(**{f"{name}_norm": norm, name: part}) for norm, name, part in _normed(norm, sublayers))
    return residual(parallel(*branches))


class NormPlace(StrEnum):
    """The places of a layer's norms, the same at each sublayer, by the keys of their sentences in [notes]."""

    BEFORE = "norms.before_each"
    AFTER = "norms.after_each"
    AROUND = "norms.around_each"
    AFTER_SUM = "norms.after_each_sum"


def norm_place(layer: Component, norms: Collection[str]) -> tuple[NormPlace, tuple[str, ...]] | None:
    """Return where these norms of a layer stand, and at which sublayers; None unless they stand at all of them alike."""
    inputs = {name: read for name, read, *_ in equations(layer)}
    if not all(inputs.values()):
        return None  # nobody saw what they read
    sublayers = [name for name, part in layer.children if part.is_sublayer]
    alone = [name for name in reversed(sublayers) if len(inputs[name]) == 1]  # what reads a sum reads no norm alone
    before = {inputs[name][-1]: name for name in alone if inputs[name][-1] in norms}  # parallel ones share one
    after = {norm: inputs[norm][-1] for norm in norms if inputs[norm][-1] in sublayers}
    of_sums = {len(inputs[norm]) > 1 for norm in after}
    is_of_sums = of_sums == {True}
    if before.keys() == set(norms) and {inputs[name][-1] for name in sublayers} == before.keys():
        return NormPlace.BEFORE, tuple(before[norm] for norm in norms)
    if sorted(after.values()) == sorted(sublayers) and after.keys() == set(norms) and len(of_sums) == 1:
        return NormPlace.AFTER_SUM if is_of_sums else NormPlace.AFTER, tuple(sublayers)
    if sorted(before.values()) == sorted(after.values()) == sorted(sublayers) and of_sums == {False}:
        return NormPlace.AROUND, tuple(sublayers)
    return None


def _normed(norm: Component | None, sublayers: Mapping[str, Component]) -> Iterator[tuple[Component, str, Component]]:
    """Yield the norm, which stands first or is called ``norm``, with each sublayer; DefinitionError unless it is one."""
    if (norm is None) is not ("norm" in sublayers):
        raise DefinitionError("A layer has one norm for its sublayers: write pre_norm(layer_norm(h), attention=…).")
    of_all = sublayers["norm"] if norm is None else norm
    yield from ((of_all, name, sublayer) for name, sublayer in sublayers.items() if name != "norm")
