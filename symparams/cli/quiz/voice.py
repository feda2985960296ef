"""The voice of a quiz: sentences, formulas and equations said in a language and in the letters of a notation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from symparams.cli.output import tell
from symparams.cli.quiz.speech import Speech
from symparams.expressions.notation import Letters, letters
from symparams.expressions.printing.metric import columns
from symparams.formats.format import Options
from symparams.formats.sheet import Sheet
from symparams.formats.text.writer import MARKUP, aligned, wrap
from symparams.models.model import Model
from symparams.practice.question import Question
from symparams.sheets.document import Block, Display, Document, Equation
from symparams.sheets.practice.questions import answered
from symparams.sheets.values import Value

INDENT, DEEPER, GAP = 2, 4, 2


class Voice:
    """The voice of a conversation on its streams; ``about`` chooses the letters of the model."""

    def __init__(self, speech: Speech, language: str, notation: str = "hidden", own: Mapping[str, str] | None = None) -> None:
        self.speech, self.language, self.notation, self.own = speech, language, notation, own or {}
        self.document = Document("quiz", language, None, None, ())
        self.sheet = self._sheet()

    def about(self, model: Model) -> Letters:
        """From here on a model is spoken of."""
        keys = {dimension: model.key(dimension) for dimension in model.dimensions}
        shown = letters(self.notation, self.own, model.dimensions, keys)
        self.document = replace(self.document, letters=shown, subject=model)
        self.sheet = self._sheet()
        return shown

    def text(self, values: Sequence[Value]) -> str:
        """Values as a line."""
        return self.sheet.marked(self.sheet.words.paragraph(values)).strip()

    def say(self, values: Sequence[Value], colour: str = "", indent: int = INDENT) -> None:
        """Values as a paragraph."""
        text = self.text(values)
        lines = wrap(text, self.speech.width - indent) if self.speech.wraps else [text]
        self.speech.say("\n".join(" " * indent + line for line in lines), colour)

    def head(self, number: str, values: Sequence[Value], name: str) -> None:
        """The line above a question, a name at its right."""
        left = f"{number}  {self.text(values)}"
        room = max(GAP, self.speech.width - columns(left) - len(name))
        is_room = columns(left) + GAP + len(name) <= self.speech.width
        lines = wrap(left, self.speech.width) if self.speech.wraps else [left]
        shown = f"{left}{' ' * room}{name}" if is_room else "\n".join(lines)
        self.speech.say(f"\n{shown}", "faint")

    def steps(self, question: Question) -> None:
        """The steps of the sheet behind an answer."""
        if not question.steps and not question.by_steps.dimensions:
            return  # a number of which nothing is worked out, 0
        blocks: list[Block] = list(answered(question, self.language))
        for block in blocks:
            if isinstance(block, Equation):
                lines = aligned(self.sheet.lines(Display([block])), self.sheet.room.formula)
                self.speech.say("\n".join(" " * DEEPER + line for line in lines))

    def warn(self, value: Value) -> None:
        """A sentence for whoever watches, beside the conversation."""
        tell(f"symparams: {self.text([value])}")

    def _sheet(self) -> Sheet:
        return Sheet(self.document, MARKUP, Options(width=self.speech.width))
