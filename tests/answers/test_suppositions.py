"""Claims of costs, as people write them, and what has to be supposed for each to come out."""

from __future__ import annotations

import pytest

from symparams import SymparamsError, explain
from symparams.answers.claims import read_claim

K = 1024


@pytest.mark.parametrize(
    ("written", "values", "is_of_token", "quantity"),
    [
        ("320 KB a token", [320_000, 320 * K], True, ""),
        ("320KiB/token", [320 * K], True, ""),
        ("每个词元 320 KB", [320_000, 320 * K], True, ""),
        ("327,680 bytes", [327_680], False, ""),
        ("40 GB cache", [40 * 10**9, 40 * K**3], False, "kv_cache"),
        ("16 GB weights", [16 * 10**9, 16 * K**3], False, "weight_memory"),
        ("140 TFLOPs", [140 * 10**12], False, ""),
        ("3.14e23 FLOPs", [314 * 10**21], False, ""),
        ("1.5 GMACs", [3 * 10**9], False, ""),
    ],
)
def test_a_cost_as_people_write_it(written, values, is_of_token, quantity):
    claim = read_claim(written)
    assert [reading.value for reading in claim.readings] == values
    assert (claim.is_of_token, claim.quantity) == (is_of_token, quantity)


@pytest.mark.parametrize("written", ["110M", "70B", "1.1亿", 5])
def test_a_number_without_a_unit_is_of_anything(written):
    assert read_claim(written).unit == ""


@pytest.mark.parametrize("written", ["8x7B", "12 apples", "", "bytes", "1 iB"])
def test_what_is_no_claim(written):
    assert read_claim(written) is None


@pytest.mark.parametrize(
    ("target", "claimed", "given", "supposed", "result"),
    [
        ("llama-3-70b", "327,680 bytes a token", {}, [], 327_680),
        ("llama-3-70b", "320 KB a token", {"dtype": "bf16"}, ["binary"], 327_680),
        ("llama-3-70b", "2.5 MiB a token", {"dtype": "bf16"}, ["ungrouped"], 2_621_440),
        ("llama-3-70b", "640 KiB a token", {"dtype": "bf16"}, ["dtype"], 655_360),
        ("llama-3-70b", "4096 bytes a token", {"dtype": "bf16"}, ["one_layer"], 4_096),
        ("llama-3-70b", "40,960 bytes a token", {"dtype": "bf16"}, ["one_head"], 40_960),
        ("llama-3-70b", "40 GB cache", {"b": 1, "t": 131_072, "dtype": "bf16"}, ["binary"], 42_949_672_960),
        ("deepseek-v3", "70,272 bytes a token", {"dtype": "bf16"}, [], 70_272),
        ("deepseek-v3", "4,997,120 bytes a token", {"dtype": "bf16"}, ["latent_expanded"], 4_997_120),
        ("mistral-7b-v0.1", "536,870,912 bytes cache", {"b": 1, "t": 8192, "dtype": "bf16"}, ["window_of_papers"], 2**29),
        ("llama-3-70b", "141 GFLOPs a token", {}, ["forward_by_parameters"], 141_107_412_992),
        ("mixtral-8x7b", "25.76 GFLOPs a token", {}, ["forward_by_active"], 25_759_850_496),
        ("mixtral-8x7b", "93.4 GFLOPs a token", {}, ["by_all_experts"], 93_405_585_408),
        ("llama-3-70b", "142 TFLOPs", {"b": 1, "s": 1000}, [], 141_624_868_864_000),
        ("gpt2", "1,237,163,520 FLOPs", {"b": 1, "s": 10, "quantity": "forward_flops"}, ["macs"], 1_237_163_520),
        ("llama-3-8b", "32.1 GB weights", {"dtype": "bf16"}, ["dtype"], 32_121_044_992),
        ("llama-7b", "107,814,649,856 bytes to train", {}, ["recipe"], 107_814_649_856),
        ("llama-3-70b", 327_680, {"quantity": "kv-cache", "b": 1, "t": 1, "dtype": "bf16"}, [], 327_680),
    ],
)
def test_what_a_claim_supposes(target, claimed, given, supposed, result):
    first = explain(target, claimed, **given)[0]
    assert [term.note.keys[0].partition(".")[2] for term in first.terms] == supposed
    assert first.result == result


def test_a_notebook_shows_what_the_command_says(cli):
    data = explain("llama-3-70b", "320 KB a token")._repr_mimebundle_()
    assert data["text/plain"] + "\n" == cli('explain llama-3-70b "320 KB a token"').out


def test_what_nothing_explains():
    assert explain("llama-3-70b", "12,345 bytes a token") == []


@pytest.mark.parametrize(
    ("claimed", "given", "message"),
    [
        ("16GB", {}, "'16GB' of what? Name it: --quantity kv-cache, weight-memory, activations, training-memory."),
        ("40 GB", {"quantity": "forward_flops"}, "'40 GB' is no forward_flops, which counts flops: name another quantity."),
        ("many", {"quantity": "kv_cache"}, "'many' is not the number of a cost: write 327680, 320 KB a token or 140 TFLOPs."),
        ("140 TFLOPs", {}, "forward_flops of llama-3-70b has no value for b, s: give b=…, s=…."),
    ],
)
def test_what_cannot_be_explained(claimed, given, message):
    with pytest.raises(SymparamsError) as error:
        explain("llama-3-70b", claimed, **given)
    assert message in str(error.value)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("form", ["--text", "--latex", "--markdown", "--typst", "--json"])
def test_every_format_and_language(form, language, cli):
    result = cli(f'explain llama-3-70b "320 KB a token" {form} --lang {language}')
    assert result.code == 0
    assert "327" in result.out


def test_nothing_explained_ends_with_1(cli):
    result = cli('explain llama-3-70b "12,345 bytes a token"')
    assert result.code == 1
    assert "12,345 bytes a token is not explained" in result.out
