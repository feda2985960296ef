"""Packing: the data of a model as a page holds it, what repeats written once; ``packing.js`` makes of it what the page reads.

A path is the place of its text; what a sentence says stands in the order of the names of its placeholders, a formula as its
place alone; what is as usual is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from symparams.pages.pool import PlaceTable

USUAL_STEP = (0, ())  # whether it closes a block, its parts
USUAL_CHAIN = (-1, 0)  # what it begins with in place of its formula, whether it is closed
# What stands in entries of the pool and in blocks: "h" a heading, "n" a name or a sentence, "v" a value, "V" values, "t" a
# text, "T" texts.
FIELDS = {"section": "h...", "convention": "v...", "tables": "v", "rule": "t", "missed": "t", "item": "nVt", "text": "V"}


def packed(data: Mapping[str, Any]) -> dict[str, Any]:
    """The data of a model, packed."""
    return _Packing(data).written()


class _Packing:
    """The packing of one model: which texts it has, and in which manner parts vary."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data, self.texts, self.variants = data, PlaceTable(), PlaceTable()
        self.texts.place(0)  # which stays as it is: where something leads to as in the first view
        self.sentences = {key: place for place, key in enumerate(data["sentences"])}
        self.placeholders = [_placeholders(sentence) for sentence in data["sentences"].values()]
        self.kinds = {place: kind for kind, _, _, of in self._parts() if kind in FIELDS for place in of if place >= 0}

    def _parts(self) -> Iterator[tuple[str, Any, Any, Any]]:
        """Each part: its kind, without the view or the quantity, its key, its switches, its variants."""
        return ((kind.split()[0], *part) for kind, parts in self.data["parts"].items() for part in parts)

    def written(self) -> dict[str, Any]:
        """The data, packed."""
        data = self.data
        parts = {kind: [self._part(*part) for part in parts] for kind, parts in data["parts"].items()}
        pool = [self._entry(entry, FIELDS.get(self.kinds.get(place, ""), "")) for place, entry in enumerate(data["pool"])]
        return {
            **data,
            "letters": _letters(data["letters"]),
            "features": [feature if feature[3] != feature[2] else feature[:3] for feature in data["features"]],
            "names": [[[full] if short == full else [full, short] for full, short in name] for name in data["names"]],
            "parts": parts,
            "variants": self.variants.entries,
            "fields": FIELDS,
            "pool": pool,
            "blocks": [self._block(*block) for block in data["blocks"]],
            "formulas": [_formula(place, *formula) for place, formula in enumerate(data["formulas"])],
            "sentences": {key: [_sentence(cut) for cut in cuts] for key, cuts in data["sentences"].items()},
            "steps": [_trimmed(step, USUAL_STEP) for step in self._apart(data["steps"], 2)],
            "closings": self._closings(),
            "closed": self._apart(data["closed"], 1),
            "texts": self.texts.entries,
        }

    def _closings(self) -> list[Any]:
        """The closings: their relations, and each place as its difference from the one before."""
        apart = _Differences()
        return [[on, [*map(apart, of)]] if on else apart(of[0]) for on, of in self.data["closings"]]

    @staticmethod
    def _apart(entries: Iterable[Sequence[Any]], places: int) -> list[list[Any]]:
        """Entries of which some first places are their differences from those of the entry before; no place is None."""
        apart = [_Differences() for _ in range(places)]
        return [[*(own(place) for own, place in zip(apart, entry, strict=False)), *entry[places:]] for entry in entries]

    def _part(self, key: Sequence[Any], on: Sequence[int], of: Sequence[int]) -> list[int]:
        """A part: what tells it from others of its kind, its variants."""
        return [self.variants.place((tuple(on), tuple(of))), *map(self.texts.place, key[1:])]

    def _entry(self, entry: Sequence[Any], fields: str) -> list[Any]:
        """An entry of the pool."""
        return [self._field(value, fields[at : at + 1]) for at, value in enumerate(entry)]

    def _field(self, value: Any, field: str) -> Any:
        match field:
            case "h" if value[0] == "C" and value[1][0] == "n":
                return value[1][1]
            case "n" if value[0] == "n":
                return value[1]
            case "h" | "n" | "v":
                return self._value(value)
            case "V":
                return [self._value(part) for part in value]
            case "t":
                return self.texts.place(value)
            case "T":
                return [self.texts.place(text) for text in value]
        return value

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
                by_name, names = {name: self._value(term) for name, term in terms}, self.placeholders[sentence]
                return [value[0], sentence, *_trimmed([by_name.get(name) for name in names], [None] * len(names))]
            case ("C", inner):
                return [value[0], self._value(inner)]
            case ("l", mark, values):
                return [value[0], mark, [self._value(part) for part in values]]
            case ("p", parts):
                return [value[0], [self._value(part) for part in parts]]
            case ("heads", manners, terms):
                packed_terms = [[name, self._value(term)] for name, term in terms]
                return [value[0], [self.sentences[manner] for manner in manners], packed_terms]
            case ("copies", step, key, *rest):
                return [value[0], step, self.sentences[key], *rest]
        return _trimmed(value, ((),)) if value[0] == "since" else value


class _Differences:
    """Places one after another, each as the difference from the one before: small numbers, which repeat; None for no place."""

    def __init__(self) -> None:
        self.last = 0

    def __call__(self, place: int) -> int | None:
        if place < 0:
            return None
        self.last, last = place, self.last
        return place - last


def _formula(place: int, mark: str, *operands: Any) -> Any:
    """A formula in the file: a size is the distance to its operand, a result its name and the distance to its definition."""
    match mark:
        case "size":
            return place - operands[0]
        case "N":
            return [operands[0], place - operands[1]]
    return [mark, *operands]


def _placeholders(sentence: Iterable[Any]) -> list[str]:
    """The placeholders of a sentence, in any language."""
    return sorted({part[0] for cut in sentence for part in cut if isinstance(part, list)})


def _sentence(cut: Iterable[Any]) -> str:
    """A sentence as one text, its placeholders in braces."""
    return "".join(f"{{{part[0]}}}" if isinstance(part, list) else part for part in cut)


def _trimmed(entry: Sequence[Any], usual: Sequence[Any]) -> list[Any]:
    """An entry without what is as usual at its end."""
    kept = list(entry)
    for value in reversed(usual):
        if not kept or kept[-1] != value:
            break
        kept.pop()
    return kept


def _letters(letters: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The letters of each notation, but for those that are as in the first."""
    (first, usual), *others = letters.items()
    return {
        first: {**usual},
        **{name: {key: text for key, text in texts.items() if text != usual.get(key)} for name, texts in others},
    }
