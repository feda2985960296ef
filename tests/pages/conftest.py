"""What works a page out: node, with the runtime as it stands in the file, and Chromium, which opens it.

A program that is not installed skips its tests, with the reason; where the variable CI is set it fails them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from symparams.sheets.catalogue import templates
from tests.pages.cases import WORDS, page_of

HERE = Path(__file__).parent
# The others need a document.
WITHOUT_PAGE = ("rational", "amounts", "exact", "print", "packing", "sheet", "besides", "faults", "costs", "say", "marking")


def program(*names: str) -> str:
    """Where one of these programs is; without any the test is skipped, in CI it fails."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"{names[0]} is not installed")
    return found


@pytest.fixture(scope="session")
def node() -> Iterator[Callable[..., list[Any]]]:
    """``node(data=…, cases=[…])`` are the answers of the runtime; one process gives all of them."""
    command = [program("node"), str(HERE / "page.mjs"), str(templates() / "html"), *(f"{name}.js" for name in WITHOUT_PAGE)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stdin
        assert process.stdout

        def ask(**asked: Any) -> list[Any]:
            print(json.dumps(asked), file=process.stdin, flush=True)
            return list(json.loads(process.stdout.readline()))

        yield ask
        process.stdin.close()


@pytest.fixture(scope="session")
def worked_out(node: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    """``worked_out("bert", case, …)`` are the runtime's answers to cases with the page of a target."""
    return lambda target, *cases, **page: node(data=page_of(target), words=WORDS, cases=list(cases), **page)


def chromium() -> Any:
    """Chromium without a window, which writes down what it says and whatever it asks of a network."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = program("chromium", "chromium-browser", "google-chrome")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1280,1000"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(program("chromedriver")))


OPENED = "return Boolean(document.documentElement.dataset.opened)"


def open_page(browser: Any, url: str) -> None:
    """A page, opened, whose runtime is unpacked and has drawn it."""
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get("about:blank")
    browser.get(url)
    WebDriverWait(browser, 20, 0.05).until(lambda _: browser.execute_script(OPENED))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, open."""
    driver = chromium()
    yield driver
    driver.quit()
