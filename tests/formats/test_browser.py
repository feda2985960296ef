"""Programs that show SVG: a browser, which measures the letters that it sets, and the library that desktops draw SVG with."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from symparams import compare, draw
from symparams.formats.format import Look

from .conftest import LANGUAGES, Tool, required
from .test_svg import GPT2, HOSTILE, svg
from .test_tikz import DRAWN, hostile

pytestmark = pytest.mark.tex
BROWSER = ("--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000", "--dump-dom")
# What lies outside of its box or of its drawing, by half a point at least; what is no element of SVG; what has run.
MEASURE = """
const found = [], count = document.querySelectorAll("svg").length;
for (const svg of document.querySelectorAll("svg")) {
  const name = svg.querySelector("title").textContent, page = svg.viewBox.baseVal;
  for (const text of svg.querySelectorAll("text")) {
    const own = text.getBoundingClientRect(), scale = svg.getBoundingClientRect().width / page.width;
    const group = text.closest("g[data-part]"), box = (group ? group.querySelector("rect") : svg).getBoundingClientRect();
    const slack = (group ? 0.5 : 0) * scale;
    if (own.left < box.left + slack || own.right > box.right - slack) found.push([name, text.textContent]);
  }
  for (const each of svg.querySelectorAll("*"))
    if (each.namespaceURI !== "http://www.w3.org/2000/svg") found.push([name, each.tagName]);
}
document.body.textContent = JSON.stringify({count, found, ran: window.ran || []});
"""


@pytest.fixture
def measured(tool: Tool, tmp_path: Path) -> Callable[[list[str]], list[object]]:
    """``measured(drawings)`` lists what a browser finds amiss in drawings that stand in one page of HTML."""
    browser = tool("chromium" if shutil.which("chromium") else "google-chrome")

    def run(drawings: list[str]) -> list[object]:
        page = tmp_path / "page.html"
        ready = "window.ran = []; window.onerror = (error) => window.ran.push(error);"
        parts = ["<!doctype html><meta charset=utf-8><script>", ready, "</script><body>", *drawings]
        page.write_text("".join([*parts, "<script>", MEASURE, "</script>"]), encoding="utf-8")
        command = [browser, *BROWSER, f"--user-data-dir={tmp_path / 'profile'}", page.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
        body = re.search(r"<body>(\{.*\})</body>", done.stdout, re.DOTALL)
        assert body, done.stdout[-2000:]
        said = json.loads(unescape(body[1]))
        assert (said["count"], said["ran"]) == (len(drawings), [])
        return list(said["found"])

    return run


def drawings(language: str) -> Iterator[str]:
    for model in DRAWN:
        for shown in ({}, {"detail": "blocks", "labels": "formula"}, {"detail": "stacks"}, {"bars": True}):
            yield draw(model, language=language, **shown)
    yield draw(compare("bert-base-uncased", "gpt2", "bloom-560m"), language=language)
    yield draw(compare("gpt2", "llama-3-8b"), language=language, side_by_side=True)
    yield draw(compare("llama-7b", "llama-2-7b", "llama-3-8b"), language=language, side_by_side=True)


def test_in_a_browser_no_text_leaves_its_box_and_what_is_hostile_is_text(measured: Callable[[list[str]], list[object]]) -> None:
    assert "onclick" in HOSTILE
    assert measured([*(drawing for language in LANGUAGES for drawing in drawings(language)), svg(hostile())]) == []


def test_the_checker_of_the_standards_finds_nothing(tool: Tool, tmp_path: Path) -> None:
    """The Nu checker, which W3C runs: of files, and of a page in which they stand beside one another."""
    jar = Path(__file__).parent / "node_modules/vnu-jar/build/dist/vnu.jar"
    required(jar.is_file(), "The Nu checker is not installed: run 'npm ci --prefix tests/formats'")
    pictures = [*(drawing for language in LANGUAGES for drawing in drawings(language)), svg(replace(hostile(), name="hostile"))]
    for i, picture in enumerate(pictures):
        (tmp_path / f"{i}.svg").write_text(picture, encoding="utf-8")
    page = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Drawings</title></head><body>%s</body></html>'
    two = draw("gpt2") + draw("bert-base-chinese", language="zh")
    (tmp_path / "page.html").write_text(page % two, encoding="utf-8")
    command = [tool("java"), "-jar", str(jar), "--also-check-svg", *map(str, sorted(tmp_path.iterdir()))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_by_itself_it_is_a_picture(tool: Tool, tmp_path: Path) -> None:
    for drawing, look in [
        (GPT2, Look()), (GPT2, Look(theme="dark")), (GPT2, Look(theme="light", background=False)), (hostile(), Look())
    ]:  # fmt: skip
        (tmp_path / "drawing.svg").write_text(svg(drawing, look), encoding="utf-8")
        command = [tool("rsvg-convert"), "drawing.svg", "-o", "drawing.png"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert (tmp_path / "drawing.png").stat().st_size > 1000
