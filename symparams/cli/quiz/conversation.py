"""The quiz: a conversation of questions and answers, a line out and a line in, which may end at any time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from symparams.cli.quiz import talk
from symparams.cli.quiz.turn import ENDED, SKIPPED, Turn
from symparams.cli.quiz.voice import Voice
from symparams.expressions.nodes import Number
from symparams.practice.kind import chapter
from symparams.practice.progress import AGAIN, EASY, GOOD, HARD, Progress, Review, days
from symparams.practice.schedule import Schedule
from symparams.practice.selection import DUE, NEW, Asked
from symparams.practice.walk import STEP
from symparams.sheets.values import Phrase, Sentence, Value

TOMORROW = timedelta(days=1)

# When a question comes again, by the way in which it was answered: tomorrow, or in so many days.
AGAIN_AFTER: Mapping[str, tuple[str, str]] = {
    "again": ("quiz.again_tomorrow", "quiz.again_days"),
    "hint": ("quiz.hint_tomorrow", "quiz.hint_days"),
    "second": ("quiz.second_tomorrow", "quiz.second_days"),
}


class Quiz:
    """A quiz in a language: its questions, the schedule, and the progress, None where nothing is saved.

    ``ratings`` are the answers so far, ``weak`` the chapters with one that was not right at once.
    """

    def __init__(
        self,
        asked: Sequence[Asked],
        voice: Voice,
        schedule: Schedule,
        progress: Progress | None,
        clock: Callable[[], datetime],
        seed: str,
    ) -> None:
        self.asked, self.speech, self.voice = asked, voice.speech, voice
        self.schedule, self.progress, self.clock, self.seed = schedule, progress, clock, seed
        self.reminded = False
        self.ratings, self.weak = Counter[int](), Counter[str]()
        self.last: Review | None = None

    def run(self) -> None:
        """Ask all questions, or as many as the learner wants; then the score."""
        try:
            self.open()
            self.ask_all()
        except KeyboardInterrupt:
            self.speech.say("")
        self.close()

    def open(self) -> None:
        """Say how many questions there are, and what may be typed."""
        states = Counter(asked.state for asked in self.asked)
        number = len(self.asked)
        terms: dict[str, Value] = {"due": Number(states[DUE]), "new": Number(states[NEW]), "number": Number(number)}
        key = "quiz.steps" if states[STEP] else "quiz.one_question" if number == 1 else "quiz.questions"
        self.voice.say([Sentence(key, terms)], indent=0)
        self.voice.say([Sentence("quiz.keys")], "faint", indent=0)
        if states[STEP]:
            self.voice.about(self.asked[0].question.model)
            self.voice.say(talk.sizes(self.asked[0].question), indent=0)

    def ask_all(self) -> None:
        """Ask all questions in turn."""
        for number, asked in enumerate(self.asked, 1):
            ending = Turn(asked, self, f"{number}/{len(self.asked)}").run()
            if ending == ENDED:
                return
            if ending == SKIPPED:
                self.last = None
                self.voice.say([Sentence("quiz.skipped")])
        if self.speech.prompts and self.last is not None:
            self.voice.say([Sentence("quiz.last_easy")])
            if (self.speech.hear() or "").strip() in ("e", "easy"):
                self.was_easy()

    def record(self, asked: Asked, rating: int, mistake: str, manner: str) -> list[Value]:
        """An answer: into the score, the log and the schedule; when the question comes again."""
        question = asked.question
        self.ratings[rating] += 1
        self.weak[question.kind.chapter] += {AGAIN: 2, HARD: 1}.get(rating, 0)
        review = Review(self.clock(), question.kind.name, question.model.name, str(question.form), rating, mistake)
        self.last = review if rating == GOOD and self.progress is not None else None
        return self._saved(review, manner)

    def was_easy(self) -> None:
        """The last answer, which was right at once, was easy."""
        if self.last is None:
            self.voice.say([Sentence("quiz.not_easy")])
            return
        review, self.last = replace(self.last, rating=EASY, instead=True), None
        self.ratings[GOOD] -= 1  # it is told among those that were right at once, once
        self.ratings[EASY] += 1
        self.voice.say([Sentence("quiz.easy"), *self._saved(review, "again")])

    def _saved(self, review: Review, manner: str) -> list[Value]:
        """A review put into the log and the schedule, and when its question comes again."""
        if self.progress is None:
            return []
        had_failed = bool(self.progress.failure)
        if not self.progress.add(review) and not had_failed:
            self.voice.warn(talk.unsaved(self.progress))
        due = self.schedule.after(review)
        if due is None:
            return []
        number = days(due - review.at)
        tomorrow, later = AGAIN_AFTER[manner]
        return [Sentence(tomorrow if number == 1 else later, {"days": Number(number)})]

    def remind(self) -> None:
        """Once in a quiz: how a letter that asks for something is written as an answer."""
        if not self.reminded:
            self.reminded = True
            self.voice.say([Sentence("quiz.letter_alone")])

    def close(self) -> None:
        """The score."""
        ratings = self.ratings
        if not ratings.total():
            self.voice.say([Sentence("quiz.nothing")])
            return
        terms: dict[str, Value] = {
            "asked": Number(ratings.total()),
            "right": Number(ratings[GOOD] + ratings[EASY]),
            "helped": Number(ratings[HARD]),
            "wrong": Number(ratings[AGAIN]),
        }
        values: list[Value] = [Sentence("quiz.score", terms)]
        [(weakest, weakness)] = self.weak.most_common(1)
        if weakest and weakness:
            titles = chapter(weakest).titles[self.voice.language]
            values.append(Sentence("quiz.weakest", {"chapter": Phrase((titles,))}))
        due = len(self.schedule.due_by(self.clock() + TOMORROW)) if self.progress is not None else 0
        values += [Sentence("quiz.due_tomorrow", {"number": Number(due)})] if due else []
        self.voice.say(values)
