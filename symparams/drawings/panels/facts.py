"""Facts of a block that its panel says in words: what it is called, how it attends, with which activation."""

from __future__ import annotations

from collections.abc import Iterator

from symparams.components.attention import SEGMENT_VECTORS
from symparams.components.facts import Adjusting, AttentionFacts, Projection
from symparams.components.kinds import PartRole, Role, Use
from symparams.components.purposes import by_purpose
from symparams.components.tree import Component
from symparams.components.walks import components, is_gated
from symparams.derivations.mixtures import GATINGS, activation_of, experts_of
from symparams.drawings.context import DrawingContext, Runs
from symparams.drawings.lettering.lettering import ROUGHLY
from symparams.expressions.nodes import Expression, Number
from symparams.expressions.written import ONE, replaced
from symparams.models.windows import Extent, extent_of_positions, extent_of_window, window_values
from symparams.quantities.setting import CHOSEN

# What the catalogues call attention after its positions; rotary ones stand on the wires.
ROTARY = "rotary"
NORMS = ("query_norm", "key_norm")
ONE_TIMES = "1"  # by which nothing changes
POSITIONS = {"alibi": "alibi", "relative bias": "biased", "relative": "relative", "added": "added"}


def called(context: DrawingContext, path: str, component: Component, *, is_short: bool = False) -> str:
    """Return the name of a block in a drawing: Masked self-attention, SwiGLU, Mixture of experts; else its own.

    ``is_short`` is for a box beside its panel: Attention (GQA).
    """
    key = next(_names(context, path, component), "")
    if is_short and f"drawing.blocks.in_short.{key}" in context.words.entries:
        return context.sentence(f"blocks.in_short.{key}")
    return context.sentence(f"blocks.{key}") if key else context.name(path.rpartition(".")[2])


def named_on_spine(context: DrawingContext, component: Component, path: str) -> str:
    """Return the name of a part in a figure: a norm's kind, a computation's kind, a layer's block as its panel is called."""
    if component.role in (Role.NORM, Role.ABSENT):
        name = context.name(component.kind.name)
        is_joined = component.role is Role.ABSENT and component.reads  # what stands beside the stream is named with it
        return context.sentence("reading", name=name, of=context.owner(component.reads)) if is_joined else name
    if component.role is Role.PARALLEL:
        return context.sentence("blocks.experts")
    name = called(context, path, component, is_short=True)
    tied = [tensor for tensor in component.tensors if tensor.tied_to]
    if not 0 < len(tied) < len(component.tensors):
        return name
    is_bias = all(tensor.use is Use.BIAS for tensor in tied)
    return context.sentence("bias_tied" if is_bias else "partly_tied", name=name)


def source(context: DrawingContext, reads: str) -> str:
    """Return what a block reads beside the stream: the encoder; without a word in the catalogue, as its definition has it."""
    known = context.words.entries.get(f"drawing.sources.{reads}")
    return reads.replace("_", " ") if known is None else str(known)


def activation(context: DrawingContext, path: str, component: Component) -> str:
    """The activation that a block has here, by its name."""
    return context.activation(activation_of(context.model, path, component))


def adjustments(context: DrawingContext, component: Component) -> list[Runs]:
    """What numbers that nothing learns do to the output of a part: "× √h", "capped at ±30"; not what changes nothing."""
    done = []
    for adjustment in component.adjusted:
        by = (adjustment.by,) if isinstance(adjustment.by, Expression) else _chosen(context, adjustment.by)
        if by != ONE_TIMES and (by or adjustment.adjusting is not Adjusting.CAP):
            number = by or context.sentence(f"adjusted.by.{adjustment.by}")
            done.append(context.runs(f"adjusted.{adjustment.adjusting.value}", number=number))
    return done


def _chosen(context: DrawingContext, name: str) -> str:
    """The number that a config has under a choice, to three digits; "" where none is known."""
    value = context.model.choices.get(name)
    if value is None:
        return ""
    short = f"{float(value):.3g}"
    return short if float(short) == float(value) else f"{ROUGHLY} {short}"


def heads(context: DrawingContext, attending: AttentionFacts) -> str:
    """Return how many key-value heads serve the query heads: as many, one, or a number between."""
    queries, shared = attending.heads.number, attending.kv_heads.number
    return "multi_head" if context.equal(queries, shared) else "multi_query" if context.equal(shared, ONE) else "grouped"


def attends(context: DrawingContext, component: Component) -> Runs:
    """Return the words of attention's pill: causal or not, its heads, its window, positions that act on its scores."""
    attending = component.attending
    assert attending is not None
    positions = POSITIONS.get(attending.positions, "")
    segments = "segments" if any(child.kind == SEGMENT_VECTORS for _, child in component.children) else ""
    kinds = ("causal" if attending.causal else "plain", positions, segments)
    kind = context.sentence("attention." + "_".join(filter(None, kinds)))
    queries, shared = attending.heads.number, attending.kv_heads.number
    manner = "one_head" if context.equal(queries, ONE) else heads(context, attending)
    text = context.runs(f"attention.{manner}", kind=kind, n_heads=queries, n_kv_heads=shared)
    if attending.indexer is not None:
        text = context.runs("attention.indexed", attention=text, keys=_keys(context, attending))
    turned = turned_in(context, attending)
    if turned and not _is_turned_within(context, attending):
        text = context.runs("attention.rotary_in", attention=text, layers=turned)
    text = _windowed(context, attending, _shifted(context, attending, text))
    capped = _capped(context, attending)
    return context.runs("attention.capped", attention=text, capped=capped) if capped else text


def _capped(context: DrawingContext, attending: AttentionFacts) -> str:
    """That the scores of attention are brought below a number; "" where they are not."""
    cap = _chosen(context, attending.capped)
    return context.sentence("attention.scores_capped", number=cap) if cap else ""


def _shifted(context: DrawingContext, attending: AttentionFacts, text: Runs) -> Runs:
    """The same with windows beside one another that some of the layers shift."""
    if attending.tiles is None or attending.tiles.shifted is None or attending.tiles.shifted.share is None:
        return text
    within = _share(context, attending.tiles.shifted.share)
    return context.runs("attention.shifted_windows", attention=text, window=attending.tiles.width, layers=within)


def _keys(context: DrawingContext, attending: AttentionFacts) -> Expression:
    """The number of keys that an indexer picks, as the model's config says it."""
    assert attending.indexer is not None
    sizes = {letter: context.model.choices.get(name) for name, letter in CHOSEN.items()}
    return replaced(attending.indexer.keys, {letter: Number(size) for letter, size in sizes.items() if isinstance(size, int)})


def is_turned(context: DrawingContext, attending: AttentionFacts) -> bool:
    """True if rotary positions turn queries and keys in any layer."""
    return attending.positions == ROTARY and not extent_of_positions(context.model, attending).is_nowhere


def turned_in(context: DrawingContext, attending: AttentionFacts) -> str:
    """Return the layers in which queries and keys are turned; "" if these are all layers or none."""
    return layers(context, extent_of_positions(context.model, attending)) if is_turned(context, attending) else ""


def block_facts(context: DrawingContext, component: Component) -> str:
    """Return what a block has that a panel shows in words: attention its norms, the layers in which it is turned, its window; a
    mixture the function that makes its router's scores; or "".
    """
    phrases = [] if component.attending is None else [*_attention_facts(context, component, component.attending)]
    routers = (part for _, part in components(component) if Projection.ROUTER in part.makes and part.role is Role.MATRIX)
    scored = dict.fromkeys(activation(context, "", router) for router in routers)
    phrases += [context.sentence("description.routed", function=function) for function in scored if function]
    return context.sentence("description.and").join(phrases)


def _attention_facts(context: DrawingContext, component: Component, attending: AttentionFacts) -> Iterator[str]:
    if attending.positions == "added":
        yield context.sentence("description.placed")
    if attending.normed and any(word in NORMS for word in by_purpose(component)):
        yield context.sentence("description.normed")
    if attending.indexer is not None:
        keys = _keys(context, attending)
        value = context.value(keys)
        yield context.sentence("description.indexed", keys=context.plain(keys) if value is None else value)
    turned = turned_in(context, attending)
    if turned and not _is_turned_within(context, attending):
        yield context.sentence("description.rotary_in", layers=turned)
    if capped := _capped(context, attending):
        yield capped
    extent = extent_of_window(context.model, attending)
    if extent.is_nowhere:
        return
    window = window_size(context, attending)
    value, within = context.value(window), layers(context, extent)
    size = context.plain(window) if value is None else value
    yield context.sentence(
        f"description.{_window(context, attending, within)}", window=size, **({"layers": within} if within else {})
    )


def _windowed(context: DrawingContext, attending: AttentionFacts, text: Runs) -> Runs:
    """The same with the window, and in which layers it is, where that is not all of them; without one as it is."""
    extent = extent_of_window(context.model, attending)
    if extent.is_nowhere:
        return text
    window, within = window_size(context, attending), layers(context, extent)
    for dimension in attending.window.dimensions if attending.window else ():
        context.fixed(dimension)
    return context.runs(
        f"attention.{_window(context, attending, within)}",
        attention=text,
        window=window,
        **({"layers": within} if within else {}),
    )


def _window(context: DrawingContext, attending: AttentionFacts, within: str) -> str:
    """The key of what the catalogues say of a window, or of a chunk: in all layers, in some, or in those that are turned;
    of one beside which there are global tokens.
    """
    if attending.banded:
        return "window_and_global"
    turned = "rotary_" if _is_turned_within(context, attending) else ""
    return turned + ("chunk" if attending.chunked else "window") + ("_in" if within else "")


def _is_turned_within(context: DrawingContext, attending: AttentionFacts) -> bool:
    """True if the layers that are turned are those that have the window, and not all."""
    extents = (extent_of_window(context.model, attending), extent_of_positions(context.model, attending))
    return bool(turned_in(context, attending)) and extents[0] == extents[1]


def window_size(context: DrawingContext, attending: AttentionFacts) -> Expression:
    """Return the number of tokens of attention's window, as far as the model says."""
    assert attending.window is not None
    values = {**window_values(context.model), **context.model.values}
    return replaced(attending.window, {of: Number(value) for of, value in values.items()})


def layers(context: DrawingContext, extent: Extent) -> str:
    """Return the layers of something: every second one, 13 of 26, or both; "" if these are all."""
    if extent.is_everywhere:
        return ""
    share = _share(context, extent.share) if extent.share else ""
    for dimension in {dimension for leaf in context.model.leaves for dimension in leaf.times.dimensions}:
        context.fixed(dimension)  # as the extent was worked out
    if extent.counted is None:
        return share or context.sentence("which_layers.some")
    number, of = extent.counted
    if not share:
        return context.sentence("which_layers.counted", number=number, of=of)
    return context.sentence("which_layers.both", share=share, number=number, of=of)


def _share(context: DrawingContext, share: tuple[int, int]) -> str:
    if share == (1, 2):
        return context.sentence("which_layers.every_second")
    some, every = share
    return context.sentence("which_layers.share", some=some, every=every)


def _names(context: DrawingContext, path: str, component: Component) -> Iterator[str]:
    """The keys of what a block may be called, the most exact first."""
    if component.role is Role.FEED_FORWARD and component.state_space:
        yield "channel_mixing"
    elif component.role is Role.FEED_FORWARD:
        if experts_of(component) is not None:
            yield "experts"
        elif is_gated(component):
            yield GATINGS.get(activation_of(context.model, path, component), "gated")
        elif _is_network(context, path):
            yield "feed_forward"
    elif component.role is Role.LINEAR_ATTENTION and component.state_space:
        yield component.state_space.recurrence
    elif component.role is Role.SHORT_CONVOLUTION:
        yield "short_convolution"
    elif component.role is Role.MIXER:
        yield "dual_state_space" if component.state_space and component.state_space.heads else "state_space"
    elif component.attending is not None and component.attending.latent is not None:
        yield "latent_attention"
    elif component.role is Role.ATTENTION and component.attending is not None:
        yield _attention(context, component, component.attending)


def _is_network(context: DrawingContext, path: str) -> bool:
    """True if a block is the network of its layer, not one beside it that all tokens share."""
    roles = {leaf.part.role for leaf in context.model.leaves if leaf.sublayer and leaf.sublayer[0] == path}
    return roles == {PartRole.FEED_FORWARD}


def _attention(context: DrawingContext, component: Component, attending: AttentionFacts) -> str:
    if component.reads:
        return "cross_attention"
    shared = heads(context, attending)
    if shared != "multi_head":
        return shared
    return "masked_self_attention" if attending.causal else "self_attention"
