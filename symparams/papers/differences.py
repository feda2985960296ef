"""Differences: what would change in a document, as ``diff -u`` shows it and ``patch -p0`` takes it."""

from __future__ import annotations

import re
from difflib import unified_diff

from symparams.papers.documents import SourceDocument, shown

LINE = re.compile(r"[^\n]*\n|[^\n]+")


def difference(before: SourceDocument, after: SourceDocument) -> str:
    """The lines that change with those around them; nothing where none does."""
    if before.content == after.content:
        return ""
    old, new = LINE.findall(before.file), LINE.findall(after.file)
    name = shown(before.path)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in unified_diff(old, new, name, name)
    )
