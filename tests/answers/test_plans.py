"""Plans: what a use of a model takes. The figures are worked by hand from sizes that the models' configs name."""

from __future__ import annotations

import json
import shlex
from fractions import Fraction

import pytest

import symparams
from symparams.answers.boards import board as board_of
from symparams.answers.boards import boards, named
from symparams.quantities.memory import bytes_of
from symparams.quantities.weight_formats import weight_formats
from tests.formats.test_json import data_of, violations
from tests.refusals import refusal

N = 8_030_261_248  # of llama-3-8b: 32 layers, 8 key-value heads of 128
CACHE = 2 * 32 * 8 * 128 * 2 * 8192  # keys and values of its 8,192 tokens in two bytes each
N_70B = 70_553_706_496  # 80 layers of the same cache
ACTIVATIONS = 14_280_073_216  # of one sequence of 2,048 tokens in training with flash attention
USES = [
    ("memory llama-3-8b --context 8192", [2 * N, CACHE]),
    ("memory llama-3-8b --context 8Ki --batch 4", [2 * N, 4 * CACHE]),
    ("memory llama-3-8b --context 8 --batch 1Mi", [2 * N, 1024 * CACHE]),
    ("memory llama-3-8b --set t=8192", [2 * N, CACHE]),
    ("memory llama-3-8b --context 8192 --dtype fp32", [4 * N, 2 * CACHE]),
    ("memory llama-3-8b --context 8192 --dtype nf4", [9 * N // 16, CACHE]),  # 4 bits, and 32 for each 64 of them
    ("memory llama-3-8b --context 8192 --dtype q4_0 --cache-dtype fp8", [9 * N // 16, CACHE // 2]),
    ("memory llama-3-8b --context 8192 --dtype Q8_0", [34 * N // 32, CACHE]),
    ("memory gpt2 --context 1024", [2 * 124_439_808, 2 * 12 * 768 * 2 * 1024]),
    ("memory llama-3-8b --training", [2 * N, 2 * N, 12 * N]),  # weights, gradients; a master copy and two moments in fp32
    ("memory llama-3-8b --training --optimizer AdamW", [2 * N, 2 * N, 12 * N]),
    ("memory llama-3-8b --training --optimizer sgd-momentum", [4 * N, 4 * N, 4 * N]),
    ("memory llama-3-8b --training --recipe sgd", [4 * N, 4 * N]),
    ("memory llama-3-8b --training --context 2048 --attention flash",
     [2 * N, 2 * N, 12 * N, ACTIVATIONS + 4 * 2048 * 128 + 12]),  # with the tables of cos and sin
    ("flops gpt2 --tokens 1", [2 * (12 * 12 * 768**2 + 50_257 * 768) + 12 * 4 * 768]),
    ("flops gpt2 --context 1000", [2 * (12 * 12 * 768**2 + 50_257 * 768) + 12 * 4 * 768 * 1001]),
    ("flops vit-base-patch16-224 --batch 2", [2 * 35_127_656_448]),
    ("flops gpt2 --training --tokens 1B --context 1024",
     [3 * 10**9 * (2 * (12 * 12 * 768**2 + 50_257 * 768) + 12 * 4 * 768 * 1024)]),
]  # fmt: skip


@pytest.mark.parametrize(("line", "values"), USES, ids=[line for line, _ in USES])
def test_what_a_use_takes_and_what_its_commands_derive(line, values, cli):
    """The commands that an answer names count the same."""
    data = json.loads(cli(f"{line} --json").out)
    assert violations(data) == []
    assert [part["value"] for part in data["parts"]] == values
    assert data.get("bytes", data["value"]) == sum(values)
    counted = dict[str, int]()
    for part in data["parts"]:
        counted[part["command"]] = counted.get(part["command"], 0) + part["value"]
    for command, value in counted.items():
        words = shlex.split(command)
        assert words[:2] == ["symparams", "derive"]
        assert cli(["count", *words[2:]]).out == f"{value}\n"


def test_what_fits(cli):
    for line, code, number, largest in (
        ("llama-3-8b --context 8192 --fits 24G", 0, 1, {"b": (24 * 10**9 - 2 * N) // CACHE, "t": 60_573}),
        ("t5-small --fits 24G", 0, 1, {}),  # how much its cache takes depends on the source, too
        ("llama-3-8b --context 8192 --fits 16GB", 1, 2, {}),  # the weights alone are more than that
        ("llama-3-8b --fits h100-sxm", 0, 1, {"t": (80 * 10**9 - 2 * N) // (CACHE // 8192)}),
        ("gpt2 --context 1000 --fits '80 GB'", 0, 1, {"b": 2163, "t": 1024}),  # which has so many positions
        ("llama-3-8b --training --fits 80GB", 1, 2, {}),
        # weights and cache shared out among 8; in training the states, and each has activations of its own
        ("llama-3-70b --context 8192 --fits 8x80GB", 0, 2,
         {"b": (640 * 10**9 - 2 * N_70B) // (5 * CACHE // 2), "t": 1_522_499}),
        ("llama-3-70b --context 8192 --fits '1 x h100-sxm'", 1, 2, {}),
        ("llama-3-8b --training --context 2048 --attention flash --fits 8xh100-sxm", 0, 2,
         {"b": (80 * 10**9 - 2 * N) // ACTIVATIONS, "s": 9_169}),
    ):  # fmt: skip
        result = cli(shlex.split(f"memory {line} --json"))
        [board] = json.loads(result.out)["boards"]
        assert (result.code, board["number"]) == (code, number), line
        assert {name: fit["largest"] for name, fit in board["largest"].items()} == largest, line


def test_whether_it_fits_is_said_first(cli):
    each = 132_054_460_428 - 16 * N  # of training with 512 tokens, activations that each board keeps
    for line, left, says in (
        ("--fits 24G", 24 * 10**9 - 2 * N, "llama-3-8b fits in 24 GB: 7,939,477,504 bytes are left."),
        ("--fits 10G", 10**10 - 2 * N, "llama-3-8b does not fit in 10 GB: 6,060,522,496 bytes are missing."),
        ("--context 8192 --fits 2x10G", 2 * 10**10 - 2 * N - CACHE, "llama-3-8b fits in 2 × 10 GB: 2,865,735,680"),
        ("--training --context 512 --attention flash --fits 8x80GB", 640 * 10**9 - 16 * N - 8 * each, "fits in 8 × 80 GB: "),
    ):
        assert says in cli(command := shlex.split(f"memory llama-3-8b {line}")).out.split("\n\n")[1], line
        assert [board["left"] for board in json.loads(cli([*command, "--json"]).out)["boards"]] == [left], line
    assert "\n\nllama-3-8b fits on 13 of 14 boards.\n\n" in cli("memory llama-3-8b --fits boards").out
    assert "\n\n10 GB 放不下 llama-3-8b，还差 6,060,522,496 字节。\n\n" in cli("memory llama-3-8b --fits 10G --lang zh").out


def test_bytes_in_json_are_integers(cli):
    """All but half a byte, which no integer is."""
    in_bytes = {"fp32": 4 * N, "fp16": 2 * N, "bf16": 2 * N, "int8": N, "int4": N // 2}
    # A use of the model is asked or not: what the weights take stands in one place.
    for line, fits in (("", None), ("--context 8192", None), ("--fits 16GB", N), ("--training --fits 8x2GB", N)):
        data = json.loads(cli(f"memory llama-3-8b {line} --json").out)
        assert (data["kind"], data["value"]) == ("memory", N), line
        assert {row["dtype"]: row["bytes"] for row in data["memory"]} == in_bytes, line
        assert fits is None or [row["bytes"] for row in data["memory"] if row["fits"]] == [N, N // 2], line
    [board] = json.loads(cli("memory llama-3-8b --context 8192 --fits 8x24G --json").out)["boards"]
    assert (board["bytes"], board["of"], board["number"]) == (24 * 10**9, 8, 1)
    assert json.loads(cli("memory 7 --dtype int4 --json").out)["memory"][0]["bytes"] == "7/2"
    odd = symparams.load("clip-vit-base-patch32")  # of a plan a part of a byte counts as a whole one
    assert odd.memory(dtype="nf4").value == -(-odd.count() * 9 // 16) > Fraction(odd.count() * 9, 16)


def test_training_on_images_takes_no_context(cli):
    """An image has as many patches as its size gives: the activations are those of the batch alone."""
    model = symparams.load("vit-base-patch16-224")
    for options, inputs in (("", {"b": 1}), ("--batch 8", {"b": 8}), ("--set b=8 --checkpoint", {"b": 8, "checkpoint": True})):
        data = json.loads(cli(f"memory vit-base-patch16-224 --training {options} --fits 24G --json").out)
        whole = model.measure("training_memory", recipe="bf16_fp32_master", scope="all", **inputs)
        assert data["bytes"] == sum(part["value"] for part in data["parts"]) == whole
        assert [part["name"] for part in data["parts"]] == ["weights", "gradients", "optimizer", "activations"]


def test_a_run_takes_the_hours_that_its_boards_need(cli):
    """8.687·10²³ FLOPs at 40% of 989.5·10¹² a second are 2,194,777,129 seconds of one board."""
    shown = cli("flops llama-3-8b --training --tokens 15T --context 8192 --on 1024xh100-sxm").out
    assert "395.8 TFLOPs      609,661                    596" in shown


def test_what_nobody_gave_is_said(cli):
    for line, says in (
        ("memory gpt2 --context 10", "BF16 assumed: the number type of this model is not known; --dtype names it."),
        ("memory gpt2 --context 10 --lang zh", "未收录该模型的数据类型，这里按 BF16 计算，可用 --dtype 指定。"),
        ("memory llama-3-8b --context 10 --dtype nf4", "The cache is in BF16: nothing is computed in NF4"),
        ("memory llama-3-8b --context 10 --dtype q4_k_m", "a mixture, of ≈ 4.89 bits a weight in Llama-3.1-8B"),
        ("memory llama-3-8b --dtype q4_k_m --fits 24G", "A part of a byte counts as a whole one."),
        ("memory llama-3-8b --training", "Activations come on top: give --context."),
        ("memory llama-3-8b --training --context 10", "keeps a weight for each pair of tokens; --attention flash keeps none."),
        (
            "memory vit-base-patch16-224 --training --recipe amp",
            "Activations are not derived for this model, so they come on top.",
        ),
        ("memory deepseek-v3 --training --context 10", "Activations are not derived for this model, so they come on top."),
        ("memory mamba-130m --context 10", "State, BF16"),
    ):
        assert says in " ".join(cli(line).out.split()), line
    config = symparams.load({"model_type": "llama"}).memory(context=8)
    assert "the config names no number type" in symparams.render(config, "text").replace("\n", " ")


def test_mistakes(mistake):
    for line, message in (
        ("memory llama-3-8b --context 32k", "--context '32k' may mean 32000 or 32768: write one of them."),
        ("memory llama-3-8b --context 0", "--context '0' is not a number of tokens: write 1 or more, such as 32768 or 32Ki."),
        ("memory gpt2 --context 1025", "t = 1,025 is more than the 1,024 positions of gpt2: give fewer."),
        ("memory bert-base-uncased --context 9", "bert-base-uncased has no KV cache: encoder.attention is not causal"),
        ("memory 7B --context 9", "A number of parameters has no layers or cache: leave out --context beside '7B', or name a "),
        ("memory llama-3-8b --context 9 --cache-dtype nf4", "nf4 is a format of weights, and kv-cache has none"),
        ("memory llama-3-8b --context 9 --set t=5", "--context gives t, which is set too: leave out one of the two."),
        ("memory llama-3-8b --batch 9 --set b=5", "--batch gives b, which is set too: leave out one of the two."),
        ("flops bert-base-uncased", "bert-base-uncased reads its whole input at once: add --tokens 512"),
        ("memory llama-3-8b --training --context 8 --attention flsh", "Unknown attention 'flsh': choose eager or flash."),
        ("memory vit-base-patch16-224 --training --context 8", "training-memory of vit-base-patch16-224 does not depend on s"),
        ("memory llama-3-8b --recipe sgd", "--recipe is for training: add --training"),
        ("memory llama-3-8b --training --dtype bf16", "The recipe sets the number types of training"),
        ("memory llama-3-8b --fits rtx-4091", "'rtx-4091' is not a memory size: write a number and a unit"),
        ("memory llama-3-8b --fits 0x80GB", "'0x80GB' does not name 1 to 999,999 boards: write 8x80GB."),
        ("memory llama-3-8b --training --optimizer adam8bit",
         "The states of the optimizer 'adam8bit' are not derived: choose adamw, adam, sgd, sgd_momentum, amsgrad, or name"),
        ("memory gpt2 --training --optimizer sgd --recipe fp32", "The recipe 'fp32' names the optimizer, too: leave out one"),
        ("memory llama-3-8b --training --recipe AdamW",
         "Unknown recipe 'AdamW', an optimizer, which sets no number types: its recipe is bf16_fp32_master."),
        ("memory llama-3-8b --optimizer sgd", "--optimizer is for training: add --training"),
        ("memory bloom --context 9", "bloom is a family, so its sizes have no values"),
        ("flops llama-3-8b --training",
         "Training takes FLOPs for each token, and attention depends on the length of a sequence: add --tokens 15T"),
        ("flops llama-3-8b --training --context 8", "Training takes FLOPs for each token: add --tokens 15T"),
        ("flops llama-3-8b --tokens 15T", "--tokens '15T' is a training run: add --training --context 8192"),
        ("flops llama-3-8b --training --tokens 15T", "Attention depends on the length of a sequence: add --context 8192"),
        ("flops llama-3-8b --tokens 9 --on mi300x --dtype fp4", "No peak of AMD Instinct MI300X is known in fp4"),
        (
            "flops llama-3-8b --tokens 9 --on l4 --utilisation 140",
            "--utilisation '140' is not a share of the peak: write 40% or 0.4.",
        ),
        ("flops llama-3-8b --on l4", "The time of one token depends on memory bandwidth"),
    ):  # fmt: skip
        assert mistake(line).startswith(message), line
    gpt2 = symparams.load("gpt2")
    assert refusal(gpt2.memory, window="paper").startswith(
        "window is for the KV cache: add --context 1024, in Python context=1024"
    )
    for name, value in {"targets": ["c_attn"], "batch": 8}.items():
        told = f"{name} is for activations: add --context 1024, in Python context=1024, or leave out {name}."
        assert refusal(gpt2.memory, training=True, **{name: value}) == told
    assert refusal(gpt2.memory, batch=8).startswith("A batch is for the KV cache: add --context 1024, in Python context=1024")
    assert gpt2.flops(100, logits="all").value == gpt2.measure("forward_flops", b=1, s=100, logits="all", t=0)
    assert refusal(gpt2.flops, tokens="2k") == "--tokens '2k' may mean 2000 or 2048: write one of them."


def test_a_plan_that_is_made_in_python_says_what_python_writes():
    """A model of Python may have any sizes and any name, which no command would know."""
    model = symparams.load("gpt2", h=1_536, name="mine")
    for plan in (model.memory(512), model.memory(training=True, context=128), model.memory(training=True), model.flops(100)):
        assert "--" not in symparams.render(plan)
        data = json.loads(symparams.render(plan, "json"))
        calls = dict.fromkeys(part["command"] for part in data["parts"])
        values = [eval(call, {"symparams": symparams, "model": model}).total.value for call in calls]  # noqa: S307 - our own
        assert sum(values) == plan.value == sum(part["value"] for part in data["parts"]), calls


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("format_", ["text", "markdown", "latex", "typst"])
def test_every_format_writes_both(format_, language):
    model = symparams.load("llama-3-8b")
    for plan in (model.memory(context=8192, fits="boards"), model.flops(tokens="8192", on="8xh100-sxm")):
        assert "symparams.derive(model, quantity=" in symparams.render(plan, format_, language=language)
        assert violations(data_of(plan, language)) == []


def test_the_tables_say_where_their_figures_stand():
    assert named() == [*boards(), "boards"]
    assert all(board_of(name).source and board_of(name).memory % 10**9 == 0 for name in boards())
    assert all(kind.source for kind in weight_formats().values())
    bytes_each = {"nf4": "9/16", "mxfp4": "17/32", "q4_k": "144/256", "q6_k": "210/256", "q8_0": "34/32"}
    assert {name: bytes_of(name) for name in bytes_each} == {name: Fraction(each) for name, each in bytes_each.items()}
