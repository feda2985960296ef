"""Packing: the data of a model as a page holds it, what repeats written once; ``packing.js`` makes of it what the page reads.

A path is the place of its text; what a sentence says stands in the order of the names of its placeholders, a formula as its
place alone; what is as usual is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from symparams.pages.pool import Table

USUAL_STEP = (0, -1, ())  # its flags, its own closed form, its parts
USUAL_CHAIN = (-1, 0)  # what it begins with in place of its formula, whether it is closed
# What stands in entries of the pool and in blocks: "h" a heading, "n" a name or a sentence, "v" a value, "V" values, "t" a
# text, "T" texts.
FIELDS = {"section": "h...", "convention": "v...", "tables": "v", "picture": ".Tn..VT.", "frame": "..VT", "layer": "tt......t",
          "item": "nVt", "text": "V"}  # fmt: skip


def packed(found: Mapping[str, Any]) -> dict[str, Any]:
    """The data of a model, packed."""
    return _Packing(found).written()


class _Packing:
    """The packing of one model: which texts it has, and in which manner parts vary."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.found, self.texts, self.variants = found, Table(), Table()
        self.texts.place(0)  # which stays as it is: where something leads to as in the first view
        self.sentences = {key: place for place, key in enumerate(found["sentences"])}
        self.placeholders = [_placeholders(each) for each in found["sentences"].values()]
        self.kinds = {place: kind for kind, _, _, of in self._parts() if kind in FIELDS for place in of if place >= 0}

    def _parts(self) -> Iterator[tuple[str, Any, Any, Any]]:
        """Each part: its kind, without the view or the quantity, its key, its switches, its variants."""
        return ((kind.split()[0], *part) for kind, parts in self.found["parts"].items() for part in parts)

    def written(self) -> dict[str, Any]:
        """The data, packed."""
        found = self.found
        parts = {kind: [self._part(*each) for each in parts] for kind, parts in found["parts"].items()}
        pool = [self._entry(each, FIELDS.get(self.kinds.get(place, ""), "")) for place, each in enumerate(found["pool"])]
        return {
            **found,
            "letters": _letters(found["letters"]),
            "features": [each if each[3] != each[2] else each[:3] for each in found["features"]],
            "names": [[[full] if short == full else [full, short] for full, short in name] for name in found["names"]],
            "parts": parts,
            "variants": self.variants.entries,
            "fields": FIELDS,
            "pool": pool,
            "blocks": [self._block(*each) for each in found["blocks"]],
            "formulas": [each[1:] if each[0] == "N" else each for each in found["formulas"]],
            "sentences": {key: [_sentence(cut) for cut in each] for key, each in found["sentences"].items()},
            "steps": [_trimmed(step, USUAL_STEP) for step in found["steps"]],
            "texts": self.texts.entries,
        }

    def _part(self, key: Sequence[Any], on: Sequence[int], of: Sequence[int]) -> list[int]:
        """A part: what tells it from others of its kind, its variants."""
        return [self.variants.place((tuple(on), tuple(of))), *map(self.texts.place, key[1:])]

    def _entry(self, entry: Sequence[Any], fields: str) -> list[Any]:
        """An entry of the pool."""
        return [self._field(each, fields[at : at + 1]) for at, each in enumerate(entry)]

    def _field(self, said: Any, field: str) -> Any:
        match field:
            case "h" if said[0] == "C" and said[1][0] == "n":
                return said[1][1]
            case "n" if said[0] == "n":
                return said[1]
            case "h" | "n" | "v":
                return self._value(said)
            case "V":
                return [self._value(each) for each in said]
            case "t":
                return self.texts.place(said)
            case "T":
                return [self.texts.place(each) for each in said]
        return said

    def _block(self, kind: str, *rest: Any) -> Any:
        """A block; a chain that is as usual is the place of its step."""
        if kind == "chain":
            step, *others = rest
            return step if (*others,) == USUAL_CHAIN else [kind, *rest]
        return [kind, *self._entry(rest, FIELDS[kind])]

    def _value(self, value: Sequence[Any]) -> Any:
        """A value of a sentence."""
        match value:
            case ("x", place):
                return place
            case ("s", sentence, terms):
                found, names = {name: self._value(term) for name, term in terms}, self.placeholders[sentence]
                return [value[0], sentence, *_trimmed([found.get(name) for name in names], [None] * len(names))]
            case ("C", inner):
                return [value[0], self._value(inner)]
            case ("l", mark, values):
                return [value[0], mark, [self._value(each) for each in values]]
            case ("p", parts):
                return [value[0], [self._value(each) for each in parts]]
            case ("heads", manners, terms):
                said = [[name, self._value(term)] for name, term in terms]
                return [value[0], [self.sentences[each] for each in manners], said]
            case ("copies", step, key, *rest):
                return [value[0], step, self.sentences[key], *rest]
        return _trimmed(value, ((),)) if value[0] == "since" else value


def _placeholders(sentence: Iterable[Any]) -> list[str]:
    """The placeholders of a sentence, in any language."""
    return sorted({part[0] for cut in sentence for part in cut if isinstance(part, list)})


def _sentence(cut: Iterable[Any]) -> str:
    """A sentence as one text, its placeholders in braces."""
    return "".join(f"{{{part[0]}}}" if isinstance(part, list) else part for part in cut)


def _trimmed(entry: Sequence[Any], usual: Sequence[Any]) -> list[Any]:
    """An entry without what is as usual at its end."""
    kept = list(entry)
    for each in reversed(usual):
        if not kept or kept[-1] != each:
            break
        kept.pop()
    return kept


def _letters(letters: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The letters of each notation, but for those that are as in the first."""
    (first, usual), *others = letters.items()
    return {
        first: {**usual},
        **{name: {key: each for key, each in found.items() if each != usual.get(key)} for name, found in others},
    }
