"""The counts that are kept of the published models are those that they have."""

from pathlib import Path

from symparams.models import counts


def test_the_kept_counts_are_those_of_now(golden):
    golden(Path(counts.__file__).with_suffix(".json"), counts.written())
