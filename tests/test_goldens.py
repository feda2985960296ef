"""The sheets of the five articles, whole, in both languages: read a change here as prose before you accept it.

``python -m tests.test_goldens`` writes them anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from symparams import derive, load, render
from tests.test_articles import ARTICLES, derivation_of

GOLDEN = Path(__file__).parent / "golden"
SHEETS = {article["name"].replace(", ", "-").replace(" ", "-"): derivation_of(article) for article in ARTICLES}
SHEETS["generic-without-biases"] = derive(load("gpt3", exclude=["biases", "tying"]), attention="per-head")
OPTIONS = {"generic-without-biases": {"notation": "hf", "with_memory": True}}
ENDINGS = {"latex": "tex", "markdown": "md"}


def sheet(name: str, kind: str, language: str) -> str:
    return render(SHEETS[name], kind, language=language, **OPTIONS.get(name, {}))


def golden(name: str, kind: str, language: str) -> Path:
    return GOLDEN / f"{name}.{language}.{ENDINGS[kind]}"


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", ENDINGS)
@pytest.mark.parametrize("name", SHEETS)
def test_golden(name, kind, language):
    assert sheet(name, kind, language) == golden(name, kind, language).read_text(encoding="utf-8")


def test_there_are_no_other_goldens():
    named = {golden(name, kind, language) for name in SHEETS for kind in ENDINGS for language in ("en", "zh")}
    assert set(GOLDEN.iterdir()) == named


if __name__ == "__main__":
    for each in SHEETS:
        for kind in ENDINGS:
            for language in ("en", "zh"):
                golden(each, kind, language).write_text(sheet(each, kind, language), encoding="utf-8")
