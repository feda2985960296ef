"""A module of torch: its parameters and buffers, built on the meta device, which allocates nothing."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path
from typing import Any

from symparams.checkpoints.record import Checkpoint, StoredTensor, checked_name, checked_shape
from symparams.checkpoints.shapes import tensors_of
from symparams.errors import OptionError, quoted
from symparams.models.sources.python_file import imports_from, reason_of

PLACE = 'write --module package:build, where build() returns a torch.nn.Module or {"name": shape}'


def build(place: str, sizes: Mapping[str, Any]) -> Checkpoint:
    """Return what the function at "package:build" builds; it is given those of the ``sizes`` that it names.

    The package is imported, which executes it, from the current folder or from what is installed. Raises OptionError where
    there is no such function, or it raises an error.
    """
    package, _, name = place.partition(":")
    if not package or not name.isidentifier():
        raise OptionError(f"{quoted(place)} is not a function: {PLACE}.")
    with imports_from(Path.cwd()):
        try:
            function = getattr(import_module(package), name)
        except Exception as error:  # noqa: BLE001 - whatever a stranger's module does is told in one line
            raise OptionError(f"Cannot import {quoted(place)}: {reason_of(error)}; {PLACE}.") from None
        return observed(place, lambda: function(**_wanted(function, sizes, place)))


def observed(name: str, made: Callable[[], Any]) -> Checkpoint:
    """Return the parameters and buffers of what a function makes on the meta device, or the shapes that it returns."""
    torch: Any = sys.modules.get("torch")
    try:
        with torch.device("meta") if torch is not None else nullcontext():
            built = made()
    except OptionError:
        raise
    except Exception as error:  # noqa: BLE001 - as above
        raise OptionError(f"{quoted(name)} does not build: {reason_of(error)}.") from None
    if isinstance(built, Mapping):
        listed = {key: list(value) if isinstance(value, tuple) else value for key, value in built.items()}
        return Checkpoint(name, tuple(tensors_of(listed, name)), has_bytes=False, is_module=True)
    if not hasattr(built, "named_parameters"):
        raise OptionError(f"{quoted(name)} returns {quoted(type(built).__name__)}: {PLACE}.")
    return Checkpoint(name, tuple(_arrays(built, name)), has_bytes=False, knows_buffers=True, is_module=True)


def _wanted(function: Any, sizes: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Return the sizes that a function takes by name; OptionError where it needs another argument."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return {}
    lacking = [
        parameter.name
        for parameter in parameters
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        and parameter.name not in sizes
    ]
    if lacking:
        raise OptionError(
            f"{quoted(place)} needs {', '.join(lacking)}, of which the target has no value: give it with --set, or a default."
        )
    return {
        parameter.name: sizes[parameter.name]
        for parameter in parameters
        if parameter.name in sizes and parameter.kind is not parameter.POSITIONAL_ONLY
    }


def _arrays(module: Any, place: str) -> Iterator[StoredTensor]:
    seen: dict[int, str] = {}
    for is_buffer, named in ((False, module.named_parameters), (True, module.named_buffers)):
        for name, array in named(remove_duplicate=False):
            shape = checked_shape(tuple(map(int, array.shape)), name, place)
            owner = seen.setdefault(id(array), name)
            dtype = str(array.dtype).removeprefix("torch.")
            size = array.numel() * array.element_size()
            yield StoredTensor(checked_name(name, place), shape, dtype, size, "" if owner == name else owner, is_buffer)
