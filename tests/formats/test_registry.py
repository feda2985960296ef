"""A format is a folder, and nothing else names it; tests/cli/test_options.py puts one more beside the others."""

from __future__ import annotations

from pathlib import Path

from symparams import formats, render


def test_a_format_says_its_endings_and_only_its_folder_names_it():
    assert formats.names() == sorted(["json", "latex", "markdown", "pdf", "png", "text", "typst"])
    endings = [ending for name in formats.names() for ending in formats.endings(name)]
    assert len(endings) == len(set(endings))
    assert all(ending.startswith(".") for ending in endings)
    assert [name for name in formats.names() if formats.find(name).name != name] == []
    package = Path(formats.__file__).parent.parent
    shared = [*package.glob("formats/*.py"), *package.glob("sheets/*.py"), *package.glob("expressions/printing/form.py")]
    assert [path.name for path in shared if "format.name ==" in path.read_text(encoding="utf-8")] == []
    assert render("gpt2") == render("gpt2", "text")
