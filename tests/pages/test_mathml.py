"""MathML and LaTeX: the first rendering, which Python writes, and what the browser writes over it are the same."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from symparams import derive, load
from symparams.expressions.notation import NOTATIONS
from symparams.expressions.printing.latex import LatexPrinter
from symparams.expressions.printing.mathml import MathmlPrinter, halves
from symparams.pages.pool import Formulas, PlaceTable
from symparams.sheets.catalogue import catalogue

TARGETS = ("bert", "deepseek-v3", "mamba", "t5")  # biases, experts and powers, quotients, two stacks
HIDDEN = NOTATIONS["hidden"]


def formulas(target):
    """Every formula of a derivation."""
    found = derive(load(target))
    for step in (*(each for section in found.sections for each in section.walk()), found.total):
        yield from (step.written, step.closed, step.quantity)


@pytest.mark.parametrize("target", TARGETS)
def test_both_printers_write_the_same(node, target):
    table, names = PlaceTable(), []

    def place(name: str) -> int:
        names.append(catalogue("en").called(str(name), is_short=True))
        return len(names) - 1

    pool, written = Formulas(table, lambda named: place(named.label), place), list(formulas(target))
    places = [pool.place(each) for each in written]
    letters = {d.name: [*halves(HIDDEN[d].latex), HIDDEN[d].latex, HIDDEN[d].text] for each in written for d in each.dimensions}
    answers = node(formulas={"entries": table.entries, "places": places, "letters": letters, "names": names})

    def label(name: str) -> str:
        return catalogue("en").called(str(name), is_short=True)

    mathml, latex = MathmlPrinter(HIDDEN, label), LatexPrinter(HIDDEN, label)
    assert [each["mathml"] for each in answers] == [mathml(each) for each in written]
    assert [each["latex"] for each in answers] == [latex(each) for each in written]


def test_the_markup_is_well_formed():
    for target in TARGETS:

        class Tags(HTMLParser):
            def __init__(self):
                super().__init__()
                self.open = []

            def handle_starttag(self, tag, attrs):
                self.open.append(tag)

            def handle_endtag(self, tag):
                assert self.open.pop() == tag

        for formula in formulas(target):
            tags = Tags()
            tags.feed(MathmlPrinter(HIDDEN, str)(formula))
            assert not tags.open


def test_a_letter_and_its_index_and_words_from_outside():
    for latex, expected in [
        ("h", ("h", "")),
        (r"d_{\text{ff}}", ("d", "ff")),
        (r"n_{\text{kv heads}}", ("n", "kv heads")),
        (r"\lambda", ("λ", "")),
    ]:
        assert halves(latex) == expected
    printed = MathmlPrinter(HIDDEN, lambda _: "</mtext><script>alert(1)</script>").words('<b>&"')
    assert printed == "<mtext>&lt;b&gt;&amp;&quot;</mtext>"
    assert not re.search(r"<[^m/]", printed)
