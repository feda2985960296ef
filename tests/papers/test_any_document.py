"""Whatever a document holds: outside of its blocks it stays as it is, twice is once, a marker alone is told with its line."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from symparams.errors import DocumentError
from symparams.papers.documents import SourceDocument
from symparams.papers.embedding import embed
from symparams.papers.kinds import LATEX, MARKDOWN, DocumentType, Printed
from symparams.papers.markers import blocks

BOM = "\ufeff"
MARKERS = {
    MARKDOWN: ("<!-- symparams: {} -->", "<!-- /symparams -->"),
    LATEX: ("% symparams: {}", "% /symparams"),
}
KINDS = st.sampled_from([MARKDOWN, LATEX])
NEWLINES = st.sampled_from(["\n", "\r\n"])
# Prose holds neither what marks code nor what begins a comment.
PROSE = st.text(st.characters(codec="utf-8", exclude_characters="\n\r`~\\%<"), max_size=12)
CONTENTS = st.lists(PROSE, min_size=1, max_size=4)


def document(kind: DocumentType, text: str) -> SourceDocument:
    return SourceDocument(f"paper{kind.endings[0]}", text.encode("utf-8"), kind)


def shouting(command: str, _document: SourceDocument) -> Printed:
    """What the commands of these documents print: their own name in capitals, each word of it a line."""
    return Printed(command.upper().replace(" ", "\n"), _document.kind.format)


def file(document: SourceDocument) -> str:
    return document.content.decode("utf-8")


@st.composite
def documents(draw, kind: DocumentType):
    """A document with some blocks, and what it has to become but for the checksums."""
    newline, opening, closing = draw(NEWLINES), *MARKERS[kind]
    before, after = [draw(st.sampled_from(["", BOM]))], []
    after += before
    for _ in range(draw(st.integers(0, 4))):
        prose = [f"{line}{newline}" for line in draw(st.lists(PROSE, max_size=3))]
        name = draw(st.sampled_from(["a", "b c"]))
        indent = draw(st.sampled_from(["", "  ", "> "] if kind is MARKDOWN else ["", "\t"]))
        start, end = f"{indent}{opening.format(name)}{newline}", f"{indent}{closing}{newline}"
        old = [f"{indent}{line}{newline}" for line in draw(CONTENTS)]
        lines = name.upper().split()
        new = ["", *lines, ""] if kind.apart else lines
        before += [*prose, start, *old, end]
        after += [*prose, start, *(f"{indent if line else indent.rstrip()}{line}{newline}" for line in new), end]
    last = draw(PROSE)
    return "".join([*before, last]), "".join([*after, last])


def without_checksums(text: str) -> str:
    return re.sub(r"(/symparams) [0-9a-f]{8}", r"\1", text)


@given(st.data(), KINDS)
def test_blocks_change_and_nothing_else(data, kind):
    before, after = data.draw(documents(kind))
    done = embed(document(kind, before), shouting)
    assert without_checksums(file(done.after)) == after
    assert done.kept == ()
    assert embed(done.after, shouting).is_current


@given(st.data(), KINDS)
def test_a_marker_less_or_one_twice_is_told_with_a_line_of_the_file(data, kind):
    before, _ = data.draw(documents(kind))
    lines = re.findall(r"[^\n]*\n|[^\n]+", before)
    marked = [number for number, line in enumerate(lines) if re.search("[<%].*symparams", line)]
    assume(marked)
    number = data.draw(st.sampled_from(marked))
    lines[number : number + 1] = [lines[number]] * data.draw(st.sampled_from([0, 2]))
    with pytest.raises(DocumentError) as told:
        embed(document(kind, "".join(lines)), shouting)
    line = re.match(rf"paper\{kind.endings[0]}:(\d+): ", str(told.value))
    assert line
    assert "symparams" in "".join(lines).split("\n")[int(line[1]) - 1]


SCRAPS = [
    *("```", "~~~", "`", "``", "\n", "\n", "\r\n", "\r", "> ", "- ", "    ", " ", "\\", "%", "a", "é", "模", "\x0b", "\u2028"),
    *("<!-- symparams: a -->", "<!-- symparams: b c -->", "<!-- /symparams -->", "<!-- /symparams 0123abcd -->", "<!--", "-->"),
    *("<!-- symparams:", "% symparams: a\n", "% /symparams\n", "\\begin{verbatim}", "\\end{verbatim}", "\\verb|", "|"),
]
TEXTS = st.lists(st.sampled_from(SCRAPS), max_size=25).map("".join)


def skeleton(text: str, kind: DocumentType) -> str:
    """A text without what stands in its blocks, and without their closing markers."""
    at, parts = 0, []
    for block in blocks(text, kind):
        parts += [text[at : block.content.start], text[block.content.end : block.closing.start]]
        at = block.closing.end
    return "".join([*parts, text[at:]])


@given(TEXTS, TEXTS, KINDS)
@example("`<!-- symparams: a --><!-- /symparams -->", "`<!-- symparams: a -->", MARKDOWN)
def test_any_text_is_refused_whole_or_keeps_what_is_its_own(text, content, kind):
    """Even where a command prints markers."""
    done = None
    with suppress(DocumentError):
        done = embed(document(kind, text), lambda *_: Printed(content, kind.format), is_forced=True)
    if done is None:
        return
    assert skeleton(file(done.after), kind) == skeleton(text, kind)
    assert embed(done.after, lambda *_: Printed(content, kind.format)).is_current
