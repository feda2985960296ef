"""What fits a card: beside the weights, and in a step of training, the largest batch and the longest sequence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symparams.derivations.budget import Budget
from symparams.derivations.fitting import NOTHING, POSITIONS, CardUse, Fit, serving, training
from symparams.expressions.nodes import Dimension, Equality, Number
from symparams.expressions.symbols import b, s, t
from symparams.quantities.quantity import BYTES
from symparams.sheets.budget.figures import figure
from symparams.sheets.budget.memory import room_of, types
from symparams.sheets.catalogue import Catalogue
from symparams.sheets.document import Block, Column, Paragraph, Section, Table
from symparams.sheets.values import Capital, Listed, Sentence, Value


def room(budget: Budget, words: Catalogue, *, is_brief: bool = False) -> Iterator[Section]:
    """The largest of each input with which a card suffices, in exact arithmetic; what keeps it from being larger."""
    if budget.room is None:
        return
    served, trained = serving(budget, budget.room), list(training(budget, budget.room))
    shown = [use for use in trained if use.fits or use.needs]
    steps = _by_way(shown, budget) if is_brief else _table("training", shown, budget, words)
    blocks = [*_table("serving", served, budget, words), *steps]
    bound = [fit.binds for use in (*served, *trained) for fit in use.fits]
    sentences: list[Value] = [Sentence("budget.fits.binds")]
    sentences += [Sentence("budget.fits.positions_bind")] if POSITIONS in bound else []
    sentences += [Sentence("budget.fits.left_out")] if any(use.fixed > budget.room.size for use in trained) else []
    sentences += [Sentence("budget.fits.without_activations")] if not all(use.is_derived for use in trained) else []
    yield Section("fits", Sentence("budget.fits.heading", {"room": room_of(budget)}), [*blocks, Paragraph(sentences)])


def _table(key: str, uses: Sequence[CardUse], budget: Budget, words: Catalogue) -> Iterator[Block]:
    letters = list(dict.fromkeys(fit.letter for use in uses for fit in use.fits))
    if not uses or (not letters and key == "training"):
        return
    called = key if key != "serving" or budget.cache is not None else "weights"
    columns = [Column(Sentence(f"budget.fits.{called}"), is_words=True), Column(Sentence("budget.columns.memory"), "r")]
    columns += [Column(_heading(letter, key, budget, uses), "r") for letter in letters]
    rows = [
        [_called(key, alike), figure(alike[0].fixed, BYTES, words), *(_cell(alike[0], letter, budget) for letter in letters)]
        for alike in _alike(uses)
    ]
    yield Table(f"fits_{key}", columns, rows)
    needs = tuple(dict.fromkeys(need for use in uses for need in use.needs))
    if needs:
        yield Paragraph([Sentence("budget.fits.needs", {"letters": Listed(needs, "signs.list")})])


def _by_way(uses: Sequence[CardUse], budget: Budget) -> Iterator[Block]:
    """A row for each recipe, a column for each way: the largest batch, or where no length is given the longest sequence."""
    longest = [(use, use.fits[-1]) for use in uses if use.fits]
    if not longest:
        return
    ways = list(dict.fromkeys(use.way for use, _ in longest))
    heading = _heading(longest[0][1].letter, "training", budget, uses)
    columns = [Column(Sentence("budget.fits.training_largest", {"largest": heading}), is_words=True)]
    columns += [Column(Capital(Sentence(f"budget.ways_in_short.{way}")), "r") for way in ways]
    rows: list[list[Value]] = []
    for name in dict.fromkeys(use.name for use, _ in longest):
        fits = {use.way: fit for use, fit in longest if use.name == name}
        rows.append([Sentence(f"budget.recipes.{name}"), *(largest_of(fits[way]) if way in fits else None for way in ways)])
    yield Table("fits_training", columns, rows)


def _alike(uses: Sequence[CardUse]) -> Sequence[Sequence[CardUse]]:
    """Number types of one size together; each recipe by itself."""
    groups: dict[object, list[CardUse]] = {}
    for use in uses:
        groups.setdefault((use.way, use.fixed if not use.way else use.name), []).append(use)
    return list(groups.values())


def _called(key: str, alike: Sequence[CardUse]) -> Value:
    if key == "serving":
        return types([use.name for use in alike])
    [use] = alike
    recipe = Sentence(f"budget.recipes.{use.name}")
    return Sentence("budget.in_way", {"recipe": recipe, "way": Sentence(f"budget.ways_in_short.{use.way}")})


def _heading(letter: Dimension, key: str, budget: Budget, uses: Sequence[CardUse]) -> Sentence:
    """The largest t, of one sequence where nobody says how many; the largest b, of the length that is given."""
    other = b if letter != b else t if key == "serving" else s
    is_read = any(fit.letter == other for use in uses for fit in use.fits) or other == b
    value = budget.given.get(other.name, 1 if other == b else None) if is_read else None
    if value is None:
        return Sentence("budget.fits.largest", {"letter": letter})
    return Sentence("budget.fits.largest_at", {"letter": letter, "at": Equality(other, Number(value))})


def _cell(use: CardUse, letter: Dimension, budget: Budget) -> Value:
    assert budget.room is not None  # as the section has seen
    if use.fixed > budget.room.size:
        return Sentence("budget.fits.none")
    chosen = next((fit for fit in use.fits if fit.letter == letter), None)
    return largest_of(chosen) if chosen else None


def largest_of(fit: Fit) -> Value:
    """The largest value, 0 where nothing fits, "any" where all do; marked where the positions end before the memory."""
    if fit.binds == NOTHING:
        return Sentence("budget.fits.any")
    number = Number(fit.largest or 0)
    return Sentence("budget.fits.marked", {"number": number}) if fit.binds == POSITIONS else number
