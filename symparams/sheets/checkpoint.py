"""A model beside a checkpoint: a row for each part, a sentence for each that is stored otherwise, the counts, the bytes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from symparams.answers.checkpoints import StoredModel
from symparams.checkpoints.findings import Finding, Relation, Way
from symparams.checkpoints.groups import Group
from symparams.checkpoints.record import Checkpoint
from symparams.expressions.nodes import Expression
from symparams.expressions.printing.nodes import Signed
from symparams.expressions.written import with_sign
from symparams.sheets.chosen import called
from symparams.sheets.document import Block, Column, Document, Lines, Paragraph, Section, Table
from symparams.sheets.values import Code, Listed, Prose, Sentence, Value
from symparams.sheets.verification import sides_of

MOST_NAMES = 8  # in a sentence
WORDS = {  # of a row whose array is stored otherwise: the first way that it has
    Way.PACKED: "stored.is.packed",
    Way.FUSED: "stored.is.fused",
    Way.SPLIT: "stored.is.split",
    Way.STACKED: "stored.is.stacked",
    Way.UNSTACKED: "stored.is.unstacked",
    Way.TRANSPOSED: "stored.is.transposed",
    Way.RESHAPED: "stored.is.reshaped",
}
OF_ONE = {
    Relation.SWAPPED: "stored.says.swapped",
    Relation.OTHER_SHAPE: "stored.says.other_shape",
    Relation.MISSING: "stored.says.missing",
    Relation.MISSING_COPIES: "stored.says.missing_copies",
    Relation.UNSTORED_HEAD: "stored.says.unstored_head",
    Relation.EXTRA: "stored.says.extra",
    Relation.EXTRA_COPIES: "stored.says.extra_copies",
    Relation.CONSTANT_LEFT_OUT: "stored.says.constant_left_out",
    Relation.TIE_LEFT_OUT: "stored.says.tie_left_out",
    Relation.TIE_STORED: "stored.says.tie_stored",
    Relation.TIE_BROKEN: "stored.says.tie_broken",
    Relation.TIED_THERE: "stored.says.tied_there",
    Relation.MAY_SHARE: "stored.says.may_share",
}
IN_TEXT = {"stored.says.tie_stored": "stored.says.tie_printed", "stored.is.tie_stored": "stored.is.tie_printed"}
OF_MANY = {Relation.MISSING: "stored.says.missing_many", Relation.EXTRA: "stored.says.extra_many"}


def checkpoint(compared: StoredModel, language: str = "en") -> Document:
    """Return the parts with what is stored for each, a sentence for each that differs, the counts, the bytes, the verdict."""
    words = IN_TEXT if compared.checkpoint.printed else {}
    rows = [row for finding in compared.findings for row in _rows(finding, words)]
    rows.append([Sentence("stored.parameters"), None, compared.here, compared.stored])
    blocks: list[Block] = [Table("stored", _columns(), rows, last_is_sum=True)]
    if sentences := list(sentences_of(compared.findings, compared.checkpoint)):
        blocks.append(Lines(sentences))
    if sentences := unprinted(compared.checkpoint, {holder.kind for holder in compared.holders}):
        blocks.append(Lines(sentences))
    if compared.checkpoint.has_bytes:
        blocks.append(bytes_of(compared))
    match = "stored.match_printed" if compared.unprinted else "stored.match"
    blocks.append(Paragraph([Sentence(match if compared.match else "stored.no_match")]))
    place = Code(compared.checkpoint.name)
    section = Section("checkpoint", None, blocks, Sentence("stored.caption", {"model": called(compared.model), "place": place}))
    return Document("checkpoint", language, None, None, [section], subject=compared)


def explained(compared: StoredModel, language: str = "en") -> Document:
    """Return the sum from the tree's parameters to the stored ones, what else is stored, and the bytes of all of it."""
    rows: list[list[Value]] = [[Sentence("stored.sum.tree", {"model": called(compared.model)}), compared.here]]
    for findings in (*((finding,) for finding in compared.differences), compared.unprinted):
        sentences = list(sentences_of(findings, compared.checkpoint))
        if findings:
            more = sum(finding.difference for finding in findings)
            rows.append([Listed(tuple(sentences), "head.joint"), Signed(with_sign(more))])
    rows.append([Sentence("stored.sum.stored"), compared.stored])
    beside: list[list[Value]] = [
        [Sentence(f"stored.bytes.{kind}"), Signed(with_sign(size))] for kind, size in compared.beside if size
    ]
    gaps = frozenset({len(rows)} if beside else ())
    if beside:
        rows += [*beside, [Sentence("stored.sum.all"), sum(tensor.numbers for tensor in compared.checkpoint.tensors)]]
    columns = [Column(Sentence("stored.sum.what"), is_words=True), Column(Sentence("stored.sum.parameters"), "r")]
    blocks: list[Block] = [Table("sum", columns, rows, last_is_sum=True, gaps=gaps)]
    summed = (*compared.differences, *compared.unprinted)
    others = [finding for finding in compared.findings if finding not in summed]
    if sentences := list(sentences_of(others, compared.checkpoint)):
        blocks.append(Lines(sentences))
    if sentences := unprinted(compared.checkpoint, {holder.kind for holder in compared.holders}):
        blocks.append(Lines(sentences))
    if compared.checkpoint.has_bytes:
        blocks += [bytes_of(compared), types_of(compared)]
    place = Code(compared.checkpoint.name)
    section = Section("checkpoint", None, blocks, Sentence("stored.caption", {"model": called(compared.model), "place": place}))
    return Document("checkpoint", language, None, None, [section], subject=compared)


def types_of(compared: StoredModel) -> Table:
    """Return each number type with its arrays and bytes."""
    columns = [Column(Sentence("stored.types.type")), Column(Sentence("stored.number"), "r")]
    columns += [Column(Sentence("stored.bytes.size"), "r")]
    return Table("types", columns, [[Code(dtype), arrays, size] for dtype, arrays, size in compared.checkpoint.types])


def bytes_of(compared: StoredModel) -> Table:
    """Return the bytes of what is stored, which together are those of the files."""
    columns = [Column(Sentence("stored.bytes.what"), is_words=True), Column(Sentence("stored.bytes.size"), "r")]
    rows: list[list[Value]] = [[Sentence(f"stored.bytes.{kind}"), size] for kind, size in compared.bytes if size]
    rows.append([Sentence("stored.bytes.total"), compared.checkpoint.bytes])
    return Table("bytes", columns, rows, last_is_sum=True)


def sentences_of(findings: Iterable[Finding], checkpoint: Checkpoint) -> Iterator[Value]:
    """Yield a sentence for each thing that is stored otherwise; arrays of which the same is to say stand in one."""
    kind = "text" if checkpoint.printed else "module" if checkpoint.is_module else "checkpoint"
    where = {"place": Sentence(f"stored.place.{kind}")}
    alike: dict[tuple[object, ...], list[Finding]] = defaultdict(list)
    for place, finding in enumerate(findings):
        alike[_subject(finding) or (place,)].append(finding)
    for several in alike.values():
        for sentence in _said(several):
            key = IN_TEXT.get(sentence.key, sentence.key) if checkpoint.printed else sentence.key
            yield Sentence(key, {**sentence.terms, **where})
    if any(Way.BY_SHAPE in finding.ways for finding in findings):
        yield Sentence("stored.says.by_shape", where)


def unprinted(checkpoint: Checkpoint, holders: Collection[str] = ()) -> list[Value]:
    """Return what is assumed of the text of a module: which classes hold no arrays themselves, biases, shared arrays.

    ``holders`` are classes that are known to hold arrays which are not shown.
    """
    printed = checkpoint.printed
    if printed is None:
        return []
    sentences: list[Value] = []
    unseen = dict.fromkeys((*printed.unseen, *(found.module.kind for found in printed.untold)))
    for few, many, names in (
        ("stored.printed.unseen", "stored.printed.unseen_many", tuple(name for name in unseen if name not in holders)),
        ("stored.printed.assumed", "stored.printed.assumed_many", printed.assumed),
    ):
        if names:
            listed = Listed(tuple(map(Code, names[:MOST_NAMES])), "signs.list")
            more = len(names) - MOST_NAMES
            sentences.append(Sentence(many if more > 0 else few, {"names": listed, "more": more}))
    return [*sentences, Sentence("stored.printed.shared")]


def _columns() -> list[Column]:
    headings = (Sentence("stored.number"), Sentence("stored.here"), Sentence("stored.stored"))
    return [Column(Sentence("stored.tensor"), is_words=True), *(Column(heading, "r") for heading in headings)]


def _rows(finding: Finding, words: Mapping[str, str]) -> Iterator[list[Value]]:
    """Yield a row for each group of the tree, and for each of the checkpoint that stands for none, scales aside."""
    if finding.relation is Relation.SCALES:
        return
    key = next((WORDS[way] for way in WORDS if way in finding.ways), f"stored.is.{finding.relation.value}")
    word = Sentence(words.get(key, key))
    if finding.relation in (Relation.MISSING_COPIES, Relation.EXTRA_COPIES):
        groups = finding.here or finding.there
        size = sum(group.size for group in groups)
        cells: list[Value] = [size, word] if finding.here else [word, size]
        yield [Listed(tuple(map(Code, _modules(finding))), "signs.list"), sum(group.number for group in groups), *cells]
        return
    are_paired = len(finding.here) == len(finding.there)
    for place, group in enumerate(finding.here or finding.there):
        stored = finding.there[place] if are_paired else None
        shape = sides_of(group.shape)
        if not finding.here:
            cells = [word, shape]
        elif stored and Way.RENAMED in finding.ways:
            cells = [shape, Sentence("stored.renamed", {"name": Code(stored.label)})]
        elif stored and stored.shape != group.shape and Way.PACKED not in finding.ways:
            cells = [shape, sides_of(stored.shape)]
        else:
            cells = [shape, word]
        yield [Code(group.label), group.number, *cells]


def _subject(finding: Finding) -> tuple[object, ...]:
    """Return what a finding says of an array, if one sentence says it of several; () if it has its own."""
    if finding.relation in (Relation.BUFFER, Relation.SCALES, Relation.UNPRINTED):
        return (finding.relation,)
    if Way.PACKED in finding.ways or finding.relation is Relation.PADDED:
        return (finding.relation, finding.numbers)
    if finding.relation is Relation.OTHER_SHAPE:
        return _changed(finding)
    return ()


def _changed(finding: Finding) -> tuple[Expression, int, int] | tuple[()]:
    """Return the one side in which an array differs from the tree's, and its two values; () if there is none such."""
    [here], [there] = finding.here, finding.there
    if len(here.shape) != len(there.shape) or not here.sides:
        return ()
    sides = zip(here.sides, here.shape, there.shape, strict=True)
    [*changed] = ((side, mine, theirs) for side, mine, theirs in sides if mine != theirs)
    return changed[0] if len(changed) == 1 else ()


def _said(findings: Sequence[Finding]) -> Iterator[Sentence]:
    """Yield the sentences about findings of which the same is to say."""
    first = findings[0]
    stored = [group for finding in findings for group in finding.there]
    names = _listed([group for finding in findings for group in (finding.here or finding.there)])
    number = sum(group.number for group in stored)
    match first.relation:
        case Relation.BUFFER:
            yield Sentence("stored.says.buffers", {"number": number, "names": names})
        case Relation.UNPRINTED:
            size = sum(finding.parameters_here for finding in findings)
            yield Sentence("stored.says.unprinted", {"names": names, "count": size})
        case Relation.SCALES:
            ends = dict.fromkeys(group.segments[-1] for group in stored)
            yield Sentence("stored.says.scales", {"number": number, "names": Listed(tuple(map(Code, ends)), "signs.list")})
        case Relation.PADDED:
            here, there, multiple = first.numbers
            yield Sentence("stored.says.padded", {"here": here, "there": there, "multiple": multiple, "names": names})
        case Relation.OTHER_SHAPE if changed := _changed(first):
            dimension, here, there = changed
            yield Sentence("stored.says.dimension", {"dimension": dimension, "here": here, "there": there, "names": names})
        case Relation.SAME:
            for finding in findings:
                yield from _ways(finding)
            if Way.PACKED in first.ways:
                yield Sentence("stored.says.packed", {"bits": first.numbers[0], "names": names})
        case _:
            yield _difference(first)


def _ways(finding: Finding) -> Iterator[Sentence]:
    """Yield a sentence for each way in which the same numbers are stored otherwise, but for packed ones."""
    here, there = finding.here[0], finding.there[0]
    shapes = {"here": sides_of(here.shape), "there": sides_of(there.shape), "name": Code(here.label)}
    copies = max(here.number, *(group.number for group in finding.there)) // min(here.number, there.number)
    for way in finding.ways:
        match way:
            case Way.FUSED:
                yield Sentence("stored.says.fused", {"parts": _told_apart(finding.here), "whole": Code(there.label)})
            case Way.SPLIT:
                number = len(finding.there)
                yield Sentence(
                    "stored.says.split", {"whole": Code(here.label), "number": number, "parts": _told_apart(finding.there)}
                )
            case Way.STACKED:
                yield Sentence(
                    "stored.says.stacked", {"number": copies, "parts": _listed(finding.here), "whole": Code(there.label)}
                )
            case Way.UNSTACKED:
                yield Sentence(
                    "stored.says.unstacked", {"whole": Code(here.label), "number": copies, "parts": _listed(finding.there)}
                )
            case Way.TRANSPOSED:
                yield Sentence("stored.says.transposed", shapes)
            case Way.RESHAPED:
                yield Sentence("stored.says.reshaped", shapes)


def _difference(finding: Finding) -> Sentence:
    """Return the sentence about what is missing, too much, or tied otherwise."""
    groups = finding.here or finding.there
    many = sum(group.number for group in groups)
    keys = OF_MANY if many > 1 and finding.relation in OF_MANY else OF_ONE
    terms: dict[str, Value] = {
        "name": Code(groups[0].label),
        "owner": Code(finding.what),
        "one": Code(groups[0].label),
        "other": Code(groups[-1].label),
        "here": sides_of(groups[0].shape),
        "there": sides_of(finding.there[0].shape) if finding.there else None,
        "modules": Listed(tuple(map(Code, _modules(finding))), "signs.list"),
        "number": many,
        "tensors": many,
        "count": sum(group.size for group in groups),
    }
    return Sentence(keys[finding.relation], terms)


def _modules(finding: Finding) -> list[str]:
    """Return the copies of a layer that are missing or too many, in the words of whoever has them: model.layers.2–31."""
    first = (finding.here or finding.there)[0].first.split(".")
    place = next((place for place, segment in enumerate(first) if segment.isdecimal()), 0)
    runs: list[list[int]] = []
    for layer in finding.numbers:
        if runs and layer == runs[-1][1] + 1:
            runs[-1][1] = layer
        else:
            runs.append([layer, layer])
    return [".".join((*first[:place], str(start) if start == end else f"{start}–{end}")) for start, end in runs]


def _told_apart(groups: Sequence[Group]) -> Value:
    """Return the names of arrays by the segment in which they differ: q_proj, k_proj, v_proj."""
    names = [group.label.split(".") for group in groups]
    places = [place for place in range(min(map(len, names))) if len({name[place] for name in names}) > 1]
    if len(places) == 1 and len({*map(len, names)}) == 1:
        return Listed(tuple(Code(name[places[0]]) for name in names), "signs.list")
    return _listed(groups)


def _listed(groups: Sequence[Group]) -> Value:
    """Return the names of arrays, of many the first."""
    names: list[Value] = [Code(label) for label in dict.fromkeys(group.label for group in groups)]
    if len(names) > MOST_NAMES:
        names = [*names[:MOST_NAMES], Prose("…")]
    return Listed(tuple(names), "signs.list")
