"""An exchange of an interview: one step, two tries, hints, and where it has one the question for the reason."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from symparams.cli.quiz import talk
from symparams.cli.quiz.commands import ANSWER, HELP, HINT, QUIT, SKIP, UNKNOWN, command_of
from symparams.cli.quiz.turn import ANSWERED, ENDED, TRIES, SpokenQuestion
from symparams.errors import printable
from symparams.expressions.written import tight
from symparams.practice.choices import choices
from symparams.practice.interview import Posed, assumptions
from symparams.practice.marking import Mark, Outcome
from symparams.practice.question import Question
from symparams.practice.replies import UnreadableError, read_option
from symparams.practice.rough import Heard, Judgement, Worth, heard, is_said, judge
from symparams.sheets.practice.questions import option, reason_of, text_of, told, unit_of, why
from symparams.sheets.values import Phrase, Prose, Sentence, Value

if TYPE_CHECKING:
    from symparams.cli.quiz.interview import Interview

PASSES = (SKIP, UNKNOWN, ANSWER)
FULL, HALF, NONE = 2, 1, 0  # points
GOOD_ONES = (Worth.RIGHT, Worth.ENOUGH, Worth.ASSUMED)


class Exchange(SpokenQuestion):
    """A step of an interview: the question, two tries, and where it has one the question for the reason."""

    def __init__(self, posed: Posed, interview: Interview, number: str) -> None:
        super().__init__(posed.question, interview.voice)
        self.posed, self.step, self.interview, self.number = posed, posed.step, interview, number
        self.has_formula = self.was_closer = self.was_excluded = self.knows_why = self.is_ended = False
        self.following = posed.following(interview.own)

    def run(self) -> str:
        """Ask, and listen until the step is over: ANSWERED or ENDED."""
        self.interview.speech.say("")
        self.voice.say([Phrase((f"{self.number}  ", self._text(self.question.kind.texts)))], indent=0)
        while True:
            line = self.interview.speech.hear()
            command = command_of(line, "interview") if line is not None else QUIT
            if command == QUIT:
                return ENDED
            if (command or (line or "").strip()) and self._is_over(command, (line or "").strip()):
                return ENDED if self.is_ended else ANSWERED

    def _is_over(self, command: str | None, text: str) -> bool:
        """True if a line ends the step."""
        if command in PASSES:
            return self._told([])
        if command in (HINT, HELP):
            self._hint()
            return False
        said = heard(text)
        try:
            judged, unread = judge(self.posed, said, self.symbols)
            from_own = self._from_own(judged, said)
        except UnreadableError as error:
            is_vague = error.reason == "unknown" and not any(character.isdigit() for character in text)
            self.voice.say([Sentence("interview.number")] if is_vague else self.unreadable(error, text))
            return False
        others = [piece for piece in unread if not is_said(self.step.words, piece)]
        self.knows_why = self.knows_why or len(others) < len(unread)
        self.interview.assumed += bool(said.assumed)
        return self._right(judged, said, others, "interview.follows") if from_own else self._answered(judged, said, others)

    def _from_own(self, judged: Judgement, said: Heard) -> bool:
        """True if an answer is wrong, and follows from a candidate's own rough answer to an earlier step."""
        if self.following is None or judged.worth not in (Worth.WRONG, Worth.CLOSER):
            return False
        return judge(self.following, said, self.symbols)[0].worth in (Worth.RIGHT, Worth.ENOUGH)

    def _answered(self, judged: Judgement, said: Heard, unheard: Sequence[str]) -> bool:
        """True if a judgement ends the step; what the interviewer says to it."""
        if judged.worth in GOOD_ONES:
            return self._right(judged, said, unheard)
        if judged.worth is Worth.FORMULA:
            self.has_formula = True
            self.voice.say([Sentence("interview.in_numbers")])
        elif judged.worth is Worth.NAMED:
            self.voice.say([Sentence("interview.named")])
        elif judged.worth is Worth.EXCLUDED and not self.was_excluded:
            self.was_excluded = True
            self.tries += 1
            self.voice.say([Sentence("interview.excluded", self._under(judged))])
        elif judged.worth is Worth.CLOSER and not self.was_closer:
            self.was_closer = True
            self.voice.say([Sentence("interview.closer")])
        else:
            return self._missed(judged)
        return False

    def _right(self, judged: Judgement, said: Heard, unheard: Sequence[str], follows: str = "") -> bool:
        is_helped = self.tries or self.hints
        answer = talk.whole(self.question, self.language)
        if judged.worth is Worth.ASSUMED:
            key, terms = "interview.assumed", self._under(judged) | {"answer": answer}
        else:
            key = "interview.hinted" if self.hints and not self.tries else "interview.now" if is_helped else "interview.right"
            key = "interview.enough" if judged.worth is Worth.ENOUGH and not is_helped else key
            key, terms = follows or key, {"answer": answer}
        if judged.value is not None and judged.value != self.question.value:
            self.interview.own[self.step.name] = judged.value
        noted = [name for name in said.assumed if name != judged.assumption]
        values: list[Value] = [Sentence(key, terms)]
        values += [Sentence("interview.noted", {"assumption": self._called(name)}) for name in noted]
        values += [Sentence("interview.unheard", {"text": Prose(printable(piece))}) for piece in unheard]
        self.voice.say([*values, *self.note], "right")
        return self._over(HALF if is_helped else FULL, asks=True)

    def _missed(self, judged: Judgement) -> bool:
        self.tried_again(judged.mistakes)
        if judged.mistakes:
            values: list[Value] = [why(judged.mistakes, self.question, self.language)]
        else:
            values = self.remark(Mark(Outcome.WRONG, judged.off))
        if self.tries >= TRIES:
            return self._told(values)
        if self.step.hint and not judged.mistakes:
            self.voice.say([Sentence("interview.back"), self._text(self.step.hint)], "wrong")
        else:
            self.voice.say([*values, Sentence("interview.again")], "wrong")
        return False

    def _told(self, remark: Sequence[Value]) -> bool:
        """The answer, told to whoever did not find it; a formula was half of it."""
        if remark:
            self.voice.say(remark, "wrong")
        key = "interview.partly" if self.has_formula else "interview.told"
        answer = Sentence(key, {"answer": talk.whole(self.question, self.language)})
        self.voice.say([answer, *self.note])
        return self._over(HALF if self.has_formula else NONE, asks=False)

    def _over(self, points: int, *, asks: bool) -> bool:
        """The end of a step: why, where that was not said, the points, and what leads on."""
        if asks and self.posed.why is not None and not self.knows_why and not self._knows(self.posed.why):
            points = min(points, HALF)
        self.interview.score(self.posed, points, self.mistake)
        if self.step.then and self.posed.leads:
            self.voice.say([self._text(self.step.then)])
        return True

    def _knows(self, reason: Question) -> bool:
        """True if the candidate knows the reason: one of three sentences is chosen, once."""
        language, options = self.language, choices(reason, self.interview.seed)
        self.voice.say([text_of(reason.kind.texts, language, reason)])
        for choice in options:
            self.voice.say([option(choice, reason, language)], indent=4)
        [right] = [choice for choice in options if choice.is_right]
        shown = text_of(right.texts or {}, language, reason)
        while True:
            line = self.interview.speech.hear()
            command = command_of(line, "interview") if line is not None else QUIT
            if command in (*PASSES, QUIT):
                self.is_ended = command == QUIT
                self.voice.say([Sentence("interview.reason", {"answer": shown})])
                return False
            text = (line or "").strip()
            if is_said(self.step.words, unicodedata.normalize("NFKC", text)):
                number = options.index(right)
            else:
                try:
                    number = read_option(text, len(options))
                except UnreadableError:
                    if text:
                        self.voice.say([Sentence("interview.letter")])
                    continue
            if options[number].is_right:
                self.voice.say([Sentence("interview.yes", {"answer": shown})], "right")
                return True
            told_why = reason_of(options[number], reason, language)
            self.voice.say([*told_why, Sentence("interview.reason", {"answer": shown})], "wrong")
            return False

    def _hint(self) -> None:
        """The next hint: the idea, the formula, the numbers."""
        told_all: list[Sequence[Value]] = [[self._text(self.step.hint)]] if self.step.hint else []
        if self.question.shown.dimensions:
            told_all.append([Sentence("quiz.numbers", {"numbers": tight(self.question.shown)})])
        told_all += [numbers] if (numbers := talk.in_numbers(self.question)) else []
        self.hints += 1
        hint = told_all[self.hints - 1] if self.hints <= len(told_all) else [Sentence("quiz.no_more")]
        self.voice.say([Sentence("interview.hint"), *hint] if self.hints <= len(told_all) else hint)

    def _under(self, judged: Judgement) -> dict[str, Value]:
        number = told(judged.value or 0, unit_of(self.question, self.language))
        return {"assumption": self._called(judged.assumption), "number": number}

    def _called(self, name: str) -> Value:
        return self._text(assumptions()[name].texts)

    def _text(self, texts: Mapping[str, str]) -> Phrase:
        return text_of(texts, self.language, self.question)
