"""Printers: a written expression as text, as LaTeX, or in the plain grammar that ``--expr`` reads back; metrics: its width."""

from symparams.expressions.printing.latex import LatexPrinter
from symparams.expressions.printing.plain import plain
from symparams.expressions.printing.printer import Printer
from symparams.expressions.printing.text import TextPrinter

__all__ = ["LatexPrinter", "Printer", "TextPrinter", "plain"]
