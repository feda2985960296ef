"""What one token uses: how it follows from the whole count, and the counts that are published of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symparams.answers.active_counts import PublishedCount, active_counts, published_count
from symparams.answers.claims import Met
from symparams.derivations.active import as_wide_as_dense
from symparams.derivations.derivation import Derivation
from symparams.derivations.steps import Step
from symparams.expressions.nodes import Named, Negative, Number, Sum
from symparams.expressions.printing.nodes import Strong
from symparams.sheets.document import Block, Column, Equation, Lead, Link, Paragraph, Section, Table
from symparams.sheets.quantities import rounding_of
from symparams.sheets.steps import Composer, value_of
from symparams.sheets.values import Capital, Prose, Sentence, Value, rounded


def active(used: Step, derivation: Derivation, composer: Composer) -> Iterator[Section]:
    """Yield the section that derives the active parameters from the whole count, without the idle experts."""
    steps = [_of_results(step) for step in used.steps]
    blocks: list[Block] = [Lead(composer.notes(used)), *steps, _of_results(used), *_idle(derivation), *_alike(derivation)]
    if used.value is not None:
        blocks += _counts(derivation, composer)
    yield Section("active", Sentence("headings.active"), blocks)


def _of_results(step: Step) -> Equation:
    """A sum of results of which one token uses less: by name, and in numbers."""
    contents = dict.fromkeys((step.substituted, value_of(step)))
    numbers = [Link(content) for content in contents if content is not None and step.value is not None]
    return Equation(step.quantity, [Link(step.written), *numbers], in_a_row=True)


def _idle(derivation: Derivation) -> Iterator[Block]:
    """The check: what one token does not use is the experts that the router did not pick."""
    if derivation.idle is not None and derivation.active is not None:
        whole = Named("", derivation.total.written)
        yield Lead([Sentence("active.idle")])
        yield replace(_of_results(derivation.idle), left=Sum((whole, Negative(derivation.active.quantity))))


def _alike(derivation: Derivation) -> Iterator[Block]:
    """True if the experts that one token uses are together as wide as the network of a dense layer."""
    alike = as_wide_as_dense(derivation.model, [step for section in derivation.sections for step in section.walk()])
    if alike is not None:
        yield Paragraph([Sentence("active.alike", {"widths": alike.widths, "network": alike.network})])


def _counts(derivation: Derivation, composer: Composer) -> Iterator[Block]:
    """With token embedding and LM head, without the first, without both; what is published is strong."""
    counts = active_counts(derivation.model)
    published = published_count(derivation.model, counts)
    rows: list[list[Value]] = []
    for counted in counts:
        count = Number(counted.count or 0)
        words = rounded(count.value, rounding_of(derivation.quantity, composer.catalogue))
        is_published = published is not None and counted.name in published.names
        heading = Capital(Sentence(f"active.{counted.name}"))
        rows.append([heading, Strong(count) if is_published else count, words[0] if words else None])
    columns = [Column(Sentence("columns.convention"), is_words=True)]
    columns += [Column(Sentence(f"columns.{key}"), "r") for key in ("parameters", "rounded")]
    yield Lead([Sentence("active.ways")])
    yield Table("active", columns, rows)
    if published is not None:
        yield Paragraph(list(_published(published)))


def _published(published: PublishedCount) -> Iterator[Value]:
    which = published.names[0] if len(published.names) == 1 else "several"
    yield Sentence(f"active.published.{which}", {"claimed": Prose(published.claimed)})
    if published.met is Met.TRUNCATED:
        yield Sentence("active.cut_off")
