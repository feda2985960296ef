"""What is fuzzed: each target is a count that is right, or one line that says what is wrong; there is no third outcome."""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from hypothesis import strategies as st

from symparams import (
    Architecture,
    architectures,
    block,
    derive,
    draw,
    embedding,
    explain,
    layer_norm,
    linear,
    load,
    residual,
    symbols,
)
from symparams.architectures import architecture
from symparams.architectures._tables import FOLDER, read
from symparams.checkpoints.gguf import header_of
from symparams.checkpoints.safetensors import tensors_of
from symparams.cli import run
from symparams.components import alternating
from symparams.errors import SymparamsError
from symparams.formats import DRAWN
from symparams.formats.options import DETAILS
from symparams.models.formula import Formula
from symparams.models.library import families, library
from symparams.models.library.tables import record
from tests.cli.test_any_line import WORDS, written_nowhere
from tests.fuzz.evaluator import evaluate
from tests.papers.test_any_document import SCRAPS

LONGEST_LINE = 1_000
LONGEST_RESULT = 2_000_000
FORMATS = ("text", "latex", "markdown", "json")


def refused_in_one_line(work: Callable[[], Any]) -> Any:
    """What the work comes to; None where it is refused as every mistake should be."""
    try:
        return work()
    except SymparamsError as error:
        said = str(error)
        assert said.isprintable(), "a message that a terminal might obey"
        assert len(said) < LONGEST_LINE, "a message that is no line"
        return None


FILES = (b"%PDF-", b"\x89PNG", b"PK\x03\x04")  # how files begin that are no text; they go into a pipe as any answer does


def answered(words: list[str]) -> str | None:
    """What a command line prints; None where it is refused."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    given, told = out.buffer.getvalue(), err.getvalue()
    seen = "" if given.startswith(FILES) else given.decode("utf-8")
    assert len(seen) < LONGEST_RESULT, "a result that nobody can read"
    if code != 2:
        return seen
    assert (seen, told.count("\n"), told.endswith("\n")) == ("", 1, True), "a refusal that is not one line"
    assert told.startswith("symparams: ")
    assert told[:-1].isprintable()
    assert len(told) < LONGEST_LINE
    return None


# Expressions ----------------------------------------------------------------------------------------------------------

LETTERS = ("h", "V", "L", "d_ff", "α", "层")
TOKENS = (*LETTERS, *"+-*/^·×−²() \t0123", "**", "12", "1_0", "1.5", "e3", "E+2")


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    two = st.tuples(inner, st.sampled_from(["+", "-", "*", "/", " × ", "·", "−"]), inner).map("".join)
    foreign = st.tuples(inner, st.sampled_from("−·×"), inner).map("".join)  # signs that a printed formula has
    return st.one_of(
        two,
        foreign,
        inner.map("({})".format),
        inner.map("-{}".format),
        st.tuples(inner, st.sampled_from(["²", "**3", "^2"])).map("".join),
    )


expressions = st.recursive(st.sampled_from([*LETTERS, "0", "1", "2", "12", "10**12", "3e2", "1.5e3"]), _grown, max_leaves=12)
broken = st.lists(st.sampled_from(TOKENS) | st.characters(), max_size=30).map("".join)
sizes = st.integers(1, 12) | st.integers(-2, 10**30)


def expression_holds(given: dict[str, Any]) -> None:
    """Its value is what Python makes of it; every format sets it, or all refuse it."""
    text = given["text"]
    formula = refused_in_one_line(lambda: Formula.read(text, {}))
    if formula is None:
        return
    values = {letter.name: given["values"].get(letter.name, 7) for letter in formula.dimensions}
    counted = refused_in_one_line(lambda: Formula.read(text, values).count())
    if counted is not None:
        assert counted == evaluate(text, values), "another value than Python's"
    options = [f"--set={name}={value}" for name, value in values.items()]
    printed = {kind: answered(["derive", f"--expr={text}", f"--{kind}", *options]) for kind in FORMATS}
    assert len({out is None for out in printed.values()}) == 1, "a format that refuses what another sets"


# Configs --------------------------------------------------------------------------------------------------------------

odd = (
    st.none()
    | st.booleans()
    | st.integers(-2, 64)
    | st.sampled_from([10**30, 0.5, 8.0, "8", "", "gelu", "zh\x1b[1m", [], [2], {}, {"0": "a"}])
)
values = st.recursive(
    odd, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2), max_leaves=4
)
OTHER_KEYS = ("architectures", "tie_word_embeddings", "id2label", "num_labels", "text_config", "layer_types", "model_type")


@st.composite
def configs(draw: st.DrawFn) -> dict[str, Any]:
    """A config of a family with small sizes, some keys of which hold something else."""
    family = draw(st.sampled_from(families()))
    table = library(architecture(family))
    assert table is not None
    keys = [name for key in table.keys.values() for name in key.names] + [*table.extra]
    config = {"model_type": family, "architectures": [draw(st.sampled_from([*table.classes]))]}
    config |= {
        key: draw(st.sampled_from([1, 2, 4, 8, 16]))
        for key in draw(st.sets(st.sampled_from(keys or ["hidden_size"]), max_size=12))
    }
    return {**config, **draw(st.dictionaries(st.sampled_from([*keys, *OTHER_KEYS]), values, max_size=3))}


def config_holds(config: dict[str, Any]) -> None:
    """A positive count, the same by every way to work it out, or one line."""
    model = refused_in_one_line(lambda: load(config))
    count = None if model is None else refused_in_one_line(model.count)
    if model is None or count is None:
        return
    assert count > 0
    assert isinstance(count, int)
    for how in ({}, {"view": "kind"}, {"attention": "per-head"}):
        derivation = refused_in_one_line(lambda how=how: derive(model, **how))
        assert derivation is None or derivation.total.value == count, f"another total for {how}"


ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "gbk")


def file_holds(given: dict[str, Any]) -> None:
    """A file with a config, cut anywhere, in any encoding and with any line ends, is read or refused."""
    text = json.dumps(given["config"], indent=1, ensure_ascii=False).replace("\n", given["ends"])
    content = text[: given["cut"]].encode(given["encoding"], errors="replace")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "config.json").write_bytes(content)
        seen = answered(["count", folder])
    whole = given["cut"] >= len(text) and given["encoding"].startswith("utf-8")
    if whole:
        counted = refused_in_one_line(lambda: load(given["config"]).count())
        assert seen == (None if counted is None else f"{counted}\n"), "a file that is read otherwise than its config"


files = st.fixed_dictionaries(
    {
        "config": configs(),
        "ends": st.sampled_from(["\n", "\r\n", "\r"]),
        "encoding": st.sampled_from(ENCODINGS),
        "cut": st.just(10**6) | st.integers(0, 200),
    }
)

# Command lines --------------------------------------------------------------------------------------------------------

COMMANDS = ("count", "derive", "formula", "show", "explain", "memory", "list", "derve", "")
TARGETS_OF_LINES = ("bloom", "GPT2", "bert-base-uncased", "7B", "h*h + V", "mixtral", "t5-small")
lines = st.tuples(st.sampled_from(COMMANDS), st.sampled_from(TARGETS_OF_LINES), st.lists(WORDS, max_size=6))


def line_holds(line: list[Any]) -> None:
    """Any line is answered, or refused in one line."""
    command, target, words = line
    answered([command, target, *written_nowhere(words)])


# Definitions: tables and trees ----------------------------------------------------------------------------------------

TABLES = tuple(family for family in architectures() if library(architecture(family)))
WORDS_OF_TABLES = ("-1", "1e9", "nan", "true", "h", "library", "like", "keys", "\x1b", "\r\n")
PIECES = (*'=[]{}"\n#.0', *WORDS_OF_TABLES)
edits = st.lists(
    st.tuples(st.integers(0, 4_000), st.integers(0, 20), st.sampled_from(PIECES) | st.text(max_size=4)), max_size=3
)


def table_holds(given: list[Any]) -> None:
    """A family's table with a few edits is read, or an error with its line."""
    family, changes = given
    text = (FOLDER / f"{family}.toml").read_text(encoding="utf-8")
    for at, length, piece in changes:
        text = text[: at % (len(text) + 1)] + piece + text[at % (len(text) + 1) + length :]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{family}.toml"
        file.write_text(text, encoding="utf-8", errors="replace", newline="")
        refused_in_one_line(lambda: record(read(file).table("library"), architecture(family)))


side = st.integers(-1, 9) | st.sampled_from(["h", "2*h", "h/2", "L", "", "x", 10**30, 1.5, None])
paths = st.sampled_from(["", "a", "b", "a.b", "a.a", ".", "b."])
leaf = st.tuples(st.sampled_from(["linear", "embedding"]), side, side, paths) | st.tuples(st.just("norm"), side)


def _trees(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    names, stacks = st.sampled_from(["a", "b", "ab", "a b", "\x1b", "层"]), st.tuples(st.just("times"), side, inner)
    return (
        st.tuples(st.just("block"), st.dictionaries(names, inner, min_size=1, max_size=3))
        | st.tuples(st.just("in turn"), st.dictionaries(names, stacks | inner, min_size=1, max_size=3))
        | stacks
        | st.tuples(st.just("residual"), inner)
    )


trees = st.recursive(leaf, _trees, max_leaves=6)


def _size(written: Any) -> Any:
    return symbols.h * 2 if written == "2*h" else symbols.h / 2 if written == "h/2" else getattr(symbols, str(written), written)


def _tree(written: Any) -> Any:
    kind, *rest = written
    match kind:
        case "linear" | "embedding":
            return {"linear": linear, "embedding": embedding}[kind](_size(rest[0]), _size(rest[1]), tied_to=rest[2])
        case "norm":
            return layer_norm(_size(rest[0]))
        case "times":
            return _tree(rest[1]) * _size(rest[0]) if rest[0] is not None else _tree(rest[1])
        case "residual":
            return residual(_tree(rest[0]))
        case "in turn":
            return alternating(_tree(("block", rest[0])))
        case _:
            return block(**{name: _tree(child) for name, child in rest[0].items()})


def tree_holds(written: Any) -> None:
    """A tree is refused, or every view of it has the total that it counts, and it is drawn."""
    family = refused_in_one_line(lambda: Architecture("fuzzed", tree=_tree(written)))
    model = None if family is None else refused_in_one_line(lambda: load(family, **{d.name: 6 for d in family.dimensions}))
    count = None if model is None else refused_in_one_line(model.count)
    if model is None or count is None:
        return
    assert count > 0
    for view in ("module", "kind", "weights"):
        derivation = refused_in_one_line(lambda view=view: derive(model, view=view))
        assert derivation is None or derivation.total.value == count, f"another total in {view}"
    for detail in DETAILS:
        drawings = {kind: refused_in_one_line(lambda at=(kind, detail): draw(model, at[0], detail=at[1])) for kind in DRAWN}
        ElementTree.fromstring(drawings["svg"])  # noqa: S314 - it is our own
        assert drawings["tikz"], "no TikZ"


# Claims ---------------------------------------------------------------------------------------------------------------

UNITS = ("M", " M", "B", "K", "e8", "万", "%")
rounded = st.tuples(st.integers(0, 9_999), st.sampled_from(UNITS)).map(lambda claim: f"{claim[0]}{claim[1]}")
claims = st.tuples(
    st.sampled_from(["gpt2", "bert-base-uncased", "t5-small", "mixtral-8x7b", "bloom"]),
    st.integers(-1, 10**13) | st.text(max_size=6) | rounded,
)


def claim_holds(given: list[Any]) -> None:
    """Each explanation adds up to what it says."""
    name, claim = given
    found = refused_in_one_line(lambda: explain(load(name), claim))
    for each in found or []:
        assert each.start + sum(term.step.value for term in each.terms) == each.result, "terms that do not add up"


# Names ----------------------------------------------------------------------------------------------------------------

parts = st.text(min_size=1, max_size=8) | st.sampled_from(
    ["CON", "nul", "a:b", "\x1b[31m", "\u202e", "%PATH%", "\\input{x}", "$x$", "`", "🙂"]
)
CONFIG = {"model_type": "gpt2", "n_embd": 8, "n_head": 2, "n_layer": 1, "vocab_size": 10, "n_positions": 4}


def is_a_folders(name: str) -> bool:
    """Whether a folder can be called so here; bytes that are no UTF-8 too, which Python writes as half of a pair."""
    try:
        length = len(os.fsencode(name))
    except UnicodeEncodeError:
        return False
    return length < 200 and "/" not in name and "\0" not in name and name not in (".", "..")


def name_holds(name: str) -> None:
    """A config in a folder of any name counts, and no format hands a terminal or a parser what it would obey."""
    if not is_a_folders(name):
        return
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top) / name
        folder.mkdir()
        (folder / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
        assert answered(["count", f"{top}/{name}/config.json"]) == "1000\n"
        seen = {kind: answered(["derive", f"{top}/{name}/config.json", f"--{kind}"]) for kind in FORMATS}
        seen |= {kind: answered(["draw", f"{top}/{name}/config.json", f"--{kind}"]) for kind in DRAWN}
        assert answered(["count", f"{top}/{name}/config.json", "-o", f"{top}/{name}/out.txt"]) == ""
        assert (folder / "out.txt").read_bytes() == b"1000\n"
    for kind, text in seen.items():
        assert text is not None, f"no {kind}"
        assert all(c.isprintable() or c == "\n" for c in text), f"a control character in {kind}"
    json.loads(seen["json"] or "")
    ElementTree.fromstring(seen["svg"] or "")  # noqa: S314 - it is our own


# Documents ------------------------------------------------------------------------------------------------------------

BLOCKS = (
    "count gpt2",
    "formula bloom",
    "derive bloom --only closed-form",
    "$ count gpt2",
    "count gpt2 --json",
    "count 'x",
    "-o x",
)
ENDINGS = (".md", ".tex", ".html", ".ipynb")
scraps = st.lists(
    st.sampled_from(SCRAPS) | st.text(max_size=4) | st.sampled_from(BLOCKS).map("<!-- symparams: {} -->".format), max_size=12
)
documents = st.tuples(st.sampled_from(ENDINGS), st.lists(scraps.map("".join), min_size=1, max_size=3), st.booleans())


def document_holds(given: list[Any]) -> None:
    """Any document is current once its blocks are written, or refused in one line and left as it was."""
    ending, texts, are_lines = given
    cells = [{"cell_type": "markdown", "source": text.splitlines(keepends=True) if are_lines else text} for text in texts]
    content = json.dumps({"cells": cells}) if ending == ".ipynb" else "".join(texts)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"paper{ending}"
        before = content.encode("utf-8", "replace")
        file.write_bytes(before)
        if answered(["embed", "--force", str(file)]) is None:
            assert file.read_bytes() == before, "a refused document that was written"
        else:
            assert answered(["embed", "--check", str(file)]) == "", "a document that is written anew each time"
        assert [path.name for path in Path(folder).iterdir()] == [file.name]


values_of_letters = st.dictionaries(st.sampled_from(LETTERS), sizes)
# How each is drawn, and what holds for it.
# Headers of checkpoints ------------------------------------------------------------------------------------------------

entries = st.fixed_dictionaries(
    {},
    optional={
        "dtype": st.sampled_from(["F32", "BF16", "F4", "I32", "F33"]) | st.integers(),
        "shape": st.lists(st.integers(-1, 9), max_size=3) | st.none(),
        "data_offsets": st.lists(st.integers(-1, 40), max_size=3),
    },
)
headers = st.binary(max_size=60) | st.dictionaries(st.text(max_size=6), entries, max_size=3).map(
    lambda d: json.dumps(d).encode()
)


def header_holds(header: bytes) -> None:
    """A header is as many bytes of arrays as there are, or one line."""
    tensors = refused_in_one_line(lambda: tensors_of(header, 40, "model.safetensors"))
    assert tensors is None or sum(tensor.bytes for tensor in tensors) == 40
    tensors = refused_in_one_line(lambda: header_of(io.BytesIO(b"GGUF" + header), 4 + len(header), "model.gguf")[0])
    assert tensors is None or sum(tensor.bytes for tensor in tensors) <= len(header)


TARGETS = {
    "expression": (st.fixed_dictionaries({"text": expressions | broken, "values": values_of_letters}), expression_holds),
    "config": (configs(), config_holds),
    "file": (files, file_holds),
    "line": (lines, line_holds),
    "table": (st.tuples(st.sampled_from(TABLES), edits), table_holds),
    "tree": (trees, tree_holds),
    "claim": (claims, claim_holds),
    "name": (parts, name_holds),
    "document": (documents, document_holds),
    "header": (headers, header_holds),
}
