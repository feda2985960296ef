"""The summary of a sequence, a dense layer over one of its tokens, which the library puts before some heads."""

from __future__ import annotations

from symparams.components import Component, Gives, Vector, giving, linear, reading, seeing
from symparams.expressions.symbols import h, n_labels
from symparams.features import biases, sequence_summary, summary_projection, summary_to_labels


def summaries(token: Vector) -> dict[str, Component]:
    """The summary of a sequence as a vector of the hidden size, or as a number for each label."""
    projected = sequence_summary * (
        summary_projection * (~summary_to_labels * seeing(reading(linear(h, h, bias=biases), token), 1))
    )
    labelled = sequence_summary * (
        summary_projection * (summary_to_labels * seeing(reading(linear(h, n_labels, bias=biases), token), 1))
    )
    return {"sequence_summary": giving(projected, Gives.SUMMARY), "label_summary": giving(labelled, Gives.LABELS_OF_A_SUMMARY)}
