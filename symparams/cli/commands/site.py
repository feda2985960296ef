"""``site``: the website of the published models, of which only what changed is made anew."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from symparams.cli.output import write_file
from symparams.cli.progress import going_on
from symparams.cli.request import CommandResult, Request, whole_number
from symparams.errors import OptionError, quoted

MOST_JOBS = 256
SIGNS = re.compile(r"[,\s]+")
ADDRESS = re.compile(r"https?://[\w.-]+(:\d+)?(/[\w.~%+-]*)*", re.ASCII)


def site(request: Request) -> CommandResult:
    """The site in a folder, brought up to date; how many of its pages were made and how large it is."""
    from symparams.sheets.catalogue import catalogue, languages
    from symparams.site.building import build
    from symparams.site.frame import Place

    own = request.own
    spoken = _listed(own.get("languages", ())) or languages()
    for language in spoken:
        catalogue(language)
    jobs = os.cpu_count() or 1
    if "jobs" in own:
        jobs = whole_number("--jobs", own["jobs"], (1, MOST_JOBS), "a number of processes")
    place = Place(own.get("docs", "").strip("/"), _address(own.get("url", "")))
    with going_on("site", is_logged=True) as tell:
        built = build(own["folder"], _listed(own.get("only", ())), spoken, jobs, write_file, tell, place)
    size = f"{built.files} files, {built.size / 1e6:.1f} MB"
    return CommandResult(f"{own['folder']}: {size}; tasks done: {built.made}, unchanged: {built.kept}\n")


def _address(text: str) -> str:
    """The address of a folder on the web; OptionError for anything else."""
    if text and not ADDRESS.fullmatch(text):
        raise OptionError(f"--url {quoted(text)} is no address of a site: write one such as https://example.org/models/.")
    return f"{text.rstrip('/')}/" if text else ""


def _listed(texts: Sequence[str]) -> tuple[str, ...]:
    """Names that are given apart, or several with commas between them, each once."""
    return tuple(dict.fromkeys(name for text in texts for name in SIGNS.split(text) if name))
