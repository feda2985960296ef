"""``symparams embed``: what stands between markers is what the command prints, and nothing else of a file changes."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest

SIZES = {"vocab_size": 50_257, "n_positions": 1_024, "n_embd": 768, "n_layer": 12, "n_head": 12}
GPT2 = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], **SIZES}
PLAIN = "12·L·h² + 13·L·h + V·h + 4·h"
BLOOM = "12Lh^{2} + 13Lh + Vh + 4h"


@pytest.fixture
def embedded(tmp_path, cli, monkeypatch):
    """``embedded("notes.md", text)`` is the text of a document after embed, which has nothing more to do then."""
    monkeypatch.chdir(tmp_path)

    def after(name: str, text: str, options: str = "") -> str:
        Path(name).write_bytes(text.encode("utf-8"))
        done = cli(f"embed {name} {options}")
        assert (done.code, done.err) == (0, "")
        written = Path(name).read_bytes()
        assert cli(f"embed {name} --check {options}") == (0, "", "")
        assert cli(f"embed {name} {options}") == (0, "", "")
        assert Path(name).read_bytes() == written
        return written.decode("utf-8")

    return after


# A document, and what it is afterwards.
EXAMPLES = {
    "a number in a line of prose has its thousands grouped": (
        "notes.md",
        "BERT has <!-- symparams: count bert-base-uncased --><!-- /symparams --> parameters.\n",
        "BERT has <!-- symparams: count bert-base-uncased -->109,482,240<!-- /symparams 1eec14fd --> parameters.\n",
    ),
    "--text has it as the command prints it": (
        "notes.qmd",
        "<!-- symparams: count gpt2 --text -->?<!-- /symparams -->",
        "<!-- symparams: count gpt2 --text -->124439808<!-- /symparams e2d00958 -->",
    ),
    "a formula in a line, and in a table": (
        "notes.md",
        "| BLOOM | <!-- symparams: formula bloom --><!-- /symparams --> |",
        f"| BLOOM | <!-- symparams: formula bloom -->${BLOOM}$<!-- /symparams fa16145d --> |",
    ),
    "a block has lines of its own, and blank ones around": (
        "notes.md",
        "Before\n<!-- symparams: formula bloom -->\nwhat stood there\n<!-- /symparams -->\nafter",
        f"Before\n<!-- symparams: formula bloom -->\n\n${BLOOM}$\n\n<!-- /symparams cf5e2af2 -->\nafter",
    ),
    "in a quotation each line begins as the marker's does": (
        "notes.md",
        "> <!-- symparams: formula bloom -->\n> <!-- /symparams -->\n",
        f"> <!-- symparams: formula bloom -->\n>\n> ${BLOOM}$\n>\n> <!-- /symparams 58cd6441 -->\n",
    ),
    "another format stands as code": (
        "notes.md",
        "<!-- symparams: formula bloom --text -->\n<!-- /symparams -->\n",
        f"<!-- symparams: formula bloom --text -->\n\n```text\n{PLAIN}\n```\n\n<!-- /symparams 50683882 -->\n",
    ),
    "in a line too": (
        "notes.md",
        "Write <!-- symparams: formula bloom -\\-latex --><!-- /symparams -->.",
        f"Write <!-- symparams: formula bloom -\\-latex -->`{BLOOM}`<!-- /symparams 2fb8175b -->.",
    ),
    "a dollar shows the command above what it prints": (
        "notes.md",
        "<!-- symparams: $ count gpt2 -->\n<!-- /symparams -->\n",
        "<!-- symparams: $ count gpt2 -->\n\n```console\n$ symparams count gpt2\n124439808\n```\n\n"
        "<!-- /symparams 96bb923a -->\n",
    ),
    "dollars show a session": (
        "notes.md",
        "<!-- symparams: $ count gpt2 $ formula bloom -->\n<!-- /symparams -->\n",
        "<!-- symparams: $ count gpt2 $ formula bloom -->\n\n```console\n$ symparams count gpt2\n124439808\n"
        f"$ symparams formula bloom\n{PLAIN}\n```\n\n<!-- /symparams fd7e72a8 -->\n",
    ),
    "LaTeX: lines of comments do not break a paragraph": (
        "paper.tex",
        "BERT has\n% symparams: count bert-base-uncased\n% /symparams\nparameters.\n",
        "BERT has\n% symparams: count bert-base-uncased\n109{,}482{,}240\n% /symparams 5a106dc7\nparameters.\n",
    ),
    "LaTeX: in a line of prose nothing comes between, not even a space": (
        "paper.tex",
        "has $% symparams: formula bloom\n% /symparams\n$ parameters",
        f"has $% symparams: formula bloom\n{BLOOM}% /symparams 50f8f40d\n$ parameters",
    ),
    "LaTeX: but a word stands apart, whose line end the marker hides": (
        "paper.tex",
        "has % symparams: count gpt2\n% /symparams\nparameters",
        "has % symparams: count gpt2\n124{,}439{,}808 % /symparams eeafddd6\nparameters",
    ),
    "LaTeX: a text is shown as it is": (
        "paper.tex",
        "% symparams: formula bloom --text\n% /symparams",
        f"% symparams: formula bloom --text\n\\begin{{verbatim}}\n{PLAIN}\n\\end{{verbatim}}\n% /symparams 359ec108",
    ),
    "HTML: text": (
        "page.html",
        "<p><!-- symparams: count gpt2 --><!-- /symparams -->, <!-- symparams: formula bloom --><!-- /symparams --></p>",
        "<p><!-- symparams: count gpt2 -->124,439,808<!-- /symparams f2477c87 -->, "
        f"<!-- symparams: formula bloom --><code>{PLAIN}</code><!-- /symparams 983bbb61 --></p>",
    ),
    "HTML: text on lines of its own": (
        "page.html",
        "<!-- symparams: formula bloom -->\n<!-- /symparams -->\n",
        f"<!-- symparams: formula bloom -->\n\n<pre>{PLAIN}</pre>\n\n<!-- /symparams b83e89cb -->\n",
    ),
    "a block that is wrong about its own checksum, but right, is given the right one": (
        "notes.md",
        "<!-- symparams: count gpt2 -->124,439,808<!-- /symparams 00000000 -->",
        "<!-- symparams: count gpt2 -->124,439,808<!-- /symparams f2477c87 -->",
    ),
}


@pytest.mark.parametrize(("name", "before", "after"), EXAMPLES.values(), ids=EXAMPLES)
def test_a_document_and_what_it_is_afterwards(name, before, after, embedded):
    assert embedded(name, before) == after


def test_a_sheet_is_a_section_of_its_document(embedded):
    for command, level in (("derive bloom", "##"), ("flops gpt2", "##"), ("derive bloom --heading-level 3", "###")):
        block = embedded("notes.md", f"# Title\n\n<!-- symparams: {command} -->\n<!-- /symparams -->\n")
        assert re.findall("^#+", block.partition("-->")[2], re.MULTILINE)[0] == level


HIDDEN = {
    "notes.md": [
        "```\n<!-- symparams: count blom -->\n```\n",
        "````md\n```\n<!-- symparams: count blom -->\n```\n````\n",
        "~~~\n<!-- symparams: count blom -->\n```\n~~~",
        "- a list\n\n  ```\n  <!-- symparams: count blom -->\n  ```\n",
        "> ```\n> <!-- /symparams -->\n> ```\n",
        "```\n<!-- symparams: a block of code that never ends -->",
        "Write `<!-- symparams: count blom -->` and ``<!-- `/symparams` -->``",
        "\\<!-- symparams: count blom -->",
        "<!-- symparams is a program -->",
        "% symparams: count blom",
    ],
    "page.html": [
        "<script>\n<!-- /symparams -->\n</script>\n<!-- symparams: count gpt2 -->124,439,808<!-- /symparams f2477c87 -->"
    ],
    "paper.tex": [
        "\\begin{verbatim}\n% symparams: count blom\n\\end{verbatim}\n",
        "\\begin{lstlisting}[language=TeX]\n% /symparams\n\\end{lstlisting}\n",
        "\\verb|% symparams: count blom|",
        "100\\% symparams: count blom",
        "% write % symparams: count blom",
        "% symparams is a program",
        "<!-- symparams: count blom -->",
        "% \\begin{verbatim}\n% symparams: count bloom-560m\n559{,}214{,}592\n% /symparams ac7700d5\n",
    ],
}


@pytest.mark.parametrize("name", HIDDEN)
def test_a_marker_that_is_shown_is_none(name, embedded):
    for text in HIDDEN[name]:
        assert embedded(name, text) == text


def test_a_fence_beside_a_block_hides_nothing_but_its_own(embedded):
    after = embedded("notes.md", "```\n<!-- /symparams -->\n```\n<!-- symparams: count gpt2 -->1<!-- /symparams -->\n")
    assert after.endswith("-->124,439,808<!-- /symparams f2477c87 -->\n")


def test_line_ends_and_the_mark_of_the_byte_order_stay_also_where_git_changed_them(embedded, tmp_path, cli):
    for name, opening, closing, start, newline in [
        ("notes.md", "<!-- symparams: derive bloom --only dimensions -->", "<!-- /symparams -->", "\ufeff", "\r\n"),
        ("notes.md", "<!-- symparams: derive bloom --only dimensions -->", "<!-- /symparams -->", "", "\n"),
        ("paper.tex", "% symparams: derive bloom --only dimensions", "% /symparams", "\ufeff", "\n"),
        ("paper.tex", "% symparams: derive bloom --only dimensions", "% /symparams", "", "\r\n"),
    ]:
        after = embedded(name, f"{start}{opening}{newline}{closing}{newline}no line end")
        assert after.startswith(f"{start}{opening}{newline}")
        assert after.endswith(f"{newline}no line end")
        assert after.count("\n") == after.count(newline) > 10
    file = tmp_path / "notes.md"
    file.write_bytes(b"<!-- symparams: formula bloom -->\n<!-- /symparams -->\n")
    assert cli(f"embed {file}").code == 0
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert cli(f"embed {file} --check") == (0, "", "")


# A line, and what is said of it.
MISTAKES = {
    "<!-- symparams: count blom --><!-- /symparams -->": "Unknown architecture or model 'blom'. Did you mean 'bloom'?",
    "<!-- symparams: count bloom --><!-- /symparams -->": "or give --set V=… --set h=… --set L=….",
    "<!-- symparams: count gpt2 -->": "This block is not closed: write <!-- /symparams --> at its end.",
    "<!-- /symparams -->": "This marker closes no block: open one above it, or remove the marker.",
    "<!-- symparams: count gpt2 --><!-- symparams: count gpt2 -->": "A block cannot be inside another",
    "<!-- symparams: count gpt2": "This marker is not complete: write all of it on one line.",
    "<!-- symparams: --><!-- /symparams -->": "This marker has no command",
    "<!-- symparams: count gpt2 --><!-- /symparams v2 -->": "'v2' is not a checksum: write <!-- /symparams --> alone",
    "a <!-- symparams: count gpt2 -->\n<!-- /symparams -->": "There is text beside this marker: close its block on this line",
    "<!-- symparams: derive gpt2 --> <!-- /symparams -->": "which do not fit into a line of prose: put the markers",
    "<!-- symparams: show gpt2 --><!-- /symparams -->": "A block prints one of count, formula, derive",
    "<!-- symparams: embed notes.md --><!-- /symparams -->": "A block prints one of count, formula, derive",
    "<!-- symparams: symparams count gpt2 --><!-- /symparams -->": "A block prints one of count, formula, derive",
    "<!-- symparams: --help --><!-- /symparams -->": "A block prints one of count, formula, derive",
    "<!-- symparams: count --help --><!-- /symparams -->": "A block cannot print the help: leave out --help.",
    "<!-- symparams: count 'gpt2 --><!-- /symparams -->": "\"count 'gpt2' is not a command line: No closing quotation.",
    "<!-- symparams: count gpt2; rm x --><!-- /symparams -->": "'rm' is not an argument of count. Leave it out.",
    "<!-- symparams: count gpt2 -o x.txt --><!-- /symparams -->": "The output of this command goes into the block",
    "<!-- symparams: derive gpt2 --pdf --><!-- /symparams -->": "A block holds text, and --pdf makes a file: leave it out",
    "<!-- symparams: formula gpt2 --png --><!-- /symparams -->": "A block holds text, and --png makes a file: leave it out",
    "<!-- symparams: count mine.py --><!-- /symparams -->": "'mine.py' is not read from inside a document: add --trust",
    "<!-- symparams: count ./x/../mine.PY:a --><!-- /symparams -->": "'./x/../mine.PY:a' is not read from inside a document",
    "<!-- symparams: count hf:org/name --><!-- /symparams -->": "'hf:org/name' is not read from inside a document",
    "<!-- symparams: count org/name --><!-- /symparams -->": "'org/name' is not read from inside a document",
    "<!-- symparams: count - --><!-- /symparams -->": "'-' is not read from inside a document",
    "<!-- symparams: count /dev/stdin --><!-- /symparams -->": "'/dev/stdin' is not read from inside a document",
    "<!-- symparams: count /etc/passwd --><!-- /symparams -->": "'/etc/passwd' is not read from inside a document",
    "<!-- symparams: count ../secret.json --><!-- /symparams -->": "'../secret.json' is not read from inside a document",
    "<!-- symparams: compare gpt2 a/../../b.json --><!-- /symparams -->": "'a/../../b.json' is not read from inside a document",
    "<!-- symparams: explain gpt2 --checkpoint hf:org/name --><!-- /symparams -->": "'hf:org/name' is not read from inside",
    "<!-- symparams: explain gpt2 --checkpoint /a.gguf --><!-- /symparams -->": "'/a.gguf' is not read from inside a document",
    "<!-- symparams: count //host/share/a.json --><!-- /symparams -->": "'//host/share/a.json' is not read from inside",
    "<!-- symparams: count '\\\\\\\\host\\\\a.json' --><!-- /symparams -->": "host",
    "<!-- symparams: count 'C:a.json' --><!-- /symparams -->": "'C:a.json' is not read from inside a document",
}  # fmt: skip


@pytest.mark.parametrize(("line", "said"), MISTAKES.items())
def test_a_mistake_is_told_with_its_line_and_nothing_is_written(line, said, tmp_path, mistake, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stale = "<!-- symparams: count gpt2 -->0<!-- /symparams -->\n"
    Path("mine.py").write_text("open('run', 'w')")
    Path("good.md").write_text(stale)
    Path("notes.md").write_text(f"{stale}\n{line}\n")
    message = mistake("embed good.md notes.md")
    assert message.startswith("notes.md:3: ")
    assert said.replace('"', "'") in message.replace('"', "'")
    assert Path("good.md").read_text() == stale
    assert Path("notes.md").read_text() == f"{stale}\n{line}\n"
    assert sorted(path.name for path in Path().iterdir()) == ["good.md", "mine.py", "notes.md"]


def test_a_command_longer_than_any_is_not_run(tmp_path, mistake):
    (tmp_path / "notes.md").write_text(f"<!-- symparams: {'$ count gpt2 ' * 10**5}--><!-- /symparams -->\n")
    assert mistake(f"embed {tmp_path / 'notes.md'}").endswith(
        "notes.md:1: This command has 1,299,999 characters: write at most 10,000."
    )


def test_mistakes_of_latex(tmp_path, mistake):
    file = tmp_path / "paper.tex"
    for text, said in {
        "% symparams: derive bloom --standalone\n% /symparams": ":1: A block is a part of its document: leave out",
        "a % symparams: formula bloom\n\n% /symparams": ":1: A block that begins in a line of prose holds one line",
        "a % symparams: formula bloom --text\n% /symparams": ":1: No line of latex can hold text",
        "% symparams: count gpt2 % /symparams": ":1: This marker contains the end of its block",
        "% symparams: count gpt2\nx % /symparams": ":2: There is text beside this marker",
    }.items():
        file.write_text(text)
        assert said in mistake(f"embed {file}")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("notes.txt", b"", "is not a document that can hold blocks: name files that end in .md, "),
        ("notes.md", b"<!-- symparams: count gpt2 -->\n\xff", "notes.md:2: This is not UTF-8: save the file in that encoding."),
        ("notes.md", "<!-- symparams: count gpt2 -->".encode("utf-16"), "notes.md:1: This is not UTF-8"),
        ("notes.ipynb", b'{"symparams"', "notes.ipynb: A notebook is JSON, and this is not: "),
        ("notes.ipynb", b'{"symparams": 1}', "notes.ipynb: This is not a notebook: it has no list of cells"),
        ("notes.ipynb", b'{"cells": [{"cell_type": "markdown", "source": ["symparams", 1]}]}', "This is not a notebook"),
    ],
)  # fmt: skip
def test_a_file_that_holds_no_blocks_is_refused(name, content, said, tmp_path, mistake, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(content)
    assert said in mistake(f"embed {name}")


def test_a_file_that_asks_for_nothing_is_no_mistake(tmp_path, cli):
    for content, ending in ((b"one\n\xff", "md"), ("模".encode("gbk"), "tex"), ("one".encode("utf-16"), "ipynb"), (b"", "md")):
        file = tmp_path / f"notes.{ending}"
        file.write_bytes(content)
        assert cli(f"embed {file}") == cli(f"embed --check {file}") == (0, "", "")
        assert file.read_bytes() == content


def test_what_is_trusted_is_read_from_where_the_document_lies(tmp_path, embedded, monkeypatch):
    (tmp_path / "paper" / "model").mkdir(parents=True)
    (tmp_path / "paper" / "model" / "config.json").write_text(json.dumps(GPT2))
    (tmp_path / "paper" / "mine.py").write_text(
        "from symparams import Architecture, linear\nMINE = Architecture('mine', head=linear(7, 8, bias=False))\n"
    )
    ours = "<!-- symparams: count model -->0<!-- /symparams -->"
    assert ">124,439,808<" in embedded("paper/notes.md", ours)
    ours = "<!-- symparams: count mine.py -->0<!-- /symparams -->"
    assert ">56<" in embedded("paper/notes.md", ours, "--trust")


def test_links_lead_nowhere_but_within_the_folder_of_a_document(tmp_path, mistake, monkeypatch, cli):
    """A reader of standard input would wait for ever; what lies elsewhere is nobody's business."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere.json").write_text(json.dumps(GPT2))
    for place, to, said in [
        ("model/config.json", "/dev/stdin", "lies outside of"),
        ("model/config.json", "/dev/zero", "lies outside of"),
        ("model/config.json", tmp_path / "elsewhere.json", "lies outside of"),
        ("model", "..", "lies outside of"),
        ("model/config.json", tmp_path / "paper" / "own.json", ""),
        ("model/config.json", None, "is a device or a pipe"),
    ]:
        paper = tmp_path / "paper"
        paper.mkdir()
        (paper / "own.json").write_text(json.dumps(GPT2))
        (tmp_path / "config.json").write_text(json.dumps(GPT2))
        (paper / place).parent.mkdir(exist_ok=True)
        (paper / place).symlink_to(to) if to else os.mkfifo(paper / place)
        (paper / "a.md").write_text("<!-- symparams: count model -->0<!-- /symparams -->")
        if said:
            assert said in mistake("embed paper/a.md"), (place, to)
            assert not to or "/dev" in str(to) or cli("embed --trust paper/a.md").code == 0, (place, to)
        else:
            assert cli("embed paper/a.md").code == 0
        shutil.rmtree(paper)


def test_a_block_edited_by_hand_is_kept_unless_forced_and_one_of_another_command_written_anew(tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = Path("notes.md")
    edited = "Here\n<!-- symparams: count gpt2 -->124 million<!-- /symparams f2477c87 -->\n"
    told = "symparams: notes.md:2: this block was edited by hand, so it was not updated. Add --force to overwrite it.\n"
    file.write_text(f"{edited}<!-- symparams: count gpt2 -->0<!-- /symparams -->\n")
    assert cli("embed notes.md") == (1, "notes.md: 1 block written\n", told)
    kept = f"{edited}<!-- symparams: count gpt2 -->124,439,808<!-- /symparams f2477c87 -->\n"
    assert file.read_text() == kept
    assert cli("embed notes.md --check") == (1, "", told)
    assert cli("embed notes.md") == (1, "", told)
    assert cli("embed notes.md --force") == (0, "notes.md: 1 block written\n", "")
    assert file.read_text() == kept.replace("124 million", "124,439,808")
    file = tmp_path / "notes.md"
    file.write_text("<!-- symparams: count gpt2-medium -->124,439,808<!-- /symparams f2477c87 -->")
    assert cli(f"embed {file}").code == 0
    assert "-->354,823,168<!-- /symparams " in file.read_text()


def test_check_shows_what_would_change_and_patch_takes_it(tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = "one\n\n<!-- symparams: count gpt2 -->0<!-- /symparams -->"
    Path("notes.md").write_text(before)
    assert cli("embed notes.md --check") == (
        1,
        "--- notes.md\n+++ notes.md\n@@ -1,3 +1,3 @@\n one\n \n"
        "-<!-- symparams: count gpt2 -->0<!-- /symparams -->\n\\ No newline at end of file\n"
        "+<!-- symparams: count gpt2 -->124,439,808<!-- /symparams f2477c87 -->\n\\ No newline at end of file\n",
        "",
    )
    assert Path("notes.md").read_text() == before


def test_what_is_told_of_an_option_in_a_line_and_of_a_config(tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = "symparams: notes.md:1: GitHub shows a comment with -- inside a line of prose: write each option as -\\-option.\n"
    for command, note in (("count gpt2 --shared each", told), ("count gpt2 -\\-shared each", "")):
        Path("notes.md").write_text(f"a <!-- symparams: {command} -->0<!-- /symparams -->")
        assert cli("embed notes.md") == (0, "notes.md: 1 block written\n", note)
        assert ">163,037,184<" in Path("notes.md").read_text()
    monkeypatch.chdir(tmp_path)
    Path("config.json").write_text(json.dumps({"model_type": "gpt2", **SIZES, "n_layr": 6}))
    Path("notes.md").write_text("<!-- symparams: count config.json --><!-- /symparams -->")
    assert cli("embed notes.md").err == (
        "symparams: 'count config.json': not read for gpt2: n_layr (did you mean n_layer?)\n"
        "symparams: 'count config.json': the config names no class, so this is the base model, GPT2Model\n"
    )


def test_a_wide_terminal_makes_no_wider_block(tmp_path, cli, monkeypatch):
    file = tmp_path / "notes.md"
    file.write_text("<!-- symparams: derive bloom --text -->\n<!-- /symparams -->\n")
    assert cli(f"embed {file}").code == 0
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr("symparams.cli.request._of_the_terminal", lambda: {"width": 200})
    assert cli(f"embed {file} --check").code == 0


def test_two_hundred_blocks_run_their_command_once(tmp_path, cli, monkeypatch):
    from symparams.cli.commands import counting

    requests, subject = [], counting.subject_of
    monkeypatch.setattr(counting, "subject_of", lambda request: requests.append(request) or subject(request))
    file = tmp_path / "notes.md"
    file.write_text("<!-- symparams: count gpt2 -->0<!-- /symparams -->\n" * 200)
    assert cli(f"embed {file}").out.endswith(": 200 blocks written\n")
    assert len(requests) == 1
