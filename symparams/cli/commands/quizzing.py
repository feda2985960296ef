"""``quiz``: questions in the terminal, marked as they are answered; what was wrong comes back when it is due."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from symparams.cli.answering import answer
from symparams.cli.loading import load_request
from symparams.cli.options import TEXT
from symparams.cli.output import write
from symparams.cli.request import CommandResult, Request, whole_number
from symparams.errors import OptionError, OutputError, missing_folder, quoted
from symparams.expressions.nodes import Number
from symparams.models.load import load
from symparams.practice.bank import chosen, models, refuse_none
from symparams.practice.interview import LONGEST, Posed
from symparams.practice.interview import interview as ask
from symparams.practice.kind import chapter, check_language
from symparams.practice.paths import ENOUGH, asked_on, path, today
from symparams.practice.progress import Log, Progress, now, place
from symparams.practice.schedule import Schedule
from symparams.practice.selection import Wish, choose
from symparams.sheets.values import Code, Listed, Phrase, Prose, Sentence, Value

if TYPE_CHECKING:
    from symparams.cli.quiz.voice import Voice

COUNT, NEW, MOST, QUESTIONS = 10, 5, 1_000, "a number of questions"
_HELD = {"plain": "--plain", "transcript": "--transcript", "no_save": "--no-save", "progress": "--progress"}
MOST_NAMED = 3  # damaged lines
_FLAGS = {"targets": "the targets", "chapter": "--chapter", "level": "--level"}


def quiz(request: Request) -> CommandResult:
    """Ask what is due and what is new, and keep how it went."""
    from symparams.cli.quiz.conversation import Quiz
    from symparams.cli.quiz.talk import stats

    if "derive" in request.own:
        if "path" in request.own:
            raise OptionError("--path asks questions of the bank, and --derive a whole derivation: leave out one of them.")
        return _walk(request)
    check_language(request.language)
    wish = _wish(request)
    progress, log = _progress(request)
    voice = _voice(request)
    past = log.until(now())
    _warn_of(log, len(log.reviews) - len(past.reviews), voice)
    schedule = Schedule.of(past)
    if schedule.scheduler is None and "no_save" not in request.own:
        voice.warn(Sentence("quiz.warnings.unscheduled", {"command": Code("pip install 'symparams[practice]'")}))
    if "path" in request.own:
        wish = _of_the_day(request, wish, schedule, voice)
    if "stats" in request.own:
        for line in stats(schedule, wish.kinds, now(), voice.language):
            voice.say([line], indent=0)
        return CommandResult("")
    asked = choose(wish, schedule, now())
    if not asked:
        return _nothing(request, wish, schedule, voice)
    Quiz(asked, voice, schedule, None if "no_save" in request.own else progress, now, wish.seed).run()
    return CommandResult("")


def interview(request: Request) -> CommandResult:
    """Ask the steps of a script in turn, and keep how they went; or print them for whoever asks the questions."""
    own = request.own
    check_language(request.language)
    minutes = whole_number("--minutes", own["minutes"], (1, LONGEST), "a number of minutes") if "minutes" in own else 0
    _, posed = ask(load_request(request) if request.target else None, own.get("script", ""), minutes or LONGEST)
    if request.format != TEXT or request.output or "key" in own:
        return _on_paper(request, posed)
    from symparams.cli.quiz.interview import Interview

    transcript = own.get("transcript", "")
    if transcript and (lacking := missing_folder(transcript)):
        raise OutputError(f"Cannot write {quoted(transcript)}: {lacking}")
    progress, _ = _progress(request)
    voice = _voice(request)
    Interview(posed, voice, None if "no_save" in own else progress, own.get("seed", "0"), minutes, now).run()
    if transcript:
        write("\n".join(voice.speech.lines) + "\n", transcript)
    return CommandResult("")


def _on_paper(request: Request, posed: Sequence[Posed]) -> CommandResult:
    """An interview for whoever holds it."""
    from symparams.sheets.practice.interview import interview as sheet

    if held := [flag for name, flag in _HELD.items() if name in request.own]:
        raise OptionError(f"{held[0]} is for an interview in the terminal: leave it out, or the format, -o and --key.")
    return answer(sheet(posed, request.language, request.own.get("key", "end"), request.own.get("seed", "0")), request)


def _walk(request: Request) -> CommandResult:
    """A whole derivation; nothing of it is kept."""
    from symparams.cli.quiz.conversation import Quiz
    from symparams.practice.walk import walk

    own = request.own
    if len(own.get("targets", ())) != 1:
        raise OptionError("--derive needs a single target: write symparams quiz gpt2 --derive.")
    asked = walk(load(own["targets"][0]))
    count = whole_number("--count", own["count"], (1, MOST), QUESTIONS) if "count" in own else len(asked)
    Quiz(asked[:count], _voice(request), Schedule.of(Log(Path())), None, now, "").run()
    return CommandResult("")


def _voice(request: Request) -> Voice:
    from symparams.cli.quiz.speech import Speech
    from symparams.cli.quiz.voice import Voice

    speech = Speech(is_plain="plain" in request.own)
    return Voice(speech, request.language, request.layout.get("notation", "hidden"), request.layout.get("symbols"))


def _wish(request: Request) -> Wish:
    own = request.own
    count = whole_number("--count", own["count"], (1, MOST), QUESTIONS) if "count" in own else COUNT
    new = whole_number("--new", own["new"], (0, MOST), QUESTIONS) if "new" in own else count if "count" in own else NEW
    kinds = chosen(own.get("chapter", ""), own.get("level", ""))
    fills = "count" in own and "new" not in own
    return Wish(kinds, models(own.get("targets", ())), count, new, own.get("seed", now().isoformat()), fills)


def _of_the_day(request: Request, wish: Wish, schedule: Schedule, voice: Voice) -> Wish:
    """The wish for the next day of a path, of which it is said which one it is."""
    if others := [name for name in ("targets", "chapter", "level") if request.own.get(name)]:
        raise OptionError(f"--path chooses chapters and models itself: leave out {_FLAGS[others[0]]}.")
    day = today(path(request.own["path"]), schedule)
    titles = tuple(Phrase((chapter(name).titles[voice.language],)) for name in day.chapters)
    terms: dict[str, Value] = {
        "day": Number(day.number), "of": Number(day.of), "chapters": Listed(titles, "signs.list"),
    }  # fmt: skip
    voice.say([Sentence("quiz.day", terms)], indent=0)
    new = wish.new if {"new", "count"} & request.own.keys() else ENOUGH
    return replace(wish, kinds=asked_on(day, schedule), models=models(day.models), new=new)


def _progress(request: Request) -> tuple[Progress | None, Log]:
    """The progress file, and what it holds; None where nobody knows where it would be."""

    file = place(request.own.get("progress", ""), os.environ)
    if file is None:
        return None, Log(Path())
    progress = Progress(file)
    return progress, progress.read()


def _warn_of(log: Log, future: int, voice: Voice) -> None:
    file = Prose(log.path.name)
    for line in log.damaged[:MOST_NAMED]:
        voice.warn(Sentence("quiz.warnings.damaged", {"file": file, "line": Prose(str(line))}))
    if more := len(log.damaged[MOST_NAMED:]):
        voice.warn(Sentence("quiz.warnings.more_damaged", {"file": file, "number": Number(more)}))
    if future:
        voice.warn(Sentence("quiz.warnings.future", {"file": file, "number": Number(future)}))


def _nothing(request: Request, wish: Wish, schedule: Schedule, voice: Voice) -> CommandResult:
    """Nothing to ask: everything was seen, or there is no such question, which is a mistake."""
    later = choose(replace(wish, fills=True), schedule, now())
    dates = [date for asked in later if (date := schedule.due(asked.card))]
    if not dates:
        refuse_none((), request.own.get("targets", ()))
    voice.say([Sentence("quiz.nothing_due", {"date": Prose(min(dates).date().isoformat())})], indent=0)
    return CommandResult("")
