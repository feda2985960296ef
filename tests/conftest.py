"""What every test may use, and what marks a test carries; without -m the fast ones run.

Hypothesis draws anew on each run of a user's; in CI it draws the same every time. How fast a machine draws is no finding.
"""

from __future__ import annotations

import gc
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("user", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("user"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "user")

HERE = Path(__file__).parent
# What speaks of descriptors, signals, rights and shells: of Linux, or of what Linux and macOS share.
LINUX_ONLY = {HERE / "cli" / "test_streams.py", HERE / "cli" / "test_completion.py"}
NOT_ON_WINDOWS = {*LINUX_ONLY, HERE / "cli" / "test_files.py", HERE / "papers" / "test_files.py"}
NOT_HERE = {"linux": set(), "win32": NOT_ON_WINDOWS}.get(sys.platform, LINUX_ONLY)
PROGRAMS = {"tool", "check_math", "compile_document", "chinese_font"}  # the fixtures that find TeX, pandoc, node, a font


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden-update", action="store_true", help="write the goldens anew instead of comparing with them")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Tests of the library are not even imported where they are not asked for, nor of another system what it has not."""
    asks_for_library = "library" in config.option.markexpr.replace("not library", "")
    is_left_out = collection_path in NOT_HERE or (collection_path == HERE / "library" and not asks_for_library)
    return True if is_left_out else None


def pytest_collection_finish() -> None:
    """Few objects of the tests are in a cycle: to look for them as often as usual takes a tenth of the time.

    What was imported is not frozen: Hypothesis asks the collector who refers to a source of random numbers.
    """
    gc.set_threshold(50_000, 20, 50)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where a test stands, and what it asks for, says what it needs to run.

    Of pytest 9.2 on, xdist 3.8 writes a group where nobody reads it: without this, each worker makes what a group shares anew.
    """
    for item in items:
        group = item.get_closest_marker("xdist_group")
        if group and hasattr(config, "workerinput") and hasattr(item, "_id"):
            item._id = type(item._id).parse(f"{item.nodeid}@{group.args[0]}")
        room = item.path.relative_to(HERE).parts[0]
        if room in ("library", "formats"):
            item.add_marker(room)
        if room == "library":
            item.add_marker(pytest.mark.filterwarnings("ignore"))  # what the library warns of is its own
        if PROGRAMS & set(getattr(item, "fixturenames", ())):
            item.add_marker("tex")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """``golden(file, text)`` holds a text against what was read and accepted."""

    def compare(file: Path, text: str) -> None:
        if request.config.getoption("--golden-update"):
            file.write_text(text, encoding="utf-8")
        assert file.read_text(encoding="utf-8") == text

    return compare


class Result(NamedTuple):
    """What a command line did: its exit code, and what stands on standard output and standard error."""

    code: int
    out: str
    err: str


Arguments = str | Sequence[str]


@pytest.fixture
def cli(capsysbinary) -> Callable[[Arguments], Result]:
    """``cli("count gpt2")`` runs a command in this process; a list is taken as it is. Bytes that are no text are surrogates."""
    from symparams.cli import run

    def command(arguments: Arguments) -> Result:
        capsysbinary.readouterr()
        code = run(shlex.split(arguments) if isinstance(arguments, str) else list(arguments))
        return Result(code, *(said.decode("utf-8", "surrogateescape") for said in capsysbinary.readouterr()))

    return command


@pytest.fixture
def mistake(cli) -> Callable[[Arguments], str]:
    """``mistake("count blom")`` is the one line that a wrong command line gives, after "symparams: "."""

    def line(arguments: Arguments) -> str:
        code, out, err = cli(arguments)
        assert (code, out) == (2, "")
        assert err.startswith("symparams: ")
        assert err.endswith("\n")
        assert err[:-1].isprintable()
        assert len(err) < 1_000
        return err.removeprefix("symparams: ").removesuffix("\n")

    return line
