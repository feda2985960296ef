"""Selection: which questions a quiz asks, in which order, of which models and in which forms.

First what is due, the most overdue first; then what is new, levels and chapters in turn, never two of one chapter in a row as
far as that goes: two warm-ups open two chapters, a standard question follows in one that is open, and so on, for whoever only
warms up learns no derivation. All else a seed draws: a seed is one quiz on every machine and with every Python.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from symparams.models.model import Model
from symparams.practice.asking import ask, forms
from symparams.practice.chance import drawn, ordered
from symparams.practice.kind import ESTIMATE, HARD, LEVELS, NUMBER, STANDARD, SYMBOLIC, WARM_UP, QuestionTemplate
from symparams.practice.question import Question
from symparams.practice.schedule import INSTANCES, Card, Schedule, card_of
from symparams.records import frozen

PREFERRED = {WARM_UP: (NUMBER,), STANDARD: (SYMBOLIC, ESTIMATE)}  # forms by level; of a hard question, any
ROUND = (WARM_UP, WARM_UP, STANDARD, WARM_UP, STANDARD, HARD)  # the levels of what is new
BEFORE = {WARM_UP: 0, STANDARD: 1, HARD: 2}  # questions of a chapter that come before one of a level
COMMANDS = frozenset("hsaqe")  # letters that mean something else when they are typed alone
DUE, NEW, EARLY = "due", "new", "early"


@frozen
class Asked:
    """A question of a quiz, and whether it is due, new or asked before it is due."""

    question: Question
    state: str

    @property
    def card(self) -> Card:
        """The card that is learnt by the question."""
        return card_of(self.question.kind.name, self.question.model.name)


@frozen
class Wish:
    """A learner's wish: kinds, models, a number of questions, at most so many of them new; drawn by a seed.

    ``fills`` says that what is not yet due is asked too, where there is too little else.
    """

    kinds: Sequence[QuestionTemplate]
    models: Iterable[Model]
    count: int
    new: int
    seed: str
    fills: bool = False


def choose(wish: Wish, schedule: Schedule, now: datetime) -> list[Asked]:
    """The questions of a quiz in their order."""
    by_name = {kind.name: kind for kind in wish.kinds}
    due = [card for card in schedule.due_by(now) if card.kind in by_name]
    chosen = list(_asked(wish, due, by_name, schedule, DUE))[: wish.count]
    fresh = _of_new(wish, schedule, chosen)
    chosen += fresh[: max(0, min(wish.new, wish.count - len(chosen)))]
    if wish.fills and len(chosen) < wish.count:
        chosen += _early(wish, schedule, by_name, {asked.card for asked in chosen})[: wish.count - len(chosen)]
    return chosen


def _asked(
    wish: Wish, cards: Iterable[Card], kinds: dict[str, QuestionTemplate], schedule: Schedule, state: str
) -> Iterator[Asked]:
    for card in cards:
        question = _question(wish, kinds[card.kind], schedule, card.model)
        if question is not None:
            yield Asked(question, state)


def _early(wish: Wish, schedule: Schedule, kinds: dict[str, QuestionTemplate], taken: set[Card]) -> list[Asked]:
    """Return the questions that were seen and are not due, the soonest due first."""
    cards = [card for card in schedule.of_kinds(wish.kinds) if card not in taken]
    cards.sort(key=lambda card: (str(schedule.due(card) or ""), card.kind, card.model))
    return list(_asked(wish, cards, kinds, schedule, EARLY))


def _of_new(wish: Wish, schedule: Schedule, before: Sequence[Asked]) -> list[Asked]:
    """New questions: levels in rounds, chapters in turn, those of which least was seen first."""
    known = {card.kind for card in schedule.seen}
    seen = Counter(kind.chapter for kind in wish.kinds if kind.name in known)
    waiting = {level: _in_turn([kind for kind in wish.kinds if kind.level == level], seen, wish.seed) for level in LEVELS}
    fresh: list[Asked] = []
    chapters = Counter([*seen.elements(), *(asked.question.kind.chapter for asked in before)])
    last = before[-1].question.kind.chapter if before else ""
    while any(waiting.values()) and len(fresh) < min(wish.new, wish.count - len(before)):
        kind = _next(waiting, ROUND[len(fresh) % len(ROUND)], chapters, last)
        waiting[kind.level].remove(kind)
        question = _question(wish, kind, schedule, "", is_new=True)
        if question is not None:
            fresh.append(Asked(question, NEW))
            chapters[last := kind.chapter] += 1
    return fresh


def _next(waiting: dict[str, list[QuestionTemplate]], level: str, chapters: Counter[str], last: str) -> QuestionTemplate:
    """The next kind of a level, or of the plainest left, of the chapter asked least; beyond a warm-up, of an open one."""
    left = waiting[level] or next(kinds for kinds in waiting.values() if kinds)
    others = [kind for kind in left if kind.chapter != last] or left
    is_open = [kind for kind in others if chapters[kind.chapter] >= BEFORE[level]]
    return min(is_open or others, key=lambda kind: chapters[kind.chapter])


def _in_turn(kinds: Sequence[QuestionTemplate], seen: Counter[str], seed: str) -> list[QuestionTemplate]:
    """Kinds of one level, one of each chapter, then another one of each."""
    turns = Counter(seen)
    placed = []
    for kind in ordered(kinds, seed, key=lambda kind: kind.name):
        placed.append((turns[kind.chapter], drawn(seed, kind.chapter), kind))
        turns[kind.chapter] += 1
    return [kind for _, _, kind in sorted(placed, key=lambda place: place[:2])]


def _question(wish: Wish, kind: QuestionTemplate, schedule: Schedule, named: str, *, is_new: bool = False) -> Question | None:
    """The question of a kind on the model on which it was asked least, or on the one that is named; None where it has none."""
    if is_new and kind.chapter not in INSTANCES and Card(kind.name) in schedule.seen:
        return None
    before = schedule.seen[Card(kind.name)].models if Card(kind.name) in schedule.seen else Counter[str]()
    models = [model for model in wish.models if not named or model.name == named]
    if is_new:
        models = [model for model in models if card_of(kind.name, model.name) not in schedule.seen]
    for model in sorted(models, key=lambda model: (before[model.name], drawn(wish.seed, kind.name, model.name))):
        pick = drawn(wish.seed, kind.name, model.name, "given") % 2**16
        question = ask(kind, model, pick=pick)
        if question is not None:
            return _in_its_form(question, wish.seed)
    return None


def _in_its_form(question: Question, seed: str) -> Question:
    """The question in the form of its level: a warm-up asks for a number, a standard one for a formula or an estimate."""
    if question.kind.is_choice:
        return question
    # An answer may not be a letter that means something else when it is typed alone.
    allowed = [form for form in forms(question) if form.name != SYMBOLIC or repr(question.shown) not in COMMANDS]
    wanted = [form for form in allowed if form.name in PREFERRED.get(question.kind.level, (form.name,))]
    choices = wanted or allowed or [question.form]
    return replace(question, form=choices[drawn(seed, question.kind.name, "form") % len(choices)])
