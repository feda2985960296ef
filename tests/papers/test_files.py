"""A document is written whole or not at all, whoever else is at work on it; what may not be written is not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_file_and_a_link_to_it_are_one_document(tmp_path, cli):
    file, link = tmp_path / "notes.md", tmp_path / "link.md"
    file.write_text("<!-- symparams: count gpt2 -->0<!-- /symparams -->")
    file.chmod(0o640)
    link.symlink_to(file)
    assert cli(f"embed {link} {file}") == (0, f"{link}: 1 block written\n", "")
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o640
    assert ">124,439,808<" in file.read_text()


def test_a_read_only_file_is_refused_before_any_is_written(tmp_path, mistake, cli, monkeypatch):
    files = [tmp_path / name for name in ("a.md", "b.md")]
    for file in files:
        file.write_text("<!-- symparams: count gpt2 -->0<!-- /symparams -->")
    files[1].chmod(0o444)
    monkeypatch.chdir(tmp_path)
    assert mistake("embed a.md b.md").startswith("Cannot write 'b.md': Permission denied.")
    assert all(">0<" in file.read_text() for file in files)
    assert cli(f"embed --check {files[1]}").code == 1


def test_a_folder_and_a_missing_file_are_refused(tmp_path, mistake):
    (tmp_path / "folder.md").mkdir()
    assert "is not a file: name documents one by one." in mistake(f"embed {tmp_path / 'folder.md'}")
    assert "No such file or directory" in mistake(f"embed {tmp_path / 'missing.md'}")


SLOW = """
import os, sys, time
from symparams.cli import commands, main, output
write, seconds = os.replace, float(sys.argv.pop())
def slow(*arguments):
    print("writing", flush=True)
    time.sleep(seconds)
    write(*arguments)
output.os.replace = slow
sys.argv[1:1] = ["embed"]
main()
"""
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def started(file: Path, seconds: float) -> subprocess.Popen[str]:
    """A process that waits between writing a file beside the document and putting it into its place."""
    program = [sys.executable, "-c", SLOW, str(file), str(seconds)]
    return subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)


def test_two_at_once_leave_a_whole_file(tmp_path):
    file = tmp_path / "notes.md"
    file.write_text("<!-- symparams: count gpt2 -->0<!-- /symparams -->\n" * 50)
    with started(file, 0.2) as one, started(file, 0.1) as other:
        outputs = [process.communicate() for process in (one, other)]
    assert [error for _, error in outputs] == ["", ""]
    assert file.read_text() == "<!-- symparams: count gpt2 -->124,439,808<!-- /symparams f2477c87 -->\n" * 50
    assert [path.name for path in tmp_path.iterdir()] == ["notes.md"]


def test_what_somebody_changed_meanwhile_is_not_written_over(tmp_path, mistake, monkeypatch):
    from symparams.cli.commands import embedding

    file = tmp_path / "notes.md"
    file.write_text("<!-- symparams: count gpt2 -->0<!-- /symparams -->")
    work = embedding.brought_up_to_date
    monkeypatch.setattr(
        embedding, "brought_up_to_date", lambda *words, **options: (work(*words, **options), file.write_text("new"))[0]
    )
    assert "was changed by another program: nothing was written, so run the command again." in mistake(f"embed {file}")
    assert file.read_text() == "new"
