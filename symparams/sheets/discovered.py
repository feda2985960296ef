"""What is said of a discovered model: against how many models its shapes were checked, and at which sizes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from symparams.atlas.record import Entry
from symparams.atlas.refusals import ACTIVATION
from symparams.models.model import Model
from symparams.sheets.values import Code, Listed, Prose, Sentence, Value


def checked(model: Model) -> Iterator[Sentence]:
    """Yield the sentence that a definition was discovered, where it was."""
    if (certificate := model.architecture.certificate) is not None:
        terms: dict[str, Value] = {"number": certificate.number}
        if certificate.made_by:
            yield Sentence("discovered.of_library", terms | {"library": Prose(certificate.made_by)})
        else:
            yield Sentence("discovered.of_function", terms)


def certificate(model: Model) -> Iterator[Sentence]:
    """Yield all sentences of a certificate: the models, their sizes, the switches."""
    yield from checked(model)
    if (found := model.architecture.certificate) is not None:
        yield Sentence("discovered.samples", {"by_role": found.by_role, "at_random": found.at_random})
        if found.refused:
            yield Sentence("discovered.refused", {"refused": found.refused})
        ranges = [
            Sentence("discovered.range", {"letter": Code(name), "least": low, "most": high})
            for name, (low, high) in found.ranges.items()
        ]
        yield Sentence("discovered.ranges", {"ranges": Listed(tuple(ranges), "discovered.joint")})
        if found.switches:
            switches = tuple(map(Code, found.switches))
            yield Sentence("discovered.switches", {"switches": Listed(switches, "discovered.joint")})


def of_class(entry: Entry, others: Sequence[str]) -> Iterator[Sentence]:
    """Yield what else is said of a class: the count of its default config, what was not varied, the other classes."""
    if entry.default:
        yield Sentence("discovered.default", {"count": entry.default})
    else:
        yield Sentence("discovered.no_default")
    one = [key for key, values in entry.allowed.items() if len(values) == 1 and values != (ACTIVATION,)]
    if one:
        yield Sentence("discovered.not_varied", {"keys": _codes(one)})
    if entry.needs:
        pairs = [Sentence("discovered.pair", {"divisor": Code(divisor), "of": Code(of)}) for divisor, of in entry.needs]
        yield Sentence("discovered.needs", {"pairs": Listed(tuple(pairs), "discovered.joint")})
    if others:
        yield Sentence("discovered.others", {"kind": Code(entry.kind), "name": Code(entry.name), "others": _codes(others)})


def count_of(model: Model) -> Sentence:
    """The sentence on the count of a config, which is the library's."""
    return Sentence("discovered.count", {"model": Prose(model.name), "count": model.count()})


def _codes(words: Iterable[str]) -> Listed:
    return Listed(tuple(map(Code, words)), "discovered.joint")
