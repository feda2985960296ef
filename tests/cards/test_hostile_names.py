"""A model of any name is shown by that name; nothing of it is run, nor taken for a field, a gap, a sound or a formula."""

from __future__ import annotations

import csv
import html
import re
from dataclasses import replace

import pytest

import symparams
from symparams.cards.collected import notes_of
from symparams.cards.csv_table import table
from symparams.cards.deck import package
from symparams.cards.markup import formula, prose
from symparams.errors import OptionError
from tests.markup import Elements

from .conftest import notes

NAMES = (
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "{{c1::h}} {{Answer}} {{FrontSide}} }} {{#Id}}",
    "a\"b'c&amp;d]]><!-- =1+1,;\t::deck::deck",
    r"\(\href{javascript:alert(1)}{x}\) \[x\] $$x$$ [sound:a.mp3] [latex]x[/latex] [$]x[/$]",
    "模型 \N{RIGHT-TO-LEFT OVERRIDE} x",
)
ELEMENTS = {"div", "p", "span", "hr", "ul", "li", "details", "summary", "style", "br", "code"}


def named(name: str, **sizes: int) -> symparams.Model:
    """A model whose config lies in a folder of this name."""
    model = symparams.load({"model_type": "gpt2"}, **sizes)
    return replace(model, origin=replace(model.origin, name=name))


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_shown_and_never_run(name, take_in, take_in_table, collection):
    """A deck and a table hold it; it has no say in where its cards lie."""
    model = named(name)
    deck = notes_of([model])
    for note in deck:
        assert note.deck.count("::") == 2
        assert not re.search(r"[\s\"'<>&{}]", "".join(note.tags) + note.place[0])
    assert take_in(package(deck)).new == len(deck)
    assert (take_in_table(table(deck)).new, collection.note_count()) == (0, len(deck))
    assert collection.fix_integrity()[1]
    for card in map(collection.get_card, collection.find_cards("tag:model::*")):
        for page in (card.question(), card.answer()):
            elements = Elements(page)
            assert elements.names <= ELEMENTS
            assert elements.attributes <= {"class", "id", "data-ordinal", "data-cloze", "open"}
            assert "{{" not in re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
            assert not card.question_av_tags()
            assert " ".join(model.name.split()) in elements.text.replace("\N{WORD JOINER}", "")
            assert r"\(\href" not in elements.text


def test_what_a_text_and_a_formula_become():
    for text, marked in [
        ("a < b & c", "a &lt; b &amp; c"),
        ("{{c1::x}}", "&#123;&#123;c1&#58;&#58;x&#125;&#125;"),
        ("[sound:x.mp3]", "&#91;sound:x.mp3&#93;"),
        (r"\(x\)", "&#92;&#8288;(x&#92;&#8288;)"),
    ]:
        assert prose(text) == marked
        assert html.unescape(marked).replace("\N{WORD JOINER}", "") == text
    for tex, marked in [
        (r"\frac{a}{b_{1}}", r"\(\frac{a}{b_{1} }\)"),
        (r"{{\underbrace{h}}}", r"\({ {\underbrace{h} } }\)"),
        (r"a &= b < c", r"\(a &amp;= b &lt; c\)"),
        (r"\text{a::b}", r"\(\text{a&#58;&#58;b}\)"),
    ]:
        assert formula(tex) == marked


def test_no_cell_of_a_table_is_a_formula_of_a_spreadsheet():
    def cells(notes):
        rows = csv.reader(line for line in table(notes).splitlines() if not line.startswith("#"))
        return [cell for row in rows for cell in row[1:]]

    every = cells(notes_of([named(" =cmd|' /C calc'!A0")]))
    assert "=cmd|' /C calc'!A0 · Total" in {html.unescape(cell).strip() for cell in every}
    assert not [cell for cell in every if cell.startswith(("=", "+", "-", "@"))]
    note = notes("gpt2")[-1]
    for text in ("=1", "+1", "-1", "@SUM(A1)"):
        shown = cells([replace(note, fields={**note.fields, "Source": text})])
        assert text not in shown
        assert text in map(html.unescape, shown)


def test_models_of_one_name():
    own, published = notes_of([named("gpt2")]), notes("gpt2")
    shared = {note.guid for note in own} & {note.guid for note in published}
    assert shared == {note.guid for note in published if not note.instance}, "a user's config is no published model"
    assert notes_of([named("gpt2"), named("gpt2")]), "the same sizes are the same model"
    with pytest.raises(OptionError, match="Two models are called 'mine': rename one"):
        notes_of([named("mine"), named("mine", h=1536)])
