"""The parser for expressions from outside: numbers, known symbols, + - * / ** and parentheses, and nothing else.

    sum      = term (("+" | "-") term)*
    term     = unary (("*" | "/") unary)*
    unary    = "-" unary | power
    power    = atom ("**" integer)?
    atom     = integer | symbol | "(" sum ")" | ("floor" | "ceil") "(" sum ")" | "roundup" "(" sum "," term ")"
             | "min" "(" sum ("," sum)* ")"

The functions are for sizes, which may be rounded: roundup(8*h/3, 256) is the next multiple of 256; min is for a size that is
evaluated and never multiplied out. An integer
may have an exponent, 300e9 or 1.5e12, and is exact: no float is ever made of it.

It builds a written expression and computes nothing. What would be large to compute or to expand is refused while it
is read: long text, deep nesting, powers of powers, products with too many terms.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Union

from symparams.errors import ExpressionError, quoted, suggestion
from symparams.expressions.amounts import INTEGER, SUPERSCRIPTS, integer, is_suffix, without_suffix
from symparams.expressions.closed_form import is_rounded
from symparams.expressions.extent import LETTER, MOST_DIGITS, MOST_RESULT_DIGITS, MOST_TERMS, Measure
from symparams.expressions.nodes import (
    Ceiling,
    Dimension,
    Expression,
    Floor,
    Minimum,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
)
from symparams.expressions.written import exact
from symparams.records import frozen

MOST_CHARACTERS = 4_000
DEEPEST_NESTING = 50
LARGEST_EXPONENT = 16

ALIASES = str.maketrans({"·": "*", "×": "*", "−": "-", "^": "**"})
TOKEN = re.compile(rf"\s*(?:(?P<number>{INTEGER})|(?P<name>[^\W\d]\w*)|(?P<operator>\*\*|[-+*/(),])|(?P<other>\S))")
ROUNDINGS: Mapping[str, type[Floor] | type[Ceiling]] = {"floor": Floor, "ceil": Ceiling}
ROUND_UP, LEAST = "roundup", "min"
GRAMMAR = "an expression holds integers, known symbols, + - * / ** and parentheses"


@frozen
class Token:
    """A piece of the text and where it starts."""

    kind: str
    text: str
    position: int


Symbols = Union[Mapping[str, Dimension], Callable[[str], Dimension]]


def parse(text: str, symbols: Symbols, *, is_evaluated: bool = False, is_size: bool = False) -> Expression:
    """The written expression for ``text``; ExpressionError quotes the text and says where it went wrong.

    ``symbols`` are the names that it may speak of, or what makes a letter of any name. What ``is_size`` may round:
    floor(8*h/3), ceil(V/128), roundup(8*h/3, 256). A formula that ``is_evaluated``, and never multiplied out, may divide by a
    sum, too.
    """
    if len(text) > MOST_CHARACTERS:
        raise ExpressionError(f"The expression has {len(text):,} characters: write at most {MOST_CHARACTERS:,}.")
    return _Parser(text, symbols, is_evaluated=is_evaluated, may_round=is_evaluated or is_size).parse()


class _Parser:
    def __init__(self, text: str, symbols: Symbols, *, is_evaluated: bool, may_round: bool) -> None:
        self.text, self.symbols, self.is_evaluated, self.may_round = text, symbols, is_evaluated, may_round
        self.tokens = [_token(match) for match in TOKEN.finditer(_ascii(text))]
        self.next, self.depth = 0, 0

    def parse(self) -> Expression:
        if not self.tokens:
            raise ExpressionError(f"The expression is empty: {GRAMMAR}.")
        expression, _ = self.sum()
        if self.next < len(self.tokens):
            raise self.unexpected()
        return expression

    def sum(self) -> tuple[Expression, Measure]:
        first, measure = self.term()
        terms = [first]
        while operator := self.take("+", "-"):
            term, other = self.term()
            terms.append(Negative(term) if operator == "-" else term)
            measure = self.bounded(measure.plus(other))
        return (Sum(tuple(terms)) if len(terms) > 1 else first), measure

    def term(self) -> tuple[Expression, Measure]:
        first, measure = self.unary()
        factors, divisions = [first], 0
        while operator := self.take("*", "/"):
            factor, other = self.unary()
            if operator == "/":
                factors = [Quotient(factors[0] if len(factors) == 1 else Product(tuple(factors)), factor)]
                self.refuse_divisor(other, factor)
                divisions += 1
            else:
                factors.append(factor)
            measure = self.bounded(measure.times(other, divided=operator == "/"))
        if divisions > DEEPEST_NESTING:
            raise ExpressionError(f"{self.quote()} divides more than {DEEPEST_NESTING} times in a row; write it flatter.")
        return (Product(tuple(factors)) if len(factors) > 1 else factors[0]), measure

    def unary(self) -> tuple[Expression, Measure]:
        if self.take("-"):
            with_depth = self.deeper()
            operand, measure = self.unary()
            self.depth = with_depth - 1
            return Negative(operand), measure
        return self.power()

    def power(self) -> tuple[Expression, Measure]:
        base, measure = self.atom()
        if not self.take("**"):
            return base, measure
        exponent = self.exponent()
        if self.take("**"):
            raise ExpressionError(
                f"{self.quote()} has a power of a power; write one exponent, an integer up to {LARGEST_EXPONENT}."
            )
        return Power(base, exponent), self.bounded(measure.power(exponent))

    def exponent(self) -> int:
        token = self.peek()
        most = 2 * LARGEST_EXPONENT if self.is_evaluated else LARGEST_EXPONENT
        if token is None or not token.text.isdecimal() or len(token.text) > 3 or int(token.text) > most:
            wrong = quoted(token.text, 20) if token else "nothing"
            raise ExpressionError(f"{self.quote()}: an exponent is an integer from 0 to {most}, not {wrong}.")
        self.next += 1
        return int(token.text)

    def atom(self) -> tuple[Expression, Measure]:
        token = self.peek()
        if token is None:
            raise ExpressionError(f"{self.quote()} ends too early: a number, a symbol or '(' must follow.")
        if token.kind == "number":
            self.next += 1
            number = integer(token.text)
            return Number(number), Measure(digits=len(str(number)))
        if token.kind == "name" and self.may_round and token.text in ROUNDINGS:
            self.next += 1
            self.deeper()
            inner, measure = self.atom()
            self.depth -= 1
            return ROUNDINGS[token.text](inner), measure
        if token.kind == "name" and self.may_round and token.text == ROUND_UP:
            return self.rounded_up()
        if token.kind == "name" and self.is_evaluated and token.text == LEAST:
            return self.least()
        if token.kind == "name":
            return self.symbol(token), LETTER
        if token.text != "(":
            raise self.unexpected()
        return self.parenthesis()

    def symbol(self, token: Token) -> Expression:
        if not isinstance(self.symbols, Mapping):
            self.next += 1
            return self.symbols(token.text)
        if token.text not in self.symbols:
            roundings = (*ROUNDINGS, ROUND_UP) if self.may_round else ()
            names = dict.fromkeys([*(dimension.name for dimension in self.symbols.values()), *roundings])
            raise ExpressionError(
                f"{self.quote()} names the unknown symbol {quoted(token.text)}. {suggestion(token.text, names)}"
            )
        self.next += 1
        return self.symbols[token.text]

    def parenthesis(self) -> tuple[Expression, Measure]:
        self.next += 1
        self.deeper()
        inner = self.sum()
        self.depth -= 1
        self.close()
        return inner

    def close(self) -> None:
        if not self.take(")"):
            raise self.unexpected() if self.peek() else ExpressionError(f"{self.quote()} leaves a '(' open: close it with ')'.")

    def rounded_up(self) -> tuple[Expression, Measure]:
        """Return the next multiple, roundup(size, multiple), as people write it: 256 × ⌈8·h / 768⌉."""
        self.next += 1
        self.deeper()
        is_open = self.take("(")
        size, measure = self.sum() if is_open else (Number(0), LETTER)
        if not is_open or not self.take(","):
            raise ExpressionError(f"{self.quote()} rounds up without a multiple: write roundup(8*h/3, 256).")
        multiple, other = self.term()
        self.refuse_divisor(other, multiple)
        if not multiple.dimensions and not (isinstance(number := exact(multiple, {}), int) and number > 0):
            raise ExpressionError(
                f"{self.quote()} can round up only to multiples of a whole number from 1: write roundup(8*h/3, 256)."
            )
        self.depth -= 1
        self.close()
        rounded = Ceiling(_divided(size, multiple))
        return Product((multiple, rounded)), self.bounded(measure.times(other, divided=True).times(other))

    def least(self) -> tuple[Expression, Measure]:
        """Return the smallest of several, min(L, 3)."""
        self.next += 1
        self.deeper()
        if not self.take("("):
            raise self.unexpected() if self.peek() else ExpressionError(f"{self.quote()} ends too early: write min(L, 3).")
        first, measure = self.sum()
        sizes = [first]
        while self.take(","):
            other, of_other = self.sum()
            sizes.append(other)
            measure = self.bounded(measure.times(of_other))
        self.depth -= 1
        self.close()
        return Minimum(tuple(sizes)), measure

    def deeper(self) -> int:
        self.depth += 1
        if self.depth > DEEPEST_NESTING:
            raise ExpressionError(f"{self.quote()} is nested deeper than {DEEPEST_NESTING} levels; write it flatter.")
        return self.depth

    def bounded(self, measure: Measure) -> Measure:
        if measure.is_too_large:
            raise ExpressionError(
                f"{self.quote()} multiplies out to more than {MOST_TERMS:,} terms or "
                f"{MOST_RESULT_DIGITS:,} digits; write a smaller one."
            )
        return measure

    def refuse_divisor(self, measure: Measure, divisor: Expression) -> None:
        if is_zero(divisor):
            raise ExpressionError(f"{self.quote()} divides by zero; divide by a number or a product of symbols.")
        if self.may_round and not self.is_evaluated and is_rounded(divisor):
            raise ExpressionError(
                f"{self.quote()} divides by a rounded size, which may be 0; divide by a number or a product of symbols."
            )
        if measure.terms > 1 and not self.is_evaluated:
            raise ExpressionError(f"{self.quote()} divides by a sum; divide by a number or a product of symbols.")

    def take(self, *operators: str) -> str:
        token = self.peek()
        if token is None or token.kind != "operator" or token.text not in operators:
            return ""
        self.next += 1
        return token.text

    def peek(self) -> Token | None:
        return self.tokens[self.next] if self.next < len(self.tokens) else None

    def unexpected(self) -> ExpressionError:
        token = self.tokens[self.next]
        before = self.tokens[self.next - 1].kind if self.next else ""
        hint = GRAMMAR
        if token.text == "(" and before == "name":
            hint = "a symbol cannot be called; for a product write '*' before the '('"
        elif (
            before == "number"
            and isinstance(self.symbols, Mapping)
            and token.text not in self.symbols
            and is_suffix(token.text)
        ):
            hint = without_suffix(self.tokens[self.next - 1].text, token.text)
        elif before in ("number", "name") and token.kind in ("number", "name"):
            hint = f"write '*' between two factors: {self.tokens[self.next - 1].text}*{token.text}"
        elif before == "number" and token.text == "." and self.next + 1 < len(self.tokens):
            hint = self.exact(self.tokens[self.next - 1].text, self.tokens[self.next + 1].text)
        elif self.may_round and token.text == ",":
            hint = "roundup alone takes two, a size and what it is a multiple of: roundup(8*h/3, 256)"
        elif self.may_round and token.text == self.tokens[self.next - 1].text == "/":
            hint = "to round down write floor(8*h/3)"
        return ExpressionError(
            f"{self.quote()} has an unexpected {quoted(token.text)} at character {token.position + 1}: {hint}."
        )

    def exact(self, whole: str, decimals: str) -> str:
        """Return how to write a decimal number: 2.67 as 267/100."""
        if not (whole + decimals).isdecimal() or len(whole + decimals) > MOST_DIGITS:
            return GRAMMAR
        number = Fraction(f"{whole}.{decimals}")
        is_no_size = number.denominator > 1 and len(self.tokens) == 3  # which is all that is written
        return GRAMMAR if is_no_size else f"write {number} for {whole}.{decimals}"

    def quote(self) -> str:
        return f"Expression {quoted(self.text)}"


def _divided(size: Expression, divisor: Expression) -> Quotient:
    """Return one quotient of what may be one already: 8·h / 3 by 256 is 8·h / 768."""
    match size, divisor:
        case Quotient(numerator, Number(below)), Number(by):
            return Quotient(numerator, Number(below * by))
        case _:
            return Quotient(size, divisor)


def is_zero(divisor: Expression) -> bool:
    """True if a divisor, which is a single term, has 0 as a factor."""
    match divisor:
        case Number(value):
            return value == 0
        case Product(factors):
            return any(is_zero(factor) for factor in factors)
        case Power(base, exponent):
            return exponent > 0 and is_zero(base)
        case Quotient(inner, _) | Negative(inner):
            return is_zero(inner)
        case _:
            return False


def _ascii(text: str) -> str:
    """The operators that the tool itself prints (12·L·h²) as those of the grammar (12*L*h**2)."""
    powers = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda match: f"**{match[0].translate(SUPERSCRIPTS)}", text)
    return powers.translate(ALIASES)


def _token(match: re.Match[str]) -> Token:
    kind = str(match.lastgroup)
    text = match.group(kind)
    is_letter = kind != "name" or text.isidentifier()  # ½ is a word to a regular expression, and no letter to anyone
    return Token(kind if is_letter else "other", text, match.start(kind))
