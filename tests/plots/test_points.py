"""The numbers of plots: exact, those of ``measure``, with every crossing where it is; as CSV, as a table, as JSON."""

from __future__ import annotations

import csv
import json
import re
from fractions import Fraction
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

import symparams
from symparams.plots import picture, plot_of
from symparams.plots.lettering import Lettering
from symparams.plots.pgfplots import written as in_tex
from symparams.plots.span import Span, read_span
from tests.refusals import refusal

MEMORY = ("llama-2-7b", "llama-3-8b", "gemma-2-2b", "deepseek-v2-lite")


@pytest.mark.parametrize(("written", "letter", "values"), [
    ("t=1Ki..16Ki", "t", [1_024, 2_048, 4_096, 8_192, 16_384]),
    ("b=1..32", "b", [1, 2, 4, 8, 16, 32]),
    ("s=512..10000", "s", [512, 1_024, 2_048, 4_096, 8_192, 10_000]),
    ("L=10..24", "L", list(range(10, 25))),
    ("h=1024..4096", "h", [*range(1_024, 4_096, 220), 4_096]),
])  # fmt: skip
def test_a_span_doubles_where_it_is_long_and_steps_evenly_where_it_is_short(written, letter, values):
    span = read_span(written)
    assert (span.letter, span.values()) == (letter, values)


@pytest.mark.parametrize(("written", "line"), [
    ("t", "--over 't' is not a span: write a letter with its bounds, t=1Ki..1Mi."),
    ("t=1Ki", "--over 't=1Ki' is not a span: write a letter with its bounds, t=1Ki..1Mi."),
    ("t=8..8", "--over 't=8..8' goes from 8 to 8: write a letter with its bounds, t=1Ki..1Mi, the larger one last."),
    ("t=1..32k", "--over t '32k' may mean 32000 or 32768: write one of them."),
])  # fmt: skip
def test_what_is_no_span_is_refused(written, line):
    assert refusal(read_span, written) == line


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.integers(1, 10**6))
def test_bisection_finds_the_first(low, more, at):
    found = Span("t", low, low + more).crossing(lambda x: x >= at)
    assert found == (None if at > low + more else max(low, at))


def test_memory_over_the_context():
    plot = plot_of("memory", *MEMORY, dtype="bf16", limits=["24GB", "80GB"])
    assert plot.columns == ("model", "t", "weights_bytes", "cache_bytes", "total_bytes")
    rows = {(row["model"], row["t"]): row for row in plot}
    assert rows["llama-2-7b", 1_024]["total_bytes"] == 14_013_702_144
    assert rows["llama-3-8b", 1_048_576]["cache_bytes"] == 137_438_953_472
    assert rows["gemma-2-2b", 4_095]["total_bytes"] == 5_664_784_896  # where its windows are full
    facts = [line for line in str(symparams.render(plot, width=200)).splitlines() if line.endswith(".")]
    assert facts == [
        "llama-2-7b: from 25,706 tokens in the cache on, the cache is larger than the weights.",
        "llama-3-8b: from 122,533 tokens in the cache on, the cache is larger than the weights.",
        "gemma-2-2b: from 94,100 tokens in the cache on, the cache is larger than the weights.",
        "deepseek-v2-lite: from 1,009,934 tokens in the cache on, the cache is larger than the weights.",
        "llama-2-7b fits 24 GB up to 20,071 tokens in the cache.",
        "llama-3-8b fits 24 GB up to 60,573 tokens in the cache.",
        "gemma-2-2b fits 24 GB up to 348,431 tokens in the cache.",
        "deepseek-v2-lite does not fit 24 GB.",
        "llama-2-7b fits 80 GB up to 126,882 tokens in the cache.",
        "llama-3-8b fits 80 GB up to 487,819 tokens in the cache.",
        "gemma-2-2b fits 80 GB throughout.",
        "deepseek-v2-lite fits 80 GB throughout.",
    ]


def test_a_crossing_is_where_the_numbers_cross():
    model = symparams.load("llama-3-8b")

    def both(tokens):
        weights = model.measure("weight_memory", dtype="bf16")
        return weights, model.measure("kv_cache", b=1, t=tokens, dtype="bf16")

    weights, before = both(122_532)
    assert before <= weights < both(122_533)[1]
    assert weights + both(60_573)[1] <= 24 * 10**9 < weights + both(60_574)[1]


@pytest.mark.parametrize(("kind", "model", "options", "letter"), [
    ("line", "gpt2", {"quantity": "forward_flops", "over": "s=1..1024"}, "s"),
    ("line", "llama-3-8b", {"quantity": "kv-cache", "over": "b=1..64", "t": 8_192}, "b"),
    ("line", "qwen3-8b", {"quantity": "lora", "over": "r=4..64", "targets": ["q_proj"]}, "r"),
    ("line", "mamba-130m", {"quantity": "kv_cache", "over": "b=1..64", "dtype": "bf16"}, "b"),
    ("line", "jamba-v0.1", {"quantity": "kv_cache", "dtype": "bf16"}, "t"),
    ("line", "mistral-7b-v0.1", {"quantity": "kv_cache", "dtype": "fp8"}, "t"),
    ("line", "t5-small", {"quantity": "forward_flops", "over": "s=1..512", "s_src": 128}, "s"),
    ("line", "bloom-1b4-zh", {"quantity": "activations", "over": "b=1..32", "s": 512, "dtype": "fp16"}, "b"),
])  # fmt: skip
def test_a_line_is_what_measure_gives(kind, model, options, letter):
    plot = plot_of(kind, model, **options)
    loaded, inputs = symparams.load(model), {"b": 1, **options}
    quantity = inputs.pop("quantity")
    for name in ("over", letter):
        inputs.pop(name, None)
    if quantity == "lora":
        inputs.pop("b")
    assert len(plot) > 4
    assert all(row["value"] == loaded.measure(quantity, **inputs, **{letter: row[letter]}) for row in plot)


def test_a_line_over_a_size_is_a_model_of_that_size():
    plot = plot_of("line", "llama-3-8b", over="L=1..80")
    assert [(row["L"], row["value"]) for row in plot] == [
        (size, symparams.load("llama-3-8b", L=size).count()) for size in (1, 2, 4, 8, 16, 32, 64, 80)
    ]


def test_a_line_ends_with_the_positions_of_its_model():
    plot = plot_of("line", "gpt2", "llama-3-8b", quantity="kv_cache")
    last = {row["model"]: row["t"] for row in plot}
    assert last == {"gpt2": 1_024, "llama-3-8b": 1_048_576}
    assert "gpt2 has 1,024 positions: its line ends there." in symparams.render(plot)


@pytest.mark.parametrize(("kind", "name", "letter", "low", "high"), [
    ("memory", "gpt2", "t", 64, 1_024),
    ("shares", "bert-base-uncased", "s", 32, 512),
])  # fmt: skip
def test_a_usual_span_begins_before_the_last_position(kind, name, letter, low, high):
    plot = plot_of(kind, name)
    assert (plot.rows[0][plot.columns.index(letter)], plot.rows[-1][plot.columns.index(letter)]) == (low, high)
    assert len(plot) > 4


@pytest.mark.parametrize(("quantity", "letter"), [("forward_flops", "s"), ("kv_cache", "t"), ("parameters", "h")])
def test_each_quantity_has_a_usual_letter_that_gpt2_takes(quantity, letter):
    assert plot_of("line", "gpt2", quantity=quantity).columns == ("model", letter, "value")


def test_between_the_ends_a_size_takes_values_that_its_heads_divide():
    plot = plot_of("line", "gpt2", over="h=768..1536")
    assert len(plot) > 10
    assert all(row["h"] % 12 == 0 and row["value"] == symparams.load("gpt2", h=row["h"]).count() for row in plot)


def test_training_over_a_size_is_of_models_of_that_size():
    plot = plot_of("memory", "llama-3-8b", quantity="training_memory", over="h=1024..2048", checkpoint=False)
    inputs = {"b": 1, "s": 2_048, "recipe": "bf16_fp32_master", "attention": "flash"}
    for row in (plot.rows[0], plot.rows[-1]):
        assert row[-1] == symparams.load("llama-3-8b", h=row[0]).measure("training_memory", **inputs)
    assert plot.facts == []


def test_training_reads_no_more_tokens_than_there_are_positions():
    assert "s = 512" in symparams.render(plot_of("memory", "bert-base-uncased", quantity="training_memory"))


def test_shares_of_the_flops_over_the_sequence():
    plot = plot_of("shares", "llama-3-8b")
    assert plot.columns == ("s", "scores_and_use", "projections", "feed_forward", "lm_head", "total")
    assert plot.rows[0] == (512, 137_438_953_472, 1_374_389_534_720, 5_772_436_045_824, 537_944_653_824, 7_822_209_187_840)
    model = symparams.load("llama-3-8b")
    for s, *parts, total in plot.rows:
        assert sum(parts) == total == model.measure("forward_flops", b=1, s=s)
    shares = {row["s"]: Fraction(row["scores_and_use"], row["total"]) for row in plot}
    assert shares[28_628] >= Fraction(1, 2)
    half = model.measure("forward_flops", b=1, s=28_627) / 2
    assert half > 2 * 28_627**2 * 4_096 * 32 * 2


def test_shares_of_a_short_span():
    plot = plot_of("shares", "gpt2")
    assert (plot.rows[0][0], plot.rows[-1][0]) == (512, 1_024)
    assert all(sum(parts) == total for _, *parts, total in plot.rows)


def test_memory_of_training_over_the_batch():
    plot = plot_of("memory", "llama-3-8b", quantity="training-memory", s=2_048)
    parts = ("weights", "gradients", "master_weights", "adam_m", "adam_v", "activations")
    assert plot.columns == ("b", "checkpoint", *parts, "total")
    assert plot.rows[0] == (
        1, 0, 16_060_522_496, 16_060_522_496, 32_121_044_992, 32_121_044_992, 32_121_044_992, 13_162_250_240, 141_646_430_208,
    )  # fmt: skip
    assert tuple(plot.rows[3][i] for i in (0, 1, 7, 8)) == (2, 1, 1_073_741_824, 129_557_921_792)
    model = symparams.load("llama-3-8b")
    for row in plot:
        inputs = {"b": row["b"], "s": 2_048, "recipe": "bf16_fp32_master", "attention": "flash"}
        assert row["total"] == model.measure("training_memory", **inputs, checkpoint=bool(row["checkpoint"]))


@pytest.mark.parametrize("name", ["bert-base-uncased", "deepseek-v3", "t5-small", "jamba-v0.1", "vit-base-patch16-224"])
def test_a_treemap_has_every_parameter_once(name):
    plot, model = plot_of("treemap", name), symparams.load(name)
    assert sum(row["parameters"] for row in plot) == model.count()
    assert sum(tile.count for tile in plot.picture.tiles) == model.count()
    for tile in plot.picture.tiles:
        assert not tile.tiles or sum(inner.count for inner in tile.tiles) == tile.count


def test_a_treemap_marks_what_one_token_uses():
    plot = plot_of("treemap", "deepseek-v3", active=True)
    [experts] = [inner for tile in plot.picture.tiles for part in tile.tiles for inner in part.tiles if inner.pieces > 1]
    assert (experts.pieces, experts.used, experts.count) == (256, 8, 653_908_770_816)
    assert plot.picture.active == symparams.load("deepseek-v3").active_count() == 37_552_282_624


def test_the_rule_of_thumb_over_published_models():
    plot = plot_of("rule", "gpt2", "llama-3-8b", "mixtral-8x7b", "albert-base-v2", "mamba-130m")
    assert [tuple(row.values()) for row in map(dict, plot)] == [
        ("gpt2", "gpt2", 124_439_808, 84_934_656, Fraction(1_465_124, 10**6)),
        ("llama-3-8b", "llama", 8_030_261_248, 6_442_450_944, Fraction(1_246_461, 10**6)),
        ("mixtral-8x7b", "mixtral", 46_702_792_704, 6_442_450_944, Fraction(7_249_228, 10**6)),
    ]
    assert "2 models are left out" in symparams.render(plot)
    assert {row["family"] for row in plot_of("rule", families=["bert", "gpt2"])} == {"bert", "gpt2"}


def test_csv_is_the_table_with_plain_integers():
    plot = plot_of("rule", "gpt2", "mixtral-8x7b")
    text = str(symparams.render(plot, "csv"))
    assert text.splitlines()[:2] == ["model,family,N,twelve_L_h2,ratio", "gpt2,gpt2,124439808,84934656,1.465124"]
    plot = plot_of("memory", "llama-3-8b")
    read = list(csv.DictReader(StringIO(symparams.render(plot, "csv"))))
    assert [[row[name] for name in plot.columns] for row in read] == [list(map(str, row)) for row in plot.rows]


def test_json_has_the_numbers_and_the_facts():
    data = json.loads(symparams.render(plot_of("memory", "llama-3-8b"), "json"))
    assert (data["kind"], data["plot"], data["targets"]) == ("plot", "memory", ["llama-3-8b"])
    first_point = {"model": "llama-3-8b", "t": 1_024, "weights_bytes": 16_060_522_496}
    assert data["points"][0] == first_point | {"cache_bytes": 134_217_728, "total_bytes": 16_194_740_224}


TEN = ("gpt2", "bloom-560m", "llama-2-7b", "llama-3-8b", "gemma-2-2b", "mistral-7b-v0.1", "mixtral-8x7b", "qwen3-8b",
       "deepseek-v3", "jamba-v0.1")  # fmt: skip


@pytest.mark.parametrize("name", TEN)
def test_ten_models_are_plotted_as_they_are_measured(name):
    model = symparams.load(name)
    for row in plot_of("memory", name, dtype="bf16", b=2):
        parts = (model.measure("weight_memory", dtype="bf16"), model.measure("kv_cache", b=2, t=row["t"], dtype="bf16"))
        assert (row["weights_bytes"], row["cache_bytes"], row["total_bytes"]) == (*parts, sum(parts))
    flops = {row["s"]: row["total"] for row in plot_of("shares", name)}
    assert flops == {s: model.measure("forward_flops", b=1, s=s) for s in flops}
    assert sum(row["parameters"] for row in plot_of("treemap", name)) == model.count()
    over_layers = plot_of("line", name, over="b=1..4", quantity="kv_cache", t=64, dtype="fp16")
    assert [row["value"] for row in over_layers] == [model.measure("kv_cache", b=b, t=64, dtype="fp16") for b in (1, 2, 3, 4)]


REFUSED = [
    (("pie", "gpt2"), {}, "Unknown kind of plot 'pie'."),
    (("memory",), {}, "A plot of kind memory shows a model: name one, such as llama-3-8b."),
    (("shares", "gpt2", "bloom"), {}, "A plot of kind shares shows one model, and 2 are named: leave out some."),
    (("line", "gpt2"), {"limits": ["24GB"]}, "A plot of kind line takes no limits: leave out --limit, in Python limits."),
    (("treemap", "gpt2"), {"active": True}, "One token uses all parameters of 'gpt2': leave out --active."),
    (("treemap", "gpt2"), {"over": "t=1..9"}, "A plot of kind treemap takes no over: leave out --over, in Python over."),
    (("treemap", "gpt2"), {"b": 2}, "A plot of kind treemap has no inputs: leave out b."),
    (("rule",), {"families": ["bertt"]}, "Unknown family 'bertt'."),
    (("rule", "mamba-130m"), {}, "12·L·h² is for models of one number of layers and one width: name others."),
    (("line", "gpt2"), {"over": "q=1..9"}, "gpt2 has no q over which to plot parameters."),
    (("memory", "gpt2"), {"over": "h=64..512"}, "Memory is plotted over t, the tokens in the cache, or b: h is a size;"),
    (("shares", "gpt2"), {"quantity": "parameters", "over": "h=64..512"}, "Shares are those of FLOPs or bytes over an input:"),
    ((3, "gpt2"), {}, "Unknown kind of plot '3'."),
    (("memory", "gpt2"), {"limits": 24}, "limits = '24' is not a list of texts: write limits=['24GB']."),
    (("rule",), {"families": 3}, "families = '3' is not a list of texts: write families=['bert']."),
    (("treemap", "deepseek-v3"), {"active": "no"}, "active = 'no' is a text, not a switch:"),
    (("line", "gpt2"), {"quantity": "kv_cache", "over": "t=1..9", "t": 5}, "t is plotted over: leave out its value, t=5."),
    (
        ("memory", "llama-3-8b", "gpt2"),
        {"over": "t=2048..8192"},
        "gpt2 has 1,024 positions, and the plot begins at t = 2,048: begin earlier, --over t=64..8192.",
    ),
    (("line", "gpt2"), {"over": "h=100..120"}, "d_head = h/n_heads is not an integer for h = 100, n_heads = 12"),
    (("memory", "bert-base-uncased"), {}, "bert-base-uncased has no KV cache"),
    (("line", "llama"), {"over": "h=64..512"}, "llama has no value for"),
]


def test_a_name_that_no_file_can_hold_is_refused_and_a_character_of_control_is_shown_as_none():
    assert "is not a name of a model: write 1 to" in refusal(symparams.load, "gpt2", name="\udcff")
    for name in ("a\nb", "a\0b"):
        drawn = picture(plot_of("line", symparams.load("gpt2", name=name), quantity="kv_cache"), "svg")
        assert "a\ufffdb" in drawn.decode()


@pytest.mark.parametrize("target", ["mamba-130m", "gpt2", "jamba-v0.1"])
def test_tikz_has_ticks_on_both_axes_of_a_flat_line(target):
    tex = in_tex(Lettering(plot_of("memory", target)))
    for ticks in re.findall(r"[xy]tick=\{([^}]*)\}", tex):
        assert ticks


@pytest.mark.parametrize(("line", "told"), [
    ("line gpt2 --over h=96..768 --set h=768",
     "--over h=96..768 varies h already: leave out --set h=768."),
    ("memory gpt2 --over t=1..9 --set t=5", "--over t=1..9 varies t already: leave out --set t=5."),
    (f"line {' '.join(['gpt2'] * 9)}", "A plot of kind line shows 8 models at most, and 9 are named: leave out some."),
])  # fmt: skip
def test_what_the_command_line_cannot_plot_is_refused_in_a_line(line, told, mistake):
    assert mistake(f"plot {line} --text") == told


@pytest.mark.parametrize(("named", "options", "line"), REFUSED)
def test_what_cannot_be_plotted_is_refused_in_a_line(named, options, line):
    assert refusal(plot_of, *named, **options).startswith(line)
