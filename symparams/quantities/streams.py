"""Streams: how many tokens of a sequence each part of a tree sees, and which parts do not run.

The tokens of a decoder are the new ones, those of an encoder beside it the source's, those of an image its patches and the
vectors that stand before them, those of a sound what the second convolution leaves; a head over a whole sequence sees one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from symparams.components.kinds import Role
from symparams.components.relative_attention import RELATIVE_ATTENTION
from symparams.components.tree import Component
from symparams.expressions.nodes import Expression, Number, Quotient
from symparams.expressions.symbols import max_source, merge, n_image_patches, n_image_tokens, n_patches, s, s_src, t
from symparams.expressions.written import ONE, times, total
from symparams.quantities.kv_cache import ENCODERS
from symparams.quantities.setting import Setting

ENCODER, DECODER, IMAGES, PROJECTOR = "encoder", "decoder", "image_encoder", "projector"
POOLING = f"{IMAGES}.attention_pooling"
# What stands in one sequence with the patches of an image; a mask token stands in the place of a patch.
BEFORE_PATCHES = ("class_token", "distillation_token")
# A part that reads one token of a sequence, or the mean of all.
OF_A_SEQUENCE = frozenset({"first token", "second token", "last token", "end token", "mean of the patches"})
# Heads over a whole sequence, whatever they read.
SEQUENCE_HEADS = frozenset({"nsp_head", "sop_head", "sequence_summary", "label_summary", "image_projection", "shared_space"})
CLASSIFIER, LM_HEAD = "classifier", "lm_head"
# The library multiplies every token by such a classifier, and takes the last one's labels.
READ_AFTERWARDS = "last token"


@dataclass(frozen=True)
class Place:
    """A component where it stands: its path, how often data passes through it, and what it and those around it read."""

    path: str
    component: Component
    passes: Expression = ONE
    reads: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """Its own name, the last of its path."""
        return self.path.rpartition(".")[2]

    def parts(self) -> Iterator[Place]:
        """What it consists of, where that stands; a block that is reused is passed more often than it is stored."""
        for name, part in self.component.children:
            path = f"{self.path}.{name}" if self.path else name
            passes = times(self.passes, part.applied or part.times)
            yield Place(path, part, passes, self.reads | {part.reads} if part.reads else self.reads)


@dataclass(frozen=True)
class Streams:
    """The streams of a tree under a setting, each by its tokens a sequence."""

    tree: Component
    setting: Setting

    @cached_property
    def parts(self) -> Mapping[str, Component]:
        """The parts of the tree by name."""
        return dict(self.tree.children)

    @property
    def has_cache(self) -> bool:
        """Whether there are tokens in the cache: the encoder has run then, and images have been read."""
        return t in self.setting.given

    @cached_property
    def has_encoder(self) -> bool:
        """Whether an encoder stands beside the decoder."""
        return ENCODER in self.parts and DECODER in self.parts

    @property
    def has_source(self) -> bool:
        """Whether cross-attention has something to read: what an encoder wrote, this model's or another one's."""
        return self.has_encoder or s_src in self.setting.given

    @cached_property
    def is_sound(self) -> bool:
        """Whether the encoder hears: its length is fixed."""
        return "first_convolution" in dict(self.parts.get("encoder_embeddings", self.tree).children)

    @cached_property
    def windowed(self) -> list[tuple[str, Expression]]:
        """Where attention has a window in some of its layers, by path, and how many layers it has."""
        return [(place.path, place.passes) for place in self._mixing(Place("", self.tree)) if _window_of(place)]

    def _mixing(self, place: Place) -> Iterator[Place]:
        """Where tokens meet: attention and state spaces."""
        if place.component.attending or place.component.role is Role.MIXER:
            yield place
        for part in place.parts():
            yield from self._mixing(part)

    @property
    def decodes(self) -> bool:
        """Whether it writes token by token, and so keeps what it has computed of those before."""
        places = [place.component for place in self._mixing(Place("", self.tree))]
        sees_before = any(each.attending and each.attending.causal and each.kind != RELATIVE_ATTENTION for each in places)
        return (sees_before and self.setting.family not in ENCODERS) or any(each.role is Role.MIXER for each in places)

    @property
    def source(self) -> Expression:
        """The tokens that cross-attention reads."""
        return max_source if self.is_sound else s_src

    def length(self, path: str) -> Expression:
        """The tokens of the stream in which a part stands."""
        top = path.partition(".")[0]
        if path.startswith(POOLING):
            return ONE
        if top == PROJECTOR:
            return self._projected
        if top == IMAGES or (IMAGES not in self.parts and _before_patches(self.tree) is not None):
            before = _before_patches(self.parts.get(IMAGES, self.tree)) or 0
            return total([self.patches, Number(before)]) if before else self.patches
        if self.is_sound and (DECODER not in self.parts or top.startswith(ENCODER)):
            return max_source
        return s_src if self.has_encoder and top.startswith(ENCODER) else s

    def seen(self, place: Place) -> Expression:
        """How many tokens of a sequence a leaf layer sees."""
        top = place.path.partition(".")[0]
        if place.path.endswith("embeddings.patch_embedding") or top == "mim_head":
            return self.patches
        if top == CLASSIFIER:
            return self._classified(place)
        if top == LM_HEAD:
            return self._logits(place)
        is_whole = place.component.reads in OF_A_SEQUENCE or top in SEQUENCE_HEADS
        return ONE if is_whole else self.length(place.path)

    def is_idle(self, path: str) -> bool:
        """Whether a part does not run: what was read before the first token of a decoder is not read again."""
        top = path.partition(".")[0]
        was_read = (self.has_encoder and top.startswith(ENCODER)) or top in (IMAGES, PROJECTOR)
        return (was_read and self.has_cache) or ("cross_attention" in path.split(".") and not self.has_source)

    @property
    def patches(self) -> Expression:
        """The patches of an image: as many as the model is built for, or, where patches are merged, of any image."""
        projector = self.parts.get(PROJECTOR)
        return n_image_patches if projector and "patch_merging" in dict(projector.children) else n_patches

    @property
    def _projected(self) -> Expression:
        """The tokens that an image becomes in the text: its patches, merged or averaged where the projector does so."""
        names = dict(self.parts[PROJECTOR].children)
        if "patch_merging" in names:
            return Quotient(self.patches, merge**2)
        return n_image_tokens if "rms_norm" in names else self.patches

    def _classified(self, place: Place) -> Expression:
        """The tokens that the classifier sees: all of them, or one of a sequence."""
        if READ_AFTERWARDS in place.reads:
            return self.length(place.path)
        if self.is_sound:  # the library projects every frame, and takes their mean
            return self.length(place.path) if place.name == "projection" else ONE
        is_each = self.setting.is_over_tokens and not place.reads & OF_A_SEQUENCE
        return self.length(place.path) if is_each else ONE

    def _logits(self, place: Place) -> Expression:
        logits = self.setting.logits
        if logits == "all":
            return self.length(place.path)
        return ONE if logits == "last" else Number(int(logits))


def _before_patches(tower: Component) -> int | None:
    """How many vectors stand before the patches of an image; None where nothing reads images."""
    embeddings = dict(tower.children).get("embeddings")
    names = [name for name, _ in embeddings.children] if embeddings else []
    return sum(name in BEFORE_PATCHES for name in names) if "patch_embedding" in names else None


def _window_of(place: Place) -> Expression | None:
    return place.component.attending.window if place.component.attending else None
