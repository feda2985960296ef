"""``list`` and ``show``: which models there are, and what one is made of."""

from __future__ import annotations

import json

from symparams.architectures import architecture, architecture_names
from symparams.cli.answering import answer
from symparams.cli.commands import JSON
from symparams.cli.loading import load_request
from symparams.cli.request import CommandResult, Request
from symparams.models.sources.target import spell


def list_targets(request: Request) -> CommandResult:
    """Return the architectures, each with its source and its published models."""
    wanted = request.own.get("family")
    families = [architecture(spell(wanted))] if wanted else [architecture(name) for name in architecture_names()]
    if request.format == JSON:
        listed = [
            {"name": family.name, "title": family.title, "source": family.source, "models": list(family.models)}
            for family in families
        ]
        return CommandResult(json.dumps({"architectures": listed}, ensure_ascii=False, indent=2) + "\n")
    lines = []
    for family in families:
        lines.append(f"{family.name}: {family.title} ({family.source})\n")
        lines += [f"    {model}\n" for model in family.models]
    return CommandResult("".join(lines))


def show(request: Request) -> CommandResult:
    """The tree of a model, under its own names or under those of the library."""
    from symparams.sheets.outline import outline

    return answer(outline(load_request(request), request.language, **request.own), request)
