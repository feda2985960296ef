"""Published figures in the tables of the families: each with its reason and its source, and every key checked."""

from __future__ import annotations

from pathlib import Path

from symparams.architectures import find
from symparams.architectures._definition import Claimed
from symparams.architectures._tables import TomlTable, member
from tests.refusals import refusal

FIGURE = {"claimed": 117_000_000, "why": "authors_error", "source": "https://github.com/openai/gpt-2"}


def published(**claims):
    return member(TomlTable(Path(__file__), ("models", "tiny"), {"h": 8, "source": "https://example.org", **claims}))


def test_a_figure_with_its_source():
    assert published(claims=[FIGURE]).claims == (Claimed(117_000_000, "authors_error", "https://github.com/openai/gpt-2"),)
    assert published().claims == ()
    _, gpt2 = find("gpt2")
    assert [figure.value for figure in gpt2.claims] == [117_000_000]


def test_a_wrong_key_is_an_error_with_its_line():
    for claims, says in (
        (5, "must be a list of tables"),
        ([5], "must be a list of tables"),
        ([{**FIGURE, "claim": 1}], "is not a known key. Did you mean 'claimed'?"),
        ([{"claimed": 5, "why": "authors_error"}], "source is missing"),
        ([{**FIGURE, "claimed": "117M"}], "must be a whole number"),
        ([{**FIGURE, "source": "a blog"}], "is not a URL"),
    ):
        told = refusal(published, claims=claims)
        assert "line 1: models.tiny.claims" in told
        assert says in told
