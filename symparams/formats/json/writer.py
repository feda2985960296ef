"""JSON: a document as data, every formula in the grammar of ``--expr`` and in LaTeX, every sentence in a language."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from symparams.errors import OptionError
from symparams.formats.format import Format
from symparams.formats.json import ENDINGS
from symparams.models.calculation import Calculation
from symparams.models.formula import Subject
from symparams.sheets.document import Document


def write(document: Document) -> str:
    """The document as JSON; of a derivation and of a tree as the schemas in ``templates/json`` describe them."""
    from symparams.formats.json.data import DATA, Data

    if document.kind == "worksheet":
        raise OptionError("A worksheet is to be written on, and is no data: choose another format, or derive for the steps.")
    if document.kind == "comparison":
        from symparams.formats.json.comparison import compared

        return _printed(compared(Data(document)))
    return _printed(DATA[document.kind](Data(document)))


def count(model: Subject, value: int) -> str:
    """The count alone as JSON: target, closed form, value, features, dimensions."""
    from symparams.formats.json.data import count_data

    return _printed(count_data(model, value))


def measure(calculation: Calculation, value: int | Fraction) -> str:
    """Another quantity alone as JSON: target, quantity, unit, closed form, value (a fraction as text), dimensions."""
    from symparams.formats.json.costs import measure_data

    return _printed(measure_data(calculation, value))


def _printed(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


FORMAT = Format("json", endings=ENDINGS, write=write)
