"""A config.json as a target: the family, the class and the sizes it names; messy files are read or refused in a line."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symparams import SymparamsError, load
from symparams.expressions.symbols import d_ff
from tests.refusals import refusal


def of(model_type: str, class_name: str = "", **keys: object) -> dict[str, object]:
    """A config with a class, and with these keys beside it."""
    return {"model_type": model_type, **({"architectures": [class_name]} if class_name else {}), **keys}


BERT = of("bert", "BertModel")
FALCON_MAMBA = of("falcon_mamba", "FalconMambaForCausalLM", vocab_size=65_024, hidden_size=4_096, num_hidden_layers=64,
                  intermediate_size=8_192, expand=16, time_step_rank=256, tie_word_embeddings=False)  # fmt: skip
BERT_COUNT, LLAMA_COUNT, JAMBA_COUNT = 109_482_240, 6_607_343_616, 51_570_323_328
FULL = "full_attention"
FOUR_LAYERS = of("gemma3_text", num_hidden_layers=4, sliding_window=512)
LABELLED = "BertForSequenceClassification"
QWEN = of("qwen3_5", "Qwen3_5ForCausalLM", tie_word_embeddings=True)  # whose class is that of a section
COUNTS = [
    (BERT, BERT_COUNT),  # what is absent takes the library's default
    (of("bert", "BertForMaskedLM"), 109_514_298),
    (of("bert", "BertForPreTraining"), 110_106_428),
    (of("bert", "BertForMaskedLM", tie_word_embeddings=False), 109_514_298 + 30_522 * 768 + 30_522),
    (of("bert", architectures=None), BERT_COUNT),
    (BERT | {"vocab_size": 21128.0}, 102_267_648),  # a float that is whole is a whole number
    (BERT | {"vocab_size": 21_128, "stray": math.inf, "torch_dtype": "float32"}, 102_267_648),
    (of("gpt2", "GPT2LMHeadModel", n_inner=None), 124_439_808),
    (of("gpt2", "GPT2LMHeadModel", n_embd=1024, hidden_size=1024, n_head=16), 203_668_480),
    (of("bert", LABELLED, id2label={"0": "a", "1": "b", "2": "c"}), BERT_COUNT + 3 * 768 + 3),
    (of("bert", LABELLED, id2label={"0": "a"}, num_labels=7), BERT_COUNT + 7 * 768 + 7),  # the library lets num_labels win
    (of("llama", "LlamaForCausalLM"), 6_738_415_616),
    (FALCON_MAMBA, 7_272_665_088),  # the size that is given has the say over expand
    (of("jamba", "JambaForCausalLM"), JAMBA_COUNT),
    # One expert is none: each of 16 layers has a plain feed-forward in its place.
    (of("jamba", "JambaForCausalLM", num_experts=1), JAMBA_COUNT - 16 * (15 * 3 * 4_096 * 14_336 + 16 * 4_096)),
    (BERT | {"hidden_act": "prelu"}, BERT_COUNT + 12),  # a slope in each layer
    (BERT | {"hidden_act": "xielu"}, BERT_COUNT + 2 * 12),
    (of("bert", "BertForMaskedLM", hidden_act="prelu"), 109_514_298 + 12 + 1),
    (QWEN | {"text_config": of("qwen3_5_text", num_hidden_layers=4)}, 2_899_186_752),  # its own head
    (of("unknown", "LlamaForCausalLM", text_config=of("llama"), vision_config=of("clip_vision_model")), 6_738_415_616),
    (
        of("qwen2_vl", "Qwen2VLTextModel", text_config=of("qwen2_vl_text")),
        load(of("qwen2_vl_text", "Qwen2VLTextModel")).count(),
    ),
    (of("t5", is_gated_act=True), load(of("t5", feed_forward_proj="gated-gelu")).count()),
    (of("t5", num_hidden_layers=3), load(of("t5", num_layers=3, num_decoder_layers=6)).count()),
    (of("gpt2", "GPT2DoubleHeadsModel", summary_activation="gelu"), 124_440_577),  # a word whose default is none
    (of("bloom", hidden_size=1024, n_embed=None, n_layer=24, n_head=16), load("bloom-560m").count()),
    (BERT | {"type_vocab_size": 0}, BERT_COUNT - 2 * 768),
    (BERT | {"num_hidden_layers": 0}, BERT_COUNT - 12 * 7_087_872),
    (of("vit", "ViTForImageClassification", id2label={}), 85_798_656),
    (of("llama", num_key_value_heads=5), LLAMA_COUNT - 2 * 32 * 27 * 128 * 4_096),
    (BERT | {"num_hidden_layers": 10**30}, BERT_COUNT + (10**30 - 12) * 7_087_872),  # large is exact
    (of("convnext", depths=[3, 3, 27, 3]), 50_223_688 - 769_000),  # ConvNeXt-S without its classifier
    # Each part of a composite has an activation of its own.
    (of("llava", text_config={"hidden_act": "xielu"}), load(of("llava")).count() + 32 * 2),
    (of("llava", projector_hidden_act="prelu"), load(of("llava")).count() + 1),
    (of("gemma3", text_config={"hidden_activation": "prelu"}), load(of("gemma3")).count() + 26),
    (of("gemma3", vision_config={"hidden_act": "prelu"}), load(of("gemma3")).count() + 12 + 1),  # one for the pooled patches
    (of("qwen2_vl", hidden_act="prelu"), load(of("qwen2_vl")).count() + 80),  # the text model's keys, beside vision_config
    (of("qwen2_vl", vision_config={"hidden_act": "xielu"}), load(of("qwen2_vl")).count() + 32 * 2),
]


def test_configs_and_their_counts():
    for config, count in COUNTS:
        assert load(config).count() == count, config


REFUSED = [
    ({}, "The config has no model_type, which names its architecture"),
    (of(7), "model_type = '7' in the config must be a word."),
    (of("brt"), "symparams does not know the family 'brt'. Did you mean 'bert'"),
    (
        of("gemma3n", text_config=of("gemma3n_text"), vision_config=of("gemma3n_vision")),
        "symparams does not know the family 'gemma3n', but that of its text_config, 'gemma3n_text': give text_config as a "
        "config of its own to count that part; not known is 'gemma3n_vision' of its vision_config.",
    ),
    (of("transformer"), "symparams does not know the family 'transformer'."),
    (of("bert", "BertForMasked"), "Unknown class 'BertForMasked' under architectures in the"),
    (
        QWEN,
        "'Qwen3_5ForCausalLM' under architectures in the config is a class of 'qwen3_5_text': give that type's config, or a",
    ),
    (of("llama4", "Llama4TextModel", text_config={}), "'Llama4TextModel' under architectures in the config is a class of 'lla"),
    (of("llama", "MistralForCausalLM"), "'MistralForCausalLM' under architectures in the config is a class of 'mistral': give"),
    (of("bert", architectures="BertModel"), "architectures in the config must be a list"),
    (BERT | {"hidden_size": "768"}, "hidden_size = '768' in the config must be a whole number."),
    (BERT | {"hidden_size": 768.5}, "hidden_size = '768.5' in the config must be a whole number."),
    (BERT | {"hidden_size": math.inf}, "hidden_size = 'inf' in the config must be a whole number."),
    (BERT | {"hidden_size": math.nan}, "hidden_size = 'nan' in the config must be a whole number."),
    (BERT | {"hidden_size": True}, "hidden_size = 'True' in the config must be a whole number."),
    (
        BERT | {"hidden_act": "gelo"},
        "hidden_act = 'gelo' in the config is not an activation function of transformers. Did you mean 'gelu'",
    ),
    (BERT | {"hidden_size": 0}, "hidden_size = '0' in the config must be"),
    (BERT | {"vocab_size": -3}, "vocab_size = '-3' in the config must be"),
    (BERT | {"hidden_size": 770}, "d_head = h/n_heads is not an integer for h = 770, n_heads = 12"),
    (of("olmoe", head_dim=64), "d_head = 64 contradicts d_head = h/n_heads = 128"),  # its norms span h
    (
        of("bamba", mamba_d_head=32),
        "mamba_d_head = 32 in the config is not the inner size over mamba_n_heads, 8192 / 128: give",
    ),
    (
        of("granitemoehybrid", layer_types=["mamba"] * 3),
        "layer_types in the config has 3 entries for num_hidden_layers = 32: give",
    ),
    (
        of("nemotron_h", hybrid_override_pattern="M-X"),
        "hybrid_override_pattern in the config names 'X'. Known: full_attention, ",
    ),
    (
        of("nemotron_h", attention_head_dim=64),
        "attention_head_dim = 64 in the config: transformers does not read it, and takes",
    ),
    (of("jamba", attn_layer_offset=8), "attn_layer_offset = 8 in the config must be below attn_layer_period"),
    (of("qwen2_moe", mlp_only_layers=[0] * 10_001), "mlp_only_layers in the config must be a list of at most 10,000 entries."),
    (of("glm4_moe", num_experts_per_tok=129), "num_experts_per_tok = 129 in the config is more than"),
    (of("phimoe", num_experts_per_tok=4), "num_experts_per_tok = 4 in the config: only 2 is supported, because"),
    (of("deberta", talking_head=True), "talking_head = true in the config: heads whose scores are mixed are not supported."),
    (of("deberta", pooler_hidden_size=5), "pooler_hidden_size = '5' in the config: only hidden_size is supported."),
    (of("longformer", attention_window=3), "attention_window in the config: '3' is not an even number of at least 2."),
    (of("longformer", attention_window=[4]), "attention_window in the config has 1 entry, and num_hidden_layers = 12: give"),
    (BERT | {"tie_word_embeddings": "yes"}, "tie_word_embeddings = 'yes' in the config must be true or false."),
    (
        of("gpt2", n_embd=768, hidden_size=1024),
        "The config contradicts itself: n_embd = '768' and hidden_size = '1024' are the",
    ),
    (of("bert", LABELLED, id2label={"a": 0}), "id2label = "),
    # A list of layers has an entry for each, in words of the library.
    (FOUR_LAYERS | {"layer_types": [FULL] * 3}, "layer_types in the config has 3 entries, and num_hidden_layers = 4: give one"),
    (
        FOUR_LAYERS | {"layer_types": [FULL, "bogus"] * 2},
        "layer_types in the config: 'bogus' of layer 1 is unknown: write full",
    ),
    (of("gpt_oss", layer_types=[FULL] * 3), "layer_types in the config has 3 entries, and num_hidden_layers = 36: give"),
    (of("gemma3", text_config={"num_hidden_layers": 2, "layer_types": [FULL]}), "layer_types in the config has 1 entry, and"),
    (of("convnext", depths=[3, 3, 9]), "depths has 3 entries in the config: only 4 stages are supported."),
    (of("convnext", hidden_sizes=[96, 192, 384, "wide"]), "hidden_sizes[3] = 'wide' in the config must be a whole number."),
    (of("convnext", "ConvNextBackbone", out_features=["stage2"]), "out_features = '['stage2']' in the config: ConvNext"),
    (of("sam_vision_model", image_size=12), "image_size = 12 in the config is smaller than patch_size = 16."),
    (of("smollm3", no_rope_layers=[1, 0]), "no_rope_layers in the config has 2 entries, and num_hidden_layers = 36: give"),
    (
        of("gpt_neo", attention_types=[[["global", "lokal"], 12]]),
        "attention_types in the config: 'lokal' of layer 1 is unknown",
    ),
    (of("gpt_neo", attention_types=[[["local"], 10**15]]), "attention_types in the config has 10,000 entries or more, and"),
]


def test_configs_that_are_refused():
    for config, message in REFUSED:
        assert refusal(load, config).startswith(message)


OLD_BERT = {"vocab_size": 21_128, "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
            "intermediate_size": 3072, "max_position_embeddings": 512, "type_vocab_size": 2}  # fmt: skip
OLD_GPT2 = {"vocab_size": 50257, "n_embd": 768, "n_layer": 12, "n_head": 12, "n_positions": 1024, "layer_norm_epsilon": 1e-5}
OLD_ALBERT = OLD_BERT | {"embedding_size": 128, "num_hidden_groups": 1, "inner_group_num": 1}
REFINED = {"vocab_size": 65024, "hidden_size": 4544, "n_layer": 32, "n_head": 71, "multi_query": True, "parallel_attn": True}
REFINED_40B = {"vocab_size": 65024, "hidden_size": 8192, "n_layer": 60, "n_head": 128, "n_head_kv": 8, "parallel_attn": True}


OLD = [
    (OLD_BERT, "bert", "BertModel"),
    (OLD_ALBERT, "albert", "AlbertModel"),
    (OLD_GPT2, "gpt2", "GPT2Model"),
    (OLD_BERT | {"architectures": ["RobertaForMaskedLM"]}, "roberta", "RobertaForMaskedLM"),
    (OLD_GPT2 | {"architectures": ["GPT2LMHeadModel"]}, "gpt2", "GPT2LMHeadModel"),
    (of("RefinedWebModel", "RWForCausalLM", **REFINED), "falcon", "FalconForCausalLM"),
    (of("RefinedWeb", "RWForCausalLM", **REFINED_40B), "falcon", "FalconForCausalLM"),
    (of("llama", "LLaMAForCausalLM"), "llama", "LlamaForCausalLM"),
    (of("mt5", "T5ForConditionalGeneration"), "mt5", "MT5ForConditionalGeneration"),
    (of("xlm-roberta", "RobertaForMaskedLM"), "xlm_roberta", "XLMRobertaForMaskedLM"),
    (of("camembert", "CamembertForMaskedLM"), "roberta", "RobertaForMaskedLM"),
    (of("kimi_k2", "DeepseekV3ForCausalLM"), "deepseek_v3", "DeepseekV3ForCausalLM"),
]


def test_old_files_and_other_names():
    for config, family, class_name in OLD:
        model = load(config)
        assert (model.family, model.origin.class_name) == (family, class_name)


def test_what_old_files_count():
    assert load(OLD_BERT).count() == 102_267_648
    assert load(OLD_ALBERT | {"vocab_size": 30_000}).count() == load("albert-base-v2").count()
    assert load(OLD_GPT2).count() == 124_439_808
    types = {"RefinedWebModel": (REFINED, "falcon-7b"), "RefinedWeb": (REFINED_40B, "falcon-40b")}
    for model_type, (config, published) in types.items():
        untied = {} if load(published).features["tying"] else {"tie_word_embeddings": False}
        assert load(of(model_type, "RWForCausalLM", **config, **untied)).count() == load(published).count()


def test_a_family_can_be_named(tmp_path, cli):
    (tmp_path / "config.json").write_text(json.dumps({"hidden_size": 768}), encoding="utf-8")
    counted = cli(["count", str(tmp_path), "--architecture", "BERT"])
    assert (counted.code, counted.out) == (0, "109482240\n")
    assert counted.err.startswith("symparams: read as bert, BertModel: used hidden_size; not used: nothing\n")
    assert counted.err.endswith("symparams: the config names no class, so this is the base model, BertModel\n")
    for target, family, message in (
        ({"hidden_size": 768}, "", "The config has no model_type, which names its architecture: add it"),
        ({"hidden_size": 768}, "brt", "--architecture 'brt' has no config in transformers. Did you mean 'bert'"),
        ("gpt2", "bert", "--architecture 'bert' is for a config, and 'gpt2' is not one"),
        (of("RefinedWebModel"), "", "The config has no value for multi_query, which RefinedWebModel needs"),
    ):
        assert refusal(load, target, architecture=family).startswith(message)


def test_a_file_or_the_folder_that_holds_it(tmp_path, cli):
    folder = tmp_path / "my-bert"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(BERT | OLD_BERT | {"vocab_size": 30_522}), encoding="utf-8")
    assert cli(["count", str(folder)]) == cli(["count", str(folder / "config.json")]) == (0, "109482240\n", "")
    assert load(folder).name == "my-bert"


ODD = [
    (BERT | {"type_vocab_size": 0}, "n_types = 0 in the config, and this is counted as the library builds it"),
    (
        of("llama", "LlamaModel", num_key_value_heads=5),
        "n_kv_heads = 5 does not divide n_heads = 32: the library builds this model, and it cannot be run",
    ),
    (
        of("deepseek_v3", "DeepseekV3Model", n_routed_experts=0),
        "n_experts = 0 in the config, and this is counted as the library builds it; "
        "n_active = 8 is more than n_experts = 0: the library builds this model, and it cannot be run",
    ),
]


def test_what_is_built_though_it_cannot_run_is_counted_and_told(tmp_path, cli):
    """And is an error where somebody chooses it."""
    for config, said in ODD:
        (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
        counted = cli(["count", str(tmp_path)])
        assert counted.code == 0
        assert counted.err.endswith(f"symparams: {said}\n")
        assert "; ".join(map(str, load(tmp_path).oddities)) == said
        for language in ("en", "zh"):
            assert cli(["derive", str(tmp_path), "--lang", language]).code == 0
    assert "n_kv_heads = 5" in refusal(load, {"model_type": "llama"}, n_kv_heads=5)
    assert "positive integer" in refusal(load, BERT, n_types=0)


FILES = [
    ('{"model_type": "bert"', "is not JSON"),
    ("[1, 2]", "holds a list, not an object with the keys of a config."),
    ("[" * 10_000 + "]" * 10_000, "is nested deeper than 100 levels"),
    ('{"model_type": "bert", "hidden_size": ' + "9" * 5_000 + "}", "holds a number with more digits than any model needs."),
    ('{"model_type": "bert", "hidden_size": ' + "9" * 60 + "}", "hidden_size = '999"),
]


def test_files_of_a_base_model_and_of_none(tmp_path, cli, mistake):
    (tmp_path / "config.json").write_text('{"model_type": "bert"}', encoding="utf-8")
    sheet = cli(["derive", str(tmp_path)]).out
    assert "The config names no class, so this is the base model, BertModel." in sheet
    for text, message in FILES:
        (tmp_path / "config.json").write_text(text, encoding="utf-8")
        assert message in mistake(["count", str(tmp_path)])


def test_a_config_names_its_model_where_it_names_no_path(tmp_path):
    folder = tmp_path / "paper"
    folder.mkdir()
    for named, name in [
        ("bert-base-cased", "bert-base-cased"),
        ("org/own.v2", "org/own.v2"),
        *(
            (path, "paper")
            for path in ("./own", "../own", "/home/a/own", "out/run/own", "C:\\own", "~/own", "own/", "", 7, None)
        ),
    ]:
        (folder / "config.json").write_text(json.dumps(BERT | {"_name_or_path": named}))
        assert load(folder).name == name
    assert load(BERT | {"_name_or_path": "a" * 1_000_000}).name == "a" * 199 + "…"


@pytest.mark.parametrize("blank", [" ", "\u3000", ""])
def test_a_name_that_nobody_sees_calls_no_model(tmp_path, blank):
    assert load({**BERT, "_name_or_path": blank}).name == "bert"
    folder = tmp_path / blank
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(BERT))
    assert load(folder).name == ("config.json" if blank else tmp_path.name)


@settings(max_examples=30)
@given(st.binary(max_size=200))
def test_whatever_a_file_holds_it_is_read_or_refused(tmp_path_factory, content):
    file = tmp_path_factory.mktemp("configs") / "config.json"
    file.write_bytes(content)
    with pytest.raises(SymparamsError):
        load(file)


def test_sizes_and_features_can_be_chosen_over_a_config():
    """Of other layers than the config lists the family's own pattern tells which have a window."""
    listed = FOUR_LAYERS | {"layer_types": [FULL] * 4}
    cache = {"b": 1, "t": 10_000, "dtype": "bf16"}
    assert load(listed).measure("kv_cache", **cache) == 163_840_000
    assert load(listed, L=5).measure("kv_cache", **cache) == load({**listed, "layer_types": None}, L=5).measure(
        "kv_cache", **cache
    )
    assert load(BERT, exclude=["pooler"], V=21_128).count() == 102_267_648 - 590_592
    wide = {**BERT, "hidden_size": 1024, "num_attention_heads": 16}
    assert load(wide, d_ff="4*h").values[d_ff] == 4096
