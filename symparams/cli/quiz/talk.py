"""Talk: what a quiz says of a question and of a reply to it, as values of a document: sentences, formulas, equations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from fractions import Fraction

from symparams.derivations.steps import Step
from symparams.expressions.nodes import Equality, Number
from symparams.expressions.printing.nodes import Scaled
from symparams.expressions.written import exact, substitute, tight
from symparams.practice.kind import NUMBER, SYMBOLIC, QuestionTemplate, chapter, chapters, text_in
from symparams.practice.marking import Mark, Outcome
from symparams.practice.progress import Progress
from symparams.practice.question import Question
from symparams.practice.replies import PERCENT, UnreadableError
from symparams.practice.schedule import Schedule
from symparams.practice.selection import Asked
from symparams.practice.walk import STEP, StepQuestion
from symparams.sheets.catalogue import catalogue
from symparams.sheets.practice.questions import how, is_exact, note_of, percent, text_of, told, unit_of, why
from symparams.sheets.steps import Composer
from symparams.sheets.values import Capital, Listed, Name, Percentage, Phrase, Prose, Sentence, Value

MOST_NOTES = 2
FAR = 1_000  # times: beyond them nobody reads the number
FEW, PART = Fraction(1, 10), Fraction(1, 100)  # of an answer: what is told with decimals
TWICE = 2
TIMES = "×"  # the unit of a factor
LEAST = Fraction(1, 10_000)  # of an answer: nearer than that, nothing is said


def asked(question: Question, language: str) -> list[Value]:
    """A question, and how its answer is to be written."""
    if isinstance(question, StepQuestion):
        key = "quiz.step_in_layer" if question.is_in_layer else "quiz.step"
        what: Value = Sentence(key, {"name": Capital(Name(str(question.of.name)))})
    else:
        what = text_of(question.kind.texts, language, question)
    if question.form.name == NUMBER:
        return [what, Sentence("quiz.number")]
    return (
        [what]
        if question.kind.is_choice
        else [what, *how(question, language, tells_sizes=not isinstance(question, StepQuestion))]
    )


def sizes(question: Question) -> list[Value]:
    """Return the sentences on the dimensions of a model, for a whole derivation."""
    known = tuple(Equality(dimension, Number(value)) for dimension, value in question.model.values.items())
    return [Sentence("practice.sizes", {"sizes": Listed(known, "signs.list")})]


def heading(asked: Asked, language: str) -> list[Value]:
    """Return the heading of a question: its chapter, how hard it is, and if it is due or new."""
    kind = asked.question.kind
    if asked.state == STEP:
        return [Prose(asked.question.model.name)]
    topics = [text_in(texts, language) for texts in (chapter(kind.chapter).titles, kind.topic)]
    parts: list[Value] = [*(Phrase((topic,)) for topic in topics), Sentence(f"practice.level.{kind.level}")]
    return [Listed((*parts, Sentence(f"quiz.state.{asked.state}")), "quiz.dot")]


def right(question: Question, mark: Mark, language: str) -> list[Value]:
    """Return the reply to a right answer: the answer, and the distance of a rounded or estimated one."""
    values: list[Value] = [Sentence("quiz.right", {"answer": whole(question, language)})]
    if abs(mark.off) >= LEAST:
        sign = "+" if mark.off > 0 else "−"
        values.append(Sentence("quiz.yours", {"off": Prose(sign + _share(abs(mark.off)))}))
    return values


def answer(question: Question, language: str) -> list[Value]:
    """The answer, told to whoever did not find it, below the steps."""
    value = _value(question, language) if question.form.name != SYMBOLIC else whole(question, language)
    return [Sentence("quiz.answer", {"answer": value})]


def remark(question: Question, mark: Mark, language: str, *, is_last: bool) -> list[Value]:
    """Return the reply to any other answer: what was wrong with it, or what else was asked."""
    if mark.outcome is Outcome.COARSE:
        key = "quiz.coarse_as" if mark.mistakes else "quiz.coarse"
        others = Listed(tuple(why((name,), question, language) for name in mark.mistakes), "practice.or")
        return [Sentence(key, {"digits": Number(mark.digits), "mistakes": others})]
    if mark.outcome is not Outcome.WRONG:
        return [Sentence(f"quiz.reply.{mark.outcome}", {"bytes": told(mark.counted), "unit": Prose(mark.binary)})]
    values: list[Value] = [Sentence("quiz.no" if is_last else "quiz.not_yet")]
    if mark.mistakes:
        told_all = why(mark.mistakes, question, language)
        return [*values, told_all if len(mark.mistakes) == 1 else Sentence("quiz.either", {"mistakes": told_all})]
    distance = _distance(mark, question)
    return values if distance is None else [*values, distance]


def unreadable(error: UnreadableError, text: str, question: Question, names: Sequence[str], language: str) -> list[Value]:
    """Return why a reply could not be read, and the letters in which it may be written."""
    terms: dict[str, Value] = {"text": Prose(text), "piece": Prose(error.piece)}
    if error.reason == "unit":
        unit = unit_of(question, language)
        key = "quiz.unreadable.no_unit" if unit in ("", TIMES) else "quiz.unreadable.unit"
        return [Sentence(key, terms | {"unit": Prose(unit)})]
    values: list[Value] = [Sentence(f"quiz.unreadable.{error.reason}", terms)]
    if error.reason == "unknown":
        values.append(Sentence("quiz.symbols", {"symbols": Listed(tuple(map(Prose, names)), "signs.list")}))
    return values


def hints(question: Question, language: str) -> list[list[Value]]:
    """The hints to a question: the idea, then the formula in letters; of a formula, its parts or the letters that it needs.

    Numbers stand with the answer alone.
    """
    ideas = [_in_words(question, language), note_of(question, language), _parts(question), _letters(question, language)]
    known = [hint for hint in ideas if hint]
    if question.form.name == SYMBOLIC:
        told_all = known[:2]
    else:  # the answer as a formula, which its number does not follow
        told_all = known[:1]
        if question.shown.dimensions:
            told_all.append([Sentence("quiz.formula", {"formula": tight(question.shown)})])
    return [
        [Sentence("quiz.hint", {"number": Number(i), "count": Number(len(told_all))}), *hint]
        for i, hint in enumerate(told_all, 1)
    ]


def _in_words(question: Question, language: str) -> list[Value]:
    """The sheet's words on the step; of nothing, what to look for."""
    if question.value == 0:
        return [Sentence("quiz.trained")]
    step = _step(question)
    return Composer(catalogue(language), is_users=True).notes(step)[:MOST_NOTES] if step is not None else []


def _parts(question: Question) -> list[Value]:
    step = _step(question)
    inner = [Name(str(part.name)) for part in (*step.steps, *step.parts)] if step is not None else []
    return [Sentence("quiz.parts", {"parts": Listed(tuple(inner), "signs.list")})] if len(inner) > 1 else []


def _letters(question: Question, language: str) -> list[Value]:
    """The meaning of the letters of an answer."""
    words = catalogue(language).entries
    known = [dimension for dimension in question.shown.dimensions if f"dimensions.{dimension.name}" in words]
    meant = tuple(
        Sentence("quiz.letter", {"letter": dimension, "words": Sentence(f"dimensions.{dimension.name}")}) for dimension in known
    )
    return [Sentence("quiz.needs", {"letters": Listed(meant, "quiz.semicolon")})] if meant else []


def in_numbers(question: Question) -> list[Value]:
    """Return the step with numbers for its letters, and not what it comes to; nothing where that is the answer itself."""
    step = _step(question)
    worth = {name: exact(meaning, question.values) for name, meaning in question.meanings.items()}
    known = {**question.values, **{name: int(value) for name, value in worth.items() if is_exact(value)}}
    ways = [step.substituted if step is not None else None]
    ways += [
        substitute(formula, known) for formula in (question.written, question.shown) if known.keys() >= set(formula.dimensions)
    ]
    numbers = next((formula for formula in ways if formula is not None and not isinstance(formula, Number)), None)
    return [Sentence("quiz.numbers", {"numbers": numbers})] if numbers is not None and question.value else []


def _step(question: Question) -> Step | None:
    """The step of the sheet that is the answer."""
    return next((step for step in question.steps if step.value == question.value), None)


def unsaved(progress: Progress) -> Sentence:
    """Return the warning that answers are not kept, and why."""
    return Sentence("quiz.warnings.unsaved", {"file": Prose(str(progress.path)), "reason": Prose(progress.failure)})


def whole(question: Question, language: str) -> Value:
    """Return the answer in letters, multiplied out where that says more, and its number."""
    value = _value(question, language)
    if not question.shown.dimensions:
        return value
    way = "which_is" if question.form.name == SYMBOLIC else "equal" if is_exact(question.value or 0) else "about"
    return Sentence(f"quiz.{way}", {"formula": tight(question.shown), "value": value})


def _value(question: Question, language: str) -> Value:
    """The number of the answer, with its unit."""
    value, unit = question.value or 0, unit_of(question, language)
    if not unit or not is_exact(value) or value < 0:
        return told(value, unit)
    return Sentence("head.percent" if unit == PERCENT else "quiz.in_unit", {"number": Number(int(value)), "unit": Prose(unit)})


def _distance(mark: Mark, question: Question) -> Value:
    """Return how far off a wrong reply is: by a step of the tree, in percent, or so many times; None if unknown."""
    is_large = mark.off > 0
    if mark.difference is not None:
        key = "quiz.too_large_by" if is_large else "quiz.too_small_by"
        return Sentence(key, {"difference": tight(mark.difference)})
    if not mark.off:
        return None
    if question.value == 0 or mark.off <= -1:
        return Sentence("quiz.too_large" if is_large else "quiz.too_small")
    ratio = max(1 + mark.off, 1 / (1 + mark.off))
    if ratio >= FAR:
        return Sentence("quiz.far_too_large" if is_large else "quiz.far_too_small")
    if ratio < TWICE:
        key = "quiz.too_large_by_share" if is_large else "quiz.too_small_by_share"
        return Sentence(key, {"share": Prose(_share(abs(mark.off)))})
    if is_exact(ratio):
        key = "quiz.times_too_large" if is_large else "quiz.times_too_small"
    else:
        key = "quiz.about_times_too_large" if is_large else "quiz.about_times_too_small"
    return Sentence(key, {"times": Number(round(ratio)) if ratio >= 10 or is_exact(ratio) else Scaled(ratio, 1, "")})


def _share(part: Fraction) -> str:
    """A share with as many digits as tell something: 31%, 4.2%, 0.06%."""
    for least, decimals in ((FEW, 0), (PART, 2), (PART / 100, 2)):
        if part >= least:
            return f"{percent(Fraction(round(part * 100 * 10**decimals), 100 * 10**decimals))}%"
    return "< 0.01%"


def stats(schedule: Schedule, kinds: Iterable[QuestionTemplate], moment: datetime, language: str) -> Iterator[Value]:
    """A line a chapter: how many kinds there are, seen, due, and the share that was right at once."""
    due = set(schedule.due_by(moment))
    for entry in chapters():
        own = [kind for kind in kinds if kind.chapter == entry.name]
        cards = schedule.of_kinds(own)
        terms: dict[str, Value] = {"chapter": Phrase((text_in(entry.titles, language),)), "all": Number(len(own))}
        if cards:
            seen = [schedule.seen[card] for card in cards]
            terms |= {"seen": Number(len({card.kind for card in cards})), "due": Number(sum(card in due for card in cards))}
            share = Fraction(sum(record.right for record in seen), sum(record.times for record in seen))
            yield Sentence("quiz.stats", terms | {"share": Percentage(share, 0)})
        elif own:
            yield Sentence("quiz.stats_none", terms)
