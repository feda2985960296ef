"""The programs that look at what papers take in."""

from tests.formats.conftest import tool  # noqa: F401 - a fixture
