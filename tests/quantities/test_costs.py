"""What a model takes beside its parameters: numbers of papers, invariants, and the sheets that derive them."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from symparams import SymparamsError, architectures, derive, load, render
from symparams.derivations import views
from tests.refusals import refusal
from tests.sweeps import FAMILIES, swept


def test_the_cache():
    for target, inputs, value in (
        ("llama-3-70b", {"b": 1, "t": 1}, 327_680),  # Llama Team, 2024, arXiv:2407.21783: 80 layers of 8 heads of 128
        ("deepseek-v3", {"b": 1, "t": 1}, 70_272),  # DeepSeek-AI, 2024, arXiv:2412.19437: 61 layers of 512 + 64
        ("deepseek-v3", {"b": 1, "t": 1, "latent": "expanded"}, 4_997_120),
        ("llama-3-8b", {"b": 1, "t": 131_072}, 16 * 2**30),
        ("llama-2-7b", {"b": 1, "t": 4_096}, 2 * 2**30),
        ("gpt2", {"b": 3, "t": 5}, 2 * 3 * 5 * 12 * 768 * 2),
        ("mistral-7b-v0.1", {"b": 1, "t": 32_768}, 4_095 * 131_072),
        ("mistral-7b-v0.1", {"b": 1, "t": 32_768, "window": "paper"}, 4_096 * 131_072),
        ("mistral-7b-v0.1", {"b": 1, "t": 100}, 100 * 131_072),  # fewer than the window
        ("mistral-7b-v0.3", {"b": 1, "t": 32_768}, 32_768 * 131_072),  # no window
        ("gemma-2-2b", {"b": 1, "t": 10_000}, 2 * (13 * 4_095 + 13 * 10_000) * 4 * 256 * 2),
        ("t5-small", {"b": 1, "t": 7, "s_src": 11}, 2 * 6 * 512 * (7 + 11) * 2),
        ("whisper-tiny", {"b": 1, "t": 7}, 2 * 4 * 384 * (7 + 1_500) * 2),
        ("gemma-3n-e2b", {"b": 1, "t": 1_000}, 2 * 2 * 2 * 256 * (16 * 511 + 4 * 1_000)),
        ("gemma-4-e2b", {"b": 1, "t": 1_000}, 2 * 2 * (12 * 511 * 256 + 3 * 1_000 * 512)),
        ("mamba-130m", {"b": 2}, 2 * 24 * 1_536 * (4 * 2 + 16 * 4)),
        ("rwkv-4-169m-pile", {"b": 2}, 2 * 12 * 768 * (2 * 2 + 3 * 4)),
        ("lfm2-350m", {"b": 2, "t": 7}, 2 * (10 * 1_024 * 3 + 6 * 2 * 7 * 8 * 64) * 2),
    ):
        assert load(target).measure("kv_cache", **inputs, dtype="bf16") == value, target


def test_what_decodes_nothing_has_no_cache():
    for target in ("bert", "vit", "clip", "xlnet", "modernbert"):
        assert "has no KV cache" in refusal(load(target).measure, "kv_cache", b=1, t=1, e=2)


def test_a_config_says_which_layers_have_a_window():
    sizes = {"hidden_size": 4, "num_hidden_layers": 3, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 2}
    for config, tokens in (
        ({"layer_types": ["sliding_attention", "full_attention", "full_attention"]}, 3 + 10 + 10),
        ({"layer_types": None}, 3 + 10 + 3),
        ({"layer_types": None, "sliding_window": None}, 10 + 10 + 10),
        ({"layer_types": None, "sliding_window": 5.0}, 4 + 10 + 4),
    ):
        model = load({"model_type": "gemma2", **sizes, "sliding_window": 4, **config})
        assert model.measure("kv_cache", b=1, t=10, e=1) == 2 * 2 * tokens, config


def test_a_number_type_by_any_name():
    sizes = {"fp32": 4, "float32": 4, "torch.bfloat16": 2, "bfloat16": 2, "BF16": 2, "int8": 1, "int4": Fraction(1, 2)}
    for spelled, size in sizes.items():
        assert load("gpt2").measure("weight_memory", dtype=spelled) == 124_439_808 * size, spelled


def test_half_a_byte_is_exact_wherever_it_is_told(cli):
    """151,277,313 parameters of 4 bits are 75,638,656.5 bytes."""
    target, asked = "clip-vit-base-patch32", "--quantity weight-memory --dtype int4"
    assert load(target).measure("weight_memory", dtype="int4") == Fraction(151_277_313, 2)
    assert derive(target, quantity="weight_memory", dtype="int4").total.value == Fraction(151_277_313, 2)
    for view, kind in zip(views.names(), ("text", "latex", "typst"), strict=True):
        sheet = render(derive(target, quantity="weight_memory", dtype="int4", view=view), kind).replace("{,}", ",")
        assert "75,638,656.5" in sheet
        assert "327,680.5" in sheet
    assert "75,638,656.5 bytes" in cli(f"derive {target} {asked} --brief").out
    assert "75,638,656.5  62,219,904  +13,418,752.5" in cli(f"compare {target} gpt2 {asked}").out
    for command in ("derive", "derive --brief", "count", "compare gpt2", "solve --total 76MB --for h_text"):
        assert '1/2"' in cli(f"{command} {target} {asked} --json").out, command


def test_a_config_has_a_number_type_of_its_own_and_so_has_a_published_model():
    config = {"model_type": "gpt2", "n_layer": 2, "torch_dtype": "bfloat16"}
    for target, value in ((config, 2 * 2 * 768 * 2), ("llama-7b", 2 * 32 * 4_096 * 2), ("deepseek-v3", 70_272)):
        model = load(target)
        assert model.measure("kv_cache", b=1, t=1) == value
        assert model.measure("kv_cache", b=1, t=1, dtype="fp32") == 2 * value
    assert "has no number type, which the config does not name" in refusal(load("gpt2").measure, "kv_cache", b=1, t=1)


def test_lora():
    for target, targets, value in (
        ("llama-3-8b", ["q_proj", "k_proj", "v_proj", "o_proj"], 13_631_488),  # 16·32·(2·8,192 + 2·5,120)
        ("llama-3-8b", ["q_proj", "v_proj"], 16 * 32 * (8_192 + 5_120)),
        ("llama-3-8b", ["query", "key_value"], 16 * 32 * (8_192 + 2 * 5_120)),
        ("gpt2", ["c_attn"], 16 * 12 * 4 * 768),
        ("bert-base-uncased", ["query", "value"], 16 * 12 * 2 * 1_536),
        ("t5-small", ["q", "v"], 16 * 18 * 2 * 1_024),
    ):
        assert load(target).measure("lora", r=16, targets=targets) == value, target
        assert load(target).measure("lora", r=16, targets=",".join(targets)) == value, target


NOTHING_GIVEN = {
    ("llama-3-8b", "activations"): ({"b": 1, "s": 2_048}, 39_728_971_776),
    ("gpt2", "activations"): (
        {"dtype": "bf16", "b": 1, "s": 1_024},
        2 * 1_024 * 12 * (28 * 768 + 1_024 * 12 + 4),
    ),  # as long as its positions
    ("llama-3-8b", "lora"): ({"targets": ("query-value",), "r": 8}, 3_407_872),
    ("llama-3-8b", "training-memory"): ({"recipe": "bf16_fp32_master"}, 16 * 8_030_261_248),
    ("gpt2", "kv-cache"): ({"dtype": "bf16", "b": 1, "t": 1}, 36_864),
    ("gpt2", "weight-memory"): ({"dtype": "bf16"}, 2 * 124_439_808),
}


@pytest.mark.parametrize(("model", "quantity"), NOTHING_GIVEN)
def test_a_sheet_takes_what_nobody_gives_and_says_it(model, quantity):
    taken, value = NOTHING_GIVEN[model, quantity]
    derivation = derive(model, quantity=quantity)
    assert (derivation.assumed, derivation.total.value) == (taken, value)
    told = " ".join(render(derivation).split("\n\n")[1].split())
    inputs = ", ".join(f"{name} = {number:,}" for name, number in taken.items() if isinstance(number, int))
    assert inputs in told
    assert all(f"--{name} names" in told for name in ("dtype", "recipe") if name in taken)


def test_what_is_given_leaves_the_rest_a_letter():
    assert derive("gpt2", quantity="kv-cache", b=1).assumed == {"dtype": "bf16"}
    assert derive("gpt2", quantity="all").given == {"dtype": "bf16"}
    assert not derive(load("gpt2").symbolic(), quantity="kv-cache").assumed


OF_FORWARD = "Three times the FLOPs of the forward pass: once forward, and one gradient for each of the two factors."
SAID = [
    (
        "deepseek-v3",
        "forward-flops",
        {},
        "because its keys and values are computed again from the compressed vector at every step",
    ),
    ("deepseek-v3", "forward-flops", {}, "the matrices of the n_active experts that it uses, not by those of all n_experts"),
    ("deepseek-v3", "kv-cache", {}, "= 61 × 1,152 = 70,272 bytes"),
    ("whisper-small", "kv-cache", {}, "s_src tokens of the source max_source 1,500"),
    ("mamba-130m", "forward-flops", {}, "C reads the state of each channel: two FLOPs for each number of the state."),
    ("mamba-130m", "forward-flops", {}, "F(conv) = 2 × b·s × d_inner × d_conv"),
    ("gpt2", "training-flops", {}, OF_FORWARD),
    ("vit-base-patch16-224", "backward-flops", {}, "the gradient of the matrix alone, because data has no gradient"),
    ("gpt2", "training-flops", {"D": 10**9}, "No value is given for s; results that need one stay formulas."),
    ("gpt2", "training-memory", {"recipe": "bf16"}, "The recipe is AdamW, BF16 throughout."),
    ("gpt2", "training-memory", {}, "N number of parameters 124,439,808"),
    ("gpt2", "activations", {}, "the last table gives the total with fused attention, which saves none of them"),
    ("llama-3-8b", "lora", {"r": 16}, "LoRA trains 0.08% as many parameters as the model has (8,030,261,248)."),
]


@pytest.mark.parametrize(("model", "quantity", "given", "said"), SAID)
def test_a_sheet_says_what_its_numbers_are(model, quantity, given, said):
    assert said in " ".join(render(derive(model, quantity=quantity, **given)).split())


def test_in_chinese_a_letter_of_a_sentence_is_a_formula():
    sheet = render(derive("llama-3-8b", quantity="training-flops", D=10**12, s=2_048), "markdown", language="zh")
    assert "中间维度为隐藏维度的 $4$ 倍" in sheet
    assert "\\$" not in sheet


ADAPTED = {
    ("llama-3-8b", "q_proj,v_proj"): ["query", "value"],
    ("llama-3-8b", "k_proj,v_proj"): ["key_value"],
    ("bert-base-uncased", "query,value"): ["query_value"],
    ("gpt2", "query-value"): ["query_key_value"],  # one matrix gives all three
}


@pytest.mark.parametrize(("target", "targets"), ADAPTED)
def test_lora_is_called_by_the_matrices_that_it_adapts(target, targets):
    terms = derive(target, quantity="lora", targets=targets).calculation.terms
    assert [term.name for term in terms] == ADAPTED[target, targets]


@pytest.mark.parametrize("name", swept(architectures(), FAMILIES))
def test_every_family_has_the_memory_of_its_parameters_and_the_sheet_of_its_cache(name):
    model = load(name)
    assert model.unbound or model.measure("parameters") == model.count()
    assert model.closed_form(quantity="weight_memory").subs({"e": 3}).expand() == (3 * model.closed_form()).expand()
    assert derive(model, quantity="training_memory", recipe="sgd").total.name == "training_memory"
    try:
        expanded, blocks = (model.closed_form(quantity="kv_cache", form=form) for form in ("expanded", "blocks"))
    except SymparamsError:  # it decodes nothing
        return
    for view, language in zip(views.names(), ("en", "zh", "en"), strict=True):
        derivation = derive(model, quantity="kv_cache", view=view)
        assert "M(KV) = " in render(derivation, language=language)
        assert derivation.total.polynomial == derivation.calculation.polynomial
    numbers = {symbol: 5 + place for place, symbol in enumerate(sorted(expanded.free_symbols, key=str))}
    assert blocks.subs(numbers) == expanded.subs(numbers)
    data = json.loads(render(derivation, "json"))
    assert {symbol.name for symbol in expanded.free_symbols} <= set(data["dimensions"])


MISTAKES = {
    "count gpt2 --quantity kv-cache --set b=1": "kv-cache of gpt2 has no value for t and no number type",
    "count gpt2 --quantity kv-cache --set b=1 --set t=1 --dtype fp7": "Unknown number type 'fp7'.",
    "count gpt2 --quantity kv-cache --set b=1 --set t=1 --dtype bf16 --set e=2": "dtype sets e, the bytes of a number",
    "count gpt2 --quantity kv-cache --window 3": "Unknown window '3': choose library or paper.",
    "count gpt2 --quantity kv-cache --recipe amp": "--recipe is for another quantity than kv-cache",
    "count gpt2 --quantity kv-cache --set b=0.5": "b = '0.5'",
    "count gpt2 --quantity lora --set r=4": "LoRA needs the matrices",
    "count gpt2 --quantity lora --set r=4 --lora q_proj": "gpt2 has no matrix 'q_proj'.",
    "count gpt2 --dtype bf16": "--dtype is for another quantity",
    "derive gpt2 --attention flash": "--attention is for another quantity: add --quantity activations or --quantity "
    "training-memory, or leave it out.",
    "count gpt2 --quantity kv-cache --shared each": "leave out --shared or --quantity",
    "derive gpt2 --quantity kv-cache --with-memory": "leave out --with-memory or --quantity",
    "derive --expr h*V --quantity kv-cache": "leave out --quantity beside --expr",
}


def test_a_mistake_is_one_line(mistake):
    for line, said in MISTAKES.items():
        assert said in mistake(line), line


def test_the_command_line(cli):
    asked = "llama-3-8b --quantity kv-cache --set b=1 --set t=131072 --dtype bf16"
    assert cli("formula llama-3-8b --quantity kv_cache").out == "2·b·t·L·n_kv_heads·d_head·e\n"
    assert json.loads(cli(f"count {asked} --json").out)["unit"] == "bytes"


def test_what_a_cached_token_adds_is_told_once(cli):
    """Of the next token 4·L·h FLOPs, in a sentence; of 100 tokens more, under a heading of its own."""
    line, heading = "derive llama-3-8b --quantity forward-flops --set b=1 --set t=8191", "Each further token of one sequence"
    one, hundred = (cli(f"{line} --set s={s}").out for s in (1, 100))
    for sheet in (one, hundred):
        assert "each token in the cache adds\n4·L·h = 524,288 FLOPs to the next one." in sheet
    assert heading not in one
    assert f"{heading}\n" in hundred
