"""The catalogues: every sentence and every name that a sheet says, one file a language in templates/languages.

What is alike in every language stands in templates/alike.toml.
"""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width

from symparams.errors import OptionError, UnknownNameError, quoted, suggestion

HEADING = re.compile(r"^\[([\w.-]+)\]$", re.MULTILINE)  # of a table
MOST_IDEOGRAPHS = 5  # of a subscript: what a reader takes in at a glance
OF_TWO = ("within", "inside", "both")  # the patterns of two names


@cache
def templates() -> Path:
    """The folder of templates: inside an installed package, beside it in a checkout."""
    package = Path(__file__).parents[1]
    return next(folder for folder in (package / "templates", package.parent / "templates") if folder.is_dir())


USUAL_LANGUAGE = "en"  # where nobody chooses one; all others have its keys


@cache
def languages() -> tuple[str, ...]:
    """The languages that there are, by their codes."""
    return tuple(sorted(file.stem for file in (templates() / "languages").glob("*.toml")))


@cache
def catalogue(language: str) -> Catalogue:
    """The catalogue of a language; OptionError lists the languages that there are."""
    if language not in languages():
        raise OptionError(f"Unknown language {quoted(language)}. {suggestion(language, languages())}")
    files = (templates() / "alike.toml", templates() / "languages" / f"{language}.toml")
    return Catalogue(Entries(*(file.read_text(encoding="utf-8") for file in files)), language)


class Entries(Mapping[str, Any]):
    """The entries of catalogues by key, of a later one in place of an earlier one's.

    A table is parsed when an entry of it is asked for: a sheet needs few. ``asked`` are the keys that were asked for, in that
    order.
    """

    def __init__(self, *texts: str) -> None:
        self._texts, self._parsed, self.asked = texts, dict[str, Any](), dict[str, None]()
        self._tables: dict[str, list[str]] = {}
        for text in texts:
            headings = list(HEADING.finditer(text))
            ends = [*(heading.start() for heading in headings[1:]), len(text)]
            for heading, end in zip(headings, ends, strict=True):
                self._tables.setdefault(heading[1], []).append(text[heading.start() : end])

    def __getitem__(self, key: str) -> Any:
        self._parse(key)
        entry = self._parsed[key]
        self.asked[key] = None
        return entry

    def __contains__(self, key: object) -> bool:
        self._parse(str(key))
        return key in self._parsed

    def __iter__(self) -> Iterator[str]:
        if self._texts:  # in the order of the files, whatever was asked for before
            self._parsed = {key: entry for text in self._texts for key, entry in _flatten(tomllib.loads(text))}
            self._tables, self._texts = {}, ()
        return iter(self._parsed)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def within(self, section: str) -> Mapping[str, Any]:
        """The entries of a table and of those within it, by the rest of their keys."""
        for name in [name for name in self._tables if f"{name}.".startswith(f"{section}.")]:
            self._parse(f"{name}.")
        return {key.removeprefix(f"{section}."): entry for key, entry in self._parsed.items() if key.startswith(f"{section}.")}

    def _parse(self, key: str) -> None:
        """Parse the tables in which a key may stand: notes.attention.biased in [notes.attention], or in [notes]."""
        table = key if self._tables and key not in self._parsed else ""
        while table := table.rpartition(".")[0]:
            if table in self._tables:
                for text in self._tables.pop(table):
                    self._parsed |= _flatten(tomllib.loads(text))


class Catalogue:
    """Sentences and names by key: "notes.attention.biased"."""

    def __init__(self, entries: Entries, language: str = "") -> None:
        self.entries, self.language = entries, language

    @property
    def rounding(self) -> list[Mapping[str, Any]]:
        """The language's words for large powers of ten, the largest first."""
        return list(self.head["rounding"])

    @property
    def short_rounding(self) -> list[Mapping[str, Any]]:
        """The same in letters, for where many of them stand."""
        return list(self.head["short_rounding"])

    @cached_property
    def head(self) -> Mapping[str, Any]:
        """The settings of the language: how sentences join, how numbers are grouped, how LaTeX sets it."""
        return self.entries.within("head")

    def entry(self, key: str) -> Any:
        """Return the entry of a key; a key that the catalogue does not have is an error."""
        try:
            return self.entries[key]
        except KeyError:
            raise UnknownNameError(f"The catalogue of {self.language} has no entry {quoted(key)}.") from None

    def name(self, key: str, *, is_users: bool = False, is_short: bool = False) -> str:
        """Return the name of a step or component; a user's own name that no language knows is itself, with spaces.

        "within:feed_forward/up" is the pattern ``within`` of [patterns] with the names of both; "part:tying" is what a
        feature is called where it is added or left out. ``is_short`` takes the words of [subscripts] where there are any.
        """
        pattern, colon, inner = key.partition(":")
        if not colon:
            return self._word("names", key, is_users=is_users, is_short=is_short)
        if pattern == "part":
            section = "parts" if f"parts.{inner}" in self.entries else "names"
            return self._word(section, inner, is_users=is_users)
        outer, slash, inside = inner.partition("/")
        parts = {"outer": outer, "name": inside} if slash and pattern in OF_TWO else {"name": inner}
        names = {part: self.name(inner_key, is_users=is_users, is_short=is_short) for part, inner_key in parts.items()}
        return self.pattern(pattern, names, is_short=is_short)

    def called(self, key: str, qualifier: str = "", *, is_users: bool = False, is_short: bool = False) -> str:
        """A name with the short word before it that tells it from another: enc norms; as a subscript at most so long."""
        text = self._called(key, qualifier, is_users=is_users, is_short=is_short)
        return self._shortened(text) if is_short else text

    def label(self, feature: str, *, is_users: bool = False) -> str:
        """Return the name of a feature for little room: weight tying."""
        return str(self.entries.get(f"page.parts_of.{feature}") or self.called(f"part:{feature}", is_users=is_users))

    def _shortened(self, text: str) -> str:
        """A subscript of too many Chinese characters with the shorter words of [head], as many as it needs."""
        for long, short in self.head["shorter"]:
            if sum(map(is_ideograph, text)) <= MOST_IDEOGRAPHS:
                break
            before, match, after = text.partition(long)
            text = spaced(before, short, after) if match else text
        return text

    def _called(self, key: str, qualifier: str, *, is_users: bool, is_short: bool) -> str:
        pattern, colon, inner = key.partition(":")
        if colon and pattern not in (*OF_TWO, "part"):
            names = {"name": self._called(inner, qualifier, is_users=is_users, is_short=is_short)}
            return self.pattern(pattern, names, is_short=is_short)
        last = key.rpartition(".")[2]  # a part that is told by its path, as one of a block that stands several times
        text = self.name(last, is_users=is_users, is_short=is_short)
        if not qualifier:
            return text
        short = self.entries.get(f"qualifiers.{qualifier}")
        outer = str(short) if short is not None else self.name(qualifier, is_users=is_users, is_short=is_short)
        return self.pattern("within", {"outer": outer, "name": text}, is_short=is_short)

    def pattern(self, key: str, names: Mapping[str, str], *, is_short: bool = False) -> str:
        """Return one of [patterns] with names put in."""
        short = f"subscripts.patterns.{key}"
        cut = parsed(self.entry(short if is_short and short in self.entries else f"patterns.{key}"))
        return spaced(*(part for literal, name in cut for part in (literal, names[name] if name else "")))

    def sentence(self, key: str) -> list[tuple[str, str | None]]:
        """A sentence as (literal text, placeholder after it)."""
        return parsed(self.entry(key))

    def _word(self, section: str, key: str, *, is_users: bool, is_short: bool = False) -> str:
        if is_short and f"subscripts.{key}" in self.entries:
            return str(self.entries[f"subscripts.{key}"])
        if is_users and f"{section}.{key}" not in self.entries:
            base, _, number = key.rpartition("_")  # the second of several that are called alike
            known = f"{section}.{base}" in self.entries and number.isdecimal()
            return spaced(str(self.entry(f"{section}.{base}")), " ", number) if known else key.replace("_", " ")
        return str(self.entry(f"{section}.{key}"))


def spaced(*parts: str) -> str:
    """Words one after another, with a space where two scripts or two Latin words meet."""
    text = ""
    for part in parts:
        text += (" " if needs_space(text[-1:], part[:1]) or are_latin(text[-1:], part[:1]) else "") + part
    return text


@cache
def parsed(sentence: str) -> list[tuple[str, str | None]]:
    """A sentence cut at its placeholders."""
    return [(literal, name) for literal, name, _, _ in string.Formatter().parse(sentence)]


def needs_space(before: str, after: str) -> bool:
    """True if a Chinese character meets a digit or a Latin letter; beside punctuation there is no space."""
    return (is_ideograph(before) and after.isascii() and after.isalnum()) or (
        is_ideograph(after) and before.isascii() and before.isalnum()
    )


def are_latin(before: str, after: str) -> bool:
    """True if two digits or Latin letters meet, as those of two names do in a language without spaces between words."""
    return (before + after).isascii() and before.isalnum() and after.isalnum()


def is_ideograph(character: str) -> bool:
    """True if this is a Chinese character, not punctuation."""
    return character.isalpha() and east_asian_width(character) == "W"


def _flatten(tables: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in tables.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value
