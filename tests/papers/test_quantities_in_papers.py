"""Quantities in papers: commands, YAML and JSON of a cost, and blocks that print one."""

from __future__ import annotations

import json

import pytest
import yaml

from tests.papers.test_macros import DEFINED

CACHE = "--quantity kv-cache --set b=1 --set t=8192 --dtype bf16"


def test_commands_yaml_and_json(cli):
    defined = dict(DEFINED.findall(cli(f"macros llama-3-8b gpt2 {CACHE}").out))
    assert defined["symparamsLlamaThreeEightBKvCacheCount"] == "1{,}073{,}741{,}824"
    assert defined["symparamsLlamaThreeEightBKvCacheDigits"] == "1073741824"
    assert defined["symparamsLlamaThreeEightBKvCacheRounded"] == "1.07 GB"
    assert defined["symparamsGptTwoKvCacheClosedForm"] == r"\ensuremath{2btLhe}"
    assert defined["symparamsGptTwoKvCacheAttentionShare"] == r"100.00\%"
    line = "macros gpt2 --quantity forward-flops --set b=1 --set s=128"
    data = json.loads(cli(f"{line} --json").out)
    assert yaml.safe_load(cli(f"{line} --yaml").out) == data
    assert data["gpt2"]["forward_flops"]["count"] == "32,228,179,968"
    assert data["gpt2"]["forward_flops"]["components"]["feed_forward"]["digits"] == "14495514624"
    data = json.loads(cli("macros gpt2 --quantity forward-flops --json --lang zh").out)
    assert set(data["gpt2"]["forward_flops"]) == {"closed_form", "closed_form_blocks", "components"}


def test_a_mistake_is_one_line(mistake):
    assert "bert has no KV cache" in mistake("macros bert --quantity kv-cache")
    assert "Unknown quantity 'kv'." in mistake("macros gpt2 --quantity kv")


@pytest.mark.parametrize(
    ("name", "opening", "closing", "number"),
    [
        ("a.md", "<!-- symparams: {} -->", "<!-- /symparams -->", "1,073,741,824"),
        ("a.tex", "% symparams: {}", "% /symparams", "1{,}073{,}741{,}824"),
    ],
)
def test_blocks_are_kept_current(cli, tmp_path, name, opening, closing, number):
    lines = (f"{verb} llama-3-8b {CACHE}" for verb in ("count", "formula", "derive"))
    blocks = [f"{opening.format(line)}\n{closing}\n" for line in (*lines, f"compare gpt2 llama-3-8b {CACHE}")]
    file = tmp_path / name
    file.write_text("\n".join(blocks), encoding="utf-8")
    assert "4 blocks written" in cli(f"embed {file}").out
    written = file.read_text(encoding="utf-8")
    assert f"\n{number}\n" in written
    assert written.count("How large is the KV cache") == written.count("How do the KV caches") == 1
    assert cli(f"embed --check {file}").out == ""
    file.write_text(written.replace("t=8192", "t=4096"), encoding="utf-8")
    code, out, _ = cli(f"embed --check {file}")
    assert code == 1
    assert f"-{number}" in out
