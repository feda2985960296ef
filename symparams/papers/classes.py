"""Classes of LaTeX: the columns of a document by its head, and the packages that it lacks."""

from __future__ import annotations

import re
from collections.abc import Mapping

from symparams.records import frozen

NARROW = "twocolumn"
# The options that make the columns of a class narrow, besides twocolumn; "" where they are so without one, as a slide is.
NARROW_BY: Mapping[str, frozenset[str]] = {
    "IEEEtran": frozenset({""}),
    "acmart": frozenset({"sigconf", "sigplan", "acmtog"}),
    "beamer": frozenset({""}),
    "elsarticle": frozenset({"5p"}),
    "revtex4-1": frozenset({"reprint"}),
    "revtex4-2": frozenset({"reprint"}),
}
WIDE = frozenset({"onecolumn", "manuscript", "review", "preprint"})  # which end that
COMMENT = re.compile(r"(?<!\\)(?:\\\\)*%.*")
# No part of it is given back once it is read, or a text of many beginnings would be read anew from each.
CLASS = re.compile(r"\\documentclass\s*+(?:\[([^\]\\]*+)\]\s*+)?\{\s*+([^}\s\\]++)\s*+\}")
BODY = re.compile(r"\\begin\s*\{document\}")
# What a block prints that needs a package, or the command of a preamble; and the classes that have the package themselves.
NEEDS: Mapping[str, str] = {
    r"\symparamslayout": r"\symparamslayout",
    r"\text{": "amsmath",
    r"\begin{align": "amsmath",
    r"\toprule": "booktabs",
    r"\begin{tikzpicture}": "tikz",
    r"\begin{axis}": "pgfplots",
    "{Triangle": r"\usetikzlibrary{arrows.meta}",
}
BRINGS: Mapping[str, frozenset[str]] = {
    "acmart": frozenset({"amsmath", "booktabs"}),
    "amsart": frozenset({"amsmath"}),
    "beamer": frozenset({"amsmath"}),
}
LOADED_BY: Mapping[str, str] = {"amsmath": "mathtools", "tikz": "pgfplots"}  # the package that loads another
UNSEEN = re.compile(r"\\(?:input|include|subimport|import)\b")  # in what these read may stand anything


@frozen
class DocumentClass:
    """The class of a document with its options, and the text of its head without comments."""

    name: str
    options: frozenset[str]
    head: str

    @property
    def columns(self) -> int:
        """1 for columns as wide as an article's, 2 for those of a paper in two, and for a slide."""
        if self.options & WIDE:
            return 1
        narrow = NARROW_BY.get(self.name, frozenset()) | {NARROW}
        return 2 if narrow & (self.options | {""}) or r"\twocolumn" in self.head else 1

    def lacks(self, printed: str) -> list[str]:
        """The packages and commands that a text needs and the head has not; none where the head reads other files."""
        if UNSEEN.search(self.head):
            return []
        needed = dict.fromkeys(what for sign, what in NEEDS.items() if sign in printed)
        brought = BRINGS.get(self.name, frozenset())
        missing = [what for what in needed if what not in self.head and what not in brought]
        return [what for what in missing if LOADED_BY.get(what, what) not in self.head]


def class_of(text: str) -> DocumentClass | None:
    """The class that a document of LaTeX names; None for a part of one."""
    head = COMMENT.sub("", BODY.split(text, maxsplit=1)[0])
    found = CLASS.search(head)
    if found is None:
        return None
    options = frozenset(re.sub(r"\s", "", option) for option in (found[1] or "").split(","))
    return DocumentClass(found[2], options - {""}, head)
