"""A text model that reads images, as the files of the hub have it: flat or nested, most keys left to the defaults."""

from __future__ import annotations

import random

import pytest

from symparams.architectures import architecture
from symparams.models.library import library
from tests.library import require
from tests.library.oracle import CONFIGURATIONS, Counter, build, configuration, ours, spaces

require("torch", "transformers")
pytestmark = pytest.mark.filterwarnings("ignore")  # what the library warns of is its own

COMPOSITES = ("llava", "gemma3", "qwen2_vl", "qwen2_5_vl")
CLASSES = [(family, name) for family in COMPOSITES for name in library(architecture(family)).classes]
NOTHING = [(family, name, {}) for family, name in CLASSES]


@pytest.mark.parametrize(("family", "class_name"), CLASSES)
def test_a_file_counts_as_the_library_reads_it(family, class_name):
    """What the library writes has every key, in sections of their own; what it reads may have few, and no sections."""
    draw, rng = spaces()[family], random.Random(f"file of {family} {class_name}")  # noqa: S311 - no secret
    for _ in range(CONFIGURATIONS):
        settings = draw(rng)
        config, _ = configuration(family, settings, class_name)
        written = {**settings, "model_type": family, "architectures": [class_name]}
        assert ours(written) == build(class_name, config, Counter()), settings


@pytest.mark.parametrize(
    ("family", "class_name", "settings"),
    [
        *NOTHING,
        ("llava", "LlavaModel", {"vision_config": None, "text_config": {"num_hidden_layers": 1}}),  # the large tower
        ("llava", "LlavaModel", {"vision_config": {"image_size": 336}}),  # CLIP's own defaults
        ("llava", "LlavaModel", {"text_config": {"model_type": "mistral", "attention_bias": True, "mlp_bias": True}}),
        ("llava", "LlavaForConditionalGeneration", {"text_config": {"tie_word_embeddings": True}}),
        ("llava", "LlavaModel", {"text_config_dict": {"hidden_size": 64}}),  # CLIP's older spelling, and no other's
        ("gemma3", "Gemma3ForConditionalGeneration", {"text_config": {"tie_word_embeddings": False}}),
        ("qwen2_vl", "Qwen2VLForConditionalGeneration", {"hidden_size": 1536, "num_attention_heads": 24}),
        ("qwen2_vl", "Qwen2VLForConditionalGeneration", {"text_config": {}, "hidden_size": 7}),
        ("qwen2_5_vl", "Qwen2_5_VLForConditionalGeneration", {"text_config": None, "tie_word_embeddings": True}),
    ],
)
def test_what_a_file_leaves_out(family, class_name, settings):
    config, _ = configuration(family, settings, class_name)
    written = {**settings, "model_type": family, "architectures": [class_name]}
    assert ours(written) == build(class_name, config, Counter())
