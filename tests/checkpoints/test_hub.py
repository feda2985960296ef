"""A repository of the hub: the headers of its files, by requests for their first bytes."""

from __future__ import annotations

import json
import re
import sys

import pytest

from symparams.checkpoints import hub as reading
from symparams.checkpoints.files import read
from symparams.errors import CheckpointError, ConfigError
from symparams.models.sources.hub import offline
from tests.checkpoints.writing import safetensors
from tests.models.hub import response, serving

SHAPES = {"model.embed_tokens.weight": (9, 4), "model.norm.weight": (4,)}
PLAIN = re.compile(r"GET (\S+) ")
RANGE = re.compile(r"range: bytes=([0-9]+)-([0-9]+)", re.IGNORECASE)


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """A hub that serves the files of a folder in the parts that it is asked for."""
    pytest.importorskip("huggingface_hub")
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")
    monkeypatch.setenv("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1")
    with serving() as server:
        from huggingface_hub import constants

        monkeypatch.setattr(constants, "ENDPOINT", server.address)
        template = server.address + "/{repo_id}/resolve/{revision}/{filename}"
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)

        def behave(connection, head):
            file = tmp_path / PLAIN.match(head)[1].rpartition("/")[2]
            part = RANGE.search(head)
            if not file.exists():
                connection.sendall(response(404, b"", "X-Error-Code: EntryNotFound"))
            elif part:
                body, first = file.read_bytes(), int(part[1])
                piece = body[first : int(part[2]) + 1]
                connection.sendall(response(206, piece, f"Content-Range: bytes {first}-{first + len(piece) - 1}/{len(body)}"))
            else:
                connection.sendall(response(200, file.read_bytes()))

        server.behaviour = behave
        yield server


@pytest.mark.parametrize("first", [reading.FIRST, 20])
def test_one_file(first, hub, tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "FIRST", first)
    file = safetensors(tmp_path / "model.safetensors", SHAPES)
    found = read("hf:someone/model")
    assert {tensor.name: tensor.shape for tensor in found.tensors} == SHAPES
    assert found.bytes == file.stat().st_size


def test_several_files_with_an_index(hub, tmp_path):
    listed = {}
    for place, (name, shape) in enumerate(SHAPES.items()):
        safetensors(tmp_path / f"{place}.safetensors", {name: shape})
        listed[name] = f"{place}.safetensors"
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps({"weight_map": listed}))
    assert read("hf:someone/model").files == 2


def test_what_a_hub_has_not_is_a_line(hub, tmp_path):
    with pytest.raises(CheckpointError, match=r"^Cannot read 'hf:someone/model': it has no model\.safetensors\.$"):
        read("hf:someone/model")
    hub.behaviour = lambda connection, _: connection.sendall(response(206, b"ab", "Content-Range: bytes 5-6/9"))
    with pytest.raises(ConfigError, match="the hub answered with another part of the file than was requested"):
        reading._header(reading.Repository.of("hf:someone/model"), "model.safetensors")


def test_offline_is_what_the_client_has_fetched_before(hub, tmp_path, monkeypatch):
    from huggingface_hub import constants

    snapshot = tmp_path / "models--someone--model" / "snapshots" / ("0" * 40)
    (snapshot.parents[1] / "refs").mkdir(parents=True)
    (snapshot.parents[1] / "refs" / "main").write_text(snapshot.name)
    snapshot.mkdir(parents=True)
    safetensors(snapshot / "model.safetensors", SHAPES)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    with offline():
        assert len(read("hf:someone/model").tensors) == 2
        with pytest.raises(CheckpointError, match="it is not in the cache of the hub's client"):
            read("hf:someone/other")
    assert hub.asked == []


def test_without_the_hub_or_its_client_the_error_is_one_line(monkeypatch, cli):
    constants = pytest.importorskip("huggingface_hub").constants
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", "http://127.0.0.1:9/{repo_id}/{revision}/{filename}")
    for missing, line in (
        (False, "the hub cannot be reached (Connection refused)"),
        (True, "needs huggingface_hub; pip install"),
    ):
        if missing:
            monkeypatch.setitem(sys.modules, "huggingface_hub", None)
        for command in ("verify", "explain"):
            code, out, err = cli(f"{command} gpt2 --checkpoint hf:someone/model")
            assert (code, out, err.count("\n")) == (2, "", 1)
            assert line in err
