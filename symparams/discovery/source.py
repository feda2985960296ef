"""A discovered architecture as the Python file that a person would write: letters, builders, laws, the certificate."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import count
from types import MappingProxyType

from symparams import components as components_module
from symparams import features
from symparams.architectures import Architecture, Published
from symparams.components import Biases, Component, Rows, Tensor, patch_embedding
from symparams.components.attention import SINKS
from symparams.components.facts import Projection
from symparams.components.feed_forward import EXPERTS
from symparams.components.kinds import EMBEDDING, LAYER_NORM, LINEAR, RMS_NORM, Role, Use
from symparams.components.laws import Binding, Law
from symparams.components.linear import CONVOLUTION, PARAMETER
from symparams.components.walks import components
from symparams.discovery.calls import call_of
from symparams.discovery.names import names
from symparams.errors import DiscoveryError
from symparams.expressions.nodes import Dimension, Expression, Floor, Quotient, Sum
from symparams.expressions.written import ONE
from symparams.features import Feature

WIDTH, STEP = 100, "    "
SHORT = 45  # characters of a part that is written again where it stands again
LAYER = "layer"
PUBLIC = frozenset(components_module.__all__)  # the names of builders
LEARNED = (PARAMETER, CONVOLUTION, EMBEDDING, EXPERTS, SINKS)  # that are written as what is learned
CHANNELS = 2  # of the sides of a convolution: outputs and inputs
_IN_KINDS = ("EMBEDDING", "LINEAR", "BIAS", "LAYER_NORM", "RMS_NORM")
KINDS = (
    *(("symparams.components.linear", name) for name in ("PARAMETER", "CONVOLUTION")),
    ("symparams.components.feed_forward", "EXPERTS"),
    ("symparams.components.attention", "SINKS"),
    *(("symparams.components.kinds", name) for name in _IN_KINDS),
)
# What a file says that was not found, and what that means to who reads it.
UNKNOWN = {
    "unordered(": "Parts in unordered(…) are counted, but the data flow through them is not known.",
    'activation=""': 'activation="" is an activation function that is not known; it does not change the count.',
}
IN_SYMPY = {"ceil": "ceiling", "min": "Min"}  # functions that sympy calls otherwise than --expr
BRACKETED = re.compile(r"\(([\w*]+)\)/")  # 2*h/n is read as (2*h)/n
FUNCTION = re.compile(r"\b(ceil|floor|min)\(")


def definition(architecture: Architecture, *, about: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return the text of a Python file that defines an architecture that ``discover`` returned.

    The file says the same to symparams as the architecture, and a person can read it and write the data flow into it:
    ``Path("ours.py").write_text(symparams.definition(found))``. ``about`` says of letters and features what
    they are, in a comment. Raises DiscoveryError for an array that no builder makes.
    """
    writer = _Writer(architecture)
    parts = [(name, writer.component(part, name)) for name, part in architecture.tree.children]
    is_unordered = any(flow.role is Role.UNORDERED for _, flow in architecture.tree.body)
    if is_unordered:
        parts = [("tree", writer.builder("block", [("", writer.builder("unordered", parts))]))]
    elif any(flow.role.is_flow for _, flow in architecture.tree.body):
        parts = [("tree", writer.block(architecture.tree))]
    arguments = [("", f'"{architecture.name}"'), *writer.said(architecture), *parts, *writer.held(architecture)]
    unused = {letter.name for letter in architecture.dimensions} - writer.letters
    said = [text for name, text in about.items() if name not in unused]
    called = f"{architecture.name.upper()} = {writer.call('Architecture', arguments)}"
    lines = [
        _docstring(architecture, "\n".join([*writer.variables, called])),
        "",
        _imported("sympy", {*writer.functions, "symbols"}),
        *writer.imports(),
        "",
        *_symbols([letter.name for letter in architecture.dimensions if letter.name in writer.letters]),
        *(f"# {line}" for line in (["Keys of the config:", *said] if said else [])),
        *(f'{name} = Feature("{name}")' for name in writer.own),
        "",
        *(line for variable in writer.variables for line in (variable, *([""] if "\n" in variable else []))),
        *([""] if writer.variables and "\n" not in writer.variables[-1] else []),
        called,
        "",
    ]
    return "\n".join(lines)


def _symbols(letters: Sequence[str]) -> list[str]:
    """The lines that name the letters, as many on each as it has room for."""
    rows = textwrap.wrap(" ".join(letters), WIDTH // 2 - len("symbols"), break_long_words=False, break_on_hyphens=False)
    return [f'{", ".join(row.split())} = symbols("{row}")' for row in rows]


def _docstring(architecture: Architecture, text: str) -> str:
    """The sentences that a file begins with: what it is, and what the marks of the unknown mean that are in its ``text``."""
    own = architecture.title if architecture.title != architecture.name else ""
    made_by = architecture.certificate.made_by if architecture.certificate else ""
    of = " of ".join(filter(None, (own, made_by if made_by.startswith("transformers") else "")))
    first = f"{architecture.name}: {of}{', ' if of else ''}found by symparams.discover."
    unknown = " ".join(sentence for mark, sentence in UNKNOWN.items() if mark in text)
    if not unknown:
        return f'"""{first}"""'
    joint = "\n"
    return f'"""{first}\n\n{joint.join(textwrap.wrap(unknown, WIDTH - 3))}\n"""'


class _Writer:
    """The text of components, and the names that it uses."""

    def __init__(self, architecture: Architecture) -> None:
        parts = (replace(part, when=(), times=ONE) for _, part in components(architecture.tree))
        self.places = Counter(parts)
        self.letters_of_all = {letter.name for letter in architecture.dimensions} | architecture.features.keys()
        self.parts_by_name: dict[Component, str] = {}
        self.variables: list[str] = []
        self.always: dict[Expression, Expression] = {}  # what no builder that is written says of a letter
        self.used = {"Architecture"}
        self.functions: set[str] = set()
        self.letters: set[str] = set()
        self.others: set[tuple[str, str]] = set()  # what symparams itself does not name, with its module
        self.own: dict[str, None] = {}  # features that symparams does not name
        self.known: dict[str, None] = {}

    def imports(self) -> list[str]:
        """The lines that import what is used."""
        if self.own:
            self.used.add("Feature")
        by_module = {module: {name for other, name in self.others if other == module} for module, _ in sorted(self.others)}
        by_module |= {"symparams.features": set(self.known)} if self.known else {}
        return [_imported("symparams", self.used), *(_imported(module, names) for module, names in by_module.items())]

    def said(self, architecture: Architecture) -> list[tuple[str, str]]:
        """The arguments that say what an architecture is called and where it is from, where those are not its name."""
        title = architecture.title if architecture.title != architecture.name else ""
        return [(name, f'"{text}"') for name, text in (("title", title), ("source", architecture.source)) if text]

    def held(self, architecture: Architecture) -> list[tuple[str, str]]:
        """The arguments that say what holds: relations, laws, features, models, the certificate."""
        laws = [self.law(law) for law in architecture.laws if law.binding is Binding.DIVIDES]
        known = {letter.name: value for letter, value in architecture.relations.items()}
        always = {repr(letter): value for letter, value in self.always.items() if repr(letter) not in known}
        relations = [f"{letter}: {self.size(value)}" for letter, value in (known | always).items()]
        is_tied = features.tying in architecture.has
        has = [self.feature(feature) for feature in architecture.has if feature != features.tying]
        if not is_tied and any(tensor.tied_to for _, part in components(architecture.tree) for tensor in part.tensors):
            has.append(self.feature(~features.tying))
        arguments = [("relations", _packed("{", relations, "}"))] if relations else []
        arguments += [("laws", f"[{', '.join(laws)}]")] if laws else []
        arguments += [("has", f"[{', '.join(has)}]")] if has else []
        if architecture.models:
            models = [(f'"{name}": {self.model(published)}') for name, published in architecture.models.items()]
            inner = "".join(f"{STEP}{model},\n" for model in models)
            arguments.append(("models", f"{{\n{inner}}}"))
        if found := architecture.certificate:
            fields = [(name, self.value(value)) for name, value in vars(found).items()]
            arguments.append(("certificate", self.builder("Certificate", fields)))
        return arguments

    def value(self, value: object) -> str:
        """What a certificate says, as Python; what is long on as many lines as it needs."""
        text = repr(value).replace("'", '"')
        if isinstance(value, Mapping):
            return _packed("{", [f'"{name}": {inner}' for name, inner in value.items()], "}")
        return _packed("(", [f'"{name}"' for name in value], ")") if isinstance(value, tuple) and len(value) > 1 else text

    def sizes(self, published: Published) -> list[tuple[Dimension, int]]:
        """The sizes of a model, without those of letters that stand in no part that is written."""
        return [(letter, value) for letter, value in published.values.items() if letter.name in self.letters]

    def model(self, published: Published) -> str:
        """The sizes of a model, and its features where it has others."""
        sizes = f"{{{', '.join(f'{letter.name}: {value:_}' for letter, value in self.sizes(published))}}}"
        own = {option: getattr(published, option) for option in ("include", "exclude") if getattr(published, option)}
        if not own and not published.source:
            return sizes
        arguments = [("", sizes), ("source", f'"{published.source}"')]
        arguments += [(option, f"({', '.join(map(self.feature, several))},)") for option, several in own.items()]
        return self.builder("Published", arguments)

    def component(self, component: Component, name: str = "") -> str:
        """A part as a call of its builder, as often as it occurs and with its features."""
        made = self.shared(name, replace(component, when=(), times=ONE), is_layer=component.times != ONE)
        factors = [self.feature(feature) for feature in component.when]
        factors += [self.factor(component.times)] if component.times != ONE else []
        for place, factor in enumerate(reversed(factors)):  # a feature multiplies a part, not a number or a feature
            made = f"{factor} * ({made})" if place else f"{factor} * {made}"
        return made

    def shared(self, name: str, component: Component, *, is_layer: bool) -> str:
        """A part by its builder; by a name before the architecture if it is a layer or stands in several places."""
        if component in self.parts_by_name:
            return self.parts_by_name[component]
        made = self.block(component) if component.body else self.leaf(component)
        is_block = bool(component.body) and not component.is_sublayer
        if not (is_layer and is_block) and (self.places[component] < 2 or len(made) < SHORT):
            return made
        own = name if component.name in ("", "block", component.kind.name) else component.name
        own = f"{own}_{LAYER}" if is_layer and is_block and own == name else own
        own = names()["variables"].get(own, own)
        taken = {*self.parts_by_name.values(), *self.letters_of_all, *PUBLIC}
        numbered = (f"{own}_{number}" for number in count(2))
        called: str = own if own not in taken else next(one for one in numbered if one not in taken)
        self.parts_by_name[component] = called
        self.variables.append(f"{called} = {made}")
        return called

    def block(self, component: Component) -> str:
        """A block of parts, in order or not."""
        if component.is_sublayer:
            return self.sublayer(component)
        arguments: list[tuple[str, str]] = []
        if component.is_named or component.name != "block":
            arguments.append(("", f'"{component.name}"'))
        for name, part in component.body:
            if part.role is Role.UNORDERED:
                arguments.append(("", self.builder("unordered", self.parts(part))))
            elif part.role.is_flow or not name:
                arguments.append(("", self.flow(part)))
            else:
                arguments.append((name, self.component(part, name)))
        made = self.builder("block", _positional_first(arguments, self.builder))
        return self.builder("alternating", [("", made)]) if component.alternate else made

    def flow(self, component: Component) -> str:
        """A sum, parts side by side or a chain, whose parts keep their order."""
        arguments = [(name, self.component(part, name)) if name else ("", self.flow(part)) for name, part in component.body]
        return self.builder(component.kind.name, _positional_first(arguments, self.builder))

    def parts(self, component: Component) -> list[tuple[str, str]]:
        """The parts of a block by name; what no model has beside another part of its name is a block without one."""
        named: dict[str, str] = {}
        others: list[tuple[str, str]] = []
        for name, part in component.body:
            if name in named:
                others.append(("", self.builder("block", [(name, self.component(part, name))])))
            else:
                named[name] = self.component(part, name)
        return [*others, *named.items()]

    def sublayer(self, component: Component) -> str:
        """Attention or a feed-forward network by the builder that makes it; its matrices where none does."""
        call = call_of(component)
        laws = component.laws if call is None else call.laws
        self.always |= {law.subject: law.value for law in laws if law.binding is Binding.ALWAYS}
        if call is None:
            return self.builder("block", [("", self.builder("unordered", self.parts(component)))])
        options = [(name, self.option(value)) for name, value in call.options.items()]
        made = self.builder(call.builder, [*(("", self.size(size)) for size in call.sizes), *options])
        if call.norms:
            made = self.builder("with_query_key_norms", [("", made), *(("", self.component(norm)) for norm in call.norms)])
        return made if call.sinks is None else self.builder("with_sinks", [("", made), ("", self.size(call.sinks))])

    def option(self, value: object) -> str:
        """An option of a builder: a gate, a size, a word."""
        if isinstance(value, Biases):
            given = {name: gate for name, gate in vars(value).items() if gate is not None}
            return self.builder("Biases", [(name, self.option(gate)) for name, gate in given.items()])
        if isinstance(value, Expression):
            return self.size(value)
        if isinstance(value, Feature):
            return self.feature(value)
        if isinstance(value, tuple):
            return self.call("", [("", self.option(gate)) for gate in value])
        return f'"{value}"' if isinstance(value, str) else repr(value)

    def leaf(self, component: Component) -> str:
        """A layer of tensors by the builder that makes them."""
        by_name = {tensor.name: tensor for tensor in component.tensors}
        weight, bias = by_name.get("weight"), by_name.get("bias")
        if set(by_name) == {"bias"} and bias is not None and bias.trained and not bias.tied_to and not bias.when:
            return self.builder("bias", [("", self.size(bias.shape[0]))])
        is_usual = len(by_name) == len(component.tensors) and all(tensor.trained for tensor in component.tensors)
        if weight is None or weight.when or set(by_name) - {"weight", "bias"} or not is_usual or (bias and bias.tied_to):
            return self.arrays(component)
        tie = [("tied_to", f'"{weight.tied_to}"')] if weight.tied_to else []
        sides = [("", self.size(side)) for side in weight.shape]
        if component.kind is LINEAR:
            return self.builder("linear", [*sides, *self.bias(bias), *tie])
        if component.makes == (Projection.PATCHES,) and not tie and (made := self.patches(component)):
            return made
        if component.kind is EMBEDDING and len(sides) == len(("rows", "width")):
            rows = component.rows if component.rows not in (None, Rows.TOKENS) else None
            self.used |= {"Rows"} if rows else set()
            return self.builder("embedding", [*sides, *tie, *([("of", f"Rows.{rows.name}")] if rows else [])])
        if component.kind is EMBEDDING and bias is None and not tie and (made := self.of_image(component)):
            return made
        if component.kind is LAYER_NORM:
            return self.builder("layer_norm", [*sides, *self.bias(bias)])
        if component.kind is RMS_NORM:
            return self.builder("rms_norm", sides)
        if component.kind in LEARNED and not tie:
            has_channels = component.kind is CONVOLUTION and len(sides) > CHANNELS
            is_convolution = has_channels and (bias is None or bias.shape == weight.shape[:1])
            if is_convolution and len(sides) == CHANNELS + 1 and weight.shape[1] == ONE:
                return self.builder("depthwise_convolution", [sides[0], sides[2], *self.bias(bias)])
            if is_convolution:
                return self.builder("convolution", [*sides, *self.bias(bias)])
            if bias is None:
                return self.builder("parameter", [*sides, *self.kind(component)])
        return self.arrays(component)

    def of_image(self, component: Component) -> str:
        """A token of an image's sequence or a table of its positions; "" for another table."""
        *_, width = sides = component.tensors[0].shape
        if component.rows is None and sides in ((ONE, ONE, width), (width,)):
            return self.builder("class_vector" if sides == (width,) else "token", [("", self.size(width))])
        is_table = component.rows is Rows.POSITIONS and sides[1:] == (ONE, width)
        return self.builder("position_table", [("", self.size(sides[0])), ("", self.size(width))]) if is_table else ""

    def patches(self, component: Component) -> str:
        """The convolution that makes the tokens of an image of square patches; "" for another one."""
        width, channels, *sides = component.tensors[0].shape
        biases = [tensor for tensor in component.tensors if tensor.use is Use.BIAS]
        if len(sides) != len(("height", "width")) or any(tensor.when for tensor in biases):
            return ""
        if patch_embedding(width, channels, sides[0], bias=bool(biases), patches=None) != component:
            return ""
        sizes = [("", self.size(size)) for size in (width, channels, sides[0])]
        return self.builder("patch_embedding", [*sizes, *([] if biases else [("bias", "False")]), ("patches", "None")])

    def kind(self, component: Component) -> list[tuple[str, str]]:
        """The argument that says the kind of an array, if that is not the usual one."""
        return [] if component.kind is PARAMETER else [("kind", self.kind_name(component))]

    def kind_name(self, component: Component) -> str:
        """The name of a kind, which is imported."""
        kinds = [(module, name) for module, name in KINDS if getattr(import_module(module), name) is component.kind]
        if not kinds:
            raise DiscoveryError(f"No builder makes {component.kind}: the definition has no file.")
        self.others.add(kinds[0])
        return kinds[0][1]

    def arrays(self, component: Component) -> str:
        """A layer that no builder makes, as its kind and its tensors."""
        kind = self.kind_name(component)
        self.others.add(("symparams.components.kinds", "Use"))
        tensors = [self.builder("Tensor", self.tensor(tensor)) for tensor in component.tensors]
        return self.builder("Component", [("", kind), ("tensors", self.call("", [("", text) for text in tensors]))])

    def tensor(self, tensor: Tensor) -> list[tuple[str, str]]:
        """What a tensor is made of."""
        sides = self.call("", [("", self.size(side)) for side in tensor.shape])
        when = self.call("", [("", self.feature(feature)) for feature in tensor.when])
        arguments = [("", f'"{tensor.name}"'), ("", sides), ("", f"Use.{tensor.use.name}")]
        arguments += [("when", when)] if tensor.when else []
        arguments += [("tied_to", f'"{tensor.tied_to}"')] if tensor.tied_to else []
        return [*arguments, *([] if tensor.trained else [("trained", "False")])]

    def builder(self, name: str, arguments: list[tuple[str, str]]) -> str:
        """A call of a builder, which is imported."""
        self.used.add(name)
        return self.call(name, arguments)

    def bias(self, bias: Tensor | None) -> list[tuple[str, str]]:
        """The argument that says whether a layer has a bias, or with which feature."""
        if bias is None:
            return [("bias", "False")]
        if not bias.when:
            return []
        gate = ", ".join(map(self.feature, bias.when))
        return [("bias", gate if len(bias.when) == 1 else f"({gate})")]

    def feature(self, feature: Feature) -> str:
        """A feature by its name, which is imported or defined."""
        (self.known if isinstance(getattr(features, feature.name, None), Feature) else self.own)[feature.name] = None
        return str(feature)

    def law(self, law: Law) -> str:
        """A law that one size divides another."""
        return self.builder("divides", [("", self.size(law.subject)), ("", self.size(law.value))])

    def size(self, expression: Expression) -> str:
        """An expression in plain sympy."""
        self.letters.update(dimension.name for dimension in expression.dimensions)
        self.functions.update(IN_SYMPY.get(name, name) for name in FUNCTION.findall(repr(expression)))
        text = FUNCTION.sub(lambda match: f"{IN_SYMPY.get(match[1], match[1])}(", repr(expression))
        return re.sub(r"(?<!\*)\*(?!\*)", " * ", BRACKETED.sub(r"\1/", text)).replace("/", " / ")

    def factor(self, expression: Expression) -> str:
        """An expression before a part that it multiplies."""
        text = self.size(expression)
        return f"({text})" if isinstance(expression, (Sum, Quotient)) and not isinstance(expression, Floor) else text

    def call(self, name: str, arguments: Iterable[tuple[str, str]]) -> str:
        """A call on one line, or with a line for each argument."""
        written = [f"{key}={value}" if key else value for key, value in arguments]
        line = f"{name}({', '.join(written)}{',' if not name and len(written) == 1 else ''})"
        if "\n" not in line and len(line) <= WIDTH - 2 * len(STEP):
            return line
        inner = "".join(f"{STEP}{argument}".replace("\n", f"\n{STEP}") + ",\n" for argument in written)
        return f"{name}(\n{inner})"


def _positional_first(arguments: Sequence[tuple[str, str]], builder: Callable[..., str]) -> list[tuple[str, str]]:
    """The arguments in their order; parts with names that stand before others are a block of their own."""
    last = max((place for place, (name, _) in enumerate(arguments) if not name), default=0)
    return [("", builder("block", [one])) if one[0] and place < last else one for place, one in enumerate(arguments)]


def _imported(module: str, names: Iterable[str]) -> str:
    line = f"from {module} import {', '.join(ordered := sorted(names))}"
    if len(line) <= WIDTH:
        return line
    return f"from {module} import (\n" + "".join(f"{STEP}{name},\n" for name in ordered) + ")"


def _packed(opening: str, entries: Sequence[str], closing: str) -> str:
    """A mapping or a tuple on one line, or with as many entries on each line as it has room for."""
    line = f"{opening}{', '.join(entries)}{closing}"
    if len(line) <= WIDTH - 3 * len(STEP):
        return line
    rows = [""]
    for entry in entries:
        if rows[-1] and len(rows[-1]) + len(entry) + len(" ,") > WIDTH - 4 * len(STEP):
            rows.append("")
        rows[-1] += f"{' ' if rows[-1] else ''}{entry},"
    return f"{opening}\n" + "".join(f"{STEP}{row}\n" for row in rows) + closing
