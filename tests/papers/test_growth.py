"""Twice the document takes twice the steps, and a document has bounds."""

from __future__ import annotations

import json

import pytest

from symparams.errors import DocumentError
from symparams.papers import documents, embedding
from symparams.papers.classes import class_of
from symparams.papers.documents import SourceDocument, difference, read
from symparams.papers.kinds import KINDS, LATEX, MARKDOWN, Printed, kind_of
from symparams.papers.markers import blocks
from tests.growth import MOST, steps

HTML = KINDS[2]
BLOCK = "é\\ <!-- symparams: count gpt2 -->0<!-- /symparams -->\n"
DOCUMENTS = {
    "a.md": lambda number: "".join(f"line {i}\n\n{BLOCK}" for i in range(number)),
    "a.tex": lambda number: "% symparams: count gpt2\n0\n% /symparams\n" * number,
    "cell.ipynb": lambda number: json.dumps({"cells": [{"cell_type": "markdown", "source": BLOCK * number}]}),
    "lines.ipynb": lambda number: json.dumps({"cells": [{"cell_type": "markdown", "source": [BLOCK] * number}]}),
    "cells.ipynb": lambda number: json.dumps({"cells": [{"cell_type": "markdown", "source": [BLOCK]}] * number}),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_twice_the_blocks_take_twice_the_steps(name):
    def work(number: int) -> None:
        document = SourceDocument(name, DOCUMENTS[name](number).encode(), kind_of(name))
        done = embedding.embed(document, lambda _command, _document: Printed("124", "text", is_number=True))
        assert done.stale == number
        assert difference(done.before, done.after)

    assert steps(lambda: work(200)) <= MOST * steps(lambda: work(100))


# Lines in which much begins and little ends: where each beginning looks for its end, these take minutes.
LINES = [
    (MARKDOWN, " ".join("`" * i for i in range(1, 2_000))),
    (LATEX, "".join(f"\\verb{chr(0x4E00 + i)}" for i in range(20_000))),
    (HTML, "<script></script>" * 60_000),
    (HTML, "<!-- " * 100_000),
]
# The same of the heads of papers.
HEADS = (
    "\\documentclass[" * 200_000,
    "\\documentclass" + " " * 200_000,
    "\\" * 400_001 + "x",
    "\\documentclass{" + "a" * 200_000,
)


@pytest.mark.parametrize(("kind", "line"), LINES)
def test_a_line_of_beginnings_is_read_once(kind, line):
    assert blocks(line, kind) == []


@pytest.mark.parametrize("head", HEADS, ids=range(len(HEADS)))
def test_a_head_is_read_once(head):
    assert class_of(head) is None


def test_what_is_no_document_is_refused_with_its_bound(tmp_path, monkeypatch):
    file = tmp_path / "a.md"
    file.write_text(BLOCK * 3)
    monkeypatch.setattr(embedding, "MOST", 2)
    with pytest.raises(DocumentError, match=r"a.md has 3 blocks, more than the 2 that embed updates: split it."):
        embedding.embed(read(str(file)), lambda _command, _document: Printed("124", "text"))
    monkeypatch.setattr(documents, "LARGEST", 100)
    with pytest.raises(DocumentError, match=r"has more than 100 bytes: split it"):
        read(str(file))
