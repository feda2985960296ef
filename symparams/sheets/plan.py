"""The sheet of a plan: each part as a formula and a number, what was assumed, the boards, the commands that derive it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from symparams.answers import plans
from symparams.answers.plans import BoardUse, Line, Plan
from symparams.derivations.derivation import worked_out
from symparams.derivations.fitting import POSITIONS
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.nodes import Dimension, Equality, Expression, Number, as_expression
from symparams.expressions.symbols import INPUTS, N, b, by_reading
from symparams.expressions.written import total
from symparams.models.calculation import counts_of
from symparams.quantities.kept_by_layers import EAGER
from symparams.quantities.memory import bytes_of, times_bytes
from symparams.quantities.recipes import WEIGHTS, recipe
from symparams.quantities.setting import CHOICES
from symparams.records import frozen
from symparams.sheets.budget.figures import figure
from symparams.sheets.budget.memory import called, card_called
from symparams.sheets.budget.room import largest_of
from symparams.sheets.catalogue import Catalogue, catalogue
from symparams.sheets.chosen import choice, name_of
from symparams.sheets.dimensions import all_layers
from symparams.sheets.document import Block, Column, Document, Lines, Paragraph, Section, Table
from symparams.sheets.memory import of_weights
from symparams.sheets.values import Code, Listed, Name, Percentage, Prose, Sentence, Value
from symparams.sheets.whole import is_users, letters_of


@frozen
class Unit:
    """A unit of time, and how many seconds it has."""

    name: str
    seconds: Fraction


# What gives that which was assumed: the name in Python, and a value where only one is meant.
GIVEN_BY = {
    plans.UNKNOWN_TYPE: ("dtype", ""),
    plans.CACHE_TYPE: ("cache_dtype", ""),
    plans.RECIPE: ("recipe", ""),
    plans.NO_LENGTH: ("context", ""),
    EAGER: ("attention", "flash"),
}
HOURS, MILLISECONDS = Unit("hours", Fraction(3600)), Unit("milliseconds", Fraction(1, 1000))


def plan_sheet(
    plan: Plan, language: str = "en", notation: str = "hidden", symbols: Mapping[str, str] | None = None
) -> Document:
    """The sheet of a plan, in a few lines."""
    words, letters = catalogue(language), letters_of(plan.model, notation, symbols or {}).with_sums(all_layers(plan.model))
    blocks = [
        *_verdict(plan),
        table(plan.lines, words, has_sum=len(plan.lines) > 1),
        *assumptions(plan),
        *_boards(plan, words),
        *_paces(plan, words),
        _commands(plan),
    ]
    return Document(
        kind=plan.about,
        language=language,
        title=Sentence(f"plan.titles.{plan.about}", {"model": name_of(plan.model)}),
        answer=None,
        sections=[Section("plan", None, blocks)],
        preface=choice(plan.model),
        letters=letters.counting(plan.lines[0].calculation.quantity.letter),
        subject=plan,
        is_users=is_users(plan.model),
    )


def _verdict(plan: Plan) -> Iterator[Block]:
    """Whether a memory holds it all, with the bytes that are left or missing; of several memories how many do."""
    holding = [use for use in plan.boards if use.does_fit]
    terms: dict[str, Value] = {"model": name_of(plan.model), "number": Number(len(holding)), "all": Number(len(plan.boards))}
    if len(plan.boards) > 1:
        yield Paragraph([Sentence("plan.fit_several", terms)])
    for use in plan.boards if len(plan.boards) == 1 else ():
        terms |= {"memory": card_called(use.card), "bytes": Number(abs(use.left))}
        yield Paragraph([Sentence("plan.fits" if use.does_fit else "plan.too_large", terms)])


def formula_of(line: Line) -> Expression:
    """The formula in a line: what each parameter takes by N, all else by sizes and inputs."""
    if line.name == WEIGHTS:
        return times_bytes(N, bytes_of(line.dtype))
    return worked_out(line.calculation).total.closed


def table(lines: Sequence[Line], words: Catalogue, *, has_sum: bool) -> Table:
    """Return a row for each part, with the formula, and their sum."""
    unit = lines[0].calculation.quantity.unit
    columns = [Column(None, is_words=True), Column(Sentence("columns.formula"), moves=1)]
    columns += [Column(Sentence(f"units.{unit}.column"), "r"), Column(Sentence("columns.rounded"), "r")]
    formulas = [formula_of(line) for line in lines]
    rows: list[list[Value]] = [
        [_name(line), formula, Number(line.value), figure(line.value, unit, words)]
        for line, formula in zip(lines, formulas, strict=True)
    ]
    if has_sum:
        whole = as_written(multiply_out(total(formulas), {}))
        short = whole if set(whole.dimensions) == {N} else None
        value = sum(line.value for line in lines)
        rows.append([Sentence("headings.sum"), short, Number(value), figure(value, unit, words)])
    return Table("plan", columns, rows, last_is_sum=has_sum)


def _name(line: Line) -> Value:
    name = Sentence(f"plan.lines.{line.name}")
    return Sentence("plan.in_type", {"part": name, "type": Prose(line.dtype.upper())}) if line.dtype else name


def assumptions(plan: Plan) -> Iterator[Block]:
    """Yield the inputs with their values, N with its own, and what was assumed of what nobody gave."""
    values: dict[Dimension, int] = {}
    for line in plan.lines:
        known = {**line.calculation.model.values, **counts_of(plan.model)}
        values |= {letter: known[letter] for letter in formula_of(line).dimensions if letter in INPUTS}
    values |= {N: plan.model.count()} if plan.about == plans.MEMORY else {}
    shown = tuple(
        Sentence(
            "plan.letter",
            {"equality": Equality(letter, as_expression(values[letter])), "meaning": Sentence(f"inputs.{letter.name}")},
        )
        for letter in sorted(values, key=by_reading)
    )
    sentences: list[Value] = [Sentence("plan.with", {"values": Listed(shown, "signs.list")})] if shown else []
    terms: dict[str, Value] = {
        "type": Prose(plan.dtype.upper()),
        "cache": Prose(plan.cache_dtype.upper()),
        "recipe": Sentence(f"budget.recipes.{plan.recipe}") if plan.recipe else None,
    }
    sentences += [Sentence(f"assumed.{name}", {**terms, "option": _option(name, plan)}) for name in plan.assumed]
    sentences += [_kept(line) for line in plan.lines if line.name == plans.OPTIMIZER]
    sentences += of_weights([plan.dtype]) if plan.about == plans.MEMORY else []
    if sentences:
        yield Paragraph(sentences)


def _kept(line: Line) -> Sentence:
    """What the optimizer keeps of each parameter."""
    states = recipe(line.inputs["recipe"]).states
    kept = [Sentence("plan.state", {"name": Name(state), "bytes": Number(size)}) for state, size in states.items()]
    return Sentence("plan.optimizer", {"states": Listed(tuple(kept), "signs.list")})


def _option(assumed: str, plan: Plan) -> Code | None:
    """What gives that which was assumed, as a command line or Python writes it."""
    name, value = GIVEN_BY.get(assumed, ("", ""))
    if not name:
        return None
    if plan.asked:
        return Code(" ".join(filter(None, (f"--{name.replace('_', '-')}", value))))
    return Code(f"{name}={value!r}" if value else f"{name}=")


def _boards(plan: Plan, words: Catalogue) -> Iterator[Block]:
    """A row for each memory: how many hold it all, and the largest batch and context with which one does."""
    if not plan.boards:
        return
    letters = list(dict.fromkeys(fit.letter for use in plan.boards for fit in use.fits))
    columns = [Column(Sentence("plan.columns.board"), is_words=True), Column(Sentence("budget.columns.memory"), "r", moves=1)]
    columns.append(Column(Sentence("plan.columns.number"), "r"))
    for letter in letters:
        others = [(other, value) for other in letters if other != letter and (value := _given(plan, other.name))]
        others += [(b, _given(plan, b.name) or 1)] if letter != b and not others else []
        at = Listed(tuple(Equality(other, Number(value)) for other, value in others), "signs.list")
        heading = Sentence("budget.fits.largest_at", {"letter": letter, "at": at})
        columns.append(Column(heading if others else Sentence("budget.fits.largest", {"letter": letter}), "r"))
    yield Table("boards", columns, [_board(use, letters) for use in plan.boards])
    sentences: list[Value] = [Sentence("budget.fits.binds")]
    sentences += [Sentence("budget.fits.positions_bind")] if _binds(plan, POSITIONS) else []
    if any(use.number > 1 or use.card.number > 1 for use in plan.boards):
        sentences.append(Sentence("plan.shared_in_training") if plan.recipe else Sentence("plan.shared_out"))
    yield Paragraph(sentences)


def _paces(plan: Plan, words: Catalogue) -> Iterator[Block]:
    """A row for each board: what it reaches, and its time, of a run in hours, of a prompt in milliseconds, rounded up."""
    if not plan.paces:
        return
    line, number = plan.lines[0], plan.paces[0].number
    unit = HOURS if line.name == plans.RUN else MILLISECONDS
    columns = [Column(Sentence("plan.columns.board"), is_words=True), Column(Sentence("plan.columns.rate"), "r")]
    columns.append(Column(Sentence(f"plan.columns.{unit.name}"), "r"))
    if number > 1:
        columns.append(Column(Sentence(f"plan.on_all.{unit.name}", {"number": Number(number)}), "r"))
    rows: list[list[Value]] = []
    for pace in plan.paces:
        times_taken = [pace.seconds * pace.number, *([pace.seconds] if number > 1 else [])]
        rate = figure(pace.rate, line.calculation.quantity.unit, words)
        rows.append([Prose(pace.board.name), rate, *(Number(-(-seconds // unit.seconds)) for seconds in times_taken)])
    yield Table("pace", columns, rows)
    terms: dict[str, Value] = {"part": Percentage(plan.utilisation, 0), "type": Prose(plan.dtype.upper())}
    yield Paragraph([Sentence("plan.reached", terms)])


def _given(plan: Plan, name: str) -> int:
    return int(plan.given.get(name, 0))


def _binds(plan: Plan, how: str) -> bool:
    return any(fit.binds == how for use in plan.boards for fit in use.fits)


def _board(use: BoardUse, letters: list[Dimension]) -> list[Value]:
    fits = {fit.letter: fit for fit in use.fits}
    cells: list[Value] = [
        largest_of(fits[letter]) if letter in fits and fits[letter].largest != 0 else Sentence("budget.fits.none")
        for letter in letters
    ]
    return [
        card_called(use.card),
        called(use.card.room),
        Number(use.number) if use.number else Sentence("budget.fits.none"),
        *cells,
    ]


def _commands(plan: Plan) -> Lines:
    """The command that derives each part, once where it derives several."""
    commands = dict.fromkeys(command_of(line, plan) for line in plan.lines)
    return Lines([Sentence("plan.derive", {"command": Code(command)}) for command in commands])


def command_of(line: Line, plan: Plan) -> str:
    """What derives a part: the command as a shell takes it, or the call in Python, where the plan was made there."""
    name = line.calculation.quantity.name
    if not plan.asked:
        inputs = "".join(f", {given}={_in_python(value)}" for given, value in line.inputs.items())
        return f"symparams.derive(model, quantity={name!r}{inputs})"
    given = []
    for word, value in line.inputs.items():
        if word not in CHOICES:
            given += ["--set", f"{word}={value}"]
        elif CHOICES[word].is_switch:
            given += [CHOICES[word].option] if value else []
        else:
            given += [CHOICES[word].option, str(value)]
    return shlex.join(["symparams", "derive", *plan.asked, "--quantity", name.replace("_", "-"), *given])


def _in_python(value: object) -> str:
    return repr(value) if isinstance(value, (bool, int)) else repr(str(value))
