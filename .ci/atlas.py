"""Judges the types of the atlas, or makes them anew, against the transformers library that is installed.

    python .ci/atlas.py check [--configs N] [--seed S] [--jobs J] [TYPE…]    # by head: known, exact, refused, wrong
    python .ci/atlas.py make [--jobs J] [TYPE…]                              # what changed is written and printed
    python .ci/atlas.py flow [--jobs J] [TYPE…]                              # measures the data flow of entries, writes it
    python .ci/atlas.py equal [--jobs J] [TYPE…]                             # families by hand, each beside its discovery

Without types all of them. ``check`` ends with 1 where a count is wrong; with --configs 0 it changes every key of a config, one
at a time, some 500 configs for each class. ``equal`` discovers the main class of each family by hand and ends with 1 where the
two closed forms differ.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
os.environ |= {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}

from symparams import atlas  # noqa: E402 - from this folder, whatever is installed
from symparams.atlas.record import Entry, read, text, written  # noqa: E402
from symparams.errors import DiscoveryError  # noqa: E402
from symparams.models.library import families  # noqa: E402
from tests.library.atlas import LateError, at_most, quiet  # noqa: E402
from tests.library.atlas_report import BY_HAND, UNKNOWN, WRONG, judged, known, pairs, report  # noqa: E402
from tests.library.by_hand import DIFFERS, compared  # noqa: E402

LONGEST = 120  # seconds of the processor for one class
ROWS = 60  # models of the first class of a type, and half as many of the others
Made = tuple[str, str, list[str]]  # a type, its file's new text, "" for none, and what went wrong


def main() -> int:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=["check", "make", "equal", "flow"])
    parser.add_argument("types", nargs="*", metavar="TYPE")
    parser.add_argument("--configs", type=int, default=10, metavar="N", help="configurations of each class")
    parser.add_argument("--seed", default="0", metavar="S")
    parser.add_argument("--jobs", type=int, default=1, metavar="J")
    asked = parser.parse_intermixed_args()
    quiet()
    names = families() if asked.verb == "equal" else {*atlas.kinds(), *(kind for kind, _ in pairs())}
    if unknown := set(asked.types).difference(names):
        parser.error(f"no types of the library: {', '.join(sorted(unknown))}")
    return {"check": check, "make": make, "equal": equal, "flow": flow}[asked.verb](asked)


def check(asked: argparse.Namespace) -> int:
    """Print how well the types are known; 1 where a count is wrong."""
    kinds = asked.types or sorted({*atlas.kinds(), *(kind for kind, _ in pairs())})
    own = {(kind, name) for kind in kinds for name in atlas.entries(kind)}
    every = sorted({*own, *(pair for pair in pairs() if pair[0] in kinds)})
    work = [(*pair, asked.configs, asked.seed) for pair in every if known(*pair) != UNKNOWN]
    results = {}
    for (kind, name, *_), found in zip(work, _each(judged, work, asked.jobs), strict=True):
        results[kind, name] = found
        _tell(f"{len(results):,} of {len(work):,}, {kind} {name}")
    _tell("")
    print(*report(every, results), sep="\n")
    return any(verdict.word == WRONG for found in results.values() for verdict in found)


def make(asked: argparse.Namespace) -> int:
    """Make the entries anew, write those that changed, print what changed."""
    kinds = sorted(asked.types or {*atlas.kinds(), *(kind for kind, name in pairs() if known(kind, name) != BY_HAND)})
    for kind, new, problems in _each(made, kinds, asked.jobs):
        file = atlas.FOLDER / f"{kind}.json"
        old = file.read_text(encoding="utf-8") if file.exists() else ""
        if differences := list(changes(_entries(kind, old), _entries(kind, new))):
            if new:
                file.write_text(new, encoding="utf-8")
            else:
                file.unlink()
            print(f"{kind}: {'; '.join(differences)}", flush=True)
        for problem in problems:
            _tell(f"{kind}: {problem}\n")
    return 0


def flow(asked: argparse.Namespace) -> int:
    """Measure the flow of the classes that write token after token, without fitting anything anew, and write what changed."""
    kinds = sorted(asked.types or atlas.kinds())
    for kind, new, problems in _each(flowing, kinds, asked.jobs):
        file = atlas.FOLDER / f"{kind}.json"
        if new != file.read_text(encoding="utf-8"):
            file.write_text(new, encoding="utf-8")
            print(f"{kind}: flow", flush=True)
        for problem in problems:
            print(f"{kind}: {problem}", flush=True)
    return 0


def flowing(kind: str) -> Made:
    """The text of a type's file with the flow of its classes, as far as it could be measured."""
    from symparams.discovery.library.chosen import of_entry
    from symparams.discovery.library.flows import flow as measured

    found, problems = [], []
    for name, entry in atlas.entries(kind).items():
        own = None
        if atlas.CAUSAL in entry.heads:
            try:
                with at_most(LONGEST // 4):
                    own = measured(entry, of_entry(entry))
            except (Exception, LateError) as error:  # noqa: BLE001 - what is of no use of one class is told, and no end of the others
                problems.append(f"{name}: {error if isinstance(error, DiscoveryError) else repr(error)[:150]}")
        found.append(replace(entry, flow=own))
    return kind, text(written(found)), problems


def equal(asked: argparse.Namespace) -> int:
    """Print for each family by hand whether its closed form is the one that is discovered; 1 where one is not."""
    words = Counter[str]()
    for found in _each(compared, asked.types or list(families()), asked.jobs):
        words[found.word] += 1
        print(found, flush=True)
    print(", ".join(f"{times} {word}" for word, times in words.items()))
    return bool(words[DIFFERS])


def made(kind: str) -> Made:
    """The text of a type's file, of the classes that could be discovered."""
    from symparams.discovery.library.making import make as discover
    from symparams.discovery.library.subjects import subjects
    from symparams.discovery.library.survey import survey

    found: list[Entry] = []
    problems = []
    like = None  # the survey of the first class, from which those of the others start
    try:
        classes = subjects(kind)
    except Exception as error:  # noqa: BLE001 - what is of no use of one type is told, and no end of the others
        return kind, "", [f"{type(error).__name__}: {error}"]
    for subject in classes:
        try:
            with at_most(LONGEST):
                if own := survey(subject, like):
                    found.append(discover(own, kind, rows=ROWS if like is None else ROWS // 2, seconds=LONGEST / 2))
                    like = like or own
                else:
                    problems.append(f"{subject.name}: the library builds no model of it")
        except (DiscoveryError, LateError) as error:
            problems.append(f"{subject.name}: {error}")
        except Exception as error:  # noqa: BLE001
            problems.append(f"{subject.name}: {type(error).__name__}: {error}")
    return kind, text(written(found)) if found else "", problems


def changes(old: dict[str, Entry], new: dict[str, Entry]) -> Iterator[str]:
    """What a person wants to know of the difference between two files; of a certificate alone nothing."""
    yield from (f"{name} added" for name in new if name not in old)
    yield from (f"{name} gone" for name in old if name not in new)
    for name, entry in new.items():
        was = old.get(name)
        if was is None:
            continue
        if entry.default != was.default:
            yield f"{name} has {entry.default:,} parameters by default, not {was.default:,}"
        if entry.part != was.part:
            yield f"{name} has another form"
        elif changed := [field for field in READ if getattr(entry, field) != getattr(was, field)]:
            yield f"{name} is read differently: {', '.join(changed)}"


READ = ("letters", "features", "allowed", "entries", "lengths", "indices", "needs", "least", "base", "aliases", "flow")


def _entries(kind: str, content: str) -> dict[str, Entry]:
    """The entries in a file; none where there is no file, or one of an older schema."""
    try:
        return read(kind, json.loads(content)) if content else {}
    except (LookupError, TypeError, ValueError):
        return {}


def _each(work: Any, items: list[Any], jobs: int) -> Iterator[Any]:
    """The results in order, worked out in as many processes."""
    if jobs < 2:
        yield from map(work, items)
        return
    with multiprocessing.get_context("spawn").Pool(jobs, quiet, maxtasksperchild=50) as pool:
        yield from pool.imap(work, items)


def _tell(line: str) -> None:
    """Write how far it is to a terminal, and what went wrong to anybody."""
    if line.endswith("\n"):
        print(line, end="", file=sys.stderr)
    elif sys.stderr.isatty():
        print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
