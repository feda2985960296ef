"""Drawings that ``embed`` keeps current: within LaTeX and HTML, and in files beside a document, which it shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from symparams.papers.embedding import checksum

README = "<!-- symparams: draw gpt2 -o pictures/gpt2.svg -->\n<!-- /symparams -->\n"
SHOWN = "![gpt2: 124,439,808 parameters](pictures/gpt2.svg)"
FILE = Path("pictures/gpt2.svg")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where documents lie that show pictures."""
    monkeypatch.chdir(tmp_path)
    Path("pictures").mkdir()
    return tmp_path


def written(name: str, text: str) -> Path:
    path = Path(name)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_stands_beside_and_is_shown(folder, cli):
    readme = written("README.md", README)
    assert cli("embed --check README.md").code == 1
    assert not FILE.exists()
    assert cli("embed README.md") == (0, "README.md: 1 block written\n", "")
    assert SHOWN in readme.read_text(encoding="utf-8")
    assert FILE.read_text(encoding="utf-8") == cli("draw gpt2 --svg").out
    assert cli("embed --check README.md") == (0, "", "")


def test_a_drawing_that_is_stale_fails_the_check(folder, cli):
    readme = written("README.md", README)
    cli("embed README.md")
    older = readme.read_text(encoding="utf-8")
    readme.write_text(older.replace("draw gpt2 ", "draw gpt2 --set L=24 "), encoding="utf-8")
    found = cli("embed --check README.md")
    assert found.code == 1
    assert "+++ pictures/gpt2.svg\n" in found.out
    assert cli("embed README.md").code == 0
    assert "× 7,087,872 = 170,108,928" in FILE.read_text(encoding="utf-8")
    FILE.unlink()
    assert cli("embed --check README.md").code == 1
    assert cli("embed README.md").code == 0
    assert cli("embed --check README.md") == (0, "", "")


def test_a_file_that_somebody_drew_in_is_kept(folder, cli):
    written("README.md", README)
    FILE.write_text("<svg>mine</svg>", encoding="utf-8")
    assert cli("embed README.md") == (
        1,
        "",
        "symparams: README.md:1: this block was edited by hand, so it was not updated. Add --force to overwrite it.\n",
    )
    assert FILE.read_text(encoding="utf-8") == "<svg>mine</svg>"
    assert cli("embed --force README.md").code == 0
    FILE.write_text(FILE.read_text(encoding="utf-8").replace("Feed", "Food"), encoding="utf-8")
    assert cli("embed README.md").code == 1
    assert "Food" in FILE.read_text(encoding="utf-8")


def test_a_file_without_our_mark_is_kept_whatever_checksum_a_document_gives_it(folder, cli):
    for name, file, foreign, ours in [
        ("a.md", "pictures/a.svg", "<svg/>", '<svg class="symparams"/>'),
        ("a.tex", "pictures/a.tikz", "% mine", "%%Creator: symparams"),
    ]:
        for content, code in ((foreign, 1), (ours, 0)):
            Path(file).write_text(content)
            held = f"![]({file})\n"
            opening, closing = ("<!-- ", " -->") if name == "a.md" else ("% ", "")
            forged = f"{opening}/symparams {checksum(held + content)}{closing}\n"
            written(name, f"{opening}symparams: draw gpt2 -o {file}{closing}\n{held}{forged}")
            assert cli(f"embed {name}").code == code
            assert (Path(file).read_text() == content) == bool(code)
    FILE.mkdir()
    written("README.md", README)
    assert "'pictures/gpt2.svg' is a folder, a device or a pipe: name another file." in cli("embed README.md").err


def test_a_paper_and_a_page_hold_their_picture_or_show_a_file(folder, cli):
    paper = written("paper.tex", "% symparams: draw gpt2\n% /symparams\n% symparams: draw bert -o bert.tikz\n% /symparams\n")
    assert cli("embed paper.tex").code == 0
    text = paper.read_text(encoding="utf-8")
    assert text.count("\\begin{tikzpicture}") == 1
    assert "\n\\input{bert.tikz}\n" in text
    assert "documentclass" not in text + Path("bert.tikz").read_text(encoding="utf-8")
    page = written("page.html", "<!-- symparams: draw gpt2 -->\n<!-- /symparams -->\n" + README)
    assert cli("embed page.html").code == 0
    text = page.read_text(encoding="utf-8")
    assert "\n<svg " in text
    assert '<img src="pictures/gpt2.svg" alt="gpt2: 124,439,808 parameters">' in text


BARS = "gpt2 bloom-1b4-zh --relative"


def test_a_comparison_is_a_drawing_too_as_bars_or_side_by_side(folder, cli):
    marks = "<!-- symparams: compare {} -->\n<!-- /symparams -->\n"
    readme = written("README.md", marks.format(f"{BARS} -o pictures/bars.svg"))
    page = written("page.html", marks.format(f"{BARS} --svg"))
    beside = "% symparams: compare gpt2 gpt2-medium --draw\n% /symparams\n"
    paper = written("paper.tex", f"% symparams: compare {BARS} --tikz\n% /symparams\n{beside}")
    assert cli("embed README.md page.html paper.tex").code == 0
    drawn = cli(f"compare {BARS} --svg").out
    assert Path("pictures/bars.svg").read_text(encoding="utf-8") == drawn
    said = "![Where the parameters are, each bar of one length: gpt2, bloom-1b4-zh](pictures/bars.svg)"
    assert said in readme.read_text(encoding="utf-8")
    assert f"\n{drawn}" in page.read_text(encoding="utf-8")
    assert paper.read_text(encoding="utf-8").count("\n\\begin{tikzpicture}") == 2
    assert cli("embed --check README.md page.html paper.tex") == (0, "", "")
    readme.write_text(readme.read_text(encoding="utf-8").replace("compare gpt2 ", "compare gpt2-medium "), encoding="utf-8")
    assert "+++ pictures/bars.svg\n" in cli("embed --check README.md").out


def test_what_is_no_drawing_or_leaves_something_open_is_told(folder, cli):
    readme = written("README.md", "<!-- symparams: compare gpt2 bloom-1b4-zh -->\n<!-- /symparams -->\n")
    assert cli("embed README.md").code == 0
    assert "| Model" in readme.read_text(encoding="utf-8")
    written("config.json", '{"model_type": "gpt2"}')
    written("README.md", README.replace("gpt2 -o", "config.json -o"))
    told = "the config names no class, so this is the base model, GPT2Model"
    assert cli("embed README.md").err.endswith(f"symparams: 'draw config.json -o pictures/gpt2.svg': {told}\n")


REFUSED = [
    (
        "a.md",
        "compare gpt2 bloom-1b4-zh -o a.md",
        "A document of markdown includes drawings with the extension .svg: rename 'a.md'",
    ),
    ("a.md", "draw gpt2", "A document of markdown includes a drawing as a file: add -o model.svg."),
    ("a.md", "draw gpt2 -o ../a.svg", "'../a.svg' is outside the document's folder: name a file in it or below it."),
    ("a.md", "draw gpt2 -o /etc/a.svg", "'/etc/a.svg' is outside the document's folder: name a file in it or below it."),
    ("a.md", "draw gpt2 -o a.tikz", "A document of markdown includes drawings with the extension .svg: rename 'a.tikz'"),
    ("a.tex", "draw gpt2 -o paper.tex", "A document of latex includes drawings with the extension .tikz: rename 'paper.tex'"),
    ("a.md", "draw gpt2 -o a](x).svg", "'a](x).svg' has characters that a link cannot hold: "),
]


def test_a_document_draws_in_its_own_folder_alone(folder, cli):
    for name, command, error in REFUSED:
        marks = "% symparams: {}\n% /symparams\n" if name == "a.tex" else "<!-- symparams: {} -->\n<!-- /symparams -->\n"
        document = written(name, marks.format(command))
        before = sorted(folder.rglob("*"))
        code, out, err = cli(["embed", name])
        assert (code, out, err.count("\n")) == (2, "", 1), command
        assert f"symparams: {name}:1: {error}" in err
        assert sorted(folder.rglob("*")) == before, command
        document.unlink()


def test_a_folder_that_does_not_exist_is_named_with_the_line(folder, cli):
    Path("docs").mkdir()
    written("docs/README.md", "# A title\n\n" + README)
    error = "Cannot draw 'pictures/gpt2.svg': the folder 'docs/pictures' does not exist. Make it, or name another."
    for check in ("", "--check "):
        assert cli(f"embed {check}docs/README.md") == (2, "", f"symparams: docs/README.md:3: {error}\n")


def test_two_blocks_do_not_draw_over_each_other(folder, cli):
    written("README.md", README + README.replace("gpt2 -o", "bert -o"))
    code, _, err = cli("embed README.md")
    assert (code, err) == (2, "symparams: 'pictures/gpt2.svg' is drawn by two different blocks: give each a file of its own.\n")
    assert not FILE.exists()


def test_a_document_that_is_a_link_draws_where_it_lies(folder, cli):
    Path("elsewhere/pictures").mkdir(parents=True)
    written("elsewhere/README.md", README)
    Path("README.md").symlink_to("elsewhere/README.md")
    assert cli("embed README.md").code == 0
    assert not FILE.exists()
    assert (Path("elsewhere") / FILE).exists()
    with (Path("elsewhere") / FILE).open("ab") as picture:
        picture.truncate(2**27)
    assert "has more than 67,108,864 bytes, so it is not a drawing: name another file." in cli("embed README.md").err
