"""A page in Chromium: what is typed and ticked gives the numbers that Python gives, and nothing leaves the file."""

from __future__ import annotations

import json
import re
import shlex
from functools import cache
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from symparams import compare, derive, load, render, symbols
from tests.pages.conftest import open_page

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
AXE = Path(__file__).parents[1] / "formats" / "node_modules" / "axe-core" / "axe.min.js"
SET = """
for (const [name, value] of arguments[0]) {
  const field = document.querySelector(`input[name="${name}"]`);
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
}
"""
FAULTS = """
const fields = [...document.querySelectorAll("[aria-invalid=true]")];
return fields.map((field) => document.getElementById(field.getAttribute("aria-describedby")).textContent);
"""
FAULT = """
const field = document.querySelector("[aria-invalid=true]");
return field && document.getElementById(field.getAttribute("aria-describedby")).textContent;
"""

CHOOSE = """
const [id, value] = arguments, field = document.querySelector(`#${id}`);
if (id === "quantity") return void field.querySelector(`[value=${value}]`).click();
field.value = value;
field.dispatchEvent(new Event("change", { bubbles: true }));
"""


class Opened:
    """A page that is open: its count, what it holds, what can be done to it."""

    def __init__(self, browser: Any, file: Path) -> None:
        self.browser, self.url = browser, file.as_uri()
        browser.get_log("browser")
        self.go("")

    def go(self, state: str) -> None:
        """The page at an address of its own."""
        self.browser.get_log("performance")
        open_page(self.browser, self.url + state)

    def run(self, script: str, *arguments: Any) -> Any:
        """What a script says."""
        return self.browser.execute_script(script, *arguments)

    @property
    def address(self) -> str:
        """What the address holds of the state, when it has come to rest."""
        return str(self.browser.execute_async_script("setTimeout(() => arguments[0](location.hash), 200)"))

    @property
    def count(self) -> str:
        """The count, in plain digits."""
        return str(self.run("return document.querySelector('[data-count]').dataset.count"))

    def text(self, selector: str) -> str:
        """The text of an element."""
        return str(self.run("return document.querySelector(arguments[0]).textContent", selector))

    def value(self, name: str) -> str:
        """What stands in the field of a size."""
        return str(self.run("return document.querySelector(`input[name=${arguments[0]}]`).value", name))

    def type(self, name: str, text: str) -> None:
        """A size, typed by hand."""
        field = self.browser.find_element("css selector", f'input[name="{name}"]')
        field.clear()
        field.send_keys(text)

    def fill(self, sizes: dict[str, str]) -> None:
        """Sizes, set at once."""
        self.run(SET, list(sizes.items()))

    def wait(self, script: str, *arguments: Any) -> Any:
        """What a script says as soon as it says something."""
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.browser, 10).until(lambda _: self.run(script, *arguments))

    def press(self, selector: str) -> None:
        """A button or a box, pressed."""
        self.run("document.querySelector(arguments[0]).click()", selector)

    def copied(self, kind: str) -> str:
        """What a button copies."""
        self.run("delete window.symparamsCopied")
        self.press(f"[data-copy={kind}]")
        return str(self.wait("return window.symparamsCopied"))

    def silent(self) -> None:
        """Nothing was said on the console, and nothing was asked of a network."""
        assert self.browser.get_log("browser") == []
        events = [json.loads(entry["message"])["message"] for entry in self.browser.get_log("performance")]
        asked = {event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"}
        assert {url for url in asked if not url.startswith(("file:", "about:"))} == set()


@cache
def written(*targets):
    """The page of a target, or of several; several tests open the same."""
    return render(targets[0] if len(targets) == 1 else compare(*targets), "html")


@pytest.fixture
def opened(browser, tmp_path):
    """``opened("bert")`` is the page of a target, or of several."""

    def page(*targets, size=(1280, 1000)):
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        file = tmp_path / "page.html"
        file.write_text(written(*targets), encoding="utf-8")
        return Opened(browser, file)

    return page


def test_it_opens_as_the_published_model_and_takes_what_is_typed(opened):
    page = opened("bert-base-uncased")
    assert page.count == "109482240"
    page.type("h", "1024")
    assert (page.count, page.run(FAULT)) == ("", None), "one may be about to write more"
    fault = "d_head = h/n_heads is not an integer for h = 1024, n_heads = 12: choose values that divide."
    assert page.wait(FAULT) == fault
    page.type("n_heads", "16")
    assert page.run(FAULT) is None
    assert page.count == str(load("bert-base-uncased", h=1024, n_heads=16, d_ff=4096).count()), "d_ff follows: 4h"
    page.type("d_ff", "3072")
    assert page.count == str(load("bert-base-uncased", h=1024, n_heads=16).count())
    page.press("input[name=pooler]")
    page.press("input[name=mlm_head]")
    model = load("bert-base-uncased", h=1024, n_heads=16, include=["mlm_head"], exclude=["pooler"])
    assert page.count == str(model.count())
    page.silent()


def test_a_wrong_size_is_told_beside_its_field_with_the_nearest_that_fit(opened):
    page = opened("bert-base-uncased")
    page.go("#h=770&L=0&V=x&lang=en")
    near = "return [...document.querySelectorAll('[data-nearest]')].map((button) => button.ariaLabel)"
    assert [said.split()[0] for said in page.run(FAULTS)] == ["V", "d_head", "L"]
    assert page.run(near) == ["h = 768", "h = 780"]
    page.press("[data-nearest='780']")
    assert [said.split()[0] for said in page.run(FAULTS)] == ["V", "L"]
    page.go("#h=770&lang=zh")
    page.press("[data-nearest='780']")
    assert page.count == str(load("bert-base-uncased", h=780, d_ff=3120).count())
    page.silent()


def test_what_follows_from_other_sizes_stays_while_one_is_wrong(opened):
    page = opened("llama")
    page.go("#h=4096&n_heads=32&V=32000&L=32&d_ff=4*n_heads")
    assert [page.value(name) for name in ("n_kv_heads", "d_head", "d_ff")] == ["32", "128", "128"]
    page.type("h", "4097")
    assert page.wait(FAULT)
    assert [page.value(name) for name in ("n_kv_heads", "d_head", "d_ff")] == ["32", "", "128"]
    assert page.text("#e-d_head").startswith("=")
    page.press("[data-by='-1'][data-of=n_heads]")
    assert page.value("n_heads") == "17", "which divides 4097"
    page.silent()


TITLES = [
    ("bert-base-uncased", "#L=2&h=1024&n_heads=16",
     "How many parameters does bert-base-uncased with h = 1,024, L = 2, n_heads = 16, d_ff = 4,096 have?"),
    ("bert-base-uncased", "#L=12", "How many parameters does bert-base-uncased have?"),
    ("bert-base-uncased", "#h=770", "How many parameters does bert-base-uncased have?"),
    ("llama-3-8b", "#L=2&lang=zh&quantity=kv-cache&b=1&t=2", "llama-3-8b（L = 2）的 KV 缓存有多大？"),
    ("mamba", "#L=2&h=64", "How many parameters does Mamba have?"),
    (load("mamba-130m", L=3), "", "How many parameters does mamba-130m with L = 3 have?"),
    (load("mamba-130m", L=3), "#L=24", "How many parameters does mamba-130m have?"),
]  # fmt: skip


def test_the_heading_says_which_sizes_are_others_than_the_published(opened):
    for target, state, title in TITLES:
        page = opened(target)
        page.go(state)
        assert page.run("return [document.title, document.querySelector('h1').textContent]") == [title, title]
    many = load("deepseek-v3", V=999, h=512, L_dense=1, L_moe=2, n_heads=8, d_ff=64, d_expert=32, n_experts=16)
    [title] = re.findall("<head>.*?<title>(.*?)</title>", written(many), re.DOTALL)
    assert title.count(" = ") == 8
    assert opened(many).run("return document.title") == title, "of many sizes it stays as the file has it"


def test_a_size_is_stepped_and_grouped(opened):
    page = opened("bert-base-uncased")
    assert page.value("V") == "30,522"
    page.run("document.querySelector('input[name=V]').focus()")
    assert page.value("V") == "30522", "as it is typed"
    for name, by, value in (("V", 1, 31154), ("h", 1, 960), ("n_heads", -1, 10), ("n_heads", -1, 8)):
        page.press(f"[data-by='{by}'][data-of={name}]")
        assert page.value(name) in (str(value), f"{value:,}")
        assert page.count
    page.silent()


def test_a_number_is_dragged_typed_and_stepped_and_says_what_it_changed(opened):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    page = opened("llama-3-8b")

    def number(name, place=0):
        return page.browser.find_elements("css selector", f".live[data-number={name}]")[place]

    def counts(**sizes):
        return page.count == str(load("llama-3-8b", **sizes).count())

    assert page.text("#first") == "Drag a number. Start with L= 32."
    ActionChains(page.browser, duration=20).click_and_hold(number("L")).move_by_offset(30, 0).release().perform()
    layers = int(page.value("L").replace(",", ""))
    assert layers > 32
    assert counts(L=layers)
    assert page.text("#against").startswith(f"+{load('llama-3-8b', L=layers).count() - load('llama-3-8b').count():,} against")
    page.browser.switch_to.active_element.send_keys(Keys.HOME)
    assert (page.text("#against"), counts()) == ("", True)
    number("h", 1).click()
    page.browser.switch_to.active_element.send_keys("5120", Keys.ENTER)
    assert counts(h=5120)
    assert page.run("return document.activeElement.dataset.number") == "h", "it is written anew and keeps the focus"
    page.browser.switch_to.active_element.send_keys(Keys.ARROW_UP)
    assert int(page.value("h").replace(",", "")) % 32 == 0, "the next that its heads divide"
    assert page.count
    page.press("#reset")
    heads = page.browser.find_element("css selector", ".sy[data-number=n_heads]")  # beside its field
    ActionChains(page.browser, duration=20).click_and_hold(heads).move_by_offset(-40, 0).release().perform()
    heads = int(page.value("n_heads"))
    assert heads < 32
    assert counts(n_heads=heads)
    page.run("const range = document.querySelector('#range'); range.value = range.max;"
             "range.dispatchEvent(new Event('input', { bubbles: true }))")  # fmt: skip
    assert int(page.value("n_heads")) > 32, "the slider is of the size touched last"
    page.silent()


WANTED = [
    ("llama-3-8b", "", "L", "7B", 27, ("28", "27")),
    ("llama-3-8b", "#lang=zh", "h", "70 亿", 3648, ("3,648", "3,584")),
    ("llama-3-8b", "", "d_ff", "1.5e10", 32064, ("32,064", "32,000")),
    ("llama-3-8b", "#quantity=kv-cache", "t", "2 GB", 15259, ("15,259", "15,258")),
    ("bert-base-uncased", "", "n_heads", "1B", None, ()),
]  # fmt: skip


@pytest.mark.parametrize(("target", "state", "size", "text", "nearest", "sides"), WANTED)
def test_a_wanted_count_is_reached_by_the_size_touched_last(opened, target, state, size, text, nearest, sides):
    page = opened(target)
    page.go(state)
    page.run(f"document.querySelector('#i-{size}').focus()")
    field = page.browser.find_element("css selector", "#wanted")
    field.send_keys(text)
    told = page.run("return [...document.querySelectorAll('#reached button')].map((each) => each.textContent)")
    assert [side in said for side, said in zip(sides, told, strict=True)] == [True] * len(sides), told
    assert told or size in page.text("#reached")
    before = page.count
    field.send_keys("\n")
    assert page.value(size).replace(",", "") == str(nearest or load(target).values[getattr(symbols, size)])
    assert any(f"{int(page.count):,}" in said for said in told) if told else page.count == before
    assert page.run("return document.activeElement.id") == "wanted"
    page.silent()


MIDDLE = """
const each = document.querySelector(arguments[0]);
each.scrollIntoView({ block: "center", behavior: "instant" });
const { left, top, width, height } = each.getBoundingClientRect();
return [left + width * (arguments[1] ?? 0.5), top + height / 2];
"""


def test_a_finger_drags_numbers_slider_and_chart_taps_a_block_and_scrolls_the_page(opened):
    page = opened("llama-3-8b", size=(390, 800))
    cdp = page.browser.execute_cdp_cmd
    cdp("Emulation.setTouchEmulationEnabled", {"enabled": True})
    page.run("document.documentElement.style.scrollBehavior = 'auto'")

    def finger(selector, across=0, down=0, at=0.5):
        x, y = page.run(MIDDLE, selector, at)
        for step in range(9):
            moved = {"x": x + across * step / 8, "y": y + down * step / 8}
            cdp("Input.dispatchTouchEvent", {"type": "touchMove" if step else "touchStart", "touchPoints": [moved]})
            if not (across or down):
                break
        sleep(0.2 if across or down else 0)  # a page that is flung takes the next tap as a stop
        cdp("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        return int(page.value("L").replace(",", ""))

    def counts(layers):
        return page.count == str(load("llama-3-8b", L=layers).count())

    try:
        dragged = finger(".live[data-number=L]", across=60)
        assert dragged > 34, "though the number is drawn anew under the finger"
        assert counts(dragged)
        within = finger("#derivation .f mn[data-number=L]", across=60)
        assert within > dragged, "a number of a step is drawn as one of a term"
        assert counts(within)
        slid = finger("#range", across=60)
        assert slid > within
        assert counts(slid)
        tapped = finger("#chart", at=0.25)
        assert tapped < slid
        assert counts(tapped)
        drawn = finger("#chart", across=90, at=0.25)
        assert drawn > tapped
        assert counts(drawn)
        finger("#picture a[id$=attention] rect")
        assert page.wait("return document.activeElement.matches('.step[id$=attention]')")
        finger(".live[data-number=L]")
        page.browser.switch_to.active_element.send_keys("40\n")
        assert counts(40)
        for place in ("#chart", ".term .live[data-number=L]", "#picture"):
            before = page.run(f"{MIDDLE.replace('return', 'void')}; return scrollY", place)
            assert finger(place, down=-150) == 40, "along it the page scrolls"
            assert page.wait("return scrollY > arguments[0] + 50", before), place
    finally:
        cdp("Emulation.setTouchEmulationEnabled", {"enabled": False})
    page.silent()


def test_what_stands_beside_the_derivation_follows(opened):
    page = opened("bert-base-uncased")
    page.type("L", "6")
    page.press("[data-lang=zh]")
    model = load("bert-base-uncased", L=6)
    text = page.run("return document.querySelector('#more').innerText")
    for convention in derive(model).conventions:
        assert f"{convention.result.value:,}" in text
    assert "其他统计口径" in text
    assert f"{12 * 6 * 768**2:,}" in text
    page.type("h", "700")
    page.wait(FAULT)
    assert page.run("return document.querySelector('#more').innerText") == text, "old numbers stay, in grey"
    assert page.run("return document.body.className") == "stale"
    assert page.text("#why").startswith("当 h = 700、n_heads = 12 时，")
    page.silent()


def test_the_address_holds_the_state(opened):
    page = opened("bert-base-uncased")
    page.type("L", "6")
    page.press("input[name=pooler]")
    page.press("[data-lang=zh]")
    page.press("[data-theme-to=dark]")
    state, count = page.address, page.count
    assert state == "#m=bert-base-uncased&L=6&without=pooler&lang=zh&theme=dark"
    page.go(state)
    assert page.count == count == str(load("bert-base-uncased", L=6, exclude=["pooler"]).count())
    assert page.run("return [document.documentElement.lang, document.documentElement.dataset.theme]") == ["zh-Hans", "dark"]
    page.silent()


REFUSED = [
    ("#m=gpt5&L=6", "Unknown in the address: m = 'gpt5'. Known: bert-base-uncased, bert-large-uncased, "),
    ("#m=BERT-base-uncased&L=6&d_mod=3", "BERT has no dimension 'd_mod', which the address gives. Known: L, V, "),
    ("#L=6&view=kin", "Unknown in the address: view = 'kin'. Known: module, per-head, kind, weights."),
    ("#L=6&quantity=kvcache", "Unknown in the address: quantity = 'kvcache'. Known: parameters, weight-memory, forward-flops, "
     "backward-flops, training-flops, activations, training-memory, lora."),
    ("#L=6&with=poolr", "Unknown in the address: with = 'poolr'."),
    ("#L=6&lang=fr", "Unknown in the address: lang = 'fr'. Known: en, zh."),
    ("#L=6&notation=x&lang=zh", "无法识别地址中的 notation = 'x'，可选：hidden、bert、gpt3、megatron、hf。"),
    ("#num_hidden_layers=6", ""),
]  # fmt: skip


def test_what_the_page_has_not_is_said_and_the_rest_of_an_address_holds(opened):
    page = opened("bert-base-uncased")
    for state, said in REFUSED:
        page.go(state)
        assert page.text("#refused")[: len(said) or None] == said
        assert page.count == str(load("bert-base-uncased", L=6).count())
        page.type("L", "3")
        assert page.text("#refused") == ""
        page.silent()
    page.go("#h=x&n_heads=0&L=6")
    assert [said.split(" = ")[0] for said in page.run(FAULTS)] == ["h", "n_heads"], "beside its field"
    assert page.value("L") == "6"
    page = opened("bert-base-uncased", "gpt2")
    for choice in ("[data-of=L][data-by]", "#tab-1", "[data-lang=zh]", "[data-theme-to=dark]", "input[name=pooler]", "#reset",
                   "#practise"):  # fmt: skip
        page.go("#L=6&d_mod=3")
        assert page.text("#refused"), choice
        page.press(choice)
        assert page.text("#refused") == "", choice
    page.silent()


STATES = (
    "lang=en", "lang=zh&theme=dark", "lang=en&h=7", "lang=en&V=" + "9" * 31, "quantity=kv-cache&b=8&s_src=128",
    "quantity=training-flops&b=8&s=128&s_src=x&lang=zh&theme=dark",
)  # fmt: skip


@pytest.mark.parametrize(("target", "width"), [("bert-base-uncased", 390), ("deepseek-v3", 390), ("t5-small", 768),
                                               ("llama-3-8b", 1280)])  # fmt: skip
def test_it_fits_its_window_and_is_accessible(opened, target, width):
    page = opened(target, size=(width, 900))
    for state in STATES:
        page.go(f"#{state}")
        assert page.run("return document.documentElement.scrollWidth") <= width, state
        page.run(AXE.read_text(encoding="utf-8"))
        seen = page.browser.execute_async_script("axe.run().then(arguments[0])")
        assert [(rule["id"], [node["html"] for node in rule["nodes"]][:3]) for rule in seen["violations"]] == [], state


def test_in_the_colours_of_a_system_every_button_stands_in_its_place(opened):
    page = opened("llama-3-8b")
    forced = {"features": [{"name": "forced-colors", "value": "active"}]}  # which gives each button a border
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", forced)
    try:
        beyond = """return [...document.querySelectorAll(".top button")].filter((button) => button.getBoundingClientRect().right
            > button.closest(".top").getBoundingClientRect().right).map((button) => button.textContent)"""
        assert page.run(beyond) == []
    finally:
        page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


# An answer is given to the first step that is asked.
ANSWER = """
const form = document.querySelector(".try[data-step]"), [text] = arguments;
form.querySelector("input").value = text;
form.requestSubmit();
return form.isConnected ? form.querySelector("p").textContent : "";
"""


def test_a_step_in_practice_takes_any_equivalent_formula(opened):
    page = opened("bert-base-uncased")
    page.press("#practise")
    forms = "return document.querySelectorAll('.try').length"
    before = page.run(forms)
    assert page.run(ANSWER, "0") == "Not yet.", "and the answer is not told"
    assert page.run(ANSWER, "Ｖ×h + h").startswith("You added a bias")
    assert page.run(ANSWER, "V*") == "This is not a formula in the letters of the model."
    assert page.run(ANSWER, "(V + 1)h - h + Vh - hV") == ""
    assert page.run(forms) < before
    page = opened("bert-base-uncased")
    page.press("#practise")
    while page.run("return document.querySelectorAll('[data-show]').length") > 1:
        page.run("[...document.querySelectorAll('[data-show]')].at(-1).click()")
    assert page.run(ANSWER, "h*V") == "", "the last answer is said to be right as the first"
    assert page.text(".good") == "Right."
    assert page.run("return document.activeElement.matches('.try input, #practise')")
    page = opened("llama-3-8b")
    page.go("#quantity=kv-cache&b=1&t=4096")
    page.press("#practise")
    page.run("document.querySelector('.try input').value = '2*b*t*d_head*n_kv_heads*e'")
    page.run("document.querySelector('.try').requestSubmit()")
    assert page.text(".good") == "Right."
    page.silent()


@pytest.mark.parametrize("target", ["bert-base-uncased", "deepseek-v3"])
def test_what_is_asked_is_told_nowhere_until_it_is_answered(opened, target):
    page = opened(target)
    text = "return document.body.innerText + [...document.querySelectorAll('#picture title')].map((each) => each.textContent)"
    cells = page.run("return [...document.querySelectorAll('#shares .n')].map((cell) => cell.textContent)")
    told = {number for number in cells if len(number) > 6}
    assert len(told) > 3
    page.press("#practise")
    assert [number for number in (*told, f"{load(target).count():,}", "≈") if number in page.run(text)] == []
    assert "×" not in page.run("return [...document.querySelectorAll('#picture a')].map((each) => each.textContent).join()")
    while page.run("return document.querySelectorAll('[data-show]').length"):
        page.press("[data-show]")
    assert [number for number in told if number not in page.run(text)] == []
    page.silent()


OWN_CONFIG = {"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 100,
              "intermediate_size": 160}  # fmt: skip
OWN_FAMILY = """
from symparams import Architecture, block, embedding, linear, symbols as s
MINE = Architecture(
    "mine", title="Mine", source="here", tree=block(tok=embedding(s.V, s.h), net=s.L * block(a=linear(s.h, s.h))),
    models={"mine-1": {s.V: 7, s.L: 2, s.h: 3}, "mine-2": {s.V: 9, s.L: 2, s.h: 3}},
)
"""
# A command whose page is opened, what is typed, ticked and chosen, and how the command ends that is copied.
ASKED = [
    ("derive bert-base-uncased", {"L": "6"}, ["pooler"], [], "--set L=6 --without pooler"),
    ("derive bert-base-uncased", {"n_heads": "16", "h": "1024"}, [], [], "--set h=1024 --set n_heads=16 --set d_ff=4096"),
    ("derive bert-base-uncased", {"n_heads": "16", "h": "1024", "d_ff": "3*h"}, [], [],
     "--set h=1024 --set n_heads=16 --set d_ff=3072"),
    ("derive llama-3-8b", {"V": "32,000"}, ["tying"], [], "--set V=32000 --with tying"),
    ("derive llama-3-8b", {"h": "8192"}, [], [], "--set h=8192 --set d_head=256"),
    ("derive llama-3-8b", {"n_kv_heads": ""}, [], [], "--set n_kv_heads=32"),
    ("derive llama-3-8b", {"V": ""}, [], [],
     "llama --set L=32 --set h=4096 --set n_heads=32 --set n_kv_heads=8 --set d_ff=14336"),
    ("derive gpt2", {"h": "1024", "n_heads": "16"}, ["lm_head"], [],
     "--set h=1024 --set n_heads=16 --without lm_head --set d_ff=4096"),
    ("derive gpt2", {"L": "24"}, ["biases"], [], "--set L=24 --without biases"),
    ("derive deepseek-v3", {"n_experts": "128", "h": "4096"}, [], [], "--set n_experts=128 --set h=4096"),
    ("derive mamba", {"V": "50280", "h": "768", "L": "24", "d_state": "16", "d_conv": "4", "expand": "2"}, [], [], ""),
    ("derive {config}", {"L": "3"}, [], [], "--set L=3"),
    ("derive {config} --architecture llama --lang zh", {}, [], [], "--architecture llama --lang zh"),
    ("derive {config} --with tying --set h=128", {}, [], [], '/a config.json" --set h=128 --with tying'),
    ("derive {own}:mine-1 --set h=5", {"L": "4"}, [], [], "mine.py:mine-1 --set L=4 --set h=5"),
    ("derive {own}:MINE", {"V": "4", "h": "4", "L": "4"}, [], [], "mine.py:MINE --set L=4 --set V=4 --set h=4"),
    ("derive {own}:mine-1", {}, [], [("model", "mine-2")], "mine.py:mine-2"),
    ("derive gpt2 --set L=3 --without biases", {}, [], [], "derive gpt2 --set L=3 --without biases"),
    ("derive gpt2 --set L=3", {"L": "12"}, [], [], "derive gpt2"),
    ("derive gpt2 --notation bert --symbol h=q", {}, [], [("view", "kind")],
     "gpt2 --view kind --notation bert --symbol h=q"),
    ("derive gpt2 --lang zh", {}, [], [("view", "per-head")], "gpt2 --attention per-head --lang zh"),
    ("derive llama-3-8b --symbolic", {}, [], [], "llama-3-8b --symbolic"),
    ("derive llama-3-8b --symbolic", {"h": "4", "L": "2"}, [], [], "llama --set L=2 --set h=4"),
    ("derive gpt2 --quantity kv-cache --dtype fp16 --set b=1", {"t": "4"}, [], [("notation", "hf")],
     "gpt2 --quantity kv-cache --dtype fp16 --set b=1 --set t=4 --notation hf"),
    ("derive gpt2 --quantity kv-cache", {}, [], [], "gpt2 --quantity kv-cache --set b=1 --set t=1024"),
    ("derive gpt2 --quantity lora --lora all-linear", {"r": "16"}, [], [], "--quantity lora --lora all-linear --set r=16"),
    ("derive gpt2 --quantity training-memory", {"L": "2"}, [], [("i-recipe", "sgd")], "--recipe sgd --set L=2"),
    ("derive gpt2 --quantity training-flops --checkpoint", {}, [], [], "--checkpoint --set b=1 --set s=1024"),
    ("derive gpt2 --quantity training-flops --checkpoint", {}, [], [("i-checkpoint", "off"), ("quantity", "backward_flops")],
     "--quantity backward-flops --set b=1 --set s=1024"),
    ("derive gpt2 --quantity activations --attention flash", {}, [], [], "--attention flash --set b=1 --set s=1024"),
    ("derive gpt2 --quantity forward-flops --set b=2", {"s": "7"}, [], [], "--set b=2 --set s=7"),
]  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A config and a family of one's own, and the pages that were written already."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "a config.json").write_text(json.dumps(OWN_CONFIG), encoding="utf-8")
    (folder / "mine.py").write_text(OWN_FAMILY, encoding="utf-8")
    return {"config": shlex.quote(str(folder / "a config.json")), "own": str(folder / "mine.py")}, {}


@pytest.mark.parametrize(("line", "sizes", "pressed", "chosen", "said"), ASKED)
def test_a_copied_command_prints_in_a_terminal_what_the_page_shows(
    browser, cli, files, tmp_path, line, sizes, pressed, chosen, said
):
    places, pages = files
    file = tmp_path / "page.html"
    if line not in pages:
        assert cli([*shlex.split(line.format(**places)), "--html", "-o", str(file)]).code == 0
        pages[line] = file.read_bytes()
    file.write_bytes(pages[line])
    page = Opened(browser, file)
    page.fill(sizes)
    for box in pressed:
        page.press(f"#parts input[name={box}]")
    for field, value in chosen:
        page.run(CHOOSE, field, value)
    copied = page.copied("command")
    assert copied.endswith(said)
    done = cli([*shlex.split(copied)[1:], "--json"])
    assert (done.code, str(json.loads(done.out)["total"].get("value") or "")) == (0, page.count)


def test_what_is_copied_and_where_there_is_nothing_to_copy_the_reason_is_said(opened):
    page = opened("bert-base-uncased")
    page.type("L", "3")
    assert page.copied("number") == page.count
    assert page.copied("command") == "symparams derive bert-base-uncased --set L=3"
    assert r"N_{\text{tok}} &= V \times h = 30{,}522 \times 768 = 23{,}440{,}896" in page.copied("latex")
    assert page.copied("markdown").startswith("# How many parameters does bert-base-uncased with L = 3 have?\n")
    page = opened("gpt2")  # which names the model, and no family without its sizes
    page.fill({"V": ""})
    page.press("[data-copy=command]")
    said = "No command says this: a size of the published model is empty."
    assert (page.wait("return document.querySelector('#done').textContent"), page.run("return window.symparamsCopied")) == (
        said,
        "",
    )
    page = opened("gpt2")
    page.run("document.execCommand = () => { throw new Error('copied') }; navigator.clipboard.writeText = document.execCommand")
    for size, text, said in (("h", "770", "d_head = h/n_heads is not an integer for h = 770"), ("h", "", "No value yet for h")):
        page.type(size, text)
        page.press("[data-copy=number]")  # at once, before it is told that the size is wrong
        assert (page.text("#done")[: len(said)], page.run("return window.symparamsCopied")) == (said, "")
    page.go("#L=3")
    page.press("[data-copy=number]")
    assert page.wait("return window.symparamsCopied") == str(load("gpt2", L=3).count())


def test_another_model_of_the_family_is_chosen_in_place(opened):
    page = opened("mistral-7b-v0.1")
    page.run(CHOOSE, "quantity", "kv_cache")
    page.type("b", "2")
    page.type("t", "32768")
    page.run(CHOOSE, "model", "mistral-7b-v0.3")
    assert page.count == str(load("mistral-7b-v0.3").measure("kv_cache", b=2, t=32768)), "without a window"
    assert page.run("return document.title") == "How large is the KV cache of mistral-7b-v0.3?"
    page.run(CHOOSE, "quantity", "parameters")
    page.type("L", "16")
    state = page.address
    assert state == "#m=mistral-7b-v0.3&L=16"
    page.run("document.querySelector('#reset').scrollIntoView({ block: 'center', behavior: 'instant' })")
    page.browser.find_element("css selector", "#reset").click()
    assert page.count == str(load("mistral-7b-v0.3").count())
    page.go(state)
    assert page.count == str(load("mistral-7b-v0.3", L=16).count())
    assert page.run("return document.querySelector('#model').value") == "mistral-7b-v0.3"
    page.go("")
    assert page.count == str(load("mistral-7b-v0.1").count())
    page.silent()


def test_the_class_that_a_config_leaves_open_is_told_until_another_model_is_chosen(opened):
    page = opened(load({"model_type": "mistral"}))
    assert page.text("#chosen") == "The config names no class, so this is the base model, MistralModel."
    page.press("[data-lang=zh]")
    assert page.text("#chosen") == "配置没有注明模型类，这里按基础模型 MistralModel 计算。"
    page.run(CHOOSE, "model", "mistral-7b-v0.3")
    assert page.text("#chosen") == ""
    page.silent()


def test_an_address_opens_the_tab_of_its_model_before_another_that_could_show_it(opened):
    page = opened("llama-3-8b", "llama-3-70b")
    for name, tab in (("llama-3-70b", 1), ("llama-3-8b", 0), ("llama-2-7b", 0)):
        page.go(f"#m={name}")
        assert page.count == str(load(name).count())
        assert page.run("return document.querySelector('[role=tab][aria-selected=true]').dataset.tab") == str(tab)
        assert name in page.text("[role=tab][aria-selected=true]")


def test_several_models_are_tabs_and_each_says_how_it_differs_from_the_open_one(opened):
    page = opened("gpt2", "gpt2-medium")
    differs = "return [...document.querySelectorAll('#tabs [role=tab]')].map((tab) => tab.lastChild.textContent)"
    assert page.run(differs) == ["", "2.85 × gpt2, +230,383,360"]
    page.press("#tab-1")
    assert page.count == str(load("gpt2-medium").count())
    assert page.run(differs) == ["1/2.85 × gpt2-medium, −230,383,360", ""]
    page.type("L", "12")
    page.press("#tab-0")
    assert page.count == "124439808"
    assert page.text("#tab-1 small") == f"{load('gpt2-medium', L=12).count():,}"
    page.type("V", "x")
    page.wait(FAULT)
    assert page.run(differs) == ["", ""]
    page.silent()


COLUMNS = """
const shown = (selector) => [...document.querySelectorAll(selector)].map((each) => each.textContent);
return [[...document.querySelectorAll("[data-total]")].map((each) => each.dataset.total), shown("#columns .against")];
"""


@pytest.mark.parametrize(
    ("targets", "width"), [(("llama-3-8b", "llama-2-7b"), 1280), (("gpt2", "bert-base-uncased", "t5-small"), 390)]
)
def test_models_stand_side_by_side_and_each_is_changed_in_its_column(opened, targets, width):
    page = opened(*targets, size=(width, 900))
    first, other = load(targets[0]).count(), load(targets[1]).count()
    counts, against = page.run(COLUMNS)
    assert counts == [str(load(target).count()) for target in targets]
    fewer = f"{100 * (first - other) / first:.1f}% fewer than {targets[0]}: −{first - other:,}"
    assert against[:2] == ["", fewer]
    assert [f"{first:,}" in page.text("#apart"), page.run("return document.documentElement.scrollWidth")] == [True, width]
    page.run("const field = document.querySelector('#compare-sizes [data-name=V][data-in=\"1\"]'); field.value = '7,000';"
             "field.dispatchEvent(new Event('input', { bubbles: true }))")  # fmt: skip
    changed = load(targets[1], V=7000).count()
    assert page.run(COLUMNS)[0][:2] == [str(first), str(changed)]
    assert page.text("#tab-1 small") == f"{changed:,}"
    state = page.address
    assert state.endswith(f"&m={targets[1]}&V=7000")
    page.go(state.replace("&m=", "&quantity=forward-flops&b=2&s=5&s_src=3&lang=zh&m=", 1).replace("&m", "&m", 1))
    sizes, zh = [{}, {"V": 7000}, {}], page.text("#compare-example")
    inputs = [{"b": 2, "s": 5} | ({"s_src": 3} if target.startswith("t5") else {}) for target in targets]
    flops = [
        load(target, **own).measure("forward_flops", **given)
        for target, own, given in zip(targets, sizes, inputs, strict=False)
    ]
    assert (page.run(COLUMNS)[0], zh) == (list(map(str, flops)), "")
    page.run("const field = document.querySelector('#compare-inputs [data-name=b]'); field.value = '3';"
             "field.dispatchEvent(new Event('input', { bubbles: true }))")  # fmt: skip
    assert page.run(COLUMNS)[0] == [str(each * 3 // 2) for each in flops], "what is counted with is of all of them"
    page.press("[data-open='1']")
    assert page.count == str(flops[1] * 3 // 2)
    page.run(AXE.read_text(encoding="utf-8"))
    seen = page.browser.execute_async_script("axe.run('#compare').then(arguments[0])")
    assert [rule["id"] for rule in seen["violations"]] == []
    page.silent()


def test_an_update_leaves_no_number_of_before(opened):
    page = opened("deepseek-v3")
    said = page.run(
        "const field = document.querySelector('input[name=h]'); field.value = '4096';"
        "field.dispatchEvent(new Event('input', { bubbles: true }));"
        "const shown = (selector) => document.querySelector(selector).textContent;"
        "return [shown('#count'), shown('[data-section=total]'), shown('#against'), shown('#bar')]"
    )
    count = f"{load('deepseek-v3', h=4096).count():,}"
    change = f"{load('deepseek-v3').count() - load('deepseek-v3', h=4096).count():,}"
    assert [number in text for number, text in zip((count, count, change, count), said, strict=True)] == [True] * 4
    forms = "[...document.querySelectorAll('#shares .form')].map((cell) => cell.textContent)"
    late = page.browser.execute_async_script(f"setTimeout(() => arguments[0]({forms}), 0)")  # long formulas in the task after
    assert all(late)
    assert any("(" in form for form in late), "drawn out"
    page.silent()


def test_a_block_out_of_sight_is_jumped_to_exactly(opened):
    page = opened("deepseek-v3")
    page.run("document.documentElement.style.scrollBehavior = 'auto'")
    for path in page.run("return [...document.querySelectorAll('#derivation .step[id]')].map(({ id }) => id)")[1:9:3]:
        page.run("window.scrollTo(0, 0)")
        top = page.run(
            "const link = document.createElement('a'); link.href = `#${arguments[0]}`;"
            "document.querySelector('main').append(link); link.click(); link.remove();"
            "return document.getElementById(arguments[0]).getBoundingClientRect().top",
            path,
        )
        assert 0 <= top < 80
    assert page.run("window.scrollTo(0, 0); return window.find('Total')")


def test_without_script_it_is_the_sheet(opened):
    page = opened("bert-base-uncased")
    page.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page.browser.get(page.url)
        text = page.browser.find_element("css selector", "body").text
    finally:
        page.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    assert "109,482,240" in text
    assert "Where the parameters are" in text
    assert "Settings" not in text


def test_a_quantity_is_chosen_and_its_inputs_are_typed(opened, cli):
    page = opened("llama-3-8b")
    page.run(CHOOSE, "quantity", "kv_cache")
    example = "An example, until you change it: b = 1, t = 8,192 (the longest context of llama-3-8b), BF16 (as the config of"
    assert (page.count, page.text("#what")[: len(example)]) == ("1073741824", example)
    page.type("t", "")
    assert (page.count, page.text("#why")) == ("", "No value yet for t.")
    page.type("t", "4096")
    assert page.count == str(load("llama-3-8b").measure("kv_cache", b=1, t=4096)) == "536870912"
    assert page.text("#about") == "bytes ≈ 537 MB = 512 MiB"
    assert "·" not in page.text("#closed")
    page.type("t", "-1")
    assert page.run(FAULT) == "t = '-1' must be a positive integer: t counts something."
    page.type("t", "0")
    assert page.count == "0"
    page.type("t", "4*h")
    page.type("L", "16")
    state, count = page.address, page.count
    assert state == "#m=llama-3-8b&quantity=kv-cache&L=16&t=16384"
    command = page.copied("command")
    assert command == "symparams derive llama-3-8b --quantity kv-cache --set b=1 --set t=16384 --set L=16"
    assert cli(["count", *command.replace('"', "").split()[2:]]).out.strip() == count
    page.go(state)
    assert page.count == count
    page.run(CHOOSE, "i-dtype", "int4")
    assert page.count == str(load("llama-3-8b", L=16).measure("kv_cache", b=1, t=16384, dtype="int4"))
    assert (page.address, page.copied("command")) == (f"{state}&dtype=int4", command.replace("--set b", "--dtype int4 --set b"))
    page.go("#V=31&h=33&d_head=8&n_heads=1&n_kv_heads=1&L=1&d_ff=2&quantity=weight-memory&dtype=int4")
    sizes = {"V": 31, "h": 33, "d_head": 8, "n_heads": 1, "n_kv_heads": 1, "L": 1, "d_ff": 2}
    assert page.count == str(load("llama-3-8b", **sizes).measure("weight_memory", dtype="int4")) == "3399/2"
    assert page.text("#count") == "1,699.5"
    assert "1{,}699.5" in page.copied("latex")
    page.go("#L=16&quantity=kv-cache&dtype=int5")
    assert page.text("#refused").startswith("Unknown in the address: dtype = 'int5'. Known: fp32, fp16, bf16, ")
    page.run(CHOOSE, "quantity", "parameters")
    assert page.count == str(load("llama-3-8b", L=16).count())
    page.silent()
