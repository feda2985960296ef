"""Configs from the hub by their id and revision: against a server of our own, which does whatever a server can do."""

from __future__ import annotations

import gzip
import importlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from huggingface_hub import constants

from symparams import SymparamsError, load
from symparams.cli.completion import offers
from symparams.models.sources import hub as hub_room
from symparams.models.sources.hub import client, offline

from .hub import CONFIG, COUNT, Hub, pours, response, says, serving, trickles

COMMIT = "0123456789abcdef0123456789abcdef01234567"
SECRET = "hf_thisIsTheToken"
BOMB = gzip.compress(b" " * 10**7, mtime=0)


Setenv = Callable[[str, str], None]


@pytest.fixture
def setenv() -> Iterator[Setenv]:
    """Sets a variable as if it had been set before huggingface_hub was imported, which reads most of them then."""
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            if name.startswith(("HF_", "HUGGING", "TRANSFORMERS_")) or name.lower().endswith("_proxy"):
                patch.delenv(name)

        def set_and_read(name: str, value: str) -> None:
            patch.setenv(name, value)
            importlib.reload(constants)

        yield set_and_read
    importlib.reload(constants)


@pytest.fixture
def home(tmp_path: Path, setenv: Setenv, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the hub's client that has nothing in it yet."""
    setenv("no_proxy", "127.0.0.1,localhost")
    setenv("HF_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


@pytest.fixture
def hub(home: Path, setenv: Setenv, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    monkeypatch.setattr(client, "WAITS", (0.01, 0.01, 0.01))
    with serving() as server:
        setenv("HF_ENDPOINT", server.address)
        yield server


@pytest.fixture
def refused() -> Callable[[str], str]:
    """The reason why a model cannot be had: a line, without what a terminal would obey."""

    def line(target: str = "hf:someone/model") -> str:
        with pytest.raises(SymparamsError) as error:
            load(target)
        assert str(error.value).isprintable()
        assert SECRET not in str(error.value)
        return str(error.value).removeprefix(f"Cannot read '{target}': ").removesuffix(".")

    return line


# What is asked for


@pytest.mark.parametrize(
    ("target", "path", "name"),
    [
        ("hf:someone/model", "/someone/model/resolve/main/config.json", "someone/model"),
        ("someone/model", "/someone/model/resolve/main/config.json", "someone/model"),
        ("hf:model", "/model/resolve/main/config.json", "model"),
        ("hf:someone/model@v1.0", "/someone/model/resolve/v1.0/config.json", "someone/model@v1.0"),
        ("someone/model@v1.0", "/someone/model/resolve/v1.0/config.json", "someone/model@v1.0"),
        ("hf:someone/model@refs/pr/3", "/someone/model/resolve/refs%2Fpr%2F3/config.json", "someone/model@refs/pr/3"),
        (f"someone/model@{COMMIT}", f"/someone/model/resolve/{COMMIT}/config.json", f"someone/model@{COMMIT}"),
    ],
)
def test_a_model_and_a_revision_of_it(target, path, name, hub):
    model = load(target)
    assert (model.count(), model.name) == (COUNT, name)
    assert [head.split("\r\n")[0] for head in hub.asked] == [f"GET {path} HTTP/1.1"]


@pytest.mark.parametrize(
    "target",
    [
        "hf:", "hf:.", "hf:..", "hf:-foo/good", "hf:foo--bar/good", "hf:foo.git", "hf:foo/bar.git", "hf:foo/bar.", "hf:.a/b",
        "hf:foo..bar", "hf:../../etc", "hf:a/b/c", "hf:/a", "hf:a/", "hf:a b", "hf:模型", "hf:a/b\r\nHost: x", "hf:a/b\0",
        "hf:a/" + "b" * 97, "hf:" + "a" * 100_000, "hf:a/b?x=1", "hf:a/b#x", "hf:a/b%2e%2e", "hf:a/b@", "hf:a/b@..",
        "hf:a/b@../../c", "hf:a/b@/x", "hf:a/b@x/", "hf:a/b@x//y", "hf:a/b@-x", "hf:a/b@.x", "hf:a/b@" + "x" * 301,
        "hf:a/b@x y", "hf:a/b@x@y", "hf:a/b@x?y", "a/b@..", "a/b@x/",
    ],
)  # fmt: skip
def test_what_is_no_name_on_the_hub_is_refused_before_anybody_is_asked(target, hub, refused):
    assert "is not a model on the hub: write hf:OWNER/NAME, as in hf:Qwen/Qwen3-8B" in refused(target)
    assert hub.asked == []


# Who asks


def test_the_token_of_the_environment_or_of_the_clients_file_is_sent(hub, home, setenv):
    def sent() -> list[str]:
        load("hf:someone/model")
        return [line for line in hub.asked[-1].split("\r\n") if line.startswith("Authorization")]

    assert sent() == []
    home.mkdir()
    (home / "token").write_text(f"{SECRET}\n")
    assert sent() == [f"Authorization: Bearer {SECRET}"]
    setenv("HF_TOKEN_PATH", str(home / "other"))
    assert sent() == []
    setenv("HF_TOKEN", "another")
    assert sent() == ["Authorization: Bearer another"]
    setenv("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1")
    assert sent() == []


def test_no_token_is_sent_for_what_may_be_a_path_that_is_not_there(hub, refused, setenv):
    setenv("HF_TOKEN", SECRET)
    hub.behaviour = says(response(404, b""))
    said = "there is no such path and no such public model; write hf:models/llama to ask with your token"
    assert refused("models/llama") == said
    assert refused("hf:models/llama").startswith("there is no such public model; ")
    assert [SECRET in head for head in hub.asked] == [False, True]


def test_a_token_goes_to_the_hub_alone(hub, setenv):
    """Not to another host, nor to another port of the same one."""
    setenv("HF_TOKEN", SECRET)
    with serving() as elsewhere:
        hub.behaviour = says(response(307, b"", "Location: /moved"), response(302, b"", f"Location: {elsewhere.address}/x"))
        assert load("hf:someone/model").count() == COUNT
        assert [SECRET in head for head in hub.asked] == [True, True]
        assert [SECRET in head for head in elsewhere.asked] == [False]


@pytest.mark.parametrize("token", ["a\x1bb", "two words", "模型", "x" * 5_000], ids=len)
def test_what_is_no_token_is_not_sent_nor_shown(token, hub, refused, setenv):
    setenv("HF_TOKEN", token)
    reason = refused()
    assert reason.startswith("The hub's token, in HF_TOKEN or '")
    assert reason.endswith("', is not a valid token: log in again with `hf auth login`")
    assert (token in reason, hub.asked) == (False, [])


def test_an_address_that_is_none(home, refused, setenv):
    for address in ("ftp://host", "host", "http://", "https://h:x"):
        setenv("HF_ENDPOINT", address)
        assert "/someone/model/resolve/main/config.json' is not an address; set HF_ENDPOINT to https://HOST, or" in refused()


@pytest.mark.parametrize("name", ["HF_HOME", "HF_TOKEN_PATH", "HF_HUB_CACHE"])
def test_a_home_that_is_none(name, hub, cli, setenv):
    for place in ("/dev/null", "/dev/null/x", "no/where", "a\x1b", "x" * 5_000):
        setenv(name, place)
        code, out, err = cli("count hf:someone/model")
        assert (code, out) in [(0, f"{COUNT}\n"), (2, "")]
        assert code == 0 or (err.startswith("symparams: Cannot read '") and err.count("\n") == 1)


# What is answered


ANSWERS = [
    (response(403, b"", "X-Error-Code: GatedRepo"), "its owner asks for consent first; accept the terms on its page"),
    (response(404, b"", "X-Error-Code: RepoNotFound"), "there is no such public model; check the owner and the name"),
    (response(401, b""), "there is no such public model"),
    (response(404, b"", "X-Error-Code: EntryNotFound"), "it has no config.json"),
    (response(404, b"", "X-Error-Code: RevisionNotFound"), "it has no revision 'main'; check the branch, the tag or"),
    (response(404, b"", "X-Error-Code: \x1b[2J"), "there is no such public model"),
    (response(418, b""), "the hub answered 418 I'm a Teapot"),
    (response(999, b""), "the hub answered 999; try again later"),
    (response(500, b"<html>"), "the hub answered 500 Internal Server Error; try again later"),
    (response(429, b"", "Retry-After: 0"), "the hub answered 429 Too Many Requests; try again later"),
    (response(429, b"", "Retry-After: 9999"), "the hub answered 429 Too Many Requests; try again later"),
    (response(302, b"", "Location: file:///etc/passwd"), "the hub redirects from http to https or to another scheme"),
    (response(302, b"", "Location: https://127.0.0.1/"), "the hub redirects from http to https or to another scheme"),
    (response(302, b"", "Location: /again"), "the hub redirects more than 5 times"),
    (response(302, b""), "the hub answered 302 Found"),
    (response(302, b"", "Location: http://127.0.0.1:99999/"), "the hub cannot be reached"),
    (response(302, b"", "Location: /" + "a" * 9_000), "the hub redirects more than 5 times"),
    (response(200, BOMB, "Content-Encoding: gzip"), "in an encoding that was not requested"),
    (response(200, CONFIG, length=10**10), "the hub's answer has more than 4,194,304 bytes: that is not a config.json"),
    (response(200, b" " * (4 * 2**20 + 1)), "the hub's answer has more than 4,194,304 bytes"),
    (response(200, CONFIG, length=len(CONFIG) + 1), "the hub's answer was cut short"),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}\r\n", "the hub's answer was cut short"),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n", "the hub's answer was cut short"),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n{}\r\n", "the hub's answer was cut short"),
    (b"", "the hub's answer was cut short or is not HTTP; try again later"),
    (b"SSH-2.0-OpenSSH\r\n", "cut short or is not HTTP"),
    (b"\x16\x03\x01" + b"\xff" * 100, "cut short or is not HTTP"),
    (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 50_000 + b"\r\n{}", "cut short or is not HTTP"),
    (b"HTTP/1.1 200 " + b"x" * 100_000, "cut short or is not HTTP"),
    (response(200, b"\xff\xfe"), "the hub's answer is not UTF-8 text"),
    # What is answered is read as any other config.
    (response(200, b"<html>"), "'hf:someone/model' is not JSON: Expecting value at line 1, column 1."),
    (response(200, b"[" * 5_000), "'hf:someone/model' is nested deeper than 100 levels: that is not a config.json."),
    (response(200, b'{"a": ' + b"9" * 5_000 + b"}"), "'hf:someone/model' holds a number with more digits"),
    # For httpx2 2.0 it is no HTTP, for later ones an answer like any other.
    (response(302, b"", "Location: http://[::1"), "the hub"),
    (response(302, b"", "Location: /a\x1b[2Jb"), "the hub"),
]  # fmt: skip


def test_whatever_a_hub_answers_is_a_config_or_a_line(hub, refused):
    for answer, reason in ANSWERS:
        hub.behaviour = says(answer)
        assert reason.removesuffix(".") in refused()


def test_a_hub_that_is_busy_is_asked_again(hub):
    hub.behaviour = says(response(500, b""), response(429, b"", "Retry-After: 0"), response(503, b""), response())
    assert load("hf:someone/model").count() == COUNT
    assert len(hub.asked) == 4


def test_a_hub_that_cannot_be_reached(home, refused, setenv):
    setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert refused() == (
        "the hub cannot be reached (Connection refused); connect to it, set HF_HUB_OFFLINE=1 for what its client has "
        "fetched before, or give the path of a file"
    )
    assert refused("Qwen/Qwen2.5-7B").endswith("give the path of a file. symparams knows it as 'qwen2.5-7b'")


def test_a_proxy_that_cannot_be_used(hub, refused, setenv):
    setenv("ALL_PROXY", "nonsense://127.0.0.1")
    assert refused().startswith("the hub cannot be reached (")


def test_without_its_client_the_extra_is_named(hub, refused, monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    assert refused() == "reading the hub needs huggingface_hub; pip install 'symparams[hub]'"


HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 54\r\n"


@pytest.mark.parametrize(
    "behaviour",
    [
        lambda connection, _: time.sleep(30),
        trickles(b"", HEAD, 0.1),
        trickles(HEAD + b"X: ", b"x" * 100, 0.1),
        trickles(HEAD + b"\r\n", CONFIG, 0.1),
        trickles(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1" * 100, 0.1),
        pours(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    ],
    ids=["silence", "status", "header", "body", "chunks", "continue"],
)
def test_a_hub_that_never_ends_has_a_deadline(behaviour, hub, refused, monkeypatch):
    """And what was waiting for it is waiting no longer."""
    monkeypatch.setattr(hub_room, "DEADLINE", 0.4)
    hub.behaviour = behaviour
    start = time.monotonic()
    assert refused().startswith("the hub did not answer ")
    assert time.monotonic() - start < 3
    end = time.monotonic() + 5
    while any(thread.name == "hub" for thread in threading.enumerate()) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(thread.name == "hub" for thread in threading.enumerate())


def test_an_endless_body_is_read_as_far_as_a_config_may_reach(hub, refused):
    for head, reason in (
        (b"200 OK", "the hub's answer has more than 4,194,304 bytes: that is not a config.json"),
        (b"404 Not Found\r\nX-Error-Code: EntryNotFound", "it has no config.json"),
        (b"302 Found\r\nLocation: /again", "the hub redirects more than 5 times"),
    ):
        hub.behaviour = pours(b"HTTP/1.1 " + head + b"\r\n\r\n", b" " * 65_536)
        assert refused() == reason


def test_nothing_is_written_whatever_a_server_calls_it(hub, home):
    hub.behaviour = says(response(200, CONFIG, 'ETag: "../../x"', f"X-Repo-Commit: ../../{COMMIT}", "X-Linked-Etag: ../y"))
    before = sorted(home.parent.rglob("*"))
    assert load("hf:someone/model").count() == COUNT
    assert sorted(home.parent.rglob("*")) == before


# Without a net


@pytest.fixture
def cached(home: Path) -> Path:
    """The cache as huggingface_hub fills it: a commit's files are links to what they hold."""
    folder = home / "hub" / "models--someone--model"
    for name in ("refs", "blobs", f"snapshots/{COMMIT}"):
        (folder / name).mkdir(parents=True)
    (folder / "blobs" / "abc").write_bytes(CONFIG)
    (folder / "snapshots" / COMMIT / "config.json").symlink_to("../../blobs/abc")
    (folder / "refs" / "main").write_text(COMMIT)
    return folder


def test_offline_is_what_the_client_has_fetched_before(hub, cached, setenv, refused):
    with offline():
        for target in ("hf:someone/model", "someone/model", f"someone/model@{COMMIT}"):
            assert load(target).count() == COUNT
        for target in ("hf:someone/other", "hf:someone/model@v2", f"hf:someone/model@{'0' * 40}"):
            assert "it is not in the cache of the hub's client" in refused(target)
    setenv("HF_HUB_OFFLINE", "1")
    assert load("hf:someone/model").count() == COUNT
    assert hub.asked == []


def test_a_commit_that_has_been_fetched_is_not_asked_for_again(hub, cached):
    assert load(f"someone/model@{COMMIT}").count() == COUNT
    assert hub.asked == []
    assert load("someone/model").count() == COUNT
    assert len(hub.asked) == 1


def test_a_reference_that_leads_elsewhere_leads_nowhere(cached, refused):
    for commit in ("../../../../../etc", "", "x" * 40, COMMIT + "/../..", "\x1b"):
        (cached / "refs" / "main").write_text(commit)
        with offline():
            assert "it is not in the cache" in refused()


def test_the_cache_is_the_one_that_the_client_itself_reads(cached, monkeypatch):
    reads = pytest.importorskip("huggingface_hub").try_to_load_from_cache
    found = reads("someone/model", "config.json", cache_dir=cached.parent)
    with offline():
        assert Path(found).read_bytes() == CONFIG
        assert load("hf:someone/model").count() == COUNT


# On the command line


def program(hub: Hub, deadline: float = 10, **variables: str) -> subprocess.CompletedProcess[str]:
    """``symparams count someone/model`` in a process of its own, with so many seconds for the hub."""
    lines = f"import sys; from symparams.models.sources import hub; hub.DEADLINE = {deadline}"
    lines += "; from symparams.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", lines, "count", "someone/model"]
    environment = {**os.environ, "PYTHONPATH": str(Path(hub_room.__file__).parents[4]), **variables}
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=environment)


def test_an_environment_that_its_client_refuses_is_one_line(hub):
    done = program(hub, HF_HUB_ETAG_TIMEOUT="soon")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "huggingface_hub does not accept its environment variables HF_… (" in done.stderr


def test_a_hub_that_stalls_does_not_hold_the_program_longer_than_its_deadline(hub):
    assert hub_room.DEADLINE == 10
    hub.behaviour = lambda connection, _: time.sleep(60)
    start = time.monotonic()
    done = program(hub, deadline=0.5)
    assert time.monotonic() - start < 15
    line = "Cannot read 'someone/model': the hub did not answer within 0.5 seconds; try again later."
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"symparams: {line}\n")


def test_offline_as_an_option(hub, cached, cli, mistake):
    assert cli("count someone/model --offline") == (0, f"{COUNT}\n", "")
    assert "it is not in the cache of the hub's client" in mistake("show hf:someone/other --offline")
    assert mistake("memory 7B --offline") == "'7B' is not on the hub: leave out --offline, which is for hf:OWNER/NAME."
    assert hub.asked == []


def test_no_completion_asks_the_hub(hub):
    for target in ("hf:someone/model", "someone/model", "someone/model@v1"):
        assert offers(["count", target, "--with"], "") == []
    assert hub.asked == []
