"""Wheel and editable installs find their templates from any working folder; wheel and sdist hold what they must.

Each install is installed in a new environment that borrows the dependencies of this one, so that nothing is downloaded; the
borrowed folder comes after the environment's own, so that symparams is the one that was just installed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from symparams import __version__

pytestmark = [pytest.mark.packages, pytest.mark.xdist_group("packaging")]  # what is built is built once

ROOT = Path(__file__).parents[1]
SOURCES = ("symparams", "templates", "tests", "pyproject.toml", "README.md", "LICENSE")
TABLES = {path.relative_to(ROOT).as_posix() for kind in ("toml", "json") for path in (ROOT / "symparams").rglob(f"*.{kind}")}
TEMPLATES = {path.relative_to(ROOT).as_posix() for path in (ROOT / "templates").rglob("*") if path.is_file()}
# From outside, no variable points back at the checkout.
OUTSIDE = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV_"))}


@dataclass(frozen=True)
class Install:
    """An environment of its own and an empty folder to work in."""

    python: Path
    folder: Path

    def run(self, *command: str) -> str:
        """What a command prints, run from the empty folder."""
        done = subprocess.run([*command], cwd=self.folder, env=OUTSIDE, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    def symparams(self, *arguments: str) -> str:
        """What the installed program prints."""
        return self.run(str(self.python.with_name("symparams")), *arguments)


@pytest.fixture(scope="session")
def checkout(tmp_path_factory) -> Path:
    """A copy of the sources, so that building leaves nothing behind in them."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("node_modules", "__pycache__", ".*"))
        else:
            shutil.copy(source, copy / name)
    return copy


@pytest.fixture(scope="session")
def built(checkout, tmp_path_factory) -> dict[str, Path]:
    """The sdist, and the wheel that is built from it, as ``python -m build`` makes them."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(checkout)]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    [wheel], [sdist] = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return {"wheel": wheel, "sdist": sdist}


@pytest.fixture(scope="session", params=["wheel", "editable"])
def install(request, tmp_path_factory) -> Install:
    """An install of the wheel, which was built from the sdist, or of the checkout itself."""
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "editable":
        what = ["--editable", str(request.getfixturevalue("checkout"))]
    else:
        what = [str(request.getfixturevalue("built")["wheel"])]
    venv.create(folder / "venv", symlinks=True)
    python = folder / "venv" / "bin" / "python"
    borrow = "import sysconfig; print(sysconfig.get_path('purelib'))"
    own_packages = Path(subprocess.check_output([python, "-c", borrow], env=OUTSIDE, text=True).strip())
    (own_packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", str(python), "install"]
    options = ["--no-deps", "--no-index", "--no-build-isolation", "--ignore-installed"]
    done = subprocess.run([*pip, *options, *what], env=OUTSIDE, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    (folder / "elsewhere").mkdir()
    return Install(python, folder / "elsewhere")


def test_an_install_is_what_runs_and_prints_what_the_checkout_prints(install, cli):
    where = Path(install.run(str(install.python), "-c", "import symparams; print(symparams.__file__)").strip())
    assert not where.is_relative_to(ROOT)
    chinese = "derive bloom --lang zh --latex"  # of its own templates and catalogue
    assert install.symparams(*chinese.split()) == cli(chinese).out


def test_wheel_and_sdist_hold_what_they_must_and_nothing_beside_it(built):
    names = set(zipfile.ZipFile(built["wheel"]).namelist())
    assert names >= {f"symparams/{name}" for name in TEMPLATES} | TABLES | {"symparams/py.typed"}
    assert {name.split("/")[0] for name in names} == {"symparams", f"symparams-{__version__}.dist-info"}
    with tarfile.open(built["sdist"]) as archive:
        sources = {name.removeprefix(f"symparams-{__version__}/") for name in archive.getnames()}
    assert sources >= TEMPLATES | {"symparams/py.typed", "tests/test_packaging.py", "pyproject.toml", "README.md", "LICENSE"}
    assert not [name for name in names | sources if "node_modules" in name or "__pycache__" in name]


def test_the_wheel_says_what_it_needs(built):
    with zipfile.ZipFile(built["wheel"]) as wheel:
        lines = wheel.read(f"symparams-{__version__}.dist-info/METADATA").decode().splitlines()
    needed = [
        line.removeprefix("Requires-Dist: ") for line in lines if line.startswith("Requires-Dist:") and "extra" not in line
    ]
    assert sorted(re.match(r"\w+", requirement)[0] for requirement in needed) == ["jinja2", "sympy", "typer"]
