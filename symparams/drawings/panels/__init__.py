"""Panels: the inside of a block, drawn beside it: matrices with counts, and between them the parts without parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from symparams.components.feed_forward import PER_LAYER_GATE
from symparams.components.kinds import Kind, Role
from symparams.components.residual_streams import ALTUP_CORRECTION, ALTUP_PREDICTION, LAUREL
from symparams.components.tree import Component
from symparams.components.walks import leaves
from symparams.derivations.mixtures import experts_of
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import RISE
from symparams.drawings.lettering.lettering import cut
from symparams.drawings.marks import Group, Tint
from symparams.drawings.panels.attention import attention
from symparams.drawings.panels.chains import chains
from symparams.drawings.panels.experts import mixture
from symparams.drawings.panels.feed_forward import feed_forward, per_layer_gate
from symparams.drawings.panels.latent_attention import latent_attention
from symparams.drawings.panels.linear_attention import linear_attention
from symparams.drawings.panels.residual_streams import altup_correction, altup_prediction, laurel
from symparams.drawings.panels.short_convolution import short_convolution
from symparams.drawings.panels.sketch import BoxSubject, Sketch
from symparams.drawings.panels.state_space import state_space
from symparams.drawings.panels.time_mixing import channel_mixing

WIDE = (Role.PARALLEL, Role.MIXER, Role.LINEAR_ATTENTION)  # that always need the widest
WIDTHS = (104.0, 120.5, 131.0)  # of a panel: of one box after the other, of two side by side, of more

TINTS_OF_PARTS = {Role.FEED_FORWARD: Tint.FEED_FORWARD, Role.CHAIN: Tint.HEAD, Role.OTHER: Tint.HEAD}

Draw = Callable[[Sketch], Group | None]


def parts(sketch: Sketch) -> Group:
    """The panel of a block of which only its parts are known: each a box, in the order of the tree, and no wire is guessed."""
    sketch.tint, sketch.end = TINTS_OF_PARTS.get(sketch.component.role, Tint.ATTENTION), None
    shown = [leaf for leaf in leaves(sketch.component, within=True) if leaf.component.tensors]
    sketch.column([(BoxSubject(f"{sketch.path}.{leaf.path}", leaf.component), sketch.span) for leaf in shown], -RISE)
    return sketch.group()


def network(sketch: Sketch) -> Group | None:
    """The panel of a feed-forward network, or of one that also sees the token before."""
    return (feed_forward if sketch.component.state_space is None else channel_mixing)(sketch)


BY_ROLE: Mapping[Role, Draw] = {
    Role.ATTENTION: attention,
    Role.FEED_FORWARD: network,
    Role.MIXER: state_space,
    Role.LINEAR_ATTENTION: linear_attention,
    Role.SHORT_CONVOLUTION: short_convolution,
    Role.CHAIN: chains,
}
BY_KIND: Mapping[Kind, Draw] = {
    PER_LAYER_GATE: per_layer_gate,
    ALTUP_PREDICTION: altup_prediction,
    ALTUP_CORRECTION: altup_correction,
    LAUREL: laurel,
}


def panel(component: Component, path: str, context: DrawingContext, width: float, *, is_open: bool = False) -> Group | None:
    """Return the inside of a block, in this width; None for a block that is one matrix, or none.

    Of a mixture that ``is_open`` what is inside one expert is shown, too.

    Of branches side by side, a mixture of experts and the expert that all tokens share, there is one panel: ``component`` is
    then what holds both, and ``path`` that of the layer in which they stand.
    """
    asked = (path, component.role, width, is_open)
    if asked not in context.panels:
        context.panels[asked] = _panel(component, path, context, width, is_open=is_open)
    return context.panels[asked]


def _panel(component: Component, path: str, context: DrawingContext, width: float, *, is_open: bool) -> Group | None:
    if component.role is Role.PARALLEL:
        return _beside(component, path, context, width, is_open=is_open)
    if (
        component.role is Role.BLOCK
        or component.role.is_flow
        or (
            component.streams is None
            and len([leaf for leaf in leaves(component) if leaf.component.tensors or leaf.component.role is Role.ABSENT]) < 2
        )
    ):
        return None
    if experts_of(component) is not None and (drawn := mixture(Sketch(context, path, component, width), is_open=is_open)):
        return drawn
    draw = latent_attention if _is_latent(component) else BY_KIND.get(component.kind, BY_ROLE.get(component.role, parts))
    return draw(Sketch(context, path, component, width)) or parts(Sketch(context, path, component, width))


def wish(component: Component, path: str, context: DrawingContext) -> float:
    """Return the width that the panel asks for: little, more if lines then break less; 0 without a panel."""
    narrow, wide, widest = (width * context.widening for width in WIDTHS)
    if _is_latent(component) or component.role in WIDE or experts_of(component) is not None:
        return widest if panel(component, path, context, widest) is not None else 0.0
    drawn, wider = (panel(component, path, context, width) for width in (narrow, wide))
    if drawn is None or wider is None:
        return 0.0
    return wide if wider.height < drawn.height or cut(drawn.marks) > cut(wider.marks) else narrow


def _is_latent(component: Component) -> bool:
    return component.attending is not None and component.attending.latent is not None


def _beside(component: Component, path: str, context: DrawingContext, width: float, *, is_open: bool) -> Group | None:
    """The panel of a mixture and of what stands beside it; None of other branches, which are blocks by themselves."""
    mixtures = [name for name, child in component.body if child.is_sublayer and experts_of(child) is not None]
    if len(mixtures) != 1 or len(component.body) != 2 or not all(name for name, _ in component.body):
        return None
    children = dict(component.body)
    [shared] = children.keys() - set(mixtures)
    of = {name: f"{path}.{name}" if path else name for name in children}
    sketch = Sketch(context, of[mixtures[0]], children[mixtures[0]], width)
    return mixture(sketch, BoxSubject(of[shared], children[shared]), is_open=is_open)
