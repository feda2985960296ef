"""Interviews: scripts of linked steps on one model, each a question in an interviewer's words.

A script is a file of ``interviews/``: the ``models`` that it is about, its place in the ``order`` of scripts, and one record
after another under ``[[steps]]``. A step is a record as in the bank; ``of`` names the kind of the bank whose record it
changes, and whose card it is in the quiz. ``skill`` is what it shows, ``minutes`` how long it takes, ``model`` which of the
models it asks about, ``hint`` an idea, ``then`` what leads on to the next step, ``practise`` a chapter with more of it where
that is another, and ``why`` a question for the reason, whose right answer may be given with the number in one of its
``words``. ``names_size`` says that the number in the model's name is no answer. ``assumes`` says what an assumption of
``assumptions.toml`` makes of the answer: a formula that is right under it, or one under ``excluded`` where the question says
otherwise. ``follows`` says which letters are the answers of earlier steps, so that whoever works on with a rough one of their
own is understood.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from symparams.errors import OptionError, UnknownNameError, quoted, suggestion
from symparams.models.load import load
from symparams.models.model import Model
from symparams.practice.asking import ask
from symparams.practice.kind import NUMBER, QuestionTemplate, Texts, records, template
from symparams.practice.question import Question
from symparams.records import frozen

SCRIPTS = Path(__file__).parent / "interviews"
ASSUMPTIONS, STEPS = "assumptions", "steps"
FEWEST, LONGEST = 5, 480  # questions, minutes
SKILLS = ("counting", "memory", "compute", "bottleneck", "traffic")
TOLERANCE = Fraction(1, 100)  # of a kind that takes exact numbers alone


@frozen
class Assumption:
    """What people may assume: what it is called, and the words that say so, in each language."""

    texts: Texts
    words: tuple[str, ...]


@frozen
class Step:
    """A step of a script: its question as a kind, and what the interviewer says besides. ``card`` is the kind of the bank,
    ``practise`` the chapter with more of it.
    """

    name: str
    skill: str
    minutes: int
    model: int
    kind: QuestionTemplate
    card: str
    practise: str
    tolerance: Fraction
    hint: Texts
    then: Texts
    why: QuestionTemplate | None
    words: tuple[str, ...]
    follows: Mapping[str, str]
    allowed: Mapping[str, str]
    excluded: Mapping[str, str]
    names_size: bool


@frozen
class Script:
    """A script: the models that it is about, and its steps."""

    name: str
    models: tuple[str, ...]
    steps: tuple[Step, ...]


@frozen
class Posed:
    """A step asked of a model, with the question for its reason where it has one; ``leads`` says that the next step follows."""

    step: Step
    question: Question
    why: Question | None
    leads: bool

    def following(self, own: Mapping[str, Fraction]) -> Posed | None:
        """The same step with a candidate's own answers to earlier ones; None where it takes none of them."""
        taken = {letter: int(own[name]) for letter, name in self.step.follows.items() if name in own}
        given = {**self.question.given, **taken}
        return replace(self, question=replace(self.question, given=given)) if taken else None


@cache
def scripts() -> Mapping[str, Script]:
    """Every script by its name."""
    return {name: _script(name) for name in names()}


def names() -> list[str]:
    """The names of the scripts, in the order in which they are taken where several suit a model alike."""
    tables = {file.stem: _table(file.stem) for file in SCRIPTS.glob("*.toml")}
    orders = {name: table["order"] for name, table in tables.items() if STEPS in table}
    return sorted(orders, key=orders.__getitem__)


@cache
def assumptions() -> Mapping[str, Assumption]:
    """What people may assume, by its name."""
    return {name: Assumption(record, tuple(record.pop("words"))) for name, record in _table(ASSUMPTIONS).items()}


def interview(about: Model | None = None, name: str = "", minutes: int = LONGEST) -> tuple[Script, tuple[Posed, ...]]:
    """The script of a name, or the one that suits a model best, and its steps that can be asked, as many as fit the minutes.

    UnknownNameError for another name, OptionError where fewer than five steps can be asked of the model, or none in the time.
    """
    script, posed = _chosen(about, name)
    ends = accumulate(each.step.minutes for each in posed)
    number = sum(end <= minutes for end in ends)
    if not number:
        raise OptionError(f"The first question takes {posed[0].step.minutes} minutes: give at least that many.")
    return script, (*posed[: number - 1], replace(posed[number - 1], leads=False))


def _chosen(about: Model | None, name: str) -> tuple[Script, tuple[Posed, ...]]:
    if name and name not in scripts():
        raise UnknownNameError(f"Unknown script {quoted(name)}. {suggestion(name, scripts())}")
    if about is None:
        chosen = scripts()[name or names()[0]]
        return chosen, tuple(_posed(chosen, tuple(map(load, chosen.models))))
    candidates = [scripts()[name]] if name else list(scripts().values())
    posed = {script.name: tuple(_posed(script, _models(script, about))) for script in candidates}
    best = max(candidates, key=lambda script: (about.name in script.models, len(posed[script.name])))
    if len(posed[best.name]) < FEWEST:
        others = " or leave --script out" if name else ""
        raise OptionError(
            f"An interview needs {FEWEST} questions, and {len(posed[best.name])} of {best.name} can be asked of {about.name}: "
            f"name another model{others}."
        )
    return best, posed[best.name]


def _models(script: Script, about: Model) -> tuple[Model, ...]:
    """Return the script's own models where it is about this one, else this one in the place of each."""
    if about.name in script.models:
        return tuple(about if about.name == name else load(name) for name in script.models)
    return (about,) * len(script.models)


def _posed(script: Script, models: Sequence[Model]) -> Iterator[Posed]:
    """Yield the steps that can be asked; one leads on where the step behind it can be asked, too."""
    questions = [ask(step.kind, models[step.model]) for step in script.steps]
    for step, question, after in zip(script.steps, questions, (*questions[1:], None), strict=True):
        if question is not None:
            reason = ask(step.why, question.model) if step.why is not None else None
            yield Posed(step, question, reason, leads=after is not None)


def _script(name: str) -> Script:
    table = _table(name)
    return Script(name, tuple(table["models"]), tuple(_step(name, record) for record in table[STEPS]))


def _step(script: str, own: Mapping[str, Any]) -> Step:
    card = own.get("of", "")
    chapter, _, key = (card or f"{own['chapter']}.").partition(".")
    of_bank = records(chapter)[key] if card else {"level": "standard"}
    bank = template(card, chapter, of_bank) if card else None
    tolerances = [form.tolerance for form in bank.forms if form.tolerance is not None] if bank is not None else []
    why, assumes = own.get("why"), own.get("assumes", {})
    name = f"{script}.{own['name']}"
    return Step(
        name=name,
        skill=own["skill"],
        minutes=own["minutes"],
        model=own.get("model", 1) - 1,
        kind=template(card or name, chapter, {**of_bank, **own, "forms": [NUMBER]}),
        card=card,
        practise=own.get("practise", chapter),
        tolerance=max([TOLERANCE, *tolerances]),
        hint=own.get("hint", {}),
        then=own.get("then", {}),
        why=template(f"{name}.why", chapter, {"level": "standard", **why}) if why else None,
        words=tuple(why["words"]) if why else (),
        follows=own.get("follows", {}),
        allowed={word: formula for word, formula in assumes.items() if word != "excluded"},
        excluded=assumes.get("excluded", {}),
        names_size=own.get("names_size", False),
    )


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads((SCRIPTS / f"{name}.toml").read_text(encoding="utf-8"))
