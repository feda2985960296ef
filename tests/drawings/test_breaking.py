"""Lines are broken as trying every combination of cuts would break them, with far less work."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparams import load
from symparams.architectures import architecture_names
from symparams.drawings.architecture import architecture
from symparams.drawings.lettering.breaking import even, full
from symparams.drawings.lettering.faces import TextMeasure
from symparams.drawings.lettering.phrases import in_lines
from symparams.drawings.marks import Face, TextPiece
from symparams.expressions.notation import HF, NOTATIONS
from symparams.sheets.catalogue import languages

MOST_MEASURED = 8_000  # lines whose width is asked for while one drawing is made: some 6,200 for deepseek_v2
LONGEST = ("gemma2", "gemma3_text", "deepseek_v2", "stablelm", "jamba", "deberta_v2")


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[tuple[TextPiece, ...]]:
    """Every line whose width is asked for."""
    lines: list[tuple[TextPiece, ...]] = []
    measure = TextMeasure.__call__
    monkeypatch.setattr(TextMeasure, "__call__", lambda self, pieces: (lines.append(pieces), measure(self, pieces))[1])
    return lines


WIDTHS = st.lists(st.integers(1, 9), min_size=1, max_size=9)


@given(WIDTHS, st.integers(1, 5), st.integers(5, 40))
def test_even_lines_are_the_best_of_all_combinations(widths, number, room):
    def width(start, end):
        return float(sum(widths[start:end]))

    def widest(cuts):
        return max(width(*ends) for ends in pairwise([0, *cuts, len(widths)]))

    best = min(combinations(range(1, len(widths)), number - 1), key=widest, default=None)
    for limit in (inf, float(room)):
        fits = best is not None and widest(best) <= limit
        assert even(range(len(widths) + 1), number, width, limit) == (list(best or ()) if fits else None)


@given(WIDTHS, st.integers(5, 40))
def test_full_lines_hold_no_more(widths, room):
    cuts = full(len(widths), lambda i, j: sum(widths[i:j]), room)
    lines = [widths[start:end] for start, end in pairwise([0, *cuts, len(widths)])]
    assert all(len(line) == 1 or sum(line) <= room for line in lines)
    assert all(sum(line) + following[0] > room for line, following in pairwise(lines))


def test_the_work_grows_with_the_square_of_a_text(measured: list[tuple[TextPiece, ...]]) -> None:
    for length in (50, 200):
        measured.clear()
        in_lines("层" * length, Face.PILL, 60.0, TextMeasure(NOTATIONS[HF]), most=6)
        assert len(measured) <= length**2


SWEPT = [pytest.param(name, marks=pytest.mark.sweep) for name in architecture_names() if name not in LONGEST]


@pytest.mark.parametrize("family", [*LONGEST, *SWEPT])
def test_a_drawing_measures_few_lines(family, measured):
    model = load(family, include=list(load(family).architecture.features))
    for language in languages():
        measured.clear()
        architecture(model, language, notation=HF)
        assert len(measured) <= MOST_MEASURED, language
