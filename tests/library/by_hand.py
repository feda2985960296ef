"""A family by hand and the discovery of its main class, each the other's test: both closed forms in the keys of a config.

Configs are drawn as for the families' own tests, and every combination of the switches that either side knows is set. Of each
the two forms are read, every letter becomes the key under which it stands, or what it is where that key is absent, and the
difference must be the polynomial 0. Where a side works a number out of keys as no polynomial says it (which layers have
experts, what is rounded), these keys alone have their values in place of their letters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, product
from random import Random
from typing import Any

from symparams import load
from symparams.architectures import architecture
from symparams.atlas.configs import of_entry
from symparams.atlas.facts import LABELS, SECTION, TYPE, flat, is_whole
from symparams.atlas.record import Entry
from symparams.errors import DiscoveryError, NotAnExpressionError, SymparamsError
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.nodes import Ceiling, Dimension, Expression, Floor, Minimum, Number
from symparams.expressions.printing.printer import plain
from symparams.expressions.symbols import n_labels
from symparams.expressions.written import evaluate, exact, replaced
from symparams.models.library import Flag, Library, Settings, library
from symparams.models.library.settings import TracedConfig
from symparams.models.load import complete
from symparams.quantities.parameters import FROZEN, PARAMETERS
from tests.library.atlas import built
from tests.library.atlas_configs import NotBuiltError, Subject
from tests.library.configurations import SPACES
from tests.library.oracle import configuration, correction

HEADS = ("ForConditionalGeneration", "MTModel", "ForMaskedLM", "ForCausalLM", "LMHeadModel")  # the first that a family has
COMBINATIONS, FEWEST, MOST = 64, 40, 400  # configs: of so many combinations of switches, and in all
SHOWN = 2  # differences
LONGEST = 120  # seconds of a discovery
OLDER = "_config_dict"  # sections that stand in for others
DOT = "__"  # in the letter of a key of a section
COUNTS = (PARAMETERS, FROZEN)  # what is trained, and what is not
POLYNOMIALS, NUMBERS, DIFFERS, UNKNOWN = "equal as polynomials", "equal as numbers", "differs", "not discovered"
NEVER = "no config that both read"

Config = Mapping[str, Any]


@dataclass(frozen=True)
class Side:
    """What one side says of a config: its counts in letters, what the letters mean in keys, and their numbers.

    ``odd`` are the keys out of which a number was worked out as no expression says it.
    """

    counts: tuple[Expression, ...]
    meanings: Mapping[Dimension, Expression]
    numbers: Mapping[Dimension, int]
    odd: frozenset[str]

    @property
    def total(self) -> int:
        """All that is counted."""
        return sum(evaluate(count, self.numbers) for count in self.counts)

    @cached_property
    def written(self) -> tuple[Expression, ...]:
        """The counts in keys; a letter has its meaning."""
        return tuple(replaced(count, self.meanings) for count in self.counts)

    @property
    def form(self) -> tuple[object, ...]:
        """What is the same for two configs of one form: the counts, and the meanings but for numbers."""
        return self.counts, frozenset((of, None if isinstance(one, Number) else one) for of, one in self.meanings.items())


@dataclass
class Comparison:
    """What came out of one family: configs by verdict, different pairs of forms, keys that had values, a difference."""

    family: str
    name: str
    configs: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    forms: set[tuple[object, ...]] = field(default_factory=set)
    valued: set[str] = field(default_factory=set)
    differences: dict[str, str] = field(default_factory=dict)
    problem: str = ""

    @property
    def word(self) -> str:
        """The verdict."""
        if self.problem:
            return UNKNOWN
        return next((word for word in (DIFFERS, NUMBERS, POLYNOMIALS) if self.configs[word]), NEVER)

    def __str__(self) -> str:
        first = f"{self.family:<17} {self.name:<36} {self.word}"
        if self.problem:
            return f"{first}: {self.problem}"
        often = f" ({self.configs[self.word]})" if self.word != POLYNOMIALS else ""
        lines = [f"{first}{often}: {len(self.forms)} forms at {self.configs.total()} configs"]
        if self.valued:
            lines[0] += f", with values for {', '.join(sorted(self.valued))}"
        lines += [f"left out {times}: {reason}" for reason, times in self.left_out.most_common()]
        return "\n    ".join([*lines, *sorted(self.differences.values(), key=len)[:SHOWN]])


def main_class(family: str) -> str:
    """The class of a family that people mean: a language model, or else its base class."""
    known = _table(family).classes
    return next((name for head in HEADS for name in known if name.endswith(head)), next(iter(known)))


def discovered(family: str, *, rows: int = 60) -> Entry:
    """The entry of the main class of a family; DiscoveryError where it cannot be found."""
    from symparams.discovery.library.making import make
    from symparams.discovery.library.subjects import classes, subjects
    from symparams.discovery.library.survey import survey

    name = main_class(family)
    kind = next(kind for kind in classes() if kind.replace("-", "_") == family)
    subject = next(one for one in subjects(kind) if one.name == name)
    found = survey(subject)
    if found is None:
        raise DiscoveryError(f"the library does not build {name}: {subject.problem}")
    return make(found, kind, rows=rows, seconds=LONGEST)


def compared(family: str, entry: Entry | None = None) -> Comparison:
    """Hold both sides against each other at the configs of ``_configs``."""
    found = Comparison(family, main_class(family))
    try:
        entry = entry or discovered(family)
    except Exception as error:  # noqa: BLE001 - what is of no use of one family is told, and no end of the others
        found.problem = f"{type(error).__name__}: {error}"
        return found
    for config in _configs(family, entry, found):
        side = ""
        try:
            side = "by hand"
            hand = _by_hand(entry, config)
            side = "as discovered"
            own = _by_entry(entry, config)
        except SymparamsError as error:
            found.left_out[f"{side} refused: {_general(error)}"] += 1
            continue
        _compare(found, entry, config, hand, own)
    return found


def _compare(found: Comparison, entry: Entry, config: Config, hand: Side, own: Side) -> None:
    difference, valued = _difference(hand, own, _facts(entry, config))
    is_equal = hand.total == own.total
    word = POLYNOMIALS if is_equal and not difference else NUMBERS if is_equal else DIFFERS
    if word != POLYNOMIALS:
        built = _built(entry, config)
        if built is None:
            found.left_out["the library does not build it"] += 1
            return
        if difference not in found.differences:
            totals = f"{hand.total:,} by hand, {own.total:,} as discovered, {built:,} in the library"
            given = {key: value for key, value in config.items() if key not in (TYPE, "architectures")}
            found.differences[difference] = f"by hand − discovered = {difference}: {totals}, of {given}"
    found.configs[word] += 1
    found.valued |= valued
    found.forms.add((hand.form, own.form))


def _difference(hand: Side, own: Side, facts: Mapping[str, Any]) -> tuple[str, set[str]]:
    """The difference as an expression, "" for the polynomial 0, and the keys that had values in place of their letters."""
    at = {_letter(key): value for key, value in facts.items() if is_whole(value)}
    forms = [tuple(_unrounded(count, at) for count in side.written) for side in (hand, own)]
    shown, keys = "", set[str]()
    for more in (set(), hand.odd | own.odd, {key for side in forms for count in side for key in _rounded(count)}):
        keys |= {key for key in more if _letter(key) in at}
        values = {_letter(key): Number(at[_letter(key)]) for key in keys}
        try:
            rests = [
                multiply_out(replaced(a, values), {}) - multiply_out(replaced(b, values), {})
                for a, b in zip(*forms, strict=True)
            ]
        except NotAnExpressionError:
            continue
        if not any(rests):
            return "", keys
        shown = ", ".join(plain(as_written(rest)) for rest in rests if rest)
    return shown or "no polynomial", keys


def _unrounded(expression: Expression, at: Mapping[Dimension, int]) -> Expression:
    """The same expression, of what is rounded the quotient itself where that is whole here."""
    if not isinstance(expression, (Floor, Ceiling)) or exact(expression.operands[0], at).denominator != 1:
        return (
            expression.of(*(_unrounded(operand, at) for operand in expression.operands)) if expression.operands else expression
        )
    return _unrounded(expression.operands[0], at)


def _rounded(expression: Expression) -> Iterator[str]:
    """The keys within what is rounded."""
    if isinstance(expression, (Floor, Ceiling, Minimum)):
        yield from (dimension.name.replace(DOT, SECTION) for dimension in expression.dimensions)
    for operand in expression.operands:
        yield from _rounded(operand)


def _by_hand(entry: Entry, config: Config) -> Side:
    """A config by the family: a letter is its key, or what follows from a relation, or a number that was worked out."""
    model = load(deepcopy(dict(config)))
    table, facts = model.library, _facts(entry, model.origin.config or {})
    assert table is not None
    asked: set[str] = set()
    settings = Settings(TracedConfig(model.origin.config or {}, asked))
    for switch in table.flags.values():
        if not isinstance(switch, Flag):  # sizes say whether there is something: layers with experts
            switch(settings, table)

    def meaning(dimension: Dimension) -> Expression:
        value = model.values[dimension]
        names = [entry.aliases.get(name, name) for name in (table.keys[dimension].names if dimension in table.keys else ())]
        if dimension == n_labels:
            names = [LABELS]
        if (name := next((name for name in names if facts.get(name) == value), "")) and dimension in model.origin.given:
            return _letter(name)
        if dimension in model.known and dimension not in model.origin.given:
            return replaced(model.known[dimension], {inner: meaning(inner) for inner in model.known[dimension].dimensions})
        if dimension in table.derived:
            table.size(settings, dimension)
        return Number(value)

    counts = tuple(model.formula(count) for count in COUNTS)
    meanings = {dimension: meaning(dimension) for count in counts for dimension in count.dimensions}
    return Side(counts, meanings, model.values, frozenset(entry.aliases.get(key, key) for key in asked))


def _by_entry(entry: Entry, config: Config) -> Side:
    """A config by the entry: a letter is its key, or what it usually is; one that is read from a list is its number."""
    model, facts = complete(of_entry(entry.name, entry, config), {}), _facts(entry, config)
    odd: set[str] = set()

    def meaning(dimension: Dimension) -> Expression:
        letter = entry.letters.get(dimension.name)
        follows = letter.usual if letter else model.known[dimension]
        if follows is not None and (letter is None or facts.get(letter.source.key) is None):
            return replaced(follows, {inner: meaning(inner) for inner in follows.dimensions})
        assert letter is not None
        if letter.source.of == "" and facts.get(letter.source.key) == model.values[dimension]:
            return _letter(letter.source.key)
        odd.update(keys[letter.source.key] for keys in (entry.lengths, entry.indices) if letter.source.key in keys)
        return Number(model.values[dimension])

    counts = tuple(model.formula(count) for count in COUNTS)
    meanings = {dimension: meaning(dimension) for count in counts for dimension in count.dimensions}
    return Side(counts, meanings, model.values, frozenset(odd))


def _configs(family: str, entry: Entry, found: Comparison) -> Iterator[Config]:
    """Configs drawn as for the family's own tests, with every combination of the switches that both sides know.

    One is as somebody writes it, with few keys, the next as the library writes it, with all. There are more of them while
    too few were read.
    """
    rng = Random(f"by hand {family}")  # noqa: S311 - no secret
    switches = sorted(_switches(family, entry))
    every = list(islice(product((True, False), repeat=len(switches)), 2**12))
    chosen = every if len(every) <= COMBINATIONS else rng.sample(every, COMBINATIONS)
    for place in range(MOST):
        if place >= len(chosen) and found.configs.total() >= FEWEST:
            return
        config = {key: value for key, value in deepcopy(dict(SPACES[family](rng))).items() if not key.endswith(OLDER)}
        for key, value in zip(switches, chosen[place % len(chosen)], strict=True):
            _put(config, key, value)
        try:
            _, written = configuration(family, config, found.name)
        except Exception:  # noqa: BLE001, S112 - the library refuses a config in any way
            continue
        if correction(found.name, config, written):
            found.left_out["the library ties it all the same, against its own checkpoints"] += 1
        else:
            is_long = (place + place // len(chosen)) % 2
            yield written if is_long else {**config, TYPE: written[TYPE], "architectures": [found.name]}


def _switches(family: str, entry: Entry) -> set[str]:
    """The keys of the switches of an entry, and of a family's table but for those that the discovery left as they are."""
    flags = {flag.name for flag in _table(family).flags.values() if isinstance(flag, Flag)}
    own = {switch.literal.key for switch in entry.features.values() if switch.literal.value is True and not switch.literal.like}
    keys = {entry.aliases.get(key, key) for key in flags | own}
    return {key for key in keys if key not in entry.allowed or {True, False} <= {*entry.allowed[key]}}


def _put(config: dict[str, Any], key: str, value: Any) -> None:
    *sections, last = key.split(SECTION)
    for section in sections:
        if not isinstance(config.get(section), dict):
            config[section] = {}
        config = config[section]
    config[last] = value


def _facts(entry: Entry, config: Config) -> dict[str, Any]:
    return {entry.aliases.get(key, key): value for key, value in flat(config)}


def _letter(key: str) -> Dimension:
    return Dimension(key.replace(SECTION, DOT))


def _general(error: SymparamsError) -> str:
    """A refusal without the values in it."""
    return re.sub(r"\[[^]]*\]|'[^']*'|-?\b\d+", "…", str(error))[:110]


def _built(entry: Entry, config: Config) -> int | None:
    """The library's count, None where it builds no model."""
    try:
        return built(Subject(entry.kind, entry.name), config).number
    except NotBuiltError:
        return None


def _table(family: str) -> Library:
    known = library(architecture(family))
    assert known is not None
    return known
