"""What is known of all pairs of a type and a class of the library, by head, and how well: a table, the worst, the wrong."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from symparams import load
from symparams.atlas import entries
from symparams.errors import SymparamsError
from symparams.models.library import Settings, library
from symparams.models.library.legacy import identify
from tests.library.atlas import Verdict, smallest, verdicts
from tests.library.atlas_configs import Subject
from tests.library.atlas_sweep import swept

BY_HAND, DISCOVERED, UNKNOWN = "by hand", "discovered", "unknown"
EQUAL, REFUSED, WRONG = "equal", "refused", "wrong"
# A row of the table, and the maps of the library of which it has the pairs; the rest is a row of its own.
HEADS = {
    "base model": "MODEL",
    "causal LM": "CAUSAL_LM",
    "masked LM": "MASKED_LM",
    "seq2seq LM": "SEQ_TO_SEQ_CAUSAL_LM",
    "sequence classes": "SEQUENCE_CLASSIFICATION",
    "token classes": "TOKEN_CLASSIFICATION",
    "answers, choices": r"QUESTION_ANSWERING|MULTIPLE_CHOICE|NEXT_SENTENCE_PREDICTION|TABLE_QUESTION_ANSWERING",
    "pretraining": "PRETRAINING",
    "image and text": r"IMAGE_TEXT_TO_TEXT|MULTIMODAL_LM|VISUAL_QUESTION_ANSWERING|DOCUMENT_QUESTION_ANSWERING|.*RETRIEVAL",
    "image": r".*(IMAGE(?!_TEXT)|BACKBONE|OBJECT|SEGMENT|DEPTH|KEYPOINT|MASK_GEN|POSE|NORMAL|POINTMAP|TEXT_REC|TABLE_REC).*",
    "video": "VIDEO_CLASSIFICATION",
    "speech": r".*(AUDIO|CTC|SPEECH|RNNT|TDT|SPECTROGRAM|WAVEFORM).*",
}
OTHER = "other"
MOST_LISTED = 25
MOST_WRONG = 8  # of one class that are made smaller


@dataclass
class Tally:
    """Pairs by how they are known, and configurations by their verdict."""

    pairs: Counter[str] = field(default_factory=Counter)
    configs: Counter[str] = field(default_factory=Counter)

    def row(self, name: str) -> list[str]:
        """The numbers of one head."""
        pairs, configs = self.pairs.total(), self.configs.total()
        known = [f"{self.pairs[way]:,}" for way in (BY_HAND, DISCOVERED, UNKNOWN)]
        judged = [f"{self.configs[word]:,} {_percent(self.configs[word], configs)}" for word in (EQUAL, REFUSED, WRONG)]
        return [name, f"{pairs:,}", *known, _percent(pairs - self.pairs[UNKNOWN], pairs), f"{configs:,}", *judged]


HEADER = ["head", "pairs", BY_HAND, DISCOVERED, UNKNOWN, "known", "configs", EQUAL, REFUSED, WRONG]


@cache
def pairs() -> dict[tuple[str, str], tuple[str, ...]]:
    """Each type with each class that the library's auto classes name for it, and the heads that it is of."""
    from transformers.models.auto import modeling_auto

    found: dict[tuple[str, str], dict[str, None]] = {}
    for name in sorted(vars(modeling_auto)):
        if match := re.fullmatch(r"MODEL_(?:FOR_)?(?:(\w+)_)?MAPPING_NAMES", name):
            head = _head(match[1] or "MODEL")
            for kind, classes in getattr(modeling_auto, name).items():
                for one in (classes,) if isinstance(classes, str) else classes:
                    found.setdefault((kind, one), {})[head] = None
    return {pair: tuple(heads) for pair, heads in sorted(found.items())}


def _head(name: str) -> str:
    return next((head for head, pattern in HEADS.items() if re.fullmatch(pattern, name)), OTHER)


def known(kind: str, name: str) -> str:
    """How a class is known: by a family by hand, as discovered, or not at all."""
    try:
        family, _ = identify(Settings({"model_type": kind}), "")
    except SymparamsError:
        return DISCOVERED if name in entries(kind) else UNKNOWN
    table = library(family)
    if table is not None and name in table.classes:
        return BY_HAND
    try:
        load({"model_type": kind, "architectures": [name]})
    except SymparamsError:
        return DISCOVERED if name in entries(kind) else UNKNOWN
    return BY_HAND


def judged(work: tuple[str, str, int, str]) -> list[Verdict]:
    """The verdicts on one pair, 0 for one with each key changed; of the wrong ones the smallest configs that still are."""
    kind, name, number, seed = work
    subject = Subject(kind, name)
    found = list(verdicts(subject, number, seed) if number else swept(subject, seed))
    seen: set[str] = set()
    for place, verdict in enumerate(found):
        if verdict.word == WRONG and len(seen) < MOST_WRONG:
            found[place] = smallest(verdict)
            seen.add(str(found[place]))
    return found


def report(every: Sequence[tuple[str, str]], results: dict[tuple[str, str], list[Verdict]]) -> Iterator[str]:
    """The lines that a person reads: the table by head, the worst types, why configs are refused, what is wrong."""
    ways = {pair: known(*pair) for pair in every}
    tallies = {name: Tally() for name in (*HEADS, OTHER, "all", BY_HAND, DISCOVERED)}
    for pair in every:
        configs = Counter(verdict.word for verdict in results.get(pair, ()))
        for name in {*pairs().get(pair, (OTHER,)), "all", ways[pair]} & tallies.keys():
            tallies[name].pairs[ways[pair]] += 1
            tallies[name].configs += configs
    yield from _table([HEADER, *(tally.row(name) for name, tally in tallies.items() if tally.pairs)])
    verdicts_of_all = [verdict for of_pair in results.values() for verdict in of_pair]
    yield from _worst(results)
    yield from _causes(verdicts_of_all)
    yield from _silent(every, ways, results)
    wrong = dict.fromkeys(str(verdict) for verdict in verdicts_of_all if verdict.word == WRONG)
    yield ""
    yield f"{len(wrong)} wrong:" if wrong else "None is wrong."
    yield from wrong


def _worst(results: dict[tuple[str, str], list[Verdict]]) -> Iterator[str]:
    by_kind: dict[str, list[Verdict]] = {}
    for (kind, _), found in results.items():
        by_kind.setdefault(kind, []).extend(found)
    rated = sorted(by_kind, key=lambda kind: (-sum(one.word == WRONG for one in by_kind[kind]), _share(by_kind[kind]), kind))
    rated = [kind for kind in rated if by_kind[kind] and _share(by_kind[kind]) < 1][:MOST_LISTED]
    if rated:
        yield ""
        yield "The worst types: equal, refused, wrong, and why most often:"
        for kind in rated:
            counts = Counter(one.word for one in by_kind[kind])
            reason = Counter(one.refusal for one in by_kind[kind] if one.refusal).most_common(1)
            numbers = " ".join(f"{counts[word]:>5,}" for word in (EQUAL, REFUSED, WRONG))
            yield f"  {kind:<28} {numbers}  {reason[0][0][:110] if reason else ''}"


def _share(found: Sequence[Verdict]) -> float:
    return sum(one.word == EQUAL for one in found) / max(1, len(found))


def _causes(found: Iterable[Verdict]) -> Iterator[str]:
    causes = Counter(_cause(one.refusal, one.subject.name) for one in found if one.refusal)
    if causes:
        yield ""
        yield "Why configs are refused:"
        yield from (f"  {times:>6,}  {cause}" for cause, times in causes.most_common(MOST_LISTED))


def _cause(refusal: str, name: str) -> str:
    """A refusal without the names, the numbers and the words of its config."""
    general = refusal.replace(name, "CLASS")
    general = re.sub(r"'[^']*'|(?<= was not checked for CLASS: ).*", "…", general)
    general = re.sub(r"-?\d[\d,.]*\d|-?\d", "N", general)
    return re.sub(r"\b[a-z]\w*(?:\.\w+)*(?= (?:=|has|is not in|is outside))|(?<=multiple of )\S+", "KEY", general)[:120]


def _silent(
    every: Sequence[tuple[str, str]], ways: dict[tuple[str, str], str], results: dict[tuple[str, str], list[Verdict]]
) -> Iterator[str]:
    """The pairs that are known and of which the library built no config."""
    silent = [name for pair in every for name in pair[1:] if ways[pair] != UNKNOWN and not results.get(pair)]
    if silent:
        yield ""
        yield f"Not built by the library, so not judged: {', '.join(silent)}"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def _table(rows: list[list[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        first, *others = (
            cell.ljust(width) if not place else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join([first, *others]).rstrip()
