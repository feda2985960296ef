"""What the hub's answers mean: a config, or the reason why there is none, in our words."""

from __future__ import annotations

from http import HTTPStatus

from symparams.errors import ConfigError, quoted
from symparams.models.sources.hub.client import Answer
from symparams.models.sources.hub.identifier import Identifier

OK = 200
LATER = "; try again later"
GATED = "its owner asks for consent first; accept the terms on its page and log in with `hf auth login`"
NO_MODEL = "there is no such public model; check the owner and the name, or log in with `hf auth login`"
# What the hub says in X-Error-Code, and what it means by a status without one.
REASONS = {
    "GatedRepo": GATED,
    "RepoNotFound": NO_MODEL,
    "EntryNotFound": "it has no config.json",
    401: NO_MODEL,
    403: GATED,
    404: NO_MODEL,
}


def text_of(answer: Answer, target: str, wanted: Identifier) -> str:
    """The text of a config that an answer holds; ConfigError where it holds none."""
    if answer.status == OK:
        try:
            return answer.body.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise ConfigError(f"Cannot read {quoted(target)}: what the hub answered is not UTF-8 text.") from None
    if answer.error == "RevisionNotFound":
        reason = f"it has no revision {quoted(wanted.revision)}; check the branch, the tag or the commit"
    else:
        reason = REASONS.get(answer.error) or REASONS.get(answer.status) or _said(answer.status)
    raise ConfigError(f"Cannot read {quoted(target)}: {reason}.")


def _said(status: int) -> str:
    """A status with the words that the standard has for it, not those of a server."""
    try:
        phrase = f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        phrase = str(status)
    return f"the hub answered {phrase}" + (LATER if status == HTTPStatus.TOO_MANY_REQUESTS or status >= 500 else "")
