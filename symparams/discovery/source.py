"""A discovered architecture as the Python file that a person would write: letters, builders, laws, the certificate."""

from __future__ import annotations

import re
from collections.abc import Iterable

from symparams import features
from symparams.architectures import Architecture
from symparams.components import Component, Tensor
from symparams.components.kinds import BIAS, EMBEDDING, LAYER_NORM, LINEAR, RMS_NORM, Role
from symparams.components.laws import Binding, Law
from symparams.components.linear import PARAMETER
from symparams.errors import DiscoveryError
from symparams.expressions.nodes import Expression, Floor, Quotient, Sum
from symparams.expressions.written import ONE
from symparams.features import Feature

WIDTH, STEP = 100, "    "
IN_SYMPY = {"ceil": "ceiling", "min": "Min"}  # functions that sympy calls otherwise than --expr
BRACKETED = re.compile(r"\(([\w*]+)\)/")  # 2*h/n is read as (2*h)/n
FUNCTION = re.compile(r"\b(ceil|floor|min)\(")


def definition(architecture: Architecture) -> str:
    """Return the text of a Python file that defines an architecture that ``discover`` returned.

    The file says the same to symparams as the architecture, and a person can read it and write the data flow into it:
    ``Path("ours.py").write_text(symparams.definition(found))``. Raises DiscoveryError for an array that no builder makes.
    """
    writer = _Writer()
    parts = [(name, writer.component(part)) for name, part in architecture.tree.children]
    if any(flow.role is Role.UNORDERED for _, flow in architecture.tree.body):
        parts = [("tree", writer.builder("block", [("", writer.builder("unordered", parts))]))]
    laws = [writer.law(law) for law in architecture.laws if law.binding is Binding.DIVIDES]
    has = [writer.feature(feature) for feature in architecture.has if feature != features.tying]
    arguments = [("", f'"{architecture.name}"'), *parts]
    arguments += [("laws", f"[{', '.join(laws)}]")] if laws else []
    arguments += [("has", f"[{', '.join(has)}]")] if has else []
    if found := architecture.certificate:
        writer.used.add("Certificate")
        fields = [(name, repr(value).replace("'", '"')) for name, value in vars(found).items()]
        arguments.append(("certificate", writer.call("Certificate", fields)))
    letters = [letter.name for letter in architecture.dimensions]
    lines = [
        f'"""{architecture.name}: found by symparams.discover; what nobody saw the input of is unordered."""',
        "",
        _imported("sympy", {*writer.functions, "symbols"}),
        *writer.imports(),
        "",
        f'{", ".join(letters)} = symbols("{" ".join(letters)}")',
        *(f'{name} = Feature("{name}")' for name in writer.own),
        "",
        f"{architecture.name.upper()} = {writer.call('Architecture', arguments)}",
        "",
    ]
    return "\n".join(lines)


class _Writer:
    """The text of components, and the names that it uses."""

    def __init__(self) -> None:
        self.used = {"Architecture"}
        self.functions: set[str] = set()
        self.own: dict[str, None] = {}  # features that symparams does not name
        self.known: dict[str, None] = {}

    def imports(self) -> list[str]:
        """The lines that import what is used."""
        if self.own:
            self.used.add("Feature")
        return [_imported("symparams", self.used), *([_imported("symparams.features", self.known)] if self.known else [])]

    def component(self, component: Component) -> str:
        """A part as a call of its builder, as often as it occurs and with its features."""
        features_of = "".join(f"{self.feature(feature)} * " for feature in component.when)
        times = "" if component.times == ONE else f"{self.factor(component.times)} * "
        return f"{features_of}{times}{self.block(component) if component.body else self.leaf(component)}"

    def block(self, component: Component) -> str:
        """A block of parts, in order or not."""
        arguments: list[tuple[str, str]] = []
        if component.is_named or (component.times != ONE and component.name != "block"):
            arguments.append(("", f'"{component.name}"'))
        for name, part in component.body:
            if part.role is Role.UNORDERED:
                arguments.append(("", self.builder("unordered", [(inner, self.component(of)) for inner, of in part.body])))
            else:
                arguments.append((name, self.component(part)))
        made = self.builder("block", arguments)
        return self.builder("alternating", [("", made)]) if component.alternate else made

    def leaf(self, component: Component) -> str:
        """A layer of tensors by the builder that makes them."""
        by_name = {tensor.name: tensor for tensor in component.tensors}
        weight, bias = by_name.get("weight"), by_name.get("bias")
        if component.kind is BIAS and bias is not None and bias.trained and not bias.tied_to:
            return self.builder("bias", [("", self.size(bias.shape[0]))])
        if weight is None or set(by_name) - {"weight", "bias"} or not all(tensor.trained for tensor in component.tensors):
            raise DiscoveryError(f"No builder makes {' and '.join(by_name)} in one layer: the definition has no file.")
        tie = [("tied_to", f'"{weight.tied_to}"')] if weight.tied_to else []
        sides = [("", self.size(side)) for side in weight.shape]
        if component.kind is LINEAR:
            return self.builder("linear", [*sides, *self.bias(bias), *tie])
        if component.kind is EMBEDDING:
            return self.builder("embedding", [*sides, *tie])
        if component.kind is LAYER_NORM:
            return self.builder("layer_norm", [*sides, *self.bias(bias)])
        if component.kind is RMS_NORM:
            return self.builder("rms_norm", sides)
        if component.kind is PARAMETER and bias is None and not tie:
            return self.builder("parameter", sides)
        raise DiscoveryError(f"No builder makes {' and '.join(by_name)} in one layer: the definition has no file.")

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
        line = f"{name}({', '.join(written)})"
        if "\n" not in line and len(line) <= WIDTH - 2 * len(STEP):
            return line
        inner = "".join(f"{STEP}{argument}".replace("\n", f"\n{STEP}") + ",\n" for argument in written)
        return f"{name}(\n{inner})"


def _imported(module: str, names: Iterable[str]) -> str:
    line = f"from {module} import {', '.join(ordered := sorted(names))}"
    if len(line) <= WIDTH:
        return line
    return f"from {module} import (\n" + "".join(f"{STEP}{name},\n" for name in ordered) + ")"
