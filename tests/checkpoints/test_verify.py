"""``verify TARGET --checkpoint FILE``: what is stored otherwise is no difference and is said, a planted fault is named."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping

import pytest

from symparams import load
from symparams.checkpoints.trees import arrays_of
from tests.checkpoints.writing import gguf, safetensors
from tests.formats.test_json import violations

LLAMA = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "vocab_size": 100, "hidden_size": 8,
         "num_hidden_layers": 3, "num_attention_heads": 2, "num_key_value_heads": 1, "intermediate_size": 20}  # fmt: skip
GPT2 = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": 50, "n_embd": 8, "n_layer": 2, "n_head": 2,
        "n_positions": 6}  # fmt: skip
BERT = {"model_type": "bert", "architectures": ["BertModel"], "vocab_size": 50, "hidden_size": 8, "num_hidden_layers": 2,
        "num_attention_heads": 2, "intermediate_size": 12, "max_position_embeddings": 6}  # fmt: skip
MIXTRAL = {**LLAMA, "model_type": "mixtral", "architectures": ["MixtralForCausalLM"], "num_local_experts": 4}
Shapes = dict[str, tuple[int, ...]]
Change = Callable[[str, tuple[int, ...]], Iterator[tuple[str, tuple[int, ...]]]]


def stored(config: Mapping[str, object]) -> Shapes:
    """What the library saves of a model: its own arrays."""
    return {array.name: array.shape for array in arrays_of(load(config)) if not array.owner}


@pytest.fixture
def verify(tmp_path, cli):
    """``verify(config, shapes)`` is the exit code, the sentences below the table, and the data of a comparison."""

    def compared(config, shapes, **dtypes):
        (tmp_path / "config.json").write_text(json.dumps(config))
        file = safetensors(tmp_path / "model.safetensors", shapes, **dtypes)
        line = f"verify {tmp_path}/config.json --checkpoint {file}"
        code, text, _ = cli(line)
        data = json.loads(cli(f"{line} --json").out)
        assert violations(data) == []
        assert data["bytes"]["total"] == file.stat().st_size == sum(data["bytes"].values()) - data["bytes"]["total"]
        assert code == (0 if data["match"] else 1)
        assert text.endswith(f"\n\nmatch: {data['match']}\n")
        assert data["match"] == (data["differences"] == [])
        sentences = [line for block in data["document"]["sections"][0]["blocks"] for line in block.get("lines", ())]
        return data, sentences

    return compared


def renamed(shapes: Shapes, *changes: tuple[str, str]) -> Shapes:
    for before, after in changes:
        shapes = {name.replace(before, after): shape for name, shape in shapes.items()}
    return shapes


@pytest.mark.parametrize("config", [LLAMA, GPT2, BERT, MIXTRAL], ids=lambda config: config["model_type"])
def test_what_the_library_saves_matches(config, verify):
    data, sentences = verify(config, stored(config))
    assert data["match"]
    assert data["parameters"]["here"] == data["parameters"]["stored"] == load(config).count(frozen=True)
    assert sentences == (
        ["lm_head.weight is tied to transformer.wte.weight, and the checkpoint does not store it again."]
        if config is GPT2
        else []
    )


def test_the_sheet_of_an_old_file(verify, tmp_path, cli):
    """GPT-2 as it was published: without the prefix, with masks, with its head a second time."""
    shapes = renamed(stored(GPT2), ("transformer.", "")) | {f"h.{i}.attn.bias": (1, 1, 6, 6) for i in range(2)}
    verify(GPT2, shapes | {"lm_head.weight": (50, 8)}, dtype="F32")
    assert cli(f"verify {tmp_path}/config.json --checkpoint {tmp_path}/model.safetensors").out == OLD


OLD = """\
Tensor                              Number    here              stored
──────────────────────────────────  ──────  ──────  ──────────────────
transformer.wte.weight                   1  50 × 8               equal
transformer.wpe.weight                   1   6 × 8               equal
transformer.h.*.ln_1.weight              2       8               equal
transformer.h.*.ln_1.bias                2       8               equal
transformer.h.*.attn.c_attn.weight       2  8 × 24               equal
transformer.h.*.attn.c_attn.bias         2      24               equal
transformer.h.*.attn.c_proj.weight       2   8 × 8               equal
transformer.h.*.attn.c_proj.bias         2       8               equal
transformer.h.*.ln_2.weight              2       8               equal
transformer.h.*.ln_2.bias                2       8               equal
transformer.h.*.mlp.c_fc.weight          2  8 × 32               equal
transformer.h.*.mlp.c_fc.bias            2      32               equal
transformer.h.*.mlp.c_proj.weight        2  32 × 8               equal
transformer.h.*.mlp.c_proj.bias          2       8               equal
transformer.ln_f.weight                  1       8               equal
transformer.ln_f.bias                    1       8               equal
lm_head.weight                           1  50 × 8  tied, stored again
h.*.attn.bias                            2  buffer       1 × 1 × 6 × 6
parameters                                   2,208               2,208

lm_head.weight is tied to transformer.wte.weight, and the checkpoint stores it
a second time.
Buffers are stored, and are not parameters (arrays: 2): h.*.attn.bias.

Stored                      Bytes
─────────────────────────  ──────
parameters                  8,832
buffers                       288
tied arrays, stored again   1,600
headers                     2,627
all files                  13,347

match: True
"""
BY_SHAPE = (
    "Several arrays of the same shape have other names in the checkpoint. The names closest to each other are paired, because "
    "shapes do not tell these arrays apart."
)
SWAPPED = "each have the shape of the other: the two are swapped, or both are transposed."


def fused(shapes: Shapes, parts: tuple[str, ...], whole: str, axis: int = 0) -> Shapes:
    """The arrays whose names hold these parts as one array, along one of their sides."""
    found: Shapes = {}
    for name, shape in shapes.items():
        part = next((part for part in parts if part in name), None)
        if part is None:
            found[name] = shape
        elif part == parts[0]:
            together = sum(shapes[name.replace(part, other)][axis] for other in parts)
            found[name.replace(part, whole)] = (*shape[:axis], together, *shape[axis + 1 :])
    return found


def one_by_one(shapes: Shapes) -> Shapes:
    """Mixtral's experts as they are published, each by itself, gate and up apart."""
    found: Shapes = {}
    for name, shape in renamed(shapes, (".mlp.", ".block_sparse_moe.")).items():
        before, _, end = name.partition("experts.")
        inner = (
            {"gate_up_proj": {"w1": (shape[1] // 2, shape[2]), "w3": (shape[1] // 2, shape[2])}, "down_proj": {"w2": shape[1:]}}
            if end
            else {}
        )
        found |= {
            f"{before}experts.{i}.{w}.weight": inside for i in range(shape[0]) for w, inside in inner.get(end, {}).items()
        } or {name: shape}
    return found


STORED_OTHERWISE = {
    "fused": (
        LLAMA,
        lambda shapes: fused(
            fused(shapes, ("q_proj", "k_proj", "v_proj"), "qkv_proj"), ("gate_proj", "up_proj"), "gate_up_proj"
        ),
        [
            "q_proj, k_proj, v_proj are stored as one array, model.layers.*.self_attn.qkv_proj.weight.",
            "gate_proj, up_proj are stored as one array, model.layers.*.mlp.gate_up_proj.weight.",
        ],
    ),
    "fused with biases": (
        BERT,
        lambda shapes: fused(shapes, (".query", ".key", ".value"), ".qkv"),
        [
            "query, key, value are stored as one array, encoder.layer.*.attention.self.qkv.weight.",
            "query, key, value are stored as one array, encoder.layer.*.attention.self.qkv.bias.",
        ],
    ),
    "experts one by one": (
        MIXTRAL,
        one_by_one,
        [
            "model.layers.*.mlp.experts.gate_up_proj is stored as 2 arrays: w1, w3.",
            "model.layers.*.mlp.experts.gate_up_proj stacks 4 copies that are stored one by one: "
            "model.layers.*.block_sparse_moe.experts.*.w1.weight, model.layers.*.block_sparse_moe.experts.*.w3.weight.",
            "model.layers.*.mlp.experts.down_proj stacks 4 copies that are stored one by one: "
            "model.layers.*.block_sparse_moe.experts.*.w2.weight.",
        ],
    ),
    "transposed": (
        GPT2,
        lambda shapes: {name: shape[::-1] if "c_" in name else shape for name, shape in shapes.items()},
        [
            "transformer.h.*.attn.c_attn.weight is stored transposed: 24 × 8 instead of 8 × 24.",
            "transformer.h.*.mlp.c_fc.weight is stored transposed: 32 × 8 instead of 8 × 32.",
            "transformer.h.*.mlp.c_proj.weight is stored transposed: 8 × 32 instead of 32 × 8.",
            "lm_head.weight is tied to transformer.wte.weight, and the checkpoint does not store it again.",
        ],
    ),
    "layers in one array": (
        LLAMA,
        lambda shapes: {
            name.replace("layers.0", "layers"): (3, *shape) if ".0." in name else shape
            for name, shape in shapes.items()
            if not {".1.", ".2."} & {name[12:15]}
        },
        9,
    ),
    "a prefix more, names of old": (
        BERT,
        lambda shapes: {
            f"bert.{name}": shape
            for name, shape in renamed(
                shapes, ("LayerNorm.weight", "LayerNorm.gamma"), ("LayerNorm.bias", "LayerNorm.beta")
            ).items()
        },
        [BY_SHAPE],
    ),
    "a prefix less": (LLAMA, lambda shapes: renamed(shapes, ("model.", "")), []),
}


@pytest.mark.parametrize("case", STORED_OTHERWISE)
def test_the_same_numbers_stored_otherwise_are_no_difference(case, verify):
    config, change, said = STORED_OTHERWISE[case]
    data, sentences = verify(config, change(stored(config)))
    assert data["match"]
    assert sentences == said if isinstance(said, list) else len(sentences) == said
    assert data["parameters"]["stored"] == load(config).count(frozen=True)


def without(*parts: str) -> Callable[[Shapes], Shapes]:
    return lambda shapes: {name: shape for name, shape in shapes.items() if not any(part in name for part in parts)}


FAULTS = {
    "a bias lost": (GPT2, without("h.1.mlp.c_fc.bias"), "transformer.h.1.mlp.c_fc.bias is missing from the checkpoint.", -32),
    "a bias lost in each layer": (
        GPT2,
        without("c_fc.bias"),
        "transformer.h.*.mlp.c_fc.bias is missing from the checkpoint, 2 times.",
        -64,
    ),
    "two matrices swapped": (
        LLAMA,
        lambda shapes: renamed(shapes, ("1.mlp.up", "X"), ("1.mlp.down", "1.mlp.up"), ("X", "1.mlp.down")),
        "model.layers.1.mlp.up_proj.weight and model.layers.1.mlp.down_proj.weight " + SWAPPED,
        0,
    ),
    "two matrices swapped in each layer": (
        LLAMA,
        lambda shapes: renamed(shapes, ("gate_proj", "X"), ("down_proj", "gate_proj"), ("X", "down_proj")),
        "model.layers.*.mlp.gate_proj.weight and model.layers.*.mlp.down_proj.weight " + SWAPPED,
        0,
    ),
    "a wrong vocabulary": (
        LLAMA,
        lambda shapes: {name: (99, 8) if shape[0] == 100 else shape for name, shape in shapes.items()},
        "V is 100 in the tree, and 99 in the checkpoint: model.embed_tokens.weight, lm_head.weight.",
        -16,
    ),
    "a padded vocabulary": (
        LLAMA,
        lambda shapes: {name: (128, 8) if shape[0] == 100 else shape for name, shape in shapes.items()},
        "The vocabulary is padded from 100 to 128, a multiple of 128: model.embed_tokens.weight, lm_head.weight.",
        448,
    ),
    "a wrong width": (
        LLAMA,
        lambda shapes: {name: tuple(21 if side == 20 else side for side in shape) for name, shape in shapes.items()},
        "d_ff is 20 in the tree, and 21 in the checkpoint: model.layers.*.mlp.gate_proj.weight, "
        "model.layers.*.mlp.up_proj.weight, model.layers.*.mlp.down_proj.weight.",
        72,
    ),
    "a layer missing": (
        LLAMA,
        without(".2."),
        "Missing from the checkpoint: model.layers.2 (tensors: 9, parameters: 688).",
        -688,
    ),
    "two layers missing": (
        LLAMA,
        lambda shapes: without(".1.")(without(".2.")(shapes)),
        "Missing from the checkpoint: model.layers.1–2 (tensors: 18, parameters: 1,376).",
        -1_376,
    ),
    "a layer too many": (
        LLAMA,
        lambda shapes: shapes | {"model.layers.3.mtp.weight": (8, 16)},
        "In the checkpoint and not in the tree: model.layers.3 (tensors: 1, parameters: 128).",
        128,
    ),
    "a head that is not stored": (
        LLAMA,
        without("lm_head"),
        "lm_head.weight is missing from the checkpoint. model.embed_tokens.weight has the same shape, and the checkpoint may "
        "use it for both.",
        -800,
    ),
    "a head too many": (
        BERT,
        lambda shapes: shapes | {"cls.bias": (50,)},
        "cls.bias is in the checkpoint and not in the tree.",
        50,
    ),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_is_named_as_what_it_is(case, verify):
    config, change, said, difference = FAULTS[case]
    data, sentences = verify(config, change(stored(config)))
    assert not data["match"]
    assert [sentence for sentence in sentences if "is tied to" not in sentence] == [said]
    assert data["parameters"]["stored"] - data["parameters"]["here"] == difference


def test_a_gguf_file_is_paired_by_shapes_and_similar_names(tmp_path, cli):
    """It has names of its own, sides in another order, and the frequencies of rotary positions as a tensor."""
    names = (
        ("model.embed_tokens", "token_embd"),
        ("model.norm", "output_norm"),
        ("lm_head", "output"),
        ("model.layers", "blk"),
        ("self_attn.q_proj", "attn_q"),
        ("self_attn.k_proj", "attn_k"),
        ("self_attn.v_proj", "attn_v"),
        ("self_attn.o_proj", "attn_output"),
        ("mlp.gate_proj", "ffn_gate"),
        ("mlp.up_proj", "ffn_up"),
        ("mlp.down_proj", "ffn_down"),
        ("input_layernorm", "attn_norm"),
        ("post_attention_layernorm", "ffn_norm"),
    )
    shapes = renamed(stored(LLAMA), *names) | {"rope_freqs.weight": (2,)}
    (tmp_path / "config.json").write_text(json.dumps(LLAMA))
    gguf(tmp_path / "model.gguf", shapes, {}, "F16")
    code, out, _ = cli(f"verify {tmp_path}/config.json --checkpoint {tmp_path}/model.gguf --json")
    found = {row["here"][0]["name"]: row["stored"][0]["name"] for row in json.loads(out)["findings"] if row["here"]}
    assert code == 0
    assert found["lm_head.weight"] == "output.weight"
    assert found["model.layers.*.self_attn.k_proj.weight"] == "blk.*.attn_k.weight"
    gguf(tmp_path / "model.gguf", without("blk.2.")(shapes), {}, "F16")
    code, out, _ = cli(f"verify {tmp_path}/config.json --checkpoint {tmp_path}/model.gguf")
    assert code == 1
    assert "Missing from the checkpoint: blk.2 (tensors: 9, parameters: 688)." in out


MODULE = """
def build(V, h, L, bias=True):
    blocks = {f"blocks.{i}.{name}": shape for i in range(L) for name, shape in layer(h, bias).items()}
    return {"tokens.weight": (V, h), **blocks}

def layer(h, bias):
    return {"qkv.weight": (3 * h, h), "out.weight": (h, h), "norm.weight": (h,)} | ({"out.bias": (h,)} if bias else {})

def plain(V, h, L):
    return build(V, h, L, bias=False)

def needs(d_state):
    return {}

def fails():
    raise ValueError("no such thing")
"""
MINE = """
from symparams import Architecture, block, embedding, linear, rms_norm, symbols
from symparams.expressions.symbols import L, V, h

layer = block("layer", norm=rms_norm(h), query=linear(h, h, bias=False), key=linear(h, h, bias=False),
              value=linear(h, h, bias=False), out=linear(h, h, bias=False))
MINE = Architecture("mine", title="Mine", source="mine", tree=block("mine", tokens=embedding(V, h), layers=L * layer))
"""


def test_a_module_of_ones_own_against_a_definition_of_ones_own(tmp_path, monkeypatch, cli, mistake):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "mymodule.py").write_text(MODULE)
    line = "verify mine.py --set V=11 --set h=4 --set L=3 --module mymodule:"
    code, out, _ = cli(f"{line}plain")
    assert code == 0
    assert "query, key, value are stored as one array, blocks.*.qkv.weight.\n" in out
    code, out, _ = cli(f"{line}build")
    assert code == 1
    assert "blocks.*.out.bias is in the module and not in the tree, 3 times.\n" in out
    assert mistake(f"{line}needs").startswith("'mymodule:needs' needs d_state, of which the target has no value")
    assert mistake(f"{line}fails") == "'mymodule:fails' does not build: ValueError: no such thing."
    assert mistake(f"{line}absent").startswith("Cannot import 'mymodule:absent': AttributeError: module 'mymodule' has no")
    assert mistake("verify gpt2 --module mymodule --checkpoint x").startswith("Compare with a checkpoint or a module, not both")
    assert mistake("verify gpt2 --module mymodule").startswith("'mymodule' is not a function: write --module package:build")


EXPLAINED = """\
From the tree to what is stored                                     Parameters
──────────────────────────────────────────────────────────────────  ──────────
tiny, as the tree counts it                                              3,672
V is 100 in the tree, and 96 in the checkpoint:                            −32
model.embed_tokens.weight.
In the checkpoint and not in the tree: model.layers.3 (tensors: 1,        +128
parameters: 128).
stored parameters                                                        3,768
buffers                                                                     +2
scales and zero points                                                      +3
all stored numbers                                                       3,773
"""


def test_a_sum_from_the_tree_to_the_bytes_of_the_file(tmp_path, cli, mistake):
    """A layer that predicts one more token, a smaller table, an offset of each expert, a scale."""
    shapes = stored(LLAMA) | {"model.layers.3.mtp.weight": (8, 16), "model.embed_tokens.weight": (96, 8)}
    shapes |= {"model.layers.0.mlp.gate.e_score_correction_bias": (2,), "model.layers.0.mlp.up_proj.weight_scale_inv": (3,)}
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(LLAMA))
    file = safetensors(folder / "model.safetensors", shapes, dtypes={"model.layers.0.mlp.up_proj.weight": "F8_E4M3"})
    code, out, _ = cli(f"explain {folder} --checkpoint {folder}")
    assert code == 0
    assert f"all files               {file.stat().st_size:,}\n" in out
    assert out.startswith(EXPLAINED)
    said = "The number is that of the checkpoint: leave out '7B' or --checkpoint 'x'."
    assert mistake("explain gpt2 7B --checkpoint x") == said
    assert mistake("explain gpt2 --checkpoint x --recipe amp").startswith("A checkpoint holds parameters: leave out --recipe")


def test_packed_experts_one_by_one(verify):
    """AWQ packs eight numbers of four bits, of each output beside one another; scales and zeros tell its shape."""
    shapes, types = one_by_one(stored({**MIXTRAL, "intermediate_size": 24})), {}
    for name in [name for name in shapes if "experts" in name]:
        outputs, inputs = shapes.pop(name)
        packed = {"qweight": (inputs, outputs // 8), "qzeros": (1, outputs // 8), "scales": (1, outputs)}
        shapes |= {name.replace("weight", end): shape for end, shape in packed.items()}
        types |= {name.replace("weight", end): "I32" for end in ("qweight", "qzeros")}
    data, sentences = verify({**MIXTRAL, "intermediate_size": 24}, shapes, dtypes=types)
    assert data["match"]
    assert sentences[0] == "model.layers.*.mlp.experts.gate_up_proj is stored as 2 arrays: w1, w3."
    assert sentences[3].startswith(
        "4 bits of each number are stored, several numbers in one: model.layers.*.mlp.experts.gate_up"
    )
    assert data["parameters"]["stored"] == load({**MIXTRAL, "intermediate_size": 24}).count()


QUANTISED = {
    "GPTQ": (
        {"qweight": ((1, 8), "I32"), "qzeros": ((1, 1), "I32"), "scales": ((1, 8), "F16"), "g_idx": ((8,), "I32")},
        "4 bits of each number are stored, several numbers in one: transformer.h.0.attn.c_proj.weight.",
    ),
    "bitsandbytes": (
        {"weight": ((32, 1), "U8"), "weight.absmax": ((1,), "F32"), "weight.quant_map": ((16,), "F32"),
         "weight.quant_state.bitsandbytes__nf4": ((80,), "U8")},
        "4 bits of each number are stored, several numbers in one: transformer.h.0.attn.c_proj.weight.",
    ),
    "compressed-tensors": (
        {"weight_packed": ((8, 2), "I32"), "weight_scale": ((8, 1), "BF16"), "weight_shape": ((2,), "I64")},
        "8 bits of each number are stored, several numbers in one: transformer.h.0.attn.c_proj.weight.",
    ),
    "fp8 in blocks": ({"weight": ((8, 8), "F8_E4M3"), "weight_scale_inv": ((1, 1), "F32")}, None),
    "LLM.int8": ({"weight": ((8, 8), "I8"), "SCB": ((8,), "F32"), "weight_format": ((), "U8")}, None),
}  # fmt: skip


@pytest.mark.parametrize("case", QUANTISED)
def test_scales_and_packed_numbers_are_told_from_parameters(case, verify):
    """A bias beside them is a parameter, and one too many is a difference."""
    arrays, said = QUANTISED[case]
    module = "transformer.h.0.attn.c_proj"
    shapes = without(f"{module}.weight")(stored(GPT2)) | {f"{module}.{name}": shape for name, (shape, _) in arrays.items()}
    types = {f"{module}.{name}": dtype for name, (_, dtype) in arrays.items()}
    data, sentences = verify(GPT2, shapes, dtypes=types)
    assert data["match"]
    assert data["parameters"]["stored"] == data["parameters"]["here"]
    assert any(f"(arrays: {len(arrays) - 1})" in line for line in sentences)
    assert said is None or said in sentences
    shapes["transformer.h.0.ln_1.more"] = (8,)
    assert [row["name"] for row in verify(GPT2, shapes, dtypes=types)[0]["differences"]] == ["transformer.h.0.ln_1.more"]


def test_the_one_array_of_a_tie_under_the_name_of_the_other(verify):
    data, sentences = verify(GPT2, renamed(stored(GPT2), ("transformer.wte", "lm_head")))
    assert data["match"]
    [row] = [row for row in data["findings"] if row["here"][0]["name"] == "transformer.wte.weight"]
    assert (row["stored"][0]["name"], row["ways"]) == ("lm_head.weight", ["renamed"])
    assert sentences == []


def test_a_discovered_type_is_padded_in_its_vocabulary_alone(verify):
    config = {"model_type": "xglm", "architectures": ["XGLMForCausalLM"], "vocab_size": 100, "d_model": 8, "num_layers": 2,
              "attention_heads": 2, "ffn_dim": 12}  # fmt: skip
    shapes = stored_of_discovered(config)
    assert verify(config, shapes)[0]["match"]
    for side, wider, relation in ((100, 128, "padded"), (12, 16, "other_shape")):
        data, _ = verify(config, {name: tuple(wider if s == side else s for s in shape) for name, shape in shapes.items()})
        assert {row["relation"] for row in data["findings"] if row["is_difference"]} == {relation}


def stored_of_discovered(config: Mapping[str, object]) -> Shapes:
    """As many copies of each array as there are."""
    arrays = [array for array in arrays_of(load(config)) if not array.owner]
    return {array.name.replace("*", str(i)): array.shape for array in arrays for i in range(array.number)}
