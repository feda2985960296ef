"""An answer on a page is marked as the quiz marks it: right, by its usual mistake, or unread; one table for both."""

from __future__ import annotations

from functools import cache

import pytest

from symparams import load
from symparams.expressions.notation import NOTATIONS
from symparams.practice.marking import Outcome, mark, symbols
from symparams.practice.question import Question
from symparams.practice.replies import UnreadableError, read
from symparams.practice.walk import walk
from symparams.sheets.catalogue import catalogue
from tests.pages.cases import WORDS, page_of

pytestmark = pytest.mark.xdist_group("page")
# A model, a step of its sheet, a reply, and the verdict on it: a word, or the name of the mistake that is told.
MARKED = [
    ("bert-base-uncased", "token_embedding", "Vh", "right"),
    ("bert-base-uncased", "token_embedding", "V×h", "right"),
    ("bert-base-uncased", "token_embedding", "Ｖ·ｈ", "right"),
    ("bert-base-uncased", "token_embedding", "h V", "right"),
    ("bert-base-uncased", "token_embedding", "30,522h", "here"),
    ("bert-base-uncased", "token_embedding", "23，440，896", "right"),
    ("bert-base-uncased", "token_embedding", "Vh + h", "bias-added"),
    ("bert-base-uncased", "token_embedding", "V", "rows-only"),
    ("bert-base-uncased", "token_embedding", "Vx", "unread"),
    ("bert-base-uncased", "token_embedding", "V*", "unread"),
    ("bert-base-uncased", "token_embedding", "V/0", "unread"),
    ("bert-base-uncased", "token_embedding", "V/2h", "unread"),
    ("bert-base-uncased", "attention", "4h² + 4h", "right"),
    ("bert-base-uncased", "attention", "4h(h + 1)", "right"),
    ("bert-base-uncased", "attention", "４（ｈ＋１）ｈ", "right"),
    ("bert-base-uncased", "attention", "4h^2 + 4 n_heads d_head", "right"),
    ("bert-base-uncased", "attention", "4h²", "no-bias"),
    ("bert-base-uncased", "attention", "3h² + 3h", "no-output"),
    ("bert-base-uncased", "attention", "2,362,368", "right"),
    ("bert-base-uncased", "attention", "5h² + 4h", "not_yet"),
    ("bert-base-uncased", "attention", "2.36M", "right"),
    ("bert-base-uncased", "attention", "2.4 million parameters", "right"),
    ("bert-base-uncased", "attention", "2.3M", "not_yet"),
    ("bert-base-uncased", "attention", "2.362e6", "right"),
    ("bert-base-uncased", "attention", "约 236 万", "right"),
    ("bert-base-uncased", "attention", "0.02亿", "right"),
    ("bert-base-uncased", "attention", "2,360,000", "right"),
    ("bert-base-uncased", "attention", "2,361,000", "not_yet"),
    ("bert-base-uncased", "attention", "2×10⁶", "right"),
    ("bert-base-uncased", "attention", "4 * 590,000", "right"),
    ("bert-base-uncased", "attention", "2,359,296", "no-bias"),
    ("bert-base-uncased", "token_embedding", "23.4M", "right"),
    ("bert-base-uncased", "token_embedding", "23.5M", "not_yet"),
    ("bert-base-uncased", "token_embedding", "30.5k", "rows-only"),
    ("bert-base-uncased", "token_embedding", "7B h", "unread"),
    ("bert-base-uncased", "feed_forward", "2 h d_ff + d_ff + h", "right"),
    ("bert-base-uncased", "feed_forward", "8h**2 + 5h", "right"),
    ("llama-3-8b", "attention", "2h² + 2h n_kv_heads d_head", "right"),
    ("llama-3-8b", "attention", "4h²", "mha"),
    ("llama-3-8b", "attention", "5h²/2", "here"),
    ("llama-3-8b", "feed_forward", "3hd_ff", "right"),
    ("llama-3-8b", "feed_forward", "3 d_ff × d_model", "right"),
    ("llama-3-8b", "feed_forward", "2h d_ff", "no-gate"),
]
WORDS_OF = {Outcome.RIGHT: "right", Outcome.NUMBER: "right", Outcome.FORMULA: "right", Outcome.HERE: "here"}


@cache
def questions(target: str) -> dict[str, Question]:
    """The question about each step of a sheet."""
    return {asked.question.of.name: asked.question for asked in walk(load(target))}


def verdict(target: str, step: str, text: str) -> str:
    """What the quiz makes of a reply; a right number is right on a page, which asks for either."""
    question = questions(target)[step]
    try:
        found = mark(
            question, read(text, symbols(question, {letter: NOTATIONS["hidden"][letter].text for letter in question.values}))
        )
    except UnreadableError:
        return "unread"
    return found.mistakes[0] if found.mistakes else WORDS_OF.get(found.outcome, "not_yet")


@pytest.mark.parametrize("target", dict.fromkeys(row[0] for row in MARKED))
def test_a_reply_is_marked_as_the_quiz_marks_it(node, target):
    rows = [row for row in MARKED if row[0] == target]
    called = [catalogue("en").called(row[1]) for row in rows]
    told = node(
        data=page_of(target), words=WORDS, cases=[], replies=[[name, row[2]] for name, row in zip(called, rows, strict=True)]
    )
    shown = [(mistakes or [key])[0] for key, mistakes in told]
    assert [(*row[:3], word) for row, word in zip(rows, shown, strict=True)] == rows
    assert [(*row[:3], verdict(*row[:3])) for row in rows] == rows
