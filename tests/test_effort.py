"""How much work a sheet is: in calls of functions, which are the same on a fast machine and on a slow one."""

from __future__ import annotations

import cProfile
import pstats

import pytest

from symparams import derive, load, render


# A family of one stack, a mixture, two stacks, a backbone of convolutions, and three models in one; each changed in a size.
@pytest.mark.parametrize(
    ("model", "sizes", "most"),
    [
        ("bloom-1b4-zh", [{"h": 1600}, {"h": 1616}], 63_000),
        ("deepseek-v3", [{"V": 129_281}, {"V": 129_282}], 182_000),
        ("t5-small", [{"V": 32_129}, {"V": 32_130}], 105_000),
        ("detr-resnet-101", [{"d_ff_enc": 2049}, {"d_ff_enc": 2050}], 355_000),
        ("gemma-4-e4b-it", [{"V": 262_145}, {"V": 262_146}], 480_000),
    ],
)
def test_a_sheet_of_other_sizes_takes_no_more_calls_than_it_did(model: str, sizes: list[dict[str, int]], most: int) -> None:
    first, other = (load(model, **given) for given in sizes)
    render(derive(first), "latex")  # what is read and imported once
    with cProfile.Profile() as profile:
        render(derive(other), "latex")
    assert pstats.Stats(profile).total_calls <= most  # type: ignore[attr-defined]
