"""How long a page takes to open and to answer its first change, by the performance timeline of Chromium.

What the timeline measures is time on the wall, script and the layout that it asks for; beside it stands the script's time on
the processor, which a busy machine changes less.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TARGETS = {"bert-base-uncased": "1536", "llama-3-8b": "8192", "deepseek-v3": "4096", "jamba": "8192"}  # each with another h
OPENINGS = 7
WAITED = "setTimeout(arguments[0], 200)"  # the first frames are drawn
CHANGED = """
const field = document.querySelector("input[name=h]");
field.value = arguments[0];
field.dispatchEvent(new Event("input", { bubbles: true }));
"""
TIMELINE = "return performance.getEntriesByName(arguments[0]).map(({ duration }) => duration)"


def print_pages() -> None:
    """The medians for a few models; one line with the reason where there is no Chromium."""
    programs = shutil.which("chromium") or shutil.which("chromium-browser"), shutil.which("chromedriver")
    try:
        import selenium  # noqa: F401 - whether it is there
    except ImportError:
        programs = None, None
    if not all(programs):
        print("Pages: left out, for Chromium, chromedriver and selenium are not all installed")
        return
    print(f"Pages in Chromium, median of {OPENINGS}: ms by its performance timeline (ms of script on the processor)")
    with _browser(*programs) as browser, tempfile.TemporaryDirectory() as folder:
        for target, h in TARGETS.items():
            _print_page(browser, Path(folder) / "page.html", target, h)


def _print_page(browser: Any, file: Path, target: str, h: str) -> None:
    from symparams import render

    file.write_text(render(target, "html"), encoding="utf-8")
    runs = [_run(browser, file.as_uri(), h) for _ in range(OPENINGS)]
    medians = [statistics.median(column) for column in zip(*runs, strict=True)]
    opening, opening_cpu, late, change, change_cpu = (f"{each:4.0f}" for each in medians)
    after = f"long formulas after it {late}, first change {change} ({change_cpu})"
    print(f"    {target:20} opening {opening} ({opening_cpu}), {after}")


def _run(browser: Any, url: str, h: str) -> tuple[float, ...]:
    """Opening and first change of one visit, each by the timeline and on the processor."""
    browser.get("about:blank")
    start = _script(browser)
    browser.get(url)
    browser.execute_async_script(WAITED)
    opened = _script(browser)
    [opening], late = _timeline(browser, "symparams opening"), sum(_timeline(browser, "symparams late"))
    browser.execute_script(CHANGED, h)
    browser.execute_async_script(WAITED)
    return opening, opened - start, late, _timeline(browser, "symparams")[1], _script(browser) - opened


def _timeline(browser: Any, name: str) -> list[float]:
    return list(browser.execute_script(TIMELINE, name))


def _script(browser: Any) -> float:
    """How many ms the page's thread has spent on script."""
    metrics = browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return 1000 * float(next(each["value"] for each in metrics if each["name"] == "ScriptDuration"))


@contextmanager
def _browser(chromium: str, chromedriver: str) -> Iterator[Any]:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,1000"):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=Service(chromedriver))
    driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    try:
        yield driver
    finally:
        driver.quit()
