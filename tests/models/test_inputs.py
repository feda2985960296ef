"""What a cost of a model does not depend on is refused in a line, from Python and on the command line alike."""

from __future__ import annotations

import json

import pytest
from sympy import symbols

from symparams import Architecture, attention, block, compare, derive, embedding, linear, load, render
from symparams.components.facts import Rows
from symparams.models.inputs import positions
from tests.refusals import refusal

VIT, BERT, LLAMA = "vit-base-patch16-224", "bert-base-uncased", "llama-3-8b"

NEEDLESS = [
    (VIT, "forward_flops", {"b": 1, "s": 5}, "s", "Its inputs are b."),
    ("gpt2", "forward_flops", {"b": 1, "s": 5, "s_src": 9}, "s_src", "Its inputs are b, s, t, causal, logits."),
    ("gpt2", "training_flops", {"b": 1, "s": 5, "n_image_patches": 9}, "n_image_patches", "Its inputs are b, s, t, "),
    (LLAMA, "kv_cache", {"b": 1, "t": 5, "dtype": "bf16", "s_src": 5}, "s_src", "Its inputs are b, t, dtype."),
    (VIT, "activations", {"b": 1, "s": 5, "dtype": "fp32"}, "s", "Its inputs are b, dtype, attention, dropout, "),
]


@pytest.mark.parametrize(("target", "quantity", "given", "name", "instead"), NEEDLESS)
def test_what_a_cost_does_not_depend_on_is_refused(target, quantity, given, name, instead, mistake):
    model, said = (
        load(target),
        f"{quantity.replace('_', '-')} of {target} does not depend on {name}: leave out {name}. {instead}",
    )
    for call in (model.measure, model.function):
        assert said in refusal(call, quantity, **given)
    for call, of in ((model.closed_form, ()), (derive, (model,)), (compare, (target, target))):
        assert said in refusal(call, *of, quantity=quantity, **given)
    assert model.measure(quantity, **{other: value for other, value in given.items() if other != name}) > 0
    words = [f"--dtype {value}" if letter == "dtype" else f"--set {letter}={value}" for letter, value in given.items()]
    for command in ("derive", "formula", "count", "macros") if target == VIT else ("count",):
        assert said in mistake(f"{command} {target} --quantity {quantity.replace('_', '-')} {' '.join(words)}")


def test_a_function_takes_an_input_that_its_call_makes_needed():
    held = load("gpt2").function("training_memory", recipe="bf16", s=5)
    assert held(b=1) > load("gpt2").measure("training_memory", recipe="bf16")
    assert "does not depend on s unless b is given" in refusal(held)
    for length, said in ((0, "does not depend on s"), (5, "has no 's' in its closed form")):  # an image has no length
        assert said in refusal(load(VIT).function("forward_flops"), b=1, s=length)


def test_of_several_models_an_input_of_one_of_them_is_told(cli):
    found = compare(VIT, "gpt2", quantity="forward_flops", b=1, s=5)
    assert found.unused == {"s": (VIT,)}
    for language, said in (("en", f"What is counted of {VIT} does not depend on s."), ("zh", f"{VIT} 的这一数值与 s 无关。")):
        assert "".join(said.split()) in "".join(render(found, "text", language=language).split())
    data = json.loads(cli(f"compare {VIT} gpt2 --quantity forward-flops --set b=1 --set s=5 --json").out)
    assert data["without"] == {"s": [VIT]}


def test_the_page_of_all_costs_takes_what_one_of_them_depends_on():
    for target, given, name in ((VIT, {"s": 5}, "s"), (VIT, {"D": 10**9}, "D"), (BERT, {"s": 5, "t": 5}, "t")):
        said = f"No cost of {target} depends on {name}: leave out {name}."
        assert refusal(derive, target, quantity="all", b=1, **given) == said
    for target, given in (
        (LLAMA, {"b": 1, "s": 5, "t": 7, "D": 100, "dtype": "bf16"}),
        (LLAMA, {"t": 7, "targets": ["q_proj"], "r": 8}),
        ("deepseek-v3", {"b": 1, "t": 7, "latent": "expanded", "causal": "exact", "checkpoint": True}),
        ("gpt2", {"dropout": "0.1", "dropout_mask": 4, "scope": "all", "recipe": "fp32", "step": True}),
    ):
        assert derive(target, quantity="all", **given), given


# Its encoder reads thirty seconds of sound, 1,500 positions, whatever else is asked for.
WHISPER = (
    "count whisper-tiny --quantity forward-flops --set b=1 --set s=4",
    "count whisper-tiny --quantity kv-cache --set b=1 --set t=4 --dtype bf16",
    "derive whisper-tiny --quantity all --set b=1 --set s=4 --dtype bf16",
    "compare whisper-tiny t5-small --quantity kv-cache --set b=1 --set t=4 --dtype bf16",
    "explain whisper-tiny 1GB --quantity kv-cache --set b=1 --set t=4",
)


def test_an_input_that_the_sizes_fix_may_be_given_as_what_it_is(cli):
    for line in WHISPER[:2]:
        assert cli(f"{line} --set s_src=1500") == cli(line)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            f"derive {LLAMA} --quantity kv-cache --causal exact",
            "--causal is for another quantity than kv-cache: leave it out; it has --dtype, --window, --latent, --state.",
        ),
        (
            f"derive {LLAMA} --quantity forward-flops --lora q_proj",
            "--lora is for another quantity than forward-flops: leave it out; it has --causal, --logits, --latent-attention.",
        ),
        *((f"{line} --set s_src=100", "s_src = 100 contradicts s_src = max_source = 1500: leave it out.") for line in WHISPER),
        (
            f"derive {LLAMA} --quantity kv-cache --set s=5",
            "kv-cache does not depend on s (tokens of each sequence that the pass reads): leave out s. Its inputs are",
        ),
        (f"explain {VIT} 10GFLOP --quantity forward-flops --set b=1 --set s=5", "does not depend on s"),
        (f"solve {VIT} --total 10GFLOP --for b --quantity forward-flops --set s=5", "does not depend on s"),
        (f"verify {VIT} --quantity forward-flops", "verify compares parameters, names and shapes; "),
        (f"derive {VIT} --quantity training-flops --set D=100 --set s=5", "reads no sequences of s tokens"),
    ],
)
def test_options_of_other_quantities(line, said, mistake):
    assert said in mistake(line)


def test_what_is_true_of_a_model_in_any_case_may_be_said():
    for target, quantity, given, vacuous in (
        (VIT, "forward_flops", {"b": 1}, {"t": 0, "causal": "full", "logits": "all"}),
        (BERT, "forward_flops", {"b": 1, "s": 5}, {"t": 0, "causal": "full", "logits": "all"}),
        (BERT, "forward_flops", {"b": 1, "s": 5}, {"causal": "exact"}),
        ("mamba-130m", "forward_flops", {"b": 1, "s": 5}, {"causal": "exact", "t": 5}),
        ("mamba-130m", "kv_cache", {"b": 1, "dtype": "bf16"}, {"t": 5}),
        (BERT, "forward_flops", {"b": 1, "s": 5}, {"logits": "last"}),
        (LLAMA, "kv_cache", {"b": 1, "t": 5, "dtype": "bf16"}, {"window": "paper", "latent": "expanded"}),
        ("gpt2", "activations", {"b": 1, "s": 5, "dtype": "fp32"}, {"dropout_mask": 4}),
        ("gpt2", "activations", {"b": 1, "s": 5, "dtype": "fp32"}, {"attention": "eager", "checkpoint": False, "dropout": 0}),
        (
            "gpt2",
            "activations",
            {"b": 1, "s": 5, "dtype": "bf16", "checkpoint": True},
            {"dropout": "0.1", "attention": "flash"},  # which the other choice hides
        ),
        ("gpt2", "training_memory", {"recipe": "bf16"}, {"attention": "flash"}),
    ):
        model = load(target)
        assert model.measure(quantity, **given, **vacuous) == model.measure(quantity, **given), target


def test_a_formula_that_comes_to_nothing_or_less_is_no_input():
    measure = load("gpt2").measure
    assert refusal(measure, "forward_flops", b=1, s="-h") == "s = -768 must be a positive integer: s counts something."
    assert refusal(measure, "forward_flops", b="h - h", s=5) == "b = 0 must be a positive integer: b counts something."


def test_no_usual_sequence_is_longer_than_the_table_of_positions_whatever_its_letter():
    V, h, context = symbols("V h context")
    tables = {"tokens": embedding(V, h), "positions": embedding(context + 2, h, of=Rows.POSITIONS)}
    own = Architecture("own", **tables, layers=3 * block(attention=attention(h, 4, causal=True)), head=linear(h, V))
    assert positions(load(own, V=100, h=64, context=512)) == 512
    assert [positions(load(name)) for name in ("gpt2", "opt-125m", "whisper-tiny", "llama-2-7b")] == [1_024, 2_048, 448, None]
