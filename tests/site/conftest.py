"""A site of two models, built once: with two questions a chapter, and, swept, with all of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from symparams.cli.output import write_file
from symparams.practice.bank import of_each
from symparams.site import bank
from symparams.site.building import Built, build
from tests.pages.conftest import browser  # noqa: F401 - a fixture

MODELS = ("vit-base-patch16-224", "vit-large-patch16-224")


def built(folder: Path) -> Built:
    """The site of the two models in a folder, brought up to date."""
    return build(str(folder), MODELS, ("en", "zh"), 1, write_file, lambda _: None)


@pytest.fixture(scope="session", params=[2, pytest.param(None, marks=pytest.mark.sweep)], ids=["few", "all"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of the site."""
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bank, "of_each", lambda *asked: islice(of_each(*asked), request.param))
        built(folder)
        yield folder
