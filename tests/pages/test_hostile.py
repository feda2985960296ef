"""Texts that nobody should type, in fields and addresses: the count is Python's, or neither has one; nothing is run."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from random import Random
from urllib.parse import quote, urlencode

import pytest

from symparams import SymparamsError, load
from symparams.models.model import Origin
from tests.pages.cases import Setting, answer_of, measured, setting
from tests.pages.test_browser import CHOOSE, opened  # noqa: F401 - a fixture
from tests.refusals import refusal


def browsers(test):
    """A test that needs Chromium."""
    return pytest.mark.browser(pytest.mark.xdist_group("browser")(test))


TEXTS = (
    # numbers that are none, and numbers that look as if they were none
    "٣٢", "１２", "৪", "𝟙𝟚", "²", "Ⅻ", "½", "∞", "NaN", "1e5", "1e+2", "1.5e3", "1.50e1", "1_0e2", "1e0", "1.5e0", "2e40",
    "1e-3", "0x10", "1n", "-768", "+768", "--768", "768.0", "0", "-0", "00768", "0" * 41, "7 68", "7,68", "30,522", "30，522",
    "4*1,000", "1_000", "_1", "1__0", "1_", "9" * 31, "9" * 40, "9" * 41, "9" * 41 + "/9", "9" * 5_000, "1" + "0" * 40,
    "0*1" + "0" * 39 + "+12",
    # signs that are not seen
    "\u202e768\u202c", "7\u200b68", "768\u200b", "\ufeff768", "768\ufeff", "\xa0768", "\u2003768", "768\x1c", "\x85768",
    "7\u00ad68", "\x00", "\n768\t", " 768 ", "\u2066h\u2069", "h\u0301", "\ud7ff", "", " ",
    # formulas
    "h", "4*h", "4·h", "4×h", "h=h", "768=768", "h+1", "h−1", "h–1", "4h", "4(h)", "4*（h）", "h*-1", "h²", "h⁴", "2⁵", "2¹⁰",
    "2²*3", "2∙3", "h^9^9", "9^9", "2**10", "2**4**2", "9**9**9", "2**17", "2**016", "2**0016", "2**1_0", "2**1e1", "2**-1",
    "2**(3)", "2**", "**2", "h/0", "0/0", "h/(1-1)", "h/(0*h)", "12/0**0", "12/(2+1)", "12/(2+1)**0", "12/-0", "12/(0/3)",
    "1/3", "12/4", "12/-4", "-12/-4", "h//2", "12" + "/1" * 50, "12" + "/1" * 51, "(1+1)**11", "(1+1)**12",
    "(1+1)**4*(1+1)**4*(1+1)**4", "1" + "+1" * 95, "0+" * 1_990 + "12", "0+" * 1_997 + "12", "0+" * 2_000 + "12",
    "(" * 50 + "12" + ")" * 50, "(" * 51 + "12" + ")" * 51, "(" * 5_000, "-" * 50 + "12", "-" * 51 + "12",
    "(" + "-" * 49 + "12)", "((12)", "12)", "()", "*".join(["h**16"] * 6) + "/h**16", "*".join(["h**16"] * 7),
    "floor(h/3)", "ceil(h/7)*12", "roundup(8*h/3, 64)", "2*roundup(h/n_heads, n_heads)", "roundup(roundup(h, 5), 12)",
    "roundup(h)", "roundup h, 2", "roundup(h, 0)", "roundup(h, L+1)", "roundup(h, 12", "roundup(h, ceil(0))", "h/floor(1/2)",
    "floor floor 12", "floor " * 51 + "h", "floor 12", "round(h)", "12,", "1,200",
    "min(h,2)", "h!", "h%2", "h,h", "h;h", "hidden_size", "4*n_embd", "d_model", "vocab_size", "num_hidden_layers*64",
    "Hidden_Size", "ｈ", "ℎ", "һ",
    # words of the browser
    "__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "null", "undefined", "true", "[]", "{}", "() => 1",
    "1;alert(1)", "${alert(1)}", "{{7*7}}", "\\u0031", "&#49;", "%31", "&h=3", "#", "<svg onload=alert(1)>",
    "</script><script>alert(1)</script>", "javascript:alert(1)", "\" onfocus=alert(1) autofocus=\"", "'", "`", "$&", "$1",
    "$`",
)  # fmt: skip
CIRCLES = (
    {"h": "h"}, {"h": "d_ff", "d_ff": "h"},
    {"h": "4*d_ff", "d_ff": "4*h"}, {"L": "V", "V": "L"}, {"L": "V", "V": "h", "h": "L"},
    {"n_heads": "h/d_head", "d_head": "h/n_heads"},
    {"d_head": "d_ff/4"}, {"d_ff": "4*h"}, {"d_ff": "V", "V": "12*L", "L": "12"},
)  # fmt: skip


def drawn(number: int) -> list[dict[str, str]]:
    """Each text in some size of BERT, then so many choices of texts for a few of the sizes, then circles."""
    chance = Random(1)  # noqa: S311 - for texts, not for secrets
    names = [dimension.name for dimension in load("bert").architecture.dimensions]
    texts = [*TEXTS, *names, *(f"{name}*2" for name in names), *(f"{name}/2" for name in names)]
    several = [{name: chance.choice(texts) for name in chance.sample(names, chance.randint(2, 3))} for _ in range(number)]
    return [*({chance.choice(names): text} for text in TEXTS), *several, *CIRCLES]


def bert(typed: dict[str, str]) -> Setting:
    """BERT as it is published, with what is typed over its sizes."""
    own = setting("bert-base-uncased")
    return own._replace(given=own.given | typed)


@pytest.mark.xdist_group("page")
def test_a_size_is_read_as_python_reads_it_or_by_neither(worked_out):
    cases = [bert(typed) for typed in drawn(20)]
    counted = 0
    for case, answer in zip(cases, worked_out("bert", *(case.asked for case in cases)), strict=True):
        try:
            model, fault = case.load(), None
        except SymparamsError as error:
            model, fault = None, str(error)
        count = str(model.count()) if model and not model.unbound else None
        assert (answer["count"], bool(answer["fault"])) == (count, bool(fault)), (case, answer["fault"], fault)
        counted += count is not None
    assert counted > 30
    # An error quotes nothing that turns or hides what follows.
    quotes = (
        ("\u202e768", "\ufffd768"), ("7\u200b68", "7\ufffd68"), ("\u2066x\u2069", "\ufffdx\ufffd"), ("\x00", "\ufffd"),
        ("x\u2028y", "x y"), ("x" * 5_000, "x" * 30 + "…"), ("<b>", "<b>"),
    )  # fmt: skip
    cases = [bert({"h": text}) for text, _ in quotes]
    for (_, quoted), case, answer in zip(quotes, cases, worked_out("bert", *(case.asked for case in cases)), strict=True):
        assert answer["fault"] == f"h = '{quoted}' is not a positive integer or an expression such as 4*h."
        assert refusal(case.load).startswith(answer["fault"])


@pytest.mark.xdist_group("page")
def test_an_input_is_read_as_python_reads_it_or_by_neither(worked_out):
    usual = {"b": "2", "t": "2", "e": "2"}
    chosen, chance = setting("llama-3-8b"), Random(1)  # noqa: S311 - for texts, not for secrets
    typed = [usual | {chance.choice(list(usual)): text} for text in TEXTS[::6]]
    asked = [{"given": chosen.given | inputs, "on": chosen.on, "quantity": "kv_cache"} for inputs in typed]
    counts = [measured(chosen.load(), "kv_cache", inputs)[0] for inputs in typed]
    shown = [answer["count"] for answer in worked_out(chosen.family, *asked)]
    assert [row for row in zip(typed, counts, shown, strict=True) if row[1] != row[2]] == []
    assert sum(count is not None for count in counts) > 4


NAME = (
    "\"'`</title></textarea></script><script>alert(1)</script>]]><!--<img src=x onerror=alert(1)>${alert(1)}{{7*7}}{names}$&"
    "\\input{x}&lt;%#~^_*[a](javascript:alert(1))"
)
OWN = f"""
from symparams import Architecture, Dimension, Feature, block, embedding, linear, symbols

NAME = {NAME!r}
proto, maker, maker_gate = Dimension("__proto__"), Dimension("constructor"), Feature("constructor")
inner = block(**{{"__proto__": linear(proto, maker, bias=False), "toString": maker_gate * linear(maker, maker, bias=False)}})
own = Architecture(
    "own", title=NAME, source=NAME, tree=block(hasOwnProperty=embedding(symbols.V, proto), valueOf=symbols.L * inner),
    has=[maker_gate], models={{NAME: {{symbols.V: 7, symbols.L: 2, proto: 3, maker: 5}}}},
)
"""
STRANGE = """
return ["img", "[onerror]", "[onload]", "[onfocus]", "iframe", "[style]", "title title", "textarea", "b + script",
        "a[href^=javascript]"]
  .filter((selector) => document.querySelector(selector)).concat(document.scripts.length === 4 ? [] : ["script"]);
"""
TYPE = """
for (const [name, text] of arguments[0]) {
  const field = document.querySelector(`input[name="${name}"]`);
  field.value = text;
  for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
}
return document.querySelector("[data-count]").dataset.count;
"""


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A family of a file of one's own, in which every name is hostile."""
    file = tmp_path_factory.mktemp("own") / "mine.py"
    file.write_text(OWN, encoding="utf-8")
    family = load(file)
    return replace(family, origin=Origin(NAME, NAME)), file


def texts(page, selector):
    """What some elements show, and what they are called."""
    return page.run(
        f"return [...document.querySelectorAll('{selector}')].map((each) => each.textContent + (each.ariaLabel ?? ''))"
    )


@browsers
def test_hostile_addresses_and_fields_run_nothing(opened):  # noqa: F811
    page = opened("bert-base-uncased")
    held = setting("bert-base-uncased").given
    chance, names = Random(1), list(held)  # noqa: S311 - for texts, not for secrets
    for text in chance.sample(TEXTS, 40):
        name = chance.choice(names)
        page.run("location.hash = arguments[0]", f"#{name}={quote(text, errors='ignore')}&lang={quote(text, errors='ignore')}")
        page.browser.execute_async_script("setTimeout(arguments[0], 0)")
        said = page.run("return [document.title, document.querySelector('h1').textContent]")
        assert re.fullmatch(r"How many parameters does bert-base-uncased( with \w+ = [\d,]+(, \w+ = [\d,]+)*)? have\?", said[0])
        assert said[1] == said[0]
        assert (page.run(STRANGE), len(texts(page, "#derivation section")) > 3) == ([], True), text
    for state in (
        "m=__proto__&with=toString&lang=__proto__&theme=<b>&notation=__proto__",
        "%E0%A4%A",
        "<script>alert(1)</script>",
    ):
        page.go(f"#{state}")
        assert (page.run(STRANGE), page.count) == ([], "109482240"), state
    page.go("")
    for text in chance.sample(TEXTS, 40):
        given = {chance.choice(names): text.replace("\n", " ")}
        count = page.run(TYPE, list(given.items()))
        trimmed = {name: typed.replace(",", "").strip("\ufeff\xa0\u2003 ") for name, typed in given.items()}
        cases = [
            bert({})._replace(given={name: text for name, text in (held | texts).items() if text}) for texts in (given, trimmed)
        ]
        assert count in [answer_of(case)["count"] or "" for case in cases], given
        assert page.run(STRANGE) == [], given
        page.run(TYPE, [[name, held[name]] for name in given])
    page.silent()


@browsers
def test_hostile_names_are_text_in_the_page(opened, own):  # noqa: F811
    family, _ = own
    page = opened(family)
    page.go("#" + urlencode({"V": 7, "L": 2, "__proto__": 3, "constructor": 5}))
    assert page.count == str(7 * 3 + 2 * (3 * 5 + 5 * 5)), "letters that are words of JavaScript are letters"
    page.press("#parts input[name=constructor]")
    assert page.count == str(7 * 3 + 2 * 3 * 5)
    assert NAME in page.run("return document.title")
    for place in ("h1", "#bar", "#source"):
        assert any(NAME in text for text in texts(page, place)), place
    for language in ("zh", "en"):
        page.press(f"[data-lang={language}]")
        for notation in texts(page, "#notation option"):
            page.run(CHOOSE, "notation", notation.split()[0])
            assert page.run(STRANGE) == []
    page.press("#practise")
    assert page.run(STRANGE) == []
    page.press("#practise")
    assert shlex.split(page.copied("command"))[:3] == ["symparams", "derive", NAME], "a shell reads it as it stands"
    page.silent()


@browsers
def test_hostile_names_are_text_in_tabs(opened, own):  # noqa: F811
    family, _ = own
    page = opened(family, "gpt2")
    assert texts(page, "[role=tab]")[0].startswith(NAME)
    page.press("#tab-1")
    assert (page.count, page.run(STRANGE)) == ("124439808", [])
    page.press("#tab-0")
    assert (page.count, page.run(STRANGE)) == ("", [])
    page.go("#" + urlencode({"m": NAME, "V": 7, "L": 2, "__proto__": 3, "constructor": 5}))
    assert page.count == "101"
    page.silent()
