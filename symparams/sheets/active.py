"""What one token uses: how it follows from the whole count, and the counts that are published of it."""

from __future__ import annotations

from collections.abc import Iterator

from symparams.answers.active_counts import PublishedCount, active_counts, published_count
from symparams.answers.claims import Met
from symparams.derivations.derivation import Derivation
from symparams.expressions.nodes import Number
from symparams.expressions.printing.nodes import Strong
from symparams.sheets.document import Block, Capital, Column, Lead, Paragraph, Prose, Section, Sentence, Table, Value
from symparams.sheets.numbers import rounded
from symparams.sheets.steps import Composer, equation


def active(derivation: Derivation, composer: Composer) -> Iterator[Section]:
    """How the parameters that one token uses follow from the whole count: without the experts that lie idle."""
    if derivation.active is not None:
        blocks: list[Block] = [Lead(composer.notes(derivation.active)), equation(derivation.active)]
        if derivation.active.value is not None:
            blocks += _counts(derivation, composer)
        yield Section("active", Sentence("headings.active"), blocks)


def _counts(derivation: Derivation, composer: Composer) -> Iterator[Block]:
    """With the token table and the head, without the table, without both; what is published is strong."""
    counts = active_counts(derivation.model)
    found = published_count(derivation.model, counts)
    rows: list[list[Value]] = []
    for each in counts:
        count = Number(each.value or 0)
        words = rounded(count.value, composer.catalogue.rounding)
        is_published = found is not None and each.name in found.names
        said = Capital(Sentence(f"active.{each.name}"))
        rows.append([said, Strong(count) if is_published else count, words[0] if words else None])
    columns = [Column(Sentence("columns.convention"), is_words=True)]
    columns += [Column(Sentence(f"columns.{key}"), "r") for key in ("parameters", "rounded")]
    yield Lead([Sentence("active.ways")])
    yield Table("active", columns, rows)
    if found is not None:
        yield Paragraph(list(_published(found)))


def _published(found: PublishedCount) -> Iterator[Value]:
    which = found.names[0] if len(found.names) == 1 else "several"
    yield Sentence(f"active.published.{which}", {"claimed": Prose(found.claimed)})
    if found.met is Met.TRUNCATED:
        yield Sentence("active.cut_off")
