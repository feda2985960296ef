"""solve: sizes at which a model has a given count, and inputs at which a cost comes to a total; exact, with what is next."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symparams import architectures, load, published_models, render, solve
from symparams.answers.solutions import read_total
from symparams.answers.wishes import counted
from symparams.errors import DimensionError, OptionError
from symparams.expressions.symbols import t
from tests.refusals import refusal
from tests.strategies import dimensions, models


def rows(found):
    return [(*each.values.values(), each.difference) for each in found]


def test_one_dimension():
    for target, total, for_, root, found in (
        ("gpt2", 124439808, "h", "768", [(768, 0), (756, -3250740), (780, 3292212)]),  # 12 heads divide each of them
        ("gpt2", "7B", "h", "6795.846591", [(6792, -7724296), (6804, 16386860)]),
        ("gpt2", "70亿", "L", "982.045762", [(982, -324352), (983, 6763520)]),
        ("gpt2", "7e9", "d_ff", "375852.318369", [(375852, -5872), (375853, 12572)]),  # 4·h no longer holds
        ("llama-3-8b", 8030261248, "n_kv_heads", "8", [(8, 0), (4, -134217728), (16, 268435456)]),  # divisors of n_heads
        ("llama-3-8b", 8030261248, "n_heads", None, [(32, 0), (64, -134217728), (16, 268435456)]),  # more heads, smaller ones
        ("llama-3-8b", 8030261248, "h", "4096", [(4096, 0), (4064, -73140256), (4128, 73304096)]),
        ("mamba-130m", 129135360, "h", None, [(768, 0), (767, -278593), (769, 352705)]),  # r_dt = ⌈h / 16⌉ is no polynomial
        ("vit-base-patch16-224", 86567656, "image", None, [(224, 0), (223, -20736), (240, 22272)]),  # the next that is more
    ):
        solved = solve(target, total, for_)
        assert (solved.root.digits if solved.root else None, rows(solved)) == (root, found), target
        switches = {**solved.model.features, **solved.model.switches}
        chosen = {"include": solved.model.present, "exclude": [name for name, has in switches.items() if not has]}
        for solution in solved:
            sizes = {dimension.name: value for dimension, value in {**solved.design.kept, **solution.values}.items()}
            assert load(solved.model.family, **sizes, **chosen).count() == solution.count


def test_a_root_is_rounded_correctly():
    """The last of its decimals is the nearest: half a unit on either side, the closed form passes the total."""
    solved = solve("llama-7b", "7e9", "h")
    [h] = solved.design.free
    half = Fraction(1, 2 * 10**6)
    assert solved.design.at({h: solved.root.value - half}) < 7 * 10**9 < solved.design.at({h: solved.root.value + half})
    assert not solved.root.is_exact
    assert "    h ≈ 4,215.732786\n" in render(solved)
    exact = solve("llama-7b", 6738415616, "h")
    assert exact.root.is_exact
    assert "    h = 4,096\n" in render(exact)


@settings(max_examples=25)
@given(models(), st.data())
def test_every_dimension_of_every_family_comes_back_from_the_count(model, data):
    comes_back(model, data)


@settings(max_examples=15)
@given(st.data())
def test_also_at_quadrillions(data):
    family = data.draw(st.sampled_from([name for name in architectures() if name not in published_models()]))
    values, numbers = data.draw(dimensions(family)), {d.name for d in counted(load(family))}
    scale = data.draw(st.integers(10**7, 10**8))
    try:
        model = load(family, **{name: value * (1 if name in numbers else scale) for name, value in values.items()})
    except DimensionError:
        assume(False)
    assume(model.count() > 10**15)
    comes_back(model, data)


def comes_back(model, data):
    function = model.function()
    free = data.draw(st.sampled_from([d for d in function.letters if d not in model.architecture.identities]))
    value = model.values[free]
    bounds = {free.name: (max(1, value - 50), value + 50)}
    try:
        solved = solve(model, model.count(), [free.name])
    except OptionError:  # it divides where it stands, and grows nothing
        solved = solve(model, model.count(), [free.name], between=bounds)
    assert solved[0].difference == 0
    assert solved[0].values[free] == value or solved.design.is_rounded(free) or not solved.design.grows(free)
    if solved.root:
        assert (solved.root.value, solved.root.is_exact) == (value, True)


REFUSED = {
    "n_heads does not occur in the count of gpt2, which depends on L, V, max_pos, h": lambda: solve("gpt2", "7B", "n_heads"),
    "GPT-2 has no dimension 'hh'. Did you mean 'h'?": lambda: solve("gpt2", "7B", "hh"),
    "'7X' is not a parameter count": lambda: solve("gpt2", "7X", "h"),
    "'7.5' is not a parameter count": lambda: solve("gpt2", 7.5, "h"),
    "name one, two or three": lambda: solve("gpt2", "7B", "L,h,V,max_pos"),
    "names a dimension twice": lambda: solve("gpt2", "7B", "h,h"),
    "bloom has no value for V (used in embeddings.token_embedding), L": lambda: solve("bloom", "7B", "h"),
    "does not always grow with patch: give bounds": lambda: solve("vit-base-patch16-224", 86567656, "patch"),
    "Solving for several dimensions is limited to 64 bits": lambda: solve("gpt2", 10**19, "L,h"),
    "'80GB' is not a number of FLOPs: write 140TFLOP, 1e21, or an integer.": lambda: read_total("80GB", "flops"),
    "'0' is not a number of bytes": lambda: read_total("0", "bytes"),
    "'1.5' is not a number of FLOPs": lambda: read_total(1.5, "flops"),
}
REFUSED_OF_A_CACHE = {
    "kv-cache of llama-3-8b has no value for t: give": "--total 80GB --for b",
    "b is solved for, so it cannot have a value: leave the value out.": "--total 80GB --for b --set t=1 --set b=3 --dtype bf16",
    "'s'": "--total 80GB --for s --set b=1 --set t=1 --dtype bf16",
    "d_ff does not occur in the kv-cache of llama-3-8b": "--total 80GB --for d_ff --set b=1 --set t=1 --dtype bf16",
    "'7TFLOP' is not a number of bytes": "--total 7TFLOP --for b --set t=1 --dtype bf16",
}


def test_what_is_refused(mistake):
    assert [message for message, call in REFUSED.items() if message not in refusal(call)] == []
    for message, line in REFUSED_OF_A_CACHE.items():
        assert message in mistake(f"solve llama-3-8b --quantity kv-cache {line}")


def test_a_number_of_heads_that_only_a_table_of_positions_has():
    """Of h = n_heads · d_head nothing depends on the number of heads, and n_heads = 0 divides nothing."""
    model = load("t5", L_enc=1, V=1, n_buckets=1, h=60, n_heads=5, n_labels=1)
    assert [each for each in rows(solve(model, model.count(), "n_heads")) if each[-1] == 0] == [(5, 0)]


def test_what_cannot_be_met_is_said():
    fewer, more = solve("gpt2", 100, "h"), solve("gpt2", "7B", "h", between={"h": (512, 1024)})
    assert (rows(fewer), fewer.is_met, rows(more), more.is_met) == ([(12, 637904)], False, [(1020, -6797714620)], False)
    assert "No size gives so few: even h = 12 gives 637,904 too many." in render(fewer)
    assert "No size gives so many: even h = 1,020 gives 6,797,714,620 too few." in render(more)


def test_the_shapes_of_gpt2_and_llama_are_found():
    """By the total and what divides the width; nothing else comes to LLaMA's total exactly."""
    found = solve("gpt2", 124439808, "L,h", multiple_of=64)
    assert rows(found)[0] == (12, 768, 0)
    llama = solve(load("llama", V=32000), 6738415616, "L,h,d_ff", multiple_of=128)
    assert rows(llama)[0] == (32, 4096, 11008, 0)
    assert rows(llama)[1][-1] != 0
    assert llama.tried > 10**10


def test_a_thousand_solutions_are_a_thousand_and_the_nearest_first():
    """Of each L and h a thousand V are near; what is given is the nearest of all."""
    found = solve("gpt2", 124439808, "L,h,V", between={"L": (1, 12), "h": (1, 1024)}, top=1000)
    off = [abs(each.difference) for each in found]
    assert len(found) == len({tuple(each.values.values()) for each in found}) == 1000
    assert (off, off[0]) == (sorted(off), 0)


@settings(max_examples=8)
@given(st.integers(10**2, 10**4), st.integers(1, 12))
def test_a_search_gives_the_nearest_of_all(total, top):
    """Held against every design within the bounds, one by one."""
    model, between = load("bloom", V=50), {"L": (1, 5), "h": (1, 12), "d_ff": (3, 24)}
    found = solve(model, total, "L,h,d_ff", between=between, multiple_of={"d_ff": 4}, top=top)
    function = load("bloom", V=50, d_ff=7, h=5).function()
    every = sorted(
        (abs(function(L=L, h=h, d_ff=d_ff) - total), L, h, d_ff)
        for L in range(1, 6)
        for h in range(1, 13)
        for d_ff in range(4, 25, 4)
    )
    assert [abs(each.difference) for each in found] == [off for off, *_ in every[:top]]


def test_laws_between_two_that_are_searched_for():
    """8 heads of keys do not serve 4 of queries: n_kv_heads divides n_heads, which divides h."""
    found = solve("llama-3-8b", "8B", "n_heads,n_kv_heads", between={"n_kv_heads": (1, 4096)}, top=100)
    powers = [2**power for power in range(13)]
    assert {tuple(solution.values.values()) for solution in found} == {(q, kv) for q in powers for kv in powers if kv <= q}
    assert len(found) == 13 * 14 // 2


def test_a_token_passes_no_more_experts_than_there_are_whether_or_not_they_divide():
    asked, between = {"quantity": "forward_flops", "b": 1, "s": 1}, {"n_experts": (1, 8), "n_active": (1, 9)}
    three_of_eight = load("mixtral-8x7b", n_active=3).measure("forward_flops", b=1, s=1)
    found = solve("mixtral-8x7b", three_of_eight, "n_experts,n_active", **asked, between=between, top=99)
    pairs = [tuple(solution.values.values()) for solution in found]
    assert (pairs[0], found[0].difference) == ((8, 3), 0)
    assert sorted(pairs) == [(experts, active) for experts in range(1, 9) for active in range(1, experts + 1)]


def test_what_divides_a_size_that_follows_divides_the_width():
    solved = solve("llama-3-8b", "8e9", "L,h", d_head=128)  # n_heads = h / 128 is a multiple of the 8 key-value heads
    _, h = solved.design.free
    assert solved.design.step(h) == 8 * 128
    sized = solve("llama-3-8b", "8e9", "L,h", d_head=128, d_ff="7*h/6")  # and 6 divides 7·h
    assert sized.design.step(h) == 3 * 8 * 128
    assert all(solution.values[h] % (3 * 8 * 128) == 0 for solution in sized)


@pytest.mark.parametrize(("target", "for_"), [("llama-3-8b", "h,n_heads"), ("vit-base-patch16-224", "L,image")])
def test_what_does_not_divide_or_comes_to_nothing_is_passed_over(target, for_):
    """Of most pairs of h and n_heads there is no d_head = h / n_heads, and an image of less than a patch has none."""
    model = load(target)
    found = solve(model, model.count(), for_, between=dict.fromkeys(for_.split(","), (1, 5000)), top=5)
    assert found[0].difference == 0
    assert model.values.items() >= found[0].values.items()


def test_json_has_exact_integers_and_digits():
    data = json.loads(render(solve("gpt2", "1e15", "h"), "json"))
    assert (data["total"], data["digits"]) == (10**15, "1" + "0" * 15)
    assert data["root"] == {"digits": "2635052.781887", "exact": False}
    nearest = {"count": 1000002442377168, "digits": "1000002442377168", "difference": 2442377168}
    assert data["solutions"][0] == {"values": {"h": 2635056}, "follows": {"d_ff": 10540224, "d_head": 219588}, **nearest}


def test_the_nearest_below_and_above():
    for target, total, for_, quantity, inputs, below in (
        ("llama-3-8b", "80GB", "b", "kv-cache", {"t": 8192, "dtype": "bf16"}, 74),
        ("llama-3-8b", "16GiB", "t", "kv-cache", {"b": 1, "dtype": "bf16"}, 131_071),  # where 131,072 are just it
        ("gemma-2-9b", "40GiB", "t", "kv-cache", {"b": 8, "dtype": "bf16"}, 27_112),  # two lines, one up to the window
        ("gpt2", "80GB", "s", "training_memory", {"b": 8, "recipe": "fp32"}, 3_314),
        ("llama-3-8b", "1e24", "D", "training-flops", {"s": 8192}, 17_267_324_215_213),
        ("llama-3-8b", "140TFLOP", "s", "forward-flops", {"b": 1}, 7_409),
        ("llama-3-8b", "24GB", "L", "weight-memory", {"dtype": "bf16"}, 50),
        ("gpt2", "40GB", "h", "training-memory", {"recipe": "fp32"}, 3_984),
    ):
        found = solve(target, total, for_, quantity=quantity, **inputs)
        values = sorted((next(iter(solution.values.values())), solution.count) for solution in found)
        assert (values[0][0], found.is_met) == (below, True), target
        for value, count in values:
            size, given = ({for_: value}, {}) if for_ in ("L", "h") else ({}, {for_: value})
            assert load(target, **size).measure(quantity, **inputs, **given) == count


def is_full(model, cached, inputs):
    """Whether a cache of windows alone holds so much that no token more is kept."""
    return cached == model.measure("kv_cache", **inputs, t=4_095) == model.measure("kv_cache", **inputs, t=10**6)


def test_of_a_window_that_is_full_the_first_token_that_fills_it():
    [found] = solve("mistral-7b-v0.1", "80GB", "t", quantity="kv_cache", b=1)
    assert (dict(found.values), found.count) == ({t: 4_095}, 536_739_840)


@settings(max_examples=15)
@given(
    st.sampled_from(["gpt2", "llama-3-8b", "mistral-7b-v0.1", "gemma-2-9b", "t5-small"]),
    st.sampled_from(["kv_cache", "forward_flops", "training_flops"]),
    st.integers(1, 40),
    st.integers(1, 10**5),
    st.integers(-3, 3),
)
def test_a_solution_meets_the_total_and_its_neighbour_does_not(target, quantity, b, length, off):
    name = "t" if quantity == "kv_cache" else "s"
    inputs = {"b": b} | ({"s_src": 7} if target == "t5-small" else {}) | ({"dtype": "bf16"} if quantity == "kv_cache" else {})
    model = load(target)
    total = model.measure(quantity, **inputs, **{name: length}) + off
    for each in solve(model, total, name, quantity=quantity, **inputs):
        [value] = each.values.values()
        assert each.count == model.measure(quantity, **inputs, **{name: value})
        if each.difference < 0:
            assert model.measure(quantity, **inputs, **{name: value + 1}) >= total or is_full(model, each.count, inputs)
        elif each.difference > 0 and value > 1:
            assert model.measure(quantity, **inputs, **{name: value - 1}) <= total


def test_the_layers_with_a_window_follow_from_those_that_are_solved_for():
    inputs = {"b": 1, "t": 5_000, "dtype": "bf16"}
    for solution in solve("gemma-2-9b", "1GB", "L", quantity="kv_cache", **inputs, between={"L": (1, 100)}):
        [layers] = solution.values.values()
        assert load("gemma-2-9b", L=layers).measure("kv_cache", **inputs) == solution.count


def test_an_input_by_its_longer_name_is_no_size():
    asked = {"quantity": "kv_cache", "dtype": "bf16"}
    assert rows(solve("llama-3-8b", "80GB", "t", batch=4, **asked)) == rows(solve("llama-3-8b", "80GB", "t", b=4, **asked))
    grouped = solve("llama-3-8b", "80GB", "t", batch=4, n_kv_heads=4, **asked)[0]
    assert grouped.count == load("llama-3-8b", n_kv_heads=4).measure("kv_cache", b=4, dtype="bf16", t=grouped.values[t])


def test_two_inputs_at_once():
    found = solve("llama-3-8b", "16GiB", "b,t", quantity="kv_cache", dtype="bf16", between={"b": (1, 8), "t": (1, 10**6)})
    assert found[0].difference == 0
    assert all(load("llama-3-8b").measure("kv_cache", dtype="bf16", **{d.name: v for d, v in each.values.items()}) == each.count
               for each in found)  # fmt: skip


def test_a_cost_on_the_command_line(cli):
    line = "solve llama-3-8b --quantity kv-cache --total 80GB --for b --set t=8192 --dtype bf16"
    assert "M(KV) = 2·b·t·L·n_kv_heads·d_head·e = 1,073,741,824·b = 80,000,000,000" in cli(line).out
    data = json.loads(cli(f"{line} --json").out)
    assert (data["quantity"], data["unit"], data["root"]["digits"]) == ("kv_cache", "bytes", "74.505806")
    for kind, language, unit in (("latex", "zh", "字节"), ("markdown", "en", "bytes"), ("typst", "zh", "字节")):
        sheet = render(solve("gpt2", "1GB", "b", quantity="kv_cache", t=9, dtype="bf16"), kind, language=language)
        assert re.search(r"1\D*000\D*000\D*000[^.。]*? " + unit, sheet), kind
