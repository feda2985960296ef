"""An architecture in a user's file: ``mine.py``, or ``mine.py:NAME`` for one of several, or for a published model.

The file is run as if it were imported: what stands under ``if __name__ == "__main__"`` is not. What it prints goes to
standard error, since a result goes to standard output.
"""

from __future__ import annotations

import io
import runpy
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from importlib import invalidate_caches
from pathlib import Path
from types import ModuleType

from symparams.architectures import Architecture, Published, architecture, architecture_names
from symparams.errors import DefinitionError, SymparamsError, UnknownNameError, quoted, suggestion
from symparams.models.model import Model
from symparams.models.sources import member
from symparams.models.sources.target import IN_A_FILE, is_python


class _Aside(io.TextIOBase):
    """The stream for a file's own output: standard error, which a file that closes its output does not close."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text) if sys.stderr else len(text)


def beside(target: str, name: str) -> str:
    """Return the target of another model of the family that a target names: its name, with its file."""
    named = IN_A_FILE.fullmatch(target)
    return f"{named['path'] if named else target}:{name}" if is_python(target) else name


def read_file(target: str) -> Model:
    """The architecture, or the published model, that a target names in a Python file.

    Raises DefinitionError where the file cannot be read or fails, and UnknownNameError where it has no such name.
    """
    named = IN_A_FILE.fullmatch(target)
    path, name = (named["path"], named["name"]) if named else (target, None)
    families = _families(path)
    if not families:
        raise DefinitionError(f"{quoted(path)} defines no Architecture: write NAME = Architecture(…) in it.")
    if name is None:
        if len(families) > 1:
            names = " or ".join(families)
            raise UnknownNameError(f"{quoted(path)} has several architectures: write {path}:NAME, NAME {names}.")
        [family] = families.values()
        return member(family.name, family, None)
    known = _named(families)
    if name not in known:
        raise UnknownNameError(f"{quoted(path)} has no architecture or model {quoted(name)}. {suggestion(name, known)}")
    family, published = known[name]
    return member(name if published else family.name, family, published)


def _families(path: str) -> dict[str, Architecture]:
    """Return the architectures that a file binds, by variable, but for those that it imports from the package."""
    if Path(path).is_dir():
        raise DefinitionError(f"Cannot read {quoted(path)}: it is a folder. Give a Python file.")
    if Path(path).exists() and not Path(path).is_file():
        raise DefinitionError(f"Cannot read {quoted(path)}: it is a device or a pipe. Give a Python file.")
    try:
        with redirect_stdout(_Aside()), imports_from(Path(path).resolve().parent):
            scope = runpy.run_path(path, run_name="__symparams__")
    except SymparamsError as error:
        raise DefinitionError(f"{path}{_line(error, path)}: {error}") from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever a stranger's file does is told in one line
        reason = reason_of(error)
        end = "" if reason.endswith("?") else "."
        raise DefinitionError(f"Cannot read {quoted(path)}{_line(error, path)}: {reason}{end}") from None
    families: dict[str, Architecture] = {}
    for name, value in scope.items():
        if not isinstance(value, Architecture) or any(value is family for family in families.values()):
            continue
        if value.name not in architecture_names() or value.tree is not architecture(value.name).tree:
            families[name] = value
    return families


@contextmanager
def imports_from(folder: Path) -> Iterator[None]:
    """Let a file import the files beside it, as Python lets a script, and forget them: other folders have files so named."""
    modules, entry = {*sys.modules}, str(folder)
    sys.path.insert(0, entry)
    invalidate_caches()  # which may not know a file that was written just now
    try:
        yield
    finally:
        if entry in sys.path:
            sys.path.remove(entry)
        beside = {name for name in {*sys.modules} - modules if _stands_in(sys.modules.get(name), folder)}
        for name in {*sys.modules} - modules:
            if name.partition(".")[0] in beside:
                del sys.modules[name]


def _stands_in(module: ModuleType | None, folder: Path) -> bool:
    """True for a module or a package in a folder itself, not in a folder below it, where an environment may be."""
    if module is None or "." in module.__name__:
        return False
    paths = [*getattr(module, "__path__", ()), getattr(module, "__file__", None)]
    return bool(paths[0]) and Path(paths[0]).resolve().parent == folder


def reason_of(error: BaseException) -> str:
    """Return what an error of a stranger's file says, on one line."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, (ImportError, TypeError)):
        from symparams.models.sources.builders import instead

        if advice := instead(str(error)):
            return advice
    text = " ".join(str(error).split()).removesuffix(".")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _named(families: dict[str, Architecture]) -> dict[str, tuple[Architecture, Published | None]]:
    named: dict[str, tuple[Architecture, Published | None]] = {}
    for variable, family in families.items():
        named |= {model: (family, published) for model, published in family.models.items()}
        named |= {variable: (family, None), family.name: (family, family.models.get(family.name))}
    return named


def _line(error: BaseException, path: str) -> str:
    """Return the line of the file in which an error arose, ", line 7"; "" where it arose nowhere in it."""
    if isinstance(error, SyntaxError):
        return f", line {error.lineno}" if error.lineno else ""
    there = Path(path).name
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).name == there]
    return f", line {lines[-1]}" if lines else ""
