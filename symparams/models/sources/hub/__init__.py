"""The Hugging Face hub: the config.json of a model by its id, hf:Qwen/Qwen3-8B, or by id and revision, hf:Qwen/Qwen3-8B@main.

One file is read, bounded and behind a deadline, and nothing is written: no name that a server chose reaches a disk. Address,
token and cache are those of the hub's own client, which is not needed for it.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from symparams.errors import ConfigError, quoted
from symparams.models.sources.hub.identifier import PREFIX, Identifier, identifier

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["DEADLINE", "PREFIX", "fetch", "offline"]

DEADLINE = 10.0  # seconds in all: a config is a kilobyte
_offline: ContextVar[bool] = ContextVar("offline", default=False)


@contextmanager
def offline() -> Iterator[None]:
    """Within it no model is asked for on the net, as with HF_HUB_OFFLINE=1: only what lies in the client's cache is read."""
    before = _offline.set(True)
    try:
        yield
    finally:
        _offline.reset(before)


def fetch(target: str) -> str:
    """The text of a model's config.json; ConfigError says why it cannot be had.

    What is pinned by its commit cannot change, so that the client's cache is asked first.
    """
    wanted = identifier(target)
    from symparams.models.sources.hub import cache, environment

    is_offline = _offline.get() or environment.is_offline()
    if is_offline or wanted.is_commit:
        found = cache.read(wanted)
        if found is not None:
            return found
    if is_offline:
        raise ConfigError(
            f"Cannot read {quoted(target)}: it is not in the cache of the hub's client, {quoted(environment.cache())}, and "
            "nothing is asked for offline."
        )
    return _ask(target, wanted)


def _ask(target: str, wanted: Identifier) -> str:
    from symparams.models.sources.hub import environment
    from symparams.models.sources.hub.answers import text_of
    from symparams.models.sources.hub.client import NoAnswerError, get
    from symparams.models.sources.hub.deadline import within

    address = f"{environment.endpoint()}/{wanted.path}"
    token = environment.token()
    try:
        answer = within(DEADLINE, lambda clock: get(address, token, clock))
    except NoAnswerError as error:
        raise ConfigError(f"Cannot read {quoted(target)}: {error}.") from None
    return text_of(answer, target, wanted)
