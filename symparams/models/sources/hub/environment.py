"""What the hub's client reads from the environment: the hub's address, a token, where its cache is, whether it is offline.

The names are those of huggingface_hub (its reference, "Environment variables"); what it keeps, it keeps in HF_HOME.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import urlsplit

from symparams.errors import ConfigError, quoted
from symparams.models.sources import content

HUB = "https://huggingface.co"
TRUE = frozenset({"1", "ON", "YES", "TRUE"})
TOKEN = re.compile(r"[!-~]{1,4096}")


def endpoint() -> str:
    """The address of the hub: HF_ENDPOINT, or huggingface.co; ConfigError where it is none."""
    address = os.environ.get("HF_ENDPOINT") or HUB
    try:
        parts = urlsplit(address)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address or not re.fullmatch(r"[!-~]+", address) or set("@?#") & set(address):
        raise ConfigError(f"HF_ENDPOINT={quoted(address)} is no address of a hub: write https://HOST, or leave it out.")
    return address.rstrip("/")


def token() -> str | None:
    """The token of whoever has one: HF_TOKEN, or the file that ``hf auth login`` writes; None where there is none."""
    if _is_true("HF_HUB_DISABLE_IMPLICIT_TOKEN"):
        return None
    found = os.environ.get("HF_TOKEN") or os.environ.get("HUGGING_FACE_HUB_TOKEN")
    place = "HF_TOKEN"
    if not found:
        path = _path("HF_TOKEN_PATH", _home() / "token")
        if not os.path.exists(path):  # noqa: PTH110 - of a path that cannot be, a Path raises an error
            return None
        found, place = content.of_file(path), str(path)
    cleaned = found.replace("\r", "").replace("\n", "").strip()
    if cleaned and not TOKEN.fullmatch(cleaned):  # the token itself is shown nowhere
        raise ConfigError(f"The hub's token in {quoted(place)} holds what no token holds: write it anew with `hf auth login`.")
    return cleaned or None


def cache() -> Path:
    """The folder in which the client keeps what it has fetched."""
    return _path("HF_HUB_CACHE", _path("HUGGINGFACE_HUB_CACHE", _home() / "hub"))


def is_offline() -> bool:
    """Whether the client has been told to ask nobody."""
    return _is_true("HF_HUB_OFFLINE") or _is_true("TRANSFORMERS_OFFLINE")


def _home() -> Path:
    return _path("HF_HOME", _path("XDG_CACHE_HOME", Path("~/.cache")) / "huggingface")


def _path(variable: str, default: Path) -> Path:
    return Path(os.path.expandvars(os.path.expanduser(os.environ.get(variable) or str(default))))  # noqa: PTH111 - of a ~ that is nobody's, too


def _is_true(variable: str) -> bool:
    return os.environ.get(variable, "").upper() in TRUE
