"""A page on paper: white, as many pages as a sheet has, every section on it, and nothing beyond the edge."""

from __future__ import annotations

import io
import re
import subprocess
from base64 import b64decode
from unicodedata import normalize

import pytest

from symparams import load
from tests.pages.conftest import open_page, program
from tests.pages.test_browser import written

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
MOST_PAGES = {"bert-base-uncased": 5, "llama-3-8b": 4, "deepseek-v3": 6}
SECTIONS = (
    "return [...document.querySelectorAll('#derivation h3, #h-shares')].map((each) => each.textContent.replace(/\\s+/g, ''))"
)


@pytest.fixture
def printed(browser, tmp_path):
    """``printed("bert-base-uncased", "#lang=zh")``: the sections on the screen, the paper, and its file."""
    from pypdf import PdfReader

    def pages(target, state, width=1280):
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        file = tmp_path / "page.html"
        file.write_text(written(target), encoding="utf-8")
        open_page(browser, file.as_uri() + state)
        sections = browser.execute_script(SECTIONS)
        paper = browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True, "printBackground": True})
        (tmp_path / "page.pdf").write_bytes(b64decode(paper["data"]))
        return sections, PdfReader(io.BytesIO(b64decode(paper["data"]))), tmp_path / "page.pdf"

    return pages


@pytest.mark.parametrize("target", MOST_PAGES)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_it_prints_as_a_sheet(printed, target, language):
    features = "&with=mlm_head" if target.startswith("bert") else ""
    sections, paper, file = printed(target, f"#lang={language}&theme=dark{features}")
    text = "".join(page.extract_text() for page in paper.pages)
    plain = normalize("NFKC", re.sub(r"\s+", "", text))  # a PDF may name a character by the radical of the same shape
    count = load(target, include=["mlm_head"] if features else []).count()
    assert len(paper.pages) <= MOST_PAGES[target]
    assert f"{count:,}" in plain
    assert [section for section in sections if section not in plain] == []
    assert ("Settings" if language == "en" else "设置") not in text
    gray = subprocess.run(
        [program("pdftoppm"), "-gray", "-r", "20", "-l", "1", str(file)], capture_output=True, check=True
    ).stdout
    assert gray[-1] == 255, "the paper is white"
    assert "config" in text.lower() or "num_" in text, "the table of dimensions"


def test_nothing_stands_beyond_the_edge_of_the_paper(printed):
    """Whatever the window, lines are as wide as the paper allows."""
    for width in [390, 2000]:
        _, paper, file = printed("deepseek-v3", "#notation=hf&V=" + "9" * 25, width)
        words = within_edge(paper, file)
        assert f"+{(10**25 - 1) * 7168:,}" in words.split("ruleofthumb")[-1], "a long number parts at its commas, and is whole"
        assert len(paper.pages) <= 8


def test_a_config_s_long_keys_stay_on_the_paper(printed):
    for family in ["llama-3-8b", "llava"]:
        _, paper, file = printed(family, "#notation=hf")
        assert "hidden_size" in within_edge(paper, file)


def within_edge(paper, file):
    """All words of a printed page, none of which stands beyond its edge."""
    boxes = subprocess.run([program("pdftotext"), "-bbox", str(file), "-"], capture_output=True, text=True, check=True).stdout
    edge = float(paper.pages[0].mediabox.width) - 18 / 25.4 * 72
    words = re.findall(r'<word .*?xMax="([\d.]+)" .*?>(.*)</word>', boxes)
    assert [(right, word) for right, word in words if float(right) > edge + 1] == []
    assert max(float(right) for right, _ in words) > edge * 0.8
    return "".join(word for _, word in words)
