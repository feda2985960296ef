"""Discovery: the definition of a model that nobody wrote down, found from what it builds, and checked against it.

``discover`` builds a model at many sizes, finds each side and each number of copies as an expression in the sizes, and compares
the result with other models that it has not seen.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from symparams.architectures import Architecture, Certificate
from symparams.components.laws import divides
from symparams.discovery.agreement import divisions, shapes_by, shapes_of
from symparams.discovery.observation import Build, observe
from symparams.discovery.parts import Observation, Part, merge
from symparams.discovery.recognition import architecture
from symparams.discovery.sampling import at_random, by_role, divisors, one_at_a_time
from symparams.errors import DiscoveryError, quoted
from symparams.expressions.nodes import Dimension, is_name
from symparams.expressions.written import exact
from symparams.quantities.parameters import PARAMETERS

FEWEST_ROWS = 20
ROUNDS = 4  # of samples that did not fit, and were added to those to fit
MOST_SWITCHES = 4  # whose settings are all tried


def discover(build: Build | str, /, *, name: str = "", rows: int = 60, seed: int = 0, **sizes: int | bool) -> Architecture:
    """Return the architecture of a model from a function that builds it at any sizes, or of a class of transformers.

    ``build(**sizes)`` returns a ``torch.nn.Module``, built on the meta device, or a mapping of names to shapes. ``sizes`` are
    values at which it builds: whole numbers are dimensions, booleans switches, which become features. ``rows`` models are
    built to find the shapes, and as many others, of other sizes, to check them; ``certificate`` of the result says which::

        def build(V, h, L):
            return {"embed.weight": (V, h), **{f"layers.{i}.up.weight": (4 * h, h) for i in range(L)}}

        symparams.discover(build, V=100, h=64, L=2)      # 4·L·h² + V·h

    A text names a type of the transformers library, or one of its classes, which is built from many configs:
    ``symparams.discover("qwen3_next")``. It needs no sizes, and takes seconds to minutes.

    Raises DiscoveryError if the model does not build at these sizes, or names each array for which no expression was found.
    """
    if isinstance(build, str):
        return _of_library(build, name, rows, seed, sizes)
    letters, switches = _checked(sizes)
    if rows < FEWEST_ROWS:
        raise DiscoveryError(f"rows = {rows} models are too few to find expressions from: give at least {FEWEST_ROWS}.")
    rng = random.Random(seed)  # noqa: S311 - no secret
    base = {letter: int(sizes[letter]) for letter in letters}
    trial = _Trial(build, letters, switches)
    first = trial.build(base, frozenset(switch for switch in switches if sizes[switch]))
    if first is None:
        raise DiscoveryError(f"The model does not build at {_shown(sizes)}: {trial.problem}")
    pairs = divisors(base, letters)
    fitted = [first, *trial.built(_to_fit(base, letters, switches, pairs, rows, rng))]
    part, checked = _fitted(trial, fitted, lambda: _by_role(base, letters, switches, rows // 2, rng))
    part, anywhere = _held(trial, part, fitted, lambda: _anywhere(base, letters, switches, rows, rng), pairs)
    right, wrong = _compared(part, anywhere)
    needed = _divisions(right, wrong, pairs)
    if needed is None:
        raise DiscoveryError(f"The expressions that were found do not hold at {_shown(wrong[0].sizes)}.")
    kept = [seen for seen in right if all(seen.sizes[of] % seen.sizes[divisor] == 0 for divisor, of in needed)]
    seen_all = [*fitted, *checked, *kept]
    certificate = Certificate(
        made_by=f"torch {sys.modules['torch'].__version__.partition('+')[0]}" if first.module.of else "",
        by_role=len(fitted) + len(checked),
        at_random=len(kept),
        refused=trial.refused + len(anywhere) - len(kept),
        ranges={letter: _range(seen.sizes[letter] for seen in seen_all) for letter in letters},
        switches=tuple(switches),
        seed=seed,
    )
    usual = frozenset(switch for switch in switches if sizes[switch])
    laws = [divides(Dimension(divisor), Dimension(of)) for divisor, of in needed]
    made = architecture(name or _name(build), part, laws, usual, certificate)
    _refuse_other_count(made, first)
    return made


def _refuse_other_count(made: Architecture, seen: Observation) -> None:
    """DiscoveryError if the tree counts another number of parameters than the model that it was found from."""
    formula = made.resolved(frozenset(feature.name for feature in made.has)).formula(PARAMETERS)
    sizes: dict[Dimension, Any] = {Dimension(letter): size for letter, size in seen.sizes.items()}
    for letter, value in made.known.items():
        sizes.setdefault(letter, exact(value, sizes))
    here = exact(formula, sizes)
    if here != (real := seen.module.count()):
        raise DiscoveryError(f"The tree that was found counts {here:,} parameters, the model has {real:,}: please report it.")


def _of_library(what: str, name: str, rows: int, seed: int, sizes: Mapping[str, object]) -> Architecture:
    """The architecture of a type or a class of the transformers library."""
    if sizes:
        raise DiscoveryError(f"{quoted(what)} is built from its own configs: leave out {', '.join(sizes)}.")
    from symparams.discovery.library import architecture_of

    found = architecture_of(what, rows=rows, seed=seed)
    return found.changed(name=name) if name else found


Pairs = Sequence[tuple[str, str]]
Samples = Callable[[], Iterator[tuple[dict[str, int], frozenset[str]]]]


def _fitted(trial: _Trial, fitted: list[Observation], more: Samples) -> tuple[Part, list[Observation]]:
    """The parts that give all models to fit, and others of their kind; those that they did not give are fitted, too."""
    for _ in range(ROUNDS):
        part = trial.merged(fitted)
        checked = list(trial.built(more()))
        _, wrong = _compared(part, checked)
        if not wrong:
            return part, checked
        fitted += wrong
    raise DiscoveryError(f"The expressions that were found do not hold at {_shown(wrong[0].sizes)}.")


def _held(
    trial: _Trial, part: Part, fitted: list[Observation], anywhere: Samples, pairs: Pairs
) -> tuple[Part, list[Observation]]:
    """The parts that hold at sizes of any kind, and the models of such sizes that say so.

    Where a model at such sizes differs, it is fitted, too, as where more layers are dense than there are layers. But what needs
    rounding, as n_heads·⌊h / n_heads⌋, stays h where sizes that do not divide can be left to a law.
    """
    for _ in range(ROUNDS):
        seen = list(trial.built(anywhere()))
        right, wrong = _compared(part, seen)
        if not wrong:
            break
        try:
            other = trial.merged([*fitted, *wrong])
        except DiscoveryError:
            break
        if other.roundings > part.roundings and _divisions(right, wrong, pairs) is not None:
            break
        fitted += wrong
        part = other
    else:
        seen = list(trial.built(anywhere()))  # other models than those that were fitted
    return part, seen


def _divisions(right: Sequence[Observation], wrong: Sequence[Observation], pairs: Pairs) -> Pairs | None:
    """The fewest pairs of which the first size must divide the second, so that no wrong model is left; None if none do."""
    return divisions([seen.sizes for seen in wrong], [seen.sizes for seen in right], pairs)


def _compared(part: Part, models: Sequence[Observation]) -> tuple[list[Observation], list[Observation]]:
    """The models that have every name and shape that the parts give, and the others."""
    right = [seen for seen in models if shapes_by(part, seen.sizes, seen.switches) == shapes_of(seen.module)]
    return right, [seen for seen in models if not any(seen is other for other in right)]


def _range(values: Iterable[int]) -> tuple[int, int]:
    several = list(values)
    return min(several), max(several)


class _Trial:
    """The models that are built, and how many were refused."""

    def __init__(self, build: Build, letters: Sequence[str], switches: Sequence[str]) -> None:
        self._build, self._letters, self._switches = build, letters, switches
        self.refused, self.problem = 0, ""

    def build(self, sizes: dict[str, int], on: frozenset[str]) -> Observation | None:
        """A model; None if it does not build."""
        try:
            module = observe(self._build, {**sizes, **{switch: switch in on for switch in self._switches}})
        except DiscoveryError:
            raise
        except Exception as error:  # noqa: BLE001 - a model refuses sizes in any way
            self.refused += 1
            self.problem = f"{type(error).__name__}: {error}".splitlines()[0]
            return None
        return Observation(sizes, on, module)

    def merged(self, models: Sequence[Observation]) -> Part:
        """The one part that gives all these models."""
        return merge(models, self._letters, self._switches)

    def built(self, samples: Iterator[tuple[dict[str, int], frozenset[str]]]) -> Iterator[Observation]:
        """The models of these samples that build."""
        for sizes, on in samples:
            seen = self.build(sizes, on)
            if seen is not None:
                yield seen


def _to_fit(base: dict[str, int], letters: list[str], switches: list[str], pairs: Any, rows: int, rng: random.Random) -> Any:
    """One size at a time, then all at once, for all settings of the switches."""
    for sizes in one_at_a_time(base, letters):
        if all(sizes[of] % sizes[divisor] == 0 for divisor, of in pairs):
            yield sizes, _any(switches, rng)
    yield from _by_role(base, letters, switches, rows, rng)


def _by_role(base: dict[str, int], letters: list[str], switches: list[str], rows: int, rng: random.Random) -> Any:
    settings = list(_settings(switches))
    for place in range(max(rows, 8 * len(settings))):
        on = settings[place % len(settings)] if len(switches) <= MOST_SWITCHES else _any(switches, rng)
        yield by_role(base, letters, rng), on


def _anywhere(base: dict[str, int], letters: list[str], switches: list[str], rows: int, rng: random.Random) -> Any:
    for _ in range(rows):
        yield at_random(base, letters, rng), _any(switches, rng)


def _settings(switches: Sequence[str]) -> Iterator[frozenset[str]]:
    if len(switches) > MOST_SWITCHES:
        yield from (frozenset(), frozenset(switches))
        return
    for states in product((False, True), repeat=len(switches)):
        yield frozenset(switch for switch, state in zip(switches, states, strict=True) if state)


def _any(switches: Sequence[str], rng: random.Random) -> frozenset[str]:
    return frozenset(switch for switch in switches if rng.random() < 0.5)


def _checked(sizes: dict[str, Any]) -> tuple[list[str], list[str]]:
    for name, value in sizes.items():
        if not isinstance(value, int) or (not isinstance(value, bool) and value < 1):
            raise DiscoveryError(
                f"{name} = {quoted(value, 30)} is not a size: give a whole number from 1, or True or False for a switch."
            )
        if not is_name(name):
            raise DiscoveryError(f"{quoted(name)} is not the name of a letter: write letters, digits and _.")
    letters = [name for name, value in sizes.items() if not isinstance(value, bool)]
    if not letters:
        raise DiscoveryError("Give the sizes at which the model builds: discover(build, V=100, h=64, L=2).")
    return letters, [name for name in sizes if name not in letters]


def _shown(sizes: Any) -> str:
    return ", ".join(f"{name}={value}" for name, value in sizes.items())


def _name(build: Callable[..., Any]) -> str:
    name = getattr(build, "__name__", "")
    return name.lower() if is_name(name) else "discovered"
