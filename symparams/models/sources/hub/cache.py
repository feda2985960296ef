"""The cache of the hub's client, read and never written: models--OWNER--NAME/snapshots/COMMIT/config.json."""

from __future__ import annotations

import os

from symparams.errors import ConfigError
from symparams.models.sources import content
from symparams.models.sources.hub.environment import cache
from symparams.models.sources.hub.identifier import COMMIT, Identifier


def read(wanted: Identifier) -> str | None:
    """The text of a config.json that was fetched before, at the commit that the revision was then; None where it was not."""
    folder = cache() / f"models--{wanted.name.replace('/', '--')}"
    commit = wanted.revision
    if not wanted.is_commit:
        try:
            commit = content.of_file(folder / "refs" / wanted.revision).strip()
        except ConfigError:
            return None
    if not COMMIT.fullmatch(commit):
        return None
    path = folder / "snapshots" / commit / "config.json"
    return content.of_file(path) if os.path.isfile(path) else None  # noqa: PTH113 - of a path that cannot be, a Path raises an error
