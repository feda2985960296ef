"""Plain text with Unicode: 3 × (h × h + h), 12·L·h² + 13·L·h."""

from __future__ import annotations

from typing import ClassVar

from symparams.expressions.nodes import Named, Power
from symparams.expressions.notation import COUNT
from symparams.expressions.printing.form import POWER
from symparams.expressions.printing.printer import Printer

SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class TextPrinter(Printer):
    """Formulas for a terminal; what is under a brace has its name behind it, in brackets."""

    signs: ClassVar = {**Printer.signs, "-": " − "}

    def power(self, power: Power) -> str:
        return self.write(power.base, POWER) + str(power.exponent).translate(SUPERSCRIPTS)

    def brace(self, inner: str, label: str) -> str:
        return f"{inner} [{label}]"

    def part(self, written: str, label: str, *, is_last: bool) -> str:
        return self.brace(written, label) if is_last else written

    def quantity(self, quantity: Named) -> str:
        label = self.named(quantity)
        return f"{self.counted(quantity)}({label})" if label else COUNT
