"""The reading of a config: a published one is read without a doubt; what somebody mistyped, left out or repeated is told."""

from __future__ import annotations

import json
import re
from pathlib import Path

from symparams import load, published_models
from symparams.answers.real_models import config_of
from symparams.atlas import kinds
from symparams.models.calculation import own_context
from tests.refusals import refusal

# Configs as they were published: of a family that is known with its count, of another with the one that is near or far, and
# what the config counts as one of those.
HUB = json.loads((Path(__file__).parent / "hub_configs.json").read_text(encoding="utf-8"))
LLAMA = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "vocab_size": 32_000, "hidden_size": 4_096,
         "num_hidden_layers": 32, "num_attention_heads": 32, "intermediate_size": 11_008}  # fmt: skip
DBRX = next(row["config"] for row in HUB if row["name"] == "DBRX")


KNOWN = [row for row in HUB if not row.keys() & {"near", "far"}]


def test_published_configs_are_read_without_a_doubt():
    """Every key that they have besides, and every one that they lack: pooler_fc_size, torch_dtype, num_key_value_heads.

    The library leaves out of a section what is its default: that is told, and no mistake.
    """
    for row in KNOWN:
        model = load(row["config"], strict=True)
        assert model.count() == row["count"], row["name"]
        assert model.reading.lines == () or set(model.reading.defaults) == model.reading.usual, row["name"]
        if row["name"] in published_models() and model.present == load(row["name"]).present:
            assert model.count() == load(row["name"]).count(), row["name"]
    assert len({load(row["config"]).family for row in KNOWN}) > 45


def test_the_longest_sequence_of_a_published_model_is_that_of_its_config():
    known = {row["name"].lower(): own_context(load(row["config"])) for row in HUB}
    both = {name: (known[name], own_context(load(name))) for name in known if name in published_models()}
    told = {name: lengths for name, lengths in both.items() if all(lengths)}
    assert all(first == second for first, second in told.values()), told
    assert len(told) > 40


# Published configs without model_type and architectures, each with the keys that it has of those that may change a count.
STRIPPED = {
    "distilbert-base-uncased": "distilbert reads 5 of 5 keys",  # keys of its own
    "Yi-6B": "llama reads 6 of 6 keys",  # those of many families
    "mistral-7b-v0.1": "mistral reads 7 of 7 keys",  # one more than those
    "qwen2-vl-7b": "qwen2_vl reads 16 of 16 keys",  # sections
    "whisper-tiny": "whisper reads 12 of 12 keys",  # two stacks
}


def test_a_config_without_model_type_names_the_family_that_reads_its_most_telling_keys():
    for row in KNOWN:
        if row["name"] in STRIPPED:
            stripped = {key: value for key, value in row["config"].items() if key not in ("model_type", "architectures")}
            said = "The config has no model_type, which names its architecture. The nearest families: "
            assert refusal(load, stripped).startswith(f"{said}{STRIPPED[row['name']]}, "), row["name"]


XGLM = {"model_type": "xglm", "architectures": ["XGLMForCausalLM"], "vocab_size": 256_008, "d_model": 1_024, "num_layers": 24,
        "ffn_dim": 4_096, "attention_heads": 16, "max_position_embeddings": 2_048, "scale_embedding": True}  # fmt: skip


def test_a_discovered_type_counts_as_published():
    assert load(XGLM).count() == 564_463_616


def test_an_unknown_family_names_the_nearest_by_its_keys_and_an_option_that_works():
    for row in HUB:
        name = row.get("near") or row.get("far")
        if name is None or row["config"]["model_type"] in kinds():
            continue
        line = refusal(load, row["config"])
        begins = f"symparams does not know the family '{row['config']['model_type']}'. "
        assert line.startswith(begins + ("The nearest families: " if "near" in row else "None is near: ") + f"{name} reads "), (
            line
        )
        [option] = re.findall(r"--architecture (\w+)", line)
        model = load(row["config"], architecture=option)
        assert (option, model.count()) == (name, row["count"]), row["name"]
        assert model.reading.lines[0].startswith(f"read as {name}, {model.origin.class_name}: used "), row["name"]
    assert "Did you mean 'bert'" in refusal(load, {"model_type": "brt"})
    assert refusal(load, {"model_type": "unheard"}).endswith("'symparams list' names those that it knows.")


LACKS = "not in the config, so the library's defaults apply: hidden_size = 4096, num_hidden_layers = 32"
SECTION = {"hidden_size": 4_096, "intermediate_size": 11_008, "num_attention_heads": 32, "num_hidden_layers": 32}
# What a config has, what it lacks, and what is told of it.
READINGS = [
    ({"hiden_size": 8_192, "num_layer": 80}, ("hidden_size", "num_hidden_layers"),
     [LACKS, "not read for llama: hiden_size (did you mean hidden_size?), num_layer (did you mean num_hidden_layers?)"]),
    ({}, ("hidden_size",), ["not in the config, so the library's default applies: hidden_size = 4096"]),
    ({"num_key_value_head": 8}, (), ["not read for llama: num_key_value_head (did you mean num_key_value_heads?)"]),
    ({"use_qk_norm": True, "n_routed_experts": 8}, (), ["not read for llama: use_qk_norm, n_routed_experts"]),
    ({"use_qk_norm": False, "n_routed_experts": None, "sliding_window": None, "layer_types": ["full_attention"] * 32}, (), []),
    ({"sliding_window": 4_096}, (), ["not read for llama: sliding_window"]),
    ({"anything": 1, "rope_theta": 1e6, "torch_dtype": "bfloat16", "max_position_embeddings": 8_192}, (), []),
    ({"numKeyValueHeads": 8}, (), ["not read for llama: numKeyValueHeads (did you mean num_key_value_heads?)"]),
    ({"tie_word_embedding": True}, (), ["not read for llama: tie_word_embedding (did you mean tie_word_embeddings?)"]),
]  # fmt: skip
MPT = {"model_type": "mpt", "d_model": 64, "n_heads": 2, "n_layers": 1, "vocab_size": 8}
MINIMAX = {"model_type": "minimax_m2", "vocab_size": 8, **SECTION, "num_key_value_heads": 8, "head_dim": 128,
           "num_local_experts": 4, "num_experts_per_tok": 2}  # fmt: skip
LFM2 = {"model_type": "lfm2", "vocab_size": 8, "hidden_size": 2_560, "num_hidden_layers": 16, "num_attention_heads": 32,
        "num_key_value_heads": 8, "conv_L_cache": 3}  # fmt: skip
TEXT = SECTION | {"hiden_size": 64}
VISION = {"hidden_size": 64, "intermediate_size": 256, "num_attention_heads": 2, "num_hidden_layers": 2, "image_size": 28,
          "patch_size": 14, "num_channels": 3}  # fmt: skip
SECTIONS = {"model_type": "llava", "vision_config": VISION, "text_config": {"vocab_size": 8, **TEXT}}
DEFAULTS = {"model_type": "llava", "vision_config": VISION, "text_config": {"vocab_size": 8, **SECTION}}
DEFAULTS["text_config"].pop("hidden_size")
OTHERS = [
    (MPT | {"expansion_ratio": 4, "learned_pos_emb": True}, []),
    (MPT | {"expansion_ratio": 8}, ["not read for mpt: expansion_ratio"]),  # the library builds 4·h whatever it says
    (LFM2 | {"block_ff_dim": 12_288, "block_dim": 2_560, "tie_embedding": True, "full_attn_idxs": [2, 5]}, []),
    (LFM2, ["not in the config, so the library's default applies: intermediate_size = 12288"]),
    (MINIMAX | {"attn_type_list": [1, 1]}, []),
    (MINIMAX | {"attn_type_list": [1, 0]}, ["not read for minimax_m2: attn_type_list"]),  # 0 is linear attention
    (SECTIONS, ["not read for llava: text_config.hiden_size (did you mean hidden_size?)"]),
]


def test_what_is_told_of_a_config_and_refused_where_one_is_strict():
    llamas = [({key: value for key, value in (LLAMA | added).items() if key not in lacking}, lines)
              for added, lacking, lines in READINGS]  # fmt: skip
    for config, lines in (*llamas, *OTHERS):
        assert list(load(config).reading.lines) == lines, config
        if lines:
            assert refusal(load, config, strict=True) == f"{'; '.join(lines)}. Correct the config, or leave out strict."
    assert load("gpt2", strict=True).reading is None
    assert load({**LLAMA, 7: 8}).reading.lines == ()


def test_what_a_section_lacks_is_told_and_not_refused():
    """The library's own files leave out of a section what is the default."""
    assert load(DEFAULTS, strict=True).reading.lines == (
        "not in the config, so the library's default applies: text_config.hidden_size = 4096",
    )


def test_a_size_beside_the_section_that_lacks_it_is_not_read():
    """The library reads text_config alone where it is there; that there is no vision_config moves nothing."""
    config = {"model_type": "qwen2_vl", "hidden_size": 1_536, "text_config": {"vocab_size": 8}}
    lines = load(config).reading.lines
    assert "text_config.hidden_size = 8192" in lines[0]
    assert lines[1] == "not read for qwen2_vl: hidden_size"
    assert lines[1] in refusal(load, config, strict=True)
    for absent in ({"text_config": None}, {"text_config": None, "vision_config": None}):  # as where there is no such key
        [line] = load({**config, **absent}).reading.lines  # and that size is the text model's
        assert "text_config.vocab_size = 152064, text_config.num_hidden_layers = 80, vision_config.depth = 32" in line
        assert refusal(load, {**config, **absent}, strict=True).startswith(line)


def test_strict_refuses_a_key_that_no_table_knows():
    """One that is off too, unless some family has it: what is off of another family asks for nothing."""
    config = LLAMA | {"memory_tokens": 16, "extra_norm": False, "sliding_window": None, "rope_theta": 1e6}
    assert load(config).reading.lines == ()
    assert refusal(load, config, strict=True) == (
        "not read for llama: memory_tokens, extra_norm. Correct the config, or leave out strict."
    )


def test_a_size_that_is_given_is_no_default():
    config = {key: value for key, value in LLAMA.items() if key not in ("hidden_size", "num_hidden_layers")}
    assert list(load(config).reading.lines) == [LACKS]
    assert load(config, h=64, L=2, strict=True).reading.defaults == {}


def test_another_familys_config_says_what_was_used_and_what_was_not():
    headless = {key: value for key, value in DBRX.items() if key != "architectures"}
    model = load(headless, architecture="mixtral")
    assert model.count() == 46_851_690_496
    assert list(model.reading.lines) == [
        "read as mixtral, MixtralModel: used tie_word_embeddings, vocab_size; "
        "not used: attn_config, d_model, ffn_config, n_heads, n_layers",
        "not in the config, so the library's defaults apply: hidden_size = 4096, num_hidden_layers = 32, "
        "num_attention_heads = 32, num_key_value_heads = 8, intermediate_size = 14336, num_local_experts = 8, "
        "num_experts_per_tok = 2",
    ]
    for named, read in (
        ("QWenLMHeadModel", "LlamaForCausalLM"),
        ("ChatGLMModel", "LlamaModel"),
        ("YayiForTokenClassification", "LlamaForTokenClassification"),
    ):
        config = LLAMA | {"model_type": "other", "architectures": [named]}
        assert load(config, architecture="llama").origin.class_name == read
    reward = LLAMA | {"architectures": ["LlamaEagleForCausalLM"]}
    assert refusal(load, reward).endswith(" --architecture llama reads it as LlamaForCausalLM.")
    assert load(reward, architecture="llama").reading.lines[0].startswith("read as llama, LlamaForCausalLM: used ")
    config["architectures"] = ["OtherForMaskedLM"]
    assert refusal(load, config, architecture="llama").startswith("Unknown class 'OtherForMaskedLM' under architectures")


def test_the_command_line_tells_it_on_stderr_alone_and_strict_refuses(tmp_path, cli, mistake):
    file = tmp_path / "config.json"
    text = json.dumps(LLAMA | {"hiden_size": 8})
    file.write_text(f'{text[:-1]}, "vocab_size": 32000, "rope_scaling": {{"a": 1, "a": 2}}}}', encoding="utf-8")
    told = (
        "symparams: not read for llama: hiden_size (did you mean hidden_size?)\n"
        "symparams: given more than once in the config, where the last one counts: a, vocab_size\n"
    )
    for command in ("count", "formula", "show", "derive --brief", "memory", "flops", "explain 6738415616", "compare gpt2"):
        name, *arguments = command.split()
        answer = cli([name, str(file), *arguments])
        lines = told if name != "compare" else told.replace("symparams: ", f"symparams: {tmp_path.name}: ")
        assert (answer.code, answer.err) == (0, lines), command
        assert "hiden_size" not in answer.out
    said = mistake(["count", str(file), "--strict"])
    assert said == f"{told.replace('symparams: ', '').strip().replace(chr(10), '; ')}. Correct the config, or leave out strict."
    read = json.loads(cli(["count", str(file), "--json"]).out)["reading"]
    assert read == {"family": "llama", "class": None, "defaults": {}, "unread": [{"key": "hiden_size", "near": "hidden_size"}],
                    "repeated": ["a", "vocab_size"], "used": [], "unused": []}  # fmt: skip
    assert mistake("count gpt2 --strict") == "'gpt2' is not a config: leave out --strict, which is for a config.json."


def test_configs_that_are_written_for_published_models_are_read_without_a_word():
    for name in published_models():
        model = load(name)
        if model.library is not None:
            assert load({"model_type": model.family, **config_of(model)}).reading.lines == (), name


def test_layers_of_several_kinds_of_a_number_that_is_not_there():
    """61 = 3 dense layers and 58 with experts: the library's number of all layers, of which the config's sizes follow."""
    reading = load({"model_type": "deepseek_v3", "hidden_size": 64}).reading
    assert reading is not None
    assert ("num_hidden_layers", 61) in reading.defaults.values()
