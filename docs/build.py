"""Makes web pages of the documentation: ``python docs/build.py FOLDER [SITE]``, each language in its folder.

SITE is where the site of all models stands, seen from the folder; without it no page links there.

The pages are the files of the repository, each at an address of its own, with their links; the reference is made from the
table of the commands and the docstrings. A link that leads nowhere, and every warning, is an error.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import symparams
from symparams import components
from symparams.cli.commands import COMMANDS
from symparams.cli.help import GROUPS, examples, group_of
from symparams.cli.options import ROOT as PROGRAM
from symparams.cli.options import Option
from symparams.sheets.catalogue import catalogue

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
LANGUAGES: dict[str, dict[str, Any]] = tomllib.loads((DOCS / "pages.toml").read_text(encoding="utf-8"))
# In Chinese no space stands between two lines; a block of code stays as it is.
JOINED = re.compile(
    r"(?P<code>^```.*?^```)|(?<=[，。；：、（）！？])\n *(?=[\w`\[（“])(?!```)|(?<=[\u4e00-\u9fff])\n *(?=[\u4e00-\u9fff])",
    re.DOTALL | re.MULTILINE,
)
GITHUB = {"```math\n": "```{math}\n", "```shell\n$": "```console\n$"}  # its Markdown, and Sphinx's
FORMULA = re.compile(r"\$`([^`\n]+)`\$")
LINK = re.compile(r'(?P<before>\]\(|src=")(?!https?:|data:|#)(?P<file>[^)"#\s]+)(?P<rest>#[^)"]*)?(?=[)"])')


def pages(language: str) -> Iterator[str]:
    """The files of a language, and the names of those that are made."""
    yield LANGUAGES[language]["README"]
    for files in LANGUAGES[language]["sidebar"].values():
        yield from files


def address(file: str) -> str:
    """The name of a page: python for docs/zh/python.md, index for a README."""
    name = Path(file).name.partition(".")[0].lower()
    return "index" if name == "readme" else name


def build(folder: Path, site: str = "") -> int:
    """Make the pages of each language; the exit code of Sphinx."""
    from sphinx.cmd.build import main as sphinx

    code = 0
    for language in LANGUAGES:
        own = LANGUAGES[language]["folder"]
        up = "../" * own.count("/")
        other = next(up + LANGUAGES[each]["folder"] for each in LANGUAGES if each != language)
        models = f"{up}{site}{own}index.html" if site else ""
        elsewhere = {address(file) for others in LANGUAGES if others != language for file in pages(others)}
        with TemporaryDirectory() as source:
            gather(language, Path(source))
            told = {
                "other": other,
                "elsewhere": " ".join(sorted(elsewhere)),
                "site": models,
                "models": LANGUAGES[language]["models"],
                "start": LANGUAGES[language]["start"],
            }
            options = ["-q", "-W", "--keep-going", "-n", "-E", "-D", f"language={LANGUAGES[language]['tag']}"]
            options += [word for name, value in told.items() for word in ("-A", f"{name}={value}")]
            code |= sphinx(["-b", "html", "-c", str(DOCS), "-d", f"{source}/.doctrees", *options, source, str(folder / own)])
    return code


def gather(language: str, folder: Path) -> None:
    """Put the pages of a language into a folder, each under its address, and the files that they show or link to."""
    for file in pages(language):
        if file in MADE:
            (folder / f"{file}.rst").write_text(MADE[file](language), encoding="utf-8")
            continue
        text = (ROOT / file).read_text(encoding="utf-8")
        text = of_notebook(json.loads(text)) if file.endswith(".ipynb") else text
        for ours, theirs in GITHUB.items():
            text = text.replace(ours, theirs)
        text = FORMULA.sub(r"$\1$", text)
        text = JOINED.sub(lambda line: line["code"] or "", text)
        text = LINK.sub(lambda link, file=file: linked(link, file, language, folder), text)
        (folder / f"{address(file)}.md").write_text(text, encoding="utf-8")
    with (folder / "index.md").open("a", encoding="utf-8") as index:
        for heading, files in LANGUAGES[language]["sidebar"].items():
            names = "\n".join(map(address, files))
            index.write(f"\n```{{toctree}}\n:hidden:\n:caption: {heading}\n\n{names}\n```\n")


def linked(link: re.Match[str], file: str, language: str, folder: Path) -> str:
    """A link of a file as one of its page: to a page, to one of another language, or to a file that is copied."""
    target = os.path.normpath(Path(file).parent / link["file"])
    before, rest = link["before"], link["rest"] or ""
    if target in pages(language):
        return f"{before}{address(target)}.md{rest}"
    for other in LANGUAGES:
        if target in pages(other):
            way = "../" * LANGUAGES[language]["folder"].count("/") + LANGUAGES[other]["folder"]
            return f"{before}page:{way}{address(target)}.html{rest}"
    if not (ROOT / target).is_file():
        raise SystemExit(f"{file}: {link['file']} leads nowhere.")
    copy = folder / "files" / target.replace("/.", "/")
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / target, copy)
    return f"{before}files/{target}{rest}"


def of_notebook(notebook: dict[str, Any]) -> str:
    """A notebook as Markdown: its text, its code, and of each output the richest kind that a page shows."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for output in cell.get("outputs", ()):
            data = {kind: "".join(text) for kind, text in output.get("data", {"text/plain": output.get("text", "")}).items()}
            if "image/svg+xml" in data:
                parts.append(f"````{{raw}} html\n{data['image/svg+xml']}\n````")
            if "text/markdown" in data and data["text/markdown"] != data["text/plain"]:
                parts.append(re.sub(r"^#+ (.*)$", r"**\1**", data["text/markdown"], flags=re.MULTILINE))
            elif "image/svg+xml" not in data:
                parts.append(f"```text\n{data['text/plain'].rstrip()}\n```")
    return "\n\n".join(parts) + "\n"


def commands(language: str) -> str:
    """Every command with its options, from the table that --help is printed from."""
    words = LANGUAGES[language]["commands"]
    parts = [title(words["title"], "="), words["about"], ".. program:: symparams"]
    parts += [described(flag, text) for flag, text in PROGRAM.items()]
    for group in dict.fromkeys(command.group for command in COMMANDS.values()):
        parts.append(title(group, "-"))
        for name, command in COMMANDS.items():
            if command.group == group:
                parts += [f".. _{name}:", title(f"symparams {name}", "~"), plain(command.summary), *options(name)]
                lines = "\n".join(f"   $ {line}" for line in examples().get(name, ()))
                parts += [f".. code-block:: console\n\n{lines}"] if lines else []
    return "\n\n".join(parts) + "\n"


def options(name: str) -> Iterator[str]:
    """The arguments and the options of a command, in the groups of its help."""
    signature = COMMANDS[name].signature
    has_quantities = any(option.name == "quantity" for option in signature)
    where = [group_of(option, has_quantities=has_quantities) if option.flags else "Arguments" for option in signature]
    yield f".. program:: symparams {name}"
    for group in ("Arguments", *GROUPS):
        members = [option for option, place in zip(signature, where, strict=True) if place == group]
        if members:
            yield f"**{group}**"
            for option in members:
                usual = f" [default: {option.default}]" if option.default else ""
                yield described(spelled(option), option.explanation + usual)


def spelled(option: Option) -> str:
    """An option as its help begins: -o, --output FILE; an argument by its metavar."""
    return ", ".join(f"{flag} {option.metavar}".strip() for flag in option.flags) or option.metavar


def described(spelling: str, text: str) -> str:
    """An option with its explanation."""
    return f".. option:: {spelling}\n\n   {plain(text)}"


def plain(text: str) -> str:
    """A text in which reStructuredText sees no marks."""
    return re.sub(r"([*`|_\\])", r"\\\1", text)


def title(text: str, mark: str) -> str:
    """A heading; a Chinese character is as wide as two marks."""
    return f"{text}\n{mark * 2 * len(text)}"


def api(language: str) -> str:
    """Every public name of Python with its docstring, by what it is for."""
    words = LANGUAGES[language]["api"]
    parts = [title(words["title"], "="), words["about"]]
    builders: dict[str, list[str]] = {}
    for name in symparams.__all__:
        thing = getattr(symparams, name)
        room = thing.__module__ if name in components.__all__ else "functions" if inspect.isfunction(thing) else "classes"
        builders.setdefault(room, []).append(name)
    del builders["classes"][builders["classes"].index("features")]
    for room in sorted(builders, key=lambda room: ["functions", "classes"].index(room) if "." not in room else 2):
        about = inspect.getdoc(import_module(room)).partition("\n\n")[0] if "." in room else ""
        heading = f"Building blocks: {room.rpartition('.')[2].replace('_', ' ')}" if about else room.capitalize()
        parts += [title(heading, "-"), about]
        for name in builders[room]:
            is_class = inspect.isclass(getattr(symparams, name))
            parts.append(f".. auto{'class' if is_class else 'function'}:: symparams.{name}" + "\n   :members:" * is_class)
    return "\n\n".join(parts) + "\n"


def letters(language: str) -> str:
    """The letters of sizes and inputs and the names of features, as the catalogue of a language explains them."""
    told, words = catalogue(language).entries, LANGUAGES[language]["letters"]
    parts = [title(words["title"], "="), words["about"]]
    for section in ("dimensions", "inputs", "features"):
        rows = sorted((key.partition(".")[2], text) for key, text in told.items() if key.startswith(f"{section}."))
        table = "\n".join(f"   * - ``{name}``\n     - {plain(text)}" for name, text in rows)
        parts += [title(words[section], "-"), f".. list-table::\n   :widths: auto\n\n{table}"]
    return "\n\n".join(parts) + "\n"


MADE = {"commands": commands, "api": api, "letters": letters}


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1]), *sys.argv[2:]))
