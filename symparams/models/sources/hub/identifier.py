"""The names of models on the hub, and of their revisions, as the hub allows them: checked before anybody is asked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote

from symparams.errors import ConfigError, quoted

PREFIX = "hf:"
PART = r"[A-Za-z0-9_](?:[\w.-]{0,94}[A-Za-z0-9_])?"
REVISION = r"[\w.+-]+(?:/[\w.+-]+)*"
IDENTIFIER = re.compile(rf"(?P<name>(?:{PART}/)?{PART})(?:@(?P<revision>{REVISION}))?", re.ASCII)
COMMIT = re.compile(r"[0-9a-f]{40}")
LONGEST = 300


@dataclass(frozen=True)
class Identifier:
    """A model of the hub, and the branch, the tag or the commit that is meant."""

    name: str
    revision: str = "main"

    @property
    def path(self) -> str:
        """Where its config.json is, below the hub's address."""
        return f"{self.name}/resolve/{quote(self.revision, safe='')}/config.json"

    @property
    def is_commit(self) -> bool:
        """Whether the revision is a commit in full, and so never another."""
        return COMMIT.fullmatch(self.revision) is not None


def identifier(target: str) -> Identifier:
    """What hf:OWNER/NAME or hf:OWNER/NAME@REV names; ConfigError where the hub has no such names."""
    text = target.removeprefix(PREFIX)
    found = IDENTIFIER.fullmatch(text) if len(text) <= LONGEST else None
    if found is None or not _is_allowed(found["name"], found["revision"] or "main"):
        raise ConfigError(
            f"{quoted(target)} names no model on the hub: write hf:owner/name, as in hf:Qwen/Qwen3-8B, perhaps with @revision."
        )
    return Identifier(found["name"], found["revision"] or "main")


def _is_allowed(name: str, revision: str) -> bool:
    """What a pattern says badly: no -- or .. in a name, no Git folder, a revision that leads nowhere else."""
    if "--" in name or ".." in name or name.endswith(".git"):
        return False
    steps = revision.split("/")
    return ".." not in revision and not any(step.startswith((".", "-")) or step.endswith((".", ".lock")) for step in steps)
