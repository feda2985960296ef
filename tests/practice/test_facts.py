"""Facts and formulas: their numbers, which are worked out, are those that people tell."""

from __future__ import annotations

import pytest

from symparams.cli.quiz.speech import Speech
from symparams.cli.quiz.voice import Voice
from symparams.formats.rendering import render
from symparams.practice.facts import facts
from symparams.sheets.practice.cheat_sheet import cheat_sheet
from symparams.sheets.practice.facts import words

TOLD = {
    "kv-llama-3-8b": "128 KiB, 131,072 bytes",
    "kv-llama-2-7b": "512 KiB, 524,288 bytes: 32 heads instead of 8, 4 times",
    "kv-llama-3-70b": "320 KiB, 327,680 bytes: 80 layers, 8 heads of 128. Only 2.5 times",
    "kv-deepseek-v3": "70,272 bytes, about 69 KiB: one latent of 512 and one rotated key of 64, 61 layers",
    "mla-against-heads": "71 times: 4,997,120 bytes a token would be 128 heads of 192 + 128",
    "gqa-cache": "n_heads becomes n_kv_heads: 32 to 8 makes the cache 4 times smaller",
    "sixteen-bytes": "16: weight 2, gradient 2",
    "cards-llama-2-70b": "14: 16 bytes for each of 69.0 billion parameters are 1.10 TB. In nodes of eight, 16 cards",
    "six-n-d": "Six for each parameter and token: two forward, four backward. Llama-2-70B on 2T tokens: 8.3 × 10²³",
    "two-n": "Two a parameter: a multiplication and an addition. Llama-3-8B: 16.1 billion",
    "chinchilla": "About 20, Hoffmann et al. 2022 (Chinchilla). Llama-2-7B: 135 billion tokens",
    "beyond-chinchilla": "93 times: 15T tokens, 1,868 a parameter",
    "mfu": "48 %",
    "ridge": "295: 989.5 TFLOPS dense over 3.35 TB/s. An A100 of 80 GB has 153, an H200 206",
    "ridge-batch": "At the ridge: about 295",
    "decode-attention": "Query heads for each key-value head: 1 with MHA, 4 for Llama-3-8B",
    "fastest-sequence": "209: 3.35 TB/s over 16.1 GB",
    "prefill": "Arithmetic: the prompt's tokens share one reading of the weights. 8k tokens of Llama-3-8B: 0.27 s",
    "attention-crossover": "At 6·h in a plain layer of 12·h², all pairs counted: 4,608",
    "count-gpt2": "124,439,808: 85.1M in 12 layers, 38.6M tokens, 0.8M positions",
    "count-bert": "109,482,240. Of these 23.8M embeddings, 85.1M layers, 0.6M pooler",
    "count-llama-2-7b": "6,738,415,616: 32 layers of 4·h² + 3·h·d_ff + 2·h, two tables of 131M",
    "llama-3-against-2": "Two tables of 128,256 rows add 0.79B, the wider feed-forward 1.31B; GQA takes 0.81B away",
    "gated-width": "Three matrices in place of two keep the parameters at 8·h². LLaMA-7B rounds up to 11,008",
    "mixtral": "46.7B in all, 12.9B used",
    "deepseek-v3": "671B and 37.6B, 5.6 %, tables included: 8 of 256 experts and one shared, in 58 layers",
    "qlora-bits": "4.127",
    "bubble": "p − 1 turns of m + p − 1: 18 %",
    "tp-cache": "Heads are copied, at least one a card: on 16 cards Llama-3-70B keeps its cache 2 times",
    "paged-attention": "Room reserved but never used: blocks of 16 tokens waste at most 15",
    "speculative": "3.36",
}


FORMULAS = (
    "123.5M (exact 124,439,808)", "7,087,872", "218,112,000", "8,030,261,248", "10,923, 11,008", "4,194,304", "12.9B of 46.7B",
    "16.06 GB", "3.48 GB", "107.8 GB", "28.2 / 15.0 / 1.68 GB", "14", "2.87 GB", "10.7 GB", "131,072 B = 128 KiB", "70,272 B",
    "59", "108", "167 × 10¹²", "8.28 × 10²³", "1.71M", "47.7 %", "135 × 10⁹", "295 FLOPs a byte", "0.266 s", "9.92 ms",
    "18.8 GB", "17.9 %", "9.98 MB", "2.31 ×",
)  # fmt: skip


def said(name: str, place: str, language: str) -> dict[str, str]:
    """The words of a place of all facts, as a line."""
    lines = {}
    for fact in facts(name):
        voice = Voice(Speech(is_plain=True), language)
        voice.about(fact.model)
        lines[fact.name] = voice.text([words(fact, place, language)])
    return lines


def test_the_numbers_of_a_fact_are_worked_out() -> None:
    backs = said("facts", "back", "en")
    assert {name: backs[name][: len(told)] for name, told in TOLD.items()} == TOLD
    assert {fact.name for fact in facts() if fact.record.get("numbers")} <= TOLD.keys()


def test_the_sheet_of_formulas_is_one_page_of_thirty_in_both_languages() -> None:
    assert tuple(said("cheat-sheet", "number", "en").values()) == FORMULAS
    for language, title in (("en", "# Thirty formulas"), ("zh", "# 三十个公式")):
        lines = render(cheat_sheet(language), "markdown").splitlines()
        assert lines[0] == title
        assert sum(line.startswith("|") for line in lines) == 2 + 30


@pytest.mark.parametrize("place", ["front", "back", "formula"])
def test_every_fact_has_its_words_in_both_languages(place: str) -> None:
    english, chinese = (said("facts", place, language) for language in ("en", "zh"))
    assert english.keys() == chinese.keys()
    assert all(english.values())
    assert all(chinese.values())
