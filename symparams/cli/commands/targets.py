"""``list`` and ``show``: which models there are, and what one is made of."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from symparams.architectures import Architecture, architecture, architecture_names
from symparams.atlas import data, kind_of, kinds
from symparams.cli.answering import answer
from symparams.cli.commands import JSON
from symparams.cli.loading import load_request
from symparams.cli.request import CommandResult, Request
from symparams.errors import UnknownNameError, quoted, suggestion
from symparams.models.sources.target import spell

DISCOVERED = "Discovered in transformers, not written by hand; 'symparams list NAME' says how each was checked:"
WIDTH, INDENT = 120, "    "


def list_targets(request: Request) -> CommandResult:
    """Return the architectures, each with its source and its published models, and the types that were discovered."""
    wanted = request.own.get("family")
    kind = _discovered(wanted) if wanted else None
    families = [] if kind else [_family(wanted)] if wanted else [architecture(name) for name in architecture_names()]
    found = [kind] if kind else [] if wanted else kinds()
    if request.format == JSON:
        listed = [
            {"name": family.name, "title": family.title, "source": family.source, "models": list(family.models)}
            for family in families
        ]
        told = [{"name": kind, "classes": [_of_class(name, row) for name, row in _classes(kind)]} for kind in found]
        return CommandResult(json.dumps({"architectures": listed, "discovered": told}, ensure_ascii=False, indent=2) + "\n")
    lines = []
    for family in families:
        lines.append(f"{family.name}: {family.title} ({family.source})\n")
        lines += [f"{INDENT}{model}\n" for model in family.models]
    if kind:
        lines += _told(kind)
    elif found:
        rows = textwrap.wrap(", ".join(found), WIDTH - len(INDENT), break_on_hyphens=False)
        lines += [f"\n{DISCOVERED}\n", *(f"{INDENT}{row}\n" for row in rows)]
    return CommandResult("".join(lines))


def _family(name: str) -> Architecture:
    """The architecture of this name; UnknownNameError suggests the nearest, of the discovered types too."""
    spelt = spell(name)
    if spelt.replace("-", "_") not in architecture_names():
        raise UnknownNameError(f"Unknown architecture {quoted(name)}. {suggestion(name, architecture_names(), kinds())}")
    return architecture(spelt)


def _discovered(name: str) -> str | None:
    """The discovered type of this name; None where a family by hand, or nothing, is called so."""
    return None if spell(name).replace("-", "_") in architecture_names() else kind_of(name)


def _classes(kind: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The classes of a type with what is kept of each."""
    kept = data(kind)
    for name, row in kept["classes"].items():
        yield name, {**kept, **row}


def _of_class(name: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """What programs read of a class: where it is from, how it was checked, what its default config counts."""
    certificate = row["certificate"]
    own = {key: certificate[key] for key in ("made_by", "by_role", "at_random", "refused", "ranges", "switches", "seed")}
    return {"name": name, "default": row["default"] or None, **own}


def _told(kind: str) -> Iterator[str]:
    """The lines of a discovered type: each class with its library, the number of models that were equal, the sizes tried."""
    for name, row in _classes(kind):
        told = _of_class(name, row)
        sizes = ", ".join(f"{letter} {low:,} to {high:,}" for letter, (low, high) in told["ranges"].items())
        number = told["by_role"] + told["at_random"]
        yield f"{kind}: {name}, discovered from {told['made_by']}\n"
        yield f"{INDENT}{number} models were equal in every name and shape; sizes tried: {sizes}\n"


def show(request: Request) -> CommandResult:
    """The tree of a model, under its own names or under those of the library."""
    from symparams.sheets.outline import outline

    return answer(outline(load_request(request), request.language, **request.own), request)
