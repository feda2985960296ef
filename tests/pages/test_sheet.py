"""The page of an answer without live numbers: what ``verify`` and ``explain`` say, in one language, without a script."""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256

import pytest

from tests.checkpoints.test_printed import GPT2_PRINTED, LAYER_NORM
from tests.checkpoints.test_verify import GPT2
from tests.markup import Elements

HEADING = {"en": " beside <code>", "zh": " 与 <code>"}


@pytest.mark.parametrize("language", HEADING)
@pytest.mark.parametrize("command", ["verify", "explain"])
def test_a_comparison_is_a_page_that_says_what_the_sheet_says(command, language, tmp_path, cli):
    (tmp_path / "config.json").write_text(json.dumps(GPT2))
    (tmp_path / "model.txt").write_text(GPT2_PRINTED.format(norm=LAYER_NORM))
    line = f"{command} {tmp_path}/config.json --checkpoint {tmp_path}/model.txt --lang {language}"
    file = tmp_path / "page.html"
    assert cli(f"{line} -o {file}").code == 0
    page = file.read_text(encoding="utf-8")
    said = Elements(page).text.replace(" ", "").replace("\n", "")
    sheet = cli(f"{line} --json").out
    for block in json.loads(sheet)["document"]["sections"][0]["blocks"]:
        for sentence in block.get("lines", ()):
            assert sentence.replace(" ", "").replace("`", "") in said
    assert f'<html lang="{"zh-Hans" if language == "zh" else "en"}">' in page
    assert HEADING[language] in page.partition("<h1>")[2].partition("</h1>")[0]
    style = page.partition("<style>")[2].partition("</style>")[0]
    assert f"style-src 'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'" in page
    assert "<script" not in page


def test_a_claim_and_the_library_have_pages_too(cli, tmp_path):
    assert "<h1>deepseek-v3</h1>" in cli("explain deepseek-v3 685B --html").out
    assert "which is for derive, compare, explain, verify" in cli("solve gpt2 h 1e9 --html").err


def test_a_hostile_name_is_text(tmp_path, cli):
    (tmp_path / "config.json").write_text(json.dumps(GPT2))
    text = GPT2_PRINTED.format(norm=LAYER_NORM).replace("(lm_head)", "(<script>alert<)")
    (tmp_path / "model.txt").write_text(text)
    page = cli(f"verify {tmp_path}/config.json --checkpoint {tmp_path}/model.txt --html").out
    assert "script" not in Elements(page).names
    assert "<script>alert<.weight" in Elements(page).text
