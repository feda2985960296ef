"""A notebook's cells of Markdown are documents; what else its file holds is not written anew, not even spelled otherwise."""

from __future__ import annotations

import json
import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from symparams.papers.documents import SourceDocument
from symparams.papers.embedding import embed
from symparams.papers.kinds import MARKDOWN, Printed

ODD = r"""{"cells":[
  {"source": ["# \u00e9 \"<!-- symparams: count gpt2 -->0<!-- /symparams -->\" \/ \ud83d\ude00\n",
\t"<!-- symparams: formula bloom -->\n", "<!-- /symparams -->"],
   "metadata":{"a": 1.50, "a": [ ]}, "cell_type" : "markdown"},
  {"cell_type": "code", "source": ["<!-- symparams: count blom -->"], "outputs": []},
  {"cell_type": "markdown", "source": "\t<!-- symparams: count gpt2 -->\r\n\t<!-- /symparams -->\r\n\u4e2d"} ] , "nbformat":4}
"""
CURRENT = r"""{"cells":[
  {"source": ["# \u00e9 \"<!-- symparams: count gpt2 -->124,439,808<!-- /symparams f2477c87 -->\" \/ \ud83d\ude00\n",
\t"<!-- symparams: formula bloom -->\n", "\n",
\t"$12Lh^{2} + 13Lh + Vh + 4h$\n",
\t"\n",
\t"<!-- /symparams cf5e2af2 -->"],
   "metadata":{"a": 1.50, "a": [ ]}, "cell_type" : "markdown"},
  {"cell_type": "code", "source": ["<!-- symparams: count blom -->"], "outputs": []},
  {"cell_type": "markdown", "source": "\t<!-- symparams: count gpt2 -->\r\n\r\n\t124,439,808\r\n\r\n\t<!-- /symparams CHECK -->\r\n\u4e2d"} ] , "nbformat":4}
"""  # fmt: skip # noqa: E501 - as it stands in the file


def test_an_odd_file_keeps_its_spelling_and_a_number_of_any_length(tmp_path, cli):
    file = tmp_path / "odd.ipynb"
    file.write_bytes(ODD.replace("\n\\t", "\n\t").encode())
    assert cli(f"embed {file}").code == 0
    after = re.sub("[0-9a-f]{8}( -->.r.n.u4e2d)", r"CHECK\1", file.read_bytes().decode())
    assert after == CURRENT.replace("\n\\t", "\n\t")
    assert cli(f"embed {file} --check") == (0, "", "")
    file = tmp_path / "a.ipynb"
    cell = '{"cell_type": "markdown", "source": ["<!-- symparams: count gpt2 -->0<!-- /symparams -->"]}'
    file.write_text(f'{{"cells": [{cell}], "metadata": {"9" * 5000}}}')
    assert cli(f"embed {file}").code == 0
    assert file.read_text() == f'{{"cells": [{cell}], "metadata": {"9" * 5000}}}'.replace(
        ">0<!-- /symparams -->", ">124,439,808<!-- /symparams f2477c87 -->"
    )


def test_a_mistake_is_told_with_the_line_of_the_file(tmp_path, mistake, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cell = {"cell_type": "markdown", "source": ["a\n", "<!-- symparams: count blom --><!-- /symparams -->"]}
    Path("a.ipynb").write_text(json.dumps({"cells": [cell]}, indent=1))
    assert mistake("embed a.ipynb").startswith("a.ipynb:7: Unknown architecture or model 'blom'.")


PROSE = st.text(st.characters(codec="utf-8", exclude_characters="\r`~<\\"), max_size=12)
PIECES = st.sampled_from(
    ["a\n", "<!-- symparams: x -->1<!-- /symparams -->", "\n<!-- symparams: x y -->\nold\n<!-- /symparams -->\n", '\t"\\\\\n']
)
TEXTS = st.lists(PROSE | PIECES, max_size=6).map("".join)
JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=5)


@st.composite
def notebooks(draw):
    """Cells of each kind, with their texts as one or as lists of their lines."""
    cells = []
    for text in draw(st.lists(TEXTS, max_size=4)):
        source = text.splitlines(keepends=True) if draw(st.booleans()) else text
        source = re.findall(r"[^\n]*\n|[^\n]+", text) if isinstance(source, list) else source
        cells.append(
            {"cell_type": draw(st.sampled_from(["markdown", "code", "raw"])), "metadata": draw(JSON), "source": source}
        )
    return {"cells": cells, "metadata": {"title": "é"}, "nbformat": 4}


def brought_up_to_date(cell):
    """A cell as it has to be, from its text as a document of Markdown."""
    source = cell["source"]
    if cell["cell_type"] != "markdown":
        return cell
    text = file(embed(SourceDocument("cell.md", "".join(source).encode(), MARKDOWN), printed).after)
    return cell | {"source": re.findall(r"[^\n]*\n|[^\n]+", text) if isinstance(source, list) else text}


def printed(command, _document):
    return Printed(f"{command.upper()} é".replace(" Y", "\nY"), "markdown")


def file(document):
    return document.content.decode("utf-8")


@given(notebook=notebooks(), indent=st.sampled_from([1, 4, None]), is_ascii=st.booleans())
def test_a_notebook_is_what_its_program_would_have_written(indent, is_ascii, notebook):
    def as_written(notebook):
        return json.dumps(notebook, indent=indent, ensure_ascii=is_ascii) + "\n"

    before = SourceDocument("any.ipynb", as_written(notebook).encode("utf-8"), MARKDOWN)
    expected = as_written(notebook | {"cells": [brought_up_to_date(cell) for cell in notebook["cells"]]})
    after = file(embed(before, printed).after)
    if indent is None:  # a list of one line says not how two would be parted
        assert json.dumps(json.loads(after)) == json.dumps(json.loads(expected))
    else:
        assert after == expected
