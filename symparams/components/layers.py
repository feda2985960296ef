"""Layers as families arrange them: where the norms of their sublayers stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from symparams.components.flow import block, parallel, residual, then
from symparams.components.tree import Component
from symparams.errors import DefinitionError


def pre_norm(norm: Component | None = None, /, **sublayers: Component) -> tuple[Component, ...]:
    """x + attention(norm(x)), then x + feed_forward(norm(x)) (Xiong et al., 2020, arXiv:2002.04745)."""
    return tuple(residual(**{f"{name}_norm": norm, name: part}) for norm, name, part in _normed(norm, sublayers))


def post_norm(norm: Component | None = None, /, **sublayers: Component) -> tuple[Component, ...]:
    """norm(x + attention(x)), then norm(x + feed_forward(x)) (Vaswani et al., 2017, arXiv:1706.03762)."""
    pairs = ((residual(**{name: part}), then(**{f"{name}_norm": norm})) for norm, name, part in _normed(norm, sublayers))
    return tuple(part for pair in pairs for part in pair)


def sandwiched(norm: Component | None = None, /, **sublayers: Component) -> tuple[Component, ...]:
    """x + norm(attention(norm(x))), then the same of the feed-forward (Ding et al., 2021, arXiv:2105.13290)."""
    return tuple(
        residual(**{f"{name}_norm": norm, name: part, f"post_{name}_norm": norm})
        for norm, name, part in _normed(norm, sublayers)
    )


def normed_after(norm: Component | None = None, /, **sublayers: Component) -> tuple[Component, ...]:
    """x + norm(attention(x)), then x + norm(feed_forward(x)) (Liu et al., 2022, arXiv:2111.09883)."""
    return tuple(residual(**{name: part, f"post_{name}_norm": norm}) for norm, name, part in _normed(norm, sublayers))


def side_by_side(norm: Component | None = None, /, **sublayers: Component) -> Component:
    """x + attention(norm(x)) + feed_forward(norm(x)), each with a norm of its own (Black et al., 2022, arXiv:2204.06745)."""
    branches = (block(**{f"{name}_norm": norm, name: part}) for norm, name, part in _normed(norm, sublayers))
    return residual(parallel(*branches))


def _normed(norm: Component | None, sublayers: Mapping[str, Component]) -> Iterator[tuple[Component, str, Component]]:
    """Yield the norm, which stands first or is called ``norm``, with each sublayer; DefinitionError unless it is one."""
    if (norm is None) is not ("norm" in sublayers):
        raise DefinitionError("The sublayers of a layer have one norm: write pre_norm(layer_norm(h), attention=…).")
    of_all = sublayers["norm"] if norm is None else norm
    yield from ((of_all, name, sublayer) for name, sublayer in sublayers.items() if name != "norm")
