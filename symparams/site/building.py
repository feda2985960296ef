"""Building: the pages of the site as tasks, each with a key of all that it is made of; only what changed is made anew."""

from __future__ import annotations

import gc
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Any

from symparams.architectures import architecture, architecture_names, published_names
from symparams.architectures._tables import FOLDER
from symparams.errors import OutputError, SymparamsError, UnknownNameError, quoted, suggestion
from symparams.expressions.printing.mathml import escape
from symparams.practice.kind import chapters
from symparams.records import frozen
from symparams.sheets import function
from symparams.sheets.catalogue import catalogue, languages, templates
from symparams.site.comparisons import page_name, pairs
from symparams.site.frame import NOWHERE, RECORDS, Edition, Files, Place

PACKAGE = Path(__file__).parents[1]
SELDOM = 100_000  # objects made, after which one looks for cycles
MANIFEST, SITEMAP = "manifest.json", "sitemap.xml"
ROUND = 300  # tasks for the same processes: Typst keeps what it has laid out, some 10 MB a sheet
OPTIONAL = ("typst", "matplotlib")  # what a page has more of where it is installed
# What all pages read: every file of the package and of the templates, but those of single families, languages, models.
APART = ("architectures/", "cli/", "site/", "languages/", "models/counts.json")
# Pages of all models: the name of each, and the function that makes it.
OF_ALL = {"index": "start:pages", "comparisons": "comparisons:index", "families": "overviews:families"}
OF_NONE = {"questions": "bank:index", "cheat-sheet": "bank:formulas"}  # and those of no model of the site
Write = Callable[[bytes, str], None]
Tell = Callable[[str], None]


@frozen
class Task:
    """Some files of the site: the function that makes them, "module:name", what it is given, and the key of what it reads."""

    name: str
    function: str
    given: tuple[object, ...]
    key: str

    def files(self) -> Files:
        """The files, by their paths."""
        made: Files = function(f"site.{self.function}")(*self.given)
        return made


@frozen
class Built:
    """The numbers of tasks that were done and that had nothing to do, and the size of all files in bytes."""

    made: int
    kept: int
    files: int
    size: int


def build(
    folder: str, only: Sequence[str], spoken: Sequence[str], jobs: int, write: Write, tell: Tell, stands: Place = NOWHERE
) -> Built:
    """Bring the site in a folder up to date; UnknownNameError for a model that is not published.

    Of a site that has other models, too, their pages stay as they are.
    """
    names = chosen(only)
    place = _writable(Path(folder))
    known = _read(place / MANIFEST)
    editions = [Edition(language, tuple(spoken), stands) for language in spoken]
    first, then = [*beside(names, editions), *of_models(names, editions)], list(of_all(names, editions, folder))
    todo = [task for task in first if not _is_current(task, known, place)]
    late = [task for task in then if not _is_current(task, known, place)]
    number = len(todo) + len(late)
    failures: list[str] = []
    try:
        for tasks in (*(todo[start : start + ROUND] for start in range(0, len(todo), ROUND)), late):
            for task, files in _made(tasks, jobs):
                if isinstance(files, SymparamsError):  # the others are made first
                    failures.append(f"{task.name}: {files}")
                    continue
                for path, content in files.items():
                    (place / path).parent.mkdir(parents=True, exist_ok=True)
                    write(content, str(place / path))
                known[task.name] = {"key": task.key, "files": sorted(files)}
                tell(_bar(sum(known.get(each.name, {}).get("key") == each.key for each in (*todo, *late)), number, task.name))
    finally:
        if number:
            write((json.dumps(known, indent=0, sort_keys=True) + "\n").encode(), str(place / MANIFEST))
    if failures:
        raise OutputError(f"The site lacks {len(failures)} of its {len(first) + len(then)} parts. {' '.join(failures)}")
    made = [path for task in (*first, *then) for path in known[task.name]["files"]]
    if stands.url:
        file, content = place / SITEMAP, sitemap(stands.url, made)
        if not file.is_file() or file.read_bytes() != content:
            write(content, str(file))
        made.append(SITEMAP)
    size = sum((place / path).stat().st_size for path in made)
    return Built(number, len(first) + len(then) - number, len(made), size)


def sitemap(url: str, paths: Iterable[str]) -> bytes:
    """The list of a site's pages for search engines (https://www.sitemaps.org/protocol.html): neither sheets nor live pages."""
    pages = [path for path in paths if path.endswith(".html") and {*Path(path).parts}.isdisjoint(("sheets", "live"))]
    entries = "".join(f"<url><loc>{escape(url + path)}</loc></url>\n" for path in sorted(pages))
    schema = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{schema}">\n{entries}</urlset>\n'.encode()


def _writable(place: Path) -> Path:
    """The folder of the site, made if there is none; OutputError, before any page is made, where one may not write to it."""
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = "it is a file, or in one" if isinstance(error, (FileExistsError, NotADirectoryError)) else error.strerror
        raise OutputError(f"Cannot make the folder {quoted(str(place))}: {why}. Name one that you may write to.") from None
    if not os.access(place, os.W_OK):
        raise OutputError(f"You may not write to the folder {quoted(str(place))}. Name another.")
    return place


def chosen(only: Sequence[str]) -> tuple[str, ...]:
    """Return the models of the site, family by family."""
    known = published_names()
    for name in only:
        if name not in known:
            near = suggestion(name, known, listing="symparams list")
            raise UnknownNameError(f"Unknown published model {quoted(name)}. {near}")
    return tuple(name for name in known if not only or name in only)


def of_models(names: Sequence[str], editions: Sequence[Edition]) -> Iterator[Task]:
    """Yield the tasks of single models: the record and the pages of each, the live pages, which models of one tree share."""
    for name in names:
        reads = (_definition(family_of(name)),)
        compared = tuple(pair for pair in pairs(names) if name in pair)
        yield _task(f"{RECORDS}{name}", "records:record", (name,), reads)
        for edition in editions:
            given = (name, live_of(name), edition, compared)
            yield _task(f"models/{name} {edition.language}", "models:pages", given, reads, edition.language)
    for name in dict.fromkeys(map(live_of, names)):
        yield _task(f"live/{name}", "models:live", (name,), (_definition(family_of(name)),), is_of_site=False)


def of_all(names: Sequence[str], editions: Sequence[Edition], folder: str) -> Iterator[Task]:
    """Yield the tasks that read all models of the site, from the records in its folder."""
    reads = [_definition(family) for family in dict.fromkeys(map(family_of, names))]
    yield _task("counts", "records:counts", (tuple(names),), reads, folder=folder)
    for edition in editions:
        for name, made_by in OF_ALL.items():
            given = (tuple(names), edition)
            yield _task(f"{name} {edition.language}", made_by, given, reads, edition.language, folder=folder)


def beside(names: Sequence[str], editions: Sequence[Edition]) -> Iterator[Task]:
    """Yield the tasks of several models, and of the bank, whose questions are about models that people know."""
    every = [_definition(family) for family in architecture_names()]
    for edition in editions:
        language = edition.language
        for pair in pairs(names):
            reads = [_definition(family_of(name)) for name in pair]
            yield _task(f"{page_name(pair)} {language}", "comparisons:page", (pair, edition), reads, language)
        for chapter in chapters():
            yield _task(f"questions/{chapter.name} {language}", "bank:chapter_page", (chapter.name, edition), every, language)
        for name, made_by in OF_NONE.items():
            yield _task(f"{name} {language}", made_by, (edition,), every, language)
        yield _task(f"plots {language}", "overviews:plots", (tuple(names), edition), every, language)


@cache
def family_of(name: str) -> str:
    """Return the family of a published model."""
    return next(family for family in architecture_names() if name in architecture(family).models)


@cache
def live_of(name: str) -> str:
    """Return the model with whose live page a model shares its own: the first of its family that has the same parts."""
    models = architecture(family_of(name)).models
    return next(other for other, published in models.items() if published.of == models[name].of)


def _task(
    name: str,
    made_by: str,
    given: tuple[object, ...],
    reads: Iterable[str],
    language: str = "",
    *,
    folder: str = "",
    is_of_site: bool = True,
) -> Task:
    """A task with its key. One without a language is in every one; a live page says nothing of the site, but other counts.

    The key is the same in every ``folder``.
    """
    catalogues = [_language(each, is_of_site=is_of_site) for each in ([language] if language else languages())]
    own = _sources("site") if is_of_site else _hash((PACKAGE / "models" / "counts.json").read_text(encoding="utf-8"))
    key = _hash(_sources("tool"), own, *catalogues, *reads, repr(given))
    return Task(name, made_by, (*given, *([folder] if folder else [])), key)


@cache
def _sources(part: str) -> str:
    """The hash of the files that all pages read, or of those of this room; and of what is installed."""
    files = [*Path(__file__).parent.rglob("*.*"), *(templates() / "site").rglob("*.*")]
    if part == "tool":
        files = [*FOLDER.glob("_*.py"), *_read_by_all(PACKAGE), *_read_by_all(templates())]
    digest = sha256(repr([bool(find_spec(name)) for name in OPTIONAL]).encode())
    for path in sorted(path for path in files if path.is_file() and "__pycache__" not in path.parts):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def _read_by_all(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*.*") if not path.relative_to(folder).as_posix().startswith(APART))


@cache
def _language(language: str, *, is_of_site: bool) -> str:
    """The hash of a catalogue, with what the site alone says or without."""
    entries = catalogue(language).entries
    return _hash(*(f"{key} = {entries[key]}" for key in entries if is_of_site or not key.startswith("site.")))


@cache
def _definition(family: str) -> str:
    """The hash of a family's own files, and of those of the families that these name."""
    named, todo = dict[str, str](), [family]
    while todo:
        if (name := todo.pop()) not in named:
            texts = (FOLDER / f"{name}{ending}" for ending in (".py", ".toml"))
            named[name] = "".join(path.read_text(encoding="utf-8") for path in texts if path.is_file())
            todo += set(re.findall(r"\w+", named[name])) & set(architecture_names())
    return _hash(*(named[name] for name in sorted(named)))


def _hash(*texts: str) -> str:
    return sha256("\0".join(texts).encode()).hexdigest()


def _read(file: Path) -> dict[str, dict[str, Any]]:
    """The manifest of the folder; nothing where there is none that can be read."""
    try:
        known = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _is_current(task: Task, known: dict[str, dict[str, Any]], folder: Path) -> bool:
    entry = known.get(task.name, {})
    files = entry.get("files")
    return entry.get("key") == task.key and isinstance(files, list) and all((folder / path).is_file() for path in files)


def _tried(task: Task) -> Files | SymparamsError:
    """The files of a task, or why there are none."""
    try:
        return task.files()
    except SymparamsError as error:
        return error


def _made(tasks: Sequence[Task], jobs: int) -> Iterable[tuple[Task, Files | SymparamsError]]:
    """The files of each task, by several processes where there are several tasks."""
    if jobs < 2 or len(tasks) < 2:
        yield from ((task, _tried(task)) for task in tasks)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), _begin) as pool:
        pending = {pool.submit(_tried, task): task for task in tasks}
        try:
            for future in as_completed(pending):
                yield pending.pop(future), future.result()
        except BrokenProcessPool:
            raise OutputError(
                "A process of the site was ended from outside: run the command again; what is made stays."
            ) from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _begin() -> None:
    """Begin a process: what it makes has few cycles, and to look for them often is a quarter of the time."""
    gc.set_threshold(SELDOM)
    _end_with_parent()


def _end_with_parent() -> None:
    """End this process when the one that started it has ended, however that did: otherwise it waits for work for ever."""

    def wait() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=wait, daemon=True).start()


BAR = 24


def _bar(done: int, number: int, name: str) -> str:
    filled = BAR * done // number
    return f"[{'#' * filled}{'-' * (BAR - filled)}] {done} of {number}, {name}"
