"""Answers as the rows of a data frame: what pandas.DataFrame and polars.DataFrame ask of them, and what stands in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from dataclasses import is_dataclass

from symparams import compare, derive, load, solve

LLAMA, MIXTRAL, T5 = load("llama-3-8b"), load("mixtral-8x7b"), load("t5-small")
FIRST = {
    "shares": (
        derive(LLAMA).shares,
        {"component": "token_embedding", "closed_form": "V*h", "value": 525_336_576, "share": 525_336_576 / 8_030_261_248},
    ),
    "shares of what one token uses, too": (
        derive(MIXTRAL).shares,
        {
            "component": "token_embedding", "closed_form": "V*h", "value": 131_072_000, "share": 131_072_000 / 46_702_792_704,
            "active_value": 131_072_000, "active_share": 131_072_000 / 12_879_925_248,
        },
    ),
    "shares of encoder and decoder, too": (
        derive(T5).shares,
        {
            "component": "token_embedding", "closed_form": "V*h", "value": 16_449_536, "share": 16_449_536 / 60_506_624,
            "encoder": 0, "decoder": 0,
        },
    ),
    "sizes": (LLAMA.sizes, {"dimension": "L", "key": "num_hidden_layers", "value": 32}),
    "comparison": (
        compare("gpt2", "llama-7b"),
        {
            "model": "gpt2", "component": "token_embedding", "closed_form": "V*h", "value": 38_597_376,
            "share": 38_597_376 / 124_439_808,
        },
    ),
    "solutions": (
        solve("llama-7b", "7B", "h", multiple_of=128),
        {"h": 4_224, "d_head": 132, "count": 7_018_197_120, "difference": 18_197_120},
    ),
    "plan": (
        LLAMA.memory(8),
        {
            "part": "weights", "quantity": "weight_memory",
            "closed_form": "2*L*h**2*e + 2*L*h*n_kv_heads*d_head*e + 3*L*h*d_ff*e + 2*L*h*e + 2*V*h*e + h*e",
            "value": 16_060_522_496, "unit": "bytes",
        },
    ),
}  # fmt: skip


def test_an_answer_is_rows_of_a_data_frame():
    for name, (answer, first) in FIRST.items():
        assert not isinstance(answer, Sized) or isinstance(answer, Sequence), name  # as polars asks
        rows = list(answer)
        for row in rows:
            assert isinstance(row, Mapping), name
            assert not is_dataclass(row), name  # of which pandas takes the fields, down to the letters of formulas
            assert dict(row).keys() == first.keys(), name
        assert dict(rows[0]) == first, name


def test_a_row_has_what_it_had_before():
    [share, *_] = derive(LLAMA).shares
    assert (share.step.value, float(share.part)) == (share["value"], share["share"])
    assert repr(share).startswith("Share(component='token_embedding', closed_form='V*h', value=525336576, share=0.065")
    assert derive(LLAMA).shares == derive(LLAMA).shares != derive(MIXTRAL).shares
    [nearest, *_] = solve("llama-7b", "7B", "h", multiple_of=128)
    assert (nearest.count, nearest.difference, [*nearest.values.values()]) == (7_018_197_120, 18_197_120, [4_224])
