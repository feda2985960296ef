"""A module of one's own is held against its tree as the READMEs do it."""

from __future__ import annotations

import pytest

from tests.library import require
from tests.test_documents import block, folder, in_both

require("torch")
__all__ = ["folder"]  # the fixture


@in_both("research")
@pytest.mark.usefixtures("folder")
def test_a_module_of_ones_own_has_the_tensors_of_its_tree(page):
    exec(block(page, "import symparams, torch"), {})  # noqa: S102 - the README's own code
