"""Words of lists in which a number stands, as in "stage12" of a model of 12 layers: written with the key of the number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

NUMBER = re.compile(r"\d+")
KEY = re.compile(r"\{(.+?)\}")  # stage{num_hidden_layers}


def put_in(word: Any, numbers: Mapping[str, int]) -> Any:
    """Return a word with the number of the key that stands in it; the word itself where there is none."""
    if not isinstance(word, str):
        return word
    return KEY.sub(lambda found: str(numbers.get(found[1], found[0])), word)


def taken_out(seen: Iterable[tuple[str, Mapping[str, int]]]) -> str:
    """Return the word that gives all of these, each with the numbers by key beside it; "" where none does.

    A word that is always the same has no number taken out.
    """
    words = list(seen)
    if len({word for word, _ in words}) < 2:
        return ""
    first, numbers = words[0]
    for found in NUMBER.finditer(first):
        for key in (key for key, number in numbers.items() if str(number) == found[0]):
            template = f"{first[: found.start()]}{{{key}}}{first[found.end() :]}"
            if all(put_in(template, others) == word for word, others in words):
                return template
    return ""
