"""The real library as the oracle: without torch and transformers these tests are skipped, but never in CI."""

import os
from importlib.util import find_spec

import pytest


def require(*modules: str) -> None:
    """Skip the module of tests that calls this where a library is missing; in CI that is a failure."""
    missing = [name for name in modules if find_spec(name) is None]
    if missing:
        reason = f"needs {', '.join(missing)}: pip install -e '.[test,hf]'"
        if os.environ.get("CI"):
            raise ImportError(reason)
        pytest.skip(reason, allow_module_level=True)
