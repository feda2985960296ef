"""A language is one file: a made-up one, whose every sentence is marked, runs through every command and every format."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from symparams.sheets.catalogue import templates

pytestmark = pytest.mark.xdist_group("third language")  # the commands run once
MARK = "ø"  # before each sentence and name of the made-up language, a capital one where a sentence begins
RUN = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from symparams.sheets import catalogue
catalogue.templates = lambda: Path(sys.argv[1])
from symparams.cli import run
answers = []
for line in json.loads(sys.argv[2]):
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run(line.split())
    answers.append([code, out.getvalue(), err.getvalue()])
print(json.dumps(answers))
"""
PAGE = "derive mamba-130m --html"  # that of gpt2 takes six seconds
SPOKEN = [
    *(f"derive gpt2 --{name}" for name in ("text", "latex", "markdown", "typst", "json")),
    "derive mixtral-8x7b --brief", "derive t5-small --with-memory --latex",
    "derive whisper-tiny --view kind --columns 2 --typst",
    "derive llama-3-8b --quantity kv-cache --set b=1 --set t=9 --dtype bf16", "derive gpt2 --quantity activations --dtype fp32",
    "derive llama-7b --quantity training-memory --recipe bf16", "derive gpt2 --quantity all --dtype bf16 --set b=1 --set s=8",
    "derive --expr 12*L*h**2 --latex", "compare gpt2 llama-7b", "explain gpt2 163037184", "solve gpt2 --total 1B --for h",
    "memory gpt2 --fits 24GB", "show gpt2", "draw gpt2", "draw clip-vit-base-patch32 --tikz", "draw gpt2 --text",
    "worksheet gpt2 --key none",
]  # fmt: skip
OF_THE_BANK = [
    "questions gpt2 --level warm-up", "questions gpt2 --exam 3", "quiz gpt2 --plain -n 1 --no-save --seed 1",
    "interview --no-save",
]  # fmt: skip


def made_up(text: str) -> str:
    """The catalogue of English under another name, each sentence and name marked; what sets the language stays."""
    head, heading, rest = text.partition("\n[steps]\n")
    return head.replace('name = "English"', 'name = "Øst"').replace('tag = "en"', 'tag = "xx"') + heading + re.sub(
        r'^([\w.-]+ = ")([^"\n]*[A-Za-z]{2}[^"\n]*")$', rf"\g<1>{MARK}\g<2>", rest, flags=re.MULTILINE
    )  # fmt: skip


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str, str]]:
    """What each command prints in the language."""
    folder = tmp_path_factory.mktemp("templates")
    (folder / "languages").mkdir()
    for place in (*templates().iterdir(), *(templates() / "languages").iterdir()):
        if place.name != "languages":
            (folder / place.relative_to(templates())).symlink_to(place)
    english = (templates() / "languages" / "en.toml").read_text(encoding="utf-8")
    (folder / "languages" / "xx.toml").write_text(made_up(english), encoding="utf-8")
    lines = [*(f"{line} --lang xx" for line in (*SPOKEN, PAGE, *OF_THE_BANK)), "derive --help"]
    command = [sys.executable, "-c", RUN, str(folder), json.dumps(lines)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder)
    return dict(zip(lines, map(tuple, json.loads(done.stdout)), strict=True))


def test_each_command_speaks_the_language(answers: dict[str, tuple[int, str, str]]) -> None:
    for line in (*SPOKEN, PAGE):
        code, out, err = answers[f"{line} --lang xx"]
        assert (code, err, MARK in out.lower()) == (0, "", True), line
    assert "en, xx or zh" in " ".join(answers["derive --help"][1].split())


def test_no_sentence_of_another_language_is_left(answers: dict[str, tuple[int, str, str]]) -> None:
    """Of the sentences that a sheet begins a line with all are the language's own."""
    assert re.findall(r"^[A-Z][a-z]+ [a-z]+ [a-z]+.*", answers["derive gpt2 --text --lang xx"][1], re.MULTILINE) == []


def test_the_page_offers_the_language_by_its_own_name(answers: dict[str, tuple[int, str, str]]) -> None:
    page = answers[f"{PAGE} --lang xx"][1]
    assert [text for text in ('<html lang="xx"', ">Øst<", ">中文<") if text not in page] == []


def test_where_the_bank_has_no_sentences_one_line_says_so(answers: dict[str, tuple[int, str, str]]) -> None:
    for line in OF_THE_BANK:
        code, _, err = answers[f"{line} --lang xx"]
        assert code == 2, line
        assert err.splitlines()[-1] == "symparams: The bank of questions has no sentences in 'xx': choose en or zh."
