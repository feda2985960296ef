"""How long a page takes to open and to answer its first change, by the performance timeline of Chromium.

What the timeline measures is time on the wall, script and the layout that it asks for; beside it stands the script's time on
the processor, which a busy machine changes less.
"""

from __future__ import annotations

import statistics
import tempfile
from importlib.util import find_spec
from pathlib import Path
from shutil import which
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
    from tests.pages.conftest import chromium

    if not (find_spec("selenium") and which("chromedriver") and (which("chromium") or which("chromium-browser"))):
        print("Pages: left out, for Chromium, chromedriver and selenium are not all installed")
        return
    print(f"Pages in Chromium, median of {OPENINGS}: ms by its performance timeline (ms of script on the processor)")
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        browser.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        for target, h in TARGETS.items():
            _print_page(browser, Path(folder) / "page.html", target, h)


def _print_page(browser: Any, file: Path, target: str, h: str) -> None:
    from symparams import render

    file.write_text(render(target, "html"), encoding="utf-8")
    runs = [_run(browser, file.as_uri(), h) for _ in range(OPENINGS)]
    medians = [statistics.median(column) for column in zip(*runs, strict=True)]
    opening, opening_cpu, late, change, change_cpu = (f"{median:4.0f}" for median in medians)
    after = f"long formulas after it {late}, first change {change} ({change_cpu})"
    print(f"    {target:20} opening {opening} ({opening_cpu}), {after}")


def _run(browser: Any, url: str, h: str) -> tuple[float, ...]:
    """Opening and first change of one visit, each by the timeline and on the processor."""
    browser.get("about:blank")
    start = _script(browser)
    browser.get(url)
    browser.execute_async_script(WAITED)
    opened = _script(browser)
    [opening], late = (browser.execute_script(TIMELINE, name) for name in ("symparams opening", "symparams late"))
    browser.execute_script(CHANGED, h)
    browser.execute_async_script(WAITED)
    change = browser.execute_script(TIMELINE, "symparams")[1]
    return opening, opened - start, sum(late), change, _script(browser) - opened


def _script(browser: Any) -> float:
    """How many ms the page's thread has spent on script."""
    metrics = browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return 1000 * float(next(metric["value"] for metric in metrics if metric["name"] == "ScriptDuration"))
