"""The worksheet: the whole sheet of a derivation with blanks in it, and its key, the same sheet with the answers in boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Union

from symparams.expressions.nodes import Expression, Number
from symparams.expressions.printing.nodes import Answer, Blank, Words
from symparams.practice.kind import HARD, WARM_UP
from symparams.practice.worksheet import ONLY, Worksheet
from symparams.sheets.catalogue import Catalogue, catalogue
from symparams.sheets.document import Block, Document, Equation, Item, Score, Section, Writing
from symparams.sheets.practice.key import with_key
from symparams.sheets.values import PERCENT, Percentage, Prose, Sentence, Value, percent, share
from symparams.sheets.whole import by_rule, whole
from symparams.sheets.worksheet.blanks import Blanks, points
from symparams.sheets.worksheet.gaps import GIVEN, Gap, GapWalk
from symparams.sheets.worksheet.usual import usual

HEIGHTS: Mapping[str, int] = {WARM_UP: 7, HARD: 9}  # of a line to write on, in millimetres
USUAL = 7


def worksheet(
    asked: Worksheet, language: str = "en", notation: str = "hidden", symbols: Mapping[str, str] | None = None
) -> Document:
    """A derivation to fill in, its key behind it or alone; the errors are those of the whole sheet."""
    sheet = whole(asked.derivation, language, notation, symbols, last=by_rule)
    if asked.base:
        sheet = replace(sheet, title=Sentence("worksheet.varied", {"model": Prose(asked.base)}))
    blanks, words = Blanks(sheet, asked), catalogue(language)
    left = _filled(sheet, blanks, lambda gap, number: _blank(gap, number, words))
    writing = HEIGHTS.get(asked.level, USUAL)
    if asked.key == ONLY:
        return replace(
            sheet, kind="worksheet", sections=list(_key(sheet, blanks, words)), answer=None, active=None, writing=writing
        )
    return replace(
        left,
        kind="worksheet",
        fields=[Sentence("practice.fields.name"), Sentence("practice.fields.date")],
        preface=[*sheet.preface, Sentence(f"worksheet.{asked.level}")],
        sections=with_key(asked.key, _scored(left, blanks), _key(sheet, blanks, words)),
        writing=writing,
    )


def answers(asked: Worksheet, language: str = "en") -> Mapping[str, Union[Value, Block]]:
    """Return the content of each blank of a worksheet, by its number."""
    blanks = Blanks(whole(asked.derivation, language, last=by_rule), asked)
    return {number: blanks.gaps[i].content for i, number in blanks.numbers.items()}


def filled(document: Document, answers: Mapping[str, Union[Value, Block]]) -> Document:
    """A worksheet, its blanks filled in from its key: the sheet that it was made of."""

    def put(gap: Gap) -> Any:
        return answers[gap.content.number] if isinstance(gap.content, Blank) else gap.content

    def block(content: Block) -> Block:
        answer: Any = answers[content.number] if isinstance(content, Writing) else content
        return answer  # type: ignore[no-any-return]

    sheet = [
        replace(section, blocks=[block(content) for content in section.blocks if not isinstance(content, Score)])
        for section in document.sections
        if section.key not in ("end", "key", "usual")
    ]
    plain = replace(document, kind="derivation", fields=(), preface=document.preface[:-1], sections=sheet, writing=0)
    return GapWalk(put, document.language).document(plain)


def _filled(sheet: Document, blanks: Blanks, make: Callable[[Gap, str], Any]) -> Document:
    """The sheet with what ``make`` makes of each gap that is a blank."""
    places = iter(range(len(blanks.gaps)))

    def put(gap: Gap) -> Any:
        number = blanks.numbers.get(next(places))
        return gap.content if number is None else make(gap, number)

    return GapWalk(put, sheet.language).document(sheet)


def _blank(gap: Gap, number: str, words: Catalogue) -> Any:
    if isinstance(gap.content, (Item, Equation)) or hasattr(gap.content, "sentences"):
        return Writing(gap.content, number)  # type: ignore[arg-type]
    return Blank(_written(gap.content, words), number)


def _answer(gap: Gap, number: str, words: Catalogue) -> Any:
    if isinstance(gap.content, Equation):
        first, *others = gap.content.chain
        answered = [replace(link, content=Answer(link.content, "")) for link in others]
        return replace(gap.content, chain=[replace(first, content=Answer(first.content, number)), *answered])
    if hasattr(gap.content, "sentences"):
        return Writing(gap.content, number, is_answered=True)  # type: ignore[arg-type]
    return Answer(_written(gap.content, words), number)


def _written(content: Any, words: Catalogue) -> Expression:
    """Return the content of a blank as a formula; a percentage as words."""
    pattern = words.head["percent"]
    if isinstance(content, Fraction):
        return Words(percent(content, pattern, PERCENT))
    if isinstance(content, Percentage):
        return Words(share(content.part, pattern, content.decimals))
    return Number(content) if isinstance(content, int) else content


def _key(sheet: Document, blanks: Blanks, words: Catalogue) -> Iterator[Section]:
    """The sheet with the answers in its blanks, and the usual mistakes of each step."""
    answered = _filled(sheet, blanks, lambda gap, number: _answer(gap, number, words))
    frame = [equation for equation in (answered.answer, answered.active) if equation is not None]
    yield Section("key", Sentence("worksheet.key"), frame)
    yield from (replace(section, key="key") for section in answered.sections if section.key != GIVEN)
    told = list(usual(blanks, sheet.language))
    if told:
        yield Section("usual", Sentence("worksheet.mistakes"), told)


def _scored(left: Document, blanks: Blanks) -> Iterator[Section]:
    """The sections, at the end of each how many points it has."""
    worth = {number: points(blanks.gaps[i]) for i, number in blanks.numbers.items()}
    for section in left.sections:
        worth_of_section = sum(worth[number] for number in _numbers(section, left.language))
        score_text = (
            Sentence("worksheet.score", {"points": Number(worth_of_section)})
            if worth_of_section > 1
            else Sentence("worksheet.score_of_one")
        )
        score = [Score(score_text)] if worth_of_section else []
        yield replace(section, blocks=[*section.blocks, *score])


def _numbers(section: Section, language: str) -> list[str]:
    """The numbers of the blanks of a section."""
    numbers = [block.number for block in section.blocks if isinstance(block, Writing)]

    def note(gap: Gap) -> Any:
        numbers.extend([gap.content.number] if isinstance(gap.content, Blank) else [])
        return gap.content

    GapWalk(note, language).section(section)
    return numbers
