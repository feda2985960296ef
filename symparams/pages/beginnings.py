"""Beginnings: the sections that sheets begin with, composed and written once for all settings whose sheets begin so.

What a section says hangs on those before it: what they said once is not said again, what they worked out is referred to, and
an anchor is given once.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from symparams.derivations.steps import Note, Step
from symparams.pages.anchors import Anchors
from symparams.pages.composing import PageComposer
from symparams.pages.writing import Writer


@dataclass
class Beginning:
    """The sections of a sheet up to one: the places of its blocks, and what is known after it."""

    composer: PageComposer
    anchors: Anchors
    blocks: tuple[int, ...] = ()
    following: dict[Hashable, Beginning] = field(default_factory=dict)

    def then(self, section: Step, writer: Writer) -> Beginning:
        """The same sections and one more; the ``writer`` has its anchors."""
        content = _content(section)
        if content not in self.following:
            self.following[content] = self._written(section, writer)
        after = self.following[content]
        writer.anchors = after.anchors
        return after

    def _written(self, section: Step, writer: Writer) -> Beginning:
        composer, writer.anchors = self.composer.copy(), self.anchors.copy()
        if not writer.is_cost:  # no part of a picture leads to a quantity
            writer.anchors.section(str(section.name))
        blocks = tuple(map(writer.pool.blocks.place, writer.blocks(composer.blocks(section))))
        return Beginning(composer, writer.anchors, blocks)


def _content(step: Step) -> Hashable:
    """What a step says, whatever model it is about."""
    notes = tuple(map(_said, step.notes))
    own = (step.path, step.name, step.written, step.kind, notes, step.form, step.layer, step.role, step.paths)
    return own, tuple(map(_content, step.steps)), tuple(map(_content, step.parts))


def _said(note: Note) -> Hashable:
    terms = ((name, tuple(map(_said, term)) if isinstance(term, tuple) else term) for name, term in note.terms.items())
    return note.keys, note.is_said_once, tuple(terms)
