"""What is wrong, field by field, and the nearest values that are not."""

from __future__ import annotations

import pytest

from symparams import SymparamsError, load
from symparams.pages.data import data
from tests.pages.cases import WORDS

BERT = {"V": "30522", "h": "768", "L": "12", "n_heads": "12", "max_pos": "512", "n_types": "2"}
LLAMA = {"V": "128256", "h": "4096", "L": "32", "n_heads": "32", "n_kv_heads": "8", "d_ff": "14336"}


@pytest.mark.parametrize(
    ("target", "changed", "near"),
    [
        ("bert", {"h": "770"}, {"h": ["768", "780"]}),
        ("bert", {"n_heads": "13", "d_ff": "3072", "h": "768"}, {"h": ["767", "780"]}),
        ("llama", {"n_kv_heads": "7"}, {"n_kv_heads": ["4", "8"]}),
        ("bert", {"h": "7000000000000000000000001"}, {"h": ["6999999999999999999999996", "7000000000000000000000008"]}),
        ("bert", {"d_head": "60"}, {"d_head": ["64"]}),
        ("bert", {"h": "1", "n_heads": "1000"}, {"h": ["1000"]}),
        ("bert", {"L": "0"}, {"L": []}),
        ("bert", {"L": "0", "V": "x", "h": "770"}, {"L": [], "V": [], "h": ["768", "780"]}),
    ],
)
def test_a_wrong_field_and_the_nearest_that_fit(node, target, changed, near):
    given = {**{"bert": BERT, "llama": LLAMA}[target], **changed}
    case = {"given": given, "on": ["biases"] if target == "bert" else []}
    [answer] = node(data=data(load(target)), words=WORDS, cases=[case])
    assert {name: values for name, _, values in answer["faults"]} == near
    with pytest.raises(SymparamsError) as told:
        load(target, **given)
    assert str(told.value).startswith(next(said for _, said, _ in answer["faults"]))


def test_a_relation_that_a_value_breaks_is_not_used_while_another_is_wrong(node):
    case = {"given": {**LLAMA, "n_kv_heads": "7"}, "on": []}
    [answer] = node(data=data(load("llama")), words=WORDS, cases=[case])
    assert answer["fault"]
    assert "n_kv_heads" in answer["closed"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"h": "770"}, "当 h = 770、n_heads = 12 时，d_head = h/n_heads 不是整数：请取能整除的值。"),
        (
            {"h": "d_ff", "d_ff": "h*n_heads"},
            "无法确定 h、d_ff：h 取决于 d_ff、d_ff 取决于 h。请为其中一个填写整数。",
        ),
    ],
)
def test_in_chinese_the_list_has_chinese_commas_too(node, changed, said):
    chinese = WORDS | {"page": {key: each[::-1] for key, each in WORDS["page"].items()}}
    [answer] = node(data=data(load("bert")), words=chinese, cases=[{"given": BERT | changed, "on": []}])
    assert answer["fault"] == said
