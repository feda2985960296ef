"""The tables of the families, NAME.toml: what stands in them has a place, and what has none is an error with its line."""

from __future__ import annotations

import pytest

from symparams import architectures, explain, load, published_models
from symparams.architectures import Architecture, architecture, find
from symparams.architectures._tables import FOLDER, member, read, table
from symparams.components import block, embedding
from symparams.errors import ConfigError
from symparams.expressions.symbols import V, h
from symparams.models.library import library
from symparams.models.library.tables import record
from symparams.models.sources.config import interpret
from symparams.sheets.catalogue import catalogue
from tests.refusals import refusal


def test_every_key_of_a_table_has_a_place():
    for family in architectures():
        definition = architecture(family)
        known = library(definition)
        assert (known is not None) == ("library" in table(family).values), family
        if known:
            of_classes = {feature.name for kind in known.classes.values() for feature in (*kind.features, *kind.flags)}
            assert of_classes <= set(definition.features), family
            letters = {*definition.dimensions, *known.keys} | {d for d in known.derived if d.name == "n_labels"}
            assert set(known.derived) <= letters, family
            assert all(quirk.__doc__ for quirk in (*known.derived.values(), *known.checks)), family


def test_every_table_stands_beside_a_definition():
    assert {file.stem for file in FOLDER.glob("*.toml")} <= set(architectures())


UNCOUNTED = {  # whose authors give a rounded count, or none that we found: none of ours stands in its place
    "apertus-70b", "convnext-xlarge-224-22k-1k", "dbrx", "deberta-base", "deberta-large", "detr-resnet-101", "detr-resnet-50",
    "devstral-2-123b", "dinov3-convnext-large", "esm1b-t33-650m", "esm2-t48-15b", "gemma-3n-e2b", "gemma-3n-e4b",
    "gemma-4-26b-a4b", "gemma-4-26b-a4b-it", "gemma-4-31b", "gemma-4-31b-it", "gemma-4-e2b", "gemma-4-e2b-it", "gemma-4-e4b",
    "gemma-4-e4b-it",
    "hubert-base-ls960", "hubert-large-ll60k", "hubert-large-ls960-ft", "hubert-xlarge-ll60k", "hubert-xlarge-ls960-ft",
    "hunyuan-7b", "idefics3-8b-llama3", "longformer-base-4096", "longformer-large-4096", "minicpm3-4b", "mpnet-base",
    "nomic-bert-2048", "paligemma-3b-896", "paligemma2-10b-224", "paligemma2-28b-224", "rwkv-4-14b-pile", "rwkv-4-7b-pile",
    "sam-vit-base", "sam-vit-huge", "sam-vit-large", "swin-base-patch4-window12-384", "swin-large-patch4-window12-384",
    "swin-large-patch4-window7-224",
    "wav2vec2-base", "wav2vec2-base-960h", "wav2vec2-large-960h", "wav2vec2-large-960h-lv60-self", "wav2vec2-xls-r-1b",
    "wav2vec2-xls-r-2b", "wav2vec2-xls-r-300m",
    "zamba-7b-v1", "zamba2-1.2b", "zamba2-2.7b", "zamba2-7b",
}  # fmt: skip


def test_a_published_model_has_a_source_and_a_count():
    """The count is ours, or the figure to which conventions lead exactly: with a module that predicts one token more."""
    sentences = catalogue("en").entries  # which say that a figure is no count
    for name in published_models():
        _, published = find(name)
        assert published.source.startswith("https://"), name
        figures = [figure for figure in published.claims if f"explain.published.{figure.why}" not in sentences]
        exact = [figure for figure in figures if explain(name, figure.value)[0].result == figure.value]
        assert bool(published.count or exact) == (name not in UNCOUNTED), name


QWEN3 = '[library]\nlike = "llama"\nprefix = "Qwen3"\n'


WRONG = [
    (QWEN3 + "prefx = 1\n", "line 4: library.prefx is not a known key. Did you mean 'prefix'?"),
    ('[library]\nlike = "lama"\n', "line 2: library.like = 'lama' is not a family with a table. Did you mean"),
    ('[library]\nlike = "llama"\n', "line 1: library.prefix and classes are needed"),
    (QWEN3 + "keys = { hh = 'n' }\n", "line 4: library.keys.hh is not a known key. Did you mean 'h'"),
    (QWEN3 + "\n[library.keys]\nh = 7\n", "line 6: library.keys.h = '7' must be a list of words."),
    (QWEN3 + "defaults = { h = '7' }\n", "line 4: library.defaults.h = '7' must be a whole number of at least 0."),
    (QWEN3 + "defaults = 7\n", "line 4: library.defaults must be a table."),
    (QWEN3 + "[library.flags]\ntieing = 'x'\n", "line 5: library.flags.tieing is not a known key."),
    (QWEN3 + "flags = { tying = { key = 'x', default = 1 } }\n", "line 4: library.flags.tying.default = '1' must be"),
    (QWEN3 + "classes = ['ForCausal']\n", "line 4: library.classes holds an unknown name: 'ForCausal'. Did you mean"),
    (QWEN3 + "[library.classes]\nModel = ['pooler', 'heads']\n", "line 5: library.classes.Model names an unknown feature:"),
    (QWEN3 + "derived = { h = 'heads.round' }\n", "line 4: library.derived.h = 'heads.round' is not a function of symparams"),
    (QWEN3 + "derived = { L = '~heads' }\n", "line 4: library.derived.L = '~heads' is not ~ and a letter."),
    (QWEN3 + "checks = ['heads']\n", "line 4: library.checks = 'heads' is not a function of symparams"),
    (QWEN3 + "choices = { window = { keys = 'x' } }\n", "line 4: library.choices.window.keys is not a known key"),
    (QWEN3 + "names_with = { ForCausal = {} }\n", "line 4: library.names_with.ForCausal is not a known key."),
    (QWEN3 + "names_with = { 'tying and x' = {} }\n", "line 4: library.names_with.tying and x is not a known key"),
    (QWEN3 + "names = { decoder = 7 }\n", "line 4: library.names.decoder = '7' must be a list of words."),
    (QWEN3 + "[library.names]\ndecoder = { name = 'h' }\n", "line 5: library.names.decoder.name is not a known key"),
    (
        QWEN3 + "[library.names]\nup = { module = 'h', sides = [0, 2] }\n",
        "line 5: library.names.up.sides must be",
    ),
    (
        QWEN3 + "[library.names]\nup = { module = 'h', sides = [[0, 1], 1] }\n",
        "line 5: library.names.up.sides must be",
    ),
    (
        QWEN3 + "[library.names]\nup = { module = 'h', apart = true }\n",
        "line 5: library.names.up.apart needs at, which reads",
    ),
    (
        QWEN3 + "[library.names]\nup = { module = 'h', at = 'x' }\n",
        "line 5: library.names.up.at = 'x' is not a function of symparams",
    ),
    ("[library]\nlike = \n", "is not TOML: Invalid value (at line 2, column 8)"),
]


def test_what_the_library_table_cannot_say(tmp_path):
    file = tmp_path / "qwen3.toml"
    for text, message in WRONG:
        file.write_text(text, encoding="utf-8")
        read.cache_clear()
        told = refusal(lambda: record(read(file).table("library"), architecture("qwen3")))
        assert told.removeprefix("qwen3.toml").lstrip(", ").startswith(message)


ACTIVE = "source = 'a/b'\npublished_active = {{ {} }}\n"


WRONG_MODELS = [
    ("h = 7\n", "1: models.m.1.source is missing: give the id of the model on the Hugging Face hub, or a URL."),
    ("h = 7\nsource = 'Qwen3'\n", "3: models.m.1.source = 'Qwen3' is neither an id on the Hugging Face hub nor"),
    ("source = 'a/b'\nhidden = 7\n", "3: models.m.1.hidden is not a known key."),
    ("source = 'a/b'\nh = 0\n", "3: models.m.1.h = '0' must be a whole number of at least 1."),
    ("source = 'a/b'\ninclude = ['x']\n", "3: models.m.1.include names an unknown feature: 'x'."),
    ("source = 'a/b'\ndtype = 'bfloat'\n", "3: models.m.1.dtype = 'bfloat' is not a number type."),
    ("source = 'a/b'\npublished_active = '37B'\n", "3: models.m.1.published_active must be a table."),
    (ACTIVE.format("claimed = '37B'"), "3: models.m.1.published_active.source is missing: an active count has claimed and"),
    (ACTIVE.format("claimed = '37B', source = 'a blog'"), "3: models.m.1.published_active.source = 'a blog' is not a URL."),
    (
        ACTIVE.format("claimed = '37', source = 'https://a.b'"),
        "3: models.m.1.published_active.claimed = '37' must be a count",
    ),
    (ACTIVE.format("claim = '37B'"), "3: models.m.1.published_active.claim is not a known key. Did you mean"),
]


def test_what_a_published_model_cannot_say(tmp_path):
    file = tmp_path / "x.toml"
    for text, message in WRONG_MODELS:
        file.write_text(f'[models."m.1"]\n{text}', encoding="utf-8")
        read.cache_clear()
        assert refusal(lambda: member(read(file).table("models").table("m.1"))).startswith(f"x.toml, line {message}")


def test_a_source_is_an_id_on_the_hub_or_a_url():
    assert architecture("qwen3").models["qwen3-8b"].source == "https://huggingface.co/Qwen/Qwen3-8B/blob/main/config.json"
    assert architecture("gpt3").models["gpt3-175b"].source.startswith("https://arxiv.org/abs/2005.14165")


def test_a_family_of_ones_own_has_models_and_no_table():
    own = Architecture("own", title="Own", source="here", tree=block(low=embedding(V, h)), models={"own-1": {V: 10, h: 4}})
    assert own.models["own-1"].values == {V: 10, h: 4}
    assert own.models["own-1"].source == "here"
    assert load(own, V=10, h=4).count() == 40
    assert load(own).key(h) == ""


@pytest.mark.parametrize("name", ["gpt2", "llama-3-8b", "clip-vit-base-patch32", "t5-small", "llava-1.5-7b-hf", "qwen2-vl-2b"])
def test_what_is_written_under_the_keys_is_read_from_them(name):
    model = load(name)
    config = {"model_type": model.architecture.name}
    for dimension, key in model.library.keys.items():
        if dimension in model.given:
            key.write(config, model.values[dimension])
    assert interpret("config", config).values.items() >= {d: model.values[d] for d in model.given}.items()


CHOICES = [
    ({"model_type": "llama"}, {"activation": "silu"}),
    ({"model_type": "llama", "hidden_act": "gelu"}, {"activation": "gelu"}),
    ({"model_type": "mistral"}, {"activation": "silu", "window": 4096}),
    ({"model_type": "mistral", "sliding_window": None}, {"activation": "silu", "window": None}),
    ({"model_type": "qwen2", "sliding_window": 64}, {"activation": "silu", "window": None}),  # the switch is off
    ({"model_type": "qwen2", "sliding_window": 64, "use_sliding_window": True}, {"activation": "silu", "window": 64}),
    ({"model_type": "mt5"}, {"activation": "gelu_new"}),
    ({"model_type": "t5", "feed_forward_proj": "gated-silu"}, {"activation": "silu"}),
    (
        {"model_type": "clip", "text_config": {"hidden_act": "gelu"}},
        {"text_activation": "gelu", "image_activation": "quick_gelu"},
    ),
    ({"model_type": "mpt"}, {}),  # its activation is fixed
    (
        {"model_type": "gemma3", "text_config": {"sliding_window": 1024}},
        {
            "text_activation": "gelu_pytorch_tanh",
            "image_activation": "gelu_pytorch_tanh",
            "window": 1024,
            "score_cap": None,
            "logit_cap": None,
        },
    ),
    (
        {"model_type": "granite", "embedding_multiplier": 12, "logits_scaling": 8.0, "residual_multiplier": 0.22},
        {"activation": "silu", "embedding_multiplier": "12", "logits_scaling": "8.0", "residual_multiplier": "0.22"},
    ),
    (
        {"model_type": "qwen2_vl", "sliding_window": 64, "use_sliding_window": True},  # beside vision_config
        {"text_activation": "silu", "image_activation": "quick_gelu", "window": 64},
    ),
    (
        {"model_type": "qwen2_vl", "sliding_window": 64, "text_config": {"use_sliding_window": True}},
        {"text_activation": "silu", "image_activation": "quick_gelu", "window": 4096},
    ),
]


def test_what_a_config_chooses_besides_its_sizes():
    images = {"image_tokens", "image_window", "whole_image_layers"}  # of which FLOPs ask alone
    for config, choices in CHOICES:
        told = interpret("config", config).choices
        assert {name: value for name, value in told.items() if name not in images} == choices, config
    with pytest.raises(ConfigError, match="logits_scaling = 'eight' in the config must be a number"):
        _ = interpret("config", {"model_type": "granite", "logits_scaling": "eight"}).choices


def test_a_choice_that_cannot_be_read_is_an_error_for_those_who_ask_for_it():
    for window, needed in (([1], "a whole number"), (-1, "at least 0"), ("128", "a whole number")):
        reading = interpret("config", {"model_type": "mistral", "sliding_window": window})
        told = refusal(lambda reading=reading: reading.choices)
        assert told.startswith(f"sliding_window = '{window}' in the config must be {needed}")
    for patterns in ([1], [[["global", "local"], "x"]], [["global"]], [[["local"], True]], [[["local"], -1]]):
        told = refusal(load, {"model_type": "gpt_neo", "num_layers": 4, "attention_types": patterns})
        assert told.startswith("attention_types in the config must be a list of pairs")
