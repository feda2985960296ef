"""Engines other than Chromium's: Debian's Firefox by its own WebDriver BiDi, WebKit by its driver for GTK.

Firefox listens itself, so that no geckodriver is needed; WebKit's window has a least width, so the page stands in a frame.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.pages.conftest import OPENED, program

# What Firefox says where it draws a file of which it has read a part; the formulas are looked at when it is there as a whole.
WHILE_LOADING = "Invalid markup: Incorrect number of children"


def until(is_so: Callable[[], Any]) -> None:
    """Wait until something is so, for half a minute."""
    for _ in range(300):
        if is_so():
            return
        time.sleep(0.1)


class Firefox:
    """Firefox without a window."""

    def __init__(self, folder: Path) -> None:
        import websocket

        self.folder, self.said, self.number = folder, [], 0
        options = ["--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0", "about:blank"]
        log = folder / "log"
        with log.open("w") as writing:
            self.process = subprocess.Popen([program("firefox-esr", "firefox"), *options], stdout=writing, stderr=writing)
        for _ in range(600):
            if found := re.search(r"BiDi listening on (ws://\S+)", log.read_text(encoding="utf-8", errors="replace")):
                break
            time.sleep(0.1)
        else:
            self.process.kill()
            (pytest.fail if os.environ.get("CI") else pytest.skip)(
                "Firefox does not listen, as where it is a snap and may not read its profile"
            )
        self.socket = websocket.create_connection(f"{found[1]}/session", suppress_origin=True, timeout=60)
        self.ask("session.new", capabilities={})
        self.context = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        self.ask("session.subscribe", events=["log.entryAdded", "browsingContext.userPromptOpened"])

    def ask(self, method: str, **params: Any) -> Any:
        """What it answers; what it says meanwhile is kept."""
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while (message := json.loads(self.socket.recv())).get("id") != self.number:
            if WHILE_LOADING not in str(message):
                self.said.append(message)
        assert message["type"] == "success", message
        return message["result"]

    def open(self, url: str, width: int) -> None:
        """A page in a window of a width, in a tab of its own.

        From a file to about:blank a tab changes its process, and Firefox loses what it is asked to open meanwhile.
        """
        last, self.context = self.context, self.ask("browsingContext.create", type="tab")["context"]
        self.ask("browsingContext.close", context=last)
        self.said.clear()
        self.ask("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": 900})
        self.ask("browsingContext.navigate", context=self.context, url=url, wait="complete")
        until(lambda: self.run(OPENED))

    def run(self, script: str, *arguments: Any) -> Any:
        """What a script says."""
        expression = f"JSON.stringify((function () {{ {script} }})(...{json.dumps(arguments)}) ?? null)"
        answer = self.ask("script.evaluate", expression=expression, target={"context": self.context}, awaitPromise=False)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def close(self) -> None:
        """The end of it."""
        self.socket.close()
        self.process.terminate()
        self.process.wait(30)


class WebKit:
    """WebKit's small browser on a screen that nobody sees. What it says while a page loads its driver does not tell."""

    def __init__(self, folder: Path) -> None:
        from selenium import webdriver
        from selenium.webdriver.remote.client_config import ClientConfig
        from selenium.webdriver.remote.remote_connection import RemoteConnection
        from selenium.webdriver.webkitgtk.options import Options
        from selenium.webdriver.webkitgtk.service import Service

        service = Service(program("WebKitWebDriver"))
        browsers = sorted(Path("/usr").glob("lib*/*/webkit2gtk-4.*/MiniBrowser"))
        if not browsers:
            (pytest.fail if os.environ.get("CI") else pytest.skip)("WebKit's MiniBrowser is not installed")
        reading, writing = os.pipe()
        screen = [program("Xvfb"), "-displayfd", str(writing), "-screen", "0", "1500x1100x24", "-nolisten", "tcp"]
        self.screen = subprocess.Popen(screen, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as number:
            service.env = os.environ | {"DISPLAY": f":{number.readline().strip()}", "GDK_BACKEND": "x11"}
        options = Options()
        options.binary_location = str(browsers[-1])
        options.add_argument("--automation")
        self.folder, self.said = folder, []
        service.start()
        connection = RemoteConnection(client_config=ClientConfig(service.service_url))
        self.service, self.driver = service, webdriver.Remote(connection, options=options)
        self.driver.set_window_size(1400, 1000)

    def open(self, url: str, width: int) -> None:
        """A page in a window of a width."""
        frame = self.folder / "frame.html"
        frame.write_text(f'<!doctype html><iframe width="{width}" height="900" style="border: 0"></iframe>', encoding="utf-8")
        self.driver.switch_to.default_content()
        self.driver.get(frame.as_uri())
        self.driver.execute_script("document.querySelector('iframe').src = arguments[0]", url)
        self.driver.switch_to.frame(0)
        until(lambda: self.run(f"if (location.protocol === 'file:') {OPENED}"))

    def run(self, script: str, *arguments: Any) -> Any:
        """What a script says."""
        return self.driver.execute_script(script, *arguments)

    def close(self) -> None:
        """The end of it."""
        self.driver.quit()
        self.service.stop()
        self.screen.terminate()
        self.screen.wait(30)
