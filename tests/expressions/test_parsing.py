"""The grammar of --expr and --set: what is read, what it means, and how everything else is refused."""

from __future__ import annotations

import contextlib
from fractions import Fraction

import pytest
import sympy
from hypothesis import assume, example, given
from hypothesis import strategies as st

from symparams import derive_expression, load, render
from symparams.errors import ExpressionError, SymparamsError
from symparams.expressions.nodes import Dimension, Number
from symparams.expressions.notation import BY_KEY
from symparams.expressions.parsing import MOST_CHARACTERS, parse
from symparams.expressions.printing.printer import plain
from symparams.expressions.sympy_forms import to_sympy
from symparams.expressions.written import evaluate
from tests.refusals import refusal
from tests.strategies import expressions

L, V, h, n_heads = (BY_KEY[name].symbol for name in ("L", "V", "h", "n_heads"))

# The text, how it is printed back (order and grouping kept), and what it means.
READ = [
    ("007", "7", 7),
    ("30_522", "30522", 30_522),
    ("h", "h", h),
    ("hidden_size", "h", h),  # the keys of Hugging Face configs name the same dimension
    ("12*L*h**2 + 13*L*h", "12*L*h**2 + 13*L*h", 12 * L * h**2 + 13 * L * h),
    ("12·L·h² + 13·L·h − h", "12*L*h**2 + 13*L*h - h", 12 * L * h**2 + 13 * L * h - h),  # as the sheets print it
    ("3 × (h × h + h)", "3*(h*h + h)", 3 * h**2 + 3 * h),
    ("h^2", "h**2", h**2),
    ("h¹⁰", "h**10", h**10),
    ("h + (V + L)", "h + (V + L)", L + V + h),
    ("h - (V - L)", "h - (V - L)", h - V + L),
    ("(h + V)*L", "(h + V)*L", L * (V + h)),
    ("-h", "-h", -h),
    ("-h**2", "-h**2", -(h**2)),  # as in Python, the power binds tighter than the sign
    ("(-h)**2", "(-h)**2", h**2),
    ("h*-V", "h*(-V)", -V * h),
    ("h--V", "h - (-V)", h + V),
    ("h/n_heads", "h/n_heads", h / n_heads),
    ("h/V*L", "(h/V)*L", L * h / V),
    ("h/(V*L)", "h/(V*L)", h / (V * L)),
    ("h**0", "h**0", 1),
    ("(h**2)**3", "(h**2)**3", h**6),
]


@pytest.mark.parametrize(("text", "printed", "meaning"), READ)
def test_what_is_read_is_printed_as_it_was_written_and_means_what_python_says(text, printed, meaning):
    assert plain(parse(text, BY_KEY)) == printed
    assert sympy.expand(to_sympy(parse(text, BY_KEY)) - meaning) == 0


GRAMMAR = "an expression holds integers, known symbols, + - * / ** and parentheses."
FACTORS = "write '*' between two factors: "
SYMBOLS = "Known: V, h, L, n_heads, n_kv_heads and "
REFUSED = [
    ("", f"The expression is empty: {GRAMMAR}"),
    ("h+", "Expression 'h+' ends too early: a number, a symbol or '(' must follow."),
    ("+h", f"Expression '+h' has an unexpected '+' at character 1: {GRAMMAR}"),
    ("()", f"Expression '()' has an unexpected ')' at character 2: {GRAMMAR}"),
    ("h)", f"Expression 'h)' has an unexpected ')' at character 2: {GRAMMAR}"),
    ("(h", "Expression '(h' leaves a '(' open: close it with ')'."),
    ("12L", f"Expression '12L' has an unexpected 'L' at character 3: {FACTORS}12*L."),
    ("h V", f"Expression 'h V' has an unexpected 'V' at character 3: {FACTORS}h*V."),
    ("1.5", f"Expression '1.5' has an unexpected '.' at character 2: {GRAMMAR}"),
    ("2.5*h", "Expression '2.5*h' has an unexpected '.' at character 2: write 5/2 for 2.5."),
    ("1,000", f"Expression '1,000' has an unexpected ',' at character 2: {GRAMMAR}"),
    ("h//V", f"Expression 'h//V' has an unexpected '/' at character 3: {GRAMMAR}"),
    ("h = 3", f"Expression 'h = 3' has an unexpected '=' at character 3: {GRAMMAR}"),
    ("h(3)", "Expression 'h(3)' has an unexpected '(' at character 2: a symbol cannot be called; "
             "for a product write '*' before the '('."),
    ("d_f", "Expression 'd_f' names the unknown symbol 'd_f'. Did you mean 'd_ff'"),
    ("E", f"Expression 'E' names the unknown symbol 'E'. {SYMBOLS}"),  # to sympy's own parser, Euler's number
    ("9**9**9", "Expression '9**9**9' has a power of a power; write one exponent, an integer up to 16."),
    ("h**17", "Expression 'h**17': an exponent is an integer from 0 to 16, not '17'."),
    ("h**-1", "Expression 'h**-1': an exponent is an integer from 0 to 16, not '-'."),
    ("h**", "Expression 'h**': an exponent is an integer from 0 to 16, not nothing."),
    ("h/(V+L)", "Expression 'h/(V+L)' divides by a sum; divide by a number or a product of symbols."),
    ("((9**16)**16)**16", "Expression '((9**16)**16)**16' multiplies out to more than "),
    ("(h+V)**16", "Expression '(h+V)**16' multiplies out to more than 4,000 terms "),
    ("9" * 41, "The number '99999999999999999999…' has 41 digits: write at most 40."),
    ("(" * 51 + "h" + ")" * 51, f"Expression '{'(' * 51}h))))))))…' is nested deeper than 50 levels; write it flatter."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_a_mistake_is_quoted_with_its_place_and_what_would_be_right(text, message):
    assert refusal(parse, text, BY_KEY).startswith(message)


HOSTILE = [
    "__import__('os').system('true')", "h.__class__", "().__class__.__bases__[0].__subclasses__()", "lambda: h", "f'{h}'",
    "h == V", "(h := 3)", "h[0]", "[h for h in (1, 2)]", "h; V", "h # V",
    "٣*h", "３*h", "ｈ", "ℎ", "h\0", "\ufeffh", "h\u200b*V", "\ud800",  # digits and letters that only look like these
    "²", "h" + "²" * 1_000, "h**1_", "**".join("9" * 1_000), "h/0", "h/(0*V)",
    "(" * MOST_CHARACTERS, "/".join("h" * (MOST_CHARACTERS // 2)), "(" * 10_000_000, "9" * 10_000_000, " " * 10_000_000,
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:20]))
def test_hostile_text_is_refused_in_one_short_line(text):
    assert len(refusal(parse, text, BY_KEY)) < 400


@given(st.text(max_size=60) | st.text(st.sampled_from("0123456789_hVL+-*/()²·×−^ "), max_size=24))
@example("h**1_")
@example("0/0")
def test_any_text_is_an_expression_or_an_expression_error(text):
    """And what is read of it is printed as something that reads back as the same value."""
    try:
        expression = parse(text, BY_KEY)
    except ExpressionError:
        return
    assert sympy.expand(to_sympy(parse(plain(expression), BY_KEY)) - to_sympy(expression)) == 0


@given(expressions())
def test_what_is_printed_reads_back_as_the_same_value(expression):
    try:
        again = parse(plain(expression), BY_KEY)
    except ExpressionError as error:
        assume("multiplies out" not in str(error))  # a power of powers, which no text stands for
        raise
    assert sympy.expand(to_sympy(again) - to_sympy(expression)) == 0


def test_a_result_longer_than_python_prints_is_refused_or_worked_out():
    primes = list(sympy.primerange(100, 2_500))
    products = "*".join(["h**16"] * 100), "+".join(f"h/{prime}**16" for prime in primes)
    for text in (*products, "+".join(f"1/{prime}**16" for prime in primes)):
        with contextlib.suppress(SymparamsError):
            derivation = derive_expression(text, **({"h": 10**40 - 1} if "h" in text else {}))
            assert render(derivation, "text")
            assert str(derivation.model.count())


# What is no positive integer is refused by load() with the dimension's name, whatever its type.
VALUES = [
    (0, "h = '0' must be a positive integer: h counts something."),
    (True, "h = 'True' must be a positive integer."),
    (768.0, "h = '768.0' must be a positive integer, not a float."),
    (float("nan"), "h = 'nan' must be a positive integer, not a float."),
    ([768], "h = '[768]' must be a positive integer, not a list."),
    (sympy.Symbol("h"), "No value follows for h: h needs h. Give an integer for one of them."),
    ("-768", "h = '-768' must be a positive integer: h counts something."),
    ("٧٦٨", "h = '٧٦٨' is not a positive integer or an expression such as 4*h. "),
    ("V - V", "h = V - V = 0 must be a positive integer: h counts something."),
    ("V/3", "h = V/3 is not an integer for V = 50257: choose values that divide."),
    ("h", "No value follows for h: h needs h. Give an integer for one of them."),
    (10**40, "h = '100000000000000000000000000000…' has more than 40 digits, which no model has."),
    (10**5_000, "h = "),  # longer than Python prints
]


def test_a_dimension_is_a_positive_integer_in_any_spelling():
    for value, message in VALUES:
        assert refusal(load, "gpt2", h=value).startswith(message)
    for value in (768, "768 ", "7_68", "3*256", "n_heads*64", sympy.Integer(768)):
        assert load("gpt2", h=value).count() == 124_439_808, value


NO_MODELS = [None, 7, True, b"gpt2", ("gpt2",), object(), sympy.Symbol("h"), "", "\0", "x" * 10**6]
NO_FEATURES = [None, 5, "tying", b"tying", [None], [1], [["tying"]], ["\0"], ["x" * 10**6]]  # the letters of a name are none


def test_what_names_no_model_or_no_features_is_refused_in_one_short_line():
    asked = [(target, {}) for target in NO_MODELS]
    asked += [("gpt2", {option: names}) for names in NO_FEATURES for option in ("include", "exclude")]
    for target, options in asked:
        assert len(refusal(load, target, **options)) < 400


EXPONENTS = {
    "300e9": 3 * 10**11,
    "1_000e3": 10**6,
    "1e0009": 10**9,
    "9007199254740993e0": 2**53 + 1,  # which no float holds
}


def test_an_integer_may_have_an_exponent():
    """300e9 is exact; no float is made of it, and the letter e stays a letter."""
    assert {text: parse(text, {}) for text in EXPONENTS} == {text: Number(value) for text, value in EXPONENTS.items()}
    tokens = load("gpt2").measure("training_flops", D=3 * 10**11, s=1)
    assert load("gpt2").measure("training_flops", D="300e9", s=1) == tokens
    e = Dimension("e")
    assert plain(parse("2*e + e*3", {"e": e})) == "2*e + e*3"
    assert plain(parse("1e3*e", {"e": e})) == "1000*e"


NO_SUFFIX_AND_NO_FRACTION = [
    ("1.25e1", "The number '1.25e1' is not an integer: write 1536, 1.5e3 or 300e9."),
    ("1e40", "The number '1e40' has 41 digits: write at most 40."),
    ("1e" + "9" * 900, "The number '1e999999999999999999…' has too many digits: write at most 40."),
    ("h**2e0", "Expression 'h**2e0': an exponent is an integer from 0 to 16, not '2e0'."),
    ("128k", "Expression '128k' has an unexpected 'k' at character 4: 'k' may mean 1,000 or 1,024; write 128e3 or 128*1024."),
    ("3e-2", "Expression '3e-2' has an unexpected 'e' at character 2: write '*' between two factors: 3*e."),
]  # fmt: skip


def test_no_suffix_and_no_fraction_is_guessed():
    for text, message in NO_SUFFIX_AND_NO_FRACTION:
        assert refusal(parse, text, {"h": Dimension("h"), "e": Dimension("e")}) == message


@given(st.integers(0, 10**12), st.integers(0, 12), st.integers(0, 12))
def test_a_number_is_the_fraction_that_its_digits_say(number, places, exponent):
    digits = str(number).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}e{exponent}" if places else f"{digits}e{exponent}"
    value = Fraction(number, 10**places) * 10**exponent
    if value.denominator == 1:
        assert parse(text, {}) == Number(int(value))
    else:
        assert "is not an integer" in refusal(parse, text, {})


ROUNDED = [
    ("roundup(8*h/3, 256)", "256*ceil((8*h)/768)", 11_008),
    ("roundup(h/n_heads, 2**7)", "2**7*ceil((h/n_heads)/2**7)", 128),
    ("2*roundup(h, 1000) + 3", "2*(1000*ceil(h/1000)) + 3", 10_003),
    ("floor(8*h/3)", "floor((8*h)/3)", 10_922),
    ("ceil(8*h/3)", "ceil((8*h)/3)", 10_923),
]
NOT_ROUNDED = [
    ("roundup(h)", "rounds up without a multiple: write roundup(8*h/3, 256)."),
    ("roundup(h, 0)", "divides by zero; divide by a number or a product of symbols."),
    ("roundup(h, L+1)", "has an unexpected '+' at character 13"),
    ("h/floor(L/100)", "divides by a rounded size, which may be 0; divide by a number or a product of symbols."),
    ("roundup(h, ceil(0))", "divides by a rounded size, which may be 0; divide by a number or a product of symbols."),
]


def test_a_size_may_be_rounded():
    values = {BY_KEY["h"]: 4096, BY_KEY["n_heads"]: 32}
    for text, written, value in ROUNDED:
        size = parse(text, BY_KEY, is_size=True)
        assert (plain(size), evaluate(size, values)) == (written, value), text
    for text, message in NOT_ROUNDED:
        assert message in refusal(parse, text, BY_KEY, is_size=True), text
    assert "names the unknown symbol 'floor'" in refusal(parse, "floor(h)", BY_KEY)
