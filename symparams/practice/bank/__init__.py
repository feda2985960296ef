"""The bank: its records, a file a chapter, and the questions that they make of models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from operator import attrgetter

from symparams.answers.synonyms import named
from symparams.architectures import published_names
from symparams.errors import OptionError, UnknownNameError, quoted
from symparams.models.load import load
from symparams.models.model import Model
from symparams.practice.asking import ask
from symparams.practice.chance import ordered
from symparams.practice.kind import QuestionTemplate, chapter, chapters, kinds
from symparams.practice.question import Question

MOST_LOADED = 1_024
# Whom people are asked about, the plainest first: a booklet takes the first of them to which a kind applies.
FAMILIAR = (
    "gpt2", "bert-base-uncased", "llama-3-8b", "llama-7b", "mixtral-8x7b", "t5-small", "transformer-base", "deepseek-v3",
    "qwen2-7b", "mistral-7b-v0.1", "gemma-7b", "gpt3-175b", "vit-base-patch16-224", "albert-base-v2", "opt-125m", "bart-base",
    "llama-2-70b",
)  # fmt: skip


def chosen(of_chapter: str = "", level: str = "") -> list[QuestionTemplate]:
    """The kinds of a chapter, or of all, at one level or at any."""
    candidates = chapter(of_chapter).kinds if of_chapter else tuple(kinds().values())
    return [kind for kind in candidates if level in ("", kind.level)]


class Models:
    """Models in an order, each loaded when it is asked about."""

    def __init__(self, targets: Sequence[str | Model]) -> None:
        self.targets = targets

    def __iter__(self) -> Iterator[Model]:
        return (_loaded(target) if isinstance(target, str) else target for target in self.targets)


def models(targets: Sequence[str | Model] = (), *seed: object) -> Models:
    """The models that are asked about: those that are named, or the published ones, the familiar before the others.

    With a seed the familiar stand in its order, and so do the others.
    """
    if targets:
        loaded: tuple[Model, ...] = tuple(Models(targets))
        return Models(ordered(loaded, *seed, key=attrgetter("name")) if seed else loaded)
    familiar = [name for name in FAMILIAR if name in published_names()]
    others = [name for name in published_names() if name not in familiar]
    names = [*ordered(familiar, *seed), *ordered(others, *seed)] if seed else [*familiar, *others]
    return Models(names)


@lru_cache(maxsize=MOST_LOADED)
def _loaded(name: str) -> Model:
    try:
        return load(name)
    except UnknownNameError:
        meant = named("chapter", name) or name
        if meant not in [entry.name for entry in chapters()]:
            raise
        raise UnknownNameError(f"{quoted(name)} is a chapter, not a model: write --chapter {meant}.") from None


def of_each(of_kinds: Iterable[QuestionTemplate], asked: Iterable[Model], *, every: bool = False) -> Iterator[Question]:
    """Yield the question of each kind on the first model that it can be asked of, or on every such model.

    A question that reads the same for every model is asked once.
    """
    for kind in of_kinds:
        questions = (question for model in asked if (question := ask(kind, model)) is not None)
        yield from questions if every and kind.is_of_a_model else islice(questions, 1)


def refuse_none(questions: Sequence[Question], targets: Sequence[str]) -> None:
    """OptionError where nothing can be asked."""
    if not questions:
        of = f" of {', '.join(targets)}" if targets else ""
        raise OptionError(f"The bank has no such question{of}: leave out --chapter or --level, or name another model.")
