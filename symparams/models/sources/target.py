"""Targets as people write them: a name in any case, ``-`` for a config on standard input, OWNER/NAME for a model of the hub,
OWNER/NAME@REV for a branch, a tag or a commit of it.

``understand`` says what a text means before anything is read; what it cannot make out, it leaves as it is, so that the error
quotes the user's own words. Whether it is a config or a Python file is known before what reads one is imported.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeGuard

from symparams.architectures import architecture_names, find
from symparams.errors import ConfigError, UnknownNameError, quoted

STANDARD_INPUT = "-"
HUB = "hf:"
PYTHON_FILE = ".py"
CONFIG_FILE = "config.json"
IN_A_FILE = re.compile(r"(?P<path>.*\.py):(?P<name>.*)", re.IGNORECASE | re.DOTALL)  # the colon of C:\mine.py ends no file
ADDRESS = re.compile(r"https?://|(?:www\.)?(?:huggingface|hf)\.co/", re.IGNORECASE)
PAGE = re.compile(
    r"(?:https?://)?(?:www\.)?(?:huggingface|hf)\.co/(?P<name>[\w.-]+/[\w.-]+)(?:/(?:tree|blob|resolve|raw)/(?P<revision>[\w.-]+))?",
    re.ASCII | re.IGNORECASE,
)
WEIGHTS = re.compile(r"\.(?:safetensors|gguf|ggml|bin|pth?|ckpt|h5)\Z", re.IGNORECASE)
STORED = re.compile(r"\.(?:safetensors(?:\.index\.json)?|gguf)\Z", re.IGNORECASE)  # what makes a folder a checkpoint
CHECKPOINT = re.compile(rf"(?:{STORED.pattern}|\.txt\Z)", re.IGNORECASE)
OWNER_AND_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}(?:@[\w.+/-]+)?", re.ASCII)
LIKE_A_FILE = re.compile(r"\.[A-Za-z]\w*$", re.ASCII)


def understand(target: str) -> str | Mapping[str, Any]:
    """Return the meaning of a target: the config on standard input, a name as tables spell it, or the text.

    Raises ConfigError where standard input holds no config, UnknownNameError for an address and for a file of weights.
    """
    if target == STANDARD_INPUT:
        return read_standard_input()
    if not target.strip():
        raise UnknownNameError("The target is empty: name a model, as in gpt2, or give a config.json.")
    if target[: len(HUB)].lower() == HUB:
        return HUB + target[len(HUB) :]
    if ADDRESS.match(target):
        raise UnknownNameError(f"{quoted(target)} is an address: {_in_place_of(target)}.")
    if WEIGHTS.search(target) and not is_folder(target) and not is_checkpoint(target):
        raise UnknownNameError(
            f"{quoted(target)} holds weights, and a count starts from sizes: give the config.json beside it."
        )
    return target if is_folder(target) else spell(target)  # a folder GPT2 is what its owner means by GPT2


def _in_place_of(address: str) -> str:
    """Return what to write for an address: that of a model on the hub, hf:OWNER/NAME@REV."""
    of_the_hub = PAGE.match(address)
    if not of_the_hub:
        return "save its config.json and give that, or write hf:OWNER/NAME for a model on the hub"
    revision = of_the_hub["revision"] or "main"
    return f"write {HUB}{of_the_hub['name']}{'' if revision == 'main' else f'@{revision}'} for the model on the hub"


def is_hub_identifier(target: str) -> bool:
    """True if a text is OWNER/NAME, or OWNER/NAME@REV, and no path: no OWNER lies here, and it does not end as files do."""
    owner, _, name = target.partition("@")[0].partition("/")
    if not OWNER_AND_NAME.fullmatch(target) or LIKE_A_FILE.search(name):
        return False
    try:
        return not Path(owner).exists() and not Path(owner).is_symlink()
    except OSError:  # longer than any path may be
        return False


def is_of_hub(target: str) -> bool:
    """True if a text names a model on the hub, in either way."""
    return target[: len(HUB)].lower() == HUB or is_hub_identifier(target)


def is_config(target: object) -> bool:
    """True if a target is a config: a dict, a path, or a text that reads as a path."""
    if isinstance(target, (Mapping, Path)):
        return True
    if not isinstance(target, str) or target in architecture_names():
        return False
    return target.startswith(HUB) or (target.endswith(".json") or "/" in target or "\\" in target or is_folder(target))


def is_python(target: str) -> bool:
    """True if a target names a Python file: mine.py, mine.py:NAME."""
    return target.lower().endswith(PYTHON_FILE) or IN_A_FILE.fullmatch(target) is not None


def spell(name: str) -> str:
    """A name as its table spells it, in small letters, whatever the case in which it was written; an unknown name as it is."""
    folded = name.casefold()
    if folded == name:
        return name
    try:
        find(folded)
    except UnknownNameError:
        return name
    return folded


def read_standard_input() -> Mapping[str, Any]:
    """The config on standard input; no more of it is read than a config may have."""
    from symparams.models.sources import content
    from symparams.models.sources.config import parse

    if sys.stdin is None or sys.stdin.closed:
        raise ConfigError("Standard input is closed: give a config.json, or a pipe that holds one.")
    try:
        # of text without bytes behind it, as a notebook or a test has in the place of standard input
        stream = getattr(sys.stdin, "buffer", None) or io.BytesIO(
            sys.stdin.read(content.LARGEST + 1).encode("utf-8", "surrogatepass")
        )
        text = content.of_stream(stream, "Standard input")
    except OSError as error:
        raise ConfigError(f"Cannot read standard input: {error.strerror}. Give a config.json.") from None
    except UnicodeDecodeError:
        raise ConfigError("Cannot read standard input: it is not UTF-8 text. Give a config.json.") from None
    return parse(text, "standard input")


def file_of(target: str) -> Path | int | None:
    """The file that a target is read from, for standard input its descriptor; None where it is read from none."""
    if target == STANDARD_INPUT:
        return 0
    if is_python(target):
        named = IN_A_FILE.fullmatch(target)
        return Path(named["path"] if named else target)
    if is_checkpoint(target) and not is_folder(target):
        return Path(target)
    if is_of_hub(target) or not is_config(target):
        return None
    return Path(target) / CONFIG_FILE if is_folder(target) else Path(target)


def is_checkpoint(target: object) -> TypeGuard[str | Path]:
    """True if a target is a file whose names and shapes can be read without the weights, or holds one and no config."""
    if not isinstance(target, (str, Path)):
        return False
    try:
        if not is_folder(target):
            return CHECKPOINT.search(str(target)) is not None and Path(target).is_file()
        has_config = (Path(target) / CONFIG_FILE).exists()
        return not has_config and any(STORED.search(file.name) for file in Path(target).iterdir())
    except (OSError, ValueError):  # what nobody may look into
        return False


def is_folder(target: str | Path) -> bool:
    """True if a folder lies there."""
    try:
        return target != "" and Path(target).is_dir()  # which would be the current folder
    except (OSError, ValueError):  # no path could be called so
        return False
