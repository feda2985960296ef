"""The value of an expression by Python's own parser and fractions: nothing here knows how the package reads one."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Mapping
from fractions import Fraction

LEADING_ZEROS = re.compile(r"(?<![\w])0[0_]*(?=[0-9])")  # 007 is 7 to people, and an error to Python
SPELLED = str.maketrans({"·": "*", "×": "*", "−": "-", "^": "**"} | {raised: f"**{n}" for n, raised in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")})


def evaluate(text: str, values: Mapping[str, int]) -> Fraction:
    """The value of a text that Python can read once its signs are Python's."""
    flat = LEADING_ZEROS.sub("", " ".join(text.translate(SPELLED).split()))
    named = {unicodedata.normalize("NFKC", name): value for name, value in values.items()}  # as Python reads names: µ is μ
    return _value(ast.parse(flat, mode="eval").body, named)


def _value(node: ast.expr, values: Mapping[str, int]) -> Fraction:
    match node:
        case ast.Constant(value=int(number)):
            return Fraction(number)
        case ast.Constant(value=float(number)):  # 1.5e3, which is exact as it is printed: none is drawn of more digits
            return Fraction(repr(number))
        case ast.Name(id=name):
            return Fraction(values[name])
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, values)
        case ast.BinOp(left=left, op=op, right=right):
            return _combined(op, _value(left, values), _value(right, values))
    raise ValueError(ast.dump(node))


def _combined(op: ast.operator, a: Fraction, b: Fraction) -> Fraction:
    match op:
        case ast.Add():
            return a + b
        case ast.Sub():
            return a - b
        case ast.Mult():
            return a * b
        case ast.Div():
            return a / b
        case ast.Pow():
            return a ** int(b)
    raise ValueError(ast.dump(op))
