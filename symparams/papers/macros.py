r"""Macros: the values of models as LaTeX commands that a paper takes in with \input: \symparamsGptTwoCount is 124{,}439{,}808.

\newcommand defines them, so that a name that is taken already is an error that TeX names, never a silent change.
"""

from __future__ import annotations

from collections.abc import Sequence

from symparams.errors import printable
from symparams.expressions.printing.latex import escape
from symparams.papers.names import check_prefix, in_letters, refuse_clashes
from symparams.papers.values import COMPONENTS, COUNT, DIGITS, FORMULAS, QuotedValue, Values
from symparams.sheets.catalogue import catalogue


def macros(values: Sequence[Values], language: str = "en", prefix: str = "symparams") -> str:
    r"""A file of \newcommand; OptionError for a prefix that is not letters, and for two values that would have one name."""
    check_prefix(prefix)
    refuse_clashes((in_letters(of_target.name), of_target.name) for of_target in values)
    named = [(command(of_target, entry, prefix), entry, of_target) for of_target in values for entry in of_target.entries]
    refuse_clashes((name, f"{of_target.name} {' '.join(entry.path)}") for name, entry, of_target in named)
    head = [f"% {line}" for line in catalogue(language).entry("macros.head")]
    remarks = [f"% \\{name}: {printable(' '.join(entry.says.split()))}" for name, entry, _ in named]
    defined = [f"\\newcommand{{\\{name}}}{{{content(entry)}}}" for name, entry, _ in named]
    return "\n".join([*head, "%", *remarks, *defined, ""])


def command(values: Values, entry: QuotedValue, prefix: str) -> str:
    r"""The name of a command, without its backslash: symparamsGptTwoAttentionCount."""
    path = [part for part in entry.path if part != COMPONENTS]
    return prefix + in_letters(values.name) + "".join(map(in_letters, path))


def content(entry: QuotedValue) -> str:
    """Return the content of a command, for text and formulas alike."""
    if entry.kind in FORMULAS:
        return rf"\ensuremath{{{entry.text}}}"
    if entry.kind == COUNT:
        return entry.text.replace(",", "{,}")
    return entry.text if entry.kind == DIGITS else escape(entry.text)
