"""Explanations: what turns this count or cost into somebody else's, as sums that come out exactly."""

from __future__ import annotations

import json
from decimal import Decimal
from itertools import combinations
from random import Random

import pytest

from symparams import explain, load, published_models, render
from symparams.answers.terms import terms
from symparams.architectures import find
from symparams.expressions.polynomial import Polynomial
from symparams.sheets.catalogue import catalogue
from tests.refusals import refusal
from tests.sweeps import FEW

SIZED = sorted(FEW & set(published_models()))


def keys_of(explanation):
    """The conventions by their keys, those of a part with it: "without pooler"."""
    keys = []
    for term in explanation.terms:
        key, part = term.note.keys[0].partition(".")[2], str(term.note.terms.get("part", "")).partition(":")[2]
        keys.append(f"{key} {part}".strip())
    return keys


CLAIMS = [
    ("bert-base-uncased", 109_482_240, [[]]),
    ("bert-base-uncased", 108_891_648, [["without pooler"]]),
    ("bert-base-uncased", 109_514_298, [["with mlm_head", "without pooler"]]),
    ("bert-base-uncased", 132_985_716, [["without pooler", "with_own_matrix mlm_head"]]),
    ("bert-base-uncased", 109_484_547, [["labels"]]),
    ("bert-base-uncased", 109_483_778, [["with nsp_head"], ["labels"]]),  # two classes of the library have this count
    ("bloom-1b4-zh", 1_397_616_640, [["each_head"]]),
    ("bloom-1b4-zh", "1.4B", [["each_head"]]),
    ("bloom-1b4-zh", 1_303_107_584, [["one_norm"]] * 2),
    ("gpt2", 124_337_664, [["every_bias"]]),
    ("gpt2", 124_439_808 + 47 * 768, [["padded"], ["labels"]]),  # 50,304 rows
    ("gpt2", 124_439_808 + 12 * 1_024**2, [["masks"]]),
    ("gpt2", "123.65M", [["positions"]]),
    ("gpt2", 84_934_656, [["estimate"]]),
    ("gpt2", "85M", [["no_embeddings"]]),
    ("llama-7b", 6_607_343_616, [["no_embeddings"], ["without lm_head"]]),  # the same difference, other tensors
    ("llama-7b", 6_738_415_616 + 64, [["frequencies"]]),
    ("llama-7b", 6_738_415_616 + 2_048, [["layer_frequencies"]]),
    ("llama-3-8b", 4 * 8_030_261_248, [["bytes_4"]]),
    ("llama-3-8b", 4_015_130_624, [["half_bytes"]]),
    ("pythia-6.9b", 6_444_163_072, [["non_embedding"]]),
    # The count as it is, or what one token uses, ends the search.
    ("gpt2", "124 million", [[]]),
    ("bert-base-uncased", "1.1亿", [[]]),
    ("mixtral-8x7b", "13B", [["active"]]),
    ("deepseek-v3", 37_552_282_624, [["active"]]),
    ("gpt-oss-20b", "4.1B", [["active"]]),  # cut off from 4,187,440,704
    ("mixtral-8x7b", "45.1B", [["experts_alone"]]),
    ("deepseek-v3", 684_531_386_000, [["mtp", "scales"]]),
    ("deepseek-v3.2", 685_396_921_376, [["mtp", "scales"]]),  # the weights of an indexer's heads are in 16 bits
    # Biases are less than the last digit of 124.3M tells of, and padding is used by nobody who says 125M.
    ("gpt2", "124.3M", []),
    ("gpt2", "125M", []),
    # From 68,976,648,192 a multiple of 2·h = 16,384, because both are multiples of powers of two.
    ("llama-2-70b", 60_800_000_000, []),
]


def test_the_conventions_of_a_claim():
    for target, claimed, conventions in CLAIMS:
        explanations = explain(target, claimed)
        assert [keys_of(explanation) for explanation in explanations] == conventions, (target, claimed)
        assert all(explanation.is_explained for explanation in explanations), (target, claimed)
        if conventions in ([[]], [["active"]]):
            [found], model = explanations, load(target)
            assert found.result == (model.active_count() if found.terms else model.count()), (target, claimed)


def test_the_non_embedding_count_is_without_both_tables_of_an_untied_model():
    sizes = {"V": 50_304, "h": 768, "L": 12, "n_heads": 12, "d_ff": 3_072}  # pythia-160m
    [found] = explain(load("pythia-6.9b", **sizes), 85_056_000)
    assert found.terms[0].tensors == {"embeddings.token_embedding.weight", "lm_head.weight"}


@pytest.mark.parametrize(
    ("target", "claimed", "terms"),
    [
        ("deepseek-v3", "685B", ["mtp", "scales"]),
        ("deepseek-v3", "37B", ["active", "no_embeddings"]),
        ("gpt-oss-20b", "3.6B", ["active", "no_embeddings"]),
        ("gpt2", "117M", ["not_counted"]),
        ("whisper-small", "244M", ["not_counted"]),
        ("gemma-7b", "7B", ["no_embeddings"]),
        ("bert-large-uncased", "340M", []),  # the count, 335,141,888, rounded
    ],
)
def test_a_figure_that_is_published_comes_first_with_its_source(target, claimed, terms):
    first = explain(target, claimed)[0]
    assert keys_of(first) == terms
    assert first.published.source.startswith(("https://github.com/", "https://arxiv.org/"))
    assert first.start + sum(term.step.value for term in first.terms) == first.result


def test_every_published_figure_is_met_or_said_to_be_wrong():
    for name in published_models():
        published = find(name)[1].claims
        known = {term.key for term in terms(load(name))} if published else set()
        for figure in published:
            assert explain(name, figure.value)[0].published == figure
            sentences = [f"explain.published.{figure.why}" in catalogue(language).entries for language in ("en", "zh")]
            assert all(sentences) or set(figure.why.split("+")) <= known, (name, figure)


def test_a_figure_that_nothing_explains_is_told_with_its_difference():
    said = "The exact count is 214,245,376. No known convention explains the difference, 1,245,376."
    assert said in " ".join(render(explain("transformer-big", "213M")).split())


def test_a_model_with_other_sizes_is_not_the_published_one():
    assert explain(load("gpt2", L=11), "117M")[0].terms == ()


def test_what_is_taken_off_twice_explains_nothing():
    for target, claimed in (
        ("llama-7b", 6_738_018_304),  # without the norms, and without one of them again
        ("gpt2", 124_439_808 - 102_144 - 82_944),  # without any bias, and without those of the matrices again
        ("gpt2", 124_439_808 - 39_383_808 - 786_432),  # without the embedding tables, and without that of positions again
        ("gpt2", 124_439_808 + 38_597_376 - 39_383_808),  # the head again, and without the table that it shares
    ):
        for explanation in explain(target, claimed):
            assert len(explanation.terms) == 1, explanation


def test_what_is_left_over_is_named_and_explains_nothing(cli):
    for target, claimed, key, said, told in (
        ("gpt2", 124_439_808 - 5 * 12 * 768, "residual", "-5*L*h", "Left over, which no convention here explains"),
        ("bert-base-chinese", 102_267_648 + 12_345 * 768, "more_rows", "12345*h", "which would then be\n33,473 tokens"),
        ("llama-3-8b", 8_030_261_248 - 2 * 4_096 * 101, "fewer_rows", "-202*h", "which would then be\n128,155 tokens"),
    ):
        [found] = explain(target, claimed)
        assert (keys_of(found), str(found.terms[0].step.closed_form), found.is_explained) == ([key], said, False), target
        answer = cli(["explain", target, str(claimed)])
        assert (answer.code, told in answer.out) == (1, True), target


def test_another_member_of_the_family_has_the_count_and_what_it_has_more_is_named(cli):
    member, rest = explain("bert-base-uncased", 177_853_440)
    assert (member.model, member.terms) == ("bert-base-multilingual-cased", ())
    assert str(rest.terms[0].step.closed_form) == "89025*h"  # V = 119,547
    assert (member.is_explained, rest.is_explained) == (True, False)
    assert cli(["explain", "bert-base-uncased", "177853440"]).code == 0


def test_what_nothing_explains_is_said(cli):
    for claimed in ("109,482,241", "109,482,239"):
        text = (
            f"{claimed} differs from 109,482,240, the count of bert-base-uncased, by 1. No\n"
            "known convention explains the difference.\n"
        )
        assert cli(["explain", "bert-base-uncased", claimed]) == (1, text, "")


def test_the_command(cli):
    for arguments, says in (
        (["bloom-1b4-zh", "1303107584", "--lang", "zh"], "不计层归一化（−2·h）：\n    1,303,111,680 − 4,096 = 1,303,107,584\n"),
        (["whisper-small", "244M"], "No known convention explains the difference, 3,417,088."),
        (["gpt2-xl", "1.5B"], "    1,557,611,200 ≈ 1,500,000,000 (matches if truncated)\n"),
        (["gpt2", "117M", "--lang", "zh"], "最初公布的 117,000,000 统计有误"),
        (["llama-3-8b", "16060522496"], "    2 × 8,030,261,248 = 16,060,522,496\n"),
    ):
        assert says in cli(["explain", *arguments]).out, arguments


def test_the_same_as_data(cli):
    data = json.loads(cli("explain gpt2 163037184 --json").out)
    [explanation] = data["explanations"]
    assert explanation["terms"][0]["formula"] == "V*h"
    assert explanation["terms"][0]["tensors"] == ["embeddings.token_embedding.weight", "lm_head.weight"]
    assert explanation["start"] + sum(term["value"] for term in explanation["terms"]) == data["claimed"]
    assert (explanation["explained"], explanation["of"]) == (True, "whole")
    [figure] = json.loads(cli("explain gpt2 117M --json").out)["explanations"]
    assert figure["source"] == "https://github.com/openai/gpt-2/blob/master/README.md"


def test_a_term_speaks_of_tensors_that_are_there():
    """By name as the tree has them, but for what a library stores beside the parameters, or a part that is added."""
    for name in SIZED:
        model = load(name)
        here = {f"{leaf.path}.{tensor.name}" for leaf in model.leaves for tensor in leaf.component.tensors}
        for term in terms(model):
            assert term.tensors, (name, term)
            assert term.value > 0 or "with" in term.key or term.tensors <= here, (name, term)


def with_three_digits(count):
    """A count as people round it: 124M, 6.74B."""
    unit, zeros = ("B", 9) if count >= 10**9 else ("M", 6)
    return f"{Decimal(f'{count:.2e}').scaleb(-zeros):f}{unit}"


@pytest.mark.parametrize("number", [8, pytest.param(25, marks=pytest.mark.sweep)])
def test_on_random_claims_it_stays_silent(number):
    """Of exact claims one in a hundred is answered, of rounded ones one in thirty; no answer counts anything twice."""
    answered = {"exact": 0, "rounded": 0}
    for name in SIZED:
        model = load(name)
        count, chance = model.count(), Random(f"random {name}")  # noqa: S311 - a sample, no secret
        for claimed in (chance.randint(count * 7 // 10, count * 13 // 10) for _ in range(number)):
            for kind, written in (("exact", claimed), ("rounded", with_three_digits(claimed))):
                explanations = explain(model, written)
                answered[kind] += bool(explanations)
                assert len(explanations) <= 3
                for explanation in explanations:
                    assert explanation.start + sum(term.step.value for term in explanation.terms) == explanation.result
                    for first, other in combinations(explanation.terms, 2):
                        assert first.tensors.isdisjoint(other.tensors)
                        assert first.step.polynomial + other.step.polynomial != Polynomial({})
    assert answered["exact"] * 100 <= number * len(SIZED)
    assert answered["rounded"] * 30 <= number * len(SIZED)


@pytest.mark.parametrize(
    ("target", "claimed", "given", "supposed", "result"),
    [
        ("llama-3-70b", "327,680 bytes a token", {}, [], 327_680),
        ("llama-3-70b", "320 KB a token", {"dtype": "bf16"}, ["binary"], 327_680),
        ("llama-3-70b", "2.5 MiB a token", {"dtype": "bf16"}, ["ungrouped"], 2_621_440),
        ("llama-3-70b", "4096 bytes a token", {"dtype": "bf16"}, ["one_layer"], 4_096),
        ("llama-3-70b", "40,960 bytes a token", {"dtype": "bf16"}, ["one_head"], 40_960),
        ("deepseek-v3", "4,997,120 bytes a token", {"dtype": "bf16"}, ["latent_expanded"], 4_997_120),
        ("mistral-7b-v0.1", "536,870,912 bytes cache", {"b": 1, "t": 8192, "dtype": "bf16"}, ["window_of_papers"], 2**29),
        ("llama-3-70b", "141 GFLOPs a token", {}, ["by_parameters"], 141_107_412_992),
        ("mixtral-8x7b", "25.76 GFLOPs a token", {}, ["by_active"], 25_759_850_496),
        ("mixtral-8x7b", "93.4 GFLOPs a token", {}, ["by_all_experts"], 93_405_585_408),
        ("llama-3-70b", "142 TFLOPs", {"b": 1, "s": 1000}, [], 141_624_868_864_000),
        ("gpt2", "1,237,163,520 FLOPs", {"b": 1, "s": 10, "quantity": "forward_flops"}, ["macs"], 1_237_163_520),
        ("llama-3-8b", "32.1 GB weights", {"dtype": "bf16"}, ["dtype"], 32_121_044_992),
        ("llama-7b", "107,814,649,856 bytes to train", {}, ["recipe"], 107_814_649_856),
        ("llama-3-70b", 327_680, {"quantity": "kv-cache", "b": 1, "t": 1, "dtype": "bf16"}, [], 327_680),
    ],
)
def test_what_has_to_be_supposed_for_a_cost_to_come_out(target, claimed, given, supposed, result):
    first = explain(target, claimed, **given)[0]
    assert keys_of(first) == supposed
    assert first.result == result


def test_what_cannot_be_explained():
    of_flops = {"quantity": "forward_flops"}
    for claimed, given, message in (
        ("1.5", {}, "'1.5' is not a parameter count"),
        ("16GB", {}, "'16GB' may be several quantities: add --quantity kv-cache, in Python quantity='kv_cache'; or weight"),
        ("40 GB", of_flops, "'40 GB' is not an amount of forward-flops, which counts flops: name another quantity."),
        ("many", {"quantity": "kv_cache"}, "'many' is not a number of bytes or FLOPs: write 327680, 320 KB a token or 140"),
        ("140 TFLOPs", {}, "forward-flops of llama-3-70b has no value for b, s: give b=…, s=…."),
    ):
        assert refusal(explain, "llama-3-70b", claimed, **given).startswith(message), claimed


def test_a_cost_is_explained_in_every_format_and_language(cli):
    for form, language in (("text", "en"), ("latex", "zh"), ("markdown", "en"), ("typst", "zh"), ("json", "en")):
        result = cli(f'explain llama-3-70b "320 KB a token" --{form} --lang {language}')
        assert result.code == 0
        assert "327" in result.out
    assert json.loads(result.out)["explanations"][0]["of"] == "token"
    shown = explain("llama-3-70b", "320 KB a token")._repr_mimebundle_()
    assert shown["text/plain"] + "\n" == cli('explain llama-3-70b "320 KB a token"').out
    result = cli('explain llama-3-70b "12,345 bytes a token"')
    assert result.code == 1
    assert "12,345 bytes a token differs from the number of llama-3-70b" in result.out


MISTYPED = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hiden_size": 2_048, "vocab_size": 32_000}
MEANT = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 2_048, "vocab_size": 32_000}


def test_a_mistyped_key_is_named_first(cli, tmp_path):
    """With what the count would be if it were read, and what is left out of that; where nothing explains it, too."""
    model, meant = load(MISTYPED), load(MEANT).count()
    for claimed, keys in ((meant, ["mistyped"]), (meant - 2 * 32_000 * 2_048, ["mistyped", "non_embedding"])):
        [found] = explain(model, claimed)
        assert (keys_of(found), found.start, found.result) == (keys, model.count(), claimed)
    assert keys_of(explain(model, model.count())[0]) == []
    for end, shown in (("", ""), ("\N{RIGHT-TO-LEFT OVERRIDE}", "\N{REPLACEMENT CHARACTER}")):  # which a terminal would obey
        config = {f"{key}{end}" if key == "hiden_size" else key: value for key, value in MISTYPED.items()}
        (tmp_path / "config.json").write_text(json.dumps(config))
        answer = cli(["explain", str(tmp_path), str(model.count() - 5 * 32 * 4_096)])  # −5·L·h, which would be left over
        assert answer.code == 1
        assert answer.out.startswith(f"hiden_size{shown} in the config is not read: did you mean hidden_size? ")
