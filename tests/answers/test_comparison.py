"""Models side by side: counts and costs by component, terms, differences that come out exactly; and the sheet that says so."""

from __future__ import annotations

import json

import pytest
import sympy

from symparams import architectures, compare, load, render
from symparams.expressions.closed_form import as_sympy
from symparams.expressions.printing.metric import columns
from symparams.formats import find, names
from symparams.sheets.catalogue import catalogue, languages
from symparams.sheets.comparison import labels_of
from tests.definitions.own import OWN
from tests.growth import MOST, steps
from tests.refusals import refusal
from tests.sweeps import FAMILIES

# Each has what no other has, in values or in symbols.
PAIRS = [
    ("gpt2", "llama-3-8b"),
    ("bert-base-uncased", "vit-base-patch16-224"),
    ("deepseek-v3", "mamba-130m"),
    ("t5-small", "whisper-tiny"),
    ("bloom-1b4-zh", "mixtral-8x7b"),
    ("transformer", "whisper"),
    ("clip", "jamba"),
    ("bloom", "llama-2-7b"),
]
FOUR = ("gpt2", "qwen2-vl-2b", "deepseek-v2-lite", "bert-base-multilingual-cased")
CACHE = {"b": 1, "t": 8_192, "dtype": "bf16"}


@pytest.mark.parametrize("targets", PAIRS)
def test_components_and_terms_add_up_to_the_counts_and_the_difference_is_theirs(targets):
    compared = compare(*targets)
    for i, model in enumerate(compared.models):
        shares = [component.shares[i] for component in compared.components]
        assert sympy.expand(sum(as_sympy(share.step.polynomial) for share in shares) - model.closed_form()) == 0
        terms = {term.monomial: term.coefficients[i] for term in compared.terms if term.coefficients[i]}
        assert terms == model.polynomial().terms
        if not model.unbound:
            assert sum(share.step.value for share in shares) == model.count()
            assert sum(share.part for share in shares) == 1
    first, other = compared.models
    [difference] = compared.differences
    assert sympy.expand(difference.closed_form - (first.closed_form() - other.closed_form())) == 0
    if first.unbound or other.unbound:
        assert (difference.value, difference.ratio) == (None, None)
    else:
        assert difference.value == first.count() - other.count()
        assert difference.ratio * other.count() == first.count()


def test_families_align_by_what_a_component_is():
    rows = {component.name: component.shares for component in compare("gpt2", "llama-2-7b").components}
    assert list(rows) == ["token_embedding", "positions", "norms", "attention", "feed_forward", "lm_head"]
    assert [(share.step.value, share.reason) for share in rows["positions"]] == [(1024 * 768, ""), (0, "rotary")]
    assert [(share.step.value, share.reason) for share in rows["lm_head"]] == [(0, "tied"), (32000 * 4096, "")]
    assert [repr(share.step.closed) for share in rows["norms"]] == ["4*L*h + 2*h", "2*L*h + h"]


def test_a_model_of_one_kind_of_layers_has_their_number():
    for other, number in (("deepseek-v3", 61), ("qwen3-30b-a3b", 48)):
        sheet = " ".join(render(compare("llama-3-8b", other), "text").split())
        assert f"L Number of layers 32 {number} " in sheet


def test_a_number_type_that_nothing_names_is_taken_and_told():
    assert compare("gpt2", "bloom-560m", quantity="kv_cache", b=1, t=10).assumed == {"gpt2": "bf16", "bloom-560m": "bf16"}
    for models, said in (
        (("gpt2", "whisper-small"), "gpt2 368,640 369 KB"),
        (("gpt2", "whisper-small"), "BF16 assumed: nothing says the number types of these models; --dtype names one."),
        (("llama-3-8b", "gpt2"), "gpt2: BF16 assumed: the number type of this model is not known;"),
    ):
        assert said in " ".join(render(compare(*models, quantity="kv_cache", b=1, t=10), "text").split())


def test_what_models_are_made_of():
    for targets, kinds in (
        (("llama-2-7b", "llama-3-8b", "falcon-7b"), {"attention": (("multi_head",), ("grouped",), ("multi_query",))}),
        (("qwen2-7b", "t5-small", "bloom"), {"positions": (("rotary",), ("relative",), ("alibi",))}),
        (("qwen2-7b", "mistral-7b-v0.1"), {"biases": (("attention_in_part",), ())}),
        (("deepseek-v3", "mamba-130m"), {"attention": (("latent_attention",), ("state_space",))}),
        (("minimax-text-01", "llama-3-8b"), {"attention": (("lightning_attention", "grouped"), ("grouped",))}),
        (("rwkv-4-169m-pile", "gpt2"), {"feed_forward": (("channel_mixing",), ("plain",))}),
        (("lfm2-350m", "llama-3-8b"), {"attention": (("short_convolution", "grouped"), ("grouped",))}),
        (("mixtral-8x7b", "bert"), {"feed_forward": (("experts",), ("plain",))}),
    ):
        traits = {trait.name: trait for trait in compare(*targets).traits}
        assert {name: traits[name].kinds for name in kinds} == kinds, targets
        assert all(traits[name].differs for name in kinds), targets


def test_the_same_sizes_make_a_difference_of_formulas_one_of_counts():
    [difference] = compare(load("bert-base-uncased", include=["mlm_head"]), "bert-base-uncased").differences
    assert difference.has_same_sizes
    assert not compare("gpt2", "llama-2-7b").differences[0].has_same_sizes


def test_what_cannot_be_compared(mistake):
    for message, call in {
        "two models or more": lambda: compare("gpt2"),
        "'blom'": lambda: compare("gpt2", "blom"),
        "parameters has no input 'b'": lambda: compare("gpt2", "bloom", b=1),
    }.items():
        assert message in refusal(call)
    for line, message in {
        "gpt2 bert --quantity kv-cache": "bert has no KV cache",
        "gpt2 bloom --quantity kv-cache --recipe amp": "--recipe is for another quantity than kv-cache: leave it out; "
        "it has --dtype, --window, --latent, --state.",
    }.items():
        assert message in mistake(f"compare {line}")


def test_the_components_of_a_cost_add_up_to_what_is_measured():
    for quantity, inputs in (
        ("weight_memory", {"dtype": "fp32"}),
        ("kv_cache", CACHE),
        ("forward_flops", {"b": 1, "s": 2_048}),
        ("backward_flops", {"b": 1, "s": 2_048}),
        ("training_flops", {"b": 1, "s": 2_048}),
        ("activations", {"b": 1, "s": 128, "dtype": "bf16"}),
        ("training_memory", {"recipe": "fp32"}),
    ):
        targets = ("gpt2", "llama-3-8b", "mistral-7b-v0.1")
        compared = compare(*targets, quantity=quantity, **inputs)
        for i, target in enumerate(targets):
            number = load(target).measure(quantity, **inputs)
            assert sum(component.shares[i].step.value for component in compared.components) == number
            assert sum(component.shares[i].part or 0 for component in compared.components) == 1
            assert f"{number:,}" in render(compared, language="zh")
        assert render(compared, "latex"), quantity


def test_the_difference_of_a_cost(cli):
    compared = compare("gpt2", "llama-3-8b", quantity="kv-cache", **CACHE)
    [apart] = compared.differences
    assert (apart.value, apart.first.value(), apart.other.value()) == (-771_751_936, 301_989_888, 1_073_741_824)
    assert str(apart.closed_form) == "-2*L*b*d_head*e*n_kv_heads*t + 2*L*b*e*h*t"
    line = "compare gpt2 llama-3-8b --quantity kv-cache --set b=1 --set t=8192 --dtype bf16"
    assert "llama-3-8b  1,073,741,824  1.07 GB                    ≈ 3.56" in cli(line).out
    data = json.loads(cli(f"{line} --json").out)
    assert [model["digits"] for model in data["models"]] == ["301989888", "1073741824"]
    assert data["differences"][0]["ratio"] == "9/32"
    assert "How do the KV caches" in compare("gpt2", "bloom", quantity="kv_cache")._repr_mimebundle_()["text/markdown"]
    assert "b·t·L·h·e" in cli(f"{line.partition(' --set')[0]} --symbolic").out


def is_wide(line: str) -> bool:
    """Whether a line is too wide for a terminal; a mark that closes hangs by one."""
    return columns(line.rstrip("。，：")) > 80


def test_a_terminal_holds_each_line_and_the_data_their_counts():
    for targets in (*PAIRS, FOUR):
        compared = compare(*targets)
        for language in languages() if targets in (PAIRS[0], PAIRS[5], FOUR) else ("en",):
            assert [line for line in render(compared, language=language).splitlines() if is_wide(line)] == [], targets
        counts = [None if model.unbound else model.count() for model in compared.models]
        models = json.loads(render(compared, "json"))["models"]
        assert [(model["value"], model["digits"]) for model in models] == [(n, n and str(n)) for n in counts], targets


@pytest.mark.parametrize(
    "families", [sorted(FAMILIES), pytest.param(architectures(), marks=pytest.mark.sweep)], ids=["few", "all"]
)
def test_every_kind_and_every_reason_has_its_words(families):
    """Families side by side, with all of their features and without; all of them say all that can be said."""
    models = [load(name) for name in families]
    models += [load(model.family, include=model.features) for model in models]
    compared = compare(*models)
    keys = {f"compare.kinds.{kind}" for trait in compared.traits for kinds in trait.kinds for kind in kinds}
    keys |= {f"compare.traits.{trait.name}" for trait in compared.traits}
    keys |= {f"names.{row.name}" for row in compared.components}
    reasons = {share.reason for row in compared.components for share in row.shares if share.reason}
    for language in languages():
        entries = catalogue(language).entries.keys()
        assert keys - entries == set()
        assert {why for why in reasons if not {f"compare.reasons.{why}", f"compare.kinds.{why}"} & entries} == set()


def test_every_format_says_what_differs(cli, tmp_path):
    compared = compare("gpt2", "llama-2-7b")
    for kind in (name for name in names() if not find(name).typeset):
        assert "6738415616" in render(compared, kind).replace("{", "").replace("}", "").replace(",", ""), kind
    assert cli("compare gpt2 llama-2-7b --lang zh").out == render(compared, language="zh")
    file = tmp_path / "compared.tex"
    assert cli(f"compare gpt2 llama-2-7b -o {file}").code == 0
    assert file.read_text(encoding="utf-8") == render(compared, "latex")
    shown = compared._repr_mimebundle_()
    assert shown["text/plain"] == repr(compared) == "Comparison('gpt2', 'llama-2-7b', quantity='parameters')"
    assert shown["text/markdown"] == render(compared, "markdown")


def test_models_whose_names_are_long_or_alike_are_letters():
    long = ("distilbert-base-multilingual-cased", "bert-base-multilingual-cased")
    short = ("gpt2", "llama-2-7b")
    for targets, labels in ((short, list(short)), (("gpt2", "gpt2"), ["A", "B"]), (long, ["A", "B"])):
        models = [load(target) for target in targets]
        assert labels_of(models) == labels
        assert all(name in render(compare(*models)) for name in targets)
    assert labels_of([load("gpt2")] * 30)[24:] == ["Y", "Z", "AA", "AB", "AC", "AD"]


def test_letters_are_those_of_the_notation_and_values_may_be_left_out(cli):
    shown = " ".join(cli("compare gpt2 bloom --notation gpt3").out.split())
    assert "N(gpt2) = 12·n_layers·d_model² + 13·n_layers·d_model" in shown
    assert "n_embd" in cli("compare gpt2 llama-2-7b --notation hf").out
    text = cli("compare gpt2 llama-2-7b --symbolic").out
    assert "124,439,808" not in text
    assert "N(gpt2) − N(llama-2-7b)" in text


def test_a_letter_of_ones_own_is_no_size_of_another_model_though_another_quantity_has_an_input_of_that_letter():
    own = load(OWN["low_rank"], V=97, h=16, L=3, n_heads=4, r=5)
    sheet = render(compare(own, "gpt2"), width=200)
    [row] = [line for line in sheet.splitlines() if line.startswith("r ")]
    assert row.split() == ["r", "r", "5"]  # GPT-2's column is blank


def test_stacks_that_agree_in_a_size_have_the_letter_that_another_model_has_for_it():
    sheet = [line.split() for line in render(compare("t5-small", "bart-base")).splitlines()]
    for cells in (["n_heads", "8", "12"], ["d_ff", "2,048", "3,072"], ["d_head", "64"]):  # d_head is the same in both
        assert [[row[0], *row[-(len(cells) - 1) :]] for row in sheet if row and row[0] == cells[0]] == [cells]
    for targets, sizes in (
        (("gpt2", "bart-base"), {"L": (12, None), "L_enc": (None, 6), "n_heads": (12, 12), "d_ff": (3_072, 3_072)}),
        (("t5-small", load("bart-base", d_ff_dec=96)), {"d_ff": (2_048, None), "d_ff_dec": (None, 96), "n_heads": (8, 12)}),
        (("bart-base", "whisper-tiny"), {"n_heads_enc": (12, None), "d_ff_enc": (3_072, 1_536)}),
    ):
        data = json.loads(render(compare(*targets), "json"))
        rows = {row["name"]: tuple(row["values"]) for row in data["dimensions"]}
        assert {name: rows[name] for name in sizes} == sizes


def test_twice_the_models_take_twice_the_steps():
    models = [load("gpt2", h=768 + 12 * i) for i in range(80)]
    render(compare(*models[:2]))
    few, many = (steps(lambda number=number: render(compare(*models[:number]))) for number in (40, 80))
    assert many <= MOST * few


def test_a_difference_too_long_for_one_formula_is_told_part_by_part(cli):
    """The factored forms of the parts; together they are the difference."""
    text = cli("compare jamba qwen2_5_vl --symbolic").out.partition("The difference as a formula")[2]
    assert "The difference is jamba minus qwen2_5_vl." in text
    assert "Token embedding       V·(h − h_text)\n" in text
    assert "Mixture of experts    L_moe·n_experts·h·(3·d_ff + 1)\n" in text
    assert "N(jamba) −" not in text
    assert "N(bert) − N(mixtral) =" in cli("compare bert mixtral --symbolic").out


def test_a_difference_with_numbers_keeps_the_terms_of_its_formula(cli):
    text = " ".join(cli("compare llama-2-7b llama-3-8b").out.split())
    worked = "4,096 × (32 × (8,192 − 2,048 + 33,024 − 43,008) + 64,000 − 256,512)"
    assert f"= {worked} = −1,291,845,632" in text
    assert sympy.sympify(worked.translate({ord("×"): "*", ord("−"): "-", ord(","): None})) == -1_291_845_632
    assert "= −1,452,310,528 − 9,216 = −1,452,319,744" in " ".join(cli("compare llama-2-7b qwen3-8b").out.split())
