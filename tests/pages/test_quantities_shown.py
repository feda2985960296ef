"""Other quantities in a browser: chosen, typed, kept in the address, copied as a command that gives the same number."""

from __future__ import annotations

import pytest

from symparams import load
from tests.pages.test_browser import AXE, CHOOSE, FAULT, opened  # noqa: F401 - the fixture of a page that is open

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def test_a_quantity_is_chosen_and_its_inputs_are_typed(opened, cli):  # noqa: F811
    page = opened("llama-3-8b")
    page.run(CHOOSE, "quantity", "kv_cache")
    said = "return document.querySelector('#about').textContent"
    assert page.count == ""
    assert page.run(said) == "No value yet for b, t."
    page.type("b", "1")
    page.type("t", "4096")
    assert page.count == str(load("llama-3-8b").measure("kv_cache", b=1, t=4096)) == "536870912"
    assert page.run(said) == "bytes ≈ 537 MB = 512 MiB"
    assert "·" not in page.run("return document.querySelector('#closed').textContent")
    page.type("t", "-1")
    assert page.run(FAULT) == "t = '-1' must be a positive integer: t counts something."
    page.type("t", "0")
    assert page.count == "0"
    page.type("t", "4*h")
    page.type("L", "16")
    state, count = page.address, page.count
    assert state == "#m=llama-3-8b&quantity=kv-cache&L=16&b=1&t=4*h"
    page.press("[data-copy=command]")
    command = page.browser.execute_async_script("setTimeout(() => arguments[0](window.symparamsCopied), 50)")
    assert command == 'symparams derive llama-3-8b --quantity kv-cache --set b=1 --set t="4*h" --set L=16'
    assert cli(["count", *command.replace('"', "").split()[2:]]).out.strip() == count
    page.go(state)
    assert page.count == count
    page.run(CHOOSE, "quantity", "parameters")
    assert page.count == str(load("llama-3-8b", L=16).count())
    page.silent()


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("target", ["bert-base-uncased", "llama-3-8b", "t5-small"])
def test_it_fits_its_window_and_is_accessible(opened, target, width):  # noqa: F811
    page = opened(target, size=(width, 900))
    for quantity in ("weight-memory", "kv-cache", "forward-flops", "training-flops"):
        for state in ("b=8&s=128&s_src=128", "b=8&s=128&t=x&lang=zh&theme=dark"):
            page.go(f"#quantity={quantity}&{state}")
            assert page.run("return document.documentElement.scrollWidth") <= width
            page.run(AXE.read_text(encoding="utf-8"))
            found = page.browser.execute_async_script("axe.run().then(arguments[0])")
            assert [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found["violations"]] == []
    page.silent()


def test_steps_of_a_quantity_are_practised(opened):  # noqa: F811
    page = opened("llama-3-8b")
    page.go("#quantity=kv-cache&b=1&t=4096")
    page.press("#practise")
    page.run("document.querySelector('.try input').value = '2*b*t*d_head*n_kv_heads*e'")
    page.run("document.querySelector('.try').requestSubmit()")
    assert page.run("return document.querySelector('.good').textContent") == "Right."
    page.silent()
