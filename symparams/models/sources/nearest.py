"""The nearest families to a config of none that is known: those that read most of its keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from symparams.architectures import architecture
from symparams.architectures._tables import table
from symparams.models.library import families, library
from symparams.models.sources.config_reading import asks_for_nothing, read_later, silent_keys

MOST = 3
LEAST_READ = 2  # keys in common, without which a family is not near


@dataclass(frozen=True)
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


def nearest(values: Mapping[str, Any], is_read: Callable[[str], bool]) -> list[NearFamily]:
    """Return the families that read the largest share of the keys, of those by which the config ``is_read``.

    Of families that read as many, first those that miss fewer sizes in it, then those that others are like.
    """
    keys = {*_spoken(values)}
    likes = [table(name).table("library").word("like") for name in families()]
    ranks = []
    for position, name in enumerate(families()):
        record = library(architecture(name))
        assert record is not None
        number = len(keys.intersection(read_later(record, architecture(name).tree)))
        lacking = sum(key.default is not None and not keys.intersection(key.names) for key in record.keys.values())
        if number >= LEAST_READ:
            ranks.append((-number, lacking, -likes.count(name), position, name))
    read = (NearFamily(name, -number, len(keys), lacking) for number, lacking, *_, name in sorted(ranks) if is_read(name))
    return list(islice(read, MOST))


def _spoken(values: Mapping[str, Any], section: str = "") -> list[str]:
    """The keys that may change a count, those of sections too."""
    spoken: list[str] = []
    for name, value in values.items():
        if not isinstance(name, str) or name in silent_keys() or asks_for_nothing(value):
            continue
        is_section = isinstance(value, Mapping) and not section
        spoken += _spoken(value, f"{name}.") if is_section else [f"{section}{name}"]
    return spoken
