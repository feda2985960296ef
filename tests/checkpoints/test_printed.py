"""``print(model)`` as a text: what its classes' arguments tell is counted exactly, and what they do not tell is a line."""

from __future__ import annotations

import json

import pytest

from symparams.checkpoints.printed import checkpoint_of
from tests.checkpoints.test_verify import GPT2
from tests.formats.test_json import violations

MODEL = """\
Model(
  (embed): Embedding(30, 8, padding_idx=0)
  (layers): ModuleList(
    (0-1): 2 x Block(
      (norm): LayerNorm((8,), eps=1e-05, elementwise_affine=True)
      (up): Linear(in_features=8, out_features=16, bias=False)
      (act): GELU(approximate='none')
      (conv): Conv1d(16, 16, kernel_size=(3,), stride=(1,), padding=(1,), groups=4)
      (down): Conv1D(nf=8, nx=16)
    )
  )
  (norm): RMSNorm((8,), eps=None, elementwise_affine=True)
)
"""
GPT2_PRINTED = """\
GPT2LMHeadModel(
  (transformer): GPT2Model(
    (wte): Embedding(50, 8)
    (wpe): Embedding(6, 8)
    (drop): Dropout(p=0.1, inplace=False)
    (h): ModuleList(
      (0-1): 2 x GPT2Block(
        (ln_1): LayerNorm((8,), eps=1e-05, elementwise_affine=True, bias=True)
        (attn): GPT2Attention(
          (c_attn): Conv1D(nf=24, nx=8)
          (c_proj): Conv1D(nf=8, nx=8)
        )
        (ln_2): {norm}
        (mlp): GPT2MLP(
          (c_fc): Conv1D(nf=32, nx=8)
          (c_proj): Conv1D(nf=8, nx=32)
          (act): NewGELUActivation()
        )
      )
    )
    (ln_f): LayerNorm((8,), eps=1e-05, elementwise_affine=True, bias=True)
  )
  (lm_head): Linear(in_features=8, out_features=50, bias=False)
)
"""
LAYER_NORM = "LayerNorm((8,), eps=1e-05, elementwise_affine=True, bias=True)"
COPIES, IDENTITY = "(0-99999): 100000 x B(\n", "(0): Identity()\n"


@pytest.fixture
def verify(tmp_path, cli):
    """``verify(text)`` is the exit code and the last lines of GPT-2 beside a text of it."""
    (tmp_path / "config.json").write_text(json.dumps(GPT2))

    def compared(text, *options):
        (tmp_path / "model.txt").write_text(text)
        return cli(f"verify {tmp_path}/config.json --checkpoint {tmp_path}/model.txt {' '.join(options)}")

    return compared


def test_a_printed_module_is_counted(tmp_path, cli):
    file = tmp_path / "model.txt"
    file.write_text(MODEL)
    block = 2 * 8 + 8 * 16 + (16 * 4 * 3 + 16) + (16 * 8 + 8)
    code, out, err = cli(f"count {file}")
    assert (code, out) == (0, f"{30 * 8 + 2 * block + 8}\n")
    assert "classes that are assumed to hold no arrays besides those of their modules: Model, Block" in err
    assert "classes with no bias= in the text, of which a bias is counted: LayerNorm" in err
    shapes = {tensor.name: tensor.shape for tensor in checkpoint_of(MODEL, "model.txt").tensors}
    assert (shapes["layers.1.conv.weight"], shapes["layers.0.down.weight"]) == ((16, 4, 3), (16, 8))
    assert cli(f"show {file}").out.splitlines()[2].split() == ["embed.weight", "1", "30", "×", "8"]
    data = json.loads(cli(f"count {file} --json").out)
    assert (violations(data), data["value"], data["bytes"], data["types"]) == ([], 30 * 8 + 2 * block + 8, None, [])


def test_a_text_of_the_model_matches(verify):
    code, out, _ = verify(GPT2_PRINTED.format(norm=LAYER_NORM))
    assert (code, out.partition("\n\n")[2]) == (0, MATCH)
    code, out, _ = verify(GPT2_PRINTED.format(norm=LAYER_NORM), "--lang", "zh")
    assert out.partition("\n\n")[2] == MATCH_ZH
    code, out, _ = verify(GPT2_PRINTED.format(norm=LAYER_NORM).replace("nf=32", "nf=36"))
    assert (code, out.endswith("match: False\n")) == (1, True)


MATCH = """\
lm_head.weight is tied to transformer.wte.weight, and the text shows both
modules.

The text does not show arrays that a module holds itself. These classes are
assumed to hold none: GPT2LMHeadModel, GPT2Model, GPT2Block, GPT2Attention,
GPT2MLP.
The text does not show which modules share an array.

match: True
"""
MATCH_ZH = """\
lm_head.weight 与 transformer.wte.weight 共享权重，文本把两个模块都列了出来。

文本不显示模块直接持有的数组。假定以下类不持有这样的数组：GPT2LMHeadModel、
GPT2Model、GPT2Block、GPT2Attention、GPT2MLP。
文本没有显示哪些模块共用一个数组。

核对结果：一致
"""


def test_arrays_that_a_module_holds_itself_are_named(verify, tmp_path, cli):
    """What the tree has in a module of an unknown class is not compared; where the tree has nothing, the module is refused."""
    code, out, _ = verify(GPT2_PRINTED.format(norm="MyNorm()"))
    assert code == 0
    sentence = "that a module holds itself: transformer.h.*.ln_2.weight, transformer.h.*.ln_2.bias (parameters: 32)."
    assert sentence in out.replace("\n", " ")
    assert out.endswith("\nmatch: True for what the text shows\n")
    sums = cli(f"explain {tmp_path}/config.json --checkpoint {tmp_path}/model.txt").out
    sums = [row.split()[-1] for row in sums.splitlines() if row.endswith(("2,208", "−32", "2,176"))]
    assert sums == ["2,208", "−32", "2,176"]
    data = json.loads(verify(GPT2_PRINTED.format(norm="MyNorm()"), "--json").out)
    unprinted = [finding["here"][0]["part"] for finding in data["findings"] if finding["relation"] == "unprinted"]
    assert (violations(data), data["match"], len(unprinted)) == ([], True, 2)
    assert "line 13: MyNorm at transformer.h.0-1.ln_2 is not a class whose" in cli(f"count {tmp_path}/model.txt").err
    other = verify(GPT2_PRINTED.format(norm="MyNorm()").replace("ln_2", "second")).out
    assert other.endswith("\nmatch: True for what the text shows\n")  # there are as many MyNorm as the tree has of ln_2
    extra = GPT2_PRINTED.format(norm=LAYER_NORM).replace("(act): NewGELUActivation()", "(act): MyGate()")
    assert "line 17: MyGate at transformer.h.0-1.mlp.act is not a class whose" in verify(extra).err


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Net(\n  (gate): Router()\n)", "line 2: Router at gate is not a class whose parameters its printed arguments tell"),
        ("Net(\n  rank=4\n  (a): ReLU()\n)", "line 1: Net is not a class whose parameters its printed arguments tell"),
        ("Net(\n  (a): Linear(in_features=2, out_features=3)\n)", "line 2: Linear at a prints no bias"),
        ("Linear(in_features=2, out_features=3, bias=True, rank=4)", "line 1: Linear prints 'rank=4', and it is not known"),
        ("Linear(in_features=2, out_features=3, bias=1)", "line 1: Linear prints bias=1, which is not True or False"),
        ("Linear(in_features=-2, out_features=3, bias=True)", "prints in_features=-2, which is not a whole number from 0"),
        (f"Linear(in_features={10**18 * 9}, out_features=3, bias=True)", "line 1: Linear has more numbers than any array"),
        (f"Linear(in_features={10**19 - 1}, out_features=3, bias=True)", "and no array has so many numbers"),
        ("Linear(in_features=2, in_features=2, out_features=3, bias=True)", "prints in_features twice"),
        ("Linear(in_features=(2, out_features=3, bias=True)", "whose brackets do not match"),
        ("Net(\n  (a): LlamaRMSNorm()\n)", "line 2: LlamaRMSNorm at a is not a class whose parameters"),
        ("Net(\n  (a): ParameterDict(  (b): Parameter containing: [torch.FloatTensor of size 5])\n)", "and it is not known"),
        ("Embedding(3)", "line 1: Embedding prints no embedding_dim"),
        ("Embedding(3, 4, 5)", "line 1: Embedding prints '5', and it is not known"),
        ("Conv1d(3, 4, kernel_size=(2,), groups=2)", "prints groups=2, which does not divide in_channels=3"),
        ("Conv1d(3, 4, kernel_size=(2,), groups=0)", "prints groups=0, which is not a whole number from 1"),
        ("Conv1d(3, 4, kernel_size=2)", "prints kernel_size=2, which is not a tuple of whole numbers"),
        ("Conv2d(3, 4, kernel_size=(2,))", "prints kernel_size=(2,), and it has 2 of these numbers"),
        ("LSTM(3, 4, num_layers=1000000)", "prints num_layers=1000000, and at most 100,000 are read"),
        ("Net(\n  (a): ReLU()", "ends before Net of line 1 does: paste all that print"),
        ("Net(\n  (0-2): 4 x ReLU()\n)", "line 2, is not a module as torch prints it"),
        ("Net(\n  (0-1): 2 x ...\n)", "line 2, is not a module as torch prints it"),
        ("Net(\n)\n)", "line 3, is not a module as torch prints it: ')'"),
        ("Net()\nNet()", "line 2, begins a second module"),
        ("hello", "line 1, is not a module as torch prints it: 'hello'"),
        ("", "is empty"),
        ("Net(\n  (a): ReLU()\n)", "prints no module with parameters"),
        ("A(\n(0-999999999): 1000000000 x Identity()\n)", "line 2, has 1,000,000,000 copies, and at most 100,000 are read"),
        (f"A(\n{COPIES * 50}{IDENTITY}" + ")\n" * 51, "prints no module with parameters"),
        (f"A(\n{COPIES * 3}(a): Embedding(1, 1)\n" + ")\n" * 4, "has more than 300,000 tensors"),
        ("A(\n" + "(a): LSTM(1, 1, num_layers=99999)\n" * 9 + ")", "has more than 300,000 tensors"),
        ("A(\n" + "(a): A(\n" * 100, "line 61, is inside more than 60 modules"),
        ("A(\n" + IDENTITY * 100_001, "prints more than 100,000 modules"),
        ("A(\n" + "\n" * 2**22, "has more than 4,194,304 characters"),
        ("A(" + "1, " * 2_000, "line 1, has more than 4,000 characters"),
        ("MultiheadAttention(\n  (out_proj): Linear(in_features=4, out_features=4, bias=True)\n)", "that torch does not print"),
    ],
)  # fmt: skip
def test_what_a_text_does_not_tell_is_a_line(text, line, tmp_path, cli):
    (tmp_path / "model.txt").write_text(text)
    code, out, err = cli(f"count {tmp_path}/model.txt")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert line in err


SMALL = {"num_hidden_layers": 2, "hidden_size": 16, "intermediate_size": 32, "num_attention_heads": 4, "vocab_size": 40}
IMAGES = {**SMALL, "image_size": 8, "patch_size": 4}
GROUPED = {**SMALL, "num_key_value_heads": 2}
WHISPER = {f"{side}_{what}": 2 for side in ("encoder", "decoder") for what in ("layers", "attention_heads", "ffn_dim")}
TOKENS = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1}
T5 = {"num_layers": 2, "d_model": 16, "d_ff": 32, "d_kv": 8, "num_heads": 2, "vocab_size": 40}
BAMBA = {"mamba_d_state": 4, "mamba_n_heads": 4, "mamba_d_head": 8, "mamba_n_groups": 1, "attn_layer_indices": [1]}
ALL, SHOWN = "match: True\n", "match: True for what the text shows\n"


@pytest.mark.library
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("name", "config", "verdict"),
    [
        ("GPT2LMHeadModel", {"n_layer": 2, "n_embd": 16, "n_head": 2, "vocab_size": 40}, ALL),
        ("LlamaForCausalLM", GROUPED, ALL),
        ("Gemma3ForCausalLM", {**GROUPED, "head_dim": 8}, ALL),
        ("BertModel", SMALL, ALL),
        ("BertForMaskedLM", SMALL, SHOWN),
        ("WhisperForConditionalGeneration", {"d_model": 16, "vocab_size": 40, **WHISPER, **TOKENS}, ALL),
        ("T5ForConditionalGeneration", T5, SHOWN),
        ("ViTForImageClassification", IMAGES, SHOWN),
        ("MixtralForCausalLM", {**GROUPED, "num_local_experts": 4}, SHOWN),
        ("CLIPModel", {"text_config": SMALL, "vision_config": IMAGES}, SHOWN),
        ("BambaForCausalLM", {**GROUPED, **BAMBA}, SHOWN),
        ("MambaForCausalLM", {"num_hidden_layers": 2, "hidden_size": 16, "state_size": 4, "vocab_size": 40}, SHOWN),
    ],
)  # fmt: skip
def test_the_librarys_modules_are_what_they_print(config, name, verdict, tmp_path, cli):
    transformers = pytest.importorskip("transformers")
    kind = getattr(transformers, name)
    module = kind(kind.config_class(**config))
    module.config.architectures = [name]
    module.config.save_pretrained(tmp_path)
    (tmp_path / "model.txt").write_text(str(module))
    found = {tensor.name: tensor.shape for tensor in checkpoint_of(str(module), "").tensors if not tensor.is_buffer}
    own = {key: tuple(array.shape) for key, array in module.named_parameters(remove_duplicate=False)}
    assert found.items() <= own.items()
    assert (found == own) == (verdict == ALL)
    code, out, _ = cli(f"verify {tmp_path}/config.json --checkpoint {tmp_path}/model.txt")
    assert (code, out[-len(verdict) :]) == (0, verdict)


@pytest.mark.library
def test_a_module_of_ones_own_is_what_it_prints():
    nn = pytest.importorskip("torch").nn
    parts = {
        "embed": nn.Embedding(9, 8),
        "stack": nn.Sequential(nn.Conv2d(3, 8, 3, groups=1), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten()),
        "layers": nn.ModuleList([nn.LSTM(8, 8, num_layers=2, bidirectional=True), nn.GRU(16, 8)]),
        "heads": nn.ModuleDict({"a": nn.Linear(8, 2), "b": nn.Bilinear(8, 8, 2)}),
    }
    module = nn.ModuleDict(parts)
    found = {tensor.name: tensor.shape for tensor in checkpoint_of(str(module), "").tensors}
    assert found == {name: tuple(array.shape) for name, array in module.state_dict().items()}
    parts["attention"] = nn.MultiheadAttention(8, 2)
    printed = checkpoint_of(str(nn.ModuleDict(parts)), "").printed
    assert [(each.path, each.module.kind) for each in printed.untold] == [("attention", "MultiheadAttention")]
