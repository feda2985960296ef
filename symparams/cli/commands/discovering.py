"""``discover``: the definition of a class of the transformers library as a Python file, and the certificate of its check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from symparams.cli.answering import told
from symparams.cli.commands import JSON
from symparams.cli.progress import going_on
from symparams.cli.request import CommandResult, Request, whole_number
from symparams.errors import DiscoveryError
from symparams.models.load import complete
from symparams.models.model import Model
from symparams.models.sources.target import STANDARD_INPUT, is_config, is_of_hub, read_standard_input
from symparams.records import frozen

if TYPE_CHECKING:
    from symparams.atlas.record import Entry
    from symparams.discovery.library.chosen import Chosen
    from symparams.sheets.values import Sentence

ROWS, MOST_ROWS, MOST_SEED, MOST_SECONDS = (30, 60), 10_000, 2**32 - 1, 86_400


@frozen
class _Found:
    """What was discovered: the entry of a class, the config that named it, and what that config is as a model."""

    of: Chosen
    entry: Entry
    config: Mapping[str, Any] | None = None
    model: Model | None = None


def discover(request: Request) -> CommandResult:
    """Return the definition of a class as a Python file or as data; its certificate is the report."""
    from symparams.discovery.library import refuse_without_library

    own, target = request.own, request.target or ""
    rows = whole_number("--rows", own.get("rows", str(ROWS[1])), (ROWS[0], MOST_ROWS), "a number of models")
    seed = whole_number("--seed", own.get("seed", "0"), (0, MOST_SEED), "a seed")
    seconds = whole_number("--seconds", own.get("seconds", "300"), (1, MOST_SECONDS), "a number of seconds")
    with going_on(f"discovering {target}") as tell_how_far:
        name, config = _config(target)
        tell_how_far("importing transformers")
        refuse_without_library("discover")
        found = _found(target, name, config, rows=rows, seed=seed, seconds=seconds, report=tell_how_far)
    report, note = _report(found, request.language), told(found.model) if found.model else ""
    if request.format == JSON:
        from symparams.atlas.record import text, written

        return CommandResult(text(written([found.entry])), report=report, note=note)
    return CommandResult(_file(found), report=report, note=note)


def _config(target: str) -> tuple[str, Mapping[str, Any] | None]:
    """The config that a target is, with a name for its model; none for a type or a class."""
    if target != STANDARD_INPUT and not is_of_hub(target) and not is_config(target):
        return target, None
    from symparams.models.sources.config import read

    return read(read_standard_input() if target == STANDARD_INPUT else target)


def _found(target: str, name: str, config: Mapping[str, Any] | None, **options: Any) -> _Found:
    from symparams.atlas.comparison import compare
    from symparams.atlas.configs import of_entry
    from symparams.discovery.library.chosen import chosen, discovered, of_config

    of = chosen(target) if config is None else of_config(config)
    entry = discovered(of, **options)
    if entry.default and (here := complete(of_entry(name, entry, {}), {}).count(frozen=True)) != entry.default:
        raise DiscoveryError(
            f"{entry.name}: the tree that was found counts {here:,} parameters of the default config, and the library "
            f"{entry.default:,}: please report it."
        )
    model = None
    if config is not None:
        model = complete(of_entry(name, entry, config, assumes_base=not config.get("architectures")), {})
        compare(entry, config, model.count(frozen=True))
    return _Found(of, entry, config, model)


def _file(found: _Found) -> str:
    from symparams.atlas.configs import sizes_of
    from symparams.discovery.library.files import file

    models = {f"{found.entry.kind}-default": sizes_of(found.entry, {})} if found.entry.default else {}
    if found.model is not None and found.config is not None:
        models[found.model.name] = sizes_of(found.entry, found.config)
    return file(found.entry, found.of.subject.config, models)


def _report(found: _Found, language: str) -> str:
    """The certificate: how many models of which sizes were equal, what was not varied, the counts, the other classes."""
    from symparams.formats.rendering import render
    from symparams.sheets.document import Document, Lines, Section

    lines = Section("certificate", None, [Lines(list(_sentences(found)))])
    return str(render(Document("certificate", language, None, None, [lines])))


def _sentences(found: _Found) -> Iterator[Sentence]:
    from symparams.atlas.architectures import architecture
    from symparams.models import load
    from symparams.sheets.discovered import certificate, count_of, of_class

    yield from certificate(found.model or load(architecture(found.entry)))
    yield from of_class(found.entry, found.of.others)
    if found.model is not None:
        yield count_of(found.model)
