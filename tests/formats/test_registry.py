"""A format is a folder: one made here and put beside the others prints every document, and nothing else had to know of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from symparams import derive, formats, load, render
from symparams.answers.explanations import explain
from symparams.sheets.explanation import explanation
from symparams.sheets.outline import outline

from .conftest import LANGUAGES

INIT = 'ENDINGS = (".say",)'
WRITER = """
from pathlib import Path
from symparams.expressions.printing.text import TextPrinter
from symparams.expressions.printing.metric import ColumnMetric
from symparams.formats.format import Format, Markup, PageWidths

class Spoken(TextPrinter):
    signs = {**TextPrinter.signs, "+": " plus ", "×": " times ", "·": " times "}

MARKUP = Markup(
    printer=Spoken,
    metric=ColumnMetric,
    room=lambda options, head: PageWidths(200, 200, 200),
    escape=lambda text: text.replace("<", "less than "),
    macros=str(Path(__file__).parent / "macros.j2"),
)
FORMAT = Format("spoken", markup=MARKUP)
"""
MACROS = """
<% macro begin(sheet) %><% endmacro %>
<% macro end(sheet) %>that is all
<% endmacro %>
<% macro title(sheet, text) %>question: << text >>
<% endmacro %>
<% macro text(sheet, text) %>say: << text >>
<% endmacro %>
<% macro heading(sheet, text) %>part: << text >>
<% endmacro %>
<% macro answer(sheet, lines) %><% for line in lines %><< line.left >> << line.right >>
<% endfor %><% endmacro %>
<% macro equation(sheet, block) %><< answer(sheet, sheet.lines(block)) >><% endmacro %>
<% macro paragraph(sheet, block) %><< text(sheet, sheet.paragraph(block.sentences)) >><% endmacro %>
<% macro lead(sheet, block) %><< paragraph(sheet, block) >><% endmacro %>
<% macro item(sheet, block) %><< text(sheet, sheet.run_in(block)) >><< paragraph(sheet, block) >><% endmacro %>
<% macro lines(sheet, block) %><< paragraph(sheet, block) >><% endmacro %>
<% macro table(sheet, block) %><% for row in sheet.cells(block) %><< row | join("; ") >>
<% endfor %><% endmacro %>
"""


@pytest.fixture
def spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A format that is read aloud."""
    folder = tmp_path / "spoken"
    folder.mkdir()
    (folder / "__init__.py").write_text(INIT, encoding="utf-8")
    (folder / "writer.py").write_text(WRITER, encoding="utf-8")
    (folder / "macros.j2").write_text(MACROS.lstrip(), encoding="utf-8")
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path)])
    yield "spoken"
    formats.find.cache_clear()


def test_the_folder_is_the_registry(spoken: str) -> None:
    assert formats.names() == sorted(["json", "latex", "markdown", "pdf", "png", "text", "typst", spoken])
    assert formats.endings(spoken) == (".say",)


def test_a_new_format_prints_every_document_in_every_language_with_its_own_escape(spoken):
    sheet = render(derive(load("bloom-1b4-zh")), spoken)
    assert sheet.startswith("question: How many parameters does bloom-1b4-zh have?\n")
    assert "N(attn) = (h times 3 times h plus 3 times h) [query, key, value] plus (h times h plus h) [output] = " in sheet
    assert sheet.endswith("that is all\n")
    model = load("gpt2")
    for language in LANGUAGES:
        assert "lm_head" in render(outline(model, language), spoken)
        explained = render(explanation(explain(model, 163_037_184), language), spoken)
        assert "124,439,808 plus 38,597,376 = 163,037,184" in explained
    assert "less than  0.01%" in render(derive(load("llama-3-8b")), spoken)


def test_a_format_says_its_endings_and_only_its_folder_names_it():
    endings = [ending for name in formats.names() for ending in formats.endings(name)]
    assert len(endings) == len(set(endings))
    assert all(ending.startswith(".") for ending in endings)
    assert [name for name in formats.names() if formats.find(name).name != name] == []
    package = Path(formats.__file__).parent.parent
    shared = [*package.glob("formats/*.py"), *package.glob("sheets/*.py"), *package.glob("expressions/printing/form.py")]
    assert [path.name for path in shared if "format.name ==" in path.read_text(encoding="utf-8")] == []
    assert render("gpt2") == render("gpt2", "text")
