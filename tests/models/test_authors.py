"""Families that transformers does not have: their names and shapes are those that their authors' own code builds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symparams import load
from symparams.answers.verification import verify
from symparams.architectures import architecture
from symparams.models.library import families, library
from tests.checkpoints.writing import safetensors
from tests.refusals import refusal

# What modeling_*.py of each family, as its authors ship it beside its weights, builds of a tiny config: run once, on torch's
# meta device, with transformers 5.23 and stand-ins for what it imports besides.
BUILT = json.loads((Path(__file__).parent / "authors.json").read_text(encoding="utf-8"))


def codes():
    """The files of authors that the tables name, by family."""
    records = {name: library(architecture(name)) for name in families()}
    return {name: record.code for name, record in records.items() if record.code}


def test_every_file_of_authors_was_run():
    assert {load(row["config"]).family: row["code"] for row in BUILT} == codes()


@pytest.mark.parametrize("row", BUILT, ids=lambda row: row["config"]["architectures"][0])
def test_names_shapes_and_order_are_the_authors(row):
    model = load(row["config"], strict=True)
    assert [(name, list(shape)) for name, shape in model.tensors(names="hf")] == list(row["tensors"].items())


def test_a_file_of_theirs_is_verified_and_recognised(tmp_path, cli):
    for row in BUILT[:1] + BUILT[2:3] + BUILT[8:9] + BUILT[-9:-8]:
        file = safetensors(tmp_path / "model.safetensors", {name: tuple(shape) for name, shape in row["tensors"].items()})
        (tmp_path / "config.json").write_text(json.dumps(row["config"]))
        assert cli(f"verify {tmp_path}/config.json --checkpoint {file}").code == 0
        (tmp_path / "config.json").unlink()
        assert load(str(file), n_heads=4).family == load(row["config"]).family


def test_the_library_builds_none_of_them():
    told = refusal(verify, load("chatglm3-6b"))
    assert told.startswith("ChatGLM is not a type of transformers: its names are those of https://huggingface.co/THUDM/")
    assert "--checkpoint" in told


REFUSED = [
    ({"position_encoding_2d": True}, "position_encoding_2d in the config: that is ChatGLM-6B, the first of its name"),
    ({"rmsnorm": False}, "rmsnorm = false in the config: only true is supported."),
    ({"pre_seq_len": 128}, "pre_seq_len in the config: the vectors of a learned prefix are not supported."),
]


def test_what_chatglm_does_not_have():
    for keys, told in REFUSED:
        assert told in refusal(load, {"model_type": "chatglm", **keys})


def test_a_key_that_repeats_another_is_no_doubt():
    sizes = {"num_layers": 40, "num_hidden_layers": 40, "padded_vocab_size": 151_552, "vocab_size": 151_552}
    glm4 = {"multi_query_attention": True, "multi_query_group_num": 2, "add_qkv_bias": True, "hidden_size": 4_096}
    glm4 |= {"kv_channels": 128, "num_attention_heads": 32, "ffn_hidden_size": 13_696, "rope_ratio": 500}
    model = load({"model_type": "chatglm", "architectures": ["ChatGLMModel"], **sizes, **glm4}, strict=True)
    assert model.count() == 9_399_951_360


NOMIC_BERT = {"model_type": "nomic_bert", "n_embd": 16, "n_head": 4, "n_layer": 2, "vocab_size": 50, "rotary_emb_fraction": 1.0}
NOT_NOMIC_BERT = [
    (
        {"num_experts": 8, "moe_every_n_layers": 2},
        "num_experts in the config: the mixture of experts of nomic-embed-text-v2-moe",
    ),
    ({"img_size": 224, "prenorm": True}, "img_size in the config: the image encoder of nomic-embed-vision is not supported."),
    ({"prenorm": True}, "prenorm = true in the config: only false is supported; the authors' text model then leaves"),
    ({"norm_mlp": True}, "norm_mlp = true in the config: only false is supported"),
    ({"num_heads_kv": 2}, "num_heads_kv in the config: the authors' code cuts queries, keys and values alike, into 4 heads."),
    ({"mlp_fc1_bias": False}, "mlp_fc1_bias and mlp_fc2_bias differ in the config: only both biases or neither are supported."),
    (
        {"activation_function": "relu"},
        "activation_function = 'relu' in the config: the authors' code takes swiglu, geglu, glu,",
    ),
    ({"rotary_emb_fraction": "all"}, "rotary_emb_fraction = 'all' in the config must be a number from 0 to 1."),
]


def test_what_nomic_bert_does_not_have():
    for keys, told in NOT_NOMIC_BERT:
        assert told in refusal(load, NOMIC_BERT | keys)


def test_one_model_type_of_the_library_and_of_the_authors():
    """The authors' keys tell which; without model_type, too, and a class that only one of the two has tells it by itself."""
    library = {"hidden_size": 16, "num_attention_heads": 4, "num_hidden_layers": 2, "vocab_size": 50}
    for config in (NOMIC_BERT, {key: value for key, value in NOMIC_BERT.items() if key != "model_type"}):
        assert load(config | {"architectures": ["NomicBertModel"]}).family == "nomic_bert_contrastors"
    for config in (
        {"model_type": "nomic_bert"},
        {"architectures": ["NomicBertModel"]},
        {"architectures": ["NomicBertForMaskedLM"]},
    ):
        assert load(library | config).family == "nomic_bert"
    assert load(library | {"architectures": ["NomicBertForPreTraining"]}).family == "nomic_bert_contrastors"
    assert load("nomic-embed-text-v1").count() == load({"model_type": "nomic_bert"}).count() == 136_731_648
