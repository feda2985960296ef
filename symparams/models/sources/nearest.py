"""The nearest families to a config of none that is known: those that read the most telling of its keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import islice
from math import log
from typing import TYPE_CHECKING, Any

from symparams.architectures._tables import table
from symparams.models.library import families
from symparams.models.sources.config_reading import ConfigReading, asks_for_nothing, silent_keys
from symparams.records import frozen

if TYPE_CHECKING:
    from symparams.models.model import Model

MOST = 3
LEAST_READ = 2  # keys in common, without which a family is not near


@frozen
class NearFamily:
    """A family, how many keys of a config it reads, of how many that may change a count, and how many sizes it misses."""

    name: str
    number: int
    of: int
    lacking: int

    @property
    def is_near(self) -> bool:
        """True if it reads at least three quarters of the keys, and needs no size that is not there."""
        return 4 * self.number >= 3 * self.of and not self.lacking


def nearest(values: Mapping[str, Any], read: Callable[[str], Model | None]) -> list[NearFamily]:
    """Return the families that ``read`` the most telling keys of a config, best first.

    A key that n of N families read tells log(N/n); so does one that none but one reads, log(N), if the family reads every key
    and all sizes are those of a published model of it. Each size that the family misses takes 1 away. Of equals, first those
    that others are like.
    """
    models = {name: model for name in families() if (model := read(name))}
    keys = {name: _read_keys(values, model.reading) for name, model in models.items() if model.reading}
    readers = Counter(key for read_keys in keys.values() for key in read_keys)
    likes = Counter(table(name).table("library").word("like") for name in families())
    number = len(families())
    ranks = []
    for name, read_keys in keys.items():
        reading, family = models[name].reading, models[name].architecture
        assert reading is not None
        is_published = any(published.values.items() <= models[name].values.items() for published in family.models.values())
        unread = sum(_how_many(values.get(key)) for key in reading.unused)
        telling = sum(log(number / readers[key]) for key in read_keys) + (is_published and not unread) * log(number)
        near = NearFamily(name, len(read_keys), len(read_keys) + unread, len(reading.defaults) - len(reading.usual))
        if len(read_keys) >= LEAST_READ:
            ranks.append((len(reading.defaults) - telling, -likes[name], near))
    return [near for *_, near in islice(sorted(ranks, key=lambda rank: rank[:2]), MOST)]


def _read_keys(values: Mapping[str, Any], reading: ConfigReading) -> set[str]:
    """Return the keys that a family read and that ask for anything: what is off is off in most families."""

    def value_of(key: str) -> Any:
        section, _, name = key.rpartition(".")
        return values[section][name] if section and key not in values else values[key]

    return {key for key in reading.used if not asks_for_nothing(value_of(key))}


def _how_many(value: Any) -> int:
    """Return the number of keys that a value stands for: of a section, those in it that may change a count."""
    if not isinstance(value, Mapping):
        return 1
    return sum(1 for key, inner in value.items() if key not in silent_keys() and not asks_for_nothing(inner))
