"""``questions``, ``cards`` and ``worksheet``: the bank as a booklet, an exam, data or a deck, a derivation with blanks."""

from __future__ import annotations

from dataclasses import replace

from symparams.cli.answering import answer
from symparams.cli.loading import load_request, load_requests
from symparams.cli.request import CommandResult, Request, whole_number
from symparams.errors import OptionError, quoted

JSON = "json"

MOST_DIGITS = 40  # of a seed


def questions(request: Request) -> CommandResult:
    """The questions of the bank: on the models that are named, or each on a model that people know."""
    from symparams.practice.bank import chosen, models, of_each, refuse_none
    from symparams.practice.exam import MOST_QUESTIONS, exam
    from symparams.sheets.practice.booklet import booklet
    from symparams.sheets.practice.exam import exam as on_paper

    own, key = request.own, request.own.get("key", "end")
    if "cheat_sheet" in own:
        return _cheat_sheet(request)
    if request.format == JSON and "key" in own:
        raise OptionError("--json always includes the answers: leave out --key.")
    targets = own.get("targets", ())
    if "exam" in own:
        number = whole_number("--exam", own["exam"], (1, MOST_QUESTIONS), "a number of questions")
        asked = exam(number, own.get("seed", "0"), own.get("variant", "A"), targets, own.get("chapter", ""))
        return answer(on_paper(replace(asked, has_choices="choices" in own), request.language, key), request)
    if "variant" in own:
        raise OptionError("--variant is for an exam: add --exam 20, or leave it out.")
    selected = list(of_each(chosen(own.get("chapter", ""), own.get("level", "")), models(targets), every=len(targets) > 0))
    refuse_none(selected, targets)
    return answer(booklet(selected, request.language, key, own.get("seed", "0"), has_choices="choices" in own), request)


def _cheat_sheet(request: Request) -> CommandResult:
    """The sheet of formulas, for which nothing is to be chosen."""
    from symparams.practice.kind import check_language
    from symparams.sheets.practice.cheat_sheet import cheat_sheet

    others = [name for name in request.own if name != "cheat_sheet"]
    if others:
        raise OptionError("--cheat-sheet prints formulas and asks nothing: write it without targets and other options.")
    check_language(request.language)
    return answer(cheat_sheet(request.language), request)


def cards(request: Request) -> CommandResult:
    """The questions that can be asked of each target, and its derivation with gaps; of none, facts."""
    from symparams.cards.collected import deck

    models = load_requests(request) if "targets" in request.own else []
    with_questions = "questions" in request.own
    if with_questions and models:
        raise OptionError("--questions is for the cards of no target: those of a target are questions already. Leave it out.")
    return answer(deck(models, request.language, request.own.get("chapter", ""), with_questions=with_questions), request)


def worksheet(request: Request) -> CommandResult:
    """A model's derivation with blanks, by level and seed."""
    from symparams.practice.worksheet import worksheet as sheet

    seed = request.own.get("seed", "0")
    if not (seed.isascii() and seed.isdecimal() and len(seed) <= MOST_DIGITS):
        raise OptionError(f"--seed {quoted(seed)} is not a whole number of at most {MOST_DIGITS} digits: write --seed 7.")
    own = {name: request.own[name] for name in ("level", "key") if name in request.own}
    return answer(sheet(load_request(request), seed=int(seed), vary="vary" in request.own, **own), request)
