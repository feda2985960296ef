"""An interview on paper, for whoever holds it: the questions in order, what to ask next by the answer, the key apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from symparams.expressions.nodes import Number
from symparams.practice.choices import AnswerOption, choices
from symparams.practice.conditions import parsed
from symparams.practice.interview import Posed, assumptions
from symparams.practice.question import Question
from symparams.practice.worksheet import END
from symparams.records import frozen
from symparams.sheets.document import Block, Document, Item, Lines, Paragraph, Section
from symparams.sheets.practice.booklet import answer
from symparams.sheets.practice.key import with_key
from symparams.sheets.practice.questions import option, text_of, told, unit_of
from symparams.sheets.values import Listed, Prose, Sentence, Value


@frozen
class InterviewScript:
    """The steps of an interview, with the seed that moves the options of its reasons."""

    posed: Sequence[Posed]
    seed: str

    @property
    def questions(self) -> list[Question]:
        """Each question, and behind it the one for its reason."""
        return [question for posed in self.posed for question in (posed.question, posed.why) if question is not None]

    def choices(self, question: Question) -> tuple[AnswerOption, ...]:
        """The options of a question, none where it has none."""
        return choices(question, self.seed) if question.kind.is_choice else ()


def interview(posed: Sequence[Posed], language: str = "en", key: str = END, seed: str = "0") -> Document:
    """The interview, then its key; ``key`` is "end", "only" or "none"."""
    script = InterviewScript(posed, seed)
    terms: dict[str, Value] = {
        "number": Number(len(posed)),
        "minutes": Number(sum(each.step.minutes for each in posed)),
        "points": Number(2 * len(posed)),
    }
    head = Section("head", None, [Paragraph([Sentence("practice.interview.rules", terms)])])
    numbered = list(enumerate(posed, 1))
    questions = [block for number, each in numbered for block in _asked(number, each, script, language)]
    answers = [block for number, each in numbered for block in _answered(number, each, script, language)]
    names = dict.fromkeys(each.question.model.name for each in posed)
    title = Sentence("practice.interview.title", {"models": Listed(tuple(map(Prose, names)), "signs.list")})
    paper = [head, Section("questions", None, questions)]
    keyed = Section("key", Sentence("practice.key"), answers)
    return Document("questions", language, title, None, with_key(key, paper, [keyed]), subject=script)


def _asked(number: int, posed: Posed, script: InterviewScript, language: str) -> Iterator[Block]:
    """A question, and what is asked or said next, by the answer."""
    step, question = posed.step, posed.question
    terms: dict[str, Value] = {
        "number": Prose(str(number)),
        "skill": Sentence(f"interview.skills.{step.skill}"),
        "minutes": Number(step.minutes),
    }
    yield Item(Sentence("practice.interview.number", terms), [text_of(question.kind.texts, language, question)])
    nexts = {"hint": step.hint, "reason": step.why.texts if step.why else {}, "then": step.then if posed.leads else {}}
    told_all: list[Value] = [
        Sentence(f"practice.interview.{name}", {"text": text_of(texts, language, question)})
        for name, texts in nexts.items()
        if texts
    ]
    yield Lines(told_all)
    if posed.why is not None:
        yield Lines([option(choice, posed.why, language) for choice in script.choices(posed.why)], are_options=True)


def _answered(number: int, posed: Posed, script: InterviewScript, language: str) -> Iterator[Block]:
    """What a good answer contains, what is said to others, and the reason."""
    numbered = Sentence("practice.number", {"number": Prose(str(number))})
    yield from answer(numbered, posed.question, (), language)
    assumed = [
        *_under("practice.interview.assumed", posed.step.allowed, posed.question, language),
        *_under("interview.excluded", posed.step.excluded, posed.question, language),
        *([Sentence("practice.interview.named")] if posed.step.names_size else []),
    ]
    if assumed:
        yield Lines(assumed)
    if posed.why is not None:
        yield from answer(Sentence("practice.interview.why"), posed.why, script.choices(posed.why), language)


def _under(key: str, formulas: Mapping[str, str], question: Question, language: str) -> Iterator[Value]:
    """What an assumption makes of the answer."""
    for name, formula in formulas.items():
        number = told(question.worth(parsed(formula)), unit_of(question, language))
        yield Sentence(key, {"assumption": text_of(assumptions()[name].texts, language, question), "number": number})
