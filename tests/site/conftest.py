"""A site of two models, built once."""

from __future__ import annotations

from pathlib import Path

import pytest

from symparams.cli.output import write_file
from symparams.site.building import Built, build
from tests.pages.conftest import browser  # noqa: F401 - a fixture

MODELS = ("vit-base-patch16-224", "vit-large-patch16-224")


def built(folder: Path) -> Built:
    """The site of the two models in a folder, brought up to date."""
    return build(str(folder), MODELS, ("en", "zh"), 1, write_file, lambda _: None)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site."""
    folder = tmp_path_factory.mktemp("site")
    built(folder)
    return folder
