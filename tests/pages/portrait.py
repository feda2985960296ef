"""The pictures of a page in the READMEs: ``python -m tests.pages.portrait`` takes them anew, with Chromium."""

from __future__ import annotations

import base64
from pathlib import Path
from tempfile import TemporaryDirectory

from symparams import render
from tests.pages.conftest import chromium, open_page

TARGET = "llama-3-8b"
SIZE = {"width": 1180, "height": 860, "deviceScaleFactor": 1, "mobile": False}
FOLDER = Path(__file__).parents[2] / "notebooks"


def portraits() -> None:
    """The top of a model's page in each language, with eight layers more."""
    driver = chromium()
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", SIZE)
    with TemporaryDirectory() as folder:
        for language, name in (("en", "page.webp"), ("zh", "page.zh.webp")):
            file = Path(folder) / f"{language}.html"
            file.write_text(render(TARGET, "html", language=language), encoding="utf-8")
            open_page(driver, f"{file.as_uri()}#theme=light&L=40")
            taken = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "webp", "quality": 70})
            (FOLDER / name).write_bytes(base64.b64decode(taken["data"]))
    driver.quit()


if __name__ == "__main__":
    portraits()
