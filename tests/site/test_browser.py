"""The site in Chromium: nothing said in the console, nothing that axe finds, and a quiz that marks as Python does."""

from __future__ import annotations

import pytest

from symparams.practice.bank import chosen, models, of_each
from symparams.practice.kind import SYMBOLIC, chapters
from symparams.practice.marking import Outcome, mark
from symparams.practice.replies import UnreadableError, read
from symparams.site.bank import in_numbers
from tests.pages.test_browser import AXE
from tests.site.conftest import MODELS

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.parametrize("site", [None], ids=["all"], indirect=True),
]
PAGES = ("index.html", f"zh/models/{MODELS[0]}.html", "questions/gqa.html")
SHOWN = """
const rows = [...document.querySelectorAll("#models-table tbody tr")].filter((row) => !row.hidden);
return rows.map((row) => row.cells[0].textContent);
"""
BEYOND = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_accessible_and_quiet(site, browser, path, width):
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm ci --prefix tests/formats")
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.get("about:blank")
    browser.get_log("browser")
    browser.get_log("performance")
    browser.get((site / path).as_uri())
    assert browser.execute_script(BEYOND) == 0
    assert browser.get_log("browser") == []
    asked = [entry["message"] for entry in browser.get_log("performance") if '"Network.requestWillBeSent"' in entry["message"]]
    assert [entry for entry in asked if '"url":"http' in entry] == []
    browser.execute_script(AXE.read_text(encoding="utf-8"))
    seen = browser.execute_async_script("axe.run().then(arguments[0])")
    assert [(rule["id"], [node["html"] for node in rule["nodes"]][:3]) for rule in seen["violations"]] == []
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_table_is_searched(site, browser):
    browser.get((site / "index.html").as_uri() + "#q=large&kind=images")
    assert browser.execute_script(SHOWN) == [MODELS[1]]


REPLY = """
const [number, text] = arguments, article = document.querySelectorAll("article")[number], box = article.querySelector(".try");
box.querySelector("input").value = text;
box.querySelector("button").click();
return article.querySelector(".told").classList.contains("good");
"""


def test_the_quiz_marks_numbers_as_python_does(site, browser):
    """Each numeric question of the bank with its answer, rounded and off in several ways, and with each usual mistake."""
    marked = 0
    for chapter in chapters():
        browser.get((site / "questions" / f"{chapter.name}.html").as_uri())
        for number, question in enumerate(map(in_numbers, of_each(chosen(chapter.name), models()))):
            if question.kind.is_choice or question.form.name == SYMBOLIC:
                continue
            exact = question.value
            values = [float(exact), float(exact) * 1.02, float(exact) * 0.9, *(float(each.value) for each in question.mistakes)]
            replies = [str(exact) if isinstance(exact, int) else f"{float(exact):.6f}", "1.5x", "about 3 apples"]
            replies += [f"{value:.{digits}e}" for value in values for digits in (1, 2, 5)]
            replies += [f"{value / 1e6:.2f}M" for value in values if value > 1e6]
            for text in replies:
                try:
                    right = mark(question, read(text, {}, question.kind.unit)).outcome is Outcome.RIGHT
                except UnreadableError:
                    right = False
                assert browser.execute_script(REPLY, number, text) == right, (question.kind.name, text)
                marked += 1
    assert marked > 2_000
