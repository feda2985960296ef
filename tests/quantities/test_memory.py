"""Memory of the weights: exact bytes, and GB never taken for GiB."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from symparams import derive, derive_expression, load, render
from symparams.expressions.printing.printer import plain
from symparams.quantities.memory import DTYPES, footprints


@given(st.integers(1, 10**15), st.sampled_from(list(DTYPES)))
def test_nothing_is_rounded(count, dtype):
    total = derive_expression(str(count)).total
    [footprint] = footprints(total.written, total.value, [dtype])
    assert (footprint.bits, footprint.size) == (DTYPES[dtype], Fraction(count) * DTYPES[dtype] / 8)


def test_sizes_are_given_in_a_unit_of_which_they_have_a_tenth(cli):
    for target, columns in (
        ("7B", "Type Formula Bytes GB GiB"),
        ("1B", "Type Formula Bytes GB GiB"),  # half a GB in INT4
        ("bert-base-uncased", "Type Formula Bytes MB MiB"),  # 0.05 GB in INT4 would say little
        ("7", "Type Formula Bytes"),
        ("bloom", "Type Formula"),
    ):
        assert columns in [" ".join(line.split()) for line in cli(f"memory {target}").out.splitlines()], target


def test_symbols_only():
    """Four bytes, two, one, a half, of the count as it was written."""
    total = derive(load("bloom")).total
    count = plain(total.written)
    formulas = {footprint.dtype: plain(footprint.formula) for footprint in footprints(total.written, total.value)}
    twice = f"2*({count})"
    assert formulas == {"fp32": f"4*({count})", "fp16": twice, "bf16": twice, "int8": f"({count})", "int4": f"({count})/2"}
    assert all(footprint.size is None for footprint in footprints(total.written, total.value))


def test_the_command(cli):
    for arguments, code, says in (
        (["7B", "--dtype", "fp16"], 0, "14,000,000,000  14  ≈ 13.04"),
        (["13B", "--dtype", "int4", "--fits", "12GB"], 0, "INT4 fits: 6.5 GB of 12 GB, which leaves 5.5 GB for all else."),
        (["13B", "--dtype", "int8", "--fits", "12GB"], 1, "INT8 does not fit: 13 GB is 1 GB more than 12 GB."),
        (["13B", "--dtype", "int4", "--fits", "6.5GB"], 0, "INT4 fits: 6.5 GB of 6.5 GB, which leaves 0 GB for all else."),
        (["llama-7b", "--dtype", "fp16", "--dtype", "int8", "--fits", "12.6GiB"], 0, "FP16 fits: ≈ 12.55 GiB of 12.6 GiB"),
        (["13B", "--lang", "zh", "--dtype", "int4", "--fits", "12GB"], 0, "INT4 放得下：权重 6.5 GB，可用 12 GB，余下 5.5 GB"),
        (["bloom", "--dtype", "fp32"], 0, "4·N"),
    ):
        result = cli(["memory", *arguments])
        assert result.code == code, arguments
        assert says in result.out, arguments


def test_a_sheet_says_that_it_is_the_weights_alone():
    sheet = render(derive(load("llama-7b")), "text", with_memory=True)
    assert "This counts the weights alone" in sheet
    assert "26.95" in sheet
    assert "Memory" not in render(derive(load("llama-7b")), "text")


def test_the_names_in_a_closed_form_are_explained(cli):
    out = cli("memory deepseek-v3").out
    assert "L_moe·(3·h·d_expert·(n_experts + n_shared) + n_experts·h)" in out
    assert "    N(attn) = h·(n_heads·d_v + r_q + r_kv + d_rope)\n" in out
    assert "L·b·t·e·(r_kv + d_rope)" in cli("memory deepseek-v3 --context 4096").out
