"""The comparison of a config's count with the model that the library builds from the very config, where it is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from importlib.util import find_spec
from typing import Any

from symparams.atlas.record import Entry
from symparams.errors import ConfigError

Around = Callable[[str], AbstractContextManager[object]]
_around: ContextVar[Around | None] = ContextVar("around", default=None)


@contextmanager
def comparing(around: Around) -> Iterator[None]:
    """While this holds, each config of a discovered type is compared; ``around`` a comparison may tell that it goes on."""
    before = _around.set(around)
    try:
        yield
    finally:
        _around.reset(before)


def compare_where_asked(entry: Entry, config: Mapping[str, Any], count: Callable[[], int]) -> None:
    """Compare a config if somebody asked for it and the library is installed; ConfigError where the counts differ."""
    around = _around.get()
    if around is not None and is_installed():
        with around(f"comparing with {entry.name} of transformers"):
            compare(entry, config, count())


def compare(entry: Entry, config: Mapping[str, Any], count: int) -> None:
    """Raise ConfigError if the library builds another number of parameters from a config, or refuses it."""
    from symparams.discovery.library.chosen import of_entry
    from symparams.discovery.library.subjects import version

    subject = of_entry(entry)
    row = subject.build(config)
    if row is None:
        raise ConfigError(
            f"{version()} does not build {entry.name} from this config: {subject.problem.rstrip('.')}. "
            "--no-check counts it all the same."
        )
    if (real := row.module.count(frozen=True)) != count:
        raise ConfigError(
            f"{version()} builds {real:,} parameters from this config, and the definition of {entry.name} gives {count:,}: "
            "it does not hold here. Please report it; --no-check counts it all the same."
        )


def is_installed() -> bool:
    """True if the library could be imported."""
    return find_spec("torch") is not None and find_spec("transformers") is not None
