"""Targets as people write them: a name in any case, ``-`` for a config on standard input, OWNER/NAME for a model of the hub.

``understand`` says what a text means before anything is read; what it cannot make out, it leaves as it is, so that the error
quotes the user's own words. An architecture in a file of one's own (mine.py) will be one more case there.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from symparams.architectures import find
from symparams.errors import ConfigError, UnknownNameError

STANDARD_INPUT = "-"
HUB = "hf:"
OWNER_AND_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)


def understand(target: str) -> str | Mapping[str, Any]:
    """What a target means: the config on standard input, hf:OWNER/NAME, a name as the tables spell it, or the text itself.

    Raises ConfigError where standard input holds no config.
    """
    if target == STANDARD_INPUT:
        return read_standard_input()
    if is_hub_identifier(target):
        return HUB + target
    return target if _is_folder(target) else spell(target)  # a folder GPT2 is what its owner means by GPT2


def is_hub_identifier(target: str) -> bool:
    """Whether a text is OWNER/NAME and no path: nothing lies there, and its name is not that of a JSON or Python file."""
    if not OWNER_AND_NAME.fullmatch(target) or target.lower().endswith((".json", ".py")):
        return False
    try:
        return not Path(target).exists() and not Path(target).is_symlink()
    except OSError:  # longer than any path may be
        return False


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
    from symparams.models.sources.config import LARGEST_FILE, parse

    if sys.stdin is None or sys.stdin.closed:
        raise ConfigError("Standard input is closed: give a config.json, or a pipe that holds one.")
    stream = getattr(sys.stdin, "buffer", sys.stdin)
    try:
        content = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        raise ConfigError(f"Cannot read standard input: {error.strerror}. Give a config.json.") from None
    if len(content) > LARGEST_FILE:
        raise ConfigError(f"Standard input has more than {LARGEST_FILE:,} bytes: that is no config.json.")
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
    except UnicodeDecodeError:
        raise ConfigError("Cannot read standard input: it is not UTF-8 text. Give a config.json.") from None
    return parse(text, "standard input")


def _is_folder(target: str) -> bool:
    try:
        return Path(target).is_dir()
    except (OSError, ValueError):  # no path could be called so
        return False
