"""Which model a sheet is of: its question, what somebody chose of the model, and how results of one name are told apart."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence

from symparams.derivations.steps import Step, StepKind
from symparams.expressions.nodes import Equality, Expression, Named, Number
from symparams.models.formula import Formula, Subject
from symparams.models.model import Model
from symparams.records import frozen
from symparams.sheets.catalogue import Catalogue, spaced
from symparams.sheets.values import Listed, Name, Prose, Sentence, Value


def name_of(model: Model) -> Prose:
    """Return the name of a model, or the title of its whole family."""
    is_family = model.name == model.architecture.name and not model.given
    return Prose(model.architecture.title if is_family else model.name)


def called(model: Model, plain: Callable[[Expression], str] | None = None) -> Value:
    """Return the name of a model with its changed sizes, for places without a list of them: gpt2 with L = 2.

    ``plain`` prints a formula where nothing but words may stand.
    """
    sizes = tuple(Prose(plain(size)) if plain else size for size in _changed(model))
    return (
        Sentence("page.changed", {"model": name_of(model), "sizes": Listed(sizes, "page.comma")}) if sizes else name_of(model)
    )


def choice(model: Subject) -> list[Value]:
    """Return the sentences on changed sizes and on parts that were added or left out; empty if nothing was."""
    sentences: list[Value] = [Sentence("choice.base", {"name": Prose(model.assumed)})] if model.assumed else []
    for odd in model.oddities:
        terms = {"subject": odd.subject, "size": Number(odd.size), "other": odd.other, "of": Number(odd.of)}
        sentences.append(Sentence(f"choice.{odd.kind}", terms))
    if sizes := _changed(model):
        sentences.append(Sentence("choice.sizes", {"sizes": Listed(sizes, "signs.list")}))
    for feature, is_present in model.chosen:
        sentences.append(Sentence("choice.with" if is_present else "choice.without", {"part": Name(f"part:{feature}")}))
    return sentences


def _changed(model: Subject) -> tuple[Equality, ...]:
    """The sizes that are others than those of the model by itself: L = 2."""
    if isinstance(model, Formula):
        return ()
    changed = model.origin.changed(model.values, model.relations)
    return tuple(Equality(dimension, Number(model.values[dimension])) for dimension in changed)


def assumed(model: Subject, words: Catalogue) -> str:
    """The sentence on the class that is assumed where a config names none, as plain words; "" where one is named."""
    pieces = words.sentence("choice.base") if model.assumed else []
    return spaced(*(part for literal, name in pieces for part in (literal, model.assumed if name else "")))


Names = Mapping[str, Mapping[Expression, Name]]


@frozen
class Placed:
    """A step that is referred to by name, and the parts of the tree in which it stands, outermost first."""

    step: Step
    within: tuple[str, ...]


def told_apart(sections: Sequence[Step], in_words: Callable[[Name], str]) -> Names:
    """Return the names of results that share one; ``in_words`` gives a name in the document's language."""
    met: dict[str, list[Placed]] = {}
    for named in _named(sections):
        met.setdefault(in_words(Name(_singular(str(named.step.name)))), []).append(named)
    stacks = {section.path.rpartition(".")[2] for section in sections if section.kind == StepKind.STACK}
    names: dict[str, dict[Expression, Name]] = {}
    for together in met.values():
        if any(_are_two(named, other) for named in together for other in together):
            for named in together:
                own = names.setdefault(str(named.step.name), {})  # a result is called as where a reader meets it first
                own.setdefault(named.step.written, _told(named, together, met.keys(), stacks, in_words))
    return names


def _are_two(named: Placed, other: Placed) -> bool:
    """True if two steps are not one result: by their closed forms, or as two formulas within one layer."""
    if named.step.written == other.step.written:
        return False
    return named.step.closed != other.step.closed or named.within[:1] == other.within[:1] != ()


def _singular(name: str) -> str:
    """The name of one norm for that of several: the norm of the embeddings and those of a layer are two of a kind."""
    return name.removesuffix("s") if name.endswith("_norms") else name


def _told(
    named: Placed,
    together: Sequence[Placed],
    taken: Container[str],
    stacks: Container[str],
    in_words: Callable[[Name], str],
) -> Name:
    """The name of a step, told from others of its name; where that is the name of what it stands in, as its layers.

    A block that holds a part of its own name is that name's whole, and the part has the name.
    """
    name = str(named.step.name)
    if name in named.within:
        return Name(name)
    if any(name in other.within for other in together if other.step.name == name):
        return Name(f"whole:{name}")
    same = [other for other in together if other.step.written == named.step.written]
    qualifier = _qualifier(named, [other for other in together if _are_two(named, other)], same, stacks)
    alike = [other.within for other in same if other.within != named.within]
    if alike:  # the norms of encoder_embeddings and decoder_embeddings are both the embeddings norm
        qualifier = _shared_words(qualifier, [name for within in alike for name in within]) or qualifier
    qualified = Name(name, qualifier)
    return Name(f"layers:{qualifier}") if qualifier and in_words(qualified) in taken else qualified


def _shared_words(name: str, others: Sequence[str]) -> str:
    """Return the last words that a name shares with another one: embeddings; "" if it shares none."""
    words = name.split("_")
    tails = ("_".join(words[first:]) for first in range(1, len(words)))
    return next((tail for tail in tails if any(other != name and other.endswith(f"_{tail}") for other in others)), "")


def _qualifier(named: Placed, others: Sequence[Placed], alike: Sequence[Placed], stacks: Container[str]) -> str:
    """Return the outermost part in which this step stands, and others ``alike``, and none of the others do.

    A stack of layers tells it apart only if nothing within does.
    """
    taken = {part for other in others for part in other.within}
    own = [part for part in named.within if part not in taken]
    own = [part for part in own if all(part in same.within for same in alike)] or own
    return next((part for part in own if part not in stacks), own[0] if own else "")


def _named(sections: Sequence[Step]) -> Iterator[Placed]:
    places: dict[str, tuple[str, ...]] = {}
    for section in sections:
        for step in _walk(section):
            name = str(step.name)
            within = tuple(part for part in step.path.split(".") if part) or _place(step.written, places)
            if step.kind not in (StepKind.GROUP, StepKind.TOTAL):
                yield Placed(step, within[:-1] if within[-1:] == (name,) else within)
            places[name] = within


def _walk(step: Step) -> Iterator[Step]:
    for inner in step.steps:
        yield from _walk(inner)
    yield step


def _place(expression: Expression, places: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the place of a sum over the whole model: that of the results that it adds up."""
    if isinstance(expression, Named):
        return places.get(str(expression.label), ())
    return next((place for part in expression.operands if (place := _place(part, places))), ())
