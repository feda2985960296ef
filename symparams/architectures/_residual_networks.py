"""ResNet as a backbone: a stem, and four stages of bottlenecks, of which a model trains some or none (He et al., 2016,
arXiv:1512.03385)."""

from __future__ import annotations

from collections.abc import Iterator

from symparams.architectures._bottlenecks import behind_frozen, bottleneck, frozen, shortcut, stem
from symparams.architectures._stages import DEPTHS, WIDTHS
from symparams.components import Component, block, parallel, rectified, residual, seeing, then
from symparams.expressions.nodes import Expression, Number
from symparams.expressions.symbols import h_0, n_channels, s
from symparams.expressions.written import times
from symparams.features import Feature

FIRST_TRAINED = 2  # of the stages; the ones before it are always frozen


def positions(stage: int) -> Expression:
    """The positions of a feature map, of the stem's as 0: s behind the last stage, and four times as many before each."""
    return times(Number(4 ** (len(WIDTHS) - max(stage, 1))), s)


def residual_stages(trained: Feature) -> Component:
    """Stem and stages; the first stage is frozen with the stem, the others are too unless they are ``trained``."""
    first = frozen(seeing(stem(h_0, n_channels, 4 * positions(0)), positions(0)))
    return block(first, *(part for stage in range(1, len(WIDTHS) + 1) for part in _stage(stage, trained)))


def _stage(stage: int, trained: Feature) -> Iterator[Component]:
    """The first layer of a stage, which has a way of its own beside its bottleneck, and the others."""
    narrow, width, depth = (h_0, *WIDTHS)[stage - 1], WIDTHS[stage - 1], DEPTHS[stage - 1]
    before = positions(stage - 1) if stage > 1 else None
    ways = bottleneck(narrow, width, before=before), shortcut(narrow, width)
    for is_trained in (False, True) if stage > 1 else (False,):
        own, beside = map(behind_frozen, ways) if is_trained and stage == FIRST_TRAINED else ways
        first, other = (
            block(f"stage_{stage}_layer", rectified(sum_))
            for sum_ in (parallel(then(bottleneck=own), beside), residual(bottleneck=bottleneck(width, width)))
        )
        parts = {f"stage_{stage}_first": first, f"stage_{stage}": (depth - 1) * other}
        for name, part in parts.items():
            here = seeing(part if is_trained else frozen(part), positions(stage))
            gated = here if stage < FIRST_TRAINED else (trained if is_trained else ~trained) * here
            yield then(**{name: gated})
