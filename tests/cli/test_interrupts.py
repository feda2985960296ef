"""Whoever presses Ctrl-C gets the prompt back, with the exit code 130 and nothing else, however early or late that is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

HERE = str(Path(__file__).parents[2])
# What Python runs at its own start: it presses Ctrl-C when a module is about to be imported, or at the very end.
PRESSES = """
import atexit, os, signal, sys
moment = os.environ["MOMENT"]
def press():
    os.kill(os.getpid(), signal.SIGINT)
class Finder:
    @staticmethod
    def find_spec(name, *_):
        if name == moment:
            press()
sys.meta_path.insert(0, Finder)
if moment == "end":
    atexit.register(press)
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may ignore it
"""
SCRIPT = "import sys\nfrom symparams.cli import main\nif __name__ == '__main__':\n    sys.exit(main())\n"
MODULES = """
import os, sys
from symparams.cli import run
sys.stdout = open(os.devnull, "w")  # what a file needs, the terminal does not
run(["derive", "gpt2"])
print(*[name for name in sys.modules if name.partition(".")[0] in ("symparams", "jinja2", "typer")], file=sys.__stdout__)
"""


@pytest.fixture(scope="module")
def moments() -> list[str]:
    """Six modules that deriving imports, from the first to the last; and the end."""
    done = subprocess.run([sys.executable, "-c", MODULES], capture_output=True, text=True, check=True, cwd=HERE)
    first = {"symparams", "symparams._program", "symparams.cli"}  # what is found before a line of the package has run
    found = [name for name in done.stdout.split() if name not in first]
    assert len(found) > 50
    return [*found[:: len(found) // 5], "end"]


def interrupted(command: list[str], moment: str, folder: Path) -> tuple[int, bytes]:
    (folder / "sitecustomize.py").write_text(PRESSES)
    environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{HERE}", "MOMENT": moment}
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, env=environment)
    return done.returncode, done.stderr


def test_an_interrupt_at_any_moment_is_silent(moments, tmp_path):
    command = [sys.executable, "-m", "symparams", "derive", "gpt2"]
    assert {moment: interrupted(command, moment, tmp_path) for moment in moments} == dict.fromkeys(moments, (130, b""))


def test_so_it_is_for_the_command_that_is_installed(tmp_path):
    script = tmp_path / "symparams"
    script.write_text(SCRIPT)
    for moment in ("symparams.cli.parser", "end"):
        assert interrupted([sys.executable, str(script), "derive", "gpt2"], moment, tmp_path) == (130, b"")


@pytest.mark.parametrize("program", ["import symparams; print('ready')", "import symparams.cli; print('ready')"])
def test_a_program_that_imports_the_package_keeps_its_own_interrupts(program):
    check = "; import signal; assert signal.getsignal(signal.SIGINT) is before"
    first = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); before = signal.default_int_handler; "
    subprocess.run([sys.executable, "-c", first + program + check], check=True, capture_output=True, cwd=HERE)


def test_a_program_that_shall_not_be_interrupted_is_not(tmp_path):
    """As with nohup."""
    (tmp_path / "sitecustomize.py").write_text(
        "import atexit, os, signal\natexit.register(os.kill, os.getpid(), signal.SIGINT)\n"
    )
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{HERE}"}
    command = [sys.executable, "-m", "symparams", "count", "gpt2"]
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # a child inherits what is ignored
    try:
        done = subprocess.run(command, capture_output=True, check=False, env=environment)
    finally:
        signal.signal(signal.SIGINT, before)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"124439808\n", b"")
