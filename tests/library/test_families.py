"""Every family equals the real library: each class, random configurations, no count, name, shape or order off by any amount."""

from __future__ import annotations

import importlib
import inspect
import json
import random
from math import prod

import pytest

from symparams import load
from symparams.architectures import architecture
from symparams.expressions.symbols import n_active
from symparams.models.library import families, library
from symparams.models.sources.config import composes, interpret
from tests.library import require
from tests.library.configurations import SPACES, with_odd_keys
from tests.library.oracle import (
    COMPOSITES,
    CONFIGURATIONS,
    NEEDED,
    active,
    built_families,
    classes,
    configuration,
    correction,
    mixtures,
    on_meta,
    share,
)

require("torch", "transformers")

CLASSES_OF_COMPOSITES = [(family, name) for family, name in classes() if family in COMPOSITES]


def test_the_librarys_own_config_of_each_family_is_read_without_a_word():
    for family, name in dict(reversed([*classes()])).items():
        _, written = configuration(family, {}, name)
        assert load(written).reading.lines == () or family in BARE, family


def compare(class_name, config, written, left_out=None):
    """The names, shapes and order of ``named_parameters()``, and how many are trained; ``left_out`` is the side of a matrix."""
    parameters = dict(on_meta(class_name, config).named_parameters())
    model, more = load(written), prod(left_out) if left_out else 0
    ours = list(model.tensors(names="hf", frozen=True))
    assert sum(prod(shape) for name, shape in ours if name == "lm_head.weight") == more or not more
    ours = [tensor for tensor in ours if not more or tensor[0] != "lm_head.weight"]
    assert ours == [(name, tuple(parameter.shape)) for name, parameter in parameters.items()], written
    trained = sum(parameter.numel() for parameter in parameters.values() if parameter.requires_grad)
    stored = sum(parameter.numel() for parameter in parameters.values())
    assert (model.count(), model.count(frozen=True)) == (trained + more, stored + more), written
    assert model.count(frozen=True) == sum(prod(shape) for _, shape in model.tensors(frozen=True))


@pytest.mark.parametrize(("family", "class_name"), list(classes()))
def test_each_class_has_the_tensors_of_the_librarys(family, class_name):
    draw, rng = SPACES[family], random.Random(f"{family} {class_name}")  # noqa: S311 - no secret
    for _ in range(share(family)):
        settings = with_odd_keys(family, class_name, draw(rng), rng)
        config, written = configuration(family, settings, class_name)
        compare(class_name, config, written, correction(class_name, settings, written))


@pytest.mark.parametrize("family", list(mixtures()))
def test_one_token_uses_what_the_library_gives_it_to(family):
    known = library(architecture(family))
    draw, rng = SPACES[family], random.Random(family)  # noqa: S311 - no secret
    section, _, key = known.key(n_active).rpartition(".")
    for _ in range(CONFIGURATIONS):
        settings = dict(draw(rng))
        where = settings.get(section or "text_config", settings)
        where[key] = where[key] or 1
        config, written = configuration(family, settings, known.base)
        assert load(written).active_count() == active(known.base, config), settings


# A text model that reads images, as the files of the hub have it: flat or nested, most keys left to the defaults -----------


def compare_file(family, class_name, settings):
    """What the library writes has every key, in sections of their own; what it reads may have few, and no sections."""
    config, _ = configuration(family, settings, class_name)
    compare(class_name, config, {**settings, "model_type": family, "architectures": [class_name]})


@pytest.mark.parametrize(("family", "class_name"), CLASSES_OF_COMPOSITES)
def test_a_file_counts_as_the_library_reads_it(family, class_name):
    draw, rng = SPACES[family], random.Random(f"file of {family} {class_name}")  # noqa: S311 - no secret
    for _ in range(share(family)):
        compare_file(family, class_name, draw(rng))


@pytest.mark.parametrize("family", [*COMPOSITES, "clip", "siglip"])
def test_a_class_of_a_section_is_read_from_that_section(family, tmp_path):
    """The library builds Qwen3_5ForCausalLM of a config of qwen3_5, and all else of that config goes unread."""
    import transformers

    rng = random.Random(f"sections of {family}")  # noqa: S311 - no secret
    _, written = configuration(family, SPACES[family](rng), "")
    kinds = {value.get("model_type") for value in written.values() if isinstance(value, dict)}
    for kind in kinds & {*families()}:
        for class_name in library(architecture(kind)).classes:
            (tmp_path / "config.json").write_text(json.dumps(written | {"architectures": [class_name]}), encoding="utf-8")
            model = on_meta(class_name, getattr(transformers, class_name).config_class.from_pretrained(tmp_path))
            read = load(tmp_path)
            assert read.count(frozen=True) == sum(parameter.numel() for parameter in model.parameters()), class_name
            assert read.origin.class_name == class_name


NOT_BUILT = {"llama4_vision_model"}  # which no AutoModel is made of


def parts(composite: str) -> list[tuple[str, str]]:
    """Each family that a composite can have as a part, with the section that is its config."""
    family, found = architecture(composite), []
    for place, section in enumerate(library(family).sections.values()):
        before, after = family.of[:place], family.of[place + 1 :]
        found += [(section.key, name) for name in families() if composes(family, (*before, name, *after))]
    return found


@pytest.mark.parametrize(("section", "part"), [part for part in parts("llava") if part[1] not in NOT_BUILT])
def test_a_composite_has_the_tensors_of_any_families_that_it_can_have(section, part):
    rng = random.Random(part)  # noqa: S311 - no secret
    drawn = dict(SPACES[part](rng)) | {"model_type": part, "tie_word_embeddings": False}
    compare_file("llava", "LlavaForConditionalGeneration", {section: drawn})


@pytest.mark.parametrize(
    ("family", "class_name", "settings"),
    [
        *((family, name, {}) for family, name in CLASSES_OF_COMPOSITES),
        ("llava", "LlavaModel", {"vision_config": None, "text_config": {"num_hidden_layers": 1}}),  # the large tower
        ("llava", "LlavaModel", {"vision_config": {"image_size": 336}}),  # CLIP's own defaults
        ("llava", "LlavaModel", {"text_config": {"model_type": "mistral", "attention_bias": True, "mlp_bias": True}}),
        ("llava", "LlavaForConditionalGeneration", {"text_config": {"tie_word_embeddings": True}}),
        ("mistral3", "Mistral3Model", {"text_config": None, "vision_config": None}),
        ("llava", "LlavaModel", {"text_config_dict": {"hidden_size": 64}}),  # CLIP's older spelling, and no other's
        ("gemma3", "Gemma3ForConditionalGeneration", {"text_config": {"tie_word_embeddings": False}}),
        ("paligemma", "PaliGemmaModel", {"vision_config": {}, "text_config": {"model_type": "gemma2"}}),
        ("qwen2_vl", "Qwen2VLForConditionalGeneration", {"hidden_size": 1536, "num_attention_heads": 24}),
        ("qwen2_vl", "Qwen2VLForConditionalGeneration", {"text_config": {}, "hidden_size": 7}),
        ("qwen2_5_vl", "Qwen2_5_VLForConditionalGeneration", {"text_config": None, "tie_word_embeddings": True}),
    ],
)
def test_what_a_file_leaves_out(family, class_name, settings):
    compare_file(family, class_name, settings)


# The classes and the defaults that the tables know ------------------------------------------------------------------------

ABSTRACT = ("PreTrainedModel", "PretrainedModel", "PretrainedBartModel")
# Of another model_type (qwen2_vl_text, qwen3_vl_vision), the text model or the image encoder alone, which is no family here.
NOT_READ = {
    "Qwen2VLTextModel", "Qwen2_5_VLTextModel", "Qwen3VLVisionModel", "Qwen3VLMoeVisionModel", "Qwen3_5VisionModel",
    "Qwen3_5MoeVisionModel", "Gemma3nModel", "Gemma3nForConditionalGeneration", "Gemma3nAudioEncoder",
    "Gemma4UnifiedModel", "Gemma4UnifiedForConditionalGeneration",
}  # fmt: skip


def public(family: str) -> set[str]:
    """The models that the library exports from the module of a family's classes, abstract ones aside.

    What it does not export, as T5Stack, is a part of a class that it does.
    """
    import transformers

    module = importlib.import_module(getattr(transformers, library(architecture(family)).base).__module__)
    return {
        name
        for name, kind in vars(module).items()
        if inspect.isclass(kind) and issubclass(kind, transformers.PreTrainedModel) and hasattr(transformers, name)
        if not name.endswith(ABSTRACT)
    }


def test_every_public_class_is_read():
    read = {name for family in built_families() for name in library(architecture(family)).classes}
    assert set().union(*map(public, built_families())) - read == NOT_READ


FIXED = {"apertus", "bloom", "dbrx", "esm", "mpt", "rwkv", "llama4_vision_model"}  # their activation stands under no key
# The same activation, whatever its key says; what Gemma 2 has, which the text model of an empty config is not.
BARE = {"gemma4"}  # whose own config has no encoder of images or sounds
OTHERWISE = {
    ("gemma4", "image_activation"),
    *(("gemma4", name) for name in ("audio_activation", "chunk", "frames_before", "frames_after", "audio_score_cap")),
    ("lfm2", "activation"), ("lfm2_moe", "activation"), ("paligemma", "window"), ("paligemma", "score_cap"),
}  # fmt: skip
# What is worked out of a key and does not stand under it: tests/library/test_flops.py holds it against what is run.
WORKED_OUT = {"attends", "unread_image_layers", "unread_mergers", "image_window", "whole_image_layers"}


def test_the_activations_and_windows_of_an_empty_config_are_the_librarys():
    without = set()
    for family in built_families():
        known = library(architecture(family))
        choices = interpret("config", {"model_type": family, **NEEDED.get(family, {})}).choices
        if not known.choices:
            without.add(family)
        config, _ = configuration(family, {}, known.base)
        for name in choices.keys() - (WORKED_OUT if known.choices else choices.keys()):
            section, _, key = known.choices[name].names[0].rpartition(".")
            key = "dense_act_fn" if family in ("t5", "mt5") else key
            theirs = getattr(getattr(config, section) if section else config, key, None)
            if (family, name) in OTHERWISE:
                continue
            if known.choices[name].is_number:  # where each published model has its own, none is told without a config
                assert choices[name] is None or float(choices[name]) == theirs, (family, name)
            else:
                assert (theirs or None) == (choices[name] or None), (family, name)  # a window of 0 is none, as null is
    assert without == FIXED
