"""Records: what the site says of a published model in numbers, as JSON, and the table of all as JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from symparams.answers.traits import traits
from symparams.architectures import Published, published_names
from symparams.errors import OptionError
from symparams.expressions.symbols import s, s_src, t
from symparams.models.calculation import calculate, own_context, own_dtype
from symparams.models.load import load_with
from symparams.models.model import Model
from symparams.site.frame import RECORDS, VERSION, Files

SCHEMA = 1
YEAR = re.compile(r", ((?:19|20)\d\d),")
COLUMNS = (
    "name", "family", "parameters", "active", "closed_form", "kind", "attention", "year", "context", "dtype", "sizes", "config",
    "paper", "official", "claims",
)  # fmt: skip
UNITS = ((12, "T"), (9, "B"), (6, "M"))
KINDS = MIXTURE, PAIR, DECODER, IMAGES, ENCODER = "mixture", "encoder_decoder", "decoder", "images", "encoder"


def record(name: str) -> Files:
    """Return the file of a model's record."""
    content = json.dumps(record_of(load_with(name, {})), ensure_ascii=False, indent=1)
    return {f"{RECORDS}{name}.json": f"{content}\n".encode()}


def record_of(model: Model) -> dict[str, Any]:
    """Return what is counted of a published model, and where its sizes and other people's figures stand.

    ``closed_form`` is a formula that sympy reads in the letters of ``sizes``; ``active`` is what one token uses, null without
    experts; ``year`` is that of the family's paper.
    """
    published: Published = model.architecture.models[model.name]
    year = YEAR.search(model.architecture.source)
    claims = [{"claimed": claim.value, "why": claim.why, "source": claim.source} for claim in published.claims]
    if published.active:
        claims.append({"claimed": published.active.claimed, "why": "active", "source": published.active.source})
    return {
        "name": model.name,
        "family": model.family,
        "parameters": model.count(),
        "active": model.active_count() if model.has_experts else None,
        "closed_form": str(model.closed_form()),
        "kind": kind_of(model),
        "attention": next((list(trait.kinds[0]) for trait in traits([model]) if trait.name == "attention"), []),
        "year": int(year[1]) if year else None,
        "context": own_context(model),
        "dtype": own_dtype(model) or None,
        "sizes": {str(letter): value for letter, value in model.values.items()},
        "config": published.source,
        "paper": model.architecture.source,
        "official": published.count,
        "claims": claims,
    }


def kind_of(model: Model) -> str:
    """Return what a model is for somebody who looks for one: a mixture of experts, or else by what it reads and writes."""
    try:
        cached = calculate(model, "kv_cache", {}).written.dimensions
    except OptionError:
        cached = None
    read = calculate(model, "forward_flops", {}).written.dimensions
    if model.has_experts:
        return MIXTURE
    if cached is not None:
        return PAIR if s_src in read else DECODER
    return ENCODER if {s, t} & set(read) else IMAGES


def as_said(claimed: int | str) -> str:
    """A published figure as people search for it: 685B for 685000000000."""
    for power, unit in UNITS:
        if isinstance(claimed, int) and claimed >= 10**power:
            return f"{Decimal(claimed).scaleb(-power).normalize():f}{unit}"
    return str(claimed)


def read_all(names: Sequence[str], folder: str) -> list[dict[str, Any]]:
    """Return the records of the site, as they stand in its folder."""
    return [json.loads((Path(folder) / RECORDS / f"{name}.json").read_text(encoding="utf-8")) for name in names]


def counted() -> str:
    """Return the text of counts.json for all published models, counted now: a few seconds."""
    return as_table([record_of(load_with(name, {})) for name in published_names()])


def as_table(records: Sequence[dict[str, Any]]) -> str:
    """Return records as JSON, a line each, with the version of their schema and of the tool."""
    head = {"schema": SCHEMA, "symparams": VERSION, "license": "MIT"}
    lines = ",\n".join(json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in records)
    return json.dumps(head, ensure_ascii=False, separators=(",", ":"))[:-1] + f',"models":[\n{lines}\n]}}\n'


def counts(names: Sequence[str], folder: str) -> Files:
    """Return all records as one table, counts.json and counts.csv."""
    records = read_all(names, folder)
    stream = io.StringIO()
    writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in each.items()} for each in records)
    return {"counts.json": as_table(records).encode(), "counts.csv": stream.getvalue().encode()}


def _cell(value: Any) -> Any:
    """A value of a cell: of several the JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if isinstance(value, (dict, list)) else value
