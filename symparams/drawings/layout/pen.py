"""The pen: the canvas of a spine."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from symparams.drawings.canvas import MOST_PILL_LINES, Canvas
from symparams.drawings.context import Labels
from symparams.drawings.layout.strips import strip
from symparams.drawings.lettering.lettering import AIR, Lettered, words
from symparams.drawings.marks import Face, Rectangle
from symparams.drawings.outline.parts import AlternatingLayers, Block, LayerStack
from symparams.drawings.panels.facts import block_facts, named_on_spine

MOST_OF_BLOCKS = 4  # lines of a block: its name, its formula in two, its count


class Layout(StrEnum):
    """The shape of a drawing: as wide as a column of print, with panels at both sides, or the one of the two that suits it."""

    TALL = "tall"
    WIDE = "wide"
    AUTO = "auto"


@dataclass
class Pen(Canvas[Block]):
    """The spine of a drawing so far; with panels beside it, or without."""

    reads_pills: bool = True
    pill_lines: int = 2
    has_panels: bool = True
    tells_parts: bool = True  # whether what is in the blocks was asked for
    layout: Layout = Layout.TALL
    is_stacks: bool = False  # whether a stack is one box
    is_on_sheet: bool = False  # where the numbers are those of the steps, and a short picture saves a page
    has_encoder: bool = False  # whether what cross-attention reads is in the drawing, so that a wire says it
    lowest: float = 0.0  # where the layers of all columns begin, as far as is asked for or as these ask for
    copies: dict[str, Rectangle] = field(default_factory=dict)  # of tables that two columns read

    def called(self, part: Block) -> str:
        """The name of a part in a figure of a paper."""
        return named_on_spine(self.context, part.component, part.path)

    def letter(self, part: Block, width: float) -> Lettered:
        """The lines of a box, and how it attends, where no panel says it and the parts of a block are asked for."""
        lettered = self._letter(part, width)
        facts = block_facts(self.context, part.component) if self.tells_parts and not self.has_panels else ""
        if not facts:
            return lettered
        sentence = self.context.sentence("attention.besides", facts=facts)
        return lettered.above(words(sentence, Face.COUNT, width, self.context.measure, most=MOST_PILL_LINES, air=AIR))

    def _letter(self, part: Block, width: float) -> Lettered:
        """A name, a formula, a count; a long formula of a block is left to its panel, or out, where there is a count for it."""
        is_left = bool(part.component.body) and self.context.labels is Labels.BOTH
        is_left = is_left and self.context.step(part.path, part.component).value is not None
        lettered = self.context.lettered(part.path, part.component, width, self.called(part))
        if is_left and (self.has_panels or len(lettered.lines) > MOST_OF_BLOCKS):
            return self.context.lettered(part.path, part.component, width, self.called(part), 1)
        return lettered

    def strip(self, stack: LayerStack | AlternatingLayers, width: float) -> tuple[Lettered, str]:
        """The lines of a stack's strip, and what is read aloud of it."""
        return strip(self.context, stack, width)

    def where(self, path: str) -> Rectangle:
        """Return the place of a part, or of the box that holds it."""
        return self.places.get(path) or self.where(path.rpartition(".")[0])
