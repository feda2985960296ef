"""The grammar of --expr and --set: what is read, what it means, and how everything else is refused."""

from __future__ import annotations

import contextlib
from fractions import Fraction

import pytest
import sympy
from hypothesis import assume, example, given
from hypothesis import strategies as st

from symparams import derive_expression, load, render
from symparams.errors import DimensionError, ExpressionError, SymparamsError
from symparams.expressions.nodes import Dimension, Number
from symparams.expressions.notation import BY_KEY
from symparams.expressions.parsing import MOST_CHARACTERS, parse
from symparams.expressions.printing.plain import plain
from symparams.expressions.sympy_forms import to_sympy
from tests.strategies import expressions

L, V, h, n_heads = (BY_KEY[name].symbol for name in ("L", "V", "h", "n_heads"))

# The text, how it is printed back (order and grouping kept), and what it means.
READ = [
    ("7", "7", 7),
    ("007", "7", 7),
    ("30_522", "30522", 30_522),
    ("h", "h", h),
    ("hidden_size", "h", h),  # the keys of Hugging Face configs name the same dimension
    ("12*L*h**2 + 13*L*h", "12*L*h**2 + 13*L*h", 12 * L * h**2 + 13 * L * h),
    ("12·L·h² + 13·L·h − h", "12*L*h**2 + 13*L*h - h", 12 * L * h**2 + 13 * L * h - h),  # as the sheets print it
    ("3 × (h × h + h)", "3*(h*h + h)", 3 * h**2 + 3 * h),
    ("h^2", "h**2", h**2),
    ("h¹⁰", "h**10", h**10),
    (" h\t*\nV ", "h*V", V * h),
    ("(h)", "h", h),
    ("h + (V + L)", "h + (V + L)", L + V + h),
    ("h - (V - L)", "h - (V - L)", h - V + L),
    ("h - V - L", "h - V - L", h - V - L),
    ("h*(V*L)", "h*(V*L)", L * V * h),
    ("(h + V)*L", "(h + V)*L", L * (V + h)),
    ("-h", "-h", -h),
    ("-h**2", "-h**2", -(h**2)),  # as in Python, the power binds tighter than the sign
    ("(-h)**2", "(-h)**2", h**2),
    ("h*-V", "h*(-V)", -V * h),
    ("h--V", "h - (-V)", h + V),
    ("h/n_heads", "h/n_heads", h / n_heads),
    ("h/V*L", "(h/V)*L", L * h / V),
    ("h/(V*L)", "h/(V*L)", h / (V * L)),
    ("h/V/L", "(h/V)/L", h / (V * L)),
    ("h**0", "h**0", 1),
    ("(h**2)**3", "(h**2)**3", h**6),
]


@pytest.mark.parametrize(("text", "printed", "_"), READ)
def test_what_is_read_is_printed_as_it_was_written(text, printed, _):
    assert plain(parse(text, BY_KEY)) == printed


@pytest.mark.parametrize(("text", "_", "meaning"), READ)
def test_what_is_read_means_what_python_says(text, _, meaning):
    assert sympy.expand(to_sympy(parse(text, BY_KEY)) - meaning) == 0


# A dot stands for the sentence that says what the grammar is.
GRAMMAR = "an expression holds integers, known symbols, + - * / ** and parentheses."
FACTORS = "write '*' between two factors: 12*L*h**2."
SYMBOLS = "Known: V, h, L, n_heads, n_kv_heads, d_head, d_ff, max_pos, n_types, "
REFUSED = [
    ("", f"The expression is empty: {GRAMMAR}"),
    (" \t", f"The expression is empty: {GRAMMAR}"),
    ("h+", "Expression 'h+' ends where a number, a symbol or '(' is due."),
    ("*h", f"Expression '*h' has an unexpected '*' at character 1: {GRAMMAR}"),
    ("+h", f"Expression '+h' has an unexpected '+' at character 1: {GRAMMAR}"),
    ("()", f"Expression '()' has an unexpected ')' at character 2: {GRAMMAR}"),
    ("h)", f"Expression 'h)' has an unexpected ')' at character 2: {GRAMMAR}"),
    ("(h", "Expression '(h' leaves a '(' open; close it with ')'."),
    ("12L", f"Expression '12L' has an unexpected 'L' at character 3: {FACTORS}"),
    ("h V", f"Expression 'h V' has an unexpected 'V' at character 3: {FACTORS}"),
    ("1.5", f"Expression '1.5' has an unexpected '.' at character 2: {GRAMMAR}"),
    ("1e5h", f"Expression '1e5h' has an unexpected 'e5h' at character 2: {FACTORS}"),
    ("0x10", f"Expression '0x10' has an unexpected 'x10' at character 2: {FACTORS}"),
    ("1,000", f"Expression '1,000' has an unexpected ',' at character 2: {GRAMMAR}"),
    ("h//V", f"Expression 'h//V' has an unexpected '/' at character 3: {GRAMMAR}"),
    ("h = 3", f"Expression 'h = 3' has an unexpected '=' at character 3: {GRAMMAR}"),
    ("h(3)", "Expression 'h(3)' has an unexpected '(' at character 2: a symbol cannot be called; "
             "for a product write '*' before the '('."),
    ("d_f", "Expression 'd_f' names the unknown symbol 'd_f'. Did you mean 'd_ff'"),
    ("E", f"Expression 'E' names the unknown symbol 'E'. {SYMBOLS}"),  # to sympy's own parser, Euler's number
    ("h**2**3", "Expression 'h**2**3' has a power of a power; write one exponent, an integer up to 16."),
    ("9**9**9", "Expression '9**9**9' has a power of a power; write one exponent, an integer up to 16."),
    ("h**17", "Expression 'h**17': an exponent is an integer from 0 to 16, not '17'."),
    ("h**-1", "Expression 'h**-1': an exponent is an integer from 0 to 16, not '-'."),
    ("h**V", "Expression 'h**V': an exponent is an integer from 0 to 16, not 'V'."),
    ("h**", "Expression 'h**': an exponent is an integer from 0 to 16, not nothing."),
    ("h/(V+L)", "Expression 'h/(V+L)' divides by a sum; divide by a number or a product of symbols."),
    ("((9**16)**16)**16", "Expression '((9**16)**16)**16' multiplies out to more than "),
    ("(h+V)**16", "Expression '(h+V)**16' multiplies out to more than 4,000 terms "),
    ("9" * 41, "The number '99999999999999999999…' has 41 digits; 40 is the most that is read."),
    ("(" * 51 + "h" + ")" * 51, f"Expression '{'(' * 51}h))))))))…' is nested deeper than 50 levels; write it flatter."),
    ("-" * 51 + "h", f"Expression '{'-' * 51}h' is nested deeper than 50 levels; write it flatter."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_a_mistake_is_quoted_with_its_place_and_what_would_be_right(text, message):
    with pytest.raises(ExpressionError) as error:
        parse(text, BY_KEY)
    assert str(error.value).startswith(message)


HOSTILE = {
    "an import": "__import__('os').system('true')",
    "an attribute": "h.__class__",
    "a subclass walk": "().__class__.__bases__[0].__subclasses__()",
    "a lambda": "lambda: h",
    "an f-string": "f'{h}'",
    "a comparison": "h == V",
    "a walrus": "(h := 3)",
    "an index": "h[0]",
    "a comprehension": "[h for h in (1, 2)]",
    "a statement": "h; V",
    "a comment": "h # V",
    "Arabic digits": "٣*h",
    "full-width digits": "３*h",
    "a full-width letter": "ｈ",
    "a letter that normalizes to h": "ℎ",
    "a null byte": "h\0",
    "a byte order mark": "\ufeffh",
    "a zero-width space": "h\u200b*V",
    "half a surrogate pair": "\ud800",
    "superscripts alone": "²",
    "an exponent of many digits": "h" + "²" * 1_000,
    "a half-written number": "h**1_",
    "a power tower": "**".join("9" * 1_000),
    "parentheses without end": "(" * MOST_CHARACTERS,
    "divisions without end": "/".join("h" * (MOST_CHARACTERS // 2)),
    "a division by zero": "h/0",
    "a division by what is always zero": "h/(0*V)",
    "10 MB of parentheses": "(" * 10_000_000,
    "10 MB of digits": "9" * 10_000_000,
    "10 MB of spaces": " " * 10_000_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_refused_in_one_short_line(text):
    with pytest.raises(ExpressionError) as error:
        parse(text, BY_KEY)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 400


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


@pytest.mark.parametrize(
    "text",
    [
        "*".join(["h**16"] * 100),
        "+".join(f"1/{prime}**16" for prime in sympy.primerange(100, 2_500)),
        "+".join(f"h/{prime}**16" for prime in sympy.primerange(100, 2_500)),
    ],
    ids=["a product of powers", "a sum of fractions", "a sum of fractions of h"],
)
def test_a_result_longer_than_python_prints_is_refused_or_worked_out(text):
    with contextlib.suppress(SymparamsError):
        derivation = derive_expression(text, **({"h": 10**40 - 1} if "h" in text else {}))
        assert render(derivation, "text")
        assert str(derivation.model.count())


# What is no positive integer is refused by load() with the dimension's name, whatever its type.
VALUES = [
    (0, "h = '0' must be a positive integer: h counts something."),
    (-768, "h = '-768' must be a positive integer: h counts something."),
    (True, "h = 'True' must be a positive integer."),
    (768.0, "h = '768.0' must be a positive integer, not a float."),
    (float("nan"), "h = 'nan' must be a positive integer, not a float."),
    (None, "h = 'None' must be a positive integer, not a NoneType."),
    (b"768", "h = 'b'768'' must be a positive integer, not a bytes."),
    ([768], "h = '[768]' must be a positive integer, not a list."),
    (sympy.Symbol("h"), "No value follows for h: h needs h. Give an integer for one of them."),
    ("-768", "h = '-768' must be a positive integer: h counts something."),
    ("٧٦٨", "h = '٧٦٨' is not a positive integer or an expression such as 4*h. "),
    ("768.0", "h = '768.0' is not a positive integer or an expression such as 4*h. "),
    ("V - V", "h = V - V = 0 must be a positive integer: h counts something."),
    ("V/3", "h = V/3 is not an integer for V = 50257: choose values that divide."),
    ("V/0", "h = "),
    ("h", "No value follows for h: h needs h. Give an integer for one of them."),
    (10**40, "h = '100000000000000000000000000000…' has more than 40 digits, which no model has."),
    (10**5_000, "h = "),  # longer than Python prints
    (-(10**5_000), "h = "),
]


@pytest.mark.parametrize(("value", "message"), VALUES, ids=range(len(VALUES)))
def test_a_dimension_is_a_positive_integer(value, message):
    with pytest.raises(DimensionError) as error:
        load("gpt2", h=value)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("value", [768, "768", "768 ", "7_68", "3*256", "n_heads*64", sympy.Integer(768)])
def test_an_integer_is_read_in_any_spelling(value):
    assert load("gpt2", h=value).count() == 124_439_808


TARGETS = {
    "None": None,
    "a number": 7,
    "a bool": True,
    "bytes": b"gpt2",
    "a tuple": ("gpt2",),
    "an object": object(),
    "a symbol": sympy.Symbol("h"),
    "nothing": "",
    "a null byte": "\0",
    "1 MB": "x" * 10**6,
}


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_what_names_no_model_is_refused_in_one_short_line(target):
    with pytest.raises(SymparamsError) as error:
        load(target)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 400


FEATURES = {
    "None": None,
    "a number": 5,
    "a bare name": "tying",  # its letters are not the features meant
    "bytes": b"tying",
    "a list of None": [None],
    "a list of numbers": [1],
    "a list of lists": [["tying"]],
    "a null byte": ["\0"],
    "1 MB": ["x" * 10**6],
}


@pytest.mark.parametrize("features", FEATURES.values(), ids=FEATURES)
@pytest.mark.parametrize("option", ["include", "exclude"])
def test_features_are_names_in_a_list(option, features):
    with pytest.raises(SymparamsError) as error:
        load("gpt2", **{option: features})
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 400


class TestExponents:
    """300e9 is exact; no float is made of it, and nothing is guessed of a suffix."""

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("300e9", 3 * 10**11),
            ("3e11", 3 * 10**11),
            ("1.5e12", 15 * 10**11),
            ("1.5E+12", 15 * 10**11),
            ("1_000e3", 10**6),
            ("0.5e1", 5),
            ("1.50e1", 15),
            ("1e0009", 10**9),
            ("1e39", 10**39),
            ("9007199254740993e0", 2**53 + 1),  # which no float holds
        ],
    )
    def test_an_integer_with_an_exponent(self, text, value):
        assert parse(text, {}) == Number(value)
        assert load("gpt2").measure("training_flops", D=text, s=1) == load("gpt2").measure("training_flops", D=value, s=1)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("1.5e0", "The number '1.5e0' is no integer: write one, as 1536, 1.5e3 or 300e9."),
            ("1.25e1", "The number '1.25e1' is no integer: write one, as 1536, 1.5e3 or 300e9."),
            ("1e40", "The number '1e40' has 41 digits; 40 is the most that is read."),
            ("1e" + "9" * 900, "The number '1e999999999999999999…' has too many digits; 40 is the most that is read."),
            ("h**2e0", "Expression 'h**2e0': an exponent is an integer from 0 to 16, not '2e0'."),
            (
                "128k",
                "Expression '128k' has an unexpected 'k' at character 4: 'k' may mean 1,000 or 1,024; write 128e3 or 128*1024.",
            ),
            (
                "15T",
                "Expression '15T' has an unexpected 'T' at character 3: 'T' may mean 1,000,000,000,000 or 1,099,511,627,776; "
                "write 15e12 or 15*1024**4.",
            ),
            ("3e-2", "Expression '3e-2' has an unexpected 'e' at character 2: write '*' between two factors: 12*L*h**2."),
            ("3e9x", "Expression '3e9x' has an unexpected 'e9x' at character 2: write '*' between two factors: 12*L*h**2."),
        ],
    )
    def test_what_is_refused(self, text, message):
        with pytest.raises(ExpressionError) as error:
            parse(text, {"h": Dimension("h"), "e": Dimension("e")})
        assert str(error.value) == message

    def test_the_letter_e_stays_a_letter(self):
        e = Dimension("e")
        assert plain(parse("2*e + e*3", {"e": e})) == "2*e + e*3"
        assert plain(parse("1e3*e", {"e": e})) == "1000*e"

    @given(st.integers(0, 10**12), st.integers(0, 12), st.integers(0, 12))
    def test_any_of_them_is_the_fraction_that_it_says(self, number, places, exponent):
        digits = str(number).rjust(places + 1, "0")
        text = f"{digits[:-places]}.{digits[-places:]}e{exponent}" if places else f"{digits}e{exponent}"
        said = Fraction(number, 10**places) * 10**exponent
        if said.denominator == 1:
            assert parse(text, {}) == Number(int(said))
        else:
            with pytest.raises(ExpressionError, match="is no integer"):
                parse(text, {})
