"""A checkpoint by itself as a target: its family by its names, its letters by its shapes; what is not told is asked for."""

from __future__ import annotations

import json

import pytest

from symparams import load
from symparams.checkpoints.files import ending_of
from symparams.errors import CheckpointError, MissingDimensionError
from tests.checkpoints.test_verify import BERT, GPT2, LLAMA, MIXTRAL, one_by_one, renamed, stored, without
from tests.checkpoints.writing import gguf, metadata, safetensors

GEMMA2 = {**LLAMA, "model_type": "gemma2", "architectures": ["Gemma2ForCausalLM"], "head_dim": 4}
HEADS = {"n_heads": 2}
RECOGNISED = {
    "GPT-2": (GPT2, stored, {}, {}),
    "GPT-2 without the prefix, as it was published": (GPT2, lambda c: renamed(stored(c), ("transformer.", "")), {}, {}),
    "GPT-2 of a training program": (GPT2, lambda c: {f"module.{name}": s for name, s in stored(c).items()}, {}, {}),
    "BERT": (BERT, stored, {}, {"architecture": "bert"}),
    "BERT of 2018": (
        BERT,
        lambda c: renamed(stored(c), ("LayerNorm.weight", "LayerNorm.gamma"), ("LayerNorm.bias", "LayerNorm.beta")),
        {},
        {"architecture": "bert"},
    ),
    "LLaMA, told its heads": (LLAMA, stored, HEADS, {"architecture": "llama"}),
    "Gemma 2, told its heads": (GEMMA2, stored, {"num_attention_heads": "1 + 1"}, {}),
    "Mixtral with its experts one by one": (MIXTRAL, lambda c: one_by_one(stored(c)), HEADS, {}),
}


@pytest.mark.parametrize("case", RECOGNISED)
def test_a_file_is_the_model_that_it_stores(case, tmp_path):
    config, shapes, sizes, options = RECOGNISED[case]
    model, known = load(safetensors(tmp_path / "tiny.safetensors", shapes(config)), **options, **sizes), load(config)
    assert (model.family, model.name) == (known.family, "tiny")
    assert model.count(frozen=True) == known.count(frozen=True)
    assert model.values.items() <= known.values.items()
    assert model.closed_form() == known.closed_form()


SAID = """\
symparams: read from names and shapes as gpt2, GPT2LMHeadModel: L = 2, V = 50, max_pos = 6, h = 8, d_ff = 32
symparams: not told by the shapes, and the count does not need it: n_heads; --set n_heads=… gives it
"""


@pytest.mark.parametrize(
    ("target", "answers"),
    [
        ("tiny/model.safetensors", ()),
        ("tiny", ("--latex", "--markdown", "--json")),
        pytest.param("tiny", ("--html",), marks=pytest.mark.sweep),
    ],
)
def test_a_file_without_a_config_is_derived(target, answers, tmp_path, cli):
    (tmp_path / "tiny").mkdir()
    safetensors(tmp_path / "tiny" / "model.safetensors", stored(GPT2))
    code, out, err = cli(f"derive {tmp_path / target}")
    assert code == 0
    assert out.startswith("How many parameters does tiny have?\n\n    N = 12·L·h² + 13·L·h + V·h + max_pos·h + 2·h = 2,208\n")
    assert err == SAID
    assert cli(f"derive {tmp_path / target} --set n_heads=2").err == SAID.partition("\n")[0] + "\n"
    assert cli(f"count {tmp_path / target} --quantity kv-cache --set n_heads=2 --set b=1 --set t=3 --dtype bf16").out == "192\n"
    for answer in answers:
        assert cli(f"derive {tmp_path / target} {answer}").code == 0
    assert cli(f"count {tmp_path / target}").out == "2208\n"
    assert cli(f"formula {tmp_path / target}").out == "12·L·h² + 13·L·h + V·h + max_pos·h + 2·h\n"


@pytest.mark.parametrize("target", ["model.safetensors", "model.gguf", ""])
def test_a_file_beside_its_config_is_derived_as_the_config_is(target, tmp_path, cli, mistake):
    (tmp_path / "config.json").write_text(json.dumps(GPT2))
    safetensors(tmp_path / "model.safetensors", stored(GPT2))
    gguf(tmp_path / "model.gguf", stored(GPT2), {})
    expected = cli(f"derive {tmp_path}/config.json").out
    assert cli(f"derive {tmp_path / target}").out == expected
    if target.endswith(".safetensors"):
        file = safetensors(tmp_path / target, without("h.1.ln_1.bias")(stored(GPT2)))
        assert mistake(f"derive {file}").endswith(f"--checkpoint {ending_of(file)}' says where they differ.")


UNTOLD = {
    "several families": (stored(LLAMA), {}, "families: granite, llama, ministral, ministral3, mistral and 8 more. Name the "),
    "heads": (stored(LLAMA), {"architecture": "llama"}, "do not tell n_heads, n_kv_heads, d_head: give n_heads=…."),
    "a bias lost in one layer": (
        without("h.1.mlp.c_fc.bias")(stored(GPT2)), {},
        "'transformer.h.*.mlp.c_fc.bias', 1 times, does not fit the others, from which L = 2: ",
    ),
    "a bias lost in all": (
        without("c_fc.bias")(stored(GPT2)), {},
        "as GPT2LMHeadModel, it lacks 'transformer.h.*.mlp.c_fc.bias': give the config.json beside it",
    ),
    "a side of another length": (
        stored(GPT2) | {"transformer.ln_f.bias": (9,)}, {},
        "'transformer.ln_f.bias', 9, does not fit the others, from which h = 8: ",
    ),
    "a class of another family": (stored(GPT2), {"architecture": "bert"}, "'bert' has not just the tensors of "),
    "no family": ({"a.weight": (2, 3)}, {}, "No known family has just the tensors of "),
}  # fmt: skip


@pytest.mark.parametrize("case", UNTOLD)
def test_what_names_and_shapes_do_not_tell_is_asked_for(case, tmp_path):
    shapes, options, line = UNTOLD[case]
    with pytest.raises((CheckpointError, MissingDimensionError)) as error:
        load(safetensors(tmp_path / "tiny.safetensors", shapes), **options)
    assert line in str(error.value)


def test_a_head_that_is_stored_is_one_of_its_own(tmp_path):
    """Whether the two matrices hold the same numbers no header says."""
    file = safetensors(tmp_path / "tiny.safetensors", stored(GPT2) | {"lm_head.weight": (50, 8)})
    assert "tying" not in load(file).present
    assert load(file, include=["tying"]).count() == load(GPT2).count()


def test_one_of_several_files_is_no_model(tmp_path, mistake):
    file = safetensors(tmp_path / "model-00001-of-00002.safetensors", stored(GPT2))
    assert mistake(f"derive {file}") == "'model-00001-of-00002.safetensors' is one of several files: name their folder."


FACTS = {"general.architecture": "llama", "llama.block_count": 3, "llama.embedding_length": 8, "llama.feed_forward_length": 20,
         "llama.attention.head_count": 2, "llama.attention.head_count_kv": 1}  # fmt: skip


def test_a_gguf_file_says_its_family_and_its_heads(tmp_path, cli, mistake):
    shapes = renamed(stored(LLAMA), ("model.", ""), ("embed_tokens", "token_embd"), ("layers", "blk"), ("lm_head", "output"))
    file = gguf(tmp_path / "tiny.gguf", shapes, {}, "F16", metadata(FACTS), len(FACTS))
    model = load(file)
    assert (model.family, model.count()) == ("llama", load(LLAMA).count())
    assert model.measure("kv_cache", b=1, t=4, dtype="bf16") == load(LLAMA).measure("kv_cache", b=1, t=4, dtype="bf16")
    tied = gguf(tmp_path / "tied.gguf", without("output.")(shapes), {}, "F16", metadata(FACTS), len(FACTS))
    assert {"tying", "lm_head"} <= load(tied).present
    less = {key: value for key, value in FACTS.items() if "head_count" not in key}
    gguf(file, shapes, {}, "F16", metadata(less), len(less))
    assert mistake(f"derive {file}").endswith("does not tell n_heads: give --set n_heads=….")
    assert load(file, n_heads=2, n_kv_heads=1).count() == load(LLAMA).count()
    gguf(file, without("blk.2")(shapes), {}, "F16", metadata(FACTS), len(FACTS))
    assert "its tensors are not just those of llama, mixtral of its sizes" in mistake(f"derive {file}")
