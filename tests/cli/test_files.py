"""Files are written whole or not at all, and nothing is left beside them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parents[2]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_and_keeps_its_mode_and_its_links(tmp_path, cli):
    target, link = tmp_path / "count.txt", tmp_path / "link.txt"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    assert cli(f"count gpt2 -o {link}") == (0, "", "")
    assert target.read_text() == "124439808\n"
    assert target.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()
    assert names(tmp_path) == ["count.txt", "link.txt"]


def test_a_file_keeps_its_owner_and_a_hard_link_that_it_leaves_is_told(tmp_path, cli, monkeypatch):
    target, other = tmp_path / "count.txt", tmp_path / "other.txt"
    target.write_text("old")
    os.link(target, other)
    owner = (12_345, 54_321) if os.geteuid() == 0 else (target.stat().st_uid, target.stat().st_gid)
    os.chown(target, *owner)
    monkeypatch.chdir(tmp_path)
    told = "symparams: 'count.txt' is a new file now: its other hard links keep the old content.\n"
    assert cli("count gpt2 -o count.txt") == (0, "", told)
    assert (target.stat().st_uid, target.stat().st_gid) == owner
    assert other.read_text() == "old"


CONFIG = '{"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]}'


def test_what_is_read_is_not_written_over_by_any_name(tmp_path, monkeypatch, mistake):
    monkeypatch.chdir(tmp_path)
    Path("model").mkdir()
    Path("own.json").write_text(CONFIG)
    Path("model/config.json").write_text(CONFIG)
    Path("mine.py").write_text("")
    Path("link.json").symlink_to("own.json")
    os.link("own.json", "hard.json")
    for target, command in [
        ("own.json", "derive own.json -o own.json"),
        ("own.json", "derive own.json -o ./link.json"),
        ("hard.json", "count hard.json -o own.json"),
        ("model", "macros gpt2 model -o model/config.json"),
        ("mine.py:NAME", "show mine.py:NAME --text -o mine.py"),
    ]:
        before = {path: path.read_bytes() for path in Path().rglob("*.*")}
        assert f"would write over '{target}', which it reads: name another file." in mistake(command), command
        assert before == {path: path.read_bytes() for path in Path().rglob("*.*")}, command
    program, environment = [sys.executable, "-m", "symparams", "derive", "-", "-o", "own.json"], {"PYTHONPATH": str(HERE)}
    with Path("own.json").open() as config:
        done = subprocess.run(program, stdin=config, stderr=subprocess.PIPE, check=False, env={**os.environ, **environment})
    assert (done.returncode, Path("own.json").read_text()) == (2, CONFIG)


NO_FILES = {
    "folder": "it is a folder",
    "file/out.txt": "Not a directory",
    "x" * 300: "File name too long",
    "x/" * 3_000 + "out.txt": "File name too long",
    "null\0byte": "no file can be called so",
    "loop": "Too many levels of symbolic links",
    "loop/out.txt": "Too many levels of symbolic links",
    "": "No such file or directory",
}


def test_a_path_that_cannot_be_written_is_a_mistake(tmp_path, mistake, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("file").write_text("old")
    Path("loop").symlink_to("loop")
    for name, reason in NO_FILES.items():
        message = mistake(["count", "gpt2", "-o", name])
        assert message.startswith("Cannot write '")
        assert message.endswith(f"': {reason}. Name a file in a folder that you may write to.")
    for command, file in (("draw gpt2", "missing/of mine/x.svg"), ("count gpt2", "missing/of mine/x.txt")):
        said = "the folder 'missing/of mine' does not exist. Make it, or name another."
        assert mistake([*command.split(), "-o", file]) == f"Cannot write '{file}': {said}"
    Path("link.svg").symlink_to("missing/x.svg")
    assert f"the folder '{str(Path().resolve())[:20]}" in mistake("draw gpt2 -o link.svg")
    assert names(Path()) == ["file", "folder", "link.svg", "loop"]
    assert names(Path("folder")) == []


@pytest.fixture
def anyones_folder() -> Iterator[Path]:
    """A folder that every user can reach and write to; tmp_path is the user's own."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        yield Path(name)


@pytest.mark.parametrize(("folder_mode", "file_mode"), [(0o777, 0o444), (0o555, 0o444)], ids=["file", "folder and file"])
def test_a_file_without_permission_keeps_its_content(folder_mode, file_mode, anyones_folder, cli):
    target = anyones_folder / "kept.txt"
    target.write_text("old")
    target.chmod(file_mode)
    anyones_folder.chmod(folder_mode)
    assert cli("count gpt2").out == "124439808\n"  # what is imported and read, is read before the rights are given up
    results = [cli(f"count gpt2 -o {target}")]  # whoever may write everything does not mean this file
    is_root = os.geteuid() == 0
    os.seteuid(65534 if is_root else os.geteuid())
    try:
        results.append(cli(f"count gpt2 -o {target}"))
    finally:
        os.seteuid(0 if is_root else os.geteuid())
    anyones_folder.chmod(0o777)
    for code, _, err in results:
        assert code == 2
        assert err.startswith(f"symparams: Cannot write '{target}': Permission denied.")
    assert target.read_text() == "old"
    assert names(anyones_folder) == ["kept.txt"]


def test_a_mistake_leaves_the_file_as_it_was(tmp_path, mistake):
    for arguments in [["count", "blom"], ["derive", "gpt2", "--lang", "fr"], ["derive", "--expr", "h("]]:
        target = tmp_path / "kept.txt"
        target.write_text("old")
        assert mistake([*arguments, "-o", str(target)])
        assert target.read_text() == "old"
        assert names(tmp_path) == ["kept.txt"]


INTERRUPTED = """
import os, signal, sys
from symparams.cli import output, main
replace = os.replace
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs the tests may ignore these
signal.signal(signal.SIGINT, signal.default_int_handler)
def told(*arguments):
    os.kill(os.getpid(), signal.{signal})
    replace(*arguments)
output.os.replace = told
sys.argv = ["symparams", "count", "gpt2", "-o", sys.argv[1]]
main()
"""


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", -15), ("SIGHUP", -1), ("SIGINT", 130)])
def test_a_signal_between_writing_and_renaming_leaves_a_whole_file_and_no_other(name, code, tmp_path):
    target = tmp_path / "count.txt"
    target.write_text("old")
    program = [sys.executable, "-c", INTERRUPTED.format(signal=name), str(target)]
    done = subprocess.run(program, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (code, b"")
    assert target.read_text() == "124439808\n"
    assert names(tmp_path) == ["count.txt"]
