"""Printers: a written expression as text, as LaTeX, or in the plain grammar that ``--expr`` reads back."""

from symparams.printing.latex import LatexPrinter
from symparams.printing.plain import plain
from symparams.printing.printer import Printer
from symparams.printing.text import TextPrinter

__all__ = ["LatexPrinter", "Printer", "TextPrinter", "plain"]
