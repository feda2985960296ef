"""What a cost of a model does not depend on is refused in a line, from Python and on the command line alike."""

from __future__ import annotations

import pytest

from symparams import compare, derive, explain, load, render
from symparams.errors import OptionError, SymparamsError

VIT, BERT, LLAMA = "vit-base-patch16-224", "bert-base-uncased", "llama-3-8b"

NEEDLESS = [
    (VIT, "forward_flops", {"b": 1, "s": 5}, "s", "it takes b."),
    ("gpt2", "forward_flops", {"b": 1, "s": 5, "s_src": 9}, "s_src", "it takes b, s, t, causal, logits."),
    ("gpt2", "training_flops", {"b": 1, "s": 5, "n_image_patches": 9}, "n_image_patches", "it takes b, s, t, "),
    (LLAMA, "kv_cache", {"b": 1, "t": 5, "dtype": "bf16", "s_src": 5}, "s_src", "it takes b, t, dtype."),
    (VIT, "activations", {"b": 1, "s": 5, "dtype": "fp32"}, "s", "it takes b, dtype, attention, dropout, "),
]


@pytest.mark.parametrize(("target", "quantity", "given", "name", "instead"), NEEDLESS)
def test_what_a_cost_does_not_depend_on_is_refused(target, quantity, given, name, instead, mistake):
    model, said = load(target), f"{quantity} of {target} does not depend on {name}: leave out {name}; {instead}"
    calls = [
        lambda: model.measure(quantity, **given),
        lambda: model.closed_form(quantity=quantity, **given),
        lambda: model.function(quantity, **given),
        lambda: derive(model, quantity=quantity, **given),
        lambda: compare(target, target, quantity=quantity, **given),
    ]
    for call in calls:
        with pytest.raises(OptionError) as error:
            call()
        assert said in str(error.value)
        assert "\n" not in str(error.value)
    assert model.measure(quantity, **{other: value for other, value in given.items() if other != name}) > 0
    words = [f"--dtype {value}" if letter == "dtype" else f"--set {letter}={value}" for letter, value in given.items()]
    for command in ("derive", "formula", "count", "macros") if target == VIT else ("count",):
        assert said in mistake(f"{command} {target} --quantity {quantity.replace('_', '-')} {' '.join(words)}")


@pytest.mark.parametrize(
    ("target", "quantity", "given"),
    [
        (VIT, "forward_flops", {"b": 1, "t": 0, "causal": "full", "logits": "all"}),
        (BERT, "forward_flops", {"b": 1, "s": 5, "t": 0, "causal": "full", "logits": "all"}),
        ("gpt2", "activations", {"b": 1, "s": 5, "dtype": "fp32", "attention": "eager", "checkpoint": False, "dropout": 0}),
    ],
)
def test_what_holds_anyway_may_be_said(target, quantity, given):
    assert load(target).measure(quantity, **given) > 0


def test_what_another_choice_hides_may_be_said():
    model, given = load("gpt2"), {"b": 1, "s": 5, "dtype": "bf16", "checkpoint": True}
    assert model.measure("activations", **given, dropout="0.1", attention="flash") == model.measure("activations", **given)


class TestFunctions:
    def test_an_input_that_the_call_makes_needed_is_taken(self):
        held = load("gpt2").function("training_memory", recipe="bf16", s=5)
        assert held(b=1) > load("gpt2").measure("training_memory", recipe="bf16")
        with pytest.raises(OptionError, match="does not depend on s without b"):
            held()

    @pytest.mark.parametrize("length", [0, 5])
    def test_an_image_has_no_length(self, length):
        with pytest.raises(SymparamsError, match=r"does not depend on s|has no 's' in its closed form"):
            load(VIT).function("forward_flops")(b=1, s=length)


class TestSeveralModels:
    @pytest.mark.parametrize(
        ("language", "said"),
        [("en", f"What is counted of {VIT} does not depend on s."), ("zh", f"{VIT} 的这一数值与 s 无关。")],
    )
    def test_an_input_of_one_of_them_is_told(self, language, said):
        found = compare(VIT, "gpt2", quantity="forward_flops", b=1, s=5)
        assert found.unused == {"s": (VIT,)}
        text = "".join(render(found, "text", language=language).split())
        assert "".join(said.split()) in text

    def test_on_the_command_line(self, cli):
        code, out, _ = cli(f"compare {VIT} gpt2 --quantity forward-flops --set b=1 --set s=5 --json")
        assert code == 0
        assert f'"without": {{\n    "s": [\n      "{VIT}"' in out


class TestThePageOfAllCosts:
    @pytest.mark.parametrize(
        ("target", "given", "name"),
        [
            (VIT, {"b": 1, "s": 5}, "s"),
            (VIT, {"b": 1, "D": 10**9}, "D"),
            (BERT, {"b": 1, "s": 5, "t": 5}, "t"),
        ],
    )
    def test_what_no_cost_depends_on(self, target, given, name):
        with pytest.raises(OptionError, match=rf"^No cost of {target} depends on {name}: leave out {name}\.$"):
            derive(target, quantity="all", **given)

    @pytest.mark.parametrize(
        ("target", "given"),
        [
            (LLAMA, {"b": 1, "s": 5, "t": 7, "D": 100, "dtype": "bf16"}),
            (LLAMA, {"t": 7, "targets": ["q_proj"], "r": 8}),
            ("deepseek-v3", {"b": 1, "t": 7, "latent": "expanded", "causal": "exact", "checkpoint": True}),
            ("gpt2", {"dropout": "0.1", "dropout_mask": 4, "scope": "all", "recipe": "fp32", "step": True}),
        ],
    )
    def test_what_one_of_them_depends_on(self, target, given):
        assert render(derive(target, quantity="all", **given), "text")


# Its encoder reads thirty seconds of sound, 1,500 positions, whatever else is asked for.
WHISPER = (
    "count whisper-tiny --quantity forward-flops --set b=1 --set s=4",
    "count whisper-tiny --quantity kv-cache --set b=1 --set t=4 --dtype bf16",
    "derive whisper-tiny --quantity all --set b=1 --set s=4 --dtype bf16",
    "compare whisper-tiny t5-small --quantity kv-cache --set b=1 --set t=4 --dtype bf16",
    "explain whisper-tiny 1GB --quantity kv-cache --set b=1 --set t=4",
)


@pytest.mark.parametrize("line", WHISPER[:2])
def test_an_input_that_the_sizes_fix_may_be_given_as_what_it_is(cli, line):
    assert cli(f"{line} --set s_src=1500") == cli(line)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            f"derive {LLAMA} --quantity kv-cache --causal exact",
            "--causal is for another quantity than kv_cache: leave it out; it has --dtype, --window, --latent, --state.",
        ),
        (
            f"derive {LLAMA} --quantity forward-flops --lora q_proj",
            "--lora is for another quantity than forward_flops: leave it out; it has --causal, --logits, --latent-attention.",
        ),
        *((f"{line} --set s_src=100", "s_src = 100 contradicts s_src = max_source = 1500: leave it out.") for line in WHISPER),
        (
            f"derive {LLAMA} --quantity kv-cache --set s=5",
            "kv-cache does not depend on s: leave it out. Its inputs are",
        ),
        (f"explain {VIT} 10GFLOP --quantity forward-flops --set b=1 --set s=5", "does not depend on s"),
        (f"solve {VIT} --total 10GFLOP --for b --quantity forward-flops --set s=5", "does not depend on s"),
        (f"verify {VIT} --quantity forward-flops", "verify compares parameters, names and shapes; "),
        (f"derive {VIT} --quantity training-flops --set D=100 --set s=5", "reads no sequences of s tokens"),
    ],
)
def test_options_of_other_quantities(line, said, cli):
    code, out, err = cli(line)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_claim_is_explained_with_inputs_that_it_has():
    with pytest.raises(OptionError, match="does not depend on s_src"):
        explain("gpt2", "1 GFLOP", b=1, s=10, s_src=5)


@pytest.mark.parametrize(
    ("target", "quantity", "given", "vacuous"),
    [
        (BERT, "forward_flops", {"b": 1, "s": 5}, {"causal": "exact"}),
        ("mamba-130m", "forward_flops", {"b": 1, "s": 5}, {"causal": "exact", "t": 5}),
        ("mamba-130m", "kv_cache", {"b": 1, "dtype": "bf16"}, {"t": 5}),
        (BERT, "forward_flops", {"b": 1, "s": 5}, {"logits": "last"}),
        (LLAMA, "kv_cache", {"b": 1, "t": 5, "dtype": "bf16"}, {"window": "paper", "latent": "expanded"}),
        ("gpt2", "activations", {"b": 1, "s": 5, "dtype": "fp32"}, {"dropout_mask": 4}),
        ("gpt2", "training_memory", {"recipe": "bf16"}, {"attention": "flash"}),
    ],
)
def test_what_is_true_of_a_model_in_any_case_may_be_said(target, quantity, given, vacuous):
    model = load(target)
    assert model.measure(quantity, **given, **vacuous) == model.measure(quantity, **given)


@pytest.mark.parametrize(("given", "said"), [
    ({"b": 1, "s": "-h"}, "s = -768 must be a positive integer: s counts something."),
    ({"b": "h - h", "s": 5}, "b = 0 must be a positive integer: b counts something."),
])  # fmt: skip
def test_a_formula_that_comes_to_nothing_or_less_is_no_input(given, said):
    with pytest.raises(SymparamsError) as told:
        load("gpt2").measure("forward_flops", **given)
    assert str(told.value) == said
