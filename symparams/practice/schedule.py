"""The schedule: when what was learnt is due, worked out from the log by FSRS, as Anki does. Needs ``symparams[practice]``.

A card is a kind of question, and each review takes another model; of what stands in ``INSTANCES`` it is the kind on one model.
Days only: ``Scheduler(learning_steps=(), relearning_steps=())``. Nothing is left to chance: the schedule is worked out anew
from the log each time, and would be another one each time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from symparams.practice.kind import QuestionTemplate
from symparams.practice.progress import GOOD, Log, Review
from symparams.records import frozen

if TYPE_CHECKING:
    import fsrs

INSTANCES = ("published",)  # chapters in which the number is the point


@frozen
class Card:
    """A card to learn: a kind of question, on one model in the chapters where the number is the point."""

    kind: str
    model: str = ""


def card_of(kind: str, model: str) -> Card:
    """The card of a question."""
    return Card(kind, model if kind.partition(".")[0] in INSTANCES else "")


@dataclass
class CardRecord:
    """The record of a card: times asked, times right at once, and how often on which model."""

    times: int = 0
    right: int = 0
    models: Counter[str] = field(default_factory=Counter)

    def add(self, review: Review) -> None:
        """Add a review."""
        self.times += 1
        self.right += review.rating >= GOOD
        self.models[review.model] += 1


@dataclass
class Schedule:
    """The record of each card, and the time when it is due; without the extra no card ever is."""

    seen: dict[Card, CardRecord] = field(default_factory=dict)
    cards: dict[Card, fsrs.Card] = field(default_factory=dict)
    scheduler: fsrs.Scheduler | None = None

    @classmethod
    def of(cls, log: Log) -> Schedule:
        """The schedule that a log leads to."""
        schedule = cls(scheduler=_scheduler())
        for review in log.settled:
            schedule.add(review)
        return schedule

    def add(self, review: Review) -> None:
        """Add a review, at the earliest at the time of the last one of its card."""
        card = card_of(review.kind, review.model)
        self.seen.setdefault(card, CardRecord()).add(review)
        if self.scheduler is None:
            return
        import fsrs

        before = self.cards.get(card) or fsrs.Card(card_id=len(self.cards))
        at = max(review.at, before.last_review) if before.last_review else review.at
        self.cards[card], _ = self.scheduler.review_card(before, fsrs.Rating(review.rating), at)

    def due(self, card: Card) -> datetime | None:
        """Return the time when a card is due; None for a new one."""
        scheduled = self.cards.get(card)
        return scheduled.due if scheduled is not None else None

    def after(self, review: Review) -> datetime | None:
        """Add a review and return the time when its card is due; None if nothing is scheduled."""
        self.add(review)
        return self.due(card_of(review.kind, review.model))

    def due_by(self, moment: datetime) -> list[Card]:
        """The cards that are due, the most overdue first."""
        overdue = [(scheduled.due, card.kind, card) for card, scheduled in self.cards.items() if scheduled.due <= moment]
        return [card for _, _, card in sorted(overdue, key=lambda entry: entry[:2])]

    def of_kinds(self, kinds: Iterable[QuestionTemplate]) -> list[Card]:
        """The cards seen of some kinds."""
        names = {kind.name for kind in kinds}
        return [card for card in self.seen if card.kind in names]


def _scheduler() -> fsrs.Scheduler | None:
    try:
        import fsrs
    except ImportError:
        return None
    return fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
