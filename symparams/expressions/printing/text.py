"""Plain text with Unicode: 3 × (h × h + h), 12·L·h² + 13·L·h."""

from __future__ import annotations

from unicodedata import east_asian_width

from symparams.expressions.printing.printer import Printer

SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class TextPrinter(Printer):
    """Columns of a terminal are the unit of width; a wide (Chinese) character takes two."""

    minus = " − "

    def power(self, base: str, exponent: int) -> str:
        return base + str(exponent).translate(SUPERSCRIPTS)

    def brace(self, inner: str, label: str) -> str:
        return f"{inner} [{label}]"

    def quantity(self, label: str) -> str:
        return f"N({label})" if label else "N"

    def width(self, written: str) -> float:
        return columns(written)


def columns(written: str) -> int:
    """How many columns of a terminal the text takes."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in written)
