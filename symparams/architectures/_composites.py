"""Parts of composites: a tower that reads images, a projector, and a text model, each with letters of its own.

The trees are those of the families that the parts come from; h of a text model is h_text here, h of a tower h_vision.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from types import MappingProxyType

from symparams.architectures._decoders import TOKENS
from symparams.architectures._definition import FEATURES, Architecture, features_of
from symparams.components import (
    Adjustment,
    Component,
    Gives,
    Projection,
    Rows,
    adjusted,
    block,
    convolution,
    embedding,
    giving,
    layer_norm,
    linear,
    output_head,
    parallel,
    reading,
    rotary,
    seeing,
)
from symparams.components.facts import Stream
from symparams.components.flow import is_layer
from symparams.components.letters import feature_in, in_letters, written_in
from symparams.components.walks import components
from symparams.errors import DefinitionError
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.symbols import (
    BY_NAME,
    V,
    d_proj,
    frames,
    h,
    h_text,
    h_vision,
    merge,
    n_channels,
    n_deepstack,
    n_frames,
    n_image_patches,
    n_positions,
    patch,
)
from symparams.features import Feature, lm_head, tying, vision
from symparams.features import audio as has_audio
from symparams.records import frozen


@frozen
class Renaming:
    """The letters and the names of features that a part has in a composite: those that end, or begin, with its ``word``."""

    word: str
    letters: Mapping[Dimension, Dimension]
    features: Mapping[str, Feature]

    def letter(self, dimension: Dimension) -> Dimension:
        """The letter of a size of the part."""
        return self.letters.get(dimension, dimension)

    def feature(self, feature: Feature) -> Feature:
        """The feature of the composite that is one of the part."""
        return feature_in(feature, self.features)


def _letters(ending: str) -> Mapping[Dimension, Dimension]:
    return {letter: BY_NAME[f"{name}_{ending}"] for name, letter in BY_NAME.items() if f"{name}_{ending}" in BY_NAME}


def _features(beginning: str) -> Mapping[str, Feature]:
    return {name.removeprefix(f"{beginning}_"): FEATURES[name] for name in FEATURES if name.startswith(f"{beginning}_")}


TEXT, VISION, AUDIO = _letters("text"), _letters("vision"), _letters("audio")
RENAMINGS = (
    Renaming("text", TEXT, {}),
    Renaming("image", VISION, _features("image")),
    Renaming("audio", AUDIO, _features("audio")),
)
RENAMED = {renaming.word: renaming for renaming in RENAMINGS}

# A patch of Qwen2-VL is a square in so many frames of a video; an image is a video of equal frames (arXiv:2409.12191).
video, biased_video = (
    replace(
        convolution(h, n_channels, frames, patch, patch, bias=bias, tokens=n_image_patches, reads_data=True),
        makes=(Projection.PATCHES,),
    )
    for bias in (False, True)
)
patches_of_videos = block(patch_embedding=video, positions=rotary())
# Qwen3-VL adds to each the row of a table of positions, interpolated to the size of the image (arXiv:2511.21631).
patches_at_positions = block(
    parallel(
        patch_embedding=biased_video,
        position_embedding=embedding(n_positions, h, of=Rows.POSITIONS),
    ),
    positions=rotary(),
)


def of_images(tower: Component) -> Component:
    """A component of an image encoder, in the letters of the tower."""
    return in_letters(tower, VISION)


def of_text(model: Component) -> Component:
    """A component of a text model, in its letters within the composite."""
    return in_letters(model, TEXT)


def text_relations(relations: Mapping[Dimension, Expression]) -> dict[Dimension, Expression]:
    """The relations of a text model, in its letters within the composite."""
    return {TEXT.get(letter, letter): written_in(value, TEXT) for letter, value in relations.items()}


def vision_language(
    image_encoder: Component, projector: Component, decoder: Component, *heads: str, deepstack: Component | None = None
) -> Component:
    """A decoder-only family that reads, beside its tokens, what a projector makes of an encoded image (arXiv:2304.08485).

    ``image_encoder`` is a tower and ``decoder`` the tree of a family, both in the plain letters; ``heads`` are the heads of
    the family that the composite has, which stand outside of the text model. Without ``vision`` the text model is alone.
    The first layers of the text model read, besides, what ``deepstack`` makes of earlier layers of the image encoder.
    """
    parts, deep = dict(of_text(decoder).body), {} if deepstack is None else {"deepstack": vision * deepstack}
    if deep:
        parts["decoder"] = reading(parts["decoder"], "deepstack")
    return block(
        image_encoder=vision * of_images(image_encoder),
        projector=vision * projector,
        **deep,
        text_model=reading(block(**{name: part for name, part in parts.items() if part.gives is None}), "projector"),
        **{name: _tied(parts[name]) for name in heads},
    )


@frozen
class Part:
    """A ``family`` as a part of a composite: its component, what holds between its sizes, and its usual features, as there.

    ``tokens`` is the path of its table of tokens, that to which its head is tied; "" where there is none. ``logits`` is what is
    done to the output of that head.
    """

    family: str
    component: Component
    relations: Mapping[Dimension, Expression]
    identities: Mapping[Dimension, Expression]
    has: tuple[Feature, ...]
    tokens: str = ""
    logits: tuple[Adjustment, ...] = ()


def text_part(family: Architecture) -> Part:
    """A text model without its heads, which the composite has; DefinitionError for what is not one that writes by itself."""
    parts = [part for _, part in components(family.tree)]
    writes = any(part.state_space or (part.attending and part.attending.causal and part.attending.cached) for part in parts)
    reads_more = any(part.reads in (Stream.ENCODER, Stream.TARGET_TOKENS) and not part.when for part in parts)
    is_alone = not family.of and not any(Projection.PATCHES in part.makes for part in parts)
    if not (writes and is_alone and any(part.gives is Gives.NEXT_TOKEN for part in parts)) or reads_more:
        raise DefinitionError(f"{family.title} is not a text model that a composite can have.")
    body = tuple((name, part) for name, part in family.tree.body if part.gives is None)
    paths = frozenset(path for path, _ in components(family.tree) if path)
    part = _part(family, _rooted(replace(family.tree, body=body), "text_model", paths), RENAMED["text"])
    head = next(head for _, head in family.tree.body if head.gives is Gives.NEXT_TOKEN)
    return replace(part, tokens=_tokens(family.tree), logits=head.adjusted)


def image_part(family: Architecture) -> Part:
    """An image encoder with all that it has by itself; nothing reads its heads. DefinitionError for what sees no patches."""
    if not any(Projection.PATCHES in part.makes for _, part in components(family.tree)) or family.tree.tokens is None:
        raise DefinitionError(f"{family.title} is not an image encoder that a composite can have.")
    usual = {feature.name for feature in family.has}
    kept = [(name, part) for name, part in family.tree.body if not part.gives or all(gate.name in usual for gate in part.when)]
    body = tuple((name, replace(part, gives=None, unread=True) if part.gives else part) for name, part in kept)
    return _part(family, replace(family.tree, body=body), RENAMED["image"])


def audio_part(family: Architecture) -> Part:
    """An encoder of sounds; DefinitionError for what sees no frames."""
    if n_frames not in (family.tree.tokens.dimensions if isinstance(family.tree.tokens, Expression) else ()):
        raise DefinitionError(f"{family.title} is not an encoder of sounds that a composite can have.")
    return _part(family, family.tree, RENAMED["audio"])


def _rooted(component: Component, root: str, paths: Collection[str]) -> Component:
    """A component whose parts read what stands at these paths within a root."""
    body = tuple((name, _rooted(child, root, paths)) for name, child in component.body)
    reads = f"{root}.{component.reads}" if component.reads in paths else component.reads
    return replace(component, body=body, reads=reads)


def _part(family: Architecture, tree: Component, renaming: Renaming) -> Part:
    component = in_letters(tree, renaming.letters, renaming.features)
    there = features_of(component)
    usual = (renaming.feature(feature) for feature in family.has)
    relations, identities = (
        {renaming.letter(d): written_in(value, renaming.letters) for d, value in known.items()}
        for known in (family.relations, family.identities)
    )
    has = tuple(feature for feature in usual if feature.name in there and feature != tying)
    return Part(family.name, component, relations, identities, has)


def composite(
    name: str,
    image_encoder: Part,
    projector: Component,
    text_model: Part,
    *,
    title: str,
    source: str,
    audio: tuple[Part, Component] | None = None,
    relations: Mapping[Dimension, Expression] = MappingProxyType({}),
    has: tuple[Feature, ...] = (),
) -> Architecture:
    """The family of a text model that reads, beside its tokens, what a projector makes of an encoded image (arXiv:2304.08485).

    Its head is a matrix without a bias, tied to the tokens of the text model where the composite ties. Beside images it reads
    what a projector makes of encoded sounds, where there is ``audio``: the encoder, and the projector. What holds in its parts
    holds in it, with more ``relations``; it has what they have, and ``has`` besides.
    """
    if both := features_of(image_encoder.component).keys() & features_of(text_model.component).keys():
        raise DefinitionError(f"An image encoder and a text model cannot both have a feature {min(both)}: rename one of them.")
    tokens = f"text_model.{text_model.tokens}"
    parts, sounds = [text_model, image_encoder], dict[str, Component]()
    if audio is not None:
        parts.append(audio[0])
        sounds = {"audio_encoder": has_audio * audio[0].component, "audio_projector": has_audio * audio[1]}
    tree = block(
        **sounds,
        image_encoder=vision * image_encoder.component,
        projector=vision * projector,
        text_model=reading(text_model.component, "projector"),
        lm_head=lm_head * adjusted(output_head(h_text, V, tied_to=tokens), *text_model.logits),
    )
    return Architecture(
        name,
        title=title,
        source=source,
        of=tuple(part.family for part in parts),
        tree=tree,
        relations={**{letter: value for part in parts for letter, value in part.relations.items()}, **relations},
        identities={letter: value for part in parts for letter, value in part.identities.items()},
        has=(vision, lm_head, *has, *text_model.has, *image_encoder.has),
    )


def with_unread_layers(image_encoder: Part, choice: str) -> Part:
    """The image encoder where a choice of the config says how many of its last layers nothing reads."""
    body = ((name, replace(part, unread=choice) if is_layer(part) else part) for name, part in image_encoder.component.body)
    return replace(image_encoder, component=replace(image_encoder.component, body=tuple(body)))


def tokens_of(image_encoder: Part, *, but: int = 0) -> Expression:
    """The tokens of an image that an encoder gives, or all but so many."""
    tokens = image_encoder.component.tokens
    assert isinstance(tokens, Expression)
    return as_written(multiply_out(tokens - but, {}))


def of_layers(component: Component, image_encoder: Part) -> Component:
    """A part that reads what the layers of an image encoder give, below all that stands above them."""
    _, last = image_encoder.component.children[-1]
    return component if is_layer(last) else reading(component, Stream.LAYERS)


def _tokens(tree: Component) -> str:
    """The path of the table of tokens, of several that to which the head is tied; "" where there is none."""
    heads = (part for _, part in components(tree) if part.gives is Gives.NEXT_TOKEN)
    tied = next((tensor.tied_to for head in heads for tensor in head.tensors if tensor.tied_to), "")
    return tied or next((path for path, part in components(tree) if part.rows is Rows.TOKENS), "")


def merger(**norm: Component) -> Component:
    """The projector of Qwen2-VL: of a square of merge² normed patches two layers make one token (arXiv:2409.12191)."""
    side_by_side = merge**2 * h_vision
    merged = block(
        **norm,
        patch_merging=linear(side_by_side, side_by_side, bias=True, activation="gelu"),
        output_projection=linear(side_by_side, d_proj, bias=True),
    )
    return seeing(merged, n_image_patches / merge**2)


# What as many earlier layers give, a merger each, is added to the text's tokens of the image after as many of its first layers
# (DeepStack; Meng et al., 2024, arXiv:2406.04334).
deepstack = giving(
    n_deepstack
    * replace(
        reading(merger(layer_norm=layer_norm(merge**2 * h_vision)), Stream.EARLIER_LAYERS),
        name="deepstack_merger",
        is_named=True,
        unread="unread_mergers",
    ),
    Gives.DEEPSTACK,
)


def _tied(head: Component) -> Component:
    """A head tied to the tokens of its text model, where these stand in the composite."""
    tensors = (replace(t, tied_to=f"text_model.{TOKENS}") if t.tied_to else t for t in head.tensors)
    return replace(head, tensors=tuple(tensors))
