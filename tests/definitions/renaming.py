"""A model under other names: of its family, of every part of its tree, of every letter; what is counted stays what it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from random import Random

from symparams import Architecture, Component, Dimension, Model
from symparams.components.facts import Stream, Vector
from symparams.components.kinds import Role
from symparams.components.laws import Law
from symparams.components.letters import in_letters, written_in
from symparams.components.walks import components
from symparams.expressions.symbols import INPUTS, W, chunk
from symparams.models.load import load_with

# Names that other families give to other parts, so that a rule that goes by a name goes wrong.
FAMILIES = ("clip", "whisper", "gpt_neo", "t5", "vit", "mamba", "deberta_v2", "mine")
PARTS = (
    "encoder", "decoder", "lm_head", "classifier", "pooler", "embeddings", "attention", "output", "convolution",
    "image_encoder", "token_embedding", "router", "up", "down", "gate", "query", "key_value", "cross_attention", "projector",
    "norm", "eins", "层",
)  # fmt: skip
LETTERS = (
    "V", "h", "L", "d_ff", "n_heads", "d_head", "max_pos", "L_window", "n_experts", "n_active", "L_enc", "d_state",
    "n_patches", "λ",
)  # fmt: skip


def renamed(model: Model, seed: int | None) -> Model:
    """Return the same model as a family of somebody's own, which no table knows, with names drawn at random, or as they are.

    What the model's config chooses of the flow of its data stands in the tree: the activation, the window, the chunk.
    """
    random = None if seed is None else Random(seed)  # noqa: S311 - the same names in each run
    tree = _as_chosen(model)
    copied = [part.name for _, part in components(tree) if part.name and part.name != part.kind.name]
    paths = [path for path, _ in components(tree) if path and path != Stream.ENCODER]
    read = [part.reads for _, part in components(tree) if part.reads not in ("", *Stream, *Vector, *paths)]
    names = _drawn(random, PARTS, [*paths, *copied, *read]) if random else {path: path.rpartition(".")[2] for path in paths}
    laws = model.architecture.laws
    told = [letter for law in laws for letter in (*law.subject.dimensions, *law.value.dimensions)]
    sizes = (
        *Architecture("every", tree=tree).dimensions,
        chunk,
        *told,
    )  # a chunk's letter is no size of a family that is known
    every = [letter for letter in dict.fromkeys(sizes) if letter not in INPUTS]
    drawn = _drawn(random, LETTERS, [letter.name for letter in every])
    letters = {letter: Dimension(drawn[letter.name]) for letter in every}
    family = Architecture(
        random.choice(FAMILIES) if random else "mine",
        tree=in_letters(_under(names, tree), letters),
        laws=[Law(law.binding, written_in(law.subject, letters), written_in(law.value, letters)) for law in laws],
    )
    chosen = {W: model.choices.get("window"), chunk: model.choices.get("chunk")}
    values = {**{letter: value for letter, value in chosen.items() if value}, **model.values}
    bound = {letters[letter]: value for letter, value in values.items() if letter in letters}
    given = {letter.name: value for letter, value in bound.items() if letter in family.dimensions}
    return load_with(family, {name: value for name, value in given.items() if Dimension(name) not in family.identities})


def _drawn(random: Random | None, pool: Iterable[str], names: Iterable[str]) -> Mapping[str, str]:
    """Another name for each, drawn from a pool and from words that are nobody's; the same names without a lot."""
    old = list(dict.fromkeys(names))
    new = random.sample([*pool, *(f"q{number}" for number in range(len(old)))], len(old)) if random else old
    return dict(zip(old, new, strict=True))


def _under(names: Mapping[str, str], part: Component, path: str = "") -> Component:
    """A part under other names, one of its own in each place, and what it ties, reads or acts on by its path."""

    def there(path: str) -> str:
        every = path.split(".")
        return ".".join(names.get(".".join(every[: depth + 1]), name) for depth, name in enumerate(every))

    def inside(name: str) -> str:
        return f"{path}.{name}" if path and name else path or name

    tied = tuple(replace(tensor, tied_to=there(tensor.tied_to)) if tensor.tied_to else tensor for tensor in part.tensors)
    body = tuple(
        (names.get(inside(name), name) if name else "", _under(names, child, inside(name))) for name, child in part.body
    )
    name = part.name if part.name == part.kind.name else names.get(part.name, part.name)  # a block that nobody called otherwise
    return replace(
        part,
        name=name,
        tensors=tied,
        body=body,
        reads=part.reads if isinstance(part.reads, (Stream, Vector)) else there(part.reads),
        acts_on=there(part.acts_on),
    )


def _as_chosen(model: Model) -> Component:
    """A model's tree with the activation that its config chooses, and without a window where it chooses none."""
    activation = model.choices.get("activation")
    has_window = bool(model.choices.get("window"))

    def chosen(part: Component) -> Component:
        is_chosen = bool(activation) and part.role is Role.FEED_FORWARD and bool(part.activation)
        facts = part.attending if has_window or part.attending is None else replace(part.attending, window=None)
        body = tuple((name, chosen(child)) for name, child in part.body)
        return replace(part, activation=str(activation) if is_chosen else part.activation, attending=facts, body=body)

    return chosen(model.tree)
