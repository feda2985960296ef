"""A module of one's own is held against its tree as the READMEs do it; what the guides discover is what they say."""

from __future__ import annotations

import re
import shlex

import pytest

import symparams
from tests.library import require
from tests.test_documents import block, blocks, folder, in_both

require("torch", "transformers")
__all__ = ["folder"]  # the fixture


@in_both("engineering")
def test_a_module_of_ones_own_is_verified(page, cli, folder):
    (folder / "mymodule.py").write_text(block(page, "def build"), encoding="utf-8")
    assert_the_session_of(page, cli, "--module")


@in_both("research")
def test_a_module_of_ones_own_is_discovered(page, capsys):
    import torch

    source, scope = block(page, "symparams.discover(build"), {"symparams": symparams, "torch": torch}
    exec(source, scope)  # noqa: S102 - the guide's own code
    assert f"closed_form()  # {symparams.load(scope['found']).closed_form()}\n" in source
    assert f"model.count()  # {scope['model'].count()}\n" in source
    assert "discovered from torch" in scope["sheet"]
    assert "<svg" in scope["bars"]
    assert capsys.readouterr().out.startswith('"""build: found by symparams.discover.')


@in_both("research")
@pytest.mark.usefixtures("folder")
def test_a_class_of_the_library_is_discovered(page, cli):
    assert_the_session_of(page, cli)


def assert_the_session_of(page, cli, holding=""):
    """A line "…" stands for the lines that a page leaves out."""
    [session] = (text for text in blocks(page, "shell") if holding in text)
    for command, output in re.findall(r"\$ (.*)\n((?:[^$].*\n)*)", session):
        pattern = ".*".join(re.escape(part) for part in re.split("^…\n", output, flags=re.MULTILINE))
        assert re.fullmatch(pattern, cli(shlex.split(command)[1:]).out, re.DOTALL)
