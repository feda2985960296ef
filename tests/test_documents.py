"""What READMEs, notebooks and docstrings show is what the commands and the cells give.

``python -m tests.test_documents`` stores the outputs of the notebooks anew.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from copy import deepcopy
from importlib.util import module_from_spec, spec_from_file_location
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import pytest

import symparams
from symparams.architectures import find
from symparams.checkpoints.trees import arrays_of
from symparams.cli.commands import COMMANDS
from symparams.formats import names as formats
from tests.checkpoints.writing import gguf, safetensors

ROOT = Path(__file__).parents[1]
READMES = ("README.md", "README.zh.md")
PAGES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in [ROOT / name for name in READMES] + sorted(ROOT.glob("docs/**/*.md"))
}
GPT2_CONFIG = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": 50_257, "n_positions": 1_024,
               "n_embd": 768, "n_layer": 12, "n_head": 12}  # fmt: skip
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
# What of the text is not run as a command: it names an option or a kind, or it needs torch, and tests/library runs it.
NAMED = {"embed --check", "explain --checkpoint", "memory --json", "plot shares", "verify --checkpoint"}
OF_THE_LIBRARY = {"verify llama-3-8b", "verify mine.py --module mymodule:build"}


def in_both(name: str) -> pytest.MarkDecorator:
    """A page of docs/ in English and in Chinese."""
    return pytest.mark.parametrize("page", [f"docs/{name}.md", f"docs/zh/{name}.md"])


EACH_README = pytest.mark.parametrize("page", READMES)


def blocks(page: str, language: str) -> list[str]:
    """The blocks of a page in a language, ``console`` or ``python``."""
    return re.findall(rf"```{language}\n(.*?)```", PAGES[page], re.DOTALL)


def block(page: str, holding: str) -> str:
    """The one block of Python on a page that holds a text."""
    [source] = (source for source in blocks(page, "python") if holding in source)
    return source


def sessions() -> list[tuple[str, str]]:
    """Each command of the pages' console blocks with what stands below it."""
    texts = (text for page in PAGES for text in blocks(page, "console"))
    shown = (pair for text in texts for pair in re.findall(r"\$ (.*)\n((?:[^$].*\n)*)", text))
    return list(dict.fromkeys(shown))


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """Where a reader of the page stands: mine.py, the config.json of GPT-2, its weights but for a bias, a GGUF file."""
    (tmp_path / "mine.py").write_text(block("README.md", "Architecture("), encoding="utf-8")
    (tmp_path / "config.json").write_text(json.dumps(GPT2_CONFIG), encoding="utf-8")
    saved = {array.name.removeprefix("transformer."): array.shape for array in arrays_of(symparams.load(GPT2_CONFIG))}
    safetensors(tmp_path / "model.safetensors", {name: saved[name] for name in saved if name != "h.3.mlp.c_fc.bias"})
    gguf(tmp_path / "model.gguf", {"token_embd.weight": (50_257, 768)}, {}, "Q8_0")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.mark.parametrize(("command", "output"), sessions(), ids=lambda text: text.strip()[:60])
def test_commands_of_the_pages(command, output, cli, folder):
    """A line "…" stands for the lines that a page leaves out."""
    printed = cli(shlex.split(command)[1:])
    pattern = ".*".join(re.escape(part) for part in re.split("^…\n", output, flags=re.MULTILINE))
    assert re.fullmatch(pattern, printed.out + printed.err, re.DOTALL)


@in_both("interview")
def test_the_talks_of_the_guides(page, cli, monkeypatch):
    """The sessions with answers, a quiz and an interview, which a pipe gives."""
    for session in blocks(page, "shell"):
        first, output = session.split("\n", 1)
        answers, command = re.fullmatch(r"\$ printf '(.*)' \| symparams (.*)", first).groups()
        monkeypatch.setattr(sys, "stdin", StringIO(answers.replace(r"\n", "\n")))
        assert cli(command).out == output


def test_what_the_pages_embed_is_current(cli):
    pages = [ROOT / page for page in PAGES] + NOTEBOOKS
    assert cli(["embed", "--check", *map(str, pages)]) == (0, "", "")


@in_both("papers")
def test_the_documents_that_a_guide_shows_take_their_blocks(page, cli, folder):
    for language, ending, counts in (("markdown", "md", (4, 1)), ("latex", "tex", (6, 3))):
        for shown, count in zip(blocks(page, language), counts, strict=True):
            (folder / f"paper.{ending}").write_text(shown, encoding="utf-8")
            written = f"{count} block{'s' if count > 1 else ''} written\n"
            assert cli(f"embed paper.{ending}") == (0, f"paper.{ending}: {written}", "")


@pytest.mark.library
@in_both("engineering")
def test_the_module_of_the_guides_is_compared(page, cli, folder):
    """The module against the README's definition; its text shows all but what its attention holds itself."""
    torch = pytest.importorskip("torch")
    source = block(page, "# in mymodule.py")
    (folder / "mymodule.py").write_text(source, encoding="utf-8")
    [session] = (text for text in blocks(page, "shell") if "--module" in text)
    [(command, output)] = re.findall(r"\$ symparams (verify .* --module .*)\n([^`]*)", session)
    first, *others = output.split("…\n")
    shown = cli(command)
    assert first == ""
    assert all(part in shown.out for part in others)
    assert (shown.code, shown.out.endswith(others[-1])) == (1, True)
    scope = {}
    exec(source, scope)  # noqa: S102 - the guide's own code
    with torch.device("meta"):
        (folder / "model.txt").write_text(str(scope["build"](50_257, 128, 1_024, 24, 16)))
    printed = cli(re.sub(r"--module \S+", "--checkpoint model.txt", command))
    assert (printed.code, printed.out.endswith(others[-1])) == (1, True)
    assert re.search(r"query_key_value\.bias.*75,571,200", printed.out, re.DOTALL)


@EACH_README
def test_the_numbers_of_the_readmes(page):
    from tests.library import oracle

    known, classes = len({family for family, _ in oracle.classes()}), len(list(oracle.classes()))
    published = symparams.published_models()
    counted = sum(bool(find(name)[1].count) for name in published)
    numbers = [len(symparams.architectures()), known, classes, oracle.LEAST, oracle.CONFIGURATIONS, len(published), counted]
    claims = PAGES[page].split("\n## ")[-1]
    assert set(map(str, numbers)) == set(re.findall(r"(?<![\w.-])\d+", claims))
    folder = "docs/zh/" if ".zh" in page else "docs/"
    large = {str(number) for number in numbers if number >= 100}
    assert large == set(re.findall(r"(?<![\w.-])\d{3}(?!\d)", PAGES[f"{folder}testing.md"]))
    assert {str(numbers[0]), str(numbers[5])} <= set(re.findall(r"\d+", PAGES[f"{folder}limits.md"]))


def test_both_readmes_run_the_same_commands_and_the_same_code():
    ours, theirs = ([re.sub(r" --lang zh|chinese|uncased|#.*", "", text) for text in commands(page)] for page in READMES)
    assert ours == theirs


def commands(page: str) -> list[str]:
    """Every command and every line of Python of a page, without what the commands print."""
    lines = "".join(blocks(page, "console")).splitlines()
    return [line for line in lines if line.startswith("$")] + "".join(blocks(page, "python")).splitlines()


def python_of(page: str) -> Iterator[pytest.ParameterSet]:
    """The Python of a page, once what needs torch, with what stands before it, and once what does not."""
    for needs, marks in ((True, [pytest.mark.library]), (False, [])):
        sources = [text for text in blocks(page, "python") if ("torch" in text) == needs and "dask" not in text]
        if sources and "mymodule" not in sources[0]:
            yield pytest.param(sources, marks=marks, id=f"{page}{' with torch' * needs}")


@pytest.mark.parametrize("sources", [case for page in PAGES for case in python_of(page)])
def test_the_python_of_a_page_gives_what_its_comments_say(sources, folder, monkeypatch):
    """A number, a formula or the columns of a data frame beside a line are those of its value."""
    monkeypatch.setenv("MPLBACKEND", "Agg")
    scope: dict[str, Any] = {"symparams": symparams}
    if "torch" in sources[0]:
        scope["torch"] = pytest.importorskip("torch")
    with redirect_stdout(StringIO()):
        for source in sources:
            for statement in ast.parse(source).body:
                line = ast.get_source_segment(source, statement)
                if not isinstance(statement, ast.Expr):
                    exec(line, scope)  # noqa: S102 - the pages' own code
                    continue
                value = eval(line, scope)  # noqa: S307 - the same
                said = source.splitlines()[statement.end_lineno - 1].partition("  # ")[2]
                if hasattr(value, "columns") and said:
                    assert set(value.columns) == set(re.split(", |、", said))  # pandas before 3.1 sorts them
                elif shown := re.match(r"(?:[^\W\d][^,:：;；]*[:：] ?)?\(?([\d{].*)", said):
                    assert shown[1].startswith(str(value).strip("()")), line


@pytest.mark.arrays
@in_both("python")
def test_the_arrays_of_the_guides(page):
    *source, on_dask = block(page, "import dask.array").splitlines(keepends=True)
    scope = {"symparams": symparams}
    exec("".join(source), scope)  # noqa: S102 - the README's own code
    by_numpy = scope["counts"].tolist()
    exec(on_dask, scope)  # noqa: S102 - the same
    assert scope["counts"].compute().tolist() == by_numpy
    assert by_numpy[31] == symparams.load("llama-7b").count()  # h = 4,096


@in_both("architecture")
def test_the_map_of_the_guides_is_the_listing(page):
    listed = re.findall(r"^    (\w+/|\w+\.py)  ", PAGES[page], re.MULTILINE)
    package = ROOT / "symparams"
    rooms = {f"{path.name}/" for path in package.iterdir() if (path / "__init__.py").exists()}
    assert sorted(listed) == sorted(rooms | {path.name for path in package.glob("*.py") if not path.name.startswith("_")})


@pytest.mark.parametrize("page", PAGES)
def test_every_option_that_a_page_names_is_one(page):
    known = {flag for command in COMMANDS.values() for option in command.signature for flag in option.flags}
    known |= {"--help", "--show-completion", *(f"--{name}" for name in formats())}
    assert set(re.findall(r"(?<![<!])--[a-z][a-z-]+", PAGES[page])) <= known


def commands_of_the_text() -> list[str]:
    """The commands within sentences, the shorter first; a word in capitals, or "…", stands for another."""
    texts = (re.sub("```.*?```", "", text, flags=re.DOTALL) for text in PAGES.values())
    spans = {span for text in texts for span in re.findall(rf"`(?:symparams )?((?:{'|'.join(COMMANDS)}) [^`]*)`", text)}
    told = {span.replace(" --lang zh", "") for span in spans if not re.search(r"…|\b[A-Z]{4,}\b|类型", span)}
    return sorted(told - NAMED - OF_THE_LIBRARY, key=lambda span: (len(span), span))


@pytest.mark.sweep
def test_the_commands_in_the_text_of_the_pages_run(cli, folder, monkeypatch):
    monkeypatch.setattr("symparams.pages.page.page", lambda *_, **__: "<!DOCTYPE html>\n")  # which takes seconds to make
    (folder / "post.md").write_text(*blocks("README.md", "markdown"), encoding="utf-8")
    (folder / "pictures").mkdir()
    for command in commands_of_the_text():
        monkeypatch.setattr(sys, "stdin", StringIO("q\n"))
        kept = ["--progress", "progress.jsonl"] * bool(re.match(r"(quiz|interview)(?!.* -o )", command))
        assert cli([*shlex.split(command), *kept]).code == 0, command


@in_both("engineering")
def test_the_notes_of_the_guides_are_those_that_count_prints(page, cli, tmp_path, monkeypatch):
    sizes = {"vocab_size": 32_000, "num_hidden_layers": 32}
    mistyped = {"model_type": "llama", "hiden_size": 4_096, "use_qk_norm": True, **sizes}
    mistyped |= {"num_attention_heads": 32, "intermediate_size": 11_008}
    other = {"model_type": "ours", "architectures": ["OursForCausalLM"], "hidden_size": 4_096, "kv_channels": 128, **sizes}
    monkeypatch.chdir(tmp_path)
    Path("mistyped.json").write_text(json.dumps(mistyped).replace("{", '{"vocab_size": 1, '), encoding="utf-8")
    Path("other.json").write_text(json.dumps(other), encoding="utf-8")
    printed = [cli("count mistyped.json"), cli("count other.json --architecture llama")]
    shown = "".join(blocks(page, "text")).splitlines()
    assert len(shown) >= 3
    assert set(shown) <= {line for answer in printed for line in answer.err.splitlines()}


@in_both("engineering")
def test_the_checkpoints_of_the_guides_are_derived(page, cli, tmp_path, monkeypatch):
    """The weights of GPT-2 whole, and those of a small LLaMA, without a config."""
    [session] = (text for text in blocks(page, "shell") if "derive model.safetensors" in text)
    first, notes, second = re.fullmatch(r"\$ symparams (.*)\n((?:symparams: .*\n)+)…\n\$ symparams (.*)\n", session).groups()
    small = symparams.load("llama-7b", L=2, V=64, h=256, d_ff=512)
    monkeypatch.chdir(tmp_path)
    for model, command in ((symparams.load(GPT2_CONFIG), first), (small, second)):
        safetensors(tmp_path / "model.safetensors", {array.name: array.shape for array in arrays_of(model)})
        answer = cli(command)
        assert answer.code == 0, answer.err
        assert command == second or answer.err == notes


@pytest.mark.parametrize("page", [*PAGES, "CONTRIBUTING.md", "SECURITY.md"])
def test_every_link_of_a_page_leads_somewhere(page):
    """To a file, and to a heading where the link names one; addresses of others are only read.

    The two pictures are tops of sheets of LaTeX, a page of 200 dots an inch made 670 dots wide, cut off before the first layer.
    """
    text = (ROOT / page).read_text(encoding="utf-8")
    addresses = [urlsplit(address) for address in re.findall(r"\]\((http[^)]+)\)", text)]
    assert all(address.scheme == "https" and "." in address.netloc and address.path for address in addresses)
    links = re.findall(r'\]\((?!http)([^)]+)\)|src="([^"]+)"', text)
    for file, _, heading in (link.partition("#") for pair in links for link in pair if link):
        target = (ROOT / page).parent / file if file else ROOT / page
        assert target.exists(), file
        there = target.read_text(encoding="utf-8") if heading else ""
        headings = [title.lower().replace(" ", "-") for title in re.findall("^##+ (.*)$", there, re.MULTILINE)]
        assert not heading or heading in headings, heading


def test_the_reference_has_every_option_of_help_and_every_public_name(cli):
    spec = spec_from_file_location("build", ROOT / "docs" / "build.py")
    build = module_from_spec(spec)
    spec.loader.exec_module(build)
    flags = re.compile(r"(?<![\w-])-{1,2}[a-z][a-z-]*")
    _, _, *sections = re.split(r"^\.\. program:: symparams ?", build.commands("en"), flags=re.MULTILINE)
    told = {name: set(flags.findall(said)) for name, said in (section.split("\n", 1) for section in sections)}
    assert told.keys() == COMMANDS.keys()
    for command, options in told.items():
        assert set(flags.findall(cli(f"{command} --help").out)) - options <= {"-h", "--help"}, command
    assert set(re.findall(r":: symparams\.(\w+)", build.api("en"))) == set(symparams.__all__) - {"features"}
    letters = build.letters("zh")
    assert all(
        f"``{part.name}``" in letters for part in vars(symparams.features).values() if isinstance(part, symparams.Feature)
    )


def test_the_readmes_are_short():
    assert max(len(PAGES[page].splitlines()) for page in READMES) <= 160


def test_the_definition_and_the_table_of_contributing_are_the_packages():
    said, folder = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), ROOT / "symparams" / "architectures"
    assert f"```python\n{(folder / 'qwen3.py').read_text(encoding='utf-8')}```" in said
    [shown] = re.findall(r"```toml\n(.*?)```", said, re.DOTALL)
    table, shown = tomllib.loads((folder / "qwen3.toml").read_text(encoding="utf-8")), tomllib.loads(shown)
    assert shown["library"] == table["library"]
    assert shown["models"].items() <= table["models"].items()


def test_contributing_names_files_that_there_are():
    said = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paths = re.findall(r"`((?:symparams|templates|tests)/[\w./*]+)`", said)
    assert len(paths) > 10
    assert [path for path in paths if not any(ROOT.glob(re.sub("NAME|CODE", "*", path).rstrip("/")))] == []


def cells(notebook: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The cells of code of a notebook."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def executed(notebook: Mapping[str, Any]) -> Mapping[str, Any]:
    """The notebook with the outputs that its cells give, run from the first to the last."""
    whole, scope = deepcopy(notebook), {}
    with in_an_empty_folder():
        for count, cell in enumerate(cells(whole), 1):
            cell |= {"execution_count": count, "outputs": outputs(*run("".join(cell["source"]), scope), count)}
    return whole


def run(source: str, scope: dict[str, Any]) -> tuple[str, Any]:
    """What a cell prints, and the value of its last line where that is an expression."""
    tree = ast.parse(source)
    last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None  # type: ignore[attr-defined]
    with redirect_stdout(StringIO()) as printed:
        exec(compile(tree, "cell", "exec"), scope)  # noqa: S102 - the project's own notebooks
        value = eval(compile(last, "cell", "eval"), scope) if last else None  # noqa: S307 - the same
    return printed.getvalue(), value


@contextmanager
def in_an_empty_folder() -> Iterator[None]:
    """An empty folder to write in."""
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        patch.chdir(folder)
        yield
        patch.undo()  # a folder that one stands in cannot be removed everywhere


def outputs(printed: str, value: Any, count: int) -> list[dict[str, Any]]:
    """The outputs of a cell as a notebook stores them."""
    stored: list[dict[str, Any]] = []
    if printed:
        stored.append({"name": "stdout", "output_type": "stream", "text": printed.splitlines(keepends=True)})
    if value is not None:
        shown = {"text/latex": "_repr_latex_", "text/plain": "__repr__"}
        texts = {kind: getattr(value, method)() for kind, method in shown.items() if hasattr(value, method)}
        texts |= value._repr_mimebundle_() if hasattr(value, "_repr_mimebundle_") else {}
        data = {kind: text.splitlines(keepends=True) for kind, text in texts.items() if text is not None}
        stored.append({"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"})
    return stored


OF_ALL = ("counts.ipynb",)  # which count every published model
SORTED = [pytest.param(path, id=path.name, marks=pytest.mark.sweep if path.name in OF_ALL else ()) for path in NOTEBOOKS]


@pytest.mark.parametrize("notebook", SORTED)
def test_a_notebook_gives_what_it_stores(notebook):
    whole = json.loads(notebook.read_text(encoding="utf-8"))
    stored = [cell["outputs"] for cell in cells(whole)]
    assert [cell["outputs"] for cell in cells(executed(whole))] == stored


def test_what_is_published_elsewhere_is_of_this_version_and_needs_the_same():
    assert f"\nversion: {symparams.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    recipe = (ROOT / ".ci" / "recipe.yaml").read_text(encoding="utf-8")
    assert all(f"version = {{{symparams.__version__}}}" in PAGES[f"docs/{folder}papers.md"] for folder in ("", "zh/"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f'version: "{symparams.__version__}"' in recipe
    needed = [f"python{project['requires-python']}", *project["dependencies"]]
    assert re.findall(r"    - (.*)", recipe.partition("  run:\n")[2].partition("\n\n")[0]) == [
        re.sub(r"(?=[<>=])", " ", requirement, count=1) for requirement in needed
    ]


if __name__ == "__main__":  # stores the outputs of the notebooks anew
    for path in NOTEBOOKS:
        anew = executed(json.loads(path.read_text(encoding="utf-8")))
        path.write_text(json.dumps(anew, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
