"""What is said of a discovered model: against how many models its shapes were checked, and at which sizes."""

from __future__ import annotations

from collections.abc import Iterator

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
        of_any: dict[str, Value] = {"by_role": found.by_role, "at_random": found.at_random, "refused": found.refused}
        yield Sentence("discovered.samples", of_any)
        ranges = [
            Sentence("discovered.range", {"letter": Code(name), "least": low, "most": high})
            for name, (low, high) in found.ranges.items()
        ]
        yield Sentence("discovered.ranges", {"ranges": Listed(tuple(ranges), "discovered.joint")})
        if found.switches:
            switches = tuple(map(Code, found.switches))
            yield Sentence("discovered.switches", {"switches": Listed(switches, "discovered.joint")})
