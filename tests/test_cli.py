"""The command line as others script against it: arguments to output, and mistakes to one line on stderr."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from symparams import __version__, architectures, published_models
from symparams.cli import run

GPT2 = "12·L·h² + 13·L·h + V·h + max_pos·h + 2·h"
PROGRAM = [sys.executable, "-m", "symparams"]
UTF8 = {**os.environ, "PYTHONIOENCODING": "utf-8"}

ONE_LINE = [
    ("count gpt2", "124439808"),
    ("count gpt2 --without lm_head", "124439808"),  # it shares the embedding, so it adds nothing
    ("count gpt2 --without tying", "163037184"),
    ("count gpt2 --shared own", "124439808"),
    ("count gpt2 --shared each", "163037184"),
    ("count bert-base-uncased", "109482240"),
    ("count bert-base-uncased --without pooler --with mlm_head", "109514298"),
    ("count bert-base-uncased --with nsp_head --with mlm_head", "110106428"),
    ("count bloom --set V=100 --set h=8 --set L=2", "2576"),  # 12·2·64 + 13·2·8 + 100·8 + 4·8
    ("count bloom --set vocab_size=100 --set hidden_size=8 --set n_layer=2", "2576"),
    ("count bloom --set V=100 --set h=8 --set L=2 --set d_ff=3*h+1", "2338"),
    ("count gpt2 --set h=3*256", "124439808"),
    ("count --expr 12*L*h**2+13*L*h --set L=2 --set h=8", "1744"),
    ("count --expr 3*(h*h+h) --set h=768", "1771776"),
    ("count --expr 2+2", "4"),
    ("formula gpt2", GPT2),
    ("formula gpt2 --text", GPT2),
    ("formula gpt2 --latex", r"12Lh^{2} + 13Lh + Vh + \text{max}_{\text{pos}}\,h + 2h"),
    ("formula gpt2 --markdown", r"$12Lh^{2} + 13Lh + Vh + \text{max}_{\text{pos}}\,h + 2h$"),
    ("formula gpt2 --markdown --flavor github", r"$`12Lh^{2} + 13Lh + Vh + \text{max}_{\text{pos}}\,h + 2h`$"),
    ("formula bloom", "12·L·h² + 13·L·h + V·h + 4·h"),
    ("formula bloom --set d_ff=3*h --set h=8", "4·L·h² + 2·L·h·d_ff + 9·L·h + V·h + L·d_ff + 4·h"),
    ("formula bloom --notation bert", "12·L·H² + 13·L·H + V·H + 4·H"),
    ("formula bloom --notation bert --latex", "12LH^{2} + 13LH + VH + 4H"),
    ("formula bloom --without biases", "12·L·h² + 4·L·h + V·h + 4·h"),
    ("formula bloom --symbol h=d", "12·L·d² + 13·L·d + V·d + 4·d"),
    ("formula bloom --symbol h=d_model --latex --without lm_head --without biases",
     r"12L\,d_{\text{model}}^{2} + 4L\,d_{\text{model}} + V\,d_{\text{model}} + 4d_{\text{model}}"),
    ("formula --expr 3*(h*h+h)", "3·h² + 3·h"),
    ("--version", f"symparams {__version__}"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "line"), ONE_LINE)
def test_a_command_that_answers_in_one_line(arguments, line, capsys):
    assert run(arguments.split()) == 0
    assert capsys.readouterr() == (f"{line}\n", "")


# How a sheet begins, or what it has in it.
SHEETS = [
    ("derive gpt2", f"How many parameters does gpt2 have?\n\n    N = {GPT2} = 124,439,808 ≈ 124 million\n"),
    ("derive gpt2 --text", "    N(token embedding) = V × h = 50,257 × 768 = 38,597,376\n"),
    ("derive gpt2 --symbolic", f"    N = {GPT2}\n\n"),
    ("derive bloom", "    N = 12·L·h² + 13·L·h + V·h + 4·h\n\n"),
    ("derive bloom-1b4-zh", " = 1,303,111,680 ≈ 1.30 billion\n"),
    ("derive bloom-1b4-zh --lang zh", "bloom-1b4-zh 有多少参数？\n"),
    ("derive bloom --latex", "\\documentclass"),
    ("derive bloom --latex --standalone", "\\end{document}\n"),
    ("derive bloom --latex --lang zh", "ctex"),
    ("derive bloom --latex --columns 2", "\\end{document}\n"),
    ("derive bloom --latex --fragment", "% Needs \\usepackage{amsmath"),
    ("derive bloom --markdown", "\n$$\n\\boxed{"),
    ("derive bloom --markdown --flavor pandoc", "\n$$\n\\boxed{"),
    ("derive bloom --markdown --flavor github", "\n```math\n\\boxed{"),
    ("derive bloom --markdown --lang zh", "有多少参数"),
    ("derive bloom --notation gpt3", "d_model"),
    ("derive bloom --view module", "One decoder layer\n"),
    ("derive bloom --attention fused", "(h × 3·h + 3·h) [query, key, value] + (h × h + h) [output]"),
    ("derive bloom --attention per-head", "n_heads × "),
    ("derive bloom --set h=8 --set n_heads=2", "size of one head"),
    ("derive --expr 3*(h*h+h) --set h=768", "      = 3 × (768 × 768 + 768)\n      = 3·h² + 3·h = 1,771,776\n"),
    ("derive --expr h*h --latex", "N &= h \\times h"),
    ("show bloom", "├─ decoder × L\n"),
    ("show bloom", "lm_head                (h, V)            0, shares embeddings.token_embedding\n"),
    ("show bloom", "\n+ tying: "),
    ("show bloom --without tying", "\n- tying: "),
    ("show bert-base-uncased", "\n- mlm_head: "),
    ("memory 7B", "28,000,000,000"),  # four bytes for each parameter
    ("memory 7B --dtype int4", "3,500,000,000"),
    ("memory 7B --fits 12GB --lang zh", "个参数占多少显存"),
    ("memory bloom-560m --latex", "\\begin{"),
    ("memory bloom", "GB per 10⁹ parameters"),
    ("derive bloom-560m --with-memory", "\nMemory of the weights\n"),
    ("list", "bloom: BLOOM (Scao et al., 2022, arXiv:2211.05100)\n    bloom-560m\n    bloom-1b4-zh\n"),
    ("--help", "Usage: symparams "),
    ("", "Usage: symparams "),
    ("derive --help", "Usage: symparams derive "),
    ("count -h", "Usage: symparams count "),
]


@pytest.mark.parametrize(("arguments", "part"), SHEETS)
def test_a_command_whose_answer_holds(arguments, part, capsys):
    assert run(arguments.split()) == 0
    captured = capsys.readouterr()
    assert part in captured.out
    assert captured.err == ""


@pytest.mark.parametrize(("arguments", "code"), [("--fits 12GB", 0), ("--fits 12GB --dtype fp32", 1), ("--fits 1GiB", 1)])
def test_memory_that_does_not_fit_is_exit_code_1(arguments, code, capsys):
    assert run(["memory", "7B", *arguments.split()]) == code
    captured = capsys.readouterr()
    assert "7,000,000,000" in captured.out
    assert captured.err == ""


def test_a_latex_fragment_is_no_document(capsys):
    assert run(["derive", "bloom", "--latex", "--fragment"]) == 0
    assert "\\documentclass" not in capsys.readouterr().out


def test_list_names_every_target(capsys):
    assert run(["list"]) == 0
    listed = [line.split(":")[0].strip() for line in capsys.readouterr().out.splitlines()]
    assert sorted(listed) == sorted([*architectures(), *published_models()])


def test_count_as_json(capsys):
    assert run(["count", "bloom", "--json", "--without", "lm_head", "--set", "V=100", "--set", "h=8", "--set", "L=2"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "target": "bloom",
        "closed_form": "12*L*h**2 + 13*L*h + V*h + 4*h",
        "value": 2576,
        "features": {"lm_head": False, "tying": True, "biases": True, "classifier": False},
        "dimensions": {"L": 2, "V": 100, "h": 8, "n_heads": None, "d_head": None, "d_ff": 32},
    }


def test_formula_as_json(capsys):
    assert run(["formula", "bloom", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "target": "bloom",
        "closed_form": "12*L*h**2 + 13*L*h + V*h + 4*h",
        "latex": "12Lh^{2} + 13Lh + Vh + 4h",
        "features": {"lm_head": True, "tying": True, "biases": True, "classifier": False},
    }


@pytest.mark.parametrize("target", [["bloom-1b4-zh"], ["--expr", "12*L*h**2", "--set", "L=2", "--set", "h=3"]])
def test_what_json_says_counts_the_same_when_it_is_given_back(target, capsys):
    """The closed form of a sheet is itself an --expr, with the sheet's dimensions as its values."""
    assert run(["derive", *target, "--json"]) == 0
    sheet = json.loads(capsys.readouterr().out)
    used = {name: value for name, value in sheet["dimensions"].items() if name in ("L", "V", "h")}
    assert run(["count", "--expr", sheet["closed_form"], *(f"--set={name}={value}" for name, value in used.items())]) == 0
    assert capsys.readouterr().out == f"{sheet['value']}\n"


GRAMMAR = "an expression holds integers, known symbols, + - * / ** and parentheses."
NO_H = "h = {} is not a positive integer or an expression such as 4*h. "

# The arguments, and how the one line on stderr goes on after "symparams: ".
MISTAKES = [
    (["count", "blom"], "Unknown architecture or model 'blom'. Did you mean 'bloom'?"),
    (["derive", "bert-base-uncasd"], "Unknown architecture or model 'bert-base-uncasd'. Did you mean 'bert-base-uncased'"),
    (["count", "GPT2"], "Unknown architecture or model 'GPT2'. Did you mean 'gpt2'"),
    (["show", "xyzzy"], "Unknown architecture or model 'xyzzy'. Known: albert, bart, bert, bloom, "),
    (["formula", "two\nlines"], "Unknown architecture or model 'two\N{REPLACEMENT CHARACTER}lines'. Known: "),
    (["count", "\x1b[31mred"], "Unknown architecture or model '\N{REPLACEMENT CHARACTER}[31mred'. Known: "),
    (["count", "x" * 100_000], f"Unknown architecture or model '{'x' * 60}…'. Known: "),
    (["count", "bloom", "--set", "foo=3"], "BLOOM has no dimension 'foo'. Known: L, V, h, n_heads, d_head, d_ff, n_labels."),
    (["count", "bloom", "--set", "max_pos=3"],
     "BLOOM has no dimension 'max_pos'. Known: L, V, h, n_heads, d_head, d_ff, n_labels."),
    (["count", "bloom", "--set", "n_head_s=3"], "BLOOM has no dimension 'n_head_s'. Did you mean 'n_heads'"),
    (["count", "bloom", "--with", "pooler"], "BLOOM has no feature 'pooler'. Known: lm_head, tying, biases, classifier."),
    (["count", "bert", "--without", "poler"], "BERT has no feature 'poler'. Did you mean 'pooler'?"),
    (["count", "gpt2", "--with", "tying", "--without", "tying"],
     "The feature 'tying' is both included and excluded: choose one."),
    (["count", "gpt2", "--set", "h=-768"], "h = '-768' must be a positive integer: h counts something."),
    (["count", "gpt2", "--set", "h=0"], "h = '0' must be a positive integer: h counts something."),
    (["count", "gpt2", "--set", "h=1.5"],
     NO_H.format("'1.5'") + f"Expression '1.5' has an unexpected '.' at character 2: {GRAMMAR}"),
    (["count", "gpt2", "--set", "h=wide"],
     NO_H.format("'wide'") + "Expression 'wide' names the unknown symbol 'wide'. "),
    (["count", "gpt2", "--set", "h="], NO_H.format("''") + f"The expression is empty: {GRAMMAR}"),
    (["count", "gpt2", "--set", "h=" + "9" * 1_000],
     NO_H.format(f"'{'9' * 30}…'") + "The number '99999999999999999999…' has 1,000 digits; 40 is the most that is read."),
    (["count", "gpt2", "--set", "h=V"],
     "d_head = h/n_heads is not an integer for h = 50257, n_heads = 12: choose values that divide."),
    (["count", "gpt2", "--set", "h=767"],
     "d_head = h/n_heads is not an integer for h = 767, n_heads = 12: choose values that divide."),
    (["count", "gpt2", "--set", "d_head=7"], "d_head = 7 contradicts d_head = h/n_heads = 64: leave it out."),
    (["count", "gpt2", "--set", "h=d_ff"], "No value follows for h: h needs d_ff. Give an integer for one of them."),
    (["count", "gpt2", "--set", "h"], "--set 'h' is not NAME=VALUE: write --set h=1024."),
    (["count", "gpt2", "--set", "=3"], "--set '=3' is not NAME=VALUE: write --set h=1024."),
    (["count", "gpt2", "--set", "h=3", "--set", "h=4"], "'h' is given twice: set it once."),
    (["count", "gpt2", "--set", "h=3", "--set", "hidden_size=4"], "h is given twice, once as 'hidden_size': give it once."),
    (["count", "bloom", "--set", "h=8"],
     "bloom has no value for V (used in embeddings.token_embedding), L (used in decoder.attention_norm): "
     "give --set V=… --set L=…, or name a published model."),
    (["count", "--expr", "h*V", "--set", "h=8"], "expression has no value for V "),
    (["count", "--expr", "h/2", "--set", "h=7"], "h/2 is not an integer for h = 7: choose values that divide."),
    (["count", "--expr", ""], f"The expression is empty: {GRAMMAR}"),
    (["derive", "--expr", "exp(h)"], "Expression 'exp(h)' names the unknown symbol 'exp'. "),
    (["derive", "--expr", "h(2)"],
     "Expression 'h(2)' has an unexpected '(' at character 2: a symbol cannot be called; "
     "for a product write '*' before the '('."),
    (["derive", "--expr", "h.__class__"], f"Expression 'h.__class__' has an unexpected '.' at character 2: {GRAMMAR}"),
    (["derive", "--expr", "'h'"], f"Expression ''h'' has an unexpected ''' at character 1: {GRAMMAR}"),
    (["formula", "--expr", "__import__('os')"], "Expression '__import__('os')' names the unknown symbol '__import__'. Known: "),
    (["formula", "--expr", "9**9**9"],
     "Expression '9**9**9' has a power of a power; write one exponent, an integer up to 16."),
    (["count", "--expr", "(" * 1_000 + "h" + ")" * 1_000],
     f"Expression '{'(' * 60}…' is nested deeper than 50 levels; write it flatter."),
    (["count", "--expr", "1/0"], ""),
    (["formula", "--expr", "h/0"], ""),
    (["derive", "--expr", "h/(0*V)", "--set", "h=3"], ""),
    (["derive", "--expr", "h**1_"], ""),
    (["count", "--expr", "/".join("h" * 2_000)], ""),
    (["derive", "bloom", "--expr", "h"], "Give a target or --expr, not both: leave out 'bloom' or --expr."),
    (["derive", "--expr", "h", "--with", "pooler"], "A bare formula has no features: leave out --with and --without."),
    (["derive"], "Name a target: an architecture or a published model; 'symparams list' names them all."),
    (["count"], "Name a target: an architecture or a published model; 'symparams list' names them all."),
    (["formula"], "Name a target: an architecture or a published model; 'symparams list' names them all."),
    (["derive", "bloom", "--latex", "--markdown"], "One format at a time: choose --latex or --markdown."),
    (["formula", "bloom", "--json", "--text"], "One format at a time: choose --json or --text."),
    (["derive", "bloom", "--lang", "fr"], "Unknown language 'fr'. Known: en, zh."),
    (["derive", "bloom", "--view", "upside-down"], "Unknown view 'upside-down': choose one of module"),
    (["derive", "bloom", "--attention", "sliced"], "Unknown attention 'sliced': choose fused or per-head."),
    (["derive", "bloom", "--columns", "3"], "A page has 1 or 2 columns, not '3'."),
    (["derive", "bloom", "--notation", "brt"], "Unknown notation 'brt'. Did you mean 'bert'"),
    (["derive", "bloom", "--markdown", "--flavor", "vanilla"], "Unknown flavor 'vanilla': choose pandoc or github."),
    (["count", "gpt2", "--shared", "twice"], "Unknown way 'twice' to count shared tensors: write 'own' or 'each'."),
    (["formula", "bloom", "--symbol", "h=V"], "The symbol 'V' would stand for V and for h: rename one."),
    (["formula", "bloom", "--symbol", "h=N"],
     "The symbol 'N' would stand for the number of parameters and for h: rename one."),
    (["formula", "bloom", "--symbol", "h=\\input{x}", "--latex"], "'\\input{x}' is not a symbol: write a letter, "),
    (["formula", "bloom", "--symbol", "foo=x"], "No dimension 'foo' to rename. Known: V, h, L, "),
    (["formula", "bloom", "--symbol", "h"], "--symbol 'h' is not NAME=VALUE: write --symbol h=d."),
    (["formula", "bloom", "--symbol", "h=d", "--symbol", "hidden_size=e"], "h is given twice"),
    (["memory", "7BB"], "Unknown architecture or model '7BB'. Known: "),
    (["memory", "7B", "--fits", "12"],
     "'12' is not a memory size: write a number and a unit, 12GB (10^9 bytes) or 12GiB (2^30)."),
    (["memory", "7B", "--fits", "-1GB"], "'-1GB' is not a memory size: "),
    (["memory", "7B", "--dtype", "fp64"], "Unknown number type 'fp64'. Did you mean 'fp16'?"),
    (["memory", "7B", "--set", "h=3"], "A count has no dimensions to set"),
    (["memory", "7B", "--with", "tying"], "A count has no dimensions to set and no features"),
    (["memory", "bloom", "--fits", "1GB"], "bloom has no value for V (used in embeddings.token_embedding), h "),
    # These are typer's own words.
    (["derive", "bloom", "--nope"], "No such option: --nope"),
    (["derive", "bloom", "--columns", "two"], "Invalid value for '--columns': 'two' is not a valid int"),
    (["count", "gpt2", "--set"], "Option '--set' requires an argument"),
    (["count", "gpt2", "gpt3"], "Got unexpected extra argument"),
    (["show"], "Missing argument 'target'"),
    (["lisst"], "No such command 'lisst'. Did you mean 'list'?"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), MISTAKES, ids=[ascii(" ".join(arguments)[:60]) for arguments, _ in MISTAKES])
def test_a_mistake_is_one_line_on_stderr(arguments, message, capsys):
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"symparams: {message}")
    assert captured.err.endswith("\n")
    assert captured.err[:-1].isprintable()
    assert len(captured.err) < 1_000


def test_a_mistake_leaves_no_traceback_and_exit_code_2():
    done = subprocess.run([*PROGRAM, "count", "blom"], capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr == b"symparams: Unknown architecture or model 'blom'. Did you mean 'bloom'?\n"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_result_in_a_file_is_the_result_on_the_screen(tmp_path, capsys):
    target = tmp_path / "bloom.tex"
    assert run(["derive", "bloom", "--latex", "--lang", "zh", "-o", str(target)]) == 0
    assert capsys.readouterr() == ("", "")
    assert run(["derive", "bloom", "--latex", "--lang", "zh"]) == 0
    assert target.read_text(encoding="utf-8") == capsys.readouterr().out
    assert names(tmp_path) == ["bloom.tex"]


def test_a_file_is_replaced_and_keeps_its_mode_and_its_links(tmp_path):
    target, link = tmp_path / "count.txt", tmp_path / "link.txt"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    assert run(["count", "gpt2", "-o", str(link)]) == 0
    assert target.read_text() == "124439808\n"
    assert target.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()
    assert names(tmp_path) == ["count.txt", "link.txt"]


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_standard_output_has_two_names(name):
    done = subprocess.run([*PROGRAM, "count", "gpt2", "-o", name], capture_output=True, check=True)
    assert done.stdout == b"124439808\n"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing/out.txt", "No such file or directory"),
        ("folder", "it is a folder"),
        ("file/out.txt", "Not a directory"),
        ("x" * 300, "File name too long"),
        ("null\0byte", "embedded null byte"),
    ],
    ids=["missing folder", "folder", "file for a folder", "long name", "null byte"],
)
def test_a_path_that_cannot_be_written_is_a_mistake(name, reason, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("file").write_text("old")
    assert run(["count", "gpt2", "-o", name]) == 2
    out, message = capsys.readouterr()
    assert out == ""
    assert message.startswith("symparams: Cannot write '")
    assert message.endswith(f"': {reason}. Name a file in a folder that you may write to.\n")
    assert names(Path()) == ["file", "folder"]
    assert names(Path("folder")) == []


@pytest.fixture
def anyones_folder() -> Iterator[Path]:
    """A folder that every user can reach and write to; tmp_path is the user's own."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        yield Path(name)


@pytest.mark.parametrize(("folder_mode", "file_mode"), [(0o777, 0o444), (0o555, 0o444)], ids=["file", "folder and file"])
def test_a_file_without_permission_keeps_its_content(folder_mode, file_mode, anyones_folder, capsys):
    target = anyones_folder / "kept.txt"
    target.write_text("old")
    target.chmod(file_mode)
    anyones_folder.chmod(folder_mode)
    assert run(["count", "gpt2"]) == 0  # what is imported and read, is read before the rights are given up
    assert capsys.readouterr().out == "124439808\n"
    is_root = os.geteuid() == 0
    os.seteuid(65534 if is_root else os.geteuid())
    try:
        code = run(["count", "gpt2", "-o", str(target)])
    finally:
        os.seteuid(0 if is_root else os.geteuid())
    anyones_folder.chmod(0o777)
    assert code == 2
    assert capsys.readouterr().err.startswith(f"symparams: Cannot write '{target}': Permission denied.")
    assert target.read_text() == "old"
    assert names(anyones_folder) == ["kept.txt"]


@pytest.mark.parametrize("arguments", [["count", "blom"], ["derive", "gpt2", "--lang", "fr"], ["derive", "--expr", "h("]])
def test_a_mistake_leaves_the_file_as_it_was(arguments, tmp_path):
    target = tmp_path / "kept.txt"
    target.write_text("old")
    assert run([*arguments, "-o", str(target)]) == 2
    assert target.read_text() == "old"
    assert names(tmp_path) == ["kept.txt"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("arguments", [["derive", "gpt2", "-o", "/dev/full"], ["derive", "gpt2"], ["--help"], ["--version"]])
def test_a_full_disk_is_one_line(arguments):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"symparams: Cannot write ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("arguments", [["derive", "gpt2"], ["derive", "gpt2", "--json"], ["list"], ["--help"], ["--version"]])
def test_a_reader_that_has_seen_enough_ends_it_silently(arguments):
    """As in ``symparams derive gpt2 | head -1``: here the reader is gone before the first line."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*PROGRAM, *arguments], stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_first_line_can_be_taken():
    command = f"'{sys.executable}' -m symparams derive gpt2 | head -1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=True, env=UTF8)
    assert done.stdout == b"How many parameters does gpt2 have?\n"
    assert done.stderr == b""


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "gbk"])
def test_a_terminal_that_cannot_show_a_character_is_no_traceback(encoding):
    """Either it prints what it can or it is one line on stderr."""
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run([*PROGRAM, "derive", "gpt2"], capture_output=True, check=False, env=environment)
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"\n") <= 1
    assert done.returncode == (2 if done.stderr else 0)


def test_the_same_arguments_give_the_same_bytes():
    """Whatever order Python gives its sets."""
    command = [*PROGRAM, "derive", "bert-base-uncased", "--json"]
    environments = [{**UTF8, "PYTHONHASHSEED": seed} for seed in ("1", "2")]
    first, second = (subprocess.run(command, capture_output=True, check=True, env=each).stdout for each in environments)
    assert first == second
