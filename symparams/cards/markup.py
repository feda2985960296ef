r"""The markup of a field: HTML with formulas for MathJax, and nothing in it that Anki, a browser or MathJax would run.

What comes from outside, as the name of a model, is text to all three: <, & and quotes stand as entities, and so do { } [ ] and
::, by which Anki knows fields, gaps, sounds and LaTeX. In a formula, two braces are kept apart: \frac{a}{b_{1} }.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from symparams.expressions.nodes import Expression, Number
from symparams.expressions.printing.em import EmMetric
from symparams.expressions.printing.latex import LatexPrinter
from symparams.expressions.printing.nodes import Scaled
from symparams.expressions.printing.text import TextPrinter
from symparams.formats.format import Markup, Options, PageWidths
from symparams.formats.sheet import Sheet
from symparams.sheets.document import Display, Document, Equation, Link
from symparams.sheets.values import Value
from symparams.sheets.words import Run

LINE = 24.0  # em: a formula on a desk; a telephone lets it scroll
ENTITIES = str.maketrans({"{": "&#123;", "}": "&#125;", "[": "&#91;", "]": "&#93;", "\\": "&#92;&#8288;"})
COLONS = re.compile(":(?=:)|(?<=:):")
BRACKET = re.compile(r"\[(?!t\])")  # which begins a sound, or a formula that LaTeX would set; [t] is MathJax's
OPENING, CLOSING = re.compile(r"\{(?=\{)"), re.compile(r"\}(?=\})")


def prose(text: str) -> str:
    r"""Text from outside; a backslash has an invisible joiner behind it, or MathJax would read \( as a formula's beginning."""
    return COLONS.sub("&#58;", html.escape(re.sub(r"\s+", " ", text)).translate(ENTITIES))


def formula(tex: str) -> str:
    r"""A formula as MathJax reads it, \( … \), which no gap of Anki's ends."""
    apart = CLOSING.sub("} ", OPENING.sub("{ ", " ".join(tex.split())))
    return rf"\({COLONS.sub('&#58;', BRACKET.sub('&#91;', html.escape(apart, quote=False)))}\)"


class MathJaxPrinter(LatexPrinter):
    r"""Formulas as MathJax reads them: within \text it takes all characters but these four as they are."""

    def words(self, words: str) -> str:
        escaped = re.sub(r"[\\{}$]", r"\\\g<0>", words).replace("%", r"$\%$").replace("×", r"$\times$")
        return rf"\text{{{escaped}}}"


class Field(Sheet):
    """A document whose values are set one by one, as parts of a field."""

    def __init__(self, document: Document) -> None:
        super().__init__(document, MARKUP, Options())
        self.plain = TextPrinter(document.letters, self.words.label, self.words.named, self.head["grouping"])

    def _marked(self, run: Run, space: str) -> str:
        """A number by itself is text, as it is to any program that sets no formulas."""
        return prose(self.plain(run)) if isinstance(run, (Number, Scaled)) else super()._marked(run, space)

    def _math(self, formula_: str, *, is_kept: bool = False) -> str:
        return formula(formula_)

    def sentences(self, values: Iterable[Value]) -> str:
        """Sentences, one after another."""
        return self.marked(self.words.paragraph(values))

    def alone(self, expression: Expression) -> str:
        """A formula by itself, in lines where it is long."""
        return self.equations([Equation(None, [Link(expression)], in_a_row=True)])

    def equations(self, equations: Iterable[Equation]) -> str:
        """Equations below one another, aligned."""
        lines = self.lines(Display(list(equations)))
        if len(lines) == 1:
            return formula(f"{lines[0].left} {lines[0].right}".strip())
        rows = r" \\ ".join(f"{line.left} &{line.right}" for line in lines)
        return formula(rf"\begin{{aligned}}[t]{rows}\end{{aligned}}")


MARKUP = Markup(
    printer=MathJaxPrinter,
    metric=EmMetric,
    room=lambda _options, _head: PageWidths(LINE, LINE, LINE),
    escape=prose,
    code=lambda text: f"<code>{prose(text)}</code>",
    inline=(r"\(", r"\)"),
)


@cache
def _macros() -> Any:
    from symparams.formats.rendering import environment

    return environment().get_template("cards/fields.j2").module


def field(macro: str, *values: object) -> str:
    """Return the output of a macro of the fields' template, on one line; the texts are marked up already."""
    return re.sub(r"\s*\n\s*", "", str(getattr(_macros(), macro)(*values)))
