"""The summary of a sequence, a dense layer over one of its tokens, which the library puts before some heads."""

from __future__ import annotations

from symparams.components import Component, Gives, Vector, giving, linear, reading, seeing
from symparams.expressions.symbols import h, n_labels
from symparams.features import biases, sequence_summary, summary_projection, summary_to_labels


def summaries(token: Vector) -> dict[str, Component]:
    """The summary of a sequence as a vector of the hidden size, or as a number for each label."""
    vector, numbers = (seeing(reading(linear(h, width, bias=biases), token), 1) for width in (h, n_labels))
    projected, labelled = (
        sequence_summary * (summary_projection * summary)
        for summary in (~summary_to_labels * vector, summary_to_labels * numbers)
    )
    return {"sequence_summary": giving(projected, Gives.SUMMARY), "label_summary": giving(labelled, Gives.LABELS_OF_A_SUMMARY)}
