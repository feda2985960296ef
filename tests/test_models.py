"""Published models have the counts that everybody can check, and a model is what its tensors add up to."""

from __future__ import annotations

from math import prod

import pytest
from hypothesis import given

from symparams import load, published_models
from symparams.architectures import architecture, architecture_names
from symparams.errors import DimensionError, MissingDimensionError, SymparamsError
from tests.strategies import models

# The counts of the models as they are published: the library's num_parameters(), and for GPT-3 its paper's table.
COUNTS = {
    "modernbert-base": 149_014_272,
    "deberta-v3-base": 183_831_552,
    "xlnet-base-cased": 116_750_336,
    "xlnet-large-cased": 360_300_800,
    "bert-base-uncased": 109_482_240,
    "bert-large-uncased": 335_141_888,
    "bert-base-chinese": 102_267_648,
    "roberta-base": 124_645_632,
    "roberta-large": 355_359_744,
    "xlm-roberta-base": 278_043_648,
    "xlm-roberta-large": 559_890_432,
    "distilbert-base-uncased": 66_362_880,
    "electra-small-discriminator": 13_483_008,
    "electra-base-discriminator": 108_891_648,
    "albert-base-v2": 11_683_584,
    "albert-xxlarge-v2": 222_595_584,
    "gpt2": 124_439_808,
    "gpt2-medium": 354_823_168,
    "gpt2-large": 774_030_080,
    "gpt2-xl": 1_557_611_200,
    "gpt3-175b": 174_604_259_328,
    "bloom-560m": 559_214_592,
    "bloom-1b4-zh": 1_303_111_680,
    "bloom-176b": 176_247_271_424,
    "bart-base": 139_420_416,
    "t5-small": 60_506_624,
    "flan-t5-base": 247_577_856,
    "llama-7b": 6_738_415_616,
    "vit-base-patch16-224": 86_567_656,
    "clip-vit-base-patch32": 151_277_313,
    "mamba-130m": 129_135_360,
    "llama-13b": 13_015_864_320,
    "llama-65b": 65_285_660_672,
    "llama-2-70b": 68_976_648_192,
    "llama-3-8b": 8_030_261_248,
    "mistral-7b-v0.1": 7_241_732_096,
    "qwen2-0.5b": 494_032_768,
    "qwen2-7b": 7_615_616_512,
    "qwen3-0.6b": 596_049_920,
    "qwen3-8b": 8_190_735_360,
    "gemma-2b": 2_506_172_416,
    "gemma-7b": 8_537_680_896,
    "gemma-2-2b": 2_614_341_888,
    "gemma-2-9b": 9_241_705_984,
    "gemma-3-1b": 999_885_952,
    "phi-1.5": 1_418_270_720,
    "phi-2": 2_779_683_840,
    "phi-3-mini": 3_821_079_552,
    "starcoder2-3b": 3_030_371_328,
    "stablelm-3b-4e1t": 2_795_443_200,
    "olmo-7b": 6_888_095_744,
    "olmo-2-7b": 7_298_617_344,
    "command-r": 34_980_831_232,
    "glm-4-9b-0414": 9_400_279_040,
    "smollm3-3b": 3_075_098_624,
    "transformer-base": 63_082_496,
    "transformer-big": 214_245_376,
    "mixtral-8x7b": 46_702_792_704,
    "deepseek-v3": 671_026_404_352,
    "gpt-oss-20b": 20_914_757_184,
    "gpt-oss-120b": 116_829_156_672,
    "starcoder": 15_517_456_384,
    "gpt-neo-1.3b": 1_315_575_808,
    "gpt-j-6b": 6_050_882_784,
    "codegen-350m-mono": 356_712_448,
    "gpt-neox-20b": 20_554_567_680,
    "pythia-6.9b": 6_857_302_016,
    "opt-125m": 125_239_296,
    "opt-350m": 331_196_416,
    "falcon-7b": 6_921_720_704,
    "falcon-40b": 41_303_293_952,
    "mpt-7b": 6_649_286_656,
}


@pytest.mark.parametrize(("name", "count"), COUNTS.items())
def test_published_counts(name, count):
    assert load(name).count() == count


def test_every_published_model_has_its_count_here():
    assert set(published_models()) == set(COUNTS)


@pytest.mark.parametrize(
    ("name", "include", "exclude", "count"),
    [
        ("bert-base-uncased", [], ["pooler"], 108_891_648),
        ("bert-base-uncased", ["mlm_head"], ["pooler"], 109_514_298),
        ("bert-base-uncased", ["mlm_head", "nsp_head"], [], 110_106_428),  # BertForPreTraining
        ("gpt2", [], ["lm_head"], 124_439_808),  # the shared head adds nothing
        ("gpt2", [], ["tying"], 163_037_184),
        ("llama-7b", [], ["lm_head"], 6_607_343_616),  # LlamaModel
        ("transformer-base", ["final_layer_norm"], ["embeddings"], 44_140_544),  # torch.nn.Transformer()
        ("transformer-base", [], ["decoder"], 37_858_304),
        ("transformer-base", [], ["tying"], 100_970_496),
    ],
)
def test_features_change_the_count(name, include, exclude, count):
    assert load(name, include=include, exclude=exclude).count() == count


@pytest.mark.parametrize(
    ("name", "count"), [("gpt2", 163_037_184), ("bloom-1b4-zh", 1_397_616_640), ("llama-7b", 6_738_415_616)]
)
def test_a_shared_tensor_counted_at_each_use(name, count):
    assert load(name).count(shared="each") == count


@given(models())
def test_a_count_is_the_sum_over_its_enumerated_tensors(model):
    assert model.count() == sum(prod(shape) for _, shape in model.tensors())


@given(models())
def test_a_closed_form_with_the_values_put_in_is_the_count(model):
    values = {dimension.symbol: model.values[dimension] for dimension in model.dimensions}
    assert model.closed_form().xreplace(values) == model.count()


@given(models())
def test_every_tensor_has_a_name_of_its_own(model):
    names = [name for name, _ in model.tensors()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("family", architecture_names())
def test_a_definition_is_short_and_says_where_it_comes_from(family):
    definition = architecture(family)
    assert definition.source
    assert definition.tree.children
    for model in definition.models.values():
        assert model.source.startswith("https://")


def test_including_what_is_there_or_excluding_what_is_not_changes_nothing():
    assert load("bert", include=["pooler"], exclude=["mlm_head"]).closed_form() == load("bert").closed_form()


@pytest.mark.parametrize(
    ("target", "values", "bound"),
    [
        ("bloom", {"h": 1024, "n_heads": 16}, {"h": 1024, "n_heads": 16, "d_head": 64, "d_ff": 4096}),
        ("bloom", {"h": 8, "d_ff": "3*h + 1"}, {"h": 8, "d_ff": 25}),
        ("bloom", {"h": "n_heads*64", "n_heads": 4}, {"h": 256, "n_heads": 4, "d_head": 64, "d_ff": 1024}),
        ("llama", {"n_heads": 32, "n_kv_heads": "n_heads/4"}, {"n_heads": 32, "n_kv_heads": 8}),
        ("gpt2", {"n_embd": 64, "n_head": 4}, {"h": 64, "n_heads": 4, "d_head": 16}),  # config keys name dimensions too
    ],
)
def test_values_follow_from_values(target, values, bound):
    model = load(target, **values)
    named = {dimension.name: value for dimension, value in model.values.items()}
    assert named.items() >= bound.items()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"h": 0}, "h = '0' must be a positive integer: h counts something."),
        ({"h": 768.0}, "h = '768.0' must be a positive integer, not a float."),
        ({"h": True}, "h = 'True' must be a positive integer."),
        ({"h": 10, "n_heads": 4}, "d_head = h/n_heads is not an integer for h = 10, n_heads = 4: choose values that divide."),
        ({"h": 8, "n_heads": 4, "d_head": 3}, "d_head = 3 contradicts d_head = h/n_heads = 2: leave it out."),
        (
            {"h": "d_ff/4", "d_ff": "4*h"},
            "No value follows for h, d_ff: h needs d_ff, d_ff needs h. Give an integer for one of them.",
        ),
    ],
)
def test_values_that_cannot_be(values, message):
    with pytest.raises(DimensionError) as error:
        load("bert", **values)
    assert str(error.value) == message


def test_a_missing_value_is_named_with_where_it_is_used():
    with pytest.raises(MissingDimensionError) as error:
        load("bloom", h=64, n_heads=2, V=100).count()
    assert str(error.value) == (
        "bloom has no value for L (used in decoder.attention_norm): give --set L=…, or name a published model."
    )


def test_every_error_of_a_user_is_a_symparams_error():
    with pytest.raises(SymparamsError, match="Did you mean 'bert'"):
        load("brt")
