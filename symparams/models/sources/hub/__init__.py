"""Configs of the Hugging Face hub: hf:Qwen/Qwen3-8B, or hf:Qwen/Qwen3-8B@main for a branch, a tag or a commit.

Address, token, cache and offline switch are those of huggingface_hub; the token is sent for hf:OWNER/NAME alone, since
OWNER/NAME may be a path that is not there. Needs the extra ``symparams[hub]``. The file is read by
``client``, within bounds and a deadline, and nothing is written: no name that a server chose reaches a disk.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from contextvars import ContextVar
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

from symparams.errors import ConfigError, quoted
from symparams.models.sources import content
from symparams.models.sources.target import CONFIG_FILE
from symparams.records import frozen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from symparams.models.sources.hub.client import HubResponse

PREFIX = "hf:"
DEADLINE = 10.0  # seconds in all: a config is a kilobyte
REVISION = re.compile(r"\w[\w.+-]*(?:/\w[\w.+-]*)*", re.ASCII)  # no step is hidden, or leads out of a folder
LONGEST = 300
COMMIT = re.compile(r"[0-9a-f]{40}")
TOKEN = re.compile(r"[!-~]{1,4096}")
GATED = "its owner asks for consent first; accept the terms on its page and log in with `hf auth login`"
NO_MODEL = "there is no such public model; check the owner and the name, or log in with `hf auth login`"
NO_FILE = "it has no {file}"
# The meaning of the hub's X-Error-Code, and of a status without one.
REASONS = {
    "GatedRepo": GATED,
    "RepoNotFound": NO_MODEL,
    "EntryNotFound": NO_FILE,
    401: NO_MODEL,
    403: GATED,
    404: NO_MODEL,
}
_offline: ContextVar[bool] = ContextVar("offline", default=False)


@contextmanager
def offline() -> Iterator[None]:
    """Read the cache alone, as with HF_HUB_OFFLINE=1."""
    before = _offline.set(True)
    try:
        yield
    finally:
        _offline.reset(before)


def fetch(target: str) -> str:
    """Return the text of a model's config.json; ConfigError says why it cannot be had.

    A commit never changes, so the cache is asked for it before the hub.
    """
    repository = Repository.of(target)
    path = repository.cached(CONFIG_FILE)
    if path is not None:
        return content.of_file(path)
    try:
        return repository.ask(CONFIG_FILE).body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError(f"Cannot read {quoted(target)}: the hub's answer is not UTF-8 text.") from None


@frozen
class Repository:
    """A model on the hub as it was typed, its name, its revision, and whether only the cache is read."""

    target: str
    name: str
    revision: str
    is_offline: bool

    @classmethod
    def of(cls, target: str) -> Repository:
        """The model that a target names; ConfigError where it names none, or the extra is missing."""
        try:
            import httpx2  # noqa: F401 - ``client`` needs it
            import huggingface_hub
            from huggingface_hub import constants  # noqa: F401 - which reads its environment
        except ImportError:
            raise ConfigError(
                f"Cannot read {quoted(target)}: reading the hub needs huggingface_hub; pip install 'symparams[hub]'."
            ) from None
        except ValueError as error:  # of HF_ENDPOINT or HF_HUB_ETAG_TIMEOUT
            raise ConfigError(
                f"Cannot read {quoted(target)}: huggingface_hub does not accept its environment variables HF_… ({error})."
            ) from None
        return cls(target, *_names(target), _offline.get() or huggingface_hub.is_offline_mode())

    def cached(self, file: str) -> Path | None:
        """Return where a file lies in the cache, None where the hub is to be asked; ConfigError offline, where it lies nowhere.

        The cache is asked offline, and for a commit, which never changes.
        """
        import huggingface_hub
        from huggingface_hub import constants

        if self.is_offline or COMMIT.fullmatch(self.revision):
            path = huggingface_hub.try_to_load_from_cache(self.name, file, revision=self.revision)
            if isinstance(path, str):
                return Path(path)
        if self.is_offline:
            raise ConfigError(
                f"Cannot read {quoted(self.target)}: it is not in the cache of the hub's client, "
                f"{quoted(constants.HF_HUB_CACHE)}, and offline mode does not contact the hub."
            )
        return None

    def ask(self, file: str, part: range | None = None, largest: int = content.LARGEST) -> HubResponse:
        """Return the hub's answer for a file, or for a part of it; ConfigError says why there is none."""
        import huggingface_hub

        from symparams.models.sources.hub.client import NoAnswerError, get

        address = huggingface_hub.hf_hub_url(self.name, file, revision=self.revision)
        is_named = self.target.startswith(PREFIX)
        try:
            answer = get(address, _token if is_named else _no_token, DEADLINE, part, largest)
        except NoAnswerError as error:
            raise ConfigError(f"Cannot read {quoted(self.target)}: {error}.") from None
        if answer.status in (HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT):
            return answer
        reason = _reason(answer, self.revision, file)
        if not is_named and reason in (NO_MODEL, GATED):
            reason = f"there is no such path and no such public model; write {PREFIX}{self.target} to ask with your token"
        kind = MissingFileError if reason == NO_FILE.format(file=file) else ConfigError
        raise kind(f"Cannot read {quoted(self.target)}: {reason}.")


class MissingFileError(ConfigError):
    """A model on the hub that has no file of this name."""


def _names(target: str) -> tuple[str, str]:
    """Return the name of a model and its revision; ConfigError where the hub has no such names."""
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils import validate_repo_id

    name, at, revision = target.removeprefix(PREFIX).partition("@")
    try:
        validate_repo_id(name)
        is_name = not at or (len(revision) <= LONGEST and REVISION.fullmatch(revision) is not None)
    except HFValidationError:
        is_name = False
    if not is_name:
        raise ConfigError(
            f"{quoted(target)} is not a model on the hub: write hf:OWNER/NAME, as in hf:Qwen/Qwen3-8B, "
            "or hf:OWNER/NAME@REVISION."
        )
    return name, revision or "main"


def _no_token() -> None:
    """Return no token."""


def _token() -> str | None:
    """Return the token of ``hf auth login`` or of the environment; None where there is none, or it may not be sent."""
    from huggingface_hub import constants, get_token

    if constants.HF_HUB_DISABLE_IMPLICIT_TOKEN:
        return None
    try:
        token: str | None = get_token()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise ConfigError(f"Cannot read {quoted(constants.HF_TOKEN_PATH)}, the hub's token: {reason}.") from None
    if token and not TOKEN.fullmatch(token):  # the token itself is shown nowhere
        raise ConfigError(
            f"The hub's token, in HF_TOKEN or {quoted(constants.HF_TOKEN_PATH)}, is not a valid token: log in again with "
            "`hf auth login`."
        )
    return token


def _reason(answer: HubResponse, revision: str, file: str) -> str:
    """Say why an answer holds no config, in our words and the standard's, not in those of a server."""
    if answer.error == "RevisionNotFound":
        return f"it has no revision {quoted(revision)}; check the branch, the tag or the commit"
    if reason := REASONS.get(answer.error) or REASONS.get(answer.status):
        return reason.format(file=file)
    phrase = HTTPStatus(answer.status).phrase if answer.status in set(HTTPStatus) else ""
    is_busy = answer.status == HTTPStatus.TOO_MANY_REQUESTS or answer.status >= 500
    return f"the hub answered {answer.status} {phrase}".rstrip() + ("; try again later" if is_busy else "")
