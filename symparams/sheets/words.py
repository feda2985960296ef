"""Words: the values of a document said in its language, as runs of text, code and formulas that a format has to print."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, Union

from symparams.expressions.nodes import Expression, Named, Number
from symparams.sheets.catalogue import catalogue, needs_space
from symparams.sheets.document import Document
from symparams.sheets.values import (
    Branch,
    Capital,
    Code,
    Listed,
    Name,
    Percentage,
    Phrase,
    ProperName,
    Prose,
    Sentence,
    Value,
    percent,
    share,
)

Run = Union[str, Code, Expression, Branch]


class DocumentWords:
    """The words of a document, in its language."""

    def __init__(self, document: Document) -> None:
        self.document, self.catalogue = document, catalogue(document.language)

    def runs(self, value: Value) -> list[Run]:
        """A value as runs; between a Chinese character and a formula or a Latin letter stands a space."""
        if isinstance(value, (Expression, Code, Branch)):
            return [value]
        return [] if value is None else SAYINGS[type(value)](self, value)

    def paragraph(self, values: Iterable[Value]) -> list[Run]:
        """Sentences one after another, as the language joins them."""
        return joined((self.runs(value) for value in values), self.catalogue.head["joint"])

    def sentence(self, sentence: Sentence) -> list[Run]:
        """The sentence with its placeholders filled."""
        runs: list[list[Run]] = []
        for literal, placeholder in self.catalogue.sentence(sentence.key):
            runs.append([literal] if literal else [])
            if placeholder is not None:
                runs.append(self.runs(sentence.terms[placeholder]))
        return spaced(runs)

    def name(self, name: Name) -> str:
        """Return a name in words, with what tells it from another of the same name."""
        return self.catalogue.called(name.key, name.qualifier, is_users=self.document.is_users)

    def label(self, key: str) -> str:
        """The words under a brace."""
        return self.name(Name(str(key)))

    def named(self, quantity: Named) -> str:
        """The subscript by which a result is referred to; the whole count has none, but beside a letter N."""
        if not quantity.label:
            return self.name(Name("total")) if self.document.has_own_count else ""
        if isinstance(quantity.label, ProperName):
            return str(quantity.label)
        plain, told_apart = Name(str(quantity.label)), self.document.names.get(str(quantity.label))
        name = told_apart.get(quantity.definition, plain) if told_apart else plain
        return self.catalogue.called(name.key, name.qualifier, is_users=self.document.is_users, is_short=True)


SAYINGS: Mapping[type, Callable[[DocumentWords, Any], list[Run]]] = {
    Sentence: lambda words, value: words.sentence(value),
    Name: lambda words, value: [words.name(value)],
    Capital: lambda words, value: capital(words.runs(value.value)),
    Prose: lambda words, value: [value.text],
    Phrase: lambda words, value: spaced([part] if isinstance(part, str) else words.runs(part) for part in value.parts),
    int: lambda words, value: [Number(value)],
    Fraction: lambda words, value: [percent(value, words.catalogue.head["percent"])],
    Percentage: lambda words, value: [share(value.part, words.catalogue.head["percent"], value.decimals)],
    Listed: lambda words, value: joined(map(words.runs, value.values), words.catalogue.entry(value.mark)),
}


def capital(runs: list[Run]) -> list[Run]:
    """Runs that begin with a capital letter."""
    if runs and isinstance(runs[0], str):
        return [runs[0][:1].upper() + runs[0][1:], *runs[1:]]
    return runs


def joined(parts: Iterable[list[Run]], joint: str) -> list[Run]:
    """The runs of several values with a joint between them."""
    runs: list[list[Run]] = []
    for part in parts:
        if part:
            runs += [[joint], part] if runs and joint else [part]
    return spaced(runs)


def spaced(parts: Iterable[list[Run]]) -> list[Run]:
    """Runs one after another, texts side by side made one, with a space where two scripts meet."""
    runs: list[Run] = []
    for run in (run for part in parts for run in part):
        gap = " " if runs and needs_space(_edge(runs[-1], -1), _edge(run, 0)) else ""
        if type(run) is str and runs and type(runs[-1]) is str:  # a slot of a drawing is a text that stays by itself
            runs[-1] = runs[-1] + gap + run
        elif isinstance(run, str):
            runs.append(gap + run)
        elif gap and isinstance(runs[-1], str):
            runs[-1] += gap
            runs.append(run)
        else:
            runs += [gap, run] if gap else [run]
    return runs


def _edge(run: Run, end: int) -> str:
    """The character at an end of a run; a formula begins and ends as a letter does."""
    return run[end] if isinstance(run, str) and run else "" if isinstance(run, str) else "x"
