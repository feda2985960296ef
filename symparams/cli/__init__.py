"""The command line: list, show, derive, formula, count. Results go to stdout, everything else to stderr."""

import gc
import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer
from typer.exceptions import TyperException

from symparams.cli.options import (
    Attention,
    Columns,
    Expr,
    Flavor,
    Json,
    Language,
    Latex,
    Markdown,
    Notation,
    OptionalTarget,
    Output,
    Set,
    Standalone,
    Symbol,
    Symbolic,
    Target,
    Text,
    View,
    With,
    WithMemory,
    Without,
    complete_targets,
)
from symparams.errors import OptionError, SymparamsError, quoted

if TYPE_CHECKING:
    from symparams.derivations.derivation import Derivation
    from symparams.models.model import Model

FOUND_A_DIFFERENCE, USER_MISTAKE, INTERRUPTED = 1, 2, 130
LATEX, MARKDOWN, TEXT, JSON = "latex", "markdown", "text", "json"


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
        from symparams.cli.output import write

        write(f"symparams {__version__}\n", None)
        raise typer.Exit()


@app.callback()
def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        from symparams.cli.output import write

        write(context.get_help() + "\n", None)


@app.command("list")
def list_targets() -> None:
    """List the architectures and their published models."""
    from symparams.architectures import architecture, architecture_names
    from symparams.cli.output import write

    lines = []
    for name in architecture_names():
        family = architecture(name)
        lines.append(f"{name}: {family.title} ({family.source})\n")
        lines += [f"    {model}\n" for model in family.models]
    write("".join(lines), None)


@app.command()
def show(target: Target, values: Set = None, include: With = None, exclude: Without = None, output: Output = None) -> None:
    """Show a target's tree: component, shapes, formula; and its features."""
    from symparams.cli.output import write
    from symparams.sheets.outline import outline

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
    symbol: Symbol = None,
    values: Set = None,
    include: With = None,
    exclude: Without = None,
    symbolic: Symbolic = False,
    with_memory: WithMemory = False,
    output: Output = None,
) -> None:
    """Derive a target's parameter count: the whole sheet."""
    from symparams.cli.output import write
    from symparams.sheets import render

    chosen = _format(latex=latex, markdown=markdown, json=as_json, text=text)
    derivation = _derivation(target, expr, values, include, exclude, symbolic=symbolic, view=view, attention=attention)
    sheet = render(
        derivation,
        chosen,
        language=lang,
        standalone=standalone,
        flavor=flavor,
        columns=columns,
        notation=notation,
        symbols=_assignments(symbol, "--symbol", "h=d"),
        with_memory=with_memory,
    )
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
    symbol: Symbol = None,
    values: Set = None,
    include: With = None,
    exclude: Without = None,
    output: Output = None,
) -> None:
    """Print the closed form alone."""
    from symparams.cli.output import write
    from symparams.sheets import render_formula

    chosen = _format(latex=latex, markdown=markdown, json=as_json, text=text)
    model = _derivation(target, expr, values, include, exclude).model
    symbols = _assignments(symbol, "--symbol", "h=d")
    write(render_formula(model, chosen, flavor=flavor, notation=notation, symbols=symbols), output)


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
    from symparams.cli.output import write

    model = (
        _derivation(target, expr, values, include, exclude).model
        if expr is not None
        else _load(target, values, include, exclude)
    )
    value = model.count(shared=shared)
    if model.assumes_base:
        print(f"symparams: the config names no class, so this is the base model, {model.class_name}", file=sys.stderr)
    if as_json:
        from symparams.sheets.data import count_json

        write(count_json(model, value), output)
    else:
        write(f"{value}\n", output)


@app.command()
def explain(
    target: Target,
    claimed: Annotated[str, typer.Argument(help="The number that somebody gives: 108891648, or rounded: 110M.")],
    as_json: Json = False,
    lang: Language = "en",
    values: Set = None,
    include: With = None,
    exclude: Without = None,
    output: Output = None,
) -> None:
    """Explain why a published number differs from this count; exit 1 where nothing explains it."""
    from symparams.answers.explanations import explain as explanations_of
    from symparams.cli.output import write
    from symparams.quantities.memory import read_claim
    from symparams.sheets.reasons import to_json, to_text

    model = _load(target, values, include, exclude)
    found = explanations_of(model, claimed)
    claim = read_claim(claimed)[0] or 0
    write((to_json if as_json else to_text)(model, claim, found, lang), output)
    if not any(explanation.is_explained for explanation in found):
        raise typer.Exit(FOUND_A_DIFFERENCE)


@app.command()
def verify(target: Target, values: Set = None, include: With = None, exclude: Without = None, output: Output = None) -> None:
    """Build the real model with transformers on the meta device and compare; exit 1 on a difference."""
    from symparams.answers.verification import compare
    from symparams.cli.output import write
    from symparams.sheets.reasons import comparison_text

    comparison = compare(_load(target, values, include, exclude))
    write(comparison_text(comparison), output)
    if not comparison.match:
        raise typer.Exit(FOUND_A_DIFFERENCE)


@app.command()
def memory(
    target: Annotated[str, typer.Argument(help="A target, or a count: 7B, 13B, 6738415616.", autocompletion=complete_targets)],
    dtype: Annotated[list[str] | None, typer.Option("--dtype", help="fp32, fp16, bf16, int8 or int4 (default: all).")] = None,
    fits: Annotated[str | None, typer.Option("--fits", metavar="SIZE", help="A memory to fit into: 12GB or 12GiB.")] = None,
    latex: Latex = False,
    markdown: Markdown = False,
    as_json: Json = False,
    text: Text = False,
    lang: Language = "en",
    values: Set = None,
    include: With = None,
    exclude: Without = None,
    output: Output = None,
) -> None:
    """Print the memory of the weights alone; with --fits, exit 1 where none of the types fits."""
    from symparams.cli.output import write
    from symparams.derivations.derivation import derive_expression
    from symparams.quantities.memory import footprints, read_count, read_room
    from symparams.sheets import render_memory

    chosen = _format(latex=latex, markdown=markdown, json=as_json, text=text)
    room = read_room(fits) if fits is not None else None
    count = read_count(target)
    if count is None:
        derivation = _derivation(target, None, values, include, exclude)
    elif values or include or exclude:
        raise OptionError(
            f"A count has no dimensions to set and no features: leave out --set, --with and --without beside {quoted(target)}."
        )
    else:
        derivation = derive_expression(str(count))
    if room:
        derivation.model.count()  # a size that still depends on a symbol is an error that names the symbol
    write(render_memory(derivation, chosen, language=lang, dtypes=dtype or (), room=room), output)
    sizes = [footprint.size for footprint in footprints(derivation.total, dtype or ())]
    if room and not any(size is not None and size <= room.size for size in sizes):
        raise typer.Exit(FOUND_A_DIFFERENCE)


def main() -> None:
    """Run the command line; a user's mistake is one line on stderr and exit code 2."""
    # One short run: what sympy's import leaves for the collector is given back when the process ends. A tenth of the time.
    gc.disable()
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code."""
    try:
        # Not app(...): its own main() would end with exit code 1 where a reader has closed the pipe.
        with typer.main.get_command(app).make_context("symparams", list(arguments)) as context:
            return int(context.command.invoke(context) or 0)
    except typer.Exit as request:
        return request.exit_code
    except SymparamsError as error:
        return _mistake(str(error))
    except TyperException as error:
        return _mistake(error.format_message())
    except BrokenPipeError:
        # The reader has seen enough. Python would complain once more when it flushes stdout at exit.
        _silence()
        return 0
    except UnicodeEncodeError as error:
        return _mistake(
            f"Cannot write to standard output: its encoding {error.encoding} has no {error.object[error.start]!a}. "
            "Set PYTHONIOENCODING=utf-8 or write to a file with -o."
        )
    except OSError as error:
        _silence()
        return _mistake(f"Cannot write to standard output: {error.strerror}.")
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED


def _silence() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _mistake(message: str) -> int:
    print("symparams: " + " ".join(message.split()), file=sys.stderr)
    return USER_MISTAKE


def _format(**chosen: bool) -> str:
    names = [name for name, wanted in chosen.items() if wanted]
    if len(names) > 1:
        raise OptionError(f"One format at a time: choose {' or '.join(f'--{name}' for name in names)}.")
    return names[0] if names else TEXT


def _load(target: str | None, values: Set, include: With, exclude: Without) -> "Model":
    from symparams.models.model import load

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
    from symparams.derivations.derivation import derive, derive_expression

    if expr is None:
        model = _load(target, values, include, exclude)
        return derive(model.symbolic() if symbolic else model, view=view, attention=attention)
    if target is not None:
        raise OptionError(f"Give a target or --expr, not both: leave out {quoted(target)} or --expr.")
    if include or exclude:
        raise OptionError("A bare formula has no features: leave out --with and --without.")
    return derive_expression(expr, **_assignments(values))


def _assignments(values: list[str] | None, option: str = "--set", example: str = "h=1024") -> dict[str, str]:
    named: dict[str, str] = {}
    for assignment in values or ():
        name, equals, value = assignment.partition("=")
        if not equals or not name.strip():
            raise OptionError(f"{option} {quoted(assignment)} is not NAME=VALUE: write {option} {example}.")
        if name.strip() in named:
            raise OptionError(f"{quoted(name.strip())} is given twice: set it once.")
        named[name.strip()] = value
    return named


if __name__ == "__main__":
    main()
