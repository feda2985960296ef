"""The programs that look at what papers take in."""

from tests.formats.conftest import compile_document, tool  # noqa: F401 - fixtures
