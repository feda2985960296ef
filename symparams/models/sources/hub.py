"""A config.json from the Hugging Face hub, by its id: hf:Qwen/Qwen3-8B. Needs the extra ``symparams[hub]``."""

from __future__ import annotations

import re
from pathlib import Path

from symparams.errors import ConfigError, quoted

PREFIX = "hf:"
IDENTIFIER = re.compile(r"[\w.-]{1,96}(?:/[\w.-]{1,96})?", re.ASCII)


def fetch(target: str) -> Path:
    """The config.json of a model on the hub, in the client's cache; ConfigError says why it cannot be had."""
    name = target.removeprefix(PREFIX)
    if not IDENTIFIER.fullmatch(name) or ".." in name:
        raise ConfigError(f"{quoted(target)} names no model on the hub: write hf:owner/name, as in hf:Qwen/Qwen3-8B.")
    try:
        from huggingface_hub import hf_hub_download
        from huggingface_hub.errors import (
            EntryNotFoundError,
            GatedRepoError,
            HfHubHTTPError,
            LocalEntryNotFoundError,
            RepositoryNotFoundError,
        )
        from huggingface_hub.utils import logging
    except ImportError:
        raise ConfigError("Reading from the hub needs its client: pip install 'symparams[hub]'.") from None
    logging.set_verbosity_error()  # its retries are told once, below
    try:
        return Path(hf_hub_download(name, "config.json"))
    except GatedRepoError:
        reason = "its owner asks for consent first; accept the terms on its page and log in with `hf auth login`"
    except RepositoryNotFoundError:
        reason = "there is no such public model; check the owner and the name"
    except LocalEntryNotFoundError:
        reason = "the hub cannot be reached; connect to it, or give the path of a config.json"
    except EntryNotFoundError:
        reason = "it has no config.json"
    except HfHubHTTPError as error:
        reason = f"the hub answered: {' '.join(str(error).split())[:200]}"
    raise ConfigError(f"Cannot read {quoted(target)}: {reason}.")
