"""Layers as families arrange them: where the norms of their sublayers stand."""

from __future__ import annotations

from symparams.components.flow import block, parallel, residual, then
from symparams.components.tree import Component


def pre_norm(norm: Component, **sublayers: Component) -> tuple[Component, ...]:
    """x + attention(norm(x)), then x + feed_forward(norm(x)) (Xiong et al., 2020, arXiv:2002.04745)."""
    return tuple(residual(**{f"{name}_norm": norm, name: sublayer}) for name, sublayer in sublayers.items())


def post_norm(norm: Component, **sublayers: Component) -> tuple[Component, ...]:
    """norm(x + attention(x)), then norm(x + feed_forward(x)) (Vaswani et al., 2017, arXiv:1706.03762)."""
    pairs = ((residual(**{name: sublayer}), then(**{f"{name}_norm": norm})) for name, sublayer in sublayers.items())
    return tuple(part for pair in pairs for part in pair)


def sandwiched(norm: Component, **sublayers: Component) -> tuple[Component, ...]:
    """x + norm(attention(norm(x))), then the same of the feed-forward (Ding et al., 2021, arXiv:2105.13290)."""
    return tuple(
        residual(**{f"{name}_norm": norm, name: sublayer, f"post_{name}_norm": norm}) for name, sublayer in sublayers.items()
    )


def normed_after(norm: Component, **sublayers: Component) -> tuple[Component, ...]:
    """x + norm(attention(x)), then x + norm(feed_forward(x)) (Liu et al., 2022, arXiv:2111.09883)."""
    return tuple(residual(**{name: sublayer, f"post_{name}_norm": norm}) for name, sublayer in sublayers.items())


def side_by_side(norm: Component, **sublayers: Component) -> Component:
    """x + attention(norm(x)) + feed_forward(norm(x)), each with a norm of its own (Black et al., 2022, arXiv:2204.06745)."""
    branches = (block(**{f"{name}_norm": norm, name: sublayer}) for name, sublayer in sublayers.items())
    return residual(parallel(*branches))
