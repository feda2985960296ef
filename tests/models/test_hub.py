"""Configs from the hub by their id: the real client against a server of our own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.library import require

require("huggingface_hub")

ANSWERS = {
    "/someone/model/resolve/main/config.json": (200, {"model_type": "bert", "architectures": ["BertModel"]}, {}),
    "/someone/gated/resolve/main/config.json": (403, {"error": "gated"}, {"X-Error-Code": "GatedRepo"}),
    "/someone/empty/resolve/main/config.json": (404, {"error": "no"}, {"X-Error-Code": "EntryNotFound"}),
}


class Hub(BaseHTTPRequestHandler):
    def do_HEAD(self):
        self.answer(with_body=False)

    def do_GET(self):
        self.answer(with_body=True)

    def answer(self, *, with_body):
        status, content, headers = ANSWERS.get(self.path, (404, {"error": "no"}, {"X-Error-Code": "RepoNotFound"}))
        body = json.dumps(content).encode()
        self.send_response(status)
        for name, value in {"ETag": '"abc"', "X-Repo-Commit": "0" * 40, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def endpoint():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def count(target, endpoint, cache, **environment):
    surroundings = {**os.environ, "HF_ENDPOINT": endpoint, "HF_HOME": str(cache), **environment}
    command = [sys.executable, "-m", "symparams", "count", target]
    return subprocess.run(command, capture_output=True, text=True, env=surroundings, check=False, timeout=120)


def test_a_model_of_the_hub_is_counted(endpoint, tmp_path):
    done = count("hf:someone/model", endpoint, tmp_path)
    assert (done.returncode, done.stdout) == (0, "109482240\n")


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("hf:someone/gated", "its owner asks for consent first"),
        ("hf:someone/nothing", "there is no such public model"),
        ("hf:someone/empty", "it has no config.json"),
        ("hf:../../etc", "names no model on the hub: write hf:owner/name"),
        ("hf:", "names no model on the hub: write hf:owner/name"),
    ],
)
def test_what_cannot_be_had_is_said_in_a_line(target, says, endpoint, tmp_path):
    done = count(target, endpoint, tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert says in done.stderr.splitlines()[-1]


def test_offline_is_said_in_a_line(tmp_path):
    done = count("hf:someone/model", "http://127.0.0.1:9", tmp_path, HF_HUB_OFFLINE="1")
    assert done.returncode == 2
    assert "the hub cannot be reached" in done.stderr.splitlines()[-1]
