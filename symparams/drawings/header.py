"""The header: what the model is called, what is changed of it, its parameters, those that one token uses, its sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import PICTURE_EDGE
from symparams.drawings.lettering.faces import PITCHES
from symparams.drawings.lettering.lettering import words
from symparams.drawings.marks import Anchor, Face, Text, TextLine, TextPiece
from symparams.expressions.symbols import by_reading

ABOVE_DRAWING = 11.0  # above the highest thing
BELOW_NAME = 2.0  # between the line of sizes and what stands above it
HEADER_PITCH = 10.5
MOST_CHANGES = 4
NAME_TO_TOTAL = 8.0  # between the name and the total


def header(context: DrawingContext, width: float, top: float) -> list[Text]:
    """The lines above a drawing: the name at the left, the numbers at the right, or below it where they do not fit beside.

    Below both stands what is changed of the model, and below that its sizes, as many as have room on a line.
    """
    sizes = sizes_of(context, width - 2 * PICTURE_EDGE)
    if sizes:
        line = Text(PICTURE_EDGE, top - ABOVE_DRAWING, sizes, Anchor.START)
        return [line, *_named(context, width, top - PITCHES[Face.NOTE] - BELOW_NAME)]
    return _named(context, width, top)


def sizes_of(context: DrawingContext, room: float) -> TextLine:
    """The sizes of a model in the order in which they are read, as many as a line has room for: V = 50,257 · h = 768."""
    line: TextLine = ()
    for size in sorted(context.model.dimensions, key=by_reading):
        if size not in context.model.values:
            return ()
        between = (TextPiece(" · ", Face.NOTE),) if line else ()
        longer = (
            *line,
            *between,
            TextPiece(size, Face.FORMULA),
            TextPiece(f" = {context.number(context.model.values[size])}", Face.NOTE),
        )
        if context.measure(longer) > room:
            break
        line = longer
    return line


def _named(context: DrawingContext, width: float, top: float) -> list[Text]:
    room = width - 2 * PICTURE_EDGE
    lines = totals(context, room)
    name = words(context.model.name, Face.TITLE, room + 3, context.measure, most=2).lines  # words leave a box 3 points free
    beside = room - NAME_TO_TOTAL - max((context.measure(line.pieces) for line in name), default=0.0)
    if len(lines) == 2:
        joined = (*lines[0], TextPiece(str(context.words.entry("signs.comma")), Face.NOTE), *lines[1])
        lines = [joined] if context.measure(joined) <= beside else lines
    widest = max((context.measure(line) for line in lines), default=0.0)
    is_beside = len(name) == 1 and widest <= beside
    changed = words(context.changes, Face.NAME, room + 3, context.measure, most=MOST_CHANGES).lines if context.changes else ()
    set_lines = [*reversed(lines)] if is_beside else [*reversed(lines), *reversed([line.pieces for line in name])]
    texts, y = [], top - ABOVE_DRAWING
    is_shared = is_beside and _has_room(context, changed, lines, room)
    for told in reversed(changed):
        texts.append(replace(told, x=PICTURE_EDGE, y=y, anchor=Anchor.START))
        y -= 0.0 if is_shared else HEADER_PITCH
    for line in set_lines:
        is_total = any(line is counted for counted in lines)
        scale = min(1.0, room / context.measure(line))
        x, anchor = (width - PICTURE_EDGE, Anchor.END) if is_total else (PICTURE_EDGE, Anchor.START)
        texts.append(Text(x, y, line, anchor, scale))
        y -= HEADER_PITCH if is_total else PITCHES[Face.TITLE]
    if is_beside:
        highest = y + HEADER_PITCH if lines else y
        texts.append(replace(name[0], x=PICTURE_EDGE, y=highest, anchor=Anchor.START))
    return texts


def _has_room(context: DrawingContext, changed: Sequence[Text], lines: Sequence[TextLine], room: float) -> bool:
    """True if what is changed fits on one line beside what one token uses."""
    return (
        len(changed) == 1
        and len(lines) > 1
        and context.measure(changed[0].pieces) + NAME_TO_TOTAL + context.measure(lines[-1]) <= room
    )


def totals(context: DrawingContext, room: float) -> list[TextLine]:
    """The total, and what one token uses of a mixture of experts; the word below the number where both are too wide."""
    total, active = context.derivation.total, context.derivation.active
    if total.count is None:
        return []
    number = TextPiece(context.counted(total.count, total.written), Face.TOTAL)
    word = context.sentence("parameters")
    whole: TextLine = (number, TextPiece(word, Face.NAME))
    lines: list[TextLine] = [whole] if context.measure(whole) <= room else [(number,), (TextPiece(word.strip(), Face.NAME),)]
    if active is None or active.count is None:
        return lines
    return [
        *lines,
        (TextPiece(context.sentence("for_one_token", number=context.counted(active.count, active.written)), Face.NOTE),),
    ]
