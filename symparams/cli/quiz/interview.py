"""An interview: the steps of a script in turn, points for each, and a score by skill."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from math import ceil

from symparams.cli.quiz import talk
from symparams.cli.quiz.exchange import FULL, HALF, NONE, Exchange
from symparams.cli.quiz.turn import ENDED
from symparams.cli.quiz.voice import Voice
from symparams.expressions.nodes import Number
from symparams.practice.interview import SKILLS, Posed
from symparams.practice.progress import AGAIN, GOOD, HARD, Progress, Review, now
from symparams.sheets.catalogue import USUAL_LANGUAGE
from symparams.sheets.values import Code, Listed, Sentence, Value

MINUTE = timedelta(minutes=1)
RATINGS = {FULL: GOOD, HALF: HARD, NONE: AGAIN}


@dataclass
class SkillScore:
    """The points of a skill, those possible, and the step that lost most of them."""

    points: int = 0
    possible: int = 0
    weakest: Posed | None = None
    least: int = FULL

    def add(self, posed: Posed, points: int) -> None:
        """Add the points of a step."""
        self.points, self.possible = self.points + points, self.possible + FULL
        if points < self.least:
            self.weakest, self.least = posed, points


class Interview:
    """An interview in a language; ``progress`` keeps how the kinds of the bank were answered, None keeps nothing.

    ``minutes`` are those that were set, 0 for none: they choose the steps and stand beside the time taken, and cut nothing off.
    """

    def __init__(
        self,
        posed: Sequence[Posed],
        voice: Voice,
        progress: Progress | None,
        seed: str,
        minutes: int = 0,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self.posed, self.voice, self.speech, self.seed = posed, voice, voice.speech, seed
        self.progress, self.minutes, self.clock = progress, minutes, clock
        self.begin = clock()
        self.scores = {skill: SkillScore() for skill in SKILLS}
        self.assumed = 0
        self.own: dict[str, Fraction] = {}

    def run(self) -> None:
        """Ask all steps, or as many as the candidate wants; then the score."""
        try:
            planned = sum(posed.step.minutes for posed in self.posed)
            self.voice.say([Sentence("interview.open", {"number": Number(len(self.posed))})], indent=0)
            if self.minutes:
                self.voice.say([self._of_the_time("interview.planned", planned)], indent=0)
            for number, posed in enumerate(self.posed, 1):
                if Exchange(posed, self, f"{number}/{len(self.posed)}").run() == ENDED:
                    break
        except KeyboardInterrupt:
            self.speech.say("")
        self.close()

    def score(self, posed: Posed, points: int, mistake: str) -> None:
        """The points of a step: into the score, and into the log where its kind is one of the bank's."""
        self.scores[posed.step.skill].add(posed, points)
        if self.progress is not None and posed.step.card:
            question = posed.question
            self.progress.add(Review(now(), posed.step.card, question.model.name, str(question.form), RATINGS[points], mistake))

    def close(self) -> None:
        """The score, by skill, and what to practise."""
        asked = {skill: score for skill, score in self.scores.items() if score.possible}
        if not asked:
            self.voice.say([Sentence("quiz.nothing")])
            return
        parts = [_counted(f"interview.skills.{skill}", score.points, score.possible) for skill, score in asked.items()]
        terms: dict[str, Value] = {
            "points": Number(sum(score.points for score in asked.values())),
            "possible": Number(sum(score.possible for score in asked.values())),
            "skills": Listed(tuple(parts), "quiz.dot"),
            "assumed": Number(self.assumed),
        }
        self.speech.say("")
        self.voice.say([Sentence("interview.score", terms)])
        if self.minutes:
            self.voice.say([self._of_the_time("interview.taken", ceil((self.clock() - self.begin) / MINUTE))])
        weakest = min(asked, key=lambda skill: Fraction(asked[skill].points, asked[skill].possible))
        lost = asked[weakest].weakest
        if lost is not None:
            said = "" if self.voice.language == USUAL_LANGUAGE else f" --lang {self.voice.language}"
            command = f"symparams quiz {lost.question.model.name} --chapter {lost.step.practise}{said}"
            skill = Sentence(f"interview.skills.{weakest}")
            self.voice.say([Sentence("interview.weakest", {"skill": skill, "command": Code(command)})])
        if self.progress is not None and self.progress.failure:
            self.voice.warn(talk.unsaved(self.progress))

    def _of_the_time(self, key: str, minutes: int) -> Value:
        return Sentence(key, {"minutes": Number(minutes), "set": Number(self.minutes)})


def _counted(name: str, points: int, possible: int) -> Sentence:
    return Sentence("interview.skill", {"skill": Sentence(name), "points": Number(points), "possible": Number(possible)})
