"""JSON: an answer as data, every formula in the grammar of ``--expr`` and in LaTeX, every sentence in a language.

``templates/json/answer.schema.json`` describes it. ``SCHEMA`` is the version: it is raised when a key is renamed, dropped or
means something else, and stays when one is added.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from symparams.formats.format import OF_AN_ANSWER, Format
from symparams.models.calculation import Calculation
from symparams.models.formula import Subject
from symparams.sheets import COMPOSITIONS, document_of, function

SCHEMA = 1


def write(answer: Any, **options: Any) -> str:
    """The data of the subject, then the blocks of the document."""
    from symparams.formats.json.blocks import document_data
    from symparams.formats.json.data import Data

    document = document_of(answer, **options)
    data, composer = Data(document), COMPOSITIONS[document.kind].data
    title = {"title": data.text(document.title), "language": document.language}
    subject = function(composer)(data) if composer else {}
    return _printed(document.kind, {**title, **subject, "document": document_data(data)})


def count(subject: Subject | Calculation, value: int | Fraction) -> str:
    """The number alone: target, quantity, closed form, value (a fraction as text), features, dimensions."""
    from symparams.formats.json.data import count_data

    return _printed("count", count_data(subject, value))


def _printed(kind: str, data: Mapping[str, Any]) -> str:
    return json.dumps({"schema": SCHEMA, "kind": kind, **data}, ensure_ascii=False, indent=2) + "\n"


FORMAT = Format("json", options=OF_AN_ANSWER, answer=write)
