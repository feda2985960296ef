"""A config of a type that was discovered: what was checked counts, anything else is one line that names the key."""

from __future__ import annotations

import json
import sys

import pytest

import symparams
from symparams import load
from symparams.atlas import comparison, configs
from symparams.atlas.record import read
from tests.refusals import refusal

XGLM = {
    **{"model_type": "xglm", "architectures": ["XGLMForCausalLM"], "vocab_size": 1_000, "d_model": 64},
    **{"num_layers": 3, "ffn_dim": 128, "attention_heads": 4},
}
COUNT = 164_544  # 3·(4·64² + 2·64·128 + 9·64 + 128) + 1000·64 + 2·64


def test_what_was_checked_counts():
    assert load(XGLM).count() == COUNT
    assert load({**XGLM, "tie_word_embeddings": False}).count() == COUNT + 64_000
    assert load({**XGLM, "hidden_size": 64}).count() == COUNT  # an alias that says the same
    assert load({**XGLM, "activation_function": "gelu", "per_layer_config": {}}).count() == COUNT
    assert load({"model_type": "xglm", "architectures": ["XGLMForCausalLM"]}).count() == 564_463_616


def test_a_config_without_a_class_is_the_base_model():
    model = load({key: value for key, value in XGLM.items() if key != "architectures"})
    assert (model.count(), model.assumed) == (COUNT, "XGLMModel")
    assert load({"model_type": "ctrl"}).assumed == "CTRLModel"  # not CTRLLMHeadModel, whose name has no "For"


def test_a_base_model_that_was_not_discovered_is_no_other_class():
    lack = "The config names no class, and the base model of its type was not discovered"
    line = f'{lack}: add "architectures": ["Emu3ForCausalLM"] or ["Emu3TextModel"].'
    assert refusal(load, {"model_type": "emu3"}) == line


OF_SIZES = [
    ({"d_model": "64"}, "d_model = '64' is not a whole number."),
    ({"d_model": 64.0}, "d_model = 64.0 is not a whole number."),
    ({"num_layers": True}, "num_layers = true is not a whole number."),
    ({"num_layers": -1}, "num_layers = -1 is too small: from 1 was checked for XGLMForCausalLM."),
    ({"vocab_size": 0}, "vocab_size = 0 is too small"),
    ({"num_layers": None}, "num_layers is null, which was not checked for XGLMForCausalLM"),
    ({"num_layers": [1, 2]}, "num_layers = [1, 2] is a list, and only whole numbers were checked"),
    ({"d_model": {"a": 1}}, "d_model is an object in the config"),
    ({"tie_word_embeddings": 1}, "tie_word_embeddings = 1 is not true or false."),
    ({"tie_word_embeddings": None}, "tie_word_embeddings is null, which was not checked"),
    ({"activation_function": "prelu"}, "activation_function = 'prelu' was not checked for XGLMForCausalLM, only activations"),
    ({"activation_function": "nonsense"}, "activation_function = 'nonsense' was not checked"),
    ({"hidden_size": 65}, "hidden_size = 65 and d_model = 64 are two names of one key: leave one of them out."),
    ({"per_layer_config": {"0": {"d_model": 12}}}, "per_layer_config: a d_model of single layers was not checked for XGLM"),
    ({"architectures": "XGLMModel"}, "architectures in the config must be a list"),
    ({"architectures": ["XGLMForMaskedLM"]}, "Unknown class 'XGLMForMaskedLM' under architectures in the config."),
    ({"architectures": [["XGLMModel"]]}, "Unknown class '['XGLMModel']' under architectures in the config."),
]


@pytest.mark.parametrize(("change", "line"), OF_SIZES)
def test_what_was_not_checked_is_refused(change, line):
    assert line in refusal(load, {**XGLM, **change})


# A type with a list of words, one of indices, one of numbers, a section, a word and a rule for null.
TOY = {
    "letters": {
        "h": ["hidden_size", "", 8],
        "n_heads": ["num_attention_heads", "", 2],
        "n_kv_heads": ["num_key_value_heads", "", "n_heads"],
        "L": ["num_hidden_layers", "", 4],
        "L_full": ["layer_types", "full_attention", "L"],
        "L_moe": ["moe_layers", "number", 0],
        "L_cross": ["cross_layers", "number", 2],
        "c_0": ["conv_dim", 0, 16],
        "c_1": ["conv_dim", 1, 32],
        "V": ["text_config.vocab_size", "", 100, 120],
        "d_ff": ["widths", "each", 16],
        "n_langs": ["n_langs", "", 1],
    },
    "features": {
        "feat_extract_norm_layer": ["feat_extract_norm", "layer", False],
        "n_langs_above_1": ["n_langs", {"above": 1}, None],
        "h_is_V": ["hidden_size", {"like": "text_config.vocab_size"}, None],
    },
    "allowed": {
        "blocks": [["conv", "dense", "conv", "dense"]],
        "feat_extract_norm": ["group", "layer"],
        "mask_time_prob": [0.05],
        "text_config.model_type": ["llama"],
        "use_gate": [None, True],
        "feature_layer": ["whole numbers"],
    },
    "entries": {"layer_types": ["full_attention", "linear_attention"]},
    "lengths": {"blocks": "num_hidden_layers", "layer_types": "num_hidden_layers"},
    "indices": {"moe_layers": "num_hidden_layers", "cross_layers": "num_hidden_layers"},
    "lists": {"cross_layers": [0, 2]},
    "needs": [["n_heads", "h"]],
    "least": {"h": 1, "L": 0},
    "base": {},
    "aliases": {},
    "default": 0,
    "parts": {},
    "classes": {
        "ToyModel": {
            "certificate": {
                **{"made_by": "transformers 5.23.0", "by_role": 30, "at_random": 30, "refused": 0},
                **{"ranges": {}, "switches": [], "seed": 0},
            },
            "heads": ["BASE"],
            "part": [
                *["", "ToyModel", ["kv: n_kv_heads, h/n_heads", "conv: c_0, c_1", "table: V, h"]],
                [
                    ["a", "A", ["x: h"], [], "L_full"],
                    ["b", "B", ["x: h"], [], "L - L_full"],
                    ["c", "C", ["x: h, h"], [], "L_moe"],
                    ["cross", "G", ["x: h"], [], "L_cross"],
                    ["langs", "D", ["x: n_langs, h"], [], "1", "n_langs_above_1"],
                    ["projection", "E", ["x: V, h"], [], "1", "~h_is_V"],
                    ["network", "F", ["x: d_ff, h"], [], "L"],
                ],
            ],
        }
    },
}
WORDS = ["full_attention", "linear_attention", "linear_attention", "full_attention"]


@pytest.fixture
def toy(monkeypatch):
    """The toy type, in the place of all others."""
    monkeypatch.setattr(configs, "entries", lambda _: read("toy", TOY))
    return lambda **changes: load({"model_type": "toy", **changes})


def test_lists_sections_and_rules_count(toy):
    usual = 2 * 4 + 16 * 32 + 2 * 120 * 8 + 4 * 8 + 4 * 16 * 8 + 2 * 8
    assert toy().count() == usual
    assert toy(text_config={}).count() == usual - 2 * 20 * 8  # of a section that stands in the config other sizes are usual
    assert toy(layer_types=WORDS).count() == usual
    assert toy(layer_types=None, moe_layers=None, num_key_value_heads=None, text_config=None).count() == usual
    assert toy(moe_layers=[0, 3]).count() == usual + 2 * 64
    assert toy(cross_layers=[0, 1, 3]).count() == usual + 8
    assert toy(num_key_value_heads=1).count() == usual - 4
    assert toy(conv_dim=[4, 4]).count() == usual - 16 * 32 + 16
    assert toy(text_config={"vocab_size": 10, "model_type": "llama"}).count() == usual - 2 * 110 * 8
    assert toy(text_config={"vocab_size": 8}).count() == usual - 2 * 112 * 8 - 8 * 8  # no projection between the same sizes
    assert toy(n_langs=3, feature_layer=-2).count() == usual + 3 * 8
    assert toy(blocks=["conv", "dense", "conv"], num_hidden_layers=3).count() == toy(num_hidden_layers=3).count()
    assert toy(num_hidden_layers=5).count() == usual + 8 + 16 * 8
    assert toy(widths=[4, 4, 4, 4]).count() == usual - 4 * 12 * 8


OF_LISTS = [
    (
        {"layer_types": [*WORDS[:3], "foo"]},
        "layer_types has 'foo', which was not checked for ToyModel, only full_",
    ),
    ({"layer_types": [*WORDS[:3], 1]}, "layer_types has 1, which was not checked"),
    ({"layer_types": WORDS[:3]}, "layer_types has 3 entries for num_hidden_layers = 4."),
    ({"layer_types": []}, "layer_types has 0 entries for num_hidden_layers = 4."),
    ({"layer_types": "full_attention"}, "layer_types = 'full_attention' is not a list."),
    ({"blocks": ["dense", "conv"]}, 'blocks = ["dense", "conv"] was not checked for ToyModel, only ["conv", "dense"'),
    (
        {"num_hidden_layers": 2},
        "cross_layers, which is [0, 2] where a config has none, names the layer 2 of num_hidden_layers = 2, counted from 0.",
    ),
    ({"moe_layers": [4]}, "moe_layers names the layer 4 of num_hidden_layers = 4, counted from 0."),
    ({"moe_layers": [-1]}, "moe_layers = [-1] is not a list of layers, each once and from 0."),
    ({"moe_layers": [1, 1]}, "moe_layers = [1, 1] is not a list of layers"),
    ({"moe_layers": 2}, "moe_layers = 2 is not a list, and only lists were checked"),
    ({"widths": [4, 4, 8, 4]}, "widths = [4, 4, 8, 4] has entries that differ, and only equal ones were checked for ToyModel."),
    ({"conv_dim": [4]}, "conv_dim has 1 entries, and 2 were checked for ToyModel."),
    ({"conv_dim": [4, 4, 4]}, "conv_dim has 3 entries, and 2 were checked for ToyModel."),
    ({"conv_dim": [4, 2.5]}, "conv_dim = [4, 2.5] is not a list of whole numbers from 0."),
    ({"conv_dim": [4, -2]}, "conv_dim = [4, -2] is not a list of whole numbers from 0."),
    ({"conv_dim": None}, "conv_dim is null, which was not checked"),
    ({"hidden_size": 9}, "hidden_size = 9 is not a multiple of num_attention_heads = 2"),
    ({"feat_extract_norm": "batch"}, "feat_extract_norm = 'batch' was not checked for ToyModel, only group, layer."),
    ({"mask_time_prob": 0.1}, "mask_time_prob = 0.1 was not checked for ToyModel, only 0.05."),
    ({"feature_layer": [-1, -2]}, "feature_layer = [-1, -2] was not checked for ToyModel, only whole numbers."),
    ({"use_gate": False}, "use_gate = false was not checked for ToyModel, only null, true."),
    ({"text_config": {"model_type": "bert"}}, "text_config.model_type = 'bert' was not checked for ToyModel, only llama."),
    ({"vision_config": {"model_type": "clip"}}, "vision_config.model_type = 'clip': sections of other types were not checked"),
    ({"text_config": 3}, "text_config = 3 is not a section"),
    ({"vocab_size": 50}, "vocab_size stands beside the sections of the config, and ToyModel reads text_config.vocab_size."),
]


@pytest.mark.parametrize(("change", "line"), OF_LISTS)
def test_a_list_a_word_or_a_section_that_was_not_checked_is_refused(toy, change, line):
    assert line in refusal(toy, **change)


GEMMA = {
    **{"model_type": "embedding_gemma2_text", "num_hidden_layers": 3, "head_dim": 16},
    **{"num_key_value_heads": 4, "num_global_key_value_heads": 4},
    **{"layer_types": ["full_attention", "sliding_attention", "full_attention"], "hidden_size": 64, "vocab_size": 500},
}


def test_layers_with_sizes_of_their_own_are_those_of_their_kind():
    wider = {"00": {"head_dim": 32, "sliding_window": 8}, "02": {"head_dim": 32}}  # as the library saves global_head_dim = 32
    assert load({**GEMMA, "per_layer_config": wider}).count() == load({**GEMMA, "global_head_dim": 32}).count()
    assert load({**GEMMA, "per_layer_config": {}}).count() == load({**GEMMA, "global_head_dim": 16}).count()


@pytest.mark.parametrize(
    ("layers", "line"),
    [
        ({"0": {"head_dim": 32}}, "per_layer_config: layers of one kind must have the same head_dim: only that was checked."),
        (
            {"1": {"head_dim": 32}},
            "per_layer_config: a head_dim of single layers was not checked for EmbeddingGemma2TextModel.",
        ),
        ({"0": {"hidden_size": 32}}, "per_layer_config: a hidden_size of single layers was not checked"),
        ({"0": 32}, "per_layer_config.0 = 32 is not an object with the keys of a config."),
        ([32], 'per_layer_config = [32] is not an object: write {"0": {…}} for the first layer.'),
    ],
)
def test_other_layers_with_sizes_of_their_own_are_refused(layers, line):
    assert line in refusal(load, {**GEMMA, "per_layer_config": layers})


def test_an_image_smaller_than_a_patch_is_refused():
    image = {"model_type": "sam_hq_vision_model", "image_size": 12}
    line = "image_size = 12 and patch_size = 16 give an array a side of 0, which was not checked for SamHQVisionModel."
    assert line in refusal(load, image)
    assert load({**image, "patch_size": 4, "window_size": 2}).count() > 0


def test_a_word_with_the_number_of_layers_in_it_goes_with_that_number():
    tower = {"model_type": "vitdet", "architectures": ["VitDetBackbone"], "num_hidden_layers": 3}
    assert load({**tower, "out_features": ["stage3"]}).count() == load(tower).count()
    line = "out_features has 'stage2', which was not checked for VitDetBackbone, only stage3."
    assert line in refusal(load, {**tower, "out_features": ["stage2"]})


def test_a_key_that_a_section_takes_beside_its_own_counts():
    minicpm = {"model_type": "minicpmv4_7", "architectures": ["MiniCPMV4_7Model"]}
    text = {"num_hidden_layers": 4, "hidden_size": 64, "vocab_size": 100}
    kinds = ["linear_attention", "full_attention"] * 2
    every_second = load({**minicpm, "text_config": {**text, "full_attention_interval": 2}})
    assert every_second.count() == load({**minicpm, "text_config": {**text, "layer_types": kinds}}).count()


def test_what_counts_by_default_and_what_was_mistyped_is_told():
    lacking = {key: value for key, value in XGLM.items() if key != "d_model"}
    assert load({**lacking, "hiden_size": 64}).reading.lines == (
        "not in the config, so the library's default applies: d_model = 1024",
        "not read for xglm: hiden_size (did you mean hidden_size?)",
    )
    assert load({**XGLM, "n_embd": 64, "attention_heads": 8, "torch_dtype": "bfloat16"}).reading.lines == ()
    assert "hiden_size" in refusal(lambda: load({**XGLM, "hiden_size": 64}, strict=True))


def test_a_list_that_counts_by_default_is_told_once():
    reading = load({"model_type": "convnextv2", "num_channels": 3, "patch_size": 4}).reading
    applies = "not in the config, so the library's defaults apply"
    assert reading.lines == (f"{applies}: depths = [3, 3, 9, 3], hidden_sizes = [96, 192, 384, 768]",)
    partly = load({"model_type": "mobilevit", "architectures": ["MobileViTForSemanticSegmentation"]}).reading
    assert "neck_hidden_sizes = [16, 32, 64, 96, 128, 160, 640]" in partly.lines[0]  # of which the last decides nothing
    vitdet = {"model_type": "vitdet"}
    assert "entries of residual_block_indices = 0" in load(vitdet).reading.lines[0]
    assert load(vitdet).oddities == ()
    assert str(*load({**vitdet, "residual_block_indices": []}).oddities).startswith("residual_block_indices_number = 0")


def test_a_discovered_type_is_named_as_a_family_is(cli, mistake):
    code, out, _ = cli("show XGLM")
    assert code == 0
    assert "This definition was discovered from transformers " in " ".join(out.split())
    assert load("xglm", vocab_size=1_000, hidden_size=64, L=3, d_ff=128).count() == COUNT
    assert cli("formula xglm").out == "4·L·h² + 2·L·h·d_ff + 9·L·h + V·h + L·d_ff + 2·h\n"
    assert mistake("count xglm").startswith("xglm has no value for V ")
    assert mistake("count xgml") == "Unknown architecture or model 'xgml'. Did you mean 'xglm'?"
    assert "'xglm'" in mistake("list xgml")


def test_list_tells_how_a_type_was_checked(cli):
    assert cli("list xglm").out.splitlines()[0].startswith("xglm: XGLMForCausalLM, discovered from transformers ")
    [told] = json.loads(cli("list xglm --json").out)["discovered"]
    assert told["name"] == "xglm"
    assert told["classes"][0]["default"] == 564_463_616
    assert told["classes"][0]["ranges"]["L"][0] >= 0


def test_no_check_leaves_the_library_out(cli, tmp_path, mistake):
    file = tmp_path / "ours.json"
    file.write_text(json.dumps(XGLM), encoding="utf-8")
    assert cli(["count", str(file), "--no-check"]) == (0, f"{COUNT}\n", "")
    assert mistake("count gpt2 --no-check") == "'gpt2' is not a config: leave out --no-check, which is for a config.json."


def test_without_the_library_discover_says_what_it_needs(mistake, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    needs = "discover needs torch and transformers: pip install 'symparams[hf]'."
    assert mistake("discover xglm") == needs
    assert refusal(symparams.discover, "xglm") == needs


def test_without_the_library_a_config_is_counted_all_the_same(cli, tmp_path, monkeypatch):
    monkeypatch.setattr(comparison, "is_installed", lambda: False)
    (tmp_path / "ours.json").write_text(json.dumps(XGLM), encoding="utf-8")
    assert cli(["count", str(tmp_path / "ours.json")]) == (0, f"{COUNT}\n", "")
