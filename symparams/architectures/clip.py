"""CLIP: a text encoder and an image encoder whose outputs are compared (Radford et al., 2021, arXiv:2103.00020)."""

from symparams.architectures import Architecture, Published, clip_text_model, clip_vision_model
from symparams.architectures.clip_text_model import encoder_layer
from symparams.components import ATTENTION, Component, block, layer_norm, linear
from symparams.components.patches import PATCHES, patches, shared_space
from symparams.errors import ConfigError
from symparams.expressions.features import biases, classifier, projection, text_encoder
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import (
    L_text,
    L_vision,
    V,
    d_ff_text,
    d_ff_vision,
    d_proj,
    h_text,
    h_vision,
    image,
    max_pos,
    n_channels,
    n_labels,
    n_patches,
    patch,
)
from symparams.models.library import Key, Library, Settings, labels

HEADS = {"text_config": (512, 8), "vision_config": (768, 12)}


def whole_attention(width: Dimension) -> Component:
    """Attention that is not cut by head: each encoder has a size of head of its own."""
    return Component(ATTENTION, children=(("query_key_value", 3 * linear(width, width)), ("output", linear(width, width))))


def inner(settings: Settings, section: str) -> Settings:
    """The config of one encoder: the older spelling, text_config_dict, has the say where it is there."""
    return settings.inner(f"{section}_dict" if settings.values.get(f"{section}_dict") is not None else section)


class Within(Key):
    """A size in the config of one encoder: text_config.hidden_size."""

    def __call__(self, settings: Settings) -> int | None:
        section, _, name = self.names[0].partition(".")
        return inner(settings, section).need(name, default=self.default, least=self.least)


def n_patches_of_vision(settings: Settings) -> int | None:
    """The number of patches of the image encoder."""
    return patches(image_size=224, patch_size=32)(inner(settings, "vision_config"))


def whole_heads(settings: Settings) -> None:
    """Refuse, as the library does, a hidden size that its heads do not divide."""
    for section, (hidden_size, n_heads) in HEADS.items():
        encoder = inner(settings, section)
        width = encoder.need("hidden_size", default=hidden_size)
        number = encoder.need("num_attention_heads", default=n_heads)
        if width % number:
            raise ConfigError(f"{section}: hidden_size = {width} is not a multiple of num_attention_heads = {number}.")


CLIP = Architecture(
    "clip",
    title="CLIP",
    source="Radford et al., 2021, arXiv:2103.00020",
    tree=block(
        text_encoder=text_encoder
        * block(
            embeddings=clip_text_model.embeddings(h_text),
            encoder=L_text * encoder_layer(h_text, d_ff_text, whole_attention(h_text)),
            final_layer_norm=layer_norm(h_text),
        ),
        image_encoder=block(
            embeddings=clip_vision_model.embeddings(h_vision),
            pre_norm=layer_norm(h_vision),
            encoder=L_vision * encoder_layer(h_vision, d_ff_vision, whole_attention(h_vision)),
            final_layer_norm=layer_norm(h_vision),
        ),
        shared_space=projection * shared_space(h_text, h_vision, d_proj),
        classifier=classifier * linear(h_vision, n_labels),
    ),
    library=Library(
        base="CLIPModel",
        classes={"CLIPModel": (text_encoder, projection), "CLIPForImageClassification": (classifier,)},
        sizes={
            V: Within("text_config.vocab_size", default=49_408),
            h_text: Within("text_config.hidden_size", default=512),
            L_text: Within("text_config.num_hidden_layers", default=12),
            d_ff_text: Within("text_config.intermediate_size", default=2_048),
            max_pos: Within("text_config.max_position_embeddings", default=77),
            h_vision: Within("vision_config.hidden_size", default=768),
            L_vision: Within("vision_config.num_hidden_layers", default=12),
            d_ff_vision: Within("vision_config.intermediate_size", default=3_072),
            n_channels: Within("vision_config.num_channels", default=3),
            image: Within("vision_config.image_size", default=224),
            patch: Within("vision_config.patch_size", default=32),
            n_patches: n_patches_of_vision,
            d_proj: Key("projection_dim", default=512),
            n_labels: labels,
        },
        check=whole_heads,
    ),
    relations={d_ff_text: 4 * h_text, d_ff_vision: 4 * h_vision, **PATCHES},
    has=(text_encoder, projection, biases),
    may_have=(classifier,),
    models={
        "clip-vit-base-patch32": Published(
            {
                **{V: 49_408, h_text: 512, L_text: 12, d_ff_text: 2_048, max_pos: 77, d_proj: 512},
                **{h_vision: 768, L_vision: 12, d_ff_vision: 3_072, n_channels: 3, image: 224, patch: 32},
            },
            source="https://huggingface.co/openai/clip-vit-base-patch32/blob/main/config.json",
        ),
    },
)
