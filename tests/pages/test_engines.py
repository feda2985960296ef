"""The page in Firefox's and WebKit's engines: formulas as in Chromium, nothing wider than the window, the same counts."""

from __future__ import annotations

import time

import pytest

from symparams import load
from tests.pages.engines import Firefox, WebKit
from tests.pages.test_browser import written

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
HEAR = """
window.heard = [];
addEventListener("error", ({ message }) => heard.push(message));
addEventListener("unhandledrejection", ({ reason }) => heard.push(String(reason)));
addEventListener("securitypolicyviolation", ({ violatedDirective }) => heard.push(violatedDirective));
for (const name of ["error", "warn"]) console[name] = (...said) => heard.push(said.join(" "));
"""
SET = """
const [name, value] = arguments, field = document.querySelector(`input[name="${name}"]`);
if (field.type === "checkbox") field.click();
else { field.value = value; field.dispatchEvent(new Event("input", { bubbles: true })); }
return document.querySelector("[data-count]").dataset.count;
"""
SHAPE = """
const box = (each) => each.getBoundingClientRect(), all = (selector) => [...document.querySelectorAll(selector)];
const size = (each) => parseFloat(getComputedStyle(each).fontSize);
const under = (each) => Math.max(...[...each.children].map((part) => box(part).bottom));
const braces = all("munder > .ub").map((each) => [box(each.nextElementSibling).top, under(each)]);
return {
  narrow: Number(box(document.querySelector("#derivation")).width < 0.45 * innerWidth),
  wide: document.documentElement.scrollWidth - innerWidth,
  broken: all("#derivation msub, #derivation msup, #derivation munder").filter((each) => each.children.length !== 2).length,
  large: all("#derivation msub > mtext").filter((each) => size(each) > 0.85 * size(each.previousElementSibling)).length,
  close: braces.filter(([label, formula]) => label < formula + 3).length,
  aslant: all("#derivation mtable").filter((table) => { // the signs of equality are under each other
    const signs = [...table.querySelectorAll("mtd.e > mo")].map((each) => Math.round(box(each).left));
    return Math.max(...signs) - Math.min(...signs) > 1;
  }).length,
  out: all("#derivation .f > math").filter((each) => box(each).right > box(each.parentElement).right + 12).length,
  formulas: all("#derivation mtable").length, indices: all("#derivation msub > mtext").length,
};
"""
# A page that widens where its lines were set for the narrower width, and narrows where they were set for the wider one.
CONTRARY = """
const place = document.querySelector("#derivation");
window.settings = 0;
new MutationObserver(() => {
  settings += 1;
  place.style.width = place.style.width === "320px" ? "220px" : "320px";
}).observe(place, { childList: true, subtree: true });
place.style.width = "320px";
"""


@pytest.fixture(scope="module", params=[Firefox, WebKit])
def engine(request, tmp_path_factory):
    found = request.param(tmp_path_factory.mktemp("engine"))
    yield found
    found.close()


@pytest.mark.parametrize("target", ["bert-base-uncased", "deepseek-v3"])
def test_formulas_stand_as_they_should(engine, target, tmp_path):
    file = tmp_path / "page.html"
    file.write_text(written(target), encoding="utf-8")
    for width in (1280, 390):
        for state in ("lang=en", "lang=zh&theme=dark"):
            engine.open(f"{file.as_uri()}#{state}", width)
            assert engine.run("return document.querySelector('[data-count]').dataset.count") == str(load(target).count())
            found = engine.run(SHAPE)
            assert (found.pop("formulas") > 5, found.pop("indices") > 10, found.pop("wide") <= 0) == (True, True, True)
            assert found == dict.fromkeys(found, 0), (width, state)


def test_what_is_typed_and_ticked_counts(engine, tmp_path):
    file = tmp_path / "page.html"
    file.write_text(written("bert-base-uncased"), encoding="utf-8")
    engine.open(file.as_uri(), 1280)
    engine.run(HEAR)
    assert engine.run(SET, "h", "1024") == ""
    assert engine.run(SET, "n_heads", "16") == str(load("bert-base-uncased", h=1024, n_heads=16, d_ff=4096).count())
    assert engine.run(SET, "pooler", "") == str(
        load("bert-base-uncased", h=1024, n_heads=16, d_ff=4096, exclude=["pooler"]).count()
    )
    for pressed in ("[data-lang=zh]", "[data-theme-to=dark]", "#practise", "#reset", "[data-copy=latex]"):
        engine.run("document.querySelector(arguments[0]).click()", pressed)
    assert engine.run("return document.querySelector('[data-count]').dataset.count") == str(load("bert-base-uncased").count())
    assert engine.run("return heard") == engine.said == []


def test_lines_come_to_rest_where_they_change_their_own_width(engine, tmp_path):
    file = tmp_path / "page.html"
    file.write_text(written("bert-base-uncased"), encoding="utf-8")
    engine.open(file.as_uri(), 1280)
    engine.run(CONTRARY)
    time.sleep(1)
    assert engine.run("return settings") == 2
    engine.run("document.querySelector('#derivation').style.width = '420px'")
    time.sleep(1)
    assert engine.run("return settings") == 5, "for a width that was not there before, and once more for each narrower one"
