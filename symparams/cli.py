"""The command line: list, show, derive, formula, count. Results go to stdout, everything else to stderr."""

import gc
import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer
from typer.exceptions import TyperException

from symparams.errors import ExpressionError, OptionError, SymparamsError, quoted

if TYPE_CHECKING:
    from symparams.derivation import Derivation
    from symparams.models import Model

USER_MISTAKE, INTERRUPTED = 2, 130
LATEX, MARKDOWN, TEXT, JSON = "latex", "markdown", "text", "json"


def _targets(incomplete: str) -> list[str]:
    from symparams import architectures, published_models

    return [name for name in (*architectures(), *published_models()) if name.startswith(incomplete)]


def _features(ctx: typer.Context, incomplete: str) -> list[str]:
    from symparams.models import load

    try:
        names = load(ctx.params.get("target") or "").features
    except SymparamsError:
        return []
    return [name for name in names if name.startswith(incomplete)]


def _dimensions(incomplete: str) -> list[str]:
    from symparams.symbols import BY_NAME

    return [f"{name}=" for name in BY_NAME if name.startswith(incomplete)]


Target = Annotated[
    str, typer.Argument(help="An architecture (bloom) or a published model (bloom-1b4-zh).", autocompletion=_targets)
]
OptionalTarget = Annotated[
    str | None, typer.Argument(help="An architecture (bloom) or a published model (bloom-1b4-zh).", autocompletion=_targets)
]
Expr = Annotated[str | None, typer.Option("--expr", help="A bare formula instead of a target: '12*L*h**2 + V*h'.")]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="DIM=VALUE", help="A dimension's value: h=1024, d_ff=4*h.", autocompletion=_dimensions),
]
With = Annotated[list[str] | None, typer.Option("--with", metavar="FEATURE", help="Add a feature.", autocompletion=_features)]
Without = Annotated[
    list[str] | None, typer.Option("--without", metavar="FEATURE", help="Leave a feature out.", autocompletion=_features)
]
Symbolic = Annotated[bool, typer.Option("--symbolic", help="Leave all values out: symbols only.")]
Latex = Annotated[bool, typer.Option("--latex", help="Print LaTeX.")]
Markdown = Annotated[bool, typer.Option("--markdown", help="Print Markdown.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Text = Annotated[bool, typer.Option("--text", help="Print readable text (the default).")]
Standalone = Annotated[
    bool, typer.Option("--standalone/--fragment", help="LaTeX: a whole document, or what a paper can \\input.")
]
Flavor = Annotated[str, typer.Option("--flavor", help="Markdown: pandoc or github.")]
Language = Annotated[str, typer.Option("--lang", help="The language: en or zh.")]
View = Annotated[str, typer.Option("--view", help="How the parts are grouped: module.")]
Attention = Annotated[str, typer.Option("--attention", help="How attention is written: fused or per-head.")]
Columns = Annotated[int, typer.Option("--columns", help="How many columns the page has: 1 or 2.")]
Notation = Annotated[str, typer.Option("--notation", help="The letters: hidden (V, h, L), bert, gpt3, megatron or hf.")]
Output = Annotated[str | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file, whole or not at all.")]

app = typer.Typer(
    name="symparams",
    help="Derive the parameter count of a transformer, step by step and exactly.",
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from symparams import __version__

        print(f"symparams {__version__}")
        raise typer.Exit()


@app.callback()
def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command("list")
def list_targets() -> None:
    """List the architectures and their published models."""
    from symparams.architectures import architecture, architecture_names
    from symparams.output import write

    lines = []
    for name in architecture_names():
        family = architecture(name)
        lines.append(f"{name}: {family.title} ({family.source})\n")
        lines += [f"    {model}\n" for model in family.models]
    write("".join(lines), None)


@app.command()
def show(target: Target, values: Set = None, include: With = None, exclude: Without = None, output: Output = None) -> None:
    """Show a target's tree: component, shapes, formula; and its features."""
    from symparams.outline import outline
    from symparams.output import write

    write(outline(_load(target, values, include, exclude)), output)


@app.command()
def derive(
    target: OptionalTarget = None,
    expr: Expr = None,
    latex: Latex = False,
    markdown: Markdown = False,
    as_json: Json = False,
    text: Text = False,
    standalone: Standalone = True,
    flavor: Flavor = "pandoc",
    lang: Language = "en",
    view: View = "module",
    attention: Attention = "fused",
    columns: Columns = 1,
    notation: Notation = "hidden",
    values: Set = None,
    include: With = None,
    exclude: Without = None,
    symbolic: Symbolic = False,
    output: Output = None,
) -> None:
    """Derive a target's parameter count: the whole sheet."""
    from symparams.output import write
    from symparams.rendering import render

    chosen = _format(latex=latex, markdown=markdown, json=as_json, text=text)
    derivation = _derivation(target, expr, values, include, exclude, symbolic=symbolic, view=view, attention=attention)
    sheet = render(derivation, chosen, language=lang, standalone=standalone, flavor=flavor, columns=columns, notation=notation)
    write(sheet, output)


@app.command()
def formula(
    target: OptionalTarget = None,
    expr: Expr = None,
    latex: Latex = False,
    markdown: Markdown = False,
    as_json: Json = False,
    text: Text = False,
    flavor: Flavor = "pandoc",
    notation: Notation = "hidden",
    values: Set = None,
    include: With = None,
    exclude: Without = None,
    output: Output = None,
) -> None:
    """Print the closed form alone."""
    from symparams.output import write
    from symparams.rendering import render_formula

    chosen = _format(latex=latex, markdown=markdown, json=as_json, text=text)
    model = _derivation(target, expr, values, include, exclude).model
    write(render_formula(model, chosen, flavor=flavor, notation=notation), output)


@app.command()
def count(
    target: OptionalTarget = None,
    expr: Expr = None,
    as_json: Json = False,
    shared: Annotated[str, typer.Option("--shared", help="Count a shared tensor once (own), or at each use (each).")] = "own",
    values: Set = None,
    include: With = None,
    exclude: Without = None,
    output: Output = None,
) -> None:
    """Print the count alone, an integer."""
    from symparams.output import write

    model = (
        _derivation(target, expr, values, include, exclude).model
        if expr is not None
        else _load(target, values, include, exclude)
    )
    value = model.count(shared=shared)
    if as_json:
        from symparams.rendering.data import count_json

        write(count_json(model, value), output)
    else:
        write(f"{value}\n", output)


def main() -> None:
    """Run the command line; a user's mistake is one line on stderr and exit code 2."""
    # One short run: what sympy's import leaves for the collector is given back when the process ends. A tenth of the time.
    gc.disable()
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code."""
    try:
        return int(app(arguments, prog_name="symparams", standalone_mode=False) or 0)
    except SymparamsError as error:
        return _mistake(str(error))
    except TyperException as error:
        return _mistake(error.format_message())
    except BrokenPipeError:
        # The reader has seen enough. Python would complain once more when it flushes stdout at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED


def _mistake(message: str) -> int:
    print("symparams: " + " ".join(message.split()), file=sys.stderr)
    return USER_MISTAKE


def _format(**chosen: bool) -> str:
    names = [name for name, wanted in chosen.items() if wanted]
    if len(names) > 1:
        raise OptionError(f"One format at a time: choose {' or '.join(f'--{name}' for name in names)}.")
    return names[0] if names else TEXT


def _load(target: str | None, values: Set, include: With, exclude: Without) -> "Model":
    from symparams.models import load

    if target is None:
        raise OptionError("Name a target: an architecture or a published model; 'symparams list' names them all.")
    return load(target, include=include or (), exclude=exclude or (), **_assignments(values))


def _derivation(
    target: str | None,
    expr: str | None,
    values: Set,
    include: With,
    exclude: Without,
    *,
    symbolic: bool = False,
    view: str = "module",
    attention: str = "fused",
) -> "Derivation":
    from symparams.derivation import derive, derive_expression

    if expr is None:
        model = _load(target, values, include, exclude)
        return derive(model.symbolic() if symbolic else model, view=view, attention=attention)
    if target is not None:
        raise OptionError(f"Give a target or --expr, not both: leave out {quoted(target)} or --expr.")
    if include or exclude:
        raise OptionError("A bare formula has no features: leave out --with and --without.")
    return derive_expression(expr, **_assignments(values))


def _assignments(values: Set) -> dict[str, str]:
    named: dict[str, str] = {}
    for assignment in values or ():
        name, equals, value = assignment.partition("=")
        if not equals or not name.strip():
            raise ExpressionError(f"--set {quoted(assignment)} is not DIM=VALUE: write --set h=1024 or --set d_ff=4*h.")
        if name.strip() in named:
            raise OptionError(f"{quoted(name.strip())} is set twice: set it once.")
        named[name.strip()] = value
    return named


if __name__ == "__main__":
    main()
