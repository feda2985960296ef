"""A turn of a quiz: one question, two tries, and what may be asked for in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from symparams.cli.quiz import talk
from symparams.cli.quiz.commands import ANSWER, EASY, HELP, QUIT, SKIP, UNKNOWN, command_of
from symparams.errors import printable
from symparams.practice.choices import choices
from symparams.practice.kind import SYMBOLIC
from symparams.practice.marking import Mark, Outcome, mark, symbols
from symparams.practice.progress import AGAIN, GOOD, HARD
from symparams.practice.question import Question
from symparams.practice.replies import UnreadableError, read, read_option
from symparams.practice.selection import Asked
from symparams.sheets.practice.questions import note_of, option, reason_of
from symparams.sheets.values import Sentence, Value

if TYPE_CHECKING:
    from symparams.cli.quiz.conversation import Quiz
    from symparams.cli.quiz.voice import Voice

TRIES, MOST_HINTS, LONGEST = 2, 2, 120
ENDED, SKIPPED, ANSWERED = "ended", "skipped", "answered"


class SpokenQuestion:
    """A question that is asked aloud: the letters of its answer, the tries and the hints so far, the last usual mistake."""

    def __init__(self, question: Question, voice: Voice) -> None:
        self.question, self.voice, self.language = question, voice, voice.language
        letters = {dimension: letter.text for dimension, letter in voice.about(question.model).items()}
        self.symbols = symbols(question, letters)
        self.letters = list(dict.fromkeys(letters.get(dimension, dimension.name) for dimension in self.symbols.values()))
        self.note = note_of(question, self.language)
        self.tries = self.hints = 0
        self.mistake = ""

    def unreadable(self, error: UnreadableError, text: str) -> list[Value]:
        """Return why a reply cannot be read, the beginning of a long one."""
        shown = printable(text if len(text) <= LONGEST else text[:LONGEST] + "…")
        return talk.unreadable(error, shown, self.question, self.letters, self.language)

    def tried_again(self, mistakes: Sequence[str]) -> None:
        """Count a wrong reply."""
        self.tries += 1
        self.mistake = mistakes[0] if mistakes else self.mistake

    def remark(self, marked: Mark) -> list[Value]:
        """The reply to an answer that is not right."""
        return talk.remark(self.question, marked, self.language, is_last=self.tries >= TRIES)


class Turn(SpokenQuestion):
    """A question of a quiz, until it is answered, skipped or the quiz is over."""

    def __init__(self, asked: Asked, quiz: Quiz, number: str) -> None:
        super().__init__(asked.question, quiz.voice)
        self.asked, self.quiz, self.number = asked, quiz, number
        self.options = choices(self.question, quiz.seed) if self.question.kind.is_choice else ()
        self.chosen_before: set[int] = set()

    def run(self) -> str:
        """Ask, and listen until the question is over: ENDED, SKIPPED or ANSWERED."""
        self.ask()
        while True:
            line = self.quiz.speech.hear()
            if line is None:
                return ENDED
            text = line.strip()
            if text and (ending := self.heard(text)):
                return ending

    def ask(self) -> None:
        """The question, with its options."""
        self.voice.head(self.number, talk.heading(self.asked, self.language), self.question.kind.name)
        self.voice.say(talk.asked(self.question, self.language), indent=0)
        for choice in self.options:
            self.voice.say([option(choice, self.question, self.language)])

    def heard(self, text: str) -> str:
        """Return the outcome of a line: the end of the question, or nothing yet."""
        command = command_of(text, "quiz")
        if command and not (self.options and len(text) == 1 and text in "abcd"):
            return self.obey(command)
        self.quiz.last = None
        try:
            return self.chosen(text) if self.options else self.replied(text)
        except UnreadableError as error:
            self.voice.say(self.unreadable(error, text))
            return ""

    def obey(self, command: str) -> str:
        """Do what the learner asks for in place of an answer."""
        if command == QUIT:
            return ENDED
        if command == SKIP:
            return SKIPPED
        if command in (ANSWER, UNKNOWN):
            return self.miss([])
        if command == EASY:
            self.quiz.was_easy()
        elif command == HELP:
            self.voice.say([Sentence("quiz.help")])
        else:
            self.hint()
        return ""

    def hint(self) -> None:
        """The next hint: of a choice, an option that is wrong."""
        self.hints += 1
        if self.options:
            wrong = [i for i, choice in enumerate(self.options) if not choice.is_right and i not in self.chosen_before]
            if self.hints > MOST_HINTS or not wrong:
                self.voice.say([Sentence("quiz.no_more")])
                return
            self.chosen_before.add(wrong[0])
            shown = option(self.options[wrong[0]], self.question, self.language)
            self.voice.say([Sentence("quiz.option_hint", {"option": shown})])
            return
        told = talk.hints(self.question, self.language)
        self.voice.say(told[self.hints - 1] if self.hints <= len(told) else [Sentence("quiz.no_more")])
        if self.question.form.name == SYMBOLIC:
            self.quiz.remind()

    def chosen(self, text: str) -> str:
        """An option that was chosen."""
        number = read_option(text, len(self.options))
        if self.options[number].is_right:
            shown = option(self.options[number], self.question, self.language)
            return self.hit([Sentence("quiz.right_option", {"answer": shown}), *self.note])
        self.chosen_before.add(number)
        return self.missed(Mark(Outcome.WRONG), reason_of(self.options[number], self.question, self.language))

    def replied(self, text: str) -> str:
        """A formula or a number."""
        marked = mark(self.question, read(text, self.symbols, self.question.kind.unit))
        if marked.outcome is Outcome.RIGHT:
            return self.hit([*talk.right(self.question, marked, self.language), *self.note])
        if marked.outcome is not Outcome.WRONG:
            self.voice.say(self.remark(marked))
            return ""
        return self.missed(marked)

    def missed(self, marked: Mark, reason: list[Value] | None = None) -> str:
        """A wrong reply: the first one may be mended."""
        self.tried_again(marked.mistakes)
        remark = [*self.remark(marked), *(reason or [])]
        if self.tries < TRIES:
            self.voice.say(remark, "wrong")
            return ""
        return self.miss(remark)

    def hit(self, remark: list[Value]) -> str:
        """A right answer: at once, or with help."""
        is_helped = self.tries or self.hints
        manner = "second" if self.tries else "hint" if self.hints else "again"
        when = self.quiz.record(self.asked, HARD if is_helped else GOOD, self.mistake, manner)
        self.voice.say([*remark, *when], "right")
        return ANSWERED

    def miss(self, remark: list[Value]) -> str:
        """The answer, with the steps that lead to it, after what was wrong."""
        if remark:
            self.voice.say(remark, "wrong")
        when = self.quiz.record(self.asked, AGAIN, self.mistake, "again")
        if self.options:
            [right] = [choice for choice in self.options if choice.is_right]
            shown = option(right, self.question, self.language)
            self.voice.say([Sentence("quiz.answer_option", {"answer": shown}), *self.note, *when])
            return ANSWERED
        self.voice.steps(self.question)
        self.voice.say([*talk.answer(self.question, self.language), *self.note, *when])
        return ANSWERED
