"""Paths: the bank day by day, a few chapters and well-known models each."""

from __future__ import annotations

from collections.abc import Sequence

from symparams.errors import UnknownNameError, quoted, suggestion
from symparams.practice.kind import QuestionTemplate, chapter, kinds, records
from symparams.practice.schedule import Schedule
from symparams.records import frozen

ENOUGH = 10  # new kinds, after which a day is done


@frozen
class Day:
    """A day of a path: its number, of how many, its chapters, and the models that it asks about."""

    number: int
    of: int
    chapters: Sequence[str]
    models: Sequence[str]

    @property
    def kinds(self) -> list[QuestionTemplate]:
        """The kinds of its chapters."""
        return [kind for name in self.chapters for kind in chapter(name).kinds]


def names() -> list[str]:
    """Return the names of the paths."""
    return list(records("paths"))


def path(name: str) -> list[Day]:
    """The days of a path; UnknownNameError lists the paths."""
    if name not in names():
        raise UnknownNameError(f"Unknown path {quoted(name)}. {suggestion(name, names())}")
    days = records("paths")[name]["days"]
    return [Day(number, len(days), day["chapters"], day["models"]) for number, day in enumerate(days, 1)]


def today(days: Sequence[Day], schedule: Schedule) -> Day:
    """The first day of which fewer kinds were seen than make it done, or else the last."""
    seen = {card.kind for card in schedule.seen}
    return next((day for day in days if sum(kind.name in seen for kind in day.kinds) < ENOUGH), days[-1])


def asked_on(day: Day, schedule: Schedule) -> list[QuestionTemplate]:
    """The kinds of a day, and those of other days that were seen: they come again when they are due."""
    seen = {card.kind for card in schedule.seen}
    own = day.kinds
    return [*own, *(kind for kind in kinds().values() if kind.name in seen and kind not in own)]
