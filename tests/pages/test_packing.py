"""Packing: what repeats stands once, and the runtime reads what was written."""

from __future__ import annotations

import json

import pytest

from symparams.pages.data import as_json
from tests.pages.cases import FAMILIES, content_of, page_of


@pytest.mark.parametrize("family", FAMILIES)
def test_the_runtime_reads_what_was_written(node, family):
    written = json.loads(as_json(content_of(family)))
    [read] = node(packed=page_of(family))
    assert {key: read[key] for key in written} == written
